/* What is named when a capacity is too small does not fit by itself, and fits when one goes. */
#include "tests/unit/pack_gen.h"
#include "tests/unit/unit.h"

/* The set without its skip-th member (set->n: all of it). */
static uint32_t members(const tn_pack_buffer *b, const tn_pack_misfit *set, uint32_t skip,
                        tn_pack_buffer *out) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < set->n; i++) {
        if (i != skip) {
            out[n++] = b[set->buffers[i]];
        }
    }
    return n;
}

/* What a set is too large by: the sum of those alive together, or what no packing is lower than. */
static uint64_t need(const tn_pack_buffer *b, const tn_pack_misfit *set, uint32_t skip) {
    tn_pack_buffer some[16];
    uint32_t n = members(b, set, skip, some);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n && set->kind == TN_MISFIT_TOGETHER; i++) {
        assert_true(some[i].first <= set->time && set->time < some[i].last);
        sum += some[i].size;
    }
    return set->kind == TN_MISFIT_TOGETHER ? sum : gen_optimum(some, n);
}

/* All of them do not fit, and no member can go. */
static void check(const tn_pack_buffer *b, const tn_pack_misfit *set, uint64_t capacity) {
    assert_true(set->n > 0 && set->bytes > capacity);
    assert_true(set->bytes <= need(b, set, set->n));
    for (uint32_t skip = 0; skip < set->n; skip++) {
        assert_true(need(b, set, skip) <= capacity);
    }
    assert_true(set->kind != TN_MISFIT_TOGETHER || set->bytes == need(b, set, set->n));
}

static tn_status offsets(tn_ctx *ctx, void *arg) {
    (void)arg;
    uint64_t seed = 21;
    uint32_t kinds[3] = {0};
    for (uint32_t round = 0; round < 1500; round++) {
        tn_arena *a = tn_arena_new(ctx);
        tn_pack_buffer b[9];
        uint32_t n = 2 + gen_below(&seed, 7);
        tn_pack_misfit m;
        gen_plain(&seed, b, n, 3 + gen_below(&seed, 8), 12);
        for (uint32_t i = 0; i < n && round % 2; i++) {
            b[i].align = UINT64_C(1) << gen_below(&seed, 4);
        }
        if (round % 5 == 0) {
            b[0].fixed = 8 * gen_below(&seed, 3);
        }
        uint64_t best = gen_optimum(b, n);
        tn_pack_options o = {.effort = 2, .capacity = best};
        assert_false(tn_pack_misfit_find(a, b, n, &o, &m));
        o.capacity = best - 1 - gen_below(&seed, best > 12 ? 3 : 1);
        if (o.capacity > 0) {
            assert_true(tn_pack_misfit_find(a, b, n, &o, &m));
            check(b, &m, o.capacity);
            kinds[m.kind]++;
        }
        tn_arena_drop(a);
    }
    assert_true(kinds[TN_MISFIT_ALONE] > 20 && kinds[TN_MISFIT_TOGETHER] > 20 &&
                kinds[TN_MISFIT_PROVEN] > 20);
    return TN_OK;
}

/* The fewest, wherever they are alive: two large ones, not the crowd of the fullest moment. */
static tn_status fewest(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_arena *a = tn_arena_new(ctx);
    tn_pack_buffer b[12];
    tn_pack_misfit m;
    for (uint32_t i = 0; i < 10; i++) {
        b[i] = (tn_pack_buffer){0, 5, 20, 1, TN_PACK_FREE, NULL, 0};
    }
    b[10] = (tn_pack_buffer){7, 9, 60, 1, TN_PACK_FREE, NULL, 0};
    b[11] = (tn_pack_buffer){8, 12, 70, 1, TN_PACK_FREE, NULL, 0};
    tn_pack_options o = {.effort = 1, .capacity = 100};
    assert_true(tn_pack_misfit_find(a, b, 12, &o, &m));
    assert_int_equal(m.n, 2);
    assert_int_equal(m.buffers[0], 11);
    assert_int_equal(m.buffers[1], 10);
    assert_int_equal(m.time, 8);
    assert_int_equal(m.bytes, 130);
    tn_pack_gap gap = {8, 9, 0, 10}; /* of the first, only ten bytes are in use then */
    b[10].gaps = &gap;
    b[10].n_gaps = 1;
    assert_true(tn_pack_misfit_find(a, b, 12, &o, &m));
    assert_int_equal(m.n, 6);
    assert_int_equal(m.time, 0);
    assert_int_equal(m.bytes, 120);
    return TN_OK;
}

static uint64_t least_total(tn_arena *a, const tn_pack_buffer *b, uint32_t n) {
    tn_slots_result r;
    assert_int_equal(tn_pack_slots(a, b, NULL, n, &(tn_pack_options){.effort = 2}, &r), TN_OK);
    assert_true(r.optimal); /* which test_pack_slots compares with brute force */
    return r.total;
}

static tn_status slots(tn_ctx *ctx, void *arg) {
    (void)arg;
    uint64_t seed = 22;
    uint32_t proven = 0;
    for (uint32_t round = 0; round < 500; round++) {
        tn_arena *a = tn_arena_new(ctx);
        tn_pack_buffer b[14], some[14];
        uint32_t n = 2 + gen_below(&seed, 12);
        tn_pack_misfit m;
        gen_plain(&seed, b, n, 12, 12);
        uint64_t best = least_total(a, b, n);
        tn_pack_options o = {.effort = 1, .capacity = best};
        assert_false(tn_pack_slots_misfit(a, b, n, &o, &m));
        o.capacity = best - 1;
        if (o.capacity > 0) {
            assert_true(tn_pack_slots_misfit(a, b, n, &o, &m));
            proven += m.kind == TN_MISFIT_PROVEN;
            for (uint32_t skip = 0; skip <= m.n; skip++) {
                uint32_t left = members(b, &m, skip, some);
                assert_int_equal(least_total(a, some, left) > o.capacity, skip == m.n);
            }
        }
        tn_arena_drop(a);
    }
    assert_true(proven > 20);
    return TN_OK;
}

UNIT_TEST(offsets)
UNIT_TEST(fewest)
UNIT_TEST(slots)

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_offsets),
                                       cmocka_unit_test(test_fewest), cmocka_unit_test(test_slots)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
