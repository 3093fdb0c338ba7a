/* Fuzz targets: each file fuzz_<target>.c takes bytes from anybody and must not crash, leak, or
 * call its own work wrong. With TENURE_FUZZ (clang) they are libFuzzer programs; driver.c makes
 * ordinary programs of them that replay files, which is how the corpora are tests in every build.
 */
#ifndef TENURE_TESTS_FUZZ_FUZZ_H
#define TENURE_TESTS_FUZZ_FUZZ_H

#include <stdio.h>
#include <stdlib.h>

#include "ir/base/file.h"
#include "ir/base/sink.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
/* Inputs that were read and found good; each target defines it. A corpus without one is stale. */
extern unsigned long fuzz_accepted;

/* What must hold for any input. */
#define FUZZ_REQUIRE(condition)                                                                    \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition);         \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

enum { FUZZ_MEMORY = 256 << 20 };

/* malloc with a limit, so that a file that asks for much ends in TN_NOMEM and not in swap. */
static inline void *fuzz_alloc(void *user, void *ptr, size_t old_size, size_t new_size) {
    size_t *out = user;
    if (new_size == 0) {
        *out -= ptr != NULL ? old_size : 0;
        free(ptr);
        return NULL;
    }
    if (*out + new_size > FUZZ_MEMORY) {
        return NULL;
    }
    void *p = realloc(ptr, new_size);
    *out += p != NULL ? new_size - (ptr != NULL ? old_size : 0) : 0;
    return p;
}

/* Runs a body on the bytes behind a boundary, in a context of its own. No input may be an internal
 * error, and every byte comes back. */
static inline int fuzz_run(const uint8_t *data, size_t size,
                           tn_status (*body)(tn_ctx *ctx, void *bytes)) {
    size_t out = 0;
    tn_bytes bytes = {data, size};
    tn_allocator allocator = {fuzz_alloc, &out};
    tn_ctx *ctx = tn_ctx_new(&allocator);
    if (ctx != NULL) {
        tn_status status = tn_guard_run(ctx, body, &bytes);
        FUZZ_REQUIRE(status != TN_INTERNAL);
        fuzz_accepted += status == TN_OK;
        tn_ctx_free(ctx);
    }
    FUZZ_REQUIRE(out == 0);
    return 0;
}

#endif
