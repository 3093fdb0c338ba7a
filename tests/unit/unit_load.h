/* Loading with options that may be wrong, which is raised. */
#ifndef TENURE_TESTS_UNIT_UNIT_LOAD_H
#define TENURE_TESTS_UNIT_UNIT_LOAD_H

#include "frontends/core/frontend.h"

typedef struct unit_loading {
    const char *name;
    tn_bytes bytes;
    const tn_load_options *options;
    tn_module *m;
} unit_loading;

static inline tn_status unit_load_raw(tn_ctx *ctx, void *arg) {
    unit_loading *l = arg;
    l->m = tn_load_bytes(ctx, l->name, l->bytes, l->options);
    return l->m != NULL ? TN_OK : TN_ERROR;
}

/* NULL after a diagnostic, also where the options are wrong. */
static inline tn_module *unit_load(tn_ctx *ctx, const char *name, tn_bytes bytes,
                                   const tn_load_options *options) {
    unit_loading l = {name, bytes, options, NULL};
    return tn_guard_run(ctx, unit_load_raw, &l) == TN_OK ? l.m : NULL;
}

#endif
