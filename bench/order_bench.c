/* Orders for the least peak on generated networks: prints bench/order.csv.
 *
 *     order_bench > bench/order.csv
 *
 * The last column is a time in milliseconds, for orientation; all others repeat exactly. `lists` is
 * the better of the two list orders, `peak` and `bound` what tn_sched_min_peak finds and proves, so
 * equal numbers are an optimum. */
#include <stdio.h>
#include <time.h>

#include "passes/order/list.h"
#include "tests/unit/sched_gen.h"

static double now_ms(void) {
    return 1000.0 * (double)clock() / CLOCKS_PER_SEC;
}

static void measure(tn_arena *arena, const char *name, uint64_t seed, const tn_sched *p) {
    tn_sched_options options = tn_sched_thorough();
    uint32_t *given = sched_identity(arena, p->n), *list = TN_ARRAY(arena, uint32_t, p->n);
    tn_order_list(arena, p, list);
    uint64_t lists = tn_sched_peak(arena, p, list);
    tn_order_list_reversed(arena, p, list);
    uint64_t back = tn_sched_peak(arena, p, list);
    double start = now_ms();
    tn_sched_result r = tn_sched_min_peak(arena, p, given, &options);
    printf("\"%s\",%llu,%u,%llu,%llu,%llu,%llu,%s,%llu,%u,%.1f\n", name, (unsigned long long)seed,
           p->n, (unsigned long long)r.given, (unsigned long long)(back < lists ? back : lists),
           (unsigned long long)r.peak, (unsigned long long)r.bound,
           r.peak == r.bound ? "yes" : "no", (unsigned long long)r.expanded, r.parts,
           now_ms() - start);
}

/* Cells of branches that meet in sums and one concatenation, as those found by architecture search:
 * `nodes` inner vertices, each the sum of two earlier ones behind `ops` ops each; cells read the
 * two cells before. Widths vary from vertex to vertex, or are all the same. */
typedef struct cell_kind {
    const char *name;
    uint32_t cells, nodes, ops;
    bool vary;
} cell_kind;

static uint32_t branch(sched_gen *g, uint32_t from, uint32_t ops, uint64_t size) {
    for (uint32_t i = 0; i < ops; i++) {
        uint32_t v = sched_op(g, size);
        sched_read(g, v, from);
        from = v;
    }
    return from;
}

static tn_sched cells(tn_arena *arena, uint64_t seed, const cell_kind *k) {
    sched_gen g = sched_gen_make(arena, seed);
    uint32_t before = sched_op(&g, 32), last = branch(&g, before, 1, 32);
    for (uint32_t c = 0; c < k->cells; c++) {
        uint32_t at[16] = {before, last}, n = 2;
        uint64_t sum_of_sizes = 0;
        for (uint32_t i = 0; i < k->nodes; i++) {
            uint32_t a = sched_rnd(&g, n), b = (a + 1 + sched_rnd(&g, n - 1)) % n;
            uint64_t size = k->vary ? 8 + sched_rnd(&g, 49) : 32;
            uint32_t left = branch(&g, at[a], k->ops, size);
            uint32_t right = branch(&g, at[b], k->ops, size);
            uint32_t sum = sched_op(&g, size);
            sched_read(&g, sum, left);
            sched_read(&g, sum, right);
            sched_take(&g, sum, left);
            at[n++] = sum;
            sum_of_sizes += size;
        }
        uint32_t out = sched_op(&g, sum_of_sizes);
        for (uint32_t i = 2; i < n; i++) {
            sched_read(&g, out, at[i]);
        }
        before = last;
        last = branch(&g, out, 1, 32);
    }
    return sched_done(&g);
}

typedef struct wired_kind {
    const char *name;
    uint32_t vertices, ops;
    bool vary;
} wired_kind;

static void measure_wired(tn_ctx *ctx) {
    static const wired_kind kinds[] = {
        {"randwire 32", 32, 1, false},         {"randwire 32x3", 32, 3, false},
        {"randwire 32x3 varied", 32, 3, true}, {"randwire 48 varied", 48, 1, true},
        {"randwire 64", 64, 1, false},         {"randwire 64 varied", 64, 1, true},
        {"randwire 50x3 varied", 50, 3, true}, {"randwire 80x3 varied", 80, 3, true}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const wired_kind *k = &kinds[i];
        for (uint64_t seed = 1; seed <= 4; seed++) {
            tn_arena *a = tn_arena_new(ctx);
            tn_sched p = sched_randwire(a, seed, k->vertices, 4, 75, k->ops, k->vary);
            measure(a, k->name, seed, &p);
            tn_arena_drop(a);
        }
    }
}

static void measure_cells(tn_ctx *ctx) {
    static const cell_kind kinds[] = {{"darts, 8 cells of 4", 8, 4, 2, false},
                                      {"darts, 8 cells of 4, varied", 8, 4, 2, true},
                                      {"nasnet, 18 cells of 5", 18, 5, 2, false},
                                      {"nasnet, 18 cells of 5, varied", 18, 5, 2, true},
                                      {"cells of 10, varied", 4, 10, 3, true}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        for (uint64_t seed = 1; seed <= 2; seed++) {
            tn_arena *a = tn_arena_new(ctx);
            tn_sched p = cells(a, seed, &kinds[i]);
            measure(a, kinds[i].name, seed, &p);
            tn_arena_drop(a);
        }
    }
}

static void measure_nested(tn_ctx *ctx) {
    for (uint64_t seed = 1; seed <= 2; seed++) {
        tn_arena *a = tn_arena_new(ctx);
        tn_sched in = sched_tree(a, seed, 1000, false), out = sched_tree(a, seed, 100, true);
        tn_sched apart = sched_series_parallel(a, seed, 1000, true);
        tn_sched shared = sched_series_parallel(a, seed, 100, false);
        measure(a, "in-tree", seed, &in);
        measure(a, "out-tree", seed, &out);
        measure(a, "series-parallel, bytes by edge", seed, &apart);
        measure(a, "series-parallel, bytes by op", seed, &shared);
        tn_arena_drop(a);
    }
}

static tn_status run(tn_ctx *ctx, void *arg) {
    static const uint32_t layers[] = {75, 1000, 10000}; /* of four ops each */
    (void)arg;
    printf("graph,seed,ops,index order,lists,peak,bound,proven,states,parts,ms\n");
    measure_wired(ctx);
    measure_cells(ctx);
    measure_nested(ctx);
    for (size_t i = 0; i < sizeof layers / sizeof layers[0]; i++) {
        tn_arena *a = tn_arena_new(ctx);
        tn_sched p = sched_training(a, 1, layers[i]);
        measure(a, "training chain with skips", 1, &p);
        tn_arena_drop(a);
    }
    return TN_OK;
}

int main(void) {
    tn_ctx *ctx = tn_ctx_new(NULL);
    tn_status status = ctx != NULL ? tn_guard_run(ctx, run, NULL) : TN_NOMEM;
    tn_ctx_free(ctx);
    return (int)status;
}
