/* Forms of a module with clones that were planned: which is the best, and what bytes are to be had
 * for what operations. */
#ifndef TENURE_PASSES_RECOMPUTE_CLONE_FORMS_H
#define TENURE_PASSES_RECOMPUTE_CLONE_FORMS_H

#include "passes/recompute/clone_search.h"
#include "passes/recompute/clone_set.h"

typedef struct tn_clone_form {
    const tn_clone_set *set;
    double flops;   /* of the clones */
    uint64_t peak;  /* bytes that its picture needs: as a rule the most alive at once, which the
                       arena cannot be below */
    uint64_t arena; /* TN_NO_ARENA: not planned in full so far */
    bool tried;     /* to be planned in full */
} tn_clone_form;

typedef struct tn_clone_forms {
    tn_clone_form *data;
    uint32_t len, cap;
    uint64_t goal, peak_goal; /* bytes of an arena, and of a peak, that are few enough */
} tn_clone_forms;

/* By peaks. Where neither or both have few enough bytes, fewer bytes or fewer operations decide. */
bool tn_form_is_better(const tn_clone_forms *forms, const tn_clone_form *a, const tn_clone_form *b);
/* The best by peaks of those that were not tried; NULL where there is none. */
tn_clone_form *tn_forms_untried(const tn_clone_forms *forms);
/* Of these the one with the fewest operations whose peak is no higher. */
tn_clone_form *tn_forms_cheapest(const tn_clone_forms *forms, uint64_t peak);
/* The best by arenas; NULL where there is none. */
const tn_clone_form *tn_forms_smallest(const tn_clone_forms *forms);
/* Those that no other beats in both, by rising operations; `n` of them, in `arena`. Sorts. */
const tn_recompute_point *tn_forms_curve(tn_clone_forms *forms, tn_arena *arena, uint32_t *n);

#endif
