/* How far behind the start of a result an operand has to begin so that a kernel that keeps its
 * order never writes over what it has still to read. */
#ifndef TENURE_PASSES_PLAN_OVERLAP_DISTANCE_H
#define TENURE_PASSES_PLAN_OVERLAP_DISTANCE_H

#include "ir/ops/reach.h"
#include "ir/ops/work_order.h"

#define TN_NO_DISTANCE UINT64_MAX

typedef struct tn_overlap_form {
    tn_work_order order;
    bool result_last, operand_last;       /* channels-last */
    uint32_t result_bytes, operand_bytes; /* of an element */
    uint64_t most;                        /* units that are looked at at most */
} tn_overlap_form;

/* The smallest distance in bytes, at least 0: at it, and at any larger one, the kernel is safe. The
 * units of the result are gone through from the last to the first, a row at a time: where unit u
 * ends, less the lowest byte that a later one reads, is what u asks for (a loose order: what u or a
 * later one reads). TN_NO_DISTANCE where there are more units than `most`, or the order is none. */
uint64_t tn_overlap_distance(const tn_reach *r, const tn_overlap_form *form);

#endif
