/* Controls, from the user and from the model, and the recognition of the backward part. */
#include "ir/mutate.h"
#include "passes/core/model_controls.h"
#include "passes/core/select.h"
#include "tests/unit/plan_case.h"

#define ALL                                                                                        \
    "infer-shapes,schedule,pin,alias-views,inplace,share-gradients,reuse{level=1},insert-frees"

static const char net[] = "input %x: f32[8,8] %a: f32[8,8] = Exp(%x) %b: f32[8,8] = Neg(%a)"
                          " %c: f32[8,8] = MatMul(%b, %b) %d: f32[8,8] = MatMul(%c, %c)"
                          " %y: f32[8,8] = MatMul(%d, %d) return %y";

static plan_case run_excluding(tn_ctx *ctx, const char *body, const char *pattern) {
    tn_controls controls = tn_controls_default();
    controls.exclude = (tn_names){&pattern, 1, 0};
    return case_run(case_parse(ctx, "", body), ALL, &controls);
}

static tn_status globs(tn_ctx *ctx, void *arg) {
    (void)ctx, (void)arg;
    assert_true(tn_glob_match("a*c", "abbbc"));
    assert_true(tn_glob_match("*", ""));
    assert_true(tn_glob_match("*/b?", "x/y/b1"));
    assert_true(tn_glob_match("a\\*", "a*"));
    assert_false(tn_glob_match("a\\*", "ab"));
    assert_false(tn_glob_match("a?", "a"));
    assert_false(tn_glob_match("*a*b", "ba"));
    assert_true(tn_glob_match("*a*b*a*b*", "aabbaabb"));
    return TN_OK;
}

static tn_status exclusion(tn_ctx *ctx, void *arg) {
    (void)arg;
    plan_case c = case_plan(ctx, net, ALL);
    assert_true(case_same_storage(&c, "a", "b"));
    assert_true(case_overlap(&c, "b", "d"));
    c = run_excluding(ctx, net, "b");
    assert_true(case_pinned(&c, "b"));
    assert_false(case_overlap(&c, "a", "b"));
    assert_false(case_overlap(&c, "d", "b"));
    c = run_excluding(ctx, net, "[cd]");
    assert_int_equal(c.status, TN_USAGE);
    c = run_excluding(ctx, net, "?");
    assert_false(case_overlap(&c, "a", "b"));
    assert_true(case_pinned(&c, "c"));
    return TN_OK;
}

/* The value, its views and its gradient. */
static tn_status exclusion_spreads(tn_ctx *ctx, void *arg) {
    (void)arg;
    plan_case c =
        run_excluding(ctx,
                      "input %x: f32[8,8] const %s: i64[1] = tensor(8 bytes, ints [64])"
                      " %a: f32[8,8] = MatMul(%x, %x) %v: f32[64] = Reshape(%a, %s)"
                      " %a_grad: f32[8,8] = MatMul(%a, %x) %b: f32[64] = Exp(%v)"
                      " %c: f32[8,8] = MatMul(%a_grad, %x) %y: f32[64] = CumSum(%b, %c) return %y",
                      "v");
    assert_true(case_pinned(&c, "v"));
    assert_true(case_pinned(&c, "a"));
    assert_true(case_pinned(&c, "a_grad"));
    assert_false(case_pinned(&c, "c"));
    return TN_OK;
}

static tn_status unknown_names(tn_ctx *ctx, void *arg) {
    (void)arg;
    plan_case c = run_excluding(ctx, net, "bb");
    assert_int_equal(c.status, TN_USAGE);
    assert_non_null(strstr(case_log.text, "exclude 'bb': no such tensor; did you mean 'b'?"));
    tn_controls controls = tn_controls_default();
    const char *pair = "x";
    controls.grad_of = (tn_names){&pair, 1, 0};
    c = case_run(case_parse(ctx, "", net), ALL, &controls);
    assert_int_equal(c.status, TN_USAGE);
    assert_non_null(strstr(case_log.text, "expected PARAM=NAME"));
    return TN_OK;
}

static tn_status metadata(tn_ctx *ctx, void *arg) {
    (void)arg;
    plan_case c = case_run(case_parse(ctx, "metadata \"tenure.exclude\" \"b, d\"", net), ALL, NULL);
    assert_true(case_pinned(&c, "b"));
    assert_true(case_pinned(&c, "d"));
    assert_false(case_pinned(&c, "c"));
    c = case_run(case_parse(ctx, "metadata \"tenure.keep-all\" \"true\"", net), ALL, NULL);
    assert_int_equal(c.p->report.level1, c.p->report.naive);
    c = case_run(case_parse(ctx, "metadata \"tenure.align\" \"4096\"", net), ALL, NULL);
    assert_int_equal(c.p->pools[0].align, 4096);
    c = case_run(case_parse(ctx, "metadata \"tenure.exlude\" \"b\"", net), ALL, NULL);
    assert_int_equal(c.status, TN_ERROR);
    assert_non_null(strstr(case_log.text, "did you mean 'tenure.exclude'?"));
    c = case_run(case_parse(ctx, "metadata \"tenure.exclude\" \"b, e\"", net), ALL, NULL);
    assert_int_equal(c.status, TN_ERROR);
    assert_non_null(strstr(case_log.text, "exclude 'e': no such tensor"));
    c = case_run(case_parse(ctx, "metadata \"tenure.skip_grads\" \"maybe\"", net), ALL, NULL);
    assert_int_equal(c.status, TN_ERROR);
    assert_non_null(strstr(case_log.text, "'maybe' is not a valid value"));
    c = case_run(case_parse(ctx, "metadata \"tenure.plan.sha\" \"x\"", net), ALL, NULL);
    assert_int_equal(c.status, TN_OK);
    return TN_OK;
}

/* Loss, two layers, gradients with names as ONNX Runtime gives them. */
static const char training[] =
    "input %x: f32[8,8] input %w1: f32[8,8] input %w2: f32[8,8]"
    " const %loss_grad: f32[] = tensor(f32[], 4 bytes, floats [1.0])"
    " %h: f32[8,8] = MatMul(%x, %w1) %r: f32[8,8] = Relu(%h) %o: f32[8,8] = MatMul(%r, %w2)"
    " %loss: f32[] = ReduceMean(%o) {keepdims = 0}"
    " %o_grad: f32[8,8] = Mul(%loss_grad, %o) @\"Mean_Grad/Mul\""
    " %w2_grad: f32[8,8] = MatMul(%r, %o_grad) %t: f32[8,8] = Transpose(%w2)"
    " %r_grad: f32[8,8] = MatMul(%o_grad, %t)"
    " %h_grad: f32[8,8] = com.microsoft::ReluGrad(%r_grad, %r)"
    " %p: f32[8,8] = MatMul(%x, %h_grad) %w1_grad: f32[8,8] = Identity(%p)"
    " return %loss, %w1_grad, %w2_grad";

static tn_status recognition(tn_ctx *ctx, void *arg) {
    (void)arg;
    plan_case c = case_plan(ctx, training, ALL);
    static const struct {
        const char *name;
        uint32_t flags;
    } want[] = {{"loss", TN_VF_LOSS | TN_VF_PINNED},
                {"o_grad", TN_VF_BACKWARD},
                {"r_grad", TN_VF_BACKWARD},
                {"p", TN_VF_BACKWARD},
                {"t", 0},
                {"r", 0},
                {"w1", TN_VF_PARAM},
                {"w2", TN_VF_PARAM},
                {"w1_grad", TN_VF_BACKWARD | TN_VF_PARAM_GRAD | TN_VF_PINNED},
                {"w2_grad", TN_VF_BACKWARD | TN_VF_PARAM_GRAD | TN_VF_PINNED}};
    const uint32_t mask =
        TN_VF_LOSS | TN_VF_PINNED | TN_VF_BACKWARD | TN_VF_PARAM | TN_VF_PARAM_GRAD;
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        const tn_value *v = tn_graph_find_value(c.m->main, want[i].name);
        assert_int_equal(v->flags & mask, want[i].flags);
    }
    assert_int_equal(c.p->report.n_param_grads, 2);
    assert_int_equal(c.p->report.n_backward_values, 6);
    /* The activation is live to its last backward reader. */
    assert_int_equal(case_value(&c, "r")->last, (int32_t)case_value(&c, "h_grad")->step);
    return TN_OK;
}

/* One parameter, one gradient, however often the update in plain ops scales and squares it. */
static tn_status optimizer(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_module *m = case_parse(ctx, "",
                              "input %x: f32[8,8] input %w: f32[8,8] input %v: f32[8,8]"
                              " const %loss_grad: f32[] = tensor(f32[], 4 bytes, floats [1.0])"
                              " const %k: f32[] = tensor(f32[], 4 bytes, floats [0.5])"
                              " %o: f32[8,8] = MatMul(%x, %w)"
                              " %o_grad: f32[8,8] = Mul(%loss_grad, %o)"
                              " %w_grad: f32[8,8] = MatMul(%x, %o_grad)"
                              " %square: f32[8,8] = Mul(%w_grad, %w_grad)"
                              " %part: f32[8,8] = Mul(%square, %k)"
                              " %v_new: f32[8,8] = Add(%v, %part)"
                              " %rest: f32[] = Sub(%loss_grad, %k)"
                              " %mean: f32[8,8] = Div(%v_new, %rest)"
                              " %step: f32[8,8] = Mul(%mean, %w_grad)"
                              " %w_new: f32[8,8] = Sub(%w, %step) return %v_new, %w_new");
    const tn_graph *g = m->main;
    tn_module_add_binding(m, g->inputs[1], tn_graph_find_value(g, "w_new"));
    tn_module_add_binding(m, g->inputs[2], tn_graph_find_value(g, "v_new"));
    tn_controls controls = tn_controls_default();
    controls.skip_param_grads = true;
    plan_case c = case_run(m, ALL, &controls);
    assert_int_equal(c.p->report.n_param_grads, 1);
    assert_true(case_pinned(&c, "w_grad"));
    assert_false(case_pinned(&c, "part"));
    assert_false(case_pinned(&c, "step"));
    /* The gradient stays for the caller, though no op reads it any more and it is no output. */
    assert_int_equal(tn_graph_find_value(g, "w_grad")->flags & (TN_VF_PINNED | TN_VF_EXCLUDED),
                     TN_VF_PINNED);
    tn_plan_value *w_grad = &c.p->values[case_value(&c, "w_grad") - c.p->values];
    tn_storage *s = &c.p->storages[w_grad->storage];
    s->pinned = false;
    s->first = w_grad->first;
    s->last = w_grad->last = (int32_t)case_value(&c, "step")->step;
    memset(&case_log, 0, sizeof case_log);
    assert_int_equal(tn_plan_check(c.p, m), TN_ERROR);
    assert_non_null(strstr(case_log.text, "value 'w_grad' is said to live to step"));
    return TN_OK;
}

static tn_status training_controls(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_controls controls = tn_controls_default();
    controls.optimize_train = false;
    plan_case c = case_run(case_parse(ctx, "", training), ALL, &controls);
    assert_int_equal(c.p->report.level1, c.p->report.naive);
    controls = tn_controls_default();
    controls.optimize_test = false;
    c = case_run(case_parse(ctx, "", training), ALL, &controls);
    assert_true(c.p->report.level1 < c.p->report.naive);
    c = case_run(case_parse(ctx, "", net), ALL, &controls);
    assert_int_equal(c.p->report.level1, c.p->report.naive);
    controls = tn_controls_default();
    controls.skip_grads = true;
    c = case_run(case_parse(ctx, "", training), ALL, &controls);
    assert_true(case_pinned(&c, "r_grad"));
    assert_false(case_pinned(&c, "t"));
    controls = tn_controls_default();
    const char *suffix_loss = "o", *pair = "w1=p";
    controls.grad_suffix = ".g";
    controls.loss = (tn_names){&suffix_loss, 1, 0};
    controls.grad_of = (tn_names){&pair, 1, 0};
    c = case_run(case_parse(ctx, "", training), ALL, &controls);
    assert_true(case_pinned(&c, "o"));
    assert_false(case_pinned(&c, "p")); /* an op of the graph reads it */
    controls.skip_param_grads = true;
    c = case_run(case_parse(ctx, "", training), ALL, &controls);
    assert_true(case_pinned(&c, "p"));
    return TN_OK;
}

/* Gradients of one size but other shapes share at level 0 only through this pass; gradients of
 * parameters take no part, and nothing is shared where live ranges meet. */
static tn_status sharing(tn_ctx *ctx, void *arg) {
    (void)arg;
    const char *body =
        "input %x: f32[4,16] input %u: f32[32,2] const %y_grad: f32[4,16] = tensor(256 bytes)"
        " %a_grad: f32[4,16] = Mul(%y_grad, %x) %m: f32[4,4] = Gemm(%a_grad, %x) {transB = 1}"
        " %n: f32[4,2] = Gemm(%m, %m2) %b_grad: f32[32,2] = MatMul(%v, %n)"
        " %x_grad: f32[4,16] = MatMul(%n, %w)"
        " %o: f32[32,16] = MatMul(%b_grad, %w) return %o, %x_grad";
    tn_arena *a = tn_arena_new(ctx);
    body = tn_arena_printf(a, "input %%m2: f32[4,2] input %%v: f32[32,4] input %%w: f32[2,16] %s",
                           body);
    plan_case c = case_plan(ctx, body, "infer-shapes,schedule,pin,reuse{level=0}");
    uint64_t without = c.p->report.level0;
    c = case_plan(ctx, body, "infer-shapes,schedule,pin,share-gradients,reuse{level=0}");
    assert_int_equal(case_alias(&c, "a_grad", "b_grad"), TN_ALIAS_SHARE);
    assert_int_equal(c.p->report.n_shared, 1);
    assert_int_equal(c.p->report.saved_by_sharing, 256);
    assert_int_equal(without - c.p->report.level0, 256);
    assert_false(case_overlap(&c, "x_grad", "a_grad"));
    return TN_OK;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(globs),         CASE(exclusion),         CASE(exclusion_spreads),
        CASE(unknown_names), CASE(metadata),          CASE(recognition),
        CASE(optimizer),     CASE(training_controls), CASE(sharing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
