/* Orders to place items in: by a few keys, the first the most important, larger first.
 *
 *   T  largest load of any section lived through    W  sections lived through
 *   Z  size                                         A  size times sections
 *   L  earlier first section                        G  alignment */
#ifndef TENURE_PASSES_PACK_BASE_ITEM_ORDER_H
#define TENURE_PASSES_PACK_BASE_ITEM_ORDER_H

#include "ir/base/key_sort.h"
#include "passes/pack/base/instance.h"

typedef struct tn_orders {
    const tn_inst *inst;
    uint64_t *key[6]; /* a column for each letter, made when first asked for */
    tn_sort_key *keys;
    tn_arena *arena;
} tn_orders;

tn_orders tn_orders_make(tn_arena *arena, const tn_inst *inst);
/* Writes all items into `order`: items with a fixed offset first, then by `letters`, then by index.
 */
void tn_orders_get(tn_orders *o, const char *letters, uint32_t *order);
/* The column of one letter. */
const uint64_t *tn_orders_key(tn_orders *o, char letter);

#endif
