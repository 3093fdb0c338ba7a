/* Pad. The elements of the operand may already lie where they belong: only others are written then.
 */
#include "kernels.h"

typedef enum pad_mode { PAD_CONSTANT, PAD_REFLECT, PAD_EDGE, PAD_WRAP } pad_mode;

static pad_mode mode_of(const char *mode) {
    return strcmp(mode, "reflect") == 0 ? PAD_REFLECT
           : strcmp(mode, "edge") == 0  ? PAD_EDGE
           : strcmp(mode, "wrap") == 0  ? PAD_WRAP
                                        : PAD_CONSTANT;
}

/* Which index of an axis of `extent` elements stands at `at`, which may be outside; -1: none. */
static int64_t source_of(int64_t at, int64_t extent, pad_mode mode) {
    if ((at >= 0 && at < extent) || extent == 0) {
        return extent == 0 ? -1 : at;
    }
    switch (mode) {
    case PAD_REFLECT: {
        int64_t period = extent > 1 ? 2 * (extent - 1) : 1;
        int64_t in = (at % period + period) % period;
        return in < extent ? in : period - in;
    }
    case PAD_EDGE:
        return at < 0 ? 0 : extent - 1;
    case PAD_WRAP:
        return (at % extent + extent) % extent;
    default:
        return -1;
    }
}

/* The element of x that stands at element `i` of y, when x begins at begins[]; -1: none. */
static int64_t padded_from(const tenure_tensor *x, const tenure_tensor *y, const int64_t *begins,
                           pad_mode mode, size_t i) {
    int64_t from = 0, step = 1;
    for (size_t k = y->rank; k-- > 0;) {
        size_t extent = (size_t)y->dims[k];
        int64_t at = source_of((int64_t)(i % extent) - begins[k], x->dims[k], mode);
        if (at < 0) {
            return -1;
        }
        from += at * step;
        step *= x->dims[k];
        i /= extent;
    }
    return from;
}

static int pad(const tenure_tensor *x, const int64_t *begins, const char *mode, const void *fill,
               const tenure_tensor *y) {
    static const int64_t zero = 0;
    size_t width = element_width(y);
    const unsigned char *filler = (const unsigned char *)(fill != NULL ? fill : &zero);
    if (width == 0 || (fill == NULL && width > sizeof zero)) {
        return BAD_TYPE(KNOWS_BYTES, y);
    }
    for (size_t i = 0; i < y->elements; i++) {
        int64_t from = padded_from(x, y, begins, mode_of(mode), element_at(y, i));
        move_bytes(OUT(y, unsigned char) + i * width,
                   from < 0 ? filler : IN(x, unsigned char) + lies_at(x, (size_t)from) * width,
                   width);
    }
    return 0;
}

static int pad_axes(const tenure_tensor *x, const numbers *pads, const numbers *axes,
                    const char *mode, const void *fill, const tenure_tensor *y) {
    int64_t begins[MAX_RANK] = {0};
    size_t n = axes != NULL && axes->count > 0 ? axes->count : x->rank;
    if (x->rank > MAX_RANK || x->rank != y->rank || pads->count < n) {
        return KERNEL_BAD_SHAPE;
    }
    for (size_t i = 0; i < n; i++) {
        size_t axis = n == x->rank && (axes == NULL || axes->count == 0)
                          ? i
                          : axis_of(number_at(axes, i), x->rank);
        if (axis >= x->rank) {
            return KERNEL_BAD_VALUE;
        }
        begins[axis] = number_at(pads, i);
    }
    return pad(x, begins, mode, fill, y);
}

static int old_pad(const tenure_tensor *x, tenure_ints known, const char *mode, float value,
                   const tenure_tensor *y) {
    numbers pads = numbers_of(known, NULL);
    return x->dtype == TENURE_DTYPE_F32 ? pad_axes(x, &pads, NULL, mode, &value, y)
                                        : BAD_TYPE(KNOWS_F32, x);
}

int tenure_Pad_1(const tenure_Pad_1_attributes *attributes, const tenure_tensor *x,
                 const tenure_tensor *y, const tenure_context *c) {
    (void)c;
    return old_pad(x, attributes->paddings, attributes->mode, attributes->value, y);
}

int tenure_Pad_2(const tenure_Pad_2_attributes *attributes, const tenure_tensor *x,
                 const tenure_tensor *y, const tenure_context *c) {
    (void)c;
    return old_pad(x, attributes->pads, attributes->mode, attributes->value, y);
}

#define PAD(version)                                                                               \
    int tenure_Pad_##version(const tenure_Pad_##version##_attributes *attributes,                  \
                             const tenure_tensor *x, const tenure_tensor *pads,                    \
                             const tenure_tensor *fill, const tenure_tensor *y,                    \
                             const tenure_context *c) {                                            \
        numbers n = numbers_of(attributes->pads, pads);                                            \
        (void)c;                                                                                   \
        return pad_axes(x, &n, NULL, attributes->mode, fill != NULL ? fill->data : NULL, y);       \
    }
#define PAD_AXES(version)                                                                          \
    int tenure_Pad_##version(const tenure_Pad_##version##_attributes *attributes,                  \
                             const tenure_tensor *x, const tenure_tensor *pads,                    \
                             const tenure_tensor *fill, const tenure_tensor *axes,                 \
                             const tenure_tensor *y, const tenure_context *c) {                    \
        numbers n = numbers_of(attributes->pads, pads), k = numbers_of(attributes->axes, axes);    \
        (void)c;                                                                                   \
        return pad_axes(x, &n, &k, attributes->mode, fill != NULL ? fill->data : NULL, y);         \
    }
PAD(11)
PAD(13)
PAD_AXES(18)
PAD_AXES(19)
PAD_AXES(21)
PAD_AXES(23)
PAD_AXES(24)
PAD_AXES(25)
