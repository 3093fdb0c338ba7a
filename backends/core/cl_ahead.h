/* Private to cl_plan.c: constants and state that lie in the host's memory, and go to a window on
 * the device a few steps before kernels need them; what these wrote of it goes back behind them. */
#ifndef TENURE_BACKENDS_CORE_CL_AHEAD_H
#define TENURE_BACKENDS_CORE_CL_AHEAD_H

#include "backends/core/cl_plan.h"

/* Fills in batches and copies of `cl`, for storages in chunks that are `ahead` (`chunk` and
 * `within` by storage; those in `host` are not), and gives the bytes of the window. Steps go to a
 * batch one after the other as long as what they need fits beside the batches before and behind; an
 * op with bodies does as a whole. `window`: bytes it has, 0: the least that holds what any two
 * steps need, one after the other. TN_ERROR after a diagnostic where that is more. */
TN_MUST_USE tn_status tn_cl_make_ahead(tn_arena *arena, const tn_plan *p, tn_cl_plan *cl,
                                       const tn_cl_chunk *chunks, const uint32_t *chunk,
                                       const uint64_t *within, const bool *host, uint64_t window,
                                       uint64_t *bytes);

#endif
