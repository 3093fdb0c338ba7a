/* A page: the figures, both charts side by side with what has changed marked, and the changes. It
 * loads nothing and runs nothing. */

#include "backends/core/chart.h"
#include "backends/core/emit.h"
#include "backends/core/live_bytes.h"
#include "ir/plan/plan_names.h"
#include "lib/diff/diff_t.h"

static void put_head(tn_sink *out) {
    tn_put(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
        "style-src 'unsafe-inline'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<title>two memory plans</title>\n<style>:root{color-scheme:light dark;--back:#fff;"
        "--text:#1c1f23;--line:#d5dae0;--more:#b3261e;--less:#0a7d3c}"
        "@media(prefers-color-scheme:dark){:root{--back:#14171a;--text:#e6e9ec;--line:#343b43;"
        "--more:#ff8a80;--less:#58c98a}}body{font:14px/1.4 system-ui,sans-serif;margin:16px;"
        "color:var(--text);background:var(--back)}table{border-collapse:collapse;margin:.4em 0}"
        "td,th{padding:2px 10px;text-align:left;border-bottom:1px solid var(--line);"
        "overflow-wrap:anywhere}.n{text-align:right;white-space:nowrap;"
        "font-variant-numeric:tabular-nums}.more{color:var(--more)}.less{color:var(--less)}"
        ".pair{display:flex;flex-wrap:wrap;gap:12px}.pair figure{flex:1 1 420px;margin:0;"
        "min-width:0}svg{width:100%;height:auto;background:#fff}h2{font-size:1.05em;margin:1em 0 "
        "0}</style></head>\n<body><h1>Two memory plans</h1>\n");
}

static void put_delta(tn_sink *out, int64_t more, bool count) {
    const char *sort = more > 0 ? " more" : more < 0 ? " less" : "";
    tn_putf(out, "<td class=\"n%s\">", sort);
    if (more == 0) {
        tn_put(out, "=");
    } else if (count) {
        tn_putf(out, "%+lld", (long long)more);
    } else {
        tn_diff_put_delta(out, more);
    }
    tn_put(out, "</td>");
}

static void put_figures(const tn_diff *d, tn_sink *out) {
    uint32_t n;
    const tn_diff_figure *f = tn_diff_figures(d, &n);
    tn_put(out, "<table class=\"figures\"><tr><th></th><th class=\"n\">before</th>"
                "<th class=\"n\">after</th><th class=\"n\">change</th></tr>\n");
    for (uint32_t i = 0; i < n; i++) {
        tn_put(out, "<tr><th>");
        tn_put_markup(out, f[i].name);
        tn_put(out, "</th>");
        for (int side = 0; side < 2; side++) {
            tn_put(out, "<td class=\"n\">");
            if (f[i].there[side] && f[i].count) {
                tn_put_u64(out, f[i].bytes[side]);
            } else if (f[i].there[side]) {
                tn_put_size(out, f[i].bytes[side]);
            }
            tn_put(out, "</td>");
        }
        put_delta(out, (int64_t)(f[i].bytes[1] - f[i].bytes[0]), f[i].count);
        tn_put(out, "</tr>\n");
    }
    tn_put(out, "</table>\n");
}

static void put_options(const tn_diff *d, tn_sink *out) {
    uint32_t n;
    const tn_diff_option *o = tn_diff_options(d, &n);
    if (n == 0) {
        return;
    }
    tn_put(out, "<h2>Made with</h2>\n<table><tr><th></th><th>before</th><th>after</th></tr>\n");
    for (uint32_t i = 0; i < n; i++) {
        const char *const cells[] = {o[i].name, o[i].text[0], o[i].text[1]};
        tn_put(out, "<tr>");
        for (int k = 0; k < 3; k++) {
            tn_put(out, "<td>");
            tn_put_markup(out, cells[k]);
            tn_put(out, "</td>");
        }
        tn_put(out, "</tr>\n");
    }
    tn_put(out, "</table>\n");
}

/* Storages of values that some change names. */
static const bool *changed(const tn_diff *d, int side) {
    bool *marked = TN_ARRAY(d->arena, bool, d->p[side]->n_storages);
    for (uint32_t i = 0; i < d->changes.len; i++) {
        const tn_change *c = &d->changes.data[i];
        uint32_t value = side == 0 ? c->before : c->after;
        uint32_t storage = value != TN_NO_ID ? d->p[side]->values[value].storage : TN_NO_ID;
        if (storage != TN_NO_ID) {
            marked[storage] = true;
        }
    }
    return marked;
}

static void put_charts(const tn_diff *d, tn_sink *out) {
    enum { WIDTH = 760, HEIGHT = 420, MOST = 3000 };
    static const char *const captions[] = {"before", "after"};
    tn_put(out, "<div class=\"pair\">\n");
    for (int side = 0; side < 2; side++) {
        uint32_t pool = tn_plan_main_pool(d->p[side]);
        tn_putf(out, "<figure><figcaption>%s", captions[side]);
        tn_putf(out, "%s</figcaption>\n",
                d->p[side]->n_storages > MOST ? " (the 3000 largest storages)" : "");
        if (pool != TN_NO_ID) {
            tn_chart chart = {pool, WIDTH, HEIGHT, changed(d, side), "changed", MOST};
            tn_chart_put(d->p[side], &chart, out);
        }
        tn_put(out, "</figure>\n");
    }
    tn_put(out, "</div>\n");
}

static void put_item(const tn_diff *d, const tn_change *c, tn_sink *out) {
    const tn_plan_value *v = tn_diff_value(d, c);
    tn_put(out, "<tr>");
    put_delta(out, c->bytes, false);
    tn_put(out, "<td>");
    tn_put_markup(out, v->graph);
    tn_put(out, v->graph[0] != '\0' ? "/" : "");
    tn_put_markup(out, v->name);
    tn_put(out, "</td><td>");
    tn_put_markup(out, v->type);
    tn_put(out, "</td><td>");
    tn_put_markup(out, c->why != NULL ? c->why : "");
    tn_put(out, "</td></tr>\n");
}

static void put_changes(const tn_diff *d, uint32_t limit, tn_sink *out) {
    for (uint32_t i = 0; i < d->changes.len;) {
        tn_change_kind kind = d->changes.data[i].kind;
        uint32_t n = d->n[kind];
        tn_putf(out, "<h2>%s: %u</h2>\n<table>\n", tn_diff_kind_heads[kind], n);
        for (uint32_t k = 0; k < n && k < limit; k++) {
            put_item(d, &d->changes.data[i + k], out);
        }
        tn_put(out, "</table>\n");
        if (n > limit) {
            tn_putf(out, "<p>and %u more</p>\n", n - limit);
        }
        i += n;
    }
}

static void put_peak(const tn_diff *d, tn_sink *out) {
    tn_sink text = tn_sink_make(d->arena);
    tn_put(&text, "peak: ");
    tn_diff_put_peak(&text, d->p[1]);
    tn_put(&text, ", was ");
    tn_diff_put_peak(&text, d->p[0]);
    tn_put(out, "<p>");
    tn_put_markup(out, text.data);
    tn_putf(out, "; steps at another place in the order: %u; values at other addresses: %u</p>\n",
            d->n_moved_steps, d->n_moved);
}

void tn_diff_print_html(const tn_diffs *all, tn_sink *out) {
    put_head(out);
    tn_putf(out, "<p>%s</p>\n", all->differ ? "They differ." : "They are the same.");
    for (uint32_t i = 0; i < all->n_unmatched; i++) {
        tn_put(out, "<p>");
        tn_put_markup(out, all->unmatched[i]);
        tn_put(out, "</p>\n");
    }
    for (uint32_t i = 0; i < all->len; i++) {
        const tn_diff *d = &all->data[i];
        tn_put(out, "<h2>");
        tn_put_markup(out, d->program[0] != '\0' ? d->program : d->p[1]->model);
        tn_put(out, "</h2>\n");
        put_figures(d, out);
        put_peak(d, out);
        put_charts(d, out);
        put_changes(d, all->limit, out);
        put_options(d, out);
    }
    tn_put(out, "</body></html>\n");
}
