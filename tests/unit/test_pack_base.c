/* What packing is built on: sorting, heaps and sets of small integers, against slow ways. */
#include "ir/base/bit_tree.h"
#include "ir/base/bits.h"
#include "ir/base/heap.h"
#include "ir/base/key_sort.h"
#include "passes/pack/base/failed_states.h"
#include "tests/unit/pack_gen.h"
#include "tests/unit/unit.h"

static tn_status sorting(tn_ctx *ctx, void *arg) {
    (void)arg;
    uint64_t seed = 1;
    for (uint32_t n = 0; n < 400; n += 1 + n / 3) {
        tn_arena *a = tn_arena_new(ctx);
        tn_sort_key *keys = tn_sort_room(a, n);
        uint64_t *key = TN_ARRAY(a, uint64_t, n);
        uint32_t *items = TN_ARRAY(a, uint32_t, n);
        for (uint32_t i = 0; i < n; i++) {
            key[i] = (uint64_t)gen_below(&seed, 9) << (n % 2 == 0 ? 60 : 3);
            keys[i] = (tn_sort_key){key[i], i};
        }
        tn_sort_items(keys, n, items);
        for (uint32_t i = 1; i < n; i++) {
            assert_true(key[items[i - 1]] < key[items[i]] ||
                        (key[items[i - 1]] == key[items[i]] && items[i - 1] < items[i]));
        }
        tn_arena_drop(a);
    }
    return TN_OK;
}

static bool sooner(const uint32_t *key, const uint32_t *x, const uint32_t *y) {
    return key[*x] < key[*y];
}

static tn_status heaps(tn_ctx *ctx, void *arg) {
    (void)ctx;
    (void)arg;
    enum { N = 200 };
    uint64_t seed = 2;
    uint32_t key[N], heap[N], n = 0, last = 0;
    for (uint32_t i = 0; i < N; i++) {
        key[i] = gen_below(&seed, 50);
        heap[n++] = i;
        tn_heap_up(heap, n - 1, sooner, key);
    }
    while (n > 0) {
        assert_true(key[heap[0]] >= last);
        last = key[heap[0]];
        heap[0] = heap[--n];
        if (n > 0) {
            tn_heap_down(heap, n, 0, sooner, key);
        }
    }
    return TN_OK;
}

static tn_status sets(tn_ctx *ctx, void *arg) {
    (void)arg;
    enum { N = 5000 };
    uint64_t seed = 3, flat[N / 64 + 1] = {0};
    tn_bit_tree tree = tn_bit_tree_make(tn_arena_new(ctx), N);
    for (uint32_t round = 0; round < 3000; round++) {
        uint32_t i = gen_below(&seed, N), below = TN_BIT_NONE, above = TN_BIT_NONE;
        if (gen_below(&seed, 2) == 0) {
            tn_bit_tree_add(&tree, i);
            tn_bit_add(flat, i);
        } else {
            tn_bit_tree_remove(&tree, i);
            tn_bit_remove(flat, i);
        }
        TN_FOR_BITS(k, w, flat[w], tn_bit_words(N)) {
            below = k < i ? (uint32_t)k : below;
            above = k > i && above == TN_BIT_NONE ? (uint32_t)k : above;
        }
        assert_int_equal(tn_bit_tree_below(&tree, i), below);
        assert_int_equal(tn_bit_tree_above(&tree, i), above);
    }
    return TN_OK;
}

static void write_key(tn_failed_states *f, uint32_t i) {
    tn_failed_key(f);
    tn_failed_put(f, i);
    for (uint32_t k = 0; k < 100 + i % 7; k++) {
        tn_failed_put(f, i * UINT64_C(1000003) + k);
    }
}

/* States are known until so many others have been added that memory is used up; the capacity
 * counts. */
static tn_status failures(tn_ctx *ctx, void *arg) {
    (void)arg;
    enum { N = 100000 };
    tn_failed_states f = tn_failed_states_make(tn_arena_new(ctx), UINT64_MAX);
    uint32_t known = 0;
    for (uint32_t i = 0; i < N; i++) {
        write_key(&f, i);
        assert_false(tn_failed_known(&f, 0));
        tn_failed_add(&f, i % 5);
        assert_true(tn_failed_known(&f, i % 5));
        assert_false(tn_failed_known(&f, i % 5 + 1));
    }
    for (uint32_t i = 0; i < N; i++) {
        write_key(&f, i);
        bool is_known = tn_failed_known(&f, 0);
        assert_true(is_known || known == 0); /* the oldest are forgotten first */
        known += is_known;
    }
    assert_true(known > 1000 && known < N);
    return TN_OK;
}

UNIT_TEST(sorting)
UNIT_TEST(heaps)
UNIT_TEST(sets)
UNIT_TEST(failures)

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sorting), cmocka_unit_test(test_heaps),
                                       cmocka_unit_test(test_sets),
                                       cmocka_unit_test(test_failures)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
