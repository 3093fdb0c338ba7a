/* What is alive at once while aliases are still being chosen. Edges are tried on a model of
 * the module, not on the module: joining two classes and taking that back costs a logarithm of the
 * steps, so thousands of choices can be compared before anything is laid out. What is alive at the
 * worst step is a lower bound of the arena those choices lead to. */
#ifndef TENURE_PASSES_ALIAS_EDGE_LOAD_H
#define TENURE_PASSES_ALIAS_EDGE_LOAD_H

#include "passes/analysis/storages.h"
#include "passes/plan/arena_layout.h"

/* An alias edge as it stands, or stood, on `v`. */
typedef struct tn_alias_edge {
    tn_value *v, *of;
    tn_alias_kind kind;
    int64_t offset;
} tn_alias_edge;

typedef struct tn_load tn_load;

/* The model with the edges that are no choice (updates). NULL when sizes overflow, which the
 * layout reports. `arena` keeps it. */
tn_load *tn_load_new(tn_module *m, const tn_liveness *live, const tn_layout_ask *ask,
                     tn_arena *arena);
/* Bytes alive at the worst step, storages rounded up to the alignment. */
int64_t tn_load_peak(tn_load *l);
/* The first step at which so much is alive. */
int32_t tn_load_worst(tn_load *l);
/* Bytes alive at a step. */
int64_t tn_load_at(tn_load *l, int32_t step);
/* Many joins come, or are taken back, before the next of these two is asked for: it counts
 * everything anew then, in linear time, rather than a logarithm for each of them. */
void tn_load_hold(tn_load *l);
/* Whether joining these two classes makes no step worse, whatever else is joined. */
bool tn_load_is_harmless(const tn_load *l, const tn_alias_edge *e);
/* By how many steps joining lengthens the live range of the larger class. */
int64_t tn_load_lengthening(const tn_load *l, const tn_alias_edge *e);
void tn_load_join(tn_load *l, const tn_alias_edge *e);
/* Joins behind a mark are taken back, the last one first. */
uint32_t tn_load_mark(const tn_load *l);
void tn_load_back(tn_load *l, uint32_t mark);

#endif
