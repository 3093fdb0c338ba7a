#include "frontends/core/symbols.h"

#include <string.h>

static void take_name(void *user, const char *name) {
    tn_symbols *all = user;
    tn_vec_push(all->arena, &all->list, name);
}

tn_symbols tn_symbols_of(const tn_module *m, tn_arena *arena) {
    tn_symbols all = {.arena = arena};
    tn_dims_each_symbol(m->dims, take_name, &all);
    return all;
}

bool tn_symbols_have(const tn_symbols *all, const char *name) {
    for (uint32_t i = 0; i < all->list.len; i++) {
        if (strcmp(all->list.data[i], name) == 0) {
            return true;
        }
    }
    return false;
}

void tn_symbols_demand(const tn_symbols *all, const tn_module *m, const char *name) {
    tn_loc loc = tn_loc_file(m->file);
    if (tn_symbols_have(all, name)) {
        return;
    }
    const char *near = tn_nearest(name, all->list.data, all->list.len);
    if (near != NULL) {
        tn_fail(m->ctx, &loc, "the model has no dimension '%s'; did you mean '%s'?", name, near);
    }
    tn_fail(m->ctx, &loc, "the model has no dimension '%s'%s", name,
            all->list.len == 0 ? ", all of its dimensions are fixed"
                               : "; `tenure dims MODEL` lists those it has");
}
