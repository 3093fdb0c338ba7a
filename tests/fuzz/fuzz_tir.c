/* Modules as text. What lacks the first word gets it, so that no input is a waste. */
#include "tests/fuzz/fuzz_model.h"

unsigned long fuzz_accepted;

static tn_status with_head(tn_ctx *ctx, void *arg) {
    static const char head[] = "tir 1\n";
    const tn_bytes *bytes = arg;
    tn_sink text = tn_sink_make(tn_arena_new(ctx));
    if (bytes->size < 4 || memcmp(bytes->data, head, 4) != 0) {
        tn_put(&text, head);
    }
    tn_put_n(&text, (const char *)bytes->data, bytes->size);
    tn_bytes whole = {(const uint8_t *)text.data, text.len};
    return fuzz_model(ctx, &whole);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    return fuzz_run(data, size, with_head);
}
