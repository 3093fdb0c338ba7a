/* Private to lib/api/api_*.c: what the handles of tenure.h are. */
#ifndef TENURE_LIB_API_API_T_H
#define TENURE_LIB_API_API_T_H

#include "ir/base/sink.h"
#include "ir/plan/plan.h"
#include "lib/planner.h"
#include "lib/request/command_options.h"
#include "tenure/tenure.h"

/* A tenure_context is a tn_ctx, a tenure_model a tn_module, a tenure_plan a tn_plan: these have
 * arenas of their own already. The casts are in one place. */
static inline tn_ctx *api_ctx(tenure_context *ctx) {
    return (tn_ctx *)ctx;
}
static inline tn_module *api_module(const tenure_model *model) {
    return (tn_module *)model;
}
static inline tn_plan *api_plan(const tenure_plan *plan) {
    return (tn_plan *)plan;
}

struct tenure_buffer {
    tn_arena *arena;
    tn_sink text;
};

/* Reports "WHERE: WHAT is NULL" where there is a context to report to. Returns TN_USAGE. */
tenure_status tn_api_null(tn_ctx *ctx, const char *where, const char *what);
/* Before a model is used whole: verifies what a program has built or changed. TN_ERROR after
 * diagnostics. */
TN_MUST_USE tn_status tn_api_settle(tn_module *m);
/* Fills the struct of a caller, which begins with its size, from the library's of `size` bytes.
 * False for NULL and for a size that cannot be right. */
bool tn_api_fill(void *out, const void *full, size_t size);
#define TN_API_FILL(out, full) tn_api_fill((out), &(full), sizeof(full))
/* Lists, attributes and tensors as the interface has them. */
tenure_ids tn_api_ids(tn_ids list);
bool tn_api_attribute(const tn_attr *a, tenure_attribute *out);
bool tn_api_tensor(const tn_tensor *t, tenure_tensor *out);
/* An empty buffer in an arena of its own. */
tenure_buffer *tn_api_buffer_new(tn_ctx *ctx);
/* Runs fn(ctx, arg) behind a boundary, where fn fills a new buffer at *made: *out is that buffer,
 * or NULL unless the result is TENURE_OK. */
tenure_status tn_api_put(tn_ctx *ctx, tn_status (*fn)(tn_ctx *ctx, void *arg), void *arg,
                         tenure_buffer **made, tenure_buffer **out);

/* The extents in the order of the plan's ranges, each given once. TN_USAGE after an error. */
TN_MUST_USE tn_status tn_plan_extents(const tn_plan *p, const char *const *names,
                                      const int64_t *extents, size_t n, int64_t *dims);

/* The plan in the JSON file at `path`; NULL after a diagnostic. */
tn_plan *tn_api_read_plan(tn_arena *arena, const char *path);

#endif
