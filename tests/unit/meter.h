/* An allocator that counts what is out and fails where it is told to. */
#ifndef TENURE_TESTS_UNIT_METER_H
#define TENURE_TESTS_UNIT_METER_H

#include <stdbool.h>
#include <stdlib.h>

typedef struct meter {
    size_t out;   /* bytes */
    long fail_at; /* the allocation that fails, counted down; -1: never */
    long n;       /* allocations so far */
    bool failed;
} meter;

static inline void *metered(void *user, void *ptr, size_t old_size, size_t new_size) {
    meter *m = user;
    if (new_size == 0) {
        m->out -= ptr != NULL ? old_size : 0;
        free(ptr);
        return NULL;
    }
    m->n++;
    if (m->fail_at >= 0 && m->fail_at-- == 0) {
        m->failed = true;
        return NULL;
    }
    void *p = realloc(ptr, new_size);
    m->out += p != NULL ? new_size - (ptr != NULL ? old_size : 0) : 0;
    return p;
}

#endif
