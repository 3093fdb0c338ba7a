/* Ops that one kernel does in one go become one op. */
#ifndef TENURE_PASSES_FUSE_GROUP_H
#define TENURE_PASSES_FUSE_GROUP_H

#include "ir/module.h"
#include "ir/ops/op_set.h"
#include "ir/plan/plan.h"

typedef TN_VEC(tn_op *) tn_group;

/* By value: whether an op overwrites it by definition. */
const bool *tn_overwritten_values(const tn_module *m, tn_arena *arena);
/* Why an op, or one of several of one graph, cannot be part of one op, in `arena`; NULL where it
 * can: none runs nested graphs, has effects beside its results, is data, makes a loss, or reads
 * what an op overwrites. */
const char *tn_part_refused(tn_arena *arena, const tn_op *op, const bool *overwritten);
const char *tn_group_refused(tn_arena *arena, const tn_group *g, const bool *overwritten);
/* Of ops in the order of their graph, where more than one reader of what they make is possible: why
 * they cannot be one op, as one outside lies between two of them in the flow of data. */
const char *tn_group_torn(tn_arena *arena, const tn_group *placed);
/* Puts an op in their place. Its operands are theirs in the order of `g`, without what they make
 * for one another, each with as many places as its row has; its results what others read of theirs;
 * its attributes theirs, resolved, as "Conv.strides", and "Conv2.strides" of a second Conv, and
 * "ops", their types.
 * `placed` are the same ops in the order of the graph; NULL where the last of `g` is the last there
 * and nobody outside reads the others. Types must be inferred. */
void tn_group_fuse(const tn_fusion *f, const tn_group *g, const tn_group *placed);

bool tn_group_has(const tn_group *g, const tn_op *op);
/* Whether nobody but the ops of the group reads the value, and nobody behind the run. */
bool tn_group_keeps(const tn_group *g, const tn_value *v);
bool tn_op_keeps(const tn_op *op, const tn_value *v);
struct tn_fuse_memory;
/* Puts an op of tenure's own in their place where they have one nest, or several done by rows, as
 * `of` says (ir/compute/compute_ops.h): operands are what that loads, its row has a name made of
 * theirs and says over which operands the result may lie and what workspace there is. All they make
 * but result 0 of the last one is kept among them. `memory` may have the nests, or be NULL. False
 * where they have no such nests.
 */
bool tn_group_fuse_own(tn_arena *scratch, const tn_group *g, const uint32_t *of,
                       const struct tn_fuse_memory *memory);

/* Whether any op stands for several, by facts or of tenure's own. */
bool tn_module_has_groups(const tn_module *m);
/* Before groups are formed: where each op stands. */
void tn_module_remember_places(tn_module *m);
/* Takes the ops of tenure's own apart again. Ops stand where they stood before groups were formed,
 * unless some came since: what is planned then is what would have been without. */
void tn_module_take_groups_apart(tn_module *m);
/* The same with those by facts, of a module that is used for nothing but to look at its ops. */
void tn_module_take_all_apart(tn_module *m);
/* Whether a step does what such an op does. */
bool tn_plan_has_groups(const tn_plan *p);
/* Forms the groups of tenure's own that the plan has, of a module in which they are not formed.
 * False after a diagnostic, where nodes of the plan cannot be one op. */
bool tn_plan_groups_adopt(const tn_plan *p, tn_module *m);
/* Of a value, for maps of those that no group keeps (tn_controls.apart). */
static inline uint64_t tn_apart_key(const tn_value *v) {
    return (uint64_t)tn_str_id(v->graph->path) << 32 | tn_str_id(v->name);
}

#endif
