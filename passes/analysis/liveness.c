#include "passes/analysis/liveness.h"

#include "passes/analysis/derivative.h"

/* Reads are gathered twice over the same walk: first counted, then stored. */
typedef struct gather {
    const tn_steps *steps;
    tn_live *of;
    tn_read *store;     /* NULL while counting */
    const tn_op **open; /* by depth: the op whose bodies are being walked */
} gather;

/* A loop's result that is no state is stacked, iteration by iteration, so its bytes are in use
 * while the body runs; and so is one that has another rank than the body output behind it, whatever
 * the operands say. An unknown rank counts as stacked, and so does every result of an op that is
 * not known to be a loop of that kind. */
static bool is_stacked(const tn_value *v) {
    const tn_op *op = v->def;
    if (!tn_is_loop(op)) {
        return false;
    }
    const tn_graph *body = op->regions[0];
    if (body->n_outputs < op->n_results || v->def_index >= tn_op_states(op).n) {
        return true;
    }
    const tn_type *t = v->type;
    const tn_type *inner = body->outputs[body->n_outputs - op->n_results + v->def_index]->type;
    return !t->has_rank || !inner->has_rank || t->rank != inner->rank;
}

uint32_t tn_write_step(const tn_steps *steps, const tn_value *v) {
    if (tn_is_const(v)) {
        return TN_NO_STEP;
    }
    if (v->kind == TN_VALUE_INPUT) {
        return v->graph->owner != NULL ? steps->begin[v->graph->owner->id] : TN_NO_STEP;
    }
    return is_stacked(v) ? steps->begin[v->def->id] : steps->end[v->def->id];
}

static void add_read(gather *g, const tn_value *v, uint32_t step, const tn_op *op) {
    tn_live *live = &g->of[v->id];
    if (!live->scheduled) {
        return;
    }
    if (g->store == NULL) {
        live->n_reads++;
        return;
    }
    /* While storing, n_reads counts up again from 0 behind the start set between the passes. */
    tn_read *slot = g->store + (live->reads - g->store) + live->n_reads++;
    *slot = (tn_read){step, op};
    if (live->last < (int32_t)step) {
        live->last = (int32_t)step;
    }
}

/* A read of `v` by `op`, which has it at `step` when both are in one graph; else until the end of
 * the op of v's graph that runs the graph of the reader. */
static void read_by(gather *g, const tn_value *v, const tn_op *op, uint32_t depth, uint32_t step) {
    bool inside = v->graph->depth < depth;
    const tn_op *reader = inside ? g->open[v->graph->depth] : op;
    add_read(g, v, inside ? g->steps->end[reader->id] : step, reader);
}

static void read_operands(gather *g, const tn_op *op, uint32_t step) {
    for (uint32_t k = 0; k < op->n_operands; k++) {
        if (op->operands[k].value != NULL && tn_reads_data(op, k)) {
            read_by(g, op->operands[k].value, op, op->graph->depth, step);
        }
    }
}

static void walk_reads(gather *g) {
    for (uint32_t s = 0; s < g->steps->n; s++) {
        const tn_op *op = g->steps->at[s].op;
        uint32_t depth = op->graph->depth;
        bool begins = op->n_regions > 0 && !g->steps->at[s].is_end, calls = tn_op_is_call(op);
        if (begins == calls) { /* calls read at their begin, all others at their end */
            read_operands(g, op, s);
        }
        if (begins) {
            g->open[depth] = op;
            continue;
        }
        for (uint32_t i = 0; i < op->n_regions; i++) {
            for (uint32_t k = 0; k < op->regions[i]->n_outputs; k++) {
                const tn_value *out = op->regions[i]->outputs[k];
                if (out->graph == op->regions[i]) {
                    add_read(g, out, s, op);
                } else {
                    read_by(g, out, op, depth + 1, s);
                }
            }
        }
    }
}

static void read_for_derivative(void *user, const tn_value *v, const tn_op *op) {
    gather *g = user;
    add_read(g, v, g->steps->begin[op->id], op);
}

static void start(tn_live *live, const tn_steps *steps, const tn_value *v) {
    int32_t n = (int32_t)steps->n;
    const tn_op *op = v->kind == TN_VALUE_RESULT ? v->def : v->graph->owner;
    live->scheduled =
        op != NULL ? steps->begin[op->id] != TN_NO_STEP : v->graph->kind != TN_GRAPH_INIT;
    uint32_t step = live->scheduled ? tn_write_step(steps, v) : TN_NO_STEP;
    live->first = live->last = step != TN_NO_STEP ? (int32_t)step : -1;
    if (tn_is_const(v)) {
        live->last = n;
    } else if (live->scheduled && op != NULL &&
               (v->kind == TN_VALUE_INPUT ? tn_is_loop(op) : op->n_regions > 0)) {
        live->last = (int32_t)steps->end[op->id];
    }
}

static void keep_for_caller(tn_live *of, const tn_module *m, int32_t n_steps) {
    for (uint32_t i = 0; i < m->main->n_outputs; i++) {
        of[m->main->outputs[i]->id].last = n_steps;
    }
    for (uint32_t i = 0; i < m->n_bindings; i++) {
        of[m->bindings[i].value->id].last = n_steps;
        of[m->bindings[i].state->id].last = n_steps;
    }
}

static const void *compute(tn_analyses *an, tn_module *m, tn_arena *arena) {
    tn_liveness *l = TN_NEW(arena, tn_liveness);
    tn_live *of = TN_ARRAY(arena, tn_live, m->n_values);
    l->steps = tn_get_steps(an);
    l->of = of;
    uint32_t depth = 0;
    for (uint32_t i = 0; i < m->n_graphs; i++) {
        depth = m->graphs[i]->depth > depth ? m->graphs[i]->depth : depth;
    }
    gather g = {.steps = l->steps, .of = of, .open = TN_ARRAY(arena, const tn_op *, depth + 1u)};
    for (uint32_t i = 0; i < m->n_values; i++) {
        start(&of[i], l->steps, m->values[i]);
    }
    walk_reads(&g);
    tn_derivative_reads(m, l->steps, arena, read_for_derivative, &g);
    size_t total = 0;
    for (uint32_t i = 0; i < m->n_values; i++) {
        total += of[i].n_reads;
    }
    tn_read *next = g.store = TN_ARRAY(arena, tn_read, total + 1);
    for (uint32_t i = 0; i < m->n_values; i++) {
        of[i].reads = next;
        next += of[i].n_reads;
        of[i].n_reads = 0;
    }
    walk_reads(&g);
    tn_derivative_reads(m, l->steps, arena, read_for_derivative, &g);
    keep_for_caller(of, m, (int32_t)l->steps->n);
    return l;
}

const tn_analysis_info tn_analysis_liveness = {
    .name = "liveness",
    .summary = "first and last step of every value, and who reads it",
    .depends = TN_FACETS_OF_READS,
    .compute = compute,
};

const tn_liveness *tn_get_liveness(tn_analyses *an) {
    return tn_analysis_get(an, &tn_analysis_liveness);
}
