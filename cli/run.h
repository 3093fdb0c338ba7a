#ifndef TENURE_CLI_RUN_H
#define TENURE_CLI_RUN_H

#include "cli/cli.h"
#include "lib/planner.h"

/* Loads `path` and runs the request's pipeline with the switches of `run` (finished here). NULL
 * when nothing was loaded; the module otherwise, with *status and *plan as tn_planner_run gives
 * them. */
tn_module *tn_cli_load_and_run(tn_cli *cli, tn_request *r, tn_run_args *run, const char *path,
                               tn_plan **plan, tn_status *status);

#endif
