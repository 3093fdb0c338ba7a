/* The checker: proves a plan right for a module, or says what is wrong with it. It shares no code
 * with the passes that make plans: it numbers the steps, derives who reads what when, and resolves
 * aliases from the module and the op table by itself, and trusts nothing a plan says about
 * liveness.
 *
 * It proves that
 *   - every op of the module has its step(s), in an order that respects data dependences;
 *   - every value of planable size is placed once, in bounds of storage and pool, aligned, with
 *     the size its type has; constants lie in a constant pool;
 *   - whenever a value is written, no byte of it belongs to another value that somebody still reads
 *     (graph outputs are read after the last step), unless the two are the same bytes by a view, or
 *     the op table allows the producer to write over that operand in place;
 *   - pinned storages, inputs (unless donated), outputs, constants and excluded values are never
 *     overwritten; frees come after the last read and once; hazards cover every reuse;
 *   - slots hold what the storages say; report figures agree with the placements. */
#ifndef TENURE_IR_CHECK_CHECK_H
#define TENURE_IR_CHECK_CHECK_H

#include "ir/plan/plan.h"

/* TN_OK, or TN_ERROR after one diagnostic a violation (at most TN_CHECK_MAX_REPORTS of them), each
 * naming tensors and steps. The module must have inferred types. */
#define TN_CHECK_MAX_REPORTS 20
TN_MUST_USE tn_status tn_plan_check(const tn_plan *p, const tn_module *m);

#endif
