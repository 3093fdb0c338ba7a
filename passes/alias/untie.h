/* An alias ties two values to one pool. Where there are several arenas it may cost more than it
 * saves: then the two go apart, and join again where they end up in one pool. */
#ifndef TENURE_PASSES_ALIAS_UNTIE_H
#define TENURE_PASSES_ALIAS_UNTIE_H

#include "passes/alias/choose.h"

/* Where values lie, by module value id. */
typedef struct tn_value_pools {
    const uint32_t *pool; /* TN_NO_ID: nowhere */
    const bool *dear;     /* some other pool of that kind costs less */
} tn_value_pools;

/* `keep` without edges of values in dear pools. Only results in place and shared gradients go:
 * without a view bytes would be copied. `at` NULL: all that may go. Sets are by edge of the choice,
 * in the arena. */
const bool *tn_edges_untied(const tn_alias_choice *choice, const bool *keep,
                            const tn_value_pools *at, tn_arena *arena);
/* `keep`, and those of the choice whose two values lie in one pool. */
const bool *tn_edges_joined(const tn_alias_choice *choice, const bool *keep,
                            const tn_value_pools *at, tn_arena *arena);

#endif
