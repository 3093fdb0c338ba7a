#include "passes/analysis/derivative.h"

#include "ir/base/limits.h"

/* One derivative at a time. `reached` and `needed` are by value id. */
typedef struct path {
    const tn_steps *steps;
    const tn_op *derivative;
    const tn_graph *graph;
    uint32_t from, to; /* steps of the graph before the derivative */
    bool *reached, *needed;
    const tn_op **top; /* by step - from: the op of `graph` that runs the step */
} path;

bool tn_is_derivative(const tn_op *op) {
    const tn_attr *xs = tn_op_attr(op, "xs"), *y = tn_op_attr(op, "y");
    return xs != NULL && xs->kind == TN_ATTR_STRINGS && y != NULL && y->kind == TN_ATTR_STRING;
}

static void mark_names(path *p) {
    const tn_attr *xs = tn_op_attr(p->derivative, "xs"), *y = tn_op_attr(p->derivative, "y");
    for (uint32_t i = 0; i < xs->n; i++) {
        const tn_value *v = tn_graph_find_value(p->graph, xs->u.strings[i].data);
        if (v != NULL) {
            p->reached[v->id] = true;
        }
    }
    const tn_value *v = tn_graph_find_value(p->graph, y->u.s.data);
    if (v != NULL) {
        p->needed[v->id] = true;
    }
}

/* A step deeper than the graph counts for the op of the graph around it, by reads as by results. */
static void reach_forward(path *p) {
    const tn_op *top = NULL;
    for (uint32_t s = p->from; s < p->to; s++) {
        const tn_op *op = p->steps->at[s].op;
        top = op->graph == p->graph ? op : top;
        p->top[s - p->from] = top;
        bool hit = false;
        for (uint32_t k = 0; k < op->n_operands && !hit; k++) {
            hit = op->operands[k].value != NULL && p->reached[op->operands[k].value->id];
        }
        for (uint32_t k = 0; k < top->n_results && hit; k++) {
            if (top->results[k] != NULL) {
                p->reached[top->results[k]->id] = true;
            }
        }
    }
}

static bool any_result(const tn_op *op, const bool *marks) {
    for (uint32_t k = 0; k < op->n_results; k++) {
        if (op->results[k] != NULL && marks[op->results[k]->id]) {
            return true;
        }
    }
    return false;
}

static void need_backward(path *p) {
    for (uint32_t s = p->to; s-- > p->from;) {
        const tn_op *op = p->steps->at[s].op;
        if (any_result(p->top[s - p->from], p->needed)) {
            for (uint32_t k = 0; k < op->n_operands; k++) {
                if (op->operands[k].value != NULL) {
                    p->needed[op->operands[k].value->id] = true;
                }
            }
        }
    }
}

static void read_path(const path *p, void (*fn)(void *, const tn_value *, const tn_op *),
                      void *user) {
    for (uint32_t s = p->from; s < p->to; s++) {
        const tn_op *op = p->steps->at[s].op, *top = p->top[s - p->from];
        if (!any_result(top, p->reached) || !any_result(top, p->needed)) {
            continue;
        }
        for (uint32_t k = 0; k < op->n_operands; k++) {
            const tn_value *v = op->operands[k].value;
            if (v != NULL && tn_graph_within(p->graph, v->graph)) {
                fn(user, v, p->derivative);
            }
        }
        for (uint32_t k = 0; k < op->n_results && op == top; k++) {
            if (op->results[k] != NULL) {
                fn(user, op->results[k], p->derivative);
            }
        }
    }
}

void tn_derivative_reads(const tn_module *m, const tn_steps *steps, tn_arena *scratch,
                         void (*fn)(void *user, const tn_value *v, const tn_op *op), void *user) {
    uint32_t n = 0;
    for (uint32_t s = 0; s < steps->n; s++) {
        const tn_op *op = steps->at[s].op;
        if (steps->at[s].is_end || !tn_is_derivative(op)) {
            continue;
        }
        if (++n > TN_MAX_DERIVATIVES) {
            tn_fail(m->ctx, &op->loc, "more than %u symbolic Gradient ops", TN_MAX_DERIVATIVES);
        }
        path p = {.steps = steps,
                  .derivative = op,
                  .graph = op->graph,
                  .from = steps->begin[op->graph->first->id],
                  .to = s,
                  .reached = TN_ARRAY(scratch, bool, m->n_values),
                  .needed = TN_ARRAY(scratch, bool, m->n_values),
                  .top = TN_ARRAY(scratch, const tn_op *, s + 1u)};
        mark_names(&p);
        reach_forward(&p);
        need_backward(&p);
        read_path(&p, fn, user);
    }
}
