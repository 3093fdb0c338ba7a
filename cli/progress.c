/* The line is written by a signal or a thread each second, so that it also moves within a long
 * search: it reads nothing but what stands below, and calls nothing but tn_os_write. */
#include "cli/progress.h"

#include <stdatomic.h>
#include <string.h>

#include "ir/os/os.h"

static atomic_uint seconds;
static atomic_bool shown, hidden;
static const char *_Atomic doing = "";

static void put(const char *text) {
    if (tn_os_write(TN_OS_STDERR, text, strlen(text)) < 0) {
        hidden = true; /* the terminal is gone */
    }
}

static void put_seconds(void) {
    char digits[16];
    size_t at = sizeof digits;
    digits[--at] = '\0';
    for (unsigned n = seconds; n > 0 && at > 0; n /= 10) {
        digits[--at] = (char)('0' + n % 10);
    }
    put(digits + at);
}

static void on_second(void) {
    seconds++;
    if (!hidden) {
        put("\r\033[Ktenure: ");
        put(doing);
        put(", ");
        put_seconds();
        put(" s");
        shown = true;
    }
}

static void on_progress(void *user, const char *what) {
    (void)user;
    doing = what;
}

void tn_progress_start(tenure_context *ctx) {
    if (tn_os_is_terminal(TN_OS_STDERR) && tn_os_each_second(on_second)) {
        tenure_on_progress(ctx, on_progress, NULL);
    }
}

void tn_progress_hide(void) {
    hidden = true;
    if (shown) {
        put("\r\033[K");
        shown = false;
    }
}

void tn_progress_show(void) {
    hidden = false;
}
