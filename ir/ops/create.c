/* Tensors made from attributes, shapes and few numbers. */
#include <math.h>

#include "ir/base/limits.h"
#include "ir/infer/common.h"
#include "ir/infer/content.h"
#include "ir/infer/fold.h"
#include "ir/ops/op_rules.h"

static const tn_type *type_of_tensor(tn_infer *in, const tn_tensor *t) {
    tn_dim *dims = tn_dims_unknown(in, t->rank);
    for (uint32_t i = 0; i < t->rank; i++) {
        dims[i] = tn_in_const(in, t->dims[i]);
    }
    return tn_type_tensor(in->arena, t->dtype, t->rank, dims);
}

/* The elements of attribute `value` reach readers through tn_value_tensor; the plain forms are
 * known elements like any other. */
void tn_shape_constant(tn_infer *in) {
    const tn_attr *attr;
    uint32_t n;
    if ((attr = tn_op_attr(in->op, "value")) != NULL && attr->kind == TN_ATTR_TENSOR) {
        tn_out_type(in, 0, type_of_tensor(in, attr->u.t));
    } else if ((attr = tn_op_attr(in->op, "value_int")) != NULL && attr->kind == TN_ATTR_INT) {
        tn_dim value = tn_in_const(in, attr->u.i);
        tn_out_scalar(in, 0, TN_DT_INT64);
        tn_out_content(in, 0, 1, &value);
    } else if ((attr = tn_op_attr(in->op, "value_ints")) != NULL) {
        const int64_t *ints = tn_attr_ints(in->op, "value_ints", &n);
        tn_out_vector(in, 0, TN_DT_INT64, tn_in_const(in, n));
        tn_dim *dims = tn_dims_unknown(in, n < TN_MAX_CONTENT ? n : 0);
        for (uint32_t i = 0; i < n && n <= TN_MAX_CONTENT; i++) {
            dims[i] = tn_in_const(in, ints[i]);
        }
        tn_out_content(in, 0, n, dims);
    } else if ((attr = tn_op_attr(in->op, "value_float")) != NULL && attr->kind == TN_ATTR_FLOAT) {
        tn_out_scalar(in, 0, TN_DT_FLOAT);
        tn_out_floats(in, 0, 1, &attr->u.f);
    } else if ((attr = tn_op_attr(in->op, "value_floats")) != NULL &&
               attr->kind == TN_ATTR_FLOATS) {
        tn_out_vector(in, 0, TN_DT_FLOAT, tn_in_const(in, attr->n));
        tn_out_floats(in, 0, attr->n, attr->u.floats);
    } else if (tn_op_attr(in->op, "value_string") != NULL) {
        tn_out_scalar(in, 0, TN_DT_STRING);
    } else if ((attr = tn_op_attr(in->op, "value_strings")) != NULL) {
        tn_out_vector(in, 0, TN_DT_STRING, tn_in_const(in, attr->n));
    }
}

/* One element of attribute `value`, repeated when the shape is small and closed. */
static void repeat_value(tn_infer *in, const tn_tensor *value, uint32_t rank, const tn_dim *dims) {
    uint32_t count, *shape = TN_ARRAY(in->scratch, uint32_t, rank + 1u);
    if (!tn_static_shape(in, rank, dims, shape, &count)) {
        return;
    }
    tn_dim zero = tn_in_const(in, 0);
    double none = 0;
    tn_elems one = {.n = 1, .floats = &none};
    if (value != NULL) {
        one.floats = value->n_elements == 1 ? value->floats : NULL;
    }
    if (value != NULL && value->n_elements == 1 && value->ints != NULL) {
        zero = tn_in_const(in, value->ints[0]);
        one.dims = &zero;
    }
    if (one.dims != NULL || one.floats != NULL) {
        tn_elems all = tn_elems_pick(in, &one, count, TN_ARRAY(in->scratch, uint32_t, count + 1u));
        tn_out_elems(in, 0, &all);
    }
}

void tn_shape_constant_of_shape(tn_infer *in) {
    uint32_t rank, n;
    const tn_attr *attr = tn_op_attr(in->op, "value");
    const tn_tensor *value = attr != NULL && attr->kind == TN_ATTR_TENSOR ? attr->u.t : NULL;
    tn_dtype dtype = value != NULL ? value->dtype : TN_DT_FLOAT;
    const tn_dim *dims = tn_in_shape_operand(in, 0, &rank);
    if (dims == NULL || rank > TN_MAX_RANK) {
        tn_out_unranked(in, 0, dtype);
        tn_out_depends(in, 0, 0);
        return;
    }
    tn_out(in, 0, dtype, rank, dims);
    if (tn_in_content(in, 0, &n) == NULL) {
        tn_out_depends(in, 0, 0);
    } else if (!in->failed) {
        repeat_value(in, value, rank, dims);
    }
}

void tn_shape_eye_like(tn_infer *in) {
    tn_out_like(in, 0, tn_attr_dtype(in, "dtype", tn_in_dtype(in, 0)), 0);
}

/* ---- Range ---- */

static void range_of_floats(tn_infer *in, tn_dtype dtype, double start, double limit, double step) {
    double n = ceil((limit - start) / step);
    if (!(n < (double)INT32_MAX)) {
        tn_out_vector(in, 0, dtype, TN_DIM_UNKNOWN);
        return;
    }
    uint32_t count = n > 0 ? (uint32_t)n : 0;
    tn_out_vector(in, 0, dtype, tn_in_const(in, count));
    if (count <= TN_MAX_CONTENT) {
        double *floats = TN_ARRAY(in->scratch, double, count + 1u);
        for (uint32_t i = 0; i < count; i++) {
            floats[i] = start + i * step;
        }
        tn_fold_store(in, dtype, &(tn_elems){.n = count, .floats = floats});
    }
}

static void range_of_dims(tn_infer *in, tn_dtype dtype, const tn_dim *bound) {
    tn_dims *d = in->dims;
    tn_dim zero = tn_in_const(in, 0);
    int64_t step, n;
    bool down = tn_dim_is_const(d, bound[2], &step) && step < 0;
    tn_dim span = tn_dim_sub(d, bound[down ? 0 : 1], bound[down ? 1 : 0]);
    tn_dim by = down ? tn_dim_sub(d, zero, bound[2]) : bound[2];
    tn_dim count =
        tn_dim_filled_ge(d, by, tn_in_const(in, 1)) ? tn_dim_ceildiv(d, span, by) : TN_DIM_UNKNOWN;
    if (count != TN_DIM_UNKNOWN && !tn_dim_filled_ge(d, count, zero)) {
        count = tn_dim_max(d, count, zero);
    }
    tn_out_vector(in, 0, dtype, count);
    if (!tn_dim_is_const(d, count, &n) || n > TN_MAX_CONTENT) {
        return;
    }
    tn_dim *dims = tn_dims_unknown(in, (uint32_t)n), at = bound[0];
    for (uint32_t i = 0; i < n; i++) {
        dims[i] = at;
        at = tn_dim_add(d, at, bound[2]);
    }
    tn_fold_store(in, dtype, &(tn_elems){.n = (uint32_t)n, .dims = dims});
}

void tn_shape_range(tn_infer *in) {
    tn_elems e[3];
    tn_dtype dtype = tn_in_dtype_any(in, 0, 3);
    bool floats = true;
    for (uint32_t k = 0; k < 3; k++) {
        if (!tn_in_elems(in, k, &e[k]) || e[k].n != 1) {
            tn_out_vector(in, 0, dtype, TN_DIM_UNKNOWN);
            tn_out_depends(in, 0, k);
            return;
        }
        tn_infer_reads(in, tn_operand(in->op, k), false);
        floats = floats && e[k].floats != NULL;
    }
    if (floats) {
        range_of_floats(in, dtype, e[0].floats[0], e[1].floats[0], e[2].floats[0]);
        return;
    }
    tn_dim bound[3];
    for (uint32_t k = 0; k < 3; k++) {
        bound[k] = tn_elems_as_dims(in, &e[k])[0];
    }
    range_of_dims(in, dtype, bound);
}

/* ---- Shape and Size ---- */

/* Bounds are cut to the rank, negative ones count from the end. */
static uint32_t bound_of(const tn_infer *in, const char *name, int64_t fallback, uint32_t rank) {
    int64_t at = tn_attr_int(in->op, name, fallback);
    at += at < 0 ? rank : 0;
    return at < 0 ? 0 : at > rank ? rank : (uint32_t)at;
}

void tn_shape_shape(tn_infer *in) {
    uint32_t rank;
    if (!tn_in_rank(in, 0, &rank)) {
        tn_out_vector(in, 0, TN_DT_INT64, TN_DIM_UNKNOWN);
        return;
    }
    uint32_t start = bound_of(in, "start", 0, rank), end = bound_of(in, "end", rank, rank);
    uint32_t n = end > start ? end - start : 0;
    tn_out_vector(in, 0, TN_DT_INT64, tn_in_const(in, n));
    tn_dim *dims = tn_dims_unknown(in, n);
    for (uint32_t i = 0; i < n; i++) {
        dims[i] = tn_in_dim(in, 0, start + i);
    }
    tn_out_content(in, 0, n, dims);
}

void tn_shape_size(tn_infer *in) {
    tn_dim all = tn_type_elements(in->dims, tn_in_type(in, 0));
    tn_out_scalar(in, 0, TN_DT_INT64);
    if (all != TN_DIM_UNKNOWN) {
        tn_out_content(in, 0, 1, &all);
    }
}

/* ---- random numbers ---- */
