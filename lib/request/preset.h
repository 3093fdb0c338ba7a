/* Presets: named sets of options for a purpose (presets.def). One is nothing but the options it
 * stands for; they count less than those that are given. */
#ifndef TENURE_LIB_REQUEST_PRESET_H
#define TENURE_LIB_REQUEST_PRESET_H

#include "ir/module.h"

enum { TN_MAX_PRESET = 8 };

typedef struct tn_preset {
    const char *name, *summary;
    tn_pair options[TN_MAX_PRESET]; /* by long names; ends at key NULL */
} tn_preset;

/* Ends at name NULL. */
extern const tn_preset tn_presets[];

/* NULL when there is none of that name. */
const tn_preset *tn_preset_find(const char *name);

#endif
