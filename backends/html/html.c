/* The plan as one page for people: a chart of each pool, who makes the peak, every value with its
 * place, and the report. It loads nothing; what it runs is page.js alone, which its policy names by
 * its hash, and which makes all it shows as text. */
#include <nettle/base64.h>
#include <string.h>

#include "backends/core/emit.h"
#include "backends/html/page_t.h"
#include "ir/base/sha256.h"
#include "ir/plan/forms.h"
#include "ir/plan/plan_names.h"

enum { OPT_VALUES };
static const tn_opt options[] = {
    [OPT_VALUES] = {"values", TN_OPT_INT, "100000", "1..10000000",
                    "at most how many values the page has: those of the peak and those in the "
                    "largest storages"},
    {0}};

/* As policies name a script or a style. */
static void put_hash(tn_sink *out, const char *text) {
    uint8_t digest[TN_SHA256_BYTES];
    char encoded[BASE64_ENCODE_RAW_LENGTH(TN_SHA256_BYTES)];
    tn_sha256 sha = tn_sha256_start();
    tn_sha256_add(&sha, text, strlen(text));
    tn_sha256_end(&sha, digest);
    base64_encode_raw(encoded, sizeof digest, digest);
    tn_put(out, "'sha256-");
    tn_put_n(out, encoded, sizeof encoded);
    tn_put(out, "'");
}

static void put_head(const tn_plan *p, tn_sink *out) {
    const char *name = p->model[0] != '\0' ? p->model : "a model without a name";
    tn_put(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                "base-uri 'none'; form-action 'none'; script-src ");
    put_hash(out, tn_page_js);
    tn_put(out, "; style-src ");
    put_hash(out, tn_page_css);
    tn_put(out, "\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<title>");
    tn_put_markup(out, name);
    tn_put(out, ": memory plan</title>\n<style>");
    tn_put(out, tn_page_css);
    tn_put(out, "</style></head>\n<body><h1>");
    tn_put_markup(out, name);
    tn_put(out, "</h1>\n");
}

static void put_report(const tn_plan *p, tn_sink *out) {
    tn_arena *scratch = tn_arena_new(p->ctx);
    tn_sink text = tn_sink_make(scratch);
    tn_plan_report_print(p, &text);
    tn_put(out, "<details><summary>report</summary><pre>");
    for (const char *line = text.data, *end; *line != '\0'; line = end + 1) {
        end = strchr(line, '\n'); /* a report ends in one */
        tn_put_markup(out, tn_arena_strndup(scratch, line, (size_t)(end - line)));
        tn_put_c(out, '\n');
    }
    tn_put(out, "</pre></details>\n");
    tn_arena_drop(scratch);
}

static void put_origin(const tn_plan *p, tn_sink *out) {
    tn_put(out, "<footer>Made by tenure ");
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
    tn_put(out, "</footer>\n");
}

static void put_plan(const tn_plan *p, uint32_t most, tn_sink *out) {
    tn_arena *scratch = tn_arena_new(p->ctx);
    tn_sink label = tn_sink_make(scratch);
    tn_put_variant(&label, p);
    tn_put(out, "<script type=\"application/json\" class=\"plan\" data-label=\"");
    tn_put_markup(out, label.data);
    tn_put(out, "\">");
    tn_page_put_data(tn_page_choose(scratch, p, most), out);
    tn_put(out, "</script>\n");
    tn_arena_drop(scratch);
}

static tn_status emit(const tn_emission *e) {
    tn_sink *out = e->out;
    uint32_t most = (uint32_t)tn_arg_number(e->args, OPT_VALUES);
    put_head(e->plan, out);
    tn_put(out, tn_page_html);
    put_report(e->plan, out);
    put_origin(e->plan, out);
    for (uint32_t i = 0; i < tn_plan_count(e->plan); i++) {
        put_plan(tn_plan_at(e->plan, i), most, out);
    }
    tn_put(out, "<script>");
    tn_put(out, tn_page_js);
    tn_put(out, "</script></body></html>\n");
    return TN_OK;
}

const tn_backend tn_backend_html = {
    .name = "html",
    .summary = "a page for people: chart, peak, every value, report",
    .suffix = ".html",
    .options = options,
    .emit = emit,
    .takes_sets = true,
    .takes_open = true, /* the page says what its numbers are for */
    .carries = TN_CARRIES(ADDRESSES) | TN_CARRIES(SECONDS) | TN_CARRIES(NAMES) | TN_CARRIES(FIXED) |
               TN_CARRIES(UNPLANNED) | TN_CARRIES(RANGES) | TN_CARRIES(ALIASES) | TN_CARRIES(OPS) |
               TN_CARRIES(REORDERED) | TN_CARRIES(BINDINGS) | TN_CARRIES(DIMS) |
               TN_CARRIES(DIGEST) | TN_CARRIES(FIGURES),
};
