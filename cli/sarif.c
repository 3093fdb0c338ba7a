#include "cli/sarif.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    bool on;
    json_t *results, *said;
} sarif;

typedef struct rule {
    int status; /* of errors; -1: none */
    const char *id, *text;
} rule;

/* The last two are for messages that are no errors, by severity. */
static const rule rules[] = {
    {TENURE_ERROR, "request", "The model, the plan or what is asked for is wrong."},
    {TENURE_USAGE, "usage", "An option or a value is wrong."},
    {TENURE_NOMEM, "memory", "The command ran out of memory."},
    {TENURE_NOFIT, "capacity", "The plan does not fit the capacity."},
    {TENURE_INTERNAL, "internal", "tenure made a mistake."},
    {TENURE_INTERRUPTED, "interrupted", "The command was interrupted."},
    {-1, "warning", "The plan is made, but not as it could be expected."},
    {-1, "remark", "A reuse of memory was refused."},
};
enum { N_RULES = sizeof rules / sizeof rules[0], WARNING = N_RULES - 2, REMARK = N_RULES - 1 };

/* A text of a model may be no UTF-8, which JSON has to be. */
static json_t *text_of(const char *text, size_t size) {
    json_t *made = json_stringn(text, size);
    char *copy = made == NULL ? malloc(size + 1) : NULL;
    if (copy != NULL) {
        for (size_t i = 0; i < size; i++) {
            copy[i] = (unsigned char)text[i] < 0x80 ? text[i] : '?';
        }
        made = json_stringn(copy, size);
        free(copy);
    }
    return made;
}

static json_t *text(const char *text) {
    return text != NULL ? text_of(text, strlen(text)) : NULL;
}

static json_t *uri_of(const char *path) {
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                "-._~/";
    char *out = malloc(strlen(path) * 3 + 1), *at = out;
    if (out == NULL) {
        return NULL;
    }
    for (; *path != '\0'; path++) {
        at += strchr(plain, *path) != NULL ? sprintf(at, "%c", *path)
                                           : sprintf(at, "%%%02X", (unsigned char)*path);
    }
    *at = '\0';
    json_t *made = json_string(out);
    free(out);
    return made;
}

static json_t *physical(const tenure_diagnostic *d) {
    json_t *region = NULL;
    if (d->file == NULL) {
        return NULL;
    }
    if (d->line > 0) {
        region = json_pack("{s:I, s:I}", "startLine", (json_int_t)d->line, "startColumn",
                           (json_int_t)(d->column > 0 ? d->column : 1));
    }
    return json_pack("{s:{s:o*}, s:o*}", "artifactLocation", "uri", uri_of(d->file), "region",
                     region);
}

static void add_logical(json_t *list, const char *kind, const char *name, const char *graph,
                        json_t *properties) {
    json_t *full = NULL;
    size_t size = (graph != NULL ? strlen(graph) : 0) + (name != NULL ? strlen(name) : 0) + 2;
    char *path = malloc(size);
    if (path != NULL && name != NULL) {
        (void)snprintf(path, size, "%s%s%s", graph != NULL ? graph : "", graph != NULL ? "/" : "",
                       name);
        full = text(path);
    }
    free(path);
    (void)json_array_append_new(list, json_pack("{s:o*, s:o*, s:s, s:o*}", "name", text(name),
                                                "fullyQualifiedName", full, "kind", kind,
                                                "properties", properties));
}

static json_t *logical(const tenure_diagnostic *d) {
    json_t *list = json_array();
    if (d->graph != NULL) {
        add_logical(list, "graph", d->graph, NULL, NULL);
    }
    if (d->index >= 0) {
        add_logical(list, "node", d->node, d->graph,
                    json_pack("{s:o*, s:i}", "op", text(d->op), "position", (int)d->index));
    }
    if (d->value != NULL) {
        add_logical(list, "value", d->value, d->graph, NULL);
    }
    if (json_array_size(list) == 0) {
        json_decref(list);
        list = NULL;
    }
    return list;
}

/* With the message where the place is one of several. */
static json_t *place(const tenure_diagnostic *d, bool related) {
    json_t *said = related ? json_pack("{s:o*}", "text", text(d->text)) : NULL;
    return json_pack("{s:o*, s:o*, s:o*}", "physicalLocation", physical(d), "logicalLocations",
                     logical(d), "message", said);
}

static size_t rule_of(const tenure_diagnostic *d) {
    size_t i = 0;
    if (d->severity != TENURE_SEV_ERROR) {
        return d->severity == TENURE_SEV_WARNING ? WARNING : REMARK;
    }
    while (i < WARNING && rules[i].status != (int)d->status) {
        i++;
    }
    return i < WARNING ? i : 0;
}

static void add_result(const tenure_diagnostic *d) {
    size_t r = rule_of(d);
    const char *level = d->severity == TENURE_SEV_ERROR     ? "error"
                        : d->severity == TENURE_SEV_WARNING ? "warning"
                                                            : "note";
    json_t *result = json_pack("{s:s, s:i, s:s, s:{s:o*}}", "ruleId", rules[r].id, "ruleIndex",
                               (int)r, "level", level, "message", "text", text(d->text));
    json_t *where = place(d, false);
    if (json_object_size(where) > 0) {
        (void)json_object_set_new(result, "locations", json_pack("[O]", where));
    }
    json_decref(where);
    (void)json_array_append_new(sarif.results, result);
}

void tn_sarif_add(const tenure_diagnostic *d) {
    size_t n = json_array_size(sarif.results);
    json_t *last = n > 0 ? json_array_get(sarif.results, n - 1) : NULL;
    if (d->severity != TENURE_SEV_NOTE || last == NULL) {
        add_result(d);
        return;
    }
    if (json_object_get(last, "relatedLocations") == NULL) {
        (void)json_object_set_new(last, "relatedLocations", json_array());
    }
    (void)json_array_append_new(json_object_get(last, "relatedLocations"), place(d, true));
}

void tn_sarif_say(const char *what, const char *said, size_t size) {
    (void)json_array_append_new(sarif.said,
                                json_pack("{s:s, s:{s:s}, s:{s:o*}}", "level", "note", "descriptor",
                                          "id", what, "message", "text", text_of(said, size)));
}

void tn_sarif_start(void) {
    sarif.on = true;
    sarif.results = json_array();
    sarif.said = json_array();
}

bool tn_sarif_on(void) {
    return sarif.on;
}

static json_t *driver(void) {
    json_t *list = json_array();
    for (size_t i = 0; i < N_RULES; i++) {
        (void)json_array_append_new(list, json_pack("{s:s, s:{s:s}}", "id", rules[i].id,
                                                    "shortDescription", "text", rules[i].text));
    }
    return json_pack("{s:s, s:s, s:o}", "name", "tenure", "version", tenure_version_text(), "rules",
                     list);
}

void tn_sarif_end(tenure_status status) {
    json_t *log = json_pack("{s:s, s:s, s:[{s:{s:o}, s:[{s:b, s:i, s:o}], s:o}]}", "$schema",
                            "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0",
                            "runs", "tool", "driver", driver(), "invocations",
                            "executionSuccessful", status == TENURE_OK, "exitCode", (int)status,
                            "toolExecutionNotifications", sarif.said, "results", sarif.results);
    if (log == NULL || json_dumpf(log, stderr, JSON_INDENT(2)) != 0) {
        fputs("error: out of memory", stderr);
    }
    fputc('\n', stderr);
    json_decref(log);
    sarif.on = false;
}
