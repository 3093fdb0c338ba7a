/* List scheduling in the order at hand: an op goes where it can start first, on equal terms to the
 * queue of whoever makes it wait, so that chains stay together and few events cross queues. */
#include "passes/analysis/queues.h"

#include "ir/base/bits.h"
#include "passes/core/select.h"

typedef struct queueing {
    const tn_module *m;
    const tn_steps *steps;
    const uint64_t *before;
    uint32_t words;
    uint32_t *queue;   /* by step */
    uint64_t *end;     /* by step: when it is done */
    uint64_t *is_free; /* by queue: from when on */
} queueing;

bool tn_queue_rule_fits(const tn_queue_rule *rule, const tn_op *op) {
    bool fits = tn_glob_match(rule->pattern, op->name);
    for (uint32_t i = 0; i < op->n_parts && !fits; i++) {
        fits = tn_glob_match(rule->pattern, op->parts[i]->name);
    }
    return fits;
}

/* The queue that was asked for, or `none`. */
static uint32_t queue_given(const queueing *q, const tn_op *op, uint32_t none) {
    const tn_concurrency_ask *ask = &q->m->concurrency;
    for (uint32_t i = 0; i < ask->n_rules; i++) {
        if (tn_queue_rule_fits(&ask->rules[i], op)) {
            return ask->rules[i].queue;
        }
    }
    return none;
}

/* When all that the step depends on is done; *last is the step that is done last. */
static uint64_t ready_at(const queueing *q, uint32_t step, uint32_t *last) {
    uint64_t ready = 0;
    const uint64_t *row = q->before + (size_t)step * q->words;
    *last = TN_NO_STEP;
    TN_FOR_BITS(b, w, row[w], q->words) {
        if (*last == TN_NO_STEP || q->end[b] >= ready) {
            ready = q->end[b];
            *last = (uint32_t)b;
        }
    }
    return ready;
}

static uint32_t find_queue(const queueing *q, uint64_t ready, uint32_t last) {
    uint32_t best = last != TN_NO_STEP ? q->queue[last] : 0;
    for (uint32_t i = 0; i < q->m->concurrency.n_queues; i++) {
        uint64_t start = q->is_free[i] > ready ? q->is_free[i] : ready;
        uint64_t least = q->is_free[best] > ready ? q->is_free[best] : ready;
        best = start < least ? i : best;
    }
    return best;
}

const uint32_t *tn_queues_assign(tn_arena *arena, const tn_module *m, const tn_steps *steps,
                                 const uint64_t *before, uint32_t words) {
    queueing q = {.m = m,
                  .steps = steps,
                  .before = before,
                  .words = words,
                  .queue = TN_ARRAY(arena, uint32_t, steps->n),
                  .end = TN_ARRAY(arena, uint64_t, steps->n),
                  .is_free = TN_ARRAY(arena, uint64_t, m->concurrency.n_queues)};
    for (uint32_t s = 0; s < steps->n; s++) {
        const tn_op *op = steps->at[s].op;
        uint32_t last, outer = s;
        uint64_t ready = ready_at(&q, s, &last);
        if (op->graph->owner != NULL) {
            outer = steps->begin[op->graph->owner->id];
        } else if (steps->at[s].is_end) {
            outer = steps->begin[op->id];
        }
        q.queue[s] = outer != s ? q.queue[outer] : queue_given(&q, op, UINT32_MAX);
        if (q.queue[s] == UINT32_MAX) {
            q.queue[s] = find_queue(&q, ready, last);
        }
        uint64_t start = q.is_free[q.queue[s]] > ready ? q.is_free[q.queue[s]] : ready;
        q.end[s] = q.is_free[q.queue[s]] = start + 1;
    }
    return q.queue;
}
