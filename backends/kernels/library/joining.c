/* Concat and Split. Pieces may already lie where they belong. */
#include "kernels.h"

/* Bytes of all that lies behind one index of the axis: 0 where elements are packed. */
static size_t row_bytes(const tenure_tensor *t, size_t axis) {
    return split_at(t, axis).behind * element_width(t);
}

/* Element after element, in the order in which the result lies. */
static int concat_elements(const tenure_tensor *const *in, uint32_t n, size_t axis,
                           const tenure_tensor *y) {
    split s = split_at(y, axis);
    size_t width = element_width(y);
    for (size_t i = 0; i < y->elements; i++) {
        size_t e = element_at(y, i), at = e / s.behind % s.extent, before = e / s.behind / s.extent;
        uint32_t k = 0;
        while (k < n && at >= split_at(in[k], axis).extent) {
            at -= split_at(in[k++], axis).extent;
        }
        if (k == n || width == 0) {
            return k == n ? KERNEL_BAD_SHAPE : BAD_TYPE(KNOWS_BYTES, y);
        }
        size_t from = (before * split_at(in[k], axis).extent + at) * s.behind + e % s.behind;
        move_bytes(OUT(y, unsigned char) + i * width,
                   IN(in[k], unsigned char) + lies_at(in[k], from) * width, width);
    }
    return 0;
}

static int any_last(const tenure_tensor *const *in, uint32_t n, const tenure_tensor *y) {
    int any = y->channels_last;
    for (uint32_t i = 0; i < n; i++) {
        any |= in[i]->channels_last;
    }
    return any;
}

static int concat(const tenure_tensor *const *in, uint32_t n, int64_t axis,
                  const tenure_tensor *y) {
    size_t at = 0, k = axis_of(axis, y->rank);
    size_t before = split_at(y, k).before, whole = split_at(y, k).extent * row_bytes(y, k);
    if (any_last(in, n, y)) {
        return concat_elements(in, n, k, y);
    }
    if (y->elements > 0 && whole == 0) {
        return BAD_TYPE(KNOWS_BYTES, y);
    }
    for (uint32_t i = 0; i < n; i++) {
        size_t piece = split_at(in[i], k).extent * row_bytes(y, k);
        if (at + piece > whole || in[i]->bytes != piece * before) {
            return KERNEL_BAD_SHAPE;
        }
        at += piece;
    }
    unsigned char *to = OUT(y, unsigned char);
    for (size_t b = 0; b < before && at == whole; b++) { /* in the order in which y lies */
        for (uint32_t i = 0; i < n; i++) {
            size_t piece = split_at(in[i], k).extent * row_bytes(y, k);
            move_bytes(to, IN(in[i], unsigned char) + b * piece, piece);
            to += piece;
        }
    }
    return at == whole ? 0 : KERNEL_BAD_SHAPE;
}

#define CONCAT(version)                                                                            \
    int tenure_Concat_##version(const tenure_Concat_##version##_attributes *attributes,            \
                                const tenure_tensor *const *in, uint32_t n,                        \
                                const tenure_tensor *y, const tenure_context *c) {                 \
        (void)c;                                                                                   \
        return concat(in, n, attributes->axis, y);                                                 \
    }
CONCAT(4)
CONCAT(11)
CONCAT(13)

int tenure_Concat_1(const tenure_Concat_1_attributes *attributes, const tenure_tensor *const *in,
                    uint32_t n, const tenure_tensor *y, const tenure_context *c) {
    (void)c;
    return concat(in, n, attributes->has_axis ? attributes->axis : 1, y);
}

/* Each piece in the order in which it lies. */
static int split_laid(const tenure_tensor *x, size_t axis, const tenure_tensor *const *out,
                      uint32_t n) {
    size_t at = 0;
    for (uint32_t i = 0; i < n; i++) {
        walk w;
        if (out[i] == NULL || out[i]->rank != x->rank || walk_broadcast(x, x, &w) != 0) {
            return out[i] == NULL ? KERNEL_BAD_VALUE : KERNEL_BAD_SHAPE;
        }
        size_t piece = (size_t)out[i]->dims[axis];
        w.dims[axis] = piece;
        int bad = at + piece > (size_t)x->dims[axis] ? KERNEL_BAD_SHAPE
                                                     : copy_walk(x, out[i], w, at * w.steps[axis]);
        if (bad) {
            return bad;
        }
        at += piece;
    }
    return 0;
}

static int any_result_last(const tenure_tensor *const *out, uint32_t n) {
    int any = 0;
    for (uint32_t i = 0; i < n; i++) {
        any |= out[i] != NULL && out[i]->channels_last;
    }
    return any;
}

/* Results have their extents already: the sizes of the pieces are not asked for. */
static int split_along(const tenure_tensor *x, int64_t axis, const tenure_tensor *const *out,
                       uint32_t n) {
    size_t at = 0, k = axis_of(axis, x->rank);
    size_t before = split_at(x, k).before, whole = split_at(x, k).extent * row_bytes(x, k);
    if (x->channels_last || any_result_last(out, n)) {
        return split_laid(x, k, out, n);
    }
    if (x->elements > 0 && whole == 0) {
        return BAD_TYPE(KNOWS_BYTES, x);
    }
    for (uint32_t i = 0; i < n; i++) {
        if (out[i] == NULL) {
            return KERNEL_BAD_VALUE;
        }
        size_t piece = split_at(out[i], k).extent * row_bytes(x, k);
        if (at + piece > whole || out[i]->bytes != piece * before) {
            return KERNEL_BAD_SHAPE;
        }
        for (size_t b = 0; b < before; b++) {
            move_bytes(OUT(out[i], unsigned char) + b * piece,
                       IN(x, unsigned char) + b * whole + at, piece);
        }
        at += piece;
    }
    return 0;
}

#define SPLIT(version)                                                                             \
    int tenure_Split_##version(const tenure_Split_##version##_attributes *attributes,              \
                               const tenure_tensor *x, const tenure_tensor *const *out,            \
                               uint32_t n, const tenure_context *c) {                              \
        (void)c;                                                                                   \
        return split_along(x, attributes->axis, out, n);                                           \
    }
#define SPLIT_BY(version)                                                                          \
    int tenure_Split_##version(const tenure_Split_##version##_attributes *attributes,              \
                               const tenure_tensor *x, const tenure_tensor *extents,               \
                               const tenure_tensor *const *out, uint32_t n,                        \
                               const tenure_context *c) {                                          \
        (void)extents;                                                                             \
        (void)c;                                                                                   \
        return split_along(x, attributes->axis, out, n);                                           \
    }
SPLIT_BY(1)
SPLIT(2)
SPLIT(11)
SPLIT_BY(13)
SPLIT_BY(18)
