/* Plans with stretches that run in parts (--tile): which ones, shown by planning the best. */
#ifndef TENURE_LIB_TILE_PLAN_H
#define TENURE_LIB_TILE_PLAN_H

#include "ir/module.h"
#include "ir/plan/plan.h"
#include "lib/request/request.h"
#include "passes/core/pipeline.h"

/* What is asked for, in the words of the pass `tile`. */
typedef struct tn_tile_wish {
    const char *budget, *flops;
    bool io_in_arena;
} tn_tile_wish;

typedef struct tn_tile_maker {
    /* Plans the module, of which nothing else is wanted, with these stretches ("": none); `quick`:
     * in the order of the graph. The bytes of all arenas, UINT64_MAX where there is no plan. */
    uint64_t (*make)(void *user, tn_module *m, const char *stretches, bool quick);
    void *user;
    bool same; /* quick plans are the others, too */
} tn_tile_maker;

/* Which stretches serve the wish: `m` is the module as the pass will find it, and is not changed.
 * *stretches, in `arena`, is "" where none is worth it. TN_USAGE where the wish is malformed. */
TN_MUST_USE tn_status tn_tile_plan(const tn_module *m, tn_arena *arena, const tn_tile_wish *wish,
                                   tn_tile_maker maker, const char **stretches);

/* The first item that runs `tile` without saying which stretches; NULL: none does. */
tn_pipeline_item *tn_tile_item(const tn_pipeline *p);
/* The pipeline with these stretches in that item; `quick`: no other order is looked for. */
tn_pipeline tn_tile_pipeline(tn_arena *arena, const tn_pipeline *p, const char *stretches,
                             bool quick);
/* The stretches of the pipeline that the plan was made by, in `arena`; "" where none of its ops
 * runs in parts. */
const char *tn_tile_stretches_of(const tn_plan *plan, tn_arena *arena);
/* The item "tile{stretches=...}," of the pipeline that the plan was made by, in `arena`; "" where
 * none of its ops runs in parts. */
const char *tn_tile_pass_of(const tn_plan *plan, tn_arena *arena);
/* Whether the parts of a module, which may have clones and groups, do what the model does; TN_ERROR
 * after a diagnostic. */
TN_MUST_USE tn_status tn_tile_check(const tn_request *r, const tn_module *module);

#endif
