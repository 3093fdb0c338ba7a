/* Exact search: against brute force and against each other, tilings with a known optimum, the same
 * result with any number of threads, large instances. */
#include "passes/pack/offsets/exact/beam.h"
#include "passes/pack/offsets/exact/canonical.h"
#include "passes/pack/offsets/exact/heights.h"
#include "passes/pack/offsets/exact/valley.h"
#include "passes/pack/offsets/repair.h"
#include "tests/unit/drawn.h"
#include "tests/unit/pack_gen.h"
#include "tests/unit/unit.h"

static void check_offsets(tn_arena *a, const tn_pack_buffer *b, uint32_t n, const tn_inst *inst,
                          const uint64_t *offsets, uint64_t goal) {
    uint64_t *bytes = TN_ARRAY(a, uint64_t, n);
    uint32_t x, y;
    for (uint32_t i = 0; i < inst->n; i++) {
        bytes[inst->items[i].buffer] = offsets[i] * inst->unit;
        assert_true(tn_inst_top(inst, i, offsets[i]) <= goal);
    }
    assert_true(tn_pack_valid(a, b, n, bytes, &x, &y));
}

/* Every rule of both searches answers right for the optimum and for the height below it. */
static void check_both(tn_arena *a, const tn_pack_buffer *b, uint32_t n) {
    static const tn_valley_rule rules[] = {{TN_PICK_SLACK, "WZ", true},
                                           {TN_PICK_NARROW, "LW", false},
                                           {TN_PICK_FEWEST, "wZ", true},
                                           {TN_PICK_LOWEST, "AW", false}};
    static const char *const orders[] = {"TWA", "LZ", "WAT"};
    uint64_t best = gen_optimum(b, n), nodes = 0;
    const tn_inst *inst = tn_inst_make(a, b, n);
    const tn_rows *core = tn_rows_make(a, inst);
    uint64_t *at = TN_ARRAY(a, uint64_t, n);
    for (uint64_t goal = best - 1; goal <= best; goal++) {
        tn_found right = goal == best ? TN_FOUND : TN_FOUND_NONE;
        for (size_t k = 0; k < 4 && inst->plain; k++) {
            tn_question q = {.goal = goal, .budget = UINT64_MAX, .seed = (uint32_t)k / 2};
            assert_int_equal(tn_valley_run(a, core, &rules[k], &q, at, &nodes), right);
            if (right == TN_FOUND) {
                check_offsets(a, b, n, inst, at, goal);
            }
        }
        tn_question q = {.goal = goal, .budget = UINT64_MAX};
        for (size_t k = 0; k < 3; k++) {
            assert_int_equal(tn_canonical_run(a, core, orders[k], &q, at, &nodes), right);
            if (right == TN_FOUND) {
                check_offsets(a, b, n, inst, at, goal);
            }
        }
    }
    assert_true(tn_heights_above(a, inst, best - 1) == best);
}

static tn_status both_searches(tn_ctx *ctx, void *arg) {
    (void)arg;
    uint64_t seed = 11;
    for (uint32_t round = 0; round < DRAWN(200); round++) {
        tn_arena *a = tn_arena_new(ctx);
        tn_pack_buffer b[8];
        uint32_t n = 1 + gen_below(&seed, 8);
        gen_plain(&seed, b, n, 9, round % 4 == 3 ? 3 : 15);
        for (uint32_t i = 0; i < n && round % 4 == 1; i++) {
            b[i].align = 4;
        }
        for (uint32_t i = 0; i < n && round % 4 == 2; i++) {
            b[i].align = UINT64_C(1) << gen_below(&seed, 3);
        }
        check_both(a, b, n);
        tn_arena_drop(a);
    }
    return TN_OK;
}

static tn_status tilings(tn_ctx *ctx, void *arg) {
    (void)arg;
    uint64_t seed = 12;
    for (uint32_t round = 0; round < 12; round++) {
        tn_arena *a = tn_arena_new(ctx);
        tn_pack_buffer b[60];
        uint64_t at[60];
        uint32_t x, y, n = gen_tiling(&seed, b, at, 60, 40, 64);
        assert_true(tn_pack_valid(a, b, n, at, &x, &y));
        tn_pack_options o = {.effort = 2};
        tn_pack_result r;
        assert_int_equal(tn_pack(a, b, n, &o, &r), TN_OK);
        assert_true(tn_pack_valid(a, b, n, r.offsets, &x, &y));
        assert_int_equal(r.height, 64);
        assert_true(r.optimal);
        tn_arena_drop(a);
    }
    return TN_OK;
}

/* A beam finds packings without waste, and only claims what it found. */
static tn_status beams(tn_ctx *ctx, void *arg) {
    (void)arg;
    uint32_t found = 0;
    for (uint64_t round = 1; round <= 20; round++) {
        tn_arena *a = tn_arena_new(ctx);
        tn_pack_buffer b[100];
        uint64_t at[100], seed = round, nodes = 0;
        uint32_t n = gen_tiling(&seed, b, at, 100, 100, 1024);
        const tn_inst *inst = tn_inst_make(a, b, n);
        const tn_rows *rows = tn_rows_make(a, inst);
        tn_question q = {.goal = 1024, .budget = 100 * (uint64_t)n};
        assert_true(tn_beam_possible(inst, 1024));
        assert_false(tn_beam_possible(inst, 1025));
        uint64_t *offsets = TN_ARRAY(a, uint64_t, n);
        tn_valley_pick pick = round % 2 == 0 ? TN_PICK_LOWEST : TN_PICK_NARROW;
        tn_found answer = tn_beam_run(a, rows, pick, &q, offsets, &nodes);
        assert_true(nodes > 0 && nodes <= q.budget);
        assert_true(answer == TN_FOUND || answer == TN_FOUND_CUT);
        if (answer == TN_FOUND) {
            check_offsets(a, b, n, inst, offsets, 1024);
            found++;
        }
        q.budget = n - 1;
        assert_int_equal(tn_beam_run(a, rows, pick, &q, offsets, &nodes), TN_FOUND_CUT);
        tn_arena_drop(a);
    }
    print_message("%u of 20 tilings\n", found);
    assert_true(found >= 10);
    return TN_OK;
}

static tn_status threads(tn_ctx *ctx, void *arg) {
    (void)arg;
    uint64_t seed = 13;
    tn_arena *a = tn_arena_new(ctx);
    for (uint32_t round = 0; round < 4; round++) {
        tn_pack_buffer b[100];
        uint64_t at[100];
        uint32_t n = gen_tiling(&seed, b, at, 100, 60, 500);
        for (uint32_t i = 0; i < n; i++) {
            b[i].size += gen_below(&seed, 3);
        }
        tn_pack_result one, r;
        tn_pack_options o = {.effort = 2, .budget = 30000};
        assert_int_equal(tn_pack(a, b, n, &o, &one), TN_OK);
        for (o.threads = 2; o.threads <= 4; o.threads++) {
            assert_int_equal(tn_pack(a, b, n, &o, &r), TN_OK);
            assert_int_equal(r.height, one.height);
            assert_int_equal(r.bound, one.bound);
            assert_int_equal(r.nodes, one.nodes);
            assert_memory_equal(r.offsets, one.offsets, n * sizeof *r.offsets);
        }
    }
    return TN_OK;
}

/* Nothing reaches max-live here, and the search proves how far above it the optimum is. */
static tn_status proven_above_live(tn_ctx *ctx, void *arg) {
    (void)arg;
    static const int64_t rows[9][3] = {{3, 5, 2}, {2, 5, 2}, {5, 6, 5}, {0, 6, 1}, {1, 5, 2},
                                       {0, 1, 5}, {0, 3, 5}, {1, 4, 2}, {4, 6, 5}};
    tn_arena *a = tn_arena_new(ctx);
    tn_pack_buffer b[9];
    for (uint32_t i = 0; i < 9; i++) {
        b[i] = (tn_pack_buffer){rows[i][0], rows[i][1], (uint64_t)rows[i][2], 1, TN_PACK_FREE,
                                NULL,       0};
    }
    assert_int_equal(tn_pack_max_live(a, b, 9, NULL), 12);
    assert_int_equal(gen_optimum(b, 9), 13);
    tn_pack_options o = {.effort = 1};
    tn_pack_result r;
    assert_int_equal(tn_pack(a, b, 9, &o, &r), TN_OK);
    assert_int_equal(r.height, 13);
    assert_true(r.optimal);
    assert_int_equal(r.bound_kind, TN_BOUND_SEARCH);
    o.capacity = 12;
    assert_int_equal(tn_pack(a, b, 9, &o, &r), TN_NOFIT);
    assert_true(r.bound > 12);
    return TN_OK;
}

static tn_status budget_ends(tn_ctx *ctx, void *arg) {
    (void)arg;
    uint64_t seed = 14;
    tn_arena *a = tn_arena_new(ctx);
    static tn_pack_buffer b[900];
    static uint64_t at[900];
    uint32_t x, y, n = gen_tiling(&seed, b, at, 900, 300, 100000);
    tn_pack_options o = {.effort = 2, .budget = DRAWN(5000), .capacity = 100000};
    tn_pack_result r;
    tn_status status = tn_pack(a, b, n, &o, &r);
    assert_true(tn_pack_valid(a, b, n, r.offsets, &x, &y));
    assert_int_equal(status, r.height > 100000 ? TN_NOFIT : TN_OK);
    assert_int_equal(r.bound, 100000);
    o = (tn_pack_options){.effort = 3, .wall_ms = 20};
    assert_int_equal(tn_pack(a, b, n, &o, &r), TN_OK);
    assert_true(tn_pack_valid(a, b, n, r.offsets, &x, &y));
    return TN_OK;
}

/* Network-like: chains of short live ranges under a few long ones. */
static tn_status large(tn_ctx *ctx, void *arg) {
    (void)arg;
    enum { N = 5000 };
    uint64_t seed = 15;
    tn_arena *a = tn_arena_new(ctx);
    tn_pack_buffer *b = TN_ARRAY(a, tn_pack_buffer, N);
    for (uint32_t i = 0; i < N; i++) {
        int64_t first = gen_below(&seed, N / 4);
        int64_t life = gen_below(&seed, 20) == 0 ? gen_below(&seed, N / 4) : gen_below(&seed, 5);
        b[i] = (tn_pack_buffer){
            first, first + 1 + life, 64u * (1 + gen_below(&seed, 5000)), 64, TN_PACK_FREE, NULL, 0};
    }
    tn_pack_result r;
    uint32_t x, y;
    assert_int_equal(tn_pack(a, b, N, NULL, &r), TN_OK);
    assert_true(tn_pack_valid(a, b, N, r.offsets, &x, &y));
    assert_true(r.height <= r.bound + r.bound / 100);
    return TN_OK;
}

/* A packing spoilt at one place is mended there. */
static tn_status mending(tn_ctx *ctx, void *arg) {
    (void)arg;
    enum { N = 400 };
    uint64_t seed = 16;
    tn_arena *a = tn_arena_new(ctx);
    tn_pack_buffer b[N];
    uint64_t at[N];
    uint32_t n = gen_tiling(&seed, b, at, N, 200, 1000);
    const tn_inst *inst = tn_inst_make(a, b, n);
    tn_packing p = {TN_ARRAY(a, uint64_t, n), 0, "given"};
    for (uint32_t i = 0; i < inst->n; i++) {
        p.offsets[i] = at[inst->items[i].buffer] / inst->unit;
    }
    uint32_t shortest = 0;
    for (uint32_t i = 1; i < inst->n; i++) {
        const tn_item *x = &inst->items[i], *y = &inst->items[shortest];
        shortest = x->b - x->a < y->b - y->a ? i : shortest;
    }
    p.offsets[shortest] = 1000 / inst->unit + 5;
    tn_repair_options o = {.goal = 1000, .budget = 10000000};
    assert_true(tn_repair_run(a, inst, &o, &p) > 0);
    assert_int_equal(p.height, 1000);
    check_offsets(a, b, n, inst, p.offsets, 1000);
    return TN_OK;
}

UNIT_TEST(both_searches)
UNIT_TEST(tilings)
UNIT_TEST(beams)
UNIT_TEST(threads)
UNIT_TEST(proven_above_live)
UNIT_TEST(budget_ends)
UNIT_TEST(large)
UNIT_TEST(mending)

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_both_searches),
                                       cmocka_unit_test(test_tilings),
                                       cmocka_unit_test(test_beams),
                                       cmocka_unit_test(test_threads),
                                       cmocka_unit_test(test_proven_above_live),
                                       cmocka_unit_test(test_budget_ends),
                                       cmocka_unit_test(test_large),
                                       cmocka_unit_test(test_mending)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
