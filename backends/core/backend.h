/* What a backend is: one const struct in its own folder, one line in backends/backends.def. A
 * backend reads a plan and writes text to a sink; it never sees the module, a pass or a file. */
#ifndef TENURE_BACKENDS_CORE_BACKEND_H
#define TENURE_BACKENDS_CORE_BACKEND_H

#include "ir/base/sink.h"
#include "ir/plan/plan.h"

/* Options as key and value texts, checked against the backend's list before emit is called. */
typedef struct tn_backend_opt {
    const char *name, *fallback, *help;
} tn_backend_opt;

typedef struct tn_backend_args {
    const tn_pair *pairs;
    uint32_t n;
} tn_backend_args;

typedef struct tn_backend {
    const char *name, *summary;
    const char *suffix; /* of the file name when none is given: ".h" */
    uint64_t align; /* what storages should be aligned to when the user does not say; 0: no wish */
    const tn_backend_opt *options; /* ends at name NULL; NULL: none */
    /* TN_OK, or TN_ERROR after diagnostics that say why this plan cannot be emitted. NULL: takes
     * any plan. */
    tn_status (*accepts)(const tn_plan *plan, const tn_backend_args *args);
    tn_status (*emit)(const tn_plan *plan, const tn_backend_args *args, tn_sink *out);
} tn_backend;

/* NULL when there is none of that name. */
const tn_backend *tn_backend_find(const char *name);
/* All, in order of backends.def; *n of them. */
const tn_backend *const *tn_backend_all(uint32_t *n);
/* Value of an option, given or its fallback. */
const char *tn_backend_arg(const tn_backend *b, const tn_backend_args *args, const char *name);

#define BACKEND(id) extern const tn_backend tn_backend_##id;
#include "backends/backends.def"
#undef BACKEND

#endif
