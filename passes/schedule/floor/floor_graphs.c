#include "passes/schedule/floor/floor_t.h"

#include "ir/walk.h"

const tn_op *tn_floor_lift(const tn_floor *w, const tn_op *op, uint32_t graph) {
    while (op != NULL && w->level_of[op->graph->id] != graph) {
        op = op->graph->owner;
    }
    return op;
}

void tn_floor_find_levels(tn_floor *w) {
    const tn_steps *steps = w->live->steps;
    for (uint32_t i = 0; i < w->m->n_graphs; i++) { /* a body comes behind the graph of its op */
        const tn_graph *g = w->m->graphs[i];
        bool called = g->owner != NULL && tn_op_is_call(g->owner);
        w->level_of[i] = called ? w->level_of[g->owner->graph->id] : i;
    }
    for (uint32_t i = 0; i < steps->n; i++) {
        const tn_op *op = steps->at[i].op;
        if (steps->at[i].is_end == (op->n_regions > 0 && tn_op_is_call(op))) {
            tn_floor_level *l = &w->levels[w->level_of[op->graph->id]];
            w->node[op->id] = l->ops.len;
            tn_vec_push(w->arena, &l->ops, op->id);
        }
    }
}

/* The op that makes what an argument of a function is, in the graph it is called from. */
static const tn_op *maker_of(const tn_value *v) {
    while (v != NULL && v->kind == TN_VALUE_INPUT && v->graph->owner != NULL &&
           tn_op_is_call(v->graph->owner)) {
        const tn_graph *g = v->graph;
        uint32_t i = 0;
        while (i < g->n_inputs && g->inputs[i] != v) {
            i++;
        }
        v = tn_operand(g->owner, i);
    }
    return v != NULL && v->kind == TN_VALUE_RESULT ? v->def : NULL;
}

static void add_edge(tn_floor *w, uint32_t graph, const tn_op *from, const tn_op *to) {
    if (from != NULL && to != NULL && from != to) {
        tn_floor_pair e = {{w->node[from->id], w->node[to->id]}};
        tn_vec_push(w->arena, &w->levels[graph].edges, e);
    }
}

/* Ops of a function come before its call, and what reads an argument behind what makes it. */
static void add_call_edges(tn_floor *w, const tn_op *call) {
    const tn_graph *body = call->regions[0];
    uint32_t graph = w->level_of[body->id];
    for (const tn_op *op = body->first; op != NULL; op = op->next) {
        add_edge(w, graph, op, call);
    }
    for (uint32_t i = 0; i < body->n_inputs; i++) {
        const tn_op *maker = maker_of(body->inputs[i]);
        const tn_op *from = maker != NULL ? tn_floor_lift(w, maker, graph) : NULL;
        for (const tn_use *u = body->inputs[i]->first_use; u != NULL; u = u->next) {
            add_edge(w, graph, from, tn_floor_lift(w, u->op, graph));
        }
    }
}

void tn_floor_add_edges(tn_floor *w) {
    for (uint32_t g = 0; g < w->m->n_graphs; g++) {
        tn_op *const *ops = w->in->ops + w->in->first_op[g];
        for (uint32_t e = w->in->first_edge[g]; e < w->in->first_kept[g]; e++) {
            add_edge(w, w->level_of[g], ops[w->in->pairs[e][0]], ops[w->in->pairs[e][1]]);
        }
    }
    TN_FOR_ALL_OPS(op, w->m->main) {
        if (tn_op_is_call(op)) {
            add_call_edges(w, op);
        }
    }
}
