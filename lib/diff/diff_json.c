/* For programs: everything, in one object (docs/PICTURES.md lists the keys). */
#include "ir/plan/json_put.h"
#include "ir/plan/plan_names.h"
#include "lib/diff/diff_t.h"

static void put_figures(const tn_diff *d, tn_sink *out) {
    uint32_t n;
    const tn_diff_figure *f = tn_diff_figures(d, &n);
    tn_json_begin_list(out, "figures");
    for (uint32_t i = 0; i < n; i++) {
        tn_json_begin_item(out, i, "name");
        tn_put_quoted(out, f[i].name);
        for (int side = 0; side < 2; side++) {
            const char *key = side == 0 ? "before" : "after";
            if (f[i].there[side]) {
                tn_json_put_number(out, key, f[i].bytes[side]);
            } else {
                tn_json_put_text(out, key, NULL);
            }
        }
        tn_put_c(out, '}');
    }
    tn_json_end_list(out, n);
}

static void put_options(const tn_diff *d, tn_sink *out) {
    uint32_t n;
    const tn_diff_option *o = tn_diff_options(d, &n);
    tn_json_begin_list(out, "made_with");
    for (uint32_t i = 0; i < n; i++) {
        tn_json_begin_item(out, i, "name");
        tn_put_quoted(out, o[i].name);
        tn_json_put_text(out, "before", o[i].text[0]);
        tn_json_put_text(out, "after", o[i].text[1]);
        tn_put_c(out, '}');
    }
    tn_json_end_list(out, n);
}

static void put_changes(const tn_diff *d, tn_sink *out) {
    tn_json_begin_list(out, "changes");
    for (uint32_t i = 0; i < d->changes.len; i++) {
        const tn_change *c = &d->changes.data[i];
        const tn_plan_value *v = tn_diff_value(d, c);
        tn_json_begin_item(out, i, "kind");
        tn_put_quoted(out, tn_diff_kind_names[c->kind]);
        tn_json_put_text(out, "graph", v->graph);
        tn_json_put_text(out, "value", v->name);
        tn_json_put_index(out, "before", c->before);
        tn_json_put_index(out, "after", c->after);
        tn_json_put_key(out, "bytes");
        tn_putf(out, "%lld", (long long)c->bytes);
        tn_json_put_text(out, "why", c->why);
        tn_put_c(out, '}');
    }
    tn_json_end_list(out, d->changes.len);
}

static void put_one(const tn_diff *d, uint32_t i, tn_sink *out) {
    tn_json_begin_item(out, i, "program");
    tn_put_quoted(out, d->program);
    tn_json_put_number(out, "moved_values", d->n_moved);
    tn_json_put_number(out, "moved_steps", d->n_moved_steps);
    tn_json_put_step_number(out, "peak_before", d->p[0]->report.peak_step);
    tn_json_put_step_number(out, "peak_after", d->p[1]->report.peak_step);
    tn_put(out, ",\n");
    put_figures(d, out);
    put_options(d, out);
    put_changes(d, out);
    tn_putf(out, "  \"differ\": %s}", d->differ ? "true" : "false");
}

void tn_diff_print_json(const tn_diffs *all, tn_sink *out) {
    tn_put(out, "{\n  \"tenure_diff\": 1,\n");
    tn_json_begin_list(out, "unmatched");
    for (uint32_t i = 0; i < all->n_unmatched; i++) {
        tn_put(out, i > 0 ? ", " : "");
        tn_put_quoted(out, all->unmatched[i]);
    }
    tn_put(out, "],\n");
    tn_json_begin_list(out, "programs");
    for (uint32_t i = 0; i < all->len; i++) {
        put_one(&all->data[i], i, out);
    }
    tn_json_end_list(out, all->len);
    tn_putf(out, "  \"differ\": %s\n}\n", all->differ ? "true" : "false");
}
