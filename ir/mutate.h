/* The only way to change a module after it was built. Each function counts the change under its
 * facet (tn_module.stamps); cached analyses compare the counts and so notice that they are stale. A
 * call that changes nothing counts nothing. */
#ifndef TENURE_IR_MUTATE_H
#define TENURE_IR_MUTATE_H

#include "ir/build.h"

void tn_value_set_type(tn_value *v, const tn_type *type);
void tn_value_set_name(tn_value *v, const char *name);
void tn_value_set_flags(tn_value *v, uint32_t set, uint32_t clear);
/* Arrays must live in the module's arena. Both NULL: nothing is known any more. */
void tn_value_set_content(tn_value *v, uint32_t n, const tn_dim *dims, const double *floats);
/* kind TN_ALIAS_NONE removes the edge. An edge that would close a cycle is an internal error. */
void tn_value_set_alias(tn_value *v, tn_alias_kind kind, tn_value *of, int64_t offset);
/* `reason` interned, or NULL. */
void tn_value_set_unplanned(tn_value *v, const char *reason);
/* Which steps may run side by side; counts as a change of the order. What it points to must last as
 * long as it stands. */
void tn_module_set_concurrency(tn_module *m, const tn_concurrency_ask *ask);
/* Another list of outputs. */
void tn_graph_set_outputs(tn_graph *g, tn_value *const *values, uint32_t n);
void tn_replace_all_uses(tn_value *from, tn_value *to);
void tn_op_set_operand(tn_op *op, uint32_t i, tn_value *v);
/* What is known of the op may depend on its version. */
void tn_op_set_version(tn_op *op, int64_t version);
void tn_op_set_attr(tn_op *op, tn_attr attr);
/* The op must have an attribute of that name, which holds no graph. */
void tn_op_remove_attr(tn_op *op, const char *name);
/* Puts `op` before `at` of the same graph (NULL: at the end). */
void tn_op_move_before(tn_op *op, tn_op *at);
/* Makes `v`, a result of another op of the graph, a result of `op`, behind those it has. The other
 * op leaves it out from now on. */
void tn_op_take_result(tn_op *op, tn_value *v);
/* `op` stands for these ops, which are erased. The list must live in the module's arena. */
void tn_op_set_parts(tn_op *op, const tn_op *const *parts, uint32_t n);
/* Writes down what the op is made of, before it becomes a part (tn_op.was). */
void tn_op_remember(tn_op *op, uint32_t nest);
/* An erased op that was written down takes its place before `at` again, with its operands and with
 * its results, whoever makes them now. */
void tn_op_revive(tn_op *op, tn_op *at);
/* Takes a constant that nobody reads out of its graph. It goes with an op that is erased. */
void tn_graph_drop_const(tn_value *v, tn_op *erased);
/* The parts, in their order, take the place of the op that stands for them. */
void tn_op_take_apart(tn_op *op);
/* Puts before `at` of the same graph (NULL: at the end) an op that does once more what `op` does:
 * it reads the same values and has results of its own, with names of their own and everything that
 * is known of the others, but for those that carry an operand on (tn_op_carried), which it leaves
 * out. Both stand for one node of the model (tn_op.clone_of). `op` has no nested
 * graphs, and may be a clone. */
tn_op *tn_op_repeat(tn_op *op, tn_op *at);
/* Erases all clones; who read their results reads those of the model's ops. */
void tn_module_take_out_clones(tn_module *m);
/* Forgets erased clones that no other op or value was made behind: whoever is made next gets their
 * ids, and arrays by id stay as short as the module is. Nobody may hold such a clone, nor aliases
 * of its values. */
void tn_module_forget_clones(tn_module *m);
/* The results must have no uses. */
void tn_op_erase(tn_op *op);
/* The same with the bodies of the op; their values are gone with it. Nobody outside may read these,
 * and aliases of any of them are to be removed before the module is used. */
void tn_op_erase_all(tn_op *op);

#endif
