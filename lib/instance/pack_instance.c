#include "lib/instance/pack_instance.h"

#include <inttypes.h>
#include <string.h>

#include "ir/base/file.h"
#include "lib/instance/conflict_csv.h"
#include "lib/instance/pack_report.h"

static const tn_setting table[] = {
    {.name = "output",
     .arg = "FILE",
     .letter = 'o',
     .set = tn_set_text,
     .offset = offsetof(tn_pack_args, output),
     .help = "where to write the instance with offsets; - is standard output (default)"},
    {.name = "capacity",
     .arg = "BYTES",
     .set = tn_set_bytes,
     .offset = offsetof(tn_pack_args, capacity),
     .help = "stop at the first packing that fits; without it, look for the lowest"},
    {.name = "memory",
     .arg = "MODEL",
     .set = tn_set_choice,
     .offset = offsetof(tn_pack_args, memory),
     .choices = "offsets|slots",
     .help =
         "offsets (default), or slots: shared objects as large as their largest member, laid "
         "out one behind the other; alignments, gaps and offsets in the file mean nothing then"},
    {.name = "conflicts",
     .arg = "FILE",
     .set = tn_set_text,
     .offset = offsetof(tn_pack_args, conflicts),
     .help = "pairs of buffers that may not overlap, instead of live ranges, which mean nothing "
             "then: a line 'a,b', then two ids a line"},
    {.name = "algo",
     .arg = "NAME",
     .set = tn_set_text,
     .offset = offsetof(tn_pack_args, algorithm),
     .help = "one algorithm instead of the portfolio; a wrong name lists what there is"},
    {.name = "effort",
     .arg = "N",
     .set = tn_set_int,
     .offset = offsetof(tn_pack_args, effort),
     .help = "0: one pass, 1: fast fits and a short search, 2: search (default), 3: long search"},
    {.name = "search-budget",
     .arg = "NODES",
     .set = tn_set_int,
     .offset = offsetof(tn_pack_args, budget),
     .help = "nodes the search may visit, instead of what the effort allows"},
    {.name = "threads",
     .arg = "N",
     .set = tn_set_int,
     .offset = offsetof(tn_pack_args, threads),
     .help = "threads that search; the result is the same with any number"},
    {.name = "time-limit",
     .arg = "MS",
     .set = tn_set_int,
     .offset = offsetof(tn_pack_args, wall_ms),
     .help = "give up searching after so many milliseconds; results may then differ"},
    {.name = "quiet",
     .letter = 'q',
     .set = tn_set_flag,
     .offset = offsetof(tn_pack_args, quiet),
     .help = "print no report"},
    {0}};

static tn_status out_of_range(tn_ctx *ctx, const char *name, int64_t value, int64_t most) {
    return tn_usage(ctx, NULL, "--%s must be from 0 to %" PRId64 ", not %" PRId64, name, most,
                    value);
}

tn_pack_args tn_pack_defaults(void) {
    return (tn_pack_args){.output = "-", .effort = 2, .memory = "offsets"};
}

tn_setting_group tn_pack_group(tn_pack_args *a) {
    return (tn_setting_group){"packing", table, a, NULL};
}

static bool by_slots(const tn_pack_args *a) {
    return strcmp(a->memory, "slots") == 0;
}

tn_status tn_pack_check(const tn_pack_args *a, tn_ctx *ctx) {
    const struct {
        const char *name;
        int64_t value, most;
    } ranges[] = {{"effort", a->effort, 3},
                  {"search-budget", a->budget, INT64_MAX},
                  {"threads", a->threads, 64},
                  {"time-limit", a->wall_ms, INT32_MAX}};
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        if (ranges[i].value < 0 || ranges[i].value > ranges[i].most) {
            return out_of_range(ctx, ranges[i].name, ranges[i].value, ranges[i].most);
        }
    }
    return by_slots(a) && a->conflicts != NULL
               ? tn_usage(ctx, NULL, "--conflicts goes with --memory=offsets")
               : TN_OK;
}

static tn_status no_algorithm(const tn_packing *p) {
    const char *const *names = by_slots(p->args)      ? tn_slot_algorithms
                               : p->conflicts != NULL ? tn_graph_algorithms
                                                      : tn_pack_algorithms;
    const char *name = p->args->algorithm;
    tn_sink all = tn_sink_make(p->arena);
    size_t n = 0;
    for (; names[n] != NULL; n++) {
        tn_putf(&all, "%s%s", n == 0 ? "" : ", ", names[n]);
    }
    tn_usage(tn_arena_ctx(p->arena), NULL, "no algorithm '%s'%s", name,
             tn_did_you_mean(p->arena, tn_nearest(name, names, n)));
    tn_note(tn_arena_ctx(p->arena), NULL, "there are %s", all.data);
    return TN_USAGE;
}

static tn_status pack_slots(tn_packing *p) {
    tn_slots_result r;
    tn_arena *arena = p->arena;
    tn_status status = tn_pack_slots(arena, p->csv->buffers, NULL, p->csv->n, &p->options, &r);
    if (status != TN_OK && status != TN_NOFIT) {
        return status;
    }
    uint64_t *start = TN_ARRAY(arena, uint64_t, (size_t)r.n_objects + 1);
    uint64_t *offsets = TN_ARRAY(arena, uint64_t, p->csv->n);
    for (uint32_t k = 0; k < r.n_objects; k++) {
        start[k + 1] = start[k] + r.sizes[k];
    }
    for (uint32_t i = 0; i < p->csv->n; i++) {
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
static tn_pack_buffer *plain_buffers(const tn_packing *p) {
    tn_pack_buffer *plain = TN_ARRAY(p->arena, tn_pack_buffer, p->csv->n);
    for (uint32_t i = 0; i < p->csv->n; i++) {
        const tn_pack_buffer *b = &p->csv->buffers[i];
        plain[i] = (tn_pack_buffer){b->first, b->last, b->size, 1, TN_PACK_FREE, NULL, 0};
    }
    return plain;
}

static void must_be_valid(const tn_packing *p) {
    uint32_t x, y;
    const tn_pack_csv *c = p->csv;
    const uint64_t *offsets = p->answer.offsets;
    bool valid = p->conflicts != NULL
                     ? tn_pack_graph_valid(c->buffers, c->n, p->conflicts->data, p->conflicts->n,
                                           offsets, &x, &y)
                     : tn_pack_valid(p->arena, by_slots(p->args) ? plain_buffers(p) : c->buffers,
                                     c->n, offsets, &x, &y);
    if (!valid) {
        tn_bug(tn_arena_ctx(p->arena), "packing of %s: buffers '%s' and '%s' collide", p->path,
               c->ids[x], c->ids[y]);
    }
}

static tn_status pack_offsets(tn_packing *p) {
    tn_pack_result r;
    tn_arena *arena = p->arena;
    const tn_pack_csv *c = p->csv;
    tn_progress(tn_arena_ctx(p->arena), "pack");
    tn_status status = p->conflicts != NULL
                           ? tn_pack_graph(arena, c->buffers, c->n, p->conflicts->data,
                                           p->conflicts->n, &p->options, &r)
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

static bool find_misfit(const tn_packing *p, tn_pack_misfit *m) {
    const tn_pack_csv *c = p->csv;
    tn_arena *arena = p->arena;
    if (by_slots(p->args)) {
        return tn_pack_slots_misfit(arena, c->buffers, c->n, &p->options, m);
    }
    if (p->conflicts != NULL) {
        return tn_pack_graph_misfit(arena, c->buffers, c->n, p->conflicts->data, p->conflicts->n,
                                    &p->options, m);
    }
    return tn_pack_misfit_find(arena, c->buffers, c->n, &p->options, m);
}

static void put_report(tn_packing *p, tn_sink *out) {
    tn_pack_misfit m;
    p->answer.csv = p->csv;
    p->answer.capacity = p->args->capacity;
    tn_pack_report(out, &p->answer);
    if (p->args->capacity != 0 && p->answer.bound > p->args->capacity && find_misfit(p, &m)) {
        tn_pack_report_misfit(out, &p->answer, &m);
    }
}

tn_status tn_packing_run(tn_packing *p) {
    const tn_pack_args *a = p->args;
    p->options = (tn_pack_options){.effort = (uint32_t)a->effort,
                                   .capacity = a->capacity,
                                   .budget = (uint64_t)a->budget,
                                   .algorithm = a->algorithm,
                                   .threads = (uint32_t)a->threads,
                                   .wall_ms = (uint32_t)a->wall_ms};
    tn_status status = by_slots(a) ? pack_slots(p) : pack_offsets(p);
    if (status == TN_USAGE) {
        return no_algorithm(p);
    }
    if (status == TN_ERROR) {
        tn_loc loc = tn_loc_file(p->path);
        return tn_error(tn_arena_ctx(p->arena), &loc,
                        "fixed offsets collide or are misaligned, gaps lie outside of their "
                        "buffers, or sizes add up to more than 2^63 bytes");
    }
    must_be_valid(p);
    return status;
}

static tn_status read_files(tn_packing *p, tn_pack_csv *csv, tn_pack_conflicts *conflicts) {
    tn_bytes bytes;
    tn_arena *arena = p->arena;
    const char *other = p->args->conflicts;
    tn_status status = tn_file_map(arena, p->path, &bytes);
    if (status == TN_OK) {
        status = tn_pack_csv_read(arena, p->path, bytes.data, bytes.size, csv);
    }
    p->csv = csv;
    if (status == TN_OK && other != NULL) {
        status = tn_file_map(arena, other, &bytes);
        if (status == TN_OK) {
            status = tn_pack_conflicts_read(arena, other, bytes.data, bytes.size, csv, conflicts);
        }
        p->conflicts = conflicts;
    }
    return status;
}

tn_status tn_pack_file(tn_arena *arena, const char *path, const tn_pack_args *a, tn_sink *out,
                       tn_sink *report) {
    tn_pack_csv csv;
    tn_pack_conflicts conflicts;
    tn_packing p = {.arena = arena, .args = a, .path = path};
    tn_status status = read_files(&p, &csv, &conflicts);
    if (status == TN_OK) {
        status = tn_packing_run(&p);
    }
    if (report != NULL && (status == TN_OK || status == TN_NOFIT)) {
        put_report(&p, report);
    }
    if (status == TN_OK) {
        tn_pack_csv_write(out, p.csv, p.answer.offsets);
    }
    return status;
}
