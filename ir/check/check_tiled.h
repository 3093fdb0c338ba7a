/* Stretches of a module that run in parts (ir/tiled.h), proved from the ops of the model. */
#ifndef TENURE_IR_CHECK_CHECK_TILED_H
#define TENURE_IR_CHECK_CHECK_TILED_H

#include "ir/module.h"

/* Whether every element that leaves a stretch is made as the model's ops make it, from elements
 * that are there: element by element along the axes of parts, by what the record says that each
 * value holds. `model` is the module without parts, its ops and values with the ids that they have
 * in `m`. No op may be a clone or stand for others. TN_ERROR after a diagnostic. */
TN_MUST_USE tn_status tn_tiled_check(const tn_module *m, const tn_module *model);

#endif
