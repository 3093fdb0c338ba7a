/* What the caller asks for beyond the pipeline, one struct. Filled by the command or an embedder;
 * tn_controls_complete adds what the model's own metadata asks for. The pass `pin` turns names into
 * value flags. */
#ifndef TENURE_PASSES_CORE_CONTROLS_H
#define TENURE_PASSES_CORE_CONTROLS_H

#include "ir/plan/plan.h"

#include "ir/base/map.h"
#include "ir/concurrency.h"

typedef struct tn_names {
    const char *const *data;
    uint32_t len;
    uint32_t of_model; /* so many, the last ones, are not the caller's but the model's own wishes */
} tn_names;
static inline bool tn_name_is_of_model(const tn_names *names, uint32_t i) {
    return i >= names->len - names->of_model;
}
/* What it is when name i is wrong. */
static inline tn_status tn_name_mistake(const tn_names *names, uint32_t i) {
    return tn_name_is_of_model(names, i) ? TN_ERROR : TN_USAGE;
}

/* What the metadata of a model may ask for. */
typedef enum tn_metadata_use {
    TN_METADATA_SAFE, /* all but what gives away bytes of the caller's */
    TN_METADATA_ALL,
    TN_METADATA_IGNORE,
} tn_metadata_use;

/* A pool that the user declares. */
typedef struct tn_pool_wish {
    const char *name;
    tn_pool_kind kind;
    uint64_t capacity;   /* 0: no limit */
    uint64_t cost;       /* of a byte read or written, from 1 on */
    uint64_t align;      /* 0: that of all */
    const char *section; /* NULL: none */
    bool copied;         /* constants are copied there, state from there and back */
} tn_pool_wish;

/* A value at a place that the user says. */
typedef struct tn_place_wish {
    const char *value, *pool; /* as names: "x", "path/x" */
    uint64_t offset;          /* of the value in the pool */
} tn_place_wish;

typedef struct tn_align_wish {
    const char *value;
    uint64_t align; /* a power of two */
} tn_align_wish;

/* What is said of places; nothing else of a plan follows from it. */
typedef struct tn_place_wishes {
    const tn_pool_wish *pools;
    const tn_place_wish *fixes;
    const tn_align_wish *aligns;
    uint32_t n_pools, n_fixes, n_aligns;
    const tn_plan *based_on; /* what lies in this plan lies where it does, if it can; or NULL */
    double slack;            /* by this part pools may be larger than without, 0.1: 10 % */
} tn_place_wishes;

typedef struct tn_controls {
    tn_names given; /* what the caller set, by its option's name: there metadata does not count */
    tn_metadata_use metadata;
    tn_names exclude; /* --exclude, --skip: globs; value, its views and its gradient keep their own
                         storage */
    tn_names loss;    /* --loss */
    tn_names grad_of; /* --grad-of PARAM=NAME */
    tn_names update;  /* --update STATE=VALUE: what inputs and initializers are after the run; pairs
                         are texts for tn_pair_split (ir/base/quote.h) */
    const char *grad_suffix;    /* --grad-suffix; NULL: "_grad" */
    bool skip_grads;            /* no backward value takes part in reuse */
    bool skip_param_grads;      /* parameter gradients keep their bytes, also when ops read them */
    bool optimize_train;        /* plan graphs with a backward part (default on) */
    bool optimize_test;         /* plan graphs without one (default on; Caffe's default was off) */
    bool keep_all;              /* every value keeps its own bytes */
    bool reuse_inputs;          /* inputs die after their last read (all of them donated) */
    bool io_in_arena;           /* inputs and outputs lie in the arena pool, and so does state */
    bool state_apart;           /* but state does not: other programs have the arena, too, or it
                                   has pools of its own */
    bool channels_last;         /* images lie with their channels last (--layout=nhwc) */
    tn_names layout_of;         /* --layout-of VALUE=nchw|nhwc; pairs as above, globs match */
    uint64_t align;             /* of every storage, bytes; default 64 */
    uint64_t least_align;       /* what the artefacts need; counts unless "align" is given */
    uint64_t capacity;          /* of the arena, 0: none */
    tn_concurrency concurrency; /* --concurrency; TN_QUEUES where there are queues */
    uint32_t n_queues;          /* --queues: 0 unless concurrency is TN_QUEUES */
    tn_names queue;             /* --queue NODE=NUMBER */
    tn_place_wishes places;     /* --pool, --fix, --align-value */
    const tn_map *apart;        /* values that no group made of nests keeps among its ops, by
                                   tn_apart_key (passes/fuse/group.h); NULL: any */
    struct tn_fuse_memory *fuse_memory; /* of what groups of the model come to; or NULL */
    struct tn_layout_memory *layouts;   /* packings of other plans, and what they cost; or NULL */
    struct tn_order_memory *orders;     /* orders of other plans; or NULL */
    const tn_plan *groups;  /* made before, whose groups made of nests are formed again; or NULL */
    tn_names double_buffer; /* --double-buffer: "inputs", "outputs", "all", or a name or glob,
                               in quotes or not */
    bool brief; /* for advice: searches look at fewer forms than for a plan that is kept */
} tn_controls;

/* The defaults above; everything else empty. */
tn_controls tn_controls_default(void);

#endif
