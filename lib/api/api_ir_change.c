/* ir.h: changing ops and values. */
#include "lib/api/api_ir_t.h"

/* ---- ops ---- */

static tn_status set_operand(tn_ctx *ctx, void *arg) {
    const tn_edit *e = arg;
    (void)ctx;
    if (e->n >= e->op->n_operands) {
        return tn_edit_refuse(e, "operand %zu of an op with %u operands", e->n, e->op->n_operands);
    }
    tn_status status = tn_edit_may_read(e, e->by);
    if (status == TN_OK) {
        tn_op_set_operand(e->op, (uint32_t)e->n, e->by);
    }
    return status;
}

tenure_status tenure_op_set_operand(tenure_op *op, size_t index, tenure_value *value) {
    tn_edit e = tn_edit_op("tenure_op_set_operand", op);
    e.n = index;
    e.by = api_value(value);
    return tn_edit_run(&e, NULL, set_operand);
}

static tn_status move(tn_ctx *ctx, void *arg) {
    const tn_edit *e = arg;
    (void)ctx;
    if (e->before != NULL && (e->before->graph != e->op->graph || e->before->erased)) {
        return tn_edit_refuse(e, "the op to stand behind it is not in the same graph");
    }
    tn_op_move_before(e->op, e->before);
    return TN_OK;
}

tenure_status tenure_op_move(tenure_op *op, tenure_op *before) {
    tn_edit e = tn_edit_op("tenure_op_move", op);
    e.before = api_op(before);
    return tn_edit_run(&e, NULL, move);
}

/* Whether the graph is a body of the op, or inside one. */
static bool lies_in(const tn_graph *g, const tn_op *op) {
    while (g != NULL && g->owner != op) {
        g = g->owner != NULL ? g->owner->graph : NULL;
    }
    return g != NULL;
}

static bool is_output_outside(const tn_value *v, const tn_op *op) {
    const tn_module *m = v->graph->module;
    for (uint32_t k = 0; k < m->n_graphs && (v->flags & TN_VF_OUTPUT) != 0; k++) {
        const tn_graph *g = m->graphs[k];
        for (uint32_t i = 0; i < g->n_outputs && !lies_in(g, op); i++) {
            if (g->outputs[i] == v) {
                return true;
            }
        }
    }
    return false;
}

static bool is_bound(const tn_value *v) {
    const tn_module *m = v->graph->module;
    for (uint32_t i = 0; i < m->n_bindings; i++) {
        if (m->bindings[i].value == v || m->bindings[i].state == v) {
            return true;
        }
    }
    for (uint32_t i = 0; i < m->n_assignments; i++) {
        if (m->assignments[i].value == v) {
            return true;
        }
    }
    return false;
}

/* Whether somebody who stays needs the value: reads, outputs, bindings. */
static bool is_needed(const tn_value *v, const tn_op *op) {
    for (const tn_use *u = v->first_use; u != NULL; u = u->next) {
        if (u->op != op && !lies_in(u->op->graph, op)) {
            return true;
        }
    }
    return is_output_outside(v, op) || is_bound(v);
}

static bool goes_with(const tn_value *v, const tn_op *op) {
    return v->kind == TN_VALUE_RESULT && v->def == op ? true : lies_in(v->graph, op);
}

static tn_status remove_op(tn_ctx *ctx, void *arg) {
    const tn_edit *e = arg;
    (void)ctx;
    if (e->op->n_regions == 0) {
        for (uint32_t i = 0; i < e->op->n_results; i++) {
            if (e->op->results[i] != NULL && is_needed(e->op->results[i], e->op)) {
                return tn_edit_refuse(e, "its result '%s' is needed still",
                                      e->op->results[i]->name);
            }
        }
    }
    for (uint32_t i = 0; i < e->m->n_values && e->op->n_regions > 0; i++) {
        const tn_value *v = e->m->values[i];
        if (goes_with(v, e->op) && is_needed(v, e->op)) {
            return tn_edit_refuse(e, "'%s', which goes with it, is needed still", v->name);
        }
    }
    tn_op_erase_all(e->op);
    return TN_OK;
}

tenure_status tenure_op_remove(tenure_op *op) {
    tn_edit e = tn_edit_op("tenure_op_remove", op);
    return tn_edit_run(&e, NULL, remove_op);
}

/* ---- values ---- */

static tn_status rename_value(tn_ctx *ctx, void *arg) {
    const tn_edit *e = arg;
    (void)ctx;
    tn_status status = e->name[0] != '\0' ? tn_edit_name(e, "name", e->name)
                                          : tn_edit_refuse(e, "a value needs a name");
    if (status == TN_OK) {
        tn_value_set_name(e->value, e->name);
    }
    if (status == TN_OK && e->value->def != NULL && e->value->def_index == 0) {
        e->value->def->loc.first = e->value->name;
    }
    return status;
}

tenure_status tenure_value_rename(tenure_value *value, const char *name) {
    tn_edit e = tn_edit_value("tenure_value_rename", value);
    e.name = name;
    return tn_edit_run(&e, name == NULL ? "name" : NULL, rename_value);
}

/* What passes have found out rests on the old type. */
static tn_status set_type(tn_ctx *ctx, void *arg) {
    const tn_edit *e = arg;
    const tn_type *type;
    (void)ctx;
    tn_status status = tn_edit_type(e, e->text, &type);
    if (status == TN_OK && e->value->kind == TN_VALUE_CONST) {
        status = tn_edit_refuse(e, "the type of '%s' is that of its data", e->value->name);
    }
    if (status == TN_OK) {
        tn_value_set_type(e->value, type);
        tn_value_set_content(e->value, 0, NULL, NULL);
        tn_value_set_unplanned(e->value, NULL);
    }
    return status;
}

tenure_status tenure_value_set_type(tenure_value *value, const char *type) {
    tn_edit e = tn_edit_value("tenure_value_set_type", value);
    e.text = type;
    return tn_edit_run(&e, NULL, set_type);
}

static tn_status set_flags(tn_ctx *ctx, void *arg) {
    const tn_edit *e = arg;
    uint32_t known = TENURE_VALUE_EXCLUDED | TENURE_VALUE_LOSS | TENURE_VALUE_PARAM |
                     (e->value->kind != TN_VALUE_RESULT ? TENURE_VALUE_STATE : 0u);
    (void)ctx;
    if (((e->set | e->clear) & ~known) != 0) {
        return tn_edit_refuse(e, "flags 0x%x of '%s' are not for setting",
                              (unsigned)((e->set | e->clear) & ~known), e->value->name);
    }
    /* Excluded is pinned because somebody asked for it. */
    uint32_t set = e->set | ((e->set & TN_VF_EXCLUDED) != 0 ? TN_VF_PINNED : 0u);
    uint32_t clear = e->clear | ((e->clear & TN_VF_EXCLUDED) != 0 ? TN_VF_PINNED : 0u);
    tn_value_set_flags(e->value, set, clear & ~set);
    return TN_OK;
}

_Static_assert((int)TENURE_VALUE_OUTPUT == (int)TN_VF_OUTPUT &&
                   (int)TENURE_VALUE_DEFAULT == (int)TN_VF_DEFAULT &&
                   (int)TENURE_VALUE_PINNED == (int)TN_VF_PINNED &&
                   (int)TENURE_VALUE_EXCLUDED == (int)TN_VF_EXCLUDED &&
                   (int)TENURE_VALUE_LOSS == (int)TN_VF_LOSS &&
                   (int)TENURE_VALUE_PARAM == (int)TN_VF_PARAM &&
                   (int)TENURE_VALUE_STATE == (int)TN_VF_STATE &&
                   (int)TENURE_VALUE_BACKWARD == (int)TN_VF_BACKWARD &&
                   (int)TENURE_VALUE_PARAM_GRAD == (int)TN_VF_PARAM_GRAD,
               "flags are passed through");

tenure_status tenure_value_set_flags(tenure_value *value, uint32_t set, uint32_t clear) {
    tn_edit e = tn_edit_value("tenure_value_set_flags", value);
    e.set = set;
    e.clear = clear;
    return tn_edit_run(&e, NULL, set_flags);
}

static tn_status replace(tn_ctx *ctx, void *arg) {
    const tn_edit *e = arg;
    (void)ctx;
    tn_status status = tn_edit_may_read(e, e->by);
    if (status == TN_OK) {
        tn_replace_all_uses(e->value, e->by);
    }
    return status;
}

tenure_status tenure_value_replace(tenure_value *value, tenure_value *by) {
    tn_edit e = tn_edit_value("tenure_value_replace", value);
    e.by = api_value(by);
    return tn_edit_run(&e, by == NULL ? "by" : NULL, replace);
}
