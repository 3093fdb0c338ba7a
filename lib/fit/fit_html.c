/* The ladder as a page: the curve of bytes by operations, and a table with what each rung asks. It
 * loads nothing and runs nothing. */
#include "backends/core/emit.h"
#include "ir/plan/plan_names.h"
#include "lib/fit/fit_t.h"

enum { WIDTH = 760, HEIGHT = 300, EDGE = 60 };

static void put_head(tn_sink *out) {
    tn_put(out,
           "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
           "style-src 'unsafe-inline'\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
           "<title>what fits</title>\n<style>:root{color-scheme:light dark;--back:#fff;"
           "--text:#1c1f23;--line:#d5dae0;--mark:#0a7d3c;--dot:#6b7683;--stop:#b3261e}"
           "@media(prefers-color-scheme:dark){:root{--back:#14171a;--text:#e6e9ec;--line:#343b43;"
           "--mark:#58c98a;--dot:#9aa5b1;--stop:#ff8a80}}body{font:14px/1.4 system-ui,sans-serif;"
           "margin:16px;color:var(--text);background:var(--back)}table{border-collapse:collapse}"
           "td,th{padding:2px 10px;text-align:left;border-bottom:1px solid var(--line);"
           "overflow-wrap:anywhere}.n{text-align:right;white-space:nowrap;"
           "font-variant-numeric:tabular-nums}.chosen{color:var(--mark);font-weight:600}"
           "svg{width:100%;max-width:760px;height:auto}svg text{font:11px system-ui,sans-serif;"
           "fill:var(--text)}code{overflow-wrap:anywhere}</style></head>\n<body>");
}

static void put_marked(tn_sink *out, const char *head, const char *text, const char *tail) {
    tn_put(out, head);
    tn_put_markup(out, text);
    tn_put(out, tail);
}

/* ---- the curve ---- */

typedef struct axes {
    double most_operations; /* a part of the model's; above 0 */
    uint64_t most_bytes;
} axes;

static axes axes_of(const tn_fit *f) {
    axes a = {0.01, f->args.ram > 0 ? f->args.ram : 1};
    for (uint32_t i = 0; i < f->rungs.len; i++) {
        const tn_rung *r = &f->rungs.data[i];
        double operations = tn_rung_operations(r);
        a.most_operations = operations > a.most_operations ? operations : a.most_operations;
        a.most_bytes = r->need > a.most_bytes ? r->need : a.most_bytes;
    }
    return a;
}

static int x_of(const axes *a, double operations) {
    return EDGE + (int)(operations / a->most_operations * (WIDTH - 2 * EDGE));
}

static int y_of(const axes *a, uint64_t bytes) {
    double part = (double)bytes / (double)a->most_bytes;
    return HEIGHT - EDGE / 2 - (int)(part * (HEIGHT - EDGE));
}

/* Whether no other rung needs fewer bytes for no more operations. */
static bool is_on_curve(const tn_fit *f, const tn_rung *r) {
    for (uint32_t i = 0; i < f->rungs.len; i++) {
        const tn_rung *o = &f->rungs.data[i];
        bool made = o->end != TN_RUNG_NONE && o->end != TN_RUNG_KERNELS;
        if (made && o->need < r->need && tn_rung_operations(o) <= tn_rung_operations(r)) {
            return false;
        }
    }
    return true;
}

static void put_dot(const tn_fit *f, const axes *a, const tn_rung *r, tn_sink *out) {
    bool chosen = r->end == TN_RUNG_CHOSEN, curve = is_on_curve(f, r);
    tn_putf(out, "<circle cx=\"%d\" cy=\"%d\" r=\"%d\" fill=\"var(--%s)\"%s><title>",
            x_of(a, tn_rung_operations(r)), y_of(a, r->need),
            chosen  ? 6
            : curve ? 4
                    : 3,
            chosen ? "mark" : "dot", curve || chosen ? "" : " fill-opacity=\"0.4\"");
    tn_put_markup(out, tn_rung_name(r));
    tn_put(out, ": ");
    tn_put_bytes(out, r->need);
    tn_put(out, "</title></circle>\n");
}

static void put_curve(const tn_fit *f, tn_sink *out) {
    axes a = axes_of(f);
    tn_putf(out,
            "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"RAM by operations\">"
            "<path d=\"M%d %dV%dH%d\" fill=\"none\" stroke=\"var(--line)\"/>\n",
            WIDTH, HEIGHT, EDGE, EDGE / 2, HEIGHT - EDGE / 2, WIDTH - EDGE);
    if (f->args.ram > 0) {
        int y = y_of(&a, f->args.ram);
        tn_putf(out,
                "<path d=\"M%d %dH%d\" stroke=\"var(--stop)\" stroke-dasharray=\"4 3\"/>"
                "<text x=\"%d\" y=\"%d\">",
                EDGE, y, WIDTH - EDGE, EDGE + 4, y - 4);
        tn_put_bytes(out, f->args.ram);
        tn_put(out, "</text>\n");
    }
    tn_putf(out, "<text x=\"%d\" y=\"%d\">", 2, EDGE / 2 - 6);
    tn_put_bytes(out, a.most_bytes);
    tn_putf(out, "</text><text x=\"%d\" y=\"%d\" text-anchor=\"end\">operations +", WIDTH - EDGE,
            HEIGHT - 8);
    tn_put_decimal(out, a.most_operations * 100);
    tn_put(out, " %</text>\n");
    for (uint32_t i = 0; i < f->rungs.len; i++) {
        const tn_rung *r = &f->rungs.data[i];
        if (r->end != TN_RUNG_NONE && r->end != TN_RUNG_KERNELS) {
            put_dot(f, &a, r, out);
        }
    }
    tn_put(out, "</svg>\n");
}

/* ---- the table ---- */

static void put_rung(const tn_rung *r, tn_sink *out) {
    bool chosen = r->end == TN_RUNG_CHOSEN || r->end == TN_RUNG_KEPT;
    tn_putf(out, "<tr%s>", chosen ? " class=\"chosen\"" : "");
    if (r->end == TN_RUNG_NONE) {
        tn_put(out, "<td class=\"n\"></td><td class=\"n\"></td><td class=\"n\"></td>");
    } else {
        tn_putf(out, "<td class=\"n\">%llu</td><td class=\"n\">%llu</td><td class=\"n\">+",
                (unsigned long long)r->need, (unsigned long long)r->flash);
        tn_put_decimal(out, tn_rung_operations(r) * 100);
        tn_put(out, " %</td>");
    }
    put_marked(out, "<td>", tn_rung_name(r), "</td>");
    put_marked(out, "<td>", tn_rung_end_text(r), "</td>");
    put_marked(out, "<td>", r->asks, "</td></tr>\n");
}

void tn_fit_print_html(const tn_fit *f, tn_sink *out) {
    put_head(out);
    put_marked(out, "<h1>What fits: ", f->model, "</h1>\n");
    put_marked(out, f->fits ? "<p>Fits with " : "<p>Does not fit; the least there is with ",
               f->measures[0] != '\0' ? f->measures : "no measure", ".</p>\n");
    put_marked(out, "<p><code>", f->command, "</code></p>\n");
    put_curve(f, out);
    tn_put(out, "<table><tr><th class=\"n\">RAM B</th><th class=\"n\">flash B</th>"
                "<th class=\"n\">operations</th><th>measure</th><th></th><th>asks for</th></tr>\n");
    for (uint32_t i = 0; i < f->rungs.len; i++) {
        put_rung(&f->rungs.data[i], out);
    }
    tn_put(out, "</table></body></html>\n");
}
