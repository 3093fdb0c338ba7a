#include "passes/analysis/handed_on.h"

#include "ir/ops/claims.h"

/* Longer ways through a body are taken for computing. */
enum { MAX_WAY = 64 };

uint32_t tn_n_loop_states(const tn_op *op) {
    tn_states s = tn_op_states(op);
    bool fits = op->n_regions == 1 && op->regions[0]->n_inputs == op->n_operands &&
                op->regions[0]->n_outputs >= s.n + s.output;
    return fits ? s.n : 0;
}

tn_loop_state tn_loop_state_get(const tn_op *op, uint32_t k) {
    tn_states s = tn_op_states(op);
    const tn_graph *body = op->regions[0];
    return (tn_loop_state){tn_operand(op, s.operand + k), body->inputs[s.operand + k],
                           body->outputs[s.output + k], tn_result(op, k)};
}

static bool fits(const tn_value *a, const tn_value *b) {
    return b != NULL && a->type->dtype == b->type->dtype &&
           ((a->flags ^ b->flags) & TN_VF_CHANNELS_LAST) == 0 &&
           tn_type_same_bytes(a->graph->module->dims, a->type, b->type);
}

/* The operand that an op shows whole, or NULL. */
static tn_value *looked_at(const tn_value *v) {
    tn_view_claim claim = tn_op_view(v->def);
    bool whole = claim.kind == TN_VIEW_WHOLE || claim.kind == TN_VIEW_IF_EQUAL;
    tn_value *of = whole && claim.holds ? tn_operand(v->def, claim.operand) : NULL;
    bool shows = of != NULL && v->def_index == 0 &&
                 (claim.kind == TN_VIEW_WHOLE || tn_type_equal(v->type, of->type));
    return shows && fits(v, of) ? of : NULL;
}

/* A result of a loop further in, if that hands it on, is the loop's operand, through its argument.
 */
static tn_value *same_data(tn_value *const *from, const tn_value *v) {
    if (v->kind != TN_VALUE_RESULT) {
        return NULL;
    }
    return v->def->n_regions == 0 ? looked_at(v)
           : from[v->id] != NULL  ? from[from[v->id]->id]
                                  : NULL;
}

static void follow(const tn_loop_state *x, tn_value **from, bool *in_round) {
    const tn_graph *body = x->argument->graph;
    tn_value *v = x->output;
    for (uint32_t n = 0; v != NULL && v != x->argument && n < MAX_WAY; n++) {
        v = v->graph == body ? same_data(from, v) : NULL;
    }
    if (v != x->argument || !fits(x->argument, x->operand)) {
        return;
    }
    for (v = x->output; v != x->argument; v = from[v->id]) {
        in_round[v->id] = true;
        from[v->id] = from[v->id] != NULL ? from[v->id] : same_data(from, v);
    }
    from[x->argument->id] = x->operand;
    if (x->result != NULL && fits(x->result, x->argument)) {
        from[x->result->id] = x->argument;
    }
}

static const void *compute(tn_analyses *an, tn_module *m, tn_arena *arena) {
    (void)an;
    tn_handed_on *h = TN_NEW(arena, tn_handed_on);
    tn_value **from = TN_ARRAY(arena, tn_value *, m->n_values);
    bool *in_round = TN_ARRAY(arena, bool, m->n_values);
    for (uint32_t g = m->n_graphs; g-- > 0;) { /* bodies before the graphs of their ops */
        const tn_op *op = m->graphs[g]->owner;
        uint32_t n = op != NULL && !op->erased ? tn_n_loop_states(op) : 0;
        for (uint32_t k = 0; k < n; k++) {
            tn_loop_state x = tn_loop_state_get(op, k);
            follow(&x, from, in_round);
        }
    }
    *h = (tn_handed_on){from, in_round};
    return h;
}

const tn_analysis_info tn_analysis_handed_on = {
    .name = "handed_on",
    .summary = "finds the states that loops hand on as they are",
    .depends =
        1u << TN_FACET_OPS | 1u << TN_FACET_TYPES | 1u << TN_FACET_ATTRS | 1u << TN_FACET_FLAGS,
    .compute = compute,
};

const tn_handed_on *tn_get_handed_on(tn_analyses *an) {
    return tn_analysis_get(an, &tn_analysis_handed_on);
}
