/* What plans of sets have in JSON beside what every plan has. */
#include "ir/plan/json_put.h"
#include "ir/plan/plan_names.h"

void tn_json_put_variant_facts(tn_sink *out, const tn_plan *p) {
    char layout[TN_LAYOUT_HEX];
    if (p->set == NULL) {
        return;
    }
    tn_plan_own_layout(p, layout);
    tn_json_put_text(out, "digest", p->digest);
    tn_json_put_text(out, "layout", layout);
    tn_json_put_key(out, "needs");
    for (uint32_t i = 0; i < p->n_pools; i++) {
        tn_putf(out, "%s{\"size\": %llu", i > 0 ? ", " : "[", (unsigned long long)p->pools[i].size);
        tn_json_put_number(out, "bound", p->pools[i].bound);
        if (p->pools[i].cost > 0) {
            tn_json_put_number(out, "traffic", p->pools[i].traffic);
        }
        tn_put_c(out, '}');
    }
    tn_put(out, p->n_pools > 0 ? "]" : "[]");
}

void tn_json_put_program_head(tn_sink *out, const tn_plan *first) {
    const tn_plan_program *program = tn_plan_program_of(first);
    tn_put(out, "{\"name\": ");
    tn_put_quoted(out, program != NULL ? program->name : first->model);
    if (program != NULL) {
        tn_json_put_text(out, "model", first->model);
    }
}

void tn_json_put_links(tn_sink *out, const tn_plan *p) {
    if (p->set == NULL) {
        return;
    }
    tn_json_begin_list(out, "links");
    for (uint32_t i = 0; i < p->set->n_links; i++) {
        const tn_plan_link *l = &p->set->links[i];
        tn_json_begin_item(out, i, "from");
        tn_putf(out, "%u", l->from);
        tn_json_put_text(out, "from_value", l->from_value);
        tn_json_put_number(out, "to", l->to);
        tn_json_put_text(out, "to_value", l->to_value);
        tn_put_c(out, '}');
    }
    tn_json_end_list(out, p->set->n_links);
}
