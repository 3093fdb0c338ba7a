/* Memory for computation: which values to give up between two uses and compute once more. Greedy
 * moves at the fullest step (Chen et al. 2016 in spirit; the rule by which moves are taken is that
 * of shared presses on all full steps), every one of them planned before it counts. */
#ifndef TENURE_PASSES_RECOMPUTE_CLONE_SEARCH_H
#define TENURE_PASSES_RECOMPUTE_CLONE_SEARCH_H

#include "passes/core/pass.h"

typedef struct tn_recompute_ask {
    double most;     /* operations that clones may add, as a part of the model's */
    uint64_t budget; /* bytes of the arena that are few enough; 0: the fewest */
    double part;     /* the same as a part of the arena without clones; 0: not asked for so */
    bool last;       /* no search follows that goes on from this one */
    tn_inplace_kinds inplace; /* what the passes behind may do */
    uint64_t align;
    bool io_in_arena;
    bool brief; /* look at a part of the forms */
} tn_recompute_ask;

/* An arena that was found, and what it costs. */
typedef struct tn_recompute_point {
    double flops; /* of the clones */
    uint64_t arena;
} tn_recompute_point;

typedef struct tn_recompute_outcome {
    uint64_t plans;      /* that were made to find out */
    uint32_t clones;     /* in the module */
    double flops, model; /* of the clones, and of the model */
    uint64_t before, arena;
    const tn_recompute_point *curve; /* falling arenas for rising operations, from 0 on */
    uint32_t n_curve;
} tn_recompute_outcome;

typedef void tn_recompute_report(tn_pass_ctx *c, const tn_recompute_outcome *out);

/* Candidates for the manager: the module as it is, and what each move makes of it. `report` is
 * called when the best form stands in the module. */
tn_candidates tn_recompute_candidates(tn_pass_ctx *c, const tn_recompute_ask *ask,
                                      tn_recompute_report *report);

#endif
