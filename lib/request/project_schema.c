/* The JSON schema of project files, from the tables of settings and of backends. */
#include <string.h>

#include "ir/plan/plan_names.h"
#include "lib/request/project.h"

static const char head[] =
    "{\n"
    "  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
    "  \"$id\": \"urn:tenure:project:1\",\n"
    "  \"title\": \"tenure project file\",\n"
    "  \"description\": \"What a command line of tenure can say (docs/OPTIONS.md). Paths are "
    "relative "
    "to the folder of the file. Bytes of names that are not UTF-8 stand as the characters U+10FE80 "
    "to U+10FEFF. Made by `tenure --list-options=schema`.\",\n"
    "  \"type\": \"object\",\n"
    "  \"additionalProperties\": false,\n"
    "  \"required\": [\"tenure_project\"],\n"
    "  \"not\": {\"required\": [\"model\", \"programs\"]},\n"
    "  \"properties\": {\n"
    "    \"tenure_project\": {\"const\": 1, \"description\": \"version of this form\"},\n"
    "    \"model\": {\"type\": \"string\", \"minLength\": 1, \"description\": \"path of the model; "
    "- is "
    "standard input\"},\n"
    "    \"programs\": {\"type\": \"object\", \"minProperties\": 1, \"propertyNames\": "
    "{\"pattern\": \"^[^=/]+$\"}, \"additionalProperties\": {\"type\": \"string\", "
    "\"minLength\": 1}, \"description\": \"in place of model: paths of several, by the names of "
    "their programs; they want the option shared-arena\"},\n"
    "    \"commands\": {\n"
    "      \"type\": \"object\",\n"
    "      \"description\": \"by the name of a command: its switches that say nothing of the plan, "
    "such "
    "as quiet and stats; `tenure COMMAND --help` lists them\",\n"
    "      \"additionalProperties\": {\"type\": \"object\"}\n"
    "    },\n";

/* The choices of "file|kahn" as JSON; those that look like numbers may be numbers too. */
static void put_choices(tn_sink *out, const char *choices) {
    tn_put(out, "\"enum\": [");
    for (const char *at = choices;; at++) {
        size_t n = strcspn(at, "|");
        tn_put(out, at == choices ? "" : ", ");
        tn_put_quoted_n(out, at, n);
        int64_t number;
        if (tn_text_to_int(tn_arena_strndup(out->arena, at, n), &number)) {
            tn_putf(out, ", %lld", (long long)number);
        }
        at += n;
        if (*at == '\0') {
            break;
        }
    }
    tn_put_c(out, ']');
}

#define OBJECT_OF(value) "{\"type\": \"object\", \"additionalProperties\": " value "}"
#define ONE_OR_MORE(one) "\"oneOf\": [" one ", {\"type\": \"array\", \"items\": " one "}]"
#define TEXT "{\"type\": \"string\"}"
#define EXTENTS                                                                                    \
    "{\"oneOf\": [{\"type\": \"integer\"}, {\"type\": \"string\", \"pattern\": "                   \
    "\"^[0-9]+[.][.][0-9]*$|[^0-9.]\"}, {\"type\": \"array\", \"minItems\": 2, \"items\": "        \
    "{\"type\": "                                                                                  \
    "\"integer\"}}]}"
#define NUMBERS "{\"type\": \"array\", \"items\": {\"type\": [\"number\", \"boolean\"]}}"

static void put_type(tn_sink *out, const tn_setting *s) {
    static const char *const types[] = {
        [TN_SETTING_FLAG] = "\"type\": \"boolean\"",
        [TN_SETTING_NUMBER] = "\"type\": \"integer\"",
        [TN_SETTING_BYTES] = "\"type\": [\"integer\", \"string\"], \"minimum\": 0, "
                             "\"pattern\": \"^[0-9]+[KMG]?$\"",
        [TN_SETTING_BYTES_OR_PERCENT] = "\"type\": [\"integer\", \"string\"], \"minimum\": 1, "
                                        "\"pattern\": \"^[0-9]+([KMG%]?|[.][0-9]+%)$\"",
        [TN_SETTING_TEXTS] = ONE_OR_MORE(TEXT),
        [TN_SETTING_FILES] = ONE_OR_MORE(TEXT),
        [TN_SETTING_NAMES] = ONE_OR_MORE(TEXT),
        [TN_SETTING_NUMBER_OF] = ONE_OR_MORE(OBJECT_OF(EXTENTS)),
        [TN_SETTING_NUMBERS_OF] = ONE_OR_MORE(OBJECT_OF(NUMBERS)),
        [TN_SETTING_NAME_OF] = ONE_OR_MORE(OBJECT_OF(TEXT)),
        [TN_SETTING_APART] = NULL};
    const char *type = types[tn_setting_type_of(s)];
    if (type != NULL) {
        tn_put(out, type);
    } else if (s->choices != NULL) {
        put_choices(out, s->choices);
    } else {
        tn_put(out, "\"type\": \"string\"");
    }
}

static void put_setting(tn_sink *out, const char *name, const tn_setting *s, bool first) {
    tn_put(out, first ? "\n        " : ",\n        ");
    tn_put_quoted(out, name);
    tn_put(out, ": {");
    put_type(out, s);
    tn_put(out, ", \"description\": ");
    tn_put_quoted(out, s->help);
    tn_put_c(out, '}');
}

static void put_options(tn_sink *out, const tn_setting_group *groups, uint32_t n) {
    bool first = true;
    tn_put(out,
           "    \"options\": {\n      \"type\": \"object\",\n      \"description\": \"options of "
           "`tenure plan` by their long names\",\n      \"additionalProperties\": false,\n      "
           "\"properties\": {");
    for (uint32_t i = 0; i < n; i++) {
        for (const tn_setting *s = groups[i].table; s->name != NULL; s++) {
            put_setting(out, s->name, s, first);
            first = false;
            if (s->alias != NULL) {
                put_setting(out, s->alias, s, false);
            }
        }
    }
    tn_put(out, "\n      }\n    },\n");
}

static void put_backend_option(tn_sink *out, const tn_opt *o) {
    tn_put_quoted(out, o->name);
    tn_put(out, ": {");
    if (o->kind == TN_OPT_ENUM) {
        put_choices(out, o->choices);
    } else {
        tn_putf(out, "\"type\": \"%s\"",
                o->kind == TN_OPT_BOOL  ? "boolean"
                : o->kind == TN_OPT_INT ? "integer"
                                        : "string");
    }
    tn_put(out, ", \"description\": ");
    tn_put_quoted(out, o->help);
    tn_put_c(out, '}');
}

static void put_backend(tn_sink *out, const tn_backend *b) {
    tn_put(out, "          {\"properties\": {\"kind\": {\"const\": ");
    tn_put_quoted(out, b->name);
    tn_put(out, ", \"description\": ");
    tn_put_quoted(out, b->summary);
    tn_put(out,
           "}, \"file\": true, \"options\": {\"additionalProperties\": false, \"properties\": {");
    for (uint32_t i = 0; i < tn_opt_count(b->options); i++) {
        tn_put(out, i > 0 ? ",\n            " : "\n            ");
        put_backend_option(out, &b->options[i]);
    }
    tn_put(out, "}}}}");
}

void tn_project_schema_print(const tn_setting_group *groups, uint32_t n, tn_sink *out) {
    uint32_t n_backends;
    const tn_backend *const *all = tn_backend_all(NULL, &n_backends);
    tn_put(out, head);
    put_options(out, groups, n);
    tn_put(out,
           "    \"emit\": {\n      \"type\": \"array\",\n      \"description\": \"artefacts, as "
           "--emit and -o; without a file as without -o\",\n      \"items\": {\n        "
           "\"type\": \"object\",\n        \"required\": [\"kind\"],\n        \"properties\": "
           "{\"file\": {\"type\": \"string\", \"minLength\": 1}, \"options\": {\"type\": "
           "\"object\"}},\n        \"unevaluatedProperties\": false,\n        \"oneOf\": [\n");
    for (uint32_t i = 0; i < n_backends; i++) {
        tn_put(out, i > 0 ? ",\n" : "");
        put_backend(out, all[i]);
    }
    tn_put(out, "\n        ]\n      }\n    }\n  }\n}\n");
}
