/* Storages go to the pools that the user declares, one kind of pool after the other: arenas, what
 * the caller keeps, constants. Aliases, order and live ranges are decided by then. */
#include "passes/plan/places_t.h"

#include <string.h>

#include "ir/base/diag.h"
#include "ir/base/xmath.h"
#include "passes/plan/before.h"
#include "passes/plan/capacity.h"
#include "passes/plan/conflicts.h"
#include "passes/plan/overlap_times.h"
#include "passes/plan/traffic.h"

typedef unsigned long long ull;

static uint32_t n_declared(const tn_controls *want, tn_pool_kind kind) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < want->places.n_pools; i++) {
        n += want->places.pools[i].kind == kind;
    }
    return n;
}

static bool has_own_align(const tn_controls *want) {
    for (uint32_t i = 0; i < want->places.n_pools; i++) {
        const tn_pool_wish *p = &want->places.pools[i];
        if (p->kind == TN_POOL_ARENA && p->align != 0 && p->align != want->align) {
            return true;
        }
    }
    return false;
}

bool tn_places_are_several(const tn_controls *want) {
    return n_declared(want, TN_POOL_ARENA) > 1;
}

bool tn_places_differ(const tn_controls *want) {
    return tn_places_are_several(want) || has_own_align(want) || want->places.n_fixes > 0 ||
           want->places.n_aligns > 0;
}

tn_status tn_places_settle(tn_ctx *ctx, const tn_module *m, tn_controls *want) {
    tn_loc loc = tn_loc_file(m->file);
    uint32_t n = n_declared(want, TN_POOL_ARENA);
    if (n > 0 && want->capacity != 0) {
        return tn_usage(ctx, &loc,
                        "a capacity of %llu is asked for, and pools: give each pool its own, as in "
                        "--pool=%s:%llu",
                        (ull)want->capacity, want->places.pools[0].name, (ull)want->capacity);
    }
    for (uint32_t i = 0; i < want->places.n_pools && n == 1; i++) {
        const tn_pool_wish *p = &want->places.pools[i];
        want->capacity = p->kind == TN_POOL_ARENA ? p->capacity : want->capacity;
    }
    return TN_OK;
}

/* ---- pools ---- */

static void add_pool(tn_placing *w, tn_pool pool) {
    w->p->pools[w->p->n_pools++] = pool;
}

/* Those declared of a kind; where there are none, the one that was there. */
static void add_kind(tn_placing *w, tn_pool_kind kind, const tn_pool *old, uint32_t n_old) {
    tn_arena *arena = w->p->arena;
    uint32_t before = w->p->n_pools;
    for (uint32_t i = 0; i < w->w->n_pools; i++) {
        const tn_pool_wish *wish = &w->w->pools[i];
        if (wish->kind == kind) {
            add_pool(w, (tn_pool){.name = tn_arena_strndup(arena, wish->name, strlen(wish->name)),
                                  .kind = kind,
                                  .align = wish->align != 0 ? wish->align : w->b->want.align,
                                  .capacity = wish->capacity,
                                  .cost = wish->cost,
                                  .section = wish->section != NULL
                                                 ? tn_arena_strndup(arena, wish->section,
                                                                    strlen(wish->section))
                                                 : NULL,
                                  .copied = wish->copied});
        }
    }
    for (uint32_t i = 0; i < n_old; i++) {
        if (old[i].kind == kind && before == w->p->n_pools) {
            add_pool(w, old[i]);
        }
    }
}

/* What stays from run to run, and what the model has in its bytes. */
static void move_state(const tn_placing *w, uint32_t pool) {
    const tn_build *b = w->b;
    const bool *is_state = tn_state_values(b->m, b->scratch);
    for (uint32_t v = 0; v < b->m->n_values; v++) {
        if (is_state[v] && b->classes->of[v] != TN_NO_CLASS) {
            w->p->storages[b->classes->of[v]].pool = pool;
        }
    }
}

/* Storages lie in the first pool of their kind, until they are placed. */
static void make_pools(tn_placing *w) {
    tn_plan *p = w->p;
    const tn_pool *old = p->pools;
    uint32_t n_old = p->n_pools, first[TN_N_POOL_KINDS] = {0};
    p->pools = TN_ARRAY(p->arena, tn_pool, (size_t)n_old + w->w->n_pools);
    p->n_pools = 0;
    for (uint32_t kind = 0; kind < TN_N_POOL_KINDS; kind++) {
        first[kind] = p->n_pools;
        add_kind(w, (tn_pool_kind)kind, old, n_old);
    }
    for (uint32_t i = 0; i < n_old; i++) { /* what is known of the pool that was there */
        tn_pool *pool = &p->pools[first[old[i].kind]];
        pool->size = old[i].size;
        pool->bound = old[i].bound;
    }
    for (uint32_t i = 0; i < p->n_storages; i++) {
        p->storages[i].pool = first[old[p->storages[i].pool].kind];
    }
    if (n_declared(&w->b->want, TN_POOL_STATE) > 0) {
        move_state(w, first[TN_POOL_STATE]);
    }
}

/* ---- one kind of pool ---- */

static tn_placing_group gather(tn_placing *w, tn_pool_kind kind) {
    tn_plan *p = w->p;
    tn_arena *scratch = w->b->scratch;
    tn_placing_group g = {.kind = kind,
                          .ids = TN_ARRAY(scratch, uint32_t, p->n_storages),
                          .items = TN_ARRAY(scratch, tn_pools_item, p->n_storages),
                          .rooms = TN_ARRAY(scratch, tn_pool_room, p->n_pools)};
    for (uint32_t i = p->n_pools; i-- > 0;) {
        g.first = p->pools[i].kind == kind ? i : g.first;
        g.n_pools += p->pools[i].kind == kind;
    }
    for (uint32_t i = 0; i < g.n_pools; i++) {
        const tn_pool *pool = &p->pools[g.first + i];
        g.rooms[i] = (tn_pool_room){pool->capacity, pool->align, pool->cost};
    }
    for (uint32_t i = 0; i < p->n_storages; i++) {
        const tn_storage *s = &p->storages[i];
        if (p->pools[s->pool].kind != kind) {
            continue;
        }
        /* Below level 1 nothing shares bytes: kernels are looked at by themselves then. */
        bool alone = s->pinned || w->b->ask->level != TN_LEVEL_1;
        g.wishes = g.wishes || w->of.fixed[i] != TN_PACK_FREE || w->of.align[i] > 1;
        g.items[g.n] = (tn_pools_item){
            .buffer = {.first = alone ? -1 : s->first,
                       .last = (int64_t)(alone ? (int64_t)p->n_steps : s->last) + 1,
                       .size = s->size,
                       .align = w->of.align[i],
                       .fixed = w->of.fixed[i]},
            .traffic = w->traffic[i],
            .pool = w->of.must[i] == TN_NO_ID ? TN_POOL_ANY : w->of.must[i] - g.first};
        g.ids[g.n++] = i;
    }
    const tn_layout_ask *ask = w->b->ask;
    if (ask->precedence != NULL && kind == TN_POOL_ARENA && ask->level == TN_LEVEL_1) {
        const tn_class_order *order =
            tn_class_order_make(scratch, ask->precedence, ask->live, w->b->classes);
        g.conflicts = tn_conflicts_find(scratch, order, g.ids, g.n, &g.n_conflicts);
    }
    return g;
}

static tn_status refuse(tn_placing *w, const tn_placing_group *g, tn_pools_result *r) {
    const tn_plan *p = w->p;
    if (w->b->trial) {
        return TN_NOFIT;
    }
    const tn_pool *pool = &p->pools[g->first + (r->misfit_in == TN_POOL_ANY ? 0 : r->misfit_in)];
    uint64_t capacity = 0;
    for (uint32_t i = 0; i < g->n_pools; i++) {
        capacity += g->rooms[i].capacity / g->rooms[i].align * g->rooms[i].align;
    }
    bool one = r->misfit_in != TN_POOL_ANY || g->n_pools == 1;
    for (uint32_t i = 0; i < g->n_pools && r->misfit.kind == TN_MISFIT_ALONE; i++) {
        uint64_t own = g->rooms[i].capacity;
        capacity = i == 0 || own > capacity ? own : capacity;
    }
    capacity = one ? pool->capacity : capacity;
    const char *why =
        !r->proven ? "no way to do so was found within the budget" : "there is no way";
    tn_status status =
        one ? tn_error_of(p->ctx, TN_NOFIT, &w->loc,
                          "pool '%s' of %llu bytes does not hold what has to lie there: %s",
                          pool->name, (ull)capacity, why)
            : tn_error_of(p->ctx, TN_NOFIT, &w->loc,
                          "the %u pools ('%s' and so on, %llu bytes) do not hold what has to lie "
                          "there: %s",
                          g->n_pools, pool->name, (ull)capacity, why);
    for (uint32_t i = 0; i < r->misfit.n; i++) {
        r->misfit.buffers[i] = g->ids[r->misfit.buffers[i]];
    }
    if (r->misfit.n > 0) {
        r->misfit.time = g->inside ? tn_overlap_step(r->misfit.time) : r->misfit.time;
        tn_capacity_note_set(p, &r->misfit, capacity, &w->loc, w->b->scratch);
    }
    return status;
}

static void store(tn_placing *w, const tn_placing_group *g, const tn_pools_result *r) {
    tn_plan *p = w->p;
    for (uint32_t i = 0; i < g->n_pools; i++) {
        p->pools[g->first + i].size = p->pools[g->first + i].bound = 0;
    }
    for (uint32_t k = 0; k < g->n; k++) {
        tn_storage *s = &p->storages[g->ids[k]];
        s->pool = g->first + r->pool[k];
        tn_pool *pool = &p->pools[s->pool];
        s->offset = r->offset[k];
        s->align = w->of.align[s->id] > pool->align ? w->of.align[s->id] : pool->align;
        pool->base_align = s->align > tn_pool_base(pool) ? s->align : pool->base_align;
        uint64_t end = s->offset + s->size;
        pool->size = end > pool->size ? end : pool->size;
        pool->bound = pool->size;
    }
}

static uint64_t sum_of(const uint64_t *numbers, uint32_t n) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum += numbers[i];
    }
    return sum;
}

/* Of a plan that is to stay near to another: everything in the pool that it lay in, where that
 * costs no more, in traffic or bytes, than the user allows. */
static tn_status stay_in_pools(tn_placing *w, const tn_placing_group *g, const tn_pools_options *o,
                               tn_pools_result *r) {
    tn_build *b = w->b;
    tn_pools_item *items = TN_ARRAY(b->scratch, tn_pools_item, g->n);
    tn_pools_result stay;
    for (uint32_t k = 0; k < g->n; k++) {
        uint32_t old = b->before->place[g->ids[k]].pool;
        uint32_t pool = old != TN_NO_ID ? tn_before_pool(b, old) : TN_NO_ID;
        bool here = pool != TN_NO_ID && pool >= g->first && pool < g->first + g->n_pools;
        items[k] = g->items[k];
        items[k].pool = here && items[k].pool == TN_POOL_ANY ? pool - g->first : items[k].pool;
    }
    tn_status status = tn_pack_pools(b->scratch, items, g->n, g->rooms, g->n_pools, o, &stay);
    if (status == TN_OK && stay.cost <= tn_with_slack(b, r->cost) &&
        sum_of(stay.height, g->n_pools) <= tn_with_slack(b, sum_of(r->height, g->n_pools))) {
        stay.bound = r->bound;
        *r = stay;
    }
    return status == TN_NOFIT ? TN_OK : status;
}

/* The items, of which results may begin inside operands. */
static tn_pools_item *items_inside(const tn_placing *w, const tn_placing_group *g) {
    tn_arena *scratch = w->b->scratch;
    tn_pools_item *items = TN_ARRAY(scratch, tn_pools_item, g->n);
    tn_pack_buffer *buffers = TN_ARRAY(scratch, tn_pack_buffer, g->n);
    uint32_t *buffer_of = TN_ARRAY(scratch, uint32_t, w->p->n_storages);
    uint64_t unit = 1;
    memset(buffer_of, 0xff, w->p->n_storages * sizeof *buffer_of);
    for (uint32_t i = 0; i < g->n_pools; i++) {
        unit = unit / tn_gcd(unit, g->rooms[i].align) * g->rooms[i].align;
    }
    for (uint32_t k = 0; k < g->n; k++) {
        items[k] = g->items[k];
        buffers[k] = g->items[k].buffer;
        buffer_of[g->ids[k]] = k;
    }
    tn_overlap_times(scratch, w->b->pairs, NULL, buffer_of, unit, buffers, g->n);
    for (uint32_t k = 0; k < g->n; k++) {
        items[k].buffer = buffers[k];
    }
    return items;
}

/* Which pool each lies in, with results inside operands where that costs less, or as much in fewer
 * bytes. The bound is that with them. */
static tn_status assign(const tn_placing *w, tn_placing_group *g, const tn_pools_options *o,
                        tn_pools_result *r) {
    tn_status status = tn_pack_pools(w->b->scratch, g->items, g->n, g->rooms, g->n_pools, o, r);
    if (status == TN_ERROR || g->kind != TN_POOL_ARENA || w->b->pairs == NULL) {
        return status;
    }
    tn_pools_item *items = items_inside(w, g);
    tn_pools_result other;
    tn_status inside = tn_pack_pools(w->b->scratch, items, g->n, g->rooms, g->n_pools, o, &other);
    if (inside == TN_ERROR) {
        return inside;
    }
    g->inside = status == TN_NOFIT ||
                (inside == TN_OK && (other.cost < r->cost ||
                                     (other.cost == r->cost && sum_of(other.height, g->n_pools) <
                                                                   sum_of(r->height, g->n_pools))));
    if (!g->inside) {
        r->bound = other.bound < r->bound ? other.bound : r->bound;
        return status;
    }
    g->items = items;
    *r = other;
    return inside;
}

static tn_status spread(tn_placing *w, tn_placing_group *g) {
    enum { TRIAL_NODES = 2000 }; /* of several that are compared, each for its cost */
    tn_pools_options o = {.effort = w->b->ask->effort,
                          .budget = w->b->trial ? TRIAL_NODES : 0,
                          .conflicts = g->conflicts,
                          .n_conflicts = g->n_conflicts};
    tn_pools_result r;
    tn_status status = assign(w, g, &o, &r);
    if (status == TN_NOFIT) {
        return refuse(w, g, &r);
    }
    if (status == TN_OK && w->b->before != NULL && g->n_pools > 1) {
        status = stay_in_pools(w, g, &o, &r);
    }
    for (uint32_t i = 0; i < g->n_pools && g->wishes && status == TN_OK; i++) {
        status = tn_pool_search(w, g, &r, i);
    }
    if (status != TN_OK) {
        return status == TN_ERROR ? tn_places_overflow(w) : status;
    }
    store(w, g, &r);
    w->p->report.cost_bound += r.bound;
    bool lays_out = g->kind == TN_POOL_ARENA && !w->b->trial; /* of a trial the cost counts */
    for (uint32_t i = 0; i < g->n_pools && lays_out && status == TN_OK; i++) {
        w->p->pools[g->first + i].size = r.height[i];
        status = tn_pool_lay_out(w, g, g->first + i);
    }
    return status;
}

/* Without alternatives or wishes everything stays as it is. */
static bool stays(const tn_placing *w, const tn_placing_group *g) {
    const tn_pool *pool = &w->p->pools[g->first];
    bool fits = pool->capacity == 0 || pool->size <= pool->capacity || g->kind == TN_POOL_ARENA;
    bool inside = g->kind == TN_POOL_ARENA && w->b->pairs != NULL && w->b->want.places.n_fixes > 0;
    bool parted = n_declared(&w->b->want, TN_POOL_STATE) > 0 && tn_pool_is_callers(pool);
    return g->n_pools == 1 && !g->wishes && !parted && pool->align == w->b->want.align && fits &&
           !inside;
}

static tn_status place_kind(tn_placing *w, tn_pool_kind kind) {
    tn_placing_group g = gather(w, kind);
    if (g.n_pools == 0) {
        return TN_OK;
    }
    if (!stays(w, &g)) {
        return spread(w, &g);
    }
    for (uint32_t i = 0; i < g.n; i++) {
        w->p->report.cost_bound += w->traffic[g.ids[i]] * g.rooms[0].cost; /* as add_costs sums */
    }
    return TN_OK;
}

/* ---- all ---- */

static tn_status add_costs(tn_placing *w) {
    tn_plan *p = w->p;
    for (uint32_t i = 0; i < p->n_storages; i++) {
        tn_pool *pool = &p->pools[p->storages[i].pool];
        uint64_t cost;
        if (pool->cost == 0) {
            continue;
        }
        if (!tn_mul_u64(w->traffic[i], pool->cost, &cost) ||
            !tn_add_u64(p->report.cost, cost, &p->report.cost) || p->report.cost > INT64_MAX ||
            !tn_add_u64(pool->traffic, w->traffic[i], &pool->traffic)) {
            return tn_places_overflow(w);
        }
    }
    return TN_OK;
}

/* Every value its own bytes, in the pool it lies in now. */
static uint64_t naive_bytes(const tn_placing *w) {
    const tn_build *b = w->b;
    const tn_home *home = tn_value_homes(b->m, b->scratch);
    uint64_t sum = 0;
    for (uint32_t v = 0; v < b->m->n_values; v++) {
        uint32_t i = b->classes->of[v];
        bool counts =
            i != TN_NO_CLASS && tn_counts_in_arena(b->m->values[v], home[v],
                                                   &b->classes->classes[i], b->ask->io_in_arena);
        if (counts) { /* sums were looked at when one arena was laid out */
            sum += tn_round_up(b->classes->bytes[v], w->p->pools[w->p->storages[i].pool].align) +
                   b->classes->classes[i].second;
        }
    }
    return sum;
}

static tn_status demand_plain(const tn_build *b) {
    tn_loc loc = tn_loc_file(b->m->file);
    if (b->p->n_ranges > 0) {
        return tn_usage(b->ctx, &loc,
                        "pools and fixed places need sizes that are numbers, and '%s' stays open: "
                        "bind it with --dim",
                        b->p->ranges[0].name);
    }
    if (b->want.places.n_fixes + b->want.places.n_aligns > 0 && b->p->concurrency != TN_SERIAL) {
        return tn_usage(b->ctx, &loc,
                        "fixed places and alignments of values are for steps that run one after "
                        "another (--concurrency=serial, without --queues)");
    }
    if (tn_places_differ(&b->want) && b->layout->slot != NULL) {
        return tn_usage(b->ctx, &loc,
                        "several arenas, fixed places and alignments of values are offsets, and "
                        "shared objects have none: leave --memory=slots out");
    }
    return TN_OK;
}

tn_status tn_build_places(tn_build *b) {
    tn_placing w = {.b = b, .p = b->p, .w = &b->want.places, .loc = tn_loc_file(b->m->file)};
    if (w.w->n_pools + w.w->n_fixes + w.w->n_aligns == 0) {
        return TN_OK;
    }
    tn_status status = demand_plain(b);
    if (status == TN_OK) {
        w.traffic = tn_plan_traffic(b->p, b->m, b->scratch);
        w.layout = TN_NEW(b->scratch, tn_layout);
        make_pools(&w);
        status = tn_value_places_read(b, &w.of);
    }
    for (uint32_t kind = 0; kind < TN_N_POOL_KINDS && status == TN_OK; kind++) {
        status = place_kind(&w, (tn_pool_kind)kind);
    }
    if (status == TN_OK && w.layout->algorithm != NULL) {
        w.layout->peak_step = b->layout->peak_step;
        w.layout->naive = naive_bytes(&w);
        w.layout->overlaps = w.used.data;
        w.layout->n_overlaps = w.used.len;
        b->layout = w.layout;
    }
    return status == TN_OK ? add_costs(&w) : status;
}
