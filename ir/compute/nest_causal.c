/* CausalConvWithState: channels by themselves, each place made of those before it; in front of the
 * first are those that were carried along, or zeros. */
#include <string.h>

#include "ir/compute/nest_rules.h"

enum { INPUT, WEIGHT, BIAS, PAST };

typedef struct causal {
    int64_t batch, channels, length, taps;
    bool past;
} causal;

static bool causal_of(const tn_compute *c, causal *k) {
    const tn_compute_value *x = tn_compute_operand(c, INPUT), *w = tn_compute_operand(c, WEIGHT);
    const tn_compute_value *bias = tn_compute_operand(c, BIAS), *past = tn_compute_operand(c, PAST);
    if (x->rank != 3 || w->rank != 3 || w->dims[0] != x->dims[1] || w->dims[1] != 1 ||
        (bias != NULL && (bias->rank != 1 || bias->dims[0] != x->dims[1]))) {
        return false;
    }
    *k = (causal){x->dims[0], x->dims[1], x->dims[2], w->dims[2], past != NULL};
    return past == NULL || (past->rank == 3 && past->dims[0] == k->batch &&
                            past->dims[1] == k->channels && past->dims[2] == k->taps - 1);
}

/* Entries, channels, and places [from, end) of the result, which has `extent` of them. */
static tn_nest *nest_of(tn_compute *c, const causal *k, uint32_t result, int64_t extent,
                        int64_t from, int64_t end) {
    tn_nest *n = tn_compute_nest(c, result);
    n->store.by[tn_nest_axis(n, k->batch)] = k->channels * extent;
    n->store.by[tn_nest_axis(n, k->channels)] = extent;
    n->store.by[tn_nest_axis(n, end - from)] = 1;
    n->store.base = from;
    n->n_outer = n->n_axes;
    return n;
}

/* Where element `first` of an operand with `extent` places lies for the first place of a nest. */
static tn_affine along(const causal *k, int64_t extent, int64_t first) {
    tn_affine at = {.base = first};
    at.by[0] = k->channels * extent;
    at.by[1] = extent;
    at.by[2] = 1;
    return at;
}

/* Adds what taps on an operand give, whose element `first` is beneath tap 0 at the first place. */
static void put_taps(tn_compute *c, const causal *k, tn_nest *n, uint32_t operand, int64_t extent,
                     int64_t first) {
    tn_nest_stage *s = &n->stage[n->n_stages++];
    s->depth = n->n_outer;
    s->first = n->n_axes;
    s->n = 1;
    uint32_t tap = tn_nest_axis(n, k->taps);
    tn_affine in = along(k, extent, first), weight = {0}, inside = {.base = first};
    in.by[tap] = weight.by[tap] = inside.by[tap] = inside.by[2] = 1;
    weight.by[1] = k->taps;
    int64_t least, most;
    tn_affine_range(n, &inside, 0, n->n_axes, &least, &most);
    if (least < 0 || most >= extent) {
        s->guards[s->n_guards++] = (tn_nest_guard){inside, extent};
    }
    s->body = tn_calc_two(c, TN_CALC_MUL, tn_calc_load(c->arena, operand, &in),
                          tn_calc_load(c->arena, WEIGHT, &weight));
}

/* Places [from, end), with what was carried along where these reach as far. */
static bool put_places(tn_compute *c, const causal *k, int64_t from, int64_t end, bool past) {
    const char *activation = tn_compute_text(c, "activation");
    tn_nest *n = nest_of(c, k, 0, k->length, from, end);
    tn_affine channel = {0};
    channel.by[1] = 1;
    if (past) {
        put_taps(c, k, n, PAST, k->taps - 1, from);
    }
    put_taps(c, k, n, INPUT, k->length, from - (k->taps - 1));
    if (tn_compute_operand(c, BIAS) != NULL) {
        n->stage[0].start = tn_calc_load(c->arena, BIAS, &channel);
    }
    if (past) {
        n->stage[1].start = tn_calc_local(c->arena, 0);
    }
    n->value = tn_calc_local(c->arena, past);
    if (strcmp(activation, "silu") == 0 || strcmp(activation, "swish") == 0) {
        tn_calc *power = tn_calc_one(c, TN_CALC_EXP, tn_calc_one(c, TN_CALC_NEG, n->value));
        n->value = tn_calc_two(c, TN_CALC_DIV, tn_calc_copy(c->arena, n->value),
                               tn_calc_two(c, TN_CALC_ADD, tn_calc_number(c->arena, 1), power));
        return true;
    }
    return activation[0] == '\0' || strcmp(activation, "none") == 0;
}

/* The last places but one tap, of the operand behind what was carried along. */
static void put_state(tn_compute *c, const causal *k) {
    int64_t extent = k->taps - 1, old = extent > k->length ? extent - k->length : 0;
    if (old > 0) {
        tn_nest *n = nest_of(c, k, 1, extent, 0, old);
        tn_affine at = along(k, extent, k->length);
        n->value = k->past ? tn_calc_load(c->arena, PAST, &at) : tn_calc_number(c->arena, 0);
    }
    tn_nest *n = nest_of(c, k, 1, extent, old, extent);
    tn_affine at = along(k, k->length, k->length - extent + old);
    n->value = tn_calc_load(c->arena, INPUT, &at);
}

bool tn_compute_causal_conv(tn_compute *c) {
    causal k;
    if (!causal_of(c, &k)) {
        return false;
    }
    if (c->n_results > 1 && c->results[1].there) {
        put_state(c, &k);
    }
    int64_t reach = k.taps - 1 < k.length ? k.taps - 1 : k.length;
    bool all = reach == 0 || put_places(c, &k, 0, reach, k.past);
    return all && (reach == k.length || put_places(c, &k, reach, k.length, false));
}

/* That of com.microsoft has the same with one axis of places, channels in front of them. */
bool tn_compute_ms_causal_conv(tn_compute *c) {
    return tn_compute_int(c, "ndim", 1) == 1 && tn_compute_int(c, "channels_last", 0) == 0 &&
           tn_compute_int(c, "dilation", 1) == 1 && tn_compute_int(c, "state_window", 0) == 0 &&
           tn_compute_causal_conv(c);
}
