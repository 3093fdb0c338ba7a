/* The options of a command, with all that they fill. A program that embeds the library uses those
 * of `plan`; the command those of its subcommands. */
#ifndef TENURE_LIB_REQUEST_COMMAND_OPTIONS_H
#define TENURE_LIB_REQUEST_COMMAND_OPTIONS_H

#include "lib/diff/diff.h"
#include "lib/explain/explain.h"
#include "lib/fit/fit_args.h"
#include "lib/instance/pack_instance.h"
#include "lib/request/artefacts.h"
#include "lib/request/run_args.h"

typedef struct tn_project_args {
    tn_texts files;
    bool print;
} tn_project_args;

/* What a command does beside its work: read by name (tn_options_value). */
typedef struct tn_output_args {
    const char *output, *form;
    bool quiet, print_plan, annotated;
} tn_output_args;

typedef struct tenure_options {
    tn_arena *arena;
    const char *command; /* "plan" */
    tn_setting_group *groups;
    uint32_t n_groups;
    tn_request *request;
    tn_pairs switches; /* given of groups that are not the request's */
    tn_run_args run;
    tn_artefacts artefacts;
    tn_output_args output;
    tn_explain_args explain;
    tn_pack_args pack;
    tn_diff_args diff;
    tn_fit_args fit;
    tn_project_args project;
    tn_texts read;   /* project files, once they were read: paths */
    tn_texts models; /* that a project file names: paths, or NAME=PATH */
    bool checked;    /* once: what a check prints is printed */
} tn_options;

/* In an arena of their own. NULL when there is no such command. */
tn_options *tn_options_new(tn_ctx *ctx, const char *command);
/* Names of the commands that a project file may have options for; ends at NULL. */
const char **tn_options_commands(tn_arena *arena);
tn_setting_group tn_project_args_group(tn_project_args *a);

/* Sets one; `value` NULL for a flag. */
TN_MUST_USE tn_status tn_options_set(tn_options *o, const char *name, const char *value);
/* Sets the one at argv[*at], which begins with a dash, and moves *at behind it and its value. */
TN_MUST_USE tn_status tn_options_arg(tn_options *o, int argc, char *const *argv, int *at);
/* What was given last, "true" or "false" for flags; NULL when nothing was. */
const char *tn_options_value(const tn_options *o, const char *name);
/* What can be wrong before a model is read; `model` is its path, or NULL. Of several models the
 * first one comes first. */
TN_MUST_USE tn_status tn_options_check(tn_options *o, const char *model);

/* A copy of the request that takes memory from `arena`, with the alignment that artefacts wish for.
 * Of defaults for NULL. */
tn_request tn_options_request(const tn_options *o, tn_arena *arena);

#endif
