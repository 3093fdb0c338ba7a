#include "ir/left_out.h"

#include <string.h>

bool tn_is_not_given(const tn_value *v) {
    while (v != NULL) {
        const tn_op *call = v->kind == TN_VALUE_INPUT ? v->graph->owner : NULL;
        if (call == NULL || !tn_op_is_call(call)) {
            return false;
        }
        uint32_t i = 0;
        while (v->graph->inputs[i] != v) {
            i++;
        }
        v = tn_operand(call, i);
    }
    return true;
}

tn_left_out tn_left_out_of(const tn_module *m, const tn_value *v) {
    const tn_type *t = v->type;
    tn_dim bytes = tn_type_room(m->dims, t);
    int64_t n;
    if (v->unplanned != NULL && strcmp(v->unplanned, TN_NEVER_RUNS) == 0) {
        return TN_LEFT_UNUSED;
    }
    if (tn_is_not_given(v)) {
        return TN_LEFT_UNUSED;
    }
    if (bytes != TN_DIM_UNKNOWN) {
        return tn_dim_is_const(m->dims, bytes, &n) ? TN_LEFT_DATA : TN_LEFT_OPEN;
    }
    if (tn_type_too_large(m->dims, t)) {
        return TN_LEFT_DATA;
    }
    bool given = v->kind == TN_VALUE_INPUT && v->graph == m->main && t->kind == TN_TYPE_TENSOR;
    bool sized = given && t->dtype != TN_DT_UNKNOWN && t->dtype != TN_DT_STRING;
    return sized ? TN_LEFT_OPEN : TN_LEFT_DATA;
}
