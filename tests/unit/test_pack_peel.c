/* Buffers live throughout are put at the bottom, again and again, and nothing is lost by it. */
#include "passes/pack/offsets/peel.h"
#include "tests/unit/pack_gen.h"
#include "tests/unit/unit.h"

static tn_pack_buffer buffer(int64_t first, int64_t last, uint64_t size, uint64_t align) {
    return (tn_pack_buffer){first, last, size, align, TN_PACK_FREE, NULL, 0};
}

static tn_status rounds(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_arena *a = tn_arena_new(ctx);
    /* The second is live throughout once the first is gone; one of no bytes changes nothing. */
    const tn_pack_buffer b[] = {buffer(0, 9, 8, 4), buffer(2, 6, 4, 4), buffer(2, 4, 12, 4),
                                buffer(3, 6, 4, 4), buffer(0, 20, 0, 4)};
    tn_peeled p;
    assert_true(tn_peel(a, b, 5, &p));
    assert_int_equal(p.base, 12);
    assert_int_equal(p.n_rest, 3);
    assert_int_equal(p.of_rest[0], 2);
    assert_int_equal(p.offsets[0], 0);
    assert_int_equal(p.offsets[1], 8);
    tn_pack_result r;
    assert_int_equal(tn_pack(a, b, 5, NULL, &r), TN_OK);
    assert_int_equal(r.height, 28);
    assert_true(r.optimal);
    assert_int_equal(r.bound_time, 3);
    const tn_pack_options tight = {.effort = 1, .capacity = 27},
                          tiny = {.effort = 1, .capacity = 7};
    assert_int_equal(tn_pack(a, b, 5, &tight, &r), TN_NOFIT);
    assert_int_equal(r.bound, 28);
    assert_int_equal(tn_pack(a, b, 5, &tiny, &r), TN_NOFIT);
    return TN_OK;
}

static tn_status what_stays(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_arena *a = tn_arena_new(ctx);
    tn_peeled p;
    tn_pack_buffer b[] = {buffer(0, 9, 8, 4), buffer(2, 6, 4, 4), buffer(4, 8, 4, 4)};
    assert_true(tn_peel(a, b, 3, &p));
    b[0].size = 5; /* might better lie on top */
    assert_false(tn_peel(a, b, 3, &p));
    b[0].size = 8;
    b[1].align = 2;
    assert_false(tn_peel(a, b, 3, &p));
    b[1].align = 4;
    b[2].fixed = 4;
    assert_false(tn_peel(a, b, 3, &p));
    b[2].fixed = TN_PACK_FREE;
    const tn_pack_gap gap = {3, 4, 0, 0};
    b[0].gaps = &gap;
    b[0].n_gaps = 1;
    assert_false(tn_peel(a, b, 3, &p));
    return TN_OK;
}

/* Small instances between buffers live throughout: as low as trying everything, and by as much
 * higher as those are large. */
static tn_status none_lost(tn_ctx *ctx, void *arg) {
    (void)arg;
    enum { N = 7, TRIALS = 300 };
    uint64_t seed = 11;
    for (uint32_t t = 0; t < TRIALS; t++) {
        tn_arena *a = tn_arena_new(ctx);
        tn_pack_buffer b[N + 2];
        gen_plain(&seed, b, N, 6, 9);
        tn_pack_result alone, all;
        const tn_pack_options search = {.effort = 2};
        assert_int_equal(tn_pack(a, b, N, &search, &alone), TN_OK);
        b[N] = buffer(-1, 7, 1 + gen_below(&seed, 9), 1);
        b[N + 1] = buffer(-1, 7, 1 + gen_below(&seed, 9), 1);
        assert_int_equal(tn_pack(a, b, N + 2, &search, &all), TN_OK);
        assert_int_equal(all.height, alone.height + b[N].size + b[N + 1].size);
        assert_true(all.optimal);
        uint32_t x, y;
        assert_true(tn_pack_valid(a, b, N + 2, all.offsets, &x, &y));
        tn_arena_drop(a);
    }
    return TN_OK;
}

UNIT_TEST(rounds)
UNIT_TEST(what_stays)
UNIT_TEST(none_lost)

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rounds),
                                       cmocka_unit_test(test_what_stays),
                                       cmocka_unit_test(test_none_lost)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
