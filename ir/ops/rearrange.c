/* Axes permuted, repeated and padded. */
#include "ir/base/limits.h"
#include "ir/infer/common.h"
#include "ir/infer/content.h"
#include "ir/ops/op_rules.h"
#include "ir/ops/part.h"

static bool read_perm(tn_infer *in, uint32_t rank, uint32_t *perm) {
    uint32_t n;
    const int64_t *given = tn_attr_ints(in->op, "perm", &n);
    bool *seen = TN_ARRAY(in->scratch, bool, rank + 1u);
    if (given != NULL && n != rank) {
        tn_infer_conflict(in, "perm has %u entries, the operand rank %u", n, rank);
        return false;
    }
    for (uint32_t i = 0; i < rank; i++) {
        perm[i] = rank - 1 - i;
        if (given != NULL && !tn_in_axis(in, given[i], rank, &perm[i])) {
            return false;
        }
        if (seen[perm[i]]) {
            tn_infer_conflict(in, "perm names axis %u twice", perm[i]);
            return false;
        }
        seen[perm[i]] = true;
    }
    return true;
}

void tn_shape_transpose(tn_infer *in) {
    uint32_t rank, count;
    tn_elems e;
    tn_dtype dtype = tn_in_dtype(in, 0);
    const tn_dim *dims = tn_in_dims(in, 0, 0, &rank);
    if (dims == NULL) {
        if (tn_attr_ints(in->op, "perm", &rank) != NULL) {
            tn_out_rank(in, 0, dtype, rank);
        } else {
            tn_out_unranked(in, 0, dtype);
        }
        return;
    }
    uint32_t *perm = TN_ARRAY(in->scratch, uint32_t, rank + 1u);
    uint32_t *shape = TN_ARRAY(in->scratch, uint32_t, rank + 1u);
    if (!read_perm(in, rank, perm)) {
        return;
    }
    tn_dim *out = tn_dims_unknown(in, rank);
    for (uint32_t i = 0; i < rank; i++) {
        out[i] = dims[perm[i]];
    }
    tn_out(in, 0, dtype, rank, out);
    if (!tn_in_elems(in, 0, &e) || !tn_static_shape(in, rank, dims, shape, &count)) {
        return;
    }
    const int64_t *own = tn_row_major(in, rank, shape);
    int64_t *strides = TN_ARRAY(in->scratch, int64_t, rank + 1u);
    for (uint32_t i = 0; i < rank; i++) {
        strides[i] = own[perm[i]];
    }
    tn_static_shape(in, rank, out, shape, &count);
    tn_elems moved = tn_elems_pick(in, &e, count, tn_index_map(in, rank, shape, count, strides, 0));
    tn_out_elems(in, 0, &moved);
}

void tn_shape_expand(tn_infer *in) {
    uint32_t rank, n;
    tn_elems e;
    tn_dtype dtype = tn_in_dtype(in, 0);
    const tn_dim *dims = tn_in_dims(in, 0, 0, &rank), *shape = tn_in_shape_operand(in, 1, &n);
    if (dims == NULL || shape == NULL) {
        tn_out_unranked(in, 0, dtype);
        tn_out_depends(in, 0, 1);
        return;
    }
    uint32_t total = rank > n ? rank : n;
    tn_dim *out = tn_dims_unknown(in, total);
    for (uint32_t i = 0; i < total; i++) {
        out[i] = tn_in_const(in, 1);
    }
    tn_broadcast_into(in, total, out, rank, dims);
    tn_broadcast_into(in, total, out, n, shape);
    if (in->failed) {
        return;
    }
    tn_out(in, 0, dtype, total, out);
    if (tn_in_content(in, 1, &n) == NULL) {
        tn_out_depends(in, 0, 1);
    }
    if (total <= TN_MAX_RANK && tn_elems_broadcast(in, 0, total, out, &e)) {
        tn_out_elems(in, 0, &e);
    }
}

/* Repeats of each axis. Opset 1 had one count and one axis. */
static const tn_dim *repeats(tn_infer *in, uint32_t rank) {
    uint32_t n, axis;
    int64_t count, at;
    if (!tn_before(in, 6) || in->op->n_operands < 3) {
        const tn_dim *all = tn_in_content(in, 1, &n);
        return all != NULL && n == rank ? all : NULL;
    }
    if (!tn_in_scalar(in, 1, &count) || !tn_in_scalar(in, 2, &at) ||
        !tn_in_axis(in, at, rank, &axis)) {
        return NULL;
    }
    tn_dim *all = tn_dims_unknown(in, rank);
    for (uint32_t i = 0; i < rank; i++) {
        all[i] = tn_in_const(in, i == axis ? count : 1);
    }
    return all;
}

/* Repetition is an outer axis of stride 0 in front of each axis. */
static void tile_elements(tn_infer *in, uint32_t rank, const tn_dim *dims, const tn_dim *times) {
    tn_elems e;
    uint32_t count, n;
    tn_dim *pairs = tn_dims_unknown(in, 2 * rank);
    uint32_t *own = TN_ARRAY(in->scratch, uint32_t, rank + 1u);
    uint32_t *shape = TN_ARRAY(in->scratch, uint32_t, 2 * rank + 1u);
    for (uint32_t i = 0; i < rank; i++) {
        pairs[2 * i] = times[i];
        pairs[2 * i + 1] = dims[i];
    }
    if (!tn_in_elems(in, 0, &e) || !tn_static_shape(in, rank, dims, own, &n) ||
        !tn_static_shape(in, 2 * rank, pairs, shape, &count)) {
        return;
    }
    const int64_t *row = tn_row_major(in, rank, own);
    int64_t *strides = TN_ARRAY(in->scratch, int64_t, 2 * rank + 1u);
    for (uint32_t i = 0; i < rank; i++) {
        strides[2 * i + 1] = row[i];
    }
    tn_elems all =
        tn_elems_pick(in, &e, count, tn_index_map(in, 2 * rank, shape, count, strides, 0));
    tn_out_elems(in, 0, &all);
}

void tn_shape_tile(tn_infer *in) {
    uint32_t rank;
    tn_dtype dtype = tn_in_dtype(in, 0);
    const tn_dim *dims = tn_in_dims(in, 0, 0, &rank);
    if (dims == NULL) {
        if (tn_in_length(in, 1, &rank) && !tn_before(in, 6)) {
            tn_out_rank(in, 0, dtype, rank);
        } else {
            tn_out_unranked(in, 0, dtype);
        }
        return;
    }
    const tn_dim *times = repeats(in, rank);
    if (times == NULL) {
        if (!in->failed) {
            tn_out_rank(in, 0, dtype, rank);
            tn_out_depends(in, 0, 1);
        }
        return;
    }
    tn_dim *out = tn_dims_unknown(in, rank);
    for (uint32_t i = 0; i < rank; i++) {
        out[i] = tn_dim_mul(in->dims, dims[i], times[i]);
    }
    tn_out(in, 0, dtype, rank, out);
    if (!in->failed) {
        tile_elements(in, rank, dims, times);
    }
}

/* Pads as dims, from operand 1 or an attribute. */
static const tn_dim *read_pads(tn_infer *in, uint32_t *n) {
    if (!tn_by_attribute(in, 1, 11)) {
        return tn_in_content(in, 1, n);
    }
    return tn_attr_dims(in, tn_before(in, 2) ? "paddings" : "pads", n);
}

void tn_shape_pad(tn_infer *in) {
    uint32_t rank, n_pads;
    tn_axes axes;
    tn_dtype dtype = tn_in_dtype(in, 0);
    tn_dim *dims = tn_in_dims(in, 0, 0, &rank);
    if (dims == NULL) {
        tn_out_unranked(in, 0, dtype);
        return;
    }
    if (!tn_in_axes(in, NULL, 3, rank, &axes)) {
        return;
    }
    const tn_dim *pads = read_pads(in, &n_pads);
    if (pads == NULL || (axes.given && !axes.known)) {
        tn_out_rank(in, 0, dtype, rank);
        tn_out_depends(in, 0, 1);
        return;
    }
    uint32_t n = axes.given ? axes.n : rank;
    if (n_pads != 2 * n) {
        tn_infer_conflict(in, "pads has %u entries, expected %u", n_pads, 2 * n);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        tn_dim *slot = &dims[axes.given ? axes.at[i] : i];
        *slot = tn_dim_add(in->dims, *slot, tn_dim_add(in->dims, pads[i], pads[n + i]));
    }
    tn_out(in, 0, dtype, rank, dims);
}

void tn_shape_center_crop_pad(tn_infer *in) {
    uint32_t rank, n;
    tn_axes axes;
    tn_dtype dtype = tn_in_dtype(in, 0);
    tn_dim *dims = tn_in_dims(in, 0, 0, &rank);
    if (dims == NULL || !tn_in_axes(in, "axes", TN_NO_OPERAND, rank, &axes)) {
        return;
    }
    const tn_dim *shape = tn_in_shape_operand(in, 1, &n);
    if (shape == NULL || n != (axes.given ? axes.n : rank)) {
        tn_out_rank(in, 0, dtype, rank);
        tn_out_depends(in, 0, 1);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        dims[axes.given ? axes.at[i] : i] = shape[i];
    }
    tn_out(in, 0, dtype, rank, dims);
}

/* Blocks of size b move between the channels and the spatial axes. */
static void out_blocks(tn_infer *in, bool to_space) {
    uint32_t rank;
    tn_dim *dims = tn_in_dims(in, 0, 0, &rank);
    int64_t block = tn_attr_int(in->op, "blocksize", 0);
    if (dims == NULL || rank < 3 || block < 1 || block > INT32_MAX) {
        tn_out_unranked(in, 0, tn_in_dtype(in, 0));
        return;
    }
    tn_dim b = tn_in_const(in, block), channels = dims[1];
    for (uint32_t i = 2; i < rank; i++) {
        channels =
            to_space ? tn_dim_floordiv(in->dims, channels, b) : tn_dim_mul(in->dims, channels, b);
        dims[i] =
            to_space ? tn_dim_mul(in->dims, dims[i], b) : tn_dim_floordiv(in->dims, dims[i], b);
    }
    dims[1] = channels;
    tn_out(in, 0, tn_in_dtype(in, 0), rank, dims);
}

void tn_shape_depth_to_space(tn_infer *in) {
    out_blocks(in, true);
}

void tn_shape_space_to_depth(tn_infer *in) {
    out_blocks(in, false);
}

bool tn_part_pad(const tn_op *op, uint32_t i, tn_part *out) {
    int64_t pads[TN_MAX_RANK], axes[TN_MAX_RANK];
    uint32_t n;
    if (!tn_part_begin(out, tn_result(op, 0)) || !tn_part_take(out, tn_operand(op, i)) ||
        !tn_part_ints(op, "pads", 1, &n, pads) || n % 2 != 0 ||
        !tn_part_axes(op, 3, out->rank, n / 2, axes)) {
        return false;
    }
    for (uint32_t k = 0; k < n / 2; k++) {
        if (pads[k] < 0 || pads[k + n / 2] < 0) {
            return false;
        }
        out->start[axes[k]] = pads[k];
    }
    return true;
}

/* No element moves when the axes longer than 1 keep their order. */
bool tn_part_transpose(const tn_op *op, uint32_t i, tn_part *out) {
    uint32_t n = 0;
    int64_t last = -1;
    const int64_t *perm = tn_attr_ints(op, "perm", &n);
    (void)i;
    if (!tn_part_begin(out, tn_operand(op, 0)) || (perm != NULL && n != out->rank)) {
        return false;
    }
    for (uint32_t k = 0; k < out->rank; k++) {
        int64_t from = perm != NULL ? perm[k] : (int64_t)(out->rank - 1 - k);
        if (from < 0 || from >= out->rank || (out->whole[from] != 1 && from < last)) {
            return false;
        }
        last = out->whole[from] != 1 ? from : last;
    }
    return true;
}
