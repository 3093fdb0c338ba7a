/* Tensors joined and cut along an axis. */
#include "ir/base/limits.h"
#include "ir/base/xmath.h"
#include "ir/infer/by_data.h"
#include "ir/infer/common.h"
#include "ir/infer/content.h"
#include "ir/infer/fold.h"
#include "ir/ops/op_rules.h"
#include "ir/ops/part.h"

/* Makes `out` the piece behind k others along the axis, all of the whole's rank. */
static bool place_piece(tn_part *out, uint32_t axis, const tn_op *op, uint32_t k,
                        tn_value *(*piece)(const tn_op *op, uint32_t i)) {
    int64_t before = 0;
    for (uint32_t i = 0; i < k; i++) {
        if (!tn_part_take(out, piece(op, i)) || !tn_add_i64(before, out->extent[axis], &before)) {
            return false;
        }
    }
    out->start[axis] = before;
    return tn_part_take(out, piece(op, k));
}

static tn_value *operand_at(const tn_op *op, uint32_t i) {
    return tn_operand(op, i);
}

static tn_value *result_at(const tn_op *op, uint32_t i) {
    return tn_result(op, i);
}

/* The axis has to be stated: its default changed. */
bool tn_part_concat(const tn_op *op, uint32_t i, tn_part *out) {
    uint32_t axis;
    return tn_op_attr(op, "axis") != NULL && tn_part_begin(out, tn_result(op, 0)) &&
           tn_part_axis(op, 0, out->rank, &axis) && place_piece(out, axis, op, i, operand_at);
}

bool tn_part_split(const tn_op *op, uint32_t i, tn_part *out) {
    uint32_t axis;
    return tn_part_begin(out, tn_operand(op, 0)) && tn_part_axis(op, 0, out->rank, &axis) &&
           place_piece(out, axis, op, i, result_at);
}

/* Elements of operand k; unknown ones when only their number is known. */
static bool elements_or_unknown(tn_infer *in, uint32_t k, tn_elems *e) {
    int64_t n;
    if (tn_in_elems(in, k, e)) {
        return true;
    }
    if (!tn_dtype_is_int(tn_in_dtype(in, 0)) ||
        !tn_type_fixed_elements(in->dims, tn_in_type(in, k), &n) || n < 0 || n > TN_MAX_CONTENT) {
        return false;
    }
    *e = (tn_elems){.n = (uint32_t)n, .dims = tn_dims_unknown(in, (uint32_t)n)};
    return true;
}

/* Joined along the first axis, the elements of one operand follow those of another. */
static void concat_elements(tn_infer *in) {
    uint32_t total = 0, at = 0, n = in->op->n_operands;
    tn_elems *parts = TN_ARRAY(in->scratch, tn_elems, n);
    bool floats = n > 0, known = false;
    for (uint32_t k = 0; k < n; k++) {
        known = tn_in_elems(in, k, &parts[k]) || known;
        if (!elements_or_unknown(in, k, &parts[k]) || (total += parts[k].n) > TN_MAX_CONTENT) {
            return;
        }
        floats = floats && parts[k].floats != NULL;
    }
    if (!known) {
        return;
    }
    tn_dim *dims = tn_dims_unknown(in, total);
    double *doubles = TN_ARRAY(in->scratch, double, total + 1u);
    for (uint32_t k = 0; k < n; k++) {
        const tn_dim *part = tn_elems_as_dims(in, &parts[k]);
        for (uint32_t i = 0; i < parts[k].n; i++, at++) {
            dims[at] = part[i];
            doubles[at] = floats ? parts[k].floats[i] : 0;
        }
    }
    tn_elems all = {.n = total, .dims = floats ? NULL : dims, .floats = floats ? doubles : NULL};
    tn_out_elems(in, 0, &all);
}

/* The rank of any operand that has one: all have the same. */
static bool common_rank(tn_infer *in, uint32_t *rank) {
    for (uint32_t k = 0; k < in->op->n_operands; k++) {
        if (tn_in_rank(in, k, rank)) {
            return true;
        }
    }
    return false;
}

void tn_shape_concat(tn_infer *in) {
    uint32_t rank, axis, n = in->op->n_operands;
    tn_dtype dtype = tn_in_dtype_any(in, 0, n);
    if (!common_rank(in, &rank)) {
        tn_out_unranked(in, 0, dtype);
        return;
    }
    if (!tn_in_axis(in, tn_attr_int(in->op, "axis", tn_before(in, 4) ? 1 : 0), rank, &axis)) {
        return;
    }
    tn_dim *out = tn_dims_unknown(in, rank), sum = tn_in_const(in, 0);
    for (uint32_t k = 0; k < n && !in->failed; k++) {
        uint32_t r = rank;
        if (tn_in_rank(in, k, &r) && r != rank) {
            tn_infer_conflict(in, "operands of ranks %u and %u are joined", rank, r);
        }
        for (uint32_t i = 0; i < rank && !in->failed; i++) {
            if (i != axis) {
                out[i] = tn_same_dim(in, out[i], tn_in_dim(in, k, i), "joined operands");
            }
        }
        sum = tn_dim_add(in->dims, sum, tn_in_dim(in, k, axis));
    }
    if (in->failed) {
        return;
    }
    out[axis] = sum;
    tn_out(in, 0, dtype, rank, out);
    if (axis == 0) {
        concat_elements(in);
    }
}

/* ---- Split ---- */

/* Parts stated by operand 1 or attribute `split`; NULL when there are none or they are unknown. */
static const tn_dim *stated_parts(tn_infer *in, uint32_t *n) {
    return tn_in_has(in, 1) ? tn_in_content(in, 1, n) : tn_attr_dims(in, "split", n);
}

/* Equal parts; from opset 18 on the last one may be smaller. */
static tn_dim equal_part(tn_infer *in, tn_dim extent, uint32_t i, uint32_t n) {
    tn_dim part = tn_dim_ceildiv(in->dims, extent, tn_in_const(in, n));
    if (i + 1 < n || tn_before(in, 18)) {
        return part;
    }
    return tn_dim_sub(in->dims, extent, tn_dim_mul(in->dims, part, tn_in_const(in, n - 1)));
}

static void split_elements(tn_infer *in, uint32_t r, uint32_t axis, uint32_t rank,
                           const tn_dim *part, tn_dim start) {
    tn_elems e;
    int64_t at;
    uint32_t count, *shape = TN_ARRAY(in->scratch, uint32_t, rank + 1u);
    if (!tn_in_elems(in, 0, &e) || !tn_dim_is_const(in->dims, start, &at) ||
        !tn_static_shape(in, rank, tn_in_type(in, 0)->dims, shape, &count)) {
        return;
    }
    const int64_t *strides = tn_row_major(in, rank, shape);
    int64_t extent = shape[axis];
    if (!tn_static_shape(in, rank, part, shape, &count) || at > extent - shape[axis]) {
        return;
    }
    tn_elems cut = tn_elems_pick(in, &e, count,
                                 tn_index_map(in, rank, shape, count, strides, at * strides[axis]));
    tn_out_elems(in, r, &cut);
}

void tn_shape_split(tn_infer *in) {
    uint32_t rank, axis, n = 0, n_results = in->op->n_results;
    tn_dtype dtype = tn_in_dtype(in, 0);
    tn_dim *dims = tn_in_dims(in, 0, 0, &rank), start = tn_in_const(in, 0);
    if (dims == NULL) {
        for (uint32_t r = 0; r < n_results; r++) {
            tn_out_unranked(in, r, dtype);
        }
        return;
    }
    if (!tn_in_axis(in, tn_attr_int(in->op, "axis", 0), rank, &axis)) {
        return;
    }
    const tn_dim *parts = stated_parts(in, &n);
    int64_t closed;
    bool open = parts == NULL && tn_in_has(in, 1);
    if (parts != NULL && n != n_results) {
        tn_infer_conflict(in, "split names %u parts, the op has %u results", n, n_results);
        return;
    }
    tn_dim extent = dims[axis];
    if (parts == NULL && !open && tn_before(in, 18) && tn_dim_is_const(in->dims, extent, &closed) &&
        (n_results == 0 || closed % n_results != 0)) {
        tn_infer_conflict(in, "an extent of %lld is cut into %u equal parts", (long long)closed,
                          n_results);
        return;
    }
    uint32_t equal = (uint32_t)tn_attr_int(in->op, "num_outputs", n_results);
    for (uint32_t r = 0; r < n_results && !in->failed; r++) {
        dims[axis] = open            ? tn_extent_by_data(in, r, axis, extent)
                     : parts != NULL ? parts[r]
                                     : equal_part(in, extent, r, equal);
        tn_out(in, r, dtype, rank, dims);
        if (open) {
            tn_out_depends(in, r, 1);
        } else if (!in->failed) {
            split_elements(in, r, axis, rank, dims, start);
        }
        start = tn_dim_add(in->dims, start, dims[axis]);
    }
}
