/* First whole kinds of aliases are dropped and the layout made again; then, with more effort and
 * on graphs that are not too large, single edges: those dropped with their kind come back in
 * groups, halved until what makes the arena larger is found, and those that keep a storage alive
 * over the peak are tried without. Every step is undone unless the layout gets lower, or, for edges
 * that come back, stays as low. The order of edges is that of their values, so equal modules give
 * equal choices. */
#include "passes/planner/aliases.h"

#include "ir/mutate.h"

/* Kinds of alias that may be given up, in the order they are tried: the most doubtful first. */
enum { DROP_SHARES = 1, DROP_PARTS = 2, DROP_INPLACE = 4, DROP_VIEWS = 8 };
static const unsigned attempts[] = {DROP_SHARES, DROP_PARTS, DROP_SHARES | DROP_PARTS,
                                    DROP_SHARES | DROP_PARTS | DROP_INPLACE,
                                    DROP_SHARES | DROP_PARTS | DROP_INPLACE | DROP_VIEWS};

/* Single edges are tried where more than the default effort is asked for, on graphs of at most so
 * many values, until so many values have been laid out again: that is some ten layouts of the
 * largest of these graphs, some hundred of a graph of 200 values. */
enum { MAX_VALUES = 2000, MAX_WORK = 20000 };

typedef struct edge {
    tn_value *v, *of;
    tn_alias_kind kind;
    int64_t offset;
} edge;

typedef TN_VEC(edge) edges;

typedef struct choosing {
    tn_pass_ctx *c;
    tn_module *m;
    tn_layout_ask ask;
    tn_layout layout;
    tn_arena *kept; /* what `layout` lies in */
    edges dropped;
    uint64_t last_level0; /* of the layout tried last */
    uint64_t saved_by_sharing;
    uint64_t work; /* values that may still be laid out */
} choosing;

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

static edges cut_kinds(choosing *w, unsigned kinds) {
    edges out = {0};
    for (uint32_t i = 0; i < w->m->n_values; i++) {
        if (kind_of(w->m, w->m->values[i]) & kinds) {
            tn_vec_push(w->c->scratch, &out, cut(w->m->values[i]));
        }
    }
    return out;
}

static tn_status lay_out(choosing *w, tn_arena *arena, tn_layout *out) {
    w->work -= w->work < w->m->n_values ? w->work : w->m->n_values;
    return tn_layout_make(w->m, tn_get_storages(w->c->analyses),
                          tn_get_liveness(w->c->analyses)->steps->n, &w->ask, arena, out);
}

/* Lays out the module as it is and keeps that when it is at most `limit` bytes large. */
static tn_status try(choosing *w, uint64_t limit, bool *taken) {
    tn_arena *arena = tn_arena_new(w->c->ctx);
    tn_layout other = {0};
    tn_status status = lay_out(w, arena, &other);
    *taken = status == TN_OK && other.size <= limit;
    w->last_level0 = other.level0;
    if (*taken) {
        w->layout = other;
    }
    tn_arena_drop(*taken ? w->kept : arena);
    w->kept = *taken ? arena : w->kept;
    return status;
}

static void note_dropped(choosing *w, const edge *e, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        tn_vec_push(w->c->scratch, &w->dropped, e[i]);
    }
}

/* Tries the layout without `kinds`; keeps it when the arena gets smaller. */
static tn_status try_without(choosing *w, unsigned kinds) {
    edges e = cut_kinds(w, kinds);
    bool lower = false;
    uint64_t level0 = w->layout.level0;
    tn_status status = w->layout.size > 0 ? try(w, w->layout.size - 1, &lower) : TN_OK;
    if (lower) {
        note_dropped(w, e.data, e.len);
        w->saved_by_sharing = kinds & DROP_SHARES ? 0 : w->saved_by_sharing;
    } else {
        mend(e.data, e.len);
        if (kinds == DROP_SHARES && w->last_level0 > level0) {
            w->saved_by_sharing = w->last_level0 - level0;
        }
    }
    return status;
}

/* Aliases of equal size never raise what is live at once; so as long as the arena meets the bound
 * of the plan without any alias there is nothing to gain, and most plans need one layout only. */
static tn_status choose_kinds(choosing *w) {
    unsigned present = kinds_present(w->m), tried = 0;
    tn_status status = TN_OK;
    for (size_t i = 0; i < sizeof attempts / sizeof attempts[0] && status == TN_OK; i++) {
        unsigned kinds = attempts[i] & kinds_present(w->m);
        bool doubtful =
            (present & (DROP_SHARES | DROP_PARTS)) != 0 || w->layout.size > w->layout.bound;
        if (kinds != 0 && kinds != tried && doubtful) {
            tried = kinds;
            status = try_without(w, kinds);
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
            note_dropped(w, &all.data[i], 1);
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
            note_dropped(w, &e, 1);
        } else {
            mend(&e, 1);
        }
    }
    return status;
}

static tn_status measure_sharing(choosing *w) {
    edges shares = cut_kinds(w, DROP_SHARES);
    tn_arena *arena = tn_arena_new(w->c->ctx);
    tn_layout without;
    tn_status status = shares.len > 0 ? lay_out(w, arena, &without) : TN_OK;
    w->saved_by_sharing = shares.len > 0 && status == TN_OK && without.level0 > w->layout.level0
                              ? without.level0 - w->layout.level0
                              : 0;
    mend(shares.data, shares.len);
    tn_arena_drop(arena);
    return status;
}

static tn_status choose_edges(choosing *w) {
    uint32_t n_dropped = w->dropped.len;
    if (w->m->n_values > MAX_VALUES) {
        return TN_OK;
    }
    w->work = MAX_WORK;
    tn_status status = cut_at_peak(w);
    w->work = MAX_WORK;
    if (status == TN_OK) {
        status = bring_back(w);
    }
    bool changed = n_dropped != w->dropped.len;
    return status == TN_OK && changed ? measure_sharing(w) : status;
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

tn_status tn_choose_aliases(tn_pass_ctx *c, const tn_layout_ask *ask, tn_alias_choice *out) {
    choosing w = {.c = c, .m = c->module, .ask = *ask};
    bool taken;
    w.ask.effort = ask->effort > 1 ? 1 : ask->effort; /* a search is worth its time only at last */
    tn_status status = try(&w, UINT64_MAX, &taken);
    if (status == TN_OK) {
        status = choose_kinds(&w);
    }
    if (status == TN_OK && ask->effort > 1) {
        status = choose_edges(&w);
    }
    w.ask.effort = ask->effort;
    if (status == TN_OK && ask->effort > 1) {
        status = try(&w, UINT64_MAX, &taken);
    }
    tell_dropped(&w);
    *out = (tn_alias_choice){w.layout, w.kept, w.saved_by_sharing};
    return status;
}
