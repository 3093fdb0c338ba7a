/* Convolutions that work in another order than those of examples/firmware, and one that counts its
 * calls: harness_programs.py puts this file, behind tenure_kernels.h, in front of all others. */
#ifndef TARDY_KERNELS_H
#define TARDY_KERNELS_H

/* Writes zeros to all of its result before it reads anything. */
int tardy_filling(const tenure_Conv_11_attributes *a, const tenure_tensor *x,
                  const tenure_tensor *w, const tenure_tensor *b, const tenure_tensor *y,
                  const tenure_context *c);
/* Stores the elements of its result from the last to the first. */
int tardy_backwards(const tenure_Conv_11_attributes *a, const tenure_tensor *x,
                    const tenure_tensor *w, const tenure_tensor *b, const tenure_tensor *y,
                    const tenure_context *c);
/* Adds the number of the call to the first element. */
int tardy_counting(const tenure_Conv_11_attributes *a, const tenure_tensor *x,
                   const tenure_tensor *w, const tenure_tensor *b, const tenure_tensor *y,
                   const tenure_context *c);

#endif
