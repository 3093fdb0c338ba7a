/* Which values need a gradient: those that depend on what is wanted, as far as the loss depends on
 * them. */
#include <string.h>

#include "ir/gradient/expand.h"
#include "ir/walk.h"
#include "passes/autodiff/differentiate.h"

/* Floats, or something that holds some. */
static bool is_float(const tn_value *v) {
    const tn_type *t = v->type;
    while (t->elem != NULL) {
        t = t->elem;
    }
    return t->kind == TN_TYPE_TENSOR && tn_dtype_get(t->dtype)->kind == 'F';
}

/* What an op without a shape rule makes, and the file says nothing of: it may be floats, and a
 * gradient that ended there would be missing unsaid. */
static bool may_be_float(const tn_op *op, const tn_value *v) {
    const tn_type *t = v->type;
    bool open =
        t->kind == TN_TYPE_UNKNOWN || (t->kind == TN_TYPE_TENSOR && t->dtype == TN_DT_UNKNOWN);
    return is_float(v) || (open && op->info->shape == NULL && op->n_regions == 0);
}

/* ---- what depends on a wanted value ---- */

bool tn_diff_captures(const tn_diff *d, const tn_op *op) {
    for (uint32_t g = 0; g < op->n_regions; g++) {
        const tn_graph *body = op->regions[g];
        for (uint32_t i = 0; i < body->n_outputs; i++) {
            if (d->flows[body->outputs[i]->id]) {
                return true;
            }
        }
        TN_FOR_ALL_OPS(inner, body) {
            for (uint32_t k = 0; k < inner->n_operands; k++) {
                const tn_value *v = inner->operands[k].value;
                if (v != NULL && d->flows[v->id]) {
                    return true;
                }
            }
        }
    }
    return false;
}

static bool flows_in(const tn_diff *d, const tn_op *op) {
    for (uint32_t k = 0; k < op->n_operands; k++) {
        const tn_value *v = op->operands[k].value;
        if (v != NULL && d->flows[v->id] &&
            tn_op_grad(op, k, d->e->straight, NULL) != TN_GRAD_ZERO) {
            return true;
        }
    }
    return op->n_regions > 0 && tn_diff_captures(d, op);
}

static void spread(tn_diff *d) {
    for (uint32_t i = 0; i < d->n_values; i++) {
        d->flows[i] = d->wanted[i] && !d->stopped[i];
    }
    TN_FOR_OPS(op, d->graph) {
        bool flows = flows_in(d, op);
        for (uint32_t r = 0; flows && r < op->n_results; r++) {
            tn_value *v = op->results[r];
            bool ends = v == NULL || d->stopped[v->id] || !may_be_float(op, v);
            if (!ends) {
                d->flows[v->id] = true;
            }
        }
    }
}

/* ---- what the loss depends on ---- */

/* The names of wanted values that the op's operands depend on. */
static const char *who_needs(const tn_diff *d, const tn_op *op) {
    enum { SHOWN = 3 };
    bool *seen = TN_ARRAY(d->scratch, bool, d->n_values);
    TN_VEC(const tn_value *) work = {0};
    tn_sink text = tn_sink_make(d->scratch);
    uint32_t n = 0;
    for (uint32_t k = 0; k < op->n_operands; k++) {
        tn_vec_push(d->scratch, &work, op->operands[k].value);
    }
    while (work.len > 0) {
        const tn_value *v = work.data[--work.len];
        if (v == NULL || seen[v->id] || !d->flows[v->id]) {
            continue;
        }
        seen[v->id] = true;
        if (d->wanted[v->id] && n++ < SHOWN) {
            tn_putf(&text, "%s'%s'", n > 1 ? ", " : "", v->name);
        }
        for (uint32_t k = 0; v->def != NULL && k < v->def->n_operands; k++) {
            tn_vec_push(d->scratch, &work, v->def->operands[k].value);
        }
    }
    if (n > SHOWN) {
        tn_putf(&text, " and %u more", n - SHOWN);
    }
    return n > 0 ? text.data : "values its bodies read";
}

static tn_status refuse(const tn_diff *d, const tn_op *op, const tn_value *v) {
    return tn_error(d->m->ctx, &op->loc,
                    "the gradient of %s by '%s' is not known, and the loss '%s' depends through it "
                    "on %s; %s" TN_GRAD_WAYS_OUT,
                    op->type, v->name, d->loss->name, who_needs(d, op),
                    op->info->straight != NULL
                        ? "rounding=straight-through takes it as if it did not round, "
                        : "");
}

/* A gradient that comes back through another result than the first needs a formula that takes all
 * of them. */
static bool takes_all(const tn_grad_case *c) {
    const char *at = c->formula;
    for (tn_grad_token t; (t = tn_grad_next_token(&at, c->end)).kind != TN_GRAD_END;) {
        if (tn_grad_is(&t, "ds")) {
            return true;
        }
    }
    return false;
}

/* An op that is going to be replaced: as if a gradient went through all that it reads. */
static void need_all(tn_diff *d, tn_op *op) {
    for (uint32_t k = 0; k < op->n_operands; k++) {
        const tn_value *v = op->operands[k].value;
        if (v != NULL) {
            d->needed[v->id] |= d->flows[v->id];
        }
    }
    for (uint32_t g = 0; g < op->n_regions; g++) {
        TN_FOR_ALL_OPS(inner, op->regions[g]) {
            need_all(d, inner);
        }
    }
}

static tn_status need_bodies(tn_diff *d, tn_op *op) {
    if (op->n_regions == 0 || !tn_diff_captures(d, op)) {
        return TN_OK;
    }
    return tn_diff_branches(op) ? tn_diff_need_branches(d, op) : refuse(d, op, op->results[0]);
}

static bool flows_through(const tn_diff *d, const tn_op *op) {
    bool flows = op->n_regions > 0 && tn_diff_captures(d, op);
    for (uint32_t k = 0; k < op->n_operands; k++) {
        const tn_value *v = op->operands[k].value;
        flows |= v != NULL && d->flows[v->id];
    }
    return flows;
}

static tn_status need_operands(tn_diff *d, tn_op *op) {
    bool behind = false, any = false;
    for (uint32_t r = 0; r < op->n_results; r++) {
        bool needed = op->results[r] != NULL && d->needed[op->results[r]->id];
        any |= needed;
        behind |= needed && r > 0;
    }
    if (any && tn_expands(d->e, op) && flows_through(d, op)) {
        need_all(d, op);
        tn_vec_push(d->scratch, &d->to_expand, op);
        return TN_OK;
    }
    for (uint32_t k = 0; any && k < op->n_operands; k++) {
        tn_value *v = op->operands[k].value;
        tn_grad_case c;
        if (v == NULL || !d->flows[v->id]) {
            continue;
        }
        tn_grad_flow flow = tn_op_grad(op, k, d->e->straight, &c);
        if (flow == TN_GRAD_UNKNOWN) {
            return refuse(d, op, v);
        }
        if (flow == TN_GRAD_GIVEN && behind && !takes_all(&c)) {
            return tn_error(d->m->ctx, &op->loc,
                            "the loss '%s' depends on %s through a result other than its first, "
                            "and the gradient of '%s' is known for the first only",
                            d->loss->name, op->type, v->name);
        }
        d->needed[v->id] |= flow == TN_GRAD_GIVEN;
    }
    return any ? need_bodies(d, op) : TN_OK;
}

tn_status tn_diff_need(tn_diff *d) {
    tn_status status = TN_OK;
    d->n_values = d->m->n_values;
    d->flows = TN_ARRAY(d->scratch, bool, d->n_values);
    d->needed = TN_ARRAY(d->scratch, bool, d->n_values);
    d->to_expand.len = 0;
    spread(d);
    if (d->n_sinks == 0) {
        d->needed[d->loss->id] = d->flows[d->loss->id];
    }
    for (uint32_t i = 0; i < d->n_sinks; i++) {
        const tn_value *v = d->sinks[i];
        d->needed[v->id] |= d->ds[i] != NULL && d->flows[v->id];
    }
    for (tn_op *op = d->graph->last; op != NULL && status == TN_OK; op = op->prev) {
        status = need_operands(d, op);
    }
    return status;
}

/* ---- ops that are expanded ---- */

static void expand(tn_diff *d, tn_op *op) {
    uint32_t n = op->n_results;
    tn_value **results = TN_ARRAY(d->scratch, tn_value *, n + 1u);
    memcpy(results, op->results, n * sizeof(tn_value *));
    tn_value *const *made = tn_expand(d->e, op);
    for (uint32_t r = 0; r < n; r++) {
        d->loss = d->loss == results[r] ? made[r] : d->loss;
        for (uint32_t i = 0; i < d->n_sinks; i++) {
            d->sinks[i] = d->sinks[i] == results[r] ? made[r] : d->sinks[i];
        }
    }
}

tn_status tn_diff_settle(tn_diff *d, tn_status (*choose)(void *user), void *user, uint64_t *n) {
    tn_status status = choose(user);
    status = status == TN_OK ? tn_diff_need(d) : status;
    while (status == TN_OK && d->to_expand.len > 0) {
        for (uint32_t i = d->to_expand.len; i-- > 0;) { /* in the order of the schedule */
            expand(d, d->to_expand.data[i]);
            ++*n;
        }
        TN_FOR_OPS(op, d->graph) { /* of a loop that is unrolled more is known */
            tn_emit_type(d->e, op);
        }
        status = choose(user);
        status = status == TN_OK ? tn_diff_need(d) : status;
    }
    return status;
}
