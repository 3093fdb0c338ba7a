/* Who may have lain where a storage lies now, for some extents of open dimensions. Two storages of
 * an arena that no path of the relation joins may have bytes in common for some of them. Storages
 * are gone through by the step they begin at. Of those that ended before and are not joined by a
 * path, the one that began last comes first; whatever that one waits for, by itself or through
 * others, need not be waited for again. */

#include "ir/base/bits.h"
#include "ir/base/sort.h"
#include "ir/plan/plan_extents.h"
#include "passes/plan/predecessors.h"

typedef struct rows {
    uint64_t *bits;
    size_t words; /* a row */
} rows;

/* Storages are counted by rank: as they begin. */
typedef struct relating {
    const tn_plan *p;
    tn_arena *arena;
    const tn_storage **list; /* by rank */
    uint32_t *rank;          /* by storage */
    uint32_t *by_last;       /* ranks, as they end */
    uint32_t n_ended;        /* of these */
    rows ended;              /* by pool: those that ended before the one at hand, and hold a byte */
    rows below;              /* by rank: those that it lies above, by paths */
    rows waited; /* by rank: those that its first writer waits for, through others too */
    TN_VEC(tn_predecessor) item;
    uint32_t *first, *count; /* by storage: its part of `item` */
} relating;

static rows make_rows(tn_arena *arena, uint32_t n_rows, uint32_t n) {
    size_t words = tn_bit_words(n);
    return (rows){tn_arena_array(arena, words * n_rows, sizeof(uint64_t)), words};
}

static uint64_t *row(const rows *r, uint32_t i) {
    return r->bits + i * r->words;
}

/* Row `to` gets `from`, and all of the row of `from`. */
static void add(rows *r, uint32_t to, uint32_t from) {
    uint64_t *a = row(r, to);
    const uint64_t *b = row(r, from);
    for (size_t i = 0; i < r->words; i++) {
        a[i] |= b[i];
    }
    tn_bit_add(a, from);
}

static int by_first(const void *x, const void *y) {
    const tn_storage *a = *(const tn_storage *const *)x, *b = *(const tn_storage *const *)y;
    return TN_FIRST_OF(TN_COMPARE(a->first, b->first), TN_COMPARE(a->id, b->id));
}

static int by_last(const void *x, const void *y) {
    const tn_storage *a = *(const tn_storage *const *)x, *b = *(const tn_storage *const *)y;
    return TN_FIRST_OF(TN_COMPARE(a->last, b->last), TN_COMPARE(a->id, b->id));
}

static void sort(relating *r) {
    uint32_t n = r->p->n_storages;
    const tn_storage **ends = TN_ARRAY(r->arena, const tn_storage *, n);
    for (uint32_t i = 0; i < n; i++) {
        r->list[i] = ends[i] = &r->p->storages[i];
    }
    TN_SORT(r->list, n, by_first);
    TN_SORT(ends, n, by_last);
    for (uint32_t i = 0; i < n; i++) {
        r->rank[r->list[i]->id] = i;
    }
    for (uint32_t i = 0; i < n; i++) {
        r->by_last[i] = r->rank[ends[i]->id];
    }
}

static void find_below(relating *r) {
    const uint32_t *order = tn_plan_upwards(r->p, r->arena);
    for (uint32_t i = 0; i < r->p->n_storages; i++) {
        tn_ids above = r->p->storages[order[i]].above;
        for (uint32_t k = 0; k < above.len; k++) {
            add(&r->below, r->rank[order[i]], r->rank[above.data[k]]);
        }
    }
}

/* Who writes no byte waits for nobody, so nothing may rely on it. */
static bool is_empty(const tn_storage *s) {
    return s->size == 0 && s->size_expr == TN_DIM_UNKNOWN;
}

/* Those that end before the step `first`, which ascends. */
static void end_before(relating *r, int32_t first) {
    for (; r->n_ended < r->p->n_storages; r->n_ended++) {
        uint32_t i = r->by_last[r->n_ended];
        if (r->list[i]->last >= first) {
            return;
        }
        if (!is_empty(r->list[i])) {
            tn_bit_add(row(&r->ended, r->list[i]->pool), i);
        }
    }
}

/* Ranks of one word that it may meet for some extents, and is not known to wait for. */
static uint64_t may_meet(const relating *r, uint32_t i, size_t word) {
    return row(&r->ended, r->list[i]->pool)[word] & ~row(&r->waited, i)[word] &
           ~row(&r->below, i)[word];
}

/* From the one that began last down. */
static void find_waits(relating *r, uint32_t i) {
    const tn_storage *s = r->list[i];
    r->first[s->id] = r->item.len;
    for (size_t word = is_empty(s) ? 0 : i / 64 + 1; word-- > 0;) {
        uint64_t left = may_meet(r, i, word);
        while (left != 0) {
            uint32_t bit = 63u - (uint32_t)__builtin_clzll(left), from = (uint32_t)word * 64 + bit;
            left &= ~(UINT64_C(1) << bit);
            if (!tn_bit_has(row(&r->below, from), i)) {
                add(&r->waited, i, from);
                tn_vec_push(r->arena, &r->item,
                            ((tn_predecessor){0, UINT64_MAX, r->list[from]->id}));
                left &= may_meet(r, i, word);
            }
        }
    }
    r->count[s->id] = r->item.len - r->first[s->id];
}

tn_predecessors tn_find_any_predecessors(const tn_plan *p, tn_arena *arena) {
    uint32_t n = p->n_storages;
    uint32_t *start = TN_ARRAY(arena, uint32_t, n + 1u);
    if (n > TN_MAX_RELATED) {
        return (tn_predecessors){.start = start, .serial = true};
    }
    relating r = {.p = p,
                  .arena = arena,
                  .list = TN_ARRAY(arena, const tn_storage *, n),
                  .rank = TN_ARRAY(arena, uint32_t, n),
                  .by_last = TN_ARRAY(arena, uint32_t, n),
                  .ended = make_rows(arena, p->n_pools, n),
                  .below = make_rows(arena, n, n),
                  .waited = make_rows(arena, n, n),
                  .first = TN_ARRAY(arena, uint32_t, n),
                  .count = TN_ARRAY(arena, uint32_t, n)};
    sort(&r);
    find_below(&r);
    for (uint32_t i = 0; i < n; i++) {
        end_before(&r, r.list[i]->first);
        if (p->pools[r.list[i]->pool].kind == TN_POOL_ARENA) {
            find_waits(&r, i);
        }
    }
    tn_predecessor *item = TN_ARRAY(arena, tn_predecessor, r.item.len);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < r.count[i]; k++) {
            item[start[i] + k] = r.item.data[r.first[i] + k];
        }
        start[i + 1] = start[i] + r.count[i];
    }
    return (tn_predecessors){.item = item, .start = start};
}
