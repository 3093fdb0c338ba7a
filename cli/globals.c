/* Options of all commands, which may stand anywhere. They are taken out of the line. */
#include <stdlib.h>
#include <string.h>
#include <tenure/plugin.h>

#include "cli/cli.h"
#include "cli/progress.h"
#include "cli/sarif.h"

static tenure_status set_diagnostics(tn_cli *c, const char *form) {
    (void)c;
    if (strcmp(form, "text") != 0 && strcmp(form, "json") != 0) {
        return tn_cli_error(TENURE_USAGE, NULL, "--diagnostics must be text|json, not '%s'", form);
    }
    if (form[0] == 'j' && !tn_sarif_on()) {
        tn_sarif_start();
    }
    return TENURE_OK;
}

/* What a plug-in adds is there before the rest of the line is read. */
static tenure_status load_plugin(tn_cli *c, const char *path) {
    return tenure_load_plugin(c->ctx, path);
}

typedef struct global {
    const char *name, *arg;
    tenure_status (*set)(tn_cli *c, const char *value);
} global;

/* In this order, so that messages about the second have the form that the first asks for. */
static const global globals[] = {{"--diagnostics", "FORM", set_diagnostics},
                                 {"--load-plugin", "FILE", load_plugin}};

bool tn_cli_global(size_t index, const char **name, const char **what) {
    static const char *const rows[][2] = {
        {"--diagnostics=json", "write all messages as one SARIF log on standard error"},
        {"--load-plugin=FILE", "add passes, operators, backends and frontends of a plug-in"},
        {"--list-passes", "passes and pipelines; =md makes a page of documentation"},
        {"--list-backends", "the kinds of --emit; also =md"},
        {"--list-frontends", "the forms of models"},
        {"--list-ops", "the operators that are known; also =md and =json"},
        {"--list-presets", "sets of options"},
        {"--list-options", "the options of project files; =schema for their JSON schema"},
        {"--help", "help; behind a command that command's"},
        {"--version", "the version"},
    };
    if (index >= sizeof rows / sizeof rows[0]) {
        return false;
    }
    *name = rows[index][0];
    *what = rows[index][1];
    return true;
}

/* The value of the option at *at, which is moved to its last word; NULL when it is another. */
static const char *value_at(const tn_cli *c, const global *g, int *at) {
    const char *arg = c->argv[*at];
    size_t n = strlen(g->name);
    if (strcmp(arg, g->name) == 0 && *at + 1 < c->argc) {
        return c->argv[++*at];
    }
    return strncmp(arg, g->name, n) == 0 && arg[n] == '=' ? arg + n + 1 : NULL;
}

static tenure_status take(tn_cli *c, const global *g) {
    int kept = 1, at = 1;
    tenure_status status = TENURE_OK;
    for (; at < c->argc && strcmp(c->argv[at], "--") != 0; at++) {
        const char *value = value_at(c, g, &at);
        if (value == NULL && strcmp(c->argv[at], g->name) == 0) {
            return tn_cli_error(TENURE_USAGE, NULL, "%s needs a %s", g->name, g->arg);
        }
        if (value == NULL) {
            c->argv[kept++] = c->argv[at];
        } else if (status == TENURE_OK) {
            status = g->set(c, value);
        }
    }
    while (at < c->argc) {
        c->argv[kept++] = c->argv[at++];
    }
    c->argc = kept;
    return status;
}

/* The caller's line stays as it is. */
static tenure_status copy_line(tn_cli *c) {
    size_t size = ((size_t)c->argc + 1) * sizeof *c->line;
    c->line = realloc(NULL, size);
    if (c->line == NULL) {
        return tn_cli_error(TENURE_NOMEM, NULL, "%s", "out of memory");
    }
    memcpy(c->line, c->argv, size);
    c->argv = c->line;
    return TENURE_OK;
}

tenure_status tn_cli_globals(tn_cli *c) {
    tenure_status status = copy_line(c);
    for (size_t i = 0; i < sizeof globals / sizeof globals[0] && status == TENURE_OK; i++) {
        status = take(c, &globals[i]);
    }
    if (!tn_sarif_on()) {
        tn_progress_start(c->ctx);
    }
    return status;
}
