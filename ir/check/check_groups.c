/* Ops of the model that are one op in the plan, because their kernel is made from what they
 * compute: whether they may be, from the model alone. */
#include <string.h>

#include "ir/check/check_t.h"
#include "ir/ops/group_claims.h"
#include "ir/ops/op_set.h"

typedef struct group {
    tn_checking *c;
    const tn_op *op;
    const char *name;
} group;

/* The part that makes the value; n_parts: none does. */
static uint32_t maker_of(const tn_op *op, const tn_value *v) {
    for (uint32_t i = 0; i < op->n_parts; i++) {
        const tn_op *part = op->parts[i];
        for (uint32_t r = 0; r < part->n_results; r++) {
            if (tn_part_result(part, r) == v) {
                return i;
            }
        }
    }
    return op->n_parts;
}

/* Ops that do more than make their results, or make others each time, are none of a group. */
static void check_kinds(const group *g) {
    const uint32_t never = TN_T_RANDOM | TN_T_SIDE_EFFECT | TN_T_CONTROL | TN_T_CONSTANT |
                           TN_T_LOSS | TN_T_UPDATE | TN_T_SEQUENCE;
    for (uint32_t i = 0; i < g->op->n_parts; i++) {
        const tn_op *part = g->op->parts[i];
        bool overwrites = false;
        tn_inplace claim;
        for (uint32_t k = 0; tn_inplace_get(part->info, part->version, k, &claim); k++) {
            overwrites = overwrites || claim.cond == TN_IF_MUST;
        }
        if (part->was == NULL || part->graph != g->op->graph || part->n_regions > 0 ||
            !tn_op_in_table(part) || (part->info->traits & never) != 0 || overwrites) {
            tn_check_fail(g->c, "%s does %s '%s' among others, which cannot be part of one op",
                          g->name, part->type, part->name);
        }
    }
}

/* What parts make for one another: after them in the order, and for nobody else. */
static void check_closed(const group *g) {
    const tn_op *op = g->op;
    for (uint32_t i = 0; i < op->n_parts; i++) {
        const tn_op *part = op->parts[i];
        for (uint32_t r = 0; r < part->n_results; r++) {
            const tn_value *v = tn_part_result(part, r);
            bool last = i + 1 == op->n_parts && r == 0;
            bool outside = v != NULL && !last &&
                           (v->n_uses > 0 || (v->flags & TN_VF_OUTPUT) != 0 ||
                            g->c->plan_value[v->id] != TN_NO_ID);
            if (outside || (last && (v == NULL || v != tn_result(op, 0)))) {
                tn_check_fail(g->c, "%s keeps '%s' among its nodes, which others read", g->name,
                              v != NULL ? v->name : "");
            }
        }
        for (uint32_t k = 0; k < part->n_operands; k++) {
            const tn_value *v = tn_part_operand(part, k);
            uint32_t from = v != NULL ? maker_of(op, v) : op->n_parts;
            if (from < op->n_parts && from >= i) {
                tn_check_fail(g->c, "%s does %s '%s' before what that reads is made", g->name,
                              part->type, part->name);
            }
        }
    }
}

/* What the model has for the operand, of which it may read a clone. */
static const tn_value *operand_of(const tn_op *op, uint32_t k) {
    const tn_value *v = op->operands[k].value;
    return v != NULL && v->clone_of != NULL ? v->clone_of : v;
}

static bool reads(const tn_op *op, const tn_value *v) {
    for (uint32_t k = 0; k < op->n_operands; k++) {
        if (operand_of(op, k) == v) {
            return true;
        }
    }
    return false;
}

/* Whatever comes from outside is an operand, unless its elements are known. */
static void check_operands(const group *g) {
    const tn_op *op = g->op;
    for (uint32_t i = 0; i < op->n_parts; i++) {
        const tn_op *part = op->parts[i];
        uint32_t shapes = tn_shape_only(part->info, part->version);
        for (uint32_t k = 0; k < part->n_operands; k++) {
            const tn_value *v = tn_part_operand(part, k);
            bool outside = v != NULL && maker_of(op, v) == op->n_parts;
            bool known = outside && (v->content != NULL || v->float_content != NULL ||
                                     tn_is_const(v) || (k < 32 && (shapes >> k & 1) != 0));
            if (outside && !known && !reads(op, v)) {
                tn_check_fail(g->c, "%s does not read '%s', which its %s '%s' reads", g->name,
                              v->name, part->type, part->name);
            }
        }
    }
}

/* Over which operands the result may lie, element by element. */
static void check_claims(const group *g) {
    tn_inplace claim;
    for (uint32_t i = 0; tn_op_inplace(g->op, i, &claim); i++) {
        for (uint32_t k = 0; k < g->op->n_operands && k < 32; k++) {
            const tn_value *x = operand_of(g->op, k);
            if ((claim.operands >> k & 1) != 0 && claim.cond == TN_IF_SAME &&
                !tn_group_is_elementwise(g->op->parts, g->op->n_parts, x)) {
                tn_check_fail(g->c,
                              "%s is said to need one element of '%s' for each element it makes, "
                              "but an element of that goes into several",
                              g->name, x->name);
            }
        }
    }
}

void tn_check_groups(tn_checking *c) {
    for (uint32_t i = 0; i < c->m->n_ops; i++) {
        const tn_op *op = c->m->ops[i];
        if (!tn_op_is_group(op)) {
            continue;
        }
        uint32_t step = c->begin[op->id], before = c->n_reports;
        group g = {c, op, step != TN_NO_ID ? tn_check_step_name(c, (int32_t)step) : op->type};
        check_kinds(&g);
        check_closed(&g);
        check_operands(&g);
        check_claims(&g);
        if (c->n_reports == before) {
            tn_check_rows(c, op, g.name);
        }
    }
}
