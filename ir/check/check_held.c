/* Which bytes of a value are there before the step that makes it, as the plan places things: all of
 * a view, and of a result into which operands are gathered those of each operand that lies in its
 * place. Two values share bytes, not contents: a value may be the same as one operand here and as
 * another there. */
#include "ir/check/check_t.h"

/* The value that `v` would be a view of, where that is not gathered: what enters a body, what a
 * loop hands on as it is, or the operand that the op's row names. */
static const tn_value *shown_by(const tn_checking *c, const tn_value *v) {
    if (v->kind == TN_VALUE_INPUT) {
        const tn_op *owner = v->graph->owner;
        return owner != NULL ? tn_operand(owner, c->position[v->id]) : NULL;
    }
    const tn_op *op = v->kind == TN_VALUE_RESULT ? v->def : NULL;
    if (op == NULL) {
        return NULL;
    }
    if (op->n_regions > 0) {
        tn_states s = tn_op_states(op);
        uint32_t at = s.operand + v->def_index;
        const tn_graph *body = op->n_regions == 1 ? op->regions[0] : NULL;
        return body != NULL && v->def_index < s.n && at < body->n_inputs ? body->inputs[at] : NULL;
    }
    tn_view_claim claim = tn_op_view(op);
    bool shows = claim.kind != TN_VIEW_NONE && claim.kind != TN_VIEW_GATHERED;
    return shows ? tn_operand(op, claim.operand) : NULL;
}

/* The plan's value of `v` where it lies inside the storage of `value`; else TN_NO_ID. */
static uint32_t placed_beside(const tn_checking *c, uint32_t value, const tn_value *v) {
    uint32_t other = v != NULL ? c->plan_value[v->id] : TN_NO_ID;
    bool beside = other != TN_NO_ID && other != value && c->facts[other].placed &&
                  c->facts[other].bytes > 0 &&
                  c->p->values[other].storage == c->p->values[value].storage;
    return beside ? other : TN_NO_ID;
}

static uint32_t gathered(const tn_checking *c, uint32_t value, const tn_op *op, tn_view_claim claim,
                         tn_check_held *out) {
    uint32_t n = 0;
    uint64_t behind = 0;
    for (uint32_t k = claim.operand; k < claim.operand + claim.n; k++) {
        uint32_t o = placed_beside(c, value, tn_operand(op, k));
        uint64_t from = o != TN_NO_ID ? c->p->values[o].offset - c->p->values[value].offset : 0;
        if (o != TN_NO_ID && c->p->values[o].offset >= c->p->values[value].offset &&
            from >= behind && tn_reads_data(op, k) &&
            tn_check_is_gathered(c->facts[value].v, k, from)) {
            behind = from + c->facts[o].bytes;
            out[n++] = (tn_check_held){from, behind, c->facts[o].root};
        }
    }
    return n;
}

uint32_t tn_check_held_bytes(const tn_checking *c, uint32_t value, tn_check_held *out) {
    const tn_fact *f = &c->facts[value];
    const tn_op *op = f->v->kind == TN_VALUE_RESULT ? f->v->def : NULL;
    if (!f->placed || f->bytes == 0) {
        return 0;
    }
    tn_view_claim claim = {.kind = TN_VIEW_NONE};
    if (op != NULL && op->n_regions == 0) {
        claim = tn_op_view(op);
    }
    if (claim.kind == TN_VIEW_GATHERED) {
        return f->v->def_index == 0 ? gathered(c, value, op, claim, out) : 0;
    }
    uint32_t o = placed_beside(c, value, shown_by(c, f->v));
    if (o == TN_NO_ID) {
        return 0;
    }
    int64_t delta = (int64_t)(c->p->values[value].offset - c->p->values[o].offset);
    if (!tn_check_is_view(c, f->v, c->facts[o].v, delta)) {
        return 0;
    }
    out[0] = (tn_check_held){0, f->bytes, c->facts[o].root};
    return 1;
}
