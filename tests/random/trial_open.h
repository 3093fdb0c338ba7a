/* One module whose symbols stay open, one way to plan it, and runs at many extents. */
#ifndef TENURE_TESTS_RANDOM_TRIAL_OPEN_H
#define TENURE_TESTS_RANDOM_TRIAL_OPEN_H

#include "tests/random/trial.h"

/* Reads the text, leaves its symbols open in ranges drawn from the seed, and plans it once. Then
 * for ten bindings the variant with the smallest arena is worked out, and held against the module
 * bound so: sizes of all values, checker, oracle, shadow runs. In some plans one edge of the
 * relation is left out afterwards: where no path stands for it, the checker must refuse the plan.
 * What is wrong first, in `arena`, or NULL; diagnostics count as wrong, as in trial_run. */
const char *trial_run_open(tn_ctx *ctx, const trial *t, const tn_sink *said, tn_arena *arena,
                           trial_totals *totals);

#endif
