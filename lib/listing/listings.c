/* Listings: which there are, and those of passes and backends. */
#include <string.h>

#include "backends/core/backend.h"
#include "frontends/core/frontend.h"
#include "lib/listing/listing.h"
#include "lib/request/preset.h"
#include "lib/request/project.h"
#include "lib/request/request.h"
#include "passes/core/registry.h"

/* The texts of an option that a user meets: what it may be set to, what it is when it is not. */
const char *tn_list_values(const tn_opt *o) {
    switch (o->kind) {
    case TN_OPT_BOOL:
        return "true|false";
    case TN_OPT_INT:
        return o->choices != NULL ? o->choices : "N";
    case TN_OPT_ENUM:
        return o->choices;
    case TN_OPT_TEXT:
        return "TEXT";
    }
    return NULL;
}

static const char *option_fallback(const tn_opt *o) {
    return o->fallback[0] != '\0' ? o->fallback : "empty";
}

static void put_options(tn_sink *out, const tn_opt *table) {
    for (const tn_opt *o = table; o != NULL && o->name != NULL; o++) {
        tn_putf(out, "      %s=%s: %s (default %s)\n", o->name, tn_list_values(o), o->help,
                option_fallback(o));
    }
}

static void put_passes(tn_sink *out) {
    uint32_t n;
    const tn_pass_info *const *passes = tn_pass_all(tn_arena_ctx(out->arena), &n);
    tn_put(out, "passes:\n");
    for (uint32_t i = 0; i < n; i++) {
        tn_putf(out, "  %-17s %s\n", passes[i]->name, passes[i]->summary);
        put_options(out, passes[i]->options);
    }
    tn_put(out, "pipelines:\n");
    const tn_named_pipeline *named = tn_named_pipeline_all(&n);
    for (uint32_t i = 0; i < n; i++) {
        tn_putf(out, "  %-17s %s\n      %s\n", named[i].name, named[i].summary, named[i].text);
    }
}

/* `text` in a cell of a Markdown table. */
static void put_cell(tn_sink *out, const char *text) {
    for (; *text != '\0'; text++) {
        if (*text == '|') {
            tn_put_c(out, '\\');
        }
        tn_put_c(out, *text);
    }
}

static void put_props(tn_sink *out, const char *what, uint32_t props) {
    const char *gap = what;
    for (unsigned bit = 0; bit < 32; bit++) {
        if ((props >> bit & 1) != 0) {
            tn_putf(out, "%s %s", gap, tn_prop_name((tn_prop)(1u << bit)));
            gap = ",";
        }
    }
    if (props != 0) {
        tn_put(out, ".\n");
    }
}

static void put_pass_page(tn_sink *out, const tn_pass_info *p) {
    tn_putf(out, "\n## %s\n\n%s.\n", p->name, p->summary);
    put_props(out, "Needs:", p->needs);
    put_props(out, "Gives:", p->sets);
    put_props(out, "Ends:", p->breaks);
    if (tn_opt_count(p->options) > 0) {
        tn_put(out, "\n| Option | Values | Default | |\n| --- | --- | --- | --- |\n");
    }
    for (uint32_t i = 0; i < tn_opt_count(p->options); i++) {
        const tn_opt *o = &p->options[i];
        tn_putf(out, "| `%s` | ", o->name);
        put_cell(out, tn_list_values(o));
        tn_putf(out, " | %s | ", option_fallback(o));
        put_cell(out, o->help);
        tn_put(out, " |\n");
    }
    if (tn_pass_n_stats(p) > 0 || p->refusals != 0) {
        tn_put(out, "\n| Statistic | |\n| --- | --- |\n");
    }
    for (uint32_t i = 0; i < tn_pass_n_stats(p); i++) {
        tn_putf(out, "| `%s` | ", p->stats[i].name);
        put_cell(out, p->stats[i].help);
        tn_put(out, " |\n");
    }
    for (uint32_t i = 0; i < TN_REASON_COUNT; i++) {
        if (p->refusals >> i & 1u) {
            tn_putf(out, "| `refused-%s` | refused: %s |\n", tn_reason_name((tn_reason)i),
                    tn_reason_text((tn_reason)i));
        }
    }
}

static void put_pass_pages(tn_sink *out) {
    uint32_t n;
    const tn_pass_info *const *passes = tn_pass_all(tn_arena_ctx(out->arena), &n);
    tn_put(out,
           "# Passes and pipelines\n\n"
           "Made by `tenure --list-passes=md`; do not edit.\n\n"
           "An option is set in the text of a pipeline: `reuse{level=0}`. `--stats` prints the\n"
           "statistics. What a pass needs and no pass before it gives is run by the manager.\n\n"
           "| Pipeline | | Passes |\n| --- | --- | --- |\n");
    uint32_t n_named;
    const tn_named_pipeline *named = tn_named_pipeline_all(&n_named);
    for (uint32_t i = 0; i < n_named; i++) {
        tn_putf(out, "| `-%s` | %s | `%s` |\n", named[i].name, named[i].summary, named[i].text);
    }
    for (uint32_t i = 0; i < n; i++) {
        put_pass_page(out, passes[i]);
    }
}

static void list_passes(tn_sink *out, const char *format) {
    if (strcmp(format, "md") == 0) {
        put_pass_pages(out);
    } else {
        put_passes(out);
    }
}

static void put_backends(tn_sink *out, const tn_backend *const *all, uint32_t n) {
    tn_put(out, "backends:\n");
    for (uint32_t i = 0; i < n; i++) {
        tn_putf(out, "  %-17s %s (%s)\n", all[i]->name, all[i]->summary, all[i]->suffix);
        put_options(out, all[i]->options);
    }
}

static void put_table_head(tn_sink *out, const char *title, const tn_backend *const *all,
                           uint32_t n) {
    tn_putf(out, "\n| %s |", title);
    for (uint32_t i = 0; i < n; i++) {
        tn_putf(out, " %s |", all[i]->name);
    }
    tn_put(out, "\n| --- |");
    for (uint32_t i = 0; i < n; i++) {
        tn_put(out, " --- |");
    }
    tn_put_c(out, '\n');
}

/* Feature by backend. */
static void put_backend_page(tn_sink *out, const tn_backend *const *all, uint32_t n) {
    tn_put(out,
           "# What backends carry\n\n"
           "Made by `tenure --list-backends=md`; do not edit. A test holds every backend to it\n"
           "(`unit.test_features`). What the plan format reserves and this version does not plan\n"
           "(workspaces, queues, clones, sections and costs of pools, offsets as expressions) no\n"
           "backend has to carry; `json` writes it empty, and `tenure check` refuses it filled.\n"
           "Backends that need the model too write its data, and are not listed.\n"
           "\n## Facts of a plan\n\n"
           "\"yes\": stands in the artefact. \"no\": is left out.\n");
    put_table_head(out, "Fact", all, n);
    for (unsigned f = 0; f < TN_FACT_COUNT; f++) {
        tn_putf(out, "| %s |", tn_plan_fact_text((tn_plan_fact)f));
        for (uint32_t i = 0; i < n; i++) {
            tn_put(out, all[i]->carries >> f & 1u ? " yes |" : " no |");
        }
        tn_put_c(out, '\n');
    }
    tn_put(out, "\n## Kinds of plans\n\n"
                "\"yes\": taken with the defaults of the backend's options.\n");
    put_table_head(out, "Plans with", all, n);
    for (unsigned k = 0; k < TN_KIND_COUNT; k++) {
        tn_putf(out, "| %s |", tn_plan_kind_text((tn_plan_kind)k));
        for (uint32_t i = 0; i < n; i++) {
            const char *message = tn_backend_refusal(all[i], (tn_plan_kind)k);
            tn_put(out, message != NULL ? " refuses: \"" : " yes |");
            put_cell(out, message != NULL ? message : "");
            tn_put(out, message != NULL ? "\" |" : "");
        }
        tn_put_c(out, '\n');
    }
}

static void list_backends(tn_sink *out, const char *format) {
    uint32_t n;
    const tn_backend *const *all = tn_backend_all(tn_arena_ctx(out->arena), &n);
    if (strcmp(format, "md") == 0) {
        const tn_backend **listed = TN_ARRAY(out->arena, const tn_backend *, n);
        uint32_t n_listed = 0;
        for (uint32_t i = 0; i < n; i++) {
            listed[n_listed] = all[i];
            n_listed += !all[i]->needs_model;
        }
        put_backend_page(out, listed, n_listed);
    } else {
        put_backends(out, all, n);
    }
}

void tn_list_setting(tn_sink *out, const tn_pair *o) {
    bool flag = strcmp(o->value, "true") == 0;
    tn_putf(out, o->key[1] == '\0' ? "-%s" : "--%s", o->key);
    tn_putf(out, flag || o->key[1] == '\0' ? "%s" : "=%s", flag ? "" : o->value);
}

static void list_presets(tn_sink *out, const char *format) {
    (void)format;
    tn_put(out, "presets:\n");
    for (const tn_preset *p = tn_presets; p->name != NULL; p++) {
        tn_putf(out, "  %-5s %s\n       ", p->name, p->summary);
        for (const tn_pair *o = p->options; o->key != NULL; o++) {
            tn_put_c(out, ' ');
            tn_list_setting(out, o);
        }
        tn_put_c(out, '\n');
    }
}

static void list_options(tn_sink *out, const char *format) {
    (void)format;
    tn_setting_group groups[TN_REQUEST_GROUPS];
    tn_request_groups(tn_request_new(out->arena), groups);
    tn_project_schema_print(groups, TN_REQUEST_GROUPS, out);
}

static void list_frontends(tn_sink *out, const char *format) {
    uint32_t n;
    const tn_frontend *const *all = tn_frontend_all(tn_arena_ctx(out->arena), &n);
    (void)format;
    for (uint32_t i = 0; i < n; i++) {
        tn_putf(out, "  %-17s %s\n", all[i]->name, all[i]->summary);
        for (const tn_frontend_opt *o = all[i]->options; o != NULL && o->name != NULL; o++) {
            tn_putf(out, "      --%s%s%s: %s\n", o->name, o->arg != NULL ? "=" : "",
                    o->arg != NULL ? o->arg : "", o->help);
        }
    }
}

typedef struct listing {
    const char *what;
    const char *formats; /* "text|md"; the first is what is meant without one */
    void (*put)(tn_sink *out, const char *format);
} listing;

static const listing listings[] = {
    {"passes", "text|md", list_passes},    {"backends", "text|md", list_backends},
    {"frontends", "text", list_frontends}, {"ops", "text|json|md", tn_list_ops},
    {"presets", "text", list_presets},     {"options", "schema", list_options}};

/* The word among `formats` that is `given`, or the first one for NULL; NULL when there is none. */
static const char *choose(tn_arena *arena, const char *formats, const char *given) {
    size_t len = given != NULL ? strlen(given) : strcspn(formats, "|");
    for (const char *at = formats;; at++) {
        size_t n = strcspn(at, "|");
        if (n == len && (given == NULL || strncmp(at, given, n) == 0)) {
            return tn_arena_strndup(arena, at, n);
        }
        at += n;
        if (*at == '\0') {
            return NULL;
        }
    }
}

tn_status tn_list(tn_arena *arena, const char *what, const char *format, tn_sink *out) {
    tn_ctx *ctx = tn_arena_ctx(arena);
    enum { N = sizeof listings / sizeof listings[0] };
    const char *names[N];
    for (size_t i = 0; i < N; i++) {
        const listing *l = &listings[i];
        names[i] = l->what;
        if (strcmp(l->what, what) != 0) {
            continue;
        }
        const char *chosen = choose(arena, l->formats, format);
        if (chosen == NULL) {
            return tn_usage(ctx, NULL, "--list-%s must be %s, not '%s'", what, l->formats, format);
        }
        l->put(out, chosen);
        return TN_OK;
    }
    return tn_usage(ctx, NULL, "there is no list of %s%s", what,
                    tn_did_you_mean(arena, tn_nearest(what, names, N)));
}
