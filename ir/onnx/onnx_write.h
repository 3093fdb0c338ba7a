/* A module as an ONNX model. What the file it was read from has and nobody changed is copied byte
 * for byte, unknown fields and their order included; where nothing was changed, the result is that
 * file. A module that comes from elsewhere is written in full. Entries of metadata with keys
 * "tenure.plan.KEY" are left out, wherever they are: they are of another plan. */
#ifndef TENURE_IR_ONNX_ONNX_WRITE_H
#define TENURE_IR_ONNX_ONNX_WRITE_H

#include "ir/onnx/onnx_order.h"

/* What metadata is asked for: one of these, the others NULL. */
typedef struct tn_onnx_part {
    const tn_module *module;
    const tn_graph *graph; /* bodies of functions are not asked for, nor what is in them */
    const tn_op *op;
    const tn_value *value;
} tn_onnx_part;

typedef struct tn_onnx_notes tn_onnx_notes; /* of one part, while it is written */

typedef struct tn_onnx_noting {
    /* Adds metadata to a part by tn_onnx_note, or none. */
    void (*fn)(void *user, const tn_onnx_part *part, tn_onnx_notes *to);
    void *user;
} tn_onnx_noting;

/* The texts are copied. */
void tn_onnx_note(tn_onnx_notes *to, const char *key, const char *text, size_t len);
/* `noting` may be NULL. Raises after a located error where something cannot be written: elements
 * that nobody knows, an op without a version. */
void tn_onnx_write(const tn_module *m, const tn_onnx_order *order, const tn_onnx_noting *noting,
                   tn_sink *out);

#endif
