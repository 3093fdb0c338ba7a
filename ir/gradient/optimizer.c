#include "ir/gradient/optimizer.h"

#include "ir/mutate.h"
#include "ir/tensor_bytes.h"

static tn_value *number(tn_emitter *e, const tn_value *like, double x) {
    return tn_emit_scalar(e, like->type->dtype, x);
}

static tn_value *times(tn_emitter *e, tn_value *v, double x) {
    return tn_emit_2(e, "Mul", v, number(e, v, x));
}

/* `value` is what `state` becomes. */
static void bind(tn_optimizer *o, tn_emitter *e, tn_value *state, tn_value *value) {
    if (value->kind != TN_VALUE_RESULT || (value->flags & TN_VF_OUTPUT) != 0) {
        value = tn_emit_copy(e, value);
    }
    tn_emit_rename(e, value, tn_internf(e->ctx, "%s_new", state->name));
    tn_graph_add_output(e->m->main, value);
    tn_module_add_binding(e->m, state, value);
    e->m->bindings[e->m->n_bindings - 1].made = true;
    tn_value_set_flags(state, TN_VF_STATE, 0);
    o->n_states++;
}

static tn_value *add_state(tn_emitter *e, const char *name, const tn_value *like, double x) {
    const int64_t *dims = like != NULL ? tn_emit_extents(e, like) : NULL;
    uint32_t rank = like != NULL ? like->type->rank : 0;
    tn_dtype dtype = like != NULL ? like->type->dtype : TN_DT_FLOAT;
    return tn_emit_state(e, name, dtype, rank, dims, x);
}

/* What holds from now on, or only when the gradients of enough runs are together. */
static tn_value *when_full(tn_optimizer *o, tn_emitter *e, tn_value *now, tn_value *before) {
    tn_value *in[] = {o->full, now, before};
    return o->full != NULL ? tn_emit(e, "Where", in, 3, NULL, 0) : now;
}

static bool is_narrow(const tn_value *w) {
    return w->type->dtype == TN_DT_FLOAT16 || w->type->dtype == TN_DT_BFLOAT16;
}

static bool is_adam(const tn_optimizer *o) {
    return o->kind == TN_OPTIMIZER_ADAM || o->kind == TN_OPTIMIZER_ADAMW;
}

/* Things that all parameters share: the rate, the count of runs, the powers of Adam's decays. */
static void make_shared(tn_optimizer *o, tn_emitter *e, const tn_value *w) {
    tn_dtype dtype = o->masters && is_narrow(w) ? TN_DT_FLOAT : w->type->dtype;
    if (o->accumulate > 1 && o->kind != TN_OPTIMIZER_NONE) {
        tn_value *count = add_state(e, "accumulate_count", NULL, 0);
        tn_value *next = tn_emit_2(e, "Add", count, number(e, count, 1));
        tn_value *less = tn_emit_2(e, "Less", next, number(e, count, (double)o->accumulate));
        o->full = tn_emit_1(e, "Not", less);
        bind(o, e, count, when_full(o, e, number(e, count, 0), next));
    }
    if (o->rate_is_input) {
        o->rate_value = tn_graph_add_input(e->m->main, tn_emit_name(e, "learning_rate"),
                                           tn_type_tensor(e->m->arena, dtype, 0, NULL));
    } else {
        o->rate_value = tn_emit_scalar(e, dtype, o->rate);
    }
    if (is_adam(o)) {
        tn_value *one = tn_emit_state(e, "beta1_power", dtype, 0, NULL, 1);
        tn_value *two = tn_emit_state(e, "beta2_power", dtype, 0, NULL, 1);
        o->power1 = times(e, one, o->momentum);
        o->power2 = times(e, two, o->beta2);
        bind(o, e, one, when_full(o, e, o->power1, one));
        bind(o, e, two, when_full(o, e, o->power2, two));
    }
}

/* The average over the runs so far; the sum is emptied when there are enough. */
static tn_value *accumulated(tn_optimizer *o, tn_emitter *e, tn_value *w, tn_value *grad) {
    if (o->accumulate == 1) {
        return grad;
    }
    int64_t bytes = 0;
    tn_value *sum = add_state(e, tn_internf(e->ctx, "%s_grad_sum", w->name), w, 0);
    (void)tn_type_point_bytes(e->m->dims, sum->type, &bytes);
    o->sums += (uint64_t)bytes;
    tn_value *now = tn_emit_2(e, "Add", sum, grad);
    if (o->kind == TN_OPTIMIZER_NONE) {
        bind(o, e, sum, now);
        return now;
    }
    bind(o, e, sum, when_full(o, e, number(e, sum, 0), now));
    return times(e, now, 1.0 / (double)o->accumulate);
}

/* By a share of the way, as PyTorch does it: with the sum of both, each decayed, there would be one
 * tensor more at a time. */
static tn_value *moved(tn_emitter *e, tn_value *moment, tn_value *to, double share) {
    tn_value *way = times(e, tn_emit_2(e, "Sub", to, moment), share);
    return tn_emit_2(e, "Add", moment, way);
}

/* State is called after parameter `name`, which `w` is, or is a master of. */
static tn_value *momentum_step(tn_optimizer *o, tn_emitter *e, const char *name, tn_value *w,
                               tn_value *grad) {
    tn_value *old = add_state(e, tn_internf(e->ctx, "%s_momentum", name), w, 0);
    tn_value *now = tn_emit_2(e, "Add", times(e, old, o->momentum), grad);
    bind(o, e, old, when_full(o, e, now, old));
    return now;
}

static tn_value *corrected(tn_emitter *e, tn_value *moment, tn_value *power) {
    tn_value *share = tn_emit_2(e, "Sub", number(e, power, 1), power);
    share = tn_emit_cast(e, share, moment->type->dtype);
    return tn_emit_2(e, "Div", moment, share);
}

static tn_value *adam_step(tn_optimizer *o, tn_emitter *e, const char *name, tn_value *w,
                           tn_value *grad) {
    tn_value *m = add_state(e, tn_internf(e->ctx, "%s_moment1", name), w, 0);
    tn_value *v = add_state(e, tn_internf(e->ctx, "%s_moment2", name), w, 0);
    tn_value *m_now = moved(e, m, grad, 1 - o->momentum);
    tn_value *v_now = moved(e, v, tn_emit_2(e, "Mul", grad, grad), 1 - o->beta2);
    tn_value *root = tn_emit_1(e, "Sqrt", corrected(e, v_now, o->power2));
    tn_value *below = tn_emit_2(e, "Add", root, number(e, w, o->epsilon));
    tn_value *step = tn_emit_2(e, "Div", corrected(e, m_now, o->power1), below);
    bind(o, e, m, when_full(o, e, m_now, m));
    bind(o, e, v, when_full(o, e, v_now, v));
    return step;
}

/* ---- one parameter ---- */

/* What is updated: w itself, or the copy of more bits that it is rounded from. */
static tn_value *master_of(const tn_optimizer *o, tn_emitter *e, tn_value *w) {
    if (!o->masters || !is_narrow(w)) {
        return w;
    }
    if (!tn_tensor_has_bytes(w->tensor)) {
        tn_fail(e->ctx, &e->loc,
                "the elements of '%s' are not there, from which '%s_master' begins: keep its data "
                "beside the model, or take masters=off",
                w->name, w->name);
    }
    return tn_emit_widened(e, tn_internf(e->ctx, "%s_master", w->name), w->tensor);
}

static tn_value *decayed(const tn_optimizer *o, tn_emitter *e, tn_value *w, tn_value *grad) {
    return o->decay > 0 && o->kind != TN_OPTIMIZER_ADAMW
               ? tn_emit_2(e, "Add", grad, times(e, w, o->decay))
               : grad;
}

/* `factor` (may be NULL) scales the gradient. */
static void update(tn_optimizer *o, tn_emitter *e, tn_value *w, tn_value *grad, tn_value *factor) {
    tn_value *master = master_of(o, e, w), *from = master;
    tn_dtype dtype = master->type->dtype;
    grad = tn_emit_cast(e, grad, dtype);
    if (factor != NULL) {
        grad = tn_emit_2(e, "Mul", grad, tn_emit_cast(e, factor, dtype));
    }
    grad = decayed(o, e, master, grad);
    tn_value *step = o->kind == TN_OPTIMIZER_MOMENTUM ? momentum_step(o, e, w->name, master, grad)
                     : is_adam(o)                     ? adam_step(o, e, w->name, master, grad)
                                                      : grad;
    tn_value *rate = tn_emit_cast(e, o->rate_value, dtype);
    if (o->decay > 0 && o->kind == TN_OPTIMIZER_ADAMW) {
        tn_value *lost = times(e, rate, o->decay);
        tn_value *left = tn_emit_2(e, "Sub", number(e, master, 1), lost);
        from = tn_emit_2(e, "Mul", master, left);
    }
    tn_value *now = tn_emit_2(e, "Sub", from, tn_emit_2(e, "Mul", step, rate));
    now = when_full(o, e, now, master);
    bind(o, e, master, now);
    if (master != w) {
        bind(o, e, w, tn_emit_cast(e, now, w->type->dtype));
    }
}

/* ---- all of them ---- */

/* Norms are found in single precision at least. */
static void add_squares(tn_optimizer *o, tn_emitter *e, tn_value *grad) {
    uint32_t rank = tn_emit_rank(e, grad);
    int64_t *axes = TN_ARRAY(e->scratch, int64_t, rank + 1u);
    for (uint32_t i = 0; i < rank; i++) {
        axes[i] = i;
    }
    grad = is_narrow(grad) ? tn_emit_cast(e, grad, TN_DT_FLOAT) : grad;
    tn_value *sum = rank > 0 ? tn_emit_reduce(e, "ReduceSumSquare", grad, axes, rank, false)
                             : tn_emit_2(e, "Mul", grad, grad);
    sum = tn_emit_cast(e, sum, o->squares != NULL ? o->squares->type->dtype : sum->type->dtype);
    o->squares = o->squares != NULL ? tn_emit_2(e, "Add", o->squares, sum) : sum;
}

/* What gradients of a scaled loss are multiplied with; NULL: nothing. */
static tn_value *unscaled(const tn_optimizer *o, tn_emitter *e, const tn_value *grad) {
    tn_dtype dtype = is_narrow(grad) ? TN_DT_FLOAT : grad->type->dtype;
    return o->scale != 1 ? tn_emit_scalar(e, dtype, 1 / o->scale) : NULL;
}

tn_value *tn_optimizer_update(tn_optimizer *o, tn_emitter *e, tn_value *w, tn_value *grad) {
    tn_emit_for(e, &e->loc, tn_internf(e->ctx, "%s_Update", w->name));
    if (o->rate_value == NULL) {
        make_shared(o, e, w);
        e->first_op = e->m->n_ops;
    }
    grad = accumulated(o, e, w, grad);
    if (o->kind == TN_OPTIMIZER_NONE) {
        return grad;
    }
    if (o->clip > 0) {
        add_squares(o, e, grad);
        tn_vec_push(e->scratch, &o->waiting, w);
        tn_vec_push(e->scratch, &o->waiting, grad);
    } else {
        update(o, e, w, grad, unscaled(o, e, grad));
    }
    return NULL;
}

/* min(1, clip / (norm + 1e-6)), as PyTorch has it. */
void tn_optimizer_finish(tn_optimizer *o, tn_emitter *e) {
    enum { PAIR = 2 };
    if (o->waiting.len == 0) {
        return;
    }
    tn_emit_for(e, &e->loc, "Clip_gradients");
    tn_value *norm = times(e, tn_emit_1(e, "Sqrt", o->squares), 1 / o->scale);
    tn_value *least = tn_emit_2(e, "Add", norm, number(e, norm, 1e-6));
    tn_value *factor = tn_emit_2(e, "Div", number(e, norm, o->clip), least);
    factor = tn_emit_2(e, "Min", factor, number(e, norm, 1));
    factor = times(e, factor, 1 / o->scale);
    for (uint32_t i = 0; i < o->waiting.len; i += PAIR) {
        tn_value *w = o->waiting.data[i];
        tn_emit_for(e, &e->loc, tn_internf(e->ctx, "%s_Update", w->name));
        update(o, e, w, o->waiting.data[i + 1], factor);
    }
}
