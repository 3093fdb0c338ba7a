/* A training step of a few layers, the way exporters write it: a chain with a branch now and then,
 * a loss, the derivatives in reverse order under names with "_grad", and what becomes of the
 * parameters' gradients: outputs, an update by plain ops, by an optimizer, or an accumulator. */
#include "tests/random/gen_t.h"

typedef struct layer {
    gen_value x, w, h, a; /* a = act(h), h = x * w */
    const char *gradient; /* op type of the activation's derivative */
} layer;

static const char *grad_name(gen *g, const gen_value *v) {
    return tn_internf(g->m->ctx, "%s_grad", v->v->name);
}

static gen_value binary(gen *g, const char *domain, const char *type, const gen_value *a,
                        const gen_value *b, const char *name, const gen_value *like) {
    tn_op *op = gen_op(g, domain, type);
    tn_op_add_operand(op, a->v);
    if (b != NULL) {
        tn_op_add_operand(op, b->v);
    }
    return gen_result_named(g, op, name, like);
}

static gen_value transposed(gen *g, const gen_value *v) {
    gen_value r = *v;
    r.dims[0] = v->dims[1];
    r.dims[1] = v->dims[0];
    tn_op *op = gen_op(g, "", "Transpose");
    gen_attr_ints(g, op, "perm", 2, (int64_t[]){1, 0});
    tn_op_add_operand(op, v->v);
    return gen_result_like(g, op, &r);
}

static layer forward(gen *g, const gen_value *x) {
    static const char *const acts[][2] = {
        {"Relu", "ReluGrad"}, {"Sigmoid", "SigmoidGrad"}, {"Tanh", "TanhGrad"}};
    uint32_t act = rng_below(&g->random, 3);
    layer l = {.x = *x, .gradient = acts[act][1]};
    int64_t dims[] = {x->dims[1], 2 + 2 * rng_below(&g->random, 4)};
    bool input = rng_chance(&g->random, 30);
    l.w = input ? gen_input(g, gen_name(g), x->dtype, 2, dims)
                : gen_weights(g, gen_name(g), x->dtype, 2, dims);
    gen_value r = *x;
    r.dims[1] = dims[1];
    l.h = binary(g, "", "MatMul", x, &l.w, gen_name(g), &r);
    l.a = binary(g, "", acts[act][0], &l.h, NULL, gen_name(g), &r);
    return l;
}

static void accumulate(gen *g, const gen_value *gradient) {
    gen_value sum = gen_input(g, gen_name(g), gradient->dtype, 2, gradient->dims);
    g->reach.len -= rng_chance(&g->random, 60); /* read by nobody else */
    gen_value next =
        binary(g, "com.microsoft", "InPlaceAccumulator", &sum, gradient, gen_name(g), gradient);
    tn_graph_add_output(g->graph, next.v);
    g->reach.len--;
}

static void update(gen *g, const gen_value *w, const gen_value *gradient, const gen_value *rate) {
    gen_value next;
    switch (rng_below(&g->random, 4)) {
    case 0:
        tn_graph_add_output(g->graph, gradient->v);
        return;
    case 1:
        accumulate(g, gradient);
        return;
    case 2: {
        tn_op *op = gen_op(g, "com.microsoft", "SGDOptimizer");
        tn_op_add_operand(op, rate->v);
        tn_op_add_operand(op, w->v);
        tn_op_add_operand(op, gradient->v);
        next = gen_result_like(g, op, w);
        break;
    }
    default: {
        gen_value step = binary(g, "", "Mul", gradient, rate, gen_name(g), gradient);
        next = binary(g, "", "Sub", w, &step, gen_name(g), w);
        break;
    }
    }
    if (rng_chance(&g->random, 30)) {
        tn_module_add_binding(g->m, w->v, next.v);
    } else {
        tn_graph_add_output(g->graph, next.v);
    }
}

void gen_training(gen *g) {
    layer layers[4];
    uint32_t n = 1 + rng_below(&g->random, 4);
    gen_value rate = gen_weights(g, gen_name(g), TN_DT_FLOAT, 0, NULL);
    gen_value x = gen_input(g, gen_name(g), TN_DT_FLOAT, 2, (int64_t[]){4, 6});
    for (uint32_t i = 0; i < n; i++) {
        layers[i] = forward(g, i == 0 ? &x : &layers[i - 1].a);
        if (rng_chance(&g->random, 40)) {
            gen_step(g);
        }
    }
    gen_value loss = layers[n - 1].a, one = {.dtype = TN_DT_FLOAT};
    tn_op *reduce = gen_op(g, "acme", "Loss");
    tn_op_add_operand(reduce, loss.v);
    loss = gen_result_named(g, reduce, "loss", &one);
    tn_graph_add_output(g->graph, loss.v);
    gen_value seed = gen_weights(g, "loss_grad", TN_DT_FLOAT, 0, NULL);
    gen_value da = binary(g, "", "Add", &seed, &layers[n - 1].a, grad_name(g, &layers[n - 1].a),
                          &layers[n - 1].a);
    for (uint32_t i = n; i-- > 0;) {
        const layer *l = &layers[i];
        const char *domain = rng_chance(&g->random, 50) ? "" : "com.microsoft";
        gen_value dh = binary(g, domain, l->gradient, &da, &l->a, grad_name(g, &l->h), &l->h);
        gen_value xt = transposed(g, &l->x), wt = transposed(g, &l->w);
        gen_value dw = binary(g, "", "MatMul", &xt, &dh, grad_name(g, &l->w), &l->w);
        da = binary(g, "", "MatMul", &dh, &wt, grad_name(g, &l->x), &l->x);
        update(g, &l->w, &dw, &rate);
        if (rng_chance(&g->random, 30)) {
            gen_step(g);
        }
    }
}
