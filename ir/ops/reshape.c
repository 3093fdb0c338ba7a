/* The same elements under another shape. Known elements pass through unchanged. */
#include "ir/base/limits.h"
#include "ir/infer/by_data.h"
#include "ir/infer/common.h"
#include "ir/infer/content.h"
#include "ir/ops/op_rules.h"

static void pass_elements(tn_infer *in) {
    tn_elems e;
    if (tn_in_elems(in, 0, &e)) {
        tn_out_elems(in, 0, &e);
    }
}

void tn_shape_identity(tn_infer *in) {
    tn_out_type(in, 0, tn_in_type(in, 0));
    pass_elements(in);
}

/* ---- Reshape ---- */

typedef struct reshape {
    const tn_dim *from; /* the operand's dims, NULL when its rank is unknown */
    uint32_t n_from;
    tn_dim *to;
    uint32_t n_to;
    bool *copied;   /* entry i of `to` is entry i of `from` */
    uint32_t holes; /* entries to be found from the element count */
    uint32_t hole;
} reshape;

/* An entry that data may make 0 copies the operand's extent then. Where that leaves the operand no
 * elements, none are reshaped and 0 is as good; elsewhere it is what a run has. */
static tn_dim entry_by_data(tn_infer *in, const reshape *s, uint32_t i, tn_dim wanted) {
    tn_dims *d = in->dims;
    if (s->from == NULL || i >= s->n_from || !tn_dim_by_data(d, wanted) ||
        tn_dim_provably_ge(d, wanted, tn_in_const(in, 1))) {
        return wanted;
    }
    tn_dim all = tn_dims_product(in, s->from, 0, s->n_from);
    bool whole = tn_dim_mul(d, tn_dim_floordiv(d, all, wanted), wanted) == all;
    return whole && all != TN_DIM_UNKNOWN
               ? wanted
               : tn_extent_by_data(
                     in, 0, i, tn_dim_max(d, tn_dim_most(d, wanted), tn_dim_most(d, s->from[i])));
}

static bool fill_entry(tn_infer *in, reshape *s, uint32_t i, tn_dim wanted, bool allow_zero) {
    int64_t value;
    bool constant = tn_dim_is_const(in->dims, wanted, &value);
    if (wanted == TN_DIM_UNKNOWN || (constant && value == -1)) {
        s->holes++;
        s->hole = i;
        return true;
    }
    if (constant && value < -1) {
        tn_infer_conflict(in, "entry %u of the new shape is %lld", i, (long long)value);
        return false;
    }
    if (constant && value == 0 && !allow_zero) {
        if (s->from != NULL && i >= s->n_from) {
            tn_infer_conflict(in,
                              "entry %u of the new shape copies a dimension that a rank of %u "
                              "does not have",
                              i, s->n_from);
            return false;
        }
        s->copied[i] = true;
        s->to[i] = s->from != NULL ? s->from[i] : TN_DIM_UNKNOWN;
        return true;
    }
    s->to[i] = allow_zero ? wanted : entry_by_data(in, s, i, wanted);
    return true;
}

/* The product of the operand's dims over that of the result's. Equal dims leave both sides first,
 * so that the answer does not depend on what they are. False when the result side is not known. */
static bool quotient(tn_infer *in, const reshape *s, tn_dim *over, tn_dim *under) {
    bool *used = TN_ARRAY(in->scratch, bool, s->n_from + 1u);
    *over = *under = tn_in_const(in, 1);
    for (uint32_t i = 0; i < s->n_to; i++) {
        if (s->copied[i]) {
            used[i] = true;
        }
    }
    for (uint32_t i = 0; i < s->n_to; i++) {
        uint32_t k = 0;
        if (s->copied[i] || (s->holes == 1 && i == s->hole)) {
            continue;
        }
        bool opaque = s->to[i] == TN_DIM_UNKNOWN || s->to[i] == tn_in_const(in, 0);
        while (k < s->n_from && (used[k] || opaque || s->from[k] != s->to[i])) {
            k++;
        }
        if (k < s->n_from) {
            used[k] = true;
        } else {
            *under = tn_dim_mul(in->dims, *under, s->to[i]);
        }
    }
    for (uint32_t k = 0; k < s->n_from; k++) {
        *over = used[k] ? *over : tn_dim_mul(in->dims, *over, s->from[k]);
    }
    return *under != TN_DIM_UNKNOWN;
}

static bool fill_hole(tn_infer *in, reshape *s) {
    tn_dim over, under;
    int64_t a, b;
    if (s->from == NULL || s->holes > 1 || !quotient(in, s, &over, &under)) {
        return true;
    }
    bool constant =
        tn_dim_is_const(in->dims, over, &a) && tn_dim_is_const(in->dims, under, &b) && b != 0;
    if (constant && (s->holes == 0 ? a != b : a % b != 0)) {
        tn_infer_conflict(in, "a part of %lld elements cannot become one of %lld", (long long)a,
                          (long long)b);
        return false;
    }
    if (s->holes == 1) {
        s->to[s->hole] = tn_dim_floordiv(in->dims, over, under);
    }
    return true;
}

/* The wanted shape: operand 1, or before opset 5 an attribute. */
static const tn_dim *wanted_shape(tn_infer *in, uint32_t *n) {
    return tn_in_has(in, 1) ? tn_in_shape_operand(in, 1, n) : tn_attr_dims(in, "shape", n);
}

void tn_shape_reshape(tn_infer *in) {
    tn_dtype dtype = tn_in_dtype(in, 0);
    reshape s = {0};
    uint32_t n;
    const tn_dim *wanted = wanted_shape(in, &s.n_to);
    if (wanted == NULL || s.n_to > TN_MAX_RANK) {
        tn_out_unranked(in, 0, dtype);
        tn_out_depends(in, 0, 1);
        return;
    }
    s.from = tn_in_dims(in, 0, 0, &s.n_from);
    s.to = tn_dims_unknown(in, s.n_to);
    s.copied = TN_ARRAY(in->scratch, bool, s.n_to + 1u);
    bool allow_zero = tn_attr_int(in->op, "allowzero", 0) != 0;
    for (uint32_t i = 0; i < s.n_to; i++) {
        if (!fill_entry(in, &s, i, wanted[i], allow_zero)) {
            return;
        }
    }
    if (fill_hole(in, &s)) {
        tn_out(in, 0, dtype, s.n_to, s.to);
        if (tn_in_content(in, 1, &n) == NULL) {
            tn_out_depends(in, 0, 1);
        }
        pass_elements(in);
    }
}

/* ---- Flatten, Squeeze, Unsqueeze ---- */

/* The axis may be the rank itself: then all is flattened into the first extent. */
void tn_shape_flatten(tn_infer *in) {
    uint32_t rank;
    int64_t axis = tn_attr_int(in->op, "axis", 1);
    const tn_dim *dims = tn_in_dims(in, 0, 0, &rank);
    if (dims == NULL) {
        tn_out_rank(in, 0, tn_in_dtype(in, 0), 2);
        return;
    }
    axis += axis < 0 ? rank : 0;
    if (axis < 0 || axis > rank) {
        tn_infer_conflict(in, "axis %lld is outside a tensor of rank %u", (long long)axis, rank);
        return;
    }
    tn_dim out[2] = {tn_dims_product(in, dims, 0, (uint32_t)axis),
                     tn_dims_product(in, dims, (uint32_t)axis, rank)};
    tn_out(in, 0, tn_in_dtype(in, 0), 2, out);
    pass_elements(in);
}

/* Without axes every extent of 1 goes; an open extent may or may not be one, so the rank is open.
 */
static bool flag_ones(tn_infer *in, uint32_t rank, bool *gone) {
    for (uint32_t i = 0; i < rank; i++) {
        int64_t extent;
        if (!tn_dim_is_const(in->dims, tn_in_dim(in, 0, i), &extent)) {
            return false;
        }
        gone[i] = extent == 1;
    }
    return true;
}

/* Of axes whose number alone is known: only extents of 1 can go, so when no more of them may be 1,
 * all of those go. Otherwise the rank is all there is to know. False when not even that. */
static bool flag_counted(tn_infer *in, uint32_t rank, bool *gone) {
    uint32_t n, may_go = 0;
    if (!tn_in_length(in, 1, &n) || n > rank) {
        return false;
    }
    for (uint32_t i = 0; i < rank; i++) {
        int64_t extent;
        gone[i] = !tn_dim_is_const(in->dims, tn_in_dim(in, 0, i), &extent) || extent == 1;
        may_go += gone[i];
    }
    if (may_go != n) {
        tn_out_rank(in, 0, tn_in_dtype(in, 0), rank - n);
    }
    return may_go == n;
}

void tn_shape_squeeze(tn_infer *in) {
    uint32_t rank, n = 0;
    tn_axes axes;
    tn_dtype dtype = tn_in_dtype(in, 0);
    if (!tn_in_rank(in, 0, &rank)) {
        tn_out_unranked(in, 0, dtype);
        return;
    }
    if (!tn_in_axes(in, "axes", 1, rank, &axes)) {
        return;
    }
    bool *gone = tn_axes_flags(in, &axes, rank);
    if (!axes.known) {
        tn_out_unranked(in, 0, dtype);
        if (!(axes.given ? flag_counted : flag_ones)(in, rank, gone)) {
            return;
        }
    }
    tn_dim *out = tn_dims_unknown(in, rank);
    for (uint32_t i = 0; i < rank; i++) {
        int64_t extent;
        if (!gone[i]) {
            out[n++] = tn_in_dim(in, 0, i);
        } else if (tn_dim_is_const(in->dims, tn_in_dim(in, 0, i), &extent) && extent != 1) {
            tn_infer_conflict(in, "axis %u to be removed has extent %lld", i, (long long)extent);
            return;
        }
    }
    tn_out(in, 0, dtype, n, out);
    pass_elements(in);
}

/* Number of axes to insert: known also when the axes themselves are not. */
static bool inserted(tn_infer *in, uint32_t *n) {
    if (tn_in_has(in, 1)) {
        return tn_in_content(in, 1, n) != NULL || tn_in_length(in, 1, n);
    }
    const tn_attr *axes = tn_op_attr(in->op, "axes");
    *n = 1;
    return (axes != NULL && axes->kind == TN_ATTR_INT) || tn_attr_ints(in->op, "axes", n) != NULL;
}

void tn_shape_unsqueeze(tn_infer *in) {
    uint32_t rank, n, from = 0;
    tn_axes axes;
    tn_dtype dtype = tn_in_dtype(in, 0);
    if (!tn_in_rank(in, 0, &rank) || !inserted(in, &n) || rank + n > TN_MAX_RANK) {
        tn_out_unranked(in, 0, dtype);
        return;
    }
    uint32_t total = rank + n;
    if (!tn_in_axes(in, "axes", 1, total, &axes)) {
        return;
    }
    if (!axes.known) {
        tn_out_rank(in, 0, dtype, total);
        return;
    }
    const bool *added = tn_axes_flags(in, &axes, total);
    tn_dim *out = tn_dims_unknown(in, total);
    for (uint32_t i = 0; i < total; i++) {
        if (!added[i] && from == rank) {
            tn_infer_conflict(in, "an axis is to be inserted twice");
            return;
        }
        out[i] = added[i] ? tn_in_const(in, 1) : tn_in_dim(in, 0, from++);
    }
    tn_out(in, 0, dtype, total, out);
    pass_elements(in);
}
