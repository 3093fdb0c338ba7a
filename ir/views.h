/* Extra conditions of views that depend on attributes or operand types: VIEW_IF(test) in
 * ir/ops/ops.def. Each must answer false when it is not sure. */
#ifndef TENURE_IR_VIEWS_H
#define TENURE_IR_VIEWS_H

#include <stdbool.h>

struct tn_op;

bool tn_view_dropout_off(const struct tn_op *op); /* no mask result, not in training mode */

#endif
