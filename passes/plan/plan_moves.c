#include "passes/plan/plan_moves.h"

#include "ir/left_out.h"
#include "ir/ops/claims.h"
#include "ir/ops/op_attrs.h"

typedef struct moves {
    const tn_build *b;
    const tn_op *op;
    TN_VEC(tn_plan_move) list;
} moves;

static void add(moves *m, tn_move_when when, tn_move_kind kind, const tn_value *from,
                const tn_value *to, tn_plan_move more) {
    if (to == NULL) {
        return; /* a result that nobody wants */
    }
    more.when = when;
    more.kind = kind;
    more.from = from != NULL ? m->b->plan_value[from->id] : TN_NO_ID;
    more.to = m->b->plan_value[to->id];
    tn_vec_push(m->b->scratch, &m->list, more);
}

static void copy(moves *m, tn_move_when when, uint32_t body, const tn_value *from,
                 const tn_value *to) {
    if (from != NULL && !tn_is_not_given(from)) {
        add(m, when, TN_MOVE_COPY, from, to, (tn_plan_move){.body = body});
    }
}

static const tn_value *nth(tn_value *const *values, uint32_t n, uint32_t i) {
    return i < n ? values[i] : NULL;
}

/* A called function runs once: operands become arguments, outputs become results. */
static void move_call(moves *m) {
    const tn_graph *g = m->op->regions[0];
    for (uint32_t i = 0; i < g->n_inputs; i++) {
        copy(m, TN_MOVE_BEGIN, 0, tn_operand(m->op, i), g->inputs[i]);
    }
    for (uint32_t i = 0; i < m->op->n_results; i++) {
        copy(m, TN_MOVE_END, 0, nth(g->outputs, g->n_outputs, i), m->op->results[i]);
    }
}

/* Of several bodies without arguments one runs. */
static void move_branches(moves *m) {
    for (uint32_t r = 0; r < m->op->n_regions; r++) {
        const tn_graph *g = m->op->regions[r];
        for (uint32_t i = 0; i < m->op->n_results; i++) {
            copy(m, TN_MOVE_END, r, nth(g->outputs, g->n_outputs, i), m->op->results[i]);
        }
    }
}

/* States go from operand to argument, from output to argument, and from output to result; without
 * an iteration from argument to result. */
static void move_states(moves *m, tn_states st) {
    const tn_graph *g = m->op->regions[0];
    for (uint32_t k = 0; k < st.n; k++) {
        const tn_value *argument = nth(g->inputs, g->n_inputs, st.operand + k);
        const tn_value *output = nth(g->outputs, g->n_outputs, st.output + k);
        const tn_value *result = tn_result(m->op, k);
        copy(m, TN_MOVE_BEGIN, 0, tn_operand(m->op, st.operand + k), argument);
        copy(m, TN_MOVE_NEXT, 0, output, argument);
        copy(m, TN_MOVE_END, 0, output, result);
        copy(m, TN_MOVE_NONE, 0, argument, result);
    }
}

/* Before the states of a Loop come the number of the iteration and the condition, which is true
 * where the op leaves it out. */
static void move_counter(moves *m) {
    const tn_graph *g = m->op->regions[0];
    const tn_value *number = nth(g->inputs, g->n_inputs, 0);
    const tn_value *condition = nth(g->inputs, g->n_inputs, 1);
    const tn_value *given = tn_operand(m->op, 1);
    tn_plan_move none = {0};
    add(m, TN_MOVE_ITERATION, TN_MOVE_COUNT, NULL, number, none);
    add(m, TN_MOVE_BEGIN, given != NULL ? TN_MOVE_COPY : TN_MOVE_TRUE, given, condition, none);
    copy(m, TN_MOVE_NEXT, 0, nth(g->outputs, g->n_outputs, 0), condition);
}

/* Entry i of a list of ints the op has, resolved; 0 where it has none. */
static int64_t entry(const tn_plan_step *s, const char *name, uint32_t i) {
    const tn_attr *a = tn_plan_attr(s, name);
    return a != NULL && a->kind == TN_ATTR_INTS && i < a->n ? a->u.ints[i] : 0;
}

static void move_scanned(moves *m, const tn_plan_step *s, tn_states st) {
    const tn_graph *g = m->op->regions[0];
    for (uint32_t i = st.n; i < g->n_inputs; i++) {
        tn_plan_move where = {.axis = entry(s, "scan_input_axes", i - st.n),
                              .reverse = entry(s, "scan_input_directions", i - st.n) == 1};
        const tn_value *from = tn_operand(m->op, st.operand + i);
        if (from != NULL) {
            add(m, TN_MOVE_ITERATION, TN_MOVE_SLICE, from, g->inputs[i], where);
        }
    }
}

/* Outputs behind the states are stacked into the results behind them. */
static void move_stacked(moves *m, const tn_plan_step *s, tn_states st) {
    const tn_graph *g = m->op->regions[0];
    for (uint32_t i = st.n; i < m->op->n_results; i++) {
        tn_plan_move where = {.axis = entry(s, "scan_output_axes", i - st.n),
                              .reverse = entry(s, "scan_output_directions", i - st.n) == 1};
        const tn_value *from = nth(g->outputs, g->n_outputs, st.output + i);
        if (from != NULL) {
            add(m, TN_MOVE_AFTER, TN_MOVE_STACK, from, tn_result(m->op, i), where);
        }
    }
}

void tn_build_moves(const tn_build *b, const tn_op *op, tn_plan_step *s) {
    moves m = {.b = b, .op = op};
    if (tn_op_is_call(op)) {
        move_call(&m);
    } else if (!tn_is_loop(op)) {
        move_branches(&m);
    } else if (tn_op_iterates(op)) {
        tn_states st = tn_op_states(op);
        if (st.operand > 0) {
            move_counter(&m);
        } else {
            move_scanned(&m, s, st);
        }
        move_states(&m, st);
        move_stacked(&m, s, st);
    }
    tn_plan_move *out = TN_ARRAY(b->p->arena, tn_plan_move, m.list.len);
    for (uint32_t i = 0; i < m.list.len; i++) {
        out[i] = m.list.data[i];
    }
    s->moves = out;
    s->n_moves = m.list.len;
}
