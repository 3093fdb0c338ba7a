#include "passes/autodiff/constant_params.h"

#include <string.h>

#include "ir/build.h"
#include "ir/gradient/training_form.h"
#include "ir/mutate.h"
#include "ir/ops/grad_text.h"
#include "ir/tensor_bytes.h"

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

/* ---- equal initializers ---- */

/* Whether all elements are one number. Those below a byte count as different. */
static bool is_fill(const tn_emitter *e, const tn_tensor *t) {
    size_t width = tn_dtype_get(t->dtype)->bits / 8u;
    if (width == 0 || !tn_tensor_has_bytes(t)) {
        return false;
    }
    tn_sink bytes = tn_sink_make(e->scratch);
    tn_tensor_put_bytes(t, &bytes);
    return memcmp(bytes.data, bytes.data + width, (size_t)t->bytes - width) == 0;
}

/* The name of the operand, where a gradient by it flows. */
static bool is_trained(const tn_emitter *e, const tn_use *u, tn_word *name) {
    tn_grad_case c = {0};
    bool flows =
        u->op->graph == e->m->main && tn_op_grad(u->op, u->index, e->straight, &c) == TN_GRAD_GIVEN;
    *name = c.operand;
    return flows;
}

static tn_value *give_own(tn_emitter *e, const tn_use *u, const tn_word *operand) {
    tn_op *op = u->op;
    const char *name = tn_emit_name(e, tn_internf(e->ctx, "%s_own_%.*s", op->results[0]->name,
                                                  (int)operand->len, operand->text));
    tn_value *own = tn_graph_add_const(e->m->main, name, u->value->tensor);
    tn_op_set_operand(op, u->index, own);
    return own;
}

/* Gives all readers but the first of a tensor with one number their own. */
static void separate(tn_emitter *e, const tn_value *v) {
    const tn_value *last = NULL;
    uint32_t n = 0, readers = 0;
    tn_word name;
    for (const tn_use *u = v->first_use, *next; u != NULL; u = next) {
        next = u->next;
        tn_value *own = NULL;
        if (tn_copies(u->op)) {
            own = tn_make_own(e, u->op, v->tensor);
        } else if (is_trained(e, u, &name) && readers++ > 0) {
            own = give_own(e, u, &name);
        }
        if (own != NULL) {
            tn_value_set_flags(own, TN_VF_PARAM, 0);
            last = own;
            n++;
        }
    }
    if (n > 0) {
        tn_loc loc = tn_loc_file(e->m->file);
        tn_remark(e->ctx, &loc,
                  "all elements of '%s' are one number, and several ops read it: %u copies (the "
                  "last is '%s') are trained by themselves; wrt=NAMES trains it as one",
                  v->name, n, last->name);
    }
}

void tn_separate_fills(tn_emitter *e) {
    for (uint32_t i = 0, n = e->m->main->n_consts; i < n; i++) {
        const tn_value *v = e->m->main->consts[i];
        if (v->n_uses > 1 && tn_holds_weights(v) && is_fill(e, v->tensor)) {
            separate(e, v);
        }
    }
}

/* ---- a matrix and its transpose ---- */

/* Whether initializer i is a matrix with more rows than columns (tall) or fewer. */
static bool is_matrix(const tn_value *v, bool tall) {
    const tn_tensor *t = v->tensor;
    return t != NULL && t->rank == 2 && tn_holds_weights(v) && v->n_uses > 0 && t->dims[0] > 1 &&
           t->dims[1] > 1 && tn_tensor_has_bytes(t) && tn_dtype_get(t->dtype)->bits % 8 == 0 &&
           (tall ? t->dims[0] > t->dims[1] : t->dims[0] < t->dims[1]);
}

static bool are_transposes(tn_ctx *ctx, const tn_tensor *a, const tn_tensor *b) {
    if (a->dtype != b->dtype || a->dims[0] != b->dims[1] || a->dims[1] != b->dims[0]) {
        return false;
    }
    tn_arena *arena = tn_arena_new(ctx);
    tn_sink left = tn_sink_make(arena), right = tn_sink_make(arena);
    size_t width = tn_dtype_get(a->dtype)->bits / 8u;
    size_t rows = (size_t)a->dims[0], columns = (size_t)a->dims[1];
    bool equal = true;
    tn_tensor_put_bytes(a, &left);
    tn_tensor_put_bytes(b, &right);
    for (size_t i = 0; i < rows * columns && equal; i++) {
        const char *there = right.data + (i % columns * rows + i / columns) * width;
        equal = memcmp(left.data + i * width, there, width) == 0;
    }
    tn_arena_drop(arena);
    return equal;
}

static void tie(tn_emitter *e, tn_value *tall, tn_value *flat) {
    tn_loc loc = tn_loc_file(e->m->file);
    tn_op *last = e->graph->last;
    tn_emit_for(e, &loc, flat->name);
    tn_value *turned = tn_emit_transpose(e, tall, (int64_t[]){1, 0}, 2);
    tn_op_move_before(last->next, e->graph->first);
    tn_replace_all_uses(flat, turned);
    tn_remark(e->ctx, &loc,
              "'%s' holds the transpose of '%s': both are trained as one parameter, '%s', which is "
              "transposed in each run; wrt=NAMES trains them apart",
              flat->name, tall->name, tall->name);
}

void tn_tie_transposes(tn_emitter *e) {
    tn_graph *main = e->m->main;
    for (uint32_t i = 0, n = main->n_consts; i < n; i++) {
        tn_value *flat = main->consts[i];
        bool tied = !is_matrix(flat, false) || is_fill(e, flat->tensor);
        for (uint32_t k = 0; k < n && !tied; k++) {
            tn_value *tall = main->consts[k];
            if (is_matrix(tall, true) && are_transposes(e->ctx, tall->tensor, flat->tensor)) {
                tie(e, tall, flat);
                tied = true;
            }
        }
    }
}
