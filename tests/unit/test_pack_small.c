/* Instances of up to ten buffers, with alignments, fixed offsets and gaps, against a second method
 * that knows nothing of resting, sections or sums: trying offsets one by one. */
#include "tests/unit/drawn.h"
#include "tests/unit/pack_gen.h"
#include "tests/unit/unit.h"

enum { MOST = 10 };

typedef struct grid {
    const tn_pack_buffer *b;
    uint32_t n;
    uint64_t height;
    uint64_t at[MOST];
    bool placed[MOST];
} grid;

/* Bytes of a buffer in use at a moment. */
static void used(const tn_pack_buffer *b, int64_t t, uint64_t *lo, uint64_t *hi) {
    *lo = 0;
    *hi = t >= b->first && t < b->last ? b->size : 0;
    for (uint32_t k = 0; k<b->n_gaps && * hi> 0; k++) {
        if (t >= b->gaps[k].first && t < b->gaps[k].last) {
            *lo = b->gaps[k].lo;
            *hi = b->gaps[k].hi;
        }
    }
}

static bool collide(const tn_pack_buffer *x, uint64_t ax, const tn_pack_buffer *y, uint64_t ay) {
    for (int64_t t = x->first; t < x->last; t++) {
        uint64_t lx, hx, ly, hy;
        used(x, t, &lx, &hx);
        used(y, t, &ly, &hy);
        if (lx < hx && ly < hy && ax + lx < ay + hy && ay + ly < ax + hx) {
            return true;
        }
    }
    return false;
}

static bool fits(const grid *g, uint32_t i, uint64_t at) {
    if (at + g->b[i].size > g->height || (g->b[i].fixed != TN_PACK_FREE && g->b[i].fixed != at)) {
        return false;
    }
    for (uint32_t j = 0; j < g->n; j++) {
        if (g->placed[j] && collide(&g->b[i], at, &g->b[j], g->at[j])) {
            return false;
        }
    }
    return true;
}

static uint32_t count_places(const grid *g, uint32_t i) {
    uint32_t n = 0;
    for (uint64_t at = 0; at <= g->height; at += g->b[i].align) {
        n += fits(g, i, at);
    }
    return n;
}

/* The buffer with the fewest places left goes next. */
static bool complete(grid *g) {
    uint32_t next = MOST, fewest = UINT32_MAX;
    for (uint32_t i = 0; i < g->n; i++) {
        uint32_t places = g->placed[i] ? UINT32_MAX : count_places(g, i);
        if (places < fewest) {
            fewest = places;
            next = i;
        }
    }
    if (next == MOST) {
        return true;
    }
    for (uint64_t at = 0; at <= g->height; at += g->b[next].align) {
        if (fits(g, next, at)) {
            g->placed[next] = true;
            g->at[next] = at;
            if (complete(g)) {
                return true;
            }
            g->placed[next] = false;
        }
    }
    return false;
}

static bool exists(const tn_pack_buffer *b, uint32_t n, uint64_t height) {
    grid g = {.b = b, .n = n, .height = height};
    return complete(&g);
}

/* Sums of sizes prove some heights by themselves; the rest has to be tried. */
static bool lower_exists(tn_arena *a, const tn_pack_buffer *b, uint32_t n, uint64_t height) {
    return tn_pack_max_live(a, b, n, NULL) < height && exists(b, n, height - 1);
}

static void check(tn_arena *a, const tn_pack_buffer *b, uint32_t n) {
    uint64_t best = 0;
    for (uint32_t effort = 1; effort <= 2; effort++) {
        tn_pack_options o = {.effort = effort};
        tn_pack_result r;
        uint32_t x, y;
        assert_int_equal(tn_pack(a, b, n, &o, &r), TN_OK);
        assert_true(tn_pack_valid(a, b, n, r.offsets, &x, &y));
        assert_true(r.optimal);
        assert_int_equal(r.bound, r.height);
        if (r.height > 1) {
            o.capacity = r.height - 1;
            assert_int_equal(tn_pack(a, b, n, &o, &r), TN_NOFIT);
            assert_true(r.bound > o.capacity);
        }
        assert_true(best == 0 || best == r.bound);
        best = r.bound;
    }
    assert_false(best > 1 && lower_exists(a, b, n, best));
}

enum { ALIGNED = 1, FIXED = 2, GAPS = 4, ODD = 8 };

static void spoil(uint64_t *seed, tn_pack_buffer *b, uint32_t n, tn_pack_gap *gaps, uint32_t kind) {
    for (uint32_t i = 0; i < n; i++) {
        int64_t life = b[i].last - b[i].first;
        if ((kind & ALIGNED) != 0) {
            b[i].align = UINT64_C(1) << gen_below(seed, 3);
        }
        if ((kind & ODD) != 0) {
            b[i].align = gen_below(seed, 2) == 0 ? 1 : 6 + gen_below(seed, 3);
        }
        if ((kind & GAPS) != 0 && life > 1) {
            int64_t first = b[i].first + gen_below(seed, (uint32_t)life - 1);
            uint64_t lo = gen_below(seed, (uint32_t)b[i].size + 1);
            gaps[i] = (tn_pack_gap){first, first + 1, lo,
                                    lo + gen_below(seed, (uint32_t)(b[i].size - lo) + 1)};
            b[i].gaps = &gaps[i];
            b[i].n_gaps = 1;
        }
    }
    if ((kind & FIXED) != 0) {
        b[n / 2].fixed = gen_below(seed, 4) * b[n / 2].align;
    }
}

static void random_round(tn_ctx *ctx, uint64_t *seed, uint32_t kind) {
    tn_arena *a = tn_arena_new(ctx);
    tn_pack_buffer b[MOST];
    tn_pack_gap gaps[MOST];
    uint32_t n = 1 + gen_below(seed, MOST);
    gen_plain(seed, b, n, 8, 7);
    spoil(seed, b, n, gaps, kind);
    check(a, b, n);
    tn_arena_drop(a);
}

static tn_status all_kinds(tn_ctx *ctx, void *arg) {
    (void)arg;
    uint64_t seed = 51;
    for (uint32_t round = 0; round < DRAWN(320); round++) {
        random_round(ctx, &seed, round % 8);
    }
    return TN_OK;
}

/* Alignments that are no multiples of each other, mostly above the sizes. */
static tn_status odd_alignments(tn_ctx *ctx, void *arg) {
    (void)arg;
    uint64_t seed = 53;
    for (uint32_t round = 0; round < DRAWN(120); round++) {
        random_round(ctx, &seed, ODD | (round % 2 == 0 ? GAPS : 0) | (round % 3 == 0 ? FIXED : 0));
    }
    return TN_OK;
}

/* Nine buffers of six bytes need the nine lowest multiples of 416. What lies on one of them
 * instead, for which there is space between them, must be noticed before all places of the others
 * have been tried. */
static tn_status rivals(tn_ctx *ctx, void *arg) {
    (void)arg;
    enum { RIVALS = 9, N = RIVALS + 5 };
    tn_arena *a = tn_arena_new(ctx);
    static const tn_pack_gap gap = {2, 4, 0, 0}, shorter = {3, 4, 0, 5};
    tn_pack_buffer b[N];
    for (uint32_t i = 0; i < N; i++) {
        b[i] = i < RIVALS ? (tn_pack_buffer){0, 10, 6, 416, TN_PACK_FREE, &gap, 1}
                          : (tn_pack_buffer){i % 3, 10, 7, 1, TN_PACK_FREE, NULL, 0};
        b[i].gaps = i % 2 == 0 && i < RIVALS ? &shorter : b[i].gaps;
    }
    b[N - 1] = (tn_pack_buffer){0, 10, 6, 418, TN_PACK_FREE, &gap, 1};
    for (uint32_t effort = 1; effort <= 2; effort++) {
        tn_pack_options o = {.effort = effort};
        tn_pack_result r;
        uint32_t x, y;
        assert_int_equal(tn_pack(a, b, N, &o, &r), TN_OK);
        assert_true(tn_pack_valid(a, b, N, r.offsets, &x, &y));
        assert_int_equal(r.height, 8 * 416 + 6);
        assert_true(r.optimal);
    }
    return TN_OK;
}

/* Each of the two lies above the other at some time, which no order from the bottom up can build.
 */
static tn_status interlocked(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_arena *a = tn_arena_new(ctx);
    static const tn_pack_gap x[] = {{0, 1, 0, 3}, {1, 2, 5, 8}}, y[] = {{0, 1, 4, 8}, {1, 2, 0, 4}};
    tn_pack_buffer b[] = {{0, 2, 8, 1, TN_PACK_FREE, x, 2}, {0, 2, 8, 1, TN_PACK_FREE, y, 2}};
    tn_pack_result r;
    assert_int_equal(tn_pack(a, b, 2, NULL, &r), TN_OK);
    assert_int_equal(r.height, 8);
    check(a, b, 2);
    return TN_OK;
}

/* Alignments leave a hole whatever the order, and one moment alone shows it. */
static tn_status stacked(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_arena *a = tn_arena_new(ctx);
    tn_pack_buffer b[] = {{0, 9, 1, 2, TN_PACK_FREE, NULL, 0},
                          {4, 5, 1, 2, TN_PACK_FREE, NULL, 0},
                          {4, 9, 2, 1, TN_PACK_FREE, NULL, 0}};
    tn_pack_result r;
    assert_int_equal(tn_pack_max_live(a, b, 3, NULL), 4);
    assert_int_equal(tn_pack(a, b, 3, NULL, &r), TN_OK);
    assert_int_equal(r.bound, 5);
    assert_int_equal(r.bound_kind, TN_BOUND_STACK);
    assert_int_equal(r.bound_time, 4);
    check(a, b, 3);
    return TN_OK;
}

/* More buffers than can be proven: the search around gaps finds lower packings than the fits. */
static tn_status searched_around_gaps(tn_ctx *ctx, void *arg) {
    (void)arg;
    enum { N = 30 };
    uint64_t seed = 52, found = 0;
    for (uint32_t round = 0; round < 20; round++) {
        tn_arena *a = tn_arena_new(ctx);
        tn_pack_buffer b[N];
        tn_pack_gap gaps[N];
        gen_plain(&seed, b, N, 12, 40);
        spoil(&seed, b, N, gaps, GAPS);
        tn_pack_options o = {.effort = 2, .budget = 80000};
        tn_pack_result r;
        uint32_t x, y;
        assert_int_equal(tn_pack(a, b, N, &o, &r), TN_OK);
        assert_true(tn_pack_valid(a, b, N, r.offsets, &x, &y));
        found += strcmp(r.algorithm, "gaps") == 0;
        tn_arena_drop(a);
    }
    assert_true(found >= 3);
    return TN_OK;
}

UNIT_TEST(all_kinds)
UNIT_TEST(odd_alignments)
UNIT_TEST(rivals)
UNIT_TEST(stacked)
UNIT_TEST(searched_around_gaps)
UNIT_TEST(interlocked)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_kinds), cmocka_unit_test(test_odd_alignments),
        cmocka_unit_test(test_rivals),    cmocka_unit_test(test_interlocked),
        cmocka_unit_test(test_stacked),   cmocka_unit_test(test_searched_around_gaps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
