/* Normalisation, dropout and losses: the first result has the operand's shape (or is a loss), the
 * others hold statistics. */
#include <string.h>

#include "ir/infer/common.h"
#include "ir/ops/op_rules.h"

/* All statistics are vectors over the channels, whatever they are called in a version. */
void tn_shape_batch_norm(tn_infer *in) {
    tn_out_type(in, 0, tn_in_type(in, 0));
    tn_dim channels = tn_in_dim(in, 1, 0);
    if (channels == TN_DIM_UNKNOWN) {
        channels = tn_in_dim(in, 0, 1);
    }
    for (uint32_t r = 1; r < in->op->n_results; r++) {
        tn_out_vector(in, r, tn_in_dtype_any(in, 3, 2), channels);
    }
}

/* The mask has the operand's element type before opset 10. */
void tn_shape_dropout(tn_infer *in) {
    tn_out_type(in, 0, tn_in_type(in, 0));
    tn_out_like(in, 1, tn_before(in, 10) ? tn_in_dtype(in, 0) : TN_DT_BOOL, 0);
}

/* Mean and deviation keep the leading axes; the normalised ones become 1. */
void tn_shape_layer_norm(tn_infer *in) {
    uint32_t rank, axis;
    tn_dtype stash = tn_attr_dtype(in, "stash_type", TN_DT_FLOAT);
    tn_out_type(in, 0, tn_in_type(in, 0));
    tn_dim *dims = tn_in_dims(in, 0, 0, &rank);
    if (dims == NULL) {
        tn_out_unranked(in, 1, stash);
        tn_out_unranked(in, 2, stash);
        return;
    }
    if (!tn_in_axis(in, tn_attr_int(in->op, "axis", -1), rank, &axis)) {
        return;
    }
    for (uint32_t i = axis; i < rank; i++) {
        dims[i] = tn_in_const(in, 1);
    }
    tn_out(in, 1, stash, rank, dims);
    tn_out(in, 2, stash, rank, dims);
}

/* A scalar, or with reduction "none" one loss for each target. */
static void out_loss(tn_infer *in) {
    if (strcmp(tn_attr_string(in->op, "reduction", "mean"), "none") == 0) {
        tn_out_like(in, 0, tn_in_dtype(in, 0), 1);
    } else {
        tn_out_scalar(in, 0, tn_in_dtype(in, 0));
    }
}

void tn_shape_nll_loss(tn_infer *in) {
    out_loss(in);
}

/* Exporters of training graphs that never look at the loss keep only the second result, and its
 * name. */
static bool is_log_prob(const tn_infer *in) {
    const tn_value *only = tn_result(in->op, 0);
    return in->op->n_results == 1 && only != NULL && strstr(only->name, "log_prob") != NULL;
}

void tn_shape_softmax_loss(tn_infer *in) {
    if (is_log_prob(in)) {
        tn_out_type(in, 0, tn_in_type(in, 0));
        return;
    }
    out_loss(in);
    tn_out_type(in, 1, tn_in_type(in, 0));
}

/* Statistics of the batch, whoever takes the running ones. Up to opset 13 results are what asks for
 * those of the batch. */
bool tn_updates_apart_batch_norm(const tn_op *op) {
    return tn_attr_int(op, "training_mode", 0) != 0;
}

/* Up to opset 6 it drops unless is_test is set; from 12 on where operand 2, training_mode, is not a
 * known false; in between never. */
bool tn_view_dropout_off(const tn_op *op) {
    if (tn_result(op, 1) != NULL || tn_attr_int(op, "is_test", op->version >= 7) == 0) {
        return false;
    }
    const tn_value *mode = tn_operand(op, 2);
    if (mode == NULL) {
        return true;
    }
    const tn_tensor *t = tn_value_tensor(mode);
    return t != NULL && t->ints != NULL && t->n_elements == 1 && t->ints[0] == 0;
}
