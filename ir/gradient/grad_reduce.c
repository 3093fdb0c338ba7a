/* Gradients of reductions. */
#include "ir/gradient/gradient.h"

/* The axes that g->op reduces, from the front; *n of them. */
static const int64_t *reduced_axes(const tn_grad *g, uint32_t *n) {
    uint32_t rank = tn_emit_rank(g->e, g->x);
    const int64_t *axes = tn_grad_param(g, 1, "axes", n);
    if (*n > 0) {
        return tn_grad_axes(g, axes, *n, rank);
    }
    bool none = tn_grad_int(g, "noop_with_empty_axes", 0) != 0;
    int64_t *all = TN_ARRAY(g->e->scratch, int64_t, rank + 1u);
    for (uint32_t i = 0; i < rank; i++) {
        all[i] = i;
    }
    *n = none ? 0 : rank;
    return all;
}

/* A value of the result's shape with the axes that were reduced, of extent 1. */
static tn_value *kept(tn_grad *g, tn_value *v) {
    uint32_t n_axes;
    const int64_t *axes = reduced_axes(g, &n_axes);
    return tn_grad_int(g, "keepdims", 1) == 0 ? tn_emit_unsqueeze(g->e, v, axes, n_axes) : v;
}

tn_value *tn_grad_kept(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    return kept(g, args[0]);
}

tn_value *tn_grad_spread(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    return tn_emit_expand_like(g->e, kept(g, args[0]), g->x);
}

/* Equal elements share the gradient equally. */
tn_value *tn_grad_largest_along(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    uint32_t n_axes;
    const int64_t *axes = reduced_axes(g, &n_axes);
    tn_value *same = tn_grad_eval(g, "Equal($0, $1)", args[0], kept(g, args[1]));
    same = tn_emit_cast(g->e, same, g->d->type->dtype);
    tn_value *d = kept(g, g->d);
    tn_value *number = tn_emit_reduce(g->e, "ReduceSum", same, axes, n_axes, true);
    return tn_grad_eval(g, "$0 / $1 * $2", d, number, same);
}

/* The sum from the other end. */
tn_value *tn_grad_cumsum(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    tn_attr attrs[] = {tn_attr_of_int("exclusive", tn_grad_int(g, "exclusive", 0)),
                       tn_attr_of_int("reverse", tn_grad_int(g, "reverse", 0) == 0)};
    return tn_emit(g->e, "CumSum", (tn_value *[]){g->d, args[0]}, 2, attrs, 2);
}

tn_value *tn_grad_reduced(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)args;
    (void)n;
    uint32_t n_axes;
    const int64_t *axes = reduced_axes(g, &n_axes);
    tn_dtype dtype = g->x->type->dtype;
    tn_dims *dims = g->e->m->dims;
    tn_dim count = tn_dim_const(dims, 1);
    int64_t number;
    for (uint32_t i = 0; i < n_axes; i++) {
        count = tn_dim_mul(dims, count, g->x->type->dims[axes[i]]);
    }
    if (tn_dim_is_const(dims, count, &number)) {
        return tn_emit_scalar(g->e, dtype, (double)number);
    }
    tn_value *shape = tn_emit_shape(g->e, g->x);
    tn_value *in = tn_emit_2(g->e, "Gather", shape, tn_emit_ints(g->e, axes, n_axes));
    tn_attr keep = tn_attr_of_int("keepdims", 0);
    return tn_emit_cast(g->e, tn_emit(g->e, "ReduceProd", &in, 1, &keep, 1), dtype);
}
