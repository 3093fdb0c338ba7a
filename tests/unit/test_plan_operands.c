/* Steps as those who run them see them: operands and results by position, promises of kernels,
 * steps with nothing to run, what frees wait for. */
#include "tests/unit/plan_case.h"

#define PLAIN "infer-shapes,schedule,pin,reuse{level=none},insert-frees"
#define ALL                                                                                        \
    "infer-shapes,schedule,pin,alias-views{kinds=all},inplace{kinds=all},reuse{level=1},"          \
    "insert-frees"

static const tn_plan_step *step_of(const plan_case *c, const char *name) {
    for (uint32_t i = 0; i < c->p->n_steps; i++) {
        if (strcmp(c->p->steps[i].name, name) == 0) {
            return &c->p->steps[i];
        }
    }
    fail_msg("no step '%s'", name);
    return NULL;
}

/* Names of the values, with blanks between; "-" where one is left out. */
static void names_are(const plan_case *c, tn_ids values, const char *want) {
    tn_sink out = tn_sink_make(c->p->arena);
    for (uint32_t i = 0; i < values.len; i++) {
        tn_put(&out, i > 0 ? " " : "");
        tn_put(&out, values.data[i] != TN_NO_ID ? c->p->values[values.data[i]].name : "-");
    }
    assert_string_equal(values.len > 0 ? out.data : "", want);
}

static tn_status positions(tn_ctx *ctx, void *arg) {
    (void)arg;
    plan_case c = case_plan(
        ctx,
        "input %x: f32[4,4] input %flag: bool[4,4] input %open: f32[n,4] "
        "const %max: f32[] = tensor(4 bytes, floats [1.0]) "
        "const %k: i64[1] = tensor(8 bytes, ints [1]) "
        "%a = Mul(%x, %x) @\"twice\" %b = Clip(%a, _, %max) @\"clip\" "
        "%c, _ = Dropout(%b) @\"drop\" _, %i = TopK(%c, %k) @\"top\" "
        "%d = Where(%flag, %c, %open) @\"where\" %e = Shape(%d) @\"shape\" return %d, %i, %e",
        PLAIN);
    names_are(&c, step_of(&c, "twice")->operands, "x x");
    names_are(&c, step_of(&c, "twice")->reads, "x");
    names_are(&c, step_of(&c, "clip")->operands, "a - max");
    names_are(&c, step_of(&c, "drop")->results, "c -");
    names_are(&c, step_of(&c, "top")->results, "- i");
    names_are(&c, step_of(&c, "where")->operands, "flag c open");
    assert_int_equal(case_value(&c, "open")->storage, TN_NO_ID);
    assert_int_equal(step_of(&c, "where")->shape_only.len, 0);
    assert_int_equal(step_of(&c, "shape")->shape_only.len, 1);
    names_are(&c, step_of(&c, "shape")->reads, "");
    names_are(&c, c.p->inputs, "x flag open");
    names_are(&c, c.p->outputs, "d i e");
    return TN_OK;
}

/* One body, planned with all aliases, and whether the step called "it" has nothing to run. */
typedef struct idle_case {
    const char *body;
    bool idle;
} idle_case;

#define MADE "input %in: f32[8,8] %x = MatMul(%in, %in) "
#define USED(y) "%out = MatMul(" y ", " y ") return %out"

static const idle_case idle_cases[] = {
    /* What lies in a Concat has to be computed all the same. */
    {MADE "%e = Exp(%x) @\"it\" %c = Concat(%e, %x) {axis = 0} %out = MatMul(%c, %in) return %out",
     false},
    {MADE "%e = Exp(%x) %f = Tanh(%x) %y = Concat(%e, %f) @\"it\" {axis = 0} "
          "%out = MatMul(%y, %in) return %out",
     true},
    /* Twice the same operand lies in one place only. */
    {MADE "%e = Exp(%x) %y = Concat(%e, %e) @\"it\" {axis = 0} %out = MatMul(%y, %in) return %out",
     false},
    /* An input keeps its own bytes. */
    {MADE "%e = Exp(%x) %y = Concat(%e, %in) @\"it\" {axis = 0} %out = MatMul(%y, %in) return %out",
     false},
    {MADE "const %p: i64[4] = tensor(32 bytes, ints [1, 0, 1, 0]) %y = Pad(%x, %p) @\"it\" "
          "%out = MatMul(%y, %in) return %out",
     false},
    {MADE
     "const %p: i64[4] = tensor(32 bytes, ints [0, 0, 0, 0]) %y = Pad(%x, %p) @\"it\" " USED("%y"),
     true},
    {MADE "%y = Dropout(%x) @\"it\" " USED("%y"), true},
    {MADE "%y, %m = Dropout(%x) @\"it\" %out = MatMul(%y, %y) return %out, %m", false},
    {MADE "const %s: i64[2] = tensor(16 bytes, ints [4, 16]) %y = Reshape(%x, %s) @\"it\" "
          "%out = MatMul(%in, %x) %z = Exp(%y) return %out, %z",
     true},
    {MADE "%y: f32[8] = Constant() @\"it\" {value = tensor(f32[8], 32 bytes)} %out = Add(%x, %y) "
          "return %out",
     true},
    {MADE "%y = Relu(%x) @\"it\" " USED("%y"), false},
    {MADE "%a, %b = Split(%x) @\"it\" {axis = 0} %c = Exp(%a) %d = Exp(%b) return %c, %d", true},
    {MADE "%a, %b = Split(%x) @\"it\" {axis = 1} %c = Exp(%a) %d = Exp(%b) return %c, %d", false},
};

static tn_status idle(tn_ctx *ctx, void *arg) {
    (void)arg;
    for (size_t i = 0; i < sizeof idle_cases / sizeof idle_cases[0]; i++) {
        plan_case c = case_plan(ctx, idle_cases[i].body, ALL);
        if (step_of(&c, "it")->idle != idle_cases[i].idle) {
            fail_msg("%s: is %sidle", idle_cases[i].body, idle_cases[i].idle ? "not " : "");
        }
        plan_case apart = case_plan(ctx, idle_cases[i].body, PLAIN);
        assert_true(!step_of(&apart, "it")->idle || strstr(idle_cases[i].body, "Constant"));
    }
    return TN_OK;
}

/* The only claim of the step called "it", and what it asks. */
typedef struct claim_case {
    const char *body;
    uint32_t result, operand;
    tn_plan_promise promise;
} claim_case;

static const claim_case claim_cases[] = {
    {MADE "%y = Relu(%x) @\"it\" " USED("%y"), 0, 0, TN_PROMISE_ELEMENTS},
    {MADE "%y = Sub(%in, %x) @\"it\" " USED("%y"), 0, 1, TN_PROMISE_ELEMENTS},
    {MADE "%y = Softmax(%x) @\"it\" " USED("%y"), 0, 0, TN_PROMISE_ROWS},
    {MADE
     "const %i: i64[8,8] = tensor(512 bytes) %y = ScatterElements(%x, %i, %in) @\"it\" " USED("%y"),
     0, 0, TN_PROMISE_UPDATE},
    {MADE "%e = Exp(%x) %y = Concat(%e, %in) @\"it\" {axis = 0} %out = MatMul(%y, %in) return %out",
     0, 0, TN_PROMISE_KEEP},
    {MADE "%y, %m = Dropout(%x) @\"it\" %out = MatMul(%y, %y) return %out, %m", 0, 0,
     TN_PROMISE_ELEMENTS},
};

static tn_status claims(tn_ctx *ctx, void *arg) {
    (void)arg;
    for (size_t i = 0; i < sizeof claim_cases / sizeof claim_cases[0]; i++) {
        const claim_case *want = &claim_cases[i];
        plan_case c = case_plan(ctx, want->body, ALL);
        const tn_plan_step *s = step_of(&c, "it");
        if (s->n_claims != 1 || s->claims[0].result != want->result ||
            s->claims[0].operand != want->operand || s->claims[0].promise != want->promise) {
            fail_msg("%s: %u claims, the first %u over %u with promise %u", want->body, s->n_claims,
                     s->n_claims > 0 ? s->claims[0].result : 0,
                     s->n_claims > 0 ? s->claims[0].operand : 0,
                     s->n_claims > 0 ? s->claims[0].promise : 0);
        }
        plan_case apart = case_plan(ctx, want->body, PLAIN);
        assert_int_equal(step_of(&apart, "it")->n_claims, 0);
    }
    return TN_OK;
}

/* Both read a, and neither waits for the other: the later one frees it once both are done. */
static tn_status waits(tn_ctx *ctx, void *arg) {
    (void)arg;
    plan_case c = case_plan(ctx,
                            MADE "%a = Exp(%x) @\"make\" %b = Relu(%a) @\"first\" "
                                 "%c = Tanh(%a) @\"second\" %d = MatMul(%b, %c) return %d",
                            PLAIN);
    const tn_plan_step *first = step_of(&c, "first"), *s = step_of(&c, "second");
    assert_int_equal(first->frees.len, 0);
    assert_int_equal(s->frees.len, 1);
    assert_int_equal(s->frees.data[0], case_value(&c, "a")->storage);
    assert_int_equal(s->after[0].len, 1);
    assert_ptr_equal(&c.p->steps[s->after[0].data[0]], first);
    assert_int_equal(step_of(&c, "make")->after[0].len, 0);
    return TN_OK;
}

int main(void) {
    const struct CMUnitTest tests[] = {CASE(positions), CASE(idle), CASE(claims), CASE(waits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
