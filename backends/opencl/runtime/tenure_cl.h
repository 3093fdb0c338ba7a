/* tenure_cl: runs a plan that `tenure plan` wrote for OpenCL.
 *
 * With --emit=opencl-program the kernels are in the program, and a host is
 *
 *     #include "net.h"
 *     tenure_cl *rt;
 *     char why[256];
 *     uint32_t step;
 *     tenure_cl_open(&net_cl_plan, context, &rt, why, sizeof why);     // makes all buffers
 *     tenure_cl_load(rt, queue, weights, weights_size, why, sizeof why);
 *     tenure_cl_build(rt, &net_program, device, ".", why, sizeof why); // compiles, or reads the
 * cache tenure_cl_write(rt, queue, tenure_cl_find(&net_cl_plan, "x"), input); tenure_cl_run(rt,
 * &net_program, queue, NULL, &step);             // enqueues, and comes back tenure_cl_finish(rt,
 * queue, &step);                              // waits tenure_cl_read(rt, queue,
 * tenure_cl_find(&net_cl_plan, "y"), output); tenure_cl_close(rt);
 *
 * With --emit=opencl there is the plan alone, and whoever has kernels enqueues them:
 *
 *     for each step s that is not idle:
 *         const tenure_cl_place *x = tenure_cl_where(rt, tenure_cl_ids(plan, step->operands)[0]);
 *         clSetKernelArg(... &x->mem), clSetKernelArg(... &x->offset)
 *         n = tenure_cl_waits(rt, s, events);           // out-of-order queues only
 *         clEnqueueNDRangeKernel(..., n, n ? events : NULL, &event);
 *         tenure_cl_done(rt, s, event);                 // hands the event over (NULL: none)
 *
 * What a step computes stands in it: domain, op and version, operands and results by position,
 * attributes with their defaults filled in. docs/PLAN.md says what the fields mean; the model file
 * is not needed. On an in-order queue the waits are not needed. Operands and results of a step may
 * share a cl_mem, and bytes of it: kernels must not use `restrict`, and keep what the step's claims
 * say.
 *
 * Steps with `barrier` belong to control flow: the host waits for all earlier steps, then decides
 * what runs. A begin lists its bodies and the moves between them and the op; before the moves of
 * each iteration the host waits again.
 *
 * Handles of OpenCL are made by tenure_cl_open and tenure_cl_build and released by tenure_cl_close;
 * a run makes none but the events of out-of-order queues. Needs OpenCL 1.2 (1.0 for plans in mode
 * offsets or objects without a program's kernels). One thread at a time per tenure_cl. */
#ifndef TENURE_CL_H
#define TENURE_CL_H

#include <stddef.h>
#include <stdint.h>

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TENURE_CL_FORMAT 9
#define TENURE_CL_NONE UINT32_MAX

enum { TENURE_CL_ARENA, TENURE_CL_IO, TENURE_CL_CONST, TENURE_CL_STATE_POOL };
enum {
    TENURE_CL_INTERNAL,
    TENURE_CL_INPUT,
    TENURE_CL_OUTPUT,
    TENURE_CL_CONSTANT,
    TENURE_CL_STATE,
    TENURE_CL_WORKSPACE
};
enum { TENURE_CL_OFFSETS, TENURE_CL_OBJECTS, TENURE_CL_SUBBUFFERS };
enum {
    TENURE_CL_ALIAS_NONE,
    TENURE_CL_ALIAS_VIEW,
    TENURE_CL_ALIAS_INPLACE,
    TENURE_CL_ALIAS_UPDATE,
    TENURE_CL_ALIAS_SHARE
};
enum { TENURE_CL_OP, TENURE_CL_BEGIN, TENURE_CL_END };
enum { TENURE_CL_SERIAL, TENURE_CL_DATAFLOW, TENURE_CL_QUEUES };
enum { TENURE_CL_INTS, TENURE_CL_FLOATS, TENURE_CL_STRINGS, TENURE_CL_OMITTED };
enum { TENURE_CL_KEEP, TENURE_CL_ELEMENTS, TENURE_CL_ROWS, TENURE_CL_UPDATE, TENURE_CL_DEFINITION };
enum {
    TENURE_CL_MOVE_BEGIN,
    TENURE_CL_MOVE_ITERATION,
    TENURE_CL_MOVE_NEXT,
    TENURE_CL_MOVE_AFTER,
    TENURE_CL_MOVE_END,
    TENURE_CL_MOVE_NO_ITERATION
};
enum {
    TENURE_CL_MOVE_COPY,
    TENURE_CL_MOVE_SLICE,
    TENURE_CL_MOVE_STACK,
    TENURE_CL_MOVE_COUNT,
    TENURE_CL_MOVE_TRUE
};

/* Entries at .. at + len - 1 of one of the plan's tables: of `ids`, if nothing else is said. */
typedef struct tenure_cl_list {
    uint32_t at, len;
} tenure_cl_list;

typedef struct tenure_cl_chunk {
    int kind;
    int host;            /* memory of the host, no buffer: no kernel reads or writes it */
    uint32_t pool;       /* of the plan: where its bytes lie in the weights image, */
    uint64_t at;         /* from this byte on */
    uint64_t size;       /* bytes */
    int32_t first, last; /* steps between which it is needed */
    int shared;          /* a buffer in memory that the host shares (CL_MEM_ALLOC_HOST_PTR) */
    int ahead;           /* host, too: kernels find its bytes in the window */
} tenure_cl_chunk;

/* Bytes of a chunk in the host's memory that go to the window, or come back. */
typedef struct tenure_cl_copy {
    uint32_t chunk;
    uint64_t from, to, size; /* bytes; `to` from the start of the window */
} tenure_cl_copy;

/* What steps [first, end) need of such chunks, at one end of the window. It may be copied once the
 * steps of the batch before the last have finished, and what these wrote is back; the last `late`
 * of the copies, of state that the batch before writes, once that is done with that one. */
typedef struct tenure_cl_batch {
    uint32_t first, end;
    tenure_cl_list copies; /* of plan->copies, never none */
    uint32_t late;
    tenure_cl_list back; /* of plan->copies, from the window to the chunks: what the steps wrote */
} tenure_cl_batch;

typedef struct tenure_cl_handle {
    uint32_t chunk;
    int whole; /* the chunk's own buffer */
    uint64_t origin, size;
} tenure_cl_handle;

typedef struct tenure_cl_value {
    const char *name, *graph; /* graph: its path, "" for the main one */
    const char *dtype;        /* "f32", "i64", "bool", "u4", ... */
    int role;
    tenure_cl_list dims; /* of plan->dims: extents, -1 where open */
    uint32_t handle;     /* TENURE_CL_NONE: no bytes, or no place (`why`) */
    uint64_t offset;     /* bytes from the start of the handle */
    uint32_t second;     /* the same two for its second place (--double-buffer), where it lies in */
    uint64_t second_offset; /* every second run; TENURE_CL_NONE: it has one */
    uint64_t bytes;
    uint32_t step;       /* that writes it, TENURE_CL_NONE for inputs and constants */
    int alias;           /* why it shares or takes the bytes of alias_of */
    uint32_t alias_of;   /* a value, or TENURE_CL_NONE */
    uint64_t in_storage; /* bytes from the start of the storage both lie in */
    const char *why;     /* it has no place, NULL when it has one */
} tenure_cl_value;

/* An attribute, its default filled in: one value or a list of those of a table. OMITTED: tensors,
 * types, and texts of more than 1000 bytes. */
typedef struct tenure_cl_attr {
    const char *name;
    uint32_t table;        /* TENURE_CL_INTS, ... */
    tenure_cl_list values; /* of plan->attr_ints, attr_floats, attr_strings */
} tenure_cl_attr;

/* A result and an operand, by position, that share bytes, and what the kernel has to keep. Result
 * TENURE_CL_NONE: the kernel writes over the operand, and the node names no result for it. */
typedef struct tenure_cl_claim {
    uint32_t result, operand, promise; /* promise: TENURE_CL_KEEP, ... */
} tenure_cl_claim;

/* Bytes for the kernel of a step beside operands and results, one of its `writes`. */
typedef struct tenure_cl_workspace {
    uint32_t value;
    int kept;        /* they stay from run to run, and are 0 before the first */
    const char *way; /* of several that kernels' facts name, "" for none */
} tenure_cl_workspace;

typedef struct tenure_cl_body {
    const char *attribute, *graph;  /* attribute: that holds it, "" in a call of a function */
    tenure_cl_list inputs, outputs; /* values by position */
} tenure_cl_body;

/* What the host copies for an op with bodies; moves of one moment happen at once. */
typedef struct tenure_cl_move {
    uint32_t when, what; /* TENURE_CL_MOVE_... */
    uint32_t body;       /* position in the step's bodies */
    uint32_t from, to;   /* values; from is TENURE_CL_NONE for COUNT and TRUE */
    int64_t axis;
    int reverse;
} tenure_cl_move;

typedef struct tenure_cl_step {
    const char *name, *domain, *op, *graph;
    int32_t node;     /* index in the graph's list of the model file, -1: none */
    int64_t version;  /* of the operator set that defines op */
    int kind;         /* TENURE_CL_OP; TENURE_CL_BEGIN and _END round the steps of bodies */
    uint32_t partner; /* the end of a begin and the reverse */
    int idle;         /* nothing to run: the results' bytes are there already */
    int barrier;      /* wait for all earlier steps */
    tenure_cl_list operands, results; /* values by position, TENURE_CL_NONE where left out */
    tenure_cl_list shape_only;    /* positions of operands of which only type and shape are read */
    tenure_cl_list attrs;         /* of plan->attrs, sorted by name */
    tenure_cl_list claims;        /* of plan->claims */
    tenure_cl_list bodies;        /* of plan->bodies; on a begin */
    tenure_cl_list moves;         /* of plan->moves; on a begin */
    tenure_cl_list workspace;     /* of plan->workspaces */
    tenure_cl_list reads, writes; /* values as sets, with what bodies capture */
    tenure_cl_list waits;         /* steps, for out-of-order queues */
    tenure_cl_list reuse;         /* those of waits that only reuse of bytes asks for */
    tenure_cl_list inplace;       /* values in pairs: operand, result that takes its bytes */
    uint32_t queue;               /* that it runs in, below n_queues of the plan; 0 without */
} tenure_cl_step;

/* Training info: after a run what holds the tensor `state` takes the bytes of `value`. */
typedef struct tenure_cl_binding {
    const char *state;
    uint32_t state_value; /* the state, TENURE_CL_NONE when it is no value of this plan */
    uint32_t value;
} tenure_cl_binding;

typedef struct tenure_cl_plan {
    int format, mode;
    int reordered;   /* the order is not that of the model file */
    int concurrency; /* TENURE_CL_SERIAL: steps wait for reuse of bytes as well; DATAFLOW: for data
                        alone; QUEUES: for data and for those before them in their queue */
    uint32_t n_queues; /* of TENURE_CL_QUEUES, else 0 */
    const char *model;
    const char *digest;             /* of the model, "" when it had none */
    const char *layout;             /* of the weights images that fit */
    uint64_t align;                 /* bytes */
    uint64_t ram, flash;            /* bytes that are written to, and of constants */
    tenure_cl_list inputs, outputs; /* values, in the order of the model */
    tenure_cl_list fixed;           /* inputs that must have the elements the plan was made with */
    const tenure_cl_chunk *chunks;
    uint32_t n_chunks;
    const tenure_cl_handle *handles;
    uint32_t n_handles;
    const tenure_cl_value *values;
    uint32_t n_values;
    const tenure_cl_step *steps;
    uint32_t n_steps;
    const tenure_cl_binding *bindings;
    uint32_t n_bindings;
    const tenure_cl_batch *batches; /* in the order of their steps, of which two share none */
    uint32_t n_batches;
    const tenure_cl_copy *copies;
    uint32_t n_copies;
    uint32_t window; /* a chunk, or TENURE_CL_NONE: nothing is copied ahead */
    /* What lists are parts of. */
    const uint32_t *ids;
    const int64_t *dims;
    const tenure_cl_attr *attrs;
    const int64_t *attr_ints;
    const double *attr_floats;
    const char *const *attr_strings;
    const tenure_cl_claim *claims;
    const tenure_cl_body *bodies;
    const tenure_cl_move *moves;
    const tenure_cl_workspace *workspaces;
} tenure_cl_plan;

typedef struct tenure_cl tenure_cl;

static inline const uint32_t *tenure_cl_ids(const tenure_cl_plan *plan, tenure_cl_list list) {
    return plan->ids + list.at;
}

/* Checks the plan against every device of the context: OpenCL version, alignment of sub-buffers
 * (the largest of the devices; reported in bits by them), largest buffer, bytes of memory.
 * CL_SUCCESS, or an error code with a sentence in `why` that ends with its name, e.g.
 * CL_MISALIGNED_SUB_BUFFER_OFFSET for a plan made for a smaller alignment. */
cl_int tenure_cl_check(const tenure_cl_plan *plan, cl_context context, char *why, size_t why_size);

/* Checks, then creates all chunks and handles. On failure *out is NULL and nothing is left behind.
 * The context is retained until tenure_cl_close. */
cl_int tenure_cl_open(const tenure_cl_plan *plan, cl_context context, tenure_cl **out, char *why,
                      size_t why_size);
/* The caller's own buffer (of the same context, at least as large) in place of an input's, output's
 * or constant's, between runs. Retained until close. Not for values that share their chunk with
 * others. A sentence in `why`, which may be NULL, where it cannot be. */
cl_int tenure_cl_bind(tenure_cl *rt, uint32_t value, cl_mem buffer, char *why, size_t why_size);
/* Where a value lies: what to pass to a kernel for it. All three are 0 when it has no bytes. */
typedef struct tenure_cl_place {
    cl_mem mem;    /* not retained; NULL in memory of the host */
    size_t offset; /* bytes from the start of mem */
    void *bytes;   /* in memory of the host: values of which no kernel needs a buffer */
} tenure_cl_place;
/* Valid until another buffer is bound, or places are swapped. Never NULL. */
const tenure_cl_place *tenure_cl_where(const tenure_cl *rt, uint32_t value);
/* The place that is the caller's while a run works in the one above, of values that have two:
 * written for the next run, or left by the last one. All three are 0 when the value has one. */
tenure_cl_place tenure_cl_other(const tenure_cl *rt, uint32_t value);
/* Between two runs: the places of values that have two change parts. What is enqueued by then keeps
 * those that it was given. */
void tenure_cl_swap(tenure_cl *rt);
/* Index of the value of that name (the first of several), TENURE_CL_NONE when there is none. */
uint32_t tenure_cl_find(const tenure_cl_plan *plan, const char *name);
/* The attribute of that name of a step, NULL when it has none. */
const tenure_cl_attr *tenure_cl_find_attr(const tenure_cl_plan *plan, uint32_t step,
                                          const char *name);
/* The events step `step` must wait for, at most plan->steps[step].waits.len of them, into `events`.
 * Returns how many. Steps that were never reported by tenure_cl_done are left out. */
cl_uint tenure_cl_waits(const tenure_cl *rt, uint32_t step, cl_event *events);
/* Reports that a step was enqueued; takes over the reference to `event` (NULL on in-order queues).
 */
void tenure_cl_done(tenure_cl *rt, uint32_t step, cl_event event);
/* For another run with the same buffers: forgets all events. */
void tenure_cl_rewind(tenure_cl *rt);
/* Releases everything. NULL is fine. */
void tenure_cl_close(tenure_cl *rt);

/* ---- running ---- */

/* Copies a weights image (docs/PLAN.md, "The bytes of constants") to its places, sets to 0 what
 * kernels keep from run to run, and waits. An image of another plan is CL_INVALID_VALUE with a
 * sentence in `why`. */
cl_int tenure_cl_load(tenure_cl *rt, cl_command_queue queue, const void *image, size_t size,
                      char *why, size_t why_size);
/* All bytes of a value from and to the host, wherever it lies, and waits. What is copied ahead lies
 * with the host (tenure_cl_where), and has its new bytes there after tenure_cl_finish. */
cl_int tenure_cl_write(tenure_cl *rt, cl_command_queue queue, uint32_t value, const void *from);
cl_int tenure_cl_read(tenure_cl *rt, cl_command_queue queue, uint32_t value, void *to);

/* What a kernel of an emitted program gets as context->user. */
typedef struct tenure_cl_call {
    cl_command_queue queue;
    cl_uint n_waits; /* what the first command has to wait for; 0 on in-order queues */
    const cl_event *waits;
    cl_event event; /* of the last command so far; NULL on in-order queues */
    int in_order;
    void *user; /* of tenure_cl_run */
} tenure_cl_call;
/* Enqueues a command of the step: behind what the step has to wait for and behind the step's
 * earlier commands. Kernels of several commands call it several times. */
cl_int tenure_cl_launch(tenure_cl_call *call, cl_kernel kernel, cl_uint dims, const size_t *global,
                        const size_t *local);

/* A kernel that a program enqueues for a step. Its arguments are, for each value, a cl_mem and a
 * cl_ulong of bytes from its start; behind them, with `index`, a buffer and the step's number. */
typedef struct tenure_cl_command {
    uint32_t step;
    const char *kernel;
    uint64_t global[3], local[3];
    tenure_cl_list values; /* of program->values */
    int index;             /* some operand may hold what is no index, and the kernel says so */
} tenure_cl_command;

/* An emitted program. Of a step that is not idle the commands are enqueued, unless calls[step] is
 * not NULL: that enqueues (user kernels), or, with on_host[step], computes in the host's memory. */
typedef struct tenure_cl_program {
    const tenure_cl_plan *plan;
    const char *name;
    int (*const *calls)(const tenure_cl *rt, void *call);
    const unsigned char *on_host;
    const char *const *source; /* OpenCL C, n_source pieces of one text */
    uint32_t n_source;
    const tenure_cl_command *commands; /* by step, and of a step in the order they go */
    uint32_t n_commands;
    const uint32_t *values;
} tenure_cl_program;

/* Compiles the kernels for the device, makes a cl_kernel a command with its arguments set, and room
 * for what steps on the host read and write. With `cache`, a folder, what was compiled is kept
 * there as a file by device, driver and text, which tenure_cl_close writes (some drivers compile
 * kernels when they first run), and read instead of compiled where it is there; NULL: not. The
 * sentence in `why` names the step and what failed; of a kernel that does not compile it is
 * followed by what the compiler says. After CL_SUCCESS `why` is empty, or says that a file was
 * there which was damaged, or of something else. Not needed for programs without commands and steps
 * on the host. */
cl_int tenure_cl_build(tenure_cl *rt, const tenure_cl_program *program, cl_device_id device,
                       const char *cache, char *why, size_t why_size);
/* For calls: where a value of the step at hand lies: a tenure_cl_place, or, in a step on the host,
 * its bytes. */
void *tenure_cl_data(const tenure_cl *rt, uint32_t value);

/* Runs all steps of a plan that `rt` was opened with, bodies too: conditions and numbers of trips
 * are read back. On an out-of-order queue steps wait for the events the plan names. `user` reaches
 * the calls. CL_SUCCESS once all is enqueued, which control flow and steps on the host wait for
 * and the end of the plan does not; else the code of OpenCL or of the kernel, and the step in
 * *failed: CL_INVALID_VALUE for a Loop of more or fewer rounds than what it stacks up has places
 * for, CL_INVALID_PROGRAM without the tenure_cl_build that the program needs. */
cl_int tenure_cl_run(tenure_cl *rt, const tenure_cl_program *program, cl_command_queue queue,
                     void *user, uint32_t *failed);
/* The same on n queues of one device: a step of queue q runs on queues[q % n]. A plan that was made
 * for as many queues loses nothing on queues that are in order; others may take any number. Between
 * queues, and on queues out of order, steps wait for the events that the plan names. */
cl_int tenure_cl_run_queues(tenure_cl *rt, const tenure_cl_program *program,
                            const cl_command_queue *queues, cl_uint n, void *user,
                            uint32_t *failed);
/* Waits for all that was enqueued. TENURE_CL_NO_INDEX, and the step in *failed, where an operand of
 * a kernel of the program held what is no index of what it goes into, or no class. Where the device
 * fails, *failed is the step whose event says so, else TENURE_CL_NONE. */
#define TENURE_CL_NO_INDEX 3
cl_int tenure_cl_finish(tenure_cl *rt, cl_command_queue queue, uint32_t *failed);
/* Milliseconds that the step's last command took in the last run, which has finished; 0 where it
 * had none. Of queues with CL_QUEUE_PROFILING_ENABLE, on which steps have events whatever the
 * order. */
double tenure_cl_time(const tenure_cl *rt, uint32_t step);
/* What the last run, which has finished, copied to the window ahead of its steps, and back: bytes,
 * the milliseconds that took, and how many of these kernels ran meanwhile (0 on queues without
 * CL_QUEUE_PROFILING_ENABLE). */
void tenure_cl_traffic(const tenure_cl *rt, uint64_t *bytes, double *ms, double *beside);
/* "CL_OUT_OF_RESOURCES", or "error" for a code that is not OpenCL's. */
const char *tenure_cl_error(cl_int code);
/* A sentence on a step that failed: its op and name, operands and results with their types, the
 * device, the error. */
void tenure_cl_explain(const tenure_cl *rt, cl_int code, uint32_t step, char *why, size_t why_size);
/* After a run that is to count: state takes its new values (training info). */
cl_int tenure_cl_commit(tenure_cl *rt, cl_command_queue queue);

#ifdef __cplusplus
}
#endif

#endif
