#include "ir/ops/row.h"

#include "ir/ops/attr_spec.h"

static void read_inplace(tn_arena *arena, const tn_op_info *info, tn_row *r) {
    TN_VEC(tn_inplace) list = {0};
    tn_inplace claim;
    while (info->inplace != NULL && tn_inplace_get(info, r->version, list.len, &claim)) {
        tn_vec_push(arena, &list, claim);
        r->overwritten |= claim.cond == TN_IF_MUST ? claim.operands : 0;
    }
    r->inplace = list.data;
    r->n_inplace = list.len;
}

static void read_view(const tn_op_info *info, tn_row *r) {
    const char *at = info->view_of;
    tn_word w;
    int32_t k = info->view != TN_VIEW_NONE && tn_word_next(&at, r->version, &w)
                    ? tn_sig_operand(info, r->version, &w, &r->view_many)
                    : -1;
    r->has_view = k >= 0;
    r->view_operand = r->has_view ? (uint32_t)k : 0;
}

/* Floats of files have 32 bits, and so have those that stand for them. */
static void read_attrs(tn_module *m, const tn_op_info *info, tn_row *r) {
    TN_VEC(tn_attr) list = {0};
    TN_VEC(bool) has_default = {0};
    const char *at = info->attrs;
    for (tn_attr_spec spec; tn_attr_spec_next(&at, r->version, &spec);) {
        tn_attr a = {.name = tn_intern_n(m->ctx, spec.name, spec.len), .kind = spec.kind};
        bool stated = tn_attr_default(m, &spec, &a);
        if (stated && a.kind == TN_ATTR_FLOAT) {
            a.u.f = (double)(float)a.u.f;
        }
        tn_vec_push(m->arena, &list, a);
        tn_vec_push(m->arena, &has_default, stated);
    }
    r->attrs = list.data;
    r->has_default = has_default.data;
    r->n_attrs = list.len;
}

static const tn_row *add_row(const tn_op *op) {
    tn_module *m = op->graph->module;
    const tn_op_info *info = op->info;
    tn_row *r = TN_NEW(m->arena, tn_row);
    *r = (tn_row){.next = m->rows[op->code],
                  .version = op->version,
                  .arity = tn_op_arity(info),
                  .shape_only = tn_shape_only(info, op->version)};
    read_inplace(m->arena, info, r);
    read_view(info, r);
    read_attrs(m, info, r);
    m->rows[op->code] = r;
    return r;
}

const tn_row *tn_op_row(const tn_op *op) {
    tn_module *m = op->graph->module;
    if (op->code >= m->n_rows) {
        uint32_t n = op->code >= TN_OP_COUNT ? 2 * op->code : TN_OP_COUNT;
        m->rows = tn_arena_regrow(m->arena, m->rows, m->n_rows, n, sizeof *m->rows);
        m->n_rows = n;
    }
    for (const tn_row *r = m->rows[op->code]; r != NULL; r = r->next) {
        if (r->version == op->version) {
            return r;
        }
    }
    return add_row(op);
}
