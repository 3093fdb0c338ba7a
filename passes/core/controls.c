#include "passes/core/controls.h"

#include <stddef.h>

tn_controls tn_controls_default(void) {
    tn_controls c = {.optimize_train = true, .optimize_test = true, .align = 64};
    return c;
}
