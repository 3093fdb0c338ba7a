/* What is to be written: --emit, -o and --emit-opt, in the order they were given. */
#ifndef TENURE_LIB_REQUEST_ARTEFACTS_H
#define TENURE_LIB_REQUEST_ARTEFACTS_H

#include "backends/core/backend.h"
#include "lib/request/setting.h"

typedef struct tn_artefact {
    const tn_backend *backend; /* NULL: to be found by the end of the name of `file` */
    tn_backend_args args;      /* once the backend is known */
    const char *file;          /* NULL: standard output, or a name made from the model's */
} tn_artefact;

typedef struct tn_artefacts {
    TN_VEC(tn_artefact) list;
} tn_artefacts;

tn_setting_group tn_artefacts_group(tn_artefacts *a);
/* The kind ("emit") or the file ("output") that was given last; NULL when none was. */
const char *tn_artefacts_last(const tn_artefacts *a, const char *name);
/* Settles backends and file names; TN_USAGE when one cannot be found or two are the same. */
TN_MUST_USE tn_status tn_artefacts_resolve(tn_artefacts *a, tn_arena *arena, const char *model);
/* Whether `file` is the model, under its path or another. */
bool tn_artefact_replaces(const char *file, const char *model);
/* The largest alignment one of them needs (tn_backend.align), or 0. */
uint64_t tn_artefacts_align(const tn_artefacts *a);
/* Which groups of ops those that make kernels can all do (tn_backend.groups); NULL: none makes any.
 */
const char *tn_artefacts_groups(const tn_artefacts *a);

#endif
