/* The peak and what makes it: each storage alive there is taken away, or let die a step earlier,
 * and the live bytes are counted again. */
#include <stdlib.h>

#include "ir/base/sort.h"
#include "ir/base/xmath.h"
#include "lib/explain/explain_t.h"
#include "passes/pack/pack.h"

/* A result that begins inside an operand: at the step both need so many bytes less than apart. */
typedef struct inside {
    uint32_t over, under; /* buffers */
    int64_t step;
    uint64_t less;
} inside;

/* The arena as the planner gave it to the packing library. */
typedef struct problem {
    tn_arena *arena;
    const tn_plan *p;
    tn_pack_buffer *buffers;
    uint32_t *buffer_of; /* by storage */
    uint32_t n;
    inside *insides;
    uint32_t n_insides;
} problem;

static problem restate(tn_explain *x) {
    const tn_plan *p = x->p;
    problem q = {.arena = x->arena,
                 .p = p,
                 .buffers = tn_arena_array(x->arena, p->n_storages, sizeof(tn_pack_buffer)),
                 .buffer_of = TN_ARRAY(x->arena, uint32_t, p->n_storages)};
    for (uint32_t i = 0; i < p->n_storages; i++) {
        const tn_storage *s = &p->storages[i];
        uint64_t size;
        if (p->pools[s->pool].kind != TN_POOL_ARENA ||
            !tn_align_u64(s->size, p->pools[s->pool].align, &size)) {
            continue;
        }
        q.buffer_of[i] = q.n;
        q.buffers[q.n++] =
            (tn_pack_buffer){.first = s->pinned ? -1 : s->first,
                             .last = s->pinned ? (int64_t)p->n_steps + 1 : s->last + 1,
                             .size = size,
                             .align = 1,
                             .fixed = TN_PACK_FREE};
    }
    q.insides = tn_arena_array(x->arena, p->n_values, sizeof(inside));
    for (uint32_t i = 0; i < p->n_values; i++) {
        if (p->values[i].n_overlaps > 0) {
            const tn_plan_value *v = &p->values[i];
            const tn_plan_overlap *o = &v->overlaps[0];
            q.insides[q.n_insides++] =
                (inside){q.buffer_of[v->storage], q.buffer_of[p->values[o->value].storage],
                         (int64_t)o->step, tn_plan_overlap_saves(p, v)};
        }
    }
    return q;
}

/* Bytes alive by step: the first before the run, the last behind it. */
static uint64_t *alive_at(const problem *q, tn_arena *arena) {
    uint64_t *alive = TN_ARRAY(arena, uint64_t, q->p->n_steps + 3u);
    for (uint32_t i = 0; i < q->n; i++) {
        alive[q->buffers[i].first + 1] += q->buffers[i].size;
        alive[q->buffers[i].last + 1] -= q->buffers[i].size;
    }
    for (uint32_t s = 1; s < q->p->n_steps + 3u; s++) {
        alive[s] += alive[s - 1];
    }
    for (uint32_t i = 0; i < q->n_insides; i++) {
        const inside *in = &q->insides[i];
        bool meet = q->buffers[in->over].size > 0 && q->buffers[in->under].size > 0 &&
                    q->buffers[in->under].last > in->step;
        alive[in->step + 1] -= meet ? in->less : 0;
    }
    return alive;
}

static uint64_t live_bytes(const problem *q) {
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(q->arena));
    const uint64_t *alive = alive_at(q, scratch);
    uint64_t bytes = 0;
    for (uint32_t s = 0; s < q->p->n_steps + 3u; s++) {
        bytes = alive[s] > bytes ? alive[s] : bytes;
    }
    tn_arena_drop(scratch);
    return bytes;
}

static uint64_t live_without(const problem *q, uint32_t storage) {
    tn_pack_buffer *b = &q->buffers[q->buffer_of[storage]], saved = *b;
    b->size = 0;
    uint64_t bytes = live_bytes(q);
    *b = saved;
    return bytes;
}

static uint64_t live_if_earlier(const problem *q, uint32_t storage, int32_t peak) {
    tn_pack_buffer *b = &q->buffers[q->buffer_of[storage]], saved = *b;
    if (b->last != peak + 1 || b->first >= peak) {
        return UINT64_MAX;
    }
    b->last--;
    uint64_t bytes = live_bytes(q);
    *b = saved;
    return bytes;
}

/* Steps of the run at which `peak` bytes are alive. */
static uint32_t n_peaks(const problem *q, uint64_t peak) {
    const uint64_t *alive = alive_at(q, q->arena);
    uint32_t n = 0;
    for (uint32_t s = 0; s < q->p->n_steps; s++) {
        n += alive[s + 1] == peak;
    }
    return n;
}

/* By storage: the member that is needed last, the first of them in the plan. */
static const uint32_t *needed_last(tn_explain *x) {
    const tn_plan *p = x->p;
    uint32_t *of = TN_ARRAY(x->arena, uint32_t, p->n_storages);
    for (uint32_t i = 0; i < p->n_storages; i++) {
        of[i] = p->storages[i].root;
    }
    for (uint32_t i = 0; i < p->n_values; i++) {
        const tn_plan_value *v = &p->values[i];
        if (v->storage != TN_NO_ID && v->last > p->values[of[v->storage]].last) {
            of[v->storage] = i;
        }
    }
    return of;
}

/* By storage: whether one of the chosen lies in it. */
static const bool *storages_of(tn_explain *x, const bool *chosen) {
    bool *holds = TN_ARRAY(x->arena, bool, x->p->n_storages);
    for (uint32_t i = 0; i < x->p->n_values; i++) {
        const tn_plan_value *v = &x->p->values[i];
        if (v->storage != TN_NO_ID && (chosen == NULL || chosen[i])) {
            holds[v->storage] = true;
        }
    }
    return holds;
}

static int most_gain_first(const void *a, const void *b) {
    const tn_fact *x = a, *y = b;
    return TN_FIRST_OF(TN_COMPARE(x->bound, y->bound), TN_COMPARE(y->bytes, x->bytes),
                       TN_COMPARE(x->value, y->value));
}

void tn_explain_peak(tn_explain *x, uint32_t limit, const bool *chosen) {
    const tn_plan_report *r = &x->p->report;
    const bool *wanted = storages_of(x, chosen);
    tn_ids peak = r->peak;
    uint32_t n = 0, *ids = TN_ARRAY(x->arena, uint32_t, peak.len);
    for (uint32_t i = 0; i < peak.len && n < limit; i++) {
        if (wanted[peak.data[i]]) {
            ids[n++] = peak.data[i];
        }
    }
    if (r->peak_step < 0 || (n == 0 && chosen != NULL)) {
        return;
    }
    problem q = restate(x);
    const uint32_t *last = needed_last(x);
    uint64_t alive = live_bytes(&q);
    tn_vec_push(x->arena, &x->facts,
                (tn_fact){.kind = TN_FACT_PEAK,
                          .step = (uint32_t)r->peak_step,
                          .bytes = alive,
                          .value = n_peaks(&q, alive),
                          .of = peak.len});
    uint32_t first = x->facts.len;
    for (uint32_t i = 0; i < n; i++) {
        tn_vec_push(x->arena, &x->facts,
                    (tn_fact){.kind = TN_FACT_ALIVE,
                              .value = x->p->storages[ids[i]].root,
                              .of = last[ids[i]],
                              .bytes = x->p->storages[ids[i]].size,
                              .bound = live_without(&q, ids[i]),
                              .earlier = live_if_earlier(&q, ids[i], r->peak_step)});
    }
    qsort(x->facts.data + first, n, sizeof *x->facts.data, most_gain_first);
}
