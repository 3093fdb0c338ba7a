/* `help` and `version`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/out_files.h"

tenure_status tn_cmd_version(tn_cli *c) {
    char line[64];
    (void)c;
    (void)snprintf(line, sizeof line, "tenure %s\n", tenure_version_text());
    return tn_out_whole("-", line, strlen(line));
}

static tenure_status help_all(void) {
    char text[4096];
    size_t n = 0;
    n += (size_t)snprintf(
        text, sizeof text, "%s",
        "usage: tenure COMMAND ...\n"
        "tenure plans tensor memory ahead of time: an ONNX model in, a static plan out.\n\n"
        "commands:\n");
    for (const tn_command *k = tn_commands; k->name != NULL; k++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "  %-9s %s\n", k->name, k->summary);
    }
    n += (size_t)snprintf(
        text + n, sizeof text - n, "%s",
        "\n`tenure COMMAND --help` lists the options of a command, `tenure --list-passes` the\n"
        "passes and pipelines, `tenure --list-backends` the kinds of --emit,\n"
        "`tenure --list-frontends` the forms of models, `tenure --list-ops` the operators\n"
        "tenure knows, `tenure --list-presets` sets of options;\n"
        "--load-plugin FILE adds passes, operators, backends and frontends of a plug-in.\n"
        "--diagnostics=json writes all messages as one SARIF log on standard error.\n"
        "--list-passes=md and --list-ops=md make pages of documentation.\n\n"
        "exit codes: 0 ok, 1 bad model or failed request, 2 usage, 3 out of memory,\n"
        "4 does not fit the capacity, 70 internal error, 130 interrupted\n");
    return tn_out_whole("-", text, n);
}

static tenure_status help_one(tn_cli *c, const tn_command *command) {
    static char help[] = "--help";
    char *argv[] = {help};
    tn_cli inner = {.ctx = c->ctx, .command = command, .argc = 1, .argv = argv};
    tenure_status status;
    inner.options = tenure_options_for(c->ctx, command->name);
    if (inner.options == NULL) {
        return tenure_last_status(c->ctx);
    }
    (void)tn_cli_parse(&inner, &status);
    free(inner.args);
    return status;
}

tenure_status tn_cmd_help(tn_cli *c) {
    if (c->n_args == 0) {
        return help_all();
    }
    for (const tn_command *k = tn_commands; k->name != NULL; k++) {
        if (strcmp(k->name, c->args[0]) == 0 && k->run != tn_cmd_help) {
            return help_one(c, k);
        }
    }
    return tn_cli_unknown_command(c->args[0]);
}
