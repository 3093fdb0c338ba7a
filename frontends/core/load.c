/* Finds the form of a file from its content and hands it on. */
#include <string.h>

#include "frontends/core/frontend.h"
#include "ir/build.h"

static const tn_load_options none = {0};

/* `tir` is the first word behind blanks and comments, which no ONNX file begins with. */
static bool is_tir(tn_bytes bytes) {
    const char *at = (const char *)bytes.data, *end = at + bytes.size;
    for (; at < end && memchr(" \t\r\n/", *at, 5) != NULL; at++) {
        if (*at == '/') {
            const char *line = at + 1 < end && at[1] == '/' ? at : end;
            at = memchr(line, '\n', (size_t)(end - line));
            if (at == NULL) {
                return false;
            }
        }
    }
    return end - at >= 4 && memcmp(at, "tir ", 4) == 0;
}

static tn_module *load(tn_ctx *ctx, const char *path, tn_bytes bytes,
                       const tn_load_options *options) {
    return is_tir(bytes) ? tn_load_tir(ctx, path, bytes, options)
                         : tn_load_onnx(ctx, path, bytes, options);
}

tn_module *tn_load_bytes(tn_ctx *ctx, const char *path, tn_bytes bytes,
                         const tn_load_options *options) {
    options = options != NULL ? options : &none;
    tn_module *m = load(ctx, path, bytes, options);
    if (m != NULL && !options->unhashed) {
        tn_sha256_hex(bytes.data, bytes.size, m->sha256);
    }
    return m;
}

/* The bytes are hashed from the file and not from the mapping: reading that to its end would leave
 * all weights resident. */
tn_module *tn_load_file(tn_ctx *ctx, const char *path, const tn_load_options *options) {
    options = options != NULL ? options : &none;
    tn_arena *arena = tn_arena_new(ctx);
    tn_bytes bytes;
    tn_module *m = NULL;
    if (tn_file_map(arena, path, &bytes) == TN_OK) {
        bool is_file = strcmp(path, "-") != 0, hash = is_file && !options->unhashed;
        m = is_file ? load(ctx, path, bytes, options) : tn_load_bytes(ctx, path, bytes, options);
        if (m != NULL && hash && tn_sha256_file(ctx, path, m->sha256) != TN_OK) {
            tn_module_drop(m);
            m = NULL;
        }
    }
    tn_arena_drop(arena);
    return m;
}
