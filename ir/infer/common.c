/* Helpers shared by shape rules: reading axes and types, simple results, broadcasting. */
#include "ir/infer/common.h"

#include <string.h>

#include "ir/base/limits.h"

tn_dim tn_in_const(const tn_infer *in, int64_t value) {
    return tn_dim_const(in->dims, value);
}

tn_dtype tn_in_dtype_any(const tn_infer *in, uint32_t first, uint32_t count) {
    for (uint32_t k = first; k < first + count && k < in->op->n_operands; k++) {
        if (tn_in_dtype(in, k) != TN_DT_UNKNOWN) {
            return tn_in_dtype(in, k);
        }
    }
    return TN_DT_UNKNOWN;
}

tn_dim *tn_in_dims(const tn_infer *in, uint32_t k, uint32_t extra, uint32_t *rank) {
    if (!tn_in_rank(in, k, rank)) {
        return NULL;
    }
    tn_dim *dims = TN_ARRAY(in->scratch, tn_dim, *rank + extra + 1u);
    for (uint32_t i = 0; i < *rank; i++) {
        dims[i] = tn_in_type(in, k)->dims[i];
    }
    return dims;
}

tn_dim *tn_dims_unknown(const tn_infer *in, uint32_t n) {
    return TN_ARRAY(in->scratch, tn_dim, n + 1u); /* zeroed, and TN_DIM_UNKNOWN is 0 */
}

const tn_dim *tn_attr_dims(const tn_infer *in, const char *name, uint32_t *n) {
    const int64_t *ints = tn_attr_ints(in->op, name, n);
    if (ints == NULL) {
        return NULL;
    }
    tn_dim *dims = tn_dims_unknown(in, *n);
    for (uint32_t i = 0; i < *n; i++) {
        dims[i] = tn_in_const(in, ints[i]);
    }
    return dims;
}

bool tn_in_length(const tn_infer *in, uint32_t k, uint32_t *length) {
    uint32_t rank;
    int64_t n;
    if (!tn_in_rank(in, k, &rank) || rank != 1 ||
        !tn_dim_is_const(in->dims, tn_in_dim(in, k, 0), &n) || n < 0 || n > TN_MAX_CONTENT) {
        return false;
    }
    *length = (uint32_t)n;
    return true;
}

bool tn_in_scalar(const tn_infer *in, uint32_t k, int64_t *value) {
    uint32_t n;
    const tn_dim *content = tn_in_content(in, k, &n);
    return content != NULL && n == 1 && tn_dim_is_const(in->dims, content[0], value);
}

bool tn_in_scalar_float(const tn_infer *in, uint32_t k, double *value) {
    uint32_t n;
    const double *content = tn_in_floats(in, k, &n);
    if (content == NULL || n != 1) {
        return false;
    }
    *value = content[0];
    return true;
}

bool tn_in_axes(tn_infer *in, const char *attr, uint32_t k, uint32_t rank, tn_axes *out) {
    *out = (tn_axes){0};
    const int64_t *list = NULL;
    const tn_attr *a = attr != NULL ? tn_op_attr(in->op, attr) : NULL;
    if (k != TN_NO_OPERAND && tn_in_has(in, k)) {
        out->given = true;
        list = tn_in_ints(in, k, &out->n);
    } else if (a != NULL && a->kind == TN_ATTR_INT) {
        out->given = true; /* some exporters write one axis as a number instead of a list */
        out->n = 1;
        list = &a->u.i;
    } else if (a != NULL) {
        out->given = true;
        list = tn_attr_ints(in->op, attr, &out->n);
        out->known = list == NULL && a->kind == TN_ATTR_INTS;
    }
    if (list == NULL) {
        out->n = 0;
        return true;
    }
    out->known = true;
    out->at = TN_ARRAY(in->scratch, uint32_t, out->n + 1u);
    for (uint32_t i = 0; i < out->n; i++) {
        if (!tn_in_axis(in, list[i], rank, &out->at[i])) {
            return false;
        }
    }
    return true;
}

bool *tn_axes_flags(const tn_infer *in, const tn_axes *axes, uint32_t rank) {
    bool *flags = TN_ARRAY(in->scratch, bool, rank + 1u);
    for (uint32_t i = 0; i < axes->n; i++) {
        flags[axes->at[i]] = true;
    }
    return flags;
}

void tn_out_like(tn_infer *in, uint32_t r, tn_dtype dtype, uint32_t k) {
    uint32_t rank;
    if (tn_in_rank(in, k, &rank)) {
        tn_out(in, r, dtype, rank, tn_in_type(in, k)->dims);
    } else if (dtype != TN_DT_UNKNOWN) {
        tn_out_unranked(in, r, dtype);
    }
}

void tn_out_vector(tn_infer *in, uint32_t r, tn_dtype dtype, tn_dim length) {
    tn_out(in, r, dtype, 1, &length);
}

void tn_out_scalar(tn_infer *in, uint32_t r, tn_dtype dtype) {
    tn_out(in, r, dtype, 0, NULL);
}

void tn_out_rank(tn_infer *in, uint32_t r, tn_dtype dtype, uint32_t rank) {
    if (rank <= TN_MAX_RANK) {
        tn_out(in, r, dtype, rank, tn_dims_unknown(in, rank));
    }
}

void tn_out_depends(tn_infer *in, uint32_t r, uint32_t k) {
    const tn_value *v = tn_operand(in->op, k);
    if (v != NULL) {
        tn_out_dynamic(in, r,
                       tn_arena_printf(in->scratch, "depends on the values of '%s'", v->name));
    }
}

const tn_dim *tn_in_shape_operand(tn_infer *in, uint32_t k, uint32_t *rank) {
    const tn_dim *dims = tn_in_content(in, k, rank);
    if (dims == NULL && tn_in_length(in, k, rank)) {
        dims = tn_dims_unknown(in, *rank);
    }
    return dims;
}

/* Opset 1 of Cast spells types as TensorProto does: "FLOAT", "INT64". */
static tn_dtype dtype_of_name(const char *name) {
    static const struct {
        const char *name;
        tn_dtype dtype;
    } names[] = {
#define DTYPE(id, number, text, bits, kind) {#id, TN_DT_##id},
#include "ir/dtype.def"
#undef DTYPE
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i].name, name) == 0) {
            return names[i].dtype;
        }
    }
    return TN_DT_UNKNOWN;
}

tn_dtype tn_attr_dtype(const tn_infer *in, const char *name, tn_dtype fallback) {
    const tn_attr *attr = tn_op_attr(in->op, name);
    if (attr == NULL) {
        return fallback;
    }
    if (attr->kind == TN_ATTR_STRING) {
        return dtype_of_name(attr->u.s.data);
    }
    return attr->kind == TN_ATTR_INT ? tn_dtype_numbered(attr->u.i) : TN_DT_UNKNOWN;
}

tn_dim tn_same_dim(tn_infer *in, tn_dim a, tn_dim b, const char *what) {
    int64_t x, y;
    bool a_const = tn_dim_is_const(in->dims, a, &x), b_const = tn_dim_is_const(in->dims, b, &y);
    if (a_const && b_const && x != y) {
        tn_infer_conflict(in, "%s: dimensions %lld and %lld differ", what, (long long)x,
                          (long long)y);
        return TN_DIM_UNKNOWN;
    }
    if (b_const || a == TN_DIM_UNKNOWN) {
        return b;
    }
    return a;
}

tn_dim tn_broadcast_dim(tn_infer *in, tn_dim a, tn_dim b) {
    int64_t x = 0, y = 0;
    bool a_const = tn_dim_is_const(in->dims, a, &x), b_const = tn_dim_is_const(in->dims, b, &y);
    if (a == b || (b_const && y == 1)) {
        return a;
    }
    if (a_const && x == 1) {
        return b;
    }
    if (a_const && b_const) {
        tn_infer_conflict(in, "dimensions %lld and %lld cannot be broadcast", (long long)x,
                          (long long)y);
        return TN_DIM_UNKNOWN;
    }
    if (a_const || b_const) { /* neither is 1, so the open one must be it or 1 */
        tn_dim_assumed must = {a_const ? b : a, a_const ? x : y, &in->op->loc};
        if (must.extent != TN_DIM_UNKNOWN) {
            tn_dims_assume(in->dims, must);
        }
        return a_const ? a : b;
    }
    return tn_dim_max(in->dims, a, b);
}

void tn_broadcast_into(tn_infer *in, uint32_t rank, tn_dim *a, uint32_t rank_b, const tn_dim *b) {
    for (uint32_t i = 0; i < rank_b && i < rank && !in->failed; i++) {
        tn_dim *slot = &a[rank - 1 - i];
        *slot = tn_broadcast_dim(in, *slot, b[rank_b - 1 - i]);
    }
}

tn_dim *tn_broadcast_operands(tn_infer *in, uint32_t first, uint32_t count, uint32_t *rank) {
    uint32_t end = first + count < in->op->n_operands ? first + count : in->op->n_operands;
    *rank = 0;
    for (uint32_t k = first; k < end; k++) {
        uint32_t r;
        if (!tn_in_has(in, k)) {
            continue;
        }
        if (!tn_in_rank(in, k, &r)) {
            return NULL;
        }
        *rank = r > *rank ? r : *rank;
    }
    tn_dim *dims = tn_dims_unknown(in, *rank);
    for (uint32_t i = 0; i < *rank; i++) {
        dims[i] = tn_in_const(in, 1);
    }
    for (uint32_t k = first; k < end; k++) {
        const tn_type *t = tn_in_type(in, k);
        if (tn_in_has(in, k)) {
            tn_broadcast_into(in, *rank, dims, t->rank, t->dims);
        }
    }
    return in->failed ? NULL : dims;
}

tn_dim tn_dims_product(const tn_infer *in, const tn_dim *dims, uint32_t from, uint32_t to) {
    tn_dim product = tn_in_const(in, 1);
    for (uint32_t i = from; i < to; i++) {
        product = tn_dim_mul(in->dims, product, dims[i]);
    }
    return product;
}
