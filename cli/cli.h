/* The command: one file a subcommand (cmd_<name>.c), one row each in the table of main.c. */
#ifndef TENURE_CLI_CLI_H
#define TENURE_CLI_CLI_H

#include "lib/request.h"
#include "passes/core/manager.h"

typedef struct tn_command tn_command;

typedef struct tn_cli {
    tn_ctx *ctx;
    tn_arena *arena; /* dropped when the command ends */
    const tn_command *command;
    int argc; /* what follows the subcommand */
    char **argv;
} tn_cli;

struct tn_command {
    const char *name;
    const char *args; /* "MODEL PLAN.json" for the usage line */
    const char *summary;
    const char *about; /* paragraphs of --help, may be "" */
    tn_status (*run)(tn_cli *cli);
    bool takes_project; /* --project: the first argument is a model */
};

/* Ends at name NULL. */
extern const tn_command tn_commands[];

/* Reads cli->argv: settings of the groups are applied, the rest goes to `rest`, of which there must
 * be between min and max. False when the command is over: *status then says how (help was printed,
 * or a mistake was reported). */
bool tn_cli_parse(tn_cli *cli, const tn_setting_group *groups, uint32_t n_groups, uint32_t min,
                  uint32_t max, tn_texts *rest, tn_status *status);
TN_MUST_USE tn_status tn_cli_help(tn_cli *cli, const tn_setting_group *groups, uint32_t n_groups);
/* "; did you mean 'X'?", or "" for NULL. */
const char *tn_cli_suggestion(tn_arena *arena, const char *near);
/* Text on standard output, and on standard error. */
TN_MUST_USE tn_status tn_cli_put(tn_cli *cli, const tn_sink *text);
void tn_cli_report(const char *text, size_t len);

/* The switches of the pass manager: hooks and logs. */
typedef struct tn_run_args {
    tn_run_settings settings;
    tn_texts print_before, print_after;
    const char *reproducer;
    bool print_pipeline, print_log, remarks, list_passes;
    tn_sink log;
    tn_refusals refusals;
    tn_ctx *ctx;
} tn_run_args;

void tn_run_args_init(tn_run_args *a, tn_cli *cli);
tn_setting_group tn_run_args_group(tn_run_args *a);
/* After parsing: names checked, callbacks set. */
TN_MUST_USE tn_status tn_run_args_finish(tn_run_args *a, tn_cli *cli);

tn_status tn_cmd_plan(tn_cli *cli);
tn_status tn_cmd_opt(tn_cli *cli);
tn_status tn_cmd_explain(tn_cli *cli);
tn_status tn_cmd_check(tn_cli *cli);
tn_status tn_cmd_dims(tn_cli *cli);
tn_status tn_cmd_pack(tn_cli *cli);
tn_status tn_cmd_version(tn_cli *cli);
tn_status tn_cmd_help(tn_cli *cli);

/* Listings, `--list-WHAT` or `--list-WHAT=FORMAT`, as flags of any command and of none. */
typedef struct tn_listing {
    const char *flag;
    const char *formats; /* "text|md"; the first is what the bare flag means */
    void (*put)(tn_sink *out, const char *format);
} tn_listing;

void tn_list_passes(tn_sink *out, const char *format);
void tn_list_backends(tn_sink *out, const char *format);
void tn_list_ops(tn_sink *out, const char *format);
void tn_list_presets(tn_sink *out, const char *format);
void tn_list_options(tn_sink *out, const char *format);
/* False when `arg` is no listing. Otherwise it was printed, or a mistake in it reported. */
bool tn_cli_list(tn_cli *cli, const char *arg, tn_status *status);

#endif
