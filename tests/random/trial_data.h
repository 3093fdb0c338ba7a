/* One module whose symbols are extents that data give, one way to plan it, and runs at many of
 * them.
 */
#ifndef TENURE_TESTS_RANDOM_TRIAL_DATA_H
#define TENURE_TESTS_RANDOM_TRIAL_DATA_H

#include "tests/random/trial.h"

/* Reads the text, takes each of its symbols for an extent of which only a limit is known, drawn
 * from the seed, and plans it once, for all of them. Then ten times extents are drawn up to the
 * limits, and the plan, with its places as they are and values as small as they come out in the
 * module bound so, is held against that module: oracle and shadow runs. What is wrong first, in
 * `arena`, or NULL; diagnostics count as wrong, as in trial_run. */
const char *trial_run_data(tn_ctx *ctx, const trial *t, const tn_sink *said, tn_arena *arena,
                           trial_totals *totals);

#endif
