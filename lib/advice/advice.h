/* What would make a plan smaller that only the user can do: other options, other kernels, another
 * graph. Each piece says what it comes to, by planning with it, and what it asks for. */
#ifndef TENURE_LIB_ADVICE_H
#define TENURE_LIB_ADVICE_H

#include "lib/advice/trials.h"

typedef enum tn_advice_kind {
    TN_ADVICE_OPTION,
    TN_ADVICE_RECOMPUTE,
    TN_ADVICE_CONSTANTS, /* results that follow from constants alone are made before the run */
    TN_ADVICE_FUSION,    /* a few ops as one kernel */
    TN_ADVICE_INDICES,   /* i64 as i32 */
    TN_ADVICE_CACHE,     /* a past that grows where it lies */
    TN_ADVICE_PATCHES,   /* the first layers in tiles */
    TN_ADVICE_POOLS,     /* a second memory, where the arena does not fit */
} tn_advice_kind;

/* Indexed by tn_advice_kind. */
extern const char *const tn_advice_kind_names[];

/* Tiles of images, for steps that follow one another. */
typedef struct tn_patches {
    uint32_t first, last; /* steps */
    uint32_t rows, columns;
} tn_patches;

typedef struct tn_advice {
    tn_advice_kind kind;
    const char *what; /* options, or a sentence without its end */
    const char *asks; /* of whom and for what, as "kernels that ..." */
    tn_outcome outcome;
    bool estimate;       /* worked out from the plan; else planned */
    uint64_t operations; /* more than now, by the model of ir/ops/flops.h */
    double part;         /* these of all there are now */
    const char *options; /* of the command line, with a space between; NULL: none */
    tn_texts tensors;    /* what it is about, by name, or "PATH/NAME" */
    tn_texts nodes;      /* steps that are run once more, as people name them */
    const char *group;   /* of a fusion: what stands in a file of --op-facts, JSON; or NULL */
    tn_patches patches;
} tn_advice;

/* What advice is about. */
typedef struct tn_advice_scene {
    tn_arena *arena; /* for the pieces */
    tn_trials *trials;
    const tn_module *m; /* as planned: ids of what the source has are the same there */
    const tn_plan *plan;
    tn_outcome now;
    uint64_t capacity;    /* what the arena should fit in, bytes; 0: nothing */
    bool without_options; /* only what is about the graph */
} tn_advice_scene;

typedef TN_VEC(tn_advice) tn_advice_list;

/* Largest gain first; nothing that gives less than 1 % of the arena. */
tn_advice_list tn_advise(tn_advice_scene *s);

void tn_advice_print(const tn_outcome *now, const tn_advice *a, tn_sink *out);
/* Keys of an object and their values, from a comma on. */
void tn_advice_print_json(const tn_advice *a, tn_sink *out);

#endif
