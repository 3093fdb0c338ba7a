/* Plans with groups of ops that tenure makes itself (--fuse): never larger than without. */
#ifndef TENURE_LIB_FUSE_PLAN_H
#define TENURE_LIB_FUSE_PLAN_H

#include "ir/base/map.h"
#include "ir/module.h"
#include "ir/plan/plan.h"

/* How the module is planned. */
typedef struct tn_fuse_form {
    bool groups;
    const tn_map *apart;           /* values that no group keeps; NULL: any may be kept */
    struct tn_fuse_memory *memory; /* of all plans of the module */
    bool again;                    /* without hooks and messages */
    bool figures;                  /* of the plan only these are wanted */
} tn_fuse_form;

typedef struct tn_fuse_maker {
    /* As tn_run_pipeline. */
    tn_status (*make)(void *user, tn_module *m, tn_fuse_form form, tn_plan **plan);
    void *user;
    bool once;     /* the module can be planned once alone: passes have added to it */
    bool overlaps; /* plans may have results that begin inside of operands */
    bool clones;   /* plans may make results again instead of keeping them */
} tn_fuse_maker;

/* Plans the module with all groups there can be, and without. Where that needs less, groups that
 * read what is alive at the peak are left out, a few times, and in the end all. The module becomes
 * that of the plan. As tn_planner_run. */
TN_MUST_USE tn_status tn_fuse_plan(tn_module *m, tn_fuse_maker maker, tn_plan **plan);

#endif
