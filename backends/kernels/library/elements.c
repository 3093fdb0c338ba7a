/* Reading and writing of elements, and of the integers that parametrise kernels. */
#include "kernels.h"

size_t element_width(const tenure_tensor *t) {
    return t->elements > 0 ? t->bytes / t->elements : 1;
}

int is_whole(const tenure_tensor *t) {
    switch (t->dtype) {
    case TENURE_DTYPE_BOOL:
    case TENURE_DTYPE_U8:
    case TENURE_DTYPE_I8:
    case TENURE_DTYPE_U16:
    case TENURE_DTYPE_I16:
    case TENURE_DTYPE_U32:
    case TENURE_DTYPE_I32:
    case TENURE_DTYPE_U64:
    case TENURE_DTYPE_I64:
        return 1;
    default:
        return 0;
    }
}

int64_t whole_at(const tenure_tensor *t, size_t i) {
    switch (t->dtype) {
    case TENURE_DTYPE_I8:
        return IN(t, int8_t)[i];
    case TENURE_DTYPE_U16:
        return IN(t, uint16_t)[i];
    case TENURE_DTYPE_I16:
        return IN(t, int16_t)[i];
    case TENURE_DTYPE_U32:
        return IN(t, uint32_t)[i];
    case TENURE_DTYPE_I32:
        return IN(t, int32_t)[i];
    case TENURE_DTYPE_U64:
    case TENURE_DTYPE_I64:
        return IN(t, int64_t)[i];
    default:
        return IN(t, uint8_t)[i];
    }
}

void put_whole(const tenure_tensor *t, size_t i, int64_t v) {
    switch (t->dtype) {
    case TENURE_DTYPE_BOOL:
        OUT(t, uint8_t)[i] = v != 0;
        break;
    case TENURE_DTYPE_U8:
    case TENURE_DTYPE_I8:
        OUT(t, uint8_t)[i] = (uint8_t)v;
        break;
    case TENURE_DTYPE_U16:
    case TENURE_DTYPE_I16:
        OUT(t, uint16_t)[i] = (uint16_t)v;
        break;
    case TENURE_DTYPE_U32:
    case TENURE_DTYPE_I32:
        OUT(t, uint32_t)[i] = (uint32_t)v;
        break;
    default:
        OUT(t, int64_t)[i] = v;
    }
}

float float_at(const tenure_tensor *t, size_t i) {
    return t->dtype == TENURE_DTYPE_F32 ? IN(t, float)[i] : (float)whole_at(t, i);
}

void move_bytes(unsigned char *to, const unsigned char *from, size_t n) {
    if (to != from && n > 0) {
        memmove(to, from, n);
    }
}

/* Elements of one channel of one sample. */
static size_t places_of(const tenure_tensor *t) {
    size_t n = 1;
    for (size_t k = 2; k < t->rank; k++) {
        n *= (size_t)t->dims[k];
    }
    return n;
}

size_t lies_at(const tenure_tensor *t, size_t i) {
    if (!t->channels_last) {
        return i;
    }
    size_t places = places_of(t), channels = (size_t)t->dims[1], sample = i / places / channels;
    return (sample * places + i % places) * channels + i / places % channels;
}

size_t element_at(const tenure_tensor *t, size_t at) {
    if (!t->channels_last) {
        return at;
    }
    size_t places = places_of(t), channels = (size_t)t->dims[1], sample = at / channels / places;
    return (sample * channels + at % channels) * places + at / channels % places;
}

size_t beside(const tenure_tensor *x, const tenure_tensor *y, size_t at) {
    int same = x->channels_last == y->channels_last && x->rank == y->rank;
    return same ? at : lies_at(x, element_at(y, at));
}

static int copy_elements(const tenure_tensor *x, const tenure_tensor *y) {
    size_t width = element_width(y);
    if (width == 0 || element_width(x) != width) {
        return BAD_TYPE(KNOWS_BYTES, y);
    }
    for (size_t i = 0; i < y->elements; i++) {
        move_bytes(OUT(y, unsigned char) + i * width,
                   IN(x, unsigned char) + lies_at(x, element_at(y, i)) * width, width);
    }
    return 0;
}

/* The same elements under other extents, or in another layout. */
static int same_order(const tenure_tensor *x, const tenure_tensor *y) {
    int same = x->channels_last == y->channels_last && (!x->channels_last || x->rank == y->rank);
    for (size_t k = 0; k < x->rank && same && x->channels_last; k++) {
        same = x->dims[k] == y->dims[k];
    }
    return same;
}

int found_extent(const tenure_context *c, uint32_t result, const tenure_tensor *y, size_t axis,
                 size_t n) {
    tenure_dim *found = c->found != NULL ? c->found[result] : NULL;
    if (axis >= y->rank || n > (size_t)y->dims[axis] ||
        (found == NULL && n < (size_t)y->dims[axis])) {
        return KERNEL_BAD_VALUE;
    }
    if (found != NULL) {
        found[axis] = (tenure_dim)n;
    }
    return 0;
}

int copy_all(const tenure_tensor *x, const tenure_tensor *y) {
    if (x->bytes != y->bytes) {
        return KERNEL_BAD_SHAPE;
    }
    if (!same_order(x, y)) {
        return copy_elements(x, y);
    }
    move_bytes(OUT(y, unsigned char), IN(x, unsigned char), y->bytes);
    return 0;
}

numbers numbers_of(tenure_ints known, const tenure_tensor *operand) {
    numbers n = {known.at, operand, 0};
    if (known.at != NULL) {
        n.count = known.count;
    } else if (operand != NULL) {
        n.count = operand->elements;
    }
    return n;
}

int64_t number_at(const numbers *n, size_t i) {
    return n->at != NULL ? n->at[i] : whole_at(n->operand, i);
}

size_t axis_of(int64_t axis, size_t rank) {
    return (size_t)(axis < 0 ? axis + (int64_t)rank : axis);
}

int has_axis(const numbers *axes, size_t axis, size_t rank, int none) {
    for (size_t i = 0; i < axes->count; i++) {
        if (axis_of(number_at(axes, i), rank) == axis) {
            return 1;
        }
    }
    return axes->count == 0 && none;
}
