#include "ir/base/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ir/base/diag.h"
#include "ir/base/limits.h"
#include "ir/base/sink.h"
#include "ir/os/os.h"

typedef struct mapping {
    void *at;
    size_t size;
} mapping;

static void unmap(void *p) {
    mapping *m = p;
    if (m->at != NULL) {
        tn_os_unmap(m->at, m->size);
    }
}

/* Reads to the end; `loc` NULL: standard input. */
static tn_status read_stream(tn_arena *arena, int fd, const tn_loc *loc, tn_bytes *out) {
    tn_ctx *ctx = tn_arena_ctx(arena);
    tn_sink all = tn_sink_make(arena);
    char buf[1 << 14];
    for (;;) {
        ptrdiff_t n = tn_os_read(fd, buf, sizeof buf);
        if (n == 0) {
            break;
        }
        if (n < 0) {
            if (errno == EINTR) {
                tn_poll(ctx);
                continue;
            }
            return tn_error(ctx, loc, "cannot read%s: %s", loc == NULL ? " standard input" : "",
                            strerror(errno));
        }
        tn_put_n(&all, buf, (size_t)n);
    }
    out->data = (const uint8_t *)all.data;
    out->size = all.len;
    return TN_OK;
}

static tn_status take_file(tn_arena *arena, int fd, const tn_loc *loc, mapping *m, tn_bytes *out) {
    tn_ctx *ctx = tn_arena_ctx(arena);
    uint64_t size = 0;
    tn_os_kind kind = tn_os_kind_of(fd, &size);
    if (kind == TN_OS_STREAM) {
        return read_stream(arena, fd, loc, out);
    }
    if (kind == TN_OS_UNREAD) {
        return tn_error(ctx, loc, "cannot read: %s", strerror(errno));
    }
    if (kind != TN_OS_FILE) {
        return tn_error(ctx, loc, "not a regular file");
    }
    uint64_t limit = SIZE_MAX < TN_MAX_FILE_BYTES ? SIZE_MAX : TN_MAX_FILE_BYTES;
    if (size > limit) {
        return tn_error(ctx, loc, "file of %llu bytes exceeds the limit of %llu bytes",
                        (unsigned long long)size, (unsigned long long)limit);
    }
    *out = (tn_bytes){(const uint8_t *)"", (size_t)size};
    if (size > 0) {
        m->at = tn_os_map(fd, out->size);
        if (m->at == NULL) {
            return tn_error(ctx, loc, "cannot map: %s", strerror(errno));
        }
        m->size = out->size;
        out->data = m->at;
    }
    return TN_OK;
}

tn_status tn_file_map(tn_arena *arena, const char *path, tn_bytes *out) {
    tn_ctx *ctx = tn_arena_ctx(arena);
    tn_loc loc = tn_loc_file(path);
    if (strcmp(path, "-") == 0) {
        return read_stream(arena, TN_OS_STDIN, NULL, out);
    }
    mapping *m = TN_NEW(arena, mapping);
    tn_arena_defer(arena, unmap, m);
    int fd = tn_os_open(path);
    if (fd < 0) {
        return tn_error(ctx, &loc, "cannot open: %s", strerror(errno));
    }
    tn_status status = take_file(arena, fd, &loc, m, out);
    tn_os_close(fd);
    return status;
}

void tn_file_unload(const void *data, size_t size) {
    tn_os_unload(data, size);
}

const char *tn_file_folder(tn_arena *arena, const char *path) {
    const char *base = tn_os_base_name(path);
    size_t len = (size_t)(base - path);
    /* the separator stays where the folder is nothing but it, or a drive */
    return len == 0
               ? "."
               : tn_arena_strndup(arena, path,
                                  len > 1 && base[-1] != ':' && base[-2] != ':' ? len - 1 : len);
}

const char *tn_file_stem(tn_arena *arena, const char *path) {
    const char *base = strcmp(path, "-") == 0 ? "model" : tn_os_base_name(path);
    const char *dot = strrchr(base, '.');
    return tn_arena_strndup(arena, base,
                            dot != NULL && dot != base ? (size_t)(dot - base) : strlen(base));
}

const char *tn_file_beside(tn_arena *arena, const char *path, const char *name) {
    int folder = (int)(tn_os_base_name(path) - path);
    return tn_arena_printf(arena, "%.*s%s", folder, path, name);
}

const char *tn_file_real(tn_arena *arena, const char *path) {
    char *real = tn_os_real(path);
    if (real == NULL) {
        return NULL;
    }
    const char *copy = tn_arena_strndup(arena, real, strlen(real));
    free(real);
    return copy;
}

bool tn_file_is_regular(const char *path) {
    return tn_os_kind_at(path) == TN_OS_FILE;
}

bool tn_file_same(const char *a, const char *b) {
    return tn_os_same(a, b);
}
