/* tenure.h as an embedder uses it, and with the n-th allocation failing. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/unit.h"

#define TENURE_UNSTABLE
#include "tenure/tenure.h"

static const char model_text[] = "tir 1\n"
                                 "module \"net\"\n"
                                 "opset \"\" 17\n"
                                 "graph @0 \"net\" {\n"
                                 "  input %x: f32[batch,64]\n"
                                 "  const %w: f32[64,16] = tensor(4096 bytes)\n"
                                 "  %a = Relu(%x) #0\n"
                                 "  %b = Exp(%a) #1\n"
                                 "  %c = MatMul(%b, %w) #2\n"
                                 "  %d = Relu(%c) #3\n"
                                 "  return %d\n"
                                 "}\n";

/* Counts what is out, and fails the allocation `fail_at` counts down to. */
typedef struct meter {
    size_t out;
    long fail_at; /* -1: never */
    bool failed;
} meter;

static void *metered(void *user, void *ptr, size_t old_size, size_t new_size) {
    meter *m = user;
    if (new_size == 0) {
        m->out -= ptr != NULL ? old_size : 0;
        free(ptr);
        return NULL;
    }
    if (m->fail_at >= 0 && m->fail_at-- == 0) {
        m->failed = true;
        return NULL;
    }
    void *p = realloc(ptr, new_size);
    m->out += p != NULL ? new_size - (ptr != NULL ? old_size : 0) : 0;
    return p;
}

typedef struct messages {
    char text[4096];
    int n_errors;
} messages;

static void on_diag(void *user, tenure_severity severity, const char *text) {
    messages *m = user;
    m->n_errors += severity == TENURE_SEV_ERROR;
    strncat(m->text, text, sizeof m->text - strlen(m->text) - 1);
}

static tenure_model *load(tenure_context *ctx, const tenure_options *options) {
    return tenure_load_memory(ctx, "net.tir", model_text, sizeof model_text - 1, options);
}

/* Everything an embedder does; the first failure ends it. */
static tenure_status whole_road(tenure_context *ctx) {
    tenure_options *options = tenure_options_new(ctx);
    if (options == NULL) {
        return TENURE_NOMEM;
    }
    tenure_status status = tenure_options_set(options, "dim", "batch=4");
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

static void test_whole_road(void **state) {
    (void)state;
    messages log = {0};
    tenure_context *ctx = tenure_context_new(NULL);
    tenure_on_diagnostic(ctx, on_diag, &log);
    assert_int_equal(whole_road(ctx), TENURE_OK);
    assert_string_equal(log.text, "");
    tenure_context_free(ctx);
}

static void test_out_of_memory(void **state) {
    (void)state;
    long n = 0;
    for (bool done = false; !done; n++) {
        meter m = {.fail_at = n};
        tenure_allocator allocator = {metered, &m};
        tenure_context *ctx = tenure_context_new(&allocator);
        tenure_status status = ctx != NULL ? whole_road(ctx) : TENURE_NOMEM;
        assert_int_equal(status, m.failed ? TENURE_NOMEM : TENURE_OK);
        done = !m.failed;
        tenure_context_free(ctx);
        assert_int_equal(m.out, 0);
    }
    assert_true(n > 20);
}

static void test_placements(void **state) {
    (void)state;
    tenure_context *ctx = tenure_context_new(NULL);
    tenure_options *options = tenure_options_new(ctx);
    assert_int_equal(tenure_options_set(options, "dim", "batch=4"), TENURE_OK);
    tenure_model *model = load(ctx, options);
    tenure_plan *plan;
    assert_int_equal(tenure_plan_make(model, options, &plan), TENURE_OK);
    tenure_placement at;
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

static void test_unstable(void **state) {
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
    assert_true(tenure_version_ok());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_version),    cmocka_unit_test(test_unstable),
        cmocka_unit_test(test_whole_road), cmocka_unit_test(test_placements),
        cmocka_unit_test(test_mistakes),   cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
