/* Analyses: results computed from a module, cached, and never stale. An analysis names the facets
 * it depends on; a cached result is valid exactly while the module's stamps of those facets are
 * what they were when it was computed. No pass has to invalidate anything. */
#ifndef TENURE_PASSES_CORE_ANALYSIS_H
#define TENURE_PASSES_CORE_ANALYSIS_H

#include "ir/module.h"

typedef struct tn_analyses tn_analyses;

/* What the reads of values depend on: which ops read what, and in which step. */
#define TN_FACETS_OF_READS                                                                         \
    (1u << TN_FACET_OPS | 1u << TN_FACET_ORDER | 1u << TN_FACET_TYPES | 1u << TN_FACET_ATTRS |     \
     1u << TN_FACET_NAMES)

typedef struct tn_analysis_info {
    const char *name, *summary;
    uint32_t depends; /* bit i: tn_facet i */
    /* The result, in `arena` (dropped when stale). May ask for other analyses. */
    const void *(*compute)(tn_analyses *an, tn_module *m, tn_arena *arena);
    /* The same for those of plug-ins, where `compute` is NULL. */
    const void *(*compute_for)(const void *user, tn_module *m, tn_arena *arena);
    const void *user;
} tn_analysis_info;

tn_analyses *tn_analyses_new(tn_module *m);
void tn_analyses_drop(tn_analyses *an);
/* Valid until the module changes in a facet it depends on. */
const void *tn_analysis_get(tn_analyses *an, const tn_analysis_info *info);

#define ANALYSIS(id) extern const tn_analysis_info tn_analysis_##id;
#include "passes/analyses.def"
#undef ANALYSIS

#endif
