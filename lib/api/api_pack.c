/* tenure.h: packing. */
#include <string.h>

#include "ir/base/diag.h"
#include "lib/api/api_t.h"

/* Those of `pack`, checked, or its defaults. */
static tn_status args_of(tn_ctx *ctx, const tenure_options *options, tn_pack_args *out) {
    *out = tn_pack_defaults();
    if (options != NULL && strcmp(options->command, "pack") != 0) {
        return tn_usage(ctx, NULL, "packing takes the options of 'pack', not of '%s'",
                        options->command);
    }
    if (options != NULL) {
        *out = options->pack;
    }
    return tn_pack_check(out, ctx);
}

typedef struct file_args {
    const char *path;
    const tenure_options *options;
    tenure_buffer *made, *said;
} file_args;

static tn_status pack_file(tn_ctx *ctx, void *arg) {
    file_args *a = arg;
    tn_arena *arena = tn_arena_new(ctx);
    tn_pack_args args;
    a->made = tn_api_buffer_new(ctx);
    tenure_buffer *said = tn_api_buffer_new(ctx);
    tn_status status = args_of(ctx, a->options, &args);
    if (status == TN_OK) {
        status =
            tn_pack_file(arena, a->path, &args, &a->made->text, args.quiet ? NULL : &said->text);
    }
    a->said = status == TN_OK || status == TN_NOFIT ? said : NULL;
    if (a->said == NULL) {
        tn_arena_drop(said->arena);
    }
    if (status != TN_OK) {
        tn_arena_drop(a->made->arena);
    }
    tn_arena_drop(arena);
    return status;
}

tenure_status tenure_pack_file(tenure_context *ctx, const char *path, const tenure_options *options,
                               tenure_buffer **out, tenure_buffer **report) {
    file_args a = {.path = path, .options = options};
    if (out != NULL) {
        *out = NULL;
    }
    if (report != NULL) {
        *report = NULL;
    }
    if (ctx == NULL || path == NULL || out == NULL || report == NULL) {
        return tn_api_null(api_ctx(ctx), "tenure_pack_file",
                           path == NULL  ? "path"
                           : out == NULL ? "out"
                                         : "report");
    }
    tenure_status status = tn_api_put(api_ctx(ctx), pack_file, &a, &a.made, out);
    *report = a.said;
    return status;
}

typedef struct array_args {
    const tenure_packing *problem;
    const tenure_options *options;
    uint64_t *offsets;
    tenure_packed *packed;
} array_args;

/* Buffers are called by their index in messages. */
static tn_pack_csv instance_of(tn_arena *arena, const tenure_packing *p) {
    tn_pack_csv csv = {.n = (uint32_t)p->count};
    tn_pack_buffer *buffers = TN_ARRAY(arena, tn_pack_buffer, p->count);
    csv.ids = TN_ARRAY(arena, const char *, p->count);
    for (uint32_t i = 0; i < csv.n; i++) {
        const tenure_pack_item *item =
            (const tenure_pack_item *)(const void *)((const char *)p->items + i * p->item_size);
        buffers[i] = (tn_pack_buffer){.first = item->first,
                                      .last = item->last,
                                      .size = item->size,
                                      .align = item->align != 0 ? item->align : 1,
                                      .fixed = item->fixed};
        csv.ids[i] = tn_arena_printf(arena, "%u", i);
    }
    csv.buffers = buffers;
    return csv;
}

/* Pairs as the packer has them; false where one names no buffer. */
static bool conflicts_of(tn_arena *arena, const tenure_packing *p, tn_pack_conflicts *out) {
    bool good = true;
    out->n = (uint32_t)p->n_conflicts;
    out->data = TN_ARRAY(arena, tn_conflict, p->n_conflicts);
    for (uint32_t i = 0; i < out->n; i++) {
        const tenure_pack_pair *pair = &p->conflicts[i];
        good = good && pair->a < p->count && pair->b < p->count && pair->a != pair->b;
        out->data[i] = (tn_conflict){pair->a, pair->b};
    }
    return good;
}

static tn_status check_problem(tn_ctx *ctx, const array_args *a) {
    const tenure_packing *p = a->problem;
    if (p->struct_size < sizeof *p || p->item_size < sizeof *p->items ||
        p->item_size % _Alignof(tenure_pack_item) != 0) {
        return tn_usage(ctx, NULL, "tenure_pack: a struct is smaller than this library needs");
    }
    if (p->count > UINT32_MAX - 1 || p->n_conflicts > UINT32_MAX - 1) {
        return tn_usage(ctx, NULL, "tenure_pack: more than %u items", UINT32_MAX - 1);
    }
    return TN_OK;
}

static void hand_out(const tn_packing *p, const array_args *a) {
    const tn_pack_answer *r = &p->answer;
    const tenure_packed packed = {.height = r->height,
                                  .bound = r->bound,
                                  .nodes = r->nodes,
                                  .optimal = r->optimal,
                                  .algorithm = r->algorithm};
    (void)TN_API_FILL(a->packed, packed);
    for (uint32_t i = 0; i < p->csv->n; i++) {
        a->offsets[i] = r->offsets[i];
    }
}

static tn_status pack_arrays(tn_ctx *ctx, void *arg) {
    const array_args *a = arg;
    tn_arena *arena = tn_arena_new(ctx);
    tn_pack_args args;
    tn_status status = check_problem(ctx, a);
    if (status == TN_OK) {
        status = args_of(ctx, a->options, &args);
    }
    if (status == TN_OK) {
        tn_pack_csv csv = instance_of(arena, a->problem);
        tn_pack_conflicts conflicts;
        tn_packing p = {.arena = arena, .args = &args, .path = "packing", .csv = &csv};
        p.conflicts = a->problem->conflicts != NULL ? &conflicts : NULL;
        status = p.conflicts == NULL || conflicts_of(arena, a->problem, &conflicts)
                     ? tn_packing_run(&p)
                     : tn_error(ctx, NULL, "packing: a conflict names no two of the items");
        if (status == TN_OK || status == TN_NOFIT) {
            hand_out(&p, a);
        }
    }
    tn_arena_drop(arena);
    return status;
}

tenure_status tenure_pack(tenure_context *ctx, const tenure_packing *problem,
                          const tenure_options *options, uint64_t *offsets, tenure_packed *packed) {
    array_args a = {problem, options, offsets, packed};
    if (ctx == NULL || problem == NULL || offsets == NULL || packed == NULL ||
        (problem->items == NULL && problem->count > 0)) {
        return tn_api_null(api_ctx(ctx), "tenure_pack",
                           problem == NULL   ? "problem"
                           : offsets == NULL ? "offsets"
                           : packed == NULL  ? "packed"
                                             : "items");
    }
    return (tenure_status)tn_guard_run(api_ctx(ctx), pack_arrays, &a);
}
