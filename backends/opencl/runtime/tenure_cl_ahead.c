/* Constants and state that lie in the host's memory, and are copied to a window on the device, by a
 * queue of their own, while the steps of the batch before run: batches lie at its two ends in turn.
 * What steps write of state goes back behind their batch, by the same queue: so whatever is copied
 * there later has it. */
#include <stdlib.h>

#include <tenure_cl_inside.h>

cl_int tenure_cl_make_ahead(tenure_cl *rt) {
    const tenure_cl_plan *plan = rt->plan;
    cl_int err = CL_SUCCESS;
    if (plan->n_batches == 0) {
        return err;
    }
    rt->copied = calloc(plan->n_copies, sizeof *rt->copied);
    rt->window = calloc(plan->n_values, sizeof *rt->window);
    rt->ahead = clCreateCommandQueue(rt->context, rt->device, CL_QUEUE_PROFILING_ENABLE, &err);
    return rt->copied != NULL && rt->window != NULL ? err : CL_OUT_OF_HOST_MEMORY;
}

static void forget(cl_event *event) {
    if (*event != NULL) {
        clReleaseEvent(*event);
    }
    *event = NULL;
}

void tenure_cl_drop_ahead(tenure_cl *rt) {
    if (rt->ahead != NULL) {
        (void)clFinish(rt->ahead); /* it reads and writes memory of the host */
        clReleaseCommandQueue(rt->ahead);
    }
    for (uint32_t i = 0; rt->copied != NULL && i < rt->plan->n_copies; i++) {
        forget(&rt->copied[i]);
    }
    forget(&rt->freed[0]);
    forget(&rt->freed[1]);
    free(rt->copied);
    free(rt->window);
    rt->ahead = NULL;
    rt->copied = NULL;
    rt->window = NULL;
}

/* To the window or back, once `waits` are over. */
static cl_int copy(tenure_cl *rt, tenure_cl_list copies, int back, cl_uint n,
                   const cl_event *waits) {
    const tenure_cl_plan *plan = rt->plan;
    cl_mem window = rt->chunks[plan->window];
    cl_int err = CL_SUCCESS;
    for (uint32_t i = copies.at; i < copies.at + copies.len && err == CL_SUCCESS; i++) {
        const tenure_cl_copy *c = &plan->copies[i];
        unsigned char *bytes = rt->host[c->chunk] + c->from;
        const cl_event *first = n > 0 ? waits : NULL;
        forget(&rt->copied[i]);
        err = back ? clEnqueueReadBuffer(rt->ahead, window, CL_FALSE, (size_t)c->to,
                                         (size_t)c->size, bytes, n, first, &rt->copied[i])
                   : clEnqueueWriteBuffer(rt->ahead, window, CL_FALSE, (size_t)c->to,
                                          (size_t)c->size, bytes, n, first, &rt->copied[i]);
        n = 0; /* the queue is in order */
    }
    return err == CL_SUCCESS ? clFlush(rt->ahead) : err;
}

/* Behind what the events of the steps of another batch say. */
static cl_int copy_behind(tenure_cl *rt, tenure_cl_list copies, int back, uint32_t other) {
    const tenure_cl_batch *b = &rt->plan->batches[other];
    cl_event *waits = malloc((b->end - b->first) * sizeof(cl_event));
    cl_uint n = 0;
    for (uint32_t i = b->first; waits != NULL && i < b->end; i++) {
        if (rt->events[i] != NULL) {
            waits[n++] = rt->events[i];
        }
    }
    cl_int err = waits != NULL ? copy(rt, copies, back, n, waits) : CL_OUT_OF_HOST_MEMORY;
    free(waits);
    return err;
}

/* To the end of the window that the batch lies at, once that is free. */
static cl_int copy_there(tenure_cl *rt, uint32_t batch, int late, int in_order) {
    const cl_event *freed = &rt->freed[batch % 2];
    const tenure_cl_batch *b = &rt->plan->batches[batch];
    tenure_cl_list copies = b->copies;
    copies.len -= b->late;
    if (late) {
        copies.at += copies.len;
        copies.len = b->late;
    }
    return copies.len == 0 ? CL_SUCCESS
           : in_order      ? copy(rt, copies, 0, *freed != NULL, freed)
           : batch < 2     ? copy(rt, copies, 0, 0, NULL) /* the run before has finished */
                           : copy_behind(rt, copies, 0, batch - 2);
}

/* What the steps of the batch wrote, once they have. */
static cl_int copy_back(tenure_cl *rt, uint32_t batch, int in_order) {
    tenure_cl_list back = rt->plan->batches[batch].back;
    return back.len == 0 ? CL_SUCCESS
           : in_order    ? copy(rt, back, 1, 1, &rt->freed[batch % 2])
                         : copy_behind(rt, back, 1, batch);
}

/* Behind the batch: the next one may need what it wrote. */
static cl_int leave(tenure_cl *rt, uint32_t batch, cl_command_queue queue) {
    cl_int err = CL_SUCCESS;
    if (queue != NULL) {
        forget(&rt->freed[batch % 2]);
        err = clEnqueueMarkerWithWaitList(queue, 0, NULL, &rt->freed[batch % 2]);
    }
    err = err == CL_SUCCESS ? copy_back(rt, batch, queue != NULL) : err;
    return err == CL_SUCCESS && batch + 1 < rt->plan->n_batches
               ? copy_there(rt, batch + 1, 1, queue != NULL)
               : err;
}

cl_int tenure_cl_enter(tenure_cl *rt, uint32_t batch, cl_command_queue queue) {
    uint32_t n = rt->plan->n_batches;
    cl_int err = batch > 0 ? leave(rt, batch - 1, queue)
                 : n > 0   ? copy_there(rt, 0, 0, queue != NULL)
                           : CL_SUCCESS;
    if (err == CL_SUCCESS && batch + 1 < n) {
        err = copy_there(rt, batch + 1, 0, queue != NULL);
    }
    if (err == CL_SUCCESS && batch < n && queue != NULL) {
        tenure_cl_list copies = rt->plan->batches[batch].copies;
        err = clEnqueueBarrierWithWaitList(queue, 1, &rt->copied[copies.at + copies.len - 1], NULL);
    }
    return err;
}

static const tenure_cl_batch *batch_of(const tenure_cl *rt, uint32_t step) {
    for (uint32_t i = 0; i < rt->plan->n_batches; i++) {
        const tenure_cl_batch *b = &rt->plan->batches[i];
        if (step >= b->first && step < b->end) {
            return b;
        }
    }
    return NULL;
}

cl_event tenure_cl_arrival(const tenure_cl *rt, uint32_t step) {
    const tenure_cl_batch *b = batch_of(rt, step);
    return b != NULL ? rt->copied[b->copies.at + b->copies.len - 1] : NULL;
}

/* The copy that brings the value to the window for the step; NULL: there is none. */
static const tenure_cl_copy *copy_of(const tenure_cl *rt, uint32_t step, uint32_t value) {
    const tenure_cl_plan *plan = rt->plan;
    uint32_t handle = value < plan->n_values ? plan->values[value].handle : TENURE_CL_NONE;
    const tenure_cl_batch *b = handle != TENURE_CL_NONE ? batch_of(rt, step) : NULL;
    for (uint32_t i = 0; b != NULL && i < b->copies.len; i++) {
        const tenure_cl_copy *c = &plan->copies[b->copies.at + i];
        uint64_t at = plan->handles[handle].origin + plan->values[value].offset;
        if (c->chunk == plan->handles[handle].chunk && at >= c->from && at < c->from + c->size) {
            return c;
        }
    }
    return NULL;
}

int tenure_cl_is_lent(const tenure_cl *rt, uint32_t step, uint32_t value) {
    const tenure_cl_copy *c = copy_of(rt, step, value);
    return c != NULL && rt->plan->chunks[c->chunk].kind == TENURE_CL_STATE_POOL;
}

const tenure_cl_place *tenure_cl_place_in(const tenure_cl *rt, uint32_t step, uint32_t value) {
    const tenure_cl_copy *c = rt->window != NULL ? copy_of(rt, step, value) : NULL;
    if (c == NULL) {
        return tenure_cl_where(rt, value);
    }
    const tenure_cl_value *v = &rt->plan->values[value];
    uint64_t at = rt->plan->handles[v->handle].origin + v->offset - c->from;
    tenure_cl_place place = {rt->chunks[rt->plan->window], (size_t)(c->to + at), NULL};
    rt->window[value] = place;
    return &rt->window[value];
}

cl_int tenure_cl_settle(const tenure_cl *rt, cl_command_queue queue, uint32_t step) {
    cl_event arrival = rt->ahead != NULL ? tenure_cl_arrival(rt, step) : NULL;
    cl_int err = clFinish(queue);
    if (err == CL_SUCCESS && arrival != NULL) {
        return clWaitForEvents(1, &arrival);
    }
    return err == CL_SUCCESS && rt->ahead != NULL && step == TENURE_CL_NONE ? clFinish(rt->ahead)
                                                                            : err;
}

/* ---- time ---- */

typedef struct span {
    cl_ulong from, to;
} span;

static span span_of(cl_event event) {
    span s = {0, 0};
    if (event == NULL ||
        clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof s.from, &s.from, NULL) !=
            CL_SUCCESS ||
        clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof s.to, &s.to, NULL) !=
            CL_SUCCESS) {
        s.from = s.to = 0;
    }
    return s;
}

/* How much of the span kernels of steps share, which go one after the other. */
static cl_ulong beside_kernels(const tenure_cl *rt, span s) {
    cl_ulong shared = 0;
    for (uint32_t i = 0; i < rt->plan->n_steps; i++) {
        span k = span_of(rt->events[i]);
        cl_ulong from = k.from > s.from ? k.from : s.from, to = k.to < s.to ? k.to : s.to;
        shared += to > from ? to - from : 0;
    }
    return shared < s.to - s.from ? shared : s.to - s.from;
}

void tenure_cl_traffic(const tenure_cl *rt, uint64_t *bytes, double *ms, double *beside) {
    *bytes = 0;
    *ms = *beside = 0;
    for (uint32_t i = 0; i < rt->plan->n_copies && rt->copied != NULL; i++) {
        span s = span_of(rt->copied[i]);
        *bytes += rt->plan->copies[i].size;
        *ms += (double)(s.to - s.from) / 1e6;
        *beside += (double)beside_kernels(rt, s) / 1e6;
    }
}
