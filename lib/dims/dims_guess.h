/* Numbers for an extent, guessed from what inference says about the one tried. */
#ifndef TENURE_LIB_DIMS_GUESS_H
#define TENURE_LIB_DIMS_GUESS_H

#include "ir/base/arena.h"

/* Two numbers that a warning says differ: one is fixed, one follows from the extent tried. */
typedef struct tn_unequal {
    int64_t a, b;
} tn_unequal;

typedef struct tn_unequals {
    TN_VEC(tn_unequal) pairs;
} tn_unequals;

enum { TN_MAX_GUESSES = 5 };

/* Adds what `text`, a rendered diagnostic, sets against each other: of "dimensions 1 and 784
 * differ" 1 and 784, of "f32[2,1], but the file says f32[2,4]" 1 and 4. Words in quotes are names
 * and do not count. */
void tn_unequals_read(tn_arena *arena, tn_unequals *u, const char *text);

/* Extents, at most TN_MAX_GUESSES, under which p.a and p.b would be equal if one of them is the sum
 * of the extent and a number, a multiple of it or a multiple of its square, given what they are for
 * `extent`. Returns how many. */
uint32_t tn_guess_extents(tn_unequal p, int64_t extent, int64_t *out);

#endif
