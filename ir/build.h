/* The only way to create modules, graphs, ops and values. The caller sees to it that names are
 * unique in their graph; what has none gets one made up. Strings are interned here. */
#ifndef TENURE_IR_BUILD_H
#define TENURE_IR_BUILD_H

#include "ir/module.h"

/* A module with an empty main graph, in an arena of its own. */
tn_module *tn_module_new(tn_ctx *ctx, const char *name, const char *file);
void tn_module_drop(tn_module *m);
/* A copy that can be changed on its own. It shares what is never changed, so it must be dropped
 * before `m` is. */
tn_module *tn_module_clone(const tn_module *m);
/* The module owns the set from now on, and its ops are looked up in it. Before any op is made. */
void tn_module_take_op_set(tn_module *m, struct tn_op_set *set);
void tn_module_add_opset(tn_module *m, const char *domain, int64_t version);
void tn_module_add_metadata(tn_module *m, const char *key, const char *value);
void tn_module_add_binding(tn_module *m, tn_value *state, tn_value *value);
void tn_module_add_assignment(tn_module *m, const char *name, tn_value *value);

/* A graph nested under `owner` (whose regions it joins), or a TN_GRAPH_INIT one for owner NULL. */
tn_graph *tn_graph_new(tn_module *m, const char *name, tn_op *owner);
/* Another path than the one made from the owners' names: for readers of .tir. Before any graph is
 * nested inside. False when it is that of another graph. */
bool tn_graph_set_path(tn_graph *g, const char *path);
tn_value *tn_graph_add_input(tn_graph *g, const char *name, const tn_type *type);
/* An initializer; the type follows from the tensor. */
tn_value *tn_graph_add_const(tn_graph *g, const char *name, const tn_tensor *tensor);
void tn_graph_add_output(tn_graph *g, tn_value *v);

/* Appends an op to `g`. The row is looked up by domain and type. Operands, results, attributes and
 * regions are added below; `loc` is copied. */
tn_op *tn_op_new(tn_graph *g, const char *domain, const char *type, int64_t version,
                 const char *name, tn_loc loc);
/* Makes room for n operands in all, so that adding them moves none. */
void tn_op_expect_operands(tn_op *op, uint32_t n);
/* `v` NULL is an omitted optional. */
void tn_op_add_operand(tn_op *op, tn_value *v);
/* A new value of unknown type when `type` is NULL. */
tn_value *tn_op_add_result(tn_op *op, const char *name, const tn_type *type);
/* An omitted optional result. */
void tn_op_add_no_result(tn_op *op);
/* Bytes for the kernel of the op, which nobody reads; after all results. `kept`: from run to run.
 */
tn_value *tn_op_add_workspace(tn_op *op, const char *name, const tn_type *type, bool kept);
/* Copies the struct; what it points to must live in the module's arena. The name is interned. */
void tn_op_add_attr(tn_op *op, tn_attr attr);
void tn_op_add_int(tn_op *op, const char *name, int64_t i);

#endif
