/* What a C program that tenure has written takes beside its pools: code and stack, estimated from
 * its text; and the kernels that it leaves to others. */
#ifndef TENURE_LIB_PROGRAM_SIZE_H
#define TENURE_LIB_PROGRAM_SIZE_H

#include "ir/base/arena.h"

/* Bytes, of a 32-bit machine without vectors (a Cortex-M at -O2), for which bench/fit.py holds them
 * against the compiler's: code is mostly within a third, the stack is no less than the compiler's.
 */
typedef struct tn_program_size {
    uint64_t code, stack;
    const char *missing; /* " tenure_A tenure_B": kernels that are not in it; "" for none */
} tn_program_size;

/* `text` is that of the main file of backend c-program; what is given lies in `arena`. */
tn_program_size tn_program_size_of(tn_arena *arena, const char *text);

#endif
