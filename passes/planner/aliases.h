/* Which alias edges are worth having. An alias saves bytes now and may cost some later, because one
 * storage lives as long as any of its members; so edges that are no duty stay only where the arena
 * does not get larger for them. */
#ifndef TENURE_PASSES_PLANNER_ALIASES_H
#define TENURE_PASSES_PLANNER_ALIASES_H

#include "passes/core/pass.h"
#include "passes/planner/layout.h"

typedef struct tn_alias_choice {
    tn_layout layout;          /* of the module as it is then */
    tn_arena *arena;           /* what the layout lies in; the caller's to drop */
    uint64_t saved_by_sharing; /* level-0 bytes that shared gradients save */
} tn_alias_choice;

/* Adds what aliases are possible after others were taken away, as far as they are wanted: whole
 * views, with `parts` also the others, and then results in place. Sharing is taken back. The answer
 * is how many were added. */
typedef struct tn_offer {
    uint64_t (*fn)(void *user, bool parts);
    void *user;
} tn_offer;

/* Takes away edges of the module and lays it out. Each edge that goes is refused as GROW. */
TN_MUST_USE tn_status tn_choose_aliases(tn_pass_ctx *c, const tn_layout_ask *ask, tn_offer again,
                                        tn_alias_choice *out);

#endif
