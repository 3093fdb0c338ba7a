/* What a backend is: one const struct in its own folder, one line in backends/backends.def. A
 * backend reads a plan and writes an artefact, one file or several, to sinks; it knows no pass and
 * opens no file. Only those that say so get the model too, for the bytes of its constants. */
#ifndef TENURE_BACKENDS_CORE_BACKEND_H
#define TENURE_BACKENDS_CORE_BACKEND_H

#include "ir/base/option.h"
#include "ir/base/sink.h"
#include "ir/module.h"
#include "ir/plan/plan.h"

/* The values of a backend's options, in order of its table: what the user gave, or the default.
 * They fit their options, so a backend checks only what the type of an option does not say. */
typedef struct tn_backend_args {
    const char **values;
    bool *given; /* by the user */
} tn_backend_args;

/* Where the files of an artefact go. */
typedef struct tn_outlet {
    const char *name; /* of the main file, without folder: "net.h"; "" when it has none */
    /* A sink for the file of that name, which stands beside the main one; it is flushed when the
     * artefact is complete. Raises after a diagnostic when there can be none. */
    tn_sink *(*open)(void *user, const char *name);
    void *user;
    const char *folder; /* of the files; NULL: not known, or none */
} tn_outlet;

/* What is emitted, and where to. */
typedef struct tn_emission {
    const struct tn_backend *backend;
    const tn_plan *plan;
    const tn_module *model; /* of which the plan is; NULL unless the backend needs it */
    const tn_backend_args *args;
    const tn_outlet *outlet;
    tn_sink *out; /* the main file */
} tn_emission;

/* Facts of plans, and kinds of plans (backends/core/features.def). */
typedef enum tn_plan_fact {
#define FACT(id, text) TN_FACT_##id,
#include "backends/core/features.def"
    TN_FACT_COUNT
} tn_plan_fact;
#define TN_CARRIES(id) (1u << TN_FACT_##id)
#define TN_CARRIES_ALL ((1u << TN_FACT_COUNT) - 1)

typedef enum tn_plan_kind {
#define KIND(id, text) TN_KIND_##id,
#include "backends/core/features.def"
    TN_KIND_COUNT
} tn_plan_kind;

typedef struct tn_kind_refusal {
    tn_plan_kind kind;
    const char *message; /* a part of it that is always the same */
} tn_kind_refusal;

#define TN_BY_DATA_REFUSAL "whose extents are known only while running"
/* TN_ERROR after a diagnostic where values have extents that data give: of artefacts that hand
 * extents to kernels. */
TN_MUST_USE tn_status tn_backend_demand_extents(const char *backend, const tn_plan *plan);

typedef struct tn_backend {
    const char *name, *summary;
    const char *suffix;    /* of the file name when none is given: ".h" */
    const tn_opt *options; /* ends at name NULL; NULL: none */
    /* What storages have to be aligned to where the user does not say. NULL: anything will do. */
    uint64_t (*align)(const tn_backend_args *args);
    /* Which ops its kernels, made from what ops compute, do in one go, in the words of --fuse.
     * NULL, or NULL from it: it makes none. */
    const char *(*groups)(const tn_backend_args *args);
    /* TN_OK; or, after diagnostics, TN_USAGE for a value of an option that cannot be, and TN_ERROR
     * for a plan that cannot be emitted. NULL: takes any plan. */
    tn_status (*accepts)(const tn_plan *plan, const tn_backend_args *args);
    tn_status (*emit)(const tn_emission *e);
    bool needs_model;
    bool takes_sets; /* plans of several programs or variants too */
    bool takes_open; /* plans with dimensions that stay open too; of several variants it gets the
                        first, which is for all extents */
    /* The facts that stand in the artefact: TN_CARRIES(...) | ...; and what it refuses, unless
     * options say otherwise, ended by message NULL. Not of backends that need the model. */
    uint32_t carries;
    const tn_kind_refusal *refuses;
    const void *user; /* of plug-ins */
} tn_backend;

/* NULL when there is none of that name, among those of plug-ins either. */
const tn_backend *tn_backend_find(tn_ctx *ctx, const char *name);
/* All, in order of backends.def; *n of them. */
const tn_backend *const *tn_backend_all(tn_ctx *ctx, uint32_t *n);

/* The defaults, in `arena`. */
tn_backend_args tn_backend_defaults(tn_arena *arena, const tn_backend *b);
/* Sets what `text` says, "NAME=VALUE,NAME=VALUE" (ir/base/option_read.h). What was given already
 * must not come again. Messages say that the text stands in `origin`. TN_USAGE after a diagnostic.
 */
TN_MUST_USE tn_status tn_backend_set(tn_arena *arena, const tn_backend *b, const char *origin,
                                     const char *text, tn_backend_args *args);
/* Writes the artefact if the backend accepts the plan. `model` may be NULL for backends that do not
 * need it; the others are refused. e->out is not looked at: it comes from the outlet. */
TN_MUST_USE tn_status tn_backend_emit(const tn_backend *b, const tn_plan *plan,
                                      const tn_module *model, const tn_backend_args *args,
                                      const tn_outlet *outlet);
/* The same for an artefact of one file without a name, as text in `out`. */
TN_MUST_USE tn_status tn_backend_print(const tn_backend *b, const tn_plan *plan,
                                       const tn_module *model, const tn_backend_args *args,
                                       tn_sink *out);
/* A sink for another file of the artefact, called as the main file but for its end: "net.c" and
 * ".bin" are "net.bin". *name is that name. NULL after a diagnostic where the main file has no name
 * that another could be made from. */
tn_sink *tn_emission_open(const tn_emission *e, tn_arena *arena, const char *suffix,
                          const char **name);
/* By value of the plan: the id of the value of that name and graph in the model, or TN_NO_ID. A
 * plan that was read from a file knows names alone. In `arena`. */
const uint32_t *tn_plan_in_model(tn_arena *arena, const tn_plan *p, const tn_module *m);
/* As large as all plans need. */
static inline const tn_pool *tn_shared_pools(const tn_plan *p) {
    return tn_shares_pools(p) ? p->set->pools : p->pools;
}
const char *tn_plan_fact_text(tn_plan_fact fact);
const char *tn_plan_kind_text(tn_plan_kind kind);
/* The message with which the backend refuses plans of that kind, or NULL. */
const char *tn_backend_refusal(const tn_backend *b, tn_plan_kind kind);
/* Option i as the text, number or truth that it is. */
const char *tn_arg_text(const tn_backend_args *args, uint32_t i);
int64_t tn_arg_number(const tn_backend_args *args, uint32_t i);
bool tn_arg_truth(const tn_backend_args *args, uint32_t i);
/* For options that name a pool: its index; "" is the first arena. TN_NO_ID after a diagnostic when
 * the plan has none of that name, which is a mistake of usage. */
uint32_t tn_backend_pool(const tn_backend *b, const tn_plan *plan, const char *name);

#define BACKEND(id) extern const tn_backend tn_backend_##id;
#include "backends/backends.def"
#undef BACKEND

#endif
