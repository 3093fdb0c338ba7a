/* The plan as one page for people: what was won, a chart of each arena, who makes the peak, every
 * value with its place, and what was left out. It loads nothing and runs nothing. */
#include <string.h>

#include "backends/core/backend.h"
#include "backends/core/chart.h"
#include "backends/core/emit.h"
#include "ir/plan/forms.h"
#include "ir/plan/plan_names.h"

static void cell(tn_sink *out, const char *text) {
    tn_put(out, "<td>");
    tn_put_markup(out, text);
    tn_put(out, "</td>");
}

static void number(tn_sink *out, uint64_t n) {
    tn_putf(out, "<td class=\"n\">%llu</td>", (unsigned long long)n);
}

static void steps(tn_sink *out, int32_t first, int32_t last) {
    tn_putf(out, "<td class=\"n\">%d</td><td class=\"n\">%d</td>", first, last);
}

/* A value's name with the graph it belongs to. */
static void name(tn_sink *out, const tn_plan_value *v) {
    tn_put(out, "<td>");
    if (v->graph[0] != '\0') {
        tn_put(out, "<i>");
        tn_put_markup(out, v->graph);
        tn_put(out, "/</i>");
    }
    tn_put_markup(out, v->name);
    tn_put(out, "</td>");
}

/* The step as the report words it. */
static void step(const tn_plan *p, tn_sink *out, uint32_t id) {
    tn_arena *scratch = tn_arena_new(p->ctx);
    tn_sink text = tn_sink_make(scratch);
    tn_put_step(&text, p, id);
    tn_put_markup(out, text.data);
    tn_arena_drop(scratch);
}

static void put_head(const tn_plan *p, tn_sink *out) {
    tn_put(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>");
    tn_put_markup(out, p->model);
    tn_put(out,
           ": memory plan</title>\n<style>body{font-family:sans-serif;margin:2em;color:#222}"
           "table{border-collapse:collapse;font-size:.85em}td,th{padding:.2em .6em;text-align:left;"
           "border-bottom:1px solid #ddd}.n{text-align:right}pre{background:#f4f4f4;padding:1em;"
           "white-space:pre-wrap}svg{max-width:100%;height:auto}</style></head>\n<body><h1>");
    tn_put_markup(out, p->model);
    tn_put(out, "</h1>\n");
}

static void put_report(const tn_plan *p, tn_sink *out) {
    tn_arena *scratch = tn_arena_new(p->ctx);
    tn_sink text = tn_sink_make(scratch);
    tn_plan_report_print(p, &text);
    tn_put(out, "<pre>");
    for (const char *line = text.data, *end; *line != '\0'; line = end + 1) {
        end = strchr(line, '\n'); /* a report ends in one */
        tn_put_markup(out, tn_arena_strndup(scratch, line, (size_t)(end - line)));
        tn_put_c(out, '\n');
    }
    tn_put(out, "</pre>\n");
    tn_arena_drop(scratch);
}

static void put_charts(const tn_plan *p, tn_sink *out) {
    enum { WIDTH = 1100, HEIGHT = 520 };
    for (uint32_t i = 0; i < p->n_pools; i++) {
        if (p->pools[i].kind == TN_POOL_ARENA && p->pools[i].size > 0) {
            tn_chart_put(p, &(tn_chart){i, WIDTH, HEIGHT}, out);
        }
    }
}

static void put_peak(const tn_plan *p, tn_sink *out) {
    const tn_plan_report *r = &p->report;
    if (r->peak_step < 0) {
        return;
    }
    tn_put(out, "<h2>The peak: ");
    step(p, out, (uint32_t)r->peak_step);
    tn_put(out, "</h2>\n<table><tr><th>alive there<th>type<th class=\"n\">bytes<th class=\"n\">at"
                "<th class=\"n\">from step<th class=\"n\">to step</tr>\n");
    for (uint32_t i = 0; i < r->peak.len; i++) {
        const tn_storage *s = &p->storages[r->peak.data[i]];
        tn_put(out, "<tr>");
        name(out, &p->values[s->root]);
        cell(out, p->values[s->root].type);
        number(out, s->size);
        number(out, s->offset);
        steps(out, s->first, s->last);
        tn_put(out, "</tr>\n");
    }
    tn_put(out, "</table>\n");
}

static void put_placed(const tn_plan *p, tn_sink *out) {
    tn_put(out, "<h2>All values</h2>\n<table><tr><th>value<th>type<th>role<th class=\"n\">bytes"
                "<th>pool<th class=\"n\">at<th class=\"n\">from step<th class=\"n\">to step"
                "<th>shares bytes of</tr>\n");
    for (uint32_t i = 0; i < p->n_values; i++) {
        const tn_plan_value *v = &p->values[i];
        if (v->storage == TN_NO_ID) {
            continue;
        }
        tn_put(out, "<tr>");
        name(out, v);
        cell(out, v->type);
        cell(out, tn_plan_role_names[v->role]);
        number(out, v->bytes);
        cell(out, p->pools[p->storages[v->storage].pool].name);
        number(out, tn_plan_address(p, v));
        steps(out, v->first, v->last);
        if (v->alias_of == TN_NO_ID) {
            tn_put(out, "<td></td>");
        } else {
            tn_put(out, "<td>");
            tn_put_markup(out, p->values[v->alias_of].name);
            tn_putf(out, " (%s)</td>", tn_alias_words[v->alias]);
        }
        tn_put(out, "</tr>\n");
    }
    tn_put(out, "</table>\n");
}

static void put_unplanned(const tn_plan *p, tn_sink *out) {
    if (p->report.n_unplanned == 0) {
        return;
    }
    tn_put(out, "<h2>Not planned</h2>\n<table><tr><th>value<th>type<th>bytes<th>why</tr>\n");
    for (uint32_t i = 0; i < p->n_values; i++) {
        const tn_plan_value *v = &p->values[i];
        if (v->storage != TN_NO_ID) {
            continue;
        }
        tn_put(out, "<tr>");
        name(out, v);
        cell(out, v->type);
        cell(out, v->bytes_text != NULL ? v->bytes_text : "");
        cell(out, v->why != NULL ? v->why : "");
        tn_put(out, "</tr>\n");
    }
    tn_put(out, "</table>\n");
}

static void put_origin(const tn_plan *p, tn_sink *out) {
    tn_put(out, "<p>Made by tenure ");
    tn_put_markup(out, p->version);
    tn_put(out, "; digest ");
    tn_put_markup(out, p->digest[0] != '\0' ? p->digest : "none");
    tn_put(out, "; pipeline <code>");
    tn_put_markup(out, p->pipeline);
    tn_put(out, "</code>");
    for (uint32_t i = 0; i < p->n_options; i++) {
        tn_put(out, "; ");
        tn_put_markup(out, p->options[i].key);
        tn_put(out, " = ");
        tn_put_markup(out, p->options[i].value);
    }
    tn_put(out, "</p>\n</body></html>\n");
}

static tn_status emit(const tn_emission *e) {
    const tn_plan *plan = e->plan;
    tn_sink *out = e->out;
    put_head(plan, out);
    put_report(plan, out);
    put_charts(plan, out);
    put_peak(plan, out);
    put_placed(plan, out);
    put_unplanned(plan, out);
    put_origin(plan, out);
    return TN_OK;
}

const tn_backend tn_backend_html = {
    .name = "html",
    .summary = "a page for people: report, chart, peak, every value",
    .suffix = ".html",
    .emit = emit,
    .carries = TN_CARRIES(ADDRESSES) | TN_CARRIES(NAMES) | TN_CARRIES(FIXED) |
               TN_CARRIES(UNPLANNED) | TN_CARRIES(RANGES) | TN_CARRIES(ALIASES) | TN_CARRIES(OPS) |
               TN_CARRIES(REORDERED) | TN_CARRIES(BINDINGS) | TN_CARRIES(DIGEST) |
               TN_CARRIES(FIGURES),
};
