/* A few threads that work through numbered jobs. */
#ifndef TENURE_PASSES_PACK_BASE_THREADS_H
#define TENURE_PASSES_PACK_BASE_THREADS_H

#include <stdbool.h>

#include "ir/base/arena.h"

/* One job; `ctx` is the worker's own. Returns false when no later job needs to begin. */
typedef bool tn_job_fn(tn_ctx *ctx, void *user, uint32_t job);

/* Calls fn for jobs 0 .. n-1, begun in this order, by `threads` workers. With more than one each
 * has a context of its own over the allocator of `ctx`, which then has to be safe for threads.
 * Raises TN_NOMEM in `ctx` when a worker ran out of memory. */
void tn_threads_run(tn_ctx *ctx, uint32_t threads, uint32_t n, tn_job_fn *fn, void *user);

#endif
