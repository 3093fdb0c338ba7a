/* Fourier transforms, windows and mel weights. */
#include "ir/infer/common.h"
#include "ir/ops/op_rules.h"

/* A size given as the only element of operand k, or unknown. */
static tn_dim size_operand(tn_infer *in, uint32_t k) {
    uint32_t n;
    const tn_dim *content = tn_in_content(in, k, &n);
    return content != NULL && n == 1 ? content[0] : TN_DIM_UNKNOWN;
}

/* Of a real signal only the first half of the spectrum is kept: n / 2 + 1. */
static tn_dim half_spectrum(tn_infer *in, tn_dim n) {
    return tn_dim_add(in->dims, tn_dim_floordiv(in->dims, n, tn_in_const(in, 2)),
                      tn_in_const(in, 1));
}

void tn_shape_window(tn_infer *in) {
    tn_dim size = size_operand(in, 0);
    tn_out_vector(in, 0, tn_attr_dtype(in, "output_datatype", TN_DT_FLOAT), size);
    if (size == TN_DIM_UNKNOWN) {
        tn_out_depends(in, 0, 0);
    }
}

void tn_shape_mel_weights(tn_infer *in) {
    tn_dim dims[2] = {half_spectrum(in, size_operand(in, 1)), size_operand(in, 0)};
    tn_out(in, 0, tn_attr_dtype(in, "output_datatype", TN_DT_FLOAT), 2, dims);
    for (uint32_t k = 0; k < 2; k++) {
        if (dims[1 - k] == TN_DIM_UNKNOWN) {
            tn_out_depends(in, 0, k);
        }
    }
}

/* False when the axis is not known, or after a conflict. */
static bool dft_axis(tn_infer *in, uint32_t rank, uint32_t *axis) {
    int64_t at = tn_before(in, 20) ? tn_attr_int(in->op, "axis", 1) : -2;
    if (tn_in_has(in, 2) && !tn_in_scalar(in, 2, &at)) {
        return false;
    }
    return tn_in_axis(in, at, rank, axis);
}

/* The last axis holds real and imaginary part. The inverse of a half spectrum is real and, without
 * a stated length, as long as the spectrum came from: 2 * (n - 1). */
void tn_shape_dft(tn_infer *in) {
    uint32_t rank, axis;
    tn_dims *d = in->dims;
    tn_dtype dtype = tn_in_dtype(in, 0);
    tn_dim *dims = tn_in_dims(in, 0, 0, &rank);
    if (dims == NULL || rank < 2) {
        tn_out_unranked(in, 0, dtype);
        return;
    }
    bool half = tn_attr_int(in->op, "onesided", 0) != 0;
    bool real = half && tn_attr_int(in->op, "inverse", 0) != 0;
    dims[rank - 1] = tn_in_const(in, real ? 1 : 2);
    if (!dft_axis(in, rank, &axis)) {
        /* Which axis is transformed matters only when that changes its length. */
        for (uint32_t i = 0; (half || tn_in_has(in, 1)) && i + 1 < rank; i++) {
            dims[i] = TN_DIM_UNKNOWN;
        }
        if (!in->failed) {
            tn_out(in, 0, dtype, rank, dims);
        }
        return;
    }
    tn_dim length = dims[axis];
    if (tn_in_has(in, 1)) {
        length = size_operand(in, 1);
    } else if (real) {
        length = tn_dim_mul(d, tn_in_const(in, 2), tn_dim_sub(d, length, tn_in_const(in, 1)));
    }
    dims[axis] = half && !real ? half_spectrum(in, length) : length;
    tn_out(in, 0, dtype, rank, dims);
}

/* (batch, frames, bins, 2). The frame length is operand 3, or the window's, or the signal's. */
void tn_shape_stft(tn_infer *in) {
    tn_dims *d = in->dims;
    tn_dim signal = tn_in_dim(in, 0, 1), step = size_operand(in, 1), length = signal;
    if (tn_in_has(in, 3)) {
        length = size_operand(in, 3);
    } else if (tn_in_has(in, 2)) {
        length = tn_in_dim(in, 2, 0);
    }
    tn_dim frames =
        tn_dim_add(d, tn_dim_floordiv(d, tn_dim_sub(d, signal, length), step), tn_in_const(in, 1));
    bool half = tn_attr_int(in->op, "onesided", 1) != 0;
    tn_dim dims[4] = {tn_in_dim(in, 0, 0), frames, half ? half_spectrum(in, length) : length,
                      tn_in_const(in, 2)};
    tn_out(in, 0, tn_in_dtype(in, 0), 4, dims);
}
