/* Forms of a module among which the plan that needs least is looked for: with groups of ops and
 * without (lib/fuse_plan.h), with stretches of ops in parts (lib/tile/tile_plan.h). */
#include <string.h>

#include "ir/mutate.h"
#include "lib/fuse_plan.h"
#include "lib/planner_t.h"
#include "lib/tile/tile_plan.h"
#include "passes/core/registry.h"
#include "passes/fuse/group.h"

/* The item of the pipeline that makes groups of tenure's own; NULL: none does. */
static tn_pipeline_item *find_fuse(const tn_pipeline *p) {
    const tn_pass_info *pass = tn_pass_find(NULL, "fuse");
    for (uint32_t i = 0; i < p->len; i++) {
        if (p->items[i].pass == pass && strcmp(p->items[i].values[0], "none") != 0) {
            return &p->items[i];
        }
    }
    return NULL;
}

/* The pipeline, in which no group is made. */
static tn_pipeline without_groups(tn_arena *arena, const tn_pipeline *p) {
    tn_pipeline out = *p;
    out.items = tn_arena_regrow(arena, p->items, p->len, p->len, sizeof *p->items);
    for (tn_pipeline_item *item; (item = find_fuse(&out)) != NULL;) {
        *item = tn_pipeline_default(arena, item->pass);
    }
    return out;
}

typedef struct making_again {
    tn_making *w;
    tn_module *m;
    tn_plan **plan;
    const tn_run_settings *settings;
    bool repeats;
} making_again;

static tn_status make_once(tn_ctx *ctx, void *arg) {
    const making_again *a = arg;
    (void)ctx;
    if (a->repeats) { /* what there is to say of the module was said */
        tn_module_take_out_clones(a->m);
        tn_module_take_groups_apart(a->m);
    } else {
        tn_making_begin(a->w, a->m);
    }
    return tn_making_run(a->w, a->m, a->settings, a->plan);
}

static tn_status make_fused(void *user, tn_module *m, tn_fuse_form form, tn_plan **plan) {
    tn_making w = *(tn_making *)user;
    tn_ctx *ctx = m->ctx;
    tn_pipeline other = form.groups ? *w.pipeline : without_groups(w.arena, w.pipeline);
    tn_run_settings silent = tn_run_settings_default();
    silent.brief = form.figures;
    if (!form.figures &&
        w.settings != NULL) { /* what is said of the plan is of the one that stays */
        silent.refusals = w.settings->refusals;
        silent.orders = w.settings->orders;
    }
    if (silent.refusals != NULL && form.again) {
        silent.refusals->list.len = 0;
    }
    making_again a = {&w, m, plan, form.again ? &silent : w.settings, form.again};
    w.pipeline = &other;
    w.apart = form.apart;
    w.fuse_memory = form.memory;
    if (!form.again) {
        tn_status status = make_once(ctx, &a);
        ((tn_making *)user)->before = w.before;
        return status;
    }
    uint32_t warnings;
    return tn_planner_silently(ctx, make_once, &a, &warnings);
}

/* By --overlap, or by the order in which kernels' facts say that a kernel works. */
static bool overlaps(const tn_making *w, const tn_module *m) {
    const tn_pass_info *reuse = tn_pass_find(NULL, "reuse");
    bool any = m->op_set != NULL && m->op_set->n_facts > 0;
    for (uint32_t i = 0; i < w->pipeline->len && !any; i++) {
        for (uint32_t k = 0;
             w->pipeline->items[i].pass == reuse && k < tn_opt_count(reuse->options); k++) {
            any = any || (strcmp(reuse->options[k].name, "overlap") == 0 &&
                          strcmp(w->pipeline->items[i].values[k], "none") != 0);
        }
    }
    return any;
}

typedef struct trying {
    tn_making *w;
    tn_module *m;
    const tn_pipeline *pipeline;
    tn_plan *plan;
    bool quick; /* searches look at fewer forms */
} trying;

static tn_status try_once(tn_ctx *ctx, void *arg) {
    trying *t = arg;
    tn_making w = *t->w;
    tn_run_settings silent = tn_run_settings_default();
    (void)ctx;
    silent.brief = true;
    w.brief = t->quick;
    w.pipeline = t->pipeline;
    return tn_making_run(&w, t->m, &silent, &t->plan);
}

static uint64_t try_stretches(void *user, tn_module *m, const char *stretches, bool quick) {
    tn_making *w = user;
    tn_pipeline p = tn_tile_pipeline(w->arena, w->pipeline, stretches, quick);
    trying t = {w, m, &p, NULL, quick};
    uint32_t warnings;
    tn_status status = tn_planner_silently(m->ctx, try_once, &t, &warnings);
    bool made = t.plan != NULL && (status == TN_OK || status == TN_NOFIT);
    uint64_t bytes = made ? tn_plan_arena_bytes(t.plan) : UINT64_MAX;
    tn_plan_drop(t.plan);
    return bytes;
}

/* The module as the pass `tile` will find it. */
static tn_status run_before(tn_ctx *ctx, void *arg) {
    trying *t = arg;
    tn_run_settings silent = tn_run_settings_default();
    tn_pipeline before = *t->w->pipeline;
    (void)ctx;
    before.len = (uint32_t)(tn_tile_item(t->w->pipeline) - t->w->pipeline->items);
    tn_making w = *t->w;
    w.pipeline = &before;
    return tn_making_run(&w, t->m, &silent, &t->plan);
}

static bool makes_clones(const tn_pipeline *p) {
    const tn_pass_info *recompute = tn_pass_find(NULL, "recompute");
    bool any = false;
    for (uint32_t i = 0; i < p->len; i++) {
        any = any || p->items[i].pass == recompute;
    }
    return any;
}

/* Whether there is nothing that takes longer than a quick plan. */
static bool plans_quickly(const tn_making *w) {
    tn_sink quick = tn_sink_make(w->arena), full = tn_sink_make(w->arena);
    tn_pipeline p = tn_tile_pipeline(w->arena, w->pipeline, "", true);
    tn_pipeline_print(&p, &quick);
    tn_pipeline_print(w->pipeline, &full);
    return !makes_clones(&p) && strcmp(quick.data, full.data) == 0;
}

/* Looks for stretches that are worth it; *pipeline names them then. */
static tn_status find_stretches(tn_making *w, const tn_module *module, tn_pipeline *pipeline) {
    const tn_pipeline_item *item = tn_tile_item(w->pipeline);
    tn_module *m = tn_module_clone(module);
    trying t = {w, m, NULL, NULL, true};
    uint32_t warnings;
    const tn_tile_wish wish = {item->values[1], item->values[2], w->r->controls.io_in_arena};
    const char *stretches = "";
    const tn_tile_maker maker = {try_stretches, w, plans_quickly(w)};
    tn_status status = tn_planner_silently(m->ctx, run_before, &t, &warnings);
    status = status != TN_OK ? TN_OK /* the run says why */
                             : tn_tile_plan(m, w->arena, &wish, maker, &stretches);
    tn_plan_drop(t.plan);
    tn_module_drop(m);
    *pipeline = tn_tile_pipeline(w->arena, w->pipeline, stretches, false);
    return status;
}

/* Whether passes before `fuse` add to the module: then a plan of it cannot be taken back. */
static bool grows(const tn_making *w) {
    const tn_pass_info *infer = tn_pass_find(NULL, "infer-shapes");
    bool any = false;
    for (const tn_pipeline_item *i = w->pipeline->items; i < find_fuse(w->pipeline); i++) {
        any = any || i->pass != infer;
    }
    return any;
}

tn_status tn_plan_forms(tn_making *w, tn_module *module, tn_plan **plan) {
    tn_status status = TN_OK;
    if (tn_tile_item(w->pipeline) != NULL) {
        tn_pipeline *tiled = TN_NEW(w->arena, tn_pipeline);
        status = find_stretches(w, module, tiled);
        w->pipeline = tiled;
    }
    if (status != TN_OK) {
        return status;
    }
    if (find_fuse(w->pipeline) != NULL) {
        const tn_fuse_maker maker = {make_fused, w, grows(w), overlaps(w, module),
                                     makes_clones(w->pipeline)};
        status = tn_fuse_plan(module, maker, plan);
    } else {
        tn_making_begin(w, module);
        status = tn_making_run(w, module, w->settings, plan);
    }
    tn_status checked = *plan != NULL ? tn_making_finish(w, module, plan) : TN_OK;
    return checked != TN_OK ? checked : status;
}
