/* The meaning of a dim_param: a symbol, or an expression over symbols, which PyTorch's exporter
 * writes ("past + 1", "2*s0", "s0//2"). */
#ifndef TENURE_IR_ONNX_DIM_PARAM_H
#define TENURE_IR_ONNX_DIM_PARAM_H

#include "ir/dim/dim.h"

tn_dim tn_onnx_dim_param(tn_ctx *ctx, tn_dims *d, const char *param);

#endif
