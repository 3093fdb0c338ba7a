/* The same elements more than once: Expand, Tile; and tensors made from little: Shape, Size,
 * ConstantOfShape, Range, EyeLike. */
#include "kernels.h"

static int expand(const tenure_tensor *x, const tenure_tensor *y) {
    walk w;
    int bad = check_broadcast(x, y) != 0 ? KERNEL_BAD_SHAPE : walk_broadcast(x, y, &w);
    return bad ? bad : copy_walk(x, y, w, 0);
}

#define EXPAND(version)                                                                            \
    int tenure_Expand_##version(const tenure_Expand_##version##_attributes *attributes,            \
                                const tenure_tensor *x, const tenure_tensor *shape,                \
                                const tenure_tensor *y, const tenure_context *c) {                 \
        (void)attributes;                                                                          \
        (void)shape;                                                                               \
        (void)c;                                                                                   \
        return expand(x, y);                                                                       \
    }
EXPAND(8)
EXPAND(13)

/* An axis that is repeated is walked as two, of which the outer one stays where it is. */
static int tile(const tenure_tensor *x, const tenure_tensor *y) {
    walk of_x, w;
    int bad = x->rank != y->rank ? KERNEL_BAD_SHAPE : walk_broadcast(x, x, &of_x);
    w.rank = 0;
    for (size_t i = 0; i < x->rank && !bad && y->elements > 0; i++) {
        size_t repeats = (size_t)y->dims[i] / of_x.dims[i];
        if (repeats > 1) {
            bad = walk_append(&w, repeats, 0);
        }
        if (!bad && of_x.dims[i] > 1) {
            bad = walk_append(&w, of_x.dims[i], of_x.steps[i]);
        }
    }
    return bad ? bad : copy_walk(x, y, w, 0);
}

int tenure_Tile_1(const tenure_Tile_1_attributes *attributes, const tenure_tensor *x,
                  const tenure_tensor *repeats, const tenure_tensor *axis, const tenure_tensor *y,
                  const tenure_context *c) {
    (void)attributes;
    (void)repeats;
    (void)axis;
    (void)c;
    return tile(x, y);
}

#define TILE(version)                                                                              \
    int tenure_Tile_##version(const tenure_Tile_##version##_attributes *attributes,                \
                              const tenure_tensor *x, const tenure_tensor *repeats,                \
                              const tenure_tensor *y, const tenure_context *c) {                   \
        (void)attributes;                                                                          \
        (void)repeats;                                                                             \
        (void)c;                                                                                   \
        return tile(x, y);                                                                         \
    }
TILE(6)
TILE(13)

static int shape_from(const tenure_tensor *x, int64_t start, const tenure_tensor *y) {
    int64_t first = start < 0 ? start + x->rank : start;
    first = first < 0 ? 0 : first;
    for (size_t i = 0; i < y->elements; i++) {
        put_whole(y, i, x->dims[(size_t)first + i]);
    }
    return 0;
}

static int shape(const tenure_tensor *x, const tenure_tensor *y) {
    return shape_from(x, 0, y);
}
KERNEL_UNARY(Shape, 1, shape)
KERNEL_UNARY(Shape, 13, shape)

#define SHAPE(version)                                                                             \
    int tenure_Shape_##version(const tenure_Shape_##version##_attributes *attributes,              \
                               const tenure_tensor *x, const tenure_tensor *y,                     \
                               const tenure_context *c) {                                          \
        (void)c;                                                                                   \
        return shape_from(x, attributes->start, y);                                                \
    }
SHAPE(15)
SHAPE(19)
SHAPE(21)
SHAPE(23)
SHAPE(24)
SHAPE(25)

static int size(const tenure_tensor *x, const tenure_tensor *y) {
    put_whole(y, 0, (int64_t)x->elements);
    return 0;
}
KERNEL_UNARY(Size, 1, size)
KERNEL_UNARY(Size, 13, size)
KERNEL_UNARY(Size, 19, size)
KERNEL_UNARY(Size, 21, size)
KERNEL_UNARY(Size, 23, size)
KERNEL_UNARY(Size, 24, size)
KERNEL_UNARY(Size, 25, size)

static int fill(const tenure_tensor *value, const tenure_tensor *y) {
    size_t width = element_width(y);
    if (width == 0) {
        return BAD_TYPE(KNOWS_BYTES, y);
    }
    if (value == NULL && y->bytes > 0) {
        memset(y->data, 0, y->bytes);
        return 0;
    }
    for (size_t i = 0; i < y->elements; i++) {
        move_bytes(OUT(y, unsigned char) + i * width, IN(value, unsigned char), width);
    }
    return 0;
}

#define CONSTANT_OF_SHAPE(version)                                                                 \
    int tenure_ConstantOfShape_##version(                                                          \
        const tenure_ConstantOfShape_##version##_attributes *attributes, const tenure_tensor *x,   \
        const tenure_tensor *y, const tenure_context *c) {                                         \
        (void)x;                                                                                   \
        (void)c;                                                                                   \
        return fill(attributes->value, y);                                                         \
    }
CONSTANT_OF_SHAPE(9)
CONSTANT_OF_SHAPE(20)
CONSTANT_OF_SHAPE(21)
CONSTANT_OF_SHAPE(23)
CONSTANT_OF_SHAPE(24)
CONSTANT_OF_SHAPE(25)

static int range(const tenure_tensor *start, const tenure_tensor *delta, const tenure_tensor *y) {
    if (y->dtype != TENURE_DTYPE_F32 && !is_whole(y)) {
        return BAD_TYPE(KNOWS_NUMBERS, y);
    }
    for (size_t i = 0; i < y->elements; i++) {
        if (y->dtype == TENURE_DTYPE_F32) {
            OUT(y, float)[i] = IN(start, float)[0] + (float)i * IN(delta, float)[0];
        } else {
            put_whole(y, i, whole_at(start, 0) + (int64_t)i * whole_at(delta, 0));
        }
    }
    return 0;
}

int tenure_Range_11(const tenure_tensor *start, const tenure_tensor *limit,
                    const tenure_tensor *delta, const tenure_tensor *y, const tenure_context *c) {
    (void)limit;
    (void)c;
    return range(start, delta, y);
}

int tenure_Range_27(const tenure_Range_27_attributes *attributes, const tenure_tensor *start,
                    const tenure_tensor *limit, const tenure_tensor *delta, const tenure_tensor *y,
                    const tenure_context *c) {
    (void)attributes;
    (void)limit;
    (void)c;
    return range(start, delta, y);
}

static int eye(int64_t k, const tenure_tensor *y) {
    if (y->rank != 2 || (y->dtype != TENURE_DTYPE_F32 && !is_whole(y))) {
        return y->rank != 2 ? KERNEL_BAD_SHAPE : BAD_TYPE(KNOWS_NUMBERS, y);
    }
    int64_t columns = y->dims[1];
    for (size_t i = 0; i < y->elements; i++) {
        int one = (int64_t)i % columns - (int64_t)i / columns == k;
        if (y->dtype == TENURE_DTYPE_F32) {
            OUT(y, float)[i] = one ? 1.0f : 0.0f;
        } else {
            put_whole(y, i, one);
        }
    }
    return 0;
}

#define EYE_LIKE(version)                                                                          \
    int tenure_EyeLike_##version(const tenure_EyeLike_##version##_attributes *attributes,          \
                                 const tenure_tensor *x, const tenure_tensor *y,                   \
                                 const tenure_context *c) {                                        \
        (void)x;                                                                                   \
        (void)c;                                                                                   \
        return eye(attributes->k, y);                                                              \
    }
EYE_LIKE(9)
EYE_LIKE(22)
