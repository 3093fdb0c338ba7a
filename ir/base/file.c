#define _DEFAULT_SOURCE   /* madvise */
#define _XOPEN_SOURCE 700 /* realpath */
#include "ir/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ir/base/diag.h"
#include "ir/base/limits.h"
#include "ir/base/sink.h"

typedef struct mapping {
    void *at;
    size_t size;
} mapping;

static void unmap(void *p) {
    mapping *m = p;
    if (m->at != NULL) {
        munmap(m->at, m->size);
    }
}

/* Reads to the end; `loc` NULL: standard input. */
static tn_status read_stream(tn_arena *arena, int fd, const tn_loc *loc, tn_bytes *out) {
    tn_ctx *ctx = tn_arena_ctx(arena);
    tn_sink all = tn_sink_make(arena);
    char buf[1 << 14];
    for (;;) {
        ssize_t n = read(fd, buf, sizeof buf);
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

tn_status tn_file_map(tn_arena *arena, const char *path, tn_bytes *out) {
    tn_ctx *ctx = tn_arena_ctx(arena);
    tn_loc loc = tn_loc_file(path);
    if (strcmp(path, "-") == 0) {
        return read_stream(arena, STDIN_FILENO, NULL, out);
    }
    mapping *m = TN_NEW(arena, mapping);
    tn_arena_defer(arena, unmap, m);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return tn_error(ctx, &loc, "cannot open: %s", strerror(errno));
    }
    struct stat st;
    if (fstat(fd, &st) != 0) {
        int why = errno;
        close(fd);
        return tn_error(ctx, &loc, "cannot read: %s", strerror(why));
    }
    if (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)) {
        tn_status status = read_stream(arena, fd, &loc, out);
        close(fd);
        return status;
    }
    if (!S_ISREG(st.st_mode)) {
        close(fd);
        return tn_error(ctx, &loc, "not a regular file");
    }
    uint64_t limit = SIZE_MAX < TN_MAX_FILE_BYTES ? SIZE_MAX : TN_MAX_FILE_BYTES;
    if ((uint64_t)st.st_size > limit) {
        close(fd);
        return tn_error(ctx, &loc, "file of %lld bytes exceeds the limit of %llu bytes",
                        (long long)st.st_size, (unsigned long long)limit);
    }
    out->size = (size_t)st.st_size;
    out->data = (const uint8_t *)"";
    if (out->size > 0) {
        void *at = mmap(NULL, out->size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (at == MAP_FAILED) {
            int why = errno;
            close(fd);
            return tn_error(ctx, &loc, "cannot map: %s", strerror(why));
        }
        m->at = at;
        m->size = out->size;
        out->data = at;
    }
    close(fd);
    return TN_OK;
}

/* Pages that hold other bytes too are kept. */
void tn_file_unload(const void *data, size_t size) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), mask = page - 1;
    uintptr_t from = ((uintptr_t)data + mask) & ~mask, to = ((uintptr_t)data + size) & ~mask;
#ifdef MADV_DONTNEED
    if (from < to) {
        (void)madvise((void *)from, to - from, MADV_DONTNEED);
    }
#else
    (void)from;
    (void)to;
#endif
}

const char *tn_file_folder(tn_arena *arena, const char *path) {
    const char *slash = strrchr(path, '/');
    if (slash == NULL) {
        return ".";
    }
    return slash == path ? "/" : tn_arena_strndup(arena, path, (size_t)(slash - path));
}

const char *tn_file_real(tn_arena *arena, const char *path) {
    char *real = realpath(path, NULL);
    if (real == NULL) {
        return NULL;
    }
    const char *copy = tn_arena_strndup(arena, real, strlen(real));
    free(real);
    return copy;
}

bool tn_file_is_regular(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

bool tn_file_same(const char *a, const char *b) {
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}
