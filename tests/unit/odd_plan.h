/* A small plan made by hand, with the names that make trouble: two pools to fill and one of
 * constants, a view, an in-place pair, a value without a place. */
#ifndef TENURE_TESTS_UNIT_ODD_PLAN_H
#define TENURE_TESTS_UNIT_ODD_PLAN_H

#include "ir/plan/plan.h"

enum { ODD_VALUES = 10, ODD_STORAGES = 7, ODD_STEPS = 4 };

static inline tn_ids odd_ids(tn_plan *p, uint32_t n, const uint32_t *ids) {
    return (tn_ids){tn_arena_regrow(p->arena, ids, n, n, sizeof *ids), n};
}
#define ODD_IDS(p, ...)                                                                            \
    odd_ids((p), sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), (uint32_t[]){__VA_ARGS__})

static inline void odd_value(tn_plan *p, uint32_t i, const char *name, tn_plan_role role,
                             uint32_t storage, uint64_t bytes, int32_t first, int32_t last) {
    int64_t *dims = TN_ARRAY(p->arena, int64_t, 2);
    dims[0] = 1;
    dims[1] = (int64_t)bytes / 4;
    p->values[i] = (tn_plan_value){.name = name,
                                   .graph = "",
                                   .role = role,
                                   .dtype = TN_DT_FLOAT,
                                   .rank = 2,
                                   .dims = dims,
                                   .type = tn_arena_printf(p->arena, "f32[1,%d]", (int)dims[1]),
                                   .bytes = bytes,
                                   .storage = storage,
                                   .first = first,
                                   .last = last,
                                   .step = first < 0 ? TN_NO_ID : (uint32_t)first,
                                   .alias_of = TN_NO_ID,
                                   .clone_of = TN_NO_ID};
}

static inline void odd_storages(tn_plan *p) {
    static const tn_storage all[ODD_STORAGES] = {
        {.pool = 1, .offset = 0, .size = 64, .first = -1, .last = 4, .pinned = true, .root = 0},
        {.pool = 2, .offset = 0, .size = 32, .first = -1, .last = 4, .pinned = true, .root = 1},
        {.pool = 0, .offset = 0, .size = 96, .first = 0, .last = 1, .root = 2},
        {.pool = 0, .offset = 96, .size = 32, .first = 1, .last = 3, .root = 3},
        {.pool = 0, .offset = 0, .size = 64, .first = 2, .last = 3, .root = 5},
        {.pool = 1, .offset = 64, .size = 32, .first = -1, .last = 4, .pinned = true, .root = 8},
        {.pool = 0, .offset = 64, .size = 4, .first = 2, .last = 2, .root = 9},
    };
    p->storages = tn_arena_regrow(p->arena, all, ODD_STORAGES, ODD_STORAGES, sizeof *all);
    p->n_storages = ODD_STORAGES;
    for (uint32_t i = 0; i < ODD_STORAGES; i++) {
        p->storages[i].id = i;
        p->storages[i].slot = TN_NO_ID;
        p->storages[i].align = 32;
    }
}

static inline void odd_values(tn_plan *p) {
    p->values = TN_ARRAY(p->arena, tn_plan_value, ODD_VALUES);
    p->n_values = ODD_VALUES;
    odd_value(p, 0, "*/ #define x", TN_ROLE_INPUT, 0, 64, -1, 4);
    odd_value(p, 1, "int", TN_ROLE_CONST, 1, 32, -1, 4);
    odd_value(p, 2, "3d/\xcf\x80", TN_ROLE_INTERNAL, 2, 96, 0, 1);
    odd_value(p, 3, "a.b", TN_ROLE_INTERNAL, 3, 32, 1, 2);
    odd_value(p, 4, "a/b", TN_ROLE_INTERNAL, 3, 32, 2, 3); /* in place over a.b */
    odd_value(p, 5, "a_b", TN_ROLE_INTERNAL, 4, 64, 2, 3);
    odd_value(p, 6, "a b\\\n", TN_ROLE_INTERNAL, 4, 16, 2, 3); /* a part of a_b */
    odd_value(p, 7, "?\?/ open\xff", TN_ROLE_INTERNAL, TN_NO_ID, 0, 0, 0);
    odd_value(p, 8, "arena", TN_ROLE_OUTPUT, 5, 32, 3, 4);
    odd_value(p, 9, "class", TN_ROLE_INTERNAL, 6, 4, 2, 2);
    p->values[4].alias = TN_ALIAS_INPLACE;
    p->values[4].alias_of = 3;
    p->values[6].alias = TN_ALIAS_VIEW;
    p->values[6].alias_of = 5;
    p->values[6].offset = 16;
    p->values[7].type = "f32[n]";
    p->values[7].left_out = TN_LEFT_OPEN;
    p->values[7].bytes_text = "n*4";
    p->values[7].why = "the size depends on 'n' */";
    p->values[9].rank = 0;
    p->values[9].graph = "loop/body";
}

static inline void odd_steps(tn_plan *p) {
    p->steps = TN_ARRAY(p->arena, tn_plan_step, ODD_STEPS);
    p->n_steps = ODD_STEPS;
    for (uint32_t i = 0; i < ODD_STEPS; i++) {
        p->steps[i] = (tn_plan_step){.graph = "",
                                     .node = (int32_t)i,
                                     .domain = "",
                                     .op = "Op",
                                     .partner = TN_NO_ID,
                                     .clone_of = TN_NO_ID};
        p->steps[i].name = i == 0 ? "\" */ ?\?/" : "";
    }
    p->steps[0].reads = ODD_IDS(p, 0, 0, 1);
    p->steps[0].writes = ODD_IDS(p, 2);
    p->steps[1].reads = ODD_IDS(p, 2, 7);
    p->steps[1].writes = ODD_IDS(p, 3);
    p->steps[1].frees = ODD_IDS(p, 2);
    p->steps[2].reads = ODD_IDS(p, 3);
    p->steps[2].writes = ODD_IDS(p, 4, 5, 6, 9);
    p->steps[2].hazards = ODD_IDS(p, 1);
    p->steps[3].reads = ODD_IDS(p, 4, 6);
    p->steps[3].writes = ODD_IDS(p, 8);
    p->steps[3].frees = ODD_IDS(p, 3, 4);
}

static inline tn_plan *odd_plan(tn_ctx *ctx) {
    static const tn_pool pools[] = {
        {.name = "arena", .kind = TN_POOL_ARENA, .align = 32, .size = 128, .bound = 128},
        {.name = "io", .kind = TN_POOL_IO, .align = 32, .size = 96, .bound = 96},
        {.name = "const", .kind = TN_POOL_CONST, .align = 32, .size = 32, .bound = 32},
    };
    static const tn_pair options[] = {{"dim", "batch=1 */"}};
    tn_plan *p = tn_plan_new(ctx);
    p->pools = tn_arena_regrow(p->arena, pools, 3, 3, sizeof *pools);
    p->n_pools = 3;
    odd_storages(p);
    odd_values(p);
    odd_steps(p);
    p->model = "hand made/2";
    p->digest = "0123";
    p->version = "0.1.0";
    p->pipeline = "infer-shapes,reuse{level=1}";
    p->options = options;
    p->n_options = 1;
    p->report.ram = 128 + 96;
    p->report.flash = 32;
    p->report.n_planned = 9;
    p->report.n_unplanned = 1;
    p->report.n_inplace = 1;
    p->report.n_views = 1;
    p->report.algorithm = "by hand";
    return p;
}

#endif
