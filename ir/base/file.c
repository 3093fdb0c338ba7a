#define _POSIX_C_SOURCE 200809L
#include "ir/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ir/base/diag.h"
#include "ir/base/limits.h"
#include "ir/base/sha256.h"
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

static tn_status read_stdin(tn_arena *arena, tn_bytes *out) {
    tn_ctx *ctx = tn_arena_ctx(arena);
    tn_sink all = tn_sink_make(arena);
    char buf[1 << 14];
    for (;;) {
        ssize_t n = read(STDIN_FILENO, buf, sizeof buf);
        if (n == 0) {
            break;
        }
        if (n < 0) {
            if (errno == EINTR) {
                continue;
            }
            return tn_error(ctx, NULL, "cannot read standard input: %s", strerror(errno));
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
        return read_stdin(arena, out);
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
    if (!S_ISREG(st.st_mode)) {
        close(fd);
        return tn_error(ctx, &loc, "not a regular file");
    }
    if ((uint64_t)st.st_size > TN_MAX_FILE_BYTES) {
        close(fd);
        return tn_error(ctx, &loc, "file of %lld bytes exceeds the limit of %llu bytes",
                        (long long)st.st_size, (unsigned long long)TN_MAX_FILE_BYTES);
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

/* All of it, or false with errno set. */
static bool write_all(int fd, const char *data, size_t size) {
    while (size > 0) {
        ssize_t n = write(fd, data, size);
        if (n < 0) {
            if (errno == EINTR) {
                continue;
            }
            return false;
        }
        data += n;
        size -= (size_t)n;
    }
    return true;
}

/* Devices, pipes and sockets are written to directly: a rename would replace them. */
static bool is_special(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

static tn_status write_direct(tn_ctx *ctx, const char *path, int fd, const void *data,
                              size_t size) {
    tn_loc loc = tn_loc_file(path);
    if (fd < 0) {
        return tn_error(ctx, &loc, "cannot open for writing: %s", strerror(errno));
    }
    bool ok = write_all(fd, data, size);
    int why = errno;
    if (fd != STDOUT_FILENO && close(fd) != 0 && ok) {
        ok = false;
        why = errno;
    }
    return ok ? TN_OK : tn_error(ctx, &loc, "cannot write: %s", strerror(why));
}

tn_status tn_file_write(tn_ctx *ctx, const char *path, const void *data, size_t size) {
    if (strcmp(path, "-") == 0) {
        return write_direct(ctx, "<standard output>", STDOUT_FILENO, data, size);
    }
    if (is_special(path)) {
        return write_direct(ctx, path, open(path, O_WRONLY | O_CLOEXEC), data, size);
    }
    tn_loc loc = tn_loc_file(path);
    tn_arena *scratch = tn_arena_new(ctx);
    char *tmp = tn_arena_printf(scratch, "%s.XXXXXX", path);
    int fd = mkstemp(tmp);
    if (fd < 0) {
        tn_status status = tn_error(ctx, &loc, "cannot create: %s", strerror(errno));
        tn_arena_drop(scratch);
        return status;
    }
    /* mkstemp makes files that only their owner can read; an artefact gets what the umask allows.
     */
    mode_t mask = umask(0);
    umask(mask);
    bool ok = fchmod(fd, 0666 & ~mask) == 0 && write_all(fd, data, size);
    int why = errno;
    if (close(fd) != 0 && ok) {
        ok = false;
        why = errno;
    }
    if (ok && rename(tmp, path) != 0) {
        ok = false;
        why = errno;
    }
    tn_status status = TN_OK;
    if (!ok) {
        unlink(tmp);
        status = tn_error(ctx, &loc, "cannot write: %s", strerror(why));
    }
    tn_arena_drop(scratch);
    return status;
}

void tn_sha256_hex(const void *data, size_t size, char hex[65]) {
    tn_sha256 sha = tn_sha256_start();
    tn_sha256_add(&sha, data, size);
    tn_sha256_end_hex(&sha, hex);
}

tn_status tn_sha256_file(tn_ctx *ctx, const char *path, char hex[65]) {
    tn_loc loc = tn_loc_file(path);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return tn_error(ctx, &loc, "cannot open: %s", strerror(errno));
    }
    tn_sha256 sha = tn_sha256_start();
    uint8_t buf[1 << 15];
    ssize_t n;
    while ((n = read(fd, buf, sizeof buf)) != 0) {
        if (n < 0 && errno != EINTR) {
            int why = errno;
            close(fd);
            return tn_error(ctx, &loc, "cannot read: %s", strerror(why));
        }
        if (n > 0) {
            tn_sha256_add(&sha, buf, (size_t)n);
        }
    }
    close(fd);
    tn_sha256_end_hex(&sha, hex);
    return TN_OK;
}
