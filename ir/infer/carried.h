/* Values carried round a loop: their types must hold for the first and for every later iteration.
 *
 * The first round binds the types that flow in. When the body makes another type of one, what the
 * two have in common is bound and the body inferred again; after a few rounds (at once when
 * in->cautious) every carried value keeps no more than its element type, which no body can change.
 */
#ifndef TENURE_IR_INFER_CARRIED_H
#define TENURE_IR_INFER_CARRIED_H

#include "ir/infer/infer.h"

typedef struct tn_carried {
    uint32_t n;
    tn_value **args;       /* the body's arguments, n of them */
    tn_value **outs;       /* what the body makes of them */
    const tn_type **types; /* what holds in every iteration; final once settled */
    bool *changes;         /* the shape differs between iterations */
    uint32_t round;
} tn_carried;

/* Binds `args` to the types of operands first, first + 1, ... as `flow` (of n) gives them. */
tn_carried *tn_carried_start(tn_infer *in, uint32_t n, tn_value **args, tn_value **outs,
                             const tn_type *const *flow);
/* After the body was inferred: true when the types hold, false when new ones were bound and the
 * body must be inferred again. */
bool tn_carried_settled(tn_infer *in, tn_carried *c);
/* Why carried value k has no size, NULL when nothing is to be said. */
const char *tn_carried_why(const tn_carried *c, uint32_t k);

/* `type` without dimension `axis`, and with `extent` put in before it (axis up to the rank; the
 * negative ones count from behind). The unranked type where that is impossible. */
const tn_type *tn_type_slice(const tn_infer *in, const tn_type *type, int64_t axis);
const tn_type *tn_type_stack(const tn_infer *in, const tn_type *type, int64_t axis, tn_dim extent);

#endif
