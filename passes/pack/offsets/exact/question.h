/* What the exact searches are asked: is there a packing no higher than some height? */
#ifndef TENURE_PASSES_PACK_OFFSETS_EXACT_QUESTION_H
#define TENURE_PASSES_PACK_OFFSETS_EXACT_QUESTION_H

#include "passes/pack/base/instance.h"
#include "passes/pack/base/stop.h"

typedef struct tn_question {
    uint64_t goal;   /* bytes: the height */
    uint64_t budget; /* nodes */
    uint32_t seed;   /* another one shakes the order of choices a little otherwise; 0: not at all */
    tn_stop_at stop;
} tn_question;

/* TN_FOUND: offsets for it; TN_FOUND_NONE: proof that there is none; TN_FOUND_CUT: the search ended
 * before that was known. */
typedef enum tn_found { TN_FOUND, TN_FOUND_NONE, TN_FOUND_CUT } tn_found;

/* What the height allows: the highest offset of each item (units), or NULL when one does not fit by
 * itself; and in *capacity the highest top of any. */
uint64_t *tn_question_limits(tn_arena *arena, const tn_inst *inst, uint64_t goal,
                             uint64_t *capacity);

#endif
