/* Numbers of programs that are loaded where dimensions are open. */
#include <inttypes.h>

#include "backends/core/found.h"
#include "ir/plan/forms.h"

bool tn_cp_has_open_extents(const tn_cp *c, uint32_t value) {
    bool any = tn_found_has(c, value);
    for (uint32_t i = 0; c->open != NULL && i < c->p->values[value].rank; i++) {
        any = any || c->open->values[value].extents[i] != TN_NO_ID;
    }
    return any;
}

void tn_cp_put_extent(const tn_cp *c, uint32_t value, uint32_t axis) {
    if (tn_found_at(c, value, axis)) {
        tn_found_put(c, value, axis);
    } else {
        tn_cp_put_most(c, value, axis);
    }
}

void tn_cp_put_most(const tn_cp *c, uint32_t value, uint32_t axis) {
    uint32_t at = c->open != NULL ? c->open->values[value].extents[axis] : TN_NO_ID;
    if (at == TN_NO_ID) {
        tn_putf(c->out, "%" PRId64, tn_plan_extent_at_most(c->limits, &c->p->values[value], axis));
    } else {
        tn_putf(c->out, "(tenure_dim)%s->number[%" PRIu32 "]", c->layout, at);
    }
}

void tn_cp_put_value_bytes(const tn_cp *c, uint32_t value) {
    if (c->open == NULL || c->open->values[value].bytes == TN_NO_ID) {
        tn_putf(c->out, "%" PRIu64 "u", c->p->values[value].bytes);
    } else {
        tn_putf(c->out, "%s_SIZE(%s, %s_%s)", c->macro, c->layout, c->macro, c->ids.values[value]);
    }
}
