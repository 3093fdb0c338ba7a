/* The op table, compiled: the rows of ir/ops/ops.def with the names they use, checks on each row,
 * and lookup by name. */
#include "ir/ops/ops.h"

#include <string.h>

#include "ir/module.h"
#include "ir/ops/op_rules.h"

/* Names the rows use. */
#define T_(x) TN_T_##x
#define T1(a) T_(a)
#define T2(a, b) T_(a) | T_(b)
#define T3(a, b, c) T2(a, b) | T_(c)
#define T4(a, b, c, d) T2(a, b) | T2(c, d)
#define T5(a, b, c, d, e) T4(a, b, c, d) | T_(e)
#define TPICK(a, b, c, d, e, NAME, ...) NAME
#define T(...) (TPICK(__VA_ARGS__, T5, T4, T3, T2, T1, )(__VA_ARGS__))
#define INPLACE(claims) .inplace = (claims)
#define SHAPE(rule) .shape = tn_shape_##rule
#define VIEW(kind, ...) VIEW_##kind(kind, __VA_ARGS__)
#define VIEW_AS(kind, operand) .view = TN_VIEW_##kind, .view_of = (operand)
#define VIEW_BY(kind, operand, rule) VIEW_AS(kind, operand), .part = tn_part_##rule
#define VIEW_WHOLE VIEW_AS
#define VIEW_IF_EQUAL VIEW_AS
#define VIEW_PART VIEW_BY
#define VIEW_PARTS VIEW_BY
#define VIEW_GATHERED VIEW_BY
#define VIEW_PERMUTED VIEW_BY
#define VIEW_IF(test) .view_if = tn_view_##test
#define SHAPE_ONLY(operands) .shape_only = (operands)
#define UPDATES_APART(test) .updates_apart = tn_updates_apart_##test
#define READS(operands, rule) .reads = (operands), .reach = tn_reach_##rule
#define TILE(rule) .tile = tn_tile_##rule
#define PARAMS(operands) .params = (operands)
#define STATES(rule) .states = tn_states_##rule
#define SEQUENCE_OF(rule) .members = tn_members_##rule, .begins_sequence = true
#define SEQUENCE_BY(rule) .members = tn_members_##rule
#define GRAD(formulas) .grad = (formulas)
#define FORMULA(text) .compute = tn_compute_by_formula, .formula = (text)
#define COMPUTE(rule) .compute = tn_compute_##rule
#define STRAIGHT(formulas) .straight = (formulas)
#define FLOPS(rule) .flops = TN_FLOPS_##rule

static const tn_op_info table[TN_OP_COUNT] = {
    {.domain = "",
     .name = "",
     .versions = "",
     .traits = TN_T_SIDE_EFFECT,
     .doc = "an op the table does not know"},
#define OP(domain_, name_, versions_, ...)                                                         \
    {.domain = (domain_), .name = (name_), .versions = (versions_), __VA_ARGS__},
#include "ir/ops/ops.def"
#undef OP
};

const tn_op_info *tn_op_info_get(tn_opcode code) {
    return (unsigned)code < TN_OP_COUNT ? &table[code] : &table[TN_OP_EXTERN];
}

int64_t tn_op_updated(const tn_op *op, uint32_t r) {
    uint32_t groups = op->info->update_groups;
    if (groups == 0 || op->n_operands < 2 + groups || (op->n_operands - 2) % groups != 0) {
        return -1;
    }
    uint32_t n = (op->n_operands - 2) / groups, k = r < n ? r : r + n;
    return k < groups * n ? (int64_t)k + 2 : -1;
}

/* A scan of about 500 short strings: well under a microsecond when the first letters differ, and
 * without the shared state an index built on first use would need. */
tn_opcode tn_op_find(const char *domain, const char *name) {
    if (strcmp(domain, "ai.onnx") == 0) {
        domain = "";
    }
    for (unsigned i = 1; i < TN_OP_COUNT; i++) {
        if (table[i].name[0] == name[0] && strcmp(table[i].name, name) == 0 &&
            strcmp(table[i].domain, domain) == 0) {
            return (tn_opcode)i;
        }
    }
    return TN_OP_EXTERN;
}
