/* Order between steps on a runtime that starts a step as soon as what it waits for has finished:
 * its hazards, the steps that write what it reads, the begin of the op around it, for an end step
 * all steps since its begin, and in a plan of queues the step before it in its queue. */
#include <string.h>

#include "ir/base/bits.h"
#include "ir/check/check_t.h"

struct tn_order {
    const tn_checking *c;
    uint32_t *around; /* by step: begin step of the op around it, or TN_NO_ID */
    uint32_t *ahead;  /* by step: the one before it in its queue, or TN_NO_ID */
    uint32_t *wanted; /* by step: question in which it is asked for */
    uint32_t *seen;   /* by step: question in which it was reached */
    uint32_t question;
    TN_VEC(uint32_t) stack;
};

/* Queues as far as they are in range, which is proved elsewhere. */
static uint32_t *find_ahead(const tn_checking *c) {
    uint32_t n = c->p->n_steps, n_queues = c->p->concurrency == TN_QUEUES ? c->p->n_queues : 0;
    uint32_t *ahead = TN_ARRAY(c->arena, uint32_t, n),
             *last = TN_ARRAY(c->arena, uint32_t, n_queues);
    memset(ahead, 0xff, n * sizeof *ahead);
    memset(last, 0xff, n_queues * sizeof *last);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t queue = c->p->steps[i].queue;
        if (queue < n_queues) {
            ahead[i] = last[queue];
            last[queue] = i;
        }
    }
    return ahead;
}

tn_order *tn_order_new(const tn_checking *c) {
    uint32_t n = c->p->n_steps;
    tn_order *o = TN_NEW(c->arena, tn_order);
    o->c = c;
    o->around = TN_ARRAY(c->arena, uint32_t, n);
    o->ahead = find_ahead(c);
    o->wanted = TN_ARRAY(c->arena, uint32_t, n);
    o->seen = TN_ARRAY(c->arena, uint32_t, n);
    for (uint32_t i = 0; i < n; i++) {
        const tn_op *owner = c->step_op[i]->graph->owner;
        o->around[i] = owner != NULL ? c->begin[owner->id] : TN_NO_ID;
    }
    return o;
}

/* One question: which of the wanted steps come before, looking no further back than `oldest`. */
typedef struct search {
    tn_order *o;
    uint32_t oldest, open; /* wanted ones not reached yet */
} search;

static void reach(search *q, uint32_t step) {
    tn_order *o = q->o;
    if (step == TN_NO_ID || step < q->oldest || o->seen[step] == o->question) {
        return;
    }
    o->seen[step] = o->question;
    q->open -= o->wanted[step] == o->question;
    tn_vec_push(o->c->arena, &o->stack, step);
}

/* The step whose end means that the value is there: results of an op with bodies are, when it ends,
 * though a loop stacks some of them up from its begin on. */
static uint32_t made_at(const tn_checking *c, uint32_t value) {
    const tn_fact *f = &c->facts[value];
    if (f->write < 0) {
        return TN_NO_ID;
    }
    return f->v->kind == TN_VALUE_RESULT ? c->end[f->v->def->id] : (uint32_t)f->write;
}

static void reach_values(search *q, const tn_op *op, bool end) {
    const tn_checking *c = q->o->c;
    for (uint32_t k = 0; k < op->n_operands && !end; k++) {
        const tn_value *v = op->operands[k].value;
        if (v != NULL && c->plan_value[v->id] != TN_NO_ID && tn_reads_data(op, k)) {
            reach(q, made_at(c, c->plan_value[v->id]));
        }
    }
}

/* Steps of the bodies of an op at the given depth only: nested ops stand for theirs by their end.
 */
static void reach_bodies(search *q, const tn_op *op) {
    const tn_checking *c = q->o->c;
    for (uint32_t r = 0; r < op->n_regions && q->open > 0; r++) {
        TN_FOR_OPS(inner, op->regions[r]) {
            reach(q, c->end[inner->id]);
        }
    }
}

/* Values that a begin step captures and those that a derivative reads are listed among the reads; a
 * runtime waits for whoever writes what is listed. */
static void expand(search *q, uint32_t step) {
    const tn_checking *c = q->o->c;
    const tn_plan_step *s = &c->p->steps[step];
    bool end = s->kind == TN_STEP_END;
    for (uint32_t i = 0; i < s->hazards.len; i++) {
        reach(q, s->hazards.data[i]);
    }
    reach_values(q, c->step_op[step], end);
    reach(q, q->o->around[step]);
    reach(q, q->o->ahead[step]);
    if (end) {
        reach(q, c->begin[c->step_op[step]->id]);
        reach_bodies(q, c->step_op[step]);
    } else {
        for (uint32_t i = 0; i < s->reads.len; i++) {
            uint32_t made = made_at(c, s->reads.data[i]);
            reach(q, made < step ? made : TN_NO_ID);
        }
    }
}

/* Different regions of an op that runs one of them. */
bool tn_check_exclusive(const tn_graph *x, const tn_graph *y) {
    while (x != y) {
        const tn_graph *deeper = x->depth >= y->depth ? x : y;
        if (x->owner != NULL && x->owner == y->owner) {
            return tn_check_chooses(x->owner);
        }
        if (deeper->owner == NULL) {
            return false;
        }
        if (deeper == x) {
            x = x->owner->graph;
        } else {
            y = y->owner->graph;
        }
    }
    return false;
}

uint32_t tn_order_missing(tn_order *o, uint32_t at, const uint32_t *steps, uint32_t n) {
    search q = {.o = o, .oldest = at};
    o->question++;
    o->stack.len = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (steps[i] < at && o->wanted[steps[i]] != o->question) {
            o->wanted[steps[i]] = o->question;
            q.open++;
            q.oldest = steps[i] < q.oldest ? steps[i] : q.oldest;
        }
    }
    if (q.open > 0) {
        expand(&q, at);
    }
    while (q.open > 0 && o->stack.len > 0) {
        expand(&q, o->stack.data[--o->stack.len]);
    }
    for (uint32_t i = 0; i < n && q.open > 0; i++) {
        if (steps[i] < at && o->seen[steps[i]] != o->question &&
            !tn_check_exclusive(o->c->step_op[steps[i]]->graph, o->c->step_op[at]->graph)) {
            return steps[i];
        }
    }
    return TN_NO_ID;
}

/* Fills the stack with the steps that `at` waits for directly. */
static void expand_alone(tn_order *o, uint32_t at) {
    search q = {.o = o, .open = 1};
    o->question++;
    o->stack.len = 0;
    expand(&q, at);
}

uint32_t tn_order_depth(tn_order *o) {
    const tn_plan *p = o->c->p;
    uint32_t *chain = TN_ARRAY(o->c->arena, uint32_t, p->n_steps), deepest = 0;
    for (uint32_t at = 0; at < p->n_steps; at++) {
        expand_alone(o, at);
        for (uint32_t i = 0; i < o->stack.len; i++) {
            uint32_t before = o->stack.data[i];
            chain[at] = before < at && chain[before] > chain[at] ? chain[before] : chain[at];
        }
        chain[at] += p->steps[at].kind == TN_STEP_OP && !p->steps[at].idle;
        deepest = chain[at] > deepest ? chain[at] : deepest;
    }
    return deepest;
}

const uint64_t *tn_order_closure(tn_order *o) {
    uint32_t n = o->c->p->n_steps, words = tn_bit_words(n);
    uint64_t *rows = tn_arena_array(o->c->arena, (size_t)words * n, sizeof *rows);
    for (uint32_t at = 0; at < n; at++) {
        uint64_t *row = rows + (size_t)at * words;
        expand_alone(o, at);
        for (uint32_t i = 0; i < o->stack.len; i++) {
            uint32_t before = o->stack.data[i];
            tn_bit_add(row, before);
            for (uint32_t w = 0; w < words && before < at; w++) {
                row[w] |= rows[(size_t)before * words + w];
            }
        }
    }
    return rows;
}
