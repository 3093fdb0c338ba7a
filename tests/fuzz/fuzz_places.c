/* Wishes about places, and the plan before an edit: the first line names a model of the seeds, each
 * line behind it is a setting, NAME=VALUE, and from the first `{` on there is a plan for
 * --based-on. What can be planned so is a right plan that holds the wishes; all else is refused. */
#define _POSIX_C_SOURCE 200809L
#include <unistd.h>

#include "tests/fuzz/fuzz_model.h"

unsigned long fuzz_accepted;

enum { MAX_SETTINGS = 24 };

/* What --based-on names: the library reads it as a file. */
static const char *before_path(void) {
    static char path[] = "/tmp/tenure-before-XXXXXX";
    static int fd = -1;
    if (fd < 0) {
        fd = mkstemp(path);
        FUZZ_REQUIRE(fd >= 0);
        close(fd);
    }
    return path;
}

static void remove_before(void) {
    unlink(before_path());
}

static void write_before(const char *data, size_t size) {
    static bool known;
    FILE *file = fopen(before_path(), "wb");
    FUZZ_REQUIRE(file != NULL && fwrite(data, 1, size, file) == size && fclose(file) == 0);
    if (!known) {
        known = atexit(remove_before) == 0;
    }
}

/* Files are the fuzzer's business alone. */
static bool names_file(const char *key) {
    return strcmp(key, "based-on") == 0 || strcmp(key, "op-facts") == 0;
}

/* The lines in front of `end`; false where one of them is refused. */
static bool set_lines(tn_arena *arena, tn_request *r, const char *at, const char *end) {
    for (uint32_t n = 0; at < end && n < MAX_SETTINGS; n++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop != NULL ? stop : end;
        char *key = tn_arena_strndup(arena, at, (size_t)(stop - at)), *value = strchr(key, '=');
        at = stop + (stop < end);
        if (value == NULL) {
            continue;
        }
        *value = '\0';
        if (names_file(key) || tn_request_set(r, key, value + 1, NULL) != TN_OK) {
            return false;
        }
    }
    return true;
}

static const char *find(const char *at, const char *end, char c) {
    const char *found = at < end ? memchr(at, c, (size_t)(end - at)) : NULL;
    return found != NULL ? found : end;
}

static tn_status plan_places(tn_ctx *ctx, void *arg) {
    const tn_bytes *bytes = arg;
    tn_arena *arena = tn_arena_new(ctx);
    const char *text = (const char *)bytes->data, *end = text + bytes->size;
    const char *before = find(text, end, '{'), *line = find(text, before, '\n');
    const char *path = fuzz_seed(arena, tn_arena_strndup(arena, text, (size_t)(line - text)));
    tn_request *r = tn_request_new(arena);
    if (path == NULL || !set_lines(arena, r, line < before ? line + 1 : line, before)) {
        return TN_ERROR;
    }
    if (before < end) {
        write_before(before, (size_t)(end - before));
        FUZZ_REQUIRE(tn_request_set(r, "based-on", before_path(), NULL) == TN_OK);
    }
    tn_load_options options = tn_request_load_options(r);
    tn_module *m = tn_request_demand_one(r) == TN_OK ? tn_load_file(ctx, path, &options) : NULL;
    return m != NULL ? fuzz_planned(arena, r, m) : TN_ERROR;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    return fuzz_run(data, size, plan_places);
}
