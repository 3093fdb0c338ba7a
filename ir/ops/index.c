/* Reading by index. */
#include "ir/base/limits.h"
#include "ir/infer/by_data.h"
#include "ir/infer/common.h"
#include "ir/infer/content.h"
#include "ir/ops/op_rules.h"
#include "ir/ops/part.h"

/* Known constant indices of operand 1, made positive in [0, extent); NULL when one is out of
 * range. */
static const uint32_t *positions(tn_infer *in, int64_t extent, uint32_t *n) {
    const int64_t *ints = tn_in_ints(in, 1, n);
    uint32_t *out = TN_ARRAY(in->scratch, uint32_t, ints != NULL ? *n + 1u : 1);
    for (uint32_t i = 0; ints != NULL && i < *n; i++) {
        int64_t at = ints[i] < 0 ? ints[i] + extent : ints[i];
        if (at < 0 || at >= extent) {
            return NULL;
        }
        out[i] = (uint32_t)at;
    }
    return ints != NULL ? out : NULL;
}

/* The result as (outer, picked, inner), whatever the ranks. */
static void gather_elements_known(tn_infer *in, uint32_t rank, const tn_dim *dims, uint32_t axis) {
    tn_elems e;
    uint32_t count, n, *shape = TN_ARRAY(in->scratch, uint32_t, rank + 1u);
    if (!tn_in_elems(in, 0, &e) || !tn_static_shape(in, rank, dims, shape, &count)) {
        return;
    }
    const uint32_t *picked = positions(in, shape[axis], &n);
    uint32_t outer = 1, inner = 1, at = 0;
    for (uint32_t i = 0; i < rank; i++) {
        *(i < axis ? &outer : i > axis ? &inner : &count) *= shape[i];
    }
    if (picked == NULL || (uint64_t)outer * n * inner > TN_MAX_CONTENT) {
        return;
    }
    uint32_t *from = TN_ARRAY(in->scratch, uint32_t, outer * n * inner + 1u);
    for (uint32_t o = 0; o < outer; o++) {
        for (uint32_t p = 0; p < n; p++) {
            for (uint32_t i = 0; i < inner; i++) {
                from[at++] = (o * shape[axis] + picked[p]) * inner + i;
            }
        }
    }
    tn_elems out = tn_elems_pick(in, &e, at, from);
    tn_out_elems(in, 0, &out);
}

/* Says it of a stored index outside of an axis of known extent: the op fails when it runs. What its
 * result is like is known all the same. Of indices that are computed nothing is said: how many of
 * them are known depends on extents, and `tenure dims` would look for those that hide them. */
static void demand_inside(tn_infer *in, tn_dim axis) {
    int64_t extent;
    const tn_value *v = tn_operand(in->op, 1);
    const tn_tensor *t = v != NULL ? tn_infer_tensor(v) : NULL;
    if (t == NULL || t->ints == NULL || !tn_dim_is_const(in->dims, axis, &extent)) {
        return;
    }
    for (uint64_t i = 0; i < t->n_elements; i++) {
        if (t->ints[i] < -extent || t->ints[i] >= extent) {
            tn_infer_conflict(in, "index %lld is outside of an axis of extent %lld",
                              (long long)t->ints[i], (long long)extent);
            return;
        }
    }
}

void tn_shape_gather(tn_infer *in) {
    uint32_t rank, rank_i, axis, n = 0;
    tn_dtype dtype = tn_in_dtype(in, 0);
    const tn_dim *dims = tn_in_dims(in, 0, 0, &rank), *picks = tn_in_dims(in, 1, 0, &rank_i);
    if (dims == NULL || picks == NULL) {
        tn_out_unranked(in, 0, dtype);
        return;
    }
    if (!tn_in_axis(in, tn_attr_int(in->op, "axis", 0), rank, &axis)) {
        return;
    }
    tn_dim *out = tn_dims_unknown(in, rank + rank_i);
    for (uint32_t i = 0; i < axis; i++) {
        out[n++] = dims[i];
    }
    for (uint32_t i = 0; i < rank_i; i++) {
        out[n++] = picks[i];
    }
    for (uint32_t i = axis + 1; i < rank; i++) {
        out[n++] = dims[i];
    }
    tn_out(in, 0, dtype, n, out);
    if (!in->failed) {
        gather_elements_known(in, rank, dims, axis);
        demand_inside(in, dims[axis]);
    }
}

/* Neighbours in ascending order, of which one alone is a case. */
bool tn_part_gather(const tn_op *op, uint32_t i, tn_part *out) {
    int64_t index[TN_MAX_RANK];
    uint32_t n, axis;
    (void)i;
    if (!tn_part_begin(out, tn_operand(op, 0)) || !tn_part_axis(op, 0, out->rank, &axis) ||
        !tn_part_ints(op, "indices", 1, &n, index) || n == 0) {
        return false;
    }
    for (uint32_t k = 0; k < n; k++) {
        index[k] += index[k] < 0 ? out->whole[axis] : 0;
        if (index[k] != index[0] + k) {
            return false;
        }
    }
    out->extent[axis] = n;
    out->start[axis] = index[0];
    return true;
}

/* Elements of a vector picked by a vector of constants. */
static void pick_from_vector(tn_infer *in) {
    tn_elems e;
    uint32_t rank, n;
    if (tn_in_rank(in, 0, &rank) && rank == 1 && tn_in_elems(in, 0, &e)) {
        const uint32_t *from = positions(in, e.n, &n);
        if (from != NULL) {
            tn_elems out = tn_elems_pick(in, &e, n, from);
            tn_out_elems(in, 0, &out);
        }
    }
}

void tn_shape_gather_elements(tn_infer *in) {
    tn_out_like(in, 0, tn_in_dtype(in, 0), 1);
    pick_from_vector(in);
}

/* The last axis of the indices holds tuples; what a tuple does not index is copied. */
void tn_shape_gather_nd(tn_infer *in) {
    uint32_t rank, rank_i, n = 0;
    int64_t tuple, batch = tn_attr_int(in->op, "batch_dims", 0);
    tn_dtype dtype = tn_in_dtype(in, 0);
    const tn_dim *dims = tn_in_dims(in, 0, 0, &rank), *picks = tn_in_dims(in, 1, 0, &rank_i);
    if (dims == NULL || picks == NULL || rank_i == 0 ||
        !tn_dim_is_const(in->dims, picks[rank_i - 1], &tuple)) {
        tn_out_unranked(in, 0, dtype);
        return;
    }
    if (batch < 0 || tuple < 0 || batch > rank || tuple > rank - batch) {
        tn_infer_conflict(in, "index tuples of %lld after %lld batch axes exceed a rank of %u",
                          (long long)tuple, (long long)batch, rank);
        return;
    }
    tn_dim *out = tn_dims_unknown(in, rank + rank_i);
    for (uint32_t i = 0; i + 1 < rank_i; i++) {
        out[n++] = picks[i];
    }
    for (uint32_t i = (uint32_t)(batch + tuple); i < rank; i++) {
        out[n++] = dims[i];
    }
    tn_out(in, 0, dtype, n, out);
    if (tuple == 1 && batch == 0) {
        pick_from_vector(in);
    }
}

/* ---- results whose number depends on data ---- */

/* Number of true elements among the first `places` of an operand whose elements are all known, and
 * the place behind the last of them. */
static tn_dim count_true(tn_infer *in, uint32_t k, int64_t places, int64_t *end) {
    uint32_t n;
    int64_t total = 0;
    const int64_t *ints = tn_in_ints(in, k, &n);
    *end = 0;
    for (uint32_t i = 0; ints != NULL && i < n && i < places; i++) {
        total += ints[i] != 0;
        *end = ints[i] != 0 ? (int64_t)i + 1 : *end;
    }
    return ints != NULL ? tn_in_const(in, total) : TN_DIM_UNKNOWN;
}

/* Of `all` that there are, as many as the condition has true elements. It is not longer than what
 * it is for, says the definition; runtimes leave alone what it has more, where data made that
 * short. */
static tn_dim compressed(tn_infer *in, uint32_t axis, tn_dim all) {
    tn_dims *d = in->dims;
    uint32_t rank;
    int64_t places = INT64_MAX, end;
    (void)tn_dim_is_const(d, all, &places);
    tn_dim kept = count_true(in, 1, places, &end);
    if (kept != TN_DIM_UNKNOWN) {
        bool known = all != TN_DIM_UNKNOWN;
        if (known &&
            (!tn_dim_by_data(d, all) || tn_dim_provably_ge(d, all, tn_dim_const(d, end)))) {
            return kept;
        }
        all = known ? tn_dim_min(d, all, kept) : kept;
    } else if (tn_in_rank(in, 1, &rank) && rank == 1) {
        all = tn_dim_min(d, all, tn_in_dim(in, 1, 0));
    }
    return tn_extent_by_data(in, 0, axis, all);
}

void tn_shape_compress(tn_infer *in) {
    uint32_t rank, axis;
    tn_dtype dtype = tn_in_dtype(in, 0);
    tn_dim kept = TN_DIM_UNKNOWN;
    if (tn_op_attr(in->op, "axis") == NULL) {
        kept = compressed(in, 0, tn_type_elements(in->dims, tn_in_type(in, 0)));
        tn_out_vector(in, 0, dtype, kept);
    } else {
        tn_dim *dims = tn_in_dims(in, 0, 0, &rank);
        if (dims == NULL) {
            tn_out_unranked(in, 0, dtype);
        } else if (tn_in_axis(in, tn_attr_int(in->op, "axis", 0), rank, &axis)) {
            kept = dims[axis] = compressed(in, axis, dims[axis]);
            tn_out(in, 0, dtype, rank, dims);
        }
    }
    if (kept == TN_DIM_UNKNOWN) {
        tn_out_depends(in, 0, 1);
    }
}

/* Row a of the result holds the indices along axis a, one column for each element that is not 0. */
static bool nonzero_elements(tn_infer *in, uint32_t rank) {
    uint32_t n, total, found = 0, *shape = TN_ARRAY(in->scratch, uint32_t, rank + 1u);
    const int64_t *ints = tn_in_ints(in, 0, &n);
    int64_t columns, end;
    tn_dim dims[2] = {tn_in_const(in, rank), count_true(in, 0, INT64_MAX, &end)};
    if (ints == NULL || !tn_static_shape(in, rank, tn_in_type(in, 0)->dims, shape, &total) ||
        total != n || !tn_dim_is_const(in->dims, dims[1], &columns)) {
        return false;
    }
    tn_out(in, 0, TN_DT_INT64, 2, dims);
    const int64_t *strides = tn_row_major(in, rank, shape);
    tn_dim *out = tn_dims_unknown(in, rank * (uint32_t)columns);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t axis = 0; ints[i] != 0 && axis < rank; axis++) {
            out[axis * (uint32_t)columns + found] =
                tn_in_const(in, (i / strides[axis]) % shape[axis]);
        }
        found += ints[i] != 0;
    }
    tn_out_content(in, 0, rank * (uint32_t)columns, out);
    return true;
}

void tn_shape_nonzero(tn_infer *in) {
    uint32_t rank = 0;
    bool known = tn_in_rank(in, 0, &rank);
    if (known && nonzero_elements(in, rank)) {
        return;
    }
    tn_dim dims[2] = {known ? tn_in_const(in, rank) : TN_DIM_UNKNOWN,
                      tn_extent_by_data(in, 0, 1, tn_type_elements(in->dims, tn_in_type(in, 0)))};
    tn_out(in, 0, TN_DT_INT64, 2, dims);
    tn_out_depends(in, 0, 0);
}

void tn_shape_unique(tn_infer *in) {
    uint32_t rank, axis;
    tn_dtype dtype = tn_in_dtype(in, 0);
    tn_dim all = tn_type_elements(in->dims, tn_in_type(in, 0)), different = TN_DIM_UNKNOWN;
    if (tn_op_attr(in->op, "axis") == NULL) {
        different = tn_extent_by_data(in, 0, 0, all);
        tn_out_vector(in, 0, dtype, different);
    } else {
        tn_dim *dims = tn_in_dims(in, 0, 0, &rank);
        all = TN_DIM_UNKNOWN;
        if (dims == NULL) {
            tn_out_unranked(in, 0, dtype);
        } else if (tn_in_axis(in, tn_attr_int(in->op, "axis", 0), rank, &axis)) {
            all = dims[axis];
            different = dims[axis] = tn_extent_by_data(in, 0, axis, all);
            tn_out(in, 0, dtype, rank, dims);
        }
    }
    tn_out_vector(in, 1, TN_DT_INT64, different);
    tn_out_vector(in, 2, TN_DT_INT64, all);
    tn_out_vector(in, 3, TN_DT_INT64, different);
    for (uint32_t r = 0; r < 4; r++) {
        if (r != 2) {
            tn_out_depends(in, r, 0);
        }
    }
}

/* ---- selection and encoding ---- */

void tn_shape_topk(tn_infer *in) {
    uint32_t rank, axis, n;
    tn_dtype dtype = tn_in_dtype(in, 0);
    tn_dim *dims = tn_in_dims(in, 0, 0, &rank);
    if (dims == NULL) {
        tn_out_unranked(in, 0, dtype);
        tn_out_unranked(in, 1, TN_DT_INT64);
        return;
    }
    if (!tn_in_axis(in, tn_attr_int(in->op, "axis", -1), rank, &axis)) {
        return;
    }
    bool known;
    tn_dim all = dims[axis];
    if (tn_by_attribute(in, 1, 10)) {
        known = tn_op_attr(in->op, "k") != NULL;
        dims[axis] = known ? tn_in_const(in, tn_attr_int(in->op, "k", 1)) : TN_DIM_UNKNOWN;
    } else {
        const tn_dim *k = tn_in_content(in, 1, &n);
        known = k != NULL && n == 1 && k[0] != TN_DIM_UNKNOWN;
        dims[axis] = known ? k[0] : tn_extent_by_data(in, 0, axis, all);
    }
    tn_out(in, 0, dtype, rank, dims);
    tn_out(in, 1, TN_DT_INT64, rank, dims);
    if (!known) {
        tn_out_depends(in, 0, 1);
        tn_out_depends(in, 1, 1);
    }
}

/* The depth may be a tensor of any number type. */
static tn_dim depth_of(tn_infer *in) {
    uint32_t n;
    double x;
    const tn_dim *depth = tn_in_content(in, 1, &n);
    if (depth != NULL) {
        return n == 1 ? depth[0] : TN_DIM_UNKNOWN;
    }
    return tn_in_scalar_float(in, 1, &x) && x >= 0 && x < INT32_MAX ? tn_in_const(in, (int64_t)x)
                                                                    : TN_DIM_UNKNOWN;
}

void tn_shape_one_hot(tn_infer *in) {
    uint32_t rank, axis, from = 0;
    tn_dtype dtype = tn_in_dtype(in, 2);
    if (!tn_in_rank(in, 0, &rank)) {
        tn_out_unranked(in, 0, dtype);
        return;
    }
    if (!tn_in_axis(in, tn_attr_int(in->op, "axis", -1), rank + 1, &axis)) {
        return;
    }
    tn_dim *out = tn_dims_unknown(in, rank + 1);
    for (uint32_t i = 0; i <= rank; i++) {
        out[i] = i == axis ? depth_of(in) : tn_in_dim(in, 0, from++);
    }
    tn_out(in, 0, dtype, rank + 1, out);
    if (out[axis] == TN_DIM_UNKNOWN) {
        tn_out_depends(in, 0, 1);
    }
}
