/* Views: whether what the op table says of an op makes one value lie where the plan has it in
 * another. False is always a safe answer: the plan is refused. */
#include "ir/base/xmath.h"
#include "ir/check/check_t.h"
#include "ir/ops/part.h"

bool tn_check_same_bytes(const tn_checking *c, const tn_value *a, const tn_value *b) {
    return tn_type_same_bytes(c->m->dims, a->type, b->type);
}

/* Whether the part is one run of elements in memory: behind the outermost axis on which it is
 * longer than 1, it must span every axis. *offset is its first element. */
static bool is_run(const tn_part *p, bool channels_last, int64_t *offset) {
    int64_t stride = 1, sum = 0, term;
    bool full = true; /* all axes seen so far (inner ones) are spanned */
    for (uint32_t k = p->rank; k-- > 0;) {
        /* axis 1 is the innermost of a channel-last value, and moves the others outwards */
        bool moved = channels_last && p->rank > 2 && k > 0;
        uint32_t i = !moved ? k : k + 1 == p->rank ? 1 : k + 1;
        if (p->extent[i] > 1 && !full) {
            return false;
        }
        full = full && p->extent[i] == p->whole[i];
        if (!tn_mul_i64(p->start[i], stride, &term) || !tn_add_i64(sum, term, &sum) ||
            !tn_mul_i64(stride, p->whole[i], &stride)) {
            return false;
        }
    }
    *offset = sum;
    return true;
}

static bool is_last(const tn_value *v) {
    return (v->flags & TN_VF_CHANNELS_LAST) != 0;
}

/* Of extents that are expressions: piece `i` is one run for all of them if the whole has one row,
 * and starts at byte `at` for those of the planning point. For the others tn_check_ranges looks. */
static bool is_piece_at(const tn_op *op, uint32_t i, const tn_value *whole, int64_t at) {
    tn_dims *d = whole->graph->module->dims;
    tn_dim rows = tn_dim_const(d, 1), one = rows;
    tn_piece p;
    int64_t here;
    if (is_last(whole) || !tn_op_piece(op, i, &p) || p.whole != whole) {
        return false;
    }
    for (uint32_t a = 0; a < p.axis; a++) {
        rows = whole->type->dims[a] == one ? rows : TN_DIM_UNKNOWN;
    }
    return rows == one && !tn_dim_by_data(d, p.offset) && tn_dim_at_point(d, p.offset, &here) &&
           here == at;
}

/* Whether part `i` of the op is one run of bytes in `whole` that starts at byte `at`. */
static bool lies_at(const tn_op *op, uint32_t i, const tn_value *whole, int64_t at) {
    tn_part p;
    int64_t offset, bits, width = tn_dtype_get(whole->type->dtype)->bits;
    if (!tn_op_part(op, i, &p)) {
        return is_piece_at(op, i, whole, at);
    }
    return is_run(&p, is_last(whole), &offset) && tn_mul_i64(offset, width, &bits) &&
           bits % 8 == 0 && bits / 8 == at && tn_part_has_own_bytes(&p, width);
}

/* Where an operand lies is found by going through those before it: of more than this many, none is
 * taken to be gathered. */
enum { MOST_GATHERED = 4096 };

bool tn_check_is_gathered(const tn_value *result, uint32_t k, uint64_t at) {
    const tn_op *op = result->def;
    const tn_view_claim claim = tn_op_view(op);
    const tn_value *operand = tn_operand(op, k);
    return claim.kind == TN_VIEW_GATHERED && claim.holds && claim.n <= MOST_GATHERED &&
           result->def_index == 0 && k >= claim.operand && k - claim.operand < claim.n &&
           operand != NULL && is_last(result) == is_last(operand) && at <= INT64_MAX &&
           lies_at(op, k, result, (int64_t)at);
}

/* The operands lie inside the result; one may occur more than once and can lie in one of its places
 * only. */
static bool is_gathered(const tn_op *op, const tn_view_claim *claim, const tn_value *result,
                        const tn_value *operand, int64_t at) {
    for (uint32_t k = claim->operand; k < claim->operand + claim->n; k++) {
        if (claim->n <= MOST_GATHERED && tn_operand(op, k) == operand &&
            lies_at(op, k, result, at)) {
            return true;
        }
    }
    return false;
}

/* The argument of a called function and the operand that it stands for. */
static bool is_argument(const tn_checking *c, const tn_value *argument, const tn_value *operand) {
    const tn_op *call = argument->kind == TN_VALUE_INPUT ? argument->graph->owner : NULL;
    return call != NULL && tn_op_is_call(call) &&
           tn_operand(call, c->position[argument->id]) == operand &&
           argument->type->dtype == operand->type->dtype &&
           tn_check_same_bytes(c, argument, operand);
}

/* ---- what loops hand on ---- */

/* Longer ways of data through a body are not followed. */
enum { MAX_WAY = 64 };

/* State k of a loop; false where the body does not have it. */
static bool get_state(const tn_op *op, uint32_t k, const tn_value **argument,
                      const tn_value **output) {
    tn_states s = tn_op_states(op);
    const tn_graph *body = op->n_regions == 1 ? op->regions[0] : NULL;
    if (body == NULL || k >= s.n || s.operand + k >= body->n_inputs ||
        s.output + k >= body->n_outputs) {
        return false;
    }
    *argument = body->inputs[s.operand + k];
    *output = body->outputs[s.output + k];
    return true;
}

static bool lie_together(const tn_checking *c, const tn_value *a, const tn_value *b) {
    uint32_t i = c->plan_value[a->id], k = c->plan_value[b->id];
    if (i == TN_NO_ID || k == TN_NO_ID) {
        return false;
    }
    const tn_plan_value *x = &c->p->values[i], *y = &c->p->values[k];
    return x->storage != TN_NO_ID && x->storage == y->storage && x->offset == y->offset;
}

static bool is_handed_on(const tn_checking *c, const tn_op *op, uint32_t k);

/* What the data of `v`, a result, are, unchanged, by the op that makes it; NULL: something else. */
static const tn_value *unchanged(const tn_checking *c, const tn_value *v) {
    const tn_op *op = v->def;
    if (op->n_regions > 0) {
        tn_states s = tn_op_states(op);
        return is_handed_on(c, op, v->def_index) ? tn_operand(op, s.operand + v->def_index) : NULL;
    }
    tn_view_claim claim = tn_op_view(op);
    bool whole = claim.kind == TN_VIEW_WHOLE || claim.kind == TN_VIEW_IF_EQUAL;
    const tn_value *of = whole ? tn_operand(op, claim.operand) : NULL;
    return of != NULL && tn_check_is_view(c, v, of, 0) ? of : NULL;
}

/* Whether each round gives the argument to the next one as it is, in one place: nothing is ever
 * written there. */
static bool is_handed_on(const tn_checking *c, const tn_op *op, uint32_t k) {
    const tn_value *argument, *v;
    if (!get_state(op, k, &argument, &v)) {
        return false;
    }
    for (uint32_t n = 0; v != argument; n++) {
        if (n == MAX_WAY || v->graph != argument->graph || v->kind != TN_VALUE_RESULT ||
            !lie_together(c, v, argument)) {
            return false;
        }
        v = unchanged(c, v);
        if (v == NULL) {
            return false;
        }
    }
    return true;
}

/* Of such a state the argument is the operand, and the result the argument. */
static bool is_state_view(const tn_checking *c, const tn_value *v, const tn_value *of) {
    bool enters = v->kind == TN_VALUE_INPUT;
    const tn_op *op = enters ? v->graph->owner : v->def;
    if (op == NULL || op->n_regions != 1 || v->type->dtype != of->type->dtype ||
        is_last(v) != is_last(of) || !tn_check_same_bytes(c, v, of)) {
        return false;
    }
    uint32_t first = tn_op_states(op).operand;
    uint32_t k = enters ? c->position[v->id] - first : v->def_index; /* before the states: wraps */
    const tn_value *argument, *output;
    return get_state(op, k, &argument, &output) &&
           (enters ? v == argument && of == tn_operand(op, first + k) : of == argument) &&
           is_handed_on(c, op, k);
}

bool tn_check_is_view(const tn_checking *c, const tn_value *result, const tn_value *operand,
                      int64_t delta) {
    if (is_argument(c, result, operand) || is_state_view(c, result, operand)) {
        return delta == 0;
    }
    const tn_op *op = result->def;
    tn_view_claim claim = {.kind = TN_VIEW_NONE};
    if (op != NULL) {
        claim = tn_op_view(op);
    }
    if (is_last(result) != is_last(operand)) {
        return false;
    }
    bool first = result->def_index == 0, same = tn_check_same_bytes(c, result, operand);
    if (claim.kind == TN_VIEW_GATHERED) {
        return claim.holds && first && is_gathered(op, &claim, result, operand, -delta);
    }
    if (!claim.holds || tn_operand(op, claim.operand) != operand) {
        return false;
    }
    bool as_it_was = !is_last(result) || tn_type_same_extents(result->type, operand->type);
    switch (claim.kind) {
    case TN_VIEW_WHOLE:
        return first && delta == 0 && same && as_it_was;
    case TN_VIEW_IF_EQUAL:
        return first && delta == 0 && same && tn_type_equal(result->type, operand->type);
    case TN_VIEW_PERMUTED:
        return first && delta == 0 && same && !is_last(result) && lies_at(op, 0, operand, 0);
    case TN_VIEW_PART:
        return first && lies_at(op, 0, operand, delta);
    case TN_VIEW_PARTS:
        return lies_at(op, result->def_index, operand, delta);
    case TN_VIEW_NONE:
    case TN_VIEW_GATHERED:
        break;
    }
    return false;
}
