/* Plans as JSON: what is read can be written by every backend that accepts it, and its JSON reads
 * back to the same JSON. */
#include <string.h>

#include "backends/core/backend.h"
#include "ir/plan/text.h"
#include "tests/fuzz/fuzz.h"

unsigned long fuzz_accepted;

static void check_round(tn_ctx *ctx, tn_arena *arena, const tn_plan *p) {
    tn_sink once = tn_sink_make(arena), twice = tn_sink_make(arena);
    tn_plan_to_json(p, &once);
    tn_plan *back = tn_plan_from_json(ctx, "again", once.data, once.len);
    FUZZ_REQUIRE(back != NULL);
    tn_plan_to_json(back, &twice);
    FUZZ_REQUIRE(strcmp(once.data, twice.data) == 0);
}

static tn_status read_plan(tn_ctx *ctx, void *arg) {
    const tn_bytes *bytes = arg;
    tn_arena *arena = tn_arena_new(ctx);
    tn_plan *p = tn_plan_from_json(ctx, "input", bytes->data, bytes->size);
    if (p == NULL) {
        return TN_ERROR;
    }
    check_round(ctx, arena, p);
    tn_sink out = tn_sink_make(arena);
    tn_plan_print(p, &out);
    tn_plan_report_print(p, &out);
    uint32_t n;
    const tn_backend *const *backends = tn_backend_all(&n);
    for (uint32_t i = 0; i < n; i++) {
        tn_backend_args none = {0};
        if (backends[i]->accepts == NULL || backends[i]->accepts(p, &none) == TN_OK) {
            out = tn_sink_make(arena);
            FUZZ_REQUIRE(backends[i]->emit(p, &none, &out) != TN_INTERNAL);
        }
    }
    return TN_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    return fuzz_run(data, size, read_plan);
}
