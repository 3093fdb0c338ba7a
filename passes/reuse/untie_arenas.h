/* Aliases for several arenas. An alias ties two values to one pool; where that costs more than it
 * gives, the two go apart (passes/alias/untie.h). */
#ifndef TENURE_PASSES_REUSE_UNTIE_ARENAS_H
#define TENURE_PASSES_REUSE_UNTIE_ARENAS_H

#include "passes/reuse/make_plan.h"

/* Plans with fewer aliases, some rounds; the choice is then that of the cheapest plan found.
 * Nothing is done with one arena. Statuses are those of planning. */
TN_MUST_USE tn_status tn_untie_arenas(tn_planning *p);

#endif
