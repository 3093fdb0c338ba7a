#include <string.h>

#include "backends/core/backend.h"

static const tn_backend *const all[] = {
#define BACKEND(id) &tn_backend_##id,
#include "backends/backends.def"
#undef BACKEND
    NULL};

const tn_backend *const *tn_backend_all(uint32_t *n) {
    *n = sizeof all / sizeof all[0] - 1;
    return all;
}

const tn_backend *tn_backend_find(const char *name) {
    for (uint32_t i = 0; all[i] != NULL; i++) {
        if (strcmp(all[i]->name, name) == 0) {
            return all[i];
        }
    }
    return NULL;
}

const char *tn_backend_arg(const tn_backend *b, const tn_backend_args *args, const char *name) {
    for (uint32_t i = 0; i < args->n; i++) {
        if (strcmp(args->pairs[i].key, name) == 0) {
            return args->pairs[i].value;
        }
    }
    for (const tn_backend_opt *o = b->options; o != NULL && o->name != NULL; o++) {
        if (strcmp(o->name, name) == 0) {
            return o->fallback;
        }
    }
    return NULL;
}
