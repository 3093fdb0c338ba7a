/* What ops with nested graphs copy. Asked from the side of the targets: which moves every argument
 * of a body and every result needs; the plan must list these and no others. */
#include "ir/check/check_t.h"
#include "ir/left_out.h"
#include "ir/ops/claims.h"
#include "ir/ops/op_attrs.h"

typedef struct wanted {
    tn_checking *c;
    const tn_op *op;
    const tn_plan_step *s;
    uint32_t step, body, n; /* n: moves found so far */
    bool failed;
} wanted;

static const tn_value *at(tn_value *const *values, uint32_t n, uint32_t i) {
    return i < n ? values[i] : NULL;
}

static void want(wanted *w, tn_move_when when, tn_move_kind kind, const tn_value *from,
                 const tn_value *to, int64_t axis, bool reverse) {
    bool nameless = kind == TN_MOVE_COUNT || kind == TN_MOVE_TRUE;
    bool given = from != NULL && !tn_is_not_given(from);
    if (to == NULL || (!given && !nameless) || w->failed) {
        return;
    }
    uint32_t source = nameless ? TN_NO_ID : w->c->plan_value[from->id];
    uint32_t target = w->c->plan_value[to->id], found = 0;
    for (uint32_t i = 0; i < w->s->n_moves; i++) {
        const tn_plan_move *m = &w->s->moves[i];
        found += m->when == when && m->kind == kind && m->body == w->body && m->from == source &&
                 m->to == target && m->axis == axis && m->reverse == reverse;
    }
    if (found == 0) {
        w->failed = true;
        tn_check_fail(w->c, "%s does not list what has to be moved to %s",
                      tn_check_step_name(w->c, (int32_t)w->step),
                      tn_check_value_name(w->c, target));
    }
    w->n++;
}

static void copies(wanted *w, tn_move_when when, const tn_value *from, const tn_value *to) {
    want(w, when, TN_MOVE_COPY, from, to, 0, false);
}

static int64_t listed(const wanted *w, const char *name, uint32_t i) {
    const tn_attr *a = tn_plan_attr(w->s, name);
    return a != NULL && a->kind == TN_ATTR_INTS && i < a->n ? a->u.ints[i] : 0;
}

/* A loop that counts has the number of the iteration and a condition before its states; one that
 * scans has slices of operands behind them. */
static void want_argument(wanted *w, const tn_graph *g, tn_states st, uint32_t j) {
    const tn_value *argument = g->inputs[j], *operand = tn_operand(w->op, j);
    bool counts = st.operand > 0;
    if (counts && j == 0) {
        want(w, TN_MOVE_ITERATION, TN_MOVE_COUNT, NULL, argument, 0, false);
    } else if (j < st.operand) {
        want(w, TN_MOVE_BEGIN, operand != NULL ? TN_MOVE_COPY : TN_MOVE_TRUE, operand, argument, 0,
             false);
        copies(w, TN_MOVE_NEXT, at(g->outputs, g->n_outputs, 0), argument);
    } else if (j < st.operand + st.n) {
        copies(w, TN_MOVE_BEGIN, operand, argument);
        copies(w, TN_MOVE_NEXT, at(g->outputs, g->n_outputs, j - st.operand + st.output), argument);
    } else if (!counts) {
        want(w, TN_MOVE_ITERATION, TN_MOVE_SLICE, operand, argument,
             listed(w, "scan_input_axes", j - st.n),
             listed(w, "scan_input_directions", j - st.n) == 1);
    }
}

static void want_result(wanted *w, const tn_graph *g, tn_states st, uint32_t r) {
    const tn_value *output = at(g->outputs, g->n_outputs, st.output + r);
    if (r < st.n) {
        copies(w, TN_MOVE_END, output, w->op->results[r]);
        copies(w, TN_MOVE_NONE, at(g->inputs, g->n_inputs, st.operand + r), w->op->results[r]);
    } else {
        want(w, TN_MOVE_AFTER, TN_MOVE_STACK, output, w->op->results[r],
             listed(w, "scan_output_axes", r - st.n),
             listed(w, "scan_output_directions", r - st.n) == 1);
    }
}

static void want_of_loop(wanted *w) {
    const tn_graph *g = w->op->regions[0];
    tn_states st = tn_op_states(w->op);
    for (uint32_t j = 0; j < g->n_inputs; j++) {
        want_argument(w, g, st, j);
    }
    for (uint32_t r = 0; r < w->op->n_results; r++) {
        want_result(w, g, st, r);
    }
}

/* Bodies that run once: a called function, or one of several branches. */
static void want_of_others(wanted *w) {
    for (w->body = 0; w->body < w->op->n_regions; w->body++) {
        const tn_graph *g = w->op->regions[w->body];
        for (uint32_t j = 0; j < g->n_inputs; j++) {
            copies(w, TN_MOVE_BEGIN, tn_operand(w->op, j), g->inputs[j]);
        }
        for (uint32_t r = 0; r < w->op->n_results; r++) {
            copies(w, TN_MOVE_END, at(g->outputs, g->n_outputs, r), w->op->results[r]);
        }
    }
}

static void check_step(tn_checking *c, uint32_t step) {
    wanted w = {.c = c, .op = c->step_op[step], .s = &c->p->steps[step], .step = step};
    if (w.s->kind == TN_STEP_BEGIN && tn_op_iterates(w.op)) {
        want_of_loop(&w);
    } else if (w.s->kind == TN_STEP_BEGIN && !tn_is_loop(w.op)) {
        want_of_others(&w);
    }
    if (!w.failed && w.n != w.s->n_moves) {
        tn_check_fail(c, "%s lists %u moves, the model needs %u",
                      tn_check_step_name(c, (int32_t)step), w.s->n_moves, w.n);
    }
}

void tn_check_moves(tn_checking *c) {
    for (uint32_t i = 0; i < c->p->n_steps; i++) {
        check_step(c, i);
    }
}
