#include "lib/request/preset.h"

#include <string.h>

const tn_preset tn_presets[] = {
#define PRESET(name, summary, ...) {name, summary, {__VA_ARGS__, {NULL, NULL}}},
#include "lib/request/presets.def"
#undef PRESET
    {NULL, NULL, {{NULL, NULL}}}};

const tn_preset *tn_preset_find(const char *name) {
    for (const tn_preset *p = tn_presets; p->name != NULL; p++) {
        if (strcmp(p->name, name) == 0) {
            return p;
        }
    }
    return NULL;
}
