/* `tenure pack`: the packing library alone, on instances in MiniMalloc's CSV. */
#include <inttypes.h>

#include "ir/base/file.h"
#include "passes/pack/csv.h"
#include "tools/cli/cli.h"

typedef struct pack_args {
    const char *output, *algorithm;
    uint64_t capacity;
    int64_t effort, budget, threads, wall_ms;
    bool quiet;
} pack_args;

static const tn_setting table[] = {
    {.name = "output",
     .arg = "FILE",
     .letter = 'o',
     .set = tn_set_text,
     .offset = offsetof(pack_args, output),
     .help = "where to write the instance with offsets; - is standard output (default)"},
    {.name = "capacity",
     .arg = "BYTES",
     .set = tn_set_bytes,
     .offset = offsetof(pack_args, capacity),
     .help = "stop at the first packing that fits; without it, look for the lowest"},
    {.name = "algo",
     .arg = "NAME",
     .set = tn_set_text,
     .offset = offsetof(pack_args, algorithm),
     .help = "one fast fit instead of the portfolio"},
    {.name = "effort",
     .arg = "N",
     .set = tn_set_int,
     .offset = offsetof(pack_args, effort),
     .help = "0: one pass, 1: fast fits and a short search, 2: search (default), 3: long search"},
    {.name = "search-budget",
     .arg = "NODES",
     .set = tn_set_int,
     .offset = offsetof(pack_args, budget),
     .help = "nodes the search may visit, instead of what the effort allows"},
    {.name = "threads",
     .arg = "N",
     .set = tn_set_int,
     .offset = offsetof(pack_args, threads),
     .help = "threads that search; the result is the same with any number"},
    {.name = "time-limit",
     .arg = "MS",
     .set = tn_set_int,
     .offset = offsetof(pack_args, wall_ms),
     .help = "give up searching after so many milliseconds; results may then differ"},
    {.name = "quiet",
     .letter = 'q',
     .set = tn_set_flag,
     .offset = offsetof(pack_args, quiet),
     .help = "print no report"},
    {0}};

static tn_status out_of_range(tn_cli *cli, const char *name, int64_t value, int64_t most) {
    tn_error(cli->ctx, NULL, "--%s must be from 0 to %" PRId64 ", not %" PRId64, name, most, value);
    return TN_USAGE;
}

static tn_status check_args(tn_cli *cli, const pack_args *a) {
    const struct {
        const char *name;
        int64_t value, most;
    } ranges[] = {{"effort", a->effort, 3},
                  {"search-budget", a->budget, INT64_MAX},
                  {"threads", a->threads, 64},
                  {"time-limit", a->wall_ms, INT32_MAX}};
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        if (ranges[i].value < 0 || ranges[i].value > ranges[i].most) {
            return out_of_range(cli, ranges[i].name, ranges[i].value, ranges[i].most);
        }
    }
    return TN_OK;
}

static tn_status no_algorithm(tn_cli *cli, const char *name) {
    size_t n = 0;
    while (tn_pack_algorithms[n] != NULL) {
        n++;
    }
    tn_error(cli->ctx, NULL, "no algorithm '%s'%s", name,
             tn_cli_suggestion(cli->arena, tn_nearest(name, tn_pack_algorithms, n)));
    return TN_USAGE;
}

/* What was found, for people: on standard error, where no other program reads it. */
static void report(tn_cli *cli, const pack_args *a, uint32_t n, const tn_pack_result *r) {
    tn_sink out = tn_sink_make(cli->arena);
    uint64_t gap = r->height - (r->bound < r->height ? r->bound : r->height);
    tn_putf(&out, "%u buffers, height %" PRIu64 " by %s, lower bound %" PRIu64, n, r->height,
            r->algorithm, r->bound);
    if (r->bound_kind == TN_BOUND_LIVE) {
        tn_putf(&out, " (live at time %" PRId64 ")", r->bound_time);
    } else {
        tn_put(&out, r->bound_kind == TN_BOUND_SEARCH ? " (lower heights searched through)"
                                                      : " (one buffer alone)");
    }
    if (r->optimal) {
        tn_put(&out, ", optimal");
    } else {
        tn_putf(&out, ", gap %.3f %%", 100.0 * (double)gap / (double)r->bound);
    }
    tn_putf(&out, ", %" PRIu64 " nodes\n", r->nodes);
    if (a->capacity > 0 && r->height > a->capacity) {
        tn_putf(&out,
                r->bound > a->capacity ? "no packing fits into %" PRIu64 " bytes\n"
                                       : "none that fits into %" PRIu64
                                         " bytes was found within the budget\n",
                a->capacity);
    }
    tn_cli_tell(out.data, out.len);
}

static tn_status pack(tn_cli *cli, const pack_args *a, const char *path, const tn_pack_csv *csv) {
    tn_pack_options o = {.effort = (uint32_t)a->effort,
                         .capacity = a->capacity,
                         .budget = (uint64_t)a->budget,
                         .algorithm = a->algorithm,
                         .threads = (uint32_t)a->threads,
                         .wall_ms = (uint32_t)a->wall_ms};
    tn_pack_result r;
    uint32_t x, y;
    tn_loc loc = tn_loc_file(path);
    tn_status status = tn_pack(cli->arena, csv->buffers, csv->n, &o, &r);
    if (status == TN_USAGE) {
        return no_algorithm(cli, a->algorithm);
    }
    if (status == TN_ERROR) {
        return tn_error(cli->ctx, &loc,
                        "fixed offsets collide or are misaligned, gaps lie outside of their "
                        "buffers, or sizes add up to more than 2^63 bytes");
    }
    if (!tn_pack_valid(cli->arena, csv->buffers, csv->n, r.offsets, &x, &y)) {
        tn_bug(cli->ctx, "packing of %s: buffers '%s' and '%s' collide", path, csv->ids[x],
               csv->ids[y]);
    }
    if (!a->quiet) {
        report(cli, a, csv->n, &r);
    }
    if (status == TN_OK) {
        tn_sink out = tn_sink_make(cli->arena);
        tn_pack_csv_write(&out, csv, r.offsets);
        status = tn_file_write(cli->ctx, a->output, out.data, out.len);
    }
    return status;
}

tn_status tn_cmd_pack(tn_cli *cli) {
    pack_args a = {.output = "-", .effort = 2};
    tn_setting_group group = {"packing", table, &a, NULL};
    tn_texts rest = {0};
    tn_status status;
    if (!tn_cli_parse(cli, &group, 1, 1, 1, &rest, &status)) {
        return status;
    }
    tn_bytes bytes;
    tn_pack_csv csv;
    status = check_args(cli, &a);
    if (status == TN_OK) {
        status = tn_file_map(cli->arena, rest.data[0], &bytes);
    }
    if (status == TN_OK) {
        status = tn_pack_csv_read(cli->arena, rest.data[0], bytes.data, bytes.size, &csv);
    }
    return status == TN_OK ? pack(cli, &a, rest.data[0], &csv) : status;
}
