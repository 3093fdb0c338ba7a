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
