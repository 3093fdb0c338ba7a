/* Plans as JSON: what is read can be written by every backend that accepts it, its JSON reads back
 * to the same JSON, and the checker says yes or no to it, for the model it says it was made for. */
#include <string.h>

#include "backends/core/backend.h"
#include "frontends/core/frontend.h"
#include "ir/check/check.h"
#include "ir/plan/forms.h"
#include "ir/plan/plan_digest.h"
#include "lib/diff/diff.h"
#include "lib/planner.h"
#include "tests/fuzz/fuzz_model.h"

unsigned long fuzz_accepted;

static void check_round(tn_ctx *ctx, tn_arena *arena, const tn_plan *p) {
    tn_sink once = tn_sink_make(arena), twice = tn_sink_make(arena);
    tn_plan_to_json(p, &once);
    tn_plan *back = tn_plan_from_json(ctx, "again", once.data, once.len);
    FUZZ_REQUIRE(back != NULL);
    tn_plan_to_json(back, &twice);
    FUZZ_REQUIRE(strcmp(once.data, twice.data) == 0);
}

/* As it is, and as if it had been made for the model. */
static void check(tn_ctx *ctx, tn_arena *arena, const tn_plan *p) {
    const char *path = fuzz_seed(arena, p->model);
    tn_request *r = tn_request_new(arena);
    if (path == NULL || tn_planner_adopt(r, p) != TN_OK) {
        return;
    }
    tn_load_options options = tn_request_load_options(r);
    tn_module *m = tn_load_file(ctx, path, &options);
    tn_status status = m != NULL ? tn_planner_check(r, m, p) : TN_OK;
    FUZZ_REQUIRE(status != TN_INTERNAL);
    if (status != TN_OK) {
        tn_plan own = *p;
        own.digest = tn_plan_digest(m, arena);
        FUZZ_REQUIRE(tn_plan_check(&own, m) != TN_INTERNAL);
    }
}

/* A plan is the same as itself. */
static void check_diff(tn_arena *arena, const tn_plan *p) {
    static const char *const formats[] = {"text", "json", "html"};
    tn_diff_args args = tn_diff_defaults();
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        tn_sink out = tn_sink_make(arena);
        args.format = formats[i];
        FUZZ_REQUIRE(!tn_diff_plans(p, p, &args, &out));
    }
}

static tn_status read_plan(tn_ctx *ctx, void *arg) {
    const tn_bytes *bytes = arg;
    tn_arena *arena = tn_arena_new(ctx);
    tn_plan *p = tn_plan_from_json(ctx, "input", bytes->data, bytes->size);
    if (p == NULL) {
        return TN_ERROR;
    }
    check_round(ctx, arena, p);
    check(ctx, arena, p);
    check_diff(arena, p);
    tn_sink out = tn_sink_make(arena);
    tn_plan_print(p, &out);
    tn_plan_report_print(p, &out);
    uint32_t n;
    const tn_backend *const *backends = tn_backend_all(NULL, &n);
    for (uint32_t i = 0; i < n; i++) {
        tn_backend_args none = tn_backend_defaults(arena, backends[i]);
        out = tn_sink_make(arena);
        FUZZ_REQUIRE(tn_backend_print(backends[i], p, NULL, &none, &out) != TN_INTERNAL);
    }
    return TN_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    return fuzz_run(data, size, read_plan);
}
