/* Buffers joined into blocks: what is joined, where the parts lie, and that large tilings are found
 * by it. */
#include "passes/pack/offsets/blocks.h"
#include "passes/pack/offsets/blocks_search.h"
#include "tests/unit/pack_gen.h"
#include "tests/unit/unit.h"

/* Packs the blocks one above the other and checks that the parts make a packing. */
static uint32_t joined_count(tn_arena *a, const tn_pack_buffer *b, uint32_t n, uint32_t trust) {
    const tn_inst *inst = tn_inst_make(a, b, n);
    tn_blocks *join = tn_blocks_make(a, inst, trust, NULL);
    if (join == NULL) {
        return n;
    }
    const tn_inst *blocks = tn_blocks_inst(join);
    uint64_t *at = TN_ARRAY(a, uint64_t, blocks->n), *items = TN_ARRAY(a, uint64_t, inst->n);
    uint64_t *bytes = TN_ARRAY(a, uint64_t, n), height = 0;
    for (uint32_t k = 0; k < blocks->n; k++) {
        at[k] = height;
        height += blocks->items[k].size;
    }
    tn_blocks_expand(join, at, items);
    for (uint32_t i = 0; i < inst->n; i++) {
        bytes[inst->items[i].buffer] = items[i] * inst->unit;
    }
    uint32_t x, y;
    assert_true(tn_pack_valid(a, b, n, bytes, &x, &y));
    return blocks->n;
}

static tn_pack_buffer buffer(int64_t first, int64_t last, uint64_t size) {
    return (tn_pack_buffer){first, last, size, 1, TN_PACK_FREE, NULL, 0};
}

static tn_status rules(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_arena *a = tn_arena_new(ctx);
    tn_pack_buffer chain[] = {buffer(0, 2, 7), buffer(2, 3, 7), buffer(3, 9, 7)};
    assert_int_equal(joined_count(a, chain, 3, 0), 1);
    chain[1].size = 6;
    assert_int_equal(joined_count(a, chain, 3, 0), 3);
    tn_pack_buffer stack[] = {buffer(0, 2, 7), buffer(2, 4, 3), buffer(2, 4, 4)};
    assert_int_equal(joined_count(a, stack, 3, 1), 1);
    tn_pack_buffer wheel[] = {buffer(0, 3, 5), buffer(0, 6, 3), buffer(3, 6, 2), buffer(3, 9, 3),
                              buffer(6, 9, 5)};
    assert_int_equal(joined_count(a, wheel, 5, 16), 1);
    wheel[2].size = 1;
    assert_int_equal(joined_count(a, wheel, 5, 0), 5);
    return TN_OK;
}

/* A fixed or aligned buffer, or one with gaps, takes part in nothing. */
static tn_status rigid(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_arena *a = tn_arena_new(ctx);
    tn_pack_buffer pair[] = {buffer(0, 2, 8), buffer(2, 4, 8), buffer(0, 4, 3)};
    assert_int_equal(joined_count(a, pair, 3, 0), 1);
    pair[0].align = 8;
    assert_int_equal(joined_count(a, pair, 3, 0), 3);
    pair[0].align = 1;
    pair[0].fixed = 16;
    assert_int_equal(joined_count(a, pair, 3, 0), 3);
    return TN_OK;
}

static tn_status any_instance(tn_ctx *ctx, void *arg) {
    (void)arg;
    uint64_t seed = 41;
    for (uint32_t round = 0; round < 100; round++) {
        tn_arena *a = tn_arena_new(ctx);
        tn_pack_buffer b[60];
        gen_plain(&seed, b, 60, 12, 1 + round % 8);
        for (uint32_t trust = 0; trust <= 4; trust++) {
            joined_count(a, b, 60, trust);
        }
        tn_arena_drop(a);
    }
    return TN_OK;
}

static tn_status large_tilings(tn_ctx *ctx, void *arg) {
    (void)arg;
    enum { N = 2000, HEIGHT = 1 << 20 };
    for (uint32_t family = 0; family < GEN_FAMILIES; family++) {
        tn_arena *a = tn_arena_new(ctx);
        tn_pack_buffer *b = TN_ARRAY(a, tn_pack_buffer, N);
        uint64_t *at = TN_ARRAY(a, uint64_t, N), seed = 42;
        uint32_t n = gen_family_tiling(&seed, (gen_family)family, b, at, N, 1 << 20, HEIGHT);
        const tn_inst *inst = tn_inst_make(a, b, n);
        tn_packing p = {TN_ARRAY(a, uint64_t, n), UINT64_MAX, NULL};
        tn_search_options o = {.goal = HEIGHT, .budget = 400000};
        tn_search_result r = {0};
        tn_blocks_search(a, inst, &o, &p, &r);
        assert_int_equal(p.height, HEIGHT);
        uint64_t *bytes = TN_ARRAY(a, uint64_t, n);
        uint32_t x, y;
        for (uint32_t i = 0; i < inst->n; i++) {
            bytes[inst->items[i].buffer] = p.offsets[i] * inst->unit;
        }
        assert_true(tn_pack_valid(a, b, n, bytes, &x, &y));
        tn_arena_drop(a);
    }
    return TN_OK;
}

UNIT_TEST(rules)
UNIT_TEST(rigid)
UNIT_TEST(any_instance)
UNIT_TEST(large_tilings)

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rules), cmocka_unit_test(test_rigid),
                                       cmocka_unit_test(test_any_instance),
                                       cmocka_unit_test(test_large_tilings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
