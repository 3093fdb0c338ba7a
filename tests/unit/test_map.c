/* Maps by number and the table of names, at sizes at which they grow, and with the key that has no
 * slot. */
#include "ir/base/map.h"

#include "tests/unit/unit.h"

enum { MANY = 5000 };

static uint64_t dense(uint32_t i) {
    return i;
}

static uint64_t apart(uint32_t i) {
    return (uint64_t)i << 32 | i % 3;
}

static uint64_t at_addresses(uint32_t i) {
    return UINT64_C(0x7f0000000000) + 64u * i;
}

static void holds(tn_arena *a, uint64_t (*key)(uint32_t i)) {
    tn_map map = tn_map_make(a);
    for (uint32_t i = 0; i < MANY; i++) {
        assert_int_equal(tn_map_or(&map, key(i), MANY), MANY);
        tn_map_put(&map, key(i), i);
        tn_map_put(&map, key(i / 2), i / 2);
    }
    assert_int_equal(map.len, MANY);
    tn_map copy = tn_map_copy(a, &map);
    tn_map_put(&map, key(0), MANY);
    for (uint32_t i = 0; i < MANY; i++) {
        assert_int_equal(tn_map_or(&copy, key(i), MANY), i);
    }
}

static tn_status maps(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_arena *a = tn_arena_new(ctx);
    holds(a, dense);
    holds(a, apart);
    holds(a, at_addresses);
    return TN_OK;
}
UNIT_TEST(maps)

/* The one key whose mark would be that of a free slot (map.c). */
static tn_status odd_key(tn_ctx *ctx, void *arg) {
    (void)arg;
    const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15);
    tn_map map = tn_map_make(tn_arena_new(ctx));
    uint64_t found = 5;
    assert_false(tn_map_get(&map, odd, &found));
    assert_int_equal(found, 5);
    tn_map_put(&map, odd, 7);
    assert_true(tn_map_get(&map, odd, &found));
    assert_int_equal(found, 7);
    assert_int_equal(tn_map_or(&map, 0, 3), 3);
    tn_map copy = tn_map_copy(map.arena, &map);
    assert_int_equal(tn_map_or(&copy, odd, 0), 7);
    return TN_OK;
}
UNIT_TEST(odd_key)

static tn_status names(tn_ctx *ctx, void *arg) {
    (void)arg;
    const char *first[MANY];
    uint32_t before = tn_str_id(tn_intern(ctx, "before"));
    for (uint32_t i = 0; i < MANY; i++) {
        first[i] = tn_internf(ctx, "name %u", i);
        assert_int_equal(tn_str_id(first[i]), before + 1 + i);
    }
    for (uint32_t i = 0; i < MANY; i++) {
        assert_ptr_equal(tn_internf(ctx, "name %u", i), first[i]);
        assert_int_equal(tn_str_len(first[i]), strlen(first[i]));
    }
    return TN_OK;
}
UNIT_TEST(names)

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_maps), cmocka_unit_test(test_odd_key),
                                       cmocka_unit_test(test_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
