/* What a step has to wait for on an out-of-order queue: the steps that wrote what it reads (data),
 * and the steps whose bytes it overwrites (reuse, the plan's hazards). Steps that enqueue nothing
 * have no event; what they would have waited for is waited for by their readers. In a plan of
 * queues a step waits for the one before it in its queue too, for queues that keep no order. */
#include "backends/core/cl_waits.h"

#include <string.h>

typedef struct waits {
    const tn_plan *p;
    tn_cl_plan *cl;
    tn_arena *arena;
    uint32_t *mark;       /* by step: the step that last listed it, plus one */
    TN_VEC(uint32_t) all; /* of the step at hand */
    TN_VEC(uint32_t) reuse;
    uint32_t *ahead; /* by queue: the step last seen in it, or TN_NO_ID */
} waits;

static tn_ids copy_ids(tn_arena *arena, const uint32_t *data, uint32_t len) {
    tn_ids ids = {tn_arena_regrow(arena, data, len, len, sizeof *data), len};
    return ids;
}

static void add(waits *w, uint32_t at, uint32_t on, bool is_reuse) {
    if (on == TN_NO_ID || on >= at || w->mark[on] == at + 1) {
        return;
    }
    w->mark[on] = at + 1;
    if (w->p->steps[on].idle) {
        tn_ids through = w->cl->steps[on].waits;
        for (uint32_t i = 0; i < through.len; i++) {
            add(w, at, through.data[i], is_reuse);
        }
        return;
    }
    tn_vec_push(w->arena, &w->all, on);
    if (is_reuse) {
        tn_vec_push(w->arena, &w->reuse, on);
    }
}

/* Pairs of an operand and a result on the same bytes, as values one after the other. */
static tn_ids find_pairs(waits *w, const tn_plan_step *s) {
    const tn_plan_value *values = w->p->values;
    w->all.len = 0;
    for (uint32_t i = 0; i < s->writes.len; i++) {
        const tn_plan_value *result = &values[s->writes.data[i]];
        for (uint32_t k = 0; k < s->reads.len && result->storage != TN_NO_ID; k++) {
            const tn_plan_value *operand = &values[s->reads.data[k]];
            if (operand->storage == result->storage && operand->offset == result->offset &&
                operand->bytes == result->bytes && result->bytes > 0) {
                tn_vec_push(w->arena, &w->all, s->reads.data[k]);
                tn_vec_push(w->arena, &w->all, s->writes.data[i]);
            }
        }
    }
    return copy_ids(w->arena, w->all.data, w->all.len);
}

static void fill(waits *w, uint32_t at) {
    const tn_plan_step *s = &w->p->steps[at];
    tn_cl_step *out = &w->cl->steps[at];
    out->barrier = s->kind != TN_STEP_OP;
    w->all.len = w->reuse.len = 0;
    for (uint32_t i = 0; i < s->reads.len; i++) {
        add(w, at, w->p->values[s->reads.data[i]].step, false);
    }
    for (uint32_t i = 0; i < s->hazards.len; i++) {
        add(w, at, s->hazards.data[i], true);
    }
    if (w->p->concurrency == TN_QUEUES) {
        add(w, at, w->ahead[s->queue], false);
        w->ahead[s->queue] = at;
    }
    out->waits = copy_ids(w->arena, w->all.data, w->all.len);
    out->reuse = copy_ids(w->arena, w->reuse.data, w->reuse.len);
    if (!s->idle) {
        out->inplace = find_pairs(w, s);
    }
}

void tn_cl_make_steps(tn_arena *arena, const tn_plan *p, tn_cl_plan *cl) {
    waits w = {.p = p, .cl = cl, .arena = arena};
    w.mark = TN_ARRAY(arena, uint32_t, p->n_steps);
    cl->steps = TN_ARRAY(arena, tn_cl_step, p->n_steps);
    w.ahead = TN_ARRAY(arena, uint32_t, p->n_queues);
    memset(w.ahead, 0xff, p->n_queues * sizeof *w.ahead);
    for (uint32_t s = 0; s < p->n_steps; s++) {
        fill(&w, s);
    }
}
