/* Loads each model named on the command line and prints a line for it: status, counts, name. For
 * checking the frontends against folders of models:
 *     load_all [--forget] [--quiet] [--print] [--resident] MODEL...
 * --forget leaves out stored shapes, --quiet the diagnostics, --print adds the text form,
 * --resident a line with the most memory that was resident (Linux). Ends with 1 when a model did
 * not load, with 70 on an internal error. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/core/frontend.h"
#include "ir/base/arena.h"
#include "ir/build.h"
#include "ir/text/text.h"
#include "ir/verify.h"

static bool quiet, forget, print, resident;

static void on_diag(void *user, const tn_message *m) {
    (void)user;
    if (!quiet) {
        printf("    %s\n", m->rendered);
    }
}

static tn_status load(tn_ctx *ctx, void *arg) {
    const char *path = arg;
    tn_pair ignore = {"ignore-value-info", forget ? "true" : "false"};
    tn_load_options options = {.settings = &ignore, .n_settings = 1};
    tn_module *m = tn_load_file(ctx, path, &options);
    if (m == NULL) {
        return TN_ERROR;
    }
    tn_status status = tn_module_verify(m, true);
    printf("%s: %u graphs, %u ops, %u values, %u inputs, %u outputs, %zu bytes  %s\n",
           status == TN_OK ? "ok" : "MALFORMED", m->n_graphs, m->n_ops, m->n_values,
           m->main->n_inputs, m->main->n_outputs, tn_arena_bytes(m->arena), path);
    if (print) {
        tn_sink text = tn_sink_make(m->arena);
        tn_module_print(m, &text);
        fwrite(text.data, 1, text.len, stdout);
    }
    tn_module_drop(m);
    return status == TN_OK ? TN_OK : TN_INTERNAL;
}

/* Of this program since it was started: getrusage would count what the caller had before. */
static void print_resident(void) {
    char line[128];
    FILE *f = fopen("/proc/self/status", "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        if (strncmp(line, "VmHWM:", 6) == 0) {
            printf("resident %ld KiB\n", strtol(line + 6, NULL, 10));
        }
    }
    if (f != NULL) {
        fclose(f);
    }
}

static bool take_flag(const char *arg) {
    static const struct {
        const char *name;
        bool *flag;
    } flags[] = {
        {"--quiet", &quiet}, {"--forget", &forget}, {"--print", &print}, {"--resident", &resident}};
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        if (strcmp(arg, flags[i].name) == 0) {
            return *flags[i].flag = true;
        }
    }
    return false;
}

int main(int argc, char **argv) {
    tn_status worst = TN_OK;
    for (int i = 1; i < argc; i++) {
        if (take_flag(argv[i])) {
            continue;
        }
        tn_ctx *ctx = tn_ctx_new(NULL);
        if (ctx == NULL) {
            return TN_NOMEM;
        }
        ctx->on_diag = on_diag;
        tn_status status = tn_guard_run(ctx, load, argv[i]);
        if (status != TN_OK) {
            printf("refused (%d): %s\n", (int)status, argv[i]);
        }
        worst = status > worst ? status : worst;
        tn_ctx_free(ctx);
    }
    if (resident) {
        print_resident();
    }
    return (int)worst;
}
