/* For measuring alone: parts of passes that a command made for it leaves out. */
#ifndef TENURE_PASSES_CORE_MEASURED_STEPS_H
#define TENURE_PASSES_CORE_MEASURED_STEPS_H

#include <stdbool.h>

typedef enum tn_measured_step {
#define STEP(name) TN_STEP_##name,
#include "passes/core/measured_steps.def"
#undef STEP
} tn_measured_step;

/* True but in the command that bench/without.py runs: there the variable whose name is the macro
 * TN_PASSES_WITHOUT holds a number, whose bits say what to leave out. */
bool tn_step_is_on(tn_measured_step step);

#endif
