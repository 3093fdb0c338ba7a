/* Private to the runtime. */
#ifndef TENURE_CL_INSIDE_H
#define TENURE_CL_INSIDE_H

#include <tenure_cl.h>

struct tenure_cl {
    const tenure_cl_plan *plan;
    cl_context context;
    cl_mem *chunks;          /* by chunk; NULL in memory of the host */
    cl_mem *handles;         /* by handle; NULL once released, and in memory of the host */
    cl_event *events;        /* by step; NULL: none reported */
    unsigned char **host;    /* by chunk; NULL where it is a buffer */
    tenure_cl_place *places; /* by value */
    int turn;                /* of the next run; 1: values with two places lie in the second */
};

/* The handle of a value at a turn, and *offset in it. The value has one. */
static inline uint32_t tenure_cl_handle_at(const tenure_cl *rt, uint32_t value, int turn,
                                           uint64_t *offset) {
    const tenure_cl_value *v = &rt->plan->values[value];
    int second = turn && v->second != TENURE_CL_NONE;
    *offset = second ? v->second_offset : v->offset;
    return second ? v->second : v->handle;
}

/* Puts a sentence into `why`, and gives `code` back. */
cl_int tenure_cl_fail(cl_int code, char *why, size_t size, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* The moves of one moment of the step's bodies, at once; all that was enqueued has finished. */
cl_int tenure_cl_moves(tenure_cl *rt, cl_command_queue queue, uint32_t begin, uint32_t when,
                       uint32_t body, int64_t round);

#endif
