/* What can stand in a pipeline: the passes of passes/passes.def and the named pipelines of
 * passes/pipelines.def. Static tables; nothing here allocates except the suggestion. */
#ifndef TENURE_PASSES_CORE_REGISTRY_H
#define TENURE_PASSES_CORE_REGISTRY_H

#include "passes/core/pass.h"

typedef struct tn_named_pipeline {
    const char *name, *summary, *text;
} tn_named_pipeline;

/* NULL when there is none of that name, among those of plug-ins either. */
const tn_pass_info *tn_pass_find(tn_ctx *ctx, const char *name);
/* All, in order of passes.def; *n of them. */
const tn_pass_info *const *tn_pass_all(tn_ctx *ctx, uint32_t *n);
/* NULL when there is none of that name. */
const tn_named_pipeline *tn_named_pipeline_find(const char *name);
/* All, in order of pipelines.def; *n of them. */
const tn_named_pipeline *tn_named_pipeline_all(uint32_t *n);

/* The pass or named pipeline nearest to `name`, or NULL. Scratch comes from `arena`. */
const char *tn_pass_suggest(tn_arena *arena, const char *name);
/* The first pass of passes.def that sets the property, or NULL. */
const tn_pass_info *tn_pass_establishing(tn_prop prop);
/* "types", "ordered", ... for messages. */
const char *tn_prop_name(tn_prop prop);
/* Length of a list that ends at name NULL; 0 for NULL. */
uint32_t tn_pass_n_stats(const tn_pass_info *pass);

#endif
