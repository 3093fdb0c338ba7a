/* What OpenCL copies to a window on the device ahead of the steps that need it: constants and state
 * of pools with `copied` and the section "host". What steps wrote of it goes back behind them. */
#ifndef TENURE_IR_PLAN_COPIED_AHEAD_H
#define TENURE_IR_PLAN_COPIED_AHEAD_H

#include "ir/plan/plan.h"

/* Whether the pool is memory of the host, as --pool=NAME:section=host names it. */
bool tn_pool_is_hosts(const tn_pool *pool);
bool tn_pool_goes_ahead(const tn_pool *pool);

/* Storages in the window begin at multiples of so many bytes. */
#define TN_AHEAD_APART 64u
/* Bytes that the storage takes of the window. */
uint64_t tn_ahead_room(const tn_storage *s);

/* Behind the last step of what begins at step i of the main graph: an op with its bodies. */
uint32_t tn_ahead_end(const tn_plan *p, uint32_t i);

typedef void (*tn_ahead_with)(void *user, const tn_storage *s, bool written);
/* Calls `with` for storages of such pools that something in steps [first, end) reads or writes, in
 * the order of the steps, once for each time. Linear in what these steps name. */
void tn_ahead_visit(const tn_plan *p, uint32_t first, uint32_t end, tn_ahead_with with, void *user);

/* The least bytes of a window: what any two of these need, one after the other. Storages that are
 * `left_out` (by storage; NULL: none) do not count. *at is the later of the two that ask for most.
 * In `arena`. */
uint64_t tn_ahead_least(tn_arena *arena, const tn_plan *p, const bool *left_out, uint32_t *at);

/* In words, what a window has to have at least for all that is copied ahead; false, and nothing is
 * written, where nothing is. */
bool tn_ahead_put(const tn_plan *p, tn_sink *out);

#endif
