/* `help` and `version`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/out_files.h"

tenure_status tn_cmd_version(tn_cli *c) {
    char line[64];
    (void)c;
    (void)snprintf(line, sizeof line, "tenure %s%s\n", tenure_version_text(),
                   TENURE_VERSION_RELEASED ? "" : " (not released)");
    return tn_out_whole("-", line, strlen(line));
}

const char tn_cli_about[] =
    "tenure plans tensor memory ahead of time: an ONNX model in, a static plan out.";

static tenure_status help_all(void) {
    const char *name, *what;
    printf("usage: tenure COMMAND ...\n%s\n\ncommands:\n", tn_cli_about);
    for (const tn_command *k = tn_commands; k->name != NULL; k++) {
        printf("  %-21s %s\n", k->name, k->summary);
    }
    puts("\noptions:");
    for (size_t i = 0; tn_cli_global(i, &name, &what); i++) {
        printf("  %-21s %s\n", name, what);
    }
    puts("\n`tenure COMMAND --help` lists the options of a command.\n\n"
         "exit codes: 0 ok, 1 bad model or failed request, 2 usage, 3 out of memory,\n"
         "4 does not fit the capacity, 70 internal error, 130 interrupted");
    return tn_out_flush();
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
