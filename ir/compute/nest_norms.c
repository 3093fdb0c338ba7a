/* Normalisations: of channels by numbers of the model, of rows, groups and images by their own. */
#include "ir/compute/nest_over.h"

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
    tn_calc *epsilon = tn_calc_number(c->arena, tn_compute_float(c, "epsilon", 1e-5));
    tn_calc *deviation = tn_calc_one(c, TN_CALC_SQRT, tn_calc_two(c, TN_CALC_ADD, of[4], epsilon));
    tn_calc *scaled =
        tn_calc_two(c, TN_CALC_DIV, tn_calc_two(c, TN_CALC_SUB, of[0], of[3]), deviation);
    n->value = tn_calc_two(c, TN_CALC_ADD, tn_calc_two(c, TN_CALC_MUL, scaled, of[1]), of[2]);
    return true;
}

/* Stages: the sum, unless the rows are taken as they are; the sum of the squared distances from the
 * mean. */
static void put_moments(tn_compute *c, tn_rows *r, bool centred) {
    if (centred) {
        tn_rows_stage(c, r, TN_COMBINE_SUM, NULL);
    }
    tn_nest_stage *squares = tn_rows_stage(c, r, TN_COMBINE_SUM, NULL);
    tn_calc *away = squares->body;
    if (centred) {
        away = tn_calc_two(c, TN_CALC_SUB, away, tn_rows_mean(c, r, 0));
    }
    squares->body = tn_calc_two(c, TN_CALC_MUL, away, away);
}

/* The element, with the mean of its row as 0. */
static tn_calc *centred_element(tn_compute *c, const tn_rows *r) {
    return tn_calc_two(c, TN_CALC_SUB, tn_rows_element(c, r), tn_rows_mean(c, r, 0));
}

static tn_calc *scaled(tn_compute *c, tn_calc *x, uint32_t scale, const tn_affine *at,
                       uint32_t bias, const tn_affine *add) {
    x = tn_calc_two(c, TN_CALC_MUL, x, tn_calc_load(c->arena, scale, at));
    return add != NULL ? tn_calc_two(c, TN_CALC_ADD, x, tn_calc_load(c->arena, bias, add)) : x;
}

/* ---- trailing axes ---- */

/* A result that has the mean of each row, or what its elements are multiplied by. */
static bool statistic(tn_compute *c, uint32_t within, uint32_t result, bool centred, bool mean) {
    tn_rows r;
    tn_rows_of(c, &r, within);
    if (result >= c->n_results || !c->results[result].there) {
        return true;
    }
    if (!tn_rows_begin(c, &r, result, 2, false)) {
        return false;
    }
    if (mean) {
        tn_rows_stage(c, &r, TN_COMBINE_SUM, NULL);
        r.n->value = tn_rows_mean(c, &r, 0);
        return true;
    }
    put_moments(c, &r, centred);
    r.n->value =
        tn_calc_two(c, TN_CALC_DIV, tn_calc_number(c->arena, 1),
                    tn_rows_deviation(c, &r, centred, tn_compute_float(c, "epsilon", 1e-5)));
    return true;
}

/* Statistics are made first: the result may lie over the operand. */
static bool norm_of_rows(tn_compute *c, bool centred) {
    const tn_compute_value *x = tn_compute_operand(c, 0), *bias = tn_compute_operand(c, 2);
    uint32_t axis;
    tn_rows r;
    tn_affine scale, add;
    if (tn_compute_int(c, "stash_type", 1) != 1 ||
        !tn_compute_axis(tn_compute_int(c, "axis", -1), x->rank, &axis)) {
        return false;
    }
    tn_rows_of(c, &r, (1u << x->rank) - (1u << axis));
    if (!statistic(c, r.within, 1, centred, centred) ||
        !statistic(c, r.within, 2, centred, false) ||
        !tn_rows_begin(c, &r, 0, centred ? 2 : 1, true) ||
        !tn_compute_broadcast(tn_compute_operand(c, 1), r.n, r.n->n_outer, &scale) ||
        (bias != NULL && !tn_compute_broadcast(bias, r.n, r.n->n_outer, &add))) {
        return false;
    }
    put_moments(c, &r, centred);
    tn_calc *away = centred ? centred_element(c, &r) : tn_rows_element(c, &r);
    double epsilon = tn_compute_float(c, "epsilon", 1e-5);
    away = tn_calc_two(c, TN_CALC_DIV, away, tn_rows_deviation(c, &r, centred, epsilon));
    r.n->value = scaled(c, away, 1, &scale, 2, bias != NULL ? &add : NULL);
    return true;
}

bool tn_compute_layer_norm(tn_compute *c) {
    return norm_of_rows(c, true);
}

bool tn_compute_rms_norm(tn_compute *c) {
    return norm_of_rows(c, false);
}

/* ---- images, groups of channels ---- */

static bool is_vector(const tn_compute *c, uint32_t operand, int64_t extent) {
    const tn_compute_value *v = tn_compute_operand(c, operand);
    return v != NULL && v->rank == 1 && v->dims[0] == extent;
}

/* Scale and bias are operands 1 and 2, at `at`. */
static bool norm_of_images(tn_compute *c, tn_rows *r, uint32_t axis, int64_t by, uint32_t inner) {
    if (!tn_rows_begin(c, r, 0, 2, true)) {
        return false;
    }
    tn_affine at = {0};
    at.by[r->axis[axis]] = by;
    at.by[r->axis[inner]] += inner != axis;
    put_moments(c, r, true);
    tn_calc *away = tn_calc_two(c, TN_CALC_DIV, centred_element(c, r),
                                tn_rows_deviation(c, r, 1, tn_compute_float(c, "epsilon", 1e-5)));
    r->n->value = scaled(c, away, 1, &at, 2, &at);
    return true;
}

bool tn_compute_instance_norm(tn_compute *c) {
    const tn_compute_value *x = tn_compute_operand(c, 0);
    tn_rows r;
    if (x->rank < 3 || !is_vector(c, 1, x->dims[1]) || !is_vector(c, 2, x->dims[1])) {
        return false;
    }
    tn_rows_of(c, &r, (1u << x->rank) - 4u);
    return norm_of_images(c, &r, 1, 1, 1);
}

/* Channels are gone through as groups and what is in one. Up to version 20 groups have a scale
 * each, since then channels. */
bool tn_compute_group_norm(tn_compute *c) {
    const tn_compute_value *x = tn_compute_operand(c, 0);
    int64_t groups = tn_compute_int(c, "num_groups", 0);
    bool old = c->version != 0 && c->version < 21;
    tn_rows r;
    if (x->rank < 3 || x->rank >= TN_NEST_AXES / 2 || groups <= 0 || x->dims[1] % groups != 0 ||
        tn_compute_int(c, "stash_type", 1) != 1 || !is_vector(c, 1, old ? groups : x->dims[1]) ||
        !is_vector(c, 2, old ? groups : x->dims[1])) {
        return false;
    }
    tn_rows_of(c, &r, 0);
    for (uint32_t i = r.rank++; i > 1; i--) {
        r.dims[i] = r.dims[i - 1];
        r.steps[i] = r.steps[i - 1];
    }
    int64_t channels = x->dims[1] / groups;
    r.dims[1] = groups;
    r.dims[2] = channels;
    r.steps[1] = channels * r.steps[2];
    r.within = (1u << r.rank) - 4u;
    return norm_of_images(c, &r, 1, old ? 1 : channels, old ? 1 : 2);
}

bool tn_compute_mean_variance_norm(tn_compute *c) {
    tn_rows r;
    uint32_t within;
    if (tn_compute_attr(c, "axes") == NULL || !tn_rows_axes(c, &within)) {
        return false;
    }
    tn_rows_of(c, &r, within);
    if (!tn_rows_begin(c, &r, 0, 2, true)) {
        return false;
    }
    put_moments(c, &r, true);
    tn_calc *deviation =
        tn_calc_two(c, TN_CALC_ADD, tn_rows_deviation(c, &r, 1, 0), tn_calc_number(c->arena, 1e-9));
    r.n->value = tn_calc_two(c, TN_CALC_DIV, centred_element(c, &r), deviation);
    return true;
}

/* ---- norms ---- */

/* What has no length stays as it is. */
bool tn_compute_lp_norm(tn_compute *c) {
    const tn_compute_value *x = tn_compute_operand(c, 0);
    int64_t p = tn_compute_int(c, "p", 2);
    uint32_t axis;
    tn_rows r;
    if ((p != 1 && p != 2) || !tn_compute_axis(tn_compute_int(c, "axis", -1), x->rank, &axis)) {
        return false;
    }
    tn_rows_of(c, &r, 1u << axis);
    if (!tn_rows_begin(c, &r, 0, 1, true)) {
        return false;
    }
    tn_nest_stage *s = tn_rows_stage(c, &r, TN_COMBINE_SUM, NULL);
    s->body = p == 1 ? tn_calc_one(c, TN_CALC_ABS, s->body)
                     : tn_calc_two(c, TN_CALC_MUL, s->body, s->body);
    tn_calc *length = tn_calc_local(c->arena, 0);
    length = p == 1 ? length : tn_calc_one(c, TN_CALC_SQRT, length);
    tn_calc *none =
        tn_calc_two(c, TN_CALC_EQUAL, tn_calc_local(c->arena, 0), tn_calc_number(c->arena, 0));
    r.n->value = tn_calc_two(
        c, TN_CALC_DIV, tn_rows_element(c, &r),
        tn_calc_make(c->arena, TN_CALC_SELECT, none, tn_calc_number(c->arena, 1), length));
    return true;
}

/* x / (bias + alpha / size * squares of `size` channels around it) ^ beta. */
bool tn_compute_lrn(tn_compute *c) {
    int64_t size = tn_compute_int(c, "size", 0);
    tn_nest *n = tn_compute_over(c, 0);
    if (n == NULL || n->n_outer < 3 || size <= 0) {
        return false;
    }
    tn_nest_stage *s = &n->stage[n->n_stages++];
    s->depth = s->first = n->n_outer;
    s->n = 1;
    tn_affine channel = {.base = -(size - 1) / 2}, at = n->store;
    uint32_t near = tn_nest_axis(n, size);
    channel.by[1] = channel.by[near] = 1;
    at.base = channel.base * n->store.by[1];
    at.by[near] = n->store.by[1];
    s->guards[s->n_guards++] = (tn_nest_guard){channel, n->extent[1]};
    tn_calc *x = tn_calc_load(c->arena, 0, &at);
    s->body = tn_calc_two(c, TN_CALC_MUL, x, x);
    double alpha = tn_compute_float(c, "alpha", 1e-4) / (double)size;
    tn_calc *sum =
        tn_calc_two(c, TN_CALC_MUL, tn_calc_number(c->arena, alpha), tn_calc_local(c->arena, 0));
    sum =
        tn_calc_two(c, TN_CALC_ADD, tn_calc_number(c->arena, tn_compute_float(c, "bias", 1)), sum);
    tn_calc *power = tn_calc_two(c, TN_CALC_POW, sum,
                                 tn_calc_number(c->arena, tn_compute_float(c, "beta", 0.75)));
    n->value = tn_calc_two(c, TN_CALC_DIV, tn_calc_load(c->arena, 0, &n->store), power);
    return true;
}
