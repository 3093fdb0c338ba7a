/* A plan made elsewhere, held against a model. */
#include <string.h>

#include "ir/base/diag.h"
#include "ir/check/check.h"
#include "ir/mutate.h"
#include "ir/plan/plan_clones.h"
#include "lib/demand_places.h"
#include "lib/open/open_plan.h"
#include "lib/planner_t.h"
#include "lib/tile/tile_plan.h"
#include "passes/fuse/group.h"
#include "passes/plan/workspace_ways.h"
#include "passes/tile/rewrite.h"

/* Of several ways to do the work of an op the plan may have chosen any. */
static void adopt_workspaces(tn_arena *arena, tn_module *m, const tn_plan *plan) {
    tn_map bytes = tn_map_make(arena); /* by graph and name */
    for (uint32_t i = 0; m->op_set != NULL && i < plan->n_values; i++) {
        const tn_plan_value *v = &plan->values[i];
        if (v->role == TN_ROLE_WORKSPACE) {
            uint64_t graph = tn_str_id(tn_intern(m->ctx, v->graph));
            tn_map_put(&bytes, graph << 32 | tn_str_id(tn_intern(m->ctx, v->name)), v->bytes);
        }
    }
    for (uint32_t i = 0; i < m->n_values && bytes.len > 0; i++) {
        tn_value *w = m->values[i];
        uint64_t key = (uint64_t)tn_str_id(w->graph->path) << 32 | tn_str_id(w->name), found;
        if ((w->flags & TN_VF_WORKSPACE) && tn_map_get(&bytes, key, &found)) {
            tn_workspace_choose(w, found);
        }
    }
}

/* The first variant is for whatever the model leaves open, so that there is one for any extents. */
static tn_status check_ranges(const tn_module *m, const tn_plan *p) {
    uint32_t n;
    const tn_dim_range *open = tn_dims_ranges(m->dims, &n);
    tn_loc loc = tn_loc_file(m->file);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = tn_plan_range_named(p, open[i].name);
        if (k != TN_NO_ID && (p->ranges[k].min > open[i].min || p->ranges[k].max < open[i].max)) {
            return tn_error(m->ctx, &loc,
                            "the first variant of the plan is not for every extent of '%s'",
                            open[i].name);
        }
    }
    return TN_OK;
}

/* Extents that the model cannot run with, as a tensor would have an extent below 0. The module's
 * types are inferred. */
static tn_status check_runs(tn_module *inferred, const tn_plan *p) {
    uint32_t n;
    tn_loc loc = tn_loc_file(inferred->file);
    tn_open_adopt(inferred, p);
    tn_open_raise(inferred);
    const tn_dim_range *open = tn_dims_ranges(inferred->dims, &n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = tn_plan_range_named(p, open[i].name);
        if (k != TN_NO_ID && p->ranges[k].min < open[i].min) {
            return tn_error(
                inferred->ctx, &loc,
                "the plan is for '%s' from %lld on, but the model runs from %lld on only",
                open[i].name, (long long)p->ranges[k].min, (long long)open[i].min);
        }
    }
    return TN_OK;
}

/* A variant is for some of the extents that the first one is for. */
static tn_status check_narrower(const tn_module *m, const tn_plan *p, const tn_plan *whole) {
    tn_loc loc = tn_loc_file(m->file);
    for (uint32_t i = 0; i < p->n_ranges; i++) {
        const tn_plan_range *r = &p->ranges[i];
        uint32_t k = tn_plan_range_named(whole, r->name);
        if (k != TN_NO_ID && (r->min < whole->ranges[k].min || r->max > whole->ranges[k].max)) {
            return tn_error(m->ctx, &loc,
                            "a variant of the plan is for extents of '%s' that the first one is "
                            "not for",
                            r->name);
        }
    }
    return TN_OK;
}

/* Which extents no run can have is known once there are types. */
static tn_status check_first(const tn_request *r, const tn_module *m, const tn_plan *p) {
    if (p->n_ranges == 0) {
        return TN_OK;
    }
    uint32_t warnings;
    tn_module *inferred = tn_module_clone(m);
    tn_status status = tn_planner_infer(r, inferred, &warnings);
    if (status == TN_OK) {
        tn_open_raise(inferred);
        status = check_ranges(inferred, p);
    }
    if (status == TN_OK) {
        status = check_runs(inferred, p);
    }
    tn_module_drop(inferred);
    return status;
}

/* Which extents a plan is for is told by what it says of them: variants are chosen by that. */
static tn_status demand_binding(const tn_request *r, const tn_module *m, const tn_plan *plan) {
    uint32_t n;
    const tn_plan_dim *dims = tn_planner_dims(r->arena, r, m, &n);
    tn_loc loc = tn_loc_file(m->file);
    for (uint32_t i = 0; i < n || i < plan->n_dims; i++) {
        const tn_plan_dim *said = i < plan->n_dims ? &plan->dims[i] : NULL;
        const tn_plan_dim *is = i < n ? &dims[i] : NULL;
        if (said == NULL || is == NULL || strcmp(said->name, is->name) != 0 ||
            said->value != is->value) {
            const tn_plan_dim *one = said != NULL ? said : is;
            return tn_error(m->ctx, &loc,
                            "the plan %s '%s' to %lld, which is not what its options bind",
                            said != NULL ? "says it binds" : "does not say that it binds",
                            one->name, (long long)one->value);
        }
    }
    return TN_OK;
}

tn_status tn_planner_form(const tn_plan *plan, const tn_module *model, tn_module **formed) {
    *formed = NULL;
    tn_arena *arena = tn_arena_new(model->ctx);
    const char *tile = model->tiled == NULL ? tn_tile_pass_of(plan, arena) : "";
    if (tile[0] == '\0' && (!tn_plan_has_groups(plan) || tn_module_has_groups(model))) {
        tn_arena_drop(arena);
        return TN_OK;
    }
    tn_request *r = tn_request_new(arena);
    tn_module *m = tn_module_clone(model);
    tn_status status = tn_planner_adopt(r, plan);
    r->controls.groups = plan;
    if (status == TN_OK) {
        status = tn_planner_text(r, m, tn_arena_printf(arena, "infer-shapes,%sfuse", tile));
    }
    if (status != TN_OK) {
        tn_module_drop(m);
        m = NULL;
    }
    *formed = m;
    tn_arena_drop(arena);
    return status;
}

tn_status tn_planner_check(tn_request *r, tn_module *module, const tn_plan *plan) {
    const tn_plan_program *program = tn_plan_program_of(plan);
    bool first = program == NULL || program->variants[0] == plan;
    if (first && check_first(r, module, plan) != TN_OK) {
        return TN_ERROR;
    }
    uint32_t warnings; /* what holds for all extents is known of a variant for some, too */
    if (!first && (check_narrower(module, plan, program->variants[0]) != TN_OK ||
                   tn_planner_infer(r, module, &warnings) != TN_OK)) {
        return TN_ERROR;
    }
    tn_open_adopt(module, plan);
    tn_module_take_out_clones(module);
    tn_module_take_groups_apart(module);
    tn_module_untile(module);
    uint32_t n_open; /* a name that no type has is none to `pin` */
    (void)tn_dims_ranges(module->dims, &n_open);
    bool open = n_open > 0;
    r->controls.groups = plan;
    tn_status status =
        tn_planner_text(r, module,
                        open ? "infer-shapes"
                             : tn_arena_printf(r->arena, "infer-shapes,%sfuse,workspace,pin",
                                               tn_tile_pass_of(plan, r->arena)));
    if (status == TN_OK) {
        tn_open_prune(module, first ? NULL : plan);
        status = open ? tn_planner_text(r, module, "fuse,workspace,pin") : TN_OK;
    }
    r->controls.groups = NULL;
    if (status == TN_OK && !tn_plan_clones_adopt(plan, module)) {
        status = TN_ERROR;
    }
    if (status == TN_OK) {
        adopt_workspaces(r->arena, module, plan);
    }
    if (status == TN_OK) {
        status = tn_tile_check(r, module);
    }
    if (status == TN_OK) {
        status = tn_plan_check(plan, module);
    }
    if (status == TN_OK) {
        status = demand_binding(r, module, plan);
    }
    return status == TN_OK ? tn_demand_places(r, plan, module->file) : status;
}
