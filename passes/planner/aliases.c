/* Sets of edges come from the search (passes/planner/alias_search.h), the one with the lowest load
 * first, and are laid out until no set left can be lower: mostly the first arena is as small as its
 * load and no other is made. With more effort single edges follow: those that hold a storage over
 * the peak are tried without, those dropped come back in groups, halved until what makes the arena
 * larger is found. Every step is undone unless the layout gets lower, or, for edges that come back,
 * stays as low. The order of edges is that of their values, so equal modules give equal choices. */
#include "passes/planner/aliases.h"

#include "ir/mutate.h"
#include "passes/planner/alias_search.h"

/* Values that may be laid out again, all layouts together, while sets are compared and for each of
 * the two hunts for single edges; beyond that the sets that drop whole kinds of edges are laid out
 * still, none of the single steps. */
enum { SET_WORK = 10000, EDGE_WORK = 20000 };

typedef tn_alias_edge edge;
typedef TN_VEC(edge) edges;

typedef struct choosing {
    tn_pass_ctx *c;
    tn_module *m;
    tn_layout_ask ask;
    tn_layout layout;
    tn_arena *kept;     /* what `layout` lies in */
    tn_alias_edges all; /* that are a choice, as found */
    const bool *none;   /* the set without any of them */
    tn_load *load;      /* for those; NULL when there are none */
    int64_t empty_peak; /* bytes alive at once without any of them */
    edges dropped;
    uint64_t work; /* values that may still be laid out */
} choosing;

static unsigned kind_of(tn_module *m, const tn_value *v) {
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

static edge cut(tn_value *v) {
    edge e = {v, v->alias_of, v->alias_kind, v->alias_offset};
    tn_value_set_alias(v, TN_ALIAS_NONE, NULL, 0);
    return e;
}

static void mend(const edge *e, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        tn_value_set_alias(e[i].v, e[i].kind, e[i].of, e[i].offset);
    }
}

/* Whether more than `limit` bytes are alive at once in the module as it is. */
static bool is_over(choosing *w, uint64_t limit) {
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
static tn_status try(choosing *w, uint64_t limit, bool *taken) {
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

static void note_dropped(choosing *w, const edge *e) {
    tn_vec_push(w->c->scratch, &w->dropped, *e);
}

static tn_alias_edges find_edges(choosing *w) {
    edges found = {0};
    TN_VEC(uint8_t) kinds = {0};
    for (uint32_t i = 0; i < w->m->n_values; i++) {
        tn_value *v = w->m->values[i];
        unsigned kind = kind_of(w->m, v);
        if (kind != 0) {
            tn_vec_push(w->c->scratch, &found,
                        (edge){v, v->alias_of, v->alias_kind, v->alias_offset});
            tn_vec_push(w->c->scratch, &kinds, (uint8_t)kind);
        }
    }
    return (tn_alias_edges){found.data, kinds.data, found.len};
}

/* The module has these edges and no others afterwards. */
static void put(tn_alias_edges all, const bool *keep) {
    for (uint32_t i = 0; i < all.n; i++) {
        const edge *e = &all.at[i];
        if (keep[i] != (e->v->alias_of != NULL)) {
            tn_value_set_alias(e->v, keep[i] ? e->kind : TN_ALIAS_NONE, keep[i] ? e->of : NULL,
                               keep[i] ? e->offset : 0);
        }
    }
}

/* Lays out sets, `*best` aside, which is laid out. They come with the lowest load first, and no
 * layout is lower than its load: so the first set that could not be lower ends it. The empty set is
 * looked at whatever the budget, which is the promise that aliases never cost bytes. */
static tn_status try_sets(choosing *w, tn_alias_picks picks, tn_alias_pick *best) {
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
        status = try(w, w->layout.size - 1, &taken);
        *best = taken ? *p : *best;
    }
    return status;
}

static tn_status choose_set(choosing *w) {
    tn_arena *scratch = w->c->scratch;
    const tn_liveness *live = tn_get_liveness(w->c->analyses);
    bool taken;
    w->all = find_edges(w);
    w->load = w->all.n > 0 ? tn_load_new(w->m, live, &w->ask, scratch) : NULL;
    if (w->load == NULL) {
        return try(w, UINT64_MAX, &taken);
    }
    w->none = TN_ARRAY(scratch, bool, w->all.n);
    w->empty_peak = tn_load_peak(w->load);
    tn_alias_picks picks = tn_alias_search(w->load, live, w->all, false, scratch);
    tn_alias_pick best = picks.at[0];
    put(w->all, best.keep);
    tn_status status = try(w, UINT64_MAX, &taken);
    if (picks.n == 1 && status == TN_OK && w->layout.size > (uint64_t)best.peak) {
        picks = tn_alias_search(w->load, live, w->all, true, scratch);
    }
    if (status == TN_OK) {
        status = try_sets(w, picks, &best);
    }
    put(w->all, best.keep);
    for (uint32_t i = 0; i < w->all.n; i++) {
        if (!best.keep[i]) {
            note_dropped(w, &w->all.at[i]);
        }
    }
    return status;
}

/* Brings dropped edges back, not all of them, which was tried: all of a group, or, where that makes
 * the arena larger, its halves. */
static tn_status bring_back(choosing *w) {
    typedef struct range {
        uint32_t from, to;
    } range;
    TN_VEC(range) open = {0};
    edges all = w->dropped;
    uint32_t half = all.len / 2;
    if (half == 0) {
        return TN_OK;
    }
    w->dropped = (edges){0};
    bool *back = TN_ARRAY(w->c->scratch, bool, all.len);
    tn_status status = TN_OK;
    tn_vec_push(w->c->scratch, &open, (range){half, all.len});
    tn_vec_push(w->c->scratch, &open, (range){0, half});
    while (open.len > 0 && status == TN_OK && w->work > 0) {
        range r = open.data[--open.len];
        bool as_low;
        mend(all.data + r.from, r.to - r.from);
        status = try(w, w->layout.size, &as_low);
        for (uint32_t i = r.from; i < r.to; i++) {
            back[i] = as_low;
            if (!as_low) {
                cut(all.data[i].v);
            }
        }
        uint32_t mid = r.from + (r.to - r.from) / 2;
        if (!as_low && mid > r.from) {
            tn_vec_push(w->c->scratch, &open, (range){mid, r.to});
            tn_vec_push(w->c->scratch, &open, (range){r.from, mid});
        }
    }
    for (uint32_t i = 0; i < all.len; i++) {
        if (!back[i]) {
            note_dropped(w, &all.data[i]);
        }
    }
    return status;
}

/* Whether a class lies in the arena at step `at` though its members alive there need less of it. */
static bool is_stretched(const tn_class *c, const tn_liveness *live, const uint64_t *bytes,
                         int64_t at) {
    uint64_t needed = 0;
    if (c->n_members < 2 || c->pinned || c->first > at || c->last < at) {
        return false;
    }
    for (uint32_t i = 0; i < c->n_members; i++) {
        const tn_live *l = &live->of[c->members[i]];
        needed += l->first <= at && l->last >= at ? bytes[c->members[i]] : 0;
    }
    return needed < c->size;
}

/* An edge of a class that is stretched over the peak and was not tried yet, or NULL. */
static tn_value *find_stretching(const choosing *w, const bool *tried) {
    const tn_storages *s = tn_get_storages(w->c->analyses);
    const tn_liveness *live = tn_get_liveness(w->c->analyses);
    for (uint32_t i = 0; i < s->n; i++) {
        const tn_class *c = &s->classes[i];
        if (!is_stretched(c, live, s->bytes, w->layout.peak_step)) {
            continue;
        }
        for (uint32_t k = 0; k < c->n_members; k++) {
            tn_value *v = w->m->values[c->members[k]];
            if (!tried[v->id] && kind_of(w->m, v) != 0) {
                return v;
            }
        }
    }
    return NULL;
}

static tn_status cut_at_peak(choosing *w) {
    bool *tried = TN_ARRAY(w->c->scratch, bool, w->m->n_values);
    tn_status status = TN_OK;
    while (status == TN_OK && w->work > 0 && w->layout.size > 0) {
        tn_value *v = find_stretching(w, tried);
        bool lower;
        if (v == NULL) {
            break;
        }
        tried[v->id] = true;
        edge e = cut(v);
        status = try(w, w->layout.size - 1, &lower);
        if (lower) {
            note_dropped(w, &e);
        } else {
            mend(&e, 1);
        }
    }
    return status;
}

/* What the gradients that share save among objects of one type and size. */
static tn_status measure_sharing(choosing *w, uint64_t *saved) {
    edges shares = {0};
    uint64_t without = w->layout.level0;
    for (uint32_t i = 0; i < w->m->n_values; i++) {
        if (w->m->values[i]->alias_kind == TN_ALIAS_SHARE) {
            tn_vec_push(w->c->scratch, &shares, cut(w->m->values[i]));
        }
    }
    tn_status status = TN_OK;
    if (shares.len > 0) {
        status = tn_level0_bytes(w->m, tn_get_storages(w->c->analyses),
                                 tn_get_liveness(w->c->analyses)->steps->n, &w->ask, w->c->scratch,
                                 &without);
    }
    *saved = without > w->layout.level0 ? without - w->layout.level0 : 0;
    mend(shares.data, shares.len);
    return status;
}

static tn_status choose_edges(choosing *w) {
    w->work = EDGE_WORK;
    tn_status status = cut_at_peak(w);
    w->work = EDGE_WORK;
    return status == TN_OK ? bring_back(w) : status;
}

/* An edge may stand on either value; the op is the one that makes the later of the two. */
static void tell_dropped(choosing *w) {
    const tn_liveness *live = tn_get_liveness(w->c->analyses);
    for (uint32_t i = 0; i < w->dropped.len; i++) {
        const edge *e = &w->dropped.data[i];
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
static tn_status search_layout(choosing *w) {
    bool taken;
    tn_status status = try(w, UINT64_MAX, &taken);
    bool *keep = TN_ARRAY(w->c->scratch, bool, w->all.n);
    if (status != TN_OK || w->load == NULL || (uint64_t)w->empty_peak >= w->layout.size) {
        return status;
    }
    for (uint32_t i = 0; i < w->all.n; i++) {
        keep[i] = w->all.at[i].v->alias_of != NULL;
    }
    put(w->all, w->none);
    status = try(w, w->layout.size - 1, &taken);
    for (uint32_t i = 0; i < w->all.n && taken; i++) {
        if (keep[i]) {
            note_dropped(w, &w->all.at[i]);
        }
    }
    put(w->all, taken ? w->none : keep);
    return status;
}

tn_status tn_choose_aliases(tn_pass_ctx *c, const tn_layout_ask *ask, tn_alias_choice *out) {
    choosing w = {.c = c, .m = c->module, .ask = *ask, .work = SET_WORK};
    uint64_t saved = 0;
    w.ask.effort = ask->effort > 1 ? 1 : ask->effort; /* a search is worth its time only at last */
    tn_status status = choose_set(&w);
    if (status == TN_OK && ask->effort > 1) {
        status = choose_edges(&w);
    }
    w.ask.effort = ask->effort;
    if (status == TN_OK && ask->effort > 1) {
        status = search_layout(&w);
    }
    if (status == TN_OK) {
        status = measure_sharing(&w, &saved);
    }
    tell_dropped(&w);
    *out = (tn_alias_choice){w.layout, w.kept, saved};
    return status;
}
