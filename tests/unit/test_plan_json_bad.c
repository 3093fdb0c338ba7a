/* The JSON form of a plan, spoiled: broken files end in a message that names the place. */
#include "tests/unit/sample_plan.h"

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
     "programs[0].variants[0].values[0].name: expected a string without a NUL"},
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
    {"\"guard\": null",
     "\"guard\": {\"dims\": [{\"dim\": \"n\", \"min\": 1, \"max\": null, \"point\": 1}], "
     "\"related\": [{\"dim\": \"k\", \"extent\": {\"expr\": 9999}}]}",
     "programs[0].variants[0].guard.related[0].extent: expected {\"expr\": index}, an index below"},
    {"\"guard\": null",
     "\"guard\": {\"dims\": [{\"dim\": \"n\", \"min\": 1, \"max\": null, \"point\": 1}], "
     "\"related\": [{\"dim\": \"k\", \"extent\": 9}]}",
     "programs[0].variants[0].guard.related[0].extent: expected an expression"},
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
    const char *good = sample_json(sample_plan(ctx));
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
    const char *good = sample_json(sample_plan(ctx));
    for (size_t n = 0; n + 2 < strlen(good); n += 7) {
        assert_null(tn_plan_from_json(ctx, "plan.json", good, n));
    }
    static char deep[1 << 20];
    memset(deep, '[', sizeof deep);
    assert_null(tn_plan_from_json(ctx, "deep.json", deep, sizeof deep));
    assert_null(tn_plan_from_json(ctx, "list.json", "[]", 2));
    return TN_OK;
}

UNIT_TEST(malformed)
UNIT_TEST(truncated)

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_malformed),
                                       cmocka_unit_test(test_truncated)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
