/* The parts of the C program backend. */
#ifndef TENURE_BACKENDS_C_PROGRAM_PROGRAM_T_H
#define TENURE_BACKENDS_C_PROGRAM_PROGRAM_T_H

#include "backends/c_program/kernel.h"
#include "backends/core/emit.h"
#include "backends/core/plan_ids.h"

typedef struct tn_cp {
    const tn_plan *p;
    const tn_module *model;
    tn_sink *out; /* of the file being written */
    tn_arena *arena;
    const char *macro, *symbol; /* prefix, upper and lower case */
    tn_plan_ids ids;
    const char **pools;        /* members of the struct with the bases */
    bool names;                /* of nodes, in the program */
    const bool *used;          /* by id in the model: the plan rests on the value's elements */
    const uint32_t *in_module; /* by value of the plan: id in the model, or TN_NO_ID */
} tn_cp;

/* Writes a template: @M stands for the prefix of macros, @m for that of other names. */
void tn_cp_put(const tn_cp *c, const char *template);
/* " 'name' type" in a comment. */
void tn_cp_put_value(const tn_cp *c, uint32_t value);
/* "(unsigned char *)m->arena + NET_X_OFFSET" */
void tn_cp_put_address(const tn_cp *c, uint32_t value);

/* The whole of net.h; `weights`: net_weights.h is there. */
void tn_cp_put_header(const tn_cp *c, bool weights);
/* The whole of net.c. TN_ERROR after a diagnostic. */
TN_MUST_USE tn_status tn_cp_put_program(const tn_cp *c);

/* The function of a step that runs a kernel, with the tables it needs. */
TN_MUST_USE tn_status tn_cp_put_step(const tn_cp *c, uint32_t step);
/* Whether the step runs a kernel at all. */
bool tn_cp_calls(const tn_cp *c, uint32_t step);
/* The name of what the step calls, without prefix: "Conv_11". */
const char *tn_cp_symbol(const tn_cp *c, const tn_plan_step *s);
/* Whether tenure_kernels.h declares it; if not it is a tenure_generic. */
bool tn_cp_is_typed(const tn_plan_step *s);
/* Extents of values of steps, each list once. */
void tn_cp_put_shapes(const tn_cp *c);
/* "net_d_1_32_16_16" */
void tn_cp_put_shape_name(const tn_cp *c, uint32_t rank, const int64_t *dims);

/* An attribute's value as a table in front of the struct it is for (nothing for those that stand in
 * it), and the entry in the struct. `id` is that of the table. `a` may be NULL. TN_ERROR after a
 * diagnostic. */
TN_MUST_USE tn_status tn_cp_put_attr_table(const tn_cp *c, const tn_plan_step *s, const char *id,
                                           const tn_attr *a);
void tn_cp_put_attr_entry(const tn_cp *c, tn_attr_kind kind, const char *id, const tn_attr *a);

/* Tables of attributes and `attributes`: the struct of the kernel, nothing where it has none; or
 * the list of *n that the step states. TN_ERROR after a diagnostic. */
TN_MUST_USE tn_status tn_cp_put_attributes(const tn_cp *c, const tn_plan_step *s,
                                           const tn_kernel *k);
TN_MUST_USE tn_status tn_cp_put_generic_attributes(const tn_cp *c, const tn_plan_step *s,
                                                   uint32_t *n);

/* The function that runs all steps, and what stands in front of it. */
void tn_cp_put_run(const tn_cp *c);
/* Copies of one moment of the step's bodies. `at` is the begin. */
typedef struct tn_cp_moment {
    uint32_t begin; /* step */
    tn_move_when when;
    uint32_t body;
    unsigned depth; /* of indentation */
} tn_cp_moment;
void tn_cp_put_moves(const tn_cp *c, const tn_cp_moment *at);
/* What the moves call. */
void tn_cp_put_move_helpers(const tn_cp *c);
/* The function that does what bindings say. */
void tn_cp_put_commit(const tn_cp *c);

#endif
