/* Constants that stay in the host's memory, and are copied to a window on the device, by a queue of
 * their own, while the steps of the batch before run: batches lie at its two ends in turn. */
#include <stdlib.h>

#include <tenure_cl_inside.h>

cl_int tenure_cl_make_ahead(tenure_cl *rt) {
    const tenure_cl_plan *plan = rt->plan;
    cl_int err = CL_SUCCESS;
    if (plan->n_batches == 0) {
        return err;
    }
    tenure_cl_list last = plan->batches[plan->n_batches - 1].copies;
    rt->arrived = calloc(last.at + last.len, sizeof *rt->arrived);
    rt->window = calloc(plan->n_values, sizeof *rt->window);
    rt->ahead = clCreateCommandQueue(rt->context, rt->device, CL_QUEUE_PROFILING_ENABLE, &err);
    return rt->arrived != NULL && rt->window != NULL ? err : CL_OUT_OF_HOST_MEMORY;
}

static void forget(cl_event *event) {
    if (*event != NULL) {
        clReleaseEvent(*event);
    }
    *event = NULL;
}

void tenure_cl_drop_ahead(tenure_cl *rt) {
    if (rt->ahead != NULL) {
        (void)clFinish(rt->ahead); /* it reads memory of the host */
        clReleaseCommandQueue(rt->ahead);
    }
    for (uint32_t i = 0; rt->arrived != NULL && i < rt->plan->n_batches; i++) {
        tenure_cl_list copies = rt->plan->batches[i].copies;
        for (uint32_t k = copies.at; k < copies.at + copies.len; k++) {
            forget(&rt->arrived[k]);
        }
    }
    forget(&rt->freed[0]);
    forget(&rt->freed[1]);
    free(rt->arrived);
    free(rt->window);
    rt->ahead = NULL;
    rt->arrived = NULL;
    rt->window = NULL;
}

/* Once those at the same end that were read before it are done with. */
static cl_int copy_batch(tenure_cl *rt, uint32_t batch, cl_uint n, const cl_event *waits) {
    const tenure_cl_plan *plan = rt->plan;
    tenure_cl_list copies = plan->batches[batch].copies;
    cl_int err = CL_SUCCESS;
    for (uint32_t i = copies.at; i < copies.at + copies.len && err == CL_SUCCESS; i++) {
        const tenure_cl_copy *c = &plan->copies[i];
        forget(&rt->arrived[i]);
        err = clEnqueueWriteBuffer(rt->ahead, rt->chunks[plan->window], CL_FALSE, (size_t)c->to,
                                   (size_t)c->size, rt->host[c->chunk] + c->from, n,
                                   n > 0 ? waits : NULL, &rt->arrived[i]);
        n = 0; /* the queue is in order */
    }
    return err == CL_SUCCESS ? clFlush(rt->ahead) : err;
}

/* Behind what the events of the steps of another batch say. */
static cl_int copy_behind(tenure_cl *rt, uint32_t batch, uint32_t other) {
    const tenure_cl_batch *b = &rt->plan->batches[other];
    cl_event *waits = malloc((b->end - b->first) * sizeof(cl_event));
    cl_uint n = 0;
    for (uint32_t i = b->first; waits != NULL && i < b->end; i++) {
        if (rt->events[i] != NULL) {
            waits[n++] = rt->events[i];
        }
    }
    cl_int err = waits != NULL ? copy_batch(rt, batch, n, waits) : CL_OUT_OF_HOST_MEMORY;
    free(waits);
    return err;
}

static cl_int copy_next(tenure_cl *rt, uint32_t batch, int in_order) {
    const cl_event *freed = &rt->freed[batch % 2];
    return in_order    ? copy_batch(rt, batch, *freed != NULL, freed)
           : batch < 2 ? copy_batch(rt, batch, 0, NULL) /* the run before has finished */
                       : copy_behind(rt, batch, batch - 2);
}

cl_int tenure_cl_enter(tenure_cl *rt, uint32_t batch, cl_command_queue queue) {
    uint32_t n = rt->plan->n_batches;
    cl_int err = batch == 0 && n > 0 ? copy_next(rt, 0, queue != NULL) : CL_SUCCESS;
    if (err == CL_SUCCESS && batch > 0 && queue != NULL) {
        forget(&rt->freed[(batch - 1) % 2]);
        err = clEnqueueMarkerWithWaitList(queue, 0, NULL, &rt->freed[(batch - 1) % 2]);
    }
    if (err == CL_SUCCESS && batch + 1 < n) {
        err = copy_next(rt, batch + 1, queue != NULL);
    }
    if (err == CL_SUCCESS && batch < n && queue != NULL) {
        tenure_cl_list copies = rt->plan->batches[batch].copies;
        err =
            clEnqueueBarrierWithWaitList(queue, 1, &rt->arrived[copies.at + copies.len - 1], NULL);
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
    return b != NULL ? rt->arrived[b->copies.at + b->copies.len - 1] : NULL;
}

const tenure_cl_place *tenure_cl_read_at(const tenure_cl *rt, uint32_t step, uint32_t value) {
    const tenure_cl_plan *plan = rt->plan;
    const tenure_cl_batch *b = rt->window != NULL ? batch_of(rt, step) : NULL;
    uint32_t handle = value < plan->n_values ? plan->values[value].handle : TENURE_CL_NONE;
    if (b == NULL || handle == TENURE_CL_NONE || !plan->chunks[plan->handles[handle].chunk].ahead) {
        return tenure_cl_where(rt, value);
    }
    uint64_t at = plan->handles[handle].origin + plan->values[value].offset;
    for (uint32_t i = b->copies.at; i < b->copies.at + b->copies.len; i++) {
        const tenure_cl_copy *c = &plan->copies[i];
        if (c->chunk == plan->handles[handle].chunk && at >= c->from && at < c->from + c->size) {
            tenure_cl_place place = {rt->chunks[plan->window], (size_t)(c->to + at - c->from),
                                     NULL};
            rt->window[value] = place;
            return &rt->window[value];
        }
    }
    return tenure_cl_where(rt, value);
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
    for (uint32_t i = 0; i < rt->plan->n_batches && rt->arrived != NULL; i++) {
        tenure_cl_list copies = rt->plan->batches[i].copies;
        for (uint32_t k = copies.at; k < copies.at + copies.len; k++) {
            span s = span_of(rt->arrived[k]);
            *bytes += rt->plan->copies[k].size;
            *ms += (double)(s.to - s.from) / 1e6;
            *beside += (double)beside_kernels(rt, s) / 1e6;
        }
    }
}
