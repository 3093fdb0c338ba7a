/* The op Gradient (ai.onnx.preview.training) names values instead of reading operands: it derives y
 * by the xs and may look at everything that was computed on the way from the xs to y. */
#include <string.h>

#include "ir/check/check_t.h"
#include "ir/walk.h"

/* Marks by module value. */
typedef struct way {
    const tn_checking *c;
    const tn_op *gradient;
    bool *from_xs, *to_y;
} way;

static bool names_value(const tn_attr *a, const char *name) {
    for (uint32_t i = 0; a->kind == TN_ATTR_STRINGS && i < a->n; i++) {
        if (strcmp(a->u.strings[i].data, name) == 0) {
            return true;
        }
    }
    return a->kind == TN_ATTR_STRING && strcmp(a->u.s.data, name) == 0;
}

static void mark(const tn_value *v, const tn_attr *names, bool *marks) {
    marks[v->id] |= v->graph->kind != TN_GRAPH_INIT && names_value(names, v->name);
}

static bool any_operand(const tn_op *op, const bool *marks) {
    for (uint32_t k = 0; k < op->n_operands; k++) {
        if (op->operands[k].value != NULL && marks[op->operands[k].value->id]) {
            return true;
        }
    }
    return false;
}

static bool any_result(const tn_op *op, const bool *marks) {
    for (uint32_t k = 0; k < op->n_results; k++) {
        if (op->results[k] != NULL && marks[op->results[k]->id]) {
            return true;
        }
    }
    return false;
}

/* Only ops of the gradient's own graph are followed. Ops nested in them need not be: what these
 * capture is needed to the end of the op around them, and its results cover theirs. */
static void follow(way *w) {
    const tn_op *first = w->gradient->graph->first;
    for (const tn_op *op = first; op != w->gradient; op = op->next) {
        for (uint32_t k = 0; any_operand(op, w->from_xs) && k < op->n_results; k++) {
            if (op->results[k] != NULL) {
                w->from_xs[op->results[k]->id] = true;
            }
        }
    }
    for (const tn_op *op = w->gradient->prev; op != NULL; op = op->prev) {
        for (uint32_t k = 0; any_result(op, w->to_y) && k < op->n_operands; k++) {
            if (op->operands[k].value != NULL) {
                w->to_y[op->operands[k].value->id] = true;
            }
        }
    }
}

static void read(const way *w, const tn_value *v, void (*fn)(void *, uint32_t, const tn_op *),
                 void *user) {
    uint32_t value = v != NULL ? w->c->plan_value[v->id] : TN_NO_ID;
    if (value != TN_NO_ID && v->graph == w->gradient->graph) {
        fn(user, value, w->gradient);
    }
}

static void read_way(const way *w, void (*fn)(void *, uint32_t, const tn_op *), void *user) {
    const tn_graph *g = w->gradient->graph;
    for (const tn_op *op = g->first; op != w->gradient; op = op->next) {
        if (!any_result(op, w->from_xs) || !any_result(op, w->to_y)) {
            continue;
        }
        for (uint32_t k = 0; k < op->n_operands; k++) {
            read(w, op->operands[k].value, fn, user);
        }
        for (uint32_t k = 0; k < op->n_results; k++) {
            read(w, op->results[k], fn, user);
        }
    }
}

bool tn_check_derives(const tn_op *op) {
    const tn_attr *xs = tn_op_attr(op, "xs"), *y = tn_op_attr(op, "y");
    return xs != NULL && y != NULL && xs->kind == TN_ATTR_STRINGS && y->kind == TN_ATTR_STRING;
}

void tn_check_gradient_reads(const tn_checking *c, void (*fn)(void *, uint32_t, const tn_op *),
                             void *user) {
    TN_FOR_ALL_OPS(op, c->m->main) {
        if (!tn_check_derives(op)) {
            continue;
        }
        way w = {c, op, TN_ARRAY(c->arena, bool, c->m->n_values),
                 TN_ARRAY(c->arena, bool, c->m->n_values)};
        for (uint32_t i = 0; i < c->m->n_values; i++) {
            mark(c->m->values[i], tn_op_attr(op, "xs"), w.from_xs);
            mark(c->m->values[i], tn_op_attr(op, "y"), w.to_y);
        }
        follow(&w);
        read_way(&w, fn, user);
    }
}
