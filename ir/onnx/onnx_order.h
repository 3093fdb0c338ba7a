/* In which order an ONNX file holds the ops of a module. */
#ifndef TENURE_IR_ONNX_ONNX_ORDER_H
#define TENURE_IR_ONNX_ONNX_ORDER_H

#include "ir/onnx/onnx_file.h"

/* A graph is one list of nodes; the main graph may be several, with those of training algorithms
 * behind its own (tn_onnx_file.lists). A node stays in the list it was read from. Bodies of called
 * functions keep the order of the file, because all calls share it. */
typedef struct tn_onnx_order {
    tn_op **ops;     /* graph by graph; ops[first[g]] is the first of the graph of id g */
    uint32_t *first; /* by graph id, and one more */
    /* by op id */
    bool *listed;   /* is among `ops` */
    uint32_t *list; /* of which list, 0 but for training algorithms */
    uint32_t *node; /* index in that list */
    uint32_t *rank; /* index in its graph */
    /* of the last op of those that a fused one stands for, while the file has them: the fused one
     */
    const tn_op **stands_for;
    /* by graph id */
    bool *in_call; /* the body of a function, or inside one */
    bool *whole;   /* written from the module, because the file has it otherwise */
    bool moved;    /* some list has another order than in the file */
    bool changed;  /* there are other ops, attributes or names than in the file */
} tn_onnx_order;

/* The order of the module, or that of `schedule`, which lists all its ops: those of one graph come
 * in the order wanted, however they mix with others. In `arena`. */
const tn_onnx_order *tn_onnx_order_make(tn_arena *arena, const tn_module *m,
                                        tn_op *const *schedule);
/* That of the file, whatever passes have moved or fused. NULL where they have changed more. */
const tn_onnx_order *tn_onnx_order_of_file(tn_arena *arena, const tn_module *m);
/* Whether the names that field `number` (inputs or outputs) of a NodeProto lists are the op's. */
bool tn_onnx_same_names(const tn_onnx_file *file, tn_bytes node, uint32_t number, const tn_op *op);

#endif
