/* Attention by blocks of keys: no matrix of scores. Of each query the largest score so far, the sum
 * of powers and the sum of values are kept, and scaled down where a larger score comes. */
#ifndef ATTENTION_BLOCKS_H
#define ATTENTION_BLOCKS_H

#include "kernels.h"

/* Floats of keys, of values and of sums that are on the stack, so many of each. A head has at most
 * a fourth as many elements, with vectors as many as two of them go into that. */
#ifndef ATTENTION_FLOATS
#define ATTENTION_FLOATS (KERNEL_LANES > 1 ? 16384 : 1024)
#endif

/* (batch, heads, positions, size), or the same with positions in front of heads. */
typedef struct attention_heads {
    const tenure_tensor *t;
    size_t count, positions, size;
    size_t batch_step, head_step, step; /* elements */
} attention_heads;
/* Of a tensor with heads as an axis, or as parts of its last axis: `count` of them then. `t` may be
 * NULL: no positions. 0, or KERNEL_BAD_SHAPE. */
int attention_heads_of(const tenure_tensor *t, int64_t count, attention_heads *h);

/* Keys and values: those of before, and new ones behind them. */
typedef struct attention {
    attention_heads q, k, v, past_k, past_v, y;
    const tenure_tensor *mask;    /* of truths, or added; NULL: none */
    const tenure_tensor *lengths; /* keys that count of each entry of the batch; NULL: all */
    const tenure_tensor *scores;  /* a result, NULL: not asked for */
    int64_t scores_mode; /* 0: products, 1: capped, 2: with the mask, 3: what they are as shares */
    float scale, cap;    /* cap 0: none */
    int causal;
    int64_t left, right; /* keys around a query that it sees, -1: all */
} attention;

int attend(const attention *a);

#endif
