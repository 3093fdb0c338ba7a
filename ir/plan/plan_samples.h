/* Extents at which plans with open dimensions are held against each other. */
#ifndef TENURE_IR_PLAN_PLAN_SAMPLES_H
#define TENURE_IR_PLAN_PLAN_SAMPLES_H

#include "ir/plan/plan.h"

enum { TN_PLAN_SAMPLES = 96 };

typedef struct tn_plan_samples {
    uint32_t n, n_ranges;
    int64_t *of[TN_PLAN_SAMPLES]; /* n of them, each with an extent for each range of the plan */
} tn_plan_samples;

/* Samples of the plan's ranges, in `arena`; equal for equal ranges. First one extent for all
 * dimensions, then each of the first dimensions as small as it may be among others that are drawn,
 * then all of them drawn. Extents are clipped into their range. */
tn_plan_samples tn_plan_samples_make(tn_arena *arena, const tn_plan *p);

#endif
