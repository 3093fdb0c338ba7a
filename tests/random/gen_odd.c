/* Values that no plan places, sequences and optionals, and what comes out of them again; and
 * derivatives that name what they look at. */
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

/* What y is computed from, some ops back, in the same graph. */
static const tn_value *some_origin(gen *g, const tn_value *y) {
    for (uint32_t n = 1 + rng_below(&g->random, 5); n > 0; n--) {
        const tn_op *op = y->kind == TN_VALUE_RESULT ? y->def : NULL;
        uint32_t k = op != NULL && op->n_operands > 0 ? rng_below(&g->random, op->n_operands) : 0;
        const tn_value *x = op != NULL ? tn_operand(op, k) : NULL;
        if (x == NULL || x->graph != g->graph) {
            break;
        }
        y = x;
    }
    return y;
}

static bool find(const gen *g, const tn_value *v, gen_value *out) {
    for (uint32_t i = g->reach_from; i < g->reach.len; i++) {
        if (g->reach.data[i].v == v && !g->reach.data[i].open) {
            *out = g->reach.data[i];
            return true;
        }
    }
    return false;
}

/* Not among symbols: plans are held against the file's order there, and it decides what a Gradient
 * looks at. */
static bool make_gradient(gen *g) {
    gen_value y = gen_pick(g), x;
    if (g->symbols || y.v->graph != g->graph || y.v->kind != TN_VALUE_RESULT ||
        !find(g, some_origin(g, y.v), &x) || x.v == y.v || x.v->kind == TN_VALUE_CONST) {
        return false;
    }
    tn_op *op = gen_op(g, "ai.onnx.preview.training", "Gradient");
    tn_op_add_operand(op, x.v);
    tn_string *xs = TN_NEW(g->m->arena, tn_string);
    *xs = (tn_string){x.v->name, tn_str_len(x.v->name)};
    tn_op_add_attr(op, (tn_attr){.name = "xs", .kind = TN_ATTR_STRINGS, .n = 1, .u.strings = xs});
    gen_attr_string(g, op, "y", y.v->name);
    gen_result_like(g, op, &x);
    return true;
}

const gen_maker gen_odd_makers[] = {
    {3, make_sequence}, {2, make_optional}, {3, make_gradient}, {0, NULL}};
