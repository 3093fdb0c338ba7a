/* Packing near an earlier packing: small instances against every choice of what stays. */
#include "passes/pack/keep/keep.h"
#include "tests/unit/drawn.h"
#include "tests/unit/pack_gen.h"
#include "tests/unit/unit.h"

enum { MOST = 6, MANY = 400 };

/* Whether some packing within the capacity has the chosen ones (bits) where they lay. */
static bool can_stay(const tn_keep_item *items, uint32_t n, uint32_t chosen, uint64_t capacity) {
    tn_pack_buffer b[MOST];
    for (uint32_t i = 0; i < n; i++) {
        b[i] = items[i].buffer;
        b[i].fixed = chosen >> i & 1 ? items[i].before : b[i].fixed;
        for (uint32_t k = 0; k < i && b[i].fixed != TN_PACK_FREE; k++) {
            if (b[k].fixed != TN_PACK_FREE && gen_meet(&b[i], &b[k]) &&
                b[i].fixed < b[k].fixed + b[k].size && b[k].fixed < b[i].fixed + b[i].size) {
                return false;
            }
        }
        if (b[i].fixed != TN_PACK_FREE && b[i].fixed % b[i].align != 0) {
            return false;
        }
    }
    return gen_optimum(b, n) <= capacity;
}

static uint64_t brute(const tn_keep_item *items, uint32_t n, uint64_t capacity) {
    uint64_t best = UINT64_MAX;
    for (uint32_t chosen = 0; chosen < 1u << n; chosen++) {
        uint64_t moved = 0;
        bool good = true;
        for (uint32_t i = 0; i < n; i++) {
            bool stays = chosen >> i & 1;
            uint64_t fixed = items[i].buffer.fixed;
            good = good && (!stays || (items[i].before != TN_PACK_FREE &&
                                       (fixed == TN_PACK_FREE || fixed == items[i].before)));
            moved += !stays && items[i].before != TN_PACK_FREE ? items[i].weight : 0;
        }
        if (good && moved < best && can_stay(items, n, chosen, capacity)) {
            best = moved;
        }
    }
    return best;
}

static void check(tn_arena *a, const tn_keep_item *items, uint32_t n, uint64_t capacity,
                  const tn_keep_result *r) {
    tn_pack_buffer *b = TN_ARRAY(a, tn_pack_buffer, n);
    uint64_t moved = 0, height = 0;
    uint32_t x, y;
    for (uint32_t i = 0; i < n; i++) {
        b[i] = items[i].buffer;
        uint64_t end = r->offset[i] + b[i].size;
        height = end > height ? end : height;
        moved += items[i].before != TN_PACK_FREE && r->offset[i] != items[i].before
                     ? items[i].weight
                     : 0;
    }
    assert_true(tn_pack_valid(a, b, n, r->offset, &x, &y));
    assert_int_equal(r->height, height);
    assert_true(height <= capacity);
    assert_int_equal(r->moved, moved);
    assert_true(r->least <= r->moved);
}

/* The packing to fall back on, and a capacity that it needs. */
static uint64_t *start_of(tn_arena *a, const tn_keep_item *items, uint32_t n, uint64_t *height) {
    tn_pack_buffer *b = TN_ARRAY(a, tn_pack_buffer, n);
    tn_pack_result r;
    for (uint32_t i = 0; i < n; i++) {
        b[i] = items[i].buffer;
    }
    assert_int_equal(tn_pack(a, b, n, &(tn_pack_options){.effort = 2}, &r), TN_OK);
    *height = r.height;
    return r.offsets;
}

static tn_status small(tn_ctx *ctx, void *arg) {
    (void)arg;
    uint64_t seed = 7;
    uint32_t n_best = 0, n_moved = 0, n_none = 0;
    enum { ROUNDS = DRAWN(3000) };
    for (uint32_t round = 0; round < ROUNDS; round++) {
        tn_arena *a = tn_arena_new(ctx);
        uint32_t n = 2 + gen_below(&seed, MOST - 1);
        tn_pack_buffer b[MOST];
        tn_keep_item items[MOST];
        gen_plain(&seed, b, n, 3 + gen_below(&seed, 6), 8);
        if (round % 3 == 0) {
            gen_special(&seed, b, n, NULL, gen_below(&seed, 2) > 0 ? GEN_FIXED : GEN_ALIGNED);
        }
        for (uint32_t i = 0; i < n; i++) {
            bool had = gen_below(&seed, 5) > 0;
            items[i] = (tn_keep_item){b[i], had ? gen_below(&seed, 16) : TN_PACK_FREE,
                                      1 + gen_below(&seed, 3)};
        }
        uint64_t height, *start = start_of(a, items, n, &height);
        uint64_t capacity = height + gen_below(&seed, 4);
        tn_keep_options o = {capacity, 2};
        tn_keep_result r;
        tn_pack_keep(a, items, n, start, &o, &r);
        check(a, items, n, capacity, &r);
        uint64_t best = brute(items, n, capacity);
        assert_int_equal(r.moved, best);
        assert_int_equal(r.least, best);
        n_moved += best > 0;
        n_none += best == 0;
        o.effort = 0;
        tn_pack_keep(a, items, n, start, &o, &r);
        check(a, items, n, capacity, &r);
        assert_true(r.least <= best && r.moved >= best);
        n_best += r.moved == best;
        tn_arena_drop(a);
    }
    assert_true(n_best > ROUNDS / 2 && n_moved > DRAWN(500) && n_none > DRAWN(100));
    return TN_OK;
}

/* Whether the chosen ones (bits) can stay where they lay, by the packer, which has tests of its own
 * for gaps. */
static bool packs(tn_arena *a, const tn_keep_item *items, uint32_t n, uint32_t chosen,
                  uint64_t capacity) {
    tn_pack_buffer b[MOST];
    tn_pack_result r;
    for (uint32_t i = 0; i < n; i++) {
        b[i] = items[i].buffer;
        b[i].fixed = chosen >> i & 1 ? items[i].before : b[i].fixed;
    }
    return tn_pack(a, b, n, &(tn_pack_options){.effort = 3, .capacity = capacity}, &r) == TN_OK;
}

/* Parts of some are in use at the time of their birth, or of their death. */
static tn_status gaps(tn_ctx *ctx, void *arg) {
    (void)arg;
    uint64_t seed = 19;
    uint32_t n_inside = 0, n_moved = 0;
    for (uint32_t round = 0; round < DRAWN(400); round++) {
        tn_arena *a = tn_arena_new(ctx);
        uint32_t n = 2 + gen_below(&seed, MOST - 1);
        tn_pack_buffer b[MOST];
        tn_pack_gap of[MOST];
        tn_keep_item items[MOST], whole[MOST];
        gen_plain(&seed, b, n, 3 + gen_below(&seed, 4), 8);
        for (uint32_t i = 0; i < n; i++) {
            uint64_t before = gen_below(&seed, 5) > 0 ? gen_below(&seed, 16) : TN_PACK_FREE;
            uint64_t part = gen_below(&seed, (uint32_t)b[i].size + 1);
            items[i] = whole[i] = (tn_keep_item){b[i], before, 1 + gen_below(&seed, 3)};
            of[i] = i % 2 == 0 ? (tn_pack_gap){b[i].first, b[i].first + 1, 0, part}
                               : (tn_pack_gap){b[i].last - 1, b[i].last, part, b[i].size};
            items[i].buffer.gaps = &of[i];
            items[i].buffer.n_gaps = b[i].last - b[i].first > 1;
        }
        uint64_t height, *start = start_of(a, items, n, &height), best = UINT64_MAX;
        uint64_t capacity = height + gen_below(&seed, 4);
        tn_keep_result r;
        tn_pack_keep(a, items, n, start, &(tn_keep_options){capacity, 2}, &r);
        check(a, items, n, capacity, &r);
        for (uint32_t chosen = 0; chosen < 1u << n; chosen++) {
            uint64_t moved = 0;
            bool had = true;
            for (uint32_t i = 0; i < n; i++) {
                bool has = items[i].before != TN_PACK_FREE;
                had = had && (has || (chosen >> i & 1) == 0);
                moved += has && (chosen >> i & 1) == 0 ? items[i].weight : 0;
            }
            best = had && moved < best && packs(a, items, n, chosen, capacity) ? moved : best;
        }
        assert_int_equal(r.moved, best);
        assert_true(r.least <= best);
        n_inside += best < brute(whole, n, capacity);
        n_moved += best > 0;
        tn_arena_drop(a);
    }
    assert_true(n_inside > DRAWN(30) && n_moved > DRAWN(100));
    return TN_OK;
}

/* Two rows of bytes taken in turns: one buffer more in the middle, and all before or all behind it
 * have to change rows. */
static tn_status chain(tn_ctx *ctx, void *arg) {
    (void)arg;
    enum { N = 40 };
    for (uint32_t at = 1; at < N; at += 3 * (N / DRAWN(N))) {
        tn_arena *a = tn_arena_new(ctx);
        tn_keep_item items[N + 1];
        for (uint32_t i = 0; i <= N; i++) {
            uint64_t before = i < at ? i % 2 * 8 : (i + 1) % 2 * 8;
            items[i] = (tn_keep_item){
                {i, i + 2, 8, 8, TN_PACK_FREE, NULL, 0}, i == at ? TN_PACK_FREE : before, 1};
        }
        uint64_t height, *start = start_of(a, items, N + 1, &height);
        tn_keep_result r;
        tn_pack_keep(a, items, N + 1, start, &(tn_keep_options){height, 1}, &r);
        check(a, items, N + 1, 16, &r);
        assert_int_equal(r.moved, at < N - at ? at : N - at);
        tn_pack_keep(a, items, N + 1, start, &(tn_keep_options){24, 1}, &r);
        check(a, items, N + 1, 24, &r);
        assert_int_equal(r.moved, 0);
        tn_arena_drop(a);
    }
    return TN_OK;
}

/* A packing of many, of which some are gone, some are new and some have grown. */
static uint32_t edit(uint64_t *seed, tn_arena *a, tn_keep_item *items, uint32_t n, uint32_t n_gone,
                     uint32_t n_new) {
    tn_pack_buffer *b = TN_ARRAY(a, tn_pack_buffer, n);
    uint64_t height, *old;
    for (uint32_t i = 0; i < n; i++) { /* as in networks: most live for a short time */
        int64_t life = gen_below(seed, 8) > 0 ? 2 + gen_below(seed, 2) : 2 + gen_below(seed, 20);
        b[i] = (tn_pack_buffer){i, i + life, 4 + 4 * gen_below(seed, 50), 4, TN_PACK_FREE, NULL, 0};
    }
    for (uint32_t i = 0; i < n; i++) {
        items[i] = (tn_keep_item){.buffer = b[i], .before = TN_PACK_FREE, .weight = 1};
    }
    old = start_of(a, items, n, &height);
    for (uint32_t i = 0; i < n; i++) {
        items[i].before = old[i];
    }
    for (uint32_t k = 0; k < n_gone; k++) {
        items[gen_below(seed, n)] = items[n - 1];
        n--;
    }
    for (uint32_t k = 0; k < n_new; k++) {
        tn_keep_item *t = &items[gen_below(seed, n)];
        t->buffer.size += 4 * gen_below(seed, 50);
        t->before = gen_below(seed, 2) > 0 ? t->before : TN_PACK_FREE;
    }
    return n;
}

static tn_status large(tn_ctx *ctx, void *arg) {
    (void)arg;
    uint64_t seed = 11, moved = 0, least = 0, free_moved = 0;
    for (uint32_t round = 0; round < DRAWN(24); round++) {
        tn_arena *a = tn_arena_new(ctx);
        tn_keep_item items[MANY];
        uint32_t changes = round % 4;
        uint32_t n = edit(&seed, a, items, round < 12 ? 60 : MANY, changes, changes);
        uint64_t height, *start = start_of(a, items, n, &height);
        tn_keep_result r, again;
        tn_pack_keep(a, items, n, start, &(tn_keep_options){height, 1}, &r);
        tn_pack_keep(a, items, n, start, &(tn_keep_options){height, 1}, &again);
        check(a, items, n, height, &r);
        assert_memory_equal(r.offset, again.offset, n * sizeof *r.offset);
        assert_true(changes > 0 || r.moved == 0);
        for (uint32_t i = 0; i < n; i++) {
            free_moved += items[i].before != TN_PACK_FREE && items[i].before != start[i];
        }
        moved += r.moved;
        least += r.least;
        tn_arena_drop(a);
    }
    assert_true(moved < free_moved / 5 && least > moved / 2);
    return TN_OK;
}

UNIT_TEST(small)
UNIT_TEST(gaps)
UNIT_TEST(chain)
UNIT_TEST(large)

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_small), cmocka_unit_test(test_gaps),
                                       cmocka_unit_test(test_chain), cmocka_unit_test(test_large)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
