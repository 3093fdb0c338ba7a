/* Shared objects: memonger's vectors, groups, the bound against brute force. */
#include "passes/pack/slots/slots_search.h"
#include "tests/unit/memonger.h"
#include "tests/unit/pack_gen.h"
#include "tests/unit/unit.h"

/* Ranges as memonger gives them: defined and last used, both included; an item may follow another
 * only when it is defined after the other's last use. */
static void ranges(tn_pack_buffer *b, const int64_t (*r)[3], uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        b[i] = (tn_pack_buffer){r[i][0], r[i][1] + 1, (uint64_t)r[i][2], 1, TN_PACK_FREE, NULL, 0};
    }
}

static void check(const tn_pack_buffer *b, const uint32_t *group, uint32_t n,
                  const tn_slots_result *r) {
    uint64_t total = 0;
    for (uint32_t i = 0; i < n; i++) {
        assert_true(r->object[i] < r->n_objects);
        assert_true(r->sizes[r->object[i]] >= b[i].size);
        for (uint32_t j = 0; j < i; j++) {
            if (r->object[i] == r->object[j]) {
                assert_false(gen_meet(&b[i], &b[j]));
                assert_true(group == NULL || group[i] == group[j]);
            }
        }
    }
    for (uint32_t k = 0; k < r->n_objects; k++) {
        total += r->sizes[k];
    }
    assert_int_equal(total, r->total);
    assert_true(r->bound <= r->total);
}

static uint64_t total_of(tn_arena *a, const tn_pack_buffer *b, uint32_t n, const char *algorithm) {
    tn_pack_options o = {.effort = 1, .algorithm = algorithm};
    tn_slots_result r;
    assert_int_equal(tn_pack_slots(a, b, NULL, n, &o, &r), TN_OK);
    check(b, NULL, n, &r);
    return r.total;
}

static tn_status memonger(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_arena *a = tn_arena_new(ctx);
    tn_pack_buffer b[4];
    static const int64_t chains[][3] = {{1, 3, 10}, {3, 4, 1}, {5, 6, 1}, {5, 7, 10}};
    ranges(b, chains, 4);
    assert_int_equal(memonger_total(a, b, 4, false), 11);
    assert_int_equal(memonger_total(a, b, 4, true), 11);
    static const int64_t dp1[][3] = {{1, 2, 10}, {4, 6, 1}, {5, 6, 10}};
    ranges(b, dp1, 3);
    assert_int_equal(memonger_total(a, b, 3, false), 20);
    assert_int_equal(memonger_total(a, b, 3, true), 11);
    static const int64_t counter[][3] = {{0, 3, 10}, {5, 7, 8}, {7, 9, 10}, {8, 11, 2}};
    ranges(b, counter, 4);
    assert_int_equal(memonger_total(a, b, 4, false), 20);
    assert_int_equal(memonger_total(a, b, 4, true), 20);
    assert_int_equal(total_of(a, b, 4, NULL), 18);
    return TN_OK;
}

/* All assignments of items to objects, each new object numbered next. */
static void all_sharings(const tn_pack_buffer *b, uint32_t n, uint32_t i, uint32_t objects,
                         uint32_t *object, uint64_t *best) {
    if (i == n) {
        uint64_t size[8] = {0}, total = 0;
        for (uint32_t k = 0; k < n; k++) {
            size[object[k]] = b[k].size > size[object[k]] ? b[k].size : size[object[k]];
        }
        for (uint32_t k = 0; k < objects; k++) {
            total += size[k];
        }
        *best = total < *best ? total : *best;
        return;
    }
    for (uint32_t o = 0; o <= objects; o++) {
        bool free = true;
        for (uint32_t j = 0; j < i; j++) {
            free = free && (object[j] != o || !gen_meet(&b[i], &b[j]));
        }
        if (free) {
            object[i] = o;
            all_sharings(b, n, i + 1, o == objects ? objects + 1 : objects, object, best);
        }
    }
}

static tn_status brute_force(tn_ctx *ctx, void *arg) {
    (void)arg;
    uint64_t seed = 7;
    for (uint32_t round = 0; round < 1000; round++) {
        tn_arena *a = tn_arena_new(ctx);
        tn_pack_buffer b[8];
        uint32_t object[8], n = 1 + gen_below(&seed, 8);
        uint64_t best = UINT64_MAX;
        gen_plain(&seed, b, n, 4 + round % 9, 20);
        all_sharings(b, n, 0, 0, object, &best);
        tn_slots_result r;
        assert_int_equal(tn_pack_slots(a, b, NULL, n, NULL, &r), TN_OK);
        check(b, NULL, n, &r);
        assert_int_equal(r.total, best);
        assert_true(r.optimal);
        for (const char *const *name = tn_slot_algorithms; *name != NULL; name++) {
            assert_true(total_of(a, b, n, *name) >= best);
        }
        tn_arena_drop(a);
    }
    return TN_OK;
}

/* Equal sizes colour with as many objects as are alive at once. */
static tn_status equal_sizes(tn_ctx *ctx, void *arg) {
    (void)arg;
    uint64_t seed = 8;
    tn_arena *a = tn_arena_new(ctx);
    tn_pack_buffer b[300];
    uint32_t group[300];
    gen_plain(&seed, b, 300, 100, 5);
    for (uint32_t i = 0; i < 300; i++) {
        b[i].size *= 64;
        group[i] = (uint32_t)b[i].size;
    }
    tn_slots_result r;
    assert_int_equal(tn_pack_slots(a, b, group, 300, NULL, &r), TN_OK);
    check(b, group, 300, &r);
    assert_int_equal(r.total, r.bound);
    return TN_OK;
}

static tn_status every_algorithm(tn_ctx *ctx, void *arg) {
    (void)arg;
    uint64_t seed = 9;
    tn_arena *a = tn_arena_new(ctx);
    tn_pack_buffer b[60];
    gen_plain(&seed, b, 60, 40, 100);
    for (const char *const *name = tn_slot_algorithms; *name != NULL; name++) {
        total_of(a, b, 60, *name);
    }
    tn_pack_options o = {.algorithm = "no such"};
    tn_slots_result r;
    assert_int_equal(tn_pack_slots(a, b, NULL, 60, &o, &r), TN_USAGE);
    o = (tn_pack_options){.effort = 1, .capacity = 1};
    assert_int_equal(tn_pack_slots(a, b, NULL, 60, &o, &r), TN_NOFIT);
    b[4].last = b[4].first;
    assert_int_equal(tn_pack_slots(a, b, NULL, 60, NULL, &r), TN_ERROR);
    return TN_OK;
}

/* The search over a tree by itself: it finds what choosing sizes first comes to, and proves that
 * nothing costs less. */
static tn_status tree_search(tn_ctx *ctx, void *arg) {
    (void)arg;
    enum { MOST = 20 };
    uint64_t seed = 9;
    for (uint32_t round = 0; round < 300; round++) {
        tn_arena *a = tn_arena_new(ctx);
        tn_pack_buffer b[MOST];
        uint32_t n = MOST / 2 + gen_below(&seed, MOST / 2 + 1), object[MOST], ids[MOST];
        uint64_t nodes = 0;
        for (uint32_t i = 0; i < n; i++) {
            ids[i] = i;
        }
        gen_plain(&seed, b, n, 10 + round % 7, 40);
        tn_slots_result r;
        assert_int_equal(tn_pack_slots(a, b, NULL, n, NULL, &r), TN_OK);
        assert_true(r.optimal);
        tn_slot_group g = tn_slot_group_make(a, b, ids, n);
        for (uint64_t limit = r.total; limit <= r.total + 1; limit++) {
            tn_sharing found = {.object = object, .total = UINT64_MAX};
            tn_slot_search o = {.limit = limit, .budget = UINT64_MAX};
            assert_true(tn_slots_search(a, &g, &o, &found, &nodes));
            assert_true(found.total == (limit > r.total ? r.total : UINT64_MAX));
        }
        tn_arena_drop(a);
    }
    return TN_OK;
}

UNIT_TEST(memonger)
UNIT_TEST(brute_force)
UNIT_TEST(equal_sizes)
UNIT_TEST(every_algorithm)
UNIT_TEST(tree_search)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memonger), cmocka_unit_test(test_brute_force),
        cmocka_unit_test(test_equal_sizes), cmocka_unit_test(test_every_algorithm),
        cmocka_unit_test(test_tree_search)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
