/* Where the parts of a module lie in the ONNX file it was read from, so that a model can be written
 * with everything unchanged as it was there (ir/onnx/onnx_write.h). The frontend fills it. */
#ifndef TENURE_IR_ONNX_ONNX_FILE_H
#define TENURE_IR_ONNX_ONNX_FILE_H

#include "ir/module.h"
#include "ir/onnx/wire.h"

/* Messages by id of what was made from them, without their tags. What came later has an id behind
 * the last; one that the file does not hold, or that the frontend left out, has no data. */
typedef struct tn_onnx_file {
    tn_wire_src src;
    TN_VEC(tn_bytes) graphs;  /* GraphProto, or FunctionProto for the body of a call */
    TN_VEC(tn_bytes) ops;     /* NodeProto */
    TN_VEC(tn_bytes) tensors; /* by value: the TensorProto of an initializer */
    /* The lists of nodes that are the main graph: its own, then those of training algorithms. */
    TN_VEC(tn_bytes) lists;
    const char **names;              /* of values, as the file has them */
    uint64_t stamps[TN_FACET_COUNT]; /* of the module */
    /* When all was read: values, outputs of the main graph, operator sets imported. */
    uint32_t n_values, n_outputs, n_opsets;
} tn_onnx_file;

static inline const tn_bytes *tn_onnx_message_of_op(const tn_op *op) {
    const tn_onnx_file *f = op->graph->module->onnx;
    bool has = f != NULL && op->id < f->ops.len && f->ops.data[op->id].data != NULL;
    return has ? &f->ops.data[op->id] : NULL;
}

#endif
