/* The command: one file a subcommand (cmd_<name>.c), one row each in the table of main.c. It uses
 * the library as any program would, by its public headers. */
#ifndef TENURE_CLI_CLI_H
#define TENURE_CLI_CLI_H

#include <stdbool.h>
#include <tenure/tenure.h>

#include "ir/os/attributes.h"

typedef struct tn_command tn_command;

typedef struct tn_cli {
    tenure_context *ctx;
    tenure_options *options; /* of the command */
    const tn_command *command;
    int argc; /* what follows the subcommand */
    char **argv;
    char **line;       /* a copy of the command line; freed by main */
    const char **args; /* of that what is no option; freed by main */
    int n_args;
    bool no_memory; /* a message has said so */
} tn_cli;

struct tn_command {
    const char *name;
    const char *args; /* "MODEL PLAN.json" for the usage line */
    const char *summary;
    const char *about; /* paragraphs of --help, may be "" */
    tenure_status (*run)(tn_cli *c);
    int least, most; /* arguments */
    int full;        /* so many arguments leave no room for the model of a project file */
};

/* Ends at name NULL. */
extern const tn_command tn_commands[];

/* Takes options of all commands out of c->argv, which begins with the program's name. */
tenure_status tn_cli_globals(tn_cli *c);
/* Reads c->argv: options of the command into c->options, its arguments into c->args. False when the
 * command is over: *status then says how (help was printed, or a mistake was reported). */
bool tn_cli_parse(tn_cli *c, tenure_status *status);
/* Whether a flag was given. */
bool tn_cli_flag(const tn_cli *c, const char *name);
/* Prints --list-WHAT[=FORMAT]; false when `arg` is none. */
bool tn_cli_list(tn_cli *c, const char *arg, tenure_status *status);

/* An error on standard error, "FILE: error: ..." or without a file (NULL). Returns `status`. */
tenure_status tn_cli_error(tenure_status status, const char *file, const char *fmt, ...)
    TN_PRINTF(3, 4);
tenure_status tn_cli_unknown_command(const char *name);
/* The command of that name, or NULL. */
const tn_command *tn_cli_find(const char *name);
/* What tenure is, in a sentence. */
extern const char tn_cli_about[];
/* The options of all commands by index, "--NAME=VALUE" or "--NAME", and what they do. */
bool tn_cli_global(size_t index, const char **name, const char **what);
/* The examples of a command by index: what follows its name, and what that does. */
bool tn_cli_example(const char *command, int index, const char **line, const char **what);
/* "; did you mean 'X'?" for a word among candidates, into `out`; "" when there is none. */
const char *tn_cli_suggestion(const char *word, const char *const *candidates, size_t n, char *out,
                              size_t size);
/* Buffers to standard output, and to standard error. They are freed, and may be NULL after a
 * failure: the result is then `status`. */
tenure_status tn_cli_put(tenure_status status, tenure_buffer *text);
void tn_cli_report(tenure_buffer *text);
/* Text for people, not a message, to standard error; `what` it is: "report", "log". */
void tn_cli_say(const char *what, const char *text, size_t size);

tenure_status tn_cmd_plan(tn_cli *c);
tenure_status tn_cmd_opt(tn_cli *c);
tenure_status tn_cmd_explain(tn_cli *c);
tenure_status tn_cmd_fit(tn_cli *c);
tenure_status tn_cmd_check(tn_cli *c);
tenure_status tn_cmd_dims(tn_cli *c);
tenure_status tn_cmd_pack(tn_cli *c);
tenure_status tn_cmd_diff(tn_cli *c);
tenure_status tn_cmd_version(tn_cli *c);
tenure_status tn_cmd_help(tn_cli *c);
tenure_status tn_cmd_man(tn_cli *c);
tenure_status tn_cmd_completion(tn_cli *c);

#endif
