/* Writing over an operand that dies: what the op table allows for the types at hand. */
#include "ir/check/check_t.h"

static uint32_t width_of(const tn_value *v) {
    return tn_dtype_get(v->type->dtype)->bits;
}

bool tn_check_is_narrower(const tn_value *result, const tn_value *operand) {
    return width_of(result) < width_of(operand);
}

/* A kernel that goes through the elements in either direction is asked to do so only where the
 * widths differ. Elements that share a byte with others cannot be gone through. */
static bool differs_in_width(const tn_value *r, const tn_value *o) {
    return width_of(r) != width_of(o) && width_of(r) % 8 == 0 && width_of(o) % 8 == 0;
}

static bool fits_condition(const tn_checking *c, tn_inplace_if cond, const tn_value *result,
                           const tn_value *operand) {
    const tn_type *r = result->type, *o = operand->type;
    if (((result->flags ^ operand->flags) & TN_VF_CHANNELS_LAST) != 0 && cond != TN_IF_MUST) {
        return false; /* equal indices lie at unequal places */
    }
    switch (cond) {
    case TN_IF_NEVER:
        return false;
    case TN_IF_SAME:
        return tn_type_same_extents(r, o) && tn_check_same_bytes(c, result, operand);
    case TN_IF_WIDTH:
        return tn_type_same_extents(r, o) && differs_in_width(result, operand);
    case TN_IF_ROWS:
    case TN_IF_UPDATE:
        return tn_type_same_extents(r, o) && r->dtype == o->dtype;
    case TN_IF_MUST:
        return tn_check_same_bytes(c, result, operand);
    }
    return false;
}

/* The strongest condition under which operand k may be written over. */
static tn_inplace_if condition_of(const tn_checking *c, const tn_value *result, uint32_t k) {
    const tn_op *op = result->def;
    tn_inplace_if best = TN_IF_NEVER;
    tn_inplace e;
    for (uint32_t i = 0; tn_op_inplace(op, i, &e); i++) {
        const tn_value *operand = op->operands[k].value;
        bool equal = e.cond == TN_IF_WIDTH && width_of(result) == width_of(operand);
        tn_inplace_if cond = equal ? TN_IF_SAME : e.cond;
        if (e.result == result->def_index && (e.operands & (1u << k)) != 0 && cond > best &&
            fits_condition(c, cond, result, operand)) {
            best = cond;
        }
    }
    return best;
}

/* Optimizers for many weights: behind a rate and a count stand all weights, all gradients, all of
 * the one and of the other moment; results leave the gradients out. */
static bool is_updated(const tn_checking *c, const tn_value *result, uint32_t k) {
    const tn_op *op = result->def;
    uint32_t groups = op->info->update_groups;
    if (groups == 0 || k < 2 || (op->n_operands - 2) % groups != 0) {
        return false;
    }
    uint32_t each = (op->n_operands - 2) / groups, group = (k - 2) / each, member = (k - 2) % each;
    return group != 1 && result->def_index == (group > 1 ? group - 1 : 0) * each + member &&
           fits_condition(c, TN_IF_UPDATE, result, op->operands[k].value);
}

static tn_inplace_if by_table(const tn_checking *c, const tn_value *result,
                              const tn_value *operand) {
    const tn_op *op = result->def;
    tn_inplace_if found = TN_IF_NEVER;
    /* Every place the operand stands in has to allow it: x in f(x, x) is read through both. */
    for (uint32_t k = 0; op != NULL && k < op->n_operands; k++) {
        if (op->operands[k].value != operand || !tn_reads_data(op, k)) {
            continue;
        }
        tn_inplace_if cond = is_updated(c, result, k) ? TN_IF_UPDATE
                             : k < 32                 ? condition_of(c, result, k)
                                                      : TN_IF_NEVER;
        if (cond == TN_IF_NEVER) {
            return TN_IF_NEVER;
        }
        found = cond > found ? cond : found;
    }
    return found;
}

tn_inplace_if tn_check_inplace(const tn_checking *c, const tn_value *result,
                               const tn_value *operand) {
    tn_inplace_if found = by_table(c, result, operand);
    return found == TN_IF_NEVER && tn_check_is_carried(c, result, operand) ? TN_IF_SAME : found;
}

/* ---- values of bodies ---- */

bool tn_check_is_next(const tn_checking *c, uint32_t u, uint32_t x) {
    const tn_fact *next = &c->facts[u], *argument = &c->facts[x];
    if (next->v->kind != TN_VALUE_RESULT || argument->v->kind != TN_VALUE_INPUT ||
        next->v->graph != argument->v->graph || argument->need != argument->read ||
        !tn_check_is_carried(c, next->v, argument->v)) {
        return false;
    }
    return argument->used < next->write ||
           (argument->used == next->write && by_table(c, next->v, argument->v) != TN_IF_NEVER);
}

bool tn_check_is_first(const tn_checking *c, uint32_t u, uint32_t x) {
    const tn_fact *argument = &c->facts[u], *operand = &c->facts[x];
    uint32_t n = 0;
    if (argument->v->kind != TN_VALUE_INPUT || argument->v->graph->owner == NULL ||
        operand->need != operand->read || !tn_check_is_carried(c, argument->v, operand->v)) {
        return false;
    }
    for (uint32_t i = 0; i < operand->n_reads; i++) {
        n += c->read_steps[operand->reads + i] >= (uint32_t)argument->write;
    }
    return n == 1 && operand->used == (int32_t)c->end[argument->v->graph->owner->id];
}
