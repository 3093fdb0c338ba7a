/* Project files: what is read can be applied or is refused, and what was applied is written as a
 * project file that means the same: it reads back to the same text. */
#include <string.h>

#include "lib/request/project.h"
#include "lib/request/request.h"
#include "tests/fuzz/fuzz.h"

unsigned long fuzz_accepted;

/* What the file says, written anew. */
static tn_status rewrite(tn_arena *arena, tn_bytes bytes, tn_sink *out) {
    tn_request *r = tn_request_new(arena);
    tn_setting_group groups[TN_REQUEST_GROUPS];
    tn_request_groups(r, groups);
    tn_project_scope scope = {.options = groups, .n_options = TN_REQUEST_GROUPS};
    tn_project p;
    tn_status status = tn_project_read(arena, "folder/input", bytes, &scope, &p);
    if (status == TN_OK) {
        status = tn_project_apply(arena, &p);
    }
    if (status == TN_OK) {
        *out = tn_sink_make(arena);
        tn_project_content content = {.scope = scope,
                                      .options = tn_request_settled(r, arena),
                                      .emits = p.emits.data,
                                      .n_emits = p.emits.len};
        for (uint32_t i = 0; i < p.emits.len; i++) {
            p.emits.data[i].file = NULL; /* paths move with the folder */
        }
        tn_project_print(&content, out);
    }
    return status;
}

static tn_status read_project(tn_ctx *ctx, void *arg) {
    tn_arena *arena = tn_arena_new(ctx);
    tn_sink once, twice;
    tn_status status = rewrite(arena, *(const tn_bytes *)arg, &once);
    if (status == TN_OK) {
        tn_bytes again = {(const uint8_t *)once.data, once.len};
        FUZZ_REQUIRE(rewrite(arena, again, &twice) == TN_OK);
        FUZZ_REQUIRE(strcmp(once.data, twice.data) == 0);
    }
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    return fuzz_run(data, size, read_project);
}
