/* The plan: lays every alias class out and writes down who lies where from when to when.
 *
 * Aliases lengthen live ranges, so they are not always a gain. Before the plan is made the layout
 * is tried without those that are no duty, kind by kind, and the kinds that make the arena larger
 * are dropped. */
#include <stdlib.h>
#include <string.h>

#include "ir/mutate.h"
#include "passes/core/model_controls.h"
#include "passes/core/pass.h"
#include "passes/planner/build.h"

enum { OPT_LEVEL, OPT_MEMORY, OPT_EFFORT, OPT_ALGO };
static const tn_opt options[] = {
    [OPT_LEVEL] = {"level", TN_OPT_ENUM, "1", "none|0|1",
                   "no reuse; same element type and shape; or as much as possible"},
    [OPT_MEMORY] = {"memory", TN_OPT_ENUM, "offsets", "offsets|slots",
                    "offsets in one arena, or shared objects"},
    [OPT_EFFORT] = {"effort", TN_OPT_INT, "1", NULL,
                    "0 one fit, 1 fast fits, 2 and search, 3 long search"},
    [OPT_ALGO] = {"algo", TN_OPT_TEXT, "", NULL,
                  "one packing algorithm instead of the best of all"},
    {0}};

enum { STAT_STORAGES, STAT_BYTES };
static const tn_stat stats[] = {[STAT_STORAGES] = {"storages", "storages placed, all pools"},
                                [STAT_BYTES] = {"arena-bytes", "size of the arena"},
                                {0}};

/* Kinds of alias that may be given up, in the order they are tried: the most doubtful first. */
enum { DROP_SHARES = 1, DROP_PARTS = 2, DROP_INPLACE = 4, DROP_VIEWS = 8 };
static const unsigned attempts[] = {DROP_SHARES, DROP_PARTS, DROP_SHARES | DROP_PARTS,
                                    DROP_SHARES | DROP_PARTS | DROP_INPLACE,
                                    DROP_SHARES | DROP_PARTS | DROP_INPLACE | DROP_VIEWS};

typedef struct dropped_edge {
    tn_value *v, *of;
    tn_alias_kind kind;
    int64_t offset;
} dropped_edge;

typedef struct planning {
    tn_pass_ctx *c;
    tn_controls want;
    tn_layout_ask ask;
    tn_layout layout;
    uint64_t saved_by_sharing;
} planning;

static unsigned kind_of(tn_module *m, const tn_value *v) {
    switch (v->alias_kind) {
    case TN_ALIAS_SHARE:
        return DROP_SHARES;
    case TN_ALIAS_INPLACE:
        return DROP_INPLACE;
    case TN_ALIAS_VIEW:
        return tn_value_bytes(m, v) == tn_value_bytes(m, v->alias_of) ? DROP_VIEWS : DROP_PARTS;
    case TN_ALIAS_NONE:
    case TN_ALIAS_UPDATE:
        break;
    }
    return 0;
}

static unsigned kinds_present(tn_module *m) {
    unsigned kinds = 0;
    for (uint32_t i = 0; i < m->n_values; i++) {
        kinds |= kind_of(m, m->values[i]);
    }
    return kinds;
}

static uint32_t drop(planning *p, unsigned kinds, dropped_edge *edges) {
    tn_module *m = p->c->module;
    uint32_t n = 0;
    for (uint32_t i = 0; i < m->n_values; i++) {
        tn_value *v = m->values[i];
        if (kind_of(m, v) & kinds) {
            edges[n++] = (dropped_edge){v, v->alias_of, v->alias_kind, v->alias_offset};
            tn_value_set_alias(v, TN_ALIAS_NONE, NULL, 0);
        }
    }
    return n;
}

static void put_back(const dropped_edge *edges, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        tn_value_set_alias(edges[i].v, edges[i].kind, edges[i].of, edges[i].offset);
    }
}

/* An edge may stand on either value; the op is the one that makes the later of the two. */
static void tell_dropped(planning *p, const dropped_edge *edges, uint32_t n) {
    const tn_liveness *live = tn_get_liveness(p->c->analyses);
    for (uint32_t i = 0; i < n; i++) {
        const dropped_edge *e = &edges[i];
        bool is_later = live->of[e->v->id].first >= live->of[e->of->id].first;
        const tn_value *later = is_later ? e->v : e->of, *earlier = is_later ? e->of : e->v;
        bool gathered = e->kind == TN_ALIAS_VIEW &&
                        tn_value_bytes(p->c->module, earlier) < tn_value_bytes(p->c->module, later);
        tn_refuse(p->c, (tn_refusal){.op = later->def,
                                     .value = gathered ? earlier : later,
                                     .of = gathered ? later : earlier,
                                     .kind = e->kind,
                                     .reason = TN_REASON_GROW});
    }
}

static tn_status lay_out(planning *p, tn_layout *out) {
    return tn_layout_make(p->c->module, tn_get_storages(p->c->analyses),
                          tn_get_liveness(p->c->analyses)->steps->n, &p->ask, p->c->scratch, out);
}

/* Tries the layout without `kinds`; keeps it when the arena gets smaller. */
static tn_status try_without(planning *p, unsigned kinds) {
    dropped_edge *edges = tn_arena_array(p->c->scratch, p->c->module->n_values, sizeof *edges);
    uint32_t n = drop(p, kinds, edges);
    tn_layout other;
    tn_status status = lay_out(p, &other);
    if (status != TN_OK) {
        return status;
    }
    if (kinds == DROP_SHARES && other.level0 > p->layout.level0) {
        p->saved_by_sharing = other.level0 - p->layout.level0;
    }
    if (other.size < p->layout.size) {
        p->layout = other;
        tell_dropped(p, edges, n);
        p->saved_by_sharing = kinds & DROP_SHARES ? 0 : p->saved_by_sharing;
    } else {
        put_back(edges, n);
    }
    return TN_OK;
}

/* Aliases of equal size never raise what is live at once; so as long as the arena meets the bound
 * of the plan without any alias there is nothing to gain, and most plans need one layout only. */
static tn_status choose_aliases(planning *p) {
    tn_module *m = p->c->module;
    unsigned present = kinds_present(m), tried = 0;
    uint32_t effort = p->ask.effort;
    p->ask.effort =
        effort > 1 ? 1 : effort; /* a search is worth its time only for the choice made */
    tn_status status = lay_out(p, &p->layout);
    for (size_t i = 0; i < sizeof attempts / sizeof attempts[0] && status == TN_OK; i++) {
        unsigned kinds = attempts[i] & kinds_present(m);
        bool measure = kinds == DROP_SHARES && attempts[i] == DROP_SHARES;
        bool doubtful =
            (present & (DROP_SHARES | DROP_PARTS)) != 0 || p->layout.size > p->layout.bound;
        if (kinds != 0 && kinds != tried && (measure || doubtful)) {
            tried = kinds;
            status = try_without(p, kinds);
        }
    }
    p->ask.effort = effort;
    return status == TN_OK && effort > 1 ? lay_out(p, &p->layout) : status;
}

static tn_status refuse_capacity(planning *p, const tn_plan *plan) {
    const tn_pool *arena = &plan->pools[0];
    const tn_plan_report *r = &plan->report;
    const tn_plan_step *s = r->peak_step >= 0 ? &plan->steps[r->peak_step] : NULL;
    tn_loc loc = tn_loc_file(p->c->module->file);
    tn_error(p->c->ctx, &loc, "the arena needs %llu bytes, %llu more than the capacity of %llu%s",
             (unsigned long long)arena->size, (unsigned long long)(arena->size - arena->capacity),
             (unsigned long long)arena->capacity,
             arena->bound > arena->capacity ? "; no layout fits in this order" : "");
    if (s != NULL) {
        tn_note(p->c->ctx, &loc, "most is alive at step %d (%s '%s'):", (int)r->peak_step, s->op,
                s->name);
    }
    for (uint32_t i = 0; i < r->peak.len && i < 10; i++) {
        const tn_storage *st = &plan->storages[r->peak.data[i]];
        tn_note(p->c->ctx, &loc, "  '%s' (%llu bytes)", plan->values[st->root].name,
                (unsigned long long)st->size);
    }
    if (r->peak.len > 10) {
        tn_note(p->c->ctx, &loc, "  and %u more", r->peak.len - 10);
    }
    return TN_NOFIT;
}

/* What was found out about other orders before the aliases were decided. Sharing gradients is not
 * part of that, and views of parts may have been given up for good reason: then nothing is claimed.
 */
static void state_orders(const tn_order_facts *facts, tn_plan *plan) {
    tn_plan_report *r = &plan->report;
    if (r->n_shared == 0 && facts->bound <= r->bound) {
        r->order_bound = facts->bound;
    }
    if (facts->other < plan->pools[0].size && facts->other >= r->order_bound) {
        r->other_order = facts->other;
    }
}

static tn_status build(planning *p) {
    tn_pass_ctx *c = p->c;
    tn_plan *plan = tn_plan_new(c->ctx);
    tn_build b = {.ctx = c->ctx,
                  .m = c->module,
                  .scratch = c->scratch,
                  .want = p->want,
                  .live = tn_get_liveness(c->analyses),
                  .classes = tn_get_storages(c->analyses),
                  .layout = &p->layout,
                  .p = plan};
    plan->model = tn_arena_strndup(plan->arena, c->module->name, strlen(c->module->name));
    tn_build_storages(&b);
    tn_build_values(&b);
    tn_build_steps(&b);
    tn_build_hazards(&b, c->log);
    tn_build_report(&b);
    state_orders(c->order, plan);
    plan->report.saved_by_sharing = p->saved_by_sharing;
    c->stats[STAT_STORAGES] = plan->n_storages;
    c->stats[STAT_BYTES] = plan->pools[0].size;
    if (p->want.capacity != 0 && plan->pools[0].size > p->want.capacity) {
        tn_status status = refuse_capacity(p, plan);
        tn_plan_drop(plan);
        return status;
    }
    tn_plan_drop(*c->plan);
    *c->plan = plan;
    return TN_OK;
}

static tn_status run(tn_pass_ctx *c) {
    planning p = {.c = c};
    const char *algo = tn_pass_text(c, OPT_ALGO);
    int64_t effort = tn_pass_int(c, OPT_EFFORT);
    tn_status status = tn_controls_complete(c->controls, c->module, c->scratch, &p.want);
    if (effort < 0 || effort > 3) {
        return tn_error(c->ctx, NULL, "reuse: effort %lld is not in 0..3", (long long)effort),
               TN_USAGE;
    }
    p.ask = (tn_layout_ask){.level = tn_pass_is(c, OPT_LEVEL, "none") ? TN_LEVEL_NONE
                                     : tn_pass_is(c, OPT_LEVEL, "0")  ? TN_LEVEL_0
                                                                      : TN_LEVEL_1,
                            .slots = tn_pass_is(c, OPT_MEMORY, "slots"),
                            .effort = (uint32_t)effort,
                            .algorithm = algo[0] != '\0' ? algo : NULL,
                            .align = p.want.align,
                            .io_in_arena = p.want.io_in_arena};
    if (status == TN_OK) {
        status = choose_aliases(&p);
    }
    return status == TN_OK ? build(&p) : status;
}

const tn_pass_info tn_pass_reuse = {
    .name = "reuse",
    .summary = "makes the plan: which bytes each value has, from which step to which",
    .needs = TN_PROP_TYPES | TN_PROP_ORDERED | TN_PROP_PINS,
    .sets = TN_PROP_PLANNED,
    .options = options,
    .stats = stats,
    .refusals = TN_REASON_BIT(GROW),
    .required = true,
    .run = run,
};
