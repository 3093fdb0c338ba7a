/* Small edits of a module, as a model gets them between two versions of a program. */
#ifndef TENURE_TESTS_RANDOM_EDIT_H
#define TENURE_TESTS_RANDOM_EDIT_H

#include "ir/module.h"

/* Adds an op to the main graph, takes one out, or puts another one in its place. False where no op
 * can be edited; then nothing is changed. */
bool edit_module(tn_module *m, uint64_t seed);

#endif
