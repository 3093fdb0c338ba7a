/* Greedy assignments first, then search where they may be beaten; and why nothing fits. */
#include "ir/base/key_sort.h"
#include "ir/base/xmath.h"
#include "passes/pack/base/budgets.h"
#include "passes/pack/deletion_filter.h"
#include "passes/pack/pools/pools_case.h"

static uint32_t n_free(const tn_pools_case *c) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        n += c->rank[i] == TN_POOL_ANY;
    }
    return n;
}

static uint64_t relaxed_bound(const tn_pools_case *c, const tn_pools_prices *p) {
    int64_t *most = TN_ARRAY(c->arena, int64_t, c->n_rooms);
    for (uint32_t k = 0; k + 1 < c->n_rooms; k++) {
        most[k] = tn_pools_most(c, p, k);
    }
    return tn_pools_least_cost(c, p, most);
}

static tn_status assign(const tn_pools_case *c, const tn_pools_options *o, tn_pools_choice *best,
                        tn_pools_result *out) {
    tn_pools_prices prices;
    tn_pools_prices_find(c, &prices);
    out->bound = relaxed_bound(c, &prices);
    tn_status status = tn_pools_greedy(c, &prices, best);
    bool done = best->fits && best->cost <= out->bound;
    if (status != TN_OK || done || c->effort == 0) {
        return status;
    }
    if (n_free(c) <= TN_LIMIT_POOL_SEARCH) {
        tn_pools_search s = {.budget = o->budget != 0 ? o->budget
                                                      : tn_budget(TN_BUDGET_POOL_NODES, c->effort)};
        status = tn_pools_exact(c, &prices, best, &s);
        out->nodes = s.nodes;
        out->proven = s.complete;
        out->bound = s.complete && best->fits ? best->cost : out->bound;
    }
    return status == TN_OK && best->fits && !out->proven && c->n_rooms > 1
               ? tn_pools_refill(c, &prices, out->bound, best)
               : status;
}

/* ---- what does not fit ---- */

/* Whether some of the items fit into all pools of a case; the bound of tn_shrink: 0 where they do.
 */
static uint64_t unfit_bound(tn_arena *scratch, void *self, const uint32_t *ids, uint32_t n,
                            uint64_t *spent) {
    const tn_pools_case *all = self;
    tn_pools_item *items = TN_ARRAY(scratch, tn_pools_item, n);
    tn_pool_room *rooms = TN_ARRAY(scratch, tn_pool_room, all->n_rooms);
    tn_pools_case c;
    for (uint32_t i = 0; i < n; i++) {
        items[i] = all->items[ids[i]];
    }
    for (uint32_t r = 0; r < all->n_rooms; r++) {
        rooms[all->pool[r]] = all->room[r];
    }
    if (!tn_pools_case_make(scratch, items, n, rooms, all->n_rooms, &c)) {
        return 0;
    }
    c.effort = all->effort;
    tn_pools_result r = {0};
    tn_pools_options o = {.effort = all->effort};
    tn_pools_choice best = tn_pools_choice_new(&c, scratch);
    bool unfit = assign(&c, &o, &best, &r) == TN_OK && !best.fits && r.proven;
    *spent += r.nodes + 1;
    return unfit ? 1 : 0;
}

/* The smallest set of what the caller wants in a pool, or, for TN_POOL_ANY, in all of them laid end
 * to end: whatever lies in several pools can lie so in one as large as all, aligned to what all
 * are. */
static bool find_set(const tn_pools_case *c, uint32_t rank, tn_arena *arena, tn_pack_misfit *out) {
    tn_pack_buffer *buffers = TN_ARRAY(c->arena, tn_pack_buffer, c->n);
    uint32_t *ids = TN_ARRAY(c->arena, uint32_t, c->n), n = 0;
    tn_pool_room room = {.align = c->unit};
    for (uint32_t r = 0; r < c->n_rooms; r++) {
        if (c->room[r].capacity == 0 && (rank == TN_POOL_ANY || r == rank)) {
            return false;
        }
        room.capacity += c->room[r].capacity / c->room[r].align * c->room[r].align;
    }
    room = rank != TN_POOL_ANY ? c->room[rank] : room;
    for (uint32_t i = 0; i < c->n; i++) {
        if (rank == TN_POOL_ANY || c->items[i].pool == c->pool[rank]) {
            (void)tn_pools_buffer(&c->items[i], &room, &buffers[n]);
            buffers[n].fixed = rank == TN_POOL_ANY ? TN_PACK_FREE : buffers[n].fixed;
            ids[n++] = i;
        }
    }
    tn_pack_options o = {.effort = 2, .capacity = room.capacity};
    tn_pack_misfit found;
    if (n == 0 || !tn_pack_misfit_find(arena, buffers, n, &o, &found)) {
        return false;
    }
    for (uint32_t i = 0; i < found.n; i++) {
        found.buffers[i] = ids[found.buffers[i]];
    }
    *out = found;
    return true;
}

/* An item that no pool holds. */
static bool find_alone(const tn_pools_case *c, tn_arena *arena, tn_pack_misfit *out) {
    for (uint32_t i = 0; i < c->n; i++) {
        bool fits = false;
        for (uint32_t r = 0; r < c->n_rooms; r++) {
            fits =
                fits || c->room[r].capacity == 0 || tn_pools_size(c, i, r) <= c->room[r].capacity;
        }
        if (!fits) {
            uint32_t *set = TN_ARRAY(arena, uint32_t, 1);
            set[0] = i;
            *out = (tn_pack_misfit){
                .buffers = set, .n = 1, .kind = TN_MISFIT_ALONE, .bytes = c->items[i].buffer.size};
            return true;
        }
    }
    return false;
}

static void shrink_proven(const tn_pools_case *c, tn_arena *arena, tn_pack_misfit *out) {
    tn_pools_case copy = *c;
    tn_pack_buffer *buffers = TN_ARRAY(c->arena, tn_pack_buffer, c->n);
    for (uint32_t i = 0; i < c->n; i++) {
        buffers[i] = c->items[i].buffer;
    }
    *out = (tn_pack_misfit){
        .buffers = tn_smallest_first(arena, buffers, c->n), .n = c->n, .kind = TN_MISFIT_PROVEN};
    tn_shrinking s = {.bound = unfit_bound,
                      .self = &copy,
                      .budget = tn_budget(TN_BUDGET_POOL_NODES, c->effort) * TN_LIMIT_POOL_SHRINKS};
    tn_shrink(arena, &s, out);
    tn_misfit_turn(out);
    out->bytes = 0;
}

static void explain(const tn_pools_case *c, tn_arena *arena, tn_pools_result *out) {
    bool found = false;
    for (uint32_t r = 0; r < c->n_rooms && !found; r++) {
        found = find_set(c, r, arena, &out->misfit);
        out->misfit_in = found ? c->pool[r] : TN_POOL_ANY;
    }
    found = found || find_alone(c, arena, &out->misfit) ||
            find_set(c, TN_POOL_ANY, arena, &out->misfit);
    if (!found && out->proven) {
        shrink_proven(c, arena, &out->misfit);
    }
    out->proven = out->proven || found;
}

/* ---- the interface ---- */

static void store(const tn_pools_case *c, const tn_pools_choice *best, tn_arena *arena,
                  tn_pools_result *out) {
    out->pool = TN_ARRAY(arena, uint32_t, c->n);
    out->offset = TN_ARRAY(arena, uint64_t, c->n);
    out->height = TN_ARRAY(arena, uint64_t, c->n_rooms);
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t pool = c->pool[best->rank[i]];
        uint64_t end = best->offset[i] + tn_pools_size(c, i, best->rank[i]);
        out->pool[i] = pool;
        out->offset[i] = best->offset[i];
        out->height[pool] = end > out->height[pool] ? end : out->height[pool];
    }
    out->cost = best->cost;
}

static tn_status solve(tn_pools_case *c, const tn_pools_options *o, tn_arena *arena,
                       tn_pools_result *out) {
    tn_pools_choice best = tn_pools_choice_new(c, c->arena);
    c->effort = o->effort;
    tn_status status = assign(c, o, &best, out);
    if (status == TN_OK && !best.fits) {
        explain(c, arena, out);
        return TN_NOFIT;
    }
    if (status == TN_OK) {
        store(c, &best, arena, out);
    }
    return status;
}

tn_status tn_pack_pools(tn_arena *arena, const tn_pools_item *items, uint32_t n,
                        const tn_pool_room *rooms, uint32_t n_rooms,
                        const tn_pools_options *options, tn_pools_result *out) {
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(arena));
    tn_pools_case c;
    *out = (tn_pools_result){.misfit_in = TN_POOL_ANY};
    tn_status status = TN_ERROR;
    if (tn_pools_case_make(scratch, items, n, rooms, n_rooms, &c)) {
        tn_pools_case_conflicts(&c, options->conflicts, options->n_conflicts);
        status = solve(&c, options, arena, out);
    }
    tn_arena_drop(scratch);
    return status;
}
