/* Numbers of programs that are loaded where dimensions are open. */
#include <inttypes.h>

#include "backends/core/program.h"

bool tn_cp_has_open_extents(const tn_cp *c, uint32_t value) {
    bool any = false;
    for (uint32_t i = 0; c->open != NULL && i < c->p->values[value].rank; i++) {
        any = any || c->open->values[value].extents[i] != TN_NO_ID;
    }
    return any;
}

void tn_cp_put_extent(const tn_cp *c, uint32_t value, uint32_t axis) {
    uint32_t at = c->open != NULL ? c->open->values[value].extents[axis] : TN_NO_ID;
    if (at == TN_NO_ID) {
        tn_putf(c->out, "%" PRId64, c->p->values[value].dims[axis]);
    } else {
        tn_putf(c->out, "(tenure_dim)m->layout->number[%" PRIu32 "]", at);
    }
}

void tn_cp_put_value_bytes(const tn_cp *c, uint32_t value) {
    if (c->open == NULL || c->open->values[value].bytes == TN_NO_ID) {
        tn_putf(c->out, "%" PRIu64 "u", c->p->values[value].bytes);
    } else {
        tn_putf(c->out, "%s_SIZE(m->layout, %s_%s)", c->macro, c->macro, c->ids.values[value]);
    }
}
