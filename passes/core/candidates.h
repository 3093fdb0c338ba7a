/* The one way to find out what passes behind the one at hand would make of the module: they are run
 * on it as it is, silently and without hooks, and everything they decide is taken back. A pass does
 * not do so itself: it proposes candidates (tn_pass_info.propose), and the manager compares them.
 */
#ifndef TENURE_PASSES_CORE_CANDIDATES_H
#define TENURE_PASSES_CORE_CANDIDATES_H

#include "passes/core/pass.h"

/* Asks c->pass for candidates and leaves the module as the one whose arena is the smallest; of
 * equals as number 0, else as the one with the least bytes at level 0, the first of equals. Raises
 * only TN_NOMEM; what else goes wrong in a trial will go wrong again when the passes are run, and
 * counts as a candidate without a plan here. */
void tn_try_candidates(tn_pass_ctx *c);

#endif
