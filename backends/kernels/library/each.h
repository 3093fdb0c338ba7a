/* Kernels that apply a function to each element: each.c has the loops, and files have the
 * functions. A loop reads the element of all operands before it writes the result's, so the result
 * may lie on any of them. */
#ifndef EACH_H
#define EACH_H

#include "kernels.h"

/* `p` are the attributes that the function knows, maybe NULL. */
typedef float (*float_function)(float x, const float *p);
typedef int64_t (*whole_function)(int64_t x, const float *p);
typedef float (*float_pair)(float a, float b);
typedef int64_t (*whole_pair)(int64_t a, int64_t b);

int each_float(float_function f, const float *p, const tenure_tensor *x, const tenure_tensor *y);
/* f32 by `f`, integers by `g`; either may be NULL. */
int each_number(float_function f, whole_function g, const float *p, const tenure_tensor *x,
                const tenure_tensor *y);
/* The same for two operands that are broadcast; the result of a relation is of truths. */
int each_pair(float_pair f, whole_pair g, const tenure_tensor *a, const tenure_tensor *b,
              const tenure_tensor *y);
/* Functions of any number of operands, applied from the first to the last; Mean divides by their
 * number. */
int each_of_many(float_pair f, whole_pair g, int mean, const tenure_tensor *const *in, uint32_t n,
                 const tenure_tensor *y);
/* Up to operator set 6, `b` had to be broadcast on demand, its first axis lying beside `axis`:
 * written to `dims` and `out` is b as later definitions would have it. */
int old_broadcast(const tenure_tensor *b, const tenure_tensor *y, int64_t axis, int has,
                  tenure_dim *dims, tenure_tensor *out);
#define OLD_PAIR(op, version, function)                                                            \
    int tenure_##op##_##version(const tenure_##op##_##version##_attributes *attributes,            \
                                const tenure_tensor *a, const tenure_tensor *b,                    \
                                const tenure_tensor *y, const tenure_context *c) {                 \
        tenure_dim dims[MAX_RANK];                                                                 \
        tenure_tensor wide;                                                                        \
        int bad = old_broadcast(b, y, attributes->axis, attributes->has_axis, dims, &wide);        \
        (void)c;                                                                                   \
        return bad ? bad : function(a, &wide, y);                                                  \
    }

#endif
