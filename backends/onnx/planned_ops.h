/* Private to backends/onnx: which ops of the model the steps of a plan are. */
#ifndef TENURE_BACKENDS_ONNX_PLANNED_OPS_H
#define TENURE_BACKENDS_ONNX_PLANNED_OPS_H

#include "backends/core/backend.h"

typedef struct tn_planned_ops {
    tn_op **of_step;  /* the op of each step; of a clone that of the node */
    tn_op **schedule; /* all ops in planned order, and NULL behind them */
} tn_planned_ops;

/* In `arena`. Raises after an error for a plan of another model. */
tn_planned_ops tn_planned_ops_find(tn_arena *arena, const tn_plan *p, const tn_module *m);

#endif
