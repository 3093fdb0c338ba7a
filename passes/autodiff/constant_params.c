#include "passes/autodiff/constant_params.h"

#include "ir/build.h"
#include "ir/mutate.h"

bool tn_holds_weights(const tn_value *v) {
    const tn_tensor *t = v->kind == TN_VALUE_RESULT ? tn_value_tensor(v) : v->tensor;
    return t != NULL && t->n_elements > 1 && tn_dtype_get(t->dtype)->kind == 'F';
}

void tn_constants_to_initializers(tn_emitter *e) {
    tn_graph *main = e->m->main;
    for (tn_op *op = main->first, *next; op != NULL; op = next) {
        next = op->next;
        tn_value *v = tn_result(op, 0);
        const tn_tensor *t = v != NULL ? tn_value_tensor(v) : NULL;
        if (t == NULL || !tn_holds_weights(v) || (v->flags & TN_VF_OUTPUT) != 0) {
            continue;
        }
        const char *name = v->name;
        tn_value_set_name(v, tn_emit_name(e, tn_internf(e->ctx, "%s_constant", name)));
        tn_replace_all_uses(v, tn_graph_add_const(main, name, t));
        tn_op_erase(op);
    }
}

/* Bodies of functions see nothing of the graphs around them. */
static bool may_read_main(const tn_graph *g) {
    bool may = g->owner != NULL;
    for (; may && g->owner != NULL; g = g->owner->graph) {
        may = !g->owner->erased && !tn_op_is_call(g->owner);
    }
    return may && g == g->module->main;
}

/* The name stays, unless weights of another body have taken it. */
static void lift(tn_emitter *e, tn_value *v, const tn_tensor *t) {
    const char *name = v->name;
    tn_value_set_name(v, tn_emit_name(e, tn_internf(e->ctx, "%s_in_body", name)));
    if (tn_graph_find_value(e->m->main, name) != NULL) {
        name = tn_emit_name(e, name);
    }
    tn_value *made = tn_graph_add_const(e->m->main, name, t);
    tn_value_set_flags(made, TN_VF_PARAM, 0);
    tn_replace_all_uses(v, made);
}

void tn_lift_weights(tn_emitter *e) {
    for (uint32_t i = 0; i < e->m->n_graphs; i++) {
        tn_graph *g = e->m->graphs[i];
        for (uint32_t k = 0; k < g->n_consts && may_read_main(g); k++) {
            if (tn_holds_weights(g->consts[k])) {
                lift(e, g->consts[k], g->consts[k]->tensor);
            }
        }
        for (tn_op *op = may_read_main(g) ? g->first : NULL, *next; op != NULL; op = next) {
            const tn_tensor *t = op->n_results == 1 ? tn_value_tensor(op->results[0]) : NULL;
            next = op->next;
            if (t != NULL && tn_holds_weights(op->results[0])) {
                lift(e, op->results[0], t);
                tn_op_erase(op);
            }
        }
    }
}
