/* Single edges: those that hold a storage over the peak are tried without; those dropped come back
 * in groups, halved until what makes the arena larger is found. Every step is undone unless the
 * layout gets lower, or, for edges that come back, stays as low. */
#include "ir/mutate.h"
#include "passes/planner/alias_choice.h"

/* Values that may be laid out again in each of the two hunts. */
enum { EDGE_WORK = 20000 };

/* Brings dropped edges back, not all of them, which was tried: all of a group, or, where that makes
 * the arena larger, its halves. */
static tn_status bring_back(tn_choosing *w) {
    typedef struct range {
        uint32_t from, to;
    } range;
    TN_VEC(range) open = {0};
    tn_edges all = w->dropped;
    uint32_t half = all.len / 2;
    if (half == 0) {
        return TN_OK;
    }
    w->dropped = (tn_edges){0};
    bool *back = TN_ARRAY(w->c->scratch, bool, all.len);
    tn_status status = TN_OK;
    tn_vec_push(w->c->scratch, &open, (range){half, all.len});
    tn_vec_push(w->c->scratch, &open, (range){0, half});
    while (open.len > 0 && status == TN_OK && w->work > 0) {
        range r = open.data[--open.len];
        bool as_low;
        tn_alias_mend(all.data + r.from, r.to - r.from);
        status = tn_alias_try(w, w->layout.size, &as_low);
        for (uint32_t i = r.from; i < r.to; i++) {
            back[i] = as_low;
            if (!as_low) {
                tn_alias_cut(all.data[i].v);
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
            tn_alias_note_dropped(w, &all.data[i]);
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
static tn_value *find_stretching(const tn_choosing *w, const bool *tried) {
    const tn_storages *s = tn_get_storages(w->c->analyses);
    const tn_liveness *live = tn_get_liveness(w->c->analyses);
    for (uint32_t i = 0; i < s->n; i++) {
        const tn_class *c = &s->classes[i];
        if (!is_stretched(c, live, s->bytes, w->layout.peak_step)) {
            continue;
        }
        for (uint32_t k = 0; k < c->n_members; k++) {
            tn_value *v = w->m->values[c->members[k]];
            if (!tried[v->id] && tn_alias_kind_of(w->m, v) != 0) {
                return v;
            }
        }
    }
    return NULL;
}

static tn_status cut_at_peak(tn_choosing *w) {
    bool *tried = TN_ARRAY(w->c->scratch, bool, w->m->n_values);
    tn_status status = TN_OK;
    while (status == TN_OK && w->work > 0 && w->layout.size > 0) {
        tn_value *v = find_stretching(w, tried);
        bool lower;
        if (v == NULL) {
            break;
        }
        tried[v->id] = true;
        tn_alias_edge e = tn_alias_cut(v);
        status = tn_alias_try(w, w->layout.size - 1, &lower);
        if (lower) {
            tn_alias_note_dropped(w, &e);
        } else {
            tn_alias_mend(&e, 1);
        }
    }
    return status;
}

tn_status tn_alias_hunt(tn_choosing *w) {
    w->work = EDGE_WORK;
    tn_status status = cut_at_peak(w);
    w->work = EDGE_WORK;
    return status == TN_OK ? bring_back(w) : status;
}
