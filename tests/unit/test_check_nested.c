/* The checker on nested graphs: captures, loop bodies that run again, branches. */
#include "ir/check/check.h"

#include "tests/unit/hand_plan.h"

enum { TRIP, KEEP, X, A, I, C, S, T, U, Z, Q, Y, N_VALUES };
enum { RELU, BEGIN, BODY_RELU, BODY_ADD, END, LAST, N_STEPS };
enum { ARENA, IO, CONSTS };
#define BODY "loop/body"

/* a = relu x; z, q = loop(trip, keep, x) { t = relu s; u = t + a } giving u on and t stacked. Or,
 * `as_output`: u = t + s, and a stacked as it is, so that nothing but the body's output captures
 * it. */
static tn_module *module_of(tn_ctx *ctx, bool as_output) {
    tn_module *m = tn_module_new(ctx, "nested", "nested.onnx");
    tn_graph *g = m->main;
    const tn_type *row = HAND_TYPE(m, FLOAT, 16), *stack = HAND_TYPE(m, FLOAT, 3, 16);
    const tn_type *count = hand_type(m, TN_DT_INT64, 0, NULL);
    const tn_type *flag = hand_type(m, TN_DT_BOOL, 0, NULL);
    tn_value *trip = tn_graph_add_input(g, "trip", count);
    tn_value *keep = tn_graph_add_input(g, "keep", flag);
    tn_value *x = tn_graph_add_input(g, "x", row);
    tn_value *a = tn_op_add_result(hand_op(g, "Relu", "relu", x, NULL, NULL), "a", row);
    tn_op *loop = hand_op(g, "Loop", "loop", trip, keep, x);
    tn_graph *body = tn_graph_new(m, "body", loop);
    tn_graph_add_input(body, "i", count);
    tn_value *c = tn_graph_add_input(body, "c", flag);
    tn_value *s = tn_graph_add_input(body, "s", row);
    tn_value *t = tn_op_add_result(hand_op(body, "Relu", "inner", s, NULL, NULL), "t", row);
    tn_value *u =
        tn_op_add_result(hand_op(body, "Add", "sum", t, as_output ? s : a, NULL), "u", row);
    tn_graph_add_output(body, c);
    tn_graph_add_output(body, u);
    tn_graph_add_output(body, as_output ? a : t);
    tn_value *z = tn_op_add_result(loop, "z", row);
    tn_graph_add_output(g, tn_op_add_result(loop, "q", stack));
    tn_graph_add_output(g, tn_op_add_result(hand_op(g, "Relu", "last", z, NULL, NULL), "y", row));
    return m;
}

/* A step of an op of the default domain that frees nothing and waits for nothing. */
static tn_plan_step step(tn_step_kind kind, const char *graph, int32_t node, const char *name,
                         const char *op, uint32_t partner, tn_ids reads, tn_ids writes) {
    return (tn_plan_step){.kind = kind,
                          .graph = graph,
                          .node = node,
                          .name = name,
                          .domain = "",
                          .op = op,
                          .partner = partner,
                          .clone_of = TN_NO_ID,
                          .reads = reads,
                          .writes = writes};
}

static tn_plan *plan_of(tn_module *m, bool as_output) {
    static const hand_value rows[N_VALUES] = {
        [TRIP] = {"", "trip", TN_ROLE_INPUT, 0, 0, -1, N_STEPS, NONE, TN_ALIAS_NONE, NONE},
        [KEEP] = {"", "keep", TN_ROLE_INPUT, 1, 0, -1, N_STEPS, NONE, TN_ALIAS_NONE, NONE},
        [X] = {"", "x", TN_ROLE_INPUT, 2, 0, -1, N_STEPS, NONE, TN_ALIAS_NONE, NONE},
        [A] = {"", "a", TN_ROLE_INTERNAL, 3, 0, RELU, END, RELU, TN_ALIAS_NONE, NONE},
        [I] = {BODY, "i", TN_ROLE_INTERNAL, 4, 0, BEGIN, END, BEGIN, TN_ALIAS_NONE, NONE},
        [C] = {BODY, "c", TN_ROLE_INTERNAL, 5, 0, BEGIN, END, BEGIN, TN_ALIAS_NONE, NONE},
        [S] = {BODY, "s", TN_ROLE_INTERNAL, 6, 0, BEGIN, END, BEGIN, TN_ALIAS_NONE, NONE},
        [T] = {BODY, "t", TN_ROLE_INTERNAL, 7, 0, BODY_RELU, END, BODY_RELU, TN_ALIAS_NONE, NONE},
        [U] = {BODY, "u", TN_ROLE_INTERNAL, 8, 0, BODY_ADD, END, BODY_ADD, TN_ALIAS_NONE, NONE},
        [Z] = {"", "z", TN_ROLE_INTERNAL, 9, 0, END, LAST, END, TN_ALIAS_NONE, NONE},
        [Q] = {"", "q", TN_ROLE_OUTPUT, 10, 0, BEGIN, N_STEPS, BEGIN, TN_ALIAS_NONE, NONE},
        [Y] = {"", "y", TN_ROLE_OUTPUT, 11, 0, LAST, N_STEPS, LAST, TN_ALIAS_NONE, NONE},
    };
    static const tn_pool pools[] = {
        {.name = "arena", .kind = TN_POOL_ARENA, .align = 64, .size = 448, .bound = 448},
        {.name = "io", .kind = TN_POOL_IO, .align = 64, .size = 448, .bound = 448}};
    static const tn_storage storages[] = {
        {0, IO, NONE, 0, 8, 64, -1, N_STEPS, true, TRIP, 0, NULL, {0}, 0},
        {1, IO, NONE, 64, 1, 64, -1, N_STEPS, true, KEEP, 0, NULL, {0}, 0},
        {2, IO, NONE, 128, 64, 64, -1, N_STEPS, true, X, 0, NULL, {0}, 0},
        {3, ARENA, NONE, 0, 64, 64, RELU, END, false, A, 0, NULL, {0}, 0},
        {4, ARENA, NONE, 64, 8, 64, BEGIN, END, false, I, 0, NULL, {0}, 0},
        {5, ARENA, NONE, 128, 1, 64, BEGIN, END, false, C, 0, NULL, {0}, 0},
        {6, ARENA, NONE, 192, 64, 64, BEGIN, END, false, S, 0, NULL, {0}, 0},
        {7, ARENA, NONE, 256, 64, 64, BODY_RELU, END, false, T, 0, NULL, {0}, 0},
        {8, ARENA, NONE, 320, 64, 64, BODY_ADD, END, false, U, 0, NULL, {0}, 0},
        {9, ARENA, NONE, 384, 64, 64, END, LAST, false, Z, 0, NULL, {0}, 0},
        {10, IO, NONE, 192, 192, 64, -1, N_STEPS, true, Q, 0, NULL, {0}, 0},
        {11, IO, NONE, 384, 64, 64, -1, N_STEPS, true, Y, 0, NULL, {0}, 0},
    };
    tn_plan *p = hand_plan(m, rows, N_VALUES);
    p->pools = tn_arena_regrow(p->arena, pools, 2, 2, sizeof *pools);
    p->n_pools = 2;
    p->storages = tn_arena_regrow(p->arena, storages, 12, 12, sizeof *storages);
    p->n_storages = 12;
    const tn_plan_step steps[N_STEPS] = {
        step(TN_STEP_OP, "", 0, "relu", "Relu", NONE, HAND_IDS(p, X), HAND_IDS(p, A)),
        step(TN_STEP_BEGIN, "", 1, "loop", "Loop", END, HAND_IDS(p, TRIP, KEEP, X, A),
             HAND_IDS(p, I, C, S)),
        step(TN_STEP_OP, BODY, 0, "inner", "Relu", NONE, HAND_IDS(p, S), HAND_IDS(p, T)),
        step(TN_STEP_OP, BODY, 1, "sum", "Add", NONE, HAND_IDS(p, T, A), HAND_IDS(p, U)),
        step(TN_STEP_END, "", 1, "loop", "Loop", BEGIN, HAND_IDS(p, C, U, T), HAND_IDS(p, Z, Q)),
        step(TN_STEP_OP, "", 2, "last", "Relu", NONE, HAND_IDS(p, Z), HAND_IDS(p, Y)),
    };
    p->steps = tn_arena_regrow(p->arena, steps, N_STEPS, N_STEPS, sizeof *steps);
    if (as_output) {
        p->steps[BODY_ADD].reads = HAND_IDS(p, T, S);
        p->steps[END].reads = HAND_IDS(p, C, U, A);
    }
    p->steps[END].frees = HAND_IDS(p, 3, 4, 5, 6, 7, 8);
    p->steps[LAST].frees = HAND_IDS(p, 9);
    p->n_steps = N_STEPS;
    p->model = m->name;
    p->report = (tn_plan_report){.naive = 448,
                                 .level0 = 448,
                                 .level1 = 448,
                                 .bound = 448,
                                 .io_bytes = 448,
                                 .ram = 448 + 448,
                                 .algorithm = "hand",
                                 .optimal = true,
                                 .peak_step = END,
                                 .peak = HAND_IDS(p, 3, 4, 5, 6, 7, 8, 9),
                                 .n_planned = N_VALUES};
    hand_contract(p, m);
    return p;
}

typedef struct spoil {
    const char *name;
    void (*change)(tn_plan *p);
    const char *message;
    bool as_output;
} spoil;

/* t is made in every iteration, a is read in every iteration: dead after its last read by number of
 * step, but not before the loop's end. */
static void capture_overwritten(tn_plan *p) {
    p->storages[8].offset = 0;
}
static void argument_overwritten(tn_plan *p) {
    p->storages[8].offset = 192;
}
static void stacked_overwritten(tn_plan *p) {
    p->storages[10] = p->storages[7];
    p->storages[10].size = 192;
    p->storages[10].root = Q;
    p->storages[10].last = N_STEPS;
}
static void body_output_overwritten(tn_plan *p) {
    p->storages[9].offset = 320;
}
static void capture_freed_in_body(tn_plan *p) {
    p->steps[BODY_ADD].frees = HAND_IDS(p, 3);
    p->steps[END].frees = HAND_IDS(p, 4);
}
static void capture_hidden(tn_plan *p) {
    p->steps[BEGIN].reads = HAND_IDS(p, TRIP, KEEP, X);
}
static void output_hidden(tn_plan *p) {
    p->steps[END].reads = HAND_IDS(p, C, T);
}
static void read_invented(tn_plan *p) {
    p->steps[LAST].reads = HAND_IDS(p, Z, A);
}
static void body_after_end(tn_plan *p) {
    tn_plan_step s = p->steps[END];
    p->steps[END] = p->steps[BODY_ADD];
    p->steps[BODY_ADD] = s;
    p->steps[BEGIN].partner = BODY_ADD;
    p->reordered = true;
}
static void no_end(tn_plan *p) {
    p->steps[END].partner = RELU;
}
static void plain_step(tn_plan *p) {
    p->steps[BEGIN].kind = TN_STEP_OP;
    p->steps[BEGIN].writes = p->steps[END].writes;
}

static const spoil spoils[] = {
    {"capture_overwritten", capture_overwritten,
     "value 'loop/body/u' written at step 3 (Add 'sum') overwrites bytes [0,64) of 'a', which step "
     "4 (end of Loop 'loop') still reads",
     false},
    {"argument_overwritten", argument_overwritten,
     "value 'loop/body/u' written at step 3 (Add 'sum') overwrites bytes [0,64) of 'loop/body/s', "
     "which step 4 (end of Loop 'loop') still reads",
     false},
    {"stacked_overwritten", stacked_overwritten,
     "value 'loop/body/t' written at step 2 (Relu 'inner') overwrites bytes [0,64) of 'q', which "
     "the caller still reads",
     false},
    {"body_output_overwritten", body_output_overwritten,
     "value 'z' written at step 4 (end of Loop 'loop') overwrites bytes [0,64) of 'loop/body/u'",
     false},
    {"capture_freed_in_body", capture_freed_in_body,
     "step 3 (Add 'sum') frees the storage of 'a', which is needed to step 4 (end of Loop", false},
    {"capture_hidden", capture_hidden,
     "step 1 (begin of Loop 'loop') reads 'a', which the plan does not list", false},
    {"capture_hidden", capture_hidden,
     "step 1 (begin of Loop 'loop') reads 'a', which the plan does not list", true},
    {"capture_overwritten", capture_overwritten,
     "value 'loop/body/u' written at step 3 (Add 'sum') overwrites bytes [0,64) of 'a', which step "
     "4 (end of Loop 'loop') still reads",
     true},
    {"output_hidden", output_hidden,
     "step 4 (end of Loop 'loop') reads 'loop/body/u', which the plan does not list", false},
    {"read_invented", read_invented, "step 5 (Relu 'last') is said to read 'a', which it does not",
     false},
    {"body_after_end", body_after_end,
     "step 4 (Add 'sum') does not lie between the begin and the end of the op that runs it", false},
    {"no_end", no_end, "step 4 (end of Loop 'loop') does not end the op begun last", false},
    {"plain_step", plain_step, "has a begin and an end exactly when it runs nested graphs", false},
};

static tn_status catches(tn_ctx *ctx, void *arg) {
    unit_log *log = arg;
    for (size_t i = 0; i < sizeof spoils / sizeof spoils[0]; i++) {
        tn_module *m = module_of(ctx, spoils[i].as_output);
        tn_plan *p = plan_of(m, spoils[i].as_output);
        memset(log, 0, sizeof *log);
        spoils[i].change(p);
        bool caught = tn_plan_check(p, m) == TN_ERROR && strstr(log->text, spoils[i].message);
        if (!caught) {
            print_error("%s: wanted '%s', got\n%s", spoils[i].name, spoils[i].message, log->text);
        }
        assert_true(caught);
    }
    return TN_OK;
}

static tn_status accepts(tn_ctx *ctx, void *arg) {
    unit_log *log = arg;
    for (int as_output = 0; as_output < 2; as_output++) {
        tn_module *m = module_of(ctx, as_output == 1);
        tn_status status = tn_plan_check(plan_of(m, as_output == 1), m);
        if (status != TN_OK) {
            print_error("%s", log->text);
        }
        assert_int_equal(status, TN_OK);
    }
    return TN_OK;
}

UNIT_TEST(accepts)
UNIT_TEST(catches)

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_accepts),
                                       cmocka_unit_test(test_catches)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
