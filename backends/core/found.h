/* Extents that only a run knows, as programs in C have them: numbers in m->found, which the kernels
 * that find them out say, and moves of bodies copy. */
#ifndef TENURE_BACKENDS_CORE_FOUND_H
#define TENURE_BACKENDS_CORE_FOUND_H

#include "backends/core/program.h"

/* In `arena`; NULL where data give no extent. */
const tn_found *tn_found_make(tn_arena *arena, const tn_plan *p);

/* TN_ERROR after a diagnostic where nobody would say an extent, or where parts of values that have
 * such extents would have to be moved. */
TN_MUST_USE tn_status tn_found_accepts(const tn_plan *p, const char *backend);

/* Whether some extent of the value is one, or follows from some. */
bool tn_found_has(const tn_cp *c, uint32_t value);
/* The same of one axis. */
bool tn_found_at(const tn_cp *c, uint32_t value, uint32_t axis);
/* Whether it may come out below 0, as a window over fewer elements than it has: no run has that. */
bool tn_found_below(const tn_cp *c, uint32_t value, uint32_t axis);
/* The extent of an axis that tn_found_at is true for, as an expression over `m`. */
void tn_found_put(const tn_cp *c, uint32_t value, uint32_t axis);
/* Whether the step finds out what the extent rests on; and whether it does for any result. */
bool tn_found_by(const tn_cp *c, uint32_t step, uint32_t value, uint32_t axis);
bool tn_found_by_step(const tn_cp *c, uint32_t step);
/* Of the extents that data give the one that kernels say as this axis of this result, or TN_NO_ID.
 */
uint32_t tn_found_number(const tn_cp *c, uint32_t value, uint32_t axis);
/* Functions that the expressions call. */
void tn_found_put_helpers(const tn_cp *c);
/* The macros that number the extents, and the array of the program. */
void tn_found_put_macros(const tn_cp *c);

#endif
