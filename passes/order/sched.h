/* The scheduling problem: ops to be put in an order, and tensors that hold bytes from the first op
 * that touches them to the last; wanted is the order with the least peak. Plain arrays, no graph
 * format, so that it can be measured on generated problems.
 *
 * A tensor is a set of ops. When some of them have run and some have not, its bytes are live. That
 * says all that is needed about writers and readers as long as the dependencies make the writer the
 * first, and it reads the same forwards and backwards in time. With `live` so defined, running op v
 * after the set of ops I needs
 *
 *   live(I) + max(workspace of v, bytes that start at v - bytes that v writes over)
 *
 * where v writes a result over an operand (in place) if the operand ends at v. */
#ifndef TENURE_PASSES_ORDER_SCHED_H
#define TENURE_PASSES_ORDER_SCHED_H

#include <stdbool.h>

#include "passes/order/edge_rows.h"

#define TN_SCHED_NONE UINT32_MAX

typedef struct tn_sched_tensor {
    uint64_t size;
    uint32_t head;         /* the op that all others of the tensor depend on, or TN_SCHED_NONE */
    bool at_start, to_end; /* live before the first op; live after the last */
} tn_sched_tensor;

/* `result` may be written over `operand` when `op` is the last to touch the operand, which saves
 * the bytes of the smaller of the two. (A storage for both keeps those of the larger one, before
 * and after; that is left out, so that peaks and bounds are those of the best the planner may do.)
 * Pairs of one op are tried in the order given, which is that of falling savings; each tensor is
 * used once. */
typedef struct tn_sched_inplace {
    uint32_t op, result, operand;
} tn_sched_inplace;

typedef struct tn_sched {
    uint32_t n, m; /* ops, tensors */
    const tn_sched_tensor *tensor;
    const uint64_t *workspace; /* by op; 0 for ops that write anything in place */
    tn_edge_rows touched;      /* by op: tensors */
    tn_edge_rows touching;     /* by tensor: ops */
    tn_edge_rows succ, pred;   /* by op; an op may be named more than once */
    tn_edge_rows inplace_of;   /* by op: indices in `inplace` */
    const tn_sched_inplace *inplace;
    uint64_t base; /* bytes live all the time besides */
} tn_sched;

/* Bytes that a pair saves at its op. */
static inline uint64_t tn_sched_saving(const tn_sched *p, const tn_sched_inplace *k) {
    uint64_t result = p->tensor[k->result].size, operand = p->tensor[k->operand].size;
    return result < operand ? result : operand;
}

/* What tn_sched_make reads: pairs in any order, `touch` without repetitions. */
typedef struct tn_sched_lists {
    uint32_t n, m;
    const tn_sched_tensor *tensor;
    const uint64_t *workspace;   /* NULL: none */
    const uint32_t (*touch)[2];  /* (op, tensor) */
    const uint32_t (*before)[2]; /* (op, op that depends on it) */
    const tn_sched_inplace *inplace;
    uint32_t n_touch, n_before, n_inplace;
    uint64_t base;
} tn_sched_lists;

/* The arrays of the lists are not kept, but for `tensor` and `inplace`. All sizes and workspaces
 * together must stay below 2^61. */
tn_sched tn_sched_make(tn_arena *arena, const tn_sched_lists *lists);

/* The problem with more dependencies (op, op that depends on it), which must leave it an order. All
 * but the dependencies is shared with `p`. */
tn_sched tn_sched_with_edges(tn_arena *arena, const tn_sched *p, const uint32_t (*more)[2],
                             uint32_t n_more);

/* The order that respects the dependencies and always runs the ready op that comes first in
 * `given`. */
void tn_sched_sort(tn_arena *scratch, const tn_sched *p, const uint32_t *given, uint32_t *order);

/* The peak, in bytes, of an order that respects the dependencies. */
uint64_t tn_sched_peak(tn_arena *scratch, const tn_sched *p, const uint32_t *order);

#endif
