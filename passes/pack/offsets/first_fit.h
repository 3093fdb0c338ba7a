/* Fast fits: placing items one after the other, by some order, each at the lowest place.
 * Squeaky-wheel rounds repeat a fit with the items that ended too high moved forward. */
#ifndef TENURE_PASSES_PACK_OFFSETS_FIRST_FIT_H
#define TENURE_PASSES_PACK_OFFSETS_FIRST_FIT_H

#include "passes/pack/base/item_order.h"
#include "passes/pack/base/packing.h"
#include "passes/pack/offsets/occupancy.h"

typedef struct tn_fit_rule {
    const char *name;
    const char *letters; /* passes/pack/base/item_order.h */
} tn_fit_rule;

/* In the order in which the portfolio tries them; ends with a NULL name. */
extern const tn_fit_rule tn_fit_rules[];

/* Packs in `order` into out->offsets and out->height. */
void tn_fit_run(tn_occupancy *o, const tn_inst *inst, const uint32_t *order, tn_packing *out);

typedef struct tn_fits_options {
    uint32_t skip, rules; /* leave out the first `skip`, then try so many (0: all) */
    uint32_t rounds;      /* squeaky-wheel rounds on each of the best starts */
    uint64_t goal;        /* bytes: stop at this height */
    uint64_t budget;      /* steps of work, after which no further fit begins */
    const char *only;     /* name of the one rule to use, or NULL */
    const char *without;  /* base/without.h */
} tn_fits_options;

/* The portfolio; `best` comes with an offsets array of inst->n, and a height of UINT64_MAX when no
 * packing was found. Returns the work done. */
uint64_t tn_fits_run(tn_arena *arena, const tn_inst *inst, const tn_fits_options *options,
                     tn_packing *best);

#endif
