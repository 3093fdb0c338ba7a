/* Runs an emitted program: steps in order, bodies under the host's control (docs/PLAN.md, "Running
 * a plan"). */
#include <stdlib.h>
#include <string.h>

#include <tenure_cl_inside.h>

typedef struct runner {
    tenure_cl *rt;
    const tenure_cl_plan *plan;
    const tenure_cl_program *program;
    tenure_cl_call call;
    const cl_command_queue *queues;
    cl_uint n_queues;
    cl_event *waits; /* room for those of any step */
    uint32_t step;   /* at hand */
    uint32_t batch;  /* of what is copied ahead: the next one */
} runner;

cl_int tenure_cl_launch(tenure_cl_call *call, cl_kernel kernel, cl_uint dims, const size_t *global,
                        const size_t *local) {
    cl_event event = NULL;
    cl_int err = clEnqueueNDRangeKernel(call->queue, kernel, dims, NULL, global, local,
                                        call->n_waits, call->n_waits > 0 ? call->waits : NULL,
                                        call->in_order ? NULL : &event);
    if (err != CL_SUCCESS || call->in_order) {
        return err;
    }
    if (call->event != NULL) {
        clReleaseEvent(call->event);
    }
    call->event = event;
    call->waits = &call->event;
    call->n_waits = 1;
    return err;
}

/* Commands that wait for one of another queue get it only once that is flushed. */
static cl_int finish(const runner *r) {
    cl_int err = CL_SUCCESS;
    for (cl_uint i = 0; i < r->n_queues && err == CL_SUCCESS; i++) {
        err = clFlush(r->queues[i]);
    }
    for (cl_uint i = 0; i < r->n_queues && err == CL_SUCCESS; i++) {
        err = clFinish(r->queues[i]);
    }
    return err;
}

/* The kernels of a step. One that enqueues nothing waits for nothing: its results are there. */
static cl_int enqueue(runner *r, uint32_t step) {
    cl_int err = CL_SUCCESS;
    for (uint32_t i = r->rt->first[step]; i < r->rt->first[step + 1] && err == CL_SUCCESS; i++) {
        const tenure_cl_command *c = &r->program->commands[i];
        size_t global[3], local[3];
        for (int d = 0; d < 3; d++) {
            global[d] = (size_t)c->global[d];
            local[d] = (size_t)c->local[d];
        }
        err = tenure_cl_launch(&r->call, r->rt->kernels[i], 3, global, local);
    }
    return err;
}

static cl_int run_op(runner *r, uint32_t step) {
    r->step = r->rt->step = step;
    if (r->plan->steps[step].idle) {
        tenure_cl_done(r->rt, step, NULL);
        return CL_SUCCESS;
    }
    r->call.queue = r->queues[r->plan->steps[step].queue % r->n_queues];
    r->call.waits = r->waits;
    r->call.n_waits = r->call.in_order ? 0 : tenure_cl_waits(r->rt, step, r->waits);
    r->call.event = NULL;
    if (!r->call.in_order && tenure_cl_arrival(r->rt, step) != NULL) {
        r->waits[r->call.n_waits++] = tenure_cl_arrival(r->rt, step);
    }
    cl_int err;
    if (r->program->calls[step] == NULL) {
        err = enqueue(r, step);
    } else if (r->program->on_host[step]) {
        err = finish(r);
        err = err == CL_SUCCESS ? tenure_cl_run_on_host(r->rt, r->program, step, &r->call) : err;
    } else {
        err = r->program->calls[step](r->rt, &r->call);
    }
    tenure_cl_done(r->rt, step, r->call.event);
    return err;
}

/* ---- bodies ---- */

static cl_int run_range(runner *r, uint32_t first, uint32_t end, const char *graph);

static const tenure_cl_body *body_of(const runner *r, uint32_t begin, uint32_t body) {
    return &r->plan->bodies[r->plan->steps[begin].bodies.at + body];
}

static cl_int run_body(runner *r, uint32_t begin, uint32_t body) {
    const tenure_cl_step *s = &r->plan->steps[begin];
    return run_range(r, begin + 1, s->partner, body_of(r, begin, body)->graph);
}

static cl_int moves(runner *r, uint32_t begin, uint32_t when, uint32_t body, int64_t round) {
    return tenure_cl_moves(r->rt, r->call.queue, begin, when, body, round);
}

/* A truth value; of a value without a place, which nothing computes, it is `otherwise`. */
static cl_int read_truth(runner *r, uint32_t begin, uint32_t value, int otherwise, int *out) {
    unsigned char byte = 0;
    if (r->plan->values[value].handle == TENURE_CL_NONE) {
        *out = otherwise;
        return CL_SUCCESS;
    }
    cl_int err = tenure_cl_transfer(r->rt, r->call.queue, begin, value, &byte, 0);
    *out = byte != 0;
    return err;
}

static cl_int run_choice(runner *r, uint32_t begin) {
    const tenure_cl_step *s = &r->plan->steps[begin];
    int first_is_then = strcmp(body_of(r, begin, 0)->attribute, "then_branch") == 0, truth = 0;
    cl_int err = read_truth(r, begin, tenure_cl_ids(r->plan, s->operands)[0], 0, &truth);
    uint32_t body = truth == first_is_then ? 0 : 1;
    err = err == CL_SUCCESS ? run_body(r, begin, body) : err;
    return err == CL_SUCCESS ? moves(r, begin, TENURE_CL_MOVE_END, body, 0) : err;
}

/* What is sliced says how often a Scan runs, operand 0 how often a Loop does at most. */
static cl_int read_limit(runner *r, uint32_t begin, int *is_scan, int64_t *limit) {
    const tenure_cl_step *s = &r->plan->steps[begin];
    for (uint32_t i = 0; i < s->moves.len; i++) {
        const tenure_cl_move *m = &r->plan->moves[s->moves.at + i];
        if (m->what == TENURE_CL_MOVE_SLICE) {
            *is_scan = 1;
            *limit = r->plan->dims[r->plan->values[m->from].dims.at + m->axis];
            return CL_SUCCESS;
        }
    }
    uint32_t trips = s->operands.len > 0 ? tenure_cl_ids(r->plan, s->operands)[0] : TENURE_CL_NONE;
    *is_scan = 0;
    *limit = INT64_MAX;
    return trips == TENURE_CL_NONE
               ? CL_SUCCESS
               : tenure_cl_transfer(r->rt, r->call.queue, begin, trips, limit, 0);
}

static cl_int run_round(runner *r, uint32_t begin, int64_t count, int is_scan, int *go) {
    const uint32_t *outputs = tenure_cl_ids(r->plan, body_of(r, begin, 0)->outputs);
    cl_int err = count > 0 ? moves(r, begin, TENURE_CL_MOVE_NEXT, 0, count) : CL_SUCCESS;
    err = err == CL_SUCCESS ? moves(r, begin, TENURE_CL_MOVE_ITERATION, 0, count) : err;
    err = err == CL_SUCCESS ? run_body(r, begin, 0) : err;
    if (err == CL_SUCCESS && !is_scan) {
        err = read_truth(r, begin, outputs[0], 0, go);
    }
    return err == CL_SUCCESS ? moves(r, begin, TENURE_CL_MOVE_AFTER, 0, count) : err;
}

/* A Loop says while it runs how often it does; what it stacks up has places for so many rounds. */
static cl_int check_rounds(runner *r, uint32_t begin, int64_t count, int ended) {
    tenure_cl_list list = r->plan->steps[begin].moves;
    for (uint32_t i = 0; i < list.len; i++) {
        const tenure_cl_move *m = &r->plan->moves[list.at + i];
        if (m->what == TENURE_CL_MOVE_STACK && r->plan->values[m->to].handle != TENURE_CL_NONE) {
            int64_t extent = r->plan->dims[r->plan->values[m->to].dims.at + m->axis];
            if (ended ? count != extent : count >= extent) {
                r->step = begin;
                return CL_INVALID_VALUE;
            }
        }
    }
    return CL_SUCCESS;
}

static cl_int run_loop(runner *r, uint32_t begin) {
    int64_t count = 0, limit;
    int is_scan, go = 1;
    cl_int err = read_limit(r, begin, &is_scan, &limit);
    err = err == CL_SUCCESS ? moves(r, begin, TENURE_CL_MOVE_BEGIN, 0, 0) : err;
    if (err == CL_SUCCESS && !is_scan) {
        err = read_truth(r, begin, tenure_cl_ids(r->plan, body_of(r, begin, 0)->inputs)[1], 0, &go);
    }
    for (; err == CL_SUCCESS && count < limit && go; count++) {
        err = check_rounds(r, begin, count, 0);
        err = err == CL_SUCCESS ? run_round(r, begin, count, is_scan, &go) : err;
    }
    err = err == CL_SUCCESS ? check_rounds(r, begin, count, 1) : err;
    uint32_t when = count > 0 ? TENURE_CL_MOVE_END : TENURE_CL_MOVE_NO_ITERATION;
    return err == CL_SUCCESS ? moves(r, begin, when, 0, count) : err;
}

static cl_int run_call(runner *r, uint32_t begin) {
    cl_int err = run_body(r, begin, 0);
    return err == CL_SUCCESS ? moves(r, begin, TENURE_CL_MOVE_END, 0, 0) : err;
}

static cl_int run_nested(runner *r, uint32_t begin) {
    const tenure_cl_step *s = &r->plan->steps[begin];
    int is_call = body_of(r, begin, 0)->attribute[0] == '\0';
    r->step = begin;
    r->call.queue = r->queues[s->queue % r->n_queues];
    cl_int err = finish(r);
    tenure_cl_done(r->rt, begin, NULL);
    if (err == CL_SUCCESS && s->bodies.len == 1 && !is_call) {
        err = run_loop(r, begin);
    } else if (err == CL_SUCCESS) {
        err = moves(r, begin, TENURE_CL_MOVE_BEGIN, 0, 0);
        err = err != CL_SUCCESS ? err : is_call ? run_call(r, begin) : run_choice(r, begin);
    }
    if (err == CL_SUCCESS) {
        tenure_cl_done(r->rt, s->partner, NULL);
    }
    return err;
}

/* What is copied for the next batch of steps, and goes back of the last. */
static cl_int enter(runner *r) {
    return tenure_cl_enter(r->rt, r->batch++, r->call.in_order ? r->queues[0] : NULL);
}

/* Steps of `graph`; what lies inside an op among them belongs to that. */
static cl_int run_range(runner *r, uint32_t first, uint32_t end, const char *graph) {
    cl_int err = CL_SUCCESS;
    for (uint32_t i = first; i < end && err == CL_SUCCESS; i++) {
        const tenure_cl_step *s = &r->plan->steps[i];
        if (strcmp(s->graph, graph) != 0) {
            continue;
        }
        if (r->batch < r->plan->n_batches && r->plan->batches[r->batch].first == i) {
            r->step = i;
            err = enter(r);
        }
        if (err != CL_SUCCESS) {
            break;
        }
        if (s->kind == TENURE_CL_BEGIN) {
            err = run_nested(r, i);
            i = s->partner;
        } else if (s->kind == TENURE_CL_OP) {
            err = run_op(r, i);
        }
    }
    return err;
}

/* Whether its commands need no events. */
static cl_int is_in_order(cl_command_queue queue, int *in_order) {
    cl_command_queue_properties properties = 0;
    cl_int err =
        clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL);
    *in_order =
        (properties & (CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE)) == 0;
    return err;
}

cl_int tenure_cl_run_queues(tenure_cl *rt, const tenure_cl_program *program,
                            const cl_command_queue *queues, cl_uint n, void *user,
                            uint32_t *failed) {
    runner r = {.rt = rt, .plan = rt->plan, .program = program, .queues = queues, .n_queues = n};
    *failed = 0;
    if (n == 0 || program->plan != rt->plan) {
        return CL_INVALID_VALUE;
    }
    if (rt->program != program && (program->n_commands > 0 || rt->plan->n_batches > 0)) {
        return CL_INVALID_PROGRAM;
    }
    cl_int err = is_in_order(queues[0], &r.call.in_order);
    r.call.in_order = r.call.in_order && n == 1; /* else events order steps of different queues */
    r.call.queue = queues[0];
    r.call.user = user;
    r.waits = malloc((rt->plan->n_steps + 2u) * sizeof *r.waits);
    err = r.waits == NULL ? CL_OUT_OF_HOST_MEMORY : err;
    err = err == CL_SUCCESS && !r.call.in_order ? finish(&r) : err; /* of an earlier run */
    tenure_cl_rewind(rt);
    err = err == CL_SUCCESS && rt->stale ? tenure_cl_set_arguments(rt, &r.step) : err;
    err = err == CL_SUCCESS ? run_range(&r, 0, rt->plan->n_steps, "") : err;
    err = err == CL_SUCCESS ? enter(&r) : err;
    free(r.waits);
    *failed = r.step;
    for (cl_uint i = 0; i < n && err == CL_SUCCESS; i++) {
        err = clFlush(queues[i]);
    }
    return err;
}

cl_int tenure_cl_run(tenure_cl *rt, const tenure_cl_program *program, cl_command_queue queue,
                     void *user, uint32_t *failed) {
    return tenure_cl_run_queues(rt, program, &queue, 1, user, failed);
}

/* The first step whose event has an error. */
static uint32_t find_failed(const tenure_cl *rt) {
    for (uint32_t i = 0; i < rt->plan->n_steps; i++) {
        cl_int status = CL_COMPLETE;
        if (rt->events[i] != NULL &&
            clGetEventInfo(rt->events[i], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                           NULL) == CL_SUCCESS &&
            status < 0) {
            return i;
        }
    }
    return TENURE_CL_NONE;
}

cl_int tenure_cl_finish(tenure_cl *rt, cl_command_queue queue, uint32_t *failed) {
    cl_int err = tenure_cl_settle(rt, queue, TENURE_CL_NONE), step = -1, none = -1;
    if (err != CL_SUCCESS) {
        *failed = find_failed(rt);
    }
    if (err != CL_SUCCESS || rt->failed == NULL) {
        return err;
    }
    err = clEnqueueReadBuffer(queue, rt->failed, CL_TRUE, 0, sizeof step, &step, 0, NULL, NULL);
    if (err != CL_SUCCESS || step < 0) {
        return err;
    }
    *failed = (uint32_t)step;
    err = clEnqueueWriteBuffer(queue, rt->failed, CL_TRUE, 0, sizeof none, &none, 0, NULL, NULL);
    return err == CL_SUCCESS ? TENURE_CL_NO_INDEX : err;
}

double tenure_cl_time(const tenure_cl *rt, uint32_t step) {
    cl_ulong from = 0, to = 0;
    cl_event event = step < rt->plan->n_steps ? rt->events[step] : NULL;
    int known = event != NULL &&
                clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof from, &from,
                                        NULL) == CL_SUCCESS &&
                clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof to, &to, NULL) ==
                    CL_SUCCESS;
    return known ? (double)(to - from) / 1e6 : 0;
}
