/* Controls from the model itself: its metadata_props tenure.KEY, where KEY is the name of one of
 * the command's options for planning ('-' and '_' are the same). What the caller gave counts more:
 * a key of the metadata is passed over when the caller set the option, but for lists of names that
 * ask for bytes of their own (exclude, loss, grad-of), which add up. What the caller owns no file
 * gives away: reuse-inputs and update count only with TN_METADATA_ALL. docs/OPTIONS.md lists the
 * keys. */
#ifndef TENURE_PASSES_CORE_MODEL_CONTROLS_H
#define TENURE_PASSES_CORE_MODEL_CONTROLS_H

#include "ir/module.h"
#include "passes/core/controls.h"

/* `out` = `given` completed from the metadata of `m`; arrays in `arena`. An unknown key or a bad
 * value is an error, even where the key does not count; tenure.plan and keys that begin with
 * tenure.plan. are what artefacts carry and are never read. */
TN_MUST_USE tn_status tn_controls_complete(const tn_controls *given, const tn_module *m,
                                           tn_arena *arena, tn_controls *out);
/* Warns of each key that asks for what is the caller's and does not count for it. */
void tn_controls_warn(const tn_controls *given, const tn_module *m);
/* Warns of what was asked for the backward part of a model in which none was found. */
void tn_controls_warn_forward(const tn_controls *given, const tn_module *m);

#endif
