/* Items in the order of what they promise, each into the cheapest pool that has room for it; then
 * each pool is packed, and what does not fit moves on to the next. */
#include "ir/base/key_sort.h"
#include "ir/base/xmath.h"
#include "passes/pack/base/budgets.h"
#include "passes/pack/pools/pools_t.h"

typedef struct filling {
    const tn_pools_case *c;
    tn_arena *arena; /* of this assignment */
    const uint32_t *order;
    tn_pools_load load;
    tn_pools_choice now;
} filling;

/* ---- orders ---- */

typedef enum worth {
    WORTH_DENSITY,  /* traffic a byte */
    WORTH_TRAFFIC,  /* traffic */
    WORTH_PRICED,   /* what is saved beyond the price of the bytes */
    WORTH_LIFETIME, /* traffic a byte and section */
    WORTH_SIZE,     /* the largest first: what is most difficult to fit */
    WORTH_COUNT
} worth;

static uint64_t worth_of(const tn_pools_case *c, const tn_pools_prices *p, uint32_t i, worth w) {
    enum { FRACTION = 16 };
    uint64_t traffic = c->items[i].traffic, size = c->items[i].buffer.size;
    uint64_t fine = traffic >> (64 - FRACTION) == 0 ? traffic << FRACTION : UINT64_MAX;
    uint64_t density = size > 0 ? fine / size : UINT64_MAX;
    switch (w) {
    case WORTH_DENSITY:
        return density;
    case WORTH_TRAFFIC:
        return traffic;
    case WORTH_PRICED:
        return tn_time_key(p->gain[i] - p->toll[i]);
    case WORTH_LIFETIME:
        return density / (c->end[i] - c->begin[i]);
    case WORTH_SIZE:
    case WORTH_COUNT:
        break;
    }
    return size;
}

/* Falling, and of equal worth the larger ones first. */
static uint32_t *order_by(const tn_pools_case *c, const tn_pools_prices *p, worth w,
                          tn_arena *arena) {
    uint32_t *order = TN_ARRAY(arena, uint32_t, c->n);
    tn_sort_key *keys = tn_sort_room(arena, c->n);
    for (uint32_t i = 0; i < c->n; i++) {
        keys[i] = (tn_sort_key){~c->items[i].buffer.size, i};
    }
    tn_sort_keys(keys, c->n);
    for (uint32_t k = 0; k < c->n; k++) {
        keys[k].key = ~worth_of(c, p, keys[k].item, w);
    }
    tn_sort_items(keys, c->n, order);
    return order;
}

/* ---- filling ---- */

static void put(filling *f, uint32_t item, uint32_t rank) {
    f->now.rank[item] = rank;
    tn_pools_load_add(&f->load, item, rank);
}

/* Into the first pool from `from` on that has room; without one, the last. */
static void put_on(filling *f, uint32_t item, uint32_t from) {
    uint32_t r = from;
    while (r + 1 < f->c->n_rooms && !tn_pools_has_room(&f->load, item, r)) {
        r++;
    }
    put(f, item, r);
}

static void place_all(filling *f) {
    const tn_pools_case *c = f->c;
    for (uint32_t i = 0; i < c->n; i++) {
        if (c->rank[i] != TN_POOL_ANY) {
            put(f, i, c->rank[i]);
        }
    }
    for (uint32_t k = 0; k < c->n; k++) {
        if (c->rank[f->order[k]] == TN_POOL_ANY) {
            put_on(f, f->order[k], 0);
        }
    }
}

/* Of those that end too high, or of all where these have to stay, the one that is worth the least.
 */
static uint32_t find_victim(const filling *f, uint32_t rank) {
    const tn_pools_case *c = f->c;
    uint32_t any = TN_POOL_ANY;
    for (uint32_t k = c->n; k-- > 0;) {
        uint32_t i = f->order[k];
        if (f->now.rank[i] != rank || c->rank[i] != TN_POOL_ANY || c->items[i].buffer.size == 0) {
            continue;
        }
        if (f->now.offset[i] + tn_pools_size(c, i, rank) > c->room[rank].capacity) {
            return i;
        }
        any = any == TN_POOL_ANY ? i : any;
    }
    return any;
}

/* Until what is left in the pool fits; the answer is whether it does. */
static tn_status settle(filling *f, uint32_t rank, bool *fits) {
    const tn_pools_case *c = f->c;
    for (;;) {
        tn_status status = tn_pools_pack(c, f->arena, rank, &f->now, NULL);
        if (status != TN_NOFIT) {
            *fits = true;
            return status;
        }
        uint32_t victim = rank + 1 < c->n_rooms ? find_victim(f, rank) : TN_POOL_ANY;
        if (victim == TN_POOL_ANY) {
            *fits = false;
            return TN_OK;
        }
        tn_pools_load_drop(&f->load, victim, rank);
        put_on(f, victim, rank + 1);
    }
}

/* ---- filling up ---- */

/* What ended in a dearer pool goes into holes of cheaper ones. */
static void fill_up(filling *f) {
    const tn_pools_case *c = f->c;
    uint64_t budget = tn_budget(TN_BUDGET_POOL_HOLES, c->effort);
    tn_sort_key *keys = tn_sort_room(f->arena, c->n);
    for (uint32_t k = 0; k < c->n && budget >= c->n; k++) {
        uint32_t i = f->order[k], was = f->now.rank[i];
        for (uint32_t r = 0; r < was && c->rank[i] == TN_POOL_ANY; r++) {
            uint64_t offset;
            if (c->room[r].cost < c->room[was].cost && c->room[r].capacity != 0 &&
                tn_pools_has_room(&f->load, i, r)) {
                budget -= c->n < budget ? c->n : budget;
                if (tn_pools_find_hole(c, &f->now, i, r, keys, &offset)) {
                    tn_pools_load_drop(&f->load, i, was);
                    put(f, i, r);
                    f->now.offset[i] = offset;
                    break;
                }
            }
        }
    }
}

static tn_status fill(filling *f) {
    const tn_pools_case *c = f->c;
    tn_status status = TN_OK;
    place_all(f);
    f->now.fits = true;
    for (uint32_t r = 0; r < c->n_rooms && status == TN_OK; r++) {
        bool fits = true;
        status = settle(f, r, &fits);
        f->now.fits = f->now.fits && fits;
    }
    if (status == TN_OK && f->now.fits) {
        fill_up(f);
    }
    f->now.cost = tn_pools_cost(c, f->now.rank);
    return status;
}

static bool is_better(const tn_pools_choice *a, const tn_pools_choice *b) {
    return a->fits && (!b->fits || a->cost < b->cost);
}

tn_status tn_pools_greedy(const tn_pools_case *c, const tn_pools_prices *p, tn_pools_choice *best) {
    tn_status status = TN_OK;
    for (int w = 0; w < WORTH_COUNT && status == TN_OK; w++) {
        if ((w == WORTH_PRICED && c->n_rooms < 2) || (w == WORTH_SIZE && best->fits)) {
            continue; /* the last is for what fits nowhere else */
        }
        tn_arena *arena = tn_arena_new(tn_arena_ctx(c->arena));
        filling f = {.c = c,
                     .arena = arena,
                     .order = order_by(c, p, (worth)w, arena),
                     .load = tn_pools_load_new(c, arena),
                     .now = tn_pools_choice_new(c, arena)};
        status = fill(&f);
        if (status == TN_OK && is_better(&f.now, best)) {
            tn_pools_choice_copy(c, best, &f.now);
        }
        tn_arena_drop(arena);
    }
    return status;
}
