/* `tenure`: finds the subcommand and runs it behind a boundary. The exit code is the status. */
#include <stdio.h>
#include <string.h>

#include "tools/cli/cli.h"

const tn_command tn_commands[] = {
    {"plan", "MODEL", "Plans the memory of a model, checks the plan, and writes it.",
     "Without --emit only the report is printed, on standard error. An -o belongs to the --emit "
     "before\n"
     "it; an -o without one says what to emit by the end of its name. Without -o a single\n"
     "artefact goes to standard output, several go to files named after the model.",
     tn_cmd_plan},
    {"opt", "MODEL", "Runs passes over a model and writes it in text form (.tir).",
     "The result goes to standard output, or to -o. With --print-plan standard output gets the "
     "plan.",
     tn_cmd_opt},
    {"explain", "MODEL [TENSOR]...", "Tells what shares bytes with what, what does not, and why.",
     "Without a TENSOR (globs match) all steps are gone through, then the peak: the tensors alive\n"
     "there, what each of them costs, and what other options would make of the arena, planned "
     "again\n"
     "with each.",
     tn_cmd_explain},
    {"check", "MODEL PLAN.json", "Proves a plan right for a model, or says what is wrong with it.",
     "Options the plan was made with are read from the plan; those given here count more.",
     tn_cmd_check},
    {"dims", "MODEL", "Lists the dimensions a model leaves open and how to bind them.", "",
     tn_cmd_dims},
    {"pack", "IN.csv", "Packs buffers given as CSV: live ranges and sizes in, offsets out.",
     "Columns: id, lower, upper (or end, inclusive), size, and alignment, hint, gaps, offset "
     "(which\n"
     "fixes the buffer) as in MiniMalloc. Exit code 4 when nothing that fits --capacity was found.",
     tn_cmd_pack},
    {"version", "", "Prints the version.", "", tn_cmd_version},
    {"help", "[COMMAND]", "Prints help.", "", tn_cmd_help},
    {NULL, NULL, NULL, NULL, NULL}};

static void on_diag(void *user, tn_severity severity, const char *text) {
    (void)user;
    (void)severity;
    fprintf(stderr, "%s\n", text);
}

static const tn_command *find(const char *name) {
    for (const tn_command *c = tn_commands; c->name != NULL; c++) {
        if (strcmp(c->name, name) == 0) {
            return c;
        }
    }
    return NULL;
}

/* Global flags are other names for subcommands. */
static const tn_command *find_flag(const char *arg) {
    if (strcmp(arg, "--help") == 0 || strcmp(arg, "-h") == 0) {
        return find("help");
    }
    if (strcmp(arg, "--version") == 0) {
        return find("version");
    }
    return NULL;
}

static tn_status unknown(tn_cli *cli, const char *name) {
    const char *names[16];
    size_t n = 0;
    for (const tn_command *c = tn_commands; c->name != NULL && n < 16; c++) {
        names[n++] = c->name;
    }
    tn_error(cli->ctx, NULL, "unknown command '%s'%s; `tenure help` lists them", name,
             tn_cli_suggestion(cli->arena, tn_nearest(name, names, n)));
    return TN_USAGE;
}

static tn_status dispatch(tn_ctx *ctx, void *arg) {
    tn_cli *cli = arg;
    cli->arena = tn_arena_new(ctx);
    if (cli->argc < 2) {
        tn_error(ctx, NULL, "no command given; `tenure help` lists them");
        return TN_USAGE;
    }
    const char *name = cli->argv[1];
    tn_status status;
    if (tn_cli_list(cli, name, &status)) {
        return status;
    }
    cli->command = name[0] == '-' ? find_flag(name) : find(name);
    if (cli->command == NULL) {
        return unknown(cli, name);
    }
    cli->argc -= 2;
    cli->argv += 2;
    return cli->command->run(cli);
}

int main(int argc, char **argv) {
    tn_ctx *ctx = tn_ctx_new(NULL);
    if (ctx == NULL) {
        fputs("error: out of memory\n", stderr);
        return TN_NOMEM;
    }
    ctx->on_diag = on_diag;
    tn_cli cli = {.ctx = ctx, .argc = argc, .argv = argv};
    tn_status status = tn_guard_run(ctx, dispatch, &cli);
    tn_ctx_free(ctx);
    if (fflush(stdout) != 0 && status == TN_OK) {
        perror("tenure: standard output");
        status = TN_ERROR;
    }
    return (int)status;
}
