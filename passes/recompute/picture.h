/* What the passes behind have decided about a form of the module: who is alive when, in how many
 * bytes of the arena. A copy, which outlives the trial it was made in. */
#ifndef TENURE_PASSES_RECOMPUTE_PICTURE_H
#define TENURE_PASSES_RECOMPUTE_PICTURE_H

#include "passes/analysis/storages.h"

typedef struct tn_alive {
    int32_t first, last; /* steps, both included */
} tn_alive;

typedef struct tn_picture {
    const tn_module *m;
    uint32_t n_steps, n_classes;
    tn_op *const *at;      /* by step */
    const uint32_t *begin; /* by op id: its step, TN_NO_STEP where it has none */
    const uint32_t *of;    /* by value id: its class (passes/analysis/storages.h) or TN_NO_CLASS */
    const tn_alive *value; /* by value id: {0, -2} where it is not scheduled */
    const uint64_t *bytes; /* by value id: aligned */
    const tn_alive *class; /* by class */
    const uint64_t *size;  /* by class: aligned; 0 outside of the arena */
    const uint32_t *first_member; /* by class, one more at the end: index in `members` */
    tn_value *const *members;     /* of all classes, by rising id */
    const bool *fixed;            /* by class: lies somewhere whatever is computed when */
    const uint64_t *load;         /* by step: bytes alive in the arena */
    const uint64_t *before;       /* by step: bytes alive across its begin */
    uint64_t peak;                /* most bytes alive */
    uint64_t need; /* what forms are compared by: the peak, or the bytes of a quick layout where
                      nothing but data order steps, so that the peak of one order says nothing */
} tn_picture;

/* `io_in_arena` and `align` as the plan is asked for. Linear. */
tn_picture *tn_picture_make(tn_arena *arena, const tn_module *m, tn_analyses *decided,
                            uint64_t align, bool io_in_arena);
/* Sum over all steps of the 32nd powers of loads in parts of `unit`: who has less is nearer to a
 * smaller peak, so that steps as full as the fullest are emptied one by one. */
double tn_picture_pressure(const tn_picture *p, double unit);
/* The 32nd power. */
double tn_pressure_of(double part);

#endif
