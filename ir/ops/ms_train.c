/* Losses, optimizers and other ops of training graphs. */
#include <string.h>

#include "ir/infer/common.h"
#include "ir/ops/op_rules.h"

static bool is_reduced(const tn_infer *in) {
    return strcmp(tn_attr_string(in->op, "reduction", "mean"), "none") != 0;
}

/* Result 0: a number, or one an element of operand `each` when nothing is summed. */
static void out_loss(tn_infer *in, uint32_t each) {
    tn_dtype dtype = tn_attr_dtype(in, "output_type", tn_in_dtype(in, 0));
    if (is_reduced(in)) {
        tn_out_scalar(in, 0, dtype);
    } else {
        tn_out_like(in, 0, dtype, each);
    }
    tn_out_like(in, 1, dtype, 0);
}

void tn_shape_train_loss(tn_infer *in) {
    out_loss(in, 0);
}

void tn_shape_train_sparse_loss(tn_infer *in) {
    out_loss(in, 1);
}

void tn_shape_ms_bias_softmax_dropout(tn_infer *in) {
    tn_out_type(in, 0, tn_in_type(in, 0));
    tn_out_like(in, 1, TN_DT_BOOL, 0);
    tn_out_type(in, 2, tn_in_type(in, 0));
}

void tn_shape_batch_norm_internal(tn_infer *in) {
    tn_out_type(in, 0, tn_in_type(in, 0));
    for (uint32_t r = 1; r < 5; r++) {
        tn_out_type(in, r, tn_in_type(in, 3));
    }
}

void tn_shape_scalar_f32(tn_infer *in) {
    tn_out_scalar(in, 0, TN_DT_FLOAT);
}

void tn_shape_same_u8(tn_infer *in) {
    tn_out_like(in, 0, TN_DT_UINT8, 0);
}

void tn_shape_same_f16(tn_infer *in) {
    tn_out_like(in, 0, TN_DT_FLOAT16, 0);
}

void tn_shape_gist_pack1(tn_infer *in) {
    tn_dim elements = tn_type_elements(in->dims, tn_in_type(in, 0));
    tn_out_vector(in, 0, TN_DT_UINT8, tn_dim_ceildiv(in->dims, elements, tn_in_const(in, 8)));
}

/* ---- the border to the host program ---- */

static bool listed(const tn_infer *in, const char *attr, int64_t value) {
    uint32_t n;
    const int64_t *ints = tn_attr_ints(in->op, attr, &n);
    for (uint32_t i = 0; ints != NULL && i < n; i++) {
        if (ints[i] == value) {
            return true;
        }
    }
    return false;
}

/* Differentiable operands have a gradient each, in order. One that is not promised in full shape
 * may be any tensor that broadcasts to it. */
void tn_shape_yield_op(tn_infer *in) {
    uint32_t r = 0;
    for (uint32_t k = 0; k < in->op->n_operands && r < in->op->n_results; k++) {
        if (listed(in, "non_differentiable_outputs", k)) {
            continue;
        }
        if (listed(in, "full_shape_outputs", k)) {
            tn_out_type(in, r, tn_in_type(in, k));
        } else {
            tn_out_unranked(in, r, tn_in_dtype(in, k));
            tn_out_dynamic(in, r, "the host program chooses the shape of this gradient");
        }
        r++;
    }
}

static void out_listed(tn_infer *in, uint32_t first) {
    uint32_t n_types, n_ranks;
    const int64_t *types = tn_attr_ints(in->op, "output_tensor_types", &n_types);
    const int64_t *ranks = tn_attr_ints(in->op, "output_tensor_ranks", &n_ranks);
    for (uint32_t r = first; r < in->op->n_results; r++) {
        uint32_t i = r - first;
        tn_dtype dtype = i < n_types ? tn_dtype_numbered(types[i]) : TN_DT_UNKNOWN;
        if (ranks != NULL && i < n_ranks && ranks[i] >= 0 && ranks[i] < INT32_MAX) {
            tn_out_rank(in, r, dtype, (uint32_t)ranks[i]);
        } else {
            tn_out_unranked(in, r, dtype);
        }
        tn_out_dynamic(in, r, "a function of the host program chooses the shape");
    }
}

/* Result 0 is the address of the function's saved state. */
void tn_shape_python_op(tn_infer *in) {
    tn_out_scalar(in, 0, TN_DT_INT64);
    out_listed(in, 1);
}

void tn_shape_python_op_grad(tn_infer *in) {
    out_listed(in, 0);
}

void tn_shape_recv(tn_infer *in) {
    uint32_t n;
    const int64_t *types = tn_attr_ints(in->op, "element_types", &n);
    tn_out_scalar(in, 0, TN_DT_BOOL);
    for (uint32_t r = 1; r < in->op->n_results; r++) {
        tn_out_unranked(in, r, r - 1 < n ? tn_dtype_numbered(types[r - 1]) : TN_DT_UNKNOWN);
        tn_out_dynamic(in, r, "another process chooses the shape");
    }
}

/* ---- optimizers ---- */

static void out_flag(tn_infer *in) {
    tn_out_vector(in, 0, TN_DT_BOOL, tn_in_const(in, 1));
}

void tn_shape_accumulator_v2(tn_infer *in) {
    out_flag(in);
    tn_out_type(in, 1, tn_in_type(in, 0));
}

void tn_shape_sequence_optimizer(tn_infer *in) {
    out_flag(in);
    tn_out_type(in, 1, tn_in_type(in, 1));
}

void tn_shape_adamw_optimizer(tn_infer *in) {
    out_flag(in);
    tn_out_type(in, 1, tn_in_type(in, 2));
    tn_out_type(in, 2, tn_in_type(in, 4));
    tn_out_type(in, 3, tn_in_type(in, 5));
}

void tn_shape_adam_optimizer(tn_infer *in) {
    static const uint8_t operand_of[] = {1, 4, 5, 2, 3, 6};
    for (uint32_t r = 0; r < in->op->n_results && r < sizeof operand_of; r++) {
        tn_out_type(in, r, tn_in_type(in, operand_of[r]));
    }
}

/* Operand 4 is the step. Then come groups of weight, gradient, two moments and a weight in half
 * precision, as results (after the new step) and as operands. */
void tn_shape_lamb_optimizer(tn_infer *in) {
    tn_out_type(in, 0, tn_in_type(in, 4));
    for (uint32_t r = 1; r < in->op->n_results; r++) {
        tn_out_type(in, r, tn_in_type(in, r + 4));
    }
}

/* With fuse_outputs all results lie in one vector. */
void tn_shape_mixed_precision_scale(tn_infer *in) {
    tn_dtype dtype = tn_attr_dtype(in, "to", TN_DT_UNKNOWN);
    if (tn_attr_int(in->op, "fuse_outputs", 0) == 0) {
        for (uint32_t r = 0; r < in->op->n_results; r++) {
            tn_out_like(in, r, dtype, r + 1);
        }
        return;
    }
    tn_dim total = tn_in_const(in, 0);
    for (uint32_t k = 1; k < in->op->n_operands; k++) {
        total = tn_dim_add(in->dims, total, tn_type_elements(in->dims, tn_in_type(in, k)));
    }
    tn_out_vector(in, 0, dtype, total);
}
