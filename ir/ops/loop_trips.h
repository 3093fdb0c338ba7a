/* How often a Loop runs that its condition ends: what compilers of recurrent networks write who
 * count in a state of their own, "go on while counter + 1 < steps". */
#ifndef TENURE_IR_OPS_LOOP_TRIPS_H
#define TENURE_IR_OPS_LOOP_TRIPS_H

#include "ir/infer/infer.h"

/* Ends later than that are no known ones: what counts so far may leave the range of its type. */
#define TN_LAST_COUNTED ((int64_t)1 << 28)

/* The number of the iteration (from 0 on) behind which the condition that `body`, of a loop whose
 * types are settled, makes is false for the first time; more than TN_LAST_COUNTED where it is true
 * for longer than that. False where it does not follow from numbers in the model. The condition may
 * be a conjunction of comparisons of values that grow by a number in each iteration: the
 * iteration's number, and states that start at a number and are added to. */
bool tn_loop_ends_behind(tn_infer *in, const tn_graph *body, int64_t *last);

#endif
