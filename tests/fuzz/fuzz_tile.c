/* Stretches that run in parts, of any module. The first line is what --tile says, the rest a module
 * as text. Parts that are made are proved from the model's ops; an internal error, which is what a
 * proof that fails ends in, is a finding. */
#include <string.h>

#include "ir/text/text.h"
#include "ir/verify.h"
#include "lib/planner.h"
#include "passes/tile/rewrite.h"
#include "tests/fuzz/fuzz.h"

unsigned long fuzz_accepted;

enum { MOST_OPS = 60, MOST_PARTS = 64 };

static bool is_small(tn_arena *arena, const char *tile, const tn_module *m) {
    tn_tile_asks asks;
    bool small = m->main->n_ops <= MOST_OPS;
    bool named = tn_tile_asks_read(arena, tile, &asks);
    for (uint32_t i = 0; named && i < asks.len; i++) {
        const tn_tile_ask *a = &asks.data[i];
        small = small && a->parts[0] * (a->n > 1 ? a->parts[1] : 1) <= MOST_PARTS;
    }
    return small;
}

static tn_status plan(tn_ctx *ctx, void *arg) {
    const tn_bytes *bytes = arg;
    tn_arena *arena = tn_arena_new(ctx);
    const char *text = tn_arena_strndup(arena, (const char *)bytes->data, bytes->size);
    size_t n = strcspn(text, "\n");
    const char *tile = tn_arena_strndup(arena, text, n), *rest = text + n + (text[n] != '\0');
    tn_module *m = tn_module_parse(ctx, "input", rest, strlen(rest));
    tn_request *r = tn_request_new(arena);
    tn_plan *p = NULL;
    if (m == NULL || tn_module_verify(m, true) != TN_OK || !is_small(arena, tile, m)) {
        return TN_ERROR;
    }
    tn_status status = tn_request_set(r, "tile", tile, NULL);
    status = status == TN_OK ? tn_planner_run(r, m, NULL, &p) : status;
    if (status == TN_OK) {
        FUZZ_REQUIRE(tn_module_verify(m, true) == TN_OK);
        fuzz_accepted += m->tiled != NULL;
    }
    tn_plan_drop(p);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    unsigned long accepted = fuzz_accepted;
    int end = fuzz_run(data, size, plan);
    fuzz_accepted -= fuzz_accepted > accepted; /* plans without parts do not count */
    return end;
}
