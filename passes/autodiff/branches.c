/* The gradient of an If whose condition is not known: another If on the same condition. Each of its
 * branches runs what it needs of the forward branch once more, and then that branch's backward
 * part; its results are the gradients by what the forward branches read from outside. To hand the
 * values of the forward part out instead would take dummies of their size in the other branch. */
#include <string.h>

#include "ir/gradient/copy_body.h"
#include "ir/gradient/expand.h"
#include "ir/mutate.h"
#include "ir/walk.h"
#include "passes/autodiff/differentiate.h"

bool tn_diff_branches(const tn_op *op) {
    return op->info->grad != NULL && strcmp(op->info->grad, "=if") == 0 && op->n_regions == 2;
}

/* One branch, differentiated as a graph of its own. */
typedef struct branch {
    const tn_diff *outer;
    tn_diff d;
} branch;

static bool is_outside(const tn_value *v, const tn_graph *g) {
    return !tn_graph_within(v->graph, g);
}

/* A gradient is wanted by what the branch reads from outside and depends on a wanted value. */
static tn_status choose(void *user) {
    branch *b = user;
    const tn_module *m = b->d.m;
    b->d.wanted = TN_ARRAY(b->d.scratch, bool, m->n_values);
    b->d.stopped = TN_ARRAY(b->d.scratch, bool, m->n_values);
    for (uint32_t i = 0; i < b->outer->n_values; i++) {
        b->d.wanted[i] = b->outer->flows[i] && is_outside(m->values[i], b->d.graph);
    }
    return TN_OK;
}

static branch start(const tn_diff *d, tn_graph *g, tn_value *const *ds) {
    branch b = {d, {.m = d->m, .graph = g, .e = d->e, .scratch = d->scratch, .loss = d->loss}};
    b.d.indices = d->indices; /* in a body nothing is put into the forward part */
    b.d.n_sinks = g->n_outputs;
    b.d.ds = ds;
    b.d.sinks = TN_ARRAY(d->scratch, tn_value *, g->n_outputs + 1u);
    memcpy(b.d.sinks, g->outputs, g->n_outputs * sizeof(tn_value *));
    return b;
}

/* ---- what is needed ---- */

static tn_status check(const tn_diff *d, const tn_op *op) {
    for (uint32_t g = 0; g < op->n_regions; g++) {
        TN_FOR_ALL_OPS(inner, op->regions[g]) {
            if ((inner->info->traits & (TN_T_RANDOM | TN_T_SIDE_EFFECT)) != 0) {
                return tn_error(d->m->ctx, &inner->loc,
                                "the gradient of %s cannot be made: its branch would run %s once "
                                "more, which does not do the same twice; " TN_GRAD_WAYS_OUT,
                                op->type, inner->type);
            }
        }
    }
    return TN_OK;
}

/* A gradient has one shape, so the results of both branches must have it. */
static tn_status check_result(const tn_diff *d, const tn_op *op, uint32_t r) {
    bool same = true;
    for (uint32_t g = 0; g < op->n_regions; g++) {
        const tn_graph *body = op->regions[g];
        same &= r < body->n_outputs &&
                tn_type_same_extents(body->outputs[r]->type, op->results[r]->type);
    }
    return same ? TN_OK
                : tn_error(d->m->ctx, &op->loc,
                           "the gradient of %s cannot be made: '%s' is not known to have one shape "
                           "whatever branch is taken; " TN_GIVE_DIMENSIONS,
                           op->type, op->results[r]->name);
}

tn_status tn_diff_need_branches(tn_diff *d, const tn_op *op) {
    tn_value **ds = TN_ARRAY(d->scratch, tn_value *, op->n_results + 1u);
    tn_status status = check(d, op);
    for (uint32_t r = 0; r < op->n_results && status == TN_OK; r++) {
        tn_value *v = op->results[r];
        ds[r] = v != NULL && d->needed[v->id] ? v : NULL; /* stands for the gradient to come */
        status = ds[r] != NULL ? check_result(d, op, r) : TN_OK;
    }
    for (uint32_t g = 0; g < op->n_regions && status == TN_OK; g++) {
        branch b = start(d, op->regions[g], ds);
        (void)choose(&b);
        status = tn_diff_need(&b.d);
        for (uint32_t i = 0; i < d->n_values && status == TN_OK; i++) {
            d->needed[i] |= b.d.needed[i] && b.d.wanted[i];
        }
    }
    return status;
}

/* ---- the backward part ---- */

static tn_op *new_if(tn_diff *d, const tn_op *op) {
    const char *name = tn_emit_name(d->e, tn_internf(d->m->ctx, "%s/%s", d->e->stem, op->type));
    tn_op *made = tn_op_new(d->e->graph, op->domain, op->type, op->version, name, op->loc);
    tn_op_add_operand(made, tn_operand(op, 0));
    return made;
}

/* Branch `g` of `made`, without outputs so far. */
static branch run_branch(tn_diff *d, const tn_op *op, uint32_t g, tn_op *made,
                         tn_value *const *ds) {
    const tn_graph *from = op->regions[g];
    tn_graph *to = tn_graph_new(d->m, from->name, made);
    uint64_t n = 0;
    tn_copying c = tn_copying_of(d->e, op, made->name);
    uint32_t flags = d->e->flags, first = d->m->n_ops;
    d->e->graph = to;
    d->e->first_copy = first;
    d->e->flags = 0;
    tn_copy_consts(&c, from);
    tn_copy_body(&c, from);
    for (uint32_t i = 0; i < from->n_outputs; i++) {
        tn_graph_add_output(to, tn_copy_of(&c, from->outputs[i])); /* somebody reads them */
    }
    branch b = start(d, to, ds);
    tn_status status = tn_diff_settle(&b.d, choose, &b, &n);
    if (status != TN_OK) {
        tn_raise(d->m->ctx, status);
    }
    d->e->flags = flags;
    tn_graph_set_outputs(to, NULL, 0);
    memset(b.d.wanted, 0, b.d.n_values * sizeof *b.d.wanted); /* they are handed out below */
    tn_diff_run(&b.d);
    return b;
}

/* The gradient by x becomes an output of the branch. */
static void hand_out(tn_diff *d, tn_value *x) {
    tn_value *grad = d->grads[x->id];
    d->e->graph = d->graph;
    if (grad == NULL) {
        grad = tn_emit_full_like(d->e, x, x->type->dtype, 0);
    }
    bool own = grad->kind == TN_VALUE_RESULT && grad->graph == d->graph &&
               (grad->flags & TN_VF_OUTPUT) == 0;
    tn_graph_add_output(d->graph, own ? grad : tn_emit_copy(d->e, grad));
}

static void add_bodies(const tn_op *op, tn_op *made) {
    for (uint32_t i = 0; i < op->n_attrs; i++) {
        tn_attr a = op->attrs[i];
        for (uint32_t g = 0; g < op->n_regions && a.kind == TN_ATTR_GRAPH; g++) {
            if (op->attrs[i].u.g == op->regions[g]) {
                a.u.g = made->regions[g];
            }
        }
        a.as_read = false;
        tn_op_add_attr(made, a);
    }
}

void tn_diff_run_branches(tn_diff *d, tn_op *op, tn_value *const *ds) {
    tn_emitter *e = d->e;
    tn_graph *graph = e->graph;
    tn_op *made = new_if(d, op);
    uint32_t first = d->m->n_ops;
    branch then_branch = run_branch(d, op, 0, made, ds);
    branch else_branch = run_branch(d, op, 1, made, ds);
    tn_emit_for(e, &op->loc, made->name);
    for (uint32_t i = 0; i < d->n_values; i++) {
        tn_value *x = d->m->values[i];
        tn_diff *both[] = {&then_branch.d, &else_branch.d};
        if (d->needed[i] && (both[0]->grads[i] != NULL || both[1]->grads[i] != NULL)) {
            hand_out(both[0], x);
            hand_out(both[1], x);
            e->graph = graph;
            const char *name = tn_internf(d->m->ctx, "%s_result%u", made->name, made->n_results);
            tn_value *grad = tn_op_add_result(made, tn_emit_name(e, name), x->type);
            tn_value_set_flags(grad, e->flags, 0);
            tn_diff_add(d, x, grad);
        }
    }
    add_bodies(op, made);
    tn_sweep_unread(made->regions[0], first);
    tn_sweep_unread(made->regions[1], first);
    e->graph = graph;
}
