/* A set of small integers that finds the neighbours of any number in a few steps. */
#ifndef TENURE_IR_BASE_BIT_TREE_H
#define TENURE_IR_BASE_BIT_TREE_H

#include "ir/base/arena.h"

/* A subset of 0 .. n-1. Each level says which words of the one below are not zero. */
typedef struct tn_bit_tree {
    uint64_t *level[6]; /* level[0]: one bit an element */
    uint32_t n_levels;
} tn_bit_tree;

#define TN_BIT_NONE UINT32_MAX
tn_bit_tree tn_bit_tree_make(tn_arena *arena, uint32_t n);
void tn_bit_tree_add(tn_bit_tree *set, uint32_t i);
void tn_bit_tree_remove(tn_bit_tree *set, uint32_t i);
/* The largest element < i (i may be n), or the smallest > i; TN_BIT_NONE when there is none. */
uint32_t tn_bit_tree_below(const tn_bit_tree *set, uint32_t i);
uint32_t tn_bit_tree_above(const tn_bit_tree *set, uint32_t i);

#endif
