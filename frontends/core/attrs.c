#include "frontends/core/attrs.h"

#include <string.h>

#include "ir/ops/attr_spec.h"
#include "ir/ops/sig.h"

enum { VERSIONS = 64 };

static bool has(const tn_op_info *info, int64_t version, const char *name) {
    const char *at = info->attrs;
    for (tn_attr_spec s; tn_attr_spec_next(&at, version, &s);) {
        if (strlen(name) == s.len && memcmp(name, s.name, s.len) == 0) {
            return true;
        }
    }
    return false;
}

/* A version that has it, or 0. */
static int64_t version_with(const tn_op_info *info, const char *name) {
    int64_t v = 1;
    while (v < VERSIONS && !has(info, v, name)) {
        v++;
    }
    return v < VERSIONS ? v : 0;
}

/* The operand that took the place of the attribute; -1 where none did. */
static int32_t operand_for(const tn_op *op, const tn_attr *a) {
    tn_word word = {a->name, strlen(a->name), '\0'};
    bool many;
    return tn_sig_operand(op->info, op->version, &word, &many);
}

/* Whether the version has an operand in place of the attribute. Others that a version does not have
 * are read in one way, and stay. */
static bool is_replaced(const tn_op *op, const tn_attr *a) {
    bool plain = a->kind != TN_ATTR_GRAPH && a->kind != TN_ATTR_GRAPHS;
    return plain && !has(op->info, op->version, a->name) && operand_for(op, a) >= 0 &&
           version_with(op->info, a->name) != 0;
}

/* Whether one of the operands that took the place of attributes is there: then all count. */
static bool speaks_by_operands(const tn_op *op) {
    bool found = false;
    for (uint32_t i = 0; i < op->n_attrs && !found; i++) {
        const tn_attr *a = &op->attrs[i];
        found = is_replaced(op, a) && tn_operand(op, (uint32_t)operand_for(op, a)) != NULL;
    }
    return found;
}

static void tell(const tn_op *op, const tn_attr *a, const char *taken) {
    tn_warn(op->graph->module->ctx, &op->loc,
            "attribute '%s' does not belong to %s in version %lld, which the model imports, but in "
            "version %lld; %s",
            a->name, op->type, (long long)op->version, (long long)version_with(op->info, a->name),
            taken);
}

static void settle(tn_op *op) {
    bool by_operands = speaks_by_operands(op);
    uint32_t n = 0;
    for (uint32_t i = 0; i < op->n_attrs; i++) {
        const tn_attr *a = &op->attrs[i];
        bool replaced = is_replaced(op, a);
        if (replaced) {
            tell(op, a,
                 by_operands ? "it is ignored" : "it is taken, as the operand for it is left out");
        }
        if (!replaced || !by_operands) {
            op->attrs[n++] = *a;
        }
    }
    op->n_attrs = n;
}

void tn_settle_attrs(tn_module *m) {
    for (uint32_t i = 0; i < m->n_ops; i++) {
        tn_op *op = m->ops[i];
        if (op->code != TN_OP_EXTERN && op->info->attrs != NULL && op->version > 0) {
            settle(op);
        }
    }
}
