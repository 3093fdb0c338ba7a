#define _DEFAULT_SOURCE /* madvise */
#define _POSIX_C_SOURCE 200809L
#include "ir/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
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

bool tn_file_same(const char *a, const char *b) {
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
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

struct tn_file_out {
    tn_ctx *ctx;
    tn_arena *arena;
    const char *path, *shown; /* `shown` in messages */
    char *tmp;                /* NULL: written to directly */
    int fd;                   /* -1 once closed */
};

static tn_status cannot(const tn_file_out *f, const char *what, int why) {
    tn_loc loc = tn_loc_file(f->shown);
    return tn_error(f->ctx, &loc, "cannot %s: %s", what, strerror(why));
}

static bool close_out(tn_file_out *f) {
    int fd = f->fd;
    f->fd = -1;
    return fd == STDOUT_FILENO || close(fd) == 0;
}

static void give_up(void *p) {
    tn_file_out *f = p;
    if (f->fd >= 0) {
        (void)close_out(f);
    }
    if (f->tmp != NULL) {
        unlink(f->tmp);
    }
}

static tn_status open_direct(tn_file_out *f) {
    bool is_stdout = strcmp(f->path, "-") == 0;
    f->shown = is_stdout ? "<standard output>" : f->path;
    f->fd = is_stdout ? STDOUT_FILENO : open(f->path, O_WRONLY | O_CLOEXEC);
    return f->fd >= 0 ? TN_OK : cannot(f, "open for writing", errno);
}

/* mkstemp makes files that only their owner can read; an artefact gets what the umask allows. */
static tn_status open_temporary(tn_file_out *f) {
    char *tmp = tn_arena_printf(f->arena, "%s.XXXXXX", f->path);
    f->fd = mkstemp(tmp);
    if (f->fd < 0) {
        return cannot(f, "create", errno);
    }
    f->tmp = tmp;
    mode_t mask = umask(0);
    umask(mask);
    return fchmod(f->fd, 0666 & ~mask) == 0 ? TN_OK : cannot(f, "write", errno);
}

tn_file_out *tn_file_create(tn_arena *arena, const char *path) {
    tn_file_out *f = TN_NEW(arena, tn_file_out);
    *f = (tn_file_out){.ctx = tn_arena_ctx(arena), .arena = arena, .fd = -1};
    f->path = tn_arena_strndup(arena, path, strlen(path));
    f->shown = f->path;
    tn_arena_defer(arena, give_up, f);
    bool direct = strcmp(path, "-") == 0 || is_special(path);
    tn_status status = direct ? open_direct(f) : open_temporary(f);
    return status == TN_OK ? f : NULL;
}

tn_status tn_file_put(tn_file_out *f, const void *data, size_t size) {
    return write_all(f->fd, data, size) ? TN_OK : cannot(f, "write", errno);
}

tn_status tn_file_commit(tn_file_out *f) {
    if (!close_out(f) || (f->tmp != NULL && rename(f->tmp, f->path) != 0)) {
        return cannot(f, "write", errno);
    }
    f->tmp = NULL;
    return TN_OK;
}

tn_status tn_file_write(tn_ctx *ctx, const char *path, const void *data, size_t size) {
    tn_arena *scratch = tn_arena_new(ctx);
    tn_file_out *f = tn_file_create(scratch, path);
    tn_status status = f != NULL ? tn_file_put(f, data, size) : TN_ERROR;
    if (status == TN_OK) {
        status = tn_file_commit(f);
    }
    tn_arena_drop(scratch);
    return status;
}
