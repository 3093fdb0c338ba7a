/* Declarations of the functions that rows name, from ir/ops/op_rules.def. */
#ifndef TENURE_IR_OPS_OP_RULES_H
#define TENURE_IR_OPS_OP_RULES_H

#include "ir/ops/ops.h"

#define RULE(name) void tn_shape_##name(struct tn_infer *in);
#define PART_RULE(name) bool tn_part_##name(const struct tn_op *, uint32_t, struct tn_part *);
#define REACH_RULE(name) bool tn_reach_##name(const struct tn_op *, struct tn_reach *);
#define TILE_RULE(name) bool tn_tile_##name(struct tn_tiling *);
#define STATES_RULE(name) struct tn_states tn_states_##name(const struct tn_op *);
#define MEMBERS_RULE(name) bool tn_members_##name(struct tn_members *);
#define VIEW_RULE(name) bool tn_view_##name(const struct tn_op *);
#define UPDATES_RULE(name) bool tn_updates_apart_##name(const struct tn_op *);
#define COMPUTE_RULE(name) bool tn_compute_##name(struct tn_compute *);
#include "ir/ops/op_rules.def"
#undef COMPUTE_RULE
#undef UPDATES_RULE
#undef VIEW_RULE
#undef MEMBERS_RULE
#undef STATES_RULE
#undef TILE_RULE
#undef REACH_RULE
#undef PART_RULE
#undef RULE

#endif
