/* The op Gradient: it names the xs and y, and looks at all that was computed on the way. */
#include <string.h>

#include "tests/random/kernel.h"

typedef struct way {
    const tn_op *gradient;
    bool *from, *to; /* by value: depends on the xs; y depends on it */
} way;

/* The op before the gradient, in its graph, that `op` is or lies in; NULL for others. */
static const tn_op *seen(const way *w, const tn_op *op) {
    while (op != NULL && op->graph != w->gradient->graph) {
        op = op->graph->owner;
    }
    for (const tn_op *at = w->gradient->prev; at != NULL; at = at->prev) {
        if (at == op) {
            return op;
        }
    }
    return NULL;
}

/* Whether `op`, with all that is nested in it, reads a marked value. */
static bool reads(const way *w, const tn_op *op, const bool *marks) {
    const tn_module *m = op->graph->module;
    for (uint32_t i = 0; i < m->n_ops; i++) {
        for (uint32_t k = 0; k < m->ops[i]->n_operands && seen(w, m->ops[i]) == op; k++) {
            const tn_value *v = m->ops[i]->operands[k].value;
            if (v != NULL && marks[v->id]) {
                return true;
            }
        }
    }
    return false;
}

static bool makes(const tn_op *op, const bool *marks) {
    for (uint32_t r = 0; r < op->n_results; r++) {
        if (op->results[r] != NULL && marks[op->results[r]->id]) {
            return true;
        }
    }
    return false;
}

static void mark_results(const tn_op *op, bool *marks) {
    for (uint32_t r = 0; r < op->n_results; r++) {
        if (op->results[r] != NULL) {
            marks[op->results[r]->id] = true;
        }
    }
}

static void mark_reads(const way *w, const tn_op *op, bool *marks) {
    const tn_module *m = op->graph->module;
    for (uint32_t i = 0; i < m->n_ops; i++) {
        for (uint32_t k = 0; k < m->ops[i]->n_operands && seen(w, m->ops[i]) == op; k++) {
            if (m->ops[i]->operands[k].value != NULL) {
                marks[m->ops[i]->operands[k].value->id] = true;
            }
        }
    }
}

static bool names(const tn_op *op, const tn_value *v) {
    const tn_attr *xs = tn_op_attr(op, "xs");
    for (uint32_t i = 0; i < xs->n; i++) {
        if (strcmp(xs->u.strings[i].data, v->name) == 0) {
            return true;
        }
    }
    return false;
}

/* Marks what is named, then spreads it op by op until nothing is new. */
static void mark_way(way *w) {
    const tn_module *m = w->gradient->graph->module;
    const char *y = tn_attr_string(w->gradient, "y", "");
    for (uint32_t i = 0; i < m->n_values; i++) {
        bool here = m->values[i]->graph == w->gradient->graph;
        w->from[i] = here && names(w->gradient, m->values[i]);
        w->to[i] = here && strcmp(m->values[i]->name, y) == 0;
    }
    for (const tn_op *op = w->gradient->graph->first; op != w->gradient; op = op->next) {
        if (reads(w, op, w->from)) {
            mark_results(op, w->from);
        }
    }
    for (const tn_op *op = w->gradient->prev; op != NULL; op = op->prev) {
        if (makes(op, w->to)) {
            mark_reads(w, op, w->to);
        }
    }
}

bool *kernel_looks_at(const tn_op *op, tn_arena *arena) {
    const tn_module *m = op->graph->module;
    if (strcmp(op->type, "Gradient") != 0) {
        return NULL;
    }
    way w = {op, TN_ARRAY(arena, bool, m->n_values), TN_ARRAY(arena, bool, m->n_values)};
    bool *seen_values = TN_ARRAY(arena, bool, m->n_values);
    mark_way(&w);
    for (const tn_op *at = op->graph->first; at != op; at = at->next) {
        if (makes(at, w.from) && makes(at, w.to)) {
            mark_reads(&w, at, seen_values);
            mark_results(at, seen_values);
        }
    }
    for (uint32_t i = 0; i < m->n_values; i++) {
        seen_values[i] = seen_values[i] && m->values[i]->graph == op->graph;
    }
    return seen_values;
}
