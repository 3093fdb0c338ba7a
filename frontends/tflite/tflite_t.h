/* What the parts of the TFLite frontend share. */
#ifndef TENURE_FRONTENDS_TFLITE_TFLITE_T_H
#define TENURE_FRONTENDS_TFLITE_TFLITE_T_H

#include "frontends/core/frontend.h"
#include "ir/build.h"
#include "ir/tflite/tflite_file.h"

typedef struct tn_tflite {
    tn_ctx *ctx;
    tn_arena *arena; /* scratch */
    tn_flat_src src;
    tn_flat_table root, subgraph;
    tn_flat_vector codes, buffers, tensors;
    tn_module *m;
    tn_value **values; /* by tensor; NULL before anything has made it */
    const char **names;
    uint64_t n_items;   /* operands and results so far */
    tn_map variables;   /* by name: tensor of the first handle of a variable */
    tn_map users;       /* by tensor that is a variable: id of the last op that uses it */
    const char *shared; /* a variable of several ops, or NULL */
    tn_map first;       /* by tensor that is a handle: that of the first, if it is another */
} tn_tflite;

/* Gives tensors the names of values: those of the file where these are there and differ. */
void tn_tflite_name(tn_tflite *r);
const tn_type *tn_tflite_type(tn_tflite *r, const tn_flat_table *tensor, uint32_t index);
/* Raises where there is no tensor of that number; `what` names it in the message. */
uint32_t tn_tflite_index(tn_tflite *r, const tn_loc *loc, const char *what, int32_t index);
/* A tensor that is there before anything runs, or was made; NULL when it is neither. */
tn_value *tn_tflite_find(tn_tflite *r, uint32_t index);

#endif
