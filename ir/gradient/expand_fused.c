/* Products and convolutions with an activation behind them. */
#include <string.h>

#include "ir/gradient/expand.h"

enum { MAX_PARAMS = 2 };

/* Activation `name` of y, with the parameters of its definition. */
static tn_value *activated(tn_grad *g, tn_value *y, const char *name, const double *params) {
    static const char *const plain[] = {"Relu", "Tanh", "Sigmoid"};
    tn_dtype dtype = y->type->dtype;
    if (*name == '\0') {
        return y;
    }
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++) {
        if (strcmp(name, plain[i]) == 0) {
            return tn_emit_1(g->e, name, y);
        }
    }
    tn_attr attrs[] = {tn_attr_of_float("alpha", params[0]), tn_attr_of_float("beta", params[1])};
    if (strcmp(name, "LeakyRelu") == 0 || strcmp(name, "HardSigmoid") == 0) {
        return tn_emit(g->e, name, &y, 1, attrs, *name == 'L' ? 1 : 2);
    }
    if (strcmp(name, "Clip") == 0) {
        tn_value *above = tn_emit_2(g->e, "Max", y, tn_emit_scalar(g->e, dtype, params[0]));
        return tn_emit_2(g->e, "Min", above, tn_emit_scalar(g->e, dtype, params[1]));
    }
    tn_grad_fail(g, "activation '%s' cannot be expanded", name);
}

void tn_expand_fused_gemm(tn_grad *g, tn_value **made) {
    tn_attr attrs[] = {tn_attr_of_float("alpha", tn_grad_float(g, "alpha", 1)),
                       tn_attr_of_float("beta", tn_grad_float(g, "beta", 1)),
                       tn_attr_of_int("transA", tn_grad_int(g, "transA", 0)),
                       tn_attr_of_int("transB", tn_grad_int(g, "transB", 0))};
    tn_value *in[] = {tn_operand(g->op, 0), tn_operand(g->op, 1), tn_operand(g->op, 2)};
    const char *name = tn_grad_text(g, "activation", "");
    bool clip = strcmp(name, "Clip") == 0;
    double params[MAX_PARAMS] = {tn_grad_float(g, "activation_alpha", clip ? 0 : 0.01),
                                 tn_grad_float(g, "activation_beta", 0)};
    tn_value *y = tn_emit(g->e, "Gemm", in, in[2] != NULL ? 3 : 2, attrs, 4);
    made[0] = activated(g, y, name, params);
}

void tn_expand_fused_conv(tn_grad *g, tn_value **made) {
    static const char *const own[] = {"activation", "activation_params"};
    enum { X, W, B, SUMMAND };
    tn_attr *attrs = TN_ARRAY(g->e->scratch, tn_attr, g->op->n_attrs + 1u);
    double params[MAX_PARAMS] = {0};
    uint32_t n = 0;
    for (uint32_t i = 0; i < g->op->n_attrs; i++) {
        const tn_attr *a = &g->op->attrs[i];
        if (strcmp(a->name, own[0]) != 0 && strcmp(a->name, own[1]) != 0) {
            attrs[n] = *a;
            attrs[n++].as_read = false;
        }
        for (uint32_t k = 0; strcmp(a->name, own[1]) == 0 && k < a->n && k < MAX_PARAMS; k++) {
            params[k] = a->kind == TN_ATTR_FLOATS ? a->u.floats[k] : 0;
        }
    }
    tn_value *in[] = {tn_operand(g->op, X), tn_operand(g->op, W), tn_operand(g->op, B)};
    tn_value *y = tn_emit(g->e, "Conv", in, in[2] != NULL ? 3 : 2, attrs, n);
    tn_value *summand = tn_operand(g->op, SUMMAND);
    y = summand != NULL ? tn_emit_2(g->e, "Add", y, summand) : y;
    made[0] = activated(g, y, tn_grad_text(g, "activation", ""), params);
}
