/* Controls from the model itself: metadata_props "tenure.<control>", with the names of the
 * command's options ('-' and '_' are the same), as Caffe read them from the network file. Lists are
 * separated by commas; truths are true or false. What the model asks for adds to what the user asks
 * for: names are joined, a feature is on when either turns it on, and planning is off when either
 * turns it off. */
#ifndef TENURE_PASSES_CORE_MODEL_CONTROLS_H
#define TENURE_PASSES_CORE_MODEL_CONTROLS_H

#include "ir/module.h"
#include "passes/core/controls.h"

/* `out` = `given` completed from the metadata of `m`; arrays in `arena`. An unknown control or a
 * bad value is an error (keys "tenure.plan..." belong to artefacts and are passed over). */
TN_MUST_USE tn_status tn_controls_complete(const tn_controls *given, const tn_module *m,
                                           tn_arena *arena, tn_controls *out);

#endif
