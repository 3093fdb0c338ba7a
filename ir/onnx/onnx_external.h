/* Tensors of a model that lie in files beside it. */
#ifndef TENURE_IR_ONNX_ONNX_EXTERNAL_H
#define TENURE_IR_ONNX_ONNX_EXTERNAL_H

#include "ir/module.h"

/* A model that is written into `folder` names these files as before, so those that are there have
 * to be in it too: the same files, not others of that name. Raises after an error that names one
 * that is not. */
void tn_onnx_demand_external(const tn_module *m, const char *folder);

#endif
