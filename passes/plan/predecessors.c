/* Who lay where a storage lies now. Storages of the arenas, which stand one behind the other, are
 * swept by the time they begin over a line of addresses cut at all their ends; each writes itself
 * over the segments it covers. A storage makes at most two segments more than it removes, so the
 * sweep is linear but for finding the segment an address is in, which a bit tree answers in a few
 * words. */
#include "passes/plan/predecessors.h"

#include "ir/base/bit_tree.h"
#include "ir/base/sort.h"

typedef struct sweep {
    const tn_plan *p;
    tn_arena *arena;
    uint64_t *base; /* by pool: where it begins on the line */
    uint64_t *cuts; /* ascending, distinct */
    uint32_t n_cuts;
    tn_bit_tree starts; /* cuts where a segment starts */
    uint32_t *end;      /* by start: cut where the segment ends */
    uint32_t *occupant; /* by start: storage or TN_NO_ID */
    TN_VEC(tn_predecessor) item;
    uint32_t *first, *count; /* by storage: its part of `item` */
} sweep;

static bool takes_part(const tn_plan *p, const tn_storage *s) {
    return p->pools[s->pool].kind == TN_POOL_ARENA && s->size > 0;
}

/* Sums of all pools fit: the report adds them up. */
static void line_up(sweep *w) {
    uint64_t at = 0;
    w->base = TN_ARRAY(w->arena, uint64_t, w->p->n_pools);
    for (uint32_t i = 0; i < w->p->n_pools; i++) {
        w->base[i] = at;
        at += w->p->pools[i].kind == TN_POOL_ARENA ? w->p->pools[i].size : 0;
    }
}

static uint64_t begin_of(const sweep *w, const tn_storage *s) {
    return w->base[s->pool] + s->offset;
}

static void collect_cuts(sweep *w) {
    w->cuts = TN_ARRAY(w->arena, uint64_t, (size_t)w->p->n_storages * 2 + 1);
    uint32_t n = 1; /* 0 is a cut */
    for (uint32_t i = 0; i < w->p->n_storages; i++) {
        const tn_storage *s = &w->p->storages[i];
        if (takes_part(w->p, s)) {
            w->cuts[n++] = begin_of(w, s);
            w->cuts[n++] = begin_of(w, s) + s->size;
        }
    }
    TN_SORT(w->cuts, n, tn_by_u64);
    for (uint32_t i = 0; i < n; i++) {
        if (i == 0 || w->cuts[i] != w->cuts[w->n_cuts - 1]) {
            w->cuts[w->n_cuts++] = w->cuts[i];
        }
    }
}

static uint32_t cut_of(const sweep *w, uint64_t address) {
    uint32_t lo = 0, hi = w->n_cuts;
    while (hi - lo > 1) {
        uint32_t mid = lo + (hi - lo) / 2;
        *(w->cuts[mid] <= address ? &lo : &hi) = mid;
    }
    return lo;
}

static void start_segment(sweep *w, uint32_t start, uint32_t end, uint32_t occupant) {
    w->end[start] = end;
    w->occupant[start] = occupant;
    tn_bit_tree_add(&w->starts, start);
}

/* Makes `cut` the start of a segment. */
static void split(sweep *w, uint32_t cut) {
    uint32_t start = tn_bit_tree_below(&w->starts, cut + 1);
    if (start != cut && w->end[start] > cut) {
        start_segment(w, cut, w->end[start], w->occupant[start]);
        w->end[start] = cut;
    }
}

static void occupy(sweep *w, uint32_t i) {
    const tn_storage *s = &w->p->storages[i];
    uint64_t base = w->base[s->pool];
    uint32_t lo = cut_of(w, begin_of(w, s)), hi = cut_of(w, begin_of(w, s) + s->size);
    split(w, lo);
    split(w, hi);
    w->first[i] = w->item.len;
    for (uint32_t at = lo; at < hi; at = w->end[at]) {
        if (w->occupant[at] != TN_NO_ID) {
            tn_vec_push(
                w->arena, &w->item,
                (tn_predecessor){w->cuts[at] - base, w->cuts[w->end[at]] - base, w->occupant[at]});
        }
        tn_bit_tree_remove(&w->starts, at);
    }
    w->count[i] = w->item.len - w->first[i];
    start_segment(w, lo, hi, i);
}

/* Storages in order of the step they begin at, then by number. */
static const uint32_t *by_first(const sweep *w) {
    uint32_t n = w->p->n_storages, steps = w->p->n_steps;
    uint32_t *at = TN_ARRAY(w->arena, uint32_t, steps + 3u),
             *order = TN_ARRAY(w->arena, uint32_t, n);
    for (uint32_t i = 0; i < n; i++) {
        at[w->p->storages[i].first + 2]++;
    }
    for (uint32_t s = 1; s < steps + 3u; s++) {
        at[s] += at[s - 1];
    }
    for (uint32_t i = 0; i < n; i++) {
        order[at[w->p->storages[i].first + 1]++] = i;
    }
    return order;
}

tn_predecessors tn_find_predecessors(const tn_plan *p, tn_arena *arena) {
    uint32_t n = p->n_storages;
    sweep w = {.p = p,
               .arena = arena,
               .first = TN_ARRAY(arena, uint32_t, n),
               .count = TN_ARRAY(arena, uint32_t, n)};
    line_up(&w);
    collect_cuts(&w);
    w.end = TN_ARRAY(arena, uint32_t, w.n_cuts);
    w.occupant = TN_ARRAY(arena, uint32_t, w.n_cuts);
    w.starts = tn_bit_tree_make(arena, w.n_cuts + 1);
    start_segment(&w, 0, w.n_cuts - 1, TN_NO_ID);
    const uint32_t *order = by_first(&w);
    for (uint32_t i = 0; i < n; i++) {
        if (takes_part(p, &p->storages[order[i]])) {
            occupy(&w, order[i]);
        }
    }
    tn_predecessor *item = TN_ARRAY(arena, tn_predecessor, w.item.len);
    uint32_t *start = TN_ARRAY(arena, uint32_t, n + 1u);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < w.count[i]; k++) {
            item[start[i] + k] = w.item.data[w.first[i] + k];
        }
        start[i + 1] = start[i] + w.count[i];
    }
    return (tn_predecessors){.item = item, .start = start};
}
