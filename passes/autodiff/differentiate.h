/* Reverse mode differentiation of a graph: which values need a gradient, and the backward part. */
#ifndef TENURE_PASSES_AUTODIFF_DIFFERENTIATE_H
#define TENURE_PASSES_AUTODIFF_DIFFERENTIATE_H

#include "ir/gradient/gradient.h"

/* What is to be differentiated, and what is known on the way. Arrays are by id of value. */
typedef struct tn_diff {
    tn_module *m;
    tn_emitter *e;
    tn_arena *scratch;
    tn_value *loss;
    tn_value *seed;      /* gradient of the loss; made when NULL */
    bool *wanted;        /* a gradient by this value was asked for */
    bool *stopped;       /* nothing flows through it */
    const char *indices; /* the option of the pass: "auto", "keep", "recompute" */
    uint32_t n_values;   /* when it began: what comes later needs no gradient */
    bool *flows;         /* depends on a wanted value */
    bool *needed;        /* flows, and the loss depends on it */
    tn_value **grads;    /* the sum so far */
    uint32_t *n_pieces;  /* of that sum */
    uint32_t *owner; /* by id of value, those made included: whose gradient has given it a name */
    uint32_t n_owner;
    uint64_t n_sums;
    /* A gradient by a wanted value is complete. */
    void (*complete)(void *user, tn_value *x, tn_value *grad);
    void *user;
} tn_diff;

/* Sets flows and needed. Errors are located: an op without a known gradient on the way from a
 * wanted value to the loss. */
TN_MUST_USE tn_status tn_diff_need(tn_diff *d);
/* Appends the backward part, in reverse of the schedule, so that values kept for it are read last
 * in, first out. */
void tn_diff_run(tn_diff *d);

#endif
