/* Which values a plan depends on by their elements: target shapes, starts of slices, conditions,
 * and what those were computed from. Of all other data of the model a plan knows types alone. */
#ifndef TENURE_IR_INFER_USED_H
#define TENURE_IR_INFER_USED_H

#include "ir/module.h"

/* By value id, in `arena`. Follows from the types and known elements in the module, which must be
 * inferred; what passes decided makes no difference. Changes nothing in the module. */
const bool *tn_used_contents(const tn_module *m, tn_arena *arena);
/* The inputs of the main graph among them, in the order of its list: the plan holds only for runs
 * in which they have the elements it was made with. *n of them, in `arena`. */
tn_value *const *tn_fixed_inputs(const tn_module *m, tn_arena *arena, uint32_t *n);

#endif
