/* What is said of extents that data give. */
#include "ir/plan/forms.h"
#include "ir/plan/plan_extents.h"
#include "ir/plan/plan_names.h"

enum { MAX_SHOWN = 8 };

void tn_plan_put_most(const tn_plan_data_dim *d, tn_sink *out) {
    if (d->most_text != NULL) {
        tn_putf(out, " at most %s", d->most_text);
    } else {
        tn_putf(out, " at most %lld", (long long)d->most);
    }
}

tn_dims *tn_plan_limits(const tn_plan *p, tn_arena *arena) {
    tn_dims *d = p->n_data_dims > 0 ? tn_dims_new(arena) : NULL;
    return d != NULL && tn_plan_limit_dims(p, d) ? d : NULL;
}

int64_t tn_plan_extent_at_most(tn_dims *limits, const tn_plan_value *v, uint32_t axis) {
    const char *text = v->dim_texts != NULL ? v->dim_texts[axis] : NULL;
    int64_t number = v->dims[axis];
    tn_dim extent;
    if (number >= 0 || text == NULL || limits == NULL) {
        return number;
    }
    return tn_dim_parse(limits, &text, &extent) &&
                   tn_dim_is_const(limits, tn_dim_most(limits, extent), &number)
               ? number
               : -1;
}

void tn_plan_put_by_data(const tn_plan *p, tn_sink *out) {
    for (uint32_t i = 0; i < p->n_data_dims && i < MAX_SHOWN; i++) {
        tn_putf(out, "  %-13s ", i == 0 ? "by data" : "");
        tn_put_utf8(out, p->data_dims[i].name);
        tn_plan_put_most(&p->data_dims[i], out);
        tn_put(out, i == 0 ? ", known only while running: places are for the most\n" : "\n");
    }
    if (p->n_data_dims > MAX_SHOWN) {
        tn_putf(out, "  %-13s and %u more\n", "", p->n_data_dims - MAX_SHOWN);
    }
}
