/* Shared by the files that give the plans of a set the same places. */
#ifndef TENURE_LIB_SETS_SET_JOIN_H
#define TENURE_LIB_SETS_SET_JOIN_H

#include "ir/base/map.h"
#include "lib/sets/sets.h"

/* A storage outside of the arena, of one of the plans. */
typedef struct tn_join_item {
    uint32_t plan, storage;
    uint32_t up;   /* towards the first item of its group, which is the lowest */
    uint32_t next; /* of the group; TN_NO_ID at the end */
    uint32_t last; /* of the first item: the last of the group */
} tn_join_item;

/* Storages that get one place. */
typedef struct tn_join {
    tn_arena *arena;
    tn_ctx *ctx;
    tn_set_plans *plans;
    const uint32_t *program_of; /* by plan */
    uint32_t **item_of;         /* by plan and storage; TN_NO_ID in the arena */
    TN_VEC(tn_join_item) items;
    TN_VEC(tn_plan_link) links;
} tn_join;

static inline tn_plan *tn_join_plan(const tn_join *j, uint32_t plan) {
    return j->plans->list.data[plan].plan;
}
/* Puts the storages of both items at one place. False where two storages of one plan would meet. */
bool tn_join_unite(tn_join *j, uint32_t a, uint32_t b);
/* What --link and --state ask for. TN_USAGE or TN_ERROR after a diagnostic. */
TN_MUST_USE tn_status tn_join_ties(tn_join *j, const tn_request *r);
/* State of a program has one place and one size in all of its variants. */
TN_MUST_USE tn_status tn_join_state(tn_join *j);

#endif
