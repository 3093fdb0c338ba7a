#include "passes/alias/legal.h"

#include "passes/core/rules.h"

static uint32_t n_claims(const tn_op *op) {
    uint32_t n = 0;
    for (tn_inplace claim; tn_op_inplace(op, n, &claim);) {
        n++;
    }
    return n;
}

uint32_t tn_inplace_n_ways(const tn_op *op) {
    if (op->n_regions > 0) {
        return 0;
    }
    return n_claims(op) + (op->info->update_groups > 0 ? op->n_results : 0u);
}

/* Behind the claims of the table come the results of optimizers for many weights, each over the one
 * operand that it is the new form of. */
bool tn_inplace_get_way(const tn_op *op, uint32_t i, tn_inplace_way *out) {
    tn_inplace claim;
    if (!tn_op_inplace(op, i, &claim)) {
        uint32_t r = i - n_claims(op);
        int64_t k = tn_op_updated(op, r);
        *out = (tn_inplace_way){.result = r,
                                .from = k < 0 ? 0 : (uint32_t)k,
                                .to = k < 0 ? 0 : (uint32_t)k + 1,
                                .mask = UINT32_MAX,
                                .cond = TN_IF_UPDATE};
        return k >= 0 && tn_result(op, r) != NULL;
    }
    *out = (tn_inplace_way){.result = claim.result,
                            .to = op->n_operands < 32 ? op->n_operands : 32,
                            .mask = claim.operands,
                            .cond = claim.cond};
    return claim.cond != TN_IF_NEVER && claim.cond != TN_IF_MUST &&
           tn_result(op, claim.result) != NULL;
}

bool tn_inplace_names(const tn_op *op, const tn_inplace_way *way, uint32_t k) {
    return k >= way->from && k < way->to && (k >= 32 || (way->mask >> k & 1u)) &&
           tn_operand(op, k) != NULL && tn_reads_data(op, k);
}

static uint32_t width_of(const tn_value *v) {
    return tn_dtype_get(v->type->dtype)->bits;
}

tn_inplace_if tn_inplace_condition(const tn_inplace_way *way, const tn_value *r,
                                   const tn_value *o) {
    return way->cond == TN_IF_WIDTH && width_of(r) == width_of(o) ? TN_IF_SAME : way->cond;
}

bool tn_inplace_is_trusted(tn_inplace_kinds kinds, tn_inplace_if cond) {
    switch (cond) {
    case TN_IF_SAME:
        return kinds != TN_INPLACE_NONE;
    case TN_IF_ROWS:
    case TN_IF_UPDATE:
        return kinds >= TN_INPLACE_ALL;
    case TN_IF_WIDTH:
        return kinds >= TN_INPLACE_ORDERED;
    case TN_IF_NEVER:
    case TN_IF_MUST:
        break;
    }
    return false;
}

/* An element below a byte shares the byte with others, so it cannot be written by itself. */
static bool widths_fit(const tn_value *r, const tn_value *o, tn_inplace_if cond) {
    switch (cond) {
    case TN_IF_SAME:
        return width_of(r) == width_of(o);
    case TN_IF_WIDTH:
        return width_of(r) % 8 == 0 && width_of(o) % 8 == 0;
    case TN_IF_NEVER:
    case TN_IF_ROWS:
    case TN_IF_UPDATE:
    case TN_IF_MUST:
        break;
    }
    return r->type->dtype == o->type->dtype;
}

tn_reason tn_inplace_misfit(const tn_value *r, uint64_t r_bytes, const tn_value *o,
                            uint64_t o_bytes, tn_inplace_if cond) {
    if (r_bytes == TN_NO_BYTES || o_bytes == TN_NO_BYTES) {
        return TN_REASON_UNSIZED;
    }
    if ((r->flags ^ o->flags) & TN_VF_CHANNELS_LAST) {
        return TN_REASON_LAYOUT;
    }
    if (!TN_KEEP(INDEX, tn_type_same_extents(r->type, o->type), true)) {
        return TN_REASON_BROADCAST;
    }
    bool fits = widths_fit(r, o, cond) && (r_bytes == o_bytes || cond == TN_IF_WIDTH);
    return TN_KEEP(INDEX, fits, true) ? TN_REASON_NONE : TN_REASON_WIDTH;
}
