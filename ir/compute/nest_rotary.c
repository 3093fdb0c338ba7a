/* RotaryEmbedding: pairs of features are turned by an angle of their position. */
#include "ir/compute/nest_rules.h"

typedef struct rotary {
    uint32_t positions, cosines, sines; /* operands */
    int64_t batch, length, heads, features, turned;
    bool heads_first, interleaved;
} rotary;

/* Entries, places, heads, and `n` features from `from` on, `step` apart. */
static tn_nest *nest_of(tn_compute *c, const rotary *r, int64_t from, int64_t n, int64_t step) {
    tn_nest *nest = tn_compute_nest(c, 0);
    int64_t place = r->heads_first ? r->features : r->heads * r->features;
    int64_t head = r->heads_first ? r->length * r->features : r->features;
    const int64_t extent[] = {r->batch, r->length, r->heads, n};
    const int64_t steps[] = {r->length * r->heads * r->features, place, head, step};
    for (uint32_t i = 0; i < 4; i++) {
        nest->store.by[tn_nest_axis(nest, extent[i])] = steps[i];
    }
    nest->store.base = from;
    nest->n_outer = 4;
    return nest;
}

/* Where the angles of a place are, as a stage if positions are given: a row of so many. A position
 * below 0 is none. */
static bool put_angles(tn_compute *c, const rotary *r, tn_nest *n, tn_affine *at) {
    const tn_compute_value *ids = tn_compute_operand(c, r->positions),
                           *cosines = tn_compute_operand(c, r->cosines);
    int64_t half = r->turned / 2, rows = 1;
    *at = (tn_affine){0};
    at->by[3] = 1;
    for (uint32_t i = 0; i + 1 < cosines->rank; i++) {
        rows *= cosines->dims[i];
    }
    if (cosines->dims[cosines->rank - 1] != half) {
        return false;
    }
    if (ids == NULL) {
        at->by[0] = r->length * half;
        at->by[1] = half;
        return rows == r->batch * r->length;
    }
    tn_affine id = {0}, place = {0};
    bool first = ids->rank <= 1; /* the others follow */
    id.by[0] = first ? 0 : r->length;
    id.by[1] = first ? 0 : 1;
    place.by[1] = 1;
    if (first ? ids->rank == 1 && ids->dims[0] != 1
              : ids->rank != 2 || ids->dims[0] != r->batch || ids->dims[1] != r->length) {
        return false;
    }
    tn_calc *row =
        tn_calc_convert(c->arena, tn_calc_load(c->arena, r->positions, &id), TN_DT_INT64);
    if (first) {
        row = tn_calc_make(c->arena, TN_CALC_ADD, row, tn_calc_place(c->arena, &place), NULL);
    }
    tn_nest_put_place(n, 2, tn_calc_index_up(c->arena, row, rows, half));
    return true;
}

/* u * cosine -+ v * sine, where one is at `at` and the other at `other`. */
static tn_calc *turned(tn_compute *c, const rotary *r, const tn_nest *n, const tn_affine *at,
                       const tn_affine *other, const tn_affine *angle, tn_calc_op op) {
    tn_calc *cosine = tn_calc_load(c->arena, r->cosines, angle);
    tn_calc *sine = tn_calc_load(c->arena, r->sines, angle);
    cosine->arg[0] = n->n_stages > 0 ? tn_calc_local(c->arena, 0) : NULL;
    sine->arg[0] = n->n_stages > 0 ? tn_calc_local(c->arena, 0) : NULL;
    tn_calc *own = tn_calc_make(c->arena, TN_CALC_MUL, tn_calc_load(c->arena, 0, at), cosine, NULL);
    tn_calc *from_other =
        tn_calc_make(c->arena, TN_CALC_MUL, tn_calc_load(c->arena, 0, other), sine, NULL);
    return tn_calc_make(c->arena, op, own, from_other, NULL);
}

static bool turn_pairs(tn_compute *c, const rotary *r) {
    int64_t half = r->turned / 2;
    tn_affine angle;
    tn_nest *n = nest_of(c, r, 0, half, r->interleaved ? 2 : 1);
    if (!put_angles(c, r, n, &angle)) {
        return false;
    }
    n->store_too = n->store;
    n->store_too.base += r->interleaved ? 1 : half;
    n->value = turned(c, r, n, &n->store, &n->store_too, &angle, TN_CALC_SUB);
    n->value_too = turned(c, r, n, &n->store_too, &n->store, &angle, TN_CALC_ADD);
    return true;
}

/* Heads are an axis of four, in front of places, or the parts of the last of three. */
static bool rotate(tn_compute *c, rotary *r) {
    const tn_compute_value *x = tn_compute_operand(c, 0),
                           *cosines = tn_compute_operand(c, r->cosines),
                           *sines = tn_compute_operand(c, r->sines);
    int64_t heads = tn_compute_int(c, "num_heads", 0);
    r->interleaved = tn_compute_int(c, "interleaved", 0) != 0;
    r->turned = tn_compute_int(c, "rotary_embedding_dim", 0);
    if ((x->rank != 3 && x->rank != 4) || cosines == NULL || sines == NULL || cosines->rank < 2 ||
        sines->rank != cosines->rank) {
        return false;
    }
    r->heads_first = x->rank == 4;
    r->batch = x->dims[0];
    r->length = x->dims[x->rank - 2];
    int64_t width = 2 * cosines->dims[cosines->rank - 1];
    if (!r->heads_first && heads == 0) {
        heads = r->turned == 0 ? x->dims[2] / width : 0;
    }
    r->heads = r->heads_first ? x->dims[1] : heads;
    if (r->heads <= 0 || (!r->heads_first && x->dims[2] % r->heads != 0)) {
        return false;
    }
    r->features = r->heads_first ? x->dims[3] : x->dims[2] / r->heads;
    r->turned = r->turned > 0 ? r->turned : r->features;
    for (uint32_t i = 0; i < cosines->rank; i++) {
        if (cosines->dims[i] != sines->dims[i]) {
            return false;
        }
    }
    if (r->turned > r->features || r->turned % 2 != 0 || !turn_pairs(c, r)) {
        return false;
    }
    if (r->turned < r->features) {
        tn_nest *n = nest_of(c, r, r->turned, r->features - r->turned, 1);
        n->value = tn_calc_load(c->arena, 0, &n->store);
    }
    return true;
}

bool tn_compute_rotary(tn_compute *c) {
    rotary r = {.positions = 3, .cosines = 1, .sines = 2};
    return rotate(c, &r);
}

bool tn_compute_ms_rotary(tn_compute *c) {
    rotary r = {.positions = 1, .cosines = 2, .sines = 3};
    return tn_compute_float(c, "scale", 1) == 1 &&
           tn_compute_int(c, "is_packed_batching", 0) == 0 && tn_compute_operand(c, 1) != NULL &&
           rotate(c, &r);
}
