/* A request: all a user may ask of loading, of the pipeline and of the plan, as settings. The
 * command line and the embedding interface fill it; each layer gets from it what it understands. */
#ifndef TENURE_LIB_REQUEST_REQUEST_H
#define TENURE_LIB_REQUEST_REQUEST_H

#include "frontends/core/frontend.h"
#include "lib/request/setting.h"
#include "passes/core/pipeline.h"

/* A dimension with several extents: a variant of the plan for each. */
typedef struct tn_bucket_dim {
    const char *name;
    const int64_t *values;
    uint32_t n;
} tn_bucket_dim;

typedef struct tn_request {
    tn_arena *arena;
    /* loading */
    TN_VEC(tn_dim_binding) dims;
    TN_VEC(tn_bucket_dim) buckets;
    bool open; /* dimensions that are not bound stay open */
    TN_VEC(tn_input_shape) shapes;
    TN_VEC(tn_input_value) values;
    tn_pairs frontend;            /* options of frontends */
    const tn_setting *load_table; /* of all settings of loading */
    tn_texts op_facts;            /* paths */
    /* pipeline: texts, NULL where not given */
    const char *optimize, *passes, *schedule, *views, *inplace, *memory, *level, *algo, *overlap;
    const char *fuse;   /* NULL: as `groups` says */
    const char *groups; /* that artefacts with kernels made from what ops compute can do; NULL:
                           there is none */
    const char *recompute, *recompute_budget;
    const char *tile, *tile_flops;
    /* plan */
    const char *metadata; /* ignore, safe or all; NULL where not given */
    tn_controls controls; /* name lists are filled in by tn_request_controls */
    tn_texts exclude, loss, grad_of, update, double_buffer;
    TN_VEC(tn_pool_wish) pools;
    TN_VEC(tn_place_wish) fixes;
    TN_VEC(tn_align_wish) aligns;
    const char *based_on;    /* path of a plan, or NULL */
    const char *based_slack; /* a percentage, or NULL */
    tn_texts queue;          /* NODE=NUMBER */
    tn_texts layout_of;      /* VALUE=nchw|nhwc */
    /* several programs (lib/sets) */
    bool shared_arena;
    tn_texts links, states; /* PROGRAM/VALUE=PROGRAM/VALUE */
    const char *largest;    /* a dimension; NULL where not given */
    bool strict, partial;
    tn_pairs given;     /* every setting applied, in order */
    tn_pairs by_preset; /* what --preset stands for; counts less than all of `given` */
} tn_request;

enum { TN_REQUEST_GROUPS = 3 };

/* The first group's table, in the request's arena: what every frontend understands, then the
 * options of each. */
const tn_setting *tn_request_load_table(tn_arena *arena);

/* Everything at its default; allocated in `arena`. */
tn_request *tn_request_new(tn_arena *arena);
/* The tables over `r`: loading, pipeline, plan. */
void tn_request_groups(tn_request *r, tn_setting_group groups[TN_REQUEST_GROUPS]);
/* Applies a setting by name. Unknown names are TN_USAGE with a suggestion. `shown` is how messages
 * call it, NULL: "option 'NAME'". */
TN_MUST_USE tn_status tn_request_set(tn_request *r, const char *name, const char *value,
                                     const char *shown);

/* What counts of all that was set, and of what the preset stands for, in order of the tables. */
tn_pairs tn_request_settled(const tn_request *r, tn_arena *arena);

/* TN_USAGE after an error where a dimension has several extents, which one model cannot. */
TN_MUST_USE tn_status tn_request_demand_one(const tn_request *r);
tn_load_options tn_request_load_options(const tn_request *r);
tn_controls tn_request_controls(const tn_request *r);
/* The pipeline asked for, in `arena`: --passes as it is, or -O<n> with the settings that change its
 * passes. */
TN_MUST_USE tn_status tn_request_pipeline(const tn_request *r, tn_arena *arena, tn_pipeline *out);

#endif
