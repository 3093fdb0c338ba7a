/* Programs of plans with open dimensions: the layout that the caller gives. */
#include <inttypes.h>

#include "backends/c_program/program_t.h"
#include "backends/core/set_ids.h"

bool tn_cp_has_array(const tn_cp *c, uint32_t pool) {
    const tn_open *o = c->open;
    if (c->n_layouts > 0) {
        return c->p->pools[pool].size != TN_NO_SIZE;
    }
    return o == NULL || o->pool_row[pool] == TN_NO_ID ||
           (o->pool_max != NULL && o->pool_max[pool] <= c->largest);
}

static void put_extent_check(const tn_cp *c) {
    const tn_ids *extents = &c->open->extents;
    if (extents->len == 0) {
        return;
    }
    tn_put(c->out, "    {\n        static const uint32_t extents[] = {");
    for (uint32_t i = 0; i < extents->len; i++) {
        tn_putf(c->out, "%s%" PRIu32 "u", i > 0 ? ", " : "", extents->data[i]);
    }
    tn_put(c->out, "};\n        size_t i;\n"
                   "        for (i = 0; i < sizeof extents / sizeof extents[0]; i++) {\n");
    tn_putf(c->out,
            "            if (%s->number[extents[i]] !=\n"
            "                (tenure_dim)%s->number[extents[i]]) {\n",
            c->layout, c->layout);
    tn_cp_put(c, "                return @M_TOO_LARGE; /* compile with -DTENURE_DIM=int64_t */\n"
                 "            }\n        }\n    }\n");
}

void tn_cp_put_layout_check(const tn_cp *c) {
    if (c->open != NULL) {
        tn_putf(c->out, "    if (%s == NULL) {\n", c->layout);
        tn_cp_put(c, "        return @M_BAD_MEMORY;\n    }\n");
        put_extent_check(c);
    }
}
