#include "ir/views.h"

#include "ir/module.h"

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
