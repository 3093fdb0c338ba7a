/* Shared by the unit tests: cmocka with its headers, and a context that fails the test on leaks of
 * state between tests. */
#ifndef TENURE_TESTS_UNIT_UNIT_H
#define TENURE_TESTS_UNIT_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ir/base/arena.h"
#include "ir/base/diag.h"

/* The last diagnostics of a context made by unit_ctx, newest at the end, cut at its size. */
typedef struct unit_log {
    char text[8192];
    size_t len;
} unit_log;

static inline void unit_on_diag(void *user, const tn_message *m) {
    unit_log *log = user;
    size_t n = strlen(m->rendered);
    if (log->len + n + 2 < sizeof log->text) {
        memcpy(log->text + log->len, m->rendered, n);
        log->len += n;
        log->text[log->len++] = '\n';
        log->text[log->len] = '\0';
    }
}

static inline tn_ctx *unit_ctx(unit_log *log) {
    tn_ctx *ctx = tn_ctx_new(NULL);
    assert_non_null(ctx);
    memset(log, 0, sizeof *log);
    ctx->on_diag = unit_on_diag;
    ctx->on_diag_user = log;
    return ctx;
}

/* A cmocka test `test_<body>` that runs body(ctx, unit_log *) in a context of its own. */
#define UNIT_TEST(body)                                                                            \
    static void test_##body(void **state) {                                                        \
        (void)state;                                                                               \
        unit_log log;                                                                              \
        unit_run_logged(body, &log);                                                               \
    }

/* The same with a log that helpers of the file look at. */
#define UNIT_TEST_LOGGED(body, log)                                                                \
    static void test_##body(void **state) {                                                        \
        (void)state;                                                                               \
        unit_run_logged(body, &(log));                                                             \
    }

/* Runs a test body behind a boundary, as all code that allocates must run. */
static inline void unit_run(tn_ctx *ctx, tn_status (*body)(tn_ctx *ctx, void *arg), void *arg) {
    assert_int_equal(tn_guard_run(ctx, body, arg), TN_OK);
}

static inline void unit_run_logged(tn_status (*body)(tn_ctx *ctx, void *arg), unit_log *log) {
    tn_ctx *ctx = unit_ctx(log);
    unit_run(ctx, body, log);
    tn_ctx_free(ctx);
}

#endif
