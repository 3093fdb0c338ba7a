/* Which values have their channels last (TN_VF_CHANNELS_LAST). */
#ifndef TENURE_PASSES_CORE_IMAGE_LAYOUT_H
#define TENURE_PASSES_CORE_IMAGE_LAYOUT_H

#include "ir/module.h"

/* Flags the images of the main graph: what ops that work on images (TN_T_IMAGES) read and make, and
 * all values of their rank that element-wise ops, and ops that join, cut and pad, tie to them. Data
 * of the model, state, values of which nested graphs know, and those for which both layouts are the
 * same stay as they are. Returns how many there are; linear in operands. */
uint32_t tn_lay_channels_last(tn_module *m, tn_arena *arena);

#endif
