/* Edges are gathered as pairs and then walked step by step in the order at hand, in which each
 * comes after all that it waits for: a set is those of its direct predecessors, joined. */
#include "passes/analysis/precedence.h"

#include "ir/base/limits.h"
#include "passes/analysis/queues.h"

typedef struct edge {
    uint32_t from, to;
} edge;

typedef struct edges {
    tn_arena *arena;
    const tn_module *m;
    const tn_liveness *live;
    const tn_steps *steps;
    TN_VEC(edge) list;
} edges;

static void add_edge(edges *e, uint32_t from, uint32_t to) {
    if (from != TN_NO_STEP && from < to) {
        tn_vec_push(e->arena, &e->list, (edge){from, to});
    }
}

/* The step whose end means that the value is there: what a loop stacks up is there when it ends. */
static uint32_t made_at(const edges *e, const tn_value *v) {
    if (tn_is_const(v)) {
        return TN_NO_STEP;
    }
    return v->kind == TN_VALUE_RESULT ? e->steps->end[v->def->id] : tn_write_step(e->steps, v);
}

/* Who reads a value waits for whoever makes it; what a body reads from outside, the begin of the op
 * around it does. What a body gives back is read at the end. */
static void add_reads(edges *e, const tn_value *v) {
    const tn_live *l = &e->live->of[v->id];
    uint32_t from = l->scheduled ? made_at(e, v) : TN_NO_STEP;
    for (uint32_t i = 0; i < l->n_reads && from != TN_NO_STEP; i++) {
        const tn_op *op = l->reads[i].op;
        add_edge(e, from, op->graph == v->graph ? e->steps->begin[op->id] : l->reads[i].step);
    }
}

static void add_nesting(edges *e, uint32_t step) {
    const tn_op *op = e->steps->at[step].op;
    if (!e->steps->at[step].is_end) {
        add_edge(e, op->graph->owner != NULL ? e->steps->begin[op->graph->owner->id] : TN_NO_STEP,
                 step);
        return;
    }
    add_edge(e, e->steps->begin[op->id], step);
    for (uint32_t r = 0; r < op->n_regions; r++) {
        TN_FOR_OPS(inner, op->regions[r]) {
            add_edge(e, e->steps->end[inner->id], step);
        }
    }
}

/* Who reads a shape alone waits for the step that gives it, where only a run does. */
static void add_shapes(edges *e, uint32_t step) {
    const tn_op *op = e->steps->at[step].op;
    for (uint32_t k = 0; k < op->n_operands && !e->steps->at[step].is_end; k++) {
        add_edge(e, tn_shape_made_at(e->steps, op, k), step);
    }
}

/* An op that writes over an operand and names no result for it has its place among those who use
 * the operand: by hazards, since no data say so. */
static void add_unnamed(edges *e, const tn_value *v) {
    const tn_live *l = &e->live->of[v->id];
    for (const tn_use *u = v->first_use; u != NULL && l->scheduled; u = u->next) {
        if (u->op->erased || e->steps->begin[u->op->id] == TN_NO_STEP ||
            !tn_op_writes_operand(u->op, u->index)) {
            continue;
        }
        uint32_t begin = e->steps->begin[u->op->id], end = e->steps->end[u->op->id];
        for (uint32_t i = 0; i < l->n_reads; i++) {
            const tn_op *op = l->reads[i].op;
            uint32_t other = l->reads[i].step;
            bool inside = op->graph == v->graph;
            add_edge(e, other, begin);
            add_edge(e, end, inside ? e->steps->begin[op->id] : other);
        }
    }
}

static void add_queues(edges *e, const uint32_t *queue, uint32_t n_queues) {
    uint32_t *last = TN_ARRAY(e->arena, uint32_t, n_queues);
    for (uint32_t q = 0; q < n_queues; q++) {
        last[q] = TN_NO_STEP;
    }
    for (uint32_t s = 0; s < e->steps->n; s++) {
        add_edge(e, last[queue[s]], s);
        last[queue[s]] = s;
    }
}

/* By step the steps it waits for: those of s are from[start[s]] .. from[start[s + 1]]. */
static uint32_t *sort_by_target(const edges *e, uint32_t **start) {
    uint32_t n = e->steps->n;
    uint32_t *at = TN_ARRAY(e->arena, uint32_t, n + 2u);
    uint32_t *from = TN_ARRAY(e->arena, uint32_t, e->list.len);
    for (uint32_t i = 0; i < e->list.len; i++) {
        at[e->list.data[i].to + 2]++;
    }
    for (uint32_t s = 2; s < n + 2; s++) {
        at[s] += at[s - 1];
    }
    for (uint32_t i = 0; i < e->list.len; i++) {
        from[at[e->list.data[i].to + 1]++] = e->list.data[i].from;
    }
    *start = at;
    return from;
}

static uint64_t *close_over(tn_arena *arena, const edges *e, uint32_t words) {
    uint32_t *start;
    const uint32_t *from = sort_by_target(e, &start);
    uint64_t *rows = tn_arena_array(arena, (size_t)e->steps->n * words, sizeof *rows);
    for (uint32_t s = 0; s < e->steps->n; s++) {
        uint64_t *row = rows + (size_t)s * words;
        for (uint32_t i = start[s]; i < start[s + 1]; i++) {
            const uint64_t *other = rows + (size_t)from[i] * words;
            if (tn_bit_has(row, from[i])) {
                continue;
            }
            for (uint32_t w = 0; w < words; w++) {
                row[w] |= other[w];
            }
            tn_bit_add(row, from[i]);
        }
    }
    return rows;
}

static void demand_few(const tn_module *m, uint32_t n) {
    if (n > TN_MAX_CONCURRENT) {
        tn_loc loc = tn_loc_file(m->file);
        tn_fail(m->ctx, &loc,
                "%u steps are more than the %u of a plan whose steps run side by side; plan with "
                "--concurrency=serial, whose hazards say what has to wait",
                n, TN_MAX_CONCURRENT);
    }
}

static const void *compute(tn_analyses *an, tn_module *m, tn_arena *arena) {
    const tn_concurrency_ask *ask = &m->concurrency;
    tn_precedence *p = TN_NEW(arena, tn_precedence);
    const tn_liveness *live = tn_get_liveness(an);
    p->steps = live->steps;
    if (ask->kind == TN_SERIAL) {
        return p;
    }
    demand_few(m, p->steps->n);
    tn_arena *scratch = tn_arena_new(m->ctx);
    edges e = {.arena = scratch, .m = m, .live = live, .steps = p->steps};
    for (uint32_t i = 0; i < m->n_values; i++) {
        add_reads(&e, m->values[i]);
        add_unnamed(&e, m->values[i]);
    }
    for (uint32_t s = 0; s < p->steps->n; s++) {
        add_nesting(&e, s);
        add_shapes(&e, s);
    }
    p->words = tn_bit_words(p->steps->n);
    p->before = p->by_data = close_over(arena, &e, p->words);
    if (ask->kind == TN_QUEUES) {
        p->queue = tn_queues_assign(arena, m, p->steps, p->by_data, p->words);
        add_queues(&e, p->queue, ask->n_queues);
        p->before = close_over(arena, &e, p->words);
    }
    tn_arena_drop(scratch);
    return p;
}

bool tn_never_both(const tn_graph *x, const tn_graph *y) {
    while (x != y) {
        const tn_graph **deeper = x->depth >= y->depth ? &x : &y;
        if (x->owner == NULL && y->owner == NULL) {
            return false;
        }
        if (x->owner == y->owner) {
            return !tn_is_loop(x->owner) && x->n_inputs == 0 && y->n_inputs == 0;
        }
        *deeper = (*deeper)->owner->graph;
    }
    return false;
}

bool tn_is_ordered(const tn_precedence *p, uint32_t a, uint32_t b) {
    if (tn_precedes(p, a, b)) {
        return true;
    }
    return p->before != NULL && tn_never_both(p->steps->at[a].op->graph, p->steps->at[b].op->graph);
}

uint32_t tn_use_after(const tn_precedence *p, const tn_live *live, uint32_t step,
                      const tn_op *except, const tn_op **reader) {
    *reader = NULL;
    for (uint32_t i = 0; i < live->n_reads; i++) {
        const tn_read *r = &live->reads[i];
        if (r->step != step && r->op != except && !tn_is_ordered(p, r->step, step)) {
            *reader = r->op;
            return r->step;
        }
    }
    int32_t n = (int32_t)p->steps->n;
    const int32_t ends[] = {live->first, live->last};
    for (size_t i = 0; i < 2; i++) {
        if (except == NULL && ends[i] >= 0 && ends[i] < n && (uint32_t)ends[i] != step &&
            !tn_is_ordered(p, (uint32_t)ends[i], step)) {
            return (uint32_t)ends[i];
        }
    }
    return TN_NO_STEP;
}

uint32_t tn_longest_chain(tn_arena *scratch, const uint64_t *before, uint32_t words,
                          const bool *runs, uint32_t n) {
    uint32_t *chain = TN_ARRAY(scratch, uint32_t, n), longest = 0;
    for (uint32_t s = 0; s < n; s++) {
        const uint64_t *row = before + (size_t)s * words;
        TN_FOR_BITS(b, w, row[w], words) {
            chain[s] = chain[b] > chain[s] ? chain[b] : chain[s];
        }
        chain[s] += runs[s];
        longest = chain[s] > longest ? chain[s] : longest;
    }
    return longest;
}

const tn_analysis_info tn_analysis_precedence = {
    .name = "precedence",
    .summary = "which steps are done before which others start, whatever may run side by side",
    .depends = TN_FACETS_OF_READS,
    .compute = compute,
};

const tn_precedence *tn_get_precedence(tn_analyses *an) {
    return tn_analysis_get(an, &tn_analysis_precedence);
}
