/* Random valid modules, for tests: branches, views of all kinds, chances to write in place,
 * broadcasts, nested If, Loop and Scan with captures, shared constants, outputs that are read
 * inside too, values nobody reads, one tensor twice in one op, several element types down to two
 * bits, values of unknown size, training steps with a backward part, and in some of them images
 * with windows over them. Equal seeds give equal
 * modules.
 */
#ifndef TENURE_TESTS_RANDOM_GEN_H
#define TENURE_TESTS_RANDOM_GEN_H

#include "ir/build.h"

typedef struct gen_module {
    tn_module *m;
    /* By value id: the type the value has by its op's definition, worked out here and not by the
     * library's rules; NULL where it depends on data or is left open. */
    const tn_type **expected;
} gen_module;

/* About `n_ops` ops, those of nested graphs included. Everything is kept as long as the module.
 * `symbols`: some extents of inputs are symbols, which stand for any number from 1 on. */
gen_module gen_make(tn_ctx *ctx, uint64_t seed, uint32_t n_ops, bool symbols);

#endif
