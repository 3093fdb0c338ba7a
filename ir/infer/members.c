#include "ir/infer/members.h"

bool tn_member_at(int64_t position, uint32_t n, uint32_t *at) {
    position += position < 0 ? n : 0;
    *at = (uint32_t)position;
    return position >= 0 && position < n;
}

bool tn_members_add(tn_members *m, const tn_type *type) {
    if (m->n == TN_MEMBERS_MOST) {
        return false;
    }
    m->types[m->n++] = type;
    return true;
}

/* The row of the op that makes `v` when it says what becomes of the members. */
static const tn_op_info *maker_of(const tn_value *v) {
    bool first = v != NULL && v->kind == TN_VALUE_RESULT && v->def_index == 0;
    const tn_op_info *info = first ? v->def->info : NULL;
    return info != NULL && info->members != NULL ? info : NULL;
}

const tn_members *tn_in_members(tn_infer *in, uint32_t k) {
    const tn_op *op = in->op, *chain[TN_MEMBERS_OPS];
    uint32_t n = 0;
    const tn_value *v = tn_operand(op, k);
    const tn_op_info *maker = maker_of(v);
    while (maker != NULL && n < TN_MEMBERS_OPS) {
        chain[n++] = v->def;
        if (maker->begins_sequence) {
            break;
        }
        v = tn_operand(v->def, 0);
        maker = maker_of(v);
    }
    if (maker == NULL || !maker->begins_sequence) {
        return NULL;
    }
    tn_members *m = TN_NEW(in->scratch, tn_members);
    m->in = in;
    bool known = true;
    while (n > 0 && known) {
        in->op = chain[--n];
        known = in->op->info->members(m);
    }
    in->op = op;
    return known ? m : NULL;
}
