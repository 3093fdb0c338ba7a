/* A plan with something in every member that JSON has, made by hand: it fits no graph. */
#ifndef TENURE_TESTS_UNIT_SAMPLE_PLAN_H
#define TENURE_TESTS_UNIT_SAMPLE_PLAN_H

#include <math.h>

#include "ir/plan/forms.h"

#include "tests/unit/unit.h"

static inline tn_ids ids(tn_plan *p, uint32_t n, const uint32_t *data) {
    return (tn_ids){tn_arena_regrow(p->arena, data, n, n, sizeof *data), n};
}

#define IDS(p, ...) ids(p, sizeof((uint32_t[]){__VA_ARGS__}) / 4, (uint32_t[]){__VA_ARGS__})

static const int64_t dims[] = {10, -1, -1};
static const char *const open_dims[] = {NULL, "n", NULL};

static inline tn_plan_value *sample_values(void) {
    static tn_plan_value values[] = {
        {.name = "x",
         .graph = "",
         .role = TN_ROLE_INPUT,
         .dtype = TN_DT_FLOAT,
         .rank = 1,
         .dims = dims,
         .type = "f32[10]",
         .bytes = 40,
         .storage = 1,
         .first = -1,
         .last = 2,
         .step = TN_NO_ID,
         .alias_of = TN_NO_ID,
         .clone_of = TN_NO_ID},
        {.name = "3d/\xcf\x80\t",
         .graph = "",
         .role = TN_ROLE_INTERNAL,
         .dtype = TN_DT_INT4,
         .rank = 1,
         .dims = dims,
         .type = "i4[10]",
         .bytes = 5,
         .storage = 0,
         .first = 0,
         .last = 1,
         .step = 0,
         .alias_of = TN_NO_ID,
         .clone_of = TN_NO_ID},
        {.name = "v",
         .graph = "loop/body",
         .role = TN_ROLE_OUTPUT,
         .dtype = TN_DT_INT4,
         .rank = 1,
         .dims = dims,
         .type = "i4[10]",
         .bytes = 5,
         .storage = 0,
         .offset = 2,
         .first = 1,
         .last = 1,
         .step = 1,
         .alias = TN_ALIAS_VIEW,
         .alias_of = 1,
         .clone_of = TN_NO_ID},
        {.name = "open",
         .graph = "loop/body",
         .role = TN_ROLE_INTERNAL,
         .dtype = TN_DT_UNKNOWN,
         .rank = 3,
         .dims = dims,
         .dim_texts = open_dims,
         .type = "?[10,n,?]",
         .bytes_text = "n*10",
         .why = "extent n is not bound",
         .left_out = TN_LEFT_OPEN,
         .storage = TN_NO_ID,
         .first = 1,
         .last = 1,
         .step = 1,
         .alias_of = TN_NO_ID,
         .clone_of = TN_NO_ID},
    };
    return values;
}

/* An attribute of every kind, numbers JSON has no words for among them. */
static inline const tn_attr *sample_attrs(uint32_t *n) {
    static const int64_t ints[] = {INT64_MIN, 0, INT64_MAX};
    static double floats[] = {1, 0, 0, 0, 1e300};
    static const tn_string strings[] = {{"a\0b", 3}, {"", 0}, {"\xff", 1}};
    static const int64_t three = 3, five = 5;
    static const tn_tensor small = {
        .dtype = TN_DT_INT64, .rank = 1, .dims = &three, .n_elements = 3, .ints = ints};
    static const tn_tensor real = {
        .dtype = TN_DT_FLOAT, .rank = 1, .dims = &five, .n_elements = 5, .floats = floats};
    static const tn_tensor large = {.dtype = TN_DT_INT4, .rank = 1, .dims = dims};
    static const tn_attr attrs[] = {
        {.name = "f", .kind = TN_ATTR_FLOAT, .u.f = -0.5},
        {.name = "fs", .kind = TN_ATTR_FLOATS, .n = 5, .u.floats = floats},
        {.name = "i", .kind = TN_ATTR_INT, .u.i = INT64_MIN},
        {.name = "is", .kind = TN_ATTR_INTS, .n = 3, .u.ints = ints},
        {.name = "none", .kind = TN_ATTR_INTS},
        {.name = "s", .kind = TN_ATTR_STRING, .u.s = {"NO\"T", 4}},
        {.name = "ss", .kind = TN_ATTR_STRINGS, .n = 3, .u.strings = strings},
        {.name = "t0", .kind = TN_ATTR_TENSOR, .u.t = &small},
        {.name = "t1", .kind = TN_ATTR_TENSOR, .u.t = &real},
        {.name = "t2", .kind = TN_ATTR_TENSOR, .u.t = &large},
        {.name = "ty", .kind = TN_ATTR_TYPE},
    };
    floats[1] = (double)NAN;
    floats[2] = (double)INFINITY;
    floats[3] = -(double)INFINITY;
    *n = sizeof attrs / sizeof attrs[0];
    return attrs;
}

static inline void sample_begin(tn_plan *p, tn_plan_step *s) {
    static const tn_plan_move moves[] = {
        {TN_MOVE_ITERATION, TN_MOVE_COUNT, 0, TN_NO_ID, 1, 0, false},
        {TN_MOVE_AFTER, TN_MOVE_STACK, 0, 1, 2, 3, true}};
    tn_plan_body *body = TN_NEW(p->arena, tn_plan_body);
    *body = (tn_plan_body){"body", "loop/body", IDS(p, 1), IDS(p, 2, 2)};
    *s = (tn_plan_step){.kind = TN_STEP_BEGIN,
                        .graph = "",
                        .name = "a",
                        .domain = "",
                        .op = "Loop",
                        .version = 17,
                        .partner = 1,
                        .clone_of = TN_NO_ID,
                        .operands = IDS(p, 0, TN_NO_ID, 0),
                        .shape_only = IDS(p, 2),
                        .bodies = body,
                        .n_bodies = 1,
                        .moves = moves,
                        .n_moves = 2,
                        .reads = IDS(p, 0),
                        .writes = IDS(p, 1)};
    s->attrs = sample_attrs(&s->n_attrs);
}

static inline void sample_end(tn_plan *p, tn_plan_step *s) {
    static const tn_plan_claim claims[] = {{1, 0, TN_PROMISE_ROWS}};
    tn_ids *after = TN_NEW(p->arena, tn_ids);
    *after = IDS(p, 0);
    *s = (tn_plan_step){.kind = TN_STEP_END,
                        .graph = "",
                        .name = "a",
                        .domain = "com.microsoft",
                        .op = "Loop",
                        .partner = 0,
                        .clone_of = TN_NO_ID,
                        .idle = true,
                        .operands = IDS(p, 1),
                        .results = IDS(p, 2, 3, TN_NO_ID),
                        .claims = claims,
                        .n_claims = 1,
                        .reads = IDS(p, 1),
                        .writes = IDS(p, 2, 3),
                        .frees = IDS(p, 0),
                        .after = after,
                        .hazards = IDS(p, 0)};
}

/* Two steps, a view, an unplanned value, a slot: every field set at least once, names that need
 * escapes, numbers near the limits. */
static inline tn_plan *sample_plan(tn_ctx *ctx) {
    tn_plan *p = tn_plan_new(ctx);
    p->model = "quote \" and \\ and \n";
    p->digest = "00ff";
    p->version = "0.1.0";
    p->pipeline = "reuse{level=1}";
    p->partial = true;
    p->open = TN_ARRAY(p->arena, const char *, 1);
    p->open[0] = "n";
    p->n_open = 1;
    p->reordered = true;
    static const tn_pair options[] = {{"dim.batch", "4"}, {"align", "64"}};
    p->options = options;
    p->n_options = 2;
    static tn_plan_dim bound[] = {{"batch", 4}};
    p->dims = bound;
    p->n_dims = 1;
    p->inputs = IDS(p, 0);
    p->outputs = IDS(p, 2, 3);
    static tn_pool pools[] = {
        {.name = "arena",
         .kind = TN_POOL_ARENA,
         .align = 64,
         .base_align = 256,
         .capacity = 1u << 20,
         .size = 128,
         .bound = 100,
         .cost = 3,
         .traffic = 77,
         .section = ".dtcm",
         .copied = true},
        {.name = "io", .kind = TN_POOL_IO, .align = 1, .size = INT64_MAX, .bound = 0}};
    p->pools = pools;
    p->n_pools = 2;
    static tn_slot slots[] = {{0, 0, 128}};
    p->slots = slots;
    p->n_slots = 1;
    static tn_storage storages[] = {{0, 0, 0, 0, 100, 64, 0, 1, false, 1, 0, NULL, {0}, 0},
                                    {1, 1, TN_NO_ID, 0, 40, 8, -1, 2, true, 0, 0, NULL, {0}, 0}};
    p->storages = storages;
    p->n_storages = 2;
    p->values = sample_values();
    p->n_values = 4;
    static tn_plan_binding bindings[] = {{"w", 3}};
    p->bindings = bindings;
    p->n_bindings = 1;
    p->steps = TN_ARRAY(p->arena, tn_plan_step, 2);
    sample_begin(p, &p->steps[0]);
    sample_end(p, &p->steps[1]);
    p->n_steps = 2;
    p->report = (tn_plan_report){.cost = 231,
                                 .cost_bound = 200,
                                 .naive = 256,
                                 .level0 = 200,
                                 .level1 = 128,
                                 .bound = 100,
                                 .const_bytes = 7,
                                 .io_bytes = 40,
                                 .ram = 168,
                                 .flash = 7,
                                 .n_inplace = 1,
                                 .n_views = 2,
                                 .n_updates = 3,
                                 .n_shared = 4,
                                 .algorithm = "best-fit",
                                 .peak_step = 1,
                                 .peak = ids(p, 1, (uint32_t[]){0}),
                                 .n_planned = 3,
                                 .n_unplanned = 1,
                                 .n_open = 1,
                                 .n_backward_ops = 5,
                                 .n_backward_values = 6,
                                 .n_param_grads = 7,
                                 .order_bound = 9,
                                 .other_order = 10,
                                 .saved_by_sharing = 8};
    return p;
}

static inline char *sample_json(tn_plan *p) {
    tn_sink s = tn_sink_make(p->arena);
    tn_plan_to_json(p, &s);
    return s.data;
}

#endif
