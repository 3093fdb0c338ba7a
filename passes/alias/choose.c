/* Sets of edges come from the search (passes/alias/edge_sets.h), the one with the lowest load
 * first, and are laid out until no set left can be lower: mostly the first arena is as small as its
 * load and no other is made. The order of edges is that of their values, so equal modules give
 * equal choices. */
#include "passes/alias/choose.h"

#include <string.h>

#include "ir/mutate.h"
#include "passes/alias/edge_sets.h"
#include "passes/analysis/handed_on.h"
#include "passes/core/measured_steps.h"

/* Values that may be laid out again, all layouts together, while sets are compared; beyond that
 * only the set without any edge is laid out. */
enum { SET_WORK = 10000 };
/* The same while edges that were dropped come back. */
enum { EDGE_WORK = 20000 };
/* Nodes that packing may search for all of those layouts; each gets half of what is left, and its
 * fits as much. A search that ends without an answer costs as much as that of the layout chosen,
 * and there are dozens: resnet18_full_training with -O3, min-peak and all in one arena takes four
 * times as long without the limit; no arena is larger, its level 0 by 0.3 %. */
enum { EDGE_NODES = 40000 };

typedef struct choosing {
    tn_pass_ctx *c;
    tn_module *m;
    const tn_liveness *live;
    tn_layout_ask ask;
    tn_layout layout;     /* the best so far */
    tn_arena *kept;       /* what `layout` lies in */
    tn_alias_edges all;   /* that are a choice, as found */
    tn_alias_edges fixed; /* views that are none */
    const bool *keep;     /* by edge: the set that `layout` is of */
    uint64_t work;        /* values that may still be laid out */
    uint64_t nodes;       /* that packing may still search while edges come back */
} choosing;

/* Without such an edge each round of a loop would copy data to the bytes of its operand. */
static bool is_fixed(const tn_handed_on *h, const tn_value *v, const tn_value *of) {
    return (h->in_round[v->id] && h->from[v->id] == of) ||
           (h->in_round[of->id] && h->from[of->id] == v);
}

/* The kind of edge on v; 0 where it is no choice, or v has none. */
static unsigned kind_of(tn_module *m, const tn_value *v) {
    bool same = v->alias_of != NULL && tn_value_bytes(m, v) == tn_value_bytes(m, v->alias_of);
    switch (v->alias_kind) {
    case TN_ALIAS_SHARE:
        return TN_EDGE_SHARE;
    case TN_ALIAS_INPLACE:
        return TN_EDGE_INPLACE | (same ? 0 : TN_EDGE_WIDTH);
    case TN_ALIAS_VIEW:
        return same ? TN_EDGE_VIEW : TN_EDGE_PART;
    case TN_ALIAS_NONE:
    case TN_ALIAS_UPDATE:
        break;
    }
    return 0;
}

/* Those that are a choice, and in *fixed views that are none. */
static tn_alias_edges find_edges(tn_module *m, const tn_handed_on *h, tn_arena *arena,
                                 tn_alias_edges *fixed) {
    uint32_t n = 0, most = 0, n_fixed = 0;
    for (uint32_t i = 0; i < m->n_values; i++) {
        most += m->values[i]->alias_kind != TN_ALIAS_NONE;
    }
    tn_alias_edge *found = TN_ARRAY(arena, tn_alias_edge, most), *none = NULL;
    uint8_t *kinds = TN_ARRAY(arena, uint8_t, most);
    for (uint32_t i = 0; i < m->n_values; i++) {
        tn_value *v = m->values[i];
        unsigned kind = kind_of(m, v);
        tn_alias_edge e = {v, v->alias_of, v->alias_kind, v->alias_offset};
        if (e.kind == TN_ALIAS_VIEW && is_fixed(h, v, e.of)) {
            none = none == NULL ? TN_ARRAY(arena, tn_alias_edge, most) : none;
            none[n_fixed++] = e;
        } else if (kind != 0) {
            found[n] = e;
            kinds[n++] = (uint8_t)kind;
        }
    }
    *fixed = (tn_alias_edges){none, NULL, n_fixed};
    return (tn_alias_edges){found, kinds, n};
}

/* The module has these edges and no others afterwards. */
static void put(tn_alias_edges all, const bool *keep) {
    for (uint32_t i = 0; i < all.n; i++) {
        const tn_alias_edge *e = &all.at[i];
        if (keep[i] != (e->v->alias_of != NULL)) {
            tn_value_set_alias(e->v, keep[i] ? e->kind : TN_ALIAS_NONE, keep[i] ? e->of : NULL,
                               keep[i] ? e->offset : 0);
        }
    }
}

/* Lays out the module with a set of edges and keeps that if it is at most `limit` bytes large. */
static tn_status try_set(choosing *w, const bool *keep, uint64_t limit) {
    tn_arena *arena = tn_arena_new(w->c->ctx);
    tn_layout other = {0};
    put(w->all, keep);
    w->work -= w->work < w->m->n_values ? w->work : w->m->n_values;
    tn_status status = tn_layout_make(w->m, tn_get_storages(w->c->analyses), w->live->steps->n,
                                      &w->ask, arena, &other);
    bool better = status == TN_OK && other.size <= limit;
    w->nodes -= other.nodes < w->nodes ? other.nodes : w->nodes;
    if (better) {
        w->layout = other;
        w->keep = keep;
    }
    tn_arena_drop(better ? w->kept : arena);
    w->kept = better ? arena : w->kept;
    return status;
}

static bool are_equal(const choosing *w, const bool *a, const bool *b) {
    return memcmp(a, b, w->all.n * sizeof *a) == 0;
}

/* Lays out sets, but the first, which is laid out. No layout is lower than its load: so the first
 * set that could not be lower ends it. The empty set is looked at whatever the budget, which is the
 * promise that aliases never cost bytes. */
static tn_status try_sets(choosing *w, tn_alias_picks picks) {
    tn_status status = TN_OK;
    for (uint32_t i = 0; i < picks.n && status == TN_OK; i++) {
        const tn_alias_pick *p = &picks.at[i];
        if ((uint64_t)p->peak >= w->layout.size) {
            break;
        }
        if (!are_equal(w, p->keep, w->keep) && (w->work > 0 || p->n_kept == 0) &&
            (p->n_kept > 0 || tn_step_is_on(TN_STEP_no_edges))) {
            status = try_set(w, p->keep, w->layout.size - 1);
        }
    }
    return status;
}

typedef struct range {
    uint32_t from, to;
} range;

/* Lays out the set kept with the dropped edges of a range as well; the answer is whether the arena
 * stayed as low, and they are kept. */
static tn_status try_range(choosing *w, const uint32_t *dropped, range r, bool *as_low) {
    bool *keep = TN_ARRAY(w->c->scratch, bool, w->all.n);
    memcpy(keep, w->keep, w->all.n * sizeof *keep);
    for (uint32_t i = r.from; i < r.to; i++) {
        keep[dropped[i]] = true;
    }
    w->ask.capacity = w->layout.size;
    w->ask.nodes = w->nodes / 2 + 1;
    tn_status status = try_set(w, keep, w->layout.size);
    w->ask.capacity = 0;
    w->ask.nodes = 0;
    *as_low = w->keep == keep;
    return status;
}

/* Edges go by sets, and with those that cost bytes some go that do not: so they come back, all of a
 * group, or, where that makes the arena larger, of its halves. All of them were tried. */
static tn_status bring_back(choosing *w) {
    uint32_t *dropped = TN_ARRAY(w->c->scratch, uint32_t, w->all.n), n = 0;
    TN_VEC(range) open = {0};
    tn_status status = TN_OK;
    for (uint32_t i = 0; i < w->all.n; i++) {
        if (!w->keep[i]) {
            dropped[n++] = i;
        }
    }
    if (n > 1) {
        tn_vec_push(w->c->scratch, &open, (range){n / 2, n});
        tn_vec_push(w->c->scratch, &open, (range){0, n / 2});
    }
    w->work = EDGE_WORK;
    w->nodes = EDGE_NODES;
    while (open.len > 0 && status == TN_OK && w->work > 0) {
        range r = open.data[--open.len];
        uint32_t mid = r.from + (r.to - r.from) / 2;
        bool as_low;
        status = try_range(w, dropped, r, &as_low);
        if (!as_low && mid > r.from) {
            tn_vec_push(w->c->scratch, &open, (range){mid, r.to});
            tn_vec_push(w->c->scratch, &open, (range){r.from, mid});
        }
    }
    return status;
}

/* Chooses with quick layouts; a search is worth its time only for the set chosen, and for none,
 * since it finds more in one set than in another. */
static tn_status choose_with(choosing *w, tn_arena *scratch) {
    const bool *none = TN_ARRAY(scratch, bool, w->all.n);
    bool *all = TN_ARRAY(scratch, bool, w->all.n);
    uint32_t effort = w->ask.effort;
    /* Where nothing but aliases shares bytes, each of them saves some, however long it lives. */
    bool compares = w->all.n > 0 && w->ask.level != TN_LEVEL_NONE;
    tn_load *load = compares ? tn_load_new(w->m, w->live, &w->ask, scratch) : NULL;
    if (load == NULL || !tn_step_is_on(TN_STEP_edge_sets)) {
        memset(all, true, w->all.n * sizeof *all);
        return try_set(w, all, UINT64_MAX);
    }
    for (uint32_t i = 0; i < w->fixed.n; i++) {
        tn_load_join(load, &w->fixed.at[i]);
    }
    int64_t empty_peak = tn_load_peak(load);
    tn_alias_picks picks = tn_alias_search(load, w->live, w->all, false, scratch);
    if ((uint64_t)picks.at[0].peak > w->c->most) {
        return TN_NOFIT;
    }
    w->ask.effort = effort > 1 ? 1 : effort;
    tn_status status = try_set(w, picks.at[0].keep, UINT64_MAX);
    if (w->c->care == TN_CARE_ALIVE) {
        return status;
    }
    if (picks.n == 1 && status == TN_OK && w->layout.size > (uint64_t)picks.at[0].peak) {
        picks = tn_alias_search(load, w->live, w->all, true, scratch);
    }
    if (status == TN_OK) {
        status = try_sets(w, picks);
    }
    if (status == TN_OK && effort > 1 && tn_step_is_on(TN_STEP_bring_back)) {
        status = bring_back(w);
    }
    w->ask.effort = effort;
    if (status == TN_OK && effort > 1) {
        status = try_set(w, w->keep, w->layout.size);
    }
    if (status == TN_OK && effort > 1 && (uint64_t)empty_peak < w->layout.size &&
        tn_step_is_on(TN_STEP_no_edges)) {
        status = try_set(w, none, w->layout.size - 1);
    }
    if (status == TN_OK) {
        put(w->all, w->keep);
    }
    return status;
}

/* The loads that sets are compared by are large, and gone when a plan is made. */
static tn_status choose(choosing *w) {
    tn_arena *scratch = tn_arena_new(w->c->ctx);
    tn_status status = choose_with(w, scratch);
    if (w->keep != NULL) {
        bool *keep = TN_ARRAY(w->c->scratch, bool, w->all.n);
        memcpy(keep, w->keep, w->all.n * sizeof *keep);
        w->keep = keep;
    }
    tn_arena_drop(scratch);
    return status;
}

/* The edges that are no shared gradients, which go. */
static tn_alias_edges drop_shares(choosing *w) {
    bool *keep = TN_ARRAY(w->c->scratch, bool, w->all.n);
    tn_alias_edge *at = TN_ARRAY(w->c->scratch, tn_alias_edge, w->all.n);
    uint8_t *kind = TN_ARRAY(w->c->scratch, uint8_t, w->all.n);
    tn_alias_edges rest = {at, kind, 0};
    for (uint32_t i = 0; i < w->all.n; i++) {
        bool shares = w->all.kind[i] == TN_EDGE_SHARE;
        keep[i] = w->keep[i] && !shares;
        if (!shares) {
            at[rest.n] = w->all.at[i];
            kind[rest.n++] = w->all.kind[i];
        }
    }
    put(w->all, keep);
    return rest;
}

/* The arena without sharing, with the aliases chosen then. */
static tn_status choose_without(const choosing *w, tn_alias_edges rest, uint32_t effort,
                                uint64_t *size) {
    choosing other = *w;
    other.ask.effort = effort;
    other.all = rest;
    other.kept = NULL;
    other.keep = NULL;
    other.work = SET_WORK;
    tn_status status = choose(&other);
    *size = other.layout.size;
    tn_arena_drop(other.kept);
    return status;
}

/* What the arena would need more if gradients did not share. Mostly it would not: that is found
 * with the aliases chosen now, or with others and quick layouts, and a long search is worth its
 * time for nothing but a figure above 0. */
static tn_status measure_sharing(choosing *w, uint64_t *saved) {
    bool any = false;
    for (uint32_t i = 0; i < w->all.n && !any; i++) {
        any = w->keep[i] && w->all.kind[i] == TN_EDGE_SHARE;
    }
    if (!any) {
        return TN_OK;
    }
    tn_alias_edges rest = drop_shares(w);
    tn_layout_ask quick = w->ask;
    quick.effort = quick.effort > 1 ? 1 : quick.effort;
    tn_layout without = {0};
    tn_status status = tn_layout_make(w->m, tn_get_storages(w->c->analyses), w->live->steps->n,
                                      &quick, w->c->scratch, &without);
    uint64_t size = without.size;
    if (status == TN_OK && size > w->layout.size) {
        status = choose_without(w, rest, quick.effort, &size);
    }
    if (status == TN_OK && size > w->layout.size && w->ask.effort > quick.effort) {
        status = choose_without(w, rest, w->ask.effort, &size);
    }
    put(w->all, w->keep);
    *saved = size > w->layout.size ? size - w->layout.size : 0;
    return status;
}

/* An edge may stand on either value; the op is the one that makes the later of the two. */
void tn_refuse_edge(tn_pass_ctx *c, const tn_liveness *live, const tn_alias_edge *e,
                    tn_reason reason) {
    bool is_later = live->of[e->v->id].first >= live->of[e->of->id].first;
    const tn_value *later = is_later ? e->v : e->of, *earlier = is_later ? e->of : e->v;
    bool gathered = e->kind == TN_ALIAS_VIEW &&
                    tn_value_bytes(c->module, earlier) < tn_value_bytes(c->module, later);
    tn_refuse(c, (tn_refusal){.op = later->def,
                              .value = gathered ? earlier : later,
                              .of = gathered ? later : earlier,
                              .kind = e->kind,
                              .reason = reason});
}

tn_status tn_choose_aliases(tn_pass_ctx *c, const tn_layout_ask *ask, tn_alias_choice *out) {
    choosing w = {.c = c,
                  .m = c->module,
                  .live = tn_get_liveness(c->analyses),
                  .ask = *ask,
                  .work = SET_WORK};
    w.all = find_edges(c->module, tn_get_handed_on(c->analyses), c->scratch, &w.fixed);
    uint64_t saved = 0;
    tn_status status = choose(&w);
    if (status == TN_OK && !c->figures) {
        status = measure_sharing(&w, &saved);
    }
    for (uint32_t i = 0; i < w.all.n && w.keep != NULL; i++) {
        if (!w.keep[i]) {
            tn_refuse_edge(c, w.live, &w.all.at[i], TN_REASON_GROW);
        }
    }
    *out = (tn_alias_choice){w.layout, w.kept, saved, w.all, w.keep};
    return status;
}

tn_status tn_choose_edges(tn_pass_ctx *c, const tn_layout_ask *ask, const tn_alias_choice *from,
                          const bool *keep, tn_alias_choice *out) {
    *out = *from;
    out->arena = tn_arena_new(c->ctx);
    out->layout = (tn_layout){0};
    out->keep = keep;
    put(from->edges, keep);
    return tn_layout_make(c->module, tn_get_storages(c->analyses),
                          tn_get_liveness(c->analyses)->steps->n, ask, out->arena, &out->layout);
}
