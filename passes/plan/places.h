/* What the user says of places, before anything is planned. */
#ifndef TENURE_PASSES_PLAN_PLACES_H
#define TENURE_PASSES_PLAN_PLACES_H

#include "ir/module.h"
#include "passes/core/controls.h"

/* Whether places may be others than those of one arena: several pools, fixed places, alignments. */
bool tn_places_differ(const tn_controls *want);
/* Whether there are several arenas. */
bool tn_places_are_several(const tn_controls *want);
/* Where one arena is declared, its capacity is that of the arena. TN_USAGE where wishes contradict
 * each other. */
TN_MUST_USE tn_status tn_places_settle(tn_ctx *ctx, const tn_module *m, tn_controls *want);

#endif
