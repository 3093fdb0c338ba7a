/* Orders on the vectors of memonger's own tests. */
#include "passes/order/topological.h"

#include "tests/unit/unit.h"

typedef bool order_fn(const tn_dag *dag, tn_arena *scratch, uint32_t *out, uint32_t *stuck);

static void expect(tn_ctx *ctx, order_fn *fn, uint32_t n, const uint32_t (*edges)[2],
                   uint32_t n_edges, const uint32_t *want) {
    tn_arena *a = tn_arena_new(ctx);
    uint32_t *out = TN_ARRAY(a, uint32_t, n), stuck;
    tn_dag dag = tn_dag_make(a, n, edges, n_edges);
    assert_true(fn(&dag, a, out, &stuck));
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(out[i], want[i]);
    }
    tn_arena_drop(a);
}

/* 0: copy w0, 1: conv(data, w0), 2: copy w2, 3: conv(1, w2) */
static const uint32_t two_convs[][2] = {{0, 1}, {1, 3}, {2, 3}};
/* ... and 4: copy d1, 5: copy of it */
static const uint32_t two_targets[][2] = {{0, 1}, {1, 3}, {2, 3}, {4, 5}};

static tn_status longest_path(tn_ctx *ctx, void *arg) {
    (void)arg;
    expect(ctx, tn_order_longest_path, 4, two_convs, 3, (const uint32_t[]){0, 1, 2, 3});
    expect(ctx, tn_order_longest_path, 6, two_targets, 4, (const uint32_t[]){0, 1, 2, 3, 4, 5});
    expect(ctx, tn_order_longest_path, 1, NULL, 0, (const uint32_t[]){0});
    /* The long branch 0-2-3-4 starts before the short one from 1. */
    static const uint32_t uneven[][2] = {{0, 2}, {2, 3}, {3, 4}, {1, 4}};
    expect(ctx, tn_order_longest_path, 5, uneven, 4, (const uint32_t[]){0, 2, 3, 1, 4});
    return TN_OK;
}

static tn_status kahn(tn_ctx *ctx, void *arg) {
    (void)arg;
    expect(ctx, tn_order_kahn, 4, two_convs, 3, (const uint32_t[]){0, 2, 1, 3});
    expect(ctx, tn_order_kahn, 6, two_targets, 4, (const uint32_t[]){0, 2, 4, 1, 5, 3});
    expect(ctx, tn_order_kahn, 1, NULL, 0, (const uint32_t[]){0});
    return TN_OK;
}

static tn_status cycles(tn_ctx *ctx, void *arg) {
    (void)arg;
    static const uint32_t ring[][2] = {{0, 1}, {1, 2}, {2, 1}, {2, 3}};
    tn_arena *a = tn_arena_new(ctx);
    uint32_t out[4], stuck = 9;
    tn_dag dag = tn_dag_make(a, 4, ring, 4);
    assert_false(tn_order_kahn(&dag, a, out, &stuck));
    assert_int_equal(stuck, 1);
    assert_false(tn_order_longest_path(&dag, a, out, &stuck));
    return TN_OK;
}

/* A million nodes in a chain, and as many leaves of one root, must not take quadratic time. */
static tn_status large(tn_ctx *ctx, void *arg) {
    (void)arg;
    enum { N = 1000000 };
    tn_arena *a = tn_arena_new(ctx);
    uint32_t(*edges)[2] = tn_arena_array(a, N, sizeof *edges);
    uint32_t *out = TN_ARRAY(a, uint32_t, N), stuck;
    for (uint32_t i = 0; i + 1 < N; i++) {
        edges[i][0] = i;
        edges[i][1] = i + 1;
    }
    tn_dag chain = tn_dag_make(a, N, (const uint32_t(*)[2])edges, N - 1);
    assert_true(tn_order_longest_path(&chain, a, out, &stuck));
    assert_int_equal(out[N - 1], N - 1);
    for (uint32_t i = 0; i + 1 < N; i++) {
        edges[i][0] = i;
        edges[i][1] = N - 1;
    }
    tn_dag star = tn_dag_make(a, N, (const uint32_t(*)[2])edges, N - 1);
    assert_true(tn_order_longest_path(&star, a, out, &stuck));
    assert_int_equal(out[N - 1], N - 1);
    return TN_OK;
}

static void run(void **state) {
    unit_log log;
    tn_ctx *ctx = unit_ctx(&log);
    unit_run(ctx, *(tn_status(**)(tn_ctx *, void *)) * state, NULL);
    tn_ctx_free(ctx);
}

typedef tn_status (*body)(tn_ctx *, void *);
#define TEST(f)                                                                                    \
    { #f, run, NULL, NULL, &(body[]){f }[0] }

int main(void) {
    const struct CMUnitTest tests[] = {TEST(longest_path), TEST(kahn), TEST(cycles), TEST(large)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
