/* Several pools: small instances against every assignment there is, packed by brute force. */
#include "passes/pack/pools/pools.h"
#include "tests/unit/drawn.h"
#include "tests/unit/pack_gen.h"
#include "tests/unit/unit.h"

enum { MOST = 6, ROOMS = 3 };

typedef struct instance {
    tn_pools_item items[MOST];
    tn_pool_room rooms[ROOMS];
    uint32_t n, n_rooms;
    tn_ctx *gapped; /* some items have gaps; else NULL */
} instance;

/* The packer has tests of its own for gaps, which the slow way here does not know. */
static uint64_t optimum(const instance *in, const tn_pack_buffer *b, uint32_t n) {
    if (in->gapped == NULL) {
        return gen_optimum(b, n);
    }
    tn_arena *a = tn_arena_new(in->gapped);
    tn_pack_result r;
    assert_int_equal(tn_pack(a, b, n, &(tn_pack_options){.effort = 3}, &r), TN_OK);
    assert_true(r.optimal);
    uint64_t height = r.height;
    tn_arena_drop(a);
    return height;
}

static bool pool_holds(const instance *in, const uint32_t *pool, uint32_t n, uint32_t r) {
    tn_pack_buffer b[MOST];
    uint32_t k = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (pool[i] == r) {
            assert_true(tn_pools_buffer(&in->items[i], &in->rooms[r], &b[k++]));
        }
    }
    return in->rooms[r].capacity == 0 || optimum(in, b, k) <= in->rooms[r].capacity;
}

/* The least cost over all assignments of the first n items; UINT64_MAX: none fits. */
static uint64_t brute(const instance *in, uint32_t n) {
    uint64_t best = UINT64_MAX;
    uint32_t all = 1;
    for (uint32_t i = 0; i < n; i++) {
        all *= in->n_rooms;
    }
    for (uint32_t code = 0; code < all; code++) {
        uint32_t pool[MOST], rest = code;
        uint64_t cost = 0;
        bool good = true;
        for (uint32_t i = 0; i < n; i++, rest /= in->n_rooms) {
            pool[i] = rest % in->n_rooms;
            good = good && (in->items[i].pool == TN_POOL_ANY || in->items[i].pool == pool[i]);
            cost += in->items[i].traffic * in->rooms[pool[i]].cost;
        }
        for (uint32_t r = 0; r < in->n_rooms && good && cost < best; r++) {
            good = pool_holds(in, pool, n, r);
        }
        best = good && cost < best ? cost : best;
    }
    return best;
}

static void check_layout(tn_arena *a, const instance *in, const tn_pools_result *r) {
    uint64_t cost = 0;
    for (uint32_t p = 0; p < in->n_rooms; p++) {
        tn_pack_buffer b[MOST];
        uint64_t at[MOST], height = 0;
        uint32_t k = 0, x, y;
        for (uint32_t i = 0; i < in->n; i++) {
            if (r->pool[i] == p) {
                assert_true(tn_pools_buffer(&in->items[i], &in->rooms[p], &b[k]));
                at[k] = r->offset[i];
                height = at[k] + b[k].size > height ? at[k] + b[k].size : height;
                k++;
            }
        }
        assert_true(tn_pack_valid(a, b, k, at, &x, &y));
        assert_int_equal(r->height[p], height);
        assert_true(in->rooms[p].capacity == 0 || height <= in->rooms[p].capacity);
    }
    for (uint32_t i = 0; i < in->n; i++) {
        assert_true(in->items[i].pool == TN_POOL_ANY || in->items[i].pool == r->pool[i]);
        cost += in->items[i].traffic * in->rooms[r->pool[i]].cost;
    }
    assert_int_equal(cost, r->cost);
}

/* What is named does not fit by itself. */
static void check_misfit(const instance *in, const tn_pools_result *r) {
    instance some = *in;
    for (uint32_t i = 0; i < r->misfit.n; i++) {
        some.items[i] = in->items[r->misfit.buffers[i]];
    }
    assert_true(brute(&some, r->misfit.n) == UINT64_MAX);
}

static instance random_instance(uint64_t *seed) {
    instance in = {.n = 2 + gen_below(seed, MOST - 1), .n_rooms = 2 + gen_below(seed, ROOMS - 1)};
    tn_pack_buffer b[MOST];
    gen_plain(seed, b, in.n, 3 + gen_below(seed, 6), 12);
    for (uint32_t i = 0; i < in.n; i++) {
        b[i].align = UINT64_C(1) << gen_below(seed, 3);
        in.items[i] = (tn_pools_item){b[i], gen_below(seed, 60), TN_POOL_ANY};
        if (gen_below(seed, 7) == 0) {
            in.items[i].pool = gen_below(seed, in.n_rooms);
        }
    }
    if (in.items[0].pool != TN_POOL_ANY && gen_below(seed, 2) == 0) {
        in.items[0].buffer.fixed = 8 * gen_below(seed, 2);
    }
    for (uint32_t r = 0; r < in.n_rooms; r++) {
        bool last = r + 1 == in.n_rooms;
        in.rooms[r] = (tn_pool_room){
            .capacity = last && gen_below(seed, 3) > 0 ? 0 : 4 + 2 * gen_below(seed, 8),
            .align = UINT64_C(1) << gen_below(seed, 3),
            .cost = gen_below(seed, 5)};
    }
    return in;
}

static tn_status small(tn_ctx *ctx, void *arg) {
    (void)arg;
    uint64_t seed = 31;
    uint32_t n_fit = 0, n_searched = 0, n_none = 0;
    for (uint32_t round = 0; round < DRAWN(3000); round++) {
        tn_arena *a = tn_arena_new(ctx);
        instance in = random_instance(&seed);
        tn_pools_result r;
        uint64_t best = brute(&in, in.n);
        tn_pools_options o = {.effort = 2};
        tn_status status = tn_pack_pools(a, in.items, in.n, in.rooms, in.n_rooms, &o, &r);
        if (best == UINT64_MAX) {
            assert_int_equal(status, TN_NOFIT);
            assert_true(r.proven && r.misfit.n > 0);
            check_misfit(&in, &r);
            n_none++;
        } else {
            assert_int_equal(status, TN_OK);
            check_layout(a, &in, &r);
            assert_int_equal(r.cost, best);
            assert_int_equal(r.bound, best);
            n_fit++;
            n_searched += r.nodes > 0;
        }
        o.effort = 0; /* a bound is one without the search, too */
        if (best != UINT64_MAX &&
            tn_pack_pools(a, in.items, in.n, in.rooms, in.n_rooms, &o, &r) == TN_OK) {
            check_layout(a, &in, &r);
            assert_true(r.bound <= best && r.cost >= best);
        }
        tn_arena_drop(a);
    }
    assert_true(n_fit > DRAWN(1000) && n_searched > DRAWN(300) && n_none > DRAWN(300));
    return TN_OK;
}

/* At the time of its birth, or of its death, only a part of an item is in use. */
static uint32_t add_gaps(instance *in, uint64_t *seed, tn_pack_gap *gaps) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < in->n; i++) {
        tn_pack_buffer *b = &in->items[i].buffer;
        if (b->last - b->first < 2 || gen_below(seed, 3) == 0) {
            continue;
        }
        uint64_t part = gen_below(seed, (uint32_t)b->size + 1);
        gaps[i] = gen_below(seed, 2) > 0 ? (tn_pack_gap){b->first, b->first + 1, 0, part}
                                         : (tn_pack_gap){b->last - 1, b->last, part, b->size};
        b->gaps = &gaps[i];
        b->n_gaps = 1;
        n++;
    }
    return n;
}

/* Some share bytes while they are not whole, which costs less than if they were. */
static tn_status gaps(tn_ctx *ctx, void *arg) {
    (void)arg;
    uint64_t seed = 5;
    uint32_t n_fit = 0, n_none = 0, n_cheaper = 0;
    for (uint32_t round = 0; round < DRAWN(600); round++) {
        tn_arena *a = tn_arena_new(ctx);
        instance whole = random_instance(&seed), in = whole;
        tn_pack_gap of[MOST];
        tn_pools_result r;
        tn_pools_options o = {.effort = 2};
        in.gapped = add_gaps(&in, &seed, of) > 0 ? ctx : NULL;
        uint64_t best = brute(&in, in.n);
        tn_status status = tn_pack_pools(a, in.items, in.n, in.rooms, in.n_rooms, &o, &r);
        assert_int_equal(status, best == UINT64_MAX ? TN_NOFIT : TN_OK);
        if (status == TN_OK) {
            check_layout(a, &in, &r);
            assert_int_equal(r.cost, best);
            assert_true(r.bound <= best);
            n_cheaper += best < brute(&whole, in.n);
            n_fit++;
        } else if (r.misfit.n > 0) {
            check_misfit(&in, &r);
            n_none++;
        }
        tn_arena_drop(a);
    }
    assert_true(n_fit > DRAWN(300) && n_none > DRAWN(50) && n_cheaper > DRAWN(15));
    tn_pack_gap all = {0, 2, 0, 1};
    const tn_pools_item never = {
        .buffer = {0, 2, 8, 1, TN_PACK_FREE, &all, 1}, .traffic = 1, .pool = TN_POOL_ANY};
    const tn_pool_room room = {64, 1, 1};
    tn_arena *a = tn_arena_new(ctx);
    tn_pools_result r;
    assert_int_equal(tn_pack_pools(a, &never, 1, &room, 1, &(tn_pools_options){0}, &r), TN_ERROR);
    tn_arena_drop(a);
    return TN_OK;
}

typedef struct pairs {
    tn_conflict at[MOST * MOST];
    size_t n;
} pairs;

/* Those whose live ranges meet, and some more. */
static pairs draw_pairs(const instance *in, uint64_t *seed) {
    pairs p = {.n = 0};
    for (uint32_t i = 0; i < in->n; i++) {
        for (uint32_t k = 0; k < i; k++) {
            const tn_pack_buffer *a = &in->items[i].buffer, *b = &in->items[k].buffer;
            if ((a->first < b->last && b->first < a->last) || gen_below(seed, 4) == 0) {
                p.at[p.n++] = (tn_conflict){k, i};
            }
        }
    }
    return p;
}

/* No two of a pair share bytes. */
static void check_pairs(const instance *in, const pairs *p, const tn_pools_result *r) {
    for (size_t k = 0; k < p->n; k++) {
        uint32_t i = p->at[k].a, j = p->at[k].b;
        bool together = r->pool[i] == r->pool[j];
        uint64_t size_i = in->items[i].buffer.size, size_j = in->items[j].buffer.size;
        assert_true(!together || r->offset[i] + size_i <= r->offset[j] ||
                    r->offset[j] + size_j <= r->offset[i]);
    }
}

/* Steps side by side: more may not overlap than live ranges say. What is found keeps to it, costs
 * no less than without the other pairs, and what is proven not to fit does not even without. */
static tn_status side_by_side(tn_ctx *ctx, void *arg) {
    (void)arg;
    uint64_t seed = 77;
    uint32_t n_fit = 0, n_dearer = 0;
    for (uint32_t round = 0; round < DRAWN(2000); round++) {
        tn_arena *a = tn_arena_new(ctx);
        instance in = random_instance(&seed);
        pairs p = draw_pairs(&in, &seed);
        tn_pools_result r;
        uint64_t best = brute(&in, in.n);
        tn_pools_options o = {.effort = round % 3, .conflicts = p.at, .n_conflicts = p.n};
        if (tn_pack_pools(a, in.items, in.n, in.rooms, in.n_rooms, &o, &r) == TN_OK) {
            check_layout(a, &in, &r);
            check_pairs(&in, &p, &r);
            assert_true(best <= r.cost && r.bound <= r.cost);
            n_fit++;
            n_dearer += r.cost > best;
        } else if (r.misfit.n > 0) {
            check_misfit(&in, &r);
        }
        tn_arena_drop(a);
    }
    assert_true(n_fit > DRAWN(700) && n_dearer > DRAWN(30));
    return TN_OK;
}

/* Greedy by size ends at 560 bytes of traffic in the fast pool, by traffic a byte at 670. */
static tn_status vector(tn_ctx *ctx, void *arg) {
    (void)arg;
    static const struct {
        uint64_t size, traffic;
        int64_t first, last;
    } rows[] = {{60, 120, 0, 1}, {60, 180, 1, 2}, {40, 400, 2, 3}, {40, 40, 0, 3}, {30, 90, 3, 4}};
    enum { N = sizeof rows / sizeof rows[0] };
    tn_pools_item items[N];
    tn_pool_room rooms[] = {{100, 1, 1}, {0, 1, 4}};
    for (uint32_t i = 0; i < N; i++) {
        tn_pack_buffer b = {
            rows[i].first, rows[i].last + 1, rows[i].size, 1, TN_PACK_FREE, NULL, 0};
        items[i] = (tn_pools_item){b, rows[i].traffic, TN_POOL_ANY};
    }
    tn_arena *a = tn_arena_new(ctx);
    tn_pools_result r;
    assert_int_equal(tn_pack_pools(a, items, N, rooms, 2, &(tn_pools_options){.effort = 1}, &r),
                     TN_OK);
    static const uint32_t pool[] = {1, 0, 0, 1, 0};
    for (uint32_t i = 0; i < N; i++) {
        assert_int_equal(r.pool[i], pool[i]);
    }
    assert_int_equal(r.cost, 670 + 4 * (830 - 670));
    assert_int_equal(r.bound, r.cost);
    assert_int_equal(r.height[0], 100);
    assert_true(r.offset[1] + 60 == r.offset[2] || r.offset[2] + 40 == r.offset[1]);
    tn_arena_drop(a);
    return TN_OK;
}

static tn_status overflow(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_arena *a = tn_arena_new(ctx);
    tn_pools_item item = {{0, 1, 8, 1, TN_PACK_FREE, NULL, 0}, UINT64_C(1) << 61, TN_POOL_ANY};
    tn_pool_room rooms[] = {{0, 1, 1}, {0, 1, 2}};
    tn_pools_result r;
    tn_pools_options o = {.effort = 1};
    assert_int_equal(tn_pack_pools(a, &item, 1, rooms, 2, &o, &r), TN_ERROR);
    item.traffic = 1;
    item.buffer.size = UINT64_MAX;
    assert_int_equal(tn_pack_pools(a, &item, 1, rooms, 2, &o, &r), TN_ERROR);
    item.buffer.size = 8;
    item.pool = 0;
    item.buffer.fixed = 3;
    rooms[0].align = 8;
    assert_int_equal(tn_pack_pools(a, &item, 1, rooms, 2, &o, &r), TN_ERROR);
    tn_arena_drop(a);
    return TN_OK;
}

/* Two of twelve fit, and prices promise nearly three: all 66 pairs are looked at, and none of them
 * is packed, for none costs less than what is known. */
static tn_status ties(tn_ctx *ctx, void *user) {
    enum { N = 12, PAIRS = N * (N - 1) / 2, PACKED = 50 /* nodes that packing counts as */ };
    tn_arena *a = tn_arena_new(ctx);
    tn_pools_item items[N];
    const tn_pool_room rooms[] = {{20, 1, 1}, {0, 1, 4}};
    tn_pools_result r;
    (void)user;
    for (uint32_t i = 0; i < N; i++) {
        items[i] = (tn_pools_item){{0, 1, 7, 1, TN_PACK_FREE, NULL, 0}, 100, TN_POOL_ANY};
    }
    tn_pools_options o = {.effort = 2};
    assert_int_equal(tn_pack_pools(a, items, N, rooms, 2, &o, &r), TN_OK);
    assert_int_equal(r.cost, 200 + 400 * (N - 2));
    assert_int_equal(r.bound, r.cost);
    assert_true(r.nodes > PAIRS && r.nodes < (uint64_t)PAIRS * PACKED);
    tn_arena_drop(a);
    return TN_OK;
}

/* What no cheap pool is large enough for takes no part in what these could save at most: the bound
 * is met without a search. */
static tn_status large(tn_ctx *ctx, void *user) {
    const tn_pools_item items[] = {{{0, 4, 150, 1, TN_PACK_FREE, NULL, 0}, 300, TN_POOL_ANY},
                                   {{0, 4, 100, 1, TN_PACK_FREE, NULL, 0}, 100, TN_POOL_ANY}};
    const tn_pool_room two[] = {{100, 1, 1}, {0, 1, 2}};
    const tn_pool_room three[] = {{100, 1, 1}, {160, 1, 2}, {0, 1, 3}};
    const tn_pools_options o = {.effort = 0};
    tn_arena *a = tn_arena_new(ctx);
    tn_pools_result r;
    (void)user;
    assert_int_equal(tn_pack_pools(a, items, 2, two, 2, &o, &r), TN_OK);
    assert_int_equal(r.cost, 2 * 300 + 100);
    assert_int_equal(r.bound, r.cost);
    assert_int_equal(tn_pack_pools(a, items, 2, three, 3, &o, &r), TN_OK);
    assert_int_equal(r.cost, 2 * 300 + 100);
    assert_int_equal(r.bound, r.cost);
    assert_true(r.pool[0] == 1 && r.pool[1] == 0);
    tn_arena_drop(a);
    return TN_OK;
}

UNIT_TEST(small)
UNIT_TEST(gaps)
UNIT_TEST(side_by_side)
UNIT_TEST(vector)
UNIT_TEST(ties)
UNIT_TEST(large)
UNIT_TEST(overflow)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small),        cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_side_by_side), cmocka_unit_test(test_vector),
        cmocka_unit_test(test_ties),         cmocka_unit_test(test_large),
        cmocka_unit_test(test_overflow)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
