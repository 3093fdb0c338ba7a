/* The checker on what programs are generated from, but for attributes and nested graphs. */
#include "tests/unit/spoil.h"

static tn_plan_claim *claim(tn_plan *p) {
    tn_plan_step *s = spoil_step(p, "relu");
    tn_plan_claim *c = tn_arena_regrow(p->arena, s->claims, 1, 1, sizeof *c);
    s->claims = c;
    return c;
}

static void swapped_operands(tn_plan *p) {
    tn_plan_step *s = spoil_step(p, "sub");
    s->operands =
        spoil_list(p, spoil_list(p, s->operands, 0, s->operands.data[1]), 1, s->operands.data[0]);
}
static void lost_operand(tn_plan *p) {
    spoil_step(p, "sub")->operands.len--;
}
static void filled_operand(tn_plan *p) {
    spoil_step(p, "clip")->operands =
        spoil_list(p, spoil_step(p, "clip")->operands, 1, spoil_id(p, "max"));
}
static void operand_left_out(tn_plan *p) {
    spoil_step(p, "clip")->operands = spoil_list(p, spoil_step(p, "clip")->operands, 2, TN_NO_ID);
}
static void filled_result(tn_plan *p) {
    spoil_step(p, "own")->results =
        spoil_list(p, spoil_step(p, "own")->results, 1, spoil_id(p, "o"));
}
static void result_more(tn_plan *p) {
    spoil_step(p, "relu")->results =
        spoil_list(p, spoil_step(p, "relu")->results, 1, spoil_id(p, "o"));
}
static void not_shape_only(tn_plan *p) {
    spoil_step(p, "shape")->shape_only.len = 0;
}
static void shape_only(tn_plan *p) {
    spoil_step(p, "sub")->shape_only = spoil_list(p, spoil_step(p, "sub")->shape_only, 0, 1);
}
static void version(tn_plan *p) {
    spoil_step(p, "sub")->version = 13;
}
static void swapped_inputs(tn_plan *p) {
    p->inputs = spoil_list(p, spoil_list(p, p->inputs, 0, p->inputs.data[1]), 1, p->inputs.data[0]);
}
static void output_twice(tn_plan *p) {
    p->outputs = spoil_list(p, p->outputs, 1, p->outputs.data[0]);
}
static void unknown_input(tn_plan *p) {
    p->inputs = spoil_list(p, p->inputs, 1, 99);
}
static void unknown_output(tn_plan *p) {
    p->outputs = spoil_list(p, p->outputs, 1, TN_NO_ID);
}

static void idle_kernel(tn_plan *p) {
    spoil_step(p, "exp")->idle = true;
}
static void kernel_over_views(tn_plan *p) {
    spoil_step(p, "cat")->idle = false;
}
static void lost_claim(tn_plan *p) {
    spoil_step(p, "relu")->n_claims = 0;
}
static void weaker_promise(tn_plan *p) {
    claim(p)->promise = TN_PROMISE_ROWS;
}
static void kept_bytes(tn_plan *p) {
    claim(p)->promise = TN_PROMISE_KEEP;
}
static void claim_for_nothing(tn_plan *p) {
    tn_plan_claim *c = TN_NEW(p->arena, tn_plan_claim);
    *c = (tn_plan_claim){0, 0, TN_PROMISE_ELEMENTS};
    spoil_step(p, "mul")->claims = c;
    spoil_step(p, "mul")->n_claims = 1;
}

static void does_not_wait(tn_plan *p) {
    spoil_step(p, "third")->after = NULL;
}
/* The second reader does not come before the first. */
static void waits_for_first(tn_plan *p) {
    static const uint32_t first[] = {1};
    static const tn_ids after[] = {{first, 1}};
    spoil_step(p, "third")->after = after;
}
static void waits_for_later(tn_plan *p) {
    static const uint32_t later[] = {1, 2, 4};
    static const tn_ids after[] = {{later, 3}};
    spoil_step(p, "third")->after = after;
}

/* Nobody reads the value, so that only its own step has to be done. */
static void freed_by_another(tn_plan *p) {
    tn_plan_step *dead = spoil_step(p, "dead"), *other = spoil_step(p, "other");
    assert_int_equal(dead->frees.len, 1);
    assert_int_equal(other->frees.len, 0);
    other->frees = dead->frees;
    other->after = TN_NEW(p->arena, tn_ids);
    dead->frees.len = 0;
    dead->after = NULL;
}
static void freed_behind_it(tn_plan *p) {
    static const uint32_t first[] = {0};
    static const tn_ids after[] = {{first, 1}};
    freed_by_another(p);
    spoil_step(p, "other")->after = after;
}

static const char net[] =
    "input %in: f32[8,8] input %other: f32[8,8] const %max: f32[] = tensor(4 bytes, floats [1.0]) "
    "%x = MatMul(%in, %other) @\"mul\" %y = Relu(%x) @\"relu\" %d = Sub(%y, %in) @\"sub\" "
    "%e = Exp(%d) @\"exp\" %f = Tanh(%d) @\"tanh\" %c = Concat(%e, %f) @\"cat\" {axis = 0} "
    "%h = Clip(%c, _, %max) @\"clip\" %n = Shape(%h) @\"shape\" "
    "%o: f32[16,8], _ = acme::Own@1(%h, %in) @\"own\" return %o, %n";

static const char readers[] =
    "input %in: f32[8,8] %a = MatMul(%in, %in) @\"make\" %b = Relu(%a) @\"first\" "
    "%c = Tanh(%a) @\"second\" %d = Exp(%a) @\"third\" %e = Sum(%b, %c, %d) return %e";

static const char unread[] =
    "input %in: f32[8,8] %d = Exp(%in) @\"dead\" %a = Neg(%in) @\"other\" return %a";

#define SPOIL(fn, text)                                                                            \
    { #fn, net, ALL, fn, text }

static const spoil spoils[] = {
    SPOIL(swapped_operands, "operands of step 2 (Sub 'sub'): number 0 is 'in', in the model 'y'"),
    SPOIL(lost_operand, "operands of step 2 (Sub 'sub'): the plan lists 1, the model has 2"),
    SPOIL(filled_operand,
          "operands of step 6 (Clip 'clip'): number 1 is 'max', in the model nothing"),
    SPOIL(operand_left_out,
          "operands of step 6 (Clip 'clip'): number 2 is nothing, in the model 'max'"),
    SPOIL(filled_result, "results of step 8 (Own 'own'): number 1 is 'o', in the model nothing"),
    SPOIL(result_more, "results of step 1 (Relu 'relu'): the plan lists 2, the model has 1"),
    SPOIL(not_shape_only,
          "step 7 (Shape 'shape') does not say that only the shape of operand 0 is read"),
    SPOIL(shape_only, "step 2 (Sub 'sub') says that only the shape of operand 1 is read, but its "
                      "bytes are"),
    SPOIL(version, "step 2 (Sub 'sub') is of version 13, in the model of 17"),
    SPOIL(swapped_inputs, "inputs of the plan: number 0 is 'other', in the model 'in'"),
    SPOIL(output_twice, "outputs of the plan: number 1 is 'o', in the model 'n'"),
    SPOIL(unknown_input, "input 1 of the plan: value is 99, but there are"),
    SPOIL(unknown_output, "output 1 of the plan: value is 4294967295, but there are"),
    SPOIL(idle_kernel,
          "step 3 (Exp 'exp') has something to run, but the plan says that it is idle"),
    SPOIL(kernel_over_views, "step 5 (Concat 'cat') writes 'c' over bytes of operand 'e' and does "
                             "not claim what its kernel must keep for that"),
    SPOIL(lost_claim, "step 1 (Relu 'relu') writes 'y' over bytes of operand 'x' and does not "
                      "claim"),
    SPOIL(weaker_promise, "step 1 (Relu 'relu') writes 'y' over bytes of operand 'x' and does not "
                          "claim"),
    SPOIL(kept_bytes, "step 1 (Relu 'relu') writes 'y' over bytes of operand 'x' and does not "
                      "claim"),
    SPOIL(claim_for_nothing, "step 0 (MatMul 'mul') claims 1 shared operands, but has 0"),
    {"does_not_wait", readers, PLAIN, does_not_wait,
     "step 3 (Exp 'third') frees the storage of 'a' without waiting for step 1 (Relu 'first'), "
     "which uses it and may still run"},
    {"waits_for_first", readers, PLAIN, waits_for_first,
     "step 3 (Exp 'third') frees the storage of 'a' without waiting for step 2 (Tanh 'second')"},
    {"waits_for_later", readers, PLAIN, waits_for_later,
     "step 3 (Exp 'third') frees the storage of 'a' once step 4 (Sum making 'e') is done, which is "
     "not before it"},
    {"freed_behind_it", unread, PLAIN, freed_behind_it, NULL},
    {"freed_by_another", unread, PLAIN, freed_by_another,
     "step 1 (Neg 'other') frees the storage of 'd' without waiting for step 0 (Exp 'dead')"},
};

static tn_status catches(tn_ctx *ctx, void *arg) {
    (void)arg;
    spoil_all(ctx, spoils, sizeof spoils / sizeof spoils[0]);
    return TN_OK;
}

/* Of two queues there is a second one, and no third. */
static tn_status queues(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_controls controls = tn_controls_default();
    controls.concurrency = TN_QUEUES;
    controls.n_queues = 2;
    plan_case c = case_run(case_parse(ctx, "", readers), PLAIN, &controls);
    assert_int_equal(c.status, TN_OK);
    memset(&case_log, 0, sizeof case_log);
    c.p->steps[c.p->n_steps - 1].queue = 2;
    assert_int_equal(tn_plan_check(c.p, c.m), TN_ERROR);
    assert_non_null(strstr(case_log.text, "step 4 (Sum making 'e') runs in queue 2 of 2"));
    return TN_OK;
}

int main(void) {
    const struct CMUnitTest tests[] = {CASE(catches), CASE(queues)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
