/* In which order to run the ops of a model, and which to run once more before which others, over
 * plain arrays. A set holds pairs of an op that is run again and the op right before which that is
 * done. Who reads a value reads what was made of it last, so whatever clones there are, it makes
 * sense, and moves from one set to another need little care. (The R of Checkmate, Jain et al. 2020,
 * in which a value is kept as long as its next reader comes before the next clone.)
 *
 * What becomes of a set is found in time linear in operands, without a plan: views and results in
 * place are guessed, so whoever takes a set plans it before it counts. */
#ifndef TENURE_PASSES_RECOMPUTE_STAGES_H
#define TENURE_PASSES_RECOMPUTE_STAGES_H

#include "ir/base/arena.h"

#define TN_STAGE_NONE UINT32_MAX

typedef struct tn_stage_value {
    uint32_t def;         /* the op; NONE for what is there at the start */
    uint32_t view;        /* the operand whose bytes it has in any case, or NONE */
    uint32_t lump;        /* value whose bytes it has where the model's op made it, or NONE */
    uint64_t size, again; /* bytes where the model's op made it, and where a clone did */
    const uint32_t *over; /* operands that it may be written over where they end */
    uint32_t n_over;
    bool free; /* readers may read what a clone made */
} tn_stage_value;

typedef struct tn_stage_op {
    const uint32_t *reads, *results; /* values, each once */
    uint32_t n_reads, n_results;
    const uint32_t *before, *after; /* ops that have to run before and behind it */
    uint32_t n_before, n_after;
    uint64_t work;  /* bytes only while it runs */
    uint64_t flops; /* of a clone */
    bool clonable, movable;
} tn_stage_op;

typedef struct tn_stages {
    const tn_stage_op *op; /* n of them, and one more that reads what lasts to the end */
    const tn_stage_value *value;
    uint32_t n, n_values;
    uint32_t n_reads, n_results; /* of all ops */
    uint32_t most_reads, most_results;
    uint64_t base; /* bytes alive all the time */
} tn_stages;

typedef struct tn_stage_clone {
    uint32_t at, op; /* `op` is run once more right before `at`, which stands behind it */
} tn_stage_clone;

/* Clones are sorted by where `at` stands, then `op`; there are no two of one op before another. */
typedef struct tn_stage_set {
    tn_stage_clone *clones;
    uint32_t n;
    uint32_t *order, *place; /* ops by place and places by op: p->n + 1, the end last */
} tn_stage_set;

/* Something that is made of a value, and when: runs are those of ops and clones, from 1 on. */
typedef struct tn_stage_instance {
    uint32_t value, run;
    uint32_t root;  /* the instance whose bytes it has, or itself */
    uint32_t last;  /* of a root: the run that reads it last; 0: nobody does */
    uint64_t bytes; /* of a root */
    bool read, gone;
} tn_stage_instance;

typedef struct tn_stage_run {
    uint32_t op, at, reads, instances; /* where the lists of instances begin */
    bool again, used;
    uint64_t load; /* bytes alive while it runs */
} tn_stage_run;

/* What became of a set. Unused runs are of clones that nobody reads. */
typedef struct tn_stage_found {
    const tn_stages *p;
    uint32_t most_clones;
    tn_stage_run *run; /* n_runs, from 1 on, and one more at the end */
    uint32_t *read;    /* instances, by run */
    tn_stage_instance *instance;
    uint32_t n_runs, n_reads, n_instances;
    uint32_t *now, *lump; /* by value: its latest instance, and that of a lump's bytes */
    uint64_t peak, flops;
} tn_stage_found;

/* Without clones, in the order of the numbers, with space for so many. */
tn_stage_set tn_stage_set_new(tn_arena *arena, const tn_stages *p, uint32_t most_clones);
/* Sorts the clones, and drops those that stand before the op they run again. */
void tn_stage_set_sort(tn_stage_set *set);
/* Space for sets of up to so many clones. */
tn_stage_found *tn_stage_found_new(tn_arena *arena, const tn_stages *p, uint32_t most_clones);
/* Who reads what, and what the clones take: `set` loses those that nobody reads. */
void tn_stage_trace(tn_stage_found *f, tn_stage_set *set);
/* Loads and the peak of what was traced, once. */
void tn_stage_load(tn_stage_found *f);
/* Both. */
void tn_stage_find(tn_stage_found *f, tn_stage_set *set);
/* A number that falls with the peak, and with the load of the fullest runs where the peak stays:
 * the sum of 32nd powers of loads in parts of `unit`, in parts of 2^32. */
uint64_t tn_stage_pressure(const tn_stage_found *f, uint64_t unit);

#endif
