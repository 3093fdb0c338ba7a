/* The line is written by a signal each second, so that it also moves within a long search: the
 * handler reads nothing but what stands below, and calls nothing but write and alarm. */
#define _POSIX_C_SOURCE 200809L
#include "cli/progress.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t seconds, shown, hidden;
static const char *volatile doing = "";

static void put(const char *text) {
    if (write(STDERR_FILENO, text, strlen(text)) < 0) {
        hidden = 1; /* the terminal is gone */
    }
}

static void put_seconds(void) {
    char digits[16];
    size_t at = sizeof digits;
    digits[--at] = '\0';
    for (unsigned n = (unsigned)seconds; n > 0 && at > 0; n /= 10) {
        digits[--at] = (char)('0' + n % 10);
    }
    put(digits + at);
}

static void on_second(int signal) {
    (void)signal;
    seconds++;
    if (!hidden) {
        put("\r\033[Ktenure: ");
        put(doing);
        put(", ");
        put_seconds();
        put(" s");
        shown = 1;
    }
    (void)alarm(1);
}

static void on_progress(void *user, const char *what) {
    (void)user;
    doing = what;
}

void tn_progress_start(tenure_context *ctx) {
    const char *term = getenv("TERM");
    if (!isatty(STDERR_FILENO) || term == NULL || strcmp(term, "dumb") == 0) {
        return;
    }
    struct sigaction action = {.sa_handler = on_second, .sa_flags = SA_RESTART};
    if (sigaction(SIGALRM, &action, NULL) == 0) {
        tenure_on_progress(ctx, on_progress, NULL);
        (void)alarm(1);
    }
}

void tn_progress_hide(void) {
    hidden = 1;
    if (shown) {
        put("\r\033[K");
        shown = 0;
    }
}

void tn_progress_show(void) {
    hidden = 0;
}
