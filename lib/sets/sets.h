/* Sets of plans: several programs in one arena, and variants of a program for several extents. Each
 * is planned by itself; then constants, inputs, outputs and state get places that all agree on. */
#ifndef TENURE_LIB_SETS_SETS_H
#define TENURE_LIB_SETS_SETS_H

#include "lib/planner.h"

/* A program and its model. */
typedef struct tn_set_model {
    const char *program, *path;
} tn_set_model;

/* A plan and the module it was made of. */
typedef struct tn_set_plan {
    tn_plan *plan;
    tn_module *module;
    /* With open dimensions, for the checker: the model as it was loaded, and what was asked of it.
     */
    tn_module *loaded;
    tn_request *request;
} tn_set_plan;

/* All plans, those of a program in a row. */
typedef struct tn_set_plans {
    const tn_set_model *models; /* of the programs */
    uint32_t *n_variants;       /* by program */
    uint32_t n_programs;
    TN_VEC(tn_set_plan) list;
} tn_set_plans;

/* The path in "PATH" or "NAME=PATH": a text with '=' is a path itself where '/' stands before. */
const char *tn_set_path(const char *text);
/* The text that has `path` for its path, and no name. */
const char *tn_set_path_text(tn_arena *arena, const char *path);
/* The programs of such texts; without a name it is that of the file. TN_USAGE after an error where
 * two have one name. */
TN_MUST_USE tn_status tn_set_models(tn_arena *arena, const char *const *texts, uint32_t n,
                                    tn_set_model *out);
/* Whether the request makes several plans of so many models. */
bool tn_set_wanted(const tn_request *r, uint32_t n_models);

/* What `r` asks of one program: names that begin with "PROGRAM/" are for that program alone; `own`
 * becomes true for dimensions of which that is so. In the arena of `r`. NULL after a diagnostic. */
tn_request *tn_set_request(const tn_request *r, const tn_set_model *models, uint32_t n,
                           uint32_t program);
/* A dimension that is given for all programs is one of some; TN_USAGE after an error. `modules` are
 * those of the programs and variants, as loaded with what tn_set_request gave. */
TN_MUST_USE tn_status tn_set_demand_dims(const tn_request *r, const tn_set_model *models,
                                         uint32_t n, const tn_module *const *modules,
                                         uint32_t n_modules);
/* The combinations of extents of a program's request: the dims of combination `index` are added to
 * those of *r, which is copied before. */
uint32_t tn_set_n_buckets(const tn_request *r);
tn_request tn_set_bucket(const tn_request *r, uint32_t index);

/* Loads and plans all; *plan is the first plan, which owns the others, or NULL. Modules are handed
 * over where `models` of the set are wanted (`modules` not NULL), one for each plan, in order.
 * TN_NOFIT leaves *plan for the report. */
TN_MUST_USE tn_status tn_set_make(tn_arena *arena, const tn_request *r, const tn_set_model *models,
                                  uint32_t n, const tn_run_settings *settings, tn_plan **plan,
                                  tn_module ***modules);

/* Gives all plans the same pools, and what they share the same places. TN_ERROR after a diagnostic
 * where a link or a state cannot be. */
TN_MUST_USE tn_status tn_set_join(tn_arena *arena, tn_set_plans *plans, const tn_request *r);

/* Checks the plans of a set against the models of its programs, in order. */
TN_MUST_USE tn_status tn_set_check_files(tn_request *r, const tn_plan *plan,
                                         const char *const *texts, uint32_t n);
/* The same with the modules at hand, each behind the one of the plan before, or with the only one
 * of variants with open dimensions. They stay as they are. */
TN_MUST_USE tn_status tn_set_check_modules(tn_request *r, const tn_plan *plan,
                                           const tn_module *first);

/* The largest extent of the dimension r->largest for which the arena stays within the capacity;
 * TN_NOFIT where there is none. */
TN_MUST_USE tn_status tn_set_largest(const tn_request *r, const char *path, int64_t *extent);

#endif
