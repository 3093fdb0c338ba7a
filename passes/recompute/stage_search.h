/* A search for sets of clones (stages.h) that need few bytes: steps at random, among them some that
 * make it worse, less and less so (threshold accepting, Dueck and Scheuer 1990). */
#ifndef TENURE_PASSES_RECOMPUTE_STAGE_SEARCH_H
#define TENURE_PASSES_RECOMPUTE_STAGE_SEARCH_H

#include "passes/recompute/stages.h"

typedef struct tn_stage_ask {
    const tn_stages *p;
    tn_stage_set first; /* where it begins */
    bool moves;         /* ops of the model may get other places */
    uint64_t flops;     /* that clones may have in all */
    uint64_t goal;      /* a peak that is small enough */
    uint64_t seed;
    uint32_t tries; /* sets that are looked at */
    uint32_t slack; /* how much worse a step may make it at first: 1024 is about 2 % of the peak */
} tn_stage_ask;

typedef struct tn_stage_answer {
    tn_stage_set set;
    uint64_t peak, flops;
} tn_stage_answer;

/* The same for the same question. The best set is no worse than the first one, where that has few
 * enough operations. */
tn_stage_answer tn_stage_search(tn_arena *arena, const tn_stage_ask *ask);

#endif
