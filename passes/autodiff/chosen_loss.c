#include "passes/autodiff/chosen_loss.h"

#include "ir/base/quote.h"
#include "ir/gradient/copy_body.h"
#include "ir/gradient/made_loss.h"
#include "ir/mutate.h"
#include "passes/autodiff/named_values.h"

static bool has_one_element(const tn_module *m, const tn_value *v) {
    int64_t n;
    return v->type->kind == TN_TYPE_TENSOR && tn_type_fixed_elements(m->dims, v->type, &n) &&
           n == 1;
}

static tn_value *only_loss(const tn_module *m) {
    tn_value *found = NULL;
    for (uint32_t i = 0; i < m->n_values; i++) {
        tn_value *v = m->values[i];
        bool by_op = v->kind == TN_VALUE_RESULT && v->graph == m->main && v->def_index == 0 &&
                     !v->def->erased && (v->def->info->traits & TN_T_LOSS) != 0;
        if (by_op || (v->flags & TN_VF_LOSS) != 0) {
            if (found != NULL) {
                return NULL;
            }
            found = v;
        }
    }
    const tn_graph *g = m->main;
    return found == NULL && g->n_outputs == 1 && has_one_element(m, g->outputs[0]) ? g->outputs[0]
                                                                                   : found;
}

static tn_status make(tn_emitter *e, const char *kind, const char *written, tn_value **out) {
    tn_loc loc = tn_loc_file(e->m->file);
    const char *name = tn_name_unquote(e->scratch, written);
    tn_value *over = NULL;
    if (name == NULL) {
        return tn_usage(e->ctx, &loc, "autodiff: loss: '%s' is not a name", written);
    }
    tn_status status = tn_name_find(e->m, e->scratch, "loss", name, &over);
    if (status != TN_OK) {
        return status;
    }
    if (over->type->kind != TN_TYPE_TENSOR || tn_dtype_get(over->type->dtype)->kind != 'F') {
        return tn_usage(e->ctx, &loc, "autodiff: loss: '%s' is not a tensor of floats", name);
    }
    *out = tn_made_loss(e, kind, over);
    return *out != NULL ? TN_OK
                        : tn_usage(e->ctx, &loc,
                                   "autodiff: loss: there is no loss '%s' to make; there are: %s",
                                   kind, tn_made_loss_kinds());
}

/* Outputs that a loss can be made over, as options take them. */
static const char *outputs_of(const tn_emitter *e) {
    enum { SHOWN = 4 };
    const tn_graph *g = e->m->main;
    tn_sink text = tn_sink_make(e->scratch);
    uint32_t n = 0;
    for (uint32_t i = 0; i < g->n_outputs; i++) {
        const tn_type *type = g->outputs[i]->type;
        if (type->kind == TN_TYPE_TENSOR && tn_dtype_get(type->dtype)->kind == 'F' && n++ < SHOWN) {
            tn_put(&text, n > 1 ? ", " : "; outputs of floats: ");
            tn_put_name(&text, g->outputs[i]->name, ",()");
        }
    }
    if (n > SHOWN) {
        tn_putf(&text, " and %u more", n - SHOWN);
    }
    return n > 0 ? text.data : "";
}

tn_status tn_choose_loss(tn_emitter *e, const char *text, tn_value **out) {
    tn_loc loc = tn_loc_file(e->m->file);
    const char *kind, *name;
    if (*text == '\0') {
        *out = only_loss(e->m);
        return *out != NULL
                   ? TN_OK
                   : tn_usage(e->ctx, &loc,
                              "autodiff: which value is the loss? give loss=NAME, or have one made "
                              "over an output: loss=mse(NAME) (%s)%s",
                              tn_made_loss_kinds(), outputs_of(e));
    }
    if (tn_graph_find_value(e->m->main, text) == NULL &&
        tn_made_loss_split(e->scratch, text, &kind, &name)) {
        return make(e, kind, name, out);
    }
    return tn_name_find(e->m, e->scratch, "loss", text, out);
}

tn_status tn_check_loss(tn_emitter *e, const tn_value *loss, bool given) {
    bool is_float =
        loss->type->kind == TN_TYPE_TENSOR && tn_dtype_get(loss->type->dtype)->kind == 'F';
    if (is_float && loss->kind == TN_VALUE_RESULT && (given || has_one_element(e->m, loss))) {
        return TN_OK;
    }
    tn_sink type = tn_sink_make(e->scratch);
    tn_type_print(e->m->dims, loss->type, &type);
    tn_loc loc = tn_loc_file(e->m->file);
    return tn_usage(
        e->ctx, &loc, "autodiff: the loss '%s' is %s %s, expected a result of floats%s", loss->name,
        loss->kind == TN_VALUE_RESULT ? "a result of type" : "not computed, of type", type.data,
        given ? ""
              : " with one element; seed=input takes its gradient as an input, and loss=mse(NAME) "
                "makes a loss over it");
}

void tn_drop_outputs(tn_emitter *e, tn_value *loss) {
    const tn_module *m = e->m;
    const tn_graph *g = m->main;
    tn_value **kept = TN_ARRAY(e->scratch, tn_value *, g->n_outputs + 1u);
    uint32_t n = 0;
    kept[n++] = loss;
    for (uint32_t i = 0; i < g->n_outputs; i++) {
        bool bound = false;
        for (uint32_t k = 0; k < m->n_bindings; k++) {
            bound |= m->bindings[k].value == g->outputs[i];
        }
        if (bound && g->outputs[i] != loss) {
            kept[n++] = g->outputs[i];
        }
    }
    tn_graph_set_outputs(m->main, kept, n);
    tn_sweep_unread(m->main, 0);
}
