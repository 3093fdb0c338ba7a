/* Private to the backend: which step does what. */
#ifndef TENURE_BACKENDS_OPENCL_PROGRAM_COMMANDS_H
#define TENURE_BACKENDS_OPENCL_PROGRAM_COMMANDS_H

#include "backends/core/cl_plan.h"
#include "backends/core/program.h"
#include "backends/kernels_cl/kernels_cl.h"

/* A kernel that a step enqueues. */
typedef struct tn_clp_command {
    uint32_t step, kernel; /* its number, in the order of `source` */
    const tn_cl_kernel *k;
    uint32_t *values; /* k->n_operands + 1 */
} tn_clp_command;

/* A program: commands and the text of their kernels, each once; of the other steps which are called
 * (`called`, by step), and of these which the host computes. */
typedef struct tn_clp {
    const tn_cp *c;
    const tn_cl_plan *cl;
    const char
        *own; /* "Conv+17": ops, by name, and steps, by number, whose kernels are the user's */
    TN_VEC(tn_clp_command) commands;
    const char *source;   /* OpenCL C */
    bool *called, *yours; /* yours: called, and never on the host */
} tn_clp;

/* Kernels for all steps that can have one. */
void tn_clp_make(tn_clp *p);
/* Tables of the program: the text, commands, and the program itself, behind the functions of steps
 * that are called and the macros NAME_STEP_<n>_ON_HOST. */
void tn_clp_put_tables(const tn_clp *p);

#endif
