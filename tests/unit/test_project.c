/* Project files: read, applied, written; which of several values counts; presets. */
#include "tests/unit/unit.h"

#include "lib/request/preset.h"
#include "lib/request/project.h"
#include "lib/request/request.h"

static unit_log log_;

static tn_status read_into(tn_request *r, const char *text, tn_project *p) {
    tn_setting_group groups[TN_REQUEST_GROUPS];
    tn_request_groups(r, groups);
    tn_project_scope scope = {.options = groups, .n_options = TN_REQUEST_GROUPS};
    tn_bytes bytes = {(const uint8_t *)text, strlen(text)};
    log_.len = 0;
    log_.text[0] = '\0';
    tn_status status = tn_project_read(r->arena, "dir/p.json", bytes, &scope, p);
    return status == TN_OK ? tn_project_apply(r->arena, p) : status;
}

static tn_status take(tn_request *r, const char *options) {
    tn_project p;
    return read_into(
        r, tn_arena_printf(r->arena, "{\"tenure_project\": 1, \"options\": {%s}}", options), &p);
}

static const char *written(const tn_request *r) {
    tn_request copy = *r;
    tn_setting_group groups[TN_REQUEST_GROUPS];
    tn_request_groups(&copy, groups);
    tn_project_content content = {.scope = {.options = groups, .n_options = TN_REQUEST_GROUPS},
                                  .options = tn_request_settled(r, r->arena)};
    tn_sink out = tn_sink_make(r->arena);
    tn_project_print(&content, &out);
    return out.data;
}

static void set(tn_request *r, const char *name, const char *value) {
    assert_int_equal(tn_request_set(r, name, value, NULL), TN_OK);
}

static bool gives(const tn_request *r, const char *key, const char *value) {
    tn_pairs all = tn_request_settled(r, r->arena);
    for (uint32_t i = 0; i < all.len; i++) {
        if (strcmp(all.data[i].key, key) == 0 && strcmp(all.data[i].value, value) == 0) {
            return true;
        }
    }
    return false;
}

/* Names are what the JSON strings hold, whatever would end them on a command line. */
static tn_status takes_names(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_request *r = tn_request_new(tn_arena_new(ctx));
    assert_int_equal(
        take(r,
             "\"dim\": {\"a=b\": 3, \"\\\"q\\\"\": 4}, \"exclude\": [\"a,b\", \"\\\"x\\\"\"],"
             "\"input-shape\": {\"c:d\": [1, -1]}, \"input-value\": {\"\\udbff\\udeff\": [1, 2.5]},"
             "\"update\": {\"s=\": \"\\\"v\"}, \"grad-suffix\": \"\\\"_g\", \"loss\": \"l\\nl\""),
        TN_OK);
    tn_load_options o = tn_request_load_options(r);
    assert_string_equal(o.dims[0].name, "a=b");
    assert_string_equal(o.dims[1].name, "\"q\"");
    assert_int_equal(o.dims[1].value, 4);
    assert_string_equal(o.shapes[0].name, "c:d");
    assert_int_equal(o.shapes[0].dims[1], -1);
    assert_string_equal(o.values[0].name, "\xff");
    assert_null(o.values[0].ints);
    tn_controls c = tn_request_controls(r);
    assert_string_equal(c.exclude.data[0], "a,b");
    assert_string_equal(c.exclude.data[1], "\"x\"");
    assert_string_equal(c.loss.data[0], "l\nl");
    assert_string_equal(c.grad_suffix, "\"_g");
    assert_true(gives(r, "update", "\"s=\"=\"\\\"v\""));
    tn_request *again = tn_request_new(r->arena);
    tn_project p;
    assert_int_equal(read_into(again, written(r), &p), TN_OK);
    assert_string_equal(written(again), written(r));
    return TN_OK;
}

/* What was given before the file counts more; what repeats adds up, pairs of other names too. */
static tn_status yields(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_request *r = tn_request_new(tn_arena_new(ctx));
    set(r, "O", "1");
    set(r, "dim", "a=1");
    set(r, "exclude", "x");
    set(r, "no-keep-all", NULL);
    assert_int_equal(take(r, "\"O\": 3, \"dim\": {\"a\": 2, \"b\": 3}, \"exclude\": [\"y\"],"
                             "\"keep-all\": true, \"passes\": \"reuse\", \"level\": 0"),
                     TN_OK);
    assert_string_equal(written(r), "{\n  \"tenure_project\": 1,\n  \"options\": {\n"
                                    "    \"dim\": {\"a\": 1, \"b\": 3},\n    \"O\": 1,\n"
                                    "    \"level\": 0,\n    \"exclude\": [\"x\", \"y\"],\n"
                                    "    \"keep-all\": false\n  }\n}\n");
    r = tn_request_new(r->arena);
    set(r, "passes", "infer-shapes,reuse");
    assert_int_equal(take(r, "\"O\": 3, \"level\": 0, \"align\": 128"), TN_OK);
    assert_int_equal(tn_request_settled(r, r->arena).len, 2);
    assert_true(gives(r, "align", "128"));
    return TN_OK;
}

/* One way to write each value, so that plans record the same whoever asked. */
static tn_status is_canonical(tn_ctx *ctx, void *arg) {
    static const char *const texts[][3] = {
        {"dim", "n:007", "n=7"},
        {"dim", "\"m\"=1", "m=1"},
        {"input-value", "x=1e3,-0,true", "x=1000.0,0,true"},
        {"input-shape", "\"a=b\":1,02", "\"a=b\"=1,2"},
        {"exclude", "\"conv*\"", "conv*"},
        {"update", "a=b=c", "\"a=b\"=c"},
        {"align", "064", "64"},
        {"capacity", "64K", "64K"},
    };
    (void)arg;
    tn_request *r = tn_request_new(tn_arena_new(ctx));
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        set(r, texts[i][0], texts[i][1]);
        assert_true(gives(r, texts[i][0], texts[i][2]));
    }
    set(r, "capacity", "1M");
    assert_false(gives(r, "capacity", "64K"));
    return TN_OK;
}

/* Every setting can be said in a project file: what was set reads back from what is written. */
static tn_status says_all(tn_ctx *ctx, void *arg) {
    static const char *const values[] = {
        "1",       "x=1",   "a=b",    "main", "O2",           "kahn",  "all",    "offsets", "load",
        "64",      "arena", "x",      "mcu",  "infer-shapes", "safe",  "file",   "none",    "0",
        "minimum", "true",  "serial", "nhwc", "10%",          "x=p@8", "x=nhwc", NULL};
    static const char *const paths[] = {"/1", NULL}; /* others are read from the file's folder */
    (void)arg;
    tn_arena *arena = tn_arena_new(ctx);
    tn_setting_group groups[TN_REQUEST_GROUPS];
    tn_request *all = tn_request_new(arena);
    tn_request_groups(all, groups);
    uint32_t n = 0;
    for (uint32_t i = 0; i < TN_REQUEST_GROUPS; i++) {
        for (const tn_setting *s = groups[i].table; s->name != NULL; s++, n++) {
            tn_request *r = tn_request_new(arena), *again = tn_request_new(arena);
            tn_setting_type type = tn_setting_type_of(s);
            bool is_path = type == TN_SETTING_FILE || type == TN_SETTING_FILES;
            const char *const *v = is_path ? paths : values;
            while (*v != NULL && tn_request_set(r, s->name, *v, NULL) != TN_OK) {
                r = tn_request_new(arena);
                v++;
            }
            assert_non_null(*v);
            tn_project p;
            assert_int_equal(read_into(again, written(r), &p), TN_OK);
            assert_string_equal(written(again), written(r));
            assert_true(tn_request_settled(again, arena).len > 0);
        }
    }
    assert_true(n > 25);
    return TN_OK;
}

static tn_status refuses(tn_ctx *ctx, void *arg) {
    static const char *const bad[][2] = {
        {"\"O\": 4", "options.O must be 0|1|2|3, not '4'"},
        {"\"O\": 3, \"O\": 2", "not a JSON project file: duplicate object key"},
        {"\"skip\": \"a\", \"exclude\": \"b\"", "options.exclude: given twice"},
        {"\"no-strict\": true", "options.no-strict: expected \"strict\": false"},
        {"\"strict\": \"true\"", "options.strict: expected true or false, not 'true'"},
        {"\"dim\": {\"n\": \"1\"}", "options.dim: expected an object of names and integers"},
        {"\"dim\": {\"\": 1}", "options.dim: expected names that are not empty"},
        {"\"dim\": [{\"n\": 1}, {\"n\": 2}]", "options.dim: dimension 'n' is bound twice"},
        {"\"exclude\": [[]]", "options.exclude: expected a name, or a list of names, not a list"},
        {"\"exclude\": \"a\\u0000b\"", "options.exclude: expected"},
        {"\"capacity\": -1", "options.capacity must be a number of bytes"},
        {"\"preset\": \"mc\"", "options.preset must be mcu|mcu-loops|tflm|ram, not 'mc'"},
        {"\"passes\": 3", "options.passes: expected a string (PIPELINE)"},
    };
    (void)arg;
    tn_arena *arena = tn_arena_new(ctx);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(take(tn_request_new(arena), bad[i][0]), TN_USAGE);
        assert_memory_equal(log_.text, "dir/p.json:", 11);
        assert_non_null(strstr(log_.text, bad[i][1]));
    }
    tn_project p;
    tn_sink deep = tn_sink_make(arena);
    for (int i = 0; i < 100000; i++) {
        tn_put_c(&deep, '[');
    }
    assert_int_equal(read_into(tn_request_new(arena), deep.data, &p), TN_USAGE);
    assert_non_null(strstr(log_.text, "maximum parsing depth reached"));
    return TN_OK;
}

static tn_status finds_paths(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_request *r = tn_request_new(tn_arena_new(ctx));
    tn_project p;
    assert_int_equal(read_into(r,
                               "{\"tenure_project\": 1, \"model\": \"net.onnx\", \"emit\": ["
                               "{\"kind\": \"json\", \"file\": \"/tmp/a\"}, {\"kind\": \"svg\", "
                               "\"file\": \"-\", \"options\": {\"width\": 300}}, {\"kind\": "
                               "\"csv\"}]}",
                               &p),
                     TN_OK);
    assert_int_equal(p.models.len, 1);
    assert_string_equal(p.models.data[0], "dir/net.onnx");
    assert_int_equal(p.emits.len, 3);
    assert_string_equal(p.emits.data[0].file, "/tmp/a");
    assert_string_equal(p.emits.data[1].file, "-");
    assert_null(p.emits.data[2].file);
    assert_int_equal(read_into(r,
                               "{\"tenure_project\": 1, \"programs\": {\"b\": \"net.onnx\", "
                               "\"a\": \"/net.onnx\"}}",
                               &p),
                     TN_OK);
    assert_int_equal(p.models.len, 2);
    assert_string_equal(p.models.data[0], "b=dir/net.onnx");
    assert_string_equal(p.models.data[1], "a=/net.onnx");
    return TN_OK;
}

/* A preset is the options it stands for, below all that is given, in whatever order. */
static tn_status has_presets(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_arena *arena = tn_arena_new(ctx);
    for (const tn_preset *preset = tn_presets; preset->name != NULL; preset++) {
        tn_request *r = tn_request_new(arena), *spelled = tn_request_new(arena);
        set(r, "preset", preset->name);
        for (const tn_pair *o = preset->options; o->key != NULL; o++) {
            set(spelled, o->key, o->value);
        }
        assert_string_equal(written(r), written(spelled));
    }
    tn_request *r = tn_request_new(arena);
    set(r, "O", "1");
    set(r, "dim", "n=3");
    set(r, "preset", "ram");
    set(r, "preset", "mcu");
    set(r, "align", "32");
    assert_int_equal(take(r, "\"io\": \"separate\", \"preset\": \"ram\""), TN_OK);
    assert_true(gives(r, "O", "1") && gives(r, "align", "32") && gives(r, "io", "separate"));
    assert_true(gives(r, "reuse-inputs", "true") && gives(r, "dim", "n=3"));
    assert_null(r->schedule);
    assert_string_equal(r->optimize, "1");
    assert_false(tn_request_controls(r).io_in_arena);
    assert_int_equal(tn_request_controls(r).align, 32);
    set(r, "passes", "infer-shapes,reuse");
    tn_pipeline p;
    assert_int_equal(tn_request_pipeline(r, arena, &p), TN_USAGE); /* -O1 is given */
    r = tn_request_new(arena);
    set(r, "preset", "ram");
    set(r, "passes", "infer-shapes,reuse");
    assert_int_equal(tn_request_pipeline(r, arena, &p), TN_OK);
    assert_int_equal(p.len, 2);
    assert_int_equal(tn_request_settled(r, arena).len, 1);
    return TN_OK;
}

UNIT_TEST_LOGGED(takes_names, log_)
UNIT_TEST_LOGGED(yields, log_)
UNIT_TEST_LOGGED(is_canonical, log_)
UNIT_TEST_LOGGED(says_all, log_)
UNIT_TEST_LOGGED(refuses, log_)
UNIT_TEST_LOGGED(finds_paths, log_)
UNIT_TEST_LOGGED(has_presets, log_)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_takes_names),  cmocka_unit_test(test_yields),
        cmocka_unit_test(test_is_canonical), cmocka_unit_test(test_says_all),
        cmocka_unit_test(test_refuses),      cmocka_unit_test(test_finds_paths),
        cmocka_unit_test(test_has_presets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
