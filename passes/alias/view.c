#include "passes/alias/view.h"

#include "ir/base/xmath.h"
#include "ir/ops/claims.h"
#include "ir/ops/part.h"
#include "ir/ops/work_order.h"

/* Pieces are found by adding up those before, so ops with more are not looked at. */
enum { MAX_PIECES = 4096 };

/* Bytes from the start of `whole` to part i of the op, or -1 when the part is not one run of bytes:
 * from the outermost axis with more than one element inwards all must be spanned. */
static int64_t run_offset(const tn_op *op, uint32_t i, const tn_value *whole) {
    int64_t elements = 0, bits, width = tn_dtype_get(whole->type->dtype)->bits;
    bool must_span = false;
    tn_part p;
    if (!tn_op_part(op, i, &p) || !tn_part_has_own_bytes(&p, width)) {
        return -1;
    }
    uint32_t axes[TN_MAX_RANK];
    tn_axes_as_laid((whole->flags & TN_VF_CHANNELS_LAST) != 0, p.rank, axes);
    for (uint32_t k = 0; k < p.rank; k++) {
        uint32_t a = axes[k];
        if (must_span && p.extent[a] != p.whole[a]) {
            return -1;
        }
        must_span = must_span || p.extent[a] > 1;
        if (!tn_mul_i64(elements, p.whole[a], &elements) ||
            !tn_add_i64(elements, p.start[a], &elements)) {
            return -1;
        }
    }
    return tn_mul_i64(elements, width, &bits) && bits % 8 == 0 ? bits / 8 : -1;
}

/* The same where extents are expressions: a piece is one run along the outermost axis that is
 * longer than 1. */
static int64_t open_run_offset(const tn_op *op, uint32_t i, const tn_value *whole, tn_dim *open) {
    tn_dims *d = whole->graph->module->dims;
    tn_piece p;
    int64_t offset, extent;
    if ((whole->flags & TN_VF_CHANNELS_LAST) != 0 || !tn_op_piece(op, i, &p)) {
        return -1;
    }
    for (uint32_t a = 0; a < p.axis; a++) {
        if (!tn_dim_is_const(d, whole->type->dims[a], &extent) || extent != 1) {
            return -1;
        }
    }
    if (tn_dim_by_data(d, p.offset)) {
        return -1; /* places are the same in all runs */
    }
    *open = tn_dim_is_const(d, p.offset, &offset) ? TN_DIM_UNKNOWN : p.offset;
    return tn_dim_at_point(d, p.offset, &offset) ? offset : -1;
}

uint32_t tn_view_count(const tn_op *op) {
    if (tn_op_is_call(op)) {
        uint32_t n = op->regions[0]->n_inputs;
        return n < op->n_operands ? n : op->n_operands;
    }
    tn_view_claim claim = tn_op_view(op);
    return claim.kind != TN_VIEW_NONE && claim.n <= MAX_PIECES ? claim.n : 0;
}

/* A called function runs once, with the operands as they are: its arguments need not be copies. */
static bool passed(const tn_op *op, uint32_t i, tn_view *out) {
    *out = (tn_view){.inner = op->regions[0]->inputs[i], .outer = tn_operand(op, i)};
    return out->outer != NULL && out->inner->type->dtype == out->outer->type->dtype;
}

bool tn_view_get(const tn_op *op, uint32_t i, tn_view *out) {
    if (tn_op_is_call(op)) {
        return passed(op, i, out);
    }
    tn_view_claim claim = tn_op_view(op);
    bool gathers = claim.kind == TN_VIEW_GATHERED;
    *out = (tn_view){.gathered = gathers};
    if (claim.kind == TN_VIEW_NONE) {
        return false;
    }
    tn_value *operand = tn_operand(op, claim.operand + (gathers ? i : 0));
    tn_value *result = tn_result(op, gathers ? 0 : i);
    out->inner = gathers ? operand : result;
    out->outer = gathers ? result : operand;
    bool same = claim.kind == TN_VIEW_WHOLE || claim.kind == TN_VIEW_IF_EQUAL;
    out->kind = same ? TN_VIEWS_SAME : TN_VIEWS_PLACED;
    if (operand == NULL || result == NULL || !claim.holds) {
        return false;
    }
    if ((out->inner->flags ^ out->outer->flags) & TN_VF_CHANNELS_LAST) {
        return false;
    }
    bool last = (out->inner->flags & TN_VF_CHANNELS_LAST) != 0;
    if (claim.kind == TN_VIEW_IF_EQUAL) {
        return tn_type_equal(result->type, operand->type);
    }
    if (same) {
        return !last || tn_type_same_extents(result->type, operand->type);
    }
    if (last && claim.kind == TN_VIEW_PERMUTED) {
        return false;
    }
    uint32_t part = gathers ? claim.operand + i : i;
    out->offset = run_offset(op, part, out->outer);
    if (out->offset < 0) {
        out->offset = open_run_offset(op, part, out->outer, &out->open_offset);
    }
    return out->offset >= 0;
}
