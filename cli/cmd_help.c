/* `help` and `version`. */
#include <string.h>

#include "cli/cli.h"
#include "lib/version.h"

tn_status tn_cmd_version(tn_cli *cli) {
    tn_sink out = tn_sink_make(cli->arena);
    tn_putf(&out, "tenure %s\n", tn_version_text());
    return tn_cli_put(cli, &out);
}

static tn_status help_all(tn_cli *cli) {
    tn_sink out = tn_sink_make(cli->arena);
    tn_put(&out,
           "usage: tenure COMMAND ...\n"
           "tenure plans tensor memory ahead of time: an ONNX model in, a static plan out.\n\n"
           "commands:\n");
    for (const tn_command *c = tn_commands; c->name != NULL; c++) {
        tn_putf(&out, "  %-9s %s\n", c->name, c->summary);
    }
    tn_put(
        &out,
        "\n`tenure COMMAND --help` lists the options of a command, `tenure --list-passes` the\n"
        "passes and pipelines, `tenure --list-backends` the kinds of --emit, `tenure --list-ops`\n"
        "the operators tenure knows, `tenure --list-presets` sets of options;\n"
        "--list-passes=md and --list-ops=md make pages of documentation.\n\n"
        "exit codes: 0 ok, 1 bad model or failed request, 2 usage, 3 out of memory,\n"
        "4 does not fit the capacity, 70 internal error\n");
    return tn_cli_put(cli, &out);
}

tn_status tn_cmd_help(tn_cli *cli) {
    tn_texts rest = {0};
    tn_status status;
    if (!tn_cli_parse(cli, NULL, 0, 0, 1, &rest, &status)) {
        return status;
    }
    if (rest.len == 0) {
        return help_all(cli);
    }
    for (const tn_command *c = tn_commands; c->name != NULL; c++) {
        if (strcmp(c->name, rest.data[0]) == 0 && c->run != tn_cmd_help) {
            static char help[] = "--help";
            char *argv[] = {help};
            tn_cli inner = *cli;
            inner.command = c;
            inner.argc = 1;
            inner.argv = argv;
            return c->run(&inner);
        }
    }
    return tn_usage(cli->ctx, NULL, "unknown command '%s'", rest.data[0]);
}
