/* tenure_cl: realises a buffer plan that `tenure plan --emit=opencl` wrote, on an OpenCL context.
 *
 *     extern const tenure_cl_plan squeezenet_cl_plan;      // the emitted C source
 *     char why[256];
 *     tenure_cl *rt;
 *     if (tenure_cl_open(&squeezenet_cl_plan, context, &rt, why, sizeof why) != CL_SUCCESS) ...
 *     for each step s:
 *         if (plan->steps[s].empty) continue;               // a view: nothing to run
 *         cl_mem x = tenure_cl_mem(rt, tenure_cl_ids(plan, plan->steps[s].reads)[0]);
 *         n = tenure_cl_waits(rt, s, events);               // out-of-order queues only
 *         clEnqueueNDRangeKernel(..., n, n ? events : NULL, &event);
 *         tenure_cl_done(rt, s, event);                     // hands the event over, frees what
 * ended tenure_cl_close(rt);
 *
 * On an in-order queue the waits are not needed. Kernels that write in place get the same cl_mem
 * for both arguments: they must not use `restrict`. Steps with `barrier` belong to control flow:
 * the host decides what runs, and waits for all earlier steps first.
 *
 * Needs OpenCL 1.1 (1.0 for plans in mode offsets or objects). One thread at a time per tenure_cl.
 */
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

#define TENURE_CL_FORMAT 2
#define TENURE_CL_NONE UINT32_MAX

enum { TENURE_CL_ARENA, TENURE_CL_IO, TENURE_CL_CONST };
enum { TENURE_CL_INTERNAL, TENURE_CL_INPUT, TENURE_CL_OUTPUT, TENURE_CL_CONSTANT, TENURE_CL_STATE };
enum { TENURE_CL_SUBBUFFERS, TENURE_CL_OBJECTS, TENURE_CL_OFFSETS };

/* A part of tenure_cl_plan.ids. */
typedef struct tenure_cl_list {
    uint32_t at, len;
} tenure_cl_list;

typedef struct tenure_cl_chunk {
    int kind;
    uint64_t size;       /* bytes */
    int32_t first, last; /* steps between which it is needed */
} tenure_cl_chunk;

typedef struct tenure_cl_handle {
    uint32_t chunk;
    int whole; /* the chunk's own buffer */
    uint64_t origin, size;
} tenure_cl_handle;

typedef struct tenure_cl_value {
    const char *name;
    int role;
    uint32_t handle; /* TENURE_CL_NONE: no bytes, or not planned */
    uint64_t offset; /* bytes from the start of the handle: 0 in mode subbuffers */
    uint64_t bytes;
    uint32_t step;       /* that writes it, TENURE_CL_NONE for inputs and constants */
    uint32_t view_of;    /* a value whose bytes it shows, TENURE_CL_NONE: none */
    uint64_t in_storage; /* bytes from the start of the storage both lie in */
} tenure_cl_value;

typedef struct tenure_cl_step {
    const char *name, *op;
    int empty;                    /* nothing to enqueue */
    int barrier;                  /* wait for all earlier steps */
    tenure_cl_list reads, writes; /* values */
    tenure_cl_list waits;         /* steps, for out-of-order queues */
    tenure_cl_list reuse;         /* those of waits that only reuse of bytes asks for */
    tenure_cl_list inplace;       /* values in pairs: operand, result that takes its bytes */
    tenure_cl_list releases;      /* handles that no later step uses */
} tenure_cl_step;

/* Training info: after a run what holds the tensor `state` takes the bytes of `value`. */
typedef struct tenure_cl_binding {
    const char *state;
    uint32_t state_value; /* the state, TENURE_CL_NONE when it is no value of this plan */
    uint32_t value;
} tenure_cl_binding;

typedef struct tenure_cl_plan {
    int format, mode;
    const char *model, *sha256;
    uint64_t align; /* bytes */
    const tenure_cl_chunk *chunks;
    uint32_t n_chunks;
    const tenure_cl_handle *handles;
    uint32_t n_handles;
    const tenure_cl_value *values;
    uint32_t n_values;
    const tenure_cl_step *steps;
    uint32_t n_steps;
    const uint32_t *ids;
    const tenure_cl_binding *bindings;
    uint32_t n_bindings;
} tenure_cl_plan;

typedef struct tenure_cl tenure_cl;

static inline const uint32_t *tenure_cl_ids(const tenure_cl_plan *plan, tenure_cl_list list) {
    return plan->ids + list.at;
}

/* Checks the plan against every device of the context: OpenCL version, alignment of sub-buffers
 * (the largest of the devices; reported in bits by them), largest buffer. CL_SUCCESS, or an error
 * code with a sentence in `why`, e.g. CL_MISALIGNED_SUB_BUFFER_OFFSET for a plan made for a smaller
 * alignment. */
cl_int tenure_cl_check(const tenure_cl_plan *plan, cl_context context, char *why, size_t why_size);

/* Checks, then creates all chunks and handles. On failure *out is NULL and nothing is left behind.
 * The context is retained until tenure_cl_close. */
cl_int tenure_cl_open(const tenure_cl_plan *plan, cl_context context, tenure_cl **out, char *why,
                      size_t why_size);
/* The caller's own buffer (at least as large) in place of an input's, output's or constant's;
 * before the first step. Retained until close. Not for values that share their chunk with others.
 */
cl_int tenure_cl_bind(tenure_cl *rt, uint32_t value, cl_mem buffer);
/* What to pass to a kernel for a value; NULL when it has no bytes, or was released. In mode offsets
 * the kernel needs plan->values[value].offset too. Not retained. */
cl_mem tenure_cl_mem(const tenure_cl *rt, uint32_t value);
/* Index of the value of that name (the first of several), TENURE_CL_NONE when there is none. */
uint32_t tenure_cl_find(const tenure_cl_plan *plan, const char *name);
/* The events step `step` must wait for, at most plan->steps[step].waits.len of them, into `events`.
 * Returns how many. Steps that were never reported by tenure_cl_done are left out. */
cl_uint tenure_cl_waits(const tenure_cl *rt, uint32_t step, cl_event *events);
/* Reports that a step was enqueued; takes over the reference to `event` (NULL on in-order queues),
 * and drops the handles whose last step this was. OpenCL keeps memory alive until enqueued commands
 * that use it have finished. */
void tenure_cl_done(tenure_cl *rt, uint32_t step, cl_event event);
/* For another run with the same buffers: forgets all events, recreates released handles. */
cl_int tenure_cl_rewind(tenure_cl *rt);
/* Releases everything. NULL is fine. */
void tenure_cl_close(tenure_cl *rt);

#ifdef __cplusplus
}
#endif

#endif
