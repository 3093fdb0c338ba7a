/* `tenure`: finds the subcommand and runs it. The exit code is the status. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/out_files.h"
#include "cli/progress.h"
#include "cli/sarif.h"
#include "ir/os/os.h"

const tn_command tn_commands[] = {
    {"plan", "MODEL...", "Plans the memory of a model, checks the plan, and writes it.",
     "Without --emit and -o the report goes to standard output, beside artefacts to standard "
     "error.\n"
     "An -o belongs to the --emit before it; an -o without one says what to emit by the end of "
     "its\n"
     "name. Without -o a single artefact goes to standard output, several go to files named after\n"
     "the model.",
     tn_cmd_plan, 1, INT_MAX, 1},
    {"opt", "MODEL", "Runs passes over a model and writes it, as text (.tir) or ONNX.",
     "The result goes to standard output, or to -o; one whose name ends in .onnx is an ONNX "
     "model,\n"
     "with all that no pass changed as it was. With --print-plan standard output gets the plan.",
     tn_cmd_opt, 1, 1, 1},
    {"explain", "MODEL|PLAN.json [TENSOR]...",
     "Says what shares bytes with what, what does not, and why.",
     "Without a TENSOR (globs match) all steps are gone through, then the peak: the tensors alive\n"
     "there, what each of them costs, and what other options would make of the arena, planned "
     "again\n"
     "with each. Last comes advice: what would make the arena smaller that only you can do "
     "(options,\n"
     "kernels, the model), with the bytes it gives and what it asks for. Of a plan in JSON the "
     "steps,\n"
     "tensors and the peak are known, and no more.",
     tn_cmd_explain, 1, INT_MAX, INT_MAX},
    {"fit", "MODEL", "Finds what makes a model fit a budget, plans it so, and writes the plan.",
     "Measures are tried by planning with them, from those that ask for nothing to those that "
     "cost\n"
     "operations, until RAM and flash suffice. The report is a ladder, a line a measure: what it\n"
     "gives, and what it asks for; it ends with a command line of `tenure plan` that does the "
     "same.\n"
     "Exit code 4 where no measure is enough: the report then says the least there is, which op\n"
     "stops it, and what only you can do.",
     tn_cmd_fit, 1, 1, 1},
    {"check", "MODEL... [PLAN.json]",
     "Proves a plan right for a model, or says what is wrong with it.",
     "Without a file the plan is the one in the model's metadata (`tenure plan --emit=onnx`).\n"
     "Options the plan was made with are read from the plan; those given here count more.",
     tn_cmd_check, 1, INT_MAX, 2},
    {"dims", "MODEL", "Lists the dimensions a model leaves open and how to bind them.",
     "The command at the end has small numbers, 1 where possible, with which ops fit their "
     "operands,\n"
     "stated types fit inferred ones, and no result is empty. Where none were found, a line below\n"
     "says so, warnings say what is wrong with the best, and the exit code is still 0.",
     tn_cmd_dims, 1, 1, 1},
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
     tn_cmd_pack, 1, 1, 1},
    {"diff", "BEFORE.json AFTER.json", "Says what is different between two plans, and why.",
     "The figures come first, then what makes the peak larger or smaller, then what else has "
     "changed,\n"
     "by the names of values, the largest first. The exit code is 0 whether they differ or not; "
     "with\n"
     "--exit-code it is 1 where they do. Plans are read as `tenure plan --emit=json` writes them.",
     tn_cmd_diff, 2, 2, 2},
    {"version", "", "Prints the version.", "", tn_cmd_version, 0, 0, 0},
    {"help", "[COMMAND]", "Prints help.", "", tn_cmd_help, 0, 1, 0},
    {"man", "[COMMAND]", "Prints a manual page, for man.",
     "The pages are made from the same tables as --help; `cmake --install` has them all.",
     tn_cmd_man, 0, 1, 0},
    {"completion", "SHELL", "Prints what makes a shell complete command lines of tenure.",
     "SHELL is bash, zsh or fish; `cmake --install` puts all three where these look for them. What "
     "is\n"
     "proposed comes from the command itself: `tenure completion words -- WORD...` prints what "
     "the\n"
     "last WORD may become, with a tab and a sentence behind each, and ':files' where a path may "
     "stand.",
     tn_cmd_completion, 1, INT_MAX, 0},
    {0}};

/* Lists end where memory does: that they were not whole shows here. */
static void on_diagnostic(void *user, const tenure_diagnostic *d) {
    tn_cli *c = user;
    c->no_memory = c->no_memory || d->status == TENURE_NOMEM;
    if (tn_sarif_on()) {
        tn_sarif_add(d);
        return;
    }
    tn_progress_hide();
    fprintf(stderr, "%s\n", d->rendered);
    tn_progress_show();
}

static void on_log(void *user, const char *file, const char *text, size_t size) {
    char note[512];
    (void)user;
    if (file == NULL) {
        tn_cli_say("log", text, size);
    } else if (tn_out_whole(file, text, size) == TENURE_OK) {
        (void)snprintf(note, sizeof note, "note: what repeats the failure is in '%s'\n", file);
        tn_cli_say("log", note, strlen(note));
    }
}

const tn_command *tn_cli_find(const char *name) {
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
        return tn_cli_find("help");
    }
    if (strcmp(arg, "--version") == 0) {
        return tn_cli_find("version");
    }
    return NULL;
}

tenure_status tn_cli_unknown_command(const char *name) {
    const char *names[16];
    char near[64];
    size_t n = 0;
    for (const tn_command *c = tn_commands; c->name != NULL && n < 16; c++) {
        names[n++] = c->name;
    }
    (void)tn_cli_suggestion(name, names, n, near, sizeof near);
    return tn_cli_error(TENURE_USAGE, NULL, "unknown command '%s'%s", name,
                        near[0] != '\0' ? near : "; `tenure help` lists them");
}

static tenure_status dispatch(tn_cli *c) {
    tenure_status status = tn_cli_globals(c);
    if (status != TENURE_OK) {
        return status;
    }
    if (c->argc < 2) {
        return tn_cli_error(TENURE_USAGE, NULL, "%s", "no command given; `tenure help` lists them");
    }
    const char *name = c->argv[1];
    if (tn_cli_list(c, name, &status)) {
        return status;
    }
    c->command = name[0] == '-' ? find_flag(name) : tn_cli_find(name);
    if (c->command == NULL) {
        return tn_cli_unknown_command(name);
    }
    c->argc -= 2;
    c->argv += 2;
    c->options = tenure_options_for(c->ctx, c->command->name);
    if (c->options == NULL) {
        return tenure_last_status(c->ctx);
    }
    return tn_cli_parse(c, &status) ? c->command->run(c) : status;
}

static tenure_context *volatile interruptible;

/* Ctrl-C ends the command without half of an artefact. */
static void on_interrupt(void) {
    tenure_cancel(interruptible);
}

static int run_all(int argc, char **argv) {
    tn_cli c = {.ctx = tenure_context_new(NULL), .argc = argc, .argv = argv};
    if (c.ctx == NULL) {
        return (int)tn_cli_error(TENURE_NOMEM, NULL, "%s", "out of memory");
    }
    tenure_on_diagnostic(c.ctx, on_diagnostic, &c);
    tenure_on_log(c.ctx, on_log, NULL);
    interruptible = c.ctx;
    tn_os_on_interrupt(on_interrupt);
    tenure_status status = dispatch(&c);
    status = status == TENURE_OK && c.no_memory ? TENURE_NOMEM : status;
    tn_progress_hide();
    interruptible = NULL;
    tenure_context_free(c.ctx);
    free(c.args);
    free(c.line);
    if (tn_sarif_on()) {
        tn_sarif_end(status);
    }
    return (int)status;
}

/* Nested graphs and expressions are walked by recursion, whose depth is bounded: on the stack that
 * tn_os_main has there is no model that overruns it. */
int main(int argc, char **argv) {
    int status = tn_os_main(argc, argv, run_all);
    return status >= 0 ? status
                       : (int)tn_cli_error(TENURE_NOMEM, NULL, "%s",
                                           "no room for a stack of 8 MiB; raise `ulimit -s`");
}
