/* Measures the packing library: instances of others from TENURE_INSTANCES (a folder of CSV files),
 * and generated ones whose optimum is known or whose bound is reached by real networks.
 *
 *     pack_bench [--effort=N] [--budget=NODES] [--threads=N] [--csv=FILE] [--without=STEP|--table]
 * [NAME...]
 *
 * Prints a line an instance; --csv also writes them to a file. Heights, bounds and nodes are the
 * same on every machine; milliseconds are of processor time, one run. For shared objects the height
 * is their sum.
 *
 * --without=STEP leaves one step out (passes/pack/steps.def, or a rule's name for --algo). --table
 * does so with each in turn and prints what gets worse, as passes/pack/map.md has it: how many
 * instances end higher and by how much at most, how many lower, how many are no longer proven
 * optimal, how many have a lower bound, and the processor time, all beside the run with everything.
 */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ir/base/diag.h"
#include "ir/base/file.h"
#include "lib/instance/instance_csv.h"
#include "tests/unit/pack_gen.h"

/* What was found for one instance. */
typedef struct row {
    const char *name, *algorithm;
    uint32_t n;
    uint64_t capacity, bound, height, nodes;
    bool optimal, misfit;
    double ms;
} row;

typedef struct bench {
    tn_ctx *ctx;
    tn_arena *arena;
    TN_VEC(row) rows; /* of one run over all instances */
    tn_pack_options options;
    const char *csv;
    char **names;
    int n_names;
    bool table; /* a run without each step, compared */
    tn_status status;
} bench;

static double cpu_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static bool wanted(const bench *b, const char *name) {
    for (int i = 0; i < b->n_names; i++) {
        if (strncmp(b->names[i], name, strlen(b->names[i])) == 0) {
            return true;
        }
    }
    return b->n_names == 0;
}

static void print_row(const row *r) {
    printf("%-20s %8u %14" PRIu64 " %14" PRIu64 " %8.4f%% %-7s %-14s %10" PRIu64 " %10.2f ms\n",
           r->name, r->n, r->bound, r->height, 100.0 * ((double)r->height / (double)r->bound - 1),
           r->optimal  ? "optimal"
           : r->misfit ? "no"
                       : "",
           r->algorithm, r->nodes, r->ms);
    fflush(stdout);
}

/* Keeps what was found; `ok`: it stands the test. */
static void add_row(bench *b, row r, bool ok) {
    if (!ok) {
        b->status = tn_error(b->ctx, NULL, "%s: wrong result", r.name);
        return;
    }
    r.name = tn_arena_printf(b->arena, "%s", r.name);
    tn_vec_push(b->arena, &b->rows, r);
    if (!b->table) {
        print_row(&r);
    }
}

static row row_of(const char *name, uint32_t n, uint64_t capacity, tn_status status,
                  const tn_pack_result *r) {
    return (row){.name = name,
                 .algorithm = r->algorithm,
                 .n = n,
                 .capacity = capacity,
                 .bound = r->bound,
                 .height = r->height,
                 .nodes = r->nodes,
                 .optimal = r->optimal,
                 .misfit = status == TN_NOFIT};
}

/* `known`: the optimum where it is known, else 0. */
static void measure(bench *b, const char *name, const tn_pack_buffer *buffers, uint32_t n,
                    uint64_t capacity, uint64_t known) {
    tn_arena *a = tn_arena_new(b->ctx);
    tn_pack_options o = b->options;
    tn_pack_result r;
    uint32_t x, y;
    o.capacity = capacity;
    double start = cpu_ms();
    tn_status status = tn_pack(a, buffers, n, &o, &r);
    row found = row_of(name, n, capacity, status, &r);
    found.ms = cpu_ms() - start;
    add_row(b, found,
            (status == TN_OK || status == TN_NOFIT) &&
                tn_pack_valid(a, buffers, n, r.offsets, &x, &y) &&
                (known == 0 || r.bound <= known));
    tn_arena_drop(a);
}

static void measure_graph(bench *b, const char *name, const tn_pack_buffer *buffers, uint32_t n,
                          const tn_conflict *conflicts, size_t n_conflicts) {
    tn_arena *a = tn_arena_new(b->ctx);
    tn_pack_result r;
    uint32_t x, y;
    double start = cpu_ms();
    tn_status status = tn_pack_graph(a, buffers, n, conflicts, n_conflicts, &b->options, &r);
    row found = row_of(name, n, 0, status, &r);
    found.ms = cpu_ms() - start;
    add_row(b, found,
            status == TN_OK &&
                tn_pack_graph_valid(buffers, n, conflicts, n_conflicts, r.offsets, &x, &y));
    tn_arena_drop(a);
}

static void measure_slots(bench *b, const char *name, const tn_pack_buffer *buffers, uint32_t n) {
    tn_arena *a = tn_arena_new(b->ctx);
    tn_slots_result r;
    double start = cpu_ms();
    tn_status status = tn_pack_slots(a, buffers, NULL, n, &b->options, &r);
    row found = {.name = name,
                 .algorithm = r.algorithm,
                 .n = n,
                 .bound = r.bound,
                 .height = r.total,
                 .nodes = r.nodes,
                 .optimal = r.optimal,
                 .ms = cpu_ms() - start};
    add_row(b, found, status == TN_OK && r.bound <= r.total);
    tn_arena_drop(a);
}

static void measure_file(bench *b, const char *folder, const char *name, uint64_t capacity) {
    tn_arena *a = tn_arena_new(b->ctx);
    tn_bytes bytes;
    tn_pack_csv csv;
    const char *path = tn_arena_printf(a, "%s/%s.csv", folder, name);
    const char *shown = capacity == 0 ? name : tn_arena_printf(a, "%s@%" PRIu64, name, capacity);
    if (wanted(b, shown)) {
        b->status = tn_file_map(a, path, &bytes);
        if (b->status == TN_OK) {
            b->status = tn_pack_csv_read(a, path, bytes.data, bytes.size, &csv);
        }
        if (b->status == TN_OK) {
            measure(b, shown, csv.buffers, csv.n, capacity, 0);
        }
    }
    tn_arena_drop(a);
}

static void measure_others(bench *b) {
    static const char *const hard[] = {"A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", NULL};
    static const char *const traces[] = {"resnet50", "G_1", "pangu_2.6B", "S_1", "Y_1", NULL};
    const char *folder = getenv("TENURE_INSTANCES");
    for (int i = 0; folder != NULL && hard[i] != NULL; i++) {
        measure_file(b, folder, hard[i], 1048576);
    }
    for (int i = 0; folder != NULL && hard[i] != NULL; i++) {
        measure_file(b, folder, hard[i], 0);
    }
    for (int i = 0; folder != NULL && traces[i] != NULL; i++) {
        measure_file(b, folder, traces[i], 0);
    }
}

/* Tilings, whole and with one in `holes` of the pieces left out (0: none). */
static void measure_tilings(bench *b, uint32_t n, uint32_t holes) {
    for (uint64_t seed = 1; seed <= 5; seed++) {
        tn_arena *a = tn_arena_new(b->ctx);
        tn_pack_buffer *buffers = TN_ARRAY(a, tn_pack_buffer, n);
        uint64_t *at = TN_ARRAY(a, uint64_t, n), state = seed;
        const char *name =
            tn_arena_printf(a, "%s-%u-%" PRIu64, holes == 0 ? "tiling" : "loose", n, seed);
        uint32_t count = gen_tiling(&state, buffers, at, n, n, 1024), kept = 0;
        for (uint32_t i = 0; i < count; i++) {
            if (holes == 0 || gen_below(&state, holes) != 0) {
                buffers[kept++] = buffers[i];
            }
        }
        if (wanted(b, name)) {
            measure(b, name, buffers, kept, 0, holes == 0 ? 1024 : 0);
        }
        tn_arena_drop(a);
    }
}

/* Tilings of other kinds: with as many moments as `times`, or nearly all cuts at moments of their
 * own. */
static void measure_families(bench *b, uint32_t n, uint32_t times, uint32_t height,
                             const char *grain) {
    static const char *const names[GEN_FAMILIES] = {"sliced", "pinwheel", "skewed", "mixed"};
    for (uint32_t k = 0; k < 3 * GEN_FAMILIES; k++) {
        tn_arena *a = tn_arena_new(b->ctx);
        const char *name = tn_arena_printf(a, "%s-%s-%u-%u", names[k / 3], grain, n, k % 3 + 1);
        if (wanted(b, name)) {
            tn_pack_buffer *buffers = TN_ARRAY(a, tn_pack_buffer, n);
            uint64_t *at = TN_ARRAY(a, uint64_t, n), state = k % 3 + 1;
            uint32_t count =
                gen_family_tiling(&state, (gen_family)(k / 3), buffers, at, n, times, height);
            measure(b, name, buffers, count, 0, height);
        }
        tn_arena_drop(a);
    }
}

/* Training-like: what a layer makes forwards is kept for its way back, beside short-lived values.
 */
static void measure_network(bench *b, const char *name, uint32_t n) {
    if (!wanted(b, name)) {
        return;
    }
    tn_arena *a = tn_arena_new(b->ctx);
    tn_pack_buffer *buffers = TN_ARRAY(a, tn_pack_buffer, n);
    uint64_t seed = n;
    int64_t layers = n / 4;
    for (uint32_t i = 0; i < n; i++) {
        int64_t layer = i / 4, back = 2 * layers - layer;
        int64_t first = i % 4 < 2 ? layer : back, last = first + 1 + gen_below(&seed, 4);
        bool kept = i % 4 == 0 && gen_below(&seed, 2) == 0;
        uint64_t size = UINT64_C(64) << (2 * gen_below(&seed, 6));
        buffers[i] = (tn_pack_buffer){
            first, kept ? back + 1 : last, size * (1 + gen_below(&seed, 16)) / (kept ? 8 : 1),
            64,    TN_PACK_FREE,           NULL,
            0};
    }
    measure(b, name, buffers, n, 0, 0);
    tn_arena_drop(a);
}

/* Random buffers: with alignments, with fixed offsets as well, with gaps. */
static void measure_special(bench *b, uint32_t n) {
    static const char *const kinds[] = {"aligned", "fixed", "gaps"};
    for (uint32_t k = 0; k < 15; k++) {
        tn_arena *a = tn_arena_new(b->ctx);
        const char *name = tn_arena_printf(a, "%s-%u-%u", kinds[k / 5], n, k % 5 + 1);
        if (wanted(b, name)) {
            uint64_t seed = 100 * (uint64_t)n + k;
            tn_pack_buffer *buffers = TN_ARRAY(a, tn_pack_buffer, n);
            tn_pack_gap *gaps = TN_ARRAY(a, tn_pack_gap, n);
            gen_plain(&seed, buffers, n, 8 + n / 2, 100);
            gen_special(&seed, buffers, n, gaps, (gen_kind)(k / 5));
            measure(b, name, buffers, n, 0, 0);
        }
        tn_arena_drop(a);
    }
}

/* Random conflicts, three in ten, five in ten, seven in ten; or those of live ranges. */
static void measure_graphs(bench *b, uint32_t n) {
    for (uint32_t k = 0; k < 20; k++) {
        tn_arena *a = tn_arena_new(b->ctx);
        bool intervals = k >= 15;
        const char *name =
            intervals ? tn_arena_printf(a, "intervals-%u-%u", n, k - 14)
                      : tn_arena_printf(a, "graph.%u-%u-%u", 3 + 2 * (k / 5), n, k % 5 + 1);
        if (wanted(b, name)) {
            uint64_t seed = 100 * (uint64_t)n + k;
            tn_pack_buffer *buffers = TN_ARRAY(a, tn_pack_buffer, n);
            TN_VEC(tn_conflict) conflicts = {0};
            gen_plain(&seed, buffers, n, n / 2, 100);
            for (uint32_t i = 0; i < n; i++) {
                for (uint32_t j = 0; j < i; j++) {
                    if (intervals ? gen_meet(&buffers[i], &buffers[j])
                                  : gen_below(&seed, 10) < 3 + 2 * (k / 5)) {
                        tn_vec_push(a, &conflicts, (tn_conflict){i, j});
                    }
                }
            }
            measure_graph(b, name, buffers, n, conflicts.data, conflicts.len);
        }
        tn_arena_drop(a);
    }
}

/* Shared objects: short live ranges and few sizes, as networks have, and live ranges of any length.
 */
static void measure_sharing(bench *b, uint32_t n) {
    for (uint32_t k = 0; k < 10; k++) {
        tn_arena *a = tn_arena_new(b->ctx);
        const char *name = tn_arena_printf(a, "%s-%u-%u", k < 5 ? "short" : "slots", n, k % 5 + 1);
        if (wanted(b, name)) {
            uint64_t seed = 100 * (uint64_t)n + k;
            tn_pack_buffer *buffers = TN_ARRAY(a, tn_pack_buffer, n);
            gen_plain(&seed, buffers, n, n, 1000);
            for (uint32_t i = 0; i < n && k < 5; i++) {
                buffers[i].last = buffers[i].first + 1 + gen_below(&seed, 6);
                buffers[i].size = buffers[i].size % 12 + 1;
            }
            measure_slots(b, name, buffers, n);
        }
        tn_arena_drop(a);
    }
}

static void run_all(bench *b) {
    static const uint32_t counts[] = {100, 200, 400}, small[] = {10, 30, 100};
    b->rows.len = 0;
    measure_others(b);
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        measure_tilings(b, counts[k], 0);
        measure_tilings(b, counts[k], 10);
    }
    measure_families(b, 200, 32, 1024, "coarse");
    measure_families(b, 400, 1024, 1024, "middling");
    measure_families(b, 1000, 1 << 20, 1 << 20, "fine");
    for (size_t k = 0; k < sizeof small / sizeof small[0]; k++) {
        measure_special(b, small[k]);
        measure_graphs(b, small[k]);
        measure_sharing(b, small[k]);
    }
    measure_network(b, "network-1k", 1000);
    measure_network(b, "network-10k", 10000);
    measure_network(b, "network-100k", 100000);
    if (!b->table) {
        measure_network(b, "network-1M", 1000000);
    }
}

/* The steps that can be left out; rules go by their names for --algo. */
static const struct {
    const char *name, *file;
} steps[] = {
#define STEP(name, file) {name, file},
#include "passes/pack/steps.def"
};

/* How a run without a step compares to the run with all, over the instances of both. */
static void compare(const char *step, const char *file, const row *all, const row *less,
                    uint32_t n) {
    uint32_t worse = 0, better = 0, optimal = 0, lost = 0;
    double most = 0, ms_all = 0, ms_less = 0;
    for (uint32_t i = 0; i < n; i++) {
        double more = 100.0 * ((double)less[i].height / (double)all[i].height - 1);
        worse += less[i].height > all[i].height;
        better += less[i].height < all[i].height;
        most = more > most ? more : most;
        lost += all[i].bound > less[i].bound;
        optimal += all[i].optimal;
        optimal -= less[i].optimal;
        ms_all += all[i].ms;
        ms_less += less[i].ms;
    }
    printf("| %s | `%s` | %u | %.2f %% | %u | %d | %u | %.2f |\n", step, file, worse, most, better,
           (int)optimal, lost, ms_less / ms_all);
    fflush(stdout);
}

static void run_table(bench *b) {
    run_all(b);
    uint32_t n = b->rows.len;
    row *all = TN_ARRAY(b->arena, row, n);
    memcpy(all, b->rows.data, n * sizeof *all);
    printf("| without | file | higher | at most by | lower | fewer optimal | lower bound | time |\n"
           "|---|---|---|---|---|---|---|---|\n");
    for (size_t k = 0; k < sizeof steps / sizeof steps[0] && b->status == TN_OK; k++) {
        b->options.without = steps[k].name;
        run_all(b);
        compare(steps[k].name, steps[k].file, all, b->rows.data, n);
    }
}

static tn_status write_csv(bench *b) {
    tn_sink table = tn_sink_make(b->arena);
    tn_put(&table, "instance,buffers,capacity,bound,height,optimal,algorithm,nodes,ms\n");
    for (uint32_t i = 0; i < b->rows.len; i++) {
        const row *r = &b->rows.data[i];
        tn_putf(&table, "%s,%u,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%d,%s,%" PRIu64 ",%.1f\n",
                r->name, r->n, r->capacity, r->bound, r->height, r->optimal, r->algorithm, r->nodes,
                r->ms);
    }
    FILE *f = fopen(b->csv, "wb");
    bool good = f != NULL && fwrite(table.data, 1, table.len, f) == table.len;
    good = f != NULL && fclose(f) == 0 && good;
    return good ? TN_OK : tn_error(b->ctx, NULL, "cannot write '%s'", b->csv);
}

static tn_status run(tn_ctx *ctx, void *arg) {
    bench *b = arg;
    b->arena = tn_arena_new(ctx);
    if (b->table) {
        run_table(b);
    } else {
        run_all(b);
    }
    return b->status == TN_OK && b->csv != NULL ? write_csv(b) : b->status;
}

static void on_diag(void *user, const tn_message *m) {
    (void)user;
    fprintf(stderr, "%s\n", m->rendered);
}

static bool option(const char *arg, const char *name, const char **value) {
    size_t len = strlen(name);
    *value = arg + len;
    return strncmp(arg, name, len) == 0;
}

int main(int argc, char **argv) {
    bench b = {.ctx = tn_ctx_new(NULL), .options = {.effort = 2}};
    int at = 1;
    for (const char *v; at < argc && argv[at][0] == '-'; at++) {
        if (option(argv[at], "--effort=", &v)) {
            b.options.effort = (uint32_t)strtoul(v, NULL, 10);
        } else if (option(argv[at], "--budget=", &v)) {
            b.options.budget = strtoull(v, NULL, 10);
        } else if (option(argv[at], "--threads=", &v)) {
            b.options.threads = (uint32_t)strtoul(v, NULL, 10);
        } else if (option(argv[at], "--csv=", &v)) {
            b.csv = v;
        } else if (option(argv[at], "--without=", &v)) {
            b.options.without = v;
        } else if (strcmp(argv[at], "--table") == 0) {
            b.table = true;
        } else {
            fprintf(stderr, "unknown option '%s'\n", argv[at]);
            return TN_USAGE;
        }
    }
    b.names = argv + at;
    b.n_names = argc - at;
    if (b.ctx == NULL) {
        return TN_NOMEM;
    }
    b.ctx->on_diag = on_diag;
    tn_status status = tn_guard_run(b.ctx, run, &b);
    tn_ctx_free(b.ctx);
    return (int)status;
}
