/* The backward part. */
#include "ir/mutate.h"
#include "passes/autodiff/differentiate.h"

/* ---- names ---- */

/* Whose gradient has named the value, + 1; 0: nobody's yet. */
static uint32_t owner_of(tn_diff *d, const tn_value *v) {
    return v->id < d->n_owner ? d->owner[v->id] : 0;
}

static void own(tn_diff *d, tn_value *grad, const tn_value *x, const char *name) {
    if (grad->id >= d->n_owner) {
        uint32_t n = 2 * grad->id + 64;
        d->owner = tn_arena_regrow(d->scratch, d->owner, d->n_owner, n, sizeof *d->owner);
        d->n_owner = n;
    }
    d->owner[grad->id] = x->id + 1;
    tn_value_set_name(grad, tn_emit_name(d->e, name));
}

static const char *grad_name(const tn_diff *d, const tn_value *x) {
    return tn_internf(d->m->ctx, "%s_grad", x->name);
}

/* A value that was made for this gradient gets its name; one that is another's, too, keeps that. */
static void name_gradient(tn_diff *d, tn_value *x) {
    tn_value *grad = d->grads[x->id];
    uint32_t owner = owner_of(d, grad);
    if (grad->id >= d->n_values && (owner == 0 || owner == x->id + 1)) {
        own(d, grad, x, grad_name(d, x));
    }
}

/* ---- sums ---- */

/* The sums are a chain, so that no more than two pieces are alive at once. */
void tn_diff_add(tn_diff *d, tn_value *x, tn_value *piece) {
    tn_value *sum = d->grads[x->id];
    uint32_t k = d->n_pieces[x->id]++;
    if (sum == NULL) {
        d->grads[x->id] = piece;
        return;
    }
    const char *name = grad_name(d, x);
    if (k == 1 && owner_of(d, sum) == 0 && sum->id >= d->n_values) {
        own(d, sum, x, tn_internf(d->m->ctx, "%s_0", name));
    }
    if (owner_of(d, piece) == 0) {
        own(d, piece, x, tn_internf(d->m->ctx, "%s_%u", name, k));
    }
    const char *stem = d->e->stem;
    d->e->stem = tn_internf(d->m->ctx, "AccumulateGrad_%s", name);
    d->grads[x->id] = tn_emit_sum(d->e, sum, piece);
    d->e->stem = stem;
    d->n_sums++;
}

/* A gradient that is asked for has a name of its own. */
static void hand_out(tn_diff *d, tn_value *x) {
    tn_value *grad = d->grads[x->id];
    if (grad == NULL) {
        return;
    }
    uint32_t owner = owner_of(d, grad);
    if (grad->id < d->n_values || (owner != 0 && owner != x->id + 1)) {
        d->grads[x->id] = tn_emit_copy(d->e, grad);
    }
    name_gradient(d, x);
    d->complete(d->user, x, d->grads[x->id]);
}

/* ---- one op ---- */

static const char *stem_of(const tn_diff *d, const tn_op *op) {
    const tn_value *first = NULL;
    for (uint32_t r = 0; r < op->n_results && first == NULL; r++) {
        first = op->results[r];
    }
    return tn_internf(d->m->ctx, "%s_Grad", op->name[0] != '\0' ? op->name : first->name);
}

static bool gather(tn_diff *d, const tn_op *op, tn_value **ds) {
    bool any = false;
    for (uint32_t r = 0; r < op->n_results; r++) {
        tn_value *v = op->results[r];
        ds[r] = v != NULL && d->needed[v->id] ? d->grads[v->id] : NULL;
        any |= ds[r] != NULL;
        if (ds[r] != NULL && d->wanted[v->id]) {
            hand_out(d, v);
            ds[r] = d->grads[v->id];
        } else if (ds[r] != NULL && v != d->loss) {
            name_gradient(d, v);
        }
    }
    return any;
}

static void differentiate(tn_diff *d, tn_op *op) {
    tn_value **ds = TN_ARRAY(d->scratch, tn_value *, op->n_results + 1u);
    if (!gather(d, op, ds)) {
        return;
    }
    tn_emit_for(d->e, &op->loc, stem_of(d, op));
    d->e->what = tn_arena_printf(d->scratch, "the gradient of %s", op->type);
    if (tn_diff_branches(op)) {
        tn_diff_run_branches(d, op, ds);
        return;
    }
    for (uint32_t k = 0; k < op->n_operands; k++) {
        tn_value *x = op->operands[k].value;
        tn_grad_case c;
        if (x == NULL || !d->needed[x->id] ||
            tn_op_grad(op, k, d->e->straight, &c) != TN_GRAD_GIVEN) {
            continue;
        }
        tn_grad g = {d->e, op, k, x, ds[0], ds, d->indices, d->keeps_least, &c};
        tn_diff_add(d, x, tn_grad_make(&g));
    }
}

/* The op of the main graph that holds `op`. */
static const tn_op *outermost(const tn_op *op) {
    while (op->graph->owner != NULL) {
        op = op->graph->owner;
    }
    return op;
}

/* Wanted values that no op makes, in lists by the first op of the schedule that reads them: their
 * gradients are complete behind it. Entries are ids + 1. */
typedef struct leaves {
    uint32_t *of_op, *next;
} leaves;

static leaves find_leaves(const tn_diff *d) {
    leaves l = {TN_ARRAY(d->scratch, uint32_t, d->m->n_ops),
                TN_ARRAY(d->scratch, uint32_t, d->n_values)};
    uint32_t *place = TN_ARRAY(d->scratch, uint32_t, d->m->n_ops), n = 0;
    TN_FOR_OPS(op, d->graph) {
        place[op->id] = n++;
    }
    for (uint32_t i = 0; i < d->n_values; i++) {
        const tn_value *v = d->m->values[i];
        const tn_op *first = NULL;
        if (!d->wanted[i] || !d->needed[i] || v->def != NULL) {
            continue;
        }
        for (const tn_use *u = v->first_use; u != NULL; u = u->next) {
            const tn_op *op = outermost(u->op);
            first = first == NULL || place[op->id] < place[first->id] ? op : first;
        }
        if (first != NULL) {
            l.next[i] = l.of_op[first->id];
            l.of_op[first->id] = i + 1;
        }
    }
    return l;
}

/* A loss of one element, or whatever gradient the caller gives. */
static void seed(tn_diff *d) {
    for (uint32_t i = 0; i < d->n_sinks; i++) {
        if (d->ds[i] != NULL && d->needed[d->sinks[i]->id]) {
            tn_diff_add(d, d->sinks[i], d->ds[i]);
        }
    }
    if (d->n_sinks > 0) {
        return;
    }
    if (d->seed == NULL) {
        const tn_value *loss = d->loss;
        tn_emit_for(d->e, &loss->def->loc, tn_internf(d->m->ctx, "%s_Grad", loss->name));
        d->seed = tn_emit_one(d->e, grad_name(d, loss), loss, 1);
    }
    d->grads[d->loss->id] = d->seed;
}

void tn_diff_run(tn_diff *d) {
    leaves l = find_leaves(d);
    d->grads = TN_ARRAY(d->scratch, tn_value *, d->n_values);
    d->n_pieces = TN_ARRAY(d->scratch, uint32_t, d->n_values);
    tn_op *last = d->graph->last;
    seed(d);
    for (tn_op *op = last; op != NULL; op = op->prev) {
        differentiate(d, op);
        for (uint32_t i = l.of_op[op->id]; i != 0; i = l.next[i - 1]) {
            hand_out(d, d->m->values[i - 1]);
        }
    }
}
