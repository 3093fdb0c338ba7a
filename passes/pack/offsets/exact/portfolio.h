/* Exact search as a portfolio: searches of one kind in several orders (valley, canonical where
 * something is fixed or aligned, gap search where buffers have gaps), each with a budget of nodes
 * that grows from round to round. Which member answers first depends on budgets alone, so the
 * result is the same with any number of threads. */
#ifndef TENURE_PASSES_PACK_OFFSETS_EXACT_PORTFOLIO_H
#define TENURE_PASSES_PACK_OFFSETS_EXACT_PORTFOLIO_H

#include "passes/pack/base/packing.h"
#include "passes/pack/base/stop.h"

typedef struct tn_search_options {
    uint64_t goal;   /* bytes: stop at this height; the instance's bound or a capacity above it */
    bool decide;     /* heights above the goal are of no use */
    uint64_t budget; /* nodes, over all members */
    uint32_t threads;
    uint64_t deadline_ns; /* of tn_os_clock; 0: none */
    const char *without;  /* base/without.h */
} tn_search_options;

typedef struct tn_search_result {
    uint64_t bound; /* bytes; raised by every height that was proven impossible */
    uint64_t nodes;
    uint64_t work; /* steps of other kinds */
} tn_search_result;

/* Whether the instance is small enough. */
bool tn_portfolio_possible(const tn_inst *inst);
/* Lowers `best`, a packing of inst, towards options->goal. */
void tn_portfolio_run(tn_arena *arena, const tn_inst *inst, const tn_search_options *options,
                      tn_packing *best, tn_search_result *result);

#endif
