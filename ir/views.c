#include "ir/views.h"

#include "ir/module.h"

bool tn_view_dropout_off(const tn_op *op) {
    if (tn_result(op, 1) != NULL || tn_attr_int(op, "is_test", 1) == 0) {
        return false;
    }
    /* From opset 12 on training_mode is operand 2; a value that is not a known false may be true.
     */
    const tn_value *mode = tn_operand(op, 2);
    if (mode == NULL) {
        return true;
    }
    const tn_tensor *t = tn_value_tensor(mode);
    return t != NULL && t->ints != NULL && t->n_elements == 1 && t->ints[0] == 0;
}
