/* Comparisons, boolean algebra and selection. Known elements are 0 or 1; a comparison of
 * expressions is answered only when it holds, or fails, for every value of their symbols. */
#include "ir/infer/common.h"
#include "ir/infer/fold.h"
#include "ir/ops/op_rules.h"

static tn_dim truth(const tn_infer *in, bool value) {
    return tn_in_const(in, value);
}

static tn_dim dim_less_equal(tn_infer *in, tn_dim a, tn_dim b) {
    if (tn_dim_provably_ge(in->dims, b, a)) {
        return truth(in, true);
    }
    tn_dim after = tn_dim_add(in->dims, b, tn_in_const(in, 1));
    return tn_dim_provably_ge(in->dims, a, after) ? truth(in, false) : TN_DIM_UNKNOWN;
}

static tn_dim dim_not(tn_infer *in, tn_dim a) {
    int64_t value;
    return tn_dim_is_const(in->dims, a, &value) ? truth(in, value == 0) : TN_DIM_UNKNOWN;
}

static tn_dim dim_less(tn_infer *in, tn_dim a, tn_dim b) {
    return dim_not(in, dim_less_equal(in, b, a));
}

static tn_dim dim_greater(tn_infer *in, tn_dim a, tn_dim b) {
    return dim_less(in, b, a);
}

static tn_dim dim_greater_equal(tn_infer *in, tn_dim a, tn_dim b) {
    return dim_less_equal(in, b, a);
}

static tn_dim dim_equal(tn_infer *in, tn_dim a, tn_dim b) {
    tn_dim yes = truth(in, true), no = truth(in, false);
    if (a != TN_DIM_UNKNOWN && a == b) {
        return yes;
    }
    return dim_less(in, a, b) == yes || dim_less(in, b, a) == yes ? no : TN_DIM_UNKNOWN;
}

static tn_dim dim_and(tn_infer *in, tn_dim a, tn_dim b) {
    tn_dim yes = truth(in, true), no = truth(in, false);
    if (a == no || b == no) {
        return no;
    }
    return a == yes ? b : b == yes ? a : TN_DIM_UNKNOWN;
}

static tn_dim dim_or(tn_infer *in, tn_dim a, tn_dim b) {
    return dim_not(in, dim_and(in, dim_not(in, a), dim_not(in, b)));
}

static tn_dim dim_xor(tn_infer *in, tn_dim a, tn_dim b) {
    return dim_not(in, dim_equal(in, a, b));
}

static bool float_equal(double a, double b) {
    return a == b;
}

static bool float_less(double a, double b) {
    return a < b;
}

static bool float_less_equal(double a, double b) {
    return a <= b;
}

static bool float_greater(double a, double b) {
    return a > b;
}

static bool float_greater_equal(double a, double b) {
    return a >= b;
}

typedef struct predicate {
    tn_dim (*dims)(tn_infer *in, tn_dim a, tn_dim b);
    bool (*floats)(double a, double b);
} predicate;

static void fold_predicate(tn_infer *in, const predicate *p, uint32_t rank, const tn_dim *dims) {
    tn_elems a, b;
    if (!tn_foldable(tn_in_dtype(in, 0)) || !tn_elems_broadcast(in, 0, rank, dims, &a) ||
        !tn_elems_broadcast(in, 1, rank, dims, &b)) {
        return;
    }
    tn_dim *out = TN_ARRAY(in->scratch, tn_dim, a.n + 1u);
    bool floats = a.floats != NULL && b.floats != NULL;
    const tn_dim *x = tn_elems_as_dims(in, &a), *y = tn_elems_as_dims(in, &b);
    for (uint32_t i = 0; i < a.n; i++) {
        if (floats) {
            out[i] =
                p->floats != NULL ? truth(in, p->floats(a.floats[i], b.floats[i])) : TN_DIM_UNKNOWN;
        } else {
            out[i] = p->dims(in, x[i], y[i]);
        }
    }
    tn_out_content(in, 0, a.n, out);
}

/* Before opset 7 the second operand is stretched to the first, aligned at attribute `axis`. */
static void compare(tn_infer *in, const predicate *p) {
    uint32_t rank;
    bool old = tn_before(in, 7) && tn_op_attr(in->op, "broadcast") != NULL;
    tn_dim *dims = old ? tn_in_dims(in, 0, 0, &rank) : tn_broadcast_operands(in, 0, 2, &rank);
    if (dims == NULL) {
        if (!in->failed) {
            tn_out_unranked(in, 0, TN_DT_BOOL);
        }
        return;
    }
    tn_out(in, 0, TN_DT_BOOL, rank, dims);
    if (!old) {
        fold_predicate(in, p, rank, dims);
    }
}

#define COMPARE(name, on_floats)                                                                   \
    void tn_shape_##name(tn_infer *in) {                                                           \
        compare(in, &(predicate){dim_##name, on_floats});                                          \
    }
COMPARE(equal, float_equal)
COMPARE(less, float_less)
COMPARE(less_equal, float_less_equal)
COMPARE(greater, float_greater)
COMPARE(greater_equal, float_greater_equal)
COMPARE(and, NULL)
COMPARE(or, NULL)
COMPARE(xor, NULL)

void tn_shape_not(tn_infer *in) {
    tn_out_like(in, 0, TN_DT_BOOL, 0);
    tn_fold_unary(in, &(tn_fold1){dim_not, NULL});
}

void tn_shape_same_bool(tn_infer *in) {
    tn_out_like(in, 0, TN_DT_BOOL, 0);
}

static void fold_where(tn_infer *in, tn_dtype dtype, uint32_t rank, const tn_dim *dims) {
    tn_elems c, a, b;
    if (!tn_elems_broadcast(in, 0, rank, dims, &c) || c.dims == NULL ||
        !tn_elems_broadcast(in, 1, rank, dims, &a) || !tn_elems_broadcast(in, 2, rank, dims, &b)) {
        return;
    }
    const tn_dim *x = tn_elems_as_dims(in, &a), *y = tn_elems_as_dims(in, &b);
    tn_dim *out = TN_ARRAY(in->scratch, tn_dim, c.n + 1u);
    double *floats = TN_ARRAY(in->scratch, double, c.n + 1u);
    bool all_floats = a.floats != NULL && b.floats != NULL;
    for (uint32_t i = 0; i < c.n; i++) {
        int64_t yes = 0;
        bool known = tn_dim_is_const(in->dims, c.dims[i], &yes);
        out[i] = known ? (yes != 0 ? x[i] : y[i]) : (x[i] == y[i] ? x[i] : TN_DIM_UNKNOWN);
        all_floats = all_floats && known;
        if (all_floats) {
            floats[i] = yes != 0 ? a.floats[i] : b.floats[i];
        }
    }
    tn_elems e = {.n = c.n, .dims = all_floats ? NULL : out, .floats = all_floats ? floats : NULL};
    tn_fold_store(in, dtype, &e);
}

void tn_shape_where(tn_infer *in) {
    uint32_t rank;
    tn_dtype dtype = tn_in_dtype_any(in, 1, 2);
    tn_dim *dims = tn_broadcast_operands(in, 0, 3, &rank);
    if (dims != NULL) {
        tn_out(in, 0, dtype, rank, dims);
        fold_where(in, dtype, rank, dims);
    } else if (!in->failed) {
        tn_out_unranked(in, 0, dtype);
    }
}
