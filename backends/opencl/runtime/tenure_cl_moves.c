/* What bodies pass on, and bytes between the host and values. All here waits for what it enqueues.
 */
#include <stdlib.h>
#include <string.h>

#include <tenure_cl_inside.h>

/* One end of a copy: a buffer or memory of the host, and where its pieces lie. */
typedef struct side {
    cl_mem mem;
    unsigned char *bytes;
    size_t at, stride;
} side;

typedef struct copy {
    side from, to;
    size_t piece, n; /* bytes, and how many of these */
    int aside;       /* `from` was made for this copy */
} copy;

static int has_place(const tenure_cl *rt, uint32_t value) {
    return value != TENURE_CL_NONE && rt->plan->values[value].handle != TENURE_CL_NONE;
}

/* Where the step finds it. */
static side side_of(const tenure_cl *rt, uint32_t step, uint32_t value) {
    const tenure_cl_place *lent =
        tenure_cl_is_lent(rt, step, value) ? tenure_cl_place_in(rt, step, value) : NULL;
    if (lent != NULL) {
        side there = {lent->mem, NULL, lent->offset, 0};
        return there;
    }
    uint64_t offset;
    const tenure_cl_handle *h =
        &rt->plan->handles[tenure_cl_handle_at(rt, value, rt->turn, &offset)];
    side s = {rt->chunks[h->chunk], rt->host[h->chunk], (size_t)(h->origin + offset), 0};
    return s;
}

static cl_int copy_pieces(cl_command_queue queue, const copy *c) {
    cl_int err = CL_SUCCESS;
    for (size_t i = 0; i < c->n && err == CL_SUCCESS; i++) {
        size_t from = c->from.at + i * c->from.stride, to = c->to.at + i * c->to.stride;
        if (c->from.mem == NULL && c->to.mem == NULL) {
            memmove(c->to.bytes + to, c->from.bytes + from, c->piece);
        } else if (c->from.mem == NULL) {
            err = clEnqueueWriteBuffer(queue, c->to.mem, CL_TRUE, to, c->piece,
                                       c->from.bytes + from, 0, NULL, NULL);
        } else if (c->to.mem == NULL) {
            err = clEnqueueReadBuffer(queue, c->from.mem, CL_TRUE, from, c->piece, c->to.bytes + to,
                                      0, NULL, NULL);
        } else {
            err = clEnqueueCopyBuffer(queue, c->from.mem, c->to.mem, from, to, c->piece, 0, NULL,
                                      NULL);
        }
    }
    return err;
}

/* ---- at once ---- */

static size_t end_of(const copy *c, const side *s) {
    return s->at + (c->n - 1) * s->stride + c->piece;
}

/* Whether the copy reads what the other one writes. */
static int reads_target(const copy *c, const copy *other) {
    return c->from.mem == other->to.mem && c->from.bytes == other->to.bytes &&
           c->from.at < end_of(other, &other->to) && other->to.at < end_of(c, &c->from);
}

/* Sources that some copy writes over go to the host first. */
static cl_int put_aside(cl_command_queue queue, copy *c) {
    copy away = *c;
    side room = {NULL, malloc(c->piece * c->n), 0, c->piece};
    if (room.bytes == NULL) {
        return CL_OUT_OF_HOST_MEMORY;
    }
    away.to = c->from = room;
    c->aside = 1;
    return copy_pieces(queue, &away);
}

static cl_int copy_at_once(cl_command_queue queue, copy *copies, size_t n) {
    cl_int err = CL_SUCCESS;
    for (size_t i = 0; i < n && err == CL_SUCCESS; i++) {
        for (size_t k = 0; k < n && err == CL_SUCCESS && !copies[i].aside; k++) {
            err = reads_target(&copies[i], &copies[k]) ? put_aside(queue, &copies[i]) : err;
        }
    }
    err = err == CL_SUCCESS ? clFinish(queue) : err;
    for (size_t i = 0; i < n && err == CL_SUCCESS; i++) {
        err = copy_pieces(queue, &copies[i]);
    }
    err = err == CL_SUCCESS ? clFinish(queue) : err;
    for (size_t i = 0; i < n; i++) {
        if (copies[i].aside) {
            free(copies[i].from.bytes);
        }
    }
    return err;
}

/* ---- moves ---- */

/* The part of `whole` that one round has: `outer` pieces. */
static void set_part(const tenure_cl *rt, copy *c, uint32_t whole, const tenure_cl_move *m,
                     int64_t round) {
    const tenure_cl_value *v = &rt->plan->values[whole];
    const int64_t *dims = rt->plan->dims + v->dims.at;
    side *s = m->what == TENURE_CL_MOVE_SLICE ? &c->from : &c->to;
    side *part = m->what == TENURE_CL_MOVE_SLICE ? &c->to : &c->from;
    size_t extent = (size_t)dims[m->axis];
    c->n = 1;
    for (int64_t i = 0; i < m->axis; i++) {
        c->n *= (size_t)dims[i];
    }
    c->piece = (size_t)v->bytes / c->n / extent;
    s->at += (m->reverse ? extent - 1 - (size_t)round : (size_t)round) * c->piece;
    s->stride = extent * c->piece;
    part->stride = c->piece;
}

/* Whether there is anything to copy. `given`: the number of the round, or a truth value. */
static int make_copy(const tenure_cl *rt, uint32_t step, const tenure_cl_move *m, int64_t round,
                     unsigned char *given, copy *c) {
    memset(c, 0, sizeof *c);
    int data = m->what == TENURE_CL_MOVE_COUNT || m->what == TENURE_CL_MOVE_TRUE;
    if (!has_place(rt, m->to) || (!data && !has_place(rt, m->from))) {
        return 0;
    }
    c->to = side_of(rt, step, m->to);
    c->n = 1;
    c->piece = (size_t)rt->plan->values[m->to].bytes;
    if (data) {
        c->from.bytes = given;
        return 1;
    }
    c->from = side_of(rt, step, m->from);
    if (m->what == TENURE_CL_MOVE_COPY) {
        return c->from.mem != c->to.mem || c->from.bytes != c->to.bytes || c->from.at != c->to.at;
    }
    set_part(rt, c, m->what == TENURE_CL_MOVE_SLICE ? m->from : m->to, m, round);
    return 1;
}

cl_int tenure_cl_moves(tenure_cl *rt, cl_command_queue queue, uint32_t begin, uint32_t when,
                       uint32_t body, int64_t round) {
    tenure_cl_list list = rt->plan->steps[begin].moves;
    copy *copies = malloc((list.len + 1u) * sizeof *copies);
    unsigned char count[sizeof round], yes[1] = {1};
    size_t n = 0;
    cl_int err = copies != NULL ? tenure_cl_settle(rt, queue, begin) : CL_OUT_OF_HOST_MEMORY;
    memcpy(count, &round, sizeof round);
    for (uint32_t i = 0; i < list.len && err == CL_SUCCESS; i++) {
        const tenure_cl_move *m = &rt->plan->moves[list.at + i];
        unsigned char *given = m->what == TENURE_CL_MOVE_TRUE ? yes : count;
        if (m->when == when && m->body == body) {
            n += (size_t)make_copy(rt, begin, m, round, given, &copies[n]);
        }
    }
    err = err == CL_SUCCESS ? copy_at_once(queue, copies, n) : err;
    free(copies);
    return err;
}

cl_int tenure_cl_commit(tenure_cl *rt, cl_command_queue queue) {
    const tenure_cl_plan *plan = rt->plan;
    copy *copies = malloc((plan->n_bindings + 1u) * sizeof *copies);
    size_t n = 0;
    cl_int err =
        copies != NULL ? tenure_cl_settle(rt, queue, TENURE_CL_NONE) : CL_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < plan->n_bindings && err == CL_SUCCESS; i++) {
        tenure_cl_move m = {0};
        m.what = TENURE_CL_MOVE_COPY;
        m.from = plan->bindings[i].value;
        m.to = plan->bindings[i].state_value;
        n += (size_t)make_copy(rt, TENURE_CL_NONE, &m, 0, NULL, &copies[n]);
    }
    err = err == CL_SUCCESS ? copy_at_once(queue, copies, n) : err;
    free(copies);
    return err;
}

/* ---- the host ---- */

cl_int tenure_cl_transfer(tenure_cl *rt, cl_command_queue queue, uint32_t step, uint32_t value,
                          void *host, int write) {
    if (value >= rt->plan->n_values) {
        return CL_INVALID_VALUE;
    }
    if (!has_place(rt, value)) {
        return rt->plan->values[value].why == NULL ? CL_SUCCESS : CL_INVALID_VALUE;
    }
    copy c = {.piece = (size_t)rt->plan->values[value].bytes, .n = 1};
    side memory = {NULL, host, 0, 0};
    c.from = write ? memory : side_of(rt, step, value);
    c.to = write ? side_of(rt, step, value) : memory;
    cl_int err = tenure_cl_settle(rt, queue, step);
    return err == CL_SUCCESS ? copy_pieces(queue, &c) : err;
}

cl_int tenure_cl_write(tenure_cl *rt, cl_command_queue queue, uint32_t value, const void *from) {
    /* copy_pieces only reads it. */
    return tenure_cl_transfer(rt, queue, TENURE_CL_NONE, value, (void *)(uintptr_t)from, 1);
}

cl_int tenure_cl_read(tenure_cl *rt, cl_command_queue queue, uint32_t value, void *to) {
    return tenure_cl_transfer(rt, queue, TENURE_CL_NONE, value, to, 0);
}
