/* What kernels give back when they cannot do their work: numbers with names, and which operand it
 * was. Shared with examples/opencl. */
#ifndef KERNEL_ERRORS_H
#define KERNEL_ERRORS_H

#include "tenure_kernels.h"

enum {
    KERNEL_ERROR_TYPE = 1, /* an element type that the kernel does not know */
    KERNEL_ERROR_SHAPE,    /* more axes than MAX_RANK, or extents that do not fit together */
    KERNEL_ERROR_VALUE,    /* an attribute, an element or a place that the kernel does not know */
    KERNEL_ERROR_WORKSPACE /* fewer bytes than the way of the step needs (docs/FACTS.md) */
};

/* Whether the last error is kept for kernel_last_error, with what it was about: a C program ends
 * with the number of the step alone. Kernels that fail at the same time share one place for it. */
#ifndef KERNEL_KEEPS_ERRORS
#define KERNEL_KEEPS_ERRORS 1
#endif

int kernel_error(int error);
/* KERNEL_ERROR_TYPE, with what the operands are and what the kernel knows instead. */
int kernel_bad_type(const char *known, const char *names, const tenure_tensor *a,
                    const tenure_tensor *b, const tenure_tensor *c);
#if KERNEL_KEEPS_ERRORS
#define KERNEL_BAD_SHAPE kernel_error(KERNEL_ERROR_SHAPE)
#define KERNEL_BAD_VALUE kernel_error(KERNEL_ERROR_VALUE)
#define KERNEL_NO_WORKSPACE kernel_error(KERNEL_ERROR_WORKSPACE)
#define BAD_TYPE(known, a) kernel_bad_type(known, #a, a, NULL, NULL)
#define BAD_TYPE2(known, a, b) kernel_bad_type(known, #a ", " #b, a, b, NULL)
#define BAD_TYPE3(known, a, b, c) kernel_bad_type(known, #a ", " #b ", " #c, a, b, c)
#else
#define KERNEL_BAD_SHAPE KERNEL_ERROR_SHAPE
#define KERNEL_BAD_VALUE KERNEL_ERROR_VALUE
#define KERNEL_NO_WORKSPACE KERNEL_ERROR_WORKSPACE
#define BAD_TYPE(known, a) KERNEL_ERROR_TYPE
#define BAD_TYPE2(known, a, b) KERNEL_ERROR_TYPE
#define BAD_TYPE3(known, a, b, c) KERNEL_ERROR_TYPE
#endif

#define KNOWS_F32 "f32"
#define KNOWS_WHOLE "integers and bool"
#define KNOWS_NUMBERS "f32, integers and bool"
#define KNOWS_QUANTISED "integers of 4 to 16 bits"
#define KNOWS_BYTES "elements of whole bytes"

/* "KERNEL_ERROR_TYPE", or NULL for a number that is not one of these. */
const char *kernel_error_name(int error);
/* All there is to say about the error that the last kernel gave back, piece by piece. */
void kernel_error_say(int error, void (*say)(const char *piece));
/* That of the last kernel that failed; 0 before. */
int kernel_last_error(void);
/* Both. */
void kernel_say_why(void (*say)(const char *piece));

#endif
