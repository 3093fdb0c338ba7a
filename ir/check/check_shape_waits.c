/* Shapes that only a run gives. A step that reads no bytes of an operand, only its shape, has the
 * writer of it in no list of reads: by data it might start first, and ask for extents that nobody
 * has found yet. */
#include "ir/check/check_t.h"

uint32_t tn_check_shape_from(const tn_checking *c, const tn_op *op, uint32_t k) {
    const tn_value *v = tn_shape_of_run(op, k);
    return v != NULL ? c->end[v->def->id] : TN_NO_ID;
}

static void check_step(tn_checking *c, tn_order *order, uint32_t step) {
    const tn_op *op = c->step_op[step];
    for (uint32_t k = 0; k < op->n_operands; k++) {
        uint32_t from = tn_check_shape_from(c, op, k);
        if (from != TN_NO_ID && tn_order_missing(order, step, &from, 1) != TN_NO_ID) {
            tn_check_fail(c,
                          "%s reads the shape of '%s', which only %s finds, but no hazard or data "
                          "dependence makes it wait",
                          tn_check_step_name(c, (int32_t)step), op->operands[k].value->name,
                          tn_check_step_name(c, (int32_t)from));
        }
    }
}

void tn_check_shape_waits(tn_checking *c) {
    tn_order *order = tn_order_new(c);
    for (uint32_t i = 0; i < c->p->n_steps; i++) {
        if (c->p->steps[i].kind != TN_STEP_END) {
            check_step(c, order, i);
        }
    }
}
