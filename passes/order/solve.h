/* The order with the least peak: the entrance to this library. map.md says which file does what. */
#ifndef TENURE_PASSES_ORDER_SOLVE_H
#define TENURE_PASSES_ORDER_SOLVE_H

#include "passes/order/options.h"
#include "passes/order/sched.h"

typedef struct tn_sched_result {
    uint32_t *order;   /* of all ops; the one given when nothing better was found */
    uint64_t given;    /* peak of the order given, in bytes */
    uint64_t peak;     /* of `order` */
    uint64_t bound;    /* no order has a lower peak */
    uint64_t expanded; /* states of the exact search */
    uint32_t parts;    /* the graph falls into so many, each ordered by itself */
} tn_sched_result;

/* The best order found, never worse than `given`, which must respect the dependencies; proven
 * optimal when peak == bound. Deterministic. Near-linear where parts get large: those are only
 * improved piecewise. */
tn_sched_result tn_sched_min_peak(tn_arena *arena, const tn_sched *p, const uint32_t *given,
                                  const tn_sched_options *o);

#endif
