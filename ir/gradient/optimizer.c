#include "ir/gradient/optimizer.h"

#include "ir/mutate.h"

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

/* Things that all parameters share: the rate, the count of runs, the powers of Adam's decays. */
static void make_shared(tn_optimizer *o, tn_emitter *e, const tn_value *w) {
    tn_dtype dtype = w->type->dtype;
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
    if (o->kind == TN_OPTIMIZER_ADAM) {
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
    tn_value *sum = add_state(e, tn_internf(e->ctx, "%s_grad_sum", w->name), w, 0);
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

static tn_value *momentum_step(tn_optimizer *o, tn_emitter *e, tn_value *w, tn_value *grad) {
    tn_value *old = add_state(e, tn_internf(e->ctx, "%s_momentum", w->name), w, 0);
    tn_value *now = tn_emit_2(e, "Add", times(e, old, o->momentum), grad);
    bind(o, e, old, when_full(o, e, now, old));
    return now;
}

static tn_value *corrected(tn_emitter *e, tn_value *moment, tn_value *power) {
    tn_value *share = tn_emit_2(e, "Sub", number(e, power, 1), power);
    share = tn_emit_cast(e, share, moment->type->dtype);
    return tn_emit_2(e, "Div", moment, share);
}

static tn_value *adam_step(tn_optimizer *o, tn_emitter *e, tn_value *w, tn_value *grad) {
    tn_value *m = add_state(e, tn_internf(e->ctx, "%s_moment1", w->name), w, 0);
    tn_value *v = add_state(e, tn_internf(e->ctx, "%s_moment2", w->name), w, 0);
    tn_value *m_now = moved(e, m, grad, 1 - o->momentum);
    tn_value *v_now = moved(e, v, tn_emit_2(e, "Mul", grad, grad), 1 - o->beta2);
    tn_value *root = tn_emit_1(e, "Sqrt", corrected(e, v_now, o->power2));
    tn_value *below = tn_emit_2(e, "Add", root, number(e, w, o->epsilon));
    tn_value *step = tn_emit_2(e, "Div", corrected(e, m_now, o->power1), below);
    bind(o, e, m, when_full(o, e, m_now, m));
    bind(o, e, v, when_full(o, e, v_now, v));
    return step;
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
    tn_value *step = o->kind == TN_OPTIMIZER_MOMENTUM ? momentum_step(o, e, w, grad)
                     : o->kind == TN_OPTIMIZER_ADAM   ? adam_step(o, e, w, grad)
                                                      : grad;
    tn_value *by = tn_emit_2(e, "Mul", step, tn_emit_cast(e, o->rate_value, w->type->dtype));
    bind(o, e, w, when_full(o, e, tn_emit_2(e, "Sub", w, by), w));
    return NULL;
}
