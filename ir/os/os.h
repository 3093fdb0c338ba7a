/* What the C standard leaves to the system: files under their names, pages, threads, clocks, loaded
 * objects, signals and terminals. Each system has one file (os_posix.c, os_windows.c, os_wasm.c);
 * nothing else in the tree includes a header of a system. Texts are UTF-8; where nothing else is
 * said, what fails returns -1 or NULL and leaves the reason in errno. What is allocated is freed by
 * free. */
#ifndef TENURE_IR_OS_OS_H
#define TENURE_IR_OS_OS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- paths ---- */

/* What parts the names of a path: '/', on Windows also '\'. */
extern const char tn_os_separators[];
/* Behind the last of them, and the ':' of a drive. */
const char *tn_os_base_name(const char *path);
/* Whether it says where it lies by itself, or from a drive: it is not joined to a folder. */
bool tn_os_is_absolute(const char *path);
/* Whether `path` lies in `folder`, both from tn_os_real. */
bool tn_os_is_inside(const char *path, const char *folder);

typedef enum tn_os_kind {
    TN_OS_NOTHING,
    TN_OS_FILE,   /* a regular file */
    TN_OS_STREAM, /* a pipe or a socket */
    TN_OS_OTHER,  /* a folder, a device */
    TN_OS_UNREAD  /* there, and nothing more is known */
} tn_os_kind;

/* What is there, links followed. */
tn_os_kind tn_os_kind_at(const char *path);
/* Whether the name itself is a link, wherever that leads. */
bool tn_os_is_link(const char *path);
/* Whether both are there and are one file, or one folder. */
bool tn_os_same(const char *a, const char *b);
/* The path without links and dots. */
char *tn_os_real(const char *path);

/* ---- files: descriptors, bytes as they are ---- */

enum { TN_OS_STDIN = 0, TN_OS_STDOUT = 1, TN_OS_STDERR = 2 };

int tn_os_open(const char *path);
/* For writing where a rename would replace what is no file (a device, a pipe). */
int tn_os_open_direct(const char *path);
/* A new file beside `path` with the rights that the user's files have. *fd is -1 where it could not
 * be made; NULL: out of memory, or a name that cannot be. */
char *tn_os_temporary(const char *path, int *fd);
/* Gives a file another name, whose own file it replaces at once. */
int tn_os_rename(const char *from, const char *to);
void tn_os_remove(const char *path);
tn_os_kind tn_os_kind_of(int fd, uint64_t *size);
/* The number of bytes, 0 at the end; EINTR where a signal came first. */
ptrdiff_t tn_os_read(int fd, void *to, size_t size);
int tn_os_write(int fd, const void *from, size_t size);
int tn_os_close(int fd);

/* ---- pages ---- */

/* A file's first `size` bytes, not 0, to be read only. */
void *tn_os_map(int fd, size_t size);
void tn_os_unmap(void *at, size_t size);
/* Mapped pages that lie wholly inside are read again when they are looked at again. A hint. */
void tn_os_unload(const void *at, size_t size);
/* malloc for a large piece that is looked at all over. */
void *tn_os_alloc_large(size_t size);
enum { TN_OS_LARGE = 1 << 21 }; /* what is large for it, in bytes */

/* ---- threads and clocks ---- */

/* The stack of each thread, and the least that tn_os_main has. */
enum { TN_OS_STACK = 8 << 20 };

typedef struct tn_os_thread tn_os_thread;
/* NULL where there can be none. */
tn_os_thread *tn_os_thread_start(void (*fn)(void *arg), void *arg);
/* Waits for its end and frees it. */
void tn_os_thread_join(tn_os_thread *thread);

/* Nanoseconds of a clock that nobody sets, and of this program's processors. */
uint64_t tn_os_clock(void);
uint64_t tn_os_clock_processor(void);

/* ---- objects that are loaded ---- */

/* Into this process, to the end of it. NULL: `why` says it. A name without a folder is one of the
 * current folder's. */
void *tn_os_load(const char *path, char *why, size_t room);
typedef void tn_os_function(void);
tn_os_function *tn_os_symbol(void *object, const char *name);

/* ---- a command ---- */

/* Runs `run` with arguments in UTF-8, standard streams that keep bytes as they are, and a stack of
 * TN_OS_STACK, and returns what it does; -1 where there is no room for that stack. */
int tn_os_main(int argc, char **argv, int (*run)(int argc, char **argv));
/* What Ctrl-C does, once; a second one ends the program on the spot. */
void tn_os_on_interrupt(void (*fn)(void));
/* Calls `fn` each second, from a signal or a thread: it may call tn_os_write and set atomic
 * objects. */
bool tn_os_each_second(void (*fn)(void));
/* Whether it is a terminal on which a line can be renewed. */
bool tn_os_is_terminal(int fd);

#endif
