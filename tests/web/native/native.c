/* Calls web/page.c as the page's worker does, on this machine, above the system that a page has
 * (ir/os/os_wasm.c):
 *     page_native FOLDER CALL [ARGUMENT]... [+ CALL [ARGUMENT]...]...
 * The n-th call writes what it gives to FOLDER/n.NAME, where a text has no name, and prints its
 * status behind its messages. `open WHICH NAME FILE` is the page's page_open of a file's bytes. */
#include <emscripten.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void page_out(const char *file, const void *bytes, size_t size);
void page_message(int severity, const char *text);
void page_doing(const char *what);
void *page_open(int which, const char *name, size_t size);
int page_dims(int which);
int page_plan(int which, const char *lines);
int page_fit(int which, const char *lines);
int page_emit(int which, const char *backend, const char *options, const char *file);
int page_explain(int which, const char *lines, const char *tensor);
int page_diff(const char *format);

static const char *folder;
static int number, doing;

/* A clock by which each look takes a millisecond. */
double emscripten_get_now(void) {
    static double now;
    return ++now;
}

static void give_up(const char *why, const char *what) {
    (void)fprintf(stderr, "page_native: %s: %s\n", why, what);
    exit(2);
}

void page_out(const char *file, const void *bytes, size_t size) {
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%d.%s", folder, number, file);
    FILE *f = fopen(path, "ab"); /* pieces come one after the other */
    if (f == NULL || fwrite(bytes, 1, size, f) != size || fclose(f) != 0) {
        give_up("not written", path);
    }
}

void page_message(int severity, const char *text) {
    (void)printf("message %d %s\n", severity, text);
}

void page_doing(const char *what) {
    doing += what[0] != '\0';
}

static int opened(int which, const char *name, const char *path) {
    FILE *f = fopen(path, "rb");
    if (f == NULL || fseek(f, 0, SEEK_END) != 0) {
        give_up("not read", path);
    }
    size_t size = (size_t)ftell(f);
    void *room = page_open(which, name, size);
    rewind(f);
    if (room == NULL || fread(room, 1, size, f) != size || fclose(f) != 0) {
        give_up("not read", path);
    }
    return 0;
}

static int called(int n, char **words) {
    const char *name = words[0];
    int which = n > 1 ? atoi(words[1]) : 0;
    if (strcmp(name, "open") == 0 && n == 4) {
        return opened(which, words[2], words[3]);
    }
    if (strcmp(name, "dims") == 0 && n == 2) {
        return page_dims(which);
    }
    if (strcmp(name, "plan") == 0 && n == 3) {
        return page_plan(which, words[2]);
    }
    if (strcmp(name, "fit") == 0 && n == 3) {
        return page_fit(which, words[2]);
    }
    if (strcmp(name, "emit") == 0 && n == 5) {
        return page_emit(which, words[2], words[3], words[4]);
    }
    if (strcmp(name, "explain") == 0 && n == 4) {
        return page_explain(which, words[2], words[3]);
    }
    if (strcmp(name, "diff") == 0 && n == 2) {
        return page_diff(words[1]);
    }
    give_up("no such call", name);
    return -1;
}

int main(int argc, char **argv) {
    folder = argc > 2 ? argv[1] : ".";
    for (int at = 2; at < argc; number++) {
        int end = at;
        while (end < argc && strcmp(argv[end], "+") != 0) {
            end++;
        }
        int status = called(end - at, argv + at);
        (void)printf("status %d %s\n", status, argv[at]);
        at = end + 1;
    }
    (void)printf("doing %d\n", doing);
    return 0;
}
