/* tenure.h as an embedder uses it, and with the n-th allocation failing. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/meter.h"
#include "tests/unit/model_text.h"
#include "tests/unit/unit.h"

#include "tenure/ir.h"

static const char project[] =
    "{\"tenure_project\": 1, \"model\": \"other.tir\", \"emit\": [{\"kind\": \"json\"}],"
    " \"commands\": {\"plan\": {\"quiet\": true}},"
    " \"options\": {\"dim\": {\"batch\": 8}, \"exclude\": [\"a\"], \"align\": 16}}";

typedef struct messages {
    char text[4096];
    int n_errors;
} messages;

static void on_diag(void *user, const tenure_diagnostic *d) {
    messages *m = user;
    assert_true(d->struct_size >= sizeof *d);
    assert_non_null(strstr(d->rendered, d->text));
    m->n_errors += d->severity == TENURE_SEV_ERROR;
    strncat(m->text, d->rendered, sizeof m->text - strlen(m->text) - 1);
}

static tenure_model *load(tenure_context *ctx, const tenure_options *options) {
    return tenure_load_memory(ctx, "net.tir", model_text, sizeof model_text - 1, options);
}

/* Everything an embedder does; the first failure ends it. */
static tenure_status whole_way(tenure_context *ctx) {
    tenure_options *options = tenure_options_new(ctx);
    if (options == NULL) {
        return TENURE_NOMEM;
    }
    tenure_status status = tenure_options_set(options, "dim", "batch=4");
    if (status == TENURE_OK) {
        status = tenure_options_read(options, "net.json", project, sizeof project - 1);
    }
    if (status != TENURE_OK) {
        return status;
    }
    tenure_model *model = load(ctx, options);
    if (model == NULL) {
        return TENURE_NOMEM;
    }
    tenure_plan *plan, *again;
    tenure_buffer *json, *report;
    if ((status = tenure_plan_make(model, options, &plan)) != TENURE_OK ||
        (status = tenure_plan_emit(plan, "json", NULL, &json)) != TENURE_OK ||
        (status = tenure_plan_report(plan, &report)) != TENURE_OK ||
        (status = tenure_plan_read(ctx, "net.json", tenure_buffer_data(json),
                                   tenure_buffer_size(json), &again)) != TENURE_OK) {
        return status;
    }
    return tenure_plan_check(again, model, options);
}

static void test_whole_way(void **state) {
    (void)state;
    messages log = {0};
    tenure_context *ctx = tenure_context_new(NULL);
    tenure_on_diagnostic(ctx, on_diag, &log);
    assert_int_equal(whole_way(ctx), TENURE_OK);
    assert_string_equal(log.text, "");
    tenure_context_free(ctx);
}

static void on_progress(void *user, const char *doing) {
    messages *log = user;
    strcat(strcat(log->text, " "), doing);
}

static void test_progress(void **state) {
    (void)state;
    messages log = {0};
    tenure_context *ctx = tenure_context_new(NULL);
    tenure_on_progress(ctx, on_progress, &log);
    assert_int_equal(whole_way(ctx), TENURE_OK);
    assert_string_equal(
        log.text,
        " read infer-shapes fuse workspace schedule pin alias-views inplace share-gradients reuse"
        " insert-frees check infer-shapes fuse workspace schedule pin check");
    log.text[0] = '\0';
    tenure_on_progress(ctx, NULL, NULL);
    assert_int_equal(whole_way(ctx), TENURE_OK);
    assert_string_equal(log.text, "");
    tenure_on_progress(NULL, on_progress, &log);
    tenure_context_free(ctx);
}

static void test_out_of_memory(void **state) {
    (void)state;
    long n = 0;
    for (bool done = false; !done; n++) {
        meter m = {.fail_at = n};
        tenure_allocator allocator = {metered, &m};
        tenure_context *ctx = tenure_context_new(&allocator);
        tenure_status status = ctx != NULL ? whole_way(ctx) : TENURE_NOMEM;
        assert_int_equal(status, m.failed ? TENURE_NOMEM : TENURE_OK);
        done = !m.failed;
        tenure_context_free(ctx);
        assert_int_equal(m.out, 0);
    }
    assert_true(n > 20);
}

/* What was set before counts more than the file, what is set later counts more too. */
static void test_project(void **state) {
    (void)state;
    messages log = {0};
    tenure_context *ctx = tenure_context_new(NULL);
    tenure_on_diagnostic(ctx, on_diag, &log);
    tenure_options *options = tenure_options_new(ctx);
    assert_int_equal(tenure_options_set(options, "dim", "batch=4"), TENURE_OK);
    assert_int_equal(tenure_options_read(options, "net.json", project, sizeof project - 1),
                     TENURE_OK);
    assert_int_equal(tenure_options_set(options, "align", "32"), TENURE_OK);
    tenure_model *model = load(ctx, options);
    tenure_plan *plan;
    tenure_buffer *text;
    assert_int_equal(tenure_plan_make(model, options, &plan), TENURE_OK);
    assert_int_equal(tenure_plan_emit(plan, "json", NULL, &text), TENURE_OK);
    const char *json = tenure_buffer_data(text);
    assert_non_null(strstr(json, "{\"key\": \"dim\", \"value\": \"batch=4\"}"));
    assert_non_null(strstr(json, "{\"key\": \"align\", \"value\": \"32\"}"));
    assert_non_null(strstr(json, "{\"key\": \"exclude\", \"value\": \"a\"}"));
    assert_null(strstr(json, "batch=8"));
    static const char bad[] = "{\"tenure_project\": 1, \"options\": {\"alignn\": 16}}";
    assert_int_equal(tenure_options_read(options, "bad.json", bad, sizeof bad - 1), TENURE_USAGE);
    assert_string_equal(log.text,
                        "bad.json: error: options.alignn: unknown option 'alignn'; did you "
                        "mean 'align'?");
    assert_int_equal(tenure_options_read(options, NULL, bad, 1), TENURE_USAGE);
    assert_int_equal(tenure_options_read(options, "bad.json", NULL, 0), TENURE_USAGE);
    assert_int_equal(tenure_options_read(NULL, "bad.json", bad, 1), TENURE_USAGE);
    tenure_context_free(ctx);
}

static void test_placements(void **state) {
    (void)state;
    tenure_context *ctx = tenure_context_new(NULL);
    tenure_options *options = tenure_options_new(ctx);
    assert_int_equal(tenure_options_set(options, "dim", "batch=4"), TENURE_OK);
    tenure_model *model = load(ctx, options);
    tenure_plan *plan;
    assert_int_equal(tenure_plan_make(model, options, &plan), TENURE_OK);
    tenure_placement at = {.struct_size = sizeof at};
    size_t n = tenure_plan_value_count(plan);
    assert_int_equal(n, 6);
    for (size_t i = 0; i < n; i++) {
        assert_true(tenure_plan_value(plan, i, &at));
        assert_null(at.why);
        assert_int_equal(at.offset % 64, 0);
    }
    assert_false(tenure_plan_value(plan, n, &at));
    assert_true(tenure_plan_find(plan, "b", &at));
    assert_string_equal(at.pool, "arena");
    assert_int_equal(at.size, 4 * 64 * 4);
    assert_true(at.offset + at.size <= tenure_plan_arena_size(plan));
    assert_true(tenure_plan_lower_bound(plan) <= tenure_plan_arena_size(plan));
    assert_false(tenure_plan_find(plan, "nothing", &at));
    tenure_context_free(ctx);
}

/* Values of a body and of a body in it, by their paths; a name of the main graph that looks like a
 * path counts first. */
static void test_nested(void **state) {
    (void)state;
    static const char nested[] =
        "tir 1 module \"n\" opset \"\" 17 graph @0 \"n\" {"
        " input %c: bool[] input %x: f32[8] %b: f32[8] = Exp(%x)"
        " %y: f32[8] = If(%c) @\"if\" {then_branch = region 0, else_branch = region 1}"
        " graph \"t\" { %b2: f32[8] = Neg(%b) return %b2 }"
        " graph \"e\" { %b3: f32[8] = Relu(%b) %b4: f32[8] = Exp(%b3) return %b4 }"
        " %z: f32[8] = Neg(%y) return %z }";
    tenure_context *ctx = tenure_context_new(NULL);
    tenure_model *model = tenure_load_memory(ctx, "n.tir", nested, sizeof nested - 1, NULL);
    assert_non_null(model);
    tenure_plan *plan;
    assert_int_equal(tenure_plan_make(model, NULL, &plan), TENURE_OK);
    size_t n_nested = 0;
    for (size_t i = 0; i < tenure_plan_value_count(plan); i++) {
        tenure_placement value = {.struct_size = sizeof value}, found = value;
        char path[64];
        assert_true(tenure_plan_value(plan, i, &value));
        snprintf(path, sizeof path, "%s%s%s", value.graph, value.graph[0] != '\0' ? "/" : "",
                 value.name);
        assert_true(tenure_plan_find(plan, path, &found));
        assert_int_equal(found.index, i);
        assert_true(found.name == value.name && found.graph == value.graph);
        assert_true(found.storage == value.storage && found.offset == value.offset);
        assert_true(found.size == value.size && found.step == value.step);
        n_nested += value.graph[0] != '\0';
    }
    assert_int_equal(n_nested, 3);
    tenure_placement at = {.struct_size = sizeof at};
    assert_false(tenure_plan_find(plan, "b2", &at));
    assert_true(tenure_plan_find(plan, "if/t/b2", &at));
    assert_string_equal(at.name, "b2");
    assert_string_equal(at.graph, "if/t");
    assert_false(tenure_plan_find(plan, "if/t/b3", &at));
    tenure_context_free(ctx);
}

/* What NULL meant. */
static void test_last_status(void **state) {
    (void)state;
    tenure_context *ctx = tenure_context_new(NULL);
    assert_int_equal(tenure_last_status(ctx), TENURE_OK);
    assert_null(tenure_load_memory(ctx, "bad.tir", "tir 9", 5, NULL));
    assert_int_equal(tenure_last_status(ctx), TENURE_ERROR);
    assert_null(tenure_load_file(ctx, "/no/such/file.onnx", NULL));
    assert_int_equal(tenure_last_status(ctx), TENURE_ERROR);
    assert_non_null(load(ctx, NULL));
    assert_int_equal(tenure_last_status(ctx), TENURE_OK);
    tenure_context_free(ctx);
    bool done = false;
    for (long n = 0; !done; n++) {
        meter m = {.fail_at = -1};
        tenure_allocator allocator = {metered, &m};
        ctx = tenure_context_new(&allocator);
        m.fail_at = n;
        bool loaded = load(ctx, NULL) != NULL;
        assert_int_equal(loaded, !m.failed);
        assert_int_equal(tenure_last_status(ctx), m.failed ? TENURE_NOMEM : TENURE_OK);
        done = !m.failed;
        tenure_context_free(ctx);
    }
}

/* Every function with NULL for each pointer that must not be one: no crash, and no other result. */
static void test_nulls(void **state) {
    (void)state;
    messages log = {0};
    tenure_context *ctx = tenure_context_new(NULL);
    tenure_options *options = tenure_options_new(ctx);
    assert_int_equal(tenure_options_set(options, "dim", "batch=4"), TENURE_OK);
    tenure_model *model = load(ctx, options);
    tenure_plan *plan, *out = (tenure_plan *)&log;
    assert_int_equal(tenure_plan_make(model, options, &plan), TENURE_OK);
    tenure_buffer *text = (tenure_buffer *)&log;
    tenure_placement at = {.struct_size = sizeof at};
    tenure_on_diagnostic(ctx, on_diag, &log);

    tenure_context_free(NULL);
    tenure_on_diagnostic(NULL, on_diag, &log);
    assert_int_equal(tenure_last_status(NULL), TENURE_USAGE);
    assert_null(tenure_options_new(NULL));
    tenure_options_free(NULL);
    tenure_model_free(NULL);
    tenure_plan_free(NULL);
    tenure_buffer_free(NULL);
    assert_null(tenure_buffer_data(NULL));
    assert_int_equal(tenure_buffer_size(NULL), 0);
    assert_int_equal(tenure_options_set(NULL, "dim", "a=1"), TENURE_USAGE);
    assert_string_equal(log.text, "");
    assert_int_equal(tenure_options_set(options, NULL, "a=1"), TENURE_USAGE);
    assert_string_equal(log.text, "error: tenure_options_set: name is NULL");
    assert_int_equal(tenure_options_set(options, "dim", NULL), TENURE_USAGE);

    assert_null(tenure_load_file(NULL, "x", NULL));
    assert_null(tenure_load_file(ctx, NULL, NULL));
    assert_int_equal(tenure_last_status(ctx), TENURE_USAGE);
    assert_null(tenure_load_memory(NULL, "x", "x", 1, NULL));
    assert_null(tenure_load_memory(ctx, NULL, "x", 1, NULL));
    assert_null(tenure_load_memory(ctx, "x", NULL, 1, NULL));

    assert_int_equal(tenure_plan_make(NULL, NULL, &out), TENURE_USAGE);
    assert_null(out);
    assert_int_equal(tenure_plan_make(model, NULL, NULL), TENURE_USAGE);
    out = (tenure_plan *)&log;
    assert_int_equal(tenure_plan_read(NULL, "x", "{}", 2, &out), TENURE_USAGE);
    assert_null(out);
    assert_int_equal(tenure_plan_read(ctx, NULL, "{}", 2, &out), TENURE_USAGE);
    assert_int_equal(tenure_plan_read(ctx, "x", NULL, 2, &out), TENURE_USAGE);
    assert_int_equal(tenure_plan_read(ctx, "x", "{}", 2, NULL), TENURE_USAGE);
    assert_int_equal(tenure_plan_check(NULL, model, NULL), TENURE_USAGE);
    assert_int_equal(tenure_plan_check(plan, NULL, NULL), TENURE_USAGE);
    assert_int_equal(tenure_plan_check(NULL, NULL, NULL), TENURE_USAGE);
    assert_int_equal(tenure_plan_arena_size(NULL), 0);
    assert_int_equal(tenure_plan_lower_bound(NULL), 0);
    assert_int_equal(tenure_plan_value_count(NULL), 0);
    assert_false(tenure_plan_value(NULL, 0, &at));
    assert_false(tenure_plan_value(plan, 0, NULL));
    assert_false(tenure_plan_find(NULL, "a", &at));
    assert_false(tenure_plan_find(plan, NULL, &at));
    assert_false(tenure_plan_find(plan, "a", NULL));

    assert_int_equal(tenure_plan_emit(NULL, "json", NULL, &text), TENURE_USAGE);
    assert_null(text);
    assert_int_equal(tenure_plan_emit(plan, NULL, NULL, &text), TENURE_USAGE);
    assert_int_equal(tenure_plan_emit(plan, "json", NULL, NULL), TENURE_USAGE);
    assert_int_equal(tenure_plan_report(NULL, &text), TENURE_USAGE);
    assert_int_equal(tenure_plan_report(plan, NULL), TENURE_USAGE);
    assert_int_equal(tenure_model_run(NULL, "pin"), TENURE_USAGE);
    assert_int_equal(tenure_model_run(model, NULL), TENURE_USAGE);
    assert_int_equal(tenure_model_print(NULL, &text), TENURE_USAGE);
    assert_int_equal(tenure_model_print(model, NULL), TENURE_USAGE);
    tenure_context_free(ctx);
}

/* The same mistakes have the same status here as on the command line, and what is asked of a plan
 * holds here too. */
static void test_demands(void **state) {
    (void)state;
    messages log = {0};
    tenure_context *ctx = tenure_context_new(NULL);
    tenure_on_diagnostic(ctx, on_diag, &log);
    tenure_options *options = tenure_options_new(ctx), *tight = tenure_options_new(ctx);
    assert_int_equal(tenure_options_set(options, "dim", "batch=4"), TENURE_OK);
    assert_int_equal(tenure_options_set(tight, "dim", "batch=4"), TENURE_OK);
    assert_int_equal(tenure_options_set(tight, "capacity", "64"), TENURE_OK);
    tenure_model *model = load(ctx, options);
    tenure_plan *plan;
    tenure_buffer *out;
    assert_int_equal(tenure_plan_make(model, options, &plan), TENURE_OK);
    assert_int_equal(tenure_plan_emit(plan, "svg", "width=9", &out), TENURE_USAGE);
    assert_int_equal(tenure_plan_emit(plan, "svg", "pool=none", &out), TENURE_USAGE);
    assert_int_equal(tenure_plan_emit(plan, "opencl", "align-bits=12", &out), TENURE_USAGE);
    assert_int_equal(tenure_plan_emit(plan, "csv", "pool=\"arena\",offsets=off", &out), TENURE_OK);
    assert_int_equal(tenure_plan_check(plan, model, options), TENURE_OK);
    assert_int_equal(tenure_plan_check(plan, model, tight), TENURE_NOFIT);
    tenure_context_free(ctx);
}

/* No artefact of a plan with open dimensions, unless it was made to be partial: then a warning,
 * also when it is read back. */
static void test_partial(void **state) {
    (void)state;
    messages log = {0};
    tenure_context *ctx = tenure_context_new(NULL);
    tenure_on_diagnostic(ctx, on_diag, &log);
    tenure_model *model = load(ctx, NULL);
    tenure_options *options = tenure_options_new(ctx);
    tenure_plan *plan;
    tenure_buffer *out, *json;
    assert_int_equal(tenure_plan_make(model, NULL, &plan), TENURE_OK);
    assert_int_equal(tenure_plan_report(plan, &out), TENURE_OK);
    const char *head = "plan of \"net\", 4 steps; 5 of 6 values have no place: 'batch' is open\n";
    assert_memory_equal(tenure_buffer_data(out), head, strlen(head));
    assert_string_equal(log.text, "");
    assert_int_equal(tenure_plan_emit(plan, "json", NULL, &out), TENURE_ERROR);
    assert_null(out);
    assert_string_equal(log.text,
                        "net: error: 5 of 6 values have no place: 'batch' is open; bind it with "
                        "--dim NAME=VALUE, plan for all extents with --open, or plan what can "
                        "be planned with --partial");

    const char *warning = "net: warning: 5 of 6 values have no place: 'batch' is open";
    assert_int_equal(tenure_options_set(options, "partial", NULL), TENURE_OK);
    assert_int_equal(tenure_plan_make(model, options, &plan), TENURE_OK);
    log.text[0] = '\0';
    assert_int_equal(tenure_plan_emit(plan, "json", NULL, &json), TENURE_OK);
    assert_string_equal(log.text, warning);
    assert_int_equal(tenure_plan_read(ctx, "plan.json", tenure_buffer_data(json),
                                      tenure_buffer_size(json), &plan),
                     TENURE_OK);
    log.text[0] = '\0';
    assert_int_equal(tenure_plan_emit(plan, "c-header", NULL, &out), TENURE_OK);
    assert_string_equal(log.text, warning);
    tenure_context_free(ctx);
}

static void test_mistakes(void **state) {
    (void)state;
    messages log = {0};
    tenure_context *ctx = tenure_context_new(NULL);
    tenure_on_diagnostic(ctx, on_diag, &log);
    tenure_options *options = tenure_options_new(ctx);
    assert_int_equal(tenure_options_set(options, "alignn", "4"), TENURE_USAGE);
    assert_string_equal(log.text, "error: unknown option 'alignn'; did you mean 'align'?");
    log.text[0] = '\0';
    assert_int_equal(tenure_options_set(options, "align", "x"), TENURE_USAGE);
    assert_string_equal(log.text, "error: option 'align' must be a number of bytes, such as 4096, "
                                  "64K or 2M, not 'x'");
    log.text[0] = '\0';
    assert_null(tenure_load_memory(ctx, "bad.tir", "tir 9", 5, NULL));
    assert_true(log.n_errors == 3);
    assert_memory_equal(log.text, "bad.tir:", 8);

    /* A plan that does not fit, and one that must be complete, still come back. */
    tenure_plan *plan;
    assert_int_equal(tenure_options_set(options, "capacity", "64"), TENURE_OK);
    assert_int_equal(tenure_options_set(options, "dim", "batch=4"), TENURE_OK);
    assert_int_equal(tenure_plan_make(load(ctx, options), options, &plan), TENURE_NOFIT);
    tenure_options *strict = tenure_options_new(ctx);
    assert_int_equal(tenure_options_set(strict, "strict", NULL), TENURE_OK);
    assert_int_equal(tenure_plan_make(load(ctx, strict), strict, &plan), TENURE_ERROR);
    assert_non_null(plan);

    tenure_buffer *out;
    log.text[0] = '\0';
    assert_int_equal(tenure_plan_emit(plan, "jason", NULL, &out), TENURE_USAGE);
    assert_null(out);
    assert_string_equal(log.text, "error: unknown backend 'jason'; did you mean 'json'?");
    assert_int_equal(tenure_plan_emit(plan, "json", "x", &out), TENURE_USAGE);
    assert_int_equal(tenure_plan_emit(plan, "json", "nothing=1", &out), TENURE_USAGE);
    tenure_context_free(ctx);
}

static void test_model_run(void **state) {
    (void)state;
    tenure_context *ctx = tenure_context_new(NULL);
    tenure_model *model = load(ctx, NULL);
    assert_int_equal(tenure_model_run(model, "infer-shapes"), TENURE_OK);
    assert_int_equal(tenure_model_run(model, "nonsense"), TENURE_USAGE);
    tenure_buffer *text;
    assert_int_equal(tenure_model_print(model, &text), TENURE_OK);
    assert_non_null(strstr(tenure_buffer_data(text), "%d: f32[batch,16] = Relu(%c)"));
    assert_int_equal(strlen(tenure_buffer_data(text)), tenure_buffer_size(text));
    tenure_buffer_free(text);
    tenure_model_free(model);
    tenure_context_free(ctx);
}

static void test_version(void **state) {
    (void)state;
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", TENURE_VERSION_MAJOR, TENURE_VERSION_MINOR,
             TENURE_VERSION_PATCH);
    assert_string_equal(tenure_version_text(), text);
    assert_int_equal(tenure_version(), TENURE_VERSION);
    assert_true(tenure_version_ok());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_version),     cmocka_unit_test(test_model_run),
        cmocka_unit_test(test_whole_way),   cmocka_unit_test(test_project),
        cmocka_unit_test(test_placements),  cmocka_unit_test(test_nested),
        cmocka_unit_test(test_last_status), cmocka_unit_test(test_nulls),
        cmocka_unit_test(test_demands),     cmocka_unit_test(test_partial),
        cmocka_unit_test(test_mistakes),    cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_progress),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
