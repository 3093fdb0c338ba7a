/* Prefix, identifiers and rows of the header. */
#include "backends/c_header/c_header_t.h"
#include "backends/c_header/resolve_t.h"

static void number_all(tn_ch *h) {
    const tn_plan *p = h->p;
    h->rows = TN_ARRAY(h->scratch, uint32_t, p->n_values);
    h->numbers = TN_ARRAY(h->scratch, uint32_t, p->n_values);
    for (uint32_t i = 0; i < p->n_values; i++) {
        h->rows[i] = tn_ch_is_placed(&p->values[i]) ? h->n_rows++ : TN_NO_ID;
    }
    for (uint32_t i = 0; i < p->n_values; i++) {
        bool placed = h->rows[i] != TN_NO_ID;
        h->numbers[i] = placed ? h->rows[i] : h->n_rows + h->n_unplanned++;
        h->n_left_out += tn_ch_needs_place(&h->p->values[i]);
    }
}

void tn_ch_name_all(tn_ch *h, size_t longest) {
    tn_plan_ids ids = tn_plan_ids_make(h->scratch, h->p, h->macro, longest);
    h->ids = ids;
    h->pool_ids = ids.pools;
    h->value_ids = ids.values;
    number_all(h);
    tn_ch_open(h);
}

void tn_ch_name_prefix(tn_ch *h, const tn_emission *e, const char *asked, size_t longest) {
    const char *name = tn_artefact_prefix(h->scratch, e, asked, "_plan");
    name = tn_identifiers_within(h->scratch, "m", &name, 1, false, longest)[0];
    h->macro = tn_upper(h->scratch, name);
    h->symbol = tn_lower(h->scratch, name);
}
