#include "frontends/core/arity.h"

#include "ir/ops/row.h"

void tn_check_arity(tn_ctx *ctx, const tn_op *op, uint32_t n_operands) {
    if (op->code == TN_OP_EXTERN) {
        return;
    }
    tn_arity a = tn_op_row(op)->arity;
    bool few = n_operands < (uint32_t)a.least_in;
    if (few || (a.most_in >= 0 && n_operands > (uint32_t)a.most_in)) {
        tn_fail(ctx, &op->loc, "%u operands, %s takes %s%d", n_operands, op->type,
                few ? "at least " : "at most ", few ? a.least_in : a.most_in);
    }
    if (a.most_out >= 0 && op->n_results > (uint32_t)a.most_out) {
        tn_fail(ctx, &op->loc, "%u results, %s gives at most %d", op->n_results, op->type,
                a.most_out);
    }
}
