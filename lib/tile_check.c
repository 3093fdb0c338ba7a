#include <string.h>

#include "ir/base/diag.h"
#include "ir/check/check_tiled.h"
#include "ir/mutate.h"
#include "ir/plan/plan_digest.h"
#include "ir/tiled.h"
#include "lib/planner_t.h"
#include "lib/tile/tile_plan.h"
#include "passes/fuse/group.h"
#include "passes/tile/rewrite.h"

/* Types of parts are those that the ops themselves have. */
static tn_status check_types(const tn_module *m, const tn_type *const *types) {
    for (uint32_t i = 0; i < m->n_values; i++) {
        const tn_value *v = m->values[i];
        bool there = v->def == NULL || !v->def->erased;
        if (there && types[i] != NULL && !tn_type_equal(types[i], v->type)) {
            tn_loc loc = tn_loc_file(m->file);
            return tn_error(m->ctx, &loc,
                            "part '%s' does not have the extents that its op gives it", v->name);
        }
    }
    return TN_OK;
}

/* A copy in which every op is one of the model or does the work of one for a part. */
static tn_module *taken_apart(const tn_module *module) {
    tn_module *m = tn_module_clone(module);
    tn_module_take_out_clones(m);
    tn_module_take_all_apart(m);
    return m;
}

/* The model without parts, which has to be the one that the plan is of. */
static tn_status without_parts(const tn_module *module, tn_arena *arena, tn_module **out) {
    tn_loc loc = tn_loc_file(module->file);
    *out = taken_apart(module);
    tn_module_untile(*out);
    const char *digest = tn_plan_digest_plain(*out, arena);
    return strcmp(digest, module->source_digest) == 0
               ? TN_OK
               : tn_error(module->ctx, &loc, "the parts are of another model");
}

static void forget_types(tn_module *m, const tn_type **types) {
    for (uint32_t i = 0; i < m->tiled->stretches.len; i++) {
        const tn_tiled_stretch *s = &m->tiled->stretches.data[i];
        for (uint32_t k = 0; k < s->made.len; k++) {
            tn_value *v = m->values[s->made.data[k].value];
            types[v->id] = v->type;
            tn_value_set_type(v, tn_type_unknown());
        }
    }
}

tn_status tn_tile_check(const tn_request *r, const tn_module *module) {
    if (module->tiled == NULL) {
        return TN_OK;
    }
    tn_arena *arena = tn_arena_new(module->ctx);
    tn_module *m = taken_apart(module), *model;
    const tn_type **types = TN_ARRAY(arena, const tn_type *, m->n_values);
    uint32_t warnings;
    tn_status status = without_parts(module, arena, &model);
    forget_types(m, types);
    status = status == TN_OK ? tn_planner_infer(r, m, &warnings) : status;
    status = status == TN_OK ? check_types(m, types) : status;
    status = status == TN_OK ? tn_tiled_check(m, model) : status;
    tn_module_drop(model);
    tn_module_drop(m);
    tn_arena_drop(arena);
    return status;
}
