/* Live ranges, derived from the module alone by the rules of ir/plan/plan.h. For an op with nested
 * graphs:
 *   - its operands, the values its bodies capture and the outputs of its bodies are read until its
 *     end; the operands of a call of a function only at its begin, since the arguments are copies;
 *   - arguments of bodies are written at its begin; those of a loop are needed to its end;
 *   - results are written at its end, except those a loop fills iteration by iteration, which are
 *     written from its begin on. */
#include <string.h>

#include "ir/check/check_t.h"

static int32_t written_at(const tn_checking *c, const tn_value *v) {
    if (tn_is_const(v)) {
        return -1;
    }
    if (v->kind == TN_VALUE_INPUT) {
        return v->graph->owner != NULL ? (int32_t)c->begin[v->graph->owner->id] : -1;
    }
    bool filled = tn_is_loop(v->def) && v->def_index >= tn_op_states(v->def).n;
    return (int32_t)(filled ? c->begin[v->def->id] : c->end[v->def->id]);
}

uint32_t tn_check_written(const tn_checking *c, uint32_t value) {
    const tn_value *v = c->facts[value].v;
    const tn_op *op = v->kind == TN_VALUE_INPUT ? v->graph->owner : v->def;
    bool again = op != NULL && (v->kind == TN_VALUE_RESULT || tn_is_loop(op));
    return again ? c->end[op->id] : (uint32_t)c->facts[value].write;
}

const tn_op *tn_check_around(const tn_value *v, const tn_op *reader) {
    while (reader->graph != v->graph && reader->graph->owner != NULL) {
        reader = reader->graph->owner;
    }
    return reader;
}

/* Whether the value must still be there after the last step although it is no output. */
static bool survives(const tn_value *v) {
    const uint32_t kept = TN_VF_PINNED | TN_VF_EXCLUDED | TN_VF_LOSS | TN_VF_STATE;
    if ((v->flags & kept) != 0 || tn_is_const(v)) {
        return true;
    }
    if (v->graph->kind != TN_GRAPH_MAIN) {
        return false;
    }
    return v->kind == TN_VALUE_INPUT && (v->flags & TN_VF_DONATED) == 0;
}

typedef struct sweep {
    tn_checking *c;
    uint32_t n; /* of read_steps, counted first and stored then */
    bool store;
} sweep;

static void add_read(sweep *w, tn_fact *f, uint32_t step) {
    if (w->store) {
        w->c->read_steps[f->reads + f->n_reads] = step;
    }
    f->n_reads++;
    if (f->read < (int32_t)step) {
        f->read = (int32_t)step;
    }
}

/* An op that reads a value must come after the step that writes it, bytes or only shape. */
static void check_defined(tn_checking *c, uint32_t value, const tn_op *reader) {
    int32_t at = (int32_t)c->begin[reader->id];
    if (c->facts[value].write >= at) {
        tn_check_fail(c, "%s reads %s, which %s writes only later", tn_check_step_name(c, at),
                      tn_check_value_name(c, value), tn_check_step_name(c, c->facts[value].write));
    }
}

static void read_by_ops(sweep *w, uint32_t value) {
    tn_checking *c = w->c;
    tn_fact *f = &c->facts[value];
    for (const tn_use *u = f->v->first_use; u != NULL; u = u->next) {
        if (u->op->erased || c->begin[u->op->id] == TN_NO_ID) {
            continue;
        }
        if (!w->store) {
            check_defined(c, value, u->op);
        }
        if (tn_reads_data(u->op, u->index)) {
            const tn_op *reader = tn_check_around(f->v, u->op);
            bool copies = reader == u->op && tn_op_is_call(reader);
            add_read(w, f, copies ? c->begin[reader->id] : c->end[reader->id]);
        }
    }
}

static void read_by_graphs(sweep *w) {
    tn_checking *c = w->c;
    for (uint32_t i = 0; i < c->m->n_graphs; i++) {
        const tn_graph *g = c->m->graphs[i];
        if (g->owner == NULL || c->end[g->owner->id] == TN_NO_ID) {
            continue;
        }
        for (uint32_t k = 0; k < g->n_outputs; k++) {
            const tn_value *v = g->outputs[k];
            uint32_t value = c->plan_value[v->id];
            if (value == TN_NO_ID) {
                continue;
            }
            const tn_op *reader = v->graph == g ? g->owner : tn_check_around(v, g->owner);
            add_read(w, &c->facts[value], c->end[reader->id]);
        }
    }
}

static void read_by_gradient(void *user, uint32_t value, const tn_op *gradient) {
    sweep *w = user;
    add_read(w, &w->c->facts[value], w->c->end[gradient->id]);
}

static void gather_reads(sweep *w) {
    for (uint32_t i = 0; i < w->c->p->n_values; i++) {
        read_by_ops(w, i);
    }
    read_by_graphs(w);
    tn_check_gradient_reads(w->c, read_by_gradient, w);
}

/* Only now are all reads known: what has to outlive them? */
static void extend(tn_checking *c, tn_fact *f) {
    f->used = f->read;
    const tn_op *owner = f->v->kind == TN_VALUE_INPUT ? f->v->graph->owner : f->v->def;
    if (owner != NULL && owner->n_regions > 0 && !tn_is_const(f->v) &&
        (f->v->kind == TN_VALUE_RESULT || tn_is_loop(owner)) &&
        f->read < (int32_t)c->end[owner->id]) {
        f->read = (int32_t)c->end[owner->id];
    }
    f->need = survives(f->v) || f->output ? (int32_t)c->p->n_steps : f->read;
}

/* Training info: a state, and the value it takes after the run, outlive it. */
static void extend_bindings(tn_checking *c) {
    for (uint32_t i = 0; i < c->m->n_bindings; i++) {
        const tn_binding *b = &c->m->bindings[i];
        uint32_t both[] = {c->plan_value[b->state->id], c->plan_value[b->value->id]};
        for (size_t k = 0; k < 2; k++) {
            if (both[k] != TN_NO_ID) {
                c->facts[both[k]].need = (int32_t)c->p->n_steps;
            }
        }
    }
}

void tn_check_live_ranges(tn_checking *c) {
    uint32_t n = c->p->n_values;
    for (uint32_t i = 0; i < n; i++) {
        tn_fact *f = &c->facts[i];
        f->write = f->read = written_at(c, f->v);
    }
    sweep w = {.c = c};
    gather_reads(&w);
    uint32_t total = 0;
    for (uint32_t i = 0; i < n; i++) {
        c->facts[i].reads = total;
        total += c->facts[i].n_reads;
        c->facts[i].n_reads = 0;
    }
    c->read_steps = TN_ARRAY(c->arena, uint32_t, total);
    w.store = true;
    gather_reads(&w);
    for (uint32_t i = 0; i < n; i++) {
        extend(c, &c->facts[i]);
    }
    extend_bindings(c);
}
