#ifndef TENURE_CLI_RUN_H
#define TENURE_CLI_RUN_H

#include "cli/cli.h"
#include "lib/planner.h"

/* Loads `path` and runs the request's pipeline with the switches of `run` (finished here). NULL
 * when nothing was loaded; the module otherwise, with *status and *plan as tn_planner_run gives
 * them. */
tn_module *tn_cli_load_and_run(tn_cli *cli, tn_request *r, tn_run_args *run, const char *path,
                               tn_plan **plan, tn_status *status);

/* The plan that an ONNX model keeps in its metadata. NULL after a diagnostic. */
tn_plan *tn_cli_read_annotated(tn_cli *cli, const char *path);
/* Loads `path` with the options that the plan was made with, and checks the plan against it and
 * against what `r` asks for. `name` is the plan's in messages. NULL when nothing was loaded;
 * *status says whether the plan is right. */
tn_module *tn_cli_load_and_check(tn_cli *cli, tn_request *r, const char *path, const tn_plan *plan,
                                 const char *name, tn_status *status);

#endif
