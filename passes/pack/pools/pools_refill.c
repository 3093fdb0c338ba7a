/* Search in large neighbourhoods (Shaw 1998): of the best assignment so far, what is alive in a
 * window of sections leaves its pool, and that and whatever lies outside of the cheapest pool goes
 * into the lowest holes again, by a worth that chance changes a little. A step that is no dearer is
 * taken, and the end of the walk where it is cheaper than its begin. */
#include "ir/base/key_sort.h"
#include "ir/base/map.h"
#include "passes/pack/base/budgets.h"
#include "passes/pack/base/stop.h"
#include "passes/pack/pools/pools_t.h"

typedef struct refilling {
    const tn_pools_case *c;
    const tn_pools_prices *p;
    tn_pools_choice at, now; /* where the walk is, and the next step */
    uint32_t *order;         /* of items that are outside, n of them */
    uint32_t n;
    tn_sort_key *keys;
    uint64_t chance; /* how often it was asked for */
    uint64_t work;
} refilling;

static uint64_t draw(refilling *w, uint64_t below) {
    return tn_mix(++w->chance * UINT64_C(0x9e3779b97f4a7c15)) % below;
}

enum { BY_TRAFFIC, BY_PRICE, BY_DENSITY, BY_LIFETIME, N_WORTHS };

static uint64_t worth_of(const refilling *w, uint32_t i, uint64_t by) {
    enum { FRACTION = 16 };
    const tn_pools_case *c = w->c;
    uint64_t traffic = c->items[i].traffic, size = c->items[i].buffer.size;
    uint64_t fine = traffic >> (64 - FRACTION) == 0 ? traffic << FRACTION : UINT64_MAX;
    int64_t net = w->p->gain[i] - w->p->toll[i];
    return by == BY_TRAFFIC   ? traffic
           : by == BY_PRICE   ? (net > 0 ? (uint64_t)net : 0)
           : by == BY_DENSITY ? fine / size
                              : fine / size / (c->end[i] - c->begin[i]);
}

static bool is_free(const tn_pools_case *c, uint32_t i) {
    return c->rank[i] == TN_POOL_ANY && c->items[i].buffer.size > 0;
}

/* Worths are up to twice what they are. */
static void take_out(refilling *w) {
    enum { SHARES = 64, NARROW = 8 };
    const tn_pools_case *c = w->c;
    uint64_t at = draw(w, c->n_sections), by = draw(w, N_WORTHS);
    uint64_t width = draw(w, c->n_sections) / (1 + draw(w, NARROW));
    w->n = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        bool meets = c->begin[i] <= at + width && c->end[i] > at;
        if (is_free(c, i) && (meets || w->now.rank[i] > 0)) {
            uint64_t worth = worth_of(w, i, by) / 2;
            w->now.rank[i] = TN_POOL_ANY;
            w->keys[w->n++] = (tn_sort_key){~(worth + worth / SHARES * draw(w, SHARES)), i};
        }
    }
    tn_sort_items(w->keys, w->n, w->order);
}

/* Where there is no limit, offsets are found in the end. */
static bool put(refilling *w, uint32_t i) {
    const tn_pools_case *c = w->c;
    for (uint32_t r = 0; r < c->n_rooms; r++) {
        uint64_t offset = 0;
        w->work += c->near_start != NULL ? c->near_start[i + 1] - c->near_start[i] : c->n;
        if (c->room[r].capacity == 0 || tn_pools_find_hole(c, &w->now, i, r, w->keys, &offset)) {
            w->now.rank[i] = r;
            w->now.offset[i] = offset;
            return true;
        }
    }
    return false;
}

static void try_one(refilling *w) {
    const tn_pools_case *c = w->c;
    bool fits = true;
    tn_pools_choice_copy(c, &w->now, &w->at);
    take_out(w);
    for (uint32_t k = 0; k < w->n && fits; k++) {
        fits = put(w, w->order[k]);
    }
    w->now.cost = fits ? tn_pools_cost(c, w->now.rank) : UINT64_MAX;
    if (w->now.cost <= w->at.cost) {
        tn_pools_choice_copy(c, &w->at, &w->now);
    }
}

tn_status tn_pools_refill(const tn_pools_case *c, const tn_pools_prices *p, uint64_t bound,
                          tn_pools_choice *best) {
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(c->arena));
    refilling w = {.c = c,
                   .p = p,
                   .at = tn_pools_choice_new(c, scratch),
                   .now = tn_pools_choice_new(c, scratch),
                   .order = TN_ARRAY(scratch, uint32_t, c->n),
                   .keys = tn_sort_room(scratch, c->n)};
    uint64_t budget = tn_budget(TN_BUDGET_POOL_REFILLS, c->effort);
    tn_status status = TN_OK;
    tn_pools_choice_copy(c, &w.at, best);
    while (w.work < budget && w.at.cost > bound && !tn_clock_late(scratch, 0)) {
        w.work += c->n;
        try_one(&w);
    }
    bool cheaper =
        w.at.cost < best->cost; /* at the same cost the fillings before need fewer bytes */
    for (uint32_t r = 0; r < c->n_rooms && status == TN_OK && cheaper; r++) {
        status = c->room[r].capacity == 0 ? tn_pools_pack(c, scratch, r, &w.at, NULL) : TN_OK;
    }
    if (status == TN_OK && cheaper) {
        tn_pools_choice_copy(c, best, &w.at);
    }
    tn_arena_drop(scratch);
    return status;
}
