/* --project and --print-project, as all commands have them that read a model. */
#ifndef TENURE_CLI_PROJECT_ARGS_H
#define TENURE_CLI_PROJECT_ARGS_H

#include "cli/cli.h"

typedef struct tn_project_args {
    tn_texts files;
    bool print;
    tn_pairs switches; /* what the command's own groups were given */
} tn_project_args;

/* The command's groups and one more, *n of them; those that record nothing record in a->switches.
 */
tn_setting_group *tn_project_args_groups(tn_project_args *a, tn_cli *cli,
                                         const tn_setting_group *groups, uint32_t *n);
/* After the command line: reads the files. Their model becomes the first of `rest` where there are
 * fewer than `max`. */
TN_MUST_USE tn_status tn_project_args_read(const tn_project_args *a, tn_cli *cli,
                                           const tn_setting_group *groups, uint32_t n, uint32_t max,
                                           tn_texts *rest);
TN_MUST_USE tn_status tn_project_args_print(const tn_project_args *a, tn_cli *cli,
                                            const tn_setting_group *groups, uint32_t n,
                                            const char *model);

#endif
