/* Whether a plan keeps what was said of places: pools, fixed places, alignments of values. */
#ifndef TENURE_LIB_DEMAND_PLACES_H
#define TENURE_LIB_DEMAND_PLACES_H

#include "ir/plan/plan.h"
#include "lib/request/request.h"

/* Looks at the plan alone, and not at how it was made. TN_OK, or TN_ERROR after a diagnostic that
 * names the pool or the value. `name` is the plan's in messages. */
TN_MUST_USE tn_status tn_demand_places(const tn_request *r, const tn_plan *plan, const char *name);

#endif
