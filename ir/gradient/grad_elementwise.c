/* Gradients of ops on single elements that need more than a formula, and of softmax. */
#include "ir/gradient/gradient.h"

tn_value *tn_grad_cast(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    return tn_emit_cast(g->e, args[0], g->x->type->dtype);
}

/* d (F(x) + x f(x)), F and f of the normal distribution. */
tn_value *tn_grad_gelu(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    return tn_grad_eval(g,
                        "d * (0.5 * (1 + Erf($0 * 0.7071067811865476)) + "
                        "$0 * 0.3989422804014327 * Exp($0 * $0 * -0.5))",
                        args[0]);
}

/* With t = tanh(c (x + a x^3)): d/2 (1 + t + x (1 - t^2) c (1 + 3 a x^2)). */
tn_value *tn_grad_gelu_tanh(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    tn_value *x = args[0], *xx = tn_grad_eval(g, "$0 * $0", x);
    tn_value *t = tn_grad_eval(g, "Tanh($0 * 0.7978845608028654 * (1 + 0.044715 * $1))", x, xx);
    return tn_grad_eval(
        g, "d * (0.5 * (1 + $1 + $0 * (1 - $1 * $1) * (0.7978845608028654 * (1 + 0.134145 * $2))))",
        x, t, xx);
}

/* With t = tanh(softplus(x)): d (t + x sigmoid(x) (1 - t^2)). */
tn_value *tn_grad_mish(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    tn_value *t = tn_grad_eval(g, "Tanh(Softplus($0))", args[0]);
    return tn_grad_eval(g, "d * ($1 + $0 * Sigmoid($0) * (1 - $1 * $1))", args[0], t);
}

/* With s = sigmoid(a x): d (s + a x s (1 - s)). */
tn_value *tn_grad_swish(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    tn_value *s = tn_grad_eval(g, "Sigmoid($0 * alpha)", args[0]);
    return tn_grad_eval(g, "d * ($1 + $0 * alpha * $1 * (1 - $1))", args[0], s);
}

/* 1 at the bounds, as other frameworks have it. */
tn_value *tn_grad_clip(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    tn_value *x = args[0], *low = args[1], *high = args[2];
    if (low == NULL && high == NULL) {
        return g->d;
    }
    if (low != NULL && high != NULL) {
        return tn_grad_eval(g, "Where(Or(Less($0, $1), Greater($0, $2)), 0, d)", x, low, high);
    }
    return low != NULL ? tn_grad_eval(g, "Where(Less($0, $1), 0, d)", x, low)
                       : tn_grad_eval(g, "Where(Greater($0, $1), 0, d)", x, high);
}

/* The operand itself, the result, and all operands: where several are the largest (smallest), they
 * share the gradient equally. */
tn_value *tn_grad_largest(tn_grad *g, tn_value *const *args, uint32_t n) {
    tn_dtype dtype = g->d->type->dtype;
    tn_value *own = tn_emit_cast(g->e, tn_grad_eval(g, "Equal($0, $1)", args[0], args[1]), dtype);
    tn_value *all = NULL;
    for (uint32_t i = 2; i < n; i++) {
        tn_value *one =
            tn_emit_cast(g->e, tn_grad_eval(g, "Equal($0, $1)", args[i], args[1]), dtype);
        all = all == NULL ? one : tn_emit_2(g->e, "Add", all, one);
    }
    return tn_grad_eval(g, "d * $0 / $1", own, all);
}

tn_value *tn_grad_average(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    tn_value *count = tn_emit_scalar(g->e, args[0]->type->dtype, g->op->n_operands);
    return tn_emit_2(g->e, "Div", args[0], count);
}

static bool only_float(const tn_value *v, double *x) {
    const tn_tensor *t = tn_value_tensor(v);
    const double *floats = v->float_content != NULL          ? v->float_content
                           : t != NULL && t->n_elements == 1 ? t->floats
                                                             : NULL;
    bool one = floats != NULL && (v->float_content == NULL || v->n_content == 1);
    *x = one ? floats[0] : 0;
    return one;
}

/* d y x^(y-1). A square, as most powers are, needs none. */
tn_value *tn_grad_pow_base(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    double exponent;
    tn_value *y = tn_emit_cast(g->e, args[1], args[0]->type->dtype);
    if (only_float(args[1], &exponent) && exponent == 2) {
        return tn_grad_eval(g, "d * (2 * $0)", args[0]);
    }
    return tn_grad_eval(g, "d * $1 * Pow($0, $1 - 1)", args[0], y);
}

/* The axes that softmax goes along: one, and before version 13 all from it on. */
static const int64_t *softmax_axes(const tn_grad *g, uint32_t *n) {
    enum { ONE_AXIS = 13 };
    uint32_t rank = tn_emit_rank(g->e, g->x);
    int64_t *axes = TN_ARRAY(g->e->scratch, int64_t, rank + 1u);
    int64_t axis = tn_grad_int(g, "axis", -1);
    axis += axis < 0 ? rank : 0;
    bool one = g->op->version == 0 || g->op->version >= ONE_AXIS;
    for (*n = 0; axis + *n < rank && (*n == 0 || !one); ++*n) {
        axes[*n] = axis + *n;
    }
    return axes;
}

tn_value *tn_grad_softmax(tn_grad *g, tn_value *const *args, uint32_t n) {
    uint32_t n_axes;
    (void)n;
    const int64_t *axes = softmax_axes(g, &n_axes);
    tn_value *p = tn_grad_eval(g, "d * $0", args[0]);
    return tn_grad_eval(g, "$0 - $1 * $2", p, args[0],
                        tn_emit_reduce(g->e, "ReduceSum", p, axes, n_axes, true));
}

tn_value *tn_grad_log_softmax(tn_grad *g, tn_value *const *args, uint32_t n) {
    uint32_t n_axes;
    (void)n;
    const int64_t *axes = softmax_axes(g, &n_axes);
    return tn_grad_eval(g, "d - Exp($0) * $1", args[0],
                        tn_emit_reduce(g->e, "ReduceSum", g->d, axes, n_axes, true));
}

/* d det(x) x^-T */
tn_value *tn_grad_det(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    int64_t rank = tn_emit_rank(g->e, g->x), axes[] = {rank - 2, rank - 1};
    tn_value *scale = tn_emit_unsqueeze(g->e, tn_grad_eval(g, "d * $0", args[1]), axes, 2);
    tn_value *inverse = tn_emit_1(g->e, "com.microsoft.Inverse", args[0]);
    return tn_emit_2(g->e, "Mul", tn_emit_swapped(g->e, inverse), scale);
}
