/* Whole numbers that stand for floats: (q - zero point) * scale. */
#include <math.h>

#include "ir/compute/nest_rules.h"

/* Where the scale of an element lies: one for all, one for each place along an axis, or one for
 * each block there, where the axis is gone through as blocks and what is in one. */
typedef struct spread {
    uint32_t axis;
    int64_t block; /* 0: no blocks */
} spread;

static bool spread_of(const tn_compute *c, spread *s) {
    const tn_compute_value *x = tn_compute_operand(c, 0), *scale = tn_compute_operand(c, 1);
    int64_t stated = tn_compute_int(c, "axis", 1);
    int64_t axis = stated < 0 ? stated + x->rank : stated;
    bool one = scale != NULL && (scale->rank == 0 || (scale->rank == 1 && scale->dims[0] == 1));
    *s = (spread){(uint32_t)axis, tn_compute_int(c, "block_size", 0)};
    if (one) {
        s->axis = x->rank;
        s->block = 0;
        return true;
    }
    if (scale == NULL || axis < 0 || axis >= x->rank) {
        return false;
    }
    if (s->block <= 0) {
        s->block = 0;
        return scale->rank == 1 && scale->dims[0] == x->dims[axis];
    }
    return scale->rank == x->rank && x->dims[axis] == scale->dims[axis] * s->block;
}

/* The nest of the result, and where its element's scale lies. */
static tn_nest *nest_over(tn_compute *c, const spread *s, tn_affine *scale) {
    const tn_compute_value *y = &c->results[0];
    int64_t steps[TN_NEST_AXES], own[TN_NEST_AXES];
    if (y->rank >= TN_NEST_AXES / 2) {
        return NULL;
    }
    tn_nest *n = tn_compute_nest(c, 0);
    tn_compute_steps(y, steps);
    tn_compute_steps(tn_compute_operand(c, 1), own);
    for (uint32_t i = 0; i < y->rank; i++) {
        bool blocks = s->block > 0 && i == s->axis;
        uint32_t axis = tn_nest_axis(n, blocks ? y->dims[i] / s->block : y->dims[i]);
        n->store.by[axis] = blocks ? s->block * steps[i] : steps[i];
        scale->by[axis] = s->block > 0 ? own[i] : i == s->axis;
        if (blocks) {
            n->store.by[tn_nest_axis(n, s->block)] = steps[i];
        }
    }
    n->n_outer = n->n_axes;
    return n;
}

/* Rounded half to even, the zero point added, saturated. What is no number gives the smallest. */
bool tn_compute_quantize(tn_compute *c) {
    const tn_dtype_info *to = tn_dtype_get(c->results[0].dtype);
    spread s;
    tn_affine at = {0};
    if (!spread_of(c, &s) || (to->kind != 'I' && to->kind != 'U') || to->bits > 16 ||
        c->operands[1].dtype != TN_DT_FLOAT) {
        return false;
    }
    tn_nest *n = nest_over(c, &s, &at);
    if (n == NULL) {
        return false;
    }
    tn_arena *arena = c->arena;
    tn_calc *x = tn_calc_convert(arena, tn_calc_load(arena, 0, &n->store), TN_DT_FLOAT);
    n->value =
        tn_quantum_round(c, tn_calc_two(c, TN_CALC_DIV, x, tn_calc_load(arena, 1, &at)), 2, &at);
    return true;
}

bool tn_compute_dequantize(tn_compute *c) {
    spread s;
    tn_affine at = {0};
    tn_nest *n = spread_of(c, &s) ? nest_over(c, &s, &at) : NULL;
    if (n == NULL) {
        return false;
    }
    tn_calc *x = tn_quantum_less(c, tn_calc_load(c->arena, 0, &n->store), 2, &at);
    n->value = tn_calc_two(c, TN_CALC_MUL, tn_calc_convert(c->arena, x, TN_DT_FLOAT),
                           tn_calc_load(c->arena, 1, &at));
    return true;
}

tn_calc *tn_calc_saturate(tn_arena *arena, tn_calc *x, tn_dtype to) {
    const tn_dtype_info *info = tn_dtype_get(to);
    double most = ldexp(1, info->bits - (info->kind == 'I')) - 1;
    double least = info->kind == 'I' ? -most - 1 : 0;
    tn_calc *low = tn_calc_make(arena, TN_CALC_CLAMP, x, tn_calc_number(arena, least),
                                tn_calc_number(arena, most));
    tn_calc *whole = tn_calc_make(arena, TN_CALC_WHOLE, low, NULL, NULL);
    whole->type = TN_DT_INT32;
    return whole;
}

/* ---- for other rules ---- */

bool tn_compute_is_float(const tn_compute *c, uint32_t operand) {
    const tn_compute_value *v = tn_compute_operand(c, operand);
    return v != NULL && v->dtype == TN_DT_FLOAT &&
           (v->rank == 0 || (v->rank == 1 && v->dims[0] == 1));
}

bool tn_compute_is_byte(tn_dtype dtype) {
    return dtype == TN_DT_INT8 || dtype == TN_DT_UINT8;
}

bool tn_quantum_is(const tn_compute *c, tn_quantum q) {
    const tn_compute_value *x = tn_compute_operand(c, q.x), *zero = tn_compute_operand(c, q.zero);
    bool one = zero == NULL || (x != NULL && zero->dtype == x->dtype &&
                                (zero->rank == 0 || (zero->rank == 1 && zero->dims[0] == 1)));
    return x != NULL && tn_compute_is_byte(x->dtype) && tn_compute_is_float(c, q.scale) && one;
}

tn_calc *tn_quantum_less(const tn_compute *c, tn_calc *x, uint32_t zero, const tn_affine *at) {
    bool is = tn_compute_operand(c, zero) != NULL;
    return is ? tn_calc_two(c, TN_CALC_SUB, x, tn_calc_load(c->arena, zero, at)) : x;
}

tn_calc *tn_quantum_float(const tn_compute *c, tn_quantum q, const tn_affine *at) {
    static const tn_affine first = {0};
    tn_calc *x = tn_quantum_less(c, tn_calc_load(c->arena, q.x, at), q.zero, &first);
    return tn_calc_two(c, TN_CALC_MUL, tn_calc_convert(c->arena, x, TN_DT_FLOAT),
                       tn_calc_load(c->arena, q.scale, &first));
}

tn_calc *tn_quantum_round(const tn_compute *c, tn_calc *x, uint32_t zero, const tn_affine *at) {
    tn_arena *arena = c->arena;
    tn_calc *q = tn_calc_make(arena, TN_CALC_ROUND, x, NULL, NULL);
    if (tn_compute_operand(c, zero) != NULL) {
        q = tn_calc_two(c, TN_CALC_ADD, q,
                        tn_calc_convert(arena, tn_calc_load(arena, zero, at), TN_DT_FLOAT));
    }
    return tn_calc_saturate(arena, q, c->results[0].dtype);
}
