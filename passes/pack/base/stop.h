/* What ends a search before its budget does: another member that has answered and stands before it
 * in the portfolio, or the clock. Shared by threads. */
#ifndef TENURE_PASSES_PACK_BASE_STOP_H
#define TENURE_PASSES_PACK_BASE_STOP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "ir/base/arena.h"

typedef struct tn_stop {
    _Atomic uint32_t answered; /* the first member that has answered so far */
    uint64_t deadline_ns;      /* of tn_os_clock; 0: none */
    atomic_bool late;          /* the deadline has passed */
} tn_stop;

/* One member's view of it. `stop` may be NULL: nothing ends it early. */
typedef struct tn_stop_at {
    tn_stop *stop;
    uint32_t member;
} tn_stop_at;

/* So many milliseconds from now; 0 (none) stays 0. */
uint64_t tn_deadline(uint32_t wall_ms);
/* Whether a deadline (0: none) has passed, or the user wants what there is (tn_cut_short). This and
 * tn_stop_asked raise where the user wants no more of it; `arena` is any of the caller's. */
bool tn_clock_late(tn_arena *arena, uint64_t deadline_ns);
/* Whether the member should stop; looks at the clock, so ask every few hundred nodes. */
bool tn_stop_asked(tn_arena *arena, tn_stop_at at);

#endif
