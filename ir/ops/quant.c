/* Quantisation: the operand's shape with another element type. */
#include "ir/infer/common.h"
#include "ir/ops/op_rules.h"

/* Named by attribute output_dtype, else by the zero point, else u8. */
void tn_shape_quantize(tn_infer *in) {
    tn_dtype fallback = tn_in_has(in, 2) ? tn_in_dtype(in, 2) : TN_DT_UINT8;
    bool named = tn_attr_int(in->op, "output_dtype", 0) != 0;
    tn_out_like(in, 0, named ? tn_attr_dtype(in, "output_dtype", fallback) : fallback, 0);
}

void tn_shape_dequantize(tn_infer *in) {
    tn_dtype fallback = tn_in_dtype(in, 1);
    bool named = tn_attr_int(in->op, "output_dtype", 0) != 0;
    tn_out_like(in, 0, named ? tn_attr_dtype(in, "output_dtype", fallback) : fallback, 0);
}

void tn_shape_dynamic_quantize(tn_infer *in) {
    tn_out_like(in, 0, TN_DT_UINT8, 0);
    tn_out_scalar(in, 1, TN_DT_FLOAT);
    tn_out_scalar(in, 2, TN_DT_UINT8);
}
