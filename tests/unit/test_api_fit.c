/* tenure.h: budgets, and what makes a model fit; with NULL, cancelled, and with the n-th allocation
 * failing. lib/fit: what the text of a program says of its size. */
#define _POSIX_C_SOURCE 200809L
#include "lib/fit/program_size.h"
#include "tests/unit/api_scene.h"
#include "tests/unit/meter.h"

static tenure_options *options_for(scene *s, const char *ram) {
    tenure_options *o = tenure_options_for(s->ctx, "fit");
    bool good = o != NULL && tenure_options_set(o, "dim", "batch=4") == TENURE_OK &&
                tenure_options_set(o, "ram", ram) == TENURE_OK &&
                tenure_options_set(o, "fit-steps", "60") == TENURE_OK;
    return good ? o : NULL;
}

/* All that can be had of a fit. */
static tenure_status look(tenure_fit *fit) {
    static const char *const forms[] = {"text", "json", "html"};
    tenure_status status = TENURE_OK;
    for (size_t i = 0; i < 3 && status == TENURE_OK; i++) {
        tenure_buffer *text = NULL;
        status = tenure_fit_report(fit, forms[i], &text);
        assert_true(status != TENURE_OK || strstr(tenure_buffer_data(text), "tenure plan") != NULL);
        tenure_buffer_free(text);
    }
    return status;
}

static tenure_status fit_once(scene *s, const char *ram) {
    tenure_plan *plan = NULL;
    tenure_fit *fit = NULL;
    tenure_options *o = options_for(s, ram);
    tenure_model *model = o != NULL ? load(s, o) : NULL;
    if (model == NULL) {
        return tenure_last_status(s->ctx);
    }
    tenure_status status = tenure_fit_make(model, o, &plan, &fit);
    bool made = status == TENURE_OK || status == TENURE_NOFIT;
    assert_true((plan != NULL) == made && (fit != NULL) == made);
    tenure_status seen = made ? look(fit) : status;
    tenure_fit_free(fit);
    tenure_plan_free(plan);
    return seen != TENURE_OK ? seen : status;
}

static void test_rungs(void **state) {
    scene s;
    tenure_plan *plan = NULL, *again = NULL;
    tenure_fit *fit = NULL;
    size_t n_chosen = 0;
    (void)state;
    start(&s, NULL);
    tenure_options *o = options_for(&s, "1");
    tenure_model *model = load(&s, o);
    assert_int_equal(tenure_fit_make(model, o, &plan, &fit), TENURE_NOFIT);
    assert_non_null(strstr(s.said, "does not fit: the least found is"));
    assert_true(tenure_fit_count(fit) > 1);
    for (size_t i = 0; i < tenure_fit_count(fit); i++) {
        tenure_rung r = {.struct_size = sizeof r};
        assert_true(tenure_fit_rung(fit, i, &r));
        assert_true(r.options[0] != '\0' || i == 0);
        assert_true(!r.fits && (r.made ? r.ram > 1 : r.ram == 0));
        n_chosen += (size_t)r.chosen;
        if (r.chosen) { /* the options make the same plan */
            assert_int_equal(tenure_plan_make(model, tenure_fit_options(fit), &again), TENURE_OK);
            assert_true(tenure_plan_arena_size(again) == r.arena &&
                        tenure_plan_arena_size(plan) == r.arena);
        }
    }
    assert_int_equal(n_chosen, 1);
    tenure_rung none = {.struct_size = sizeof none}, small = {.struct_size = 1};
    assert_false(tenure_fit_rung(fit, tenure_fit_count(fit), &none));
    assert_false(tenure_fit_rung(fit, 0, &small));
    assert_false(tenure_fit_rung(fit, 0, NULL));
    tenure_fit_free(fit); /* the plan stays */
    assert_int_equal(tenure_plan_check(plan, model, NULL), TENURE_OK);
    assert_int_equal(fit_once(&s, "1M"), TENURE_OK);
    tenure_context_free(s.ctx);
}

static void test_nulls(void **state) {
    scene s;
    tenure_plan *plan = NULL;
    tenure_fit *fit = NULL;
    tenure_buffer *text = NULL;
    (void)state;
    start(&s, NULL);
    tenure_options *o = options_for(&s, "1M"), *of_plan = tenure_options_new(s.ctx);
    tenure_model *model = load(&s, o);
    assert_int_equal(tenure_fit_make(NULL, o, &plan, &fit), TENURE_USAGE);
    assert_int_equal(tenure_fit_make(model, NULL, &plan, &fit), TENURE_USAGE);
    assert_int_equal(tenure_fit_make(model, o, NULL, &fit), TENURE_USAGE);
    assert_int_equal(tenure_fit_make(model, o, &plan, NULL), TENURE_USAGE);
    assert_int_equal(tenure_fit_make(model, of_plan, &plan, &fit), TENURE_USAGE);
    assert_non_null(strstr(s.said, "say what there is: --ram=64K"));
    assert_int_equal(tenure_fit_make(model, o, &plan, &fit), TENURE_OK);
    assert_int_equal(tenure_fit_report(fit, "yaml", &text), TENURE_USAGE);
    assert_int_equal(tenure_fit_report(fit, NULL, &text), TENURE_USAGE);
    assert_int_equal(tenure_fit_report(fit, "text", NULL), TENURE_USAGE);
    assert_int_equal(tenure_fit_report(NULL, "text", &text), TENURE_USAGE);
    assert_null(tenure_fit_options(NULL));
    assert_null(tenure_fit_command(NULL));
    assert_int_equal(tenure_fit_count(NULL), 0);
    tenure_fit_free(fit);
    tenure_fit_free(NULL);
    tenure_context_free(s.ctx);
}

static void on_progress(void *user, const char *doing) {
    if (strcmp(doing, "io") == 0) {
        tenure_cancel(user);
    }
}

/* A search that is ended gives nothing, or with keep-best the best until then. */
static void test_cancel(void **state) {
    scene s;
    tenure_plan *plan = NULL;
    tenure_fit *fit = NULL;
    (void)state;
    start(&s, NULL);
    tenure_options *o = options_for(&s, "1");
    tenure_model *model = load(&s, o);
    tenure_on_progress(s.ctx, on_progress, s.ctx);
    assert_int_equal(tenure_fit_make(model, o, &plan, &fit), TENURE_INTERRUPTED);
    assert_true(plan == NULL && fit == NULL);
    assert_int_equal(tenure_options_set(o, "keep-best", NULL), TENURE_OK);
    assert_int_equal(tenure_fit_make(model, o, &plan, &fit), TENURE_INTERRUPTED);
    assert_non_null(strstr(s.said, "warning: interrupted: the measures are the best ones found"));
    assert_true(plan != NULL && fit != NULL && tenure_fit_count(fit) > 1);
    assert_int_equal(tenure_plan_check(plan, model, NULL), TENURE_OK);
    tenure_rung r = {.struct_size = sizeof r};
    for (size_t i = 0; tenure_fit_rung(fit, i, &r); i++) {
        assert_true(strcmp(r.measure, "recompute") != 0);
    }
    tenure_fit_free(fit);
    tenure_context_free(s.ctx);
}

/* ---- the size of a program ---- */

static tn_program_size size_of(const char *text) {
    tn_ctx *ctx = tn_ctx_new(NULL);
    tn_arena *arena = tn_arena_new(ctx);
    tn_program_size size = tn_program_size_of(arena, text);
    static char missing[128];
    (void)snprintf(missing, sizeof missing, "%s", size.missing);
    size.missing = missing;
    tn_ctx_free(ctx);
    return size;
}

static void test_program_size(void **state) {
    const tn_program_size none = size_of("");
    (void)state;
    assert_true(none.code == 0 && none.stack > 0);
    assert_string_equal(none.missing, "");
    /* Arrays: of names, sums and products; not those of vectors, of comments, of others. */
    tn_program_size s = size_of("#define MOST 8\n"
                                "#if NET_LANES > 1\nvoid a(void) {\n    float t[4096];\n}\n"
                                "#elif 1\nvoid b(void) {\n    /* float t[4096]; */\n"
                                "    enum { TWICE = 2 * MOST, OTHER = 3 };\n"
                                "    int64_t t[TWICE][(1 + OTHER)], u[2];\n"
                                "    static const float v[4096] = {0};\n}\n#endif\n"
                                "void c(void) {\n    float w[MOST];\n}\n");
    assert_int_equal(s.stack - none.stack, 8 * (16 * 4 + 2));
    /* Loops and elements of kernels; tensors of steps. */
    tn_program_size one = size_of("void k(void) {\n    for (;;) {\n    }\n}\n");
    tn_program_size two = size_of("void k(void) {\n    for (;;) {\n        y[i] = x[i];\n    }\n}\n"
                                  "static int net_step_0(void) {\n    for (;;) {\n    }\n"
                                  "    const tenure_tensor in0 = {x};\n}\n");
    assert_true(one.code > 0 && two.code > one.code);
    s = size_of("\n/* Kernels that are not in here: tenure_A_1 tenure_B_2 */\n");
    assert_string_equal(s.missing, " tenure_A_1 tenure_B_2");
    /* Names that stand for themselves end somewhere. */
    s = size_of("#define A B\n#define B A\nvoid k(void) {\n    float t[A];\n}\n");
    assert_int_equal(s.stack - none.stack, 4);
}

/* ---- running out of memory ---- */

static void test_out_of_memory(void **state) {
    meter m = {.fail_at = -1};
    const tenure_allocator allocator = {metered, &m};
    static scene s;
    tenure_status status = TENURE_NOMEM;
    (void)state;
    for (long n = 0; status != TENURE_NOFIT; n++) {
        m.fail_at = n;
        start(&s, &allocator);
        status = s.ctx != NULL ? fit_once(&s, "1") : TENURE_NOMEM;
        assert_true(status == TENURE_NOMEM || m.fail_at >= 0);
        tenure_context_free(s.ctx);
        assert_int_equal(m.out, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rungs),         cmocka_unit_test(test_nulls),
        cmocka_unit_test(test_cancel),        cmocka_unit_test(test_program_size),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
