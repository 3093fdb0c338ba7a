/* A plan in the terms of OpenCL, for the OpenCL backends: chunks (buffers no larger
 * than the device allows), handles (what is bound to kernel arguments, with an offset) and waits
 * (events a step needs on an out-of-order queue).
 *
 * Rules kept (OpenCL 1.0 to 3.0): no buffer exceeds CL_DEVICE_MAX_MEM_ALLOC_SIZE; zero-sized values
 * have no handle. Of sub-buffers, where they are asked for: the origin is a multiple of
 * CL_DEVICE_MEM_BASE_ADDR_ALIGN, which is given in bits; none is cut from a sub-buffer; no two
 * overlap, so that they may be made once and stay: values that share bytes, at the same time or
 * one after the other, are in one of them. */
#ifndef TENURE_BACKENDS_CORE_CL_PLAN_H
#define TENURE_BACKENDS_CORE_CL_PLAN_H

#include "backends/core/backend.h"

/* Version of both forms; tenure_cl.h has it as TENURE_CL_FORMAT. */
#define TN_CL_FORMAT 9

typedef enum tn_cl_mode {
    TN_CL_OFFSETS,    /* a buffer a chunk */
    TN_CL_OBJECTS,    /* a buffer a slot: plans made with memory=slots; all offsets are 0 */
    TN_CL_SUBBUFFERS, /* a sub-buffer a part of a chunk that shares no bytes with others */
} tn_cl_mode;

typedef struct tn_cl_chunk {
    tn_pool_kind kind;
    bool host;     /* memory of the host: no kernel reads or writes it */
    uint32_t pool; /* that it is a part of, from byte `at` on */
    uint64_t at;
    uint64_t size;       /* bytes, > 0 */
    int32_t first, last; /* steps between which it is needed */
    bool shared; /* a buffer in memory that the host shares: its pool has the section "host" */
    bool ahead;  /* host, too: constants or state, copied to the window before kernels need them */
} tn_cl_chunk;

/* Bytes of a chunk in the host's memory that go to the window, or come back. */
typedef struct tn_cl_copy {
    uint32_t chunk;
    uint64_t from, to, size; /* bytes; `to` from the start of the window */
} tn_cl_copy;

/* What steps [first, end) need of such chunks, at one end of the window. It may be copied once the
 * steps of the batch before the last have finished, and what these wrote is back; the last `n_late`
 * of the copies, which the batch before writes, once that is done likewise. */
typedef struct tn_cl_batch {
    uint32_t first, end;
    uint32_t copies, n_copies; /* copies[copies ...] */
    uint32_t n_late;
    uint32_t back, n_back; /* copies[back ...], from the window to the chunks: what was written */
} tn_cl_batch;

typedef struct tn_cl_handle {
    uint32_t chunk;
    uint64_t origin, size;
    bool whole; /* the chunk itself, no sub-buffer needed */
} tn_cl_handle;

typedef struct tn_cl_step {
    bool barrier;   /* control flow: the host must wait for all earlier steps */
    tn_ids waits;   /* steps whose events this one waits for: data and reuse, no idle steps */
    tn_ids reuse;   /* those of `waits` that only reuse of bytes makes necessary */
    tn_ids inplace; /* pairs operand, result that are the same bytes */
} tn_cl_step;

typedef struct tn_cl_plan {
    const tn_plan *p; /* the plan as it is to be written: without names, if they were refused */
    tn_cl_mode mode;
    uint64_t align, max_alloc; /* bytes; max_alloc 0: no limit */
    tn_cl_chunk *chunks;
    uint32_t n_chunks;
    tn_cl_handle *handles;
    uint32_t n_handles;
    uint32_t *handle; /* by plan value; TN_NO_ID: none */
    uint64_t *offset; /* by plan value: bytes from the start of its handle */
    uint32_t *second; /* the same for its second place; TN_NO_ID: it has one */
    uint64_t *second_offset;
    tn_cl_step *steps;
    uint32_t window; /* a chunk; TN_NO_ID: nothing is copied ahead */
    tn_cl_batch *batches;
    uint32_t n_batches;
    tn_cl_copy *copies;
    uint32_t n_copies;
} tn_cl_plan;

/* The options of all OpenCL backends, which must be the first ones of their tables. */
#define TN_CL_OPTIONS                                                                              \
    {"align-bits", TN_OPT_INT, "1024", "8..2147483640",                                            \
     "CL_DEVICE_MEM_BASE_ADDR_ALIGN of the device, in bits as it reports it (1024 is what many "   \
     "report, NVIDIA's current drivers 4096): buffers begin there, and with mode=subbuffers the "  \
     "plan is aligned to that where --align does not say otherwise"},                              \
        {"max-alloc", TN_OPT_INT, "0", "0..9223372036854775807",                                   \
         "CL_DEVICE_MAX_MEM_ALLOC_SIZE in bytes, 0 for no limit"},                                 \
        {"mode", TN_OPT_ENUM, "offsets", "offsets|objects|subbuffers",                             \
         "what kernels get with a byte offset: whole buffers; shared objects (plans made with "    \
         "memory=slots), with offsets of 0; or sub-buffers, none of which overlap"},               \
        {"names", TN_OPT_BOOL, "true", NULL, "names of values and nodes"}, {                       \
        "window", TN_OPT_INT, "0", "0..9223372036854775807",                                       \
            "bytes on the device for constants and state of pools with copied and section=host, "  \
            "which are copied there ahead of the steps that need them; 0: as few as will do"       \
    }
enum { TN_CL_OPT_NAMES = 3, TN_CL_OPT_WINDOW, TN_CL_N_OPTIONS };
/* These and no more. */
extern const tn_opt tn_cl_options[];

/* The `align` of all: what sub-buffers ask. */
uint64_t tn_cl_align(const tn_backend_args *args);

/* What both carry and refuse. */
#define TN_CL_CARRIES                                                                              \
    (TN_CARRIES_ALL & ~(TN_CARRIES(SLOTS) | TN_CARRIES(CLONES) | TN_CARRIES(FREES) |               \
                        TN_CARRIES(DIMS) | TN_CARRIES(FIGURES)))
extern const tn_kind_refusal tn_cl_refuses[];

/* Derives the OpenCL plan in `arena`. TN_USAGE for an option that cannot be, TN_ERROR after a
 * diagnostic that names the tensor and the limit. */
TN_MUST_USE tn_status tn_cl_derive(tn_arena *arena, const tn_plan *plan,
                                   const tn_backend_args *args, const tn_cl_plan **out);
/* A note on what goes through the window, where anything does: what a run copies, and how many
 * bytes the device needs, with it and without. */
void tn_cl_note_window(const tn_cl_plan *cl);
/* The `accepts` of all: whether that succeeds. */
tn_status tn_cl_accepts(const tn_plan *plan, const tn_backend_args *args);

#endif
