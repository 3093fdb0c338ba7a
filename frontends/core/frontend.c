/* The list of frontends, and their options. */
#include <string.h>

#include "frontends/core/frontend.h"

#define FRONTEND(id) extern const tn_frontend tn_frontend_##id;
#include "frontends/frontends.def"
#undef FRONTEND

static const tn_frontend *const all[] = {
#define FRONTEND(id) &tn_frontend_##id,
#include "frontends/frontends.def"
#undef FRONTEND
};
enum { N_FRONTENDS = sizeof all / sizeof all[0] };

const tn_frontend *const *tn_frontend_all(tn_ctx *ctx, uint32_t *n) {
    return tn_ctx_all(ctx, TN_EXTRA_FRONTEND, all, N_FRONTENDS, n);
}

static const tn_frontend_opt *find(const tn_frontend *f, const char *name) {
    for (const tn_frontend_opt *o = f->options; o != NULL && o->name != NULL; o++) {
        if (strcmp(o->name, name) == 0) {
            return o;
        }
    }
    return NULL;
}

const tn_frontend_opt *tn_frontend_option(const tn_frontend *f, const char *name) {
    if (f != NULL) {
        return find(f, name);
    }
    const tn_frontend_opt *found = NULL;
    for (uint32_t i = 0; i < N_FRONTENDS && found == NULL; i++) {
        found = find(all[i], name);
    }
    return found;
}

bool tn_frontend_accepts(const tn_frontend_opt *option, const char *value) {
    if (option->type == TN_FRONTEND_FLAG) {
        return strcmp(value, "true") == 0 || strcmp(value, "false") == 0;
    }
    return option->accepts == NULL || option->accepts(value);
}

const char *tn_source_text(const tn_source *src, const char *name) {
    const char *value = find(src->frontend, name)->fallback;
    for (uint32_t i = 0; i < src->options->n_settings; i++) {
        const tn_pair *s = &src->options->settings[i];
        value = strcmp(s->key, name) == 0 ? s->value : value;
    }
    return value;
}

bool tn_source_flag(const tn_source *src, const char *name) {
    return strcmp(tn_source_text(src, name), "true") == 0;
}
