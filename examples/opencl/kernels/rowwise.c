/* Softmax, LayerNormalization and reductions. */
#include "launch.h"

static int softmax(size_t rows, size_t extent, size_t behind, const tenure_tensor *x,
                   const tenure_tensor *y, const tenure_context *c) {
    if (x->dtype != TENURE_DTYPE_F32) {
        return BAD_TYPE(KNOWS_F32, x);
    }
    launch l = launch_begin(c, "softmax");
    launch_tensor(&l, x);
    launch_tensor(&l, y);
    launch_int(&l, (int64_t)extent);
    launch_int(&l, (int64_t)behind);
    return launch_end(&l, rows * behind);
}

/* Before version 13 all axes from that on are one row. */
int tenure_Softmax_11(const tenure_Softmax_11_attributes *a, const tenure_tensor *x,
                      const tenure_tensor *y, const tenure_context *c) {
    split s = split_at(x, (size_t)a->axis);
    return softmax(s.before, s.extent * s.behind, 1, x, y, c);
}

int tenure_Softmax_13(const tenure_Softmax_13_attributes *a, const tenure_tensor *x,
                      const tenure_tensor *y, const tenure_context *c) {
    split s = split_at(x, (size_t)a->axis);
    return softmax(s.before, s.extent, s.behind, x, y, c);
}

int tenure_LayerNormalization_17(const tenure_LayerNormalization_17_attributes *a,
                                 const tenure_tensor *x, const tenure_tensor *scale,
                                 const tenure_tensor *b, const tenure_tensor *y,
                                 const tenure_tensor *mean, const tenure_tensor *deviation,
                                 const tenure_context *c) {
    split s = split_at(x, (size_t)a->axis);
    if (x->dtype != TENURE_DTYPE_F32 || mean != NULL || deviation != NULL) {
        return x->dtype != TENURE_DTYPE_F32 ? BAD_TYPE(KNOWS_F32, x) : KERNEL_BAD_VALUE;
    }
    launch l = launch_begin(c, "layer_normalization");
    launch_tensor(&l, x);
    launch_tensor(&l, scale);
    launch_tensor(&l, b);
    launch_tensor(&l, y);
    launch_int(&l, (int64_t)(s.extent * s.behind));
    launch_float(&l, a->epsilon);
    return launch_end(&l, s.before);
}

/* ---- reductions ---- */

static int is_gone(tenure_ints axes, int64_t axis, int rank) {
    for (uint32_t i = 0; i < axes.count; i++) {
        if (axes.at[i] == axis || axes.at[i] + rank == axis) {
            return 1;
        }
    }
    return axes.count == 0;
}

int tenure_ReduceMax_13(const tenure_ReduceMax_13_attributes *a, const tenure_tensor *x,
                        const tenure_tensor *y, const tenure_context *c) {
    walk kept, gone;
    int error = walk_of(x, x->dims, x->rank, &kept);
    if (error != 0 || x->dtype != TENURE_DTYPE_F32) {
        return error != 0 ? error : BAD_TYPE(KNOWS_F32, x);
    }
    gone = kept;
    for (int i = 0; i < x->rank; i++) {
        walk *other = is_gone(a->axes, i, x->rank) ? &kept : &gone;
        other->dims.s[MAX_RANK - x->rank + i] = 1;
        other->steps.s[MAX_RANK - x->rank + i] = 0;
    }
    launch l = launch_begin(c, "largest");
    launch_tensor(&l, x);
    launch_tensor(&l, y);
    launch_walk(&l, &kept.dims);
    launch_walk(&l, &kept.steps);
    launch_walk(&l, &gone.dims);
    launch_walk(&l, &gone.steps);
    launch_int(&l, y->elements > 0 ? (int64_t)(x->elements / y->elements) : 0);
    return launch_end(&l, y->elements);
}
