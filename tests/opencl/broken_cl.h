/* Kernels of OpenCL programs that break what plans rest on, each in one way: opencl_programs.py has
 * to notice. It puts this file in front of programs (NET_CONFIG). */
#ifndef BROKEN_CL_H
#define BROKEN_CL_H

#include <tenure_kernels.h>

/* Adds operand by operand into the result, which may lie on the first one. */
int broken_accumulating(const tenure_tensor *a, const tenure_tensor *b, const tenure_tensor *y,
                        const tenure_context *c);
/* Waits for nothing. */
int broken_hasty(const tenure_tensor *a, const tenure_tensor *b, const tenure_tensor *y,
                 const tenure_context *c);

#endif
