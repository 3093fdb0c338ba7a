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

COPY_WITH(Reshape, 1)
COPY_BY(Reshape, 5)
COPY_BY(Reshape, 13)
COPY_BY(Reshape, 14)
COPY_BY(Reshape, 19)
COPY_BY(Reshape, 21)
COPY_BY(Reshape, 23)
COPY_BY(Reshape, 24)
COPY_BY(Reshape, 25)

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
        return KERNEL_BAD_TYPE;
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
