/* Elements in another order: Transpose, DepthToSpace, SpaceToDepth. */
#include "kernels.h"

static int transpose(const tenure_tensor *x, tenure_ints perm, const tenure_tensor *y) {
    walk of_x, w;
    int bad = x->rank != y->rank || (perm.at != NULL && perm.count != x->rank)
                  ? KERNEL_BAD_SHAPE
                  : walk_broadcast(x, x, &of_x);
    if (bad) {
        return bad;
    }
    w.rank = 0;
    for (size_t i = 0; i < y->rank; i++) {
        size_t axis = perm.at != NULL ? (size_t)perm.at[i] : (size_t)y->rank - 1 - i;
        walk_append(&w, of_x.dims[axis], of_x.steps[axis]);
    }
    return x->data == y->data
               ? 0
               : copy_walk(x, y, w, 0); /* one order of bytes: only axes of 1 are moved */
}

#define TRANSPOSE(version)                                                                         \
    int tenure_Transpose_##version(const tenure_Transpose_##version##_attributes *attributes,      \
                                   const tenure_tensor *x, const tenure_tensor *y,                 \
                                   const tenure_context *c) {                                      \
        (void)c;                                                                                   \
        return transpose(x, attributes->perm, y);                                                  \
    }
TRANSPOSE(1)
TRANSPOSE(13)
TRANSPOSE(21)
TRANSPOSE(23)
TRANSPOSE(24)
TRANSPOSE(25)

/* Axes of the operand as `dims`, walked in the order that `perm` says. */
static int permute(const tenure_tensor *x, const size_t *dims, const uint8_t *perm, uint8_t rank,
                   const tenure_tensor *y) {
    size_t steps[MAX_RANK], step = 1;
    walk w;
    w.rank = 0;
    for (size_t i = rank; i-- > 0;) {
        steps[i] = step;
        step *= dims[i];
    }
    for (size_t i = 0; i < rank; i++) {
        walk_append(&w, dims[perm[i]], steps[perm[i]]);
    }
    return step == y->elements ? copy_walk(x, y, w, 0) : KERNEL_BAD_SHAPE;
}

/* Channels as (block, block, c) or, by columns and rows, (c, block, block), become those of blocks.
 */
static int depth_to_space(const tenure_tensor *x, int64_t blocksize, int channels_first,
                          const tenure_tensor *y) {
    static const uint8_t depth[] = {0, 3, 4, 1, 5, 2}, columns[] = {0, 1, 4, 2, 5, 3};
    size_t b = (size_t)blocksize;
    if (x->rank != 4 || blocksize <= 0) {
        return KERNEL_BAD_SHAPE;
    }
    size_t c = (size_t)x->dims[1] / (b * b), h = (size_t)x->dims[2], w = (size_t)x->dims[3],
           n = (size_t)x->dims[0];
    const size_t blocks_first_dims[] = {n, b, b, c, h, w},
                 channels_first_dims[] = {n, c, b, b, h, w};
    return channels_first ? permute(x, channels_first_dims, columns, 6, y)
                          : permute(x, blocks_first_dims, depth, 6, y);
}

int tenure_DepthToSpace_1(const tenure_DepthToSpace_1_attributes *attributes,
                          const tenure_tensor *x, const tenure_tensor *y, const tenure_context *c) {
    (void)c;
    return depth_to_space(x, attributes->blocksize, 0, y);
}

#define DEPTH_TO_SPACE(version)                                                                    \
    int tenure_DepthToSpace_##version(                                                             \
        const tenure_DepthToSpace_##version##_attributes *attributes, const tenure_tensor *x,      \
        const tenure_tensor *y, const tenure_context *c) {                                         \
        (void)c;                                                                                   \
        return depth_to_space(x, attributes->blocksize, strcmp(attributes->mode, "CRD") == 0, y);  \
    }
DEPTH_TO_SPACE(11)
DEPTH_TO_SPACE(13)
DEPTH_TO_SPACE(28)

static int space_to_depth(const tenure_tensor *x, int64_t blocksize, int channels_first,
                          const tenure_tensor *y) {
    static const uint8_t blocks[] = {0, 3, 5, 1, 2, 4}, channels[] = {0, 1, 3, 5, 2, 4};
    size_t b = (size_t)blocksize;
    if (x->rank != 4 || blocksize <= 0) {
        return KERNEL_BAD_SHAPE;
    }
    const size_t dims[] = {(size_t)x->dims[0],     (size_t)x->dims[1],
                           (size_t)x->dims[2] / b, b,
                           (size_t)x->dims[3] / b, b};
    return permute(x, dims, channels_first ? channels : blocks, 6, y);
}

#define SPACE_TO_DEPTH(version, channels_first)                                                    \
    int tenure_SpaceToDepth_##version(                                                             \
        const tenure_SpaceToDepth_##version##_attributes *attributes, const tenure_tensor *x,      \
        const tenure_tensor *y, const tenure_context *c) {                                         \
        (void)c;                                                                                   \
        return space_to_depth(x, attributes->blocksize, channels_first, y);                        \
    }
SPACE_TO_DEPTH(1, 0)
SPACE_TO_DEPTH(13, 0)
SPACE_TO_DEPTH(28, strcmp(attributes->mode, "CRD") == 0)
