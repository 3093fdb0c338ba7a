/* Which values have their channels last (TN_VF_CHANNELS_LAST). */
#ifndef TENURE_PASSES_CORE_IMAGE_LAYOUT_H
#define TENURE_PASSES_CORE_IMAGE_LAYOUT_H

#include "passes/core/controls.h"

/* Flags the images of the main graph where --layout asks for it: what ops that work on images
 * (TN_T_IMAGES) read and make, and all values of their rank that element-wise ops, and ops that
 * join, cut and pad, tie to them. Data of the model, state, values of which nested graphs know, and
 * those for which both layouts are the same stay as they are. Then each value that --layout-of
 * names lies as it says, and ties no other. `n`: how many have their channels last; linear in
 * operands. TN_USAGE after a diagnostic where a name is none, or a value cannot lie so. */
TN_MUST_USE tn_status tn_lay_images(tn_module *m, const tn_controls *want, tn_arena *arena,
                                    uint32_t *n);

#endif
