#include "tests/random/oracle_inside.h"

#include "tests/random/kernel.h"

const tn_plan_overlap *inside_find(const tn_plan *p, uint32_t y, uint32_t x) {
    const tn_plan_value *v = &p->values[y];
    for (uint32_t i = 0; i < v->n_overlaps; i++) {
        if (v->overlaps[i].value == x) {
            return &v->overlaps[i];
        }
    }
    return NULL;
}

static const tn_value *module_value(const tn_plan *p, const tn_module *m, uint32_t i) {
    return m->values[p->values[i].module_value];
}

/* The op that makes y and nothing else. */
static const tn_op *maker_of(const tn_value *y) {
    const tn_op *op = y->kind == TN_VALUE_RESULT ? y->def : NULL;
    for (uint32_t i = 0; op != NULL && i < op->n_results; i++) {
        op = op->results[i] == NULL || op->results[i] == y ? op : NULL;
    }
    return op != NULL && op->n_regions == 0 && y->def_index == 0 ? op : NULL;
}

static int64_t width_of(const tn_value *v) {
    return tn_dtype_get(v->type->dtype)->bits / 8;
}

typedef struct pair {
    const tn_op *op;
    const tn_value *y, *x;
    int64_t apart, unit; /* bytes */
    bool loose;
} pair;

/* Whether bytes of element e of the operand are still there when the unit of element i of the
 * result reads them. */
static bool is_still_there(const pair *p, int64_t i, int64_t e) {
    int64_t reading = kernel_place(p->y, i) * width_of(p->y) / p->unit;
    int64_t first = p->apart + kernel_place(p->x, e) * width_of(p->x);
    for (int64_t b = first; b < first + width_of(p->x); b++) {
        bool written = b >= 0; /* behind the result nothing is, but then units are later ones */
        if (written && (b / p->unit < reading || (p->loose && b / p->unit == reading))) {
            return false;
        }
    }
    return true;
}

static bool is_safe_at(const pair *p, uint32_t k, tn_arena *arena) {
    extents out, in;
    const bool *needs = kernel_needs(p->op, k, arena);
    if (needs == NULL || !kernel_extents(p->y, &out) || !kernel_extents(p->x, &in)) {
        return false;
    }
    for (int64_t i = 0; i < out.count; i++) {
        for (int64_t e = 0; e < in.count; e++) {
            if (needs[i * in.count + e] && !is_still_there(p, i, e)) {
                return false;
            }
        }
    }
    return true;
}

bool inside_is_safe(const tn_plan *p, const tn_module *m, uint32_t y, uint32_t x, int64_t apart,
                    tn_work_order order, tn_arena *arena) {
    pair at = {.y = module_value(p, m, y),
               .x = module_value(p, m, x),
               .apart = apart,
               .loose = order == TN_ORDER_ROWS};
    uint32_t n = 0;
    at.op = maker_of(at.y);
    at.unit = kernel_unit(at.y, order) * width_of(at.y);
    for (uint32_t k = 0; at.op != NULL && at.unit > 0 && k < at.op->n_operands; k++) {
        if (at.op->operands[k].value == at.x && kernel_reads(at.op, k)) {
            n++;
            if (!is_safe_at(&at, k, arena)) {
                return false;
            }
        }
    }
    return n > 0;
}

static bool is_claimed(const tn_plan *p, uint32_t y, const tn_plan_overlap *o) {
    const tn_plan_step *s = &p->steps[o->step];
    for (uint32_t i = 0; i < s->n_claims; i++) {
        const tn_plan_claim *c = &s->claims[i];
        if (c->promise == tn_promise_of_order(o->order) && c->result != TN_NO_ID &&
            s->results.data[c->result] == y && s->operands.data[c->operand] == o->value) {
            return true;
        }
    }
    return false;
}

const char *inside_check(const tn_plan *p, const tn_module *m, uint32_t y, const tn_plan_overlap *o,
                         tn_arena *arena) {
    const tn_plan_value *result = &p->values[y], *operand = &p->values[o->value];
    int64_t distance = (int64_t)o->distance;
    int64_t apart = (int64_t)(tn_plan_address(p, operand) - tn_plan_address(p, result));
    if (o->order == TN_ORDER_NONE || o->step != result->step || apart < distance) {
        return "begins elsewhere inside an operand than it says, or without an order";
    }
    if (!inside_is_safe(p, m, y, o->value, distance, o->order, arena)) {
        return "writes over an operand that is still to be read, at the distance it says";
    }
    if (distance > 0 && inside_is_safe(p, m, y, o->value, distance - 1, o->order, arena)) {
        return "could begin a byte later inside its operand than it says";
    }
    bool shared = apart < (int64_t)result->bytes && operand->bytes > 0;
    return shared && !is_claimed(p, y, o) ? "begins inside an operand, and claims no order" : NULL;
}
