/* Parts of a tensor: Slice, Trilu. */
#include "kernels.h"

typedef struct bounds {
    numbers starts, ends, axes, steps;
} bounds;

static int64_t clamped(int64_t v, int64_t low, int64_t high) {
    return v < low ? low : v > high ? high : v;
}

/* Where the slice begins along an axis of `extent` elements. */
static int64_t first_of(int64_t start, int64_t step, int64_t extent) {
    start += start < 0 ? extent : 0;
    return step > 0 ? clamped(start, 0, extent) : clamped(start, 0, extent - 1);
}

/* How many elements a slice along such an axis has. */
static size_t count_of(int64_t start, int64_t end, int64_t step, int64_t extent) {
    int64_t first = first_of(start, step, extent),
            behind = end < 0 && end >= -extent ? end + extent : end;
    behind = step > 0 ? clamped(behind, 0, extent) : clamped(behind, -1, extent - 1);
    int64_t length = step > 0 ? behind - first : first - behind, size = step > 0 ? step : -step;
    return length > 0 ? (size_t)((length + size - 1) / size) : 0;
}

/* Where only the run knows the bounds, the extents follow from them here. */
static int find_extents(const tenure_tensor *x, const bounds *b, const tenure_tensor *y,
                        tenure_dim *dims, const tenure_context *c) {
    for (size_t i = 0; i < b->starts.count; i++) {
        size_t axis = b->axes.count > 0 ? axis_of(number_at(&b->axes, i), x->rank) : i;
        int64_t step = b->steps.count > 0 ? number_at(&b->steps, i) : 1;
        if (axis >= x->rank || step == 0 || step == INT64_MIN) {
            return KERNEL_BAD_VALUE;
        }
        size_t n = count_of(number_at(&b->starts, i), number_at(&b->ends, i), step, x->dims[axis]);
        int bad = found_extent(c, 0, y, axis, n);
        if (bad) {
            return bad;
        }
        dims[axis] = (tenure_dim)n;
    }
    return 0;
}

static int slice(const tenure_tensor *x, const bounds *b, const tenure_tensor *to,
                 const tenure_context *c) {
    walk w;
    tenure_dim dims[MAX_RANK];
    tenure_tensor found = *to;
    const tenure_tensor *y = &found;
    int bad = x->rank != y->rank ? KERNEL_BAD_SHAPE : walk_broadcast(x, x, &w);
    if (!bad && c->found != NULL) {
        memcpy(dims, to->dims, to->rank * sizeof *dims);
        bad = find_extents(x, b, to, dims, c);
        found.dims = dims;
        found.elements = 1;
        for (size_t k = 0; k < to->rank; k++) {
            found.elements *= (size_t)dims[k];
        }
        found.bytes = found.elements * element_width(to);
    }
    if (bad || y->elements == 0) {
        return bad;
    }
    for (size_t k = 0; k < y->rank; k++) {
        w.dims[k] = (size_t)y->dims[k];
    }
    size_t from = 0;
    for (size_t i = 0; i < b->starts.count; i++) {
        size_t axis = b->axes.count > 0 ? axis_of(number_at(&b->axes, i), x->rank) : i;
        int64_t step = b->steps.count > 0 ? number_at(&b->steps, i) : 1;
        if (axis >= x->rank || step == 0) {
            return KERNEL_BAD_VALUE;
        }
        from += (size_t)first_of(number_at(&b->starts, i), step, x->dims[axis]) * w.steps[axis];
        w.steps[axis] *= (size_t)step;
    }
    return copy_walk(x, y, w, from);
}

int tenure_Slice_1(const tenure_Slice_1_attributes *attributes, const tenure_tensor *x,
                   const tenure_tensor *y, const tenure_context *c) {
    const tenure_ints none = {NULL, 0};
    bounds b = {numbers_of(attributes->starts, NULL), numbers_of(attributes->ends, NULL),
                numbers_of(attributes->axes, NULL), numbers_of(none, NULL)};
    return slice(x, &b, y, c);
}

#define SLICE(version)                                                                             \
    int tenure_Slice_##version(                                                                    \
        const tenure_Slice_##version##_attributes *attributes, const tenure_tensor *x,             \
        const tenure_tensor *starts, const tenure_tensor *ends, const tenure_tensor *axes,         \
        const tenure_tensor *steps, const tenure_tensor *y, const tenure_context *c) {             \
        bounds b = {numbers_of(attributes->starts, starts), numbers_of(attributes->ends, ends),    \
                    numbers_of(attributes->axes, axes), numbers_of(attributes->steps, steps)};     \
        return slice(x, &b, y, c);                                                                 \
    }
SLICE(10)
SLICE(11)
SLICE(13)

int tenure_Trilu_14(const tenure_Trilu_14_attributes *attributes, const tenure_tensor *x,
                    const tenure_tensor *k, const tenure_tensor *y, const tenure_context *c) {
    size_t width = element_width(y);
    if (y->rank < 2 || width == 0) {
        return width == 0 ? BAD_TYPE(KNOWS_BYTES, y) : KERNEL_BAD_SHAPE;
    }
    int64_t above = k != NULL ? whole_at(k, 0) : 0;
    size_t rows = (size_t)y->dims[y->rank - 2], columns = (size_t)y->dims[y->rank - 1];
    (void)c;
    for (size_t i = 0; i < y->elements; i++) {
        int64_t right = (int64_t)(i % columns) - (int64_t)(i / columns % rows);
        unsigned char *at = OUT(y, unsigned char) + i * width;
        if (attributes->upper != 0 ? right >= above : right <= above) {
            move_bytes(at, IN(x, unsigned char) + i * width, width);
        } else {
            memset(at, 0, width);
        }
    }
    return 0;
}
