/* Finds the form of a file from its content and hands it on. */
#include <string.h>

#include "frontends/frontend.h"

static bool is_tir(tn_bytes bytes) {
    return bytes.size >= 4 && memcmp(bytes.data, "tir ", 4) == 0;
}

tn_module *tn_load_bytes(tn_ctx *ctx, const char *path, tn_bytes bytes,
                         const tn_load_options *options) {
    static const tn_load_options none = {0};
    if (options == NULL) {
        options = &none;
    }
    return is_tir(bytes) ? tn_load_tir(ctx, path, bytes, options)
                         : tn_load_onnx(ctx, path, bytes, options);
}

tn_module *tn_load_file(tn_ctx *ctx, const char *path, const tn_load_options *options) {
    tn_arena *arena = tn_arena_new(ctx);
    tn_bytes bytes;
    tn_module *m = NULL;
    if (tn_file_map(arena, path, &bytes) == TN_OK) {
        m = tn_load_bytes(ctx, path, bytes, options);
    }
    tn_arena_drop(arena);
    return m;
}
