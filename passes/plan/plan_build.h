/* Filling a plan from a module, its alias classes and a layout. Each function fills one part; they
 * are called in the order given here, by the pass `reuse`. */
#ifndef TENURE_PASSES_PLAN_PLAN_BUILD_H
#define TENURE_PASSES_PLAN_PLAN_BUILD_H

#include "ir/plan/plan.h"
#include "passes/plan/arena_layout.h"

typedef struct tn_build {
    tn_ctx *ctx;
    tn_module *m;
    tn_arena *scratch;
    tn_controls want;
    const tn_liveness *live;
    const tn_precedence *order;
    const tn_storages *classes; /* storages of the plan have the same numbers */
    const tn_layout *layout;
    tn_plan *p;
    tn_sink text;                 /* of one type */
    tn_map types;                 /* by the id of such a text: the plan value that has it first */
    const tn_value *described;    /* the last one whose type was described, or NULL */
    TN_VEC(tn_plan_claim) claims; /* of the step at hand */
    bool trial;                   /* for the cost alone; that it does not fit is not told */
    bool equal_types;             /* bytes are shared by equal types alone: levels below 1 */
    const tn_layout_ask *ask;     /* how the arena was laid out */
    uint64_t grown;               /* bytes by which workspaces grew into holes, aligned */
    struct tn_before *before;     /* where things lay in the plan before, or NULL */
    /* Which results may begin inside operands; NULL: the layout says all of it */
    const struct tn_overlap_pairs *pairs;
    const tn_plan_worth *worth; /* NULL: every plan is */
    uint32_t *plan_value;       /* by module value id; TN_NO_ID for what takes no part */
} tn_build;

/* Pools, storages and slots; pools: the arena always, io and const where there is something. */
void tn_build_storages(tn_build *b);
/* Every value of the module that takes part in a run: placed, or with the reason why not. */
void tn_build_values(tn_build *b);
/* Which dimensions are open, where that leaves values out. */
void tn_build_open(tn_build *b);
/* For dimensions that stay open: sizes as expressions and the relation between storages, from which
 * offsets are worked out again. TN_ERROR where sizes overflow; TN_NOFIT without a word for a plan
 * that is not worth making. */
TN_MUST_USE tn_status tn_build_ranges(tn_build *b);
/* Extents that data give; for values as they are built. */
void tn_build_by_data(tn_build *b);
/* What the user says of places: storages go to pools, and to the offsets they are to have. Behind
 * tn_build_steps, from which follows what is read and written. Statuses are TN_USAGE, TN_ERROR or
 * TN_NOFIT after a diagnostic. */
TN_MUST_USE tn_status tn_build_places(tn_build *b);
/* What is known of the plan before, where the user names one: ahead of tn_build_places. TN_USAGE or
 * TN_ERROR after a diagnostic. */
TN_MUST_USE tn_status tn_build_before(tn_build *b);
/* Puts storages back where they lay in that plan, as many as can, behind tn_build_places. */
void tn_build_kept(tn_build *b);
/* Where places are not those of the layout: which results begin inside operands after all. */
void tn_build_overlaps(tn_build *b);
/* What kernels promise at step s, whose operands and results have their places. */
void tn_build_claims(tn_build *b, const tn_op *op, tn_plan_step *s);
/* What takes which value after the run. */
void tn_build_bindings(tn_build *b);
/* Steps with reads and writes. */
void tn_build_steps(tn_build *b);
/* Hazards of all steps, and the log of which storage reuses the bytes of which (`log` may be NULL).
 */
void tn_build_hazards(tn_build *b, tn_sink *log);
/* Of a plan whose steps run side by side: the queue of each, and how deep it is. */
void tn_build_queues(tn_build *b);
/* Report figures but saved_by_sharing and those of other orders. */
void tn_build_report(tn_build *b);

#endif
