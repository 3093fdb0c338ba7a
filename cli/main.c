/* `tenure`: finds the subcommand and runs it behind a boundary. The exit code is the status. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "cli/cli.h"
#include "cli/progress.h"

const tn_command tn_commands[] = {
    {"plan", "MODEL", "Plans the memory of a model, checks the plan, and writes it.",
     "Without --emit only the report is printed, on standard error. An -o belongs to the --emit "
     "before\n"
     "it; an -o without one says what to emit by the end of its name. Without -o a single\n"
     "artefact goes to standard output, several go to files named after the model.",
     tn_cmd_plan, true},
    {"opt", "MODEL", "Runs passes over a model and writes it, as text (.tir) or ONNX.",
     "The result goes to standard output, or to -o; one whose name ends in .onnx is an ONNX "
     "model,\n"
     "with all that no pass changed as it was. With --print-plan standard output gets the plan.",
     tn_cmd_opt, true},
    {"explain", "MODEL [TENSOR]...", "Says what shares bytes with what, what does not, and why.",
     "Without a TENSOR (globs match) all steps are gone through, then the peak: the tensors alive\n"
     "there, what each of them costs, and what other options would make of the arena, planned "
     "again\n"
     "with each.",
     tn_cmd_explain, true},
    {"check", "MODEL [PLAN.json]",
     "Proves a plan right for a model, or says what is wrong with it.",
     "Without a file the plan is the one in the model's metadata (`tenure plan --emit=onnx`).\n"
     "Options the plan was made with are read from the plan; those given here count more.",
     tn_cmd_check, true},
    {"dims", "MODEL", "Lists the dimensions a model leaves open and how to bind them.",
     "The example at the end has small numbers, 1 if possible, under which no op contradicts its\n"
     "operands, no stated type what is inferred, and no result is empty. Where none were found, a\n"
     "line below says so, warnings say what is wrong with the best, and the exit code is still 0.",
     tn_cmd_dims, true},
    {"pack", "IN.csv", "Packs buffers given as CSV: live ranges and sizes in, offsets out.",
     "Columns, as in MiniMalloc: id (or buffer, buffer_id), lower (begin, start), upper (or end,\n"
     "which is inclusive), size; and, where there are such, alignment, hint, gaps (a-b, or "
     "a-b@lo:hi\n"
     "where bytes [lo, hi) stay in use) and offset, which fixes the buffer. `tenure plan "
     "--emit=csv`\n"
     "writes a model's buffers so. What is written has the column offset.\n"
     "\n"
     "The report, on standard error, says which lower bound is proven and by what. With "
     "--capacity\n"
     "it says whether the buffers fit, are proven not to, or were not found to within the budget;\n"
     "in the last two cases the exit code is 4, nothing is written, and where it is proven the\n"
     "smallest set of buffers found that does not fit is named.",
     tn_cmd_pack, false},
    {"version", "", "Prints the version.", "", tn_cmd_version, false},
    {"help", "[COMMAND]", "Prints help.", "", tn_cmd_help, false},
    {0}};

static void on_diag(void *user, tn_severity severity, const char *text) {
    (void)user;
    (void)severity;
    tn_progress_hide();
    fprintf(stderr, "%s\n", text);
    tn_progress_show();
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

/* Memory that is given back is taken again by the next pass, and cleared by the system each time.
 */
static void keep_memory(void) {
#ifdef __GLIBC__
    (void)mallopt(M_MMAP_THRESHOLD, INT_MAX);
    (void)mallopt(M_TRIM_THRESHOLD, INT_MAX);
#endif
}

int main(int argc, char **argv) {
    keep_memory();
    tn_ctx *ctx = tn_ctx_new(NULL);
    if (ctx == NULL) {
        fputs("error: out of memory\n", stderr);
        return TN_NOMEM;
    }
    ctx->on_diag = on_diag;
    tn_progress_start(ctx);
    tn_cli cli = {.ctx = ctx, .argc = argc, .argv = argv};
    tn_status status = tn_guard_run(ctx, dispatch, &cli);
    tn_progress_hide();
    tn_ctx_free(ctx);
    if (fflush(stdout) != 0 && status == TN_OK) {
        perror("tenure: standard output");
        status = TN_ERROR;
    }
    return (int)status;
}
