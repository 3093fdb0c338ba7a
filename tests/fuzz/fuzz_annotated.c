/* ONNX models with plans in them: whatever stands there, the checker says yes or no to it; a plan
 * that is right is written again, into the same file. */
#include <string.h>

#include "backends/core/backend.h"
#include "frontends/core/frontend.h"
#include "ir/onnx/onnx_write.h"
#include "ir/plan/forms.h"
#include "lib/planner.h"
#include "tests/fuzz/fuzz.h"

unsigned long fuzz_accepted;

static void write_again(tn_arena *arena, const tn_plan *p, const tn_module *m) {
    const tn_backend *onnx = tn_backend_find(m->ctx, "onnx");
    tn_backend_args none = tn_backend_defaults(arena, onnx);
    tn_sink once = tn_sink_make(arena), twice = tn_sink_make(arena);
    if (tn_backend_print(onnx, p, m, &none, &once) != TN_OK) {
        return;
    }
    tn_bytes bytes = {(const uint8_t *)once.data, once.len}, text;
    FUZZ_REQUIRE(tn_load_note(m->ctx, "again", bytes, TN_PLAN_NOTE, &text));
    tn_plan *back = tn_plan_from_json(m->ctx, "again", text.data, text.size);
    tn_request *r = tn_request_new(arena);
    FUZZ_REQUIRE(back != NULL && tn_planner_adopt(r, back) == TN_OK);
    tn_load_options options = tn_request_load_options(r);
    tn_module *again = tn_load_bytes(m->ctx, "again", bytes, &options);
    FUZZ_REQUIRE(again != NULL && tn_planner_check(r, again, back) == TN_OK);
    FUZZ_REQUIRE(tn_backend_print(onnx, back, again, &none, &twice) == TN_OK);
    FUZZ_REQUIRE(once.len == twice.len && memcmp(once.data, twice.data, once.len) == 0);
}

static tn_status read_annotated(tn_ctx *ctx, void *arg) {
    const tn_bytes *bytes = arg;
    tn_arena *arena = tn_arena_new(ctx);
    tn_request *r = tn_request_new(arena);
    tn_bytes text;
    tn_plan *p = tn_load_note(ctx, "input", *bytes, TN_PLAN_NOTE, &text)
                     ? tn_plan_from_json(ctx, "input", text.data, text.size)
                     : NULL;
    if (p == NULL || tn_planner_adopt(r, p) != TN_OK) {
        return TN_ERROR;
    }
    tn_load_options options = tn_request_load_options(r);
    tn_module *m = tn_load_bytes(ctx, "input", *bytes, &options);
    tn_status status = m != NULL ? tn_planner_check(r, m, p) : TN_ERROR;
    FUZZ_REQUIRE(status != TN_INTERNAL);
    if (status == TN_OK) {
        write_again(arena, p, m);
    }
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    return fuzz_run(data, size, read_annotated);
}
