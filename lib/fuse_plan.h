/* Plans with groups of ops that tenure makes itself (--fuse): never larger than without. */
#ifndef TENURE_LIB_FUSE_PLAN_H
#define TENURE_LIB_FUSE_PLAN_H

#include "ir/base/map.h"
#include "ir/module.h"
#include "ir/plan/plan.h"

typedef struct tn_fuse_maker {
    /* Plans the module, with groups that keep none of the values of `apart` (NULL: none is
     * excepted) or without any; `again`: without hooks and messages. As tn_run_pipeline. */
    tn_status (*make)(void *user, tn_module *m, bool groups, const tn_map *apart, bool again,
                      tn_plan **plan);
    void *user;
} tn_fuse_maker;

/* Plans the module with all groups there can be, and without. Where that needs less, groups that
 * read what is alive at the peak are left out, a few times, and in the end all. The module becomes
 * that of the plan. As tn_planner_run. */
TN_MUST_USE tn_status tn_fuse_plan(tn_module *m, tn_fuse_maker maker, tn_plan **plan);

#endif
