/* WebAssembly in a browser: the library alone, without files, threads, plug-ins and the command.
 * Models come as bytes, artefacts go to sinks. */
#include "ir/os/os.h"

#include <emscripten.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char tn_os_separators[] = "/";

const char *tn_os_base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

bool tn_os_is_absolute(const char *path) {
    return path[0] == '/';
}

bool tn_os_is_inside(const char *path, const char *folder) {
    (void)path;
    (void)folder;
    return false;
}

tn_os_kind tn_os_kind_at(const char *path) {
    (void)path;
    return TN_OS_NOTHING;
}

bool tn_os_is_link(const char *path) {
    (void)path;
    return false;
}

bool tn_os_same(const char *a, const char *b) {
    (void)a;
    (void)b;
    return false;
}

char *tn_os_real(const char *path) {
    (void)path;
    errno = ENOENT;
    return NULL;
}

int tn_os_open(const char *path) {
    (void)path;
    errno = ENOENT;
    return -1;
}

tn_os_kind tn_os_kind_of(int fd, uint64_t *size) {
    (void)fd;
    (void)size;
    return TN_OS_UNREAD;
}

ptrdiff_t tn_os_read(int fd, void *to, size_t size) {
    (void)fd;
    (void)to;
    (void)size;
    errno = EBADF;
    return -1;
}

int tn_os_close(int fd) {
    (void)fd;
    return 0;
}

void *tn_os_map(int fd, size_t size) {
    (void)fd;
    (void)size;
    return NULL;
}

void tn_os_unmap(void *at, size_t size) {
    (void)at;
    (void)size;
}

void tn_os_unload(const void *at, size_t size) {
    (void)at;
    (void)size;
}

void *tn_os_alloc_large(size_t size) {
    return malloc(size);
}

tn_os_thread *tn_os_thread_start(void (*fn)(void *arg), void *arg) {
    (void)fn;
    (void)arg;
    return NULL;
}

void tn_os_thread_join(tn_os_thread *thread) {
    (void)thread;
}

uint64_t tn_os_clock(void) {
    return (uint64_t)(emscripten_get_now() * 1e6);
}

uint64_t tn_os_clock_processor(void) {
    return tn_os_clock();
}

void *tn_os_load(const char *path, char *why, size_t room) {
    (void)snprintf(why, room, "a page has no plug-ins: '%s'", path);
    return NULL;
}

tn_os_function *tn_os_symbol(void *object, const char *name) {
    (void)object;
    (void)name;
    return NULL;
}
