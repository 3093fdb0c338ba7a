/* A program beside that of the plan, which finds kernels that break what the plan rests on. */
#ifndef TENURE_BACKENDS_C_PROGRAM_HARNESS_H
#define TENURE_BACKENDS_C_PROGRAM_HARNESS_H

#include "backends/core/program.h"

/* The file harness.tmpl of this folder, as the build embeds it. */
extern const char tn_c_harness[];

/* TN_ERROR after a diagnostic for plans that have none. */
TN_MUST_USE tn_status tn_cp_accepts_harness(const tn_plan *p);
/* The whole of net_harness.c, to the sink of `program`, which is prepared for one plan whose
 * extents are known; `weights`: the bytes of constants are among the files. TN_ERROR after a
 * diagnostic. */
TN_MUST_USE tn_status tn_cp_put_harness(const tn_cp *program, bool weights);

#endif
