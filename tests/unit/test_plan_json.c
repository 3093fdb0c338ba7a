/* The JSON form of a plan: what is written reads back to the same text, and broken files end in a
 * message that names the place. */
#include <math.h>
#include <stdlib.h>

#include "ir/plan/forms.h"
#include "ir/plan/plan_names.h"

#include "tests/unit/unit.h"

static tn_ids ids(tn_plan *p, uint32_t n, const uint32_t *data) {
    return (tn_ids){tn_arena_regrow(p->arena, data, n, n, sizeof *data), n};
}

#define IDS(p, ...) ids(p, sizeof((uint32_t[]){__VA_ARGS__}) / 4, (uint32_t[]){__VA_ARGS__})

static const int64_t dims[] = {10, -1, -1};
static const char *const open_dims[] = {NULL, "n", NULL};

static tn_plan_value *sample_values(void) {
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
static const tn_attr *sample_attrs(uint32_t *n) {
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

static void sample_begin(tn_plan *p, tn_plan_step *s) {
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

static void sample_end(tn_plan *p, tn_plan_step *s) {
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
static tn_plan *sample(tn_ctx *ctx) {
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
    static tn_storage storages[] = {{0, 0, 0, 0, 100, 64, 0, 1, false, 1, 0, NULL, {0}},
                                    {1, 1, TN_NO_ID, 0, 40, 8, -1, 2, true, 0, 0, NULL, {0}}};
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

static char *json(tn_plan *p) {
    tn_sink s = tn_sink_make(p->arena);
    tn_plan_to_json(p, &s);
    return s.data;
}

static tn_status round_trip(tn_ctx *ctx, void *arg) {
    (void)arg;
    const char *once = json(sample(ctx));
    tn_plan *p = tn_plan_from_json(ctx, "plan.json", once, strlen(once));
    assert_non_null(p);
    assert_string_equal(once, json(p));
    assert_string_equal(p->values[1].name, "3d/\xcf\x80\t");
    assert_int_equal(p->values[3].storage, TN_NO_ID);
    assert_int_equal(p->values[3].dims[1], -1);
    assert_true(p->pools[1].size == INT64_MAX);
    assert_string_equal(p->values[3].dim_texts[1], "n");
    assert_null(p->values[3].dim_texts[2]);
    assert_int_equal(p->steps[1].hazards.len, 1);
    assert_int_equal(p->steps[0].operands.data[1], TN_NO_ID);
    assert_int_equal(p->steps[0].attrs[6].u.strings[0].len, 3);
    assert_true(isnan(p->steps[0].attrs[1].u.floats[1]));
    assert_true(p->steps[0].attrs[8].u.t->floats != NULL &&
                p->steps[0].attrs[8].u.t->floats[0] == 1);
    assert_int_equal(p->steps[0].bodies[0].outputs.len, 2);
    assert_true(p->steps[0].moves[1].reverse && p->steps[1].idle);
    assert_int_equal(p->steps[1].claims[0].promise, TN_PROMISE_ROWS);
    assert_int_equal(p->steps[1].after[0].data[0], 0);
    assert_true(p->reordered && p->storages[1].pinned && !p->storages[0].pinned);
    tn_sink a = tn_sink_make(p->arena), b = tn_sink_make(p->arena);
    tn_plan_print(sample(ctx), &a);
    tn_plan_print(p, &b);
    assert_string_equal(a.data, b.data);
    return TN_OK;
}

/* Bytes that are no UTF-8, among them overlong forms, surrogates, and what looks like a spelled
 * byte and is a character of the name. */
static const char *const odd_names[] = {"a\xff\x62\xc0\x80\xed\xa0\x80\xf0\x9f\x98\x80\x01\x7f",
                                        "\xe9",
                                        "\xc3\xa9",
                                        "\xf4\x8f\xbb\xa9",
                                        "\xf4\x8f\xbb",
                                        "\xf4\x8f\xba\x80\x80",
                                        "\xf4\x8f\xb9\xbf\xf4\x8f\xbc\x80"};
enum { N_ODD = sizeof odd_names / sizeof odd_names[0] };

static tn_status bad_utf8(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_arena *a = tn_arena_new(ctx);
    const char *written[N_ODD];
    for (size_t i = 0; i < N_ODD; i++) {
        tn_sink plain = tn_sink_make(a);
        tn_put_utf8(&plain, odd_names[i]);
        written[i] = plain.data;
        for (size_t k = 0, n; k < plain.len; k += n) {
            n = tn_utf8_len(plain.data + k, plain.len - k);
            assert_true(n > 0);
        }
        assert_string_equal(tn_text_from_utf8(a, plain.data, plain.len), odd_names[i]);
        for (size_t k = 0; k < i; k++) {
            assert_string_not_equal(written[i], written[k]);
        }
    }
    tn_sink s = tn_sink_make(a);
    tn_put_quoted(&s, "a\xff\xe9\x80\x01\x7f\"\\");
    assert_string_equal(s.data, "\"a\xf4\x8f\xbb\xbf\xf4\x8f\xbb\xa9\xf4\x8f\xba\x80"
                                "\\u0001\\u007f\\\"\\\\\"");
    return TN_OK;
}

/* One edit of the sample's JSON and what the message must hold. */
typedef struct edit {
    const char *from, *to, *message;
} edit;

static const edit edits[] = {
    {"\"format\": 2", "\"format\": 1",
     "format: expected 2; this is a plan of format 1, which tenure 0.1 wrote: make it again"},
    {"\"format\": 2", "\"format\": 3", "format: expected an integer between 2 and 2"},
    {"\"format\": 2", "\"fromat\": 2", "format: expected this key"},
    {"\"format\": 2,", "\"format\": 2, \"more\": 1,", "top level: expected only the keys"},
    {"\"pool\": 0, \"slot\": 0", "\"pool\": 2, \"slot\": 0",
     "programs[0].variants[0].storages[0].pool: expected an index below 2"},
    {"\"slot\": 0", "\"slot\": 1",
     "programs[0].variants[0].storages[0].slot: expected an index below 1"},
    {"\"slot\": 0", "\"slot\": -1", "programs[0].variants[0].storages[0].slot"},
    {"\"slot\": 0", "\"slot\": \"0\"", "programs[0].variants[0].storages[0].slot"},
    {"\"size\": 9223372036854775807", "\"size\": 18446744073709551615", "too big integer"},
    {"\"size\": 9223372036854775807", "\"size\": 1e3",
     "pools[1].size: expected an integer between 0 and 9223372036854775807"},
    {"\"align\": 64, \"capacity\"", "\"align\": 0, \"capacity\"", "pools[0].align"},
    {"\"kind\": \"io\"", "\"kind\": \"oi\"",
     "pools[1].kind: expected one of \"arena\", \"io\", \"const\""},
    {"\"dtype\": \"i4\"", "\"dtype\": \"i5\"",
     "programs[0].variants[0].values[1].dtype: expected an element type"},
    {"\"dims\": [10,{\"expr\": 0},null]", "\"dims\": [10,-2,null]",
     "programs[0].variants[0].values[3].dims: expected extents"},
    {"\"dims\": [10,{\"expr\": 0},null]", "\"dims\": 10", "programs[0].variants[0].values[3].dims"},
    {"\"pinned\": true", "\"pinned\": 1",
     "programs[0].variants[0].storages[1].pinned: expected true or false"},
    {"\"writes\": [2,3]", "\"writes\": [2,4]",
     "programs[0].variants[0].steps[1].writes: expected indices below 4"},
    {"\"storage\": 0, \"after\"", "\"storage\": 2, \"after\"",
     "programs[0].variants[0].steps[1].frees[0].storage: expected an index below 2"},
    {"\"after\": [0]", "\"after\": [2]",
     "programs[0].variants[0].steps[1].frees[0].after: expected indices below 2"},
    {"\"frees\": [{\"storage\": 0, \"after\": [0]}]", "\"frees\": {}",
     "programs[0].variants[0].steps[1].frees: expected a list"},
    {"\"partner\": 1", "\"partner\": 7", "programs[0].variants[0].steps[0].partner"},
    {"\"last\": 2", "\"last\": 3",
     "programs[0].variants[0].storages[1].last: expected an integer between -1 and 2"},
    {"\"root\": 1", "\"root\": null", "programs[0].variants[0].storages[0].root"},
    {"\"name\": \"x\"", "\"name\": null",
     "programs[0].variants[0].values[0].name: expected a string"},
    {"\"name\": \"x\"", "\"name\": \"x\\u0000y\"",
     "programs[0].variants[0].values[0].name: expected a string without the character 0"},
    {"\"name\": \"x\"", "\"name\": \"x\", \"name\": \"y\"", "duplicate object key"},
    {"\"steps\": [", "\"steps\": [7, ", "programs[0].variants[0].steps[0]: expected an object"},
    {"\"report\": {", "\"report\": [], \"r\": {",
     "programs[0].variants[0].report: expected an object"},
    {"\"expressions\": [", "\"expressions\": [0,", "expressions: expected strings"},
    {"\"cost\": 3", "\"cost\": -1", "pools[0].cost: expected an integer between 0 and"},
    {"\"section\": \".dtcm\"", "\"section\": 0", "pools[0].section: expected"},
    {"\"base_align\": 256", "\"base_align\": 0", "pools[0].base_align: expected"},
    {", \"traffic\": 77", "", "pools[0].traffic: expected this key"},
    {"\"copied\": true", "\"copied\": 1", "pools[0].copied: expected"},
    {", \"cost_bound\": 200", "", "report.cost_bound: expected this key"},
    {"\"programs\": [", "\"programs\": [{}, ",
     "programs: expected one item; a file with several has"},
    {"\"variants\": [", "\"variants\": [{}, ",
     "programs[0].variants: expected one item; a file with several has"},
    {"\"guard\": null", "\"guard\": {\"dims\": []}",
     "programs[0].variants[0].guard.dims: expected at least one dimension"},
    {"\"guard\": null",
     "\"guard\": {\"dims\": [{\"dim\": \"n\", \"min\": 2, \"max\": 1, \"point\": 2}]}",
     "programs[0].variants[0].guard.dims[0].max: expected an integer between 2 and"},
    {"\"guard\": null",
     "\"guard\": {\"dims\": [{\"dim\": \"n\", \"min\": 2, \"max\": null, \"point\": 1}]}",
     "programs[0].variants[0].guard.dims[0].point: expected an integer between 2 and"},
    {"\"value\": 4", "\"value\": -4",
     "programs[0].variants[0].binding[0].value: expected an integer between 0"},
    {"\"inputs\": [0]", "\"inputs\": [4]",
     "programs[0].variants[0].inputs: expected indices below 4"},
    {"\"outputs\": [2,3]", "\"outputs\": [null]",
     "programs[0].variants[0].outputs: expected indices below 4"},
    {"\"above\": []", "\"above\": [1]",
     "programs[0].variants[0].storages[0].offset: expected null, since it follows from"},
    {"\"offset\": 0, \"size\": 100", "\"offset\": {\"expr\": 0}, \"size\": 100",
     "programs[0].variants[0].storages[0].offset: expected an integer"},
    {"\"offset\": 0, \"size\": 100", "\"offset\": 0, \"size\": {\"expr\": 0}",
     "programs[0].variants[0].storages[0].size: expected an expression over the ranges of the "
     "variant"},
    {"{\"expr\": 0},null]", "{\"expr\": 2},null]",
     "programs[0].variants[0].values[3].dims: expected {\"expr\": index}, an index below 2"},
    {"{\"expr\": 0},null]", "{\"expr\": 0, \"x\": 0},null]",
     "programs[0].variants[0].values[3].dims: expected {\"expr\": index}"},
    {"\"bytes\": {\"expr\": 1}", "\"bytes\": 40",
     "programs[0].variants[0].values[3].bytes: expected an expression or null"},
    {"\"bytes\": 5", "\"bytes\": {\"expr\": 0}",
     "programs[0].variants[0].values[1].bytes: expected an expression over the ranges"},
    {"\"bytes\": 5", "\"bytes\": null",
     "programs[0].variants[0].values[1].bytes: expected an integer"},
    {"\"nodes\": [", "\"nodes\": [{}, ",
     "programs[0].variants[0].steps[0].nodes: expected one node, or several and"},
    {"\"index\": 0", "\"index\": -2",
     "programs[0].variants[0].steps[0].nodes[0].index: expected an integer between -1"},
    {"\"version\": 17", "\"version\": -1",
     "programs[0].variants[0].steps[0].nodes[0].version: expected an integer between 0"},
    {"\"idle\": false", "\"idle\": 0",
     "programs[0].variants[0].steps[0].idle: expected true or false"},
    {"\"operands\": [0,null,0]", "\"operands\": [0,4,0]",
     "programs[0].variants[0].steps[0].operands: expected indices below 4, or null"},
    {"\"results\": [2,3,null]", "\"results\": [2,3,\"x\"]",
     "programs[0].variants[0].steps[1].results: expected indices below 4, or null"},
    {"\"shape_only\": [2]", "\"shape_only\": [3]",
     "programs[0].variants[0].steps[0].shape_only: expected positions of operands"},
    {"\"float\": -0.5", "\"floot\": -0.5",
     "programs[0].variants[0].steps[0].attributes[0].name: expected a value beside it"},
    {"\"float\": -0.5", "\"float\": \"-nan\"",
     "programs[0].variants[0].steps[0].attributes[0].float: expected a number"},
    {"\"float\": -0.5", "\"float\": -0.5, \"int\": 0",
     "programs[0].variants[0].steps[0].attributes[0]."},
    {"\"int\": -9223372036854775808", "\"int\": 0.5",
     "programs[0].variants[0].steps[0].attributes[2].int: expected an integer"},
    {"\"ints\": []", "\"ints\": [null]",
     "programs[0].variants[0].steps[0].attributes[4].ints: expected an integer"},
    {"\"ints\": []", "\"ints\": {}",
     "programs[0].variants[0].steps[0].attributes[4].ints: expected a list"},
    {"\"string\": \"NO", "\"string\": 5, \"s\": \"NO",
     "programs[0].variants[0].steps[0].attributes[5].string: expected a string"},
    {"\"strings\": [", "\"strings\": [0, ",
     "programs[0].variants[0].steps[0].attributes[6].strings: expected a string"},
    {"{\"dtype\": \"i64\", \"dims\"", "{\"dtype\": \"i65\", \"dims\"",
     "programs[0].variants[0].steps[0].attributes[7].tensor.dtype: expected an element type"},
    {"\"elements\": null", "\"elements\": null, \"more\": 0",
     "programs[0].variants[0].steps[0].attributes[9].tensor.keys: expected only the keys"},
    {"\"type\": null", "\"type\": \"x\"",
     "programs[0].variants[0].steps[0].attributes[10].type: expected null"},
    {"\"attribute\": \"body\"", "\"attribute\": null",
     "programs[0].variants[0].steps[0].bodies[0].attribute: expected a string"},
    {"\"inputs\": [1]", "\"inputs\": [null]",
     "programs[0].variants[0].steps[0].bodies[0].inputs: expected indices below 4"},
    {"\"when\": \"iteration\"", "\"when\": \"never\"",
     "programs[0].variants[0].steps[0].moves[0].when: expected one of \"begin\", \"iteration\", "
     "\"next\", \"after\", \"end\", \"none\""},
    {"\"what\": \"count\", \"body\": 0, \"from\": null",
     "\"what\": \"count\", \"body\": 0, \"from\": 0",
     "programs[0].variants[0].steps[0].moves[0].from: expected a value, and null for"},
    {"\"what\": \"stack\", \"body\": 0, \"from\": 1",
     "\"what\": \"stack\", \"body\": 0, \"from\": null",
     "programs[0].variants[0].steps[0].moves[1].from: expected a value, and null for"},
    {"\"what\": \"stack\", \"body\": 0", "\"what\": \"stack\", \"body\": 1",
     "programs[0].variants[0].steps[0].moves: expected positions of bodies"},
    {"\"axis\": 3", "\"axis\": 1.5",
     "programs[0].variants[0].steps[0].moves[1].axis: expected an integer between"},
    {"{\"result\": 1", "{\"result\": 3",
     "programs[0].variants[0].steps[1].claims: expected positions of results and operands"},
    {"\"operand\": 0", "\"operand\": 1",
     "programs[0].variants[0].steps[1].claims: expected positions of results and operands"},
    {"\"promise\": \"rows\"", "\"promise\": \"columns\"",
     "programs[0].variants[0].steps[1].claims[0].promise: expected one of \"keep\", \"elements\", "
     "\"rows\", \"update\", \"definition\""},
    {"\"workspace\": []", "\"workspace\": [{\"value\": 99, \"kept\": false, \"way\": \"\"}]",
     "programs[0].variants[0].steps[0].workspace[0].value: expected an index below"},
    {"\"workspace\": []", "\"workspace\": [{\"value\": 0, \"kept\": 1, \"way\": \"\"}]",
     "programs[0].variants[0].steps[0].workspace[0].kept: expected true or false"},
    {"\"dims\": [3], \"elements\"", "\"dims\": [4], \"elements\"",
     "attributes[7].tensor.elements: expected as many as the extents say"},
    {"\"dims\": [3], \"elements\"", "\"dims\": [-3], \"elements\"",
     "attributes[7].tensor.dims: expected the extents of a tensor"},
    {"\"queue\": 0", "\"queue\": 1",
     "programs[0].variants[0].steps[0].queue: expected 0, since the plan has no queues"},
    {"\"clone_of\": null", "\"clone_of\": 7",
     "programs[0].variants[0].steps[0].clone_of: expected"},
    {"\"clone_of\": null", "\"clone_of\": null, \"x\": 0",
     "programs[0].variants[0].steps[0].keys: expected only the keys"},
    {"]}]\n}\n", "}]\n}\n", "not a JSON plan"},
};

static tn_status malformed(tn_ctx *ctx, void *arg) {
    unit_log *log = arg;
    const char *good = json(sample(ctx));
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
        const char *at = strstr(good, edits[i].from);
        assert_non_null(at);
        tn_arena *arena = tn_arena_new(ctx);
        const char *text = tn_arena_printf(arena, "%.*s%s%s", (int)(at - good), good, edits[i].to,
                                           at + strlen(edits[i].from));
        log->len = 0;
        if (tn_plan_from_json(ctx, "plan.json", text, strlen(text)) != NULL) {
            fail_msg("edit %zu is read: %s", i, edits[i].to);
        }
        if (strstr(log->text, edits[i].message) == NULL) {
            print_error("edit %zu: wanted '%s', got '%s'\n", i, edits[i].message, log->text);
        }
        assert_non_null(strstr(log->text, edits[i].message));
        assert_non_null(strstr(log->text, "plan.json"));
        tn_arena_drop(arena);
    }
    return TN_OK;
}

/* Every prefix of a good file and a very deep one: a message, never a crash. */
static tn_status truncated(tn_ctx *ctx, void *arg) {
    (void)arg;
    const char *good = json(sample(ctx));
    for (size_t n = 0; n + 2 < strlen(good); n += 7) {
        assert_null(tn_plan_from_json(ctx, "plan.json", good, n));
    }
    static char deep[1 << 20];
    memset(deep, '[', sizeof deep);
    assert_null(tn_plan_from_json(ctx, "deep.json", deep, sizeof deep));
    assert_null(tn_plan_from_json(ctx, "list.json", "[]", 2));
    return TN_OK;
}

static tn_status report(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_plan *p = sample(ctx);
    tn_sink s = tn_sink_make(p->arena);
    tn_plan_report_print(p, &s);
    static const char *const want[] = {
        ", 2 steps; 1 of 4 values has no place: 'n' is open\n",
        "naive         256 B",
        "gap           28.00 %",
        ("RAM           168 B: arena 128 B, in and out 40 B; flash 7 B: constants\n"
         "                the arena needs 10 B with --schedule=min-peak, which -O3 includes\n"),
        "peak          at step 1 (end of Loop 'a'), alive there: 1",
        "\"3d/π\\t\" i4[10]: 100 B",
        "loop/body/\"open\" ?[10,n,?] not planned: extent n is not bound (n*10 bytes)",
        "3 planned, 1 not, 0 need no place",
        "4 shared gradients; without, the arena would need 8 B more\n",
        "order         not the file's: run the steps as the plan has them"};
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        if (strstr(s.data, want[i]) == NULL) {
            print_error("no '%s' in:\n%s", want[i], s.data);
        }
        assert_non_null(strstr(s.data, want[i]));
    }
    assert_null(strstr(s.data, "optimal"));
    tn_sink big = tn_sink_make(p->arena);
    tn_put_bytes(&big, 1536);
    assert_string_equal(big.data, "1536 B (1.50 KiB)");
    return TN_OK;
}

/* The n-th allocation of tenure's own fails; the parsed tree, which is not, must go as well (the
 * sanitized build sees what leaks). */
typedef struct tight {
    uint32_t left;
    const char *text;
} tight;

static void *tight_alloc(void *user, void *ptr, size_t old_size, size_t new_size) {
    tight *t = user;
    (void)old_size;
    if (new_size == 0) {
        free(ptr);
        return NULL;
    }
    if (t->left == 0) {
        return NULL;
    }
    t->left--;
    return realloc(ptr, new_size);
}

static tn_status read_tight(tn_ctx *ctx, void *arg) {
    tight *t = arg;
    return tn_plan_from_json(ctx, "plan.json", t->text, strlen(t->text)) != NULL ? TN_OK : TN_ERROR;
}

static tn_status out_of_memory(tn_ctx *ctx, void *arg) {
    (void)arg;
    tight t = {.text = json(sample(ctx))};
    tn_status status = TN_NOMEM;
    for (uint32_t n = 0; status == TN_NOMEM; n++) {
        assert_true(n < 1000);
        t.left = n;
        tn_allocator alloc = {tight_alloc, &t};
        tn_ctx *poor = tn_ctx_new(&alloc);
        if (poor != NULL) {
            status = tn_guard_run(poor, read_tight, &t);
            tn_ctx_free(poor);
        }
    }
    assert_int_equal(status, TN_OK);
    return TN_OK;
}

UNIT_TEST(round_trip)
UNIT_TEST(bad_utf8)
UNIT_TEST(malformed)
UNIT_TEST(truncated)
UNIT_TEST(report)
UNIT_TEST(out_of_memory)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_bad_utf8),
        cmocka_unit_test(test_malformed),  cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_report),     cmocka_unit_test(test_out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
