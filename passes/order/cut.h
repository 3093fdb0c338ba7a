/* Bounds over all orders by minimum cuts. Whatever the order, when op v runs all its ancestors have
 * run and none of its descendants has; over all such sets of ops the bytes in use at v have a
 * minimum, and since live bytes are submodular a minimum cut finds it. */
#ifndef TENURE_PASSES_ORDER_CUT_H
#define TENURE_PASSES_ORDER_CUT_H

#include "passes/order/sched.h"

typedef struct tn_cutter {
    const tn_sched *p;
    tn_arena *arena;
    uint8_t *side;   /* by op, see cut.c */
    uint32_t *stack; /* by op */
    uint32_t *node;  /* by op */
    struct tn_flow *flow;
    uint64_t work; /* arcs looked at so far */
} tn_cutter;

tn_cutter tn_cutter_make(tn_arena *arena, const tn_sched *p);

/* No order has fewer bytes in use when `v` runs. `before` (by op, may be NULL): the ops that run
 * before v where the minimum is reached. */
uint64_t tn_cut_bound(tn_cutter *c, uint32_t v, bool *before);

/* An op with the bytes in use when it runs at its place in an order: its bound is no greater. */
typedef struct tn_cut_candidate {
    uint64_t during;
    uint32_t at, op;
} tn_cut_candidate;

/* All ops, the costliest first; `order` NULL: as they are numbered. */
const tn_cut_candidate *tn_cut_candidates(const tn_cutter *c, const uint32_t *order);

/* The same over the sets of ops in which, of the first n of `some`, those in `done` (as bits) have
 * run and the others, but for `v`, have not; UINT64_MAX when there is no such set. */
uint64_t tn_cut_bound_among(tn_cutter *c, uint32_t v, const tn_cut_candidate *some, uint32_t n,
                            uint32_t done);

/* Greatest bound of all ops, found by looking only at those which cost more than the bound known so
 * far at their place in `order`; gives up quietly when c->work passes `limit`. */
uint64_t tn_cut_lower_bound(tn_cutter *c, const uint32_t *order, uint64_t known, uint64_t limit);

/* Whatever the order, the n ops that cost most in `order` come in some sequence. When one of them
 * runs, those before it in the sequence have run and the others have not, which leaves fewer sets
 * to choose from: no order needs less than the sequence that needs least. `known` when it needs no
 * more, or when c->work passes `limit`. */
uint64_t tn_cut_sequence_bound(tn_cutter *c, const uint32_t *order, uint32_t n, uint64_t known,
                               uint64_t limit);

#endif
