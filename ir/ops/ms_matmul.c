/* Matrix products of com.microsoft. */
#include "ir/infer/common.h"
#include "ir/ops/op_rules.h"

typedef struct shape {
    uint32_t rank;
    tn_dim *dims; /* NULL: unknown */
} shape;

static shape shape_of(const tn_infer *in, uint32_t k) {
    shape s = {0};
    s.dims = tn_in_dims(in, k, 2, &s.rank);
    return s;
}

static void swap_last(shape *s) {
    if (s->dims != NULL && s->rank >= 2) {
        tn_dim last = s->dims[s->rank - 1];
        s->dims[s->rank - 1] = s->dims[s->rank - 2];
        s->dims[s->rank - 2] = last;
    }
}

/* Moves the first dimension behind the batch dimensions. */
static void rotate_batch(shape *s) {
    if (s->dims != NULL && s->rank > 2) {
        tn_dim first = s->dims[0];
        for (uint32_t i = 0; i + 2 < s->rank; i++) {
            s->dims[i] = s->dims[i + 1];
        }
        s->dims[s->rank - 2] = first;
    }
}

static void product(tn_infer *in, tn_dtype dtype, shape a, shape b) {
    if (a.dims == NULL || b.dims == NULL) {
        tn_out_unranked(in, 0, dtype);
    } else {
        tn_out_product(in, dtype, a.rank, a.dims, b.rank, b.dims);
    }
}

void tn_shape_ms_fused_matmul(tn_infer *in) {
    shape a = shape_of(in, 0), b = shape_of(in, 1);
    if (tn_attr_int(in->op, "transBatchA", 0) != 0) {
        rotate_batch(&a);
    }
    if (tn_attr_int(in->op, "transBatchB", 0) != 0) {
        rotate_batch(&b);
    }
    if (tn_attr_int(in->op, "transA", 0) != 0) {
        swap_last(&a);
    }
    if (tn_attr_int(in->op, "transB", 0) != 0) {
        swap_last(&b);
    }
    product(in, tn_in_dtype_any(in, 0, 2), a, b);
}

void tn_shape_ms_sparse_matmul(tn_infer *in) {
    shape a = shape_of(in, 0), b = shape_of(in, 1);
    if (tn_attr_int(in->op, "transA", 0) != 0) {
        swap_last(&a);
    }
    if (tn_attr_int(in->op, "transB", 0) != 0) {
        swap_last(&b);
    }
    product(in, tn_in_dtype(in, 1), a, b);
}

static void gemm(tn_infer *in, tn_dtype dtype, uint32_t kb) {
    bool ta = tn_attr_int(in->op, "transA", 0) != 0, tb = tn_attr_int(in->op, "transB", 0) != 0;
    tn_dim dims[2] = {tn_in_dim(in, 0, ta ? 1 : 0), tn_in_dim(in, kb, tb ? 0 : 1)};
    tn_same_dim(in, tn_in_dim(in, 0, ta ? 0 : 1), tn_in_dim(in, kb, tb ? 1 : 0),
                "inner dimensions");
    if (!in->failed) {
        tn_out(in, 0, dtype, 2, dims);
    }
}

void tn_shape_ms_gemm_float8(tn_infer *in) {
    gemm(in, tn_attr_dtype(in, "dtype", TN_DT_FLOAT), 1);
}

/* Quantised when the result's zero point is given, else in full precision. */
void tn_shape_ms_qgemm(tn_infer *in) {
    gemm(in, tn_in_has(in, 8) ? tn_in_dtype(in, 8) : TN_DT_FLOAT, 3);
}

void tn_shape_ms_matmul_to_float(tn_infer *in) {
    product(in, tn_in_dtype_any(in, 2, 2), shape_of(in, 0), shape_of(in, 1));
}

void tn_shape_ms_matmul_integer16(tn_infer *in) {
    bool both = tn_in_dtype(in, 0) == TN_DT_UINT16 && tn_in_dtype(in, 1) == TN_DT_UINT16;
    product(in, both ? TN_DT_UINT32 : TN_DT_INT32, shape_of(in, 0), shape_of(in, 1));
}

/* The layout attributes describe storage; B's shape is that of the matrix before reordering. */
void tn_shape_ms_qordered_matmul(tn_infer *in) {
    product(in, TN_DT_INT8, shape_of(in, 0), shape_of(in, 2));
}

/* Result r: operand 0 with `columns` as its last dimension. */
static void out_columns(tn_infer *in, uint32_t r, tn_dim columns) {
    shape a = shape_of(in, 0);
    if (a.dims != NULL && a.rank > 0) {
        a.dims[a.rank - 1] = columns;
        tn_out(in, r, tn_in_dtype(in, 0), a.rank, a.dims);
    }
}

static tn_dim count(const tn_infer *in, const char *attr) {
    int64_t n = tn_attr_int(in->op, attr, -1);
    return n >= 0 ? tn_in_const(in, n) : TN_DIM_UNKNOWN;
}

void tn_shape_ms_matmul_nbits(tn_infer *in) {
    out_columns(in, 0, count(in, "N"));
}

void tn_shape_ms_matmul_nbits_mlp(tn_infer *in) {
    out_columns(in, 0, count(in, "N"));
    tn_out_type(in, 1, tn_in_type(in, 0));
}

void tn_shape_ms_matmul_nbits_qkv(tn_infer *in) {
    out_columns(in, 0, count(in, "Nq"));
    out_columns(in, 1, count(in, "Nkv"));
    out_columns(in, 2, count(in, "Nkv"));
    tn_out_type(in, 3, tn_in_type(in, 0));
}

void tn_shape_ms_matmul_bnb4(tn_infer *in) {
    out_columns(in, 0, count(in, tn_attr_int(in->op, "transB", 1) != 0 ? "N" : "K"));
}

/* Operand 2 holds the shape of the packed matrix. */
void tn_shape_ms_matmul_fpq4(tn_infer *in) {
    uint32_t n;
    const tn_dim *b = tn_in_content(in, 2, &n);
    out_columns(in, 0, b != NULL && n == 2 ? b[1] : TN_DIM_UNKNOWN);
}

void tn_shape_ms_matmul_rows(tn_infer *in) {
    out_columns(in, 0, tn_in_dim(in, 1, 0));
}
