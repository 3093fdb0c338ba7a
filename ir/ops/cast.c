/* Changes of the element type. */
#include <math.h>

#include "ir/infer/common.h"
#include "ir/infer/fold.h"
#include "ir/ops/op_rules.h"

/* Numbers that keep their value in every 64 bit integer; others are not followed. */
static bool to_int(double x, int64_t *out) {
    if (!(fabs(x) < 9223372036854775808.0)) {
        return false;
    }
    *out = (int64_t)x; /* truncates, as Cast does */
    return true;
}

static tn_dim to_bool(tn_infer *in, tn_dim x) {
    int64_t value;
    if (tn_dim_is_const(in->dims, x, &value)) {
        return tn_in_const(in, value != 0);
    }
    tn_dim one = tn_in_const(in, 1);
    return tn_dim_provably_ge(in->dims, x, one) ? one : TN_DIM_UNKNOWN;
}

static const tn_dim *floats_to_dims(tn_infer *in, const tn_elems *e, tn_dtype to) {
    tn_dim *dims = TN_ARRAY(in->scratch, tn_dim, e->n + 1u);
    for (uint32_t i = 0; i < e->n; i++) {
        int64_t value;
        if (to == TN_DT_BOOL) {
            dims[i] = tn_in_const(in, e->floats[i] != 0);
        } else if (to_int(e->floats[i], &value)) {
            dims[i] = tn_in_const(in, value);
        }
    }
    return dims;
}

static void cast_elements(tn_infer *in, tn_dtype to) {
    tn_elems e;
    if (!tn_foldable(to) || !tn_in_elems(in, 0, &e)) {
        return;
    }
    bool to_float = tn_dtype_get(to)->kind == 'F';
    if (e.floats != NULL && !to_float) {
        e = (tn_elems){.n = e.n, .dims = floats_to_dims(in, &e, to)};
    } else if (e.dims != NULL && to == TN_DT_BOOL) {
        tn_dim *dims = TN_ARRAY(in->scratch, tn_dim, e.n + 1u);
        for (uint32_t i = 0; i < e.n; i++) {
            dims[i] = to_bool(in, e.dims[i]);
        }
        e = (tn_elems){.n = e.n, .dims = dims};
    }
    tn_fold_store(in, to, &e);
}

void tn_shape_cast(tn_infer *in) {
    tn_dtype to = tn_attr_dtype(in, "to", TN_DT_UNKNOWN);
    tn_out_like(in, 0, to, 0);
    cast_elements(in, to);
}

void tn_shape_cast_like(tn_infer *in) {
    tn_dtype to = tn_in_dtype(in, 1);
    tn_out_like(in, 0, to, 0);
    cast_elements(in, to);
}

/* The bits stay, so the width must: the shape is the operand's. */
void tn_shape_bit_cast(tn_infer *in) {
    tn_dtype to = tn_attr_dtype(in, "to", TN_DT_UNKNOWN);
    const tn_dtype_info *from = tn_dtype_get(tn_in_dtype(in, 0)), *into = tn_dtype_get(to);
    if (from->bits != 0 && into->bits != 0 && from->bits != into->bits) {
        tn_infer_conflict(in, "bit cast from %s to %s changes the width", from->name, into->name);
        return;
    }
    tn_out_like(in, 0, to, 0);
}
