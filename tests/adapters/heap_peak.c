/* Loaded in front of the C library: counts the bytes that are allocated, and the most there were since heap_begin. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static atomic_long now, most, begun;

static void *came(void *p) {
    long size = (long)malloc_usable_size(p), at = atomic_fetch_add(&now, size) + size;
    long seen = atomic_load(&most);
    while (at > seen && !atomic_compare_exchange_weak(&most, &seen, at)) {
    }
    return p;
}

/* ISO C has no cast from objects to functions. */
static void find(void *function, const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    memcpy(function, &found, sizeof found);
}

void *malloc(size_t size) {
    static void *(*real)(size_t);
    if (real == NULL) {
        find(&real, "malloc");
    }
    return came(real(size));
}

void *realloc(void *p, size_t size) {
    static void *(*real)(void *, size_t);
    if (real == NULL) {
        find(&real, "realloc");
    }
    atomic_fetch_sub(&now, (long)malloc_usable_size(p));
    return came(real(p, size));
}

int posix_memalign(void **p, size_t align, size_t size) {
    static int (*real)(void **, size_t, size_t);
    if (real == NULL) {
        find(&real, "posix_memalign");
    }
    int status = real(p, align, size);
    if (status == 0) {
        came(*p);
    }
    return status;
}

void *aligned_alloc(size_t align, size_t size) {
    static void *(*real)(size_t, size_t);
    if (real == NULL) {
        find(&real, "aligned_alloc");
    }
    return came(real(align, size));
}

void free(void *p) {
    static void (*real)(void *);
    if (real == NULL) {
        find(&real, "free");
    }
    atomic_fetch_sub(&now, (long)malloc_usable_size(p));
    real(p);
}

void heap_begin(void);
long heap_peak(void);

void heap_begin(void) {
    atomic_store(&begun, atomic_load(&now));
    atomic_store(&most, atomic_load(&now));
}

long heap_peak(void) {
    return atomic_load(&most) - atomic_load(&begun);
}
