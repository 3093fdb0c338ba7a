/* What is chosen by its elements: NonZero, Compress, Unique. How many there are only a run knows,
 * so the kernels say it (`found` of the context) and write them one behind the other. */
#include "kernels.h"

static int is_zero(const tenure_tensor *x, size_t i) {
    return x->dtype == TENURE_DTYPE_F32 ? IN(x, float)[i] == 0 : whole_at(x, i) == 0;
}

static int non_zero(const tenure_tensor *x, const tenure_tensor *y, const tenure_context *c) {
    size_t n = 0, at = 0, inside = 1;
    int bad;
    if (x->dtype != TENURE_DTYPE_F32 && !is_whole(x)) {
        return BAD_TYPE(KNOWS_NUMBERS, x);
    }
    for (size_t i = 0; i < x->elements; i++) {
        n += !is_zero(x, i);
    }
    bad = found_extent(c, 0, y, 1, n);
    if (bad) {
        return bad;
    }
    /* A scalar counts as a vector of one element. Of each axis the indices stand side by side. */
    for (size_t axis = y->dims[0] > 0 ? (size_t)y->dims[0] : 0; axis-- > 0;) {
        size_t extent = axis < x->rank ? (size_t)x->dims[axis] : 1;
        at = axis * n;
        for (size_t i = 0; i < x->elements; i++) {
            if (!is_zero(x, i)) {
                put_whole(y, at++, (int64_t)(i / inside % extent));
            }
        }
        inside *= extent;
    }
    return 0;
}

int tenure_NonZero_9(const tenure_tensor *x, const tenure_tensor *y, const tenure_context *c) {
    return non_zero(x, y, c);
}

int tenure_NonZero_13(const tenure_tensor *x, const tenure_tensor *y, const tenure_context *c) {
    return non_zero(x, y, c);
}

/* Along `axis`, or of all elements in a row. */
static int compress(const tenure_tensor *x, const tenure_tensor *condition, int along, int64_t axis,
                    const tenure_tensor *y, const tenure_context *c) {
    size_t k = along ? axis_of(axis, x->rank) : 0, n = 0, to = 0, width = element_width(x);
    split s = {1, x->elements, 1};
    int bad;
    if (along) {
        s = split_at(x, k);
    }
    size_t length = condition->elements < s.extent ? condition->elements : s.extent;
    if (width == 0) {
        return BAD_TYPE(KNOWS_BYTES, x);
    }
    for (size_t i = 0; i < length; i++) {
        n += whole_at(condition, i) != 0;
    }
    bad = found_extent(c, 0, y, k, n);
    if (bad) {
        return bad;
    }
    for (size_t i = 0; i < s.before; i++) {
        for (size_t e = 0; e < length; e++) {
            if (whole_at(condition, e) != 0) {
                move_bytes(OUT(y, unsigned char) + to * s.behind * width,
                           IN(x, unsigned char) + (i * s.extent + e) * s.behind * width,
                           s.behind * width);
                to++;
            }
        }
    }
    return 0;
}

#define COMPRESS(version)                                                                          \
    int tenure_Compress_##version(const tenure_Compress_##version##_attributes *attributes,        \
                                  const tenure_tensor *x, const tenure_tensor *condition,          \
                                  const tenure_tensor *y, const tenure_context *c) {               \
        return compress(x, condition, attributes->has_axis, attributes->axis, y, c);               \
    }
COMPRESS(9)
COMPRESS(11)
COMPRESS(28)

/* ---- Unique: the first of each kind, in the order of the operand or of numbers ---- */

static int is_same(const tenure_tensor *x, size_t a, size_t b) {
    return x->dtype == TENURE_DTYPE_F32 ? IN(x, float)[a] == IN(x, float)[b]
                                        : whole_at(x, a) == whole_at(x, b);
}

static int is_less(const tenure_tensor *x, size_t a, size_t b) {
    return x->dtype == TENURE_DTYPE_F32 ? IN(x, float)[a] < IN(x, float)[b]
                                        : whole_at(x, a) < whole_at(x, b);
}

static size_t first_like(const tenure_tensor *x, size_t i) {
    size_t first = 0;
    while (!is_same(x, first, i)) {
        first++;
    }
    return first;
}

/* How many kinds come before that of element `i`, which is the first of its kind. */
static size_t place_of(const tenure_tensor *x, size_t i, int sorted) {
    size_t n = 0;
    for (size_t k = 0; k < x->elements; k++) {
        n += first_like(x, k) == k && (sorted ? is_less(x, k, i) : k < i);
    }
    return n;
}

static int unique(const tenure_tensor *x, int sorted, const tenure_tensor *y,
                  const tenure_tensor *indices, const tenure_tensor *inverse,
                  const tenure_tensor *counts, const tenure_context *c) {
    size_t n = 0, width = element_width(x);
    for (size_t i = 0; i < x->elements; i++) {
        if (!is_same(x, i, i)) {
            return KERNEL_BAD_VALUE; /* NaN */
        }
        n += first_like(x, i) == i;
    }
    int bad = found_extent(c, 0, y, 0, n);
    for (size_t i = 0; i < n && !bad && counts != NULL; i++) {
        put_whole(counts, i, 0);
    }
    for (size_t i = 0; i < x->elements && !bad; i++) {
        size_t first = first_like(x, i), to = place_of(x, first, sorted);
        if (first == i) {
            move_bytes(OUT(y, unsigned char) + to * width, IN(x, unsigned char) + i * width, width);
        }
        if (first == i && indices != NULL) {
            put_whole(indices, to, (int64_t)i);
        }
        if (inverse != NULL) {
            put_whole(inverse, i, (int64_t)to);
        }
        if (counts != NULL) {
            put_whole(counts, to, whole_at(counts, to) + 1);
        }
    }
    return bad;
}

#define UNIQUE(version)                                                                            \
    int tenure_Unique_##version(const tenure_Unique_##version##_attributes *attributes,            \
                                const tenure_tensor *x, const tenure_tensor *y,                    \
                                const tenure_tensor *indices, const tenure_tensor *inverse,        \
                                const tenure_tensor *counts, const tenure_context *c) {            \
        if (attributes->has_axis || (x->dtype != TENURE_DTYPE_F32 && !is_whole(x))) {              \
            return BAD_TYPE(KNOWS_NUMBERS, x);                                                     \
        }                                                                                          \
        return unique(x, attributes->sorted != 0, y, indices, inverse, counts, c);                 \
    }
UNIQUE(11)
UNIQUE(28)
