/* RotaryEmbedding of ai.onnx and of com.microsoft: pairs of features, rotated by an angle whose
 * cosine and sine stand in caches. */
#include "ir/gradient/expand.h"

typedef struct rotary {
    tn_grad *g;
    tn_emitter *e;
    tn_value *x;         /* [batch,length,heads,size] */
    tn_value *cos, *sin; /* [batch or 1,length,1,pairs] */
    int64_t size;        /* features of a head that are rotated */
} rotary;

static const int64_t to_rows[] = {0, 2, 1, 3};

/* [batch,heads,length,size], or [batch,length,heads size]. */
static void read_x(rotary *r, tn_value *x, int64_t pairs) {
    tn_emitter *e = r->e;
    const int64_t *dims = tn_emit_extents(e, x);
    int64_t heads = tn_grad_int(r->g, "num_heads", 0);
    if (tn_emit_rank(e, x) == 4) {
        r->x = tn_emit_transpose(e, x, to_rows, 4);
    } else if (tn_emit_rank(e, x) == 3 && (heads > 0 || pairs > 0)) {
        heads = heads > 0 ? heads : dims[2] / (2 * pairs);
        int64_t split[] = {dims[0], dims[1], heads, dims[2] / heads};
        r->x = tn_emit_reshape(e, x, split, 4);
    } else {
        tn_grad_fail(r->g, "'%s' has neither three axes nor four", x->name);
    }
    int64_t part = tn_grad_int(r->g, "rotary_embedding_dim", 0);
    r->size = part > 0 ? part : tn_emit_extents(e, r->x)[3];
}

static tn_value *at_places(const rotary *r, tn_value *cache, tn_value *places) {
    tn_emitter *e = r->e;
    tn_attr axis = tn_attr_of_int("axis", 0);
    tn_value *rows =
        places != NULL ? tn_emit(e, "Gather", (tn_value *[]){cache, places}, 2, &axis, 1) : cache;
    if (tn_emit_rank(e, rows) == 2) { /* the same for the whole batch */
        rows = tn_emit_unsqueeze(e, rows, (int64_t[]){0}, 1);
    }
    return tn_emit_unsqueeze(e, rows, (int64_t[]){2}, 1);
}

/* Feature 0 or 1 of all pairs: [batch,length,heads,pairs]. */
static tn_value *features(const rotary *r, tn_value *x, int64_t which, bool interleaved) {
    tn_emitter *e = r->e;
    int64_t half = r->size / 2;
    if (!interleaved) {
        return tn_emit_slice(e, x, 3, which * half, (which + 1) * half);
    }
    const int64_t *dims = tn_emit_extents(e, x);
    int64_t split[] = {dims[0], dims[1], dims[2], half, 2};
    tn_value *one = tn_emit_slice(e, tn_emit_reshape(e, x, split, 5), 4, which, which + 1);
    return tn_emit_squeeze(e, one, (int64_t[]){4}, 1);
}

static tn_value *joined(const rotary *r, tn_value *a, tn_value *b, tn_value *like,
                        bool interleaved) {
    tn_emitter *e = r->e;
    if (!interleaved) {
        return tn_emit_concat(e, (tn_value *[]){a, b}, 2, 3);
    }
    tn_value *first = tn_emit_unsqueeze(e, a, (int64_t[]){4}, 1);
    tn_value *pairs[] = {first, tn_emit_unsqueeze(e, b, (int64_t[]){4}, 1)};
    return tn_emit_reshape_like(e, tn_emit_concat(e, pairs, 2, 4), like);
}

static tn_value *rotated(const rotary *r, bool interleaved) {
    tn_emitter *e = r->e;
    int64_t all = tn_emit_extents(e, r->x)[3];
    tn_value *x = r->size < all ? tn_emit_slice(e, r->x, 3, 0, r->size) : r->x;
    tn_value *a = features(r, x, 0, interleaved), *b = features(r, x, 1, interleaved);
    tn_value *cos_a = tn_emit_2(e, "Mul", r->cos, a), *sin_b = tn_emit_2(e, "Mul", r->sin, b);
    tn_value *sin_a = tn_emit_2(e, "Mul", r->sin, a), *cos_b = tn_emit_2(e, "Mul", r->cos, b);
    tn_value *first = tn_emit_2(e, "Sub", cos_a, sin_b),
             *second = tn_emit_2(e, "Add", sin_a, cos_b);
    tn_value *y = joined(r, first, second, x, interleaved);
    if (r->size == all) {
        return y;
    }
    tn_value *rest = tn_emit_slice(e, r->x, 3, r->size, all);
    return tn_emit_concat(e, (tn_value *[]){y, rest}, 2, 3);
}

static void finish(rotary *r, tn_value *x, tn_value **made) {
    tn_value *y = rotated(r, tn_grad_int(r->g, "interleaved", 0) != 0);
    made[0] = tn_emit_rank(r->e, x) == 4 ? tn_emit_transpose(r->e, y, to_rows, 4)
                                         : tn_emit_reshape_like(r->e, y, x);
}

void tn_expand_rotary(tn_grad *g, tn_value **made) {
    enum { X, COS, SIN, PLACES };
    rotary r = {.g = g, .e = g->e};
    tn_value *x = tn_operand(g->op, X), *places = tn_operand(g->op, PLACES);
    read_x(&r, x, 0);
    r.cos = at_places(&r, tn_operand(g->op, COS), places);
    r.sin = at_places(&r, tn_operand(g->op, SIN), places);
    finish(&r, x, made);
}

void tn_expand_ms_rotary(tn_grad *g, tn_value **made) {
    enum { X, PLACES, COS, SIN };
    rotary r = {.g = g, .e = g->e};
    tn_value *x = tn_operand(g->op, X), *places = tn_operand(g->op, PLACES);
    if (tn_grad_int(g, "is_packed_batching", 0) != 0 || tn_grad_float(g, "scale", 1) != 1) {
        tn_grad_fail(g, "attributes is_packed_batching and scale cannot be expanded");
    }
    read_x(&r, x, tn_emit_extents(g->e, tn_operand(g->op, COS))[1]);
    if (tn_emit_rank(g->e, places) == 1) { /* the place of the first */
        int64_t n = tn_emit_extents(g->e, r.x)[1];
        int64_t *offsets = TN_ARRAY(g->e->scratch, int64_t, (size_t)n + 1u);
        for (int64_t i = 0; i < n; i++) {
            offsets[i] = i;
        }
        places = tn_emit_2(g->e, "Add", places, tn_emit_ints(g->e, offsets, (uint32_t)n));
    }
    r.cos = at_places(&r, tn_operand(g->op, COS), places);
    r.sin = at_places(&r, tn_operand(g->op, SIN), places);
    finish(&r, x, made);
}
