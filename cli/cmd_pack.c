/* `tenure pack`: the packing library alone, on instances in MiniMalloc's CSV. */
#include <inttypes.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/pack_report.h"
#include "ir/base/file.h"
#include "lib/conflict_csv.h"

typedef struct pack_args {
    const char *output, *algorithm, *memory, *conflicts;
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
    {.name = "memory",
     .arg = "MODEL",
     .set = tn_set_choice,
     .offset = offsetof(pack_args, memory),
     .choices = "offsets|slots",
     .help =
         "offsets (default), or slots: shared objects as large as their largest member, laid "
         "out one behind the other; alignments, gaps and offsets in the file mean nothing then"},
    {.name = "conflicts",
     .arg = "FILE",
     .set = tn_set_text,
     .offset = offsetof(pack_args, conflicts),
     .help = "pairs of buffers that may not overlap, instead of live ranges, which mean nothing "
             "then: a line 'a,b', then two ids a line"},
    {.name = "algo",
     .arg = "NAME",
     .set = tn_set_text,
     .offset = offsetof(pack_args, algorithm),
     .help = "one algorithm instead of the portfolio; a wrong name lists what there is"},
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
    return tn_usage(cli->ctx, NULL, "--%s must be from 0 to %" PRId64 ", not %" PRId64, name, most,
                    value);
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

/* One request on its way. */
typedef struct packing {
    tn_cli *cli;
    const pack_args *args;
    const char *path;
    tn_pack_csv csv;
    tn_pack_conflicts conflicts;
    tn_pack_options options;
    tn_pack_answer answer;
} packing;

static bool by_slots(const packing *p) {
    return strcmp(p->args->memory, "slots") == 0;
}

static tn_status no_algorithm(const packing *p) {
    const char *const *names = by_slots(p)                  ? tn_slot_algorithms
                               : p->args->conflicts != NULL ? tn_graph_algorithms
                                                            : tn_pack_algorithms;
    const char *name = p->args->algorithm;
    tn_sink all = tn_sink_make(p->cli->arena);
    size_t n = 0;
    for (; names[n] != NULL; n++) {
        tn_putf(&all, "%s%s", n == 0 ? "" : ", ", names[n]);
    }
    tn_error(p->cli->ctx, NULL, "no algorithm '%s'%s", name,
             tn_cli_suggestion(p->cli->arena, tn_nearest(name, names, n)));
    tn_note(p->cli->ctx, NULL, "there are %s", all.data);
    return TN_USAGE;
}

static tn_status pack_slots(packing *p) {
    tn_slots_result r;
    tn_arena *arena = p->cli->arena;
    tn_status status = tn_pack_slots(arena, p->csv.buffers, NULL, p->csv.n, &p->options, &r);
    if (status != TN_OK && status != TN_NOFIT) {
        return status;
    }
    uint64_t *start = TN_ARRAY(arena, uint64_t, (size_t)r.n_objects + 1);
    uint64_t *offsets = TN_ARRAY(arena, uint64_t, p->csv.n);
    for (uint32_t k = 0; k < r.n_objects; k++) {
        start[k + 1] = start[k] + r.sizes[k];
    }
    for (uint32_t i = 0; i < p->csv.n; i++) {
        offsets[i] = start[r.object[i]];
    }
    p->answer = (tn_pack_answer){.offsets = offsets,
                                 .height = r.total,
                                 .bound = r.bound,
                                 .nodes = r.nodes,
                                 .bound_kind = r.bound_kind,
                                 .optimal = r.optimal,
                                 .algorithm = r.algorithm,
                                 .slots = true,
                                 .n_objects = r.n_objects};
    return status;
}

/* Bytes of a buffer as an object of its own: all of them at all times, wherever they lie. */
static tn_pack_buffer *plain_buffers(const packing *p) {
    tn_pack_buffer *plain = TN_ARRAY(p->cli->arena, tn_pack_buffer, p->csv.n);
    for (uint32_t i = 0; i < p->csv.n; i++) {
        const tn_pack_buffer *b = &p->csv.buffers[i];
        plain[i] = (tn_pack_buffer){b->first, b->last, b->size, 1, TN_PACK_FREE, NULL, 0};
    }
    return plain;
}

static void must_be_valid(const packing *p) {
    uint32_t x, y;
    const tn_pack_csv *c = &p->csv;
    const uint64_t *offsets = p->answer.offsets;
    bool valid = p->args->conflicts != NULL
                     ? tn_pack_graph_valid(c->buffers, c->n, p->conflicts.data, p->conflicts.n,
                                           offsets, &x, &y)
                     : tn_pack_valid(p->cli->arena, by_slots(p) ? plain_buffers(p) : c->buffers,
                                     c->n, offsets, &x, &y);
    if (!valid) {
        tn_bug(p->cli->ctx, "packing of %s: buffers '%s' and '%s' collide", p->path, c->ids[x],
               c->ids[y]);
    }
}

static tn_status pack_offsets(packing *p) {
    tn_pack_result r;
    tn_arena *arena = p->cli->arena;
    const tn_pack_csv *c = &p->csv;
    tn_progress(p->cli->ctx, "pack");
    tn_status status = p->args->conflicts != NULL
                           ? tn_pack_graph(arena, c->buffers, c->n, p->conflicts.data,
                                           p->conflicts.n, &p->options, &r)
                           : tn_pack(arena, c->buffers, c->n, &p->options, &r);
    p->answer = (tn_pack_answer){.offsets = r.offsets,
                                 .height = r.height,
                                 .bound = r.bound,
                                 .nodes = r.nodes,
                                 .bound_kind = r.bound_kind,
                                 .bound_time = r.bound_time,
                                 .bound_set = r.bound_set,
                                 .n_bound_set = r.n_bound_set,
                                 .optimal = r.optimal,
                                 .algorithm = r.algorithm};
    return status;
}

static bool find_misfit(const packing *p, tn_pack_misfit *m) {
    const tn_pack_csv *c = &p->csv;
    tn_arena *arena = p->cli->arena;
    if (by_slots(p)) {
        return tn_pack_slots_misfit(arena, c->buffers, c->n, &p->options, m);
    }
    if (p->args->conflicts != NULL) {
        return tn_pack_graph_misfit(arena, c->buffers, c->n, p->conflicts.data, p->conflicts.n,
                                    &p->options, m);
    }
    return tn_pack_misfit_find(arena, c->buffers, c->n, &p->options, m);
}

/* On standard error, where no other program reads it. */
static void report(packing *p) {
    tn_sink out = tn_sink_make(p->cli->arena);
    tn_pack_misfit m;
    p->answer.csv = &p->csv;
    p->answer.capacity = p->args->capacity;
    tn_pack_report(&out, &p->answer);
    if (p->args->capacity != 0 && p->answer.bound > p->args->capacity && find_misfit(p, &m)) {
        tn_pack_report_misfit(&out, &p->answer, &m);
    }
    tn_cli_report(out.data, out.len);
}

static tn_status pack(packing *p) {
    tn_status status = by_slots(p) ? pack_slots(p) : pack_offsets(p);
    if (status == TN_USAGE) {
        return no_algorithm(p);
    }
    if (status == TN_ERROR) {
        tn_loc loc = tn_loc_file(p->path);
        return tn_error(p->cli->ctx, &loc,
                        "fixed offsets collide or are misaligned, gaps lie outside of their "
                        "buffers, or sizes add up to more than 2^63 bytes");
    }
    must_be_valid(p);
    if (!p->args->quiet) {
        report(p);
    }
    if (status == TN_OK) {
        tn_sink out = tn_sink_make(p->cli->arena);
        tn_pack_csv_write(&out, &p->csv, p->answer.offsets);
        status = tn_file_write(p->cli->ctx, p->args->output, out.data, out.len);
    }
    return status;
}

static tn_status read_files(packing *p) {
    tn_bytes bytes;
    tn_arena *arena = p->cli->arena;
    tn_status status = tn_file_map(arena, p->path, &bytes);
    if (status == TN_OK) {
        status = tn_pack_csv_read(arena, p->path, bytes.data, bytes.size, &p->csv);
    }
    if (status == TN_OK && p->args->conflicts != NULL) {
        status = tn_file_map(arena, p->args->conflicts, &bytes);
        if (status == TN_OK) {
            status = tn_pack_conflicts_read(arena, p->args->conflicts, bytes.data, bytes.size,
                                            &p->csv, &p->conflicts);
        }
    }
    return status;
}

tn_status tn_cmd_pack(tn_cli *cli) {
    pack_args a = {.output = "-", .effort = 2, .memory = "offsets"};
    tn_setting_group group = {"packing", table, &a, NULL};
    tn_texts rest = {0};
    tn_status status;
    if (!tn_cli_parse(cli, &group, 1, 1, 1, &rest, &status)) {
        return status;
    }
    packing p = {.cli = cli, .args = &a, .path = rest.data[0]};
    status = check_args(cli, &a);
    if (status == TN_OK && by_slots(&p) && a.conflicts != NULL) {
        return tn_usage(cli->ctx, NULL, "--conflicts goes with --memory=offsets");
    }
    p.options = (tn_pack_options){.effort = (uint32_t)a.effort,
                                  .capacity = a.capacity,
                                  .budget = (uint64_t)a.budget,
                                  .algorithm = a.algorithm,
                                  .threads = (uint32_t)a.threads,
                                  .wall_ms = (uint32_t)a.wall_ms};
    if (status == TN_OK) {
        status = read_files(&p);
    }
    return status == TN_OK ? pack(&p) : status;
}
