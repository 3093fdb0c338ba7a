/* The same elements under other extents: for results that the plan could not make views. */
#include "kernels.h"

#define COPY_WITH(op, version)                                                                     \
    int tenure_##op##_##version(const tenure_##op##_##version##_attributes *attributes,            \
                                const tenure_tensor *x, const tenure_tensor *y,                    \
                                const tenure_context *c) {                                         \
        (void)attributes;                                                                          \
        (void)c;                                                                                   \
        return copy_all(x, y);                                                                     \
    }
/* With an operand that says the extents, which the result has already. */
#define COPY_BY(op, version)                                                                       \
    int tenure_##op##_##version(const tenure_##op##_##version##_attributes *attributes,            \
                                const tenure_tensor *x, const tenure_tensor *extents,              \
                                const tenure_tensor *y, const tenure_context *c) {                 \
        (void)attributes;                                                                          \
        (void)extents;                                                                             \
        (void)c;                                                                                   \
        return copy_all(x, y);                                                                     \
    }

/* Mostly the result's extents are known. Of one that only data give the kernel says what it is: an
 * entry, the operand's extent where that is 0, or what is left for a -1. */
static int reshape(const tenure_tensor *x, const tenure_tensor *shape, int keep_zero,
                   const tenure_tensor *y, const tenure_context *c) {
    size_t extents[MAX_RANK], all = 1, others = 1, hole = MAX_RANK;
    if (c->found == NULL || c->found[0] == NULL) {
        return copy_all(x, y);
    }
    if (y->rank > MAX_RANK) {
        return KERNEL_BAD_SHAPE;
    }
    for (size_t i = 0; i < x->rank; i++) {
        all *= (size_t)x->dims[i];
    }
    for (size_t i = 0; i < y->rank; i++) {
        int64_t entry = whole_at(shape, i);
        hole = entry < 0 ? i : hole;
        entry = entry == 0 && !keep_zero && i < x->rank ? x->dims[i] : entry;
        extents[i] = entry < 0 ? 1 : (size_t)entry;
        others *= extents[i];
    }
    if (hole < MAX_RANK) {
        extents[hole] = others > 0 ? all / others : 0;
        others *= extents[hole];
    }
    if (others != all || x->bytes > y->bytes) {
        return KERNEL_BAD_SHAPE;
    }
    for (size_t i = 0; i < y->rank; i++) {
        int error = found_extent(c, 0, y, i, extents[i]);
        if (error != 0) {
            return error;
        }
    }
    move_bytes(OUT(y, unsigned char), IN(x, unsigned char), x->bytes);
    return 0;
}
#define RESHAPE(version, keep_zero)                                                                \
    int tenure_Reshape_##version(const tenure_Reshape_##version##_attributes *attributes,          \
                                 const tenure_tensor *x, const tenure_tensor *shape,               \
                                 const tenure_tensor *y, const tenure_context *c) {                \
        (void)attributes;                                                                          \
        return reshape(x, shape, keep_zero, y, c);                                                 \
    }

COPY_WITH(Reshape, 1)
RESHAPE(5, 0)
RESHAPE(13, 0)
RESHAPE(14, attributes->allowzero != 0)
RESHAPE(19, attributes->allowzero != 0)
RESHAPE(21, attributes->allowzero != 0)
RESHAPE(23, attributes->allowzero != 0)
RESHAPE(24, attributes->allowzero != 0)
RESHAPE(25, attributes->allowzero != 0)

COPY_WITH(Flatten, 1)
COPY_WITH(Flatten, 9)
COPY_WITH(Flatten, 11)
COPY_WITH(Flatten, 13)
COPY_WITH(Flatten, 21)
COPY_WITH(Flatten, 23)
COPY_WITH(Flatten, 24)
COPY_WITH(Flatten, 25)

COPY_WITH(Squeeze, 1)
COPY_WITH(Squeeze, 11)
COPY_BY(Squeeze, 13)
COPY_BY(Squeeze, 21)
COPY_BY(Squeeze, 23)
COPY_BY(Squeeze, 24)
COPY_BY(Squeeze, 25)

COPY_WITH(Unsqueeze, 1)
COPY_WITH(Unsqueeze, 11)
COPY_BY(Unsqueeze, 13)
COPY_BY(Unsqueeze, 21)
COPY_BY(Unsqueeze, 23)
COPY_BY(Unsqueeze, 24)
COPY_BY(Unsqueeze, 25)

KERNEL_UNARY(Identity, 1, copy_all)
KERNEL_UNARY(Identity, 13, copy_all)
KERNEL_UNARY(Identity, 14, copy_all)
KERNEL_UNARY(Identity, 16, copy_all)
KERNEL_UNARY(Identity, 19, copy_all)
KERNEL_UNARY(Identity, 21, copy_all)
KERNEL_UNARY(Identity, 23, copy_all)
KERNEL_UNARY(Identity, 24, copy_all)
KERNEL_UNARY(Identity, 25, copy_all)

COPY_WITH(BitCast, 26)

/* Dropout at inference: nothing is dropped. */
static int dropout(const tenure_tensor *x, const tenure_tensor *y, const tenure_tensor *mask) {
    if (mask != NULL && mask->dtype == TENURE_DTYPE_F32) {
        for (size_t i = 0; i < mask->elements; i++) {
            OUT(mask, float)[i] = 1;
        }
    } else if (mask != NULL && mask->dtype == TENURE_DTYPE_BOOL && mask->bytes > 0) {
        memset(mask->data, 1, mask->bytes);
    } else if (mask != NULL && mask->bytes > 0) {
        return BAD_TYPE("bool", mask);
    }
    return copy_all(x, y);
}

#define DROPOUT(version)                                                                           \
    int tenure_Dropout_##version(const tenure_Dropout_##version##_attributes *attributes,          \
                                 const tenure_tensor *x, const tenure_tensor *y,                   \
                                 const tenure_tensor *mask, const tenure_context *c) {             \
        (void)attributes;                                                                          \
        (void)c;                                                                                   \
        return dropout(x, y, mask);                                                                \
    }
DROPOUT(1)
DROPOUT(6)
DROPOUT(7)
DROPOUT(10)

/* Training with a ratio of 0 drops nothing either; any other ratio needs random numbers. */
#define DROPOUT_OR_TRAINING(version)                                                               \
    int tenure_Dropout_##version(const tenure_Dropout_##version##_attributes *attributes,          \
                                 const tenure_tensor *x, const tenure_tensor *ratio,               \
                                 const tenure_tensor *training, const tenure_tensor *y,            \
                                 const tenure_tensor *mask, const tenure_context *c) {             \
        (void)attributes;                                                                          \
        (void)c;                                                                                   \
        if (training != NULL && IN(training, uint8_t)[0] != 0 &&                                   \
            (ratio == NULL || ratio->dtype != TENURE_DTYPE_F32 || IN(ratio, float)[0] > 0)) {      \
            return KERNEL_BAD_VALUE;                                                               \
        }                                                                                          \
        return dropout(x, y, mask);                                                                \
    }
DROPOUT_OR_TRAINING(12)
DROPOUT_OR_TRAINING(13)
DROPOUT_OR_TRAINING(22)
