/* Replays an emitted OpenCL plan: each step's kernel first checks that every input still bears its
 * producer's mark, then stamps its outputs with the step's own. Runs on an in-order queue, twice,
 * on an out-of-order queue with the planned events, and on two queues, in order and out of order,
 * where a step of queue q runs on queue q % 2.
 *
 * What runs bodies is the host; of that the replay knows calls, which it runs like kernels. Plans
 * with branches or loops are not for it.
 *
 * Built with the emitted source: -DTENURE_CL_PLAN_NAME=plan, and linked with libtenure_cl.
 * Usage: replay [spoil]. Exit code 0: all marks were right. With `spoil` all values of the arena
 * are put on one handle first, and exit code 0 means that the marks showed it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tenure_cl.h>

extern const tenure_cl_plan *const TENURE_CL_PLAN_NAME;
static const tenure_cl_plan *plan;
static int spoil; /* stamp wrong marks */

static const char source[] =
    "uchar mark(uint step, uint at) { return (uchar)((step * 2654435761u + at * 40503u) >> 11); }\n"
    "__kernel void stamp(__global uchar *p, ulong off, ulong n, uint step) {\n"
    "  for (ulong i = get_global_id(0); i < n; i += get_global_size(0)) {\n"
    "    p[off + i] = mark(step, (uint)i);\n"
    "  }\n"
    "}\n"
    "__kernel void check(__global const uchar *p, ulong off, ulong n, uint step, uint from,\n"
    "                    __global uint *wrong, uint slot) {\n"
    "  for (ulong i = get_global_id(0); i < n; i += get_global_size(0)) {\n"
    "    if (p[off + i] != mark(step, from + (uint)i)) atomic_inc(&wrong[slot]);\n"
    "  }\n"
    "}\n";

typedef struct rig {
    cl_context context;
    cl_command_queue queue;     /* of the step at hand */
    cl_command_queue queues[2]; /* both the same where there is one */
    cl_program program;
    cl_kernel stamp, check;
    cl_mem wrong; /* one counter a step, and one for the final check */
    tenure_cl *rt;
    int events; /* use the planned waits */
    unsigned long long bytes;
} rig;

static void must(cl_int err, const char *what) {
    if (err != CL_SUCCESS) {
        fprintf(stderr, "%s: OpenCL error %d\n", what, err);
        exit(2);
    }
}

static void finish(const rig *r) {
    must(clFlush(r->queues[1]), "clFlush"); /* what waits in one queue for the other */
    must(clFinish(r->queues[0]), "clFinish");
    must(clFinish(r->queues[1]), "clFinish");
}

/* Marks are numbered by value, so that two results of one step differ. */
static cl_uint mark_of(uint32_t value) {
    return value + 1;
}

static void enqueue(rig *r, cl_kernel kernel, cl_uint n_waits, const cl_event *waits,
                    cl_event *event) {
    size_t size = 256;
    must(clEnqueueNDRangeKernel(r->queue, kernel, 1, NULL, &size, NULL, n_waits,
                                n_waits > 0 ? waits : NULL, event),
         "clEnqueueNDRangeKernel");
}

/* Events of one step, each waited for by the next kernel of the step. */
typedef struct chain {
    cl_event *waits;
    cl_uint n;
} chain;

static void follow(rig *r, chain *c, cl_kernel kernel) {
    cl_event event = NULL;
    enqueue(r, kernel, c->n, c->waits, &event);
    for (cl_uint i = 0; i < c->n; i++) {
        clReleaseEvent(c->waits[i]);
    }
    c->waits[0] = event;
    c->n = 1;
}

static void stamp(rig *r, chain *c, uint32_t v) {
    const tenure_cl_value *d = &plan->values[v];
    cl_mem mem = tenure_cl_where(r->rt, v)->mem;
    cl_ulong off = d->offset, n = d->bytes;
    cl_uint mark = mark_of(v) + (cl_uint)spoil;
    if (mem == NULL) {
        return;
    }
    must(clSetKernelArg(r->stamp, 0, sizeof mem, &mem), "clSetKernelArg");
    must(clSetKernelArg(r->stamp, 1, sizeof off, &off), "clSetKernelArg");
    must(clSetKernelArg(r->stamp, 2, sizeof n, &n), "clSetKernelArg");
    must(clSetKernelArg(r->stamp, 3, sizeof mark, &mark), "clSetKernelArg");
    follow(r, c, r->stamp);
    r->bytes += n;
}

/* Checks bytes [at, at + n) of value v against the mark of value `marked`, whose first byte lies
 * `from` bytes before. */
static void check_part(rig *r, chain *c, uint32_t v, uint32_t marked, cl_ulong at, cl_ulong n,
                       cl_uint from, cl_uint slot) {
    cl_mem mem = tenure_cl_where(r->rt, v)->mem;
    cl_ulong off = plan->values[v].offset + at;
    cl_uint mark = mark_of(marked);
    if (mem == NULL || n == 0) {
        return;
    }
    must(clSetKernelArg(r->check, 0, sizeof mem, &mem), "clSetKernelArg");
    must(clSetKernelArg(r->check, 1, sizeof off, &off), "clSetKernelArg");
    must(clSetKernelArg(r->check, 2, sizeof n, &n), "clSetKernelArg");
    must(clSetKernelArg(r->check, 3, sizeof mark, &mark), "clSetKernelArg");
    must(clSetKernelArg(r->check, 4, sizeof from, &from), "clSetKernelArg");
    must(clSetKernelArg(r->check, 5, sizeof r->wrong, &r->wrong), "clSetKernelArg");
    must(clSetKernelArg(r->check, 6, sizeof slot, &slot), "clSetKernelArg");
    follow(r, c, r->check);
    r->bytes += n;
}

/* The value that v is a view of. */
static uint32_t view_of(uint32_t v) {
    const tenure_cl_value *d = &plan->values[v];
    return d->alias == TENURE_CL_ALIAS_VIEW ? d->alias_of : TENURE_CL_NONE;
}

/* Whether some kernel stamps v: it has bytes, its step runs, or nobody makes it (an input). An
 * argument of a function that is its operand has been. */
static int is_stamped(uint32_t v) {
    uint32_t step = plan->values[v].step;
    int passed =
        step != TENURE_CL_NONE && plan->steps[step].barrier && view_of(v) != TENURE_CL_NONE;
    return step == TENURE_CL_NONE || (!plan->steps[step].idle && !passed);
}

/* A value bears its own mark, or that of the value it is a view of, or those of the values built
 * inside of it. */
static void check(rig *r, chain *c, uint32_t v, cl_uint slot) {
    const tenure_cl_value *d = &plan->values[v];
    if (is_stamped(v)) {
        check_part(r, c, v, v, 0, d->bytes, 0, slot);
        return;
    }
    uint32_t root = v;
    while (view_of(root) != TENURE_CL_NONE && !is_stamped(root)) {
        root = view_of(root);
    }
    if (root != v && is_stamped(root)) {
        check_part(r, c, v, root, 0, d->bytes,
                   (cl_uint)(d->in_storage - plan->values[root].in_storage), slot);
        return;
    }
    for (uint32_t u = 0; u < plan->n_values; u++) {
        if (view_of(u) == root && is_stamped(u) && u != v) {
            uint64_t lo = plan->values[u].in_storage, hi = lo + plan->values[u].bytes;
            uint64_t first = lo > d->in_storage ? lo : d->in_storage;
            uint64_t end = d->in_storage + d->bytes < hi ? d->in_storage + d->bytes : hi;
            if (first < end) {
                check_part(r, c, v, u, first - d->in_storage, end - first, (cl_uint)(first - lo),
                           slot);
            }
        }
    }
}

static int is_shape_only(const tenure_cl_step *step, uint32_t operand) {
    for (uint32_t i = 0; i < step->shape_only.len; i++) {
        if (tenure_cl_ids(plan, step->shape_only)[i] == operand) {
            return 1;
        }
    }
    return 0;
}

static void run_step(rig *r, uint32_t s) {
    const tenure_cl_step *step = &plan->steps[s];
    r->queue = r->queues[step->queue % 2];
    chain c = {calloc(step->waits.len + 1u, sizeof(cl_event)), 0};
    if (r->events) {
        c.n = tenure_cl_waits(r->rt, s, c.waits);
    }
    for (cl_uint i = 0; i < c.n; i++) {
        clRetainEvent(c.waits[i]);
    }
    tenure_cl_list given = step->kind == TENURE_CL_OP ? step->operands : step->reads;
    tenure_cl_list made = step->kind == TENURE_CL_OP ? step->results : step->writes;
    for (uint32_t i = 0; i < given.len; i++) {
        uint32_t v = tenure_cl_ids(plan, given)[i];
        if (v != TENURE_CL_NONE && !(step->kind == TENURE_CL_OP && is_shape_only(step, i))) {
            check(r, &c, v, s);
        }
    }
    for (uint32_t i = 0; i < made.len; i++) {
        uint32_t v = tenure_cl_ids(plan, made)[i];
        if (v != TENURE_CL_NONE && is_stamped(v)) {
            stamp(r, &c, v);
        }
    }
    cl_event last = NULL;
    if (c.n == 1) {
        last = c.waits[0];
    } else {
        for (cl_uint i = 0; i < c.n; i++) {
            clReleaseEvent(c.waits[i]);
        }
    }
    free(c.waits);
    tenure_cl_done(r->rt, s, last);
}

static unsigned run(rig *r, const char *label) {
    cl_uint *counts = calloc(plan->n_steps + 1u, sizeof *counts);
    unsigned wrong = 0;
    r->bytes = 0;
    tenure_cl_rewind(r->rt);
    must(clEnqueueWriteBuffer(r->queue, r->wrong, CL_TRUE, 0, (plan->n_steps + 1u) * sizeof *counts,
                              counts, 0, NULL, NULL),
         "clEnqueueWriteBuffer");
    for (uint32_t v = 0; v < plan->n_values; v++) {
        chain c = {calloc(1, sizeof(cl_event)), 0};
        if (plan->values[v].step == TENURE_CL_NONE && plan->values[v].handle != TENURE_CL_NONE &&
            view_of(v) == TENURE_CL_NONE) {
            stamp(r, &c, v);
        }
        for (cl_uint i = 0; i < c.n; i++) {
            clReleaseEvent(c.waits[i]);
        }
        free(c.waits);
    }
    finish(r);
    for (uint32_t s = 0; s < plan->n_steps; s++) {
        if (plan->steps[s].barrier) {
            finish(r);
        }
        if (!plan->steps[s].idle) {
            run_step(r, s);
        } else {
            tenure_cl_done(r->rt, s, NULL);
        }
    }
    finish(r);
    for (uint32_t i = 0; i < plan->outputs.len; i++) {
        chain c = {calloc(1, sizeof(cl_event)), 0};
        check(r, &c, tenure_cl_ids(plan, plan->outputs)[i], plan->n_steps);
        for (cl_uint k = 0; k < c.n; k++) {
            clReleaseEvent(c.waits[k]);
        }
        free(c.waits);
    }
    finish(r);
    must(clEnqueueReadBuffer(r->queue, r->wrong, CL_TRUE, 0, (plan->n_steps + 1u) * sizeof *counts,
                             counts, 0, NULL, NULL),
         "clEnqueueReadBuffer");
    for (uint32_t s = 0; s <= plan->n_steps; s++) {
        if (counts[s] != 0 && wrong < 5) {
            fprintf(stderr, "%s: %u wrong bytes read by %s\n", label, counts[s],
                    s < plan->n_steps ? plan->steps[s].op : "the caller (outputs)");
        }
        wrong += counts[s] != 0;
    }
    printf("%s: %u steps, %llu bytes stamped and checked, %u steps read wrong bytes\n", label,
           plan->n_steps, r->bytes, wrong);
    free(counts);
    return wrong;
}

/* A plan made for half the device's alignment must be refused, with both numbers. */
static unsigned refuses_small_alignment(rig *r) {
    tenure_cl_plan small = *plan;
    tenure_cl *rt = NULL;
    char why[256] = "";
    if (plan->mode != TENURE_CL_SUBBUFFERS) {
        return 0;
    }
    small.align = 4;
    cl_int err = tenure_cl_open(&small, r->context, &rt, why, sizeof why);
    int ok = err == CL_MISALIGNED_SUB_BUFFER_OFFSET && rt == NULL && strstr(why, "4 bytes") != NULL;
    printf("alignment of 4 bytes: %s\n", why);
    tenure_cl_close(rt);
    return !ok;
}

static cl_command_queue make_queue(const rig *r, cl_device_id device, int out_of_order) {
    cl_int err;
    cl_command_queue queue = clCreateCommandQueue(
        r->context, device, out_of_order ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, &err);
    must(err, "clCreateCommandQueue");
    return queue;
}

static void open_rig(rig *r, cl_device_id device, int out_of_order, int n_queues) {
    cl_int err;
    char why[256] = "";
    memset(r, 0, sizeof *r);
    r->context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    must(err, "clCreateContext");
    for (int i = 0; i < 2; i++) {
        r->queues[i] = i < n_queues ? make_queue(r, device, out_of_order) : r->queues[0];
    }
    must(n_queues > 1 ? CL_SUCCESS : clRetainCommandQueue(r->queues[0]), "clRetainCommandQueue");
    r->queue = r->queues[0];
    r->events = out_of_order || n_queues > 1;
    const char *text = source;
    r->program = clCreateProgramWithSource(r->context, 1, &text, NULL, &err);
    must(err, "clCreateProgramWithSource");
    must(clBuildProgram(r->program, 1, &device, "", NULL, NULL), "clBuildProgram");
    r->stamp = clCreateKernel(r->program, "stamp", &err);
    must(err, "clCreateKernel");
    r->check = clCreateKernel(r->program, "check", &err);
    must(err, "clCreateKernel");
    r->wrong = clCreateBuffer(r->context, CL_MEM_READ_WRITE, (plan->n_steps + 1u) * sizeof(cl_uint),
                              NULL, &err);
    must(err, "clCreateBuffer");
    err = tenure_cl_open(plan, r->context, &r->rt, why, sizeof why);
    if (err != CL_SUCCESS) {
        fprintf(stderr, "tenure_cl_open: %s\n", why);
        exit(2);
    }
}

static void close_rig(rig *r) {
    tenure_cl_close(r->rt);
    clReleaseMemObject(r->wrong);
    clReleaseKernel(r->stamp);
    clReleaseKernel(r->check);
    clReleaseProgram(r->program);
    clReleaseCommandQueue(r->queues[0]);
    clReleaseCommandQueue(r->queues[1]);
    clReleaseContext(r->context);
}

int main(int argc, char **argv) {
    cl_platform_id platform;
    cl_device_id device;
    rig r;
    unsigned wrong = 0;
    spoil = argc > 1 && strcmp(argv[1], "spoil") == 0;
    plan = TENURE_CL_PLAN_NAME;
    must(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    if (spoil) {
        open_rig(&r, device, 0, 1);
        wrong = run(&r, "wrong stamps");
        close_rig(&r);
        return wrong == 0;
    }
    open_rig(&r, device, 0, 1);
    wrong += refuses_small_alignment(&r);
    wrong += run(&r, "in-order");
    wrong += run(&r, "in-order, again");
    close_rig(&r);
    open_rig(&r, device, 1, 1);
    wrong += run(&r, "out-of-order");
    close_rig(&r);
    open_rig(&r, device, 0, 2);
    wrong += run(&r, "two queues");
    close_rig(&r);
    open_rig(&r, device, 1, 2);
    wrong += run(&r, "two queues, out-of-order");
    close_rig(&r);
    return wrong != 0;
}
