/* Pipeline strings: what is read prints to a text that reads back to the same pipeline, also with
 * the passes it needs written out. */
#include <string.h>

#include "passes/core/pipeline.h"
#include "tests/fuzz/fuzz.h"

unsigned long fuzz_accepted;

static void check_round(tn_arena *arena, const tn_pipeline *p) {
    tn_pipeline back;
    tn_sink once = tn_sink_make(arena), twice = tn_sink_make(arena);
    tn_pipeline_print(p, &once);
    const char *text = once.data != NULL ? once.data : "";
    FUZZ_REQUIRE(tn_pipeline_parse(arena, "again", text, &back) == TN_OK);
    FUZZ_REQUIRE(back.len == p->len);
    tn_pipeline_print(&back, &twice);
    FUZZ_REQUIRE(strcmp(text, twice.data != NULL ? twice.data : "") == 0);
}

static tn_status read_pipeline(tn_ctx *ctx, void *arg) {
    const tn_bytes *bytes = arg;
    tn_arena *arena = tn_arena_new(ctx);
    tn_pipeline written, completed;
    const char *text = tn_arena_strndup(arena, (const char *)bytes->data, bytes->size);
    tn_status status = tn_pipeline_parse(arena, "input", text, &written);
    if (status != TN_OK) {
        return status;
    }
    check_round(arena, &written);
    status = tn_pipeline_complete(arena, &written, &completed);
    if (status == TN_OK) {
        check_round(arena, &completed);
    }
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    return fuzz_run(data, size, read_pipeline);
}
