/* Conflict graphs: brute force over small ones, interval graphs against tn_pack, bounds, and what
 * is refused. */
#include "passes/pack/graph/graph.h"
#include "tests/unit/drawn.h"
#include "tests/unit/pack_gen.h"
#include "tests/unit/unit.h"

enum { MOST = 64 };

typedef struct graph {
    tn_pack_buffer b[MOST];
    tn_conflict c[MOST * MOST];
    uint32_t n;
    size_t n_conflicts;
    bool near[MOST][MOST];
} graph;

static void add(graph *g, uint32_t a, uint32_t b) {
    g->near[a][b] = g->near[b][a] = true;
    g->c[g->n_conflicts++] = (tn_conflict){a, b};
}

/* Each pair with a chance of `of_ten` in ten, either way round, now and then twice. */
static void random_graph(uint64_t *seed, graph *g, uint32_t n, uint32_t sizes, uint32_t of_ten) {
    *g = (graph){.n = n};
    gen_plain(seed, g->b, n, 5, sizes);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < i; j++) {
            for (uint32_t k = 0; k < 2 && gen_below(seed, 10) < of_ten; k++) {
                add(g, k == 0 ? i : j, k == 0 ? j : i);
            }
        }
    }
}

static uint64_t lowest(const graph *g, const uint64_t *at, uint32_t i) {
    uint64_t x = 0;
    for (bool again = true; again;) {
        again = false;
        for (uint32_t j = 0; j < g->n; j++) {
            if (g->near[i][j] && at[j] != UINT64_MAX && x < at[j] + g->b[j].size &&
                at[j] < x + g->b[i].size) {
                x = (at[j] + g->b[j].size + g->b[i].align - 1) / g->b[i].align * g->b[i].align;
                again = true;
            }
        }
    }
    return x;
}

/* Every order, each buffer at its lowest place. */
static void all_orders(const graph *g, uint64_t *at, uint64_t height, uint64_t *best) {
    bool all = true;
    for (uint32_t i = 0; i < g->n && height < *best; i++) {
        if (at[i] != UINT64_MAX) {
            continue;
        }
        all = false;
        at[i] = lowest(g, at, i);
        uint64_t top = at[i] + g->b[i].size;
        all_orders(g, at, top > height ? top : height, best);
        at[i] = UINT64_MAX;
    }
    *best = all && height < *best ? height : *best;
}

static uint64_t optimum(const graph *g) {
    uint64_t at[MOST], best = UINT64_MAX, height = 0;
    for (uint32_t i = 0; i < g->n; i++) {
        at[i] = g->b[i].fixed;
        uint64_t top = at[i] == UINT64_MAX ? 0 : at[i] + g->b[i].size;
        height = top > height ? top : height;
    }
    all_orders(g, at, height, &best);
    return best;
}

static void check(tn_arena *a, const graph *g, const tn_pack_options *o, tn_pack_result *r) {
    uint32_t x, y;
    uint64_t height = 0;
    assert_int_equal(tn_pack_graph(a, g->b, g->n, g->c, g->n_conflicts, o, r), TN_OK);
    assert_true(tn_pack_graph_valid(g->b, g->n, g->c, g->n_conflicts, r->offsets, &x, &y));
    for (uint32_t i = 0; i < g->n; i++) {
        uint64_t top = r->offsets[i] + g->b[i].size;
        height = top > height ? top : height;
    }
    assert_int_equal(height, r->height);
    assert_true(r->bound <= r->height);
    assert_int_equal(r->optimal, r->bound == r->height);
    for (uint32_t i = 0; i < r->n_bound_set; i++) {
        for (uint32_t j = 0; j < i; j++) {
            assert_true(g->near[r->bound_set[i]][r->bound_set[j]]);
        }
    }
}

/* Sizes with alignments, and some buffers fixed where nothing is in the way. */
static void dress(uint64_t *seed, graph *g, uint32_t round) {
    uint64_t at[MOST];
    for (uint32_t i = 0; i < g->n; i++) {
        at[i] = UINT64_MAX;
        g->b[i].align = round % 3 == 0 ? 1 : UINT64_C(1) << gen_below(seed, 4);
    }
    for (uint32_t i = 0; i < g->n && round % 4 == 1; i++) {
        if (gen_below(seed, 4) == 0) {
            at[i] = g->b[i].fixed = lowest(g, at, i);
        }
    }
}

static tn_status brute_force(tn_ctx *ctx, void *arg) {
    (void)arg;
    uint64_t seed = 11;
    for (uint32_t round = 0; round < DRAWN(600); round++) {
        tn_arena *a = tn_arena_new(ctx);
        graph g;
        tn_pack_result r;
        random_graph(&seed, &g, 1 + gen_below(&seed, 7), 4 + round % 30, 2 + round % 7);
        dress(&seed, &g, round);
        uint64_t best = optimum(&g);
        check(a, &g, NULL, &r);
        assert_int_equal(r.height, best);
        assert_true(r.optimal);
        for (const char *const *name = tn_graph_algorithms; *name != NULL; name++) {
            check(a, &g, &(tn_pack_options){.effort = 1, .algorithm = *name}, &r);
            assert_true(r.height >= best && r.bound <= best);
        }
        tn_arena_drop(a);
    }
    return TN_OK;
}

/* The answer to a capacity agrees with the optimum, and the set named does not fit by itself. */
static tn_status capacities(tn_ctx *ctx, void *arg) {
    (void)arg;
    uint64_t seed = 12;
    for (uint32_t round = 0; round < DRAWN(200); round++) {
        tn_arena *a = tn_arena_new(ctx);
        graph g, some = {0};
        tn_pack_result r;
        tn_pack_misfit m;
        random_graph(&seed, &g, 2 + gen_below(&seed, 6), 20, 3 + round % 6);
        uint64_t best = optimum(&g);
        tn_pack_options o = {.effort = 1, .capacity = best};
        assert_int_equal(tn_pack_graph(a, g.b, g.n, g.c, g.n_conflicts, &o, &r), TN_OK);
        assert_false(tn_pack_graph_misfit(a, g.b, g.n, g.c, g.n_conflicts, &o, &m));
        o.capacity = best - 1;
        if (o.capacity == 0) {
            continue;
        }
        assert_int_equal(tn_pack_graph(a, g.b, g.n, g.c, g.n_conflicts, &o, &r), TN_NOFIT);
        assert_true(r.bound > o.capacity);
        assert_true(tn_pack_graph_misfit(a, g.b, g.n, g.c, g.n_conflicts, &o, &m));
        for (uint32_t skip = 0; skip <= m.n; skip++) { /* all of them; then all but one */
            some.n = 0;
            memset(some.near, 0, sizeof some.near);
            for (uint32_t i = 0; i < m.n; i++) {
                for (uint32_t j = 0; j < i && i != skip; j++) {
                    uint32_t to = j - (j > skip);
                    some.near[some.n][to] = some.near[to][some.n] =
                        j != skip && g.near[m.buffers[i]][m.buffers[j]];
                }
                some.b[some.n] = g.b[m.buffers[i]];
                some.n += i != skip;
            }
            for (uint32_t i = 0; i < some.n; i++) {
                some.near[i][i] = false;
            }
            assert_int_equal(optimum(&some) > o.capacity, skip == m.n);
        }
        tn_arena_drop(a);
    }
    return TN_OK;
}

/* Conflicts of live ranges: found to be such, and packed as well as tn_pack does. */
static tn_status interval_graphs(tn_ctx *ctx, void *arg) {
    (void)arg;
    uint64_t seed = 13;
    uint32_t found = 0, rounds = DRAWN(200);
    for (uint32_t round = 0; round < rounds; round++) {
        tn_arena *a = tn_arena_new(ctx);
        graph g = {.n = 3 + gen_below(&seed, MOST - 3)};
        tn_pack_result r, as_ranges;
        int64_t first[MOST], last[MOST];
        gen_plain(&seed, g.b, g.n, 4 + gen_below(&seed, 60), 50);
        for (uint32_t i = 0; i < g.n; i++) {
            for (uint32_t j = 0; j < i; j++) {
                if (gen_meet(&g.b[i], &g.b[j])) {
                    add(&g, i, j);
                }
            }
        }
        tn_graph whole = tn_graph_make(a, g.b, g.n, g.c, g.n_conflicts);
        if (tn_graph_intervals(a, &whole, first, last)) {
            found++;
            for (uint32_t i = 0; i < g.n; i++) {
                for (uint32_t j = 0; j < i; j++) {
                    assert_int_equal(first[i] < last[j] && first[j] < last[i], g.near[i][j]);
                }
            }
        }
        assert_int_equal(tn_pack(a, g.b, g.n, NULL, &as_ranges), TN_OK);
        check(a, &g, NULL, &r);
        assert_int_equal(r.optimal, as_ranges.optimal);
        assert_int_equal(r.height, as_ranges.height);
        tn_arena_drop(a);
    }
    assert_int_equal(found, rounds);
    return TN_OK;
}

/* A ring of five is no interval graph, has no clique of three and no packing as low as two sizes.
 */
static tn_status ring(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_arena *a = tn_arena_new(ctx);
    graph g = {.n = 5};
    tn_pack_result r;
    int64_t first[5], last[5];
    for (uint32_t i = 0; i < 5; i++) {
        g.b[i] = (tn_pack_buffer){0, 1, 10, 1, TN_PACK_FREE, NULL, 0};
        add(&g, i, (i + 1) % 5);
    }
    tn_graph whole = tn_graph_make(a, g.b, 5, g.c, 5);
    assert_false(tn_graph_intervals(a, &whole, first, last));
    check(a, &g, NULL, &r);
    assert_int_equal(r.height, 30);
    assert_true(r.optimal);
    assert_int_equal(r.bound_kind, TN_BOUND_SEARCH);
    check(a, &g, &(tn_pack_options){.effort = 0}, &r);
    assert_int_equal(r.bound, 20);
    assert_int_equal(r.bound_kind, TN_BOUND_CLIQUE);
    assert_int_equal(r.n_bound_set, 2);
    return TN_OK;
}

static tn_status refused(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_arena *a = tn_arena_new(ctx);
    tn_pack_result r;
    tn_pack_buffer b[2] = {{0, 0, 8, 8, TN_PACK_FREE, NULL, 0}, {0, 0, 8, 8, 0, NULL, 0}};
    tn_conflict c = {0, 1};
    assert_int_equal(tn_pack_graph(a, b, 2, &c, 1, NULL, &r), TN_OK);
    assert_int_equal(r.height, 16);
    assert_int_equal(tn_pack_graph(a, b, 2, NULL, 0, NULL, &r), TN_OK);
    assert_int_equal(r.height, 8);
    assert_int_equal(tn_pack_graph(a, b, 2, &(tn_conflict){0, 2}, 1, NULL, &r), TN_ERROR);
    assert_int_equal(tn_pack_graph(a, b, 2, &(tn_conflict){1, 1}, 1, NULL, &r), TN_ERROR);
    tn_pack_options o = {.algorithm = "load"};
    assert_int_equal(tn_pack_graph(a, b, 2, &c, 1, &o, &r), TN_USAGE);
    b[0].fixed = 0;
    assert_int_equal(tn_pack_graph(a, b, 2, &c, 1, NULL, &r), TN_ERROR);
    b[0].fixed = 4;
    assert_int_equal(tn_pack_graph(a, b, 2, NULL, 0, NULL, &r), TN_ERROR);
    b[0] = (tn_pack_buffer){0, 0, INT64_MAX, 1, TN_PACK_FREE, NULL, 0};
    assert_int_equal(tn_pack_graph(a, b, 2, &c, 1, NULL, &r), TN_ERROR);
    b[0].size = 0;
    assert_int_equal(tn_pack_graph(a, b, 2, &c, 1, NULL, &r), TN_OK);
    assert_int_equal(r.height, 8);
    return TN_OK;
}

/* Sixty-four buffers of several lanes: two conflict when they overlap in either lane's time. */
static tn_status two_lanes(tn_ctx *ctx, void *arg) {
    (void)arg;
    uint64_t seed = 14;
    for (uint32_t round = 0; round < DRAWN(20); round++) {
        tn_arena *a = tn_arena_new(ctx);
        graph g = {.n = MOST};
        tn_pack_buffer other[MOST];
        tn_pack_result r, again;
        gen_plain(&seed, g.b, g.n, 40, 50);
        gen_plain(&seed, other, g.n, 40, 1);
        for (uint32_t i = 0; i < g.n; i++) {
            for (uint32_t j = 0; j < i; j++) {
                if (gen_meet(&g.b[i], &g.b[j]) || gen_meet(&other[i], &other[j])) {
                    add(&g, i, j);
                }
            }
        }
        check(a, &g, NULL, &r);
        check(a, &g, NULL, &again);
        assert_memory_equal(r.offsets, again.offsets, g.n * sizeof *r.offsets);
        tn_arena_drop(a);
    }
    return TN_OK;
}

/* The cheapest objects of all ways to share, buffer by buffer. */
static void all_shares(const graph *g, const uint32_t *group, uint32_t *object, uint64_t *sizes,
                       uint32_t i, uint32_t n_objects, uint64_t *best) {
    uint64_t sum = 0;
    for (uint32_t o = 0; o < n_objects; o++) {
        sum += sizes[o];
    }
    if (i == g->n || sum >= *best) {
        *best = sum < *best ? sum : *best;
        return;
    }
    for (uint32_t o = 0; o <= n_objects; o++) {
        bool free = true;
        for (uint32_t j = 0; j < i; j++) {
            free = free && (object[j] != o || (!g->near[i][j] && group[i] == group[j]));
        }
        uint64_t size = o < n_objects ? sizes[o] : 0;
        if (free) {
            object[i] = o;
            sizes[o] = g->b[i].size > size ? g->b[i].size : size;
            all_shares(g, group, object, sizes, i + 1, o < n_objects ? n_objects : o + 1, best);
            sizes[o] = size;
        }
    }
}

/* Nobody shares with whom it conflicts, or with another group; objects are as large as their
 * largest member; and the best of all sharings lies between the bound and what was found. */
static tn_status objects(tn_ctx *ctx, void *arg) {
    static const tn_pack_options plain = {.effort = 1}, wrong = {.algorithm = "load"};
    (void)arg;
    uint64_t seed = 15;
    for (uint32_t round = 0; round < DRAWN(300); round++) {
        tn_arena *a = tn_arena_new(ctx);
        uint32_t group[MOST], object[MOST];
        uint64_t sizes[MOST + 1] = {0}, best = UINT64_MAX;
        graph g;
        tn_slots_result r;
        random_graph(&seed, &g, 2 + round % 6, 9, 1 + round % 9);
        for (uint32_t i = 0; i < g.n; i++) {
            group[i] = round % 3 == 0 ? 0 : (uint32_t)gen_below(&seed, 2);
        }
        assert_int_equal(tn_pack_graph_slots(a, g.b, group, g.n, g.c, g.n_conflicts, &plain, &r),
                         TN_OK);
        for (uint32_t i = 0; i < g.n; i++) {
            assert_true(g.b[i].size <= r.sizes[r.object[i]]);
            for (uint32_t j = 0; j < i; j++) {
                assert_true(r.object[i] != r.object[j] || (!g.near[i][j] && group[i] == group[j]));
            }
        }
        all_shares(&g, group, object, sizes, 0, 0, &best);
        assert_true(r.bound <= best && best <= r.total);
        assert_int_equal(tn_pack_graph_slots(a, g.b, group, g.n, g.c, g.n_conflicts, &wrong, &r),
                         TN_USAGE);
        tn_arena_drop(a);
    }
    return TN_OK;
}

UNIT_TEST(objects)
UNIT_TEST(brute_force)
UNIT_TEST(capacities)
UNIT_TEST(interval_graphs)
UNIT_TEST(ring)
UNIT_TEST(refused)
UNIT_TEST(two_lanes)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_objects),    cmocka_unit_test(test_brute_force),
        cmocka_unit_test(test_capacities), cmocka_unit_test(test_interval_graphs),
        cmocka_unit_test(test_ring),       cmocka_unit_test(test_refused),
        cmocka_unit_test(test_two_lanes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
