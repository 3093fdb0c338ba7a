/* Sets of edges come from the search (passes/planner/alias_search.h), the one with the lowest load
 * first, and are laid out until no set left can be lower: mostly the first arena is as small as its
 * load and no other is made. A part of a tensor that is a view may have stood in the way of a
 * result in place: so the sets without such parts are looked at once more, after asking what else
 * is possible then. With more effort single edges follow (passes/planner/alias_hunt.c). The order
 * of edges is that of their values, so equal modules give equal choices. */
#include "ir/base/map.h"
#include "ir/mutate.h"
#include "passes/planner/alias_choice.h"

/* Values that may be laid out again, all layouts together, while sets are compared; beyond that the
 * sets that drop whole kinds of edges are laid out still. */
enum { SET_WORK = 10000 };

unsigned tn_alias_kind_of(tn_module *m, const tn_value *v) {
    switch (v->alias_kind) {
    case TN_ALIAS_SHARE:
        return TN_EDGE_SHARE;
    case TN_ALIAS_INPLACE:
        return TN_EDGE_INPLACE;
    case TN_ALIAS_VIEW:
        return tn_value_bytes(m, v) == tn_value_bytes(m, v->alias_of) ? TN_EDGE_VIEW : TN_EDGE_PART;
    case TN_ALIAS_NONE:
    case TN_ALIAS_UPDATE:
        break;
    }
    return 0;
}

tn_alias_edge tn_alias_cut(tn_value *v) {
    tn_alias_edge e = {v, v->alias_of, v->alias_kind, v->alias_offset};
    tn_value_set_alias(v, TN_ALIAS_NONE, NULL, 0);
    return e;
}

void tn_alias_mend(const tn_alias_edge *e, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        tn_value_set_alias(e[i].v, e[i].kind, e[i].of, e[i].offset);
    }
}

/* Whether more than `limit` bytes are alive at once in the module as it is. */
static bool is_over(tn_choosing *w, uint64_t limit) {
    if (w->load == NULL || limit > INT64_MAX) {
        return false;
    }
    uint64_t cost = w->m->n_values / 16 + 1; /* next to a layout, in values */
    w->work -= w->work < cost ? w->work : cost;
    uint32_t mark = tn_load_mark(w->load);
    for (uint32_t i = 0; i < w->all.n; i++) {
        if (w->all.at[i].v->alias_of != NULL) {
            tn_load_join(w->load, &w->all.at[i]);
        }
    }
    bool over = tn_load_peak(w->load) > (int64_t)limit;
    tn_load_back(w->load, mark);
    return over;
}

/* Lays out the module as it is and keeps that when it is at most `limit` bytes large. */
tn_status tn_alias_try(tn_choosing *w, uint64_t limit, bool *taken) {
    *taken = false;
    if (is_over(w, limit)) {
        return TN_OK;
    }
    tn_arena *arena = tn_arena_new(w->c->ctx);
    tn_layout other = {0};
    w->work -= w->work < w->m->n_values ? w->work : w->m->n_values;
    tn_status status =
        tn_layout_make(w->m, tn_get_storages(w->c->analyses),
                       tn_get_liveness(w->c->analyses)->steps->n, &w->ask, arena, &other);
    *taken = status == TN_OK && other.size <= limit;
    if (*taken) {
        w->layout = other;
    }
    tn_arena_drop(*taken ? w->kept : arena);
    w->kept = *taken ? arena : w->kept;
    return status;
}

void tn_alias_note_dropped(tn_choosing *w, const tn_alias_edge *e) {
    tn_vec_push(w->c->scratch, &w->dropped, *e);
}

static tn_alias_edges find_edges(tn_choosing *w) {
    tn_edges found = {0};
    TN_VEC(uint8_t) kinds = {0};
    for (uint32_t i = 0; i < w->m->n_values; i++) {
        tn_value *v = w->m->values[i];
        unsigned kind = tn_alias_kind_of(w->m, v);
        if (kind != 0) {
            tn_vec_push(w->c->scratch, &found,
                        (tn_alias_edge){v, v->alias_of, v->alias_kind, v->alias_offset});
            tn_vec_push(w->c->scratch, &kinds, (uint8_t)kind);
        }
    }
    return (tn_alias_edges){found.data, kinds.data, found.len};
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

/* Lays out sets, `*best` aside, which is laid out. They come with the lowest load first, and no
 * layout is lower than its load: so the first set that could not be lower ends it. The empty set is
 * looked at whatever the budget, which is the promise that aliases never cost bytes. */
static tn_status try_sets(tn_choosing *w, tn_alias_picks picks, tn_alias_pick *best) {
    tn_status status = TN_OK;
    for (uint32_t i = 0; i < picks.n && status == TN_OK; i++) {
        const tn_alias_pick *p = &picks.at[i];
        bool taken,
            same = p->keep == best->keep || (p->n_kept == w->all.n && best->n_kept == w->all.n);
        if ((uint64_t)p->peak >= w->layout.size) {
            break;
        }
        if (same || (picks.all && w->work == 0 && p->n_kept > 0)) {
            continue;
        }
        put(w->all, p->keep);
        status = tn_alias_try(w, w->layout.size - 1, &taken);
        *best = taken ? *p : *best;
    }
    return status;
}

tn_status tn_alias_choose_set(tn_choosing *w, uint64_t limit) {
    tn_arena *scratch = w->c->scratch;
    const tn_liveness *live = tn_get_liveness(w->c->analyses);
    bool taken;
    w->all = find_edges(w);
    w->load = w->all.n > 0 ? tn_load_new(w->m, live, &w->ask, scratch) : NULL;
    if (w->load == NULL) {
        return tn_alias_try(w, limit, &taken);
    }
    w->none = TN_ARRAY(scratch, bool, w->all.n);
    w->empty_peak = tn_load_peak(w->load);
    tn_alias_picks picks = tn_alias_search(w->load, live, w->all, false, scratch);
    tn_alias_pick best = picks.at[0];
    if ((uint64_t)best.peak > limit) {
        return TN_OK;
    }
    put(w->all, best.keep);
    tn_status status = tn_alias_try(w, UINT64_MAX, &taken);
    if (picks.n == 1 && status == TN_OK && w->layout.size > (uint64_t)best.peak) {
        picks = tn_alias_search(w->load, live, w->all, true, scratch);
    }
    if (status == TN_OK) {
        status = try_sets(w, picks, &best);
    }
    put(w->all, best.keep);
    for (uint32_t i = 0; i < w->all.n; i++) {
        if (!best.keep[i]) {
            tn_alias_note_dropped(w, &w->all.at[i]);
        }
    }
    return status;
}

/* What the gradients that share save among objects of one type and size. */
static tn_status measure_sharing(tn_choosing *w, uint64_t *saved) {
    tn_edges shares = {0};
    uint64_t without = w->layout.level0;
    for (uint32_t i = 0; i < w->m->n_values; i++) {
        if (w->m->values[i]->alias_kind == TN_ALIAS_SHARE) {
            tn_vec_push(w->c->scratch, &shares, tn_alias_cut(w->m->values[i]));
        }
    }
    tn_status status = TN_OK;
    if (shares.len > 0) {
        status = tn_level0_bytes(w->m, tn_get_storages(w->c->analyses),
                                 tn_get_liveness(w->c->analyses)->steps->n, &w->ask, w->c->scratch,
                                 &without);
    }
    *saved = without > w->layout.level0 ? without - w->layout.level0 : 0;
    tn_alias_mend(shares.data, shares.len);
    return status;
}

/* An edge may stand on either value; the op is the one that makes the later of the two. */
static void tell(tn_choosing *w, const tn_edges *edges, tn_map *told) {
    const tn_liveness *live = tn_get_liveness(w->c->analyses);
    for (uint32_t i = 0; i < edges->len; i++) {
        const tn_alias_edge *e = &edges->data[i];
        uint64_t pair = (uint64_t)e->v->id << 32 | e->of->id;
        bool came_back = e->v->alias_of == e->of || e->of->alias_of == e->v;
        if (came_back || tn_map_or(told, pair, 0) != 0) {
            continue;
        }
        tn_map_put(told, pair, 1);
        bool is_later = live->of[e->v->id].first >= live->of[e->of->id].first;
        const tn_value *later = is_later ? e->v : e->of, *earlier = is_later ? e->of : e->v;
        bool gathered =
            e->kind == TN_ALIAS_VIEW && tn_value_bytes(w->m, earlier) < tn_value_bytes(w->m, later);
        tn_refuse(w->c, (tn_refusal){.op = later->def,
                                     .value = gathered ? earlier : later,
                                     .of = gathered ? later : earlier,
                                     .kind = e->kind,
                                     .reason = TN_REASON_GROW});
    }
}

/* A search finds more in one set of edges than in another: so the promise that aliases cost nothing
 * is kept once more after it. */
static tn_status search_layout(tn_choosing *w) {
    bool taken;
    tn_status status = tn_alias_try(w, UINT64_MAX, &taken);
    bool *keep = TN_ARRAY(w->c->scratch, bool, w->all.n);
    if (status != TN_OK || w->load == NULL || (uint64_t)w->empty_peak >= w->layout.size) {
        return status;
    }
    for (uint32_t i = 0; i < w->all.n; i++) {
        keep[i] = w->all.at[i].v->alias_of != NULL;
    }
    put(w->all, w->none);
    status = tn_alias_try(w, w->layout.size - 1, &taken);
    for (uint32_t i = 0; i < w->all.n && taken; i++) {
        if (keep[i]) {
            tn_alias_note_dropped(w, &w->all.at[i]);
        }
    }
    put(w->all, taken ? w->none : keep);
    return status;
}

tn_status tn_choose_aliases(tn_pass_ctx *c, const tn_layout_ask *ask, tn_offer again,
                            tn_alias_choice *out) {
    tn_choosing w = {.c = c, .m = c->module, .ask = *ask, .work = SET_WORK};
    tn_map told = tn_map_make(c->scratch);
    uint64_t saved = 0;
    w.ask.effort = ask->effort > 1 ? 1 : ask->effort; /* a search is worth its time only at last */
    tn_status status = tn_alias_choose_set(&w, UINT64_MAX);
    if (status == TN_OK) {
        status = tn_alias_look_again(&w, again);
    }
    if (status == TN_OK && ask->effort > 1) {
        status = tn_alias_hunt(&w);
    }
    w.ask.effort = ask->effort;
    if (status == TN_OK && ask->effort > 1) {
        status = search_layout(&w);
    }
    if (status == TN_OK) {
        status = measure_sharing(&w, &saved);
    }
    tell(&w, &w.gone, &told);
    tell(&w, &w.dropped, &told);
    *out = (tn_alias_choice){w.layout, w.kept, saved};
    return status;
}
