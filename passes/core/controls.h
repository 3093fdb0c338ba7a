/* What the user asked for beyond the pipeline: the older systems' switches, with their meaning, one
 * struct. Filled by the tool or an embedder, completed from the model's own metadata_props
 * ("tenure.exclude", ...) by the pass `pin`, which turns names into value flags. */
#ifndef TENURE_PASSES_CORE_CONTROLS_H
#define TENURE_PASSES_CORE_CONTROLS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct tn_names {
    const char *const *data;
    uint32_t len;
} tn_names;

typedef struct tn_controls {
    tn_names exclude; /* --exclude, --skip: globs; value, its views and its gradient keep their own
                         storage */
    tn_names loss;    /* --loss */
    tn_names grad_of; /* --grad-of PARAM=NAME */
    tn_names update;  /* --update STATE=VALUE: what inputs and initializers are after the run */
    const char *grad_suffix; /* --grad-suffix; NULL: "_grad" */
    bool skip_grads;         /* no backward value takes part in reuse */
    bool skip_param_grads;   /* parameter gradients keep their own storage (default on) */
    bool optimize_train;     /* plan graphs with a backward part (default on) */
    bool optimize_test;      /* plan graphs without one (default on; Caffe's default was off) */
    bool keep_all;           /* every value keeps its own bytes */
    bool reuse_inputs;       /* inputs die after their last read (all of them donated) */
    bool io_in_arena;        /* inputs and outputs lie in the arena pool (pinned there) */
    uint64_t align;          /* of every storage, bytes; default 64 */
    uint64_t capacity;       /* of the arena, 0: none */
} tn_controls;

/* The defaults above; everything else empty. */
tn_controls tn_controls_default(void);

#endif
