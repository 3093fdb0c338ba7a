/* The meter, with a note of each allocation: which of them are to fail, oom_chosen says. */
#ifndef TENURE_TESTS_METER_NOTED_H
#define TENURE_TESTS_METER_NOTED_H

#include "tests/oom/paths.h"
#include "tests/unit/meter.h"

static inline void *noted(void *user, void *ptr, size_t old_size, size_t new_size) {
    if (new_size != 0) {
        oom_note();
    }
    return metered(user, ptr, old_size, new_size);
}

#endif
