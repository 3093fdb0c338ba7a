/* Who may have lain where a storage lies now, for some extents of open dimensions. Two storages of
 * an arena that no path of the relation joins may have bytes in common for some of them. Storages
 * are gone through by the step they begin at. Of those that ended before and are not joined by a
 * path, the one that began last comes first; whatever that one waits for, by itself or through
 * others, need not be waited for again. */
#include <stdlib.h>

#include "ir/base/bits.h"
#include "ir/plan/plan_extents.h"
#include "passes/plan/predecessors.h"

typedef struct rows {
    uint64_t *bits;
    size_t words; /* a row */
} rows;

typedef struct relating {
    const tn_plan *p;
    tn_arena *arena;
    rows below;  /* by storage: those that it lies above, by paths */
    rows waited; /* by storage: those that its first writer waits for, through others too */
    TN_VEC(tn_predecessor) item;
    uint32_t *first, *count; /* by storage: its part of `item` */
} relating;

static rows make_rows(tn_arena *arena, uint32_t n) {
    size_t words = tn_bit_words(n);
    return (rows){tn_arena_array(arena, words * n, sizeof(uint64_t)), words};
}

static bool has(const rows *r, uint32_t row, uint32_t i) {
    return tn_bit_has(r->bits + row * r->words, i);
}

/* Row `to` gets `from`, and all of the row of `from`. */
static void add(rows *r, uint32_t to, uint32_t from) {
    uint64_t *a = r->bits + to * r->words;
    const uint64_t *b = r->bits + from * r->words;
    for (size_t i = 0; i < r->words; i++) {
        a[i] |= b[i];
    }
    tn_bit_add(a, from);
}

static int by_first(const void *x, const void *y) {
    const tn_storage *a = *(const tn_storage *const *)x, *b = *(const tn_storage *const *)y;
    return a->first != b->first ? (a->first < b->first ? -1 : 1)
                                : (a->id < b->id ? -1 : a->id > b->id);
}

static const tn_storage **sort_by_first(const relating *r) {
    const tn_storage **list = TN_ARRAY(r->arena, const tn_storage *, r->p->n_storages);
    for (uint32_t i = 0; i < r->p->n_storages; i++) {
        list[i] = &r->p->storages[i];
    }
    qsort(list, r->p->n_storages, sizeof *list, by_first);
    return list;
}

static void find_below(relating *r) {
    const uint32_t *order = tn_plan_upwards(r->p, r->arena);
    for (uint32_t i = 0; i < r->p->n_storages; i++) {
        tn_ids above = r->p->storages[order[i]].above;
        for (uint32_t k = 0; k < above.len; k++) {
            add(&r->below, order[i], above.data[k]);
        }
    }
}

static bool is_empty(const tn_storage *s) {
    return s->size == 0 && s->size_expr == TN_DIM_UNKNOWN;
}

/* Who writes no byte waits for nobody, so nothing may rely on it. */
static bool may_meet(const relating *r, const tn_storage *a, const tn_storage *b) {
    return !is_empty(a) && !is_empty(b) && a->last < b->first && a->pool == b->pool &&
           !has(&r->below, a->id, b->id) && !has(&r->below, b->id, a->id);
}

static void find_waits(relating *r, const tn_storage *const *list, uint32_t i) {
    const tn_storage *s = list[i];
    r->first[s->id] = r->item.len;
    for (uint32_t k = i; k-- > 0;) {
        uint32_t from = list[k]->id;
        if (!has(&r->waited, s->id, from) && may_meet(r, list[k], s)) {
            add(&r->waited, s->id, from);
            tn_vec_push(r->arena, &r->item, (tn_predecessor){0, UINT64_MAX, from});
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
                  .below = make_rows(arena, n),
                  .waited = make_rows(arena, n),
                  .first = TN_ARRAY(arena, uint32_t, n),
                  .count = TN_ARRAY(arena, uint32_t, n)};
    find_below(&r);
    const tn_storage **list = sort_by_first(&r);
    for (uint32_t i = 0; i < n; i++) {
        if (p->pools[list[i]->pool].kind == TN_POOL_ARENA) {
            find_waits(&r, list, i);
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
