/* Project files, written: what a command line says, in JSON. */
#include <string.h>

#include "ir/base/quote.h"
#include "ir/plan/plan_names.h"
#include "lib/request/project.h"

static void put_item(tn_sink *out, bool first, uint32_t indent) {
    tn_put(out, first ? "\n" : ",\n");
    tn_put_indent(out, indent);
}

static void put_key(tn_sink *out, const char *name) {
    tn_put_quoted(out, name);
    tn_put(out, ": ");
}

/* ---- values of settings ---- */

/* Bytes and choices are numbers where they look like it. */
static void put_number_or_text(tn_sink *out, const char *value) {
    int64_t n;
    if (tn_text_to_int(value, &n)) {
        tn_putf(out, "%lld", (long long)n);
    } else {
        tn_put_quoted(out, value);
    }
}

static void put_one(tn_sink *out, tn_setting_type type, const char *value) {
    if (type == TN_SETTING_FLAG) {
        tn_put(out, value);
    } else if (type == TN_SETTING_NAMES || type == TN_SETTING_NAME) {
        tn_put_quoted(out, tn_name_unquote(out->arena, value));
    } else if (type == TN_SETTING_NUMBER || type == TN_SETTING_BYTES ||
               type == TN_SETTING_BYTES_OR_PERCENT || type == TN_SETTING_CHOICE) {
        put_number_or_text(out, value);
    } else {
        tn_put_quoted(out, value);
    }
}

/* "1,16,128" */
static bool is_list(const char *rest) {
    return strchr(rest, ',') != NULL && rest[strspn(rest, "0123456789,")] == '\0';
}

static void put_pair(tn_sink *out, tn_setting_type type, const char *value) {
    const char *name = "", *rest = "";
    if (!tn_pair_split(out->arena, value, "=", true, &name, &rest)) {
        tn_bug(tn_arena_ctx(out->arena), "'%s' is no pair in canonical form", value);
    }
    put_key(out, name);
    if (type == TN_SETTING_NAME_OF) {
        put_one(out, TN_SETTING_NAMES, rest);
    } else if (type == TN_SETTING_NUMBERS_OF || is_list(rest)) {
        tn_putf(out, "[%s]", rest);
    } else {
        put_number_or_text(out, rest);
    }
}

static bool repeats_name(const tn_setting *s, tn_arena *arena, const tn_pair *all, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < i; j++) {
            if (strcmp(tn_setting_pair_name(arena, s, all[i].value),
                       tn_setting_pair_name(arena, s, all[j].value)) == 0) {
                return true;
            }
        }
    }
    return false;
}

/* One object; or a list of objects, where a name comes twice. */
static void put_pairs(tn_sink *out, const tn_setting *s, const tn_pair *all, uint32_t n) {
    bool list = repeats_name(s, out->arena, all, n);
    tn_put(out, list ? "[{" : "{");
    for (uint32_t i = 0; i < n; i++) {
        tn_put(out, i == 0 ? "" : list ? "}, {" : ", ");
        put_pair(out, tn_setting_type_of(s), all[i].value);
    }
    tn_put(out, list ? "}]" : "}");
}

/* `n` values of one setting. */
static void put_value(tn_sink *out, const tn_setting *s, const tn_pair *all, uint32_t n) {
    tn_setting_type type = tn_setting_type_of(s);
    if (!tn_setting_repeats(s)) {
        put_one(out, type, all[n - 1].value);
    } else if (type != TN_SETTING_NAMES && type != TN_SETTING_TEXTS && type != TN_SETTING_FILES) {
        put_pairs(out, s, all, n);
    } else {
        tn_put_c(out, '[');
        for (uint32_t i = 0; i < n; i++) {
            tn_put(out, i > 0 ? ", " : "");
            put_one(out, type, all[i].value);
        }
        tn_put_c(out, ']');
    }
}

/* What is settled stands in order of the tables, so values of one setting are neighbours. */
static void put_settings(tn_sink *out, const tn_setting_group *groups, uint32_t n_groups,
                         const tn_pairs *settled, uint32_t indent) {
    tn_setting_found found;
    for (uint32_t i = 0, n; i < settled->len; i += n) {
        const tn_pair *p = &settled->data[i];
        for (n = 1; i + n < settled->len && strcmp(p[n].key, p->key) == 0; n++) {
        }
        if (tn_setting_find(groups, n_groups, p->key, strlen(p->key), &found)) {
            put_item(out, i == 0, indent);
            put_key(out, p->key);
            put_value(out, found.setting, p, n);
        }
    }
    tn_put_c(out, '\n');
    tn_put_indent(out, indent - 2);
    tn_put_c(out, '}');
}

/* ---- artefacts ---- */

static void put_backend_options(tn_sink *out, const tn_project_emit *e) {
    uint32_t n = tn_opt_count(e->backend->options), n_put = 0;
    for (uint32_t i = 0; i < n; i++) {
        const tn_opt *o = &e->backend->options[i];
        if (!e->args.given[i]) {
            continue;
        }
        tn_put(out, n_put++ == 0 ? ", \"options\": {" : ", ");
        put_key(out, o->name);
        if (o->kind == TN_OPT_TEXT) {
            tn_put_quoted(out, e->args.values[i]);
        } else if (o->kind == TN_OPT_BOOL) {
            tn_put(out, e->args.values[i]);
        } else {
            put_number_or_text(out, e->args.values[i]);
        }
    }
    tn_put(out, n_put > 0 ? "}" : "");
}

static void put_emits(tn_sink *out, const tn_project_content *p) {
    put_key(out, "emit");
    tn_put_c(out, '[');
    for (uint32_t i = 0; i < p->n_emits; i++) {
        const tn_project_emit *e = &p->emits[i];
        put_item(out, i == 0, 4);
        tn_put(out, "{\"kind\": ");
        tn_put_quoted(out, e->backend->name);
        if (e->file != NULL) {
            tn_put(out, ", \"file\": ");
            tn_put_quoted(out, e->file);
        }
        put_backend_options(out, e);
        tn_put_c(out, '}');
    }
    tn_put(out, "\n  ]");
}

static void put_programs(tn_sink *out, const tn_project_content *p) {
    tn_put(out, ",\n  \"programs\": {");
    for (uint32_t i = 0; i < p->n_models; i++) {
        put_item(out, i == 0, 4);
        put_key(out, p->models[i].program);
        tn_put_quoted(out, p->models[i].path);
    }
    tn_put(out, "\n  }");
}

void tn_project_print(const tn_project_content *p, tn_sink *out) {
    const tn_project_scope *s = &p->scope;
    tn_putf(out, "{\n  \"tenure_project\": %d", TN_PROJECT_FORMAT);
    if (p->n_models == 1 && !p->programs) {
        tn_put(out, ",\n  \"model\": ");
        tn_put_quoted(out, p->models[0].path);
    } else if (p->n_models > 0) {
        put_programs(out, p);
    }
    if (p->options.len > 0) {
        tn_put(out, ",\n  \"options\": {");
        put_settings(out, s->options, s->n_options, &p->options, 4);
    }
    if (p->switches.len > 0) {
        tn_putf(out, ",\n  \"commands\": {\n    \"%s\": {", s->command);
        put_settings(out, s->switches, s->n_switches, &p->switches, 6);
        tn_put(out, "\n  }");
    }
    if (p->n_emits > 0) {
        tn_put(out, ",\n  ");
        put_emits(out, p);
    }
    tn_put(out, "\n}\n");
}
