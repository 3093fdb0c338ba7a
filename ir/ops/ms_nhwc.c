/* Ops of ONNX with channels last (com.ms.internal.nhwc). The op's own rule is run as if channels
 * came second, on a copy of the op that reads an image with its axes in that order; what it answers
 * is turned back. */
#include "ir/infer/common.h"
#include "ir/ops/op_rules.h"

static bool is_image(const tn_type *t) {
    return t != NULL && t->kind == TN_TYPE_TENSOR && t->has_rank && t->rank >= 3;
}

/* The type with its last axis put second, or its second one last. */
static const tn_type *turned(const tn_infer *in, const tn_type *t, bool last) {
    if (!is_image(t)) {
        return t;
    }
    uint32_t from = last ? 1 : t->rank - 1, to = last ? t->rank - 1 : 1, n = 0;
    tn_dim *dims = TN_ARRAY(in->scratch, tn_dim, t->rank);
    for (uint32_t i = 0; i < t->rank; i++) {
        n += n == to;
        if (i != from) {
            dims[n++] = t->dims[i];
        }
    }
    dims[to] = t->dims[from];
    return tn_type_tensor(in->arena, t->dtype, t->rank, dims);
}

/* Operands 0 to n_images - 1 are images, and so is every result of their rank. */
static void as_channels_first(tn_infer *in, tn_shape_fn rule, uint32_t n_images) {
    const tn_op *op = in->op;
    tn_op copy = *op;
    copy.operands = TN_ARRAY(in->scratch, tn_use, op->n_operands);
    for (uint32_t k = 0; k < op->n_operands; k++) {
        copy.operands[k] = op->operands[k];
        if (k < n_images && op->operands[k].value != NULL) {
            tn_value *image = TN_NEW(in->scratch, tn_value);
            *image = *op->operands[k].value;
            image->type = turned(in, image->type, false);
            copy.operands[k].value = image;
        }
    }
    in->op = &copy;
    rule(in);
    in->op = op;
    for (uint32_t r = 0; r < op->n_results; r++) {
        in->out[r] = turned(in, in->out[r], true);
    }
}

#define NHWC(name, n_images)                                                                       \
    void tn_shape_nhwc_##name(tn_infer *in) {                                                      \
        as_channels_first(in, tn_shape_##name, n_images);                                          \
    }
NHWC(conv, 1)
NHWC(conv_transpose, 1)
NHWC(qlinear_conv, 1)
NHWC(qlinear_conv_transpose, 1)
NHWC(pool, 1)
NHWC(global_pool, 1)
NHWC(batch_norm, 1)
NHWC(depth_to_space, 1)
NHWC(space_to_depth, 1)
NHWC(grid_sample, 1)

/* A shape given is that of the result as it is. */
void tn_shape_nhwc_max_unpool(tn_infer *in) {
    if (tn_in_has(in, 2)) {
        tn_shape_max_unpool(in);
    } else {
        as_channels_first(in, tn_shape_max_unpool, 2);
    }
}
