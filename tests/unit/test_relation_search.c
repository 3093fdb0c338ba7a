/* The search for a relation between storages: an order that suits one extent alone becomes one that
 * suits all, and no order gets worse. */
#include <string.h>

#include "ir/plan/plan_samples.h"
#include "passes/plan/relation_search.h"
#include "tests/unit/unit.h"

enum { N = 5, X = 0, H, T, Y, Z };

/* A chain with a tensor of fixed size beside it: sizes are a number times n, and a number. */
static const struct {
    const char *size;
    uint64_t per_n, fixed;
    int32_t first, last;
} lives[N] = {{"n*64", 64, 0, 0, 1},
              {"n*256", 256, 0, 1, 2},
              {NULL, 0, 4096, 2, 4},
              {"n*128", 128, 0, 2, 3},
              {"n*64", 64, 0, 3, 4}};

static tn_plan *make_plan(tn_ctx *ctx) {
    tn_plan *p = tn_plan_new(ctx);
    p->n_steps = 5;
    p->n_pools = 1;
    p->pools = TN_ARRAY(p->arena, tn_pool, 1);
    p->pools[0] = (tn_pool){.name = "arena", .kind = TN_POOL_ARENA, .align = 64};
    p->n_ranges = 1;
    p->ranges = TN_ARRAY(p->arena, tn_plan_range, 1);
    p->ranges[0] = (tn_plan_range){"n", 1, INT64_MAX, 1};
    p->exprs = tn_dims_new(p->arena);
    p->n_values = p->n_storages = N;
    p->values = TN_ARRAY(p->arena, tn_plan_value, N);
    p->storages = TN_ARRAY(p->arena, tn_storage, N);
    for (uint32_t i = 0; i < N; i++) {
        const char *text = lives[i].size;
        tn_dim size = TN_DIM_UNKNOWN;
        assert_true(text == NULL || tn_dim_parse(p->exprs, &text, &size));
        p->storages[i] = (tn_storage){.id = i,
                                      .root = i,
                                      .align = 64,
                                      .size = lives[i].per_n + lives[i].fixed,
                                      .size_expr = size,
                                      .first = lives[i].first,
                                      .last = lives[i].last};
    }
    return p;
}

/* The arena at an extent, each storage behind all those before it that it meets. */
static uint64_t arena_at(const uint32_t *order, uint64_t n) {
    uint64_t end[N], most = 0;
    for (uint32_t k = 0; k < N; k++) {
        uint32_t i = order[k];
        uint64_t from = 0;
        for (uint32_t j = 0; j < k; j++) {
            bool meet =
                lives[order[j]].first <= lives[i].last && lives[i].first <= lives[order[j]].last;
            from = meet && end[j] > from ? end[j] : from;
        }
        end[k] = from + lives[i].per_n * n + lives[i].fixed;
        most = end[k] > most ? end[k] : most;
    }
    return most;
}

/* From every order to start with, the one that a packer likes for n = 1 among them; 4096 + 384 n is
 * optimal everywhere. */
static tn_status finds(tn_ctx *ctx, void *log) {
    (void)log;
    tn_plan *p = make_plan(ctx);
    uint32_t start[N] = {T, X, H, Z, Y};
    assert_int_equal(arena_at(start, 256), 114688);
    for (uint32_t code = 0; code < N * N * N * N; code++) {
        uint32_t order[N] = {X, H, T, Y, Z};
        for (uint32_t k = 0, left = code; k < N - 1; k++, left /= N) {
            uint32_t other = k + left % N % (N - k), kept = order[k];
            order[k] = order[other];
            order[other] = kept;
        }
        tn_relation_improve(p, p->arena, code % 2 == 1, order);
        for (uint64_t n = 1; n <= 1024; n *= 2) {
            assert_int_equal(arena_at(order, n), 4096 + 384 * n);
        }
    }
    tn_plan_drop(p);
    return TN_OK;
}

/* Samples lie in their ranges, with the smallest extent first, and are the same each time. */
static tn_status samples(tn_ctx *ctx, void *log) {
    (void)log;
    tn_plan *p = make_plan(ctx);
    tn_plan_range ranges[] = {
        {"a", 3, 5, 4}, {"b", 0, 40, 7}, {"c", 7, 7, 7}, {"d", 1, INT64_MAX, 9}};
    p->ranges = ranges;
    p->n_ranges = 4;
    tn_plan_samples one = tn_plan_samples_make(p->arena, p),
                    two = tn_plan_samples_make(p->arena, p);
    assert_int_equal(one.n, TN_PLAN_SAMPLES);
    for (uint32_t s = 0; s < one.n; s++) {
        assert_memory_equal(one.of[s], two.of[s], 4 * sizeof(int64_t));
        for (uint32_t i = 0; i < 4; i++) {
            assert_in_range(one.of[s][i], ranges[i].min, ranges[i].max);
        }
    }
    assert_int_equal(one.of[0][0], 3);
    assert_int_equal(one.of[0][1], 1);
    tn_plan_drop(p);
    return TN_OK;
}

UNIT_TEST(finds)
UNIT_TEST(samples)

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_finds),
                                       cmocka_unit_test(test_samples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
