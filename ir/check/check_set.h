/* The checker of sets: proves that plans which share memory keep out of each other's way. Each plan
 * is proved right by itself first (ir/check/check.h). */
#ifndef TENURE_IR_CHECK_CHECK_SET_H
#define TENURE_IR_CHECK_CHECK_SET_H

#include "ir/check/check.h"

/* It proves that
 *   - all plans have the same pools, and those of the set are as large as the largest;
 *   - what --link and --state tie together, and state of a program in all of its variants, lies at
 *     one place with one size, outside of the arena; of a program with open dimensions nothing is
 *     tied to others, and its state moves with the extents;
 *   - no other bytes of that are anybody's, and inputs and outputs of different programs lie apart;
 *   - inputs, outputs and state of a plan with open dimensions have a pool that no other program
 *     has anything in;
 *   - constants that lie at one place have equal contents.
 * `modules` has that of each plan, in the order of tn_plan_at. TN_OK, or TN_ERROR after one
 * diagnostic a violation, at most TN_CHECK_MAX_REPORTS of them. TN_OK for a plan without a set. */
TN_MUST_USE tn_status tn_plan_check_set(const tn_plan *p, const tn_module *const *modules);

#endif
