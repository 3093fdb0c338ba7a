/* Slice: a regular part along some axes, with bounds that may be expressions. Open extents are
 * taken to be at least 1, so that x[1:] has exactly one element less than x. */
#include "ir/base/limits.h"
#include "ir/infer/by_data.h"
#include "ir/infer/common.h"
#include "ir/infer/content.h"
#include "ir/ops/op_rules.h"
#include "ir/ops/part.h"

/* The four lists; a NULL list is absent (axes, steps) or unknown (see `open`). */
typedef struct slices {
    uint32_t n;
    const tn_dim *starts, *ends, *steps;
    tn_axes axes;
} slices;

/* False after a conflict. Lists whose elements are unknown become lists of unknown dims. */
static bool read_slices(tn_infer *in, uint32_t rank, slices *s) {
    uint32_t n_starts = 0, n_ends = 0, n_steps = 0;
    bool old = !tn_in_has(in, 1); /* operands since opset 10 */
    s->starts = old ? tn_attr_dims(in, "starts", &n_starts) : tn_in_shape_operand(in, 1, &n_starts);
    s->ends = old ? tn_attr_dims(in, "ends", &n_ends) : tn_in_shape_operand(in, 2, &n_ends);
    if (!tn_in_axes(in, old ? "axes" : NULL, old ? TN_NO_OPERAND : 3, rank, &s->axes)) {
        return false;
    }
    s->n = s->starts != NULL ? n_starts : n_ends;
    if (s->starts == NULL || s->ends == NULL) {
        s->n = s->axes.known ? s->axes.n : s->n;
        s->starts = s->starts != NULL ? s->starts : tn_dims_unknown(in, n_starts = s->n);
        s->ends = s->ends != NULL ? s->ends : tn_dims_unknown(in, n_ends = s->n);
    }
    if (!old && tn_in_has(in, 4)) {
        s->steps = tn_in_shape_operand(in, 4, &n_steps);
        s->steps = s->steps != NULL ? s->steps : tn_dims_unknown(in, n_steps = s->n);
    }
    if (n_starts != n_ends || (s->axes.known && s->axes.n != s->n) ||
        (s->steps != NULL && n_steps != s->n) || (!s->axes.given && s->n > rank)) {
        tn_infer_conflict(in, "starts, ends, axes and steps disagree in length");
        return false;
    }
    return true;
}

/* Whether a bound that is no number needs no cut to `high`, its extent being one: those of open
 * dimensions lie in the extent, as the model's author had it, which says nothing of the last index,
 * those that data give where they cannot be more. */
static bool lies_inside(tn_infer *in, tn_dim bound, tn_dim extent, tn_dim high) {
    int64_t number;
    bool fits = tn_dim_by_data(in->dims, bound)
                    ? tn_dim_provably_ge(in->dims, high, tn_dim_most(in->dims, bound))
                    : high == extent;
    return tn_dim_is_const(in->dims, extent, &number) && fits;
}

/* A bound as a position: negative ones count from the end, then it is cut to [low, high]. Unknown
 * when the sign of the bound is open. */
static tn_dim position(tn_infer *in, tn_dim bound, tn_dim extent, tn_dim low, tn_dim high) {
    tn_dims *d = in->dims;
    int64_t value = 0, number;
    tn_dim zero = tn_in_const(in, 0);
    bool constant = tn_dim_is_const(d, bound, &value), closed = tn_dim_is_const(d, extent, &number);
    bool negative = constant ? value < 0 : tn_dim_filled_ge(d, tn_in_const(in, -1), bound);
    if (!negative && !constant && !tn_dim_filled_ge(d, bound, zero)) {
        return TN_DIM_UNKNOWN;
    }
    if (constant && !closed && value >= INT32_MAX) {
        return high; /* "to the end": no open extent is that large */
    }
    if (constant && !closed && value <= INT32_MIN) { /* nothing is there where none is */
        return tn_dim_filled_ge(d, high, low) ? low : tn_dim_min(d, low, high);
    }
    tn_dim at = negative ? tn_dim_add(d, bound, extent) : bound;
    if (at != TN_DIM_UNKNOWN && !tn_dim_filled_ge(d, at, low)) {
        at = tn_dim_filled_ge(d, low, at) ? low : tn_dim_max(d, at, low);
    }
    bool inside = !constant && lies_inside(in, bound, extent, high);
    if (at != TN_DIM_UNKNOWN && !inside && !tn_dim_filled_ge(d, high, at)) {
        at = tn_dim_filled_ge(d, at, high) ? high : tn_dim_min(d, at, high);
    }
    return at;
}

/* Extent of the part, and its first index, along one axis. */
static tn_dim part(tn_infer *in, tn_dim extent, tn_dim start, tn_dim end, int64_t step,
                   tn_dim *first) {
    tn_dims *d = in->dims;
    tn_dim zero = tn_in_const(in, 0), minus = tn_in_const(in, -1);
    tn_dim last = tn_dim_sub(d, extent, tn_in_const(in, 1)), count;
    if (step > 0) {
        *first = position(in, start, extent, zero, extent);
        tn_dim stop = position(in, end, extent, zero, extent);
        count = tn_dim_ceildiv(d, tn_dim_sub(d, stop, *first), tn_in_const(in, step));
    } else {
        *first = position(in, start, extent, zero, last);
        tn_dim stop = position(in, end, extent, minus, last);
        count = tn_dim_ceildiv(d, tn_dim_sub(d, *first, stop), tn_in_const(in, -step));
    }
    if (count == TN_DIM_UNKNOWN || tn_dim_filled_ge(d, count, zero)) {
        return count;
    }
    return tn_dim_max(d, count, zero);
}

/* A part of bounds that data give: every element, or one of each `step`. */
static tn_dim most_taken(const tn_infer *in, tn_dim extent, int64_t step) {
    tn_dim apart = tn_in_const(in, step < 0 ? -step : step);
    return tn_dim_ceildiv(in->dims, extent, apart);
}

static void slice_elements(tn_infer *in, uint32_t rank, const tn_dim *out, const tn_dim *first,
                           const int64_t *steps) {
    tn_elems e;
    uint32_t count, *shape = TN_ARRAY(in->scratch, uint32_t, rank + 1u);
    int64_t base = 0, at;
    if (!tn_in_elems(in, 0, &e) ||
        !tn_static_shape(in, rank, tn_in_type(in, 0)->dims, shape, &count)) {
        return;
    }
    int64_t *strides = tn_row_major(in, rank, shape);
    for (uint32_t i = 0; i < rank; i++) {
        if (!tn_dim_is_const(in->dims, first[i], &at)) {
            return;
        }
        base += at * strides[i];
        strides[i] *= steps[i];
    }
    if (!tn_static_shape(in, rank, out, shape, &count)) {
        return;
    }
    tn_elems cut =
        tn_elems_pick(in, &e, count, tn_index_map(in, rank, shape, count, strides, base));
    tn_out_elems(in, 0, &cut);
}

void tn_shape_slice(tn_infer *in) {
    uint32_t rank;
    slices s = {0};
    tn_dtype dtype = tn_in_dtype(in, 0);
    tn_dim *dims = tn_in_dims(in, 0, 0, &rank);
    if (dims == NULL) {
        tn_out_unranked(in, 0, dtype);
        return;
    }
    if (!read_slices(in, rank, &s)) {
        return;
    }
    if (s.axes.given && !s.axes.known) {
        for (uint32_t i = 0; i < rank; i++) {
            dims[i] = tn_extent_by_data(in, 0, i, dims[i]);
        }
        tn_out(in, 0, dtype, rank, dims);
        tn_out_depends(in, 0, 3);
        return;
    }
    tn_dim *first = tn_dims_unknown(in, rank);
    int64_t *steps = TN_ARRAY(in->scratch, int64_t, rank + 1u);
    bool open = false;
    for (uint32_t i = 0; i < rank; i++) {
        first[i] = tn_in_const(in, 0);
        steps[i] = 1;
    }
    for (uint32_t i = 0; i < s.n; i++) {
        uint32_t axis = s.axes.given ? s.axes.at[i] : i;
        int64_t step = 1;
        bool known = s.steps == NULL || tn_dim_is_const(in->dims, s.steps[i], &step);
        if (known && (step == 0 || step == INT64_MIN)) {
            tn_infer_conflict(in, "step %lld along axis %u", (long long)step, axis);
            return;
        }
        tn_dim all = dims[axis], taken = TN_DIM_UNKNOWN;
        if (known) {
            taken = part(in, all, s.starts[i], s.ends[i], step, &first[axis]);
        } else {
            first[axis] = TN_DIM_UNKNOWN;
        }
        dims[axis] = taken != TN_DIM_UNKNOWN || all == TN_DIM_UNKNOWN
                         ? taken
                         : tn_extent_by_data(in, 0, axis, most_taken(in, all, step));
        /* Beyond any extent only the first element is taken; cut, so that products stay small. */
        steps[axis] = step > INT32_MAX ? INT32_MAX : step < INT32_MIN ? INT32_MIN : step;
        open = open || s.starts[i] == TN_DIM_UNKNOWN || s.ends[i] == TN_DIM_UNKNOWN || !known;
    }
    tn_out(in, 0, dtype, rank, dims);
    if (open) {
        tn_out_depends(in, 0, 1);
    } else if (!in->failed) {
        slice_elements(in, rank, dims, first, steps);
    }
}

/* An axis of which one element is left may be walked in any steps. */
bool tn_part_slice(const tn_op *op, uint32_t i, tn_part *out) {
    int64_t starts[TN_MAX_RANK], axes[TN_MAX_RANK], steps[TN_MAX_RANK];
    uint32_t n, n_steps;
    bool stepped = tn_operand(op, 4) != NULL;
    if (!tn_part_begin(out, tn_operand(op, 0)) || !tn_part_take(out, tn_result(op, i)) ||
        !tn_part_ints(op, "starts", 1, &n, starts) || !tn_part_axes(op, 3, out->rank, n, axes) ||
        (stepped && (!tn_part_ints(op, "steps", 4, &n_steps, steps) || n_steps != n))) {
        return false;
    }
    for (uint32_t k = 0; k < n; k++) {
        int64_t extent = out->whole[axes[k]], step = stepped ? steps[k] : 1;
        int64_t top = step < 0 ? extent - 1 : extent;
        int64_t at = starts[k] < 0 ? starts[k] + extent : starts[k];
        if (step != 1 && out->extent[axes[k]] > 1) {
            return false;
        }
        out->start[axes[k]] = at < 0 ? 0 : at > top ? top : at;
    }
    return true;
}
