/* What goes over rows, channels or axes as a whole: normalisations, Softmax and its kin,
 * reductions. */
#include <string.h>

#include "ir/compute/nest_rules.h"

static tn_calc *two(tn_compute *c, tn_calc_op op, tn_calc *a, tn_calc *b) {
    return tn_calc_make(c->arena, op, a, b, NULL);
}

static tn_calc *one(tn_compute *c, tn_calc_op op, tn_calc *a) {
    return tn_calc_make(c->arena, op, a, NULL, NULL);
}

/* Statistics as the model has them: y = (x - mean) / sqrt(var + epsilon) * scale + B. */
bool tn_compute_batch_norm(tn_compute *c) {
    bool old = c->version != 0 && c->version < 7;
    bool trains = (old && tn_compute_int(c, "is_test", 0) == 0) ||
                  tn_compute_int(c, "training_mode", 0) != 0 ||
                  tn_compute_int(c, "spatial", 1) == 0 || c->n_results > 1;
    tn_nest *n = !trains ? tn_compute_over(c, 0) : NULL;
    if (n == NULL || c->n_operands != 5 || n->n_outer < 2) {
        return false;
    }
    tn_affine channel = {0};
    channel.by[1] = 1;
    tn_calc *of[5] = {tn_calc_load(c->arena, 0, &n->store)};
    for (uint32_t i = 1; i < 5; i++) {
        if (c->operands[i].rank != 1 || c->operands[i].dims[0] != n->extent[1]) {
            return false;
        }
        of[i] = tn_calc_load(c->arena, i, &channel);
    }
    tn_calc *deviation = one(
        c, TN_CALC_SQRT,
        two(c, TN_CALC_ADD, of[4], tn_calc_number(c->arena, tn_compute_float(c, "epsilon", 1e-5))));
    tn_calc *scaled = two(c, TN_CALC_DIV, two(c, TN_CALC_SUB, of[0], of[3]), deviation);
    n->value = two(c, TN_CALC_ADD, two(c, TN_CALC_MUL, scaled, of[1]), of[2]);
    return true;
}

/* A stage over axes [from, to) of operand 0, of which the nest so far has the others; its body is
 * the operand's element. `x` is where that lies. */
static tn_nest_stage *stage_over(tn_compute *c, tn_nest *n, uint32_t from, uint32_t to,
                                 tn_affine *x) {
    const tn_compute_value *v = tn_compute_operand(c, 0);
    int64_t steps[TN_NEST_AXES];
    tn_nest_stage *s = &n->stage[n->n_stages++];
    tn_compute_steps(v, steps);
    s->first = n->n_axes;
    for (uint32_t i = from; i < to; i++) {
        x->by[tn_nest_axis(n, v->dims[i])] = steps[i];
    }
    s->n = n->n_axes - s->first;
    s->body = tn_calc_load(c->arena, 0, x);
    return s;
}

/* Axes of the result in the order in which they are gone through: those of [from, to) last. */
static tn_nest *rows_last(tn_compute *c, uint32_t from, uint32_t to) {
    const tn_compute_value *v = &c->results[0];
    int64_t steps[TN_NEST_AXES];
    if (v->rank > 4) {
        return NULL;
    }
    tn_compute_steps(v, steps);
    tn_nest *n = tn_compute_nest(c, 0);
    for (uint32_t turn = 0; turn < 2; turn++) {
        for (uint32_t i = 0; i < v->rank; i++) {
            if ((i >= from && i < to) == (turn == 1)) {
                n->store.by[tn_nest_axis(n, v->dims[i])] = steps[i];
            }
        }
    }
    n->n_outer = n->n_axes;
    return n;
}

/* What an element is above the largest one of its row, of which stage 0 tells; times the scale, if
 * it stands for a float. */
static tn_calc *above(tn_compute *c, tn_calc *x, const tn_affine *scale) {
    tn_calc *y = two(c, TN_CALC_SUB, x, tn_calc_local(c->arena, 0));
    return scale == NULL ? y
                         : two(c, TN_CALC_MUL, tn_calc_convert(c->arena, y, TN_DT_FLOAT),
                               tn_calc_load(c->arena, 1, scale));
}

/* Stages of the largest element and of the sum of powers; *x is the exponent of an element. Up to
 * version 12 all axes from `axis` on are one row. */
static tn_nest *softmax(tn_compute *c, int64_t version, const tn_affine *scale, tn_calc **x) {
    const tn_compute_value *v = tn_compute_operand(c, 0);
    int64_t stated = tn_compute_int(c, "axis", version < 13 ? 1 : -1);
    uint32_t axis = (uint32_t)(stated < 0 ? stated + v->rank : stated);
    uint32_t end = version < 13 ? v->rank : axis + 1;
    tn_nest *n = axis < v->rank ? rows_last(c, axis, end) : NULL;
    if (n == NULL) {
        return NULL;
    }
    uint32_t depth = v->rank - (end - axis);
    tn_affine first = n->store, second;
    memset(&first.by[depth], 0, (TN_NEST_AXES - depth) * sizeof first.by[0]);
    second = first;
    tn_nest_stage *largest = stage_over(c, n, axis, end, &first);
    largest->combine = TN_COMBINE_MAX;
    largest->depth = depth;
    tn_nest_stage *sum = stage_over(c, n, axis, end, &second);
    sum->depth = depth;
    sum->body = one(c, TN_CALC_EXP, above(c, sum->body, scale));
    *x = above(c, tn_calc_load(c->arena, 0, &n->store), scale);
    return n;
}

static int64_t version_of(const tn_compute *c) {
    return c->version != 0 ? c->version : INT64_MAX;
}

bool tn_compute_softmax(tn_compute *c) {
    tn_calc *x;
    tn_nest *n = softmax(c, version_of(c), NULL, &x);
    if (n != NULL) {
        n->value = two(c, TN_CALC_DIV, one(c, TN_CALC_EXP, x), tn_calc_local(c->arena, 1));
    }
    return n != NULL;
}

/* One whole is the number of steps that fit in it, as ONNX Runtime has it. */
bool tn_compute_qlinear_softmax(tn_compute *c) {
    static const tn_affine first = {0};
    tn_calc *x;
    tn_nest *n = tn_quantum_is(c, (tn_quantum){0, 1, 2}) && tn_compute_is_float(c, 3) &&
                         c->results[0].dtype == c->operands[0].dtype
                     ? softmax(c, tn_compute_int(c, "opset", 0), &first, &x)
                     : NULL;
    if (n == NULL) {
        return false;
    }
    tn_calc *part = two(c, TN_CALC_DIV, one(c, TN_CALC_EXP, x), tn_calc_local(c->arena, 1));
    tn_calc *whole =
        one(c, TN_CALC_FLOOR,
            two(c, TN_CALC_DIV, tn_calc_number(c->arena, 1), tn_calc_load(c->arena, 3, &first)));
    n->value = tn_quantum_round(c, two(c, TN_CALC_MUL, part, whole), 4, &first);
    return true;
}

bool tn_compute_log_softmax(tn_compute *c) {
    tn_calc *x;
    tn_nest *n = softmax(c, version_of(c), NULL, &x);
    if (n != NULL) {
        n->value = two(c, TN_CALC_SUB, x, one(c, TN_CALC_LOG, tn_calc_local(c->arena, 1)));
    }
    return n != NULL;
}

/* Without the statistics as results. */
static bool norm_of_rows(tn_compute *c, bool centred) {
    const tn_compute_value *v = tn_compute_operand(c, 0), *bias = tn_compute_operand(c, 2);
    int64_t stated = tn_compute_int(c, "axis", -1), count = 1;
    uint32_t axis = (uint32_t)(stated < 0 ? stated + v->rank : stated);
    tn_nest *n = c->n_results == 1 && axis < v->rank ? rows_last(c, axis, v->rank) : NULL;
    tn_affine scale, add;
    if (n == NULL || !tn_compute_broadcast(tn_compute_operand(c, 1), n, n->n_outer, &scale) ||
        (bias != NULL && !tn_compute_broadcast(bias, n, n->n_outer, &add))) {
        return false;
    }
    tn_calc *x = tn_calc_load(c->arena, 0, &n->store);
    tn_affine row = n->store;
    memset(&row.by[axis], 0, (TN_NEST_AXES - axis) * sizeof row.by[0]);
    for (uint32_t i = axis; i < v->rank; i++) {
        count *= v->dims[i];
    }
    tn_calc *elements = tn_calc_number(c->arena, (double)count);
    if (centred) {
        tn_affine first = row;
        stage_over(c, n, axis, v->rank, &first)->depth = axis;
        tn_calc *mean = two(c, TN_CALC_DIV, tn_calc_local(c->arena, 0), elements);
        x = two(c, TN_CALC_SUB, x, mean);
    }
    tn_affine second = row;
    tn_nest_stage *squares = stage_over(c, n, axis, v->rank, &second);
    squares->depth = axis;
    tn_calc *away = squares->body;
    if (centred) {
        away = two(c, TN_CALC_SUB, away, two(c, TN_CALC_DIV, tn_calc_local(c->arena, 0), elements));
    }
    squares->body = two(c, TN_CALC_MUL, away, away);
    tn_calc *variance = two(c, TN_CALC_DIV, tn_calc_local(c->arena, n->n_stages - 1), elements);
    tn_calc *deviation = one(c, TN_CALC_SQRT,
                             two(c, TN_CALC_ADD, variance,
                                 tn_calc_number(c->arena, tn_compute_float(c, "epsilon", 1e-5))));
    n->value =
        two(c, TN_CALC_MUL, two(c, TN_CALC_DIV, x, deviation), tn_calc_load(c->arena, 1, &scale));
    if (bias != NULL) {
        n->value = two(c, TN_CALC_ADD, n->value, tn_calc_load(c->arena, 2, &add));
    }
    return true;
}

bool tn_compute_layer_norm(tn_compute *c) {
    return norm_of_rows(c, true);
}

bool tn_compute_rms_norm(tn_compute *c) {
    return norm_of_rows(c, false);
}

/* ---- reductions ---- */

typedef enum before { BEFORE_NOTHING, BEFORE_ABS, BEFORE_SQUARE } before;
typedef enum after { AFTER_NOTHING, AFTER_MEAN, AFTER_ROOT, AFTER_LOG } after;

/* The axes that are reduced, as bits; false where nobody knows them before the run. */
static bool reduced_axes(const tn_compute *c, uint32_t *axes) {
    const tn_compute_value *x = tn_compute_operand(c, 0), *given = tn_compute_operand(c, 1);
    const tn_attr *stated = tn_compute_attr(c, "axes");
    const int64_t *list = stated != NULL ? stated->u.ints : given != NULL ? given->known : NULL;
    uint32_t n = stated != NULL ? stated->n : given != NULL ? given->n_known : 0;
    if (given != NULL && given->known == NULL && stated == NULL) {
        return false;
    }
    *axes = 0;
    for (uint32_t i = 0; i < n; i++) {
        int64_t axis = list[i] < 0 ? list[i] + x->rank : list[i];
        if (axis < 0 || axis >= x->rank) {
            return false;
        }
        *axes |= 1u << axis;
    }
    if (n == 0) {
        *axes = (1u << x->rank) - 1;
    }
    return n > 0 || tn_compute_int(c, "noop_with_empty_axes", 0) == 0;
}

static bool reduce(tn_compute *c, tn_combine combine, before first, after last) {
    const tn_compute_value *x = tn_compute_operand(c, 0);
    uint32_t axes = 0;
    if (x->dtype != TN_DT_FLOAT || c->results[0].dtype != TN_DT_FLOAT ||
        x->rank > TN_NEST_AXES / 2 || !reduced_axes(c, &axes)) {
        return false;
    }
    int64_t steps[TN_NEST_AXES], kept = 1, count = 1;
    tn_affine in = {0};
    tn_nest *n = tn_compute_nest(c, 0);
    tn_compute_steps(x, steps);
    for (uint32_t i = x->rank; i-- > 0;) {
        kept *= (axes >> i & 1) != 0 ? 1 : x->dims[i];
    }
    for (uint32_t i = 0; i < x->rank; i++) {
        if ((axes >> i & 1) == 0) {
            uint32_t axis = tn_nest_axis(n, x->dims[i]);
            kept /= x->dims[i];
            n->store.by[axis] = kept;
            in.by[axis] = steps[i];
        }
    }
    n->n_outer = n->n_axes;
    tn_nest_stage *s = &n->stage[n->n_stages++];
    s->depth = s->first = n->n_outer;
    for (uint32_t i = 0; i < x->rank; i++) {
        if ((axes >> i & 1) != 0) {
            in.by[tn_nest_axis(n, x->dims[i])] = steps[i];
            count *= x->dims[i];
        }
    }
    s->n = n->n_axes - s->first;
    s->combine = combine;
    tn_calc *element = tn_calc_load(c->arena, 0, &in);
    s->body = first == BEFORE_ABS      ? one(c, TN_CALC_ABS, element)
              : first == BEFORE_SQUARE ? two(c, TN_CALC_MUL, element, element)
                                       : element;
    n->value = tn_calc_local(c->arena, 0);
    n->value = last == AFTER_MEAN
                   ? two(c, TN_CALC_DIV, n->value, tn_calc_number(c->arena, (double)count))
               : last == AFTER_ROOT ? one(c, TN_CALC_SQRT, n->value)
               : last == AFTER_LOG  ? one(c, TN_CALC_LOG, n->value)
                                    : n->value;
    return true;
}

#define REDUCE(name, combine, first, last)                                                         \
    bool tn_compute_reduce_##name(tn_compute *c) {                                                 \
        return reduce(c, TN_COMBINE_##combine, BEFORE_##first, AFTER_##last);                      \
    }
REDUCE(sum, SUM, NOTHING, NOTHING)
REDUCE(mean, SUM, NOTHING, MEAN)
REDUCE(max, MAX, NOTHING, NOTHING)
REDUCE(min, MIN, NOTHING, NOTHING)
REDUCE(prod, PRODUCT, NOTHING, NOTHING)
REDUCE(l1, SUM, ABS, NOTHING)
REDUCE(l2, SUM, SQUARE, ROOT)
REDUCE(square, SUM, SQUARE, NOTHING)
REDUCE(log, SUM, NOTHING, LOG)
