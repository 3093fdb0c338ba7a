/* infer-shapes on graphs that are deep or long: nesting must cost neither stack nor exponential
 * time. What it finds on ordinary graphs is checked by the text tests. */
#include "tests/unit/unit.h"

#include "ir/base/limits.h"
#include "ir/build.h"
#include "passes/core/manager.h"
#include "passes/core/registry.h"

static unit_log log_;

static void infer(tn_ctx *ctx, tn_module *m) {
    tn_pipeline p = {0};
    tn_arena *arena = tn_arena_new(ctx);
    tn_pipeline_add(arena, &p, tn_pipeline_default(arena, tn_pass_find(NULL, "infer-shapes")));
    tn_controls controls = tn_controls_default();
    tn_plan *plan = NULL;
    assert_int_equal(tn_run_pipeline(ctx, m, &p, &controls, &plan, NULL), TN_OK);
}

static const tn_type *vector(tn_module *m, tn_dim extent) {
    return tn_type_tensor(m->arena, TN_DT_FLOAT, 1, &extent);
}

static tn_op *add_op(tn_graph *g, const char *type, tn_value *a, tn_value *b) {
    tn_op *op = tn_op_new(g, "", type, 16, "", tn_loc_file(NULL));
    tn_op_add_operand(op, a);
    if (b != NULL) {
        tn_op_add_operand(op, b);
    }
    return op;
}

static void add_region(tn_op *op, const char *attr, tn_graph *g) {
    tn_op_add_attr(op, (tn_attr){.name = attr, .kind = TN_ATTR_GRAPH, .n = 1, .u.g = g});
}

static void expect_type(const tn_value *v, const char *want) {
    tn_sink text = tn_sink_make(v->graph->module->arena);
    tn_type_print(v->graph->module->dims, v->type, &text);
    assert_string_equal(text.data, want);
}

/* If in If in If, as deep as a file may nest; the innermost branches compute, the others pass on.
 */
static tn_status deep_branches(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_module *m = tn_module_new(ctx, "deep", "deep.tir");
    tn_value *x = tn_graph_add_input(m->main, "x", vector(m, tn_dim_sym(m->dims, "n")));
    tn_value *flag =
        tn_graph_add_input(m->main, "flag", tn_type_tensor(m->arena, TN_DT_BOOL, 0, NULL));
    tn_graph *g = m->main;
    for (uint32_t depth = 1; depth < TN_MAX_NESTING; depth++) {
        tn_op *op = add_op(g, "If", flag, NULL);
        tn_graph_add_output(g, tn_op_add_result(op, NULL, NULL));
        tn_graph *then = tn_graph_new(m, "then", op), *other = tn_graph_new(m, "else", op);
        add_region(op, "then_branch", then);
        add_region(op, "else_branch", other);
        tn_graph_add_output(other, tn_op_add_result(add_op(other, "Neg", x, NULL), NULL, NULL));
        g = then;
    }
    tn_graph_add_output(g, tn_op_add_result(add_op(g, "Relu", x, NULL), NULL, NULL));
    infer(ctx, m);
    expect_type(m->main->outputs[0], "f32[n]");
    return TN_OK;
}

/* Loop in Loop in Loop, where every level makes the carried vector longer: each level would visit
 * its body twice, the innermost one 2 to the power of the depth, were the visits not bounded. */
static tn_status deep_loops(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_module *m = tn_module_new(ctx, "loops", "loops.tir");
    tn_dim one = tn_dim_const(m->dims, 1);
    tn_value *x = tn_graph_add_input(m->main, "x", vector(m, one));
    tn_value *n = tn_graph_add_input(m->main, "n", tn_type_tensor(m->arena, TN_DT_INT64, 0, NULL));
    tn_graph *g = m->main;
    tn_value *carried = x;
    for (uint32_t depth = 1; depth < 1000; depth++) {
        tn_op *op = tn_op_new(g, "", "Loop", 16, "", tn_loc_file(NULL));
        tn_op_add_operand(op, n);
        tn_op_add_operand(op, NULL);
        tn_op_add_operand(op, carried);
        tn_value *out = tn_op_add_result(op, NULL, NULL);
        tn_graph *body = tn_graph_new(m, "body", op);
        add_region(op, "body", body);
        if (g->kind == TN_GRAPH_BODY) {
            tn_op *cat = add_op(g, "Concat", out, x);
            tn_op_add_int(cat, "axis", 0);
            out = tn_op_add_result(cat, NULL, NULL);
        }
        tn_graph_add_output(g, out);
        tn_graph_add_input(body, "i", tn_type_tensor(m->arena, TN_DT_INT64, 0, NULL));
        tn_value *go =
            tn_graph_add_input(body, "go", tn_type_tensor(m->arena, TN_DT_BOOL, 0, NULL));
        carried = tn_graph_add_input(body, "carried", NULL);
        tn_graph_add_output(body, go);
        g = body;
    }
    tn_graph_add_output(g, tn_op_add_result(add_op(g, "Relu", carried, NULL), NULL, NULL));
    infer(ctx, m);
    /* The outermost body makes its vector longer by the inner loop's; nothing but the element type
     * is sure to stay. */
    assert_true(m->main->outputs[0]->type->dtype == TN_DT_FLOAT);
    assert_non_null(m->main->outputs[0]->unplanned);
    return TN_OK;
}

/* Were anything quadratic in the number of ops this would take minutes. */
static tn_status long_chain(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_module *m = tn_module_new(ctx, "long", "long.tir");
    tn_value *v = tn_graph_add_input(m->main, "x", vector(m, tn_dim_sym(m->dims, "n")));
    for (uint32_t i = 0; i < 300000; i++) {
        v = tn_op_add_result(add_op(m->main, i % 2 == 0 ? "Relu" : "Neg", v, NULL), NULL, NULL);
    }
    tn_graph_add_output(m->main, v);
    infer(ctx, m);
    expect_type(v, "f32[n]");
    return TN_OK;
}

/* Warnings about one kind of trouble stop after a few and are then counted. */
static tn_status many_contradictions(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_module *m = tn_module_new(ctx, "wrong", "wrong.tir");
    tn_value *x = tn_graph_add_input(m->main, "x", vector(m, tn_dim_const(m->dims, 4)));
    for (uint32_t i = 0; i < 50; i++) {
        tn_op_add_result(add_op(m->main, "Relu", x, NULL), NULL,
                         vector(m, tn_dim_const(m->dims, 5)));
    }
    infer(ctx, m);
    assert_int_equal(ctx->n_warnings, 21);
    assert_non_null(strstr(log_.text, "30 more stored types contradict inference"));
    return TN_OK;
}

static void run(tn_status (*body)(tn_ctx *ctx, void *arg)) {
    tn_ctx *ctx = unit_ctx(&log_);
    unit_run(ctx, body, NULL);
    tn_ctx_free(ctx);
}

static void test_deep_branches(void **state) {
    (void)state;
    run(deep_branches);
}

static void test_deep_loops(void **state) {
    (void)state;
    run(deep_loops);
}

static void test_long_chain(void **state) {
    (void)state;
    run(long_chain);
}

static void test_many_contradictions(void **state) {
    (void)state;
    run(many_contradictions);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_deep_branches), cmocka_unit_test(test_deep_loops),
        cmocka_unit_test(test_long_chain), cmocka_unit_test(test_many_contradictions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
