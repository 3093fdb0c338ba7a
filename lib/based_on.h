/* The plan that --based-on names. */
#ifndef TENURE_LIB_BASED_ON_H
#define TENURE_LIB_BASED_ON_H

#include "ir/plan/plan.h"
#include "lib/request/request.h"

/* Reads the plan that the request names; *plan is the caller's to drop, or NULL where it names
 * none. TN_ERROR after a diagnostic where the file holds no plan, or one whose places cannot be
 * kept: of several programs or variants, with open dimensions, with slots, or below level 1. */
TN_MUST_USE tn_status tn_based_on_read(const tn_request *r, tn_plan **plan);

#endif
