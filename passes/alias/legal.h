/* What the op table and the types allow an op to write over, whatever is live then. Asked by the
 * pass `inplace`, which proves from live ranges that the bytes are free, and by the model of other
 * orders (passes/schedule/order_model.h), in some of which they are. */
#ifndef TENURE_PASSES_ALIAS_LEGAL_H
#define TENURE_PASSES_ALIAS_LEGAL_H

#include "passes/analysis/storages.h"
#include "passes/core/pass.h"

/* A result and the operands it may be written over, on one condition of the op table. */
typedef struct tn_inplace_way {
    uint32_t result;
    uint32_t from, to; /* the operands are among those from `from` to before `to` ... */
    uint32_t mask;     /* ... bit k: operand k, if it is one below 32; others are all meant */
    tn_inplace_if cond;
} tn_inplace_way;

/* How many ways to ask for; bodies have none. */
uint32_t tn_inplace_n_ways(const tn_op *op);
/* Way i; false where there is none, its result is left out, or it is no choice (TN_IF_MUST). */
bool tn_inplace_get_way(const tn_op *op, uint32_t i, tn_inplace_way *out);
/* Whether operand k is one of the way's, there, and read for its data. */
bool tn_inplace_names(const tn_op *op, const tn_inplace_way *way, uint32_t k);
/* What the way asks of the kernel for one of its operands: TN_IF_WIDTH only where the elements of
 * `r` and `o` differ in width. */
tn_inplace_if tn_inplace_condition(const tn_inplace_way *way, const tn_value *r, const tn_value *o);
/* Whether kernels are trusted with such a condition. */
bool tn_inplace_is_trusted(tn_inplace_kinds kinds, tn_inplace_if cond);

/* Whether element i of both lies where such a condition wants it: UNSIZED, BROADCAST, WIDTH, or
 * NONE if so. `r_bytes` and `o_bytes` are their sizes, TN_NO_BYTES when not known. */
tn_reason tn_inplace_misfit(const tn_value *r, uint64_t r_bytes, const tn_value *o,
                            uint64_t o_bytes, tn_inplace_if cond);
#endif
