#include "tools/lib/version.h"

const char *tn_version_text(void) {
    return TN_VERSION;
}
