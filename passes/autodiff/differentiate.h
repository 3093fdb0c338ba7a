/* Reverse mode differentiation of a graph: which values need a gradient, and the backward part. */
#ifndef TENURE_PASSES_AUTODIFF_DIFFERENTIATE_H
#define TENURE_PASSES_AUTODIFF_DIFFERENTIATE_H

#include "ir/gradient/gradient.h"

/* What is to be differentiated, and what is known on the way. Arrays are by id of value. */
typedef struct tn_diff {
    tn_module *m;
    tn_graph *graph; /* the ops that are differentiated: the main graph, or a branch */
    tn_emitter *e;
    tn_arena *scratch;
    tn_value *loss;      /* for a branch, too: messages name it */
    tn_value *seed;      /* gradient of the loss; made when NULL */
    tn_value **sinks;    /* of a branch: its results, */
    tn_value *const *ds; /* their gradients, or NULL, */
    uint32_t n_sinks;    /* and how many: 0 for the main graph, where the loss is the one */
    bool *wanted;        /* a gradient by this value was asked for */
    bool *stopped;       /* nothing flows through it */
    const char *indices; /* the option of the pass: "auto", "keep", "recompute" */
    bool keeps_least;    /* what the forward part keeps is chosen behind (keep_least.h) */
    uint32_t n_values;   /* when it began: what comes later needs no gradient */
    bool *flows;         /* depends on a wanted value */
    bool *needed;        /* flows, and the loss depends on it */
    tn_value **grads;    /* the sum so far */
    uint32_t *n_pieces;  /* of that sum */
    uint32_t *owner; /* by id of value, those made included: whose gradient has given it a name */
    uint32_t n_owner;
    uint64_t n_sums;
    TN_VEC(tn_op *) to_expand; /* by tn_diff_need: ops on the way that have an expansion */
    /* A gradient by a wanted value is complete. */
    void (*complete)(void *user, tn_value *x, tn_value *grad);
    void *user;
} tn_diff;

/* Sets flows and needed, and to_expand: where that is not empty, what lies in front of these ops is
 * a guess. Errors are located: an op without a known gradient on the way from a wanted value to the
 * loss. */
TN_MUST_USE tn_status tn_diff_need(tn_diff *d);
/* Whether values read in the bodies of `op` depend on a wanted value. */
bool tn_diff_captures(const tn_diff *d, const tn_op *op);
/* The same, again and again: ops on the way are expanded until none is left that can be. `choose`
 * sets `wanted` and `stopped` each time, for values have other ids then. *n counts the ops. */
TN_MUST_USE tn_status tn_diff_settle(tn_diff *d, tn_status (*choose)(void *user), void *user,
                                     uint64_t *n);
/* Appends the backward part, in reverse of the schedule, so that values kept for it are read last
 * in, first out. */
void tn_diff_run(tn_diff *d);
/* Adds `piece` to the gradient by x. */
void tn_diff_add(tn_diff *d, tn_value *x, tn_value *piece);

/* An If whose condition is not known before the run (branches.c). */
bool tn_diff_branches(const tn_op *op);
/* Sets needed for what its branches read. */
TN_MUST_USE tn_status tn_diff_need_branches(tn_diff *d, const tn_op *op);
/* The backward part of the op: an If on the same condition. `ds` are the gradients of its results,
 * or NULL. */
void tn_diff_run_branches(tn_diff *d, tn_op *op, tn_value *const *ds);

#endif
