/* Order between steps on a runtime that starts a step as soon as what it waits for has finished:
 * its hazards, the steps that write what it reads, the begin of the op around it, and for an end
 * step all steps since its begin. */
#include <string.h>

#include "ir/base/bits.h"
#include "ir/check/check_t.h"

struct tn_order {
    const tn_checking *c;
    uint32_t *around; /* by step: begin step of the op around it, or TN_NO_ID */
    uint32_t *wanted; /* by step: question in which it is asked for */
    uint32_t *seen;   /* by step: question in which it was reached */
    uint32_t question;
    TN_VEC(uint32_t) stack;
};

tn_order *tn_order_new(const tn_checking *c) {
    uint32_t n = c->p->n_steps;
    tn_order *o = TN_NEW(c->arena, tn_order);
    o->c = c;
    o->around = TN_ARRAY(c->arena, uint32_t, n);
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

static void reach_values(search *q, const tn_op *op, bool end) {
    const tn_checking *c = q->o->c;
    for (uint32_t k = 0; k < op->n_operands && !end; k++) {
        const tn_value *v = op->operands[k].value;
        if (v != NULL && c->plan_value[v->id] != TN_NO_ID && tn_reads_data(op, k)) {
            int32_t write = c->facts[c->plan_value[v->id]].write;
            reach(q, write >= 0 ? (uint32_t)write : TN_NO_ID);
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
    if (end) {
        reach(q, c->begin[c->step_op[step]->id]);
        reach_bodies(q, c->step_op[step]);
    } else {
        for (uint32_t i = 0; i < s->reads.len; i++) {
            int32_t write = c->facts[s->reads.data[i]].write;
            reach(q, write >= 0 ? (uint32_t)write : TN_NO_ID);
        }
    }
}

/* Different regions of an op whose bodies take no arguments: branches, of which one runs. */
bool tn_check_exclusive(const tn_graph *x, const tn_graph *y) {
    while (x != y) {
        const tn_graph *deeper = x->depth >= y->depth ? x : y;
        if (x->owner != NULL && x->owner == y->owner) {
            return x->n_inputs == 0 && y->n_inputs == 0;
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

const uint64_t *tn_order_closure(tn_order *o) {
    uint32_t n = o->c->p->n_steps, words = tn_bit_words(n);
    uint64_t *rows = tn_arena_array(o->c->arena, (size_t)words * n, sizeof *rows);
    for (uint32_t at = 0; at < n; at++) {
        search q = {.o = o, .open = 1};
        uint64_t *row = rows + (size_t)at * words;
        o->question++;
        o->stack.len = 0;
        expand(&q, at);
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
