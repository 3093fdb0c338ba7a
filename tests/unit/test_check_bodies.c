/* The checker on nested graphs as steps have them: attributes, arguments and outputs of bodies, and
 * what is copied. */
#include "tests/unit/spoil.h"

static tn_plan_move *moves(tn_plan *p) {
    tn_plan_step *s = spoil_step(p, "loop");
    tn_plan_move *all = tn_arena_regrow(p->arena, s->moves, s->n_moves, s->n_moves, sizeof *all);
    s->moves = all;
    return all;
}

static tn_plan_body *body(tn_plan *p) {
    tn_plan_step *s = spoil_step(p, "loop");
    tn_plan_body *b = tn_arena_regrow(p->arena, s->bodies, 1, 1, sizeof *b);
    s->bodies = b;
    return b;
}

static void idle_begin(tn_plan *p) {
    spoil_step(p, "loop")->idle = true;
}
static void no_body(tn_plan *p) {
    spoil_step(p, "loop")->n_bodies = 0;
}
static void body_attribute(tn_plan *p) {
    body(p)->attribute = "then_branch";
}
static void body_graph(tn_plan *p) {
    body(p)->graph = "loop/other";
}
static void body_inputs(tn_plan *p) {
    tn_plan_body *b = body(p);
    b->inputs = spoil_list(p, spoil_list(p, b->inputs, 2, b->inputs.data[3]), 3, b->inputs.data[2]);
}
static void body_outputs(tn_plan *p) {
    body(p)->outputs.len--;
}
static void end_operands(tn_plan *p) {
    spoil_end(p, "loop")->operands = spoil_step(p, "loop")->operands;
}
static void begin_results(tn_plan *p) {
    spoil_step(p, "loop")->results = spoil_end(p, "loop")->results;
}
static void end_attributes(tn_plan *p) {
    tn_attr *a = TN_NEW(p->arena, tn_attr);
    *a = (tn_attr){.name = "more", .kind = TN_ATTR_INT};
    spoil_end(p, "loop")->attrs = a;
    spoil_end(p, "loop")->n_attrs = 1;
}

/* The first copy of the moment gets another source, or is changed otherwise. */
static tn_plan_move *move_of(tn_plan *p, tn_move_when when, tn_move_kind what) {
    tn_plan_move *all = moves(p);
    for (uint32_t i = 0; i < spoil_step(p, "loop")->n_moves; i++) {
        if (all[i].when == when && all[i].kind == what) {
            return &all[i];
        }
    }
    fail_msg("no such move");
    return NULL;
}

static void state_from_itself(tn_plan *p) {
    move_of(p, TN_MOVE_END, TN_MOVE_COPY)->from = spoil_id(p, "s");
}
static void move_too_early(tn_plan *p) {
    move_of(p, TN_MOVE_NEXT, TN_MOVE_COPY)->when = TN_MOVE_AFTER;
}
static void counts_once(tn_plan *p) {
    move_of(p, TN_MOVE_ITERATION, TN_MOVE_COUNT)->when = TN_MOVE_BEGIN;
}
static void stack_along(tn_plan *p) {
    move_of(p, TN_MOVE_AFTER, TN_MOVE_STACK)->axis = 1;
}
static void stack_reversed(tn_plan *p) {
    move_of(p, TN_MOVE_AFTER, TN_MOVE_STACK)->reverse = true;
}
static void no_trips(tn_plan *p) {
    move_of(p, TN_MOVE_NONE, TN_MOVE_COPY)->when = TN_MOVE_END;
}
static void move_twice(tn_plan *p) {
    tn_plan_step *s = spoil_step(p, "loop");
    s->moves = tn_arena_regrow(p->arena, s->moves, s->n_moves, s->n_moves + 1u, sizeof *s->moves);
    s->n_moves++;
}
static void move_elsewhere(tn_plan *p) {
    spoil_step(p, "after")->moves = spoil_step(p, "loop")->moves;
    spoil_step(p, "after")->n_moves = 1;
}

static const char loop[] =
    "input %x: f32[4] input %z: f32[4] input %n: i64[] input %go: bool[] "
    "%p, %q, %rows = Loop(%n, %go, %x, %z) @\"loop\" {body = region 0} "
    "graph \"body\" { input %i: i64[] input %c: bool[] input %s: f32[4] input %t: f32[4] "
    "%u = Relu(%s) return %c, %t, %u, %u } "
    "%y = Add(%p, %q) @\"after\" return %y, %rows";

/* State s is handed on, through an Identity; t is not. */
static const char carries[] =
    "const %w: f32[4] = tensor(16 bytes) input %z: f32[4] input %n: i64[] input %go: bool[] "
    "%p, %q = Loop(%n, %go, %w, %w) @\"loop\" {body = region 0} "
    "graph \"body\" { input %i: i64[] input %c: bool[] input %s: f32[4] input %t: f32[4] "
    "%u = Identity(%s) %v = Add(%t, %s) return %c, %u, %v } "
    "%y = Add(%p, %q) @\"after\" return %y";

static void lie_with(tn_plan *p, const char *name, const char *of) {
    tn_plan_value *v = &p->values[spoil_id(p, name)];
    const tn_plan_value *to = &p->values[spoil_id(p, of)];
    v->storage = to->storage;
    v->offset = to->offset;
    v->alias = TN_ALIAS_VIEW;
    v->alias_of = spoil_id(p, of);
}
static void nothing(tn_plan *p) {
    (void)p;
}
static void changed_state(tn_plan *p) {
    lie_with(p, "t", "w");
}
static void changed_result(tn_plan *p) {
    lie_with(p, "q", "t");
}
static void other_state(tn_plan *p) {
    lie_with(p, "q", "s");
}
static void output_apart(tn_plan *p) {
    tn_plan_value *u = &p->values[spoil_id(p, "u")];
    const tn_plan_value *v = &p->values[spoil_id(p, "v")];
    u->storage = v->storage;
    u->offset = v->offset;
}

#define IN_CARRIES(fn, text)                                                                       \
    { #fn, carries, ALL, fn, text }

#define IN_LOOP(fn, text)                                                                          \
    { #fn, loop, PLAIN, fn, text }

static const spoil spoils[] = {
    IN_LOOP(idle_begin,
            "step 0 (begin of Loop 'loop') has something to run, but the plan says that it is "
            "idle"),
    IN_LOOP(no_body, "step 0 (begin of Loop 'loop'): the plan lists 0 bodies, the model has 1"),
    IN_LOOP(body_attribute, "body 0 of step 0 (begin of Loop 'loop') belongs to attribute "
                            "'then_branch', in the model to 'body'"),
    IN_LOOP(body_graph, "body 0 of step 0 (begin of Loop 'loop') is the graph 'loop/other', in "
                        "the model 'loop/body'"),
    IN_LOOP(body_inputs, "arguments of body 0 of step 0 (begin of Loop 'loop'): number 2 is "
                         "'loop/body/t', in the model 'loop/body/s'"),
    IN_LOOP(body_outputs, "outputs of body 0 of step 0 (begin of Loop 'loop'): the plan lists 3, "
                          "the model has 4"),
    IN_LOOP(end_operands,
            "operands of step 2 (end of Loop 'loop'): the plan lists 4, the model has 0"),
    IN_LOOP(begin_results,
            "results of step 0 (begin of Loop 'loop'): the plan lists 3, the model has 0"),
    IN_LOOP(end_attributes, "step 2 (end of Loop 'loop'): attribute 'more' is not that of the "
                            "model"),
    IN_LOOP(state_from_itself,
            "step 0 (begin of Loop 'loop') does not list what has to be moved to 'p'"),
    IN_LOOP(move_too_early,
            "step 0 (begin of Loop 'loop') does not list what has to be moved to 'loop/body/c'"),
    IN_LOOP(counts_once,
            "step 0 (begin of Loop 'loop') does not list what has to be moved to 'loop/body/i'"),
    IN_LOOP(stack_along,
            "step 0 (begin of Loop 'loop') does not list what has to be moved to 'rows'"),
    IN_LOOP(stack_reversed,
            "step 0 (begin of Loop 'loop') does not list what has to be moved to 'rows'"),
    IN_LOOP(no_trips, "step 0 (begin of Loop 'loop') does not list what has to be moved to 'p'"),
    IN_LOOP(move_twice, "step 0 (begin of Loop 'loop') lists 13 moves, the model needs 12"),
    IN_CARRIES(nothing, NULL),
    IN_CARRIES(changed_state, "value 'loop/body/t' cannot be a view of 'w'"),
    IN_CARRIES(changed_result, "value 'q' cannot be a view of 'loop/body/t'"),
    IN_CARRIES(other_state, "value 'q' cannot be a view of 'loop/body/s'"),
    IN_CARRIES(output_apart, "value 'loop/body/s' cannot be a view of 'w'"),
    IN_LOOP(move_elsewhere, "step 3 (Add 'after') lists 1 moves, the model needs 0"),
};

static tn_status catches(tn_ctx *ctx, void *arg) {
    (void)arg;
    spoil_all(ctx, spoils, sizeof spoils / sizeof spoils[0]);
    return TN_OK;
}

int main(void) {
    const struct CMUnitTest tests[] = {CASE(catches)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
