#include "frontends/core/symbols.h"

#include <stdlib.h>
#include <string.h>

static void take_name(void *user, const char *name) {
    tn_symbols *all = user;
    tn_vec_push(all->arena, &all->list, name);
    tn_map_put(&all->known, tn_str_id(name), 1);
}

tn_symbols tn_symbols_of(const tn_module *m, tn_arena *arena) {
    tn_symbols all = {.m = m, .arena = arena, .known = tn_map_make(arena)};
    tn_dims_each_symbol(m->dims, take_name, &all);
    return all;
}

static bool has_symbol(const tn_symbols *all, const char *name) {
    return tn_map_or(&all->known, tn_str_id(tn_intern(tn_arena_ctx(all->arena), name)), 0) != 0;
}

/* Whether the name is that of an extent of some op's result, which data may give. */
static bool is_extent(const tn_module *m, const char *name) {
    const char *point = strrchr(name, '.');
    size_t digits = point != NULL ? strspn(point + 1, "0123456789") : 0;
    if (digits == 0 || digits > 2 || point[1 + digits] != '\0') {
        return false;
    }
    uint32_t axis = (uint32_t)strtoul(point + 1, NULL, 10);
    for (uint32_t i = 0; i < m->n_values; i++) {
        const tn_value *v = m->values[i];
        if (v->kind == TN_VALUE_RESULT && strstr(name, v->name) != NULL &&
            strcmp(tn_extent_name(v, axis), name) == 0) {
            return true;
        }
    }
    return false;
}

bool tn_symbols_have(const tn_symbols *all, const char *name) {
    return has_symbol(all, name) || is_extent(all->m, name);
}

void tn_symbols_demand(const tn_symbols *all, const char *name) {
    const tn_module *m = all->m;
    tn_loc loc = tn_loc_file(m->file);
    if (has_symbol(all, name)) {
        return;
    }
    if (is_extent(m, name)) {
        tn_dims_ask(m->dims, (tn_dim_asked){name, INT64_MAX, false});
        (void)tn_dim_sym(m->dims, name);
        return;
    }
    const char *near = tn_nearest(name, all->list.data, all->list.len);
    if (near != NULL) {
        tn_fail_usage(m->ctx, &loc, "the model has no dimension '%s'; did you mean '%s'?", name,
                      near);
    }
    tn_fail_usage(m->ctx, &loc, "the model has no dimension '%s'%s", name,
                  all->list.len == 0 ? ", all of its dimensions are fixed"
                                     : "; `tenure dims MODEL` lists those it has");
}
