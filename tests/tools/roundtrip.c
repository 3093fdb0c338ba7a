/* Loads files, prints, reads, prints again and compares; verifies before and after. One line a
 * file: "same", "refused" (does not load, with its diagnostics on stderr) or what is wrong. usage:
 * roundtrip [--quiet] FILE... ("-" reads a list of files, one a line) */
#include <stdio.h>
#include <string.h>

#include "frontends/core/frontend.h"
#include "ir/text/text.h"
#include "ir/verify.h"

typedef struct totals {
    unsigned same, refused, wrong;
} totals;

typedef struct job {
    const char *path;
    const char *verdict;
} job;

static bool quiet;

static void on_diag(void *user, const tn_message *m) {
    (void)user;
    if (!quiet || m->severity == TN_SEV_ERROR) {
        fprintf(stderr, "%s\n", m->rendered);
    }
}

/* Where two texts part, as line and the lines themselves. */
static void show_difference(const char *a, const char *b) {
    unsigned line = 1;
    const char *start_a = a, *start_b = b;
    for (; *a == *b && *a != '\0'; a++, b++) {
        if (*a == '\n') {
            line++;
            start_a = a + 1;
            start_b = b + 1;
        }
    }
    fprintf(stderr, "line %u\n  first:  %.*s\n  second: %.*s\n", line, (int)strcspn(start_a, "\n"),
            start_a, (int)strcspn(start_b, "\n"), start_b);
}

static tn_status run(tn_ctx *ctx, void *arg) {
    job *j = arg;
    tn_module *m = tn_load_file(ctx, j->path, NULL);
    if (m == NULL) {
        j->verdict = "refused";
        return TN_OK;
    }
    tn_arena *arena = tn_arena_new(ctx);
    tn_sink once = tn_sink_make(arena), twice = tn_sink_make(arena);
    j->verdict = "WRONG: the module is not sound";
    if (tn_module_verify(m, true) != TN_OK) {
        return TN_OK;
    }
    tn_module_print(m, &once);
    tn_module *back = tn_module_parse(ctx, "printed.tir", once.data, once.len);
    if (back == NULL) {
        j->verdict = "WRONG: what was printed is refused";
        return TN_OK;
    }
    j->verdict = "WRONG: the module read back is not sound";
    if (tn_module_verify(back, true) != TN_OK) {
        return TN_OK;
    }
    tn_module_print(back, &twice);
    bool same = once.len == twice.len && memcmp(once.data, twice.data, once.len) == 0;
    j->verdict = same ? "same" : "WRONG: the second print differs";
    if (!same) {
        show_difference(once.data, twice.data);
    }
    return TN_OK;
}

static void try_file(const char *path, totals *t) {
    job j = {path, "WRONG: an error was raised"};
    tn_ctx *ctx = tn_ctx_new(NULL);
    if (ctx == NULL) {
        t->wrong++;
        return;
    }
    ctx->on_diag = on_diag;
    if (tn_guard_run(ctx, run, &j) == TN_ERROR) {
        j.verdict = "refused";
    }
    tn_ctx_free(ctx);
    printf("%s: %s\n", path, j.verdict);
    t->same += strcmp(j.verdict, "same") == 0;
    t->refused += strcmp(j.verdict, "refused") == 0;
    t->wrong += j.verdict[0] == 'W';
}

static void try_list(FILE *list, totals *t) {
    char path[4096];
    while (fgets(path, sizeof path, list) != NULL) {
        path[strcspn(path, "\n")] = '\0';
        if (path[0] != '\0') {
            try_file(path, t);
        }
    }
}

int main(int argc, char **argv) {
    totals t = {0};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quiet") == 0) {
            quiet = true;
        } else if (strcmp(argv[i], "-") == 0) {
            try_list(stdin, &t);
        } else {
            try_file(argv[i], &t);
        }
    }
    printf("%u same, %u refused, %u wrong\n", t.same, t.refused, t.wrong);
    return t.wrong == 0 && t.same + t.refused > 0 ? 0 : 1;
}
