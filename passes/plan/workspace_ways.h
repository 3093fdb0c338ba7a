/* Bytes that kernels need beside operands and results (kernels' facts, ir/ops/row_expr.h): values
 * of one step, or kept from run to run. */
#ifndef TENURE_PASSES_PLAN_WORKSPACE_WAYS_H
#define TENURE_PASSES_PLAN_WORKSPACE_WAYS_H

#include "passes/plan/plan_build.h"

/* The type of a workspace: u8[bytes] of the way that needs the fewest; NULL where the kernel needs
 * none. Bytes below 0 are an error at the op, which is raised. */
const tn_type *tn_workspace_least(const tn_op *op, const struct tn_row_memory *memory);
/* The column that workspace i of an op follows. */
const struct tn_row_memory *tn_workspace_column(const tn_op *op, uint32_t i);
/* The name of the way that needs so many bytes; the best one if there are several, "" if none. */
const char *tn_workspace_way(const tn_op *op, const struct tn_row_memory *memory, uint64_t bytes);
/* Gives a workspace the way that needs so many bytes; it stays as it is where none does. */
void tn_workspace_choose(tn_value *v, uint64_t bytes);
/* Gives each workspace the way that needs the fewest bytes. */
void tn_workspaces_reset(tn_module *m);
/* Of a plan whose storages are placed: gives each step the best way that its storages leave bytes
 * for, so that nothing grows. The types of workspaces follow. */
void tn_workspaces_improve(tn_build *b);

#endif
