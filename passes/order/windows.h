/* Better orders of large parts by exact searches of short pieces; proves nothing about the whole.
 */
#ifndef TENURE_PASSES_ORDER_WINDOWS_H
#define TENURE_PASSES_ORDER_WINDOWS_H

#include "passes/order/exact.h"
#include "passes/order/options.h"

/* Takes the ops between two places of few live bytes round the peak of `order`, searches all orders
 * of them with everything else fixed, and goes on with the new peak; a window without a better
 * order is widened. Never makes `order` worse. `ask` holds for all windows together (`below` is not
 * looked at); the result's `bound` means nothing. */
tn_search_found tn_order_windows(tn_arena *arena, const tn_sched *p, const tn_search_ask *ask,
                                 const tn_sched_options *o, uint32_t *order);

#endif
