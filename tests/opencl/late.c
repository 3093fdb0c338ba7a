/* Makes the worst of an out-of-order queue: no command runs before somebody waits for it, and then
 * always the latest one that may; in every second run copies ahead before kernels. A wait that is
 * missing, in a plan or in a kernel, so gives wrong numbers every time, which a real device does
 * once in a while.
 *
 * Linked in front of the OpenCL functions and of tenure_cl_waits (-Wl,--wrap=...). The environment
 * variable LATE_DROP leaves waits out on purpose: "all", or "reuse", those that only reuse of bytes
 * asks for (in models whose steps all run), "ahead", those of what is copied ahead,
 * or "back", those of what goes back.
 * With LATE_LOST the device breaks: at that command, from 0 on, or, with "end", while the host
 * waits. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <net.h>

typedef struct command {
    cl_event gate, done;
    cl_event *waits;
    cl_uint n_waits;
    int over, copies;
} command;

static command *commands;
static size_t n_commands;
static unsigned long n_enqueued, n_runs;
static cl_event last_copy;   /* NULL: of what was run */
static unsigned out_of_turn; /* commands that ran while an earlier one had not */

static void must(cl_int err, const char *what) {
    if (err != CL_SUCCESS) {
        fprintf(stderr, "late.c, %s: OpenCL error %d\n", what, err);
        exit(2);
    }
}

cl_int __real_clEnqueueNDRangeKernel(cl_command_queue, cl_kernel, cl_uint, const size_t *,
                                     const size_t *, const size_t *, cl_uint, const cl_event *,
                                     cl_event *);
cl_int __wrap_clEnqueueNDRangeKernel(cl_command_queue, cl_kernel, cl_uint, const size_t *,
                                     const size_t *, const size_t *, cl_uint, const cl_event *,
                                     cl_event *);
cl_int __real_clEnqueueWriteBuffer(cl_command_queue, cl_mem, cl_bool, size_t, size_t, const void *,
                                   cl_uint, const cl_event *, cl_event *);
cl_int __wrap_clEnqueueWriteBuffer(cl_command_queue, cl_mem, cl_bool, size_t, size_t, const void *,
                                   cl_uint, const cl_event *, cl_event *);
cl_int __real_clEnqueueReadBuffer(cl_command_queue, cl_mem, cl_bool, size_t, size_t, void *,
                                  cl_uint, const cl_event *, cl_event *);
cl_int __wrap_clEnqueueReadBuffer(cl_command_queue, cl_mem, cl_bool, size_t, size_t, void *,
                                  cl_uint, const cl_event *, cl_event *);
cl_int __real_clFinish(cl_command_queue);
cl_int __wrap_clFinish(cl_command_queue);
cl_uint __real_tenure_cl_waits(const tenure_cl *, uint32_t, cl_event *);
cl_uint __wrap_tenure_cl_waits(const tenure_cl *, uint32_t, cl_event *);

void late_scribble(tenure_cl *, const tenure_cl_program *, cl_command_queue);

/* A run reads nothing of the inputs' other places, which are scribbled over here. */
void late_scribble(tenure_cl *rt, const tenure_cl_program *program, cl_command_queue queue) {
    const uint32_t *inputs = tenure_cl_ids(program->plan, program->plan->inputs);
    n_runs++;
    for (uint32_t i = 0; i < program->plan->inputs.len; i++) {
        tenure_cl_place other = tenure_cl_other(rt, inputs[i]);
        size_t size = (size_t)program->plan->values[inputs[i]].bytes;
        unsigned char *scribble = malloc(size + 1);
        memset(scribble, 0xDB, size);
        if (other.mem != NULL) {
            must(clEnqueueWriteBuffer(queue, other.mem, CL_TRUE, other.offset, size, scribble, 0,
                                      NULL, NULL),
                 "scribbling");
        } else if (other.bytes != NULL) {
            memcpy(other.bytes, scribble, size);
        }
        free(scribble);
    }
}

static int is_in_order(cl_command_queue queue) {
    cl_command_queue_properties p = 0;
    must(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof p, &p, NULL), "queue");
    return (p & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0;
}

static cl_event new_gate(cl_command_queue queue) {
    cl_context context;
    cl_int err;
    must(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL), "queue");
    cl_event gate = clCreateUserEvent(context, &err);
    must(err, "clCreateUserEvent");
    return gate;
}

/* A command that waits for `waits`, for `before`, and for a gate. */
static command *hold(cl_command_queue queue, cl_uint n, const cl_event *waits, cl_event before) {
    commands = realloc(commands, (n_commands + 1) * sizeof *commands);
    command *c = commands != NULL ? &commands[n_commands++] : NULL;
    cl_event *all = calloc(n + 2u, sizeof *waits);
    if (c == NULL || all == NULL) {
        exit(3);
    }
    if (n > 0) {
        memcpy(all, waits, n * sizeof *waits);
    }
    if (before != NULL) {
        all[n++] = before;
    }
    for (cl_uint i = 0; i < n; i++) {
        must(clRetainEvent(all[i]), "clRetainEvent");
    }
    *c = (command){new_gate(queue), NULL, all, n, 0, 0};
    all[n] = c->gate;
    return c;
}

static void give(const command *c, cl_event *event) {
    if (event != NULL) {
        must(clRetainEvent(c->done), "clRetainEvent");
        *event = c->done;
    }
}

cl_int __wrap_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dims,
                                     const size_t *from, const size_t *global, const size_t *local,
                                     cl_uint n, const cl_event *waits, cl_event *event) {
    const char *lost = getenv("LATE_LOST");
    unsigned long number = n_enqueued++;
    if (lost != NULL && lost[0] != 'e' && strtoul(lost, NULL, 10) == number) {
        return CL_OUT_OF_RESOURCES;
    }
    if (is_in_order(queue)) {
        return __real_clEnqueueNDRangeKernel(queue, kernel, dims, from, global, local, n, waits,
                                             event);
    }
    command *c = hold(queue, n, waits, NULL);
    cl_int err = __real_clEnqueueNDRangeKernel(queue, kernel, dims, from, global, local,
                                               c->n_waits + 1, c->waits, &c->done);
    must(err, "clEnqueueNDRangeKernel");
    give(c, event);
    return err;
}

/* Copies that nobody waits for at once go by a queue in order. */
static command *hold_copy(cl_command_queue queue, const char *name, cl_uint n,
                          const cl_event *waits) {
    const char *drop = getenv("LATE_DROP");
    last_copy = n_commands > 0 ? last_copy : NULL;
    command *c = hold(queue, drop != NULL && strcmp(drop, name) == 0 ? 0 : n, waits, last_copy);
    c->copies = 1;
    return c;
}

cl_int __wrap_clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                   size_t at, size_t size, const void *from, cl_uint n,
                                   const cl_event *waits, cl_event *event) {
    if (blocking) {
        return __real_clEnqueueWriteBuffer(queue, buffer, blocking, at, size, from, n, waits,
                                           event);
    }
    command *c = hold_copy(queue, "ahead", n, waits);
    must(__real_clEnqueueWriteBuffer(queue, buffer, blocking, at, size, from, c->n_waits + 1,
                                     c->waits, &c->done),
         "clEnqueueWriteBuffer");
    last_copy = c->done;
    give(c, event);
    return CL_SUCCESS;
}

cl_int __wrap_clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                  size_t at, size_t size, void *to, cl_uint n,
                                  const cl_event *waits, cl_event *event) {
    if (blocking) {
        return __real_clEnqueueReadBuffer(queue, buffer, blocking, at, size, to, n, waits, event);
    }
    command *c = hold_copy(queue, "back", n, waits);
    must(__real_clEnqueueReadBuffer(queue, buffer, blocking, at, size, to, c->n_waits + 1, c->waits,
                                    &c->done),
         "clEnqueueReadBuffer");
    last_copy = c->done;
    give(c, event);
    return CL_SUCCESS;
}

static int may_run(const command *c) {
    for (cl_uint i = 0; i < c->n_waits; i++) {
        cl_int status;
        must(clGetEventInfo(c->waits[i], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                            NULL),
             "clGetEventInfo");
        if (status != CL_COMPLETE) {
            return 0;
        }
    }
    return 1;
}

/* Where none may run now, one waits for what was not held back: then it may. */
static int wait_for_others(void) {
    for (size_t i = 0; i < n_commands; i++) {
        if (!commands[i].over) {
            must(clWaitForEvents(commands[i].n_waits, commands[i].waits), "clWaitForEvents");
            return 1;
        }
    }
    return 0;
}

static command *latest(void) {
    command *found = NULL;
    for (size_t i = 0; i < n_commands; i++) {
        if (!commands[i].over && may_run(&commands[i])) {
            out_of_turn += found != NULL;
            int stays = n_runs % 2 == 0 && found != NULL && found->copies && !commands[i].copies;
            found = stays ? found : &commands[i];
        }
    }
    return found;
}

cl_int __wrap_clFinish(cl_command_queue queue) {
    do {
        for (command *c; (c = latest()) != NULL; c->over = 1) {
            must(clSetUserEventStatus(c->gate, CL_COMPLETE), "clSetUserEventStatus");
            must(clWaitForEvents(1, &c->done), "clWaitForEvents");
        }
    } while (wait_for_others());
    for (size_t i = 0; i < n_commands; i++) {
        for (cl_uint k = 0; k < commands[i].n_waits; k++) {
            clReleaseEvent(commands[i].waits[k]);
        }
        clReleaseEvent(commands[i].gate);
        clReleaseEvent(commands[i].done);
        free(commands[i].waits);
    }
    n_commands = 0;
    if (getenv("LATE_TELL") != NULL) {
        fprintf(stderr, "%u commands out of turn\n", out_of_turn);
    }
    const char *lost = getenv("LATE_LOST");
    cl_int err = __real_clFinish(queue);
    return lost != NULL && lost[0] == 'e' && n_enqueued > 0 ? CL_DEVICE_NOT_AVAILABLE : err;
}

static int is_for_reuse(uint32_t step, uint32_t on) {
    tenure_cl_list reuse = net_cl_plan.steps[step].reuse;
    for (uint32_t i = 0; i < reuse.len; i++) {
        if (tenure_cl_ids(&net_cl_plan, reuse)[i] == on) {
            return 1;
        }
    }
    return 0;
}

cl_uint __wrap_tenure_cl_waits(const tenure_cl *rt, uint32_t step, cl_event *events) {
    const char *drop = getenv("LATE_DROP");
    cl_uint n = __real_tenure_cl_waits(rt, step, events), kept = 0;
    tenure_cl_list waits = net_cl_plan.steps[step].waits;
    for (cl_uint i = 0; i < n; i++) {
        int all = drop != NULL && strcmp(drop, "all") == 0;
        if (drop == NULL || (!all && !is_for_reuse(step, tenure_cl_ids(&net_cl_plan, waits)[i]))) {
            events[kept++] = events[i];
        }
    }
    return kept;
}
