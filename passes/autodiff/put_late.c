#include "passes/autodiff/put_late.h"

#include "ir/mutate.h"
#include "ir/walk.h"

static bool reads_any(const tn_op *op, const bool *values) {
    bool any = false;
    for (uint32_t i = 0; i < op->n_operands; i++) {
        const tn_value *v = op->operands[i].value;
        any |= v != NULL && values[v->id];
    }
    return any;
}

static void mark_results(const tn_op *op, bool *values) {
    for (uint32_t r = 0; r < op->n_results; r++) {
        if (op->results[r] != NULL) {
            values[op->results[r]->id] = true;
        }
    }
}

/* The op of the main graph that holds the first reader; NULL: there is none. */
static tn_op *first_reader(const tn_op *op, const uint32_t *place) {
    tn_op *first = NULL;
    for (uint32_t r = 0; r < op->n_results; r++) {
        const tn_value *v = op->results[r];
        for (const tn_use *u = v != NULL ? v->first_use : NULL; u != NULL; u = u->next) {
            tn_op *reader = u->op;
            while (reader->graph->owner != NULL) {
                reader = reader->graph->owner;
            }
            first = first == NULL || place[reader->id] < place[first->id] ? reader : first;
        }
    }
    return first;
}

void tn_put_late(tn_module *m, uint32_t first, uint32_t end, const tn_value *seed,
                 tn_arena *scratch) {
    bool *flows = TN_ARRAY(scratch, bool, m->n_values),
         *waits = TN_ARRAY(scratch, bool, m->n_values);
    uint32_t *place = TN_ARRAY(scratch, uint32_t, m->n_ops), n = 0;
    tn_op **moved = TN_ARRAY(scratch, tn_op *, m->n_ops);
    flows[seed->id] = true;
    TN_FOR_OPS(op, m->main) {
        if (reads_any(op, flows) || op->n_regions > 0) {
            mark_results(op, flows);
        } else if ((op->id >= first && op->id < end) || reads_any(op, waits)) {
            mark_results(op, waits);
            moved[n++] = op;
        }
    }
    while (n-- > 0) {
        uint32_t at = 0;
        TN_FOR_OPS(op, m->main) {
            place[op->id] = at++;
        }
        tn_op_move_before(moved[n], first_reader(moved[n], place));
    }
}
