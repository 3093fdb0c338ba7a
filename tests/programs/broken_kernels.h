/* Kernels that break what plans rest on, each in one way: model_programs.py has to notice. It
 * puts this file, behind tenure_kernels.h, in front of all others. */
#ifndef BROKEN_KERNELS_H
#define BROKEN_KERNELS_H

/* Adds operand by operand into the result, which may lie on the first one. */
int broken_accumulating(const tenure_tensor *a, const tenure_tensor *b, const tenure_tensor *y,
                        const tenure_context *c);
/* Reads elements of the operand again after it has written them in the result's place. */
int broken_rereading(const tenure_Softmax_11_attributes *a, const tenure_tensor *x,
                     const tenure_tensor *y, const tenure_context *c);
/* Fills up its last vector with zeros. */
int broken_overshooting(const tenure_Softmax_11_attributes *a, const tenure_tensor *x,
                        const tenure_tensor *y, const tenure_context *c);
/* Leaves what does not fill a vector as it is. */
int broken_unfinished(const tenure_tensor *x, const tenure_tensor *y, const tenure_context *c);
/* Finds nothing, and does not say so. */
int broken_silent(const tenure_tensor *x, const tenure_tensor *y, const tenure_context *c);

#endif
