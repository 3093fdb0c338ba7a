/* What the inputs of a model leave open, and numbers for it that suit the model. */
#ifndef TENURE_LIB_DIMS_EXAMPLE_H
#define TENURE_LIB_DIMS_EXAMPLE_H

#include "ir/base/file.h"
#include "ir/module.h"

/* An input with a dimension that is not even named, or with no rank: only --input-shape settles
 * it. */
typedef struct tn_open_input {
    const char *name;
    bool ranked;
    uint32_t rank;
    int64_t *dims; /* for --input-shape: -1 for what is known or named; NULL without a rank */
} tn_open_input;

/* `symbols[i]` is to be `values[i]`. tn_dims_example fills in values and the dims of inputs. */
typedef struct tn_open_model {
    const char *path;
    tn_bytes bytes; /* of the file: it is read many times */
    TN_VEC(const char *) symbols;
    TN_VEC(tn_open_input) inputs;
    int64_t *values;
    uint32_t n_misfits; /* warnings of inference that other numbers might not give */
} tn_open_model;

/* Looks for small numbers that the shape rules accept and under which as many values as possible
 * get a size and elements, and no op broadcasts an extent that is 1 for them alone: 1 everywhere,
 * else the smallest power of two that does better, then for one extent after the other what
 * inference says it should be, or a small number that does better, and 1 again wherever that does
 * no harm. The ops inferred are counted and bounded (n_ops: those of the model). Returns the module
 * with types inferred under them (tn_module_drop), silently NULL when it cannot be loaded so. */
tn_module *tn_dims_example(tn_arena *arena, tn_open_model *open, uint32_t n_ops);

/* Shows what inference says under the numbers found, or why the model cannot be loaded so. */
void tn_dims_say_misfits(tn_arena *arena, tn_open_model *open);

#endif
