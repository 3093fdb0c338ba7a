#include "backends/core/cl_ahead.h"

#include "ir/base/diag.h"
#include "ir/plan/copied_ahead.h"

typedef unsigned long long ull;

/* Steps [first, end), one of the main graph with its bodies, that need `bytes` of the window. */
typedef struct unit {
    uint32_t first, end;
    uint64_t bytes;
} unit;

/* Batches are numbered from 1 on here. */
typedef struct maker {
    const tn_plan *p;
    tn_arena *arena;
    const tn_cl_chunk *chunks;
    const uint32_t *chunk;
    const uint64_t *within;
    uint32_t *batch;         /* by storage: the batch it was last put in */
    uint32_t *writes;        /* by storage: the batch that last wrote it */
    bool *late;              /* by storage: the batch before the one at hand writes it */
    uint64_t *to;            /* by storage: where it lies in the batch at hand */
    uint32_t *counted;       /* by storage: when it was last counted */
    uint32_t now;            /* of what is counted */
    uint64_t bytes;          /* so far */
    uint64_t used;           /* of the window, by the batch at hand */
    TN_VEC(uint32_t) inside; /* storages of that */
    TN_VEC(unit) units;
    TN_VEC(tn_cl_batch) batches;
    TN_VEC(tn_cl_copy) copies;
} maker;

static bool is_ahead(const maker *m, const tn_storage *s) {
    return m->chunks[m->chunk[s->id]].ahead;
}

/* What is not in the batch at hand. */
static void count(void *user, const tn_storage *s, bool written) {
    maker *m = user;
    bool inside = m->batches.len > 0 && m->batch[s->id] == m->batches.len;
    (void)written;
    if (is_ahead(m, s) && !inside && m->counted[s->id] != m->now) {
        m->counted[s->id] = m->now;
        m->bytes += tn_ahead_room(s);
    }
}

static uint64_t count_more(maker *m, uint32_t first, uint32_t end) {
    m->now++;
    m->bytes = 0;
    tn_ahead_visit(m->p, first, end, count, m);
    return m->bytes;
}

static void find_units(maker *m) {
    for (uint32_t i = 0; i < m->p->n_steps; i = tn_ahead_end(m->p, i)) {
        unit u = {i, tn_ahead_end(m->p, i), 0};
        u.bytes = count_more(m, u.first, u.end);
        if (u.bytes > 0) {
            tn_vec_push(m->arena, &m->units, u);
        }
    }
}

static void put(void *user, const tn_storage *s, bool written) {
    maker *m = user;
    uint32_t now = m->batches.len;
    if (!is_ahead(m, s)) {
        return;
    }
    if (m->batch[s->id] != now) {
        m->batch[s->id] = now;
        m->late[s->id] = now > 1 && m->writes[s->id] == now - 1;
        m->to[s->id] = m->used;
        m->used += tn_ahead_room(s);
        tn_vec_push(m->arena, &m->inside, s->id);
    }
    m->writes[s->id] = written ? now : m->writes[s->id];
}

/* Adds the storage to the copies from `first` on: to the last of them, where the two lie one behind
 * the other on both sides. Of constants bytes between them may be copied as well. */
static void add_copy(maker *m, uint32_t first, uint32_t storage, uint64_t shift) {
    const tn_storage *s = &m->p->storages[storage];
    tn_cl_copy c = {m->chunk[storage], m->within[storage], m->to[storage] + shift, s->size};
    tn_cl_copy *last = m->copies.len > first ? &m->copies.data[m->copies.len - 1] : NULL;
    bool loose = m->p->pools[s->pool].kind == TN_POOL_CONST;
    if (last != NULL && last->chunk == c.chunk && c.from >= last->from &&
        c.from - last->from == c.to - last->to && (loose || c.from == last->from + last->size)) {
        last->size = c.from + c.size - last->from;
    } else {
        tn_vec_push(m->arena, &m->copies, c);
    }
}

static uint32_t add_late_or_not(maker *m, bool late, uint64_t shift) {
    uint32_t first = m->copies.len;
    for (uint32_t i = 0; i < m->inside.len; i++) {
        if (m->late[m->inside.data[i]] == late) {
            add_copy(m, first, m->inside.data[i], shift);
        }
    }
    return m->copies.len - first;
}

/* Batches lie at the begin and at the end of the window in turn. */
static void close_batch(maker *m, uint64_t window) {
    uint32_t now = m->batches.len;
    tn_cl_batch *b = &m->batches.data[now - 1];
    uint64_t shift = now % 2 == 0 ? window - m->used : 0;
    b->copies = m->copies.len;
    b->n_copies = add_late_or_not(m, false, shift);
    b->n_late = add_late_or_not(m, true, shift);
    b->n_copies += b->n_late;
    b->back = m->copies.len;
    for (uint32_t i = 0; i < m->inside.len; i++) {
        if (m->writes[m->inside.data[i]] == now) {
            add_copy(m, b->back, m->inside.data[i], shift);
        }
    }
    b->n_back = m->copies.len - b->back;
    m->inside.len = 0;
}

/* As much to a batch as leaves room for the one before it, and for the step behind it. */
static void make_batches(maker *m, uint64_t window) {
    uint64_t before = 0;
    for (uint32_t i = 0; i < m->units.len; i++) {
        unit u = m->units.data[i];
        uint64_t behind = i + 1 < m->units.len ? m->units.data[i + 1].bytes : 0;
        uint64_t with = m->used + count_more(m, u.first, u.end);
        if (m->batches.len == 0 || before + with > window || with + behind > window) {
            if (m->batches.len > 0) {
                close_batch(m, window);
            }
            tn_cl_batch next = {.first = u.first};
            tn_vec_push(m->arena, &m->batches, next);
            before = m->used;
            m->used = 0;
        }
        tn_ahead_visit(m->p, u.first, u.end, put, m);
        m->batches.data[m->batches.len - 1].end = u.end;
    }
    if (m->batches.len > 0) {
        close_batch(m, window);
    }
}

tn_status tn_cl_make_ahead(tn_arena *arena, const tn_plan *p, tn_cl_plan *cl,
                           const tn_cl_chunk *chunks, const uint32_t *chunk, const uint64_t *within,
                           const bool *host, uint64_t window, uint64_t *bytes) {
    maker m = {.p = p, .arena = arena, .chunks = chunks, .chunk = chunk, .within = within};
    uint32_t step = 0, n = p->n_storages + 1u;
    uint64_t least = tn_ahead_least(arena, p, host, &step),
             most = window / TN_AHEAD_APART * TN_AHEAD_APART;
    if (window > 0 && least > most) {
        const tn_plan_step *s = &p->steps[step];
        return tn_error(p->ctx, NULL,
                        "opencl: step %u (%s '%s') and the one before it need %llu bytes of what "
                        "is copied ahead, the window has %llu; use window=%llu, or more",
                        (unsigned)step, s->op, s->name, (ull)least, (ull)window, (ull)least);
    }
    m.batch = TN_ARRAY(arena, uint32_t, n);
    m.writes = TN_ARRAY(arena, uint32_t, n);
    m.late = TN_ARRAY(arena, bool, n);
    m.to = TN_ARRAY(arena, uint64_t, n);
    m.counted = TN_ARRAY(arena, uint32_t, n);
    find_units(&m);
    *bytes = window > 0 && least > 0 ? most : least;
    make_batches(&m, *bytes);
    cl->batches = m.batches.data;
    cl->n_batches = m.batches.len;
    cl->copies = m.copies.data;
    cl->n_copies = m.copies.len;
    return TN_OK;
}

void tn_cl_note_window(const tn_cl_plan *cl) {
    uint64_t there = 0, back = 0, device = 0, ahead = 0;
    for (uint32_t i = 0; i < cl->n_batches; i++) {
        const tn_cl_batch *b = &cl->batches[i];
        for (uint32_t k = b->copies; k < b->back + b->n_back; k++) {
            *(k < b->back ? &there : &back) += cl->copies[k].size;
        }
    }
    for (uint32_t i = 0; i < cl->n_chunks; i++) {
        const tn_cl_chunk *c = &cl->chunks[i];
        device += c->host || c->shared ? 0 : c->size;
        ahead += c->ahead ? c->size : 0;
    }
    if (cl->n_batches > 0) {
        uint64_t window = cl->chunks[cl->window].size;
        tn_note(cl->p->ctx, NULL,
                "opencl: a run copies %llu bytes ahead of the steps that need them, and %llu back, "
                "in %u batch%s, by a window of %llu bytes (window=BYTES); the device needs %llu "
                "bytes, %llu if all that lay there",
                (ull)there, (ull)back, (unsigned)cl->n_batches, cl->n_batches == 1 ? "" : "es",
                (ull)window, (ull)device, (ull)(device - window + ahead));
    }
}
