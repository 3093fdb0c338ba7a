#include "passes/order/timeline.h"

#include <string.h>

#include "passes/order/op_state.h"

/* Costs of positions from `from` on, from a walk that stands there. */
static void profile(tn_timeline *t, tn_op_state *w, uint32_t from, const uint32_t *order,
                    uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        t->live[from + i] = w->live;
        t->during[from + i] = tn_op_state_cost(w, order[i]).during;
        tn_op_state_run(w, order[i]);
    }
}

tn_timeline tn_timeline_make(tn_arena *arena, const tn_sched *p, const uint32_t *order) {
    tn_timeline t = {.p = p,
                     .order = TN_ARRAY(arena, uint32_t, p->n),
                     .during = TN_ARRAY(arena, uint64_t, p->n),
                     .live = TN_ARRAY(arena, uint64_t, p->n + 1u),
                     .at = TN_ARRAY(arena, uint32_t, p->n),
                     .first = TN_ARRAY(arena, uint32_t, p->m),
                     .last = TN_ARRAY(arena, uint32_t, p->m),
                     .local = TN_ARRAY(arena, uint32_t, p->m)};
    memcpy(t.order, order, p->n * sizeof *order);
    memset(t.first, 0xff, p->m * sizeof *t.first);
    memset(t.local, 0xff, p->m * sizeof *t.local);
    for (uint32_t i = 0; i < p->n; i++) {
        t.at[order[i]] = i;
        for (uint32_t e = p->touched.start[order[i]]; e < p->touched.start[order[i] + 1]; e++) {
            uint32_t x = p->touched.item[e];
            t.first[x] = t.first[x] == TN_SCHED_NONE ? i : t.first[x];
            t.last[x] = i;
        }
    }
    tn_op_state w = tn_op_state_make(arena, p);
    profile(&t, &w, 0, order, p->n);
    t.live[p->n] = w.live;
    return t;
}

typedef struct piece_maker {
    tn_arena *arena;
    tn_timeline *t;
    uint32_t from, to;
    tn_sched_lists out;
    TN_VEC(tn_sched_tensor) tensors;
    TN_VEC(uint32_t) ids; /* the track's, by number in the piece */
    TN_VEC(tn_sched_inplace) inplace;
} piece_maker;

static bool inside(const piece_maker *m, uint32_t op) {
    return m->t->at[op] >= m->from && m->t->at[op] < m->to;
}

static uint32_t local_tensor(piece_maker *m, uint32_t x) {
    tn_timeline *t = m->t;
    if (t->local[x] == TN_SCHED_NONE) {
        const tn_sched_tensor *old = &t->p->tensor[x];
        tn_sched_tensor made = {.size = old->size,
                                .at_start = old->at_start || t->first[x] < m->from,
                                .to_end = old->to_end || t->last[x] >= m->to,
                                .head = TN_SCHED_NONE};
        if (old->head != TN_SCHED_NONE && inside(m, old->head)) {
            made.head = t->at[old->head] - m->from;
        }
        m->out.base -= made.at_start ? made.size : 0;
        t->local[x] = m->tensors.len;
        tn_vec_push(m->arena, &m->tensors, made);
        tn_vec_push(m->arena, &m->ids, x);
    }
    return t->local[x];
}

static void count(piece_maker *m) {
    const tn_sched *p = m->t->p;
    for (uint32_t i = m->from; i < m->to; i++) {
        uint32_t v = m->t->order[i];
        m->out.n_touch += tn_edge_rows_len(&p->touched, v);
        m->out.n_before += tn_edge_rows_len(&p->succ, v);
    }
}

static void collect(piece_maker *m, uint32_t (*touch)[2], uint32_t (*before)[2],
                    uint64_t *workspace) {
    const tn_sched *p = m->t->p;
    uint32_t n_touch = 0, n_before = 0;
    for (uint32_t i = m->from; i < m->to; i++) {
        uint32_t v = m->t->order[i], local = i - m->from;
        workspace[local] = p->workspace[v];
        for (uint32_t e = p->touched.start[v]; e < p->touched.start[v + 1]; e++) {
            touch[n_touch][0] = local;
            touch[n_touch++][1] = local_tensor(m, p->touched.item[e]);
        }
        for (uint32_t e = p->succ.start[v]; e < p->succ.start[v + 1]; e++) {
            if (inside(m, p->succ.item[e])) {
                before[n_before][0] = local;
                before[n_before++][1] = m->t->at[p->succ.item[e]] - m->from;
            }
        }
        for (uint32_t e = p->inplace_of.start[v]; e < p->inplace_of.start[v + 1]; e++) {
            const tn_sched_inplace *k = &p->inplace[p->inplace_of.item[e]];
            tn_sched_inplace made = {local, m->t->local[k->result], m->t->local[k->operand]};
            tn_vec_push(m->arena, &m->inplace, made);
        }
    }
    m->out.n_before = n_before;
}

tn_sched tn_timeline_piece(tn_arena *arena, tn_timeline *t, uint32_t from, uint32_t to) {
    piece_maker m = {.arena = arena, .t = t, .from = from, .to = to};
    m.out.n = to - from;
    m.out.base = t->live[from];
    count(&m);
    uint32_t(*touch)[2] = tn_arena_array(arena, m.out.n_touch, sizeof *touch);
    uint32_t(*before)[2] = tn_arena_array(arena, m.out.n_before, sizeof *before);
    uint64_t *workspace = TN_ARRAY(arena, uint64_t, m.out.n);
    collect(&m, touch, before, workspace);
    m.out.m = m.tensors.len;
    m.out.tensor = m.tensors.data;
    m.out.workspace = workspace;
    m.out.touch = (const uint32_t(*)[2])touch;
    m.out.before = (const uint32_t(*)[2])before;
    m.out.inplace = m.inplace.data;
    m.out.n_inplace = m.inplace.len;
    for (uint32_t i = 0; i < m.ids.len; i++) {
        t->local[m.ids.data[i]] = TN_SCHED_NONE;
    }
    return tn_sched_make(arena, &m.out);
}

void tn_timeline_put(tn_arena *scratch, tn_timeline *t, uint32_t from, const tn_sched *piece,
                     const uint32_t *order) {
    const tn_edge_rows *touched = &t->p->touched;
    uint32_t to = from + piece->n;
    uint32_t *old = TN_ARRAY(scratch, uint32_t, piece->n);
    tn_op_state w = tn_op_state_make(scratch, piece);
    profile(t, &w, from, order, piece->n);
    memcpy(old, t->order + from, piece->n * sizeof *old);
    /* Tensors that begin inside are set anew by their first op, so they are forgotten first; their
     * ends inside grow again from the piece's beginning. */
    for (uint32_t i = 0; i < piece->n; i++) {
        for (uint32_t e = touched->start[old[i]]; e < touched->start[old[i] + 1]; e++) {
            uint32_t x = touched->item[e];
            t->first[x] = t->first[x] >= from ? TN_SCHED_NONE : t->first[x];
            t->last[x] = t->last[x] < to ? from : t->last[x];
        }
    }
    for (uint32_t i = 0; i < piece->n; i++) {
        uint32_t v = old[order[i]];
        t->order[from + i] = v;
        t->at[v] = from + i;
        for (uint32_t e = touched->start[v]; e < touched->start[v + 1]; e++) {
            uint32_t x = touched->item[e];
            t->first[x] = t->first[x] > from + i ? from + i : t->first[x];
            t->last[x] = t->last[x] < from + i ? from + i : t->last[x];
        }
    }
}

uint64_t tn_timeline_peak(const tn_timeline *t, uint32_t from, uint32_t to) {
    uint64_t peak = 0;
    for (uint32_t i = from; i < to; i++) {
        peak = t->during[i] > peak ? t->during[i] : peak;
    }
    return peak;
}
