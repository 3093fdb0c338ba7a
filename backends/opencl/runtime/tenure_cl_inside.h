/* Private to the runtime. */
#ifndef TENURE_CL_INSIDE_H
#define TENURE_CL_INSIDE_H

#include <tenure_cl.h>

struct tenure_cl {
    const tenure_cl_plan *plan;
    cl_context context;
    cl_mem *chunks;          /* by chunk; NULL in memory of the host */
    cl_mem *handles;         /* by handle; NULL in memory of the host */
    cl_event *events;        /* by step; NULL: none reported */
    unsigned char **host;    /* by chunk; NULL where it is a buffer */
    tenure_cl_place *places; /* by value */
    int turn;                /* of the next run; 1: values with two places lie in the second */
    /* of a program that was built */
    const tenure_cl_program *program; /* NULL: none */
    cl_device_id device;
    cl_program compiled;
    char *cache; /* file that `compiled` is to be kept in, NULL: in none, or it comes from there */
    uint64_t hash;
    cl_kernel *kernels;    /* by command */
    uint32_t *first;       /* by step, and one more: its first command */
    int stale;             /* arguments of kernels are not where values lie */
    cl_mem failed;         /* an int: the step that met what is no index, or -1; NULL: none can */
    unsigned char *room;   /* for a step on the host */
    unsigned char **bytes; /* by value: in that, of the step on the host at hand, or NULL */
    int on_host;           /* the step at hand is one */
    uint32_t step;         /* at hand */
    /* of constants and state that are copied ahead, and back, by a queue of their own */
    cl_command_queue ahead;  /* NULL: the plan has none */
    cl_event *copied;        /* by copy, of the last run; NULL: not yet */
    cl_event freed[2];       /* by end of the window: behind its last user, on a queue in order */
    tenure_cl_place *window; /* by value: where the step at hand finds it */
};

/* The handle of a value at a turn, and *offset in it. The value has one. */
static inline uint32_t tenure_cl_handle_at(const tenure_cl *rt, uint32_t value, int turn,
                                           uint64_t *offset) {
    const tenure_cl_value *v = &rt->plan->values[value];
    int second = turn && v->second != TENURE_CL_NONE;
    *offset = second ? v->second_offset : v->offset;
    return second ? v->second : v->handle;
}

/* Put a sentence into `why`, which may be NULL, with the error's name behind it, and give `code`
 * back: alone; behind a step (TENURE_CL_NONE: the run), its values and the device; behind a value
 * and its type. */
cl_int tenure_cl_fail(cl_int code, char *why, size_t size, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
cl_int tenure_cl_fail_at(const tenure_cl *rt, cl_int code, uint32_t step, char *why, size_t size,
                         const char *fmt, ...) __attribute__((format(printf, 6, 7)));
cl_int tenure_cl_fail_of(const tenure_cl_plan *plan, cl_int code, uint32_t value, char *why,
                         size_t size, const char *fmt, ...) __attribute__((format(printf, 6, 7)));
/* The device's name, in `name` of TENURE_CL_DEVICE_NAME bytes. */
enum { TENURE_CL_DEVICE_NAME = 256 };
const char *tenure_cl_device_name(cl_device_id device, char *name);

/* The moves of one moment of the step's bodies, at once; all that was enqueued has finished. */
cl_int tenure_cl_moves(tenure_cl *rt, cl_command_queue queue, uint32_t begin, uint32_t when,
                       uint32_t body, int64_t round);

/* ---- of programs ---- */

/* The queue for copies ahead and what goes with it, where the plan has any. */
cl_int tenure_cl_make_ahead(tenure_cl *rt);
void tenure_cl_drop_ahead(tenure_cl *rt);
/* Before the first step of batch `batch`: what the batch before wrote goes back, copies of this one
 * and of the next are under way, and on a queue in order (`queue`, else NULL) what is enqueued from
 * here on waits for the batch's. Behind the last batch: `batch` is their number. */
cl_int tenure_cl_enter(tenure_cl *rt, uint32_t batch, cl_command_queue queue);
/* The event of the batch's last copy that the step has to wait for, NULL: none. */
cl_event tenure_cl_arrival(const tenure_cl *rt, uint32_t step);
/* Where a step finds a value; outside of steps (TENURE_CL_NONE) as tenure_cl_where. */
const tenure_cl_place *tenure_cl_place_in(const tenure_cl *rt, uint32_t step, uint32_t value);
/* Whether the value is state that the step finds in the window, where alone its bytes are new. */
int tenure_cl_is_lent(const tenure_cl *rt, uint32_t step, uint32_t value);
/* Waits for the queue; outside of steps for all copies too, in a step for those of its batch. */
cl_int tenure_cl_settle(const tenure_cl *rt, cl_command_queue queue, uint32_t step);

/* Releases what tenure_cl_build made. */
void tenure_cl_drop_program(tenure_cl *rt);
/* Arguments of all kernels, where places are others than when they were set. *failed: the step. */
cl_int tenure_cl_set_arguments(tenure_cl *rt, uint32_t *failed);
/* Room for the largest of all steps on the host. */
cl_int tenure_cl_make_room(tenure_cl *rt, const tenure_cl_program *program);
/* Runs one of them: waits for all before it, copies operands to the host and results back. */
cl_int tenure_cl_run_on_host(tenure_cl *rt, const tenure_cl_program *program, uint32_t step,
                             tenure_cl_call *call);
/* Bytes of a value, where the step finds it, to the host, or back; waits. */
cl_int tenure_cl_transfer(tenure_cl *rt, cl_command_queue queue, uint32_t step, uint32_t value,
                          void *host, int write);

#endif
