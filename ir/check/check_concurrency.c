/* What a plan says of steps that run side by side. A plan for any order, or for queues, must need
 * no further order: then the closure of data dependences and queues (ir/check/check_order.c), in
 * which all overwriting has to be ordered, holds whatever the runtime does. Only ops that write
 * over an operand and name no result for it, and those that read a shape which a run gives, have an
 * order that no data tell. */
#include "ir/base/limits.h"
#include "ir/check/check_t.h"

static bool writes_unnamed(const tn_checking *c, uint32_t step) {
    const tn_op *op = c->step_op[step];
    for (uint32_t k = 0; k < op->n_operands; k++) {
        if (op->operands[k].value != NULL && tn_op_writes_operand(op, k)) {
            return true;
        }
    }
    return false;
}

static bool gives_shape(const tn_checking *c, uint32_t from, uint32_t step) {
    const tn_op *op = c->step_op[step];
    bool gives = false;
    for (uint32_t k = 0; k < op->n_operands && c->p->steps[step].kind != TN_STEP_END; k++) {
        gives = gives || tn_check_shape_from(c, op, k) == from;
    }
    return gives;
}

static void check_hazards(tn_checking *c, uint32_t step) {
    tn_ids hazards = c->p->steps[step].hazards;
    for (uint32_t i = 0; i < hazards.len; i++) {
        if (!writes_unnamed(c, step) && !writes_unnamed(c, hazards.data[i]) &&
            !gives_shape(c, hazards.data[i], step)) {
            tn_check_fail(c,
                          "%s has to wait for %s, which neither data nor %s say: the plan is not "
                          "for %s",
                          tn_check_step_name(c, (int32_t)step),
                          tn_check_step_name(c, (int32_t)hazards.data[i]),
                          c->p->concurrency == TN_QUEUES ? "queues" : "an op's definition",
                          c->p->concurrency == TN_QUEUES ? "these queues"
                                                         : "any order that data allow");
            return;
        }
    }
}

/* What lies inside an op runs where the op does, so that its bodies have one order. */
static void check_queue(tn_checking *c, uint32_t step) {
    const tn_plan_step *s = &c->p->steps[step];
    const tn_op *op = c->step_op[step], *owner = op->graph->owner;
    uint32_t around = owner != NULL ? c->begin[owner->id] : c->begin[op->id];
    if (s->queue >= c->p->n_queues && c->p->concurrency == TN_QUEUES) {
        tn_check_fail(c, "%s runs in queue %u of %u", tn_check_step_name(c, (int32_t)step),
                      s->queue, c->p->n_queues);
    } else if (s->queue != c->p->steps[around].queue) {
        tn_check_fail(c, "%s runs in queue %u, and %s around it in queue %u",
                      tn_check_step_name(c, (int32_t)step), s->queue,
                      tn_check_step_name(c, (int32_t)around), c->p->steps[around].queue);
    } else if (s->queue != 0 && c->p->concurrency != TN_QUEUES) {
        tn_check_fail(c, "%s runs in queue %u of a plan without queues",
                      tn_check_step_name(c, (int32_t)step), s->queue);
    }
}

void tn_check_concurrency(tn_checking *c) {
    const tn_plan *p = c->p;
    bool queues = p->concurrency == TN_QUEUES;
    if (queues ? p->n_queues == 0 || p->n_queues > TN_MAX_QUEUES : p->n_queues != 0) {
        tn_check_fail(c, "the plan has %u queues", p->n_queues);
    }
    for (uint32_t i = 0; i < p->n_steps && c->n_reports == 0; i++) {
        check_queue(c, i);
        if (p->concurrency != TN_SERIAL) {
            check_hazards(c, i);
        }
    }
}

void tn_check_depth(tn_checking *c) {
    const tn_plan *p = c->p;
    const tn_plan_report *r = &p->report;
    bool any = r->depth != 0 || r->data_depth != 0 || r->serial != 0;
    if (p->concurrency == TN_SERIAL) {
        if (any) {
            tn_check_fail(c, "the report has figures of steps side by side, and the plan has none");
        }
        return;
    }
    uint32_t depth = tn_order_depth(tn_order_new(c));
    if (r->depth != depth || r->data_depth > depth ||
        (p->concurrency == TN_DATAFLOW && r->data_depth != depth)) {
        tn_check_fail(c,
                      "the report says %u steps come one after the other, %u by data alone; the "
                      "plan has %u",
                      r->depth, r->data_depth, depth);
    }
}
