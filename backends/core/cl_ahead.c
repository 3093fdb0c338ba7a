#include "backends/core/cl_ahead.h"

enum { APART = 64 }; /* bytes that storages in the window are aligned to */

/* Steps [first, end), one of the main graph with its bodies, that read `bytes`. */
typedef struct unit {
    uint32_t first, end;
    uint64_t bytes;
} unit;

typedef struct maker {
    const tn_plan *p;
    tn_arena *arena;
    const tn_cl_chunk *chunks;
    const uint32_t *chunk;
    const uint64_t *within;
    uint32_t *mark; /* by storage: what it was last seen in, 0: nothing */
    uint64_t used;  /* of the window, by the batch at hand */
    TN_VEC(unit) units;
    TN_VEC(tn_cl_batch) batches;
    TN_VEC(tn_cl_copy) copies;
} maker;

static uint64_t room_of(const tn_storage *s) {
    return (s->size + APART - 1) / APART * APART;
}

/* Behind the last step of what begins at step i of the main graph. */
static uint32_t end_of(const tn_plan *p, uint32_t i) {
    return p->steps[i].kind == TN_STEP_BEGIN ? p->steps[i].partner + 1 : i + 1;
}

/* Calls `with` for storages of such chunks that steps [first, end) read, and that do not bear the
 * mark yet, which they then do; gives their bytes. Without `with` none is marked, and what is read
 * twice counts twice. */
static uint64_t visit(maker *m, uint32_t first, uint32_t end, uint32_t mark,
                      void (*with)(maker *m, const tn_storage *s)) {
    uint64_t bytes = 0;
    for (uint32_t i = first; i < end; i++) {
        tn_ids reads = m->p->steps[i].reads;
        for (uint32_t k = 0; k < reads.len; k++) {
            uint32_t storage = m->p->values[reads.data[k]].storage;
            const tn_storage *s = storage != TN_NO_ID ? &m->p->storages[storage] : NULL;
            if (s == NULL || s->size == 0 || !m->chunks[m->chunk[storage]].ahead ||
                m->mark[storage] == mark) {
                continue;
            }
            if (with != NULL) {
                m->mark[storage] = mark;
                with(m, s);
            }
            bytes += room_of(s);
        }
    }
    return bytes;
}

static void count_only(maker *m, const tn_storage *s) {
    (void)m;
    (void)s;
}

static void copy(maker *m, const tn_storage *s) {
    tn_cl_batch *b = &m->batches.data[m->batches.len - 1];
    tn_cl_copy c = {m->chunk[s->id], m->within[s->id], m->used, s->size};
    tn_cl_copy *last = b->n_copies > 0 ? &m->copies.data[m->copies.len - 1] : NULL;
    if (last != NULL && last->chunk == c.chunk && c.from >= last->from &&
        c.from - last->from == c.to - last->to) {
        last->size = c.from + c.size - last->from;
    } else {
        tn_vec_push(m->arena, &m->copies, c);
        b->n_copies++;
    }
    m->used += room_of(s);
}

/* The least that holds each with the next, and which that is the first of. */
static uint64_t find_units(maker *m, uint32_t *step) {
    uint64_t most = 0, before = 0;
    for (uint32_t i = 0; i < m->p->n_steps; i = end_of(m->p, i)) {
        unit u = {i, end_of(m->p, i), visit(m, i, end_of(m->p, i), i + 1, count_only)};
        if (u.bytes == 0) {
            continue;
        }
        if (before + u.bytes > most) {
            most = before + u.bytes;
            *step = i;
        }
        before = u.bytes;
        tn_vec_push(m->arena, &m->units, u);
    }
    return most;
}

/* Batches lie at the begin and at the end of the window in turn. */
static void close_batch(maker *m, uint64_t window) {
    tn_cl_batch *b = &m->batches.data[m->batches.len - 1];
    for (uint32_t i = b->copies; m->batches.len % 2 == 0 && i < b->copies + b->n_copies; i++) {
        m->copies.data[i].to += window - m->used;
    }
}

/* As much to a batch as leaves room for the one before it, and for the step behind it. */
static void make_batches(maker *m, uint64_t window) {
    uint64_t before = 0;
    for (uint32_t i = 0; i < m->units.len; i++) {
        unit u = m->units.data[i];
        uint32_t now = m->p->n_steps + m->batches.len; /* marks behind those of steps */
        uint64_t behind = i + 1 < m->units.len ? m->units.data[i + 1].bytes : 0;
        uint64_t with = m->used + visit(m, u.first, u.end, now, NULL);
        if (m->batches.len == 0 || before + with > window || with + behind > window) {
            if (m->batches.len > 0) {
                close_batch(m, window);
            }
            tn_cl_batch next = {.first = u.first, .copies = m->copies.len};
            tn_vec_push(m->arena, &m->batches, next);
            before = m->used;
            m->used = 0;
            now++;
        }
        (void)visit(m, u.first, u.end, now, copy);
        m->batches.data[m->batches.len - 1].end = u.end;
    }
    if (m->batches.len > 0) {
        close_batch(m, window);
    }
}

tn_status tn_cl_make_ahead(tn_arena *arena, const tn_plan *p, tn_cl_plan *cl,
                           const tn_cl_chunk *chunks, const uint32_t *chunk, const uint64_t *within,
                           uint64_t window, uint64_t *bytes) {
    maker m = {.p = p, .arena = arena, .chunks = chunks, .chunk = chunk, .within = within};
    uint32_t step = 0;
    m.mark = TN_ARRAY(arena, uint32_t, p->n_storages + 1u);
    uint64_t least = find_units(&m, &step), most = window / APART * APART;
    if (window > 0 && least > most) {
        const tn_plan_step *s = &p->steps[step];
        return tn_error(p->ctx, NULL,
                        "opencl: step %u (%s '%s') and the one before it read %llu bytes of "
                        "constants that are copied ahead, the window has %llu; use window=%llu, or "
                        "more",
                        (unsigned)step, s->op, s->name, (unsigned long long)least,
                        (unsigned long long)window, (unsigned long long)least);
    }
    *bytes = window > 0 && least > 0 ? most : least;
    make_batches(&m, *bytes);
    cl->batches = m.batches.data;
    cl->n_batches = m.batches.len;
    cl->copies = m.copies.data;
    cl->n_copies = m.copies.len;
    return TN_OK;
}
