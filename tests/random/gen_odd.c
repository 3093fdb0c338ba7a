/* Values that no plan places, sequences and optionals, and what comes out of them again. */
#include "tests/random/gen_t.h"

/* The result of op, which nothing but the ops made here may read. */
static tn_value *hold(gen *g, tn_op *op) {
    gen_value held = gen_result_open(g, op, NULL);
    g->reach.len--;
    return held.v;
}

static tn_op *of(gen *g, const char *type, tn_value *v) {
    tn_op *op = gen_op(g, "", type);
    tn_op_add_operand(op, v);
    return op;
}

static tn_value *make_held_sequence(gen *g, const gen_value *v, uint32_t n) {
    tn_op *op = of(g, "SequenceConstruct", v->v);
    for (uint32_t i = 1; i < n; i++) {
        gen_value more = *v;
        (void)gen_pick_like(g, v, &more);
        tn_op_add_operand(op, more.v);
    }
    tn_value *sequence = hold(g, op);
    if (rng_chance(&g->random, 40)) {
        op = of(g, "SequenceInsert", sequence);
        tn_op_add_operand(op, v->v);
        sequence = hold(g, op);
    }
    return sequence;
}

static bool make_sequence(gen *g) {
    gen_value v = gen_pick(g);
    if (v.open) {
        return false;
    }
    uint32_t n = 1 + rng_below(&g->random, 3);
    tn_value *sequence = make_held_sequence(g, &v, n);
    if (rng_chance(&g->random, 30)) {
        gen_result(g, of(g, "SequenceLength", sequence), TN_DT_INT64, 0, NULL);
    }
    tn_op *op = of(g, "SequenceAt", sequence);
    tn_op_add_operand(op, gen_int(g, rng_below(&g->random, n)));
    gen_result_like(g, op, &v);
    return true;
}

static bool make_optional(gen *g) {
    gen_value v = gen_pick(g);
    if (v.open || g->opset < 18) {
        return false;
    }
    tn_value *optional = hold(g, of(g, "Optional", v.v));
    if (rng_chance(&g->random, 40)) {
        gen_result(g, of(g, "OptionalHasElement", optional), TN_DT_BOOL, 0, NULL);
    }
    gen_result_like(g, of(g, "OptionalGetElement", optional), &v);
    return true;
}

const gen_maker gen_odd_makers[] = {{3, make_sequence}, {2, make_optional}, {0, NULL}};
