/* Sums and means along the axes that normalisations and biases have. */
#include "ir/gradient/grad_axes.h"

/* Axes of v from `from` up to `to`, but for `but`. */
static tn_value *reduced(tn_grad *g, const char *type, tn_value *v, uint32_t from, uint32_t to,
                         uint32_t but, bool keep) {
    int64_t *axes = TN_ARRAY(g->e->scratch, int64_t, to + 1u);
    uint32_t n = 0;
    for (uint32_t i = from; i < to; i++) {
        if (i != but) {
            axes[n++] = i;
        }
    }
    return tn_emit_reduce(g->e, type, v, axes, n, keep);
}

tn_value *tn_grad_tail_mean(tn_grad *g, tn_value *v) {
    uint32_t rank = tn_emit_rank(g->e, v);
    int64_t axis = tn_grad_int(g, "axis", -1);
    uint32_t from = (uint32_t)(axis < 0 ? axis + (int64_t)rank : axis);
    return reduced(g, "ReduceMean", v, from, rank, UINT32_MAX, true);
}

tn_value *tn_grad_spatial_mean(tn_grad *g, tn_value *v) {
    return reduced(g, "ReduceMean", v, 2, tn_emit_rank(g->e, v), UINT32_MAX, true);
}

tn_value *tn_grad_channel_mean(tn_grad *g, tn_value *v) {
    return reduced(g, "ReduceMean", v, 0, tn_emit_rank(g->e, v), 1, true);
}

tn_value *tn_grad_listed_mean(tn_grad *g, tn_value *v) {
    uint32_t n;
    const int64_t *axes = tn_grad_ints(g, "axes", &n);
    axes = tn_grad_axes(g, axes, n, tn_emit_rank(g->e, v));
    return tn_emit_reduce(g->e, "ReduceMean", v, axes, n, true);
}

tn_value *tn_grad_per_channel(tn_grad *g, tn_value *v) {
    return reduced(g, "ReduceSum", v, 0, tn_emit_rank(g->e, v), 1, false);
}

tn_value *tn_grad_beside_channels(tn_grad *g, tn_value *v, uint32_t rank) {
    int64_t *dims = TN_ARRAY(g->e->scratch, int64_t, rank);
    for (uint32_t i = 0; i < rank; i++) {
        dims[i] = i == 0 ? -1 : 1;
    }
    return rank > 2 ? tn_emit_reshape(g->e, v, dims, rank - 1) : v;
}

tn_value *tn_grad_channel_sum(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    return tn_grad_per_channel(g, args[0]);
}

tn_value *tn_grad_channel(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    if (tn_emit_rank(g->e, args[0]) != 1) {
        tn_grad_fail(g, "'%s' has a number for each element, not for each channel", args[0]->name);
    }
    return tn_grad_beside_channels(g, args[0], tn_emit_rank(g->e, tn_operand(g->op, 0)));
}

tn_value *tn_grad_axis_sum(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    int64_t axis = tn_grad_int(g, "axis", -1);
    axis += axis < 0 ? (int64_t)tn_emit_rank(g->e, args[0]) : 0;
    return tn_emit_reduce(g->e, "ReduceSum", args[0], &axis, 1, true);
}
