#include "ir/onnx/onnx_external.h"

#include "ir/base/file.h"

typedef struct demand {
    const tn_module *m;
    const char *from, *to; /* folders */
    tn_arena *arena;
    tn_map known; /* files that have been looked at, by id of the interned name */
} demand;

static void look(demand *d, const tn_tensor *t, const char *name, const tn_loc *loc) {
    if (t == NULL || t->external == NULL) {
        return;
    }
    const char *file = tn_intern(d->m->ctx, t->external);
    if (tn_map_or(&d->known, tn_str_id(file), 0) != 0) {
        return;
    }
    tn_map_put(&d->known, tn_str_id(file), 1);
    const char *here = tn_arena_printf(d->arena, "%s/%s", d->from, file);
    const char *there = tn_arena_printf(d->arena, "%s/%s", d->to, file);
    bool present = tn_file_same(here, here);
    if (present && !tn_file_same(here, there)) {
        tn_fail(d->m->ctx, loc,
                "tensor '%s' lies in '%s' beside the model, and '%s' is not that file: write the "
                "output into the folder of the model, or make a hard link to the file there first",
                name, file, there);
    }
}

static void look_at_attrs(demand *d, const tn_op *op) {
    for (uint32_t i = 0; i < op->n_attrs; i++) {
        const tn_attr *a = &op->attrs[i];
        if (a->kind == TN_ATTR_TENSOR) {
            look(d, a->u.t, a->name, &op->loc);
        }
        for (uint32_t k = 0; a->kind == TN_ATTR_TENSORS && k < a->n; k++) {
            look(d, a->u.tensors[k], a->name, &op->loc);
        }
    }
}

void tn_onnx_demand_external(const tn_module *m, const char *folder) {
    tn_arena *arena = tn_arena_new(m->ctx);
    demand d = {m, tn_file_folder(arena, m->file), folder, arena, tn_map_make(arena)};
    tn_loc loc = tn_loc_file(m->file);
    if (!tn_file_same(d.from, d.to)) {
        for (uint32_t i = 0; i < m->n_values; i++) {
            look(&d, m->values[i]->tensor, m->values[i]->name, &loc);
        }
        for (uint32_t i = 0; i < m->n_ops; i++) {
            look_at_attrs(&d, m->ops[i]);
        }
    }
    tn_arena_drop(arena);
}
