/* Inside of the choice of aliases: what its files share. */
#ifndef TENURE_PASSES_PLANNER_ALIAS_CHOICE_H
#define TENURE_PASSES_PLANNER_ALIAS_CHOICE_H

#include "passes/planner/alias_search.h"
#include "passes/planner/aliases.h"

typedef TN_VEC(tn_alias_edge) tn_edges;

typedef struct tn_choosing {
    tn_pass_ctx *c;
    tn_module *m;
    tn_layout_ask ask;
    tn_layout layout;
    tn_arena *kept;     /* what `layout` lies in */
    tn_alias_edges all; /* that are a choice, as found */
    const bool *none;   /* the set without any of them */
    tn_load *load;      /* for those; NULL when there are none */
    int64_t empty_peak; /* bytes alive at once without any of them */
    tn_edges dropped;   /* may come back */
    tn_edges gone;      /* may not: others hold the place */
    uint64_t work;      /* values that may still be laid out */
} tn_choosing;

/* TN_EDGE_SHARE and the like; 0 where v's edge is no choice, or v has none. */
unsigned tn_alias_kind_of(tn_module *m, const tn_value *v);
/* Takes v's edge away; mending puts edges back. */
tn_alias_edge tn_alias_cut(tn_value *v);
void tn_alias_mend(const tn_alias_edge *e, uint32_t n);
/* Lays out the module as it is and keeps that when it is at most `limit` bytes large. */
tn_status tn_alias_try(tn_choosing *w, uint64_t limit, bool *taken);
void tn_alias_note_dropped(tn_choosing *w, const tn_alias_edge *e);

/* Tries single edges: those that hold a storage over the peak are cut, those dropped come back. */
TN_MUST_USE tn_status tn_alias_hunt(tn_choosing *w);

/* Chooses among the edges there are, and lays the module out; nothing is laid out or dropped where
 * no set of edges can be as low as `limit`. */
TN_MUST_USE tn_status tn_alias_choose_set(tn_choosing *w, uint64_t limit);

/* Chooses once more without parts of tensors, and then beside those kept, from what results in
 * place are possible then. The lower of the choices stays. */
TN_MUST_USE tn_status tn_alias_look_again(tn_choosing *w, tn_offer again);

#endif
