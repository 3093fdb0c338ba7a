/* Steps and live ranges where graphs nest, and what outlives a run. */
#include "tests/unit/plan_case.h"

#define ALL "infer-shapes,schedule,pin,alias-views{kinds=all},inplace{kinds=all},reuse,insert-frees"
#define PLAIN "infer-shapes,schedule,pin,reuse,insert-frees"

static const tn_plan_value *inner(const plan_case *c, const char *path, const char *name) {
    const tn_plan_value *v = tn_plan_find(c->p, path, name);
    assert_non_null(v);
    return v;
}

/* 0 begin, 1 body, 2 end: captured values and operands are live to the end, arguments from the
 * begin to the end, stacked results from the begin. */
static tn_status loops(tn_ctx *ctx, void *arg) {
    (void)arg;
    plan_case c =
        case_plan(ctx,
                  "input %x: f32[4] input %go: bool[] const %n: i64[] = tensor(8 bytes, ints [3])"
                  " %a: f32[4] = Exp(%x) %k: f32[4] = Neg(%x)"
                  " %r: f32[4], %s: f32[3,4] = Loop(%n, %go, %a) @\"L\" {body = region 0}"
                  "   graph \"b\" { input %i: i64[] input %c: bool[] input %v: f32[4]"
                  "     %p: f32[4] = Exp(%v) %q: f32[4] = Add(%p, %k) %d: bool[] = Identity(%c)"
                  "     return %d, %q, %p }"
                  " %y: f32[4] = Exp(%r) return %y, %s",
                  PLAIN);
    assert_int_equal(c.p->n_steps, 8);
    assert_int_equal(c.p->steps[2].kind, TN_STEP_BEGIN);
    assert_int_equal(c.p->steps[2].partner, 6);
    assert_int_equal(c.p->steps[6].kind, TN_STEP_END);
    static const struct {
        const char *path, *name;
        int32_t first, last;
    } want[] = {{"", "a", 0, 6},    {"", "k", 1, 6},    {"", "r", 6, 7},    {"", "s", 2, 8},
                {"L/b", "v", 2, 6}, {"L/b", "p", 3, 6}, {"L/b", "q", 4, 6}, {"L/b", "i", 2, 6}};
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        const tn_plan_value *v = inner(&c, want[i].path, want[i].name);
        assert_int_equal(v->first, want[i].first);
        assert_int_equal(v->last, want[i].last);
    }
    /* Captured values stand among the reads of the begin step. */
    assert_true(case_has(c.p->steps[2].reads, (uint32_t)(inner(&c, "", "k") - c.p->values)));
    return TN_OK;
}

/* An op in a loop body may not write over what was made outside it, even as its only reader. Over
 * an argument it may write its next value alone, once nothing reads it any more. */
static tn_status no_inplace_across_iterations(tn_ctx *ctx, void *arg) {
    (void)arg;
    plan_case c =
        case_plan(ctx,
                  "input %x: f32[4,4] input %go: bool[] const %n: i64[] = tensor(8 bytes, ints [3])"
                  " %k: f32[4,4] = MatMul(%x, %x) %a: f32[4,4] = MatMul(%x, %x)"
                  " %r: f32[4,4] = Loop(%n, %go, %a) @\"L\" {body = region 0}"
                  "   graph \"b\" { input %i: i64[] input %c: bool[] input %v: f32[4,4]"
                  "     %p: f32[4,4] = Exp(%k) %q: f32[4,4] = Exp(%v) %o: f32[4,4] = Add(%p, %q)"
                  "     %d: bool[] = Identity(%c) return %d, %o }"
                  " return %r",
                  ALL);
    assert_int_not_equal(inner(&c, "L/b", "p")->storage, inner(&c, "", "k")->storage);
    assert_int_not_equal(inner(&c, "L/b", "q")->storage, inner(&c, "L/b", "v")->storage);
    assert_int_equal(inner(&c, "L/b", "o")->storage, inner(&c, "L/b", "v")->storage);
    assert_int_equal(inner(&c, "", "a")->storage, inner(&c, "L/b", "v")->storage);
    assert_int_equal(inner(&c, "", "r")->storage, inner(&c, "L/b", "v")->storage);
    return TN_OK;
}

/* Two arguments given back crosswise are copied after each iteration: no output of a body may be
 * the bytes of an argument. */
static tn_status no_views_across_iterations(tn_ctx *ctx, void *arg) {
    (void)arg;
    plan_case c = case_plan(
        ctx,
        "input %x: f32[4] input %go: bool[] const %n: i64[] = tensor(8 bytes, ints [3])"
        " %r: f32[4], %s: f32[4] = Loop(%n, %go, %x, %x) @\"L\" {body = region 0}"
        "   graph \"b\" { input %i: i64[] input %c: bool[] input %v: f32[4] input %w: f32[4]"
        "     %d: bool[] = Identity(%c) %p: f32[4] = Identity(%w) %q: f32[4] = Identity(%v)"
        "     return %d, %p, %q }"
        " return %r, %s",
        ALL);
    assert_int_not_equal(inner(&c, "L/b", "p")->storage, inner(&c, "L/b", "w")->storage);
    assert_int_not_equal(inner(&c, "L/b", "q")->storage, inner(&c, "L/b", "v")->storage);
    return TN_OK;
}

/* The symbolic derivative of y by x needs what lies between them, and nothing else. */
static tn_status derivative(tn_ctx *ctx, void *arg) {
    (void)arg;
    plan_case c = case_plan(
        ctx,
        "input %x: f32[4,4] input %g: f32[4,4] %a: f32[4,4] = Exp(%x) %k: f32[4,4] = MatMul(%g, %g)"
        " %b: f32[4,4] = MatMul(%a, %k) %z: f32[4,4] = MatMul(%g, %g)"
        " %y: f32[4,4] = MatMul(%b, %b) %o: f32[4,4] = MatMul(%y, %z) %p: f32[4,4] = Exp(%o)"
        " %dx: f32[4,4] = ai.onnx.preview.training::Gradient(%x) {xs = strings [\"x\"], y = \"y\"}"
        " return %p, %dx",
        PLAIN);
    int32_t at = (int32_t)case_value(&c, "dx")->step;
    assert_int_equal(case_value(&c, "a")->last, at);
    assert_int_equal(case_value(&c, "k")->last, at);
    assert_int_equal(case_value(&c, "b")->last, at);
    assert_int_equal(case_value(&c, "y")->last, at);
    assert_true(case_value(&c, "z")->last < at);
    assert_true(case_value(&c, "o")->last < at);
    return TN_OK;
}

/* What becomes state is live to the end; an optimizer may write it where the state is. */
static tn_status state(tn_ctx *ctx, void *arg) {
    (void)arg;
    const char *text = "tir 1 module \"m\" opset \"\" 17 opset \"com.microsoft\" 1 graph \"g\" {"
                       " input %r: f32[1] input %w: f32[8] input %v: f32[8] input %g: f32[8]"
                       " %d: f32[8] = Exp(%g) %e: f32[8] = Exp(%g)"
                       " %w2: f32[8] = com.microsoft::SGDOptimizer(%r, %w, %d)"
                       " %v2: f32[8] = com.microsoft::SGDOptimizer(%r, %v, %e)"
                       " return %w2, %v2 } bind %w = %w2";
    tn_module *m = tn_module_parse(ctx, "state.tir", text, strlen(text));
    assert_non_null(m);
    plan_case c = case_run(m, ALL, NULL);
    assert_int_equal(c.status, TN_OK);
    assert_int_equal(case_value(&c, "w")->role, TN_ROLE_STATE);
    assert_int_equal(case_alias(&c, "w", "w2"), TN_ALIAS_UPDATE);
    assert_false(case_overlap(&c, "v", "v2"));
    m = tn_module_parse(ctx, "state.tir", text, strlen(text));
    c = case_run(m, PLAIN, NULL);
    assert_false(case_overlap(&c, "w", "w2"));
    return TN_OK;
}

/* An accumulator is its buffer by definition, at every level. */
static tn_status must(tn_ctx *ctx, void *arg) {
    (void)arg;
    const char *body = "input %b: f32[8] input %g: f32[8] %d: f32[8] = Exp(%g)"
                       " %s: f32[8] = com.microsoft::InPlaceAccumulator(%b, %d) return %s";
    static const char *const passes[] = {"O0", "O1", "O2", "O3"};
    for (size_t i = 0; i < 4; i++) {
        plan_case c = case_plan(ctx, body, passes[i]);
        assert_int_equal(case_alias(&c, "s", "b"), TN_ALIAS_UPDATE);
        assert_true(case_same_storage(&c, "s", "b"));
    }
    return TN_OK;
}

/* Where no result says what the buffer becomes, hazards order all who use it, and the checker asks
 * for each of them. */
static tn_status unnamed(tn_ctx *ctx, void *arg) {
    (void)arg;
    const char *body = "input %b: f32[8] input %g: f32[8] %before: f32[8] = Exp(%b)"
                       " %one: bool[1] = com.microsoft::InPlaceAccumulatorV2(%b, %g)"
                       " %two: bool[1] = com.microsoft::InPlaceAccumulatorV2(%b, %g)"
                       " %after: f32[8] = Neg(%b) return %before, %one, %two, %after";
    plan_case c = case_plan(ctx, body, ALL);
    assert_int_equal(case_value(&c, "b")->role, TN_ROLE_STATE);
    assert_int_equal(c.p->steps[0].hazards.len, 0);
    for (uint32_t s = 1; s < 4; s++) {
        tn_ids hazards = c.p->steps[s].hazards;
        assert_int_equal(hazards.len, 1);
        assert_int_equal(hazards.data[0], s - 1);
        c.p->steps[s].hazards = (tn_ids){0};
        assert_int_equal(tn_plan_check(c.p, c.m), TN_ERROR);
        assert_non_null(strstr(case_log.text, "no hazard or data dependence orders the two"));
        c.p->steps[s].hazards = hazards;
    }
    assert_int_equal(tn_plan_check(c.p, c.m), TN_OK);
    return TN_OK;
}

static tn_status capacity(tn_ctx *ctx, void *arg) {
    (void)arg;
    const char *body = "input %x: f32[8,8] %large: f32[8,8] = MatMul(%x, %x)"
                       " %other: f32[8,8] = MatMul(%large, %x)"
                       " %y: f32[8,8] = MatMul(%other, %other) return %y";
    tn_controls controls = tn_controls_default();
    controls.capacity = 512;
    plan_case c = case_run(case_parse(ctx, "", body), PLAIN, &controls);
    assert_int_equal(c.status, TN_OK);
    controls.capacity = 500;
    c = case_run(case_parse(ctx, "", body), PLAIN, &controls);
    assert_int_equal(c.status, TN_NOFIT);
    assert_null(c.p);
    assert_non_null(strstr(case_log.text, "needs 512 bytes, 12 more than the capacity of 500"));
    assert_non_null(strstr(case_log.text, "'large' (256 bytes)"));
    return TN_OK;
}

/* Unknown sizes never count as something: the value is named with what would help. */
static tn_status unplanned(tn_ctx *ctx, void *arg) {
    (void)arg;
    plan_case c = case_plan(ctx,
                            "input %x: f32[batch,8] %y: f32[batch,8] = Exp(%x)"
                            " %n: i64[2,?] = NonZero(%y) %s: seq(f32[4]) = SequenceEmpty()"
                            " return %y, %n, %s",
                            "O2");
    assert_int_equal(c.p->report.n_unplanned, 4);
    assert_string_equal(case_value(&c, "x")->why,
                        "size depends on batch: bind it with --dim batch=N");
    assert_string_equal(case_value(&c, "x")->bytes_text, "batch*32");
    assert_non_null(case_value(&c, "n")->why);
    assert_non_null(case_value(&c, "s")->why);
    assert_int_equal(case_value(&c, "n")->storage, TN_NO_ID);
    return TN_OK;
}

int main(void) {
    const struct CMUnitTest tests[] = {CASE(loops),
                                       CASE(no_inplace_across_iterations),
                                       CASE(no_views_across_iterations),
                                       CASE(derivative),
                                       CASE(state),
                                       CASE(must),
                                       CASE(unnamed),
                                       CASE(capacity),
                                       CASE(unplanned)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
