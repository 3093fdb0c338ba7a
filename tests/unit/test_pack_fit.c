/* Offset packing: fast fits against brute force, alignment, fixed offsets, gaps, errors. */
#include "tests/unit/pack_gen.h"
#include "tests/unit/unit.h"

static tn_pack_result solve(tn_arena *a, const tn_pack_buffer *b, uint32_t n,
                            const tn_pack_options *options) {
    tn_pack_result r;
    uint32_t x, y;
    assert_int_equal(tn_pack(a, b, n, options, &r), TN_OK);
    assert_true(tn_pack_valid(a, b, n, r.offsets, &x, &y));
    uint64_t height = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t top = r.offsets[i] + b[i].size;
        height = top > height ? top : height;
    }
    assert_int_equal(r.height, height);
    assert_true(r.bound <= r.height);
    assert_int_equal(r.optimal, r.bound == r.height);
    return r;
}

static void check_against_brute(tn_arena *a, const tn_pack_buffer *b, uint32_t n) {
    uint64_t best = gen_optimum(b, n);
    for (uint32_t effort = 0; effort <= 1; effort++) {
        tn_pack_options o = {.effort = effort};
        tn_pack_result r = solve(a, b, n, &o);
        assert_true(r.bound <= best);
        assert_true(r.height >= best);
    }
    tn_pack_options search = {.effort = 2};
    tn_pack_result r = solve(a, b, n, &search);
    assert_true(r.optimal);
    assert_int_equal(r.height, best);
    if (best > 1) { /* a capacity of 0 is none */
        tn_pack_options below = {.effort = 2, .capacity = best - 1};
        assert_int_equal(tn_pack(a, b, n, &below, &r), TN_NOFIT);
        assert_true(r.bound > best - 1);
    }
}

static tn_status brute_force(tn_ctx *ctx, void *arg) {
    (void)arg;
    uint64_t seed = 1;
    for (uint32_t round = 0; round < 150; round++) {
        tn_arena *a = tn_arena_new(ctx);
        tn_pack_buffer b[7];
        uint32_t n = 1 + gen_below(&seed, 7);
        gen_plain(&seed, b, n, 8, 12);
        for (uint32_t i = 0; i < n && round % 3 == 1; i++) {
            b[i].align = UINT64_C(1) << gen_below(&seed, 4);
        }
        for (uint32_t i = 0; i < n && round % 3 == 2; i++) {
            b[i].align = 4;
            b[i].size = gen_below(&seed, 12);
        }
        check_against_brute(a, b, n);
        tn_arena_drop(a);
    }
    return TN_OK;
}

/* One fixed buffer at a random place, so that no two fixed ones can collide. */
static tn_status fixed_offsets(tn_ctx *ctx, void *arg) {
    (void)arg;
    uint64_t seed = 2;
    for (uint32_t round = 0; round < 60; round++) {
        tn_arena *a = tn_arena_new(ctx);
        tn_pack_buffer b[6];
        gen_plain(&seed, b, 6, 6, 9);
        b[3].fixed = gen_below(&seed, 20);
        check_against_brute(a, b, 6);
        tn_arena_drop(a);
    }
    return TN_OK;
}

static tn_status every_algorithm(tn_ctx *ctx, void *arg) {
    (void)arg;
    uint64_t seed = 3;
    tn_arena *a = tn_arena_new(ctx);
    tn_pack_buffer b[200];
    gen_plain(&seed, b, 200, 60, 1000);
    for (const char *const *name = tn_pack_algorithms; *name != NULL; name++) {
        tn_pack_options o = {.effort = 1, .algorithm = *name};
        tn_pack_result r = solve(a, b, 200, &o);
        assert_string_equal(r.algorithm, *name);
    }
    tn_pack_options o = {.effort = 1, .algorithm = "no such"};
    tn_pack_result r;
    assert_int_equal(tn_pack(a, b, 200, &o, &r), TN_USAGE);
    return TN_OK;
}

/* The first buffer is needed whole only at its ends; the second fits into the hole. */
static tn_status gaps(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_arena *a = tn_arena_new(ctx);
    static const tn_pack_gap hole[] = {{6, 8, 0, 0}, {2, 5, 10, 30}};
    tn_pack_buffer b[] = {{0, 10, 40, 1, TN_PACK_FREE, hole, 2},
                          {2, 4, 10, 1, TN_PACK_FREE, NULL, 0},
                          {3, 5, 10, 1, TN_PACK_FREE, NULL, 0},
                          {6, 8, 40, 8, TN_PACK_FREE, NULL, 0}};
    tn_pack_result r = solve(a, b, 4, NULL);
    assert_int_equal(r.height, 40);
    assert_true(r.optimal);
    uint64_t at[] = {0, 5, 30, 0};
    uint32_t x, y;
    assert_false(tn_pack_valid(a, b, 4, at, &x, &y));
    assert_int_equal(x + y, 1);
    return TN_OK;
}

static tn_status random_gaps(tn_ctx *ctx, void *arg) {
    (void)arg;
    uint64_t seed = 4;
    for (uint32_t round = 0; round < 40; round++) {
        tn_arena *a = tn_arena_new(ctx);
        tn_pack_buffer b[40];
        tn_pack_gap holes[40];
        gen_plain(&seed, b, 40, 30, 50);
        for (uint32_t i = 0; i < 40; i++) {
            int64_t life = b[i].last - b[i].first;
            uint64_t size = b[i].size;
            if (life > 3 && size > 4) {
                holes[i] = (tn_pack_gap){b[i].first + 1, b[i].last - 1, size / 4, size / 2};
                b[i].gaps = &holes[i];
                b[i].n_gaps = 1;
            }
            b[i].align = 1 + gen_below(&seed, 3);
        }
        solve(a, b, 40, NULL);
        tn_arena_drop(a);
    }
    return TN_OK;
}

static tn_status bounds(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_arena *a = tn_arena_new(ctx);
    tn_pack_buffer b[] = {{0, 2, 10, 16, TN_PACK_FREE, NULL, 0},
                          {1, 3, 20, 16, TN_PACK_FREE, NULL, 0},
                          {2, 4, 3, 16, TN_PACK_FREE, NULL, 0}};
    int64_t when;
    assert_int_equal(tn_pack_max_live(a, b, 3, &when), 30);
    assert_int_equal(when, 1);
    tn_pack_result r = solve(a, b, 3, NULL);
    assert_int_equal(r.bound, 36); /* 20 bytes above the 16 that 10 take */
    assert_true(r.optimal);
    b[2].fixed = 64;
    r = solve(a, b, 3, NULL);
    assert_int_equal(r.bound, 67);
    assert_int_equal(r.bound_kind, TN_BOUND_BUFFER);
    return TN_OK;
}

static tn_status capacity(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_arena *a = tn_arena_new(ctx);
    tn_pack_buffer b[] = {{0, 2, 10, 1, TN_PACK_FREE, NULL, 0},
                          {1, 3, 20, 1, TN_PACK_FREE, NULL, 0}};
    tn_pack_options o = {.effort = 1, .capacity = 29};
    tn_pack_result r;
    assert_int_equal(tn_pack(a, b, 2, &o, &r), TN_NOFIT);
    assert_true(r.bound > 29);
    o.capacity = 30;
    assert_int_equal(tn_pack(a, b, 2, &o, &r), TN_OK);
    return TN_OK;
}

static tn_status edges(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_arena *a = tn_arena_new(ctx);
    tn_pack_result r = solve(a, NULL, 0, NULL);
    assert_int_equal(r.height, 0);
    assert_true(r.optimal);
    tn_pack_buffer zero[] = {{0, 1, 0, 1, TN_PACK_FREE, NULL, 0},
                             {0, 9, 7, 1, TN_PACK_FREE, NULL, 0}};
    r = solve(a, zero, 2, NULL);
    assert_int_equal(r.offsets[0], 0);
    assert_int_equal(r.height, 7);
    return TN_OK;
}

static tn_status malformed(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_arena *a = tn_arena_new(ctx);
    static const tn_pack_gap outside = {5, 9, 0, 0}, twice[] = {{1, 3, 0, 0}, {2, 4, 0, 0}};
    static const tn_pack_gap beyond = {1, 2, 0, 11};
    const tn_pack_buffer good = {0, 8, 10, 1, TN_PACK_FREE, NULL, 0};
    const struct {
        tn_pack_buffer buffer[2];
    } bad[] = {
        {{good, {3, 3, 10, 1, TN_PACK_FREE, NULL, 0}}},
        {{good, {3, 4, 10, 0, TN_PACK_FREE, NULL, 0}}},
        {{good, {0, 8, UINT64_C(1) << 63, 1, TN_PACK_FREE, NULL, 0}}},
        {{good, {0, 8, 10, 4, 6, NULL, 0}}},
        {{{0, 8, 10, 1, 4, NULL, 0}, {7, 9, 10, 1, 13, NULL, 0}}},
        {{good, {0, 8, 10, 1, TN_PACK_FREE, &outside, 1}}},
        {{good, {0, 8, 10, 1, TN_PACK_FREE, twice, 2}}},
        {{good, {0, 8, 10, 1, TN_PACK_FREE, &beyond, 1}}},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        tn_pack_result r;
        assert_int_equal(tn_pack(a, bad[i].buffer, 2, NULL, &r), TN_ERROR);
    }
    return TN_OK;
}

static tn_status checker(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_arena *a = tn_arena_new(ctx);
    tn_pack_buffer b[] = {{0, 4, 8, 4, TN_PACK_FREE, NULL, 0},
                          {3, 6, 8, 4, TN_PACK_FREE, NULL, 0},
                          {4, 6, 8, 4, 16, NULL, 0}};
    static const struct {
        uint64_t at[3];
        bool ok;
        uint32_t a, b;
    } cases[] = {
        {{0, 8, 16}, true, 0, 0},   {{0, 4, 16}, false, 0, 1}, {{8, 4, 16}, false, 0, 1},
        {{0, 10, 16}, false, 1, 1}, {{0, 8, 20}, false, 2, 2}, {{16, 8, 16}, true, 0, 0},
        {{0, 12, 16}, false, 1, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint32_t x = 9, y = 9;
        assert_int_equal(tn_pack_valid(a, b, 3, cases[i].at, &x, &y), cases[i].ok);
        if (!cases[i].ok) {
            assert_int_equal(x < y ? x : y, cases[i].a);
            assert_int_equal(x < y ? y : x, cases[i].b);
        }
    }
    return TN_OK;
}

/* However little may be spent on a large instance, and however far from the goal the first fits
 * lead: there is a packing in the end. */
static tn_status hardly_any_work(tn_ctx *ctx, void *arg) {
    (void)arg;
    enum { N = 5000 };
    tn_arena *a = tn_arena_new(ctx);
    tn_pack_buffer *b = TN_ARRAY(a, tn_pack_buffer, N);
    for (uint32_t i = 0; i < N; i++) {
        uint32_t life = 3 + i * 7919 % 97 * (i * 31 % 11);
        b[i] = (tn_pack_buffer){i, i + life, 1, 1, TN_PACK_FREE, NULL, 0};
    }
    static const tn_pack_gap gap = {N / 2 + 1, N / 2 + 2, 0, 0};
    b[N / 2].gaps = &gap; /* keeps the searches away, which would find one too */
    b[N / 2].n_gaps = 1;
    for (uint32_t effort = 1; effort <= 2; effort++) {
        tn_pack_options o = {.effort = effort, .work = 1, .budget = 1};
        tn_pack_result r = solve(a, b, N, &o);
        assert_true(r.height < 2 * r.bound);
        assert_string_not_equal(r.algorithm, "none");
    }
    return TN_OK;
}

UNIT_TEST(brute_force)
UNIT_TEST(hardly_any_work)
UNIT_TEST(fixed_offsets)
UNIT_TEST(every_algorithm)
UNIT_TEST(gaps)
UNIT_TEST(random_gaps)
UNIT_TEST(bounds)
UNIT_TEST(capacity)
UNIT_TEST(edges)
UNIT_TEST(malformed)
UNIT_TEST(checker)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_brute_force),   cmocka_unit_test(test_hardly_any_work),
        cmocka_unit_test(test_fixed_offsets), cmocka_unit_test(test_every_algorithm),
        cmocka_unit_test(test_gaps),          cmocka_unit_test(test_random_gaps),
        cmocka_unit_test(test_bounds),        cmocka_unit_test(test_capacity),
        cmocka_unit_test(test_edges),         cmocka_unit_test(test_malformed),
        cmocka_unit_test(test_checker)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
