/* Ops that run bodies, as the ops of these: a call, an If whose condition is known, and a Loop
 * whose rounds are. */
#include "ir/gradient/copy_body.h"
#include "ir/gradient/expand.h"
#include "ir/gradient/unrolled.h"
#include "ir/ops/claims.h"

static const char *stem_of(const tn_op *op) {
    return op->name[0] != '\0' ? op->name : op->type;
}

static void hand_results(const tn_copying *c, const tn_graph *body, const tn_op *op,
                         tn_value **made) {
    for (uint32_t r = 0; r < op->n_results && r < body->n_outputs; r++) {
        made[r] = tn_copy_of(c, body->outputs[r]);
    }
}

void tn_expand_call(tn_grad *g, tn_value **made) {
    const tn_graph *body = g->op->regions[0];
    tn_copying c = tn_copying_of(g->e, g->op, stem_of(g->op));
    for (uint32_t i = 0; i < body->n_inputs; i++) {
        tn_value *v = tn_operand(g->op, i);
        if (v != NULL) {
            tn_copy_let(&c, body->inputs[i], v);
        } else if (body->inputs[i]->n_uses > 0) {
            tn_fail(g->e->ctx, &g->op->loc,
                    "argument '%s' of the function is left out, and its body reads it: the call "
                    "cannot be inlined; give it a value",
                    body->inputs[i]->name);
        }
    }
    tn_copy_consts(&c, body);
    tn_copy_body(&c, body);
    hand_results(&c, body, g->op, made);
}

void tn_expand_if(tn_grad *g, tn_value **made) {
    int64_t taken;
    (void)tn_known_int(g->e, tn_operand(g->op, 0), &taken);
    const tn_attr *branch = tn_op_attr(g->op, taken != 0 ? "then_branch" : "else_branch");
    if (branch == NULL || branch->kind != TN_ATTR_GRAPH) {
        tn_grad_fail(g, "the branch that is taken is missing");
    }
    tn_copying c = tn_copying_of(g->e, g->op, stem_of(g->op));
    tn_copy_consts(&c, branch->u.g);
    tn_copy_body(&c, branch->u.g);
    hand_results(&c, branch->u.g, g->op, made);
}

/* ---- loops ---- */

/* Whether there is a round `i` more: M and the condition have to say so before the run. */
static bool goes_on(tn_grad *g, tn_value *cond, int64_t i) {
    int64_t most, holds;
    tn_value *count = tn_operand(g->op, 0);
    bool bounded = tn_known_int(g->e, count, &most);
    if (bounded && i >= most) {
        return false;
    }
    if (cond != NULL && !tn_known_int(g->e, cond, &holds)) {
        tn_grad_fail(g,
                     "whether its condition '%s' holds before round %lld is not known before the "
                     "run",
                     cond->name, (long long)i);
    }
    if (cond != NULL && holds == 0) {
        return false;
    }
    if (count != NULL && !bounded) {
        tn_grad_fail(g,
                     "'%s', how often it runs, is not known before the run: give the dimensions "
                     "values (--dim)",
                     count->name);
    }
    return true;
}

/* Exporters declare the counter as a scalar, or as a vector of one element. */
static tn_value *counter(tn_emitter *e, const tn_value *declared, int64_t i) {
    bool vector = declared->type->has_rank && declared->type->rank == 1;
    return vector ? tn_emit_ints(e, &i, 1) : tn_emit_int(e, i);
}

void tn_expand_loop(tn_grad *g, tn_value **made) {
    enum { COUNTER, CONDITION, FIRST_STATE };
    tn_unrolled u = tn_unroll_start(g, tn_op_states(g->op).n);
    const tn_graph *body = u.body;
    tn_value *cond = tn_operand(g->op, CONDITION);
    if (body->n_inputs != u.n_states + FIRST_STATE || body->n_outputs < u.n_states + 1u) {
        tn_grad_fail(g, "its body does not fit its operands");
    }
    for (uint32_t k = 0; k < u.n_states; k++) {
        u.states[k] = tn_operand(g->op, FIRST_STATE + k);
        if (u.states[k] == NULL) {
            tn_grad_fail(g, "state %u is left out", k);
        }
    }
    for (int64_t i = 0; goes_on(g, cond, i); i++) {
        tn_unroll_round(&u, i);
        tn_copying *c = &u.copies;
        tn_copy_let(c, body->inputs[COUNTER], counter(g->e, body->inputs[COUNTER], i));
        tn_copy_let(c, body->inputs[CONDITION], tn_emit_truth(g->e));
        for (uint32_t k = 0; k < u.n_states; k++) {
            tn_copy_let(c, body->inputs[FIRST_STATE + k], u.states[k]);
        }
        tn_unroll_body(&u, 1);
        cond = tn_copy_of(c, body->outputs[0]);
    }
    tn_unroll_end(&u, NULL, NULL, made);
}
