/* Folding of element-wise ops over known elements. */
#include "ir/infer/fold.h"

#include <math.h>

#include "ir/infer/common.h"

/* Bits of the significand with the leading one; 0 for what is no float. */
static int significand_bits(tn_dtype dtype) {
    static const int8_t bits[TN_DT_COUNT] = {
        [TN_DT_FLOAT16] = 11, [TN_DT_BFLOAT16] = 8, [TN_DT_FLOAT] = 24, [TN_DT_DOUBLE] = 53};
    return (unsigned)dtype < TN_DT_COUNT ? bits[dtype] : 0;
}

bool tn_foldable(tn_dtype dtype) {
    return dtype == TN_DT_INT64 || dtype == TN_DT_INT32 || dtype == TN_DT_BOOL ||
           significand_bits(dtype) != 0;
}

/* Half to even, as arithmetic rounds. Numbers so large or small that their type has no full
 * significand for them do not occur in shape arithmetic. */
static double rounded(double x, int bits) {
    int exponent;
    double fraction = frexp(x, &exponent);
    return isfinite(x) ? ldexp(rint(ldexp(fraction, bits)), exponent - bits) : x;
}

const tn_dim *tn_elems_as_dims(const tn_infer *in, const tn_elems *e) {
    if (e->dims != NULL) {
        return e->dims;
    }
    tn_dim *dims = TN_ARRAY(in->scratch, tn_dim, e->n + 1u);
    for (uint32_t i = 0; i < e->n; i++) {
        double x = e->floats[i];
        bool exact = x == floor(x) && fabs(x) < 9007199254740992.0; /* 2^53 */
        dims[i] = exact ? tn_in_const(in, (int64_t)x) : TN_DIM_UNKNOWN;
    }
    return dims;
}

/* A scale that is off by one bit can move a floor(), so results are rounded as the runtime would
 * round them. */
static void store_floats(tn_infer *in, tn_dtype dtype, uint32_t n, const double *from) {
    double *floats = TN_UNSET_ARRAY(in->scratch, double, n + 1u);
    for (uint32_t i = 0; i < n; i++) {
        floats[i] = rounded(from[i], significand_bits(dtype));
    }
    tn_out_floats(in, 0, n, floats);
}

static tn_dim fitting(const tn_infer *in, tn_dtype dtype, tn_dim x) {
    int64_t value;
    bool wraps = dtype == TN_DT_INT32 && tn_dim_is_const(in->dims, x, &value) &&
                 (value < INT32_MIN || value > INT32_MAX);
    return wraps ? TN_DIM_UNKNOWN : x;
}

void tn_fold_store(tn_infer *in, tn_dtype dtype, const tn_elems *e) {
    if (!tn_foldable(dtype)) {
        return;
    }
    if (e->floats != NULL) {
        store_floats(in, dtype, e->n, e->floats);
        return;
    }
    tn_dim *dims = TN_ARRAY(in->scratch, tn_dim, e->n + 1u);
    double *floats = TN_ARRAY(in->scratch, double, e->n + 1u);
    bool constant = true;
    for (uint32_t i = 0; i < e->n; i++) {
        int64_t value = 0;
        dims[i] = fitting(in, dtype, e->dims[i]);
        constant = tn_dim_is_const(in->dims, dims[i], &value) && constant;
        floats[i] = (double)value;
    }
    if (constant && significand_bits(dtype) != 0) {
        store_floats(in, dtype, e->n, floats);
    } else {
        tn_out_content(in, 0, e->n, dims);
    }
}

void tn_fold_unary(tn_infer *in, const tn_fold1 *f) {
    tn_elems e, out;
    if (!tn_foldable(tn_in_dtype(in, 0)) || !tn_in_elems(in, 0, &e)) {
        return;
    }
    if (e.dims != NULL && f->dims != NULL) {
        tn_dim *dims = TN_ARRAY(in->scratch, tn_dim, e.n + 1u);
        for (uint32_t i = 0; i < e.n; i++) {
            dims[i] = f->dims(in, e.dims[i]);
        }
        out = (tn_elems){.n = e.n, .dims = dims};
    } else if (e.floats != NULL && f->floats != NULL) {
        double *floats = TN_ARRAY(in->scratch, double, e.n + 1u);
        for (uint32_t i = 0; i < e.n; i++) {
            floats[i] = f->floats(e.floats[i]);
        }
        out = (tn_elems){.n = e.n, .floats = floats};
    } else {
        return;
    }
    tn_fold_store(in, tn_in_dtype(in, 0), &out);
}

static bool fold_pair(tn_infer *in, const tn_fold2 *f, tn_elems *a, const tn_elems *b) {
    uint32_t n = a->n;
    if (a->floats != NULL && b->floats != NULL && f->floats != NULL) {
        double *floats = TN_ARRAY(in->scratch, double, n + 1u);
        for (uint32_t i = 0; i < n; i++) {
            floats[i] = f->floats(a->floats[i], b->floats[i]);
        }
        *a = (tn_elems){.n = n, .floats = floats};
        return true;
    }
    if (f->dims == NULL || (a->floats != NULL && b->floats != NULL)) {
        return false;
    }
    const tn_dim *x = tn_elems_as_dims(in, a), *y = tn_elems_as_dims(in, b);
    tn_dim *dims = TN_ARRAY(in->scratch, tn_dim, n + 1u);
    for (uint32_t i = 0; i < n; i++) {
        dims[i] = f->dims(in, x[i], y[i]);
    }
    *a = (tn_elems){.n = n, .dims = dims};
    return true;
}

void tn_fold_nary(tn_infer *in, const tn_fold2 *f, uint32_t rank, const tn_dim *dims) {
    tn_elems all, next;
    tn_dtype dtype = tn_in_dtype(in, 0);
    if (!tn_foldable(dtype) || !tn_elems_broadcast(in, 0, rank, dims, &all)) {
        return;
    }
    for (uint32_t k = 1; k < in->op->n_operands; k++) {
        if (!tn_elems_broadcast(in, k, rank, dims, &next) || !fold_pair(in, f, &all, &next)) {
            return;
        }
    }
    tn_fold_store(in, dtype, &all);
}
