/* Softmax and its kin, reductions, and where the largest or smallest element of a row stands. */
#include "ir/compute/nest_over.h"

/* Up to version 12 all axes from `axis` on are one row. */
static bool softmax_rows(const tn_compute *c, int64_t version, tn_rows *r) {
    const tn_compute_value *x = tn_compute_operand(c, 0);
    uint32_t axis;
    if (!tn_compute_axis(tn_compute_int(c, "axis", version < 13 ? 1 : -1), x->rank, &axis)) {
        return false;
    }
    tn_rows_of(c, r, version < 13 ? (1u << x->rank) - (1u << axis) : 1u << axis);
    return true;
}

/* What an element is above the largest one of its row, of which stage 0 tells; times the scale, if
 * it stands for a float. */
static tn_calc *above(tn_compute *c, tn_calc *x, const tn_affine *scale) {
    tn_calc *y = tn_calc_two(c, TN_CALC_SUB, x, tn_calc_local(c->arena, 0));
    return scale == NULL ? y
                         : tn_calc_two(c, TN_CALC_MUL, tn_calc_convert(c->arena, y, TN_DT_FLOAT),
                                       tn_calc_load(c->arena, 1, scale));
}

/* Stages of the largest element and of the sum of powers; gives the exponent of an element. */
static tn_calc *put_powers(tn_compute *c, const tn_affine *scale, tn_rows *r) {
    tn_rows_stage(c, r, TN_COMBINE_MAX, NULL);
    tn_nest_stage *sum = tn_rows_stage(c, r, TN_COMBINE_SUM, NULL);
    sum->body = tn_calc_one(c, TN_CALC_EXP, above(c, sum->body, scale));
    return above(c, tn_rows_element(c, r), scale);
}

static tn_calc *softmax(tn_compute *c, int64_t version, const tn_affine *scale, tn_rows *r) {
    bool is = softmax_rows(c, version, r) && tn_rows_begin(c, r, 0, 2, true);
    return is ? put_powers(c, scale, r) : NULL;
}

static int64_t version_of(const tn_compute *c) {
    return c->version != 0 ? c->version : INT64_MAX;
}

static tn_calc *share_of(tn_compute *c, tn_calc *x) {
    return tn_calc_two(c, TN_CALC_DIV, tn_calc_one(c, TN_CALC_EXP, x), tn_calc_local(c->arena, 1));
}

bool tn_compute_softmax(tn_compute *c) {
    tn_rows r;
    tn_calc *x = softmax(c, version_of(c), NULL, &r);
    if (x != NULL) {
        r.n->value = share_of(c, x);
    }
    return x != NULL;
}

static void put_logarithm(tn_compute *c, tn_rows *r, tn_calc *x) {
    tn_calc *sum = tn_calc_one(c, TN_CALC_LOG, tn_calc_local(c->arena, 1));
    r->n->value = tn_calc_two(c, TN_CALC_SUB, x, sum);
}

bool tn_compute_log_softmax(tn_compute *c) {
    tn_rows r;
    tn_calc *x = softmax(c, version_of(c), NULL, &r);
    if (x != NULL) {
        put_logarithm(c, &r, x);
    }
    return x != NULL;
}

bool tn_compute_log_softmax_of(tn_compute *c, uint32_t result, uint32_t axis) {
    tn_rows r;
    tn_rows_of(c, &r, 1u << axis);
    if (!tn_rows_begin(c, &r, result, 2, true)) {
        return false;
    }
    put_logarithm(c, &r, put_powers(c, NULL, &r));
    return true;
}

/* One whole is the number of steps that fit in it, as ONNX Runtime has it. */
bool tn_compute_qlinear_softmax(tn_compute *c) {
    static const tn_affine first = {0};
    tn_rows r;
    bool is = tn_quantum_is(c, (tn_quantum){0, 1, 2}) && tn_compute_is_float(c, 3) &&
              c->results[0].dtype == c->operands[0].dtype;
    tn_calc *x = is ? softmax(c, tn_compute_int(c, "opset", 0), &first, &r) : NULL;
    if (x == NULL) {
        return false;
    }
    tn_calc *steps =
        tn_calc_two(c, TN_CALC_DIV, tn_calc_number(c->arena, 1), tn_calc_load(c->arena, 3, &first));
    tn_calc *value =
        tn_calc_two(c, TN_CALC_MUL, share_of(c, x), tn_calc_one(c, TN_CALC_FLOOR, steps));
    r.n->value = tn_quantum_round(c, value, 4, &first);
    return true;
}

/* ---- where something stands ---- */

/* Stage 1: where in the row the first, or last, element stands that stage 0 left, or that is no
 * number. */
static void put_place_of(tn_compute *c, tn_rows *r, bool last) {
    tn_affine at;
    tn_nest_stage *s = tn_rows_stage(c, r, last ? TN_COMBINE_MAX : TN_COMBINE_MIN, &at);
    tn_calc *is = tn_calc_two(c, TN_CALC_OR,
                              tn_calc_two(c, TN_CALC_EQUAL, s->body, tn_calc_local(c->arena, 0)),
                              tn_calc_one(c, TN_CALC_ISNAN, tn_calc_load(c->arena, 0, &at)));
    s->body = tn_calc_make(c->arena, TN_CALC_SELECT, is, tn_calc_place(c->arena, &r->place),
                           tn_calc_number(c->arena, last ? 0 : (double)(r->count - 1)));
}

static bool place_of_extreme(tn_compute *c, tn_combine combine) {
    const tn_compute_value *x = tn_compute_operand(c, 0);
    uint32_t axis;
    tn_rows r;
    if (!tn_compute_axis(tn_compute_int(c, "axis", 0), x->rank, &axis)) {
        return false;
    }
    tn_rows_of(c, &r, 1u << axis);
    if (!tn_rows_begin(c, &r, 0, 2, false)) {
        return false;
    }
    tn_rows_stage(c, &r, combine, NULL);
    put_place_of(c, &r, tn_compute_int(c, "select_last_index", 0) != 0);
    r.n->value = tn_calc_local(c->arena, 1);
    return true;
}

bool tn_compute_argmax(tn_compute *c) {
    return place_of_extreme(c, TN_COMBINE_MAX);
}

bool tn_compute_argmin(tn_compute *c) {
    return place_of_extreme(c, TN_COMBINE_MIN);
}

/* Places are floats here, which hold those of so many elements. */
bool tn_compute_hardmax(tn_compute *c) {
    enum { MOST = 1 << 24 };
    tn_rows r;
    if (!softmax_rows(c, version_of(c), &r) || !tn_rows_begin(c, &r, 0, 2, true) ||
        r.count > MOST) {
        return false;
    }
    tn_affine place = r.place;
    tn_rows_stage(c, &r, TN_COMBINE_MAX, NULL);
    put_place_of(c, &r, false);
    tn_calc *is =
        tn_calc_two(c, TN_CALC_EQUAL, tn_calc_local(c->arena, 1), tn_calc_place(c->arena, &place));
    r.n->value = tn_calc_make(c->arena, TN_CALC_SELECT, is, tn_calc_number(c->arena, 1),
                              tn_calc_number(c->arena, 0));
    return true;
}

/* ---- reductions ---- */

typedef enum before { BEFORE_NOTHING, BEFORE_ABS, BEFORE_SQUARE } before;
typedef enum after { AFTER_NOTHING, AFTER_MEAN, AFTER_ROOT, AFTER_LOG } after;

static bool reduce_begin(tn_compute *c, tn_rows *r, uint32_t stages) {
    uint32_t within;
    if (c->operands[0].dtype != c->results[0].dtype || !tn_rows_axes(c, &within)) {
        return false;
    }
    tn_rows_of(c, r, within);
    return tn_rows_begin(c, r, 0, stages, false);
}

static bool reduce(tn_compute *c, tn_combine combine, before first, after last) {
    tn_rows r;
    if (!reduce_begin(c, &r, 1)) {
        return false;
    }
    tn_nest_stage *s = tn_rows_stage(c, &r, combine, NULL);
    s->body = first == BEFORE_ABS      ? tn_calc_one(c, TN_CALC_ABS, s->body)
              : first == BEFORE_SQUARE ? tn_calc_two(c, TN_CALC_MUL, s->body, s->body)
                                       : s->body;
    tn_calc *all = tn_calc_local(c->arena, 0);
    r.n->value = last == AFTER_MEAN   ? tn_rows_mean(c, &r, 0)
                 : last == AFTER_ROOT ? tn_calc_one(c, TN_CALC_SQRT, all)
                 : last == AFTER_LOG  ? tn_calc_one(c, TN_CALC_LOG, all)
                                      : all;
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

/* Powers by the largest element, where that is finite: they do not overflow. */
bool tn_compute_reduce_log_exp(tn_compute *c) {
    tn_rows r;
    if (!reduce_begin(c, &r, 3)) {
        return false;
    }
    tn_rows_stage(c, &r, TN_COMBINE_MAX, NULL);
    tn_calc *infinite = tn_calc_one(c, TN_CALC_ISINF, tn_calc_local(c->arena, 0));
    tn_nest_put_place(r.n, r.depth,
                      tn_calc_make(c->arena, TN_CALC_SELECT, infinite, tn_calc_number(c->arena, 0),
                                   tn_calc_local(c->arena, 0)));
    tn_nest_stage *sum = tn_rows_stage(c, &r, TN_COMBINE_SUM, NULL);
    sum->body = tn_calc_one(c, TN_CALC_EXP,
                            tn_calc_two(c, TN_CALC_SUB, sum->body, tn_calc_local(c->arena, 1)));
    r.n->value = tn_calc_two(c, TN_CALC_ADD, tn_calc_local(c->arena, 1),
                             tn_calc_one(c, TN_CALC_LOG, tn_calc_local(c->arena, 2)));
    return true;
}
