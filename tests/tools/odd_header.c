/* Prints the C header of the plan made by hand (tests/unit/odd_plan.h), for tests/headers. Any
 * arguments are options: name value name value ... */
#include <stdio.h>

#include "backends/core/backend.h"
#include "tests/unit/odd_plan.h"

typedef struct job {
    char **argv;
    int argc;
} job;

static void on_diag(void *user, const tn_message *m) {
    (void)user;
    fprintf(stderr, "%s\n", m->rendered);
}

static tn_status run(tn_ctx *ctx, void *arg) {
    const job *j = arg;
    tn_arena *arena = tn_arena_new(ctx);
    tn_sink out = tn_sink_make(arena);
    uint32_t n = (uint32_t)(j->argc - 1) / 2;
    const tn_backend *b = tn_backend_find(NULL, "c-header");
    const tn_plan *plan = odd_plan(ctx);
    tn_backend_args args = tn_backend_defaults(arena, b);
    tn_status status = TN_OK;
    for (uint32_t i = 0; i < n && status == TN_OK; i++) {
        const char *text = tn_arena_printf(arena, "%s=%s", j->argv[1 + 2 * i], j->argv[2 + 2 * i]);
        status = tn_backend_set(arena, b, "arguments", text, &args);
    }
    if (status == TN_OK) {
        status = tn_backend_print(b, plan, NULL, &args, &out);
        fwrite(out.data, 1, out.len, stdout);
    }
    return status;
}

int main(int argc, char **argv) {
    job j = {argv, argc};
    tn_ctx *ctx = tn_ctx_new(NULL);
    if (ctx == NULL) {
        return TN_NOMEM;
    }
    ctx->on_diag = on_diag;
    tn_status status = tn_guard_run(ctx, run, &j);
    tn_ctx_free(ctx);
    return (int)status;
}
