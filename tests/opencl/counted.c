/* Counts what OpenCL is asked for: bytes of buffers, which must be those of the plan and no more,
 * and handles made or released in a run, of which there must be none. Linked in front of OpenCL and
 * the runtime, beside late.c (-Wl,--wrap=...). */
#include <stdio.h>
#include <stdlib.h>

#include <net.h>

static unsigned long long bytes; /* of all buffers of the runtime */
static int running;              /* whether a run goes on */

void late_scribble(tenure_cl *, const tenure_cl_program *, cl_command_queue);

#define WRAPPED(type, name, parameters)                                                            \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters

WRAPPED(cl_mem, clCreateBuffer, (cl_context, cl_mem_flags, size_t, void *, cl_int *));
WRAPPED(cl_mem, clCreateSubBuffer,
        (cl_mem, cl_mem_flags, cl_buffer_create_type, const void *, cl_int *));
WRAPPED(cl_kernel, clCreateKernel, (cl_program, const char *, cl_int *));
WRAPPED(cl_int, clRetainMemObject, (cl_mem));
WRAPPED(cl_int, clReleaseMemObject, (cl_mem));
WRAPPED(cl_int, clReleaseKernel, (cl_kernel));
WRAPPED(cl_int, tenure_cl_run_queues,
        (tenure_cl *, const tenure_cl_program *, const cl_command_queue *, cl_uint, void *,
         uint32_t *));
WRAPPED(void, tenure_cl_close, (tenure_cl *));

static void stop(const char *what) {
    fprintf(stderr, "counted.c: %s\n", what);
    exit(4);
}

static void at_rest(const char *what) {
    if (running) {
        stop(what);
    }
}

cl_mem __wrap_clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host,
                             cl_int *err) {
    at_rest("a buffer is made in a run");
    bytes += size;
    return __real_clCreateBuffer(context, flags, size, host, err);
}

cl_mem __wrap_clCreateSubBuffer(cl_mem whole, cl_mem_flags flags, cl_buffer_create_type type,
                                const void *region, cl_int *err) {
    at_rest("a sub-buffer is made in a run");
    return __real_clCreateSubBuffer(whole, flags, type, region, err);
}

cl_kernel __wrap_clCreateKernel(cl_program program, const char *name, cl_int *err) {
    at_rest("a kernel is made in a run");
    return __real_clCreateKernel(program, name, err);
}

cl_int __wrap_clRetainMemObject(cl_mem mem) {
    at_rest("a buffer is retained in a run");
    return __real_clRetainMemObject(mem);
}

cl_int __wrap_clReleaseMemObject(cl_mem mem) {
    at_rest("a buffer is released in a run");
    return __real_clReleaseMemObject(mem);
}

cl_int __wrap_clReleaseKernel(cl_kernel kernel) {
    at_rest("a kernel is released in a run");
    return __real_clReleaseKernel(kernel);
}

cl_int __wrap_tenure_cl_run_queues(tenure_cl *rt, const tenure_cl_program *program,
                                   const cl_command_queue *queues, cl_uint n, void *user,
                                   uint32_t *failed) {
    late_scribble(rt, program, queues[0]);
    running = 1;
    cl_int err = __real_tenure_cl_run_queues(rt, program, queues, n, user, failed);
    running = 0;
    return err;
}

/* What the host keeps, and what only aligns inputs and outputs in their pool, needs no buffer. */
void __wrap_tenure_cl_close(tenure_cl *rt) {
    const tenure_cl_plan *plan = &net_cl_plan;
    unsigned long long chunks = 0, most = plan->ram + plan->flash;
    most += plan->window != TENURE_CL_NONE ? plan->chunks[plan->window].size : 0;
    unsigned index = 0;
    for (uint32_t i = 0; i < plan->n_chunks; i++) {
        chunks += plan->chunks[i].host ? 0 : plan->chunks[i].size;
    }
    for (uint32_t i = 0; i < net_program.n_commands; i++) {
        index |= net_program.commands[i].index ? (unsigned)sizeof(cl_int) : 0;
    }
    if (bytes != chunks + index || chunks > most) {
        fprintf(stderr, "counted.c: %llu bytes of buffers, %llu of chunks, %llu of the plan\n",
                bytes, chunks, most);
        exit(4);
    }
    __real_tenure_cl_close(rt);
}
