/* `help`, `version` and the listings. */
#include <string.h>

#include "backends/core/backend.h"
#include "passes/core/registry.h"
#include "tools/cli/cli.h"
#include "tools/lib/version.h"

static void put_option(tn_sink *out, const tn_opt *o) {
    static const char *const kinds[] = {[TN_OPT_BOOL] = "true|false",
                                        [TN_OPT_INT] = "N",
                                        [TN_OPT_ENUM] = "",
                                        [TN_OPT_TEXT] = "TEXT"};
    tn_putf(out, "      %s=%s: %s (default %s)\n", o->name,
            o->kind == TN_OPT_ENUM ? o->choices : kinds[o->kind], o->help,
            o->fallback[0] != '\0' ? o->fallback : "empty");
}

tn_status tn_cmd_list_passes(tn_cli *cli) {
    tn_sink out = tn_sink_make(cli->arena);
    uint32_t n;
    const tn_pass_info *const *passes = tn_pass_all(&n);
    tn_put(&out, "passes:\n");
    for (uint32_t i = 0; i < n; i++) {
        tn_putf(&out, "  %-17s %s\n", passes[i]->name, passes[i]->summary);
        for (uint32_t j = 0; j < tn_pass_n_options(passes[i]); j++) {
            put_option(&out, &passes[i]->options[j]);
        }
    }
    tn_put(&out, "pipelines:\n");
    const tn_named_pipeline *named = tn_named_pipeline_all(&n);
    for (uint32_t i = 0; i < n; i++) {
        tn_putf(&out, "  %-17s %s\n      %s\n", named[i].name, named[i].summary, named[i].text);
    }
    return tn_cli_put(cli, &out);
}

tn_status tn_cmd_list_backends(tn_cli *cli) {
    tn_sink out = tn_sink_make(cli->arena);
    uint32_t n;
    const tn_backend *const *all = tn_backend_all(&n);
    tn_put(&out, "backends:\n");
    for (uint32_t i = 0; i < n; i++) {
        tn_putf(&out, "  %-17s %s (%s)\n", all[i]->name, all[i]->summary, all[i]->suffix);
        const tn_backend_opt *o = all[i]->options;
        for (; o != NULL && o->name != NULL; o++) {
            tn_putf(&out, "      %s: %s (default %s)\n", o->name, o->help,
                    o->fallback != NULL && o->fallback[0] != '\0' ? o->fallback : "empty");
        }
    }
    return tn_cli_put(cli, &out);
}

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
    tn_put(&out,
           "\n`tenure COMMAND --help` lists the options of a command, `tenure --list-passes` the\n"
           "passes and pipelines, `tenure --list-backends` the kinds of --emit.\n\n"
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
    tn_error(cli->ctx, NULL, "unknown command '%s'", rest.data[0]);
    return TN_USAGE;
}
