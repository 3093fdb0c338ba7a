/* What would be if: copies of a model are planned with other options, or after a change of the
 * graph, and what came out is kept by what was tried. */
#ifndef TENURE_LIB_TRIALS_H
#define TENURE_LIB_TRIALS_H

#include "lib/planner.h"

enum { TN_CHANGED_SETTINGS = 12 };

/* Settings that are tried together; those that are not used have no key. */
typedef struct tn_change {
    tn_pair settings[TN_CHANGED_SETTINGS];
    bool keeps_pipeline; /* controls: they change the plan though not the pipeline */
} tn_change;

/* What a plan comes to. Bytes. */
typedef struct tn_outcome {
    uint64_t arena, bound; /* of all arenas */
    uint64_t first;        /* of the first arena alone */
    uint64_t ram;          /* with inputs, outputs and state */
    uint64_t constants;
    uint64_t cost;                         /* of all traffic, under --pool */
    uint32_t unplanned;                    /* values without a size */
    uint64_t operations, model_operations; /* of clones, and of everything else; 0 without clones */
    uint64_t graph_operations; /* of the graph that was planned, with parts and without clones */
    tn_texts clones;           /* nodes that are run once more, as people name them */
    const char *stretches;     /* that run in parts, "" for none */
    uint32_t n_steps;
    uint64_t stack,
        code;            /* of the program, and kernels that it lacks, where tn_trials.look says; */
    const char *missing; /* else 0 and NULL */
} tn_outcome;

typedef struct tn_tried {
    const char *what; /* the settings, as on a command line */
    bool made;        /* there is a plan */
    tn_outcome outcome;
} tn_tried;

typedef struct tn_trials {
    tn_arena *arena; /* for what is kept */
    tn_ctx *ctx;
    const tn_request *r;
    const tn_module *source;
    const tn_module *typed; /* the same with inferred types; NULL: not asked for yet */
    const tn_plan
        *plan; /* that there is, NULL: none, for dimensions that are numbers; where dimensions are
                  open, others are compared with it at the extents that its numbers are for */
    const char *pipeline; /* of that plan */
    uint32_t n_steps;     /* of that plan, or of one that is alike: what a plan costs */
    bool exact;           /* plans are whole ones: searches go as far as with the options alone */
    bool shares_searches; /* what one plan found out is used in the next */
    struct tn_layout_memory *layouts; /* that, of packings; NULL before the first plan */
    struct tn_order_memory *orders;   /* and of orders */
    bool counts;                      /* plans are counted against `left` */
    uint64_t left;                    /* steps that may be planned yet */
    uint32_t left_out;                /* plans that were not made for lack of them */
    /* Called with every plan that is made, before it is dropped; NULL: nobody looks. TN_OK, or what
     * the attempt ends with. */
    tn_status (*look)(void *user, const tn_plan *p, tn_outcome *o);
    void *look_user;
    TN_VEC(tn_tried) tried;
} tn_trials;

/* A change of a module with inferred types; false where there is nothing to change. */
typedef bool tn_edit_fn(tn_module *m, void *user);

/* What the plan comes to, in `arena`. */
tn_outcome tn_outcome_of(tn_arena *arena, const tn_plan *p);

/* Calls fn without diagnostics, as changed requests complain of what is not the user's, and behind
 * a boundary. Raises what it raises. */
void tn_trials_run(tn_trials *t, tn_status (*fn)(tn_ctx *ctx, void *arg), void *arg);

/* The functions below are called inside tn_trials_run. */

/* The model, each type inferred; it lasts until tn_trials_run ends. NULL where that fails. */
const tn_module *tn_trials_typed(tn_trials *t);
/* A plan with the settings on top of the request. NULL where they make no difference or do not go
 * together with what was asked for, and where there is no plan. */
const tn_tried *tn_try_change(tn_trials *t, const tn_change *c);
/* A plan of a changed copy of the typed model, with the settings of `c` (or NULL) on top. False
 * where there is none. */
bool tn_try_edit(tn_trials *t, const tn_change *c, tn_edit_fn *edit, void *user, tn_outcome *out);

#endif
