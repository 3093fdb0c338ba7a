/* An order under improvement: its profile, and pieces of it as problems of their own. */
#ifndef TENURE_PASSES_ORDER_TIMELINE_H
#define TENURE_PASSES_ORDER_TIMELINE_H

#include "passes/order/sched.h"

typedef struct tn_timeline {
    const tn_sched *p;
    uint32_t *order;
    uint64_t *during;       /* by position */
    uint64_t *live;         /* before a position; n + 1 */
    uint32_t *at;           /* position, by op */
    uint32_t *first, *last; /* by tensor: positions of the first and the last op */
    uint32_t *local;        /* by tensor: its number in the piece being made, else TN_SCHED_NONE */
} tn_timeline;

tn_timeline tn_timeline_make(tn_arena *arena, const tn_sched *p, const uint32_t *order);

/* Positions from..to-1 with everything else staying where it is. Op i of the piece is the one at
 * position from + i. Costs what the piece's ops touch. */
tn_sched tn_timeline_piece(tn_arena *arena, tn_timeline *t, uint32_t from, uint32_t to);
/* Puts an order of the piece's ops in place. `piece` is what tn_timeline_piece made. */
void tn_timeline_put(tn_arena *scratch, tn_timeline *t, uint32_t from, const tn_sched *piece,
                     const uint32_t *order);
/* Greatest cost of positions from..to-1. */
uint64_t tn_timeline_peak(const tn_timeline *t, uint32_t from, uint32_t to);

#endif
