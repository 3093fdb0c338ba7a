/* Measures the packing library: instances of others from TENURE_INSTANCES (a folder of CSV files),
 * and generated ones whose optimum is known or whose bound is reached by real networks.
 *
 *     pack_bench [--effort=N] [--budget=NODES] [--threads=N] [--csv=FILE] [NAME...]
 *
 * Prints a table; --csv also writes it to a file. Heights, bounds and nodes are the same on every
 * machine; milliseconds are of processor time, one run. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ir/base/diag.h"
#include "ir/base/file.h"
#include "passes/pack/base/instance_csv.h"
#include "tests/unit/pack_gen.h"

typedef struct bench {
    tn_ctx *ctx;
    tn_sink table;
    tn_pack_options options;
    const char *csv;
    char **names;
    int n_names;
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
    double ms = cpu_ms() - start;
    if (status != TN_OK && status != TN_NOFIT) {
        b->status = tn_error(b->ctx, NULL, "%s: not a packing instance", name);
    } else if (!tn_pack_valid(a, buffers, n, r.offsets, &x, &y) ||
               (known != 0 && r.bound > known)) {
        b->status = tn_error(b->ctx, NULL, "%s: wrong result", name);
    } else {
        double gap = 100.0 * ((double)r.height / (double)r.bound - 1);
        printf("%-16s %8u %14" PRIu64 " %14" PRIu64 " %8.4f%% %-7s %-14s %10" PRIu64 " %10.2f ms\n",
               name, n, r.bound, r.height, gap,
               r.optimal         ? "optimal"
               : status == TN_OK ? ""
                                 : "no",
               r.algorithm, r.nodes, ms);
        fflush(stdout);
        tn_putf(&b->table, "%s,%u,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%d,%s,%" PRIu64 ",%.1f\n",
                name, n, capacity, r.bound, r.height, r.optimal, r.algorithm, r.nodes, ms);
    }
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

static tn_status run(tn_ctx *ctx, void *arg) {
    bench *b = arg;
    b->table = tn_sink_make(tn_arena_new(ctx));
    tn_put(&b->table, "instance,buffers,capacity,bound,height,optimal,algorithm,nodes,ms\n");
    measure_others(b);
    static const uint32_t counts[] = {100, 200, 400};
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        measure_tilings(b, counts[k], 0);
        measure_tilings(b, counts[k], 10);
    }
    measure_families(b, 200, 32, 1024, "coarse");
    measure_families(b, 400, 1024, 1024, "middling");
    measure_families(b, 1000, 1 << 20, 1 << 20, "fine");
    measure_network(b, "network-1k", 1000);
    measure_network(b, "network-10k", 10000);
    measure_network(b, "network-100k", 100000);
    measure_network(b, "network-1M", 1000000);
    if (b->status == TN_OK && b->csv != NULL) {
        return tn_file_write(ctx, b->csv, b->table.data, b->table.len);
    }
    return b->status;
}

static void on_diag(void *user, tn_severity severity, const char *text) {
    (void)user;
    (void)severity;
    fprintf(stderr, "%s\n", text);
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
