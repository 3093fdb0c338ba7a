/* Which alias edges to keep. An alias saves bytes now and may cost some later, because one storage
 * is live as long as any of its members; so edges that are no duty stay only where the arena does
 * not get larger for them. */
#ifndef TENURE_PASSES_ALIAS_CHOOSE_H
#define TENURE_PASSES_ALIAS_CHOOSE_H

#include "passes/alias/edge_sets.h"
#include "passes/core/pass.h"

typedef struct tn_alias_choice {
    tn_layout layout;          /* of the module as it is then */
    tn_arena *arena;           /* what the layout lies in; the caller's to drop */
    uint64_t saved_by_sharing; /* bytes the arena would have more without shared gradients, with the
                                  aliases chosen then */
    tn_alias_edges edges;      /* that were a choice */
    const bool *keep;          /* by edge: whether it stays */
} tn_alias_choice;

/* Takes edges of the module away and lays it out. Each edge that goes is refused as GROW. Statuses
 * and diagnostics as tn_layout_make; TN_NOFIT alone for a trial to which no arena is of use. */
TN_MUST_USE tn_status tn_choose_aliases(tn_pass_ctx *c, const tn_layout_ask *ask,
                                        tn_alias_choice *out);

/* The same choice with another set of edges: the module has these, and is laid out. */
TN_MUST_USE tn_status tn_choose_edges(tn_pass_ctx *c, const tn_layout_ask *ask,
                                      const tn_alias_choice *from, const bool *keep,
                                      tn_alias_choice *out);

/* Tells of an edge between values that it is not kept. */
void tn_refuse_edge(tn_pass_ctx *c, const tn_liveness *live, const tn_alias_edge *e,
                    tn_reason reason);

#endif
