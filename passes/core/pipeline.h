/* Pipelines as text:
 *
 *   pipeline := [ item { "," item } ]
 *   item     := name [ "{" [ options ] "}" ]       options: ir/base/option_read.h
 *
 * Blanks and line ends may stand between any two of these. A name is a pass or a named pipeline,
 * which stands for its text and takes no options. */
#ifndef TENURE_PASSES_CORE_PIPELINE_H
#define TENURE_PASSES_CORE_PIPELINE_H

#include "passes/core/pass.h"

typedef struct tn_pipeline_item {
    const tn_pass_info *pass;
    const char **values;            /* one an option of the pass, in canonical form */
    const tn_pass_info *implied_by; /* the pass whose needs brought this one in; NULL: written */
} tn_pipeline_item;

typedef struct tn_pipeline {
    tn_pipeline_item *items;
    uint32_t len, cap;
} tn_pipeline;

/* The pass with its default options, and the end of a pipeline to put it at. */
tn_pipeline_item tn_pipeline_default(tn_arena *arena, const tn_pass_info *pass);
void tn_pipeline_add(tn_arena *arena, tn_pipeline *p, tn_pipeline_item item);

/* Reads `text` into `arena`; neither it nor the canonical text may be longer than TN_MAX_PIPELINE.
 * Errors are diagnostics with line and column in `origin` ("--passes"),
 * and a suggestion where a name is near; the result is then TN_USAGE. */
TN_MUST_USE tn_status tn_pipeline_parse(tn_arena *arena, const char *origin, const char *text,
                                        tn_pipeline *out);

/* Adds before each pass what establishes the properties it needs and nothing before it gave, with
 * default options. TN_USAGE after a diagnostic when nothing establishes one, or when the canonical
 * text gets longer than TN_MAX_PIPELINE. */
TN_MUST_USE tn_status tn_pipeline_complete(tn_arena *arena, const tn_pipeline *p, tn_pipeline *out);

/* The canonical text: named pipelines spelled out, options in the pass's order, those with their
 * default value left out. Parsing it gives the same pipeline (implied passes are then written). */
void tn_pipeline_print(const tn_pipeline *p, tn_sink *out);
/* The items from `from` on, as canonical text. */
void tn_pipeline_print_from(const tn_pipeline *p, uint32_t from, tn_sink *out);

/* TN_USAGE after a diagnostic at `loc` (may be NULL) when the canonical text is too long to be read
 * back. */
TN_MUST_USE tn_status tn_pipeline_demand_short(const tn_loc *loc, const tn_pipeline *p,
                                               tn_arena *arena);

#endif
