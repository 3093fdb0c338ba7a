/* Windows: names in UTF-16, descriptors of the C library over handles, errno for what failed. */
#include "ir/os/os.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <windows.h>
/* behind windows.h */
#include <shellapi.h>

static wchar_t *wide(const char *text) {
    int n = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, NULL, 0);
    wchar_t *made = n > 0 ? malloc((size_t)n * sizeof *made) : NULL;
    if (made == NULL) {
        errno = n > 0 ? ENOMEM : EILSEQ;
        return NULL;
    }
    MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, made, n);
    return made;
}

static char *narrow(const wchar_t *text) {
    int n = WideCharToMultiByte(CP_UTF8, 0, text, -1, NULL, 0, NULL, NULL);
    char *made = n > 0 ? malloc((size_t)n) : NULL;
    if (made != NULL) {
        WideCharToMultiByte(CP_UTF8, 0, text, -1, made, n, NULL, NULL);
    }
    return made;
}

static int failed(void) {
    switch (GetLastError()) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
        errno = ENOENT;
        break;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_USER_MAPPED_FILE:
        errno = EACCES;
        break;
    case ERROR_NOT_ENOUGH_MEMORY:
        errno = ENOMEM;
        break;
    case ERROR_DISK_FULL:
        errno = ENOSPC;
        break;
    default:
        errno = EIO;
    }
    return -1;
}

const char tn_os_separators[] = "/\\";

static bool is_separator(char c) {
    return c == '/' || c == '\\';
}

const char *tn_os_base_name(const char *path) {
    const char *base = path;
    for (const char *at = path; *at != '\0'; at++) {
        base = is_separator(*at) || (*at == ':' && at == path + 1) ? at + 1 : base;
    }
    return base;
}

bool tn_os_is_absolute(const char *path) {
    return is_separator(path[0]) || (path[0] != '\0' && path[1] == ':');
}

bool tn_os_is_inside(const char *path, const char *folder) {
    size_t n = strlen(folder);
    return n > 0 && strncmp(path, folder, n) == 0 &&
           (is_separator(path[n]) || is_separator(folder[n - 1]));
}

/* To ask about what has that name, which may be a folder; links are followed. */
static HANDLE look_at(const char *path) {
    wchar_t *name = wide(path);
    if (name == NULL) {
        return INVALID_HANDLE_VALUE;
    }
    HANDLE h = CreateFileW(name, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                           OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    free(name);
    return h;
}

static tn_os_kind kind_of(HANDLE h, uint64_t *size) {
    BY_HANDLE_FILE_INFORMATION info;
    DWORD type = GetFileType(h);
    if (type == FILE_TYPE_PIPE) {
        return TN_OS_STREAM;
    }
    if (type != FILE_TYPE_DISK) {
        return TN_OS_OTHER;
    }
    if (!GetFileInformationByHandle(h, &info)) {
        (void)failed();
        return TN_OS_UNREAD;
    }
    *size = (uint64_t)info.nFileSizeHigh << 32 | info.nFileSizeLow;
    return (info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0 ? TN_OS_OTHER : TN_OS_FILE;
}

tn_os_kind tn_os_kind_at(const char *path) {
    uint64_t size;
    HANDLE h = look_at(path);
    if (h == INVALID_HANDLE_VALUE) {
        return TN_OS_NOTHING;
    }
    tn_os_kind kind = kind_of(h, &size);
    CloseHandle(h);
    return kind;
}

bool tn_os_is_link(const char *path) {
    wchar_t *name = wide(path);
    DWORD attributes = name != NULL ? GetFileAttributesW(name) : INVALID_FILE_ATTRIBUTES;
    free(name);
    return attributes != INVALID_FILE_ATTRIBUTES &&
           (attributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0;
}

bool tn_os_same(const char *a, const char *b) {
    HANDLE x = look_at(a), y = look_at(b);
    BY_HANDLE_FILE_INFORMATION p, q;
    bool same = x != INVALID_HANDLE_VALUE && y != INVALID_HANDLE_VALUE &&
                GetFileInformationByHandle(x, &p) && GetFileInformationByHandle(y, &q) &&
                p.dwVolumeSerialNumber == q.dwVolumeSerialNumber &&
                p.nFileIndexHigh == q.nFileIndexHigh && p.nFileIndexLow == q.nFileIndexLow;
    if (x != INVALID_HANDLE_VALUE) {
        CloseHandle(x);
    }
    if (y != INVALID_HANDLE_VALUE) {
        CloseHandle(y);
    }
    return same;
}

/* The system's own way of writing a path that may be longer than usual, as everybody writes it. */
static char *as_written(wchar_t *path) {
    static const wchar_t share[] = L"\\\\?\\UNC\\", local[] = L"\\\\?\\";
    size_t n = wcslen(share);
    if (wcsncmp(path, share, n) == 0) {
        path[n - 2] = L'\\';
        return narrow(path + n - 2);
    }
    return narrow(wcsncmp(path, local, wcslen(local)) == 0 ? path + wcslen(local) : path);
}

char *tn_os_real(const char *path) {
    HANDLE h = look_at(path);
    char *real = NULL;
    if (h == INVALID_HANDLE_VALUE) {
        (void)failed();
        return NULL;
    }
    DWORD room = GetFinalPathNameByHandleW(h, NULL, 0, FILE_NAME_NORMALIZED);
    wchar_t *name = room > 0 ? malloc((room + 1) * sizeof *name) : NULL;
    if (name != NULL && GetFinalPathNameByHandleW(h, name, room + 1, FILE_NAME_NORMALIZED) > 0) {
        real = as_written(name);
    }
    free(name);
    CloseHandle(h);
    return real;
}

/* ---- files ---- */

static int open_as(const char *path, int flags) {
    wchar_t *name = wide(path);
    int fd =
        name == NULL ? -1 : _wopen(name, flags | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE);
    free(name);
    return fd;
}

int tn_os_open(const char *path) {
    return open_as(path, _O_RDONLY);
}

int tn_os_open_direct(const char *path) {
    return open_as(path, _O_WRONLY | _O_CREAT);
}

char *tn_os_temporary(const char *path, int *fd) {
    size_t room = strlen(path) + sizeof ".01234567";
    char *name = malloc(room);
    DWORD number = GetCurrentProcessId() ^ (DWORD)(tn_os_clock() >> 7);
    *fd = -1;
    if (name == NULL) {
        return NULL;
    }
    do {
        (void)snprintf(name, room, "%s.%08lx", path, number++);
        *fd = open_as(name, _O_WRONLY | _O_CREAT | _O_EXCL);
    } while (*fd < 0 && errno == EEXIST);
    return name;
}

int tn_os_rename(const char *from, const char *to) {
    wchar_t *old = wide(from), *next = wide(to);
    int status = old != NULL && next != NULL ? 0 : -1;
    if (status == 0 && !MoveFileExW(old, next, MOVEFILE_REPLACE_EXISTING)) {
        status = failed();
    }
    free(old);
    free(next);
    return status;
}

void tn_os_remove(const char *path) {
    wchar_t *name = wide(path);
    if (name != NULL) {
        DeleteFileW(name);
    }
    free(name);
}

tn_os_kind tn_os_kind_of(int fd, uint64_t *size) {
    return kind_of((HANDLE)_get_osfhandle(fd), size);
}

enum { MOST_AT_ONCE = 1 << 20 };

ptrdiff_t tn_os_read(int fd, void *to, size_t size) {
    return _read(fd, to, size < MOST_AT_ONCE ? (unsigned)size : MOST_AT_ONCE);
}

int tn_os_write(int fd, const void *from, size_t size) {
    for (const char *at = from; size > 0;) {
        int n = _write(fd, at, size < MOST_AT_ONCE ? (unsigned)size : MOST_AT_ONCE);
        if (n < 0) {
            return -1;
        }
        at += n;
        size -= (size_t)n;
    }
    return 0;
}

int tn_os_close(int fd) {
    return _close(fd);
}

/* ---- pages ---- */

void *tn_os_map(int fd, size_t size) {
    HANDLE whole = CreateFileMappingW((HANDLE)_get_osfhandle(fd), NULL, PAGE_READONLY, 0, 0, NULL);
    void *at = whole != NULL ? MapViewOfFile(whole, FILE_MAP_READ, 0, 0, size) : NULL;
    if (at == NULL) {
        (void)failed();
    }
    if (whole != NULL) {
        CloseHandle(whole);
    }
    return at;
}

void tn_os_unmap(void *at, size_t size) {
    (void)size;
    UnmapViewOfFile(at);
}

/* Pages that are not locked leave the memory of the process. */
void tn_os_unload(const void *at, size_t size) {
    VirtualUnlock((void *)(uintptr_t)at, size);
}

void *tn_os_alloc_large(size_t size) {
    return malloc(size);
}

/* ---- threads and clocks ---- */

struct tn_os_thread {
    HANDLE handle;
    void (*fn)(void *arg);
    void *arg;
};

static unsigned __stdcall run_thread(void *arg) {
    tn_os_thread *t = arg;
    t->fn(t->arg);
    return 0;
}

tn_os_thread *tn_os_thread_start(void (*fn)(void *arg), void *arg) {
    tn_os_thread *t = malloc(sizeof *t);
    if (t == NULL) {
        return NULL;
    }
    *t = (tn_os_thread){NULL, fn, arg};
    t->handle = (HANDLE)_beginthreadex(NULL, TN_OS_STACK, run_thread, t,
                                       STACK_SIZE_PARAM_IS_A_RESERVATION, NULL);
    if (t->handle == NULL) {
        free(t);
        return NULL;
    }
    return t;
}

void tn_os_thread_join(tn_os_thread *thread) {
    WaitForSingleObject(thread->handle, INFINITE);
    CloseHandle(thread->handle);
    free(thread);
}

uint64_t tn_os_clock(void) {
    LARGE_INTEGER at, second;
    QueryPerformanceCounter(&at);
    QueryPerformanceFrequency(&second);
    uint64_t n = (uint64_t)at.QuadPart, f = (uint64_t)second.QuadPart;
    return n / f * 1000000000u + n % f * 1000000000u / f;
}

uint64_t tn_os_clock_processor(void) {
    FILETIME made, ended, system, user;
    GetProcessTimes(GetCurrentProcess(), &made, &ended, &system, &user);
    uint64_t a = (uint64_t)system.dwHighDateTime << 32 | system.dwLowDateTime;
    uint64_t b = (uint64_t)user.dwHighDateTime << 32 | user.dwLowDateTime;
    return (a + b) * 100; /* they count 100 ns */
}

/* ---- objects that are loaded ---- */

static void say_why(char *why, size_t room) {
    wchar_t text[256];
    DWORD error = GetLastError();
    DWORD n = FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, NULL,
                             error, 0, text, 256, NULL);
    while (n > 0 && (text[n - 1] <= L' ' || text[n - 1] == L'.')) {
        text[--n] = L'\0';
    }
    char *made = n > 0 ? narrow(text) : NULL;
    (void)snprintf(why, room, "%s (error %lu)", made != NULL ? made : "Windows refuses it", error);
    free(made);
}

/* By its whole path, so that nothing is looked for, and what it needs is found beside it. */
void *tn_os_load(const char *path, char *why, size_t room) {
    wchar_t *name = wide(path), whole[32768];
    HMODULE object = NULL;
    if (name != NULL && GetFullPathNameW(name, 32768, whole, NULL) > 0) {
        object = LoadLibraryExW(whole, NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
    }
    if (object == NULL) {
        say_why(why, room);
    }
    free(name);
    return object;
}

tn_os_function *tn_os_symbol(void *object, const char *name) {
    tn_os_function *function = NULL;
    FARPROC found = GetProcAddress(object, name);
    memcpy(&function, &found, sizeof function);
    return function;
}

/* ---- a command ---- */

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

/* The line as it was written: what main is given has lost what the code page has not. */
static char **read_line(int *argc) {
    wchar_t **words = CommandLineToArgvW(GetCommandLineW(), argc);
    char **argv = words != NULL ? calloc((size_t)*argc + 1, sizeof *argv) : NULL;
    for (int i = 0; argv != NULL && i < *argc; i++) {
        argv[i] = narrow(words[i]);
        if (argv[i] == NULL) {
            return NULL;
        }
    }
    LocalFree(words);
    return argv;
}

int tn_os_main(int argc, char **argv, int (*run)(int argc, char **argv)) {
    for (int fd = TN_OS_STDIN; fd <= TN_OS_STDERR; fd++) {
        (void)_setmode(fd, _O_BINARY);
    }
    (void)setvbuf(stderr, NULL, _IONBF, 0); /* as in C, where it is no terminal, too */
    SetConsoleOutputCP(CP_UTF8);
    whole_run r = {run, 0, NULL, 0};
    r.argv = read_line(&r.argc);
    (void)argc;
    (void)argv;
    tn_os_thread *thread = r.argv != NULL ? tn_os_thread_start(run_on_thread, &r) : NULL;
    if (thread == NULL) {
        return -1;
    }
    tn_os_thread_join(thread);
    for (int i = 0; i < r.argc; i++) {
        free(r.argv[i]);
    }
    free(r.argv);
    return r.status;
}

static void (*volatile interrupted)(void);

static BOOL WINAPI on_control(DWORD what) {
    void (*fn)(void) = interrupted;
    if (what != CTRL_C_EVENT || fn == NULL) {
        return FALSE;
    }
    interrupted = NULL;
    fn();
    return TRUE;
}

void tn_os_on_interrupt(void (*fn)(void)) {
    interrupted = fn;
    SetConsoleCtrlHandler(on_control, TRUE);
}

static void (*volatile each_second)(void);

static VOID CALLBACK on_timer(PVOID user, BOOLEAN fired) {
    (void)user;
    (void)fired;
    each_second();
}

bool tn_os_each_second(void (*fn)(void)) {
    HANDLE timer;
    each_second = fn;
    return CreateTimerQueueTimer(&timer, NULL, on_timer, NULL, 1000, 1000, WT_EXECUTEDEFAULT);
}

/* One that knows the codes for it, which has to be asked for. */
bool tn_os_is_terminal(int fd) {
    enum { CODES = 4 }; /* ENABLE_VIRTUAL_TERMINAL_PROCESSING */
    HANDLE h = (HANDLE)_get_osfhandle(fd);
    DWORD mode;
    return GetConsoleMode(h, &mode) && SetConsoleMode(h, mode | CODES);
}
