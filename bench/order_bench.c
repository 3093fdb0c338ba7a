/* Orders for the least peak on generated networks: prints bench/order.csv.
 *
 *     order_bench > bench/order.csv
 *     order_bench --only=TEXT          graphs whose names begin with TEXT
 *     order_bench --without=STEP       leaves out a step (passes/order/order_steps.def)
 *     order_bench --budget=NAME=VALUE  another value (passes/order/order_budgets.def)
 *     order_bench --table              what gets worse without each step, for passes/order/map.md
 *
 * The last column is a time in milliseconds, for orientation; all others repeat exactly. `lists` is
 * the better of the two list orders, `peak` and `bound` what tn_sched_min_peak finds and proves, so
 * equal numbers are an optimum. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "passes/order/list_order.h"
#include "passes/order/reverse.h"
#include "passes/order/solve.h"
#include "tests/unit/sched_gen.h"

enum { MAX_GRAPHS = 128 };

/* What is compared of a graph. */
typedef struct figures {
    const char *name;
    uint64_t seed, peak, bound, states;
} figures;

typedef struct bench {
    tn_ctx *ctx;
    const char *only;
    tn_sched_options options;
    bool quiet;
    figures of[MAX_GRAPHS];
    uint32_t n;
} bench;

static double now_ms(void) {
    return 1000.0 * (double)clock() / CLOCKS_PER_SEC;
}

static void measure(bench *b, tn_arena *arena, const char *name, uint64_t seed, const tn_sched *p) {
    if (strncmp(name, b->only, strlen(b->only)) != 0) {
        return;
    }
    uint32_t *given = sched_identity(arena, p->n), *list = TN_ARRAY(arena, uint32_t, p->n);
    tn_order_list(arena, p, list);
    uint64_t lists = tn_sched_peak(arena, p, list);
    tn_sched turned;
    uint64_t back = UINT64_MAX;
    if (tn_order_reverse(arena, p, &turned)) {
        tn_order_list(arena, &turned, list);
        back = tn_sched_peak(arena, &turned, list);
    }
    double start = now_ms();
    tn_sched_result r = tn_sched_min_peak(arena, p, given, &b->options);
    b->of[b->n++ % MAX_GRAPHS] = (figures){name, seed, r.peak, r.bound, r.expanded};
    if (b->quiet) {
        return;
    }
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

static void measure_wired(bench *all) {
    static const wired_kind kinds[] = {
        {"randwire 32", 32, 1, false},         {"randwire 32x3", 32, 3, false},
        {"randwire 32x3 varied", 32, 3, true}, {"randwire 48 varied", 48, 1, true},
        {"randwire 64", 64, 1, false},         {"randwire 64 varied", 64, 1, true},
        {"randwire 50x3 varied", 50, 3, true}, {"randwire 80x3 varied", 80, 3, true}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const wired_kind *k = &kinds[i];
        for (uint64_t seed = 1; seed <= 4; seed++) {
            tn_arena *a = tn_arena_new(all->ctx);
            tn_sched p = sched_randwire(a, seed, k->vertices, 4, 75, k->ops, k->vary);
            measure(all, a, k->name, seed, &p);
            tn_arena_drop(a);
        }
    }
}

static void measure_cells(bench *all) {
    static const cell_kind kinds[] = {{"darts, 8 cells of 4", 8, 4, 2, false},
                                      {"darts, 8 cells of 4, varied", 8, 4, 2, true},
                                      {"nasnet, 18 cells of 5", 18, 5, 2, false},
                                      {"nasnet, 18 cells of 5, varied", 18, 5, 2, true},
                                      {"cells of 10, varied", 4, 10, 3, true}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        for (uint64_t seed = 1; seed <= 2; seed++) {
            tn_arena *a = tn_arena_new(all->ctx);
            tn_sched p = cells(a, seed, &kinds[i]);
            measure(all, a, kinds[i].name, seed, &p);
            tn_arena_drop(a);
        }
    }
}

/* Blocks in a row, each of 24 ops that read two earlier ones of their block. The op behind a block
 * also reads what an op without bytes made, which may run at any time before. */
static tn_sched blocks(tn_arena *arena, uint64_t seed, uint32_t n_blocks) {
    sched_gen g = sched_gen_make(arena, seed);
    uint32_t x = sched_op(&g, 32);
    for (uint32_t b = 0; b < n_blocks; b++) {
        uint32_t at[25] = {x}, readers[25] = {0}, free_op = sched_op(&g, 0);
        for (uint32_t i = 1; i < 25; i++) {
            uint32_t j = sched_rnd(&g, i), k = sched_rnd(&g, i);
            at[i] = sched_op(&g, 8 + sched_rnd(&g, 49));
            sched_read(&g, at[i], at[j]);
            readers[j]++;
            if (k != j) {
                sched_read(&g, at[i], at[k]);
                readers[k]++;
            }
        }
        x = sched_op(&g, 32);
        sched_read(&g, x, free_op);
        for (uint32_t i = 1; i < 25; i++) {
            if (readers[i] == 0) {
                sched_read(&g, x, at[i]);
            }
        }
    }
    return sched_done(&g);
}

static void measure_nested(bench *all) {
    for (uint64_t seed = 1; seed <= 2; seed++) {
        tn_arena *a = tn_arena_new(all->ctx);
        tn_sched in = sched_tree(a, seed, 1000, false), out = sched_tree(a, seed, 100, true);
        tn_sched apart = sched_series_parallel(a, seed, 1000, true);
        tn_sched shared = sched_series_parallel(a, seed, 100, false);
        tn_sched row = blocks(a, seed, 200);
        measure(all, a, "in-tree", seed, &in);
        measure(all, a, "out-tree", seed, &out);
        measure(all, a, "series-parallel, bytes by edge", seed, &apart);
        measure(all, a, "series-parallel, bytes by op", seed, &shared);
        measure(all, a, "blocks with free ops", seed, &row);
        tn_arena_drop(a);
    }
}

static void measure_all(bench *all) {
    static const uint32_t layers[] = {75, 1000, 10000}; /* of four ops each */
    all->n = 0;
    measure_wired(all);
    measure_cells(all);
    measure_nested(all);
    for (size_t i = 0; i < sizeof layers / sizeof layers[0]; i++) {
        tn_arena *a = tn_arena_new(all->ctx);
        tn_sched p = sched_training(a, 1, layers[i]);
        measure(all, a, "training chain with skips", 1, &p);
        tn_arena_drop(a);
    }
}

static const char *const steps[] = {
#define STEP(name) #name,
#include "passes/order/order_steps.def"
#undef STEP
};

/* One line of the table: the graphs of `x` against those of `with`. */
static void compare(const char *step, const bench *x, const bench *with) {
    uint32_t worse = 0, better = 0, unproven = 0, bounds = 0;
    uint64_t states = 0, before = 0;
    double most = 0;
    for (uint32_t i = 0; i < with->n; i++) {
        const figures *f = &x->of[i], *g = &with->of[i];
        double more = 100.0 * ((double)f->peak / (double)g->peak - 1);
        worse += f->peak > g->peak;
        better += f->peak < g->peak;
        most = more > most ? more : most;
        unproven += f->peak != f->bound && g->peak == g->bound;
        bounds += f->bound < g->bound;
        states += f->states;
        before += g->states;
    }
    printf("| %s | %u (+%.1f %%) | %u | %u | %u | %.2f |\n", step, worse, most, better, unproven,
           bounds, (double)states / (double)before);
}

static void print_table(bench *with) {
    with->quiet = true;
    measure_all(with);
    printf("| without | worse peaks (most) | better | proofs lost | lower bounds | states x |\n"
           "|---|---|---|---|---|---|\n");
    for (uint32_t i = 0; i < TN_ORDER_STEPS; i++) {
        bench x = *with;
        x.options.without = 1u << i;
        measure_all(&x);
        compare(steps[i], &x, with);
    }
}

/* Whether an option was read. */
static bool set_budget(tn_sched_options *o, const char *text) {
#define BUDGET(name, quick, thorough)                                                              \
    if (strncmp(text, #name "=", sizeof #name) == 0) {                                             \
        o->name = strtoull(text + sizeof #name, NULL, 10);                                         \
        return true;                                                                               \
    }
#include "passes/order/order_budgets.def"
#undef BUDGET
    return false;
}

static bool leave_out(tn_sched_options *o, const char *step) {
    for (uint32_t i = 0; i < TN_ORDER_STEPS; i++) {
        if (strcmp(step, steps[i]) == 0) {
            o->without |= 1u << i;
            return true;
        }
    }
    return false;
}

static bool read_option(bench *b, const char *text, bool *table) {
    if (strcmp(text, "--table") == 0) {
        return *table = true;
    }
    if (strncmp(text, "--only=", 7) == 0) {
        b->only = text + 7;
        return true;
    }
    if (strncmp(text, "--without=", 10) == 0) {
        return leave_out(&b->options, text + 10);
    }
    return strncmp(text, "--budget=", 9) == 0 && set_budget(&b->options, text + 9);
}

typedef struct call {
    int argc;
    char **argv;
} call;

static tn_status run(tn_ctx *ctx, void *arg) {
    const call *c = arg;
    bool table = false;
    bench b = {.ctx = ctx, .only = "", .options = tn_sched_thorough()};
    for (int i = 1; i < c->argc; i++) {
        if (!read_option(&b, c->argv[i], &table)) {
            fprintf(stderr, "unknown option '%s'\n", c->argv[i]);
            return TN_USAGE;
        }
    }
    if (table) {
        print_table(&b);
        return TN_OK;
    }
    printf("graph,seed,ops,index order,lists,peak,bound,proven,states,parts,ms\n");
    measure_all(&b);
    return TN_OK;
}

int main(int argc, char **argv) {
    call c = {argc, argv};
    tn_ctx *ctx = tn_ctx_new(NULL);
    tn_status status = ctx != NULL ? tn_guard_run(ctx, run, &c) : TN_NOMEM;
    tn_ctx_free(ctx);
    return (int)status;
}
