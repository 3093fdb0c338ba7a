/* What `tenure plan` writes: --emit, -o and --emit-opt, in the order they stand on the line. */
#ifndef TENURE_CLI_ARTEFACTS_H
#define TENURE_CLI_ARTEFACTS_H

#include "cli/run.h"

typedef struct tn_artefact {
    const tn_backend *backend; /* NULL: to be found by the end of the name of `file` */
    tn_backend_args args;      /* once the backend is known */
    const char *file;          /* NULL: standard output, or a name made from the model's */
} tn_artefact;

typedef struct tn_artefacts {
    TN_VEC(tn_artefact) list;
} tn_artefacts;

tn_setting_group tn_artefacts_group(tn_artefacts *a);
/* Settles backends and file names; TN_USAGE when one cannot be found or two are the same. */
TN_MUST_USE tn_status tn_artefacts_resolve(tn_artefacts *a, tn_cli *cli, const char *model);
/* The largest alignment that one of them needs (tn_backend.align), or 0. */
uint64_t tn_artefacts_align(const tn_artefacts *a);
/* Writes all of them; `model` is what the plan was made of. Files appear under their names when all
 * are complete: a failure before that leaves none behind. */
TN_MUST_USE tn_status tn_artefacts_write(const tn_artefacts *a, tn_cli *cli, const tn_plan *plan,
                                         const tn_module *model);

/* Writes one file piece by piece, for commands whose output is no artefact of a plan. */
TN_MUST_USE tn_status tn_cli_write(tn_cli *cli, const char *file,
                                   void (*put)(void *user, tn_sink *out), void *user);
/* The folder into which an output goes; NULL for standard output. */
const char *tn_cli_folder(tn_cli *cli, const char *file);

#endif
