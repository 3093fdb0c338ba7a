/* Plans with stretches that run in parts (--tile): which ones, shown by planning the best. */
#ifndef TENURE_LIB_TILE_PLAN_H
#define TENURE_LIB_TILE_PLAN_H

#include "ir/module.h"
#include "ir/plan/plan.h"

/* What is asked for, in the words of the pass `tile`. */
typedef struct tn_tile_wish {
    const char *budget, *flops;
    bool io_in_arena;
} tn_tile_wish;

typedef struct tn_tile_maker {
    /* Plans the module, of which nothing else is wanted, with these stretches ("": none). The bytes
     * of all arenas, UINT64_MAX where there is no plan. */
    uint64_t (*make)(void *user, tn_module *m, const char *stretches);
    void *user;
} tn_tile_maker;

/* Which stretches serve the wish: `m` is the module as the pass will find it, and is not changed.
 * *stretches, in `arena`, is "" where none is worth it. TN_USAGE where the wish is malformed. */
TN_MUST_USE tn_status tn_tile_plan(const tn_module *m, tn_arena *arena, const tn_tile_wish *wish,
                                   tn_tile_maker maker, const char **stretches);

#endif
