/* What to plan a random module with: a pipeline and controls, drawn by chance, written to and read
 * from two lines of comment in front of a .tir text, so that a case is one file. */
#ifndef TENURE_TESTS_RANDOM_VARIANT_H
#define TENURE_TESTS_RANDOM_VARIANT_H

#include "ir/base/sink.h"
#include "ir/module.h"
#include "passes/core/controls.h"

typedef struct variant {
    const char *pipeline;
    tn_controls controls;
    const char *exclude[1]; /* what controls.exclude holds, when it holds something */
    const char *first[1];   /* what controls.layout_of holds, when it holds something */
    const char *twice[1];   /* what controls.double_buffer holds, likewise */
    tn_pool_wish pools[2];  /* what controls.places holds, likewise */
} variant;

/* Texts are in `arena`; names to exclude are taken from `m`. */
variant *variant_draw(tn_arena *arena, uint64_t seed, const tn_module *m);
/* After the line "tir 1". */
void variant_print(const variant *v, tn_sink *out);
/* NULL when the text does not hold those lines. */
variant *variant_read(tn_arena *arena, const char *text);

#endif
