/* Makes a failing case smaller: ops are taken out one by one, as long as what is left still fails.
 */
#ifndef TENURE_TESTS_RANDOM_SHRINK_H
#define TENURE_TESTS_RANDOM_SHRINK_H

#include <stdbool.h>

#include "ir/base/arena.h"

/* Whether a printed module fails (it may fail otherwise than at first). */
typedef bool (*shrink_test)(void *user, const char *text);

/* A text that fails and from which no single op can be taken, in `arena`. `text` fails. */
const char *shrink(tn_ctx *ctx, const char *text, shrink_test fails, void *user, tn_arena *arena);

#endif
