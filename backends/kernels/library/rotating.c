/* RotaryEmbedding: pairs of features turned by an angle of their position. ReverseSequence. */
#include "kernels.h"

typedef struct rotary {
    const tenure_tensor *x, *cosines, *sines, *positions, *y;
    size_t batches, length, heads, features,
        rotated; /* of each head, the first `rotated` features */
    int heads_first, interleaved;
} rotary;

/* Where the features of a head begin. */
static size_t head_at(const rotary *r, size_t batch, size_t at, size_t head) {
    size_t row = r->heads_first ? (batch * r->heads + head) * r->length + at
                                : (batch * r->length + at) * r->heads + head;
    return row * r->features;
}

static void turn(const rotary *r, size_t first, size_t angles) {
    const float *x = IN(r->x, float) + first;
    float *y = OUT(r->y, float) + first;
    size_t half = r->rotated / 2;
    for (size_t k = 0; k < half; k++) {
        size_t a = r->interleaved ? 2 * k : k, b = r->interleaved ? a + 1 : k + half;
        float u = x[a], v = x[b], cosine = IN(r->cosines, float)[angles + k],
              sine = IN(r->sines, float)[angles + k];
        y[a] = u * cosine - v * sine;
        y[b] = u * sine + v * cosine;
    }
    for (size_t k = r->rotated; k < r->features; k++) {
        y[k] = x[k];
    }
}

static int turn_all(const rotary *r) {
    size_t half = r->rotated / 2;
    for (size_t i = 0; i < r->batches * r->length; i++) {
        int64_t row = r->positions != NULL ? whole_at(r->positions, i) : (int64_t)i;
        if (row < 0 || ((size_t)row + 1) * half > r->cosines->elements) {
            return KERNEL_BAD_VALUE;
        }
        for (size_t head = 0; head < r->heads; head++) {
            turn(r, head_at(r, i / r->length, i % r->length, head), (size_t)row * half);
        }
    }
    return 0;
}

int tenure_RotaryEmbedding_23(const tenure_RotaryEmbedding_23_attributes *attributes,
                              const tenure_tensor *x, const tenure_tensor *cosines,
                              const tenure_tensor *sines, const tenure_tensor *positions,
                              const tenure_tensor *y, const tenure_context *c) {
    rotary r = {
        x, cosines, sines, positions, y, 0, 0, 0, 0, 0, x->rank == 4, attributes->interleaved != 0};
    (void)c;
    if (x->dtype != TENURE_DTYPE_F32 || cosines->dtype != TENURE_DTYPE_F32 ||
        sines->dtype != TENURE_DTYPE_F32) {
        return BAD_TYPE3(KNOWS_F32, x, cosines, sines);
    }
    if (x->rank != 4 &&
        (x->rank != 3 || !attributes->has_num_heads || attributes->num_heads <= 0)) {
        return KERNEL_BAD_SHAPE;
    }
    r.batches = (size_t)x->dims[0];
    r.heads = x->rank == 4 ? (size_t)x->dims[1] : (size_t)attributes->num_heads;
    r.length = (size_t)x->dims[x->rank - 2];
    r.features = x->rank == 4 ? (size_t)x->dims[3] : (size_t)x->dims[2] / r.heads;
    r.rotated = attributes->rotary_embedding_dim > 0 ? (size_t)attributes->rotary_embedding_dim
                                                     : r.features;
    return turn_all(&r);
}

/* ---- ReverseSequence ---- */

static int reverse(const tenure_tensor *x, const tenure_tensor *lengths, size_t batch_axis,
                   size_t time_axis, const tenure_tensor *y) {
    split batches = split_at(x, batch_axis), times = split_at(x, time_axis);
    size_t width = element_width(x);
    if (width == 0) {
        return BAD_TYPE(KNOWS_BYTES, x);
    }
    for (size_t i = 0; i < y->elements; i++) {
        size_t entry = i / batches.behind % batches.extent, at = i / times.behind % times.extent;
        size_t length = (size_t)whole_at(lengths, entry);
        if (length > times.extent) {
            return KERNEL_BAD_VALUE;
        }
        size_t from = at < length ? i - at * times.behind + (length - 1 - at) * times.behind : i;
        move_bytes(OUT(y, unsigned char) + i * width, IN(x, unsigned char) + from * width, width);
    }
    return 0;
}

#define REVERSE(version)                                                                           \
    int tenure_ReverseSequence_##version(                                                          \
        const tenure_ReverseSequence_##version##_attributes *attributes, const tenure_tensor *x,   \
        const tenure_tensor *lengths, const tenure_tensor *y, const tenure_context *c) {           \
        (void)c;                                                                                   \
        return reverse(x, lengths, axis_of(attributes->batch_axis, x->rank),                       \
                       axis_of(attributes->time_axis, x->rank), y);                                \
    }
REVERSE(10)
REVERSE(28)
