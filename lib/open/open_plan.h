/* One plan for every extent of the dimensions that a model leaves open. */
#ifndef TENURE_LIB_OPEN_OPEN_PLAN_H
#define TENURE_LIB_OPEN_OPEN_PLAN_H

#include "lib/open/open_points.h"
#include "lib/request/request.h"

/* How a plan is made of a module at its point: `make` runs the pipeline, for all to see where
 * `worth` is NULL, else silently, and without what the report says of other orders. `judge` finds
 * that out for such a plan, with a module as the pipeline got it; `finish` stamps a plan that is
 * kept, and checks it: one that is wrong is dropped. `misfits` infers types, silently, and counts
 * what contradicts the definitions of ops. */
typedef struct tn_open_maker {
    tn_status (*make)(void *user, tn_module *m, const tn_plan_worth *worth, tn_plan **plan);
    tn_status (*judge)(void *user, tn_module *m, tn_plan *plan);
    tn_status (*finish)(void *user, tn_module *m, tn_plan **plan);
    uint32_t (*misfits)(void *user, tn_module *m);
    void *user;
} tn_open_maker;

/* Plans the module at several points of its open dimensions, works all plans out at many extents,
 * and keeps the one whose arena is at worst the fewest times larger than the smallest of all; with
 * one or two others as variants where that is more than TN_OPEN_SLACK percent somewhere. The module
 * must have inferred types; it becomes that of one of the plans. As tn_planner_run. */
enum { TN_OPEN_SLACK = 3, TN_OPEN_VARIANTS = 3 };
TN_MUST_USE tn_status tn_open_plan(tn_module *m, tn_open_maker maker, tn_plan **plan);

#endif
