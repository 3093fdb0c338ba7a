#include "passes/autodiff/named_values.h"

#include "ir/base/quote.h"

tn_status tn_names_split(const tn_module *m, tn_arena *arena, const char *option, const char *text,
                         const char *const **names, uint32_t *n) {
    TN_VEC(const char *) list = {0};
    tn_loc loc = tn_loc_file(m->file);
    for (const char *at = text; *at != '\0';) {
        size_t len = tn_list_item(at);
        const char *name = tn_name_unquote(arena, tn_arena_strndup(arena, at, len));
        if (name == NULL || *name == '\0') {
            return tn_usage(m->ctx, &loc, "autodiff: %s '%s': '%.*s' is not a name", option, text,
                            (int)len, at);
        }
        tn_vec_push(arena, &list, name);
        at += len + (at[len] == ',');
    }
    *names = list.data;
    *n = list.len;
    return TN_OK;
}

tn_status tn_name_find(const tn_module *m, tn_arena *arena, const char *option, const char *name,
                       tn_value **out) {
    *out = tn_graph_find_value(m->main, name);
    if (*out != NULL && ((*out)->def == NULL || !(*out)->def->erased)) {
        return TN_OK;
    }
    const char **names = TN_ARRAY(arena, const char *, m->n_values);
    uint32_t n = 0;
    for (uint32_t i = 0; i < m->n_values; i++) {
        if (m->values[i]->graph == m->main) {
            names[n++] = m->values[i]->name;
        }
    }
    const char *near = tn_nearest(name, names, n);
    tn_loc loc = tn_loc_file(m->file);
    return tn_usage(m->ctx, &loc, "autodiff: %s: no tensor '%s' in the main graph%s%s%s", option,
                    name, near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                    near != NULL ? "'?" : "");
}
