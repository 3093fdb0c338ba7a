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
    printf("%s,%llu,%u,%llu,%llu,%llu,%llu,%s,%llu,%u,%.1f\n", name, (unsigned long long)seed, p->n,
           (unsigned long long)r.given, (unsigned long long)(back < lists ? back : lists),
           (unsigned long long)r.peak, (unsigned long long)r.bound,
           r.peak == r.bound ? "yes" : "no", (unsigned long long)r.expanded, r.parts,
           now_ms() - start);
}

/* Cells of branches that meet in sums and one concatenation, as those found by architecture search:
 * `nodes` inner vertices, each the sum of two convolved earlier ones; cells read the two before. */
static tn_sched cells(tn_arena *arena, uint64_t seed, uint32_t n_cells, uint32_t nodes) {
    sched_gen g = sched_gen_make(arena, seed);
    uint32_t before = sched_op(&g, 32), last = sched_op(&g, 32);
    sched_read(&g, last, before);
    for (uint32_t c = 0; c < n_cells; c++) {
        uint32_t at[16] = {before, last}, n = 2, out;
        for (uint32_t i = 0; i < nodes; i++) {
            uint32_t a = sched_rnd(&g, n), b = (a + 1 + sched_rnd(&g, n - 1)) % n;
            uint32_t left = sched_op(&g, 32), right = sched_op(&g, 32);
            sched_read(&g, left, at[a]);
            sched_read(&g, right, at[b]);
            uint32_t sum = sched_op(&g, 32);
            sched_read(&g, sum, left);
            sched_read(&g, sum, right);
            sched_take(&g, sum, left);
            at[n++] = sum;
        }
        out = sched_op(&g, 32 * nodes);
        for (uint32_t i = 2; i < n; i++) {
            sched_read(&g, out, at[i]);
        }
        before = last;
        last = sched_op(&g, 32);
        sched_read(&g, last, out);
    }
    return sched_done(&g);
}

static tn_status run(tn_ctx *ctx, void *arg) {
    static const struct {
        const char *name;
        uint32_t vertices, ops;
        bool vary;
    } wired[] = {{"randwire 32", 32, 1, false},         {"randwire 32x3", 32, 3, false},
                 {"randwire 32x3 varied", 32, 3, true}, {"randwire 48 varied", 48, 1, true},
                 {"randwire 64", 64, 1, false},         {"randwire 64 varied", 64, 1, true},
                 {"randwire 50x3 varied", 50, 3, true}, {"randwire 80x3 varied", 80, 3, true}};
    (void)arg;
    printf("graph,seed,ops,index order,lists,peak,bound,proven,states,parts,ms\n");
    for (size_t i = 0; i < sizeof wired / sizeof wired[0]; i++) {
        for (uint64_t seed = 1; seed <= 3; seed++) {
            tn_arena *a = tn_arena_new(ctx);
            tn_sched p =
                sched_randwire(a, seed, wired[i].vertices, 4, 75, wired[i].ops, wired[i].vary);
            measure(a, wired[i].name, seed, &p);
            tn_arena_drop(a);
        }
    }
    static const uint32_t layers[] = {100, 1000};
    for (size_t i = 0; i < sizeof layers / sizeof layers[0]; i++) {
        tn_arena *a = tn_arena_new(ctx);
        tn_sched p = sched_training(a, 1, layers[i]);
        measure(a, "training chain with skips", layers[i], &p);
        tn_sched few = cells(a, 1, 8, 4), many = cells(a, 1, 18, 5);
        measure(a, i == 0 ? "cells of 4, in place" : "cells of 5, in place", 1,
                i == 0 ? &few : &many);
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
