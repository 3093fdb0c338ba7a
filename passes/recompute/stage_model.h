/* From a module to its stages, and back. */
#ifndef TENURE_PASSES_RECOMPUTE_STAGE_MODEL_H
#define TENURE_PASSES_RECOMPUTE_STAGE_MODEL_H

#include "passes/core/pass.h"
#include "passes/recompute/picture.h"
#include "passes/recompute/stages.h"

typedef struct tn_stage_model {
    tn_stages p;           /* its values are by id */
    tn_op *const *at;      /* by stage */
    const uint32_t *place; /* by id of the model's ops: their stages */
} tn_stage_model;

typedef struct tn_stage_model_ask {
    const tn_picture *p;
    const bool *clonable; /* by op id */
    tn_inplace_kinds inplace;
} tn_stage_model_ask;

/* Of a module without clones, while the decisions that the picture is of stand in it. Linear. */
tn_stage_model *tn_stage_model_make(tn_arena *arena, const tn_stage_model_ask *ask);
/* Takes out all clones; the model's ops come to stand where they or clones of them are run first.
 */
void tn_stage_take_out(tn_arena *arena, tn_module *m);
/* The order and the clones that stand in the module. */
tn_stage_set tn_stage_model_read(tn_arena *arena, const tn_stage_model *model, const tn_module *m);
/* Makes the order and the clones of the set instead of those that stand in the module. */
void tn_stage_model_write(tn_arena *arena, const tn_stage_model *model, tn_module *m,
                          const tn_stage_set *set);

#endif
