/* Reductions along axes, and running sums. */
#include <math.h>

#include "ir/infer/common.h"
#include "ir/infer/fold.h"
#include "ir/ops/op_rules.h"

#define MAX_EXACT 9007199254740992.0 /* 2^53: whole numbers up to here are doubles */

/* Axes are unknown: their number may still give the rank. */
static void out_unknown_axes(tn_infer *in, tn_dtype dtype, uint32_t rank, bool keep) {
    uint32_t n;
    if (keep) {
        tn_out_rank(in, 0, dtype, rank);
    } else if (tn_in_length(in, 1, &n) && n > 0 && n <= rank) {
        tn_out_rank(in, 0, dtype, rank - n);
    } else {
        tn_out_unranked(in, 0, dtype);
    }
}

/* Which axes go, as `rank` flags; NULL when not known (the result is then set) or after a
 * conflict. */
static const bool *reduced_axes(tn_infer *in, tn_dtype dtype, uint32_t rank, bool keep) {
    tn_axes axes;
    if (!tn_in_axes(in, "axes", 1, rank, &axes)) {
        return NULL;
    }
    if (axes.given && !axes.known) {
        out_unknown_axes(in, dtype, rank, keep);
        return NULL;
    }
    bool *flags = tn_axes_flags(in, &axes, rank);
    bool all = axes.n == 0 && tn_attr_int(in->op, "noop_with_empty_axes", 0) == 0;
    for (uint32_t i = 0; all && i < rank; i++) {
        flags[i] = true;
    }
    return flags;
}

static void out_reduced(tn_infer *in, tn_dtype dtype, uint32_t rank, const bool *gone, bool keep) {
    tn_dim *out = tn_dims_unknown(in, rank);
    uint32_t n = 0;
    for (uint32_t i = 0; i < rank; i++) {
        if (!gone[i] || keep) {
            out[n++] = gone[i] ? tn_in_const(in, 1) : tn_in_dim(in, 0, i);
        }
    }
    tn_out(in, 0, dtype, n, out);
}

typedef struct folded {
    tn_elems e;
    uint32_t *count; /* operand elements behind each */
} folded;

/* Folds known elements: each operand element is taken into the result element at the same indices,
 * the reduced ones dropped. */
static bool fold_reduced(tn_infer *in, const tn_fold2 *f, uint32_t rank, const bool *gone,
                         folded *out) {
    tn_elems e;
    uint32_t *shape = TN_ARRAY(in->scratch, uint32_t, rank + 1u), count, n_out = 1;
    if (!tn_foldable(tn_in_dtype(in, 0)) || !tn_in_elems(in, 0, &e) ||
        !tn_static_shape(in, rank, tn_in_type(in, 0)->dims, shape, &count) || count == 0) {
        return false;
    }
    int64_t *strides = TN_ARRAY(in->scratch, int64_t, rank + 1u);
    for (uint32_t i = rank; i-- > 0;) {
        strides[i] = gone[i] ? 0 : n_out;
        n_out *= gone[i] ? 1 : shape[i];
    }
    const uint32_t *into = tn_index_map(in, rank, shape, count, strides, 0);
    tn_dim *dims = TN_ARRAY(in->scratch, tn_dim, n_out);
    double *floats = TN_ARRAY(in->scratch, double, n_out);
    out->count = TN_ARRAY(in->scratch, uint32_t, n_out);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = into[i];
        bool started = out->count[at]++ > 0;
        if (e.dims != NULL) {
            dims[at] = started ? f->dims(in, dims[at], e.dims[i]) : e.dims[i];
        } else {
            floats[at] = started ? f->floats(floats[at], e.floats[i]) : e.floats[i];
        }
    }
    out->e.n = n_out;
    out->e.dims = e.dims != NULL ? dims : NULL;
    out->e.floats = e.dims != NULL ? NULL : floats;
    return true;
}

/* No standard says how averages of integers are rounded; those of floats are followed. */
static bool divide_by_count(tn_infer *in, folded *f) {
    double *floats = TN_ARRAY(in->scratch, double, f->e.n + 1u);
    for (uint32_t i = 0; f->e.floats != NULL && i < f->e.n; i++) {
        floats[i] = f->e.floats[i] / f->count[i];
    }
    bool known = f->e.floats != NULL;
    f->e.floats = floats;
    return known;
}

static void reduce(tn_infer *in, const tn_fold2 *f, bool mean) {
    uint32_t rank;
    folded found = {0};
    tn_dtype dtype = tn_in_dtype(in, 0);
    bool keep = tn_attr_int(in->op, "keepdims", 1) != 0;
    if (!tn_in_rank(in, 0, &rank)) {
        tn_out_unranked(in, 0, dtype);
        return;
    }
    const bool *gone = reduced_axes(in, dtype, rank, keep);
    if (gone == NULL) {
        return;
    }
    out_reduced(in, dtype, rank, gone, keep);
    if (f != NULL && fold_reduced(in, f, rank, gone, &found) &&
        (!mean || divide_by_count(in, &found))) {
        tn_fold_store(in, dtype, &found.e);
    }
}

static tn_dim dim_sum(tn_infer *in, tn_dim a, tn_dim b) {
    return tn_dim_add(in->dims, a, b);
}

static tn_dim dim_prod(tn_infer *in, tn_dim a, tn_dim b) {
    return tn_dim_mul(in->dims, a, b);
}

static tn_dim dim_max(tn_infer *in, tn_dim a, tn_dim b) {
    return tn_dim_max(in->dims, a, b);
}

static tn_dim dim_min(tn_infer *in, tn_dim a, tn_dim b) {
    return tn_dim_min(in->dims, a, b);
}

static double float_sum(double a, double b) {
    return a + b;
}

static double float_prod(double a, double b) {
    return a * b;
}

void tn_shape_reduce(tn_infer *in) {
    reduce(in, NULL, false);
}

/* The first integer of an attribute of any form. */
static int64_t first_int(const tn_attr *a, int64_t fallback) {
    if (a == NULL) {
        return fallback;
    }
    if (a->kind == TN_ATTR_TENSOR) {
        return a->u.t->n_elements > 0 && a->u.t->ints != NULL ? a->u.t->ints[0] : fallback;
    }
    return a->kind == TN_ATTR_INT ? a->u.i : fallback;
}

/* Written as graphs of Python objects are: one axis may be an int, keepdims is a tensor. */
void tn_shape_integer_mean(tn_infer *in) {
    uint32_t rank, n, at;
    bool keep = first_int(tn_op_attr(in->op, "keepdims"), 1) != 0;
    const tn_attr *axis = tn_op_attr(in->op, "axes");
    const int64_t *axes = tn_attr_ints(in->op, "axes", &n);
    if (!tn_in_rank(in, 0, &rank)) {
        tn_out_unranked(in, 0, tn_in_dtype(in, 0));
        return;
    }
    int64_t one = first_int(axis, 0);
    if (axes == NULL && axis != NULL) {
        axes = &one;
        n = 1;
    }
    bool *gone = TN_ARRAY(in->scratch, bool, rank + 1u);
    for (uint32_t i = 0; i < rank && axes == NULL; i++) {
        gone[i] = true;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!tn_in_axis(in, axes[i], rank, &at)) {
            return;
        }
        gone[at] = true;
    }
    out_reduced(in, tn_in_dtype(in, 0), rank, gone, keep);
}

#define REDUCE(name, on_floats)                                                                    \
    void tn_shape_reduce_##name(tn_infer *in) {                                                    \
        reduce(in, &(tn_fold2){dim_##name, on_floats}, false);                                     \
    }
REDUCE(sum, float_sum)
REDUCE(prod, float_prod)
REDUCE(max, fmax)
REDUCE(min, fmin)

void tn_shape_reduce_mean(tn_infer *in) {
    reduce(in, &(tn_fold2){dim_sum, float_sum}, true);
}

/* Index of the largest (sign 1) or smallest (sign -1) of known elements; false when there is none
 * or an element is no number. */
static bool index_of_extreme(tn_infer *in, const tn_elems *e, double sign, int64_t *index) {
    bool last = tn_attr_int(in->op, "select_last_index", 0) != 0;
    double best = 0;
    for (uint32_t i = 0; i < e->n; i++) {
        int64_t n;
        if (e->dims != NULL && !tn_dim_is_const(in->dims, e->dims[i], &n)) {
            return false;
        }
        double x = sign * (e->dims != NULL ? (double)n : e->floats[i]);
        if (isnan(x) || fabs(x) > MAX_EXACT) {
            return false;
        }
        if (i == 0 || x > best || (last && x == best)) {
            best = x;
            *index = i;
        }
    }
    return e->n > 0;
}

/* Known elements of vectors only: shape arithmetic has no others. */
static void arg(tn_infer *in, double sign) {
    uint32_t rank, axis;
    tn_elems e;
    int64_t index = 0;
    if (!tn_in_rank(in, 0, &rank)) {
        tn_out_unranked(in, 0, TN_DT_INT64);
        return;
    }
    if (!tn_in_axis(in, tn_attr_int(in->op, "axis", 0), rank, &axis)) {
        return;
    }
    bool *gone = TN_ARRAY(in->scratch, bool, rank);
    gone[axis] = true;
    out_reduced(in, TN_DT_INT64, rank, gone, tn_attr_int(in->op, "keepdims", 1) != 0);
    if (rank == 1 && tn_in_elems(in, 0, &e) && index_of_extreme(in, &e, sign, &index)) {
        tn_dim found = tn_in_const(in, index);
        tn_out_content(in, 0, 1, &found);
    }
}

void tn_shape_argmax(tn_infer *in) {
    arg(in, 1);
}

void tn_shape_argmin(tn_infer *in) {
    arg(in, -1);
}

/* What programs compute, not the type, rests on the axis: known ones are part of the plan. */
void tn_shape_cumulated(tn_infer *in) {
    uint32_t n;
    tn_out_type(in, 0, tn_in_type(in, 0));
    (void)tn_in_content(in, 1, &n);
}

/* As above, with the elements of a vector, such as extents. */
void tn_shape_cumsum(tn_infer *in) {
    tn_elems e;
    uint32_t rank;
    tn_shape_cumulated(in);
    if (!tn_in_rank(in, 0, &rank) || rank != 1 || !tn_in_elems(in, 0, &e) || e.dims == NULL) {
        return;
    }
    bool exclusive = tn_attr_int(in->op, "exclusive", 0) != 0;
    bool reverse = tn_attr_int(in->op, "reverse", 0) != 0;
    tn_dim *dims = TN_ARRAY(in->scratch, tn_dim, e.n + 1u), sum = tn_in_const(in, 0);
    for (uint32_t i = 0; i < e.n; i++) {
        uint32_t at = reverse ? e.n - 1 - i : i;
        tn_dim next = tn_dim_add(in->dims, sum, e.dims[at]);
        dims[at] = exclusive ? sum : next;
        sum = next;
    }
    tn_fold_store(in, tn_in_dtype(in, 0), &(tn_elems){.n = e.n, .dims = dims});
}
