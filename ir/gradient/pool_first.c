#include "ir/gradient/pool_first.h"

#include "ir/mutate.h"
#include "ir/ops/op_attrs.h"

/* The MaxPool that alone reads what the op makes, or NULL. */
static tn_op *only_pool(const tn_op *op, const tn_value *loss) {
    const tn_value *unit = op->results[0];
    tn_op *pool = unit->n_uses == 1 ? unit->first_use->op : NULL;
    bool stays =
        unit == loss || (unit->flags & TN_VF_OUTPUT) != 0 || !tn_op_is_standard(pool, "MaxPool");
    if (stays || pool->graph != op->graph || pool->results[0] == loss) {
        return NULL;
    }
    return pool->n_results > 1 && pool->results[1] != NULL ? NULL : pool;
}

static void put_behind(tn_emitter *e, tn_op *unit, tn_op *pool) {
    tn_value *pooled = pool->results[0], *result = unit->results[0];
    const char *name = pooled->name;
    const char *stem = tn_internf(e->ctx, "%s_pooled", tn_operand(unit, 0)->name);
    tn_value_set_type(result, pooled->type);
    tn_replace_all_uses(pooled, result);
    tn_op_set_operand(pool, 0, tn_operand(unit, 0));
    tn_op_set_operand(unit, 0, pooled);
    tn_op_move_before(unit, pool->next);
    tn_value_set_name(pooled, tn_emit_name(e, stem));
    tn_value_set_name(result, name);
}

uint32_t tn_pool_first(tn_emitter *e, const tn_value *loss) {
    uint32_t n = 0;
    for (tn_op *op = e->m->main->first, *next; op != NULL; op = next) {
        next = op->next;
        for (tn_op *pool; tn_op_is_standard(op, "Relu") && (pool = only_pool(op, loss)) != NULL;
             n++) {
            put_behind(e, op, pool);
        }
    }
    return n;
}
