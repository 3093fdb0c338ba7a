#include "ir/ops/flops.h"

#include "ir/ops/group_claims.h"
#include "ir/walk.h"

static double elements(const tn_value *v) {
    int64_t bytes = 0;
    if (v == NULL || v->type->kind != TN_TYPE_TENSOR ||
        !tn_type_point_bytes(v->graph->module->dims, v->type, &bytes)) {
        return 0;
    }
    return (double)bytes * 8 / tn_dtype_get(v->type->dtype)->bits;
}

/* Extent of an axis, counted from the back where negative; 1 where it is not known. */
static double extent(const tn_value *v, int32_t axis) {
    int64_t x = 1;
    if (v == NULL || !v->type->has_rank) {
        return 1;
    }
    int64_t at = axis < 0 ? (int64_t)v->type->rank + axis : axis;
    bool known = at >= 0 && at < v->type->rank &&
                 tn_dim_at_point(v->graph->module->dims, v->type->dims[at], &x) && x > 0;
    return known ? (double)x : 1;
}

/* Elements of the weights that one element of the other side meets. */
static double window(const tn_value *w) {
    return elements(w) / extent(w, 0);
}

static double written(const tn_op *op) {
    double sum = 0;
    for (uint32_t r = 0; r < op->n_results; r++) {
        sum += elements(tn_part_result(op, r));
    }
    return sum;
}

static double of_parts(const tn_op *op) {
    double sum = 0;
    for (uint32_t i = 0; i < op->n_parts; i++) {
        sum += tn_op_flops(op->parts[i]);
    }
    return sum;
}

double tn_op_flops(const tn_op *op) {
    if (op->n_parts > 0) {
        return of_parts(op);
    }
    const tn_value *a = tn_part_operand(op, 0), *b = tn_part_operand(op, 1),
                   *y = tn_part_result(op, 0);
    switch (op->info->flops) {
    case TN_FLOPS_ELEMENTS:
        break;
    case TN_FLOPS_PRODUCT:
        return 2 * elements(y) * extent(a, tn_attr_int(op, "transA", 0) != 0 ? -2 : -1);
    case TN_FLOPS_CONV:
        return 2 * elements(y) * window(b);
    case TN_FLOPS_CONV_TRANSPOSE:
    case TN_FLOPS_CONV_GRAD_X:
        return 2 * elements(a) * window(b);
    case TN_FLOPS_CONV_GRAD:
        return 2 * elements(a) * window(tn_part_operand(op, 2)) *
               ((y != NULL) + (tn_part_result(op, 1) != NULL));
    case TN_FLOPS_CONV_GRAD_W:
        return 2 * elements(a) * window(y);
    case TN_FLOPS_ATTENTION:
        return 4 * elements(a) * extent(a, -2);
    case TN_FLOPS_RECURRENT:
        return 2 * elements(a) / extent(a, -1) * (elements(b) + elements(tn_part_operand(op, 2)));
    }
    return 2 * written(op);
}

double tn_graph_flops(const tn_graph *g) {
    double sum = 0;
    TN_FOR_ALL_OPS(op, g) {
        sum += op->clone_of == NULL ? tn_op_flops(op) : 0;
    }
    return sum;
}

uint64_t tn_flops_count(double flops) {
    const uint64_t most = (uint64_t)1 << 53;
    return flops >= (double)most ? most : (uint64_t)(flops + 0.5);
}
