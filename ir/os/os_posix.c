/* Linux, macOS and the BSDs. */
#define _DEFAULT_SOURCE   /* madvise, sbrk */
#define _DARWIN_C_SOURCE  /* the same there */
#define _XOPEN_SOURCE 700 /* realpath */
#include "ir/os/os.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

const char tn_os_separators[] = "/";

const char *tn_os_base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

bool tn_os_is_absolute(const char *path) {
    return path[0] == '/';
}

bool tn_os_is_inside(const char *path, const char *folder) {
    size_t n = strlen(folder);
    return n > 0 && strncmp(path, folder, n) == 0 && (path[n] == '/' || folder[n - 1] == '/');
}

static tn_os_kind kind_of(const struct stat *st) {
    return S_ISREG(st->st_mode)                             ? TN_OS_FILE
           : S_ISFIFO(st->st_mode) || S_ISSOCK(st->st_mode) ? TN_OS_STREAM
                                                            : TN_OS_OTHER;
}

tn_os_kind tn_os_kind_at(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 ? kind_of(&st) : TN_OS_NOTHING;
}

bool tn_os_is_link(const char *path) {
    struct stat st;
    return lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
}

bool tn_os_same(const char *a, const char *b) {
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

char *tn_os_real(const char *path) {
    return realpath(path, NULL);
}

/* ---- files ---- */

int tn_os_open(const char *path) {
    return open(path, O_RDONLY | O_CLOEXEC);
}

int tn_os_open_direct(const char *path) {
    return open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
}

/* mkstemp makes files that only their owner can read; an artefact gets what the umask allows. */
char *tn_os_temporary(const char *path, int *fd) {
    static const char end[] = ".XXXXXX";
    size_t len = strlen(path);
    char *name = realloc(NULL, len + sizeof end);
    if (name == NULL) {
        return NULL;
    }
    memcpy(name, path, len);
    memcpy(name + len, end, sizeof end);
    *fd = mkstemp(name);
    mode_t mask = umask(0);
    umask(mask);
    if (*fd >= 0 && fchmod(*fd, 0666 & ~mask) != 0) {
        int why = errno;
        close(*fd);
        unlink(name);
        *fd = -1;
        errno = why;
    }
    return name;
}

int tn_os_rename(const char *from, const char *to) {
    return rename(from, to);
}

void tn_os_remove(const char *path) {
    unlink(path);
}

tn_os_kind tn_os_kind_of(int fd, uint64_t *size) {
    struct stat st;
    if (fstat(fd, &st) != 0) {
        return TN_OS_UNREAD;
    }
    *size = (uint64_t)st.st_size;
    return kind_of(&st);
}

ptrdiff_t tn_os_read(int fd, void *to, size_t size) {
    return read(fd, to, size);
}

int tn_os_write(int fd, const void *from, size_t size) {
    for (const char *at = from; size > 0;) {
        ssize_t n = write(fd, at, size);
        if (n < 0 && errno != EINTR) {
            return -1;
        }
        at += n < 0 ? 0 : n;
        size -= n < 0 ? 0 : (size_t)n;
    }
    return 0;
}

int tn_os_close(int fd) {
    return close(fd);
}

/* ---- pages ---- */

void *tn_os_map(int fd, size_t size) {
    void *at = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    return at == MAP_FAILED ? NULL : at;
}

void tn_os_unmap(void *at, size_t size) {
    munmap(at, size);
}

void tn_os_unload(const void *at, size_t size) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), mask = page - 1;
    uintptr_t from = ((uintptr_t)at + mask) & ~mask, to = ((uintptr_t)at + size) & ~mask;
    if (from < to) {
        (void)madvise((void *)from, to - from, MADV_DONTNEED);
    }
}

/* Large pieces lie on large pages where the system has them: what a graph of a million nodes takes
 * is looked at all over. A heap grows without gaps, and a page must be known to be a large one
 * before its first byte is written: so the hint is for what comes next as well. */
void *tn_os_alloc_large(size_t size) {
    void *p = malloc(size);
#ifdef MADV_HUGEPAGE
    enum { PAGES_AHEAD = 16 };
    uintptr_t from = (uintptr_t)p / TN_OS_LARGE, to = ((uintptr_t)p + size) / TN_OS_LARGE;
    if (p != NULL) {
        (void)madvise((void *)(from * TN_OS_LARGE), (to + PAGES_AHEAD - from) * TN_OS_LARGE,
                      MADV_HUGEPAGE);
    }
#endif
    return p;
}

/* ---- threads and clocks ---- */

struct tn_os_thread {
    pthread_t id;
    void (*fn)(void *arg);
    void *arg;
};

static void *run_thread(void *arg) {
    tn_os_thread *t = arg;
    t->fn(t->arg);
    return NULL;
}

/* A thread's stack is as large as it asks for, whatever `ulimit -s` and the C library say. */
tn_os_thread *tn_os_thread_start(void (*fn)(void *arg), void *arg) {
    tn_os_thread *t = malloc(sizeof *t);
    pthread_attr_t attr;
    if (t == NULL || pthread_attr_init(&attr) != 0) {
        free(t);
        return NULL;
    }
    t->fn = fn;
    t->arg = arg;
    bool started = pthread_attr_setstacksize(&attr, TN_OS_STACK) == 0 &&
                   pthread_create(&t->id, &attr, run_thread, t) == 0;
    (void)pthread_attr_destroy(&attr);
    if (!started) {
        free(t);
        return NULL;
    }
    return t;
}

void tn_os_thread_join(tn_os_thread *thread) {
    (void)pthread_join(thread->id, NULL);
    free(thread);
}

static uint64_t now(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t tn_os_clock(void) {
    return now(CLOCK_MONOTONIC);
}

uint64_t tn_os_clock_processor(void) {
    return now(CLOCK_PROCESS_CPUTIME_ID);
}

/* ---- objects that are loaded ---- */

/* A plain name would be looked for. */
void *tn_os_load(const char *path, char *why, size_t room) {
    char here[PATH_MAX];
    if (strchr(path, '/') == NULL) {
        (void)snprintf(here, sizeof here, "./%s", path);
        path = here;
    }
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (object == NULL) {
        (void)snprintf(why, room, "%s", dlerror());
    }
    return object;
}

/* ISO C has no way from a pointer to an object to one to a function but through its bytes. */
tn_os_function *tn_os_symbol(void *object, const char *name) {
    tn_os_function *function = NULL;
    void *symbol = dlsym(object, name);
    memcpy(&function, &symbol, sizeof function);
    return function;
}

/* ---- a command ---- */

/* Memory that is given back is taken again by the next pass, and cleared by the system each time.
 * What the system gives lies side by side, and reaches beyond what is used: so that large pages
 * fit. The heap begins so far below one as a small model needs: a page of 4 KiB takes the system
 * 2 microseconds to give, a large one 130. */
static void keep_memory(void) {
#ifdef __GLIBC__
    enum { SMALL_HEAP = 3 << 16, LARGE_HEAP = 1 << 25 };
    (void)mallopt(M_TOP_PAD, 2 * LARGE_HEAP);
    (void)mallopt(M_MMAP_THRESHOLD, INT_MAX);
    (void)mallopt(M_TRIM_THRESHOLD, INT_MAX);
#ifdef MADV_HUGEPAGE
    uintptr_t heap = (uintptr_t)sbrk(0) + SMALL_HEAP;
    uintptr_t above = (TN_OS_LARGE - heap % TN_OS_LARGE) % TN_OS_LARGE;
    (void)sbrk((intptr_t)above);
    void *volatile first = malloc(1); /* the heap is there with it */
    free(first);
    (void)madvise((void *)(heap + above), LARGE_HEAP, MADV_HUGEPAGE);
#endif
#endif
}

typedef struct whole_run {
    int (*run)(int argc, char **argv);
    int argc;
    char **argv;
    int status;
} whole_run;

static void run_on_thread(void *arg) {
    whole_run *r = arg;
    r->status = r->run(r->argc, r->argv);
}

int tn_os_main(int argc, char **argv, int (*run)(int argc, char **argv)) {
    whole_run r = {run, argc, argv, 0};
    struct rlimit limit;
    keep_memory();
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= TN_OS_STACK) {
        return run(argc, argv);
    }
    tn_os_thread *thread = tn_os_thread_start(run_on_thread, &r);
    if (thread == NULL) {
        return -1;
    }
    tn_os_thread_join(thread);
    return r.status;
}

static void (*volatile interrupted)(void);

static void on_signal(int signal) {
    (void)signal;
    interrupted();
}

void tn_os_on_interrupt(void (*fn)(void)) {
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND}, was;
    interrupted = fn;
    if (sigaction(SIGINT, NULL, &was) == 0 && was.sa_handler != SIG_IGN) {
        (void)sigaction(SIGINT, &action, NULL);
    }
}

static void (*volatile each_second)(void);

static void on_alarm(int signal) {
    (void)signal;
    each_second();
    (void)alarm(1);
}

bool tn_os_each_second(void (*fn)(void)) {
    struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
    each_second = fn;
    if (sigaction(SIGALRM, &action, NULL) != 0) {
        return false;
    }
    (void)alarm(1);
    return true;
}

bool tn_os_is_terminal(int fd) {
    const char *term = getenv("TERM");
    return isatty(fd) && term != NULL && strcmp(term, "dumb") != 0;
}
