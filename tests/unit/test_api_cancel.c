/* tenure_cancel, and the plans that are kept when it is called (keep-best). */
#define _POSIX_C_SOURCE 200809L
#include "tests/unit/api_scene.h"

static void on_progress(void *user, const char *doing) {
    if (strcmp(doing, "reuse") == 0) {
        tenure_cancel(user);
    }
}

static void test_cancel(void **state) {
    scene s;
    tenure_plan *plan = NULL;
    tenure_buffer *text = NULL;
    (void)state;
    start(&s, NULL);
    tenure_options *o = tenure_options_new(s.ctx);
    assert_int_equal(tenure_options_set(o, "dim", "batch=4"), TENURE_OK);
    tenure_model *model = load(&s, o);
    tenure_on_progress(s.ctx, on_progress, s.ctx);
    assert_int_equal(tenure_plan_make(model, o, &plan), TENURE_INTERRUPTED);
    assert_null(plan);
    assert_int_equal(tenure_last_status(s.ctx), TENURE_INTERRUPTED);
    assert_string_equal(s.said, "error: interrupted\n");
    assert_int_equal(s.last.status, TENURE_INTERRUPTED);
    tenure_on_progress(s.ctx, NULL, NULL);
    assert_int_equal(tenure_plan_make(model, o, &plan), TENURE_OK); /* that was that */
    tenure_cancel(s.ctx);
    assert_int_equal(tenure_explain(model, o, NULL, 0, &text), TENURE_INTERRUPTED);
    assert_null(text);
    assert_int_equal(tenure_explain(model, o, NULL, 0, &text), TENURE_OK);
    tenure_cancel(NULL);
    tenure_context_free(s.ctx);
}

static void on_progress_twice(void *user, const char *doing) {
    on_progress(user, doing);
    on_progress(user, doing);
}

static void test_keep_best(void **state) {
    scene s;
    tenure_plan *plan = NULL;
    tenure_figures figures = {.struct_size = sizeof figures};
    (void)state;
    start(&s, NULL);
    tenure_options *o = tenure_options_new(s.ctx);
    assert_int_equal(tenure_options_set(o, "dim", "batch=4"), TENURE_OK);
    assert_int_equal(tenure_options_set(o, "keep-best", NULL), TENURE_OK);
    tenure_model *model = load(&s, o);
    tenure_on_progress(s.ctx, on_progress, s.ctx);
    assert_int_equal(tenure_plan_make(model, o, &plan), TENURE_INTERRUPTED);
    assert_non_null(plan);
    assert_non_null(strstr(s.said, "warning: interrupted: the plan is the best"));
    assert_true(tenure_plan_figures(plan, &figures) && figures.interrupted);
    assert_int_equal(tenure_plan_check(plan, model, o), TENURE_OK);
    tenure_on_progress(s.ctx, on_progress_twice, s.ctx); /* the second one means it */
    assert_int_equal(tenure_plan_make(model, o, &plan), TENURE_INTERRUPTED);
    assert_null(plan);
    tenure_on_progress(s.ctx, NULL, NULL);
    assert_int_equal(tenure_plan_make(model, o, &plan), TENURE_OK);
    assert_true(tenure_plan_figures(plan, &figures) && !figures.interrupted);
    tenure_context_free(s.ctx);
}

/* Several programs end early as one does. */
static void test_keep_best_of_files(void **state) {
    const char *files[] = {"a=" TENURE_SOURCE "/examples/models/lstm.onnx",
                           "b=" TENURE_SOURCE "/examples/models/ds_cnn.onnx"};
    scene s;
    tenure_plan *plan = NULL;
    tenure_model *model = NULL;
    tenure_buffer *text = NULL;
    tenure_figures figures = {.struct_size = sizeof figures};
    (void)state;
    start(&s, NULL);
    tenure_options *o = tenure_options_new(s.ctx);
    assert_int_equal(tenure_options_set(o, "shared-arena", NULL), TENURE_OK);
    assert_int_equal(tenure_options_set(o, "keep-best", NULL), TENURE_OK);
    tenure_cancel(s.ctx);
    assert_int_equal(tenure_plan_files(s.ctx, files, 2, o, &model, &plan), TENURE_INTERRUPTED);
    assert_non_null(model);
    for (size_t program = 0; program < 2; program++) {
        const tenure_plan *variant = tenure_plan_variant(plan, program, 0);
        assert_true(tenure_plan_figures(variant, &figures) && figures.interrupted);
    }
    assert_int_equal(tenure_plan_emit(plan, "json", NULL, &text), TENURE_OK);
    assert_non_null(strstr(tenure_buffer_data(text), "\"interrupted\": true"));
    tenure_context_free(s.ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_keep_best),
        cmocka_unit_test(test_keep_best_of_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
