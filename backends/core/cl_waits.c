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

/* Two different handles that overlap must not meet in one kernel when one of them is written. */
static tn_status check_arguments(const waits *w, const tn_plan_step *s) {
    const tn_cl_plan *cl = w->cl;
    for (uint32_t i = 0; i < s->writes.len; i++) {
        uint32_t wh = cl->handle[s->writes.data[i]];
        for (uint32_t k = 0; wh != TN_NO_ID && k < s->reads.len; k++) {
            uint32_t rh = cl->handle[s->reads.data[k]];
            if (rh == TN_NO_ID || rh == wh) {
                continue;
            }
            const tn_cl_handle *a = &cl->handles[wh], *b = &cl->handles[rh];
            if (a->chunk == b->chunk && a->origin < b->origin + b->size &&
                b->origin < a->origin + a->size) {
                return tn_error(w->p->ctx, NULL,
                                "opencl: node '%s' (%s) would get overlapping sub-buffers for '%s' "
                                "and '%s'; plan with --inplace=elementwise --views=reshape, or use "
                                "mode=offsets",
                                s->name, s->op, w->p->values[s->writes.data[i]].name,
                                w->p->values[s->reads.data[k]].name);
            }
        }
    }
    return TN_OK;
}

static tn_status fill(waits *w, uint32_t at) {
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
    return s->idle || w->cl->mode != TN_CL_SUBBUFFERS ? TN_OK : check_arguments(w, s);
}

/* The step after which a handle can go, n_steps when it never does. Bodies may run again: what they
 * use goes at the end of the outermost op around. */
static uint32_t *find_last(const waits *w) {
    uint32_t n = w->p->n_steps, end = TN_NO_ID;
    uint32_t *outer = TN_ARRAY(w->arena, uint32_t, n + 1u);
    for (uint32_t s = 0; s < n; s++) {
        const tn_plan_step *step = &w->p->steps[s];
        if (end == TN_NO_ID && step->kind == TN_STEP_BEGIN) {
            end = step->partner;
        }
        outer[s] = end == TN_NO_ID ? s : end;
        end = end == s ? TN_NO_ID : end;
    }
    outer[n] = n;
    uint32_t *last = TN_ARRAY(w->arena, uint32_t, w->cl->n_handles);
    for (uint32_t h = 0; h < w->cl->n_handles; h++) {
        last[h] = w->cl->handles[h].last < 0 ? n : outer[w->cl->handles[h].last];
    }
    return last;
}

/* One counting sort. */
static void fill_releases(waits *w) {
    uint32_t n = w->p->n_steps;
    const uint32_t *last = find_last(w);
    uint32_t *count = TN_ARRAY(w->arena, uint32_t, n + 1u);
    for (uint32_t h = 0; h < w->cl->n_handles; h++) {
        count[last[h]]++;
    }
    uint32_t **lists = TN_ARRAY(w->arena, uint32_t *, n + 1u);
    for (uint32_t s = 0; s <= n; s++) {
        lists[s] = TN_ARRAY(w->arena, uint32_t, count[s]);
        if (s < n) {
            w->cl->steps[s].releases = (tn_ids){lists[s], count[s]};
        }
        count[s] = 0;
    }
    for (uint32_t h = 0; h < w->cl->n_handles; h++) {
        lists[last[h]][count[last[h]]++] = h;
    }
}

tn_status tn_cl_make_steps(tn_arena *arena, const tn_plan *p, tn_cl_plan *cl) {
    waits w = {.p = p, .cl = cl, .arena = arena};
    w.mark = TN_ARRAY(arena, uint32_t, p->n_steps);
    cl->steps = TN_ARRAY(arena, tn_cl_step, p->n_steps);
    w.ahead = TN_ARRAY(arena, uint32_t, p->n_queues);
    memset(w.ahead, 0xff, p->n_queues * sizeof *w.ahead);
    for (uint32_t s = 0; s < p->n_steps; s++) {
        tn_status status = fill(&w, s);
        if (status != TN_OK) {
            return status;
        }
    }
    fill_releases(&w);
    return TN_OK;
}
