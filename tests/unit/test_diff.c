/* Plans side by side: sets of programs and variants, orders, and the public functions. Figures and
 * causes are in tests/text/diff. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <unistd.h>

#include "lib/diff/diff.h"
#include "tests/unit/plan_case.h"

#include "tenure/tenure.h"

#define PASSES "infer-shapes,schedule,pin,alias-views,inplace,reuse,insert-frees"

static const char *text_of(tn_arena *arena, const tn_plan *before, const tn_plan *after,
                           bool *differ) {
    tn_diff_args args = tn_diff_defaults();
    tn_sink out = tn_sink_make(arena);
    *differ = tn_diff_plans(before, after, &args, &out);
    return out.data;
}

static tn_plan *plan_of(tn_ctx *ctx, const char *body) {
    tn_plan *p = case_plan(ctx, body, PASSES).p;
    p->model = "m";
    p->version = p->pipeline = p->digest = "";
    return p;
}

#define SMALL "input %x: f32[8] %a = Exp(%x) %b = Exp(%a) return %b"
#define LARGE "input %x: f32[800] %a = Exp(%x) %b = Exp(%a) return %b"

/* One step runs before two others: one has moved, not three. */
static tn_status order(tn_ctx *ctx, void *arg) {
    (void)arg;
    bool differ;
    tn_plan *before = plan_of(ctx, "input %x: f32[8] %a = Exp(%x) %b = Neg(%x) %c = Abs(%x)"
                                   "%d = Sum(%a, %b, %c) return %d");
    tn_plan *after = plan_of(ctx, "input %x: f32[8] %c = Abs(%x) %a = Exp(%x) %b = Neg(%x)"
                                  "%d = Sum(%a, %b, %c) return %d");
    const char *said = text_of(before->arena, before, after, &differ);
    assert_true(differ);
    assert_non_null(strstr(said, "steps at another place in the order: 1 of 4\n"));
    said = text_of(before->arena, before, before, &differ);
    assert_false(differ);
    assert_null(strstr(said, "order"));
    return TN_OK;
}

static tn_plan *set_of(tn_plan **plans, tn_plan_program *programs, uint32_t n, tn_plan_set *set) {
    *set = (tn_plan_set){.programs = programs, .n_programs = n, .pools = plans[0]->pools};
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < programs[i].n_variants; k++) {
            programs[i].variants[k]->set = set;
        }
    }
    return plans[0];
}

/* Programs are matched by name, variants by their dimensions; what is missing is named. */
static tn_status sets(tn_ctx *ctx, void *arg) {
    (void)arg;
    bool differ;
    tn_plan *b[] = {plan_of(ctx, SMALL), plan_of(ctx, SMALL), plan_of(ctx, SMALL)};
    tn_plan *a[] = {plan_of(ctx, SMALL), plan_of(ctx, LARGE), plan_of(ctx, SMALL)};
    tn_plan_dim one_wide = {"n", 1}, eight_wide = {"n", 8};
    b[0]->dims = a[1]->dims = &one_wide;
    b[1]->dims = a[0]->dims = &eight_wide;
    b[0]->n_dims = b[1]->n_dims = a[0]->n_dims = a[1]->n_dims = 1;
    tn_plan_program before[] = {{"run", b, 2}, {"start", b + 2, 1}};
    tn_plan_program after[] = {{"run", a, 2}, {"stop", a + 2, 1}};
    tn_plan_set sb, sa;
    const char *said =
        text_of(b[0]->arena, set_of(b, before, 2, &sb), set_of(a, after, 2, &sa), &differ);
    assert_true(differ);
    assert_non_null(strstr(said, "only before: start\n"));
    assert_non_null(strstr(said, "only after: stop\n"));
    const char *one = strstr(said, "program \"run, n = 1\":\n");
    const char *eight = strstr(said, "program \"run, n = 8\":\n");
    assert_non_null(one);
    assert_non_null(eight);
    assert_true(one < eight && strstr(one, "other sizes: 3\n") < eight);
    assert_null(strstr(eight, "other sizes"));
    for (int i = 0; i < 3; i++) {
        a[i]->set = b[i]->set = NULL; /* they are on the stack here */
    }
    return TN_OK;
}

static tenure_plan *plan_text(tenure_context *ctx, const char *text) {
    tenure_plan *plan = NULL;
    tenure_model *model = tenure_load_memory(ctx, "m.tir", text, strlen(text), NULL);
    assert_non_null(model);
    assert_int_equal(tenure_plan_make(model, NULL, &plan), TENURE_OK);
    return plan;
}

/* Through a file, and between contexts. */
static void test_interface(void **state) {
    (void)state;
    char path[] = "/tmp/tenure-diff-XXXXXX";
    int fd = mkstemp(path), differ = -1;
    tenure_context *ctx = tenure_context_new(NULL), *other = tenure_context_new(NULL);
    tenure_plan *plan = plan_text(ctx, "tir 1 module \"m\" opset \"\" 17 graph \"g\" {" SMALL "}");
    tenure_plan *large =
        plan_text(other, "tir 1 module \"m\" opset \"\" 17 graph \"g\" {" LARGE "}");
    tenure_plan *back = NULL;
    tenure_buffer *out = NULL;
    assert_int_equal(tenure_plan_emit(plan, "json", NULL, &out), TENURE_OK);
    assert_int_equal(write(fd, tenure_buffer_data(out), tenure_buffer_size(out)),
                     tenure_buffer_size(out));
    assert_int_equal(close(fd), 0);
    assert_int_equal(tenure_plan_read_file(ctx, path, &back), TENURE_OK);
    unlink(path);
    assert_int_equal(tenure_plan_diff(plan, back, NULL, &differ, &out), TENURE_OK);
    assert_int_equal(differ, 0);
    tenure_options *options = tenure_options_for(ctx, "diff");
    assert_int_equal(tenure_options_set(options, "format", "json"), TENURE_OK);
    assert_int_equal(tenure_plan_diff(plan, large, options, &differ, &out), TENURE_OK);
    assert_int_equal(differ, 1);
    assert_int_equal(tenure_buffer_data(out)[0], '{');
    assert_int_equal(tenure_plan_diff(plan, large, options, NULL, &out), TENURE_OK);
    assert_int_equal(tenure_options_set(options, "limit", "-1"), TENURE_OK);
    assert_int_equal(tenure_plan_diff(plan, large, options, &differ, &out), TENURE_USAGE);
    assert_null(out);
    assert_int_equal(differ, 0);
    tenure_context_free(other);
    tenure_context_free(ctx);
}

static void test_null(void **state) {
    (void)state;
    tenure_context *ctx = tenure_context_new(NULL);
    tenure_plan *plan = plan_text(ctx, "tir 1 module \"m\" opset \"\" 17 graph \"g\" {" SMALL "}");
    tenure_plan *none = plan;
    tenure_buffer *out = NULL;
    assert_int_equal(tenure_plan_diff(NULL, plan, NULL, NULL, &out), TENURE_USAGE);
    assert_int_equal(tenure_plan_diff(plan, NULL, NULL, NULL, &out), TENURE_USAGE);
    assert_int_equal(tenure_plan_diff(plan, plan, NULL, NULL, NULL), TENURE_USAGE);
    assert_int_equal(tenure_plan_read_file(NULL, "x", &none), TENURE_USAGE);
    assert_null(none);
    assert_int_equal(tenure_plan_read_file(ctx, NULL, &none), TENURE_USAGE);
    assert_int_equal(tenure_plan_read_file(ctx, "x", NULL), TENURE_USAGE);
    assert_int_equal(tenure_plan_read_file(ctx, "/nowhere/plan.json", &none), TENURE_ERROR);
    assert_null(none);
    tenure_context_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {CASE(order), CASE(sets), cmocka_unit_test(test_interface),
                                       cmocka_unit_test(test_null)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
