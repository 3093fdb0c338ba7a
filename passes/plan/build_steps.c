#include <string.h>

#include "passes/analysis/derivative.h"
#include "passes/plan/plan_operands.h"

typedef struct capture_at {
    uint32_t begin, value;
} capture_at;

/* Reads are listed where a step needs them to start: operands and captured values at the begin of
 * an op with nested graphs, body outputs at its end. */
typedef struct lists {
    tn_build *b;
    uint32_t *last_seen;     /* by plan value: step + 1 in whose list it is already */
    const tn_op **open;      /* by depth: the op whose bodies are being walked */
    TN_VEC(uint32_t) now;    /* of the step at hand */
    uint32_t *last_captured; /* by plan value: step + 1 of its last capture */
    TN_VEC(capture_at) captured;
} lists;

/* Mostly what a step reads are its operands, and what it writes its results. */
static tn_ids freeze(tn_build *b, tn_ids like, const uint32_t *data, uint32_t n) {
    if (n > 0 && n == like.len && memcmp(data, like.data, n * sizeof *data) == 0) {
        return like;
    }
    uint32_t *copy = TN_ARRAY(b->p->arena, uint32_t, n);
    for (uint32_t i = 0; i < n; i++) {
        copy[i] = data[i];
    }
    return (tn_ids){copy, n};
}

static void list_read(lists *l, const tn_value *v, uint32_t step) {
    uint32_t id = v != NULL ? l->b->plan_value[v->id] : TN_NO_ID;
    if (id != TN_NO_ID && l->last_seen[id] != step + 1) {
        l->last_seen[id] = step + 1;
        tn_vec_push(l->b->scratch, &l->now, id);
    }
}

/* A value of an outer graph stands at the begin of every op between its graph and the reader's. An
 * op still open that began before the value's last capture has it already. */
static void capture(lists *l, const tn_value *v, uint32_t depth, uint32_t step) {
    tn_build *b = l->b;
    uint32_t *seen = &l->last_captured[b->plan_value[v->id]];
    for (uint32_t d = depth; d-- > v->graph->depth;) {
        uint32_t begin = b->live->steps->begin[l->open[d]->id];
        if (begin < *seen) {
            break;
        }
        tn_vec_push(b->scratch, &l->captured, (capture_at){begin, b->plan_value[v->id]});
    }
    *seen = step + 1;
}

static tn_ids reads_of(lists *l, const tn_op *op, bool is_end, uint32_t step) {
    uint32_t depth = op->graph->depth;
    l->now.len = 0;
    for (uint32_t k = 0; k < op->n_operands && !is_end; k++) {
        const tn_value *v = op->operands[k].value;
        if (v != NULL && tn_reads_data(op, k)) {
            list_read(l, v, step);
            capture(l, v, depth, step);
        }
    }
    for (uint32_t i = 0; i < op->n_regions && is_end; i++) {
        for (uint32_t k = 0; k < op->regions[i]->n_outputs; k++) {
            const tn_value *v = op->regions[i]->outputs[k];
            list_read(l, v, step);
            capture(l, v, op->regions[i]->depth, step);
        }
    }
    return freeze(l->b, l->b->p->steps[step].operands, l->now.data, l->now.len);
}

static tn_ids writes_of(lists *l, const tn_op *op, tn_step_kind kind, uint32_t step) {
    tn_build *b = l->b;
    l->now.len = 0;
    for (uint32_t k = 0; k < op->n_results && kind != TN_STEP_BEGIN; k++) {
        if (op->results[k] != NULL) {
            tn_vec_push(b->scratch, &l->now, b->plan_value[op->results[k]->id]);
        }
    }
    for (uint32_t k = 0; k < op->n_workspace; k++) {
        tn_vec_push(b->scratch, &l->now, b->plan_value[tn_workspace(op, k)->id]);
    }
    for (uint32_t i = 0; i < op->n_regions && kind == TN_STEP_BEGIN; i++) {
        for (uint32_t k = 0; k < op->regions[i]->n_inputs; k++) {
            tn_vec_push(b->scratch, &l->now, b->plan_value[op->regions[i]->inputs[k]->id]);
        }
    }
    return freeze(b, b->p->steps[step].results, l->now.data, l->now.len);
}

static void add_step(lists *l, uint32_t s, const char *path) {
    tn_build *b = l->b;
    const tn_op *op = b->live->steps->at[s].op;
    bool is_end = b->live->steps->at[s].is_end;
    uint32_t begin = b->live->steps->begin[op->id], end = b->live->steps->end[op->id];
    tn_step_kind kind = op->n_regions == 0 ? TN_STEP_OP : is_end ? TN_STEP_END : TN_STEP_BEGIN;
    l->open[op->graph->depth] = op;
    b->p->steps[s] = (tn_plan_step){
        .kind = kind,
        .graph = path,
        .node = op->loc.node,
        .name = op->name,
        .domain = op->domain,
        .op = op->type,
        .clone_of = op->clone_of != NULL ? b->live->steps->begin[op->clone_of->id] : TN_NO_ID,
        .partner = kind == TN_STEP_OP ? TN_NO_ID
                   : is_end           ? begin
                                      : end,
        .module_op = op->id,
    };
    tn_build_operands(b, op, &b->p->steps[s]);
    b->p->steps[s].reads = reads_of(l, op, is_end, s);
    b->p->steps[s].writes = writes_of(l, op, kind, s);
}

static void extend_reads(lists *l, uint32_t s, const uint32_t *values, uint32_t n) {
    tn_plan_step *step = &l->b->p->steps[s];
    l->now.len = 0;
    for (uint32_t i = 0; i < step->reads.len; i++) {
        l->last_seen[step->reads.data[i]] = s + 1;
        tn_vec_push(l->b->scratch, &l->now, step->reads.data[i]);
    }
    for (uint32_t i = 0; i < n; i++) {
        if (l->last_seen[values[i]] != s + 1) {
            tn_vec_push(l->b->scratch, &l->now, values[i]);
        }
    }
    step->reads = freeze(l->b, step->operands, l->now.data, l->now.len);
}

/* Captured values are known only once the bodies have been walked. */
static void add_captured(lists *l) {
    tn_build *b = l->b;
    uint32_t n = b->p->n_steps;
    uint32_t *start = TN_ARRAY(b->scratch, uint32_t, n + 2u);
    uint32_t *sorted = TN_ARRAY(b->scratch, uint32_t, l->captured.len);
    for (uint32_t i = 0; i < l->captured.len; i++) {
        start[l->captured.data[i].begin + 2]++;
    }
    for (uint32_t s = 0; s < n; s++) {
        start[s + 2] += start[s + 1];
    }
    for (uint32_t i = 0; i < l->captured.len; i++) {
        sorted[start[l->captured.data[i].begin + 1]++] = l->captured.data[i].value;
    }
    memset(l->last_seen, 0, b->p->n_values * sizeof *l->last_seen);
    for (uint32_t s = 0; s < n; s++) {
        if (start[s] < start[s + 1]) {
            extend_reads(l, s, sorted + start[s], start[s + 1] - start[s]);
        }
    }
}

/* What a derivative reads besides its operands, and what the ops around it capture for that. */
static void note_derivative(void *user, const tn_value *v, const tn_op *op) {
    lists *l = user;
    const tn_build *b = l->b;
    uint32_t value = b->plan_value[v->id];
    for (; value != TN_NO_ID; op = op->graph->owner) {
        tn_vec_push(b->scratch, &l->captured, (capture_at){b->live->steps->begin[op->id], value});
        if (op->graph == v->graph) {
            return;
        }
    }
}

/* Ops of one node, or of a text that numbers none, were made in its order. */
static bool is_reordered(const tn_graph *g) {
    const tn_op *last = g->first;
    TN_FOR_OPS(op, g) {
        if (op->clone_of != NULL || op->loc.node < last->loc.node ||
            (op->loc.node == last->loc.node && op->id < last->id)) {
            return true;
        }
        last = op;
    }
    return false;
}

void tn_build_steps(tn_build *b) {
    const tn_module *m = b->m;
    uint32_t depth = 0;
    const char **path = TN_ARRAY(b->scratch, const char *, m->n_graphs);
    for (uint32_t i = 0; i < m->n_graphs; i++) {
        path[i] = m->graphs[i]->path;
        depth = m->graphs[i]->depth > depth ? m->graphs[i]->depth : depth;
    }
    lists l = {.b = b,
               .last_seen = TN_ARRAY(b->scratch, uint32_t, b->p->n_values),
               .last_captured = TN_ARRAY(b->scratch, uint32_t, b->p->n_values),
               .open = TN_ARRAY(b->scratch, const tn_op *, depth + 1u)};
    b->p->steps = TN_UNSET_ARRAY(b->p->arena, tn_plan_step, b->p->n_steps);
    for (uint32_t s = 0; s < b->p->n_steps; s++) {
        add_step(&l, s, path[b->live->steps->at[s].op->graph->id]);
    }
    tn_derivative_reads(m, b->live->steps, b->scratch, note_derivative, &l);
    add_captured(&l);
    for (uint32_t i = 0; i < m->n_graphs; i++) {
        b->p->reordered |= is_reordered(m->graphs[i]);
    }
}
