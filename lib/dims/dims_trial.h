/* One trial of numbers for what a model leaves open: load, infer, count what is wrong. */
#ifndef TENURE_LIB_DIMS_TRIAL_H
#define TENURE_LIB_DIMS_TRIAL_H

#include "lib/dims/dims_example.h"
#include "lib/dims/dims_guess.h"

/* What is wrong with the numbers at hand. */
typedef struct tn_dims_misfit {
    uint32_t warnings; /* of inference */
    uint32_t unsized;
    uint32_t empty;     /* results without elements */
    uint32_t stretched; /* ops that broadcast an extent which is 1 by these numbers alone */
} tn_dims_misfit;

typedef struct tn_dims_search {
    tn_arena *arena;
    tn_open_model *open;
    bool bound; /* the numbers are used; else dimensions stay open */
    bool aloud; /* what inference says is shown */
    bool has_base;
    tn_dims_misfit base; /* wrong whatever the numbers are */
    tn_module *as_open;  /* inferred without numbers; NULL when it cannot be */
    uint64_t best;       /* the least cost so far, that of the numbers at hand between two trials */
    uint64_t work_left;  /* of all trials together, in ops inferred */
    uint64_t trial_work; /* of one */
    tn_unequals said;    /* by the trial at hand */
} tn_dims_search;

/* The module with types inferred under the numbers at hand, silently unless s->aloud; *warnings:
 * how often inference found something to complain about. NULL when it cannot be loaded so. */
tn_module *tn_dims_try(tn_dims_search *s, uint32_t *warnings);
/* How bad the numbers at hand are, and what inference says of them in s->said. 0: nothing is wrong
 * that other numbers could mend. */
uint64_t tn_dims_cost(tn_dims_search *s);
/* Frees what the search holds; costs of nothing are asked behind it. */
void tn_dims_end(tn_dims_search *s);
/* Of n things those that `base` does not have. */
static inline uint32_t tn_dims_beyond(uint32_t n, uint32_t base) {
    return n > base ? n - base : 0;
}

#endif
