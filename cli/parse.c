/* Command lines: options of the command, arguments, "--", --help and lists; and what is printed. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/out_files.h"
#include "cli/progress.h"
#include "cli/sarif.h"

/* Names may hold what a terminal takes for commands. */
static void put_visible(const char *text) {
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0'; at++) {
        bool control = *at < 0x20 || *at == 0x7f || (*at == 0xc2 && at[1] >= 0x80 && at[1] < 0xa0);
        fprintf(stderr, control ? "\\%02x" : "%c", *at);
    }
}

static void put_error(tenure_status status, const char *file, const char *text) {
    if (tn_sarif_on()) {
        tenure_diagnostic d = {.struct_size = sizeof d,
                               .severity = TENURE_SEV_ERROR,
                               .status = status,
                               .text = text,
                               .file = file,
                               .index = -1};
        tn_sarif_add(&d);
        return;
    }
    tn_progress_hide();
    if (file != NULL) {
        put_visible(file);
        put_visible(": ");
    }
    put_visible("error: ");
    put_visible(text);
    fputc('\n', stderr);
    tn_progress_show();
}

tenure_status tn_cli_error(tenure_status status, const char *file, const char *fmt, ...) {
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, fmt, args);
    char *text = n >= 0 ? realloc(NULL, (size_t)n + 1) : NULL;
    if (text != NULL) {
        (void)vsnprintf(text, (size_t)n + 1, fmt, again);
    }
    put_error(status, file, text != NULL ? text : "out of memory");
    free(text);
    va_end(again);
    va_end(args);
    return status;
}

const char *tn_cli_suggestion(const char *word, const char *const *candidates, size_t n, char *out,
                              size_t size) {
    const char *near = tenure_nearest(word, candidates, n);
    out[0] = '\0';
    if (near != NULL) {
        (void)snprintf(out, size, "; did you mean '%s'?", near);
    }
    return out;
}

tenure_status tn_cli_put(tenure_status status, tenure_buffer *text) {
    if (status == TENURE_OK) {
        status = tn_out_whole("-", tenure_buffer_data(text), tenure_buffer_size(text));
    }
    tenure_buffer_free(text);
    return status;
}

void tn_cli_say(const char *what, const char *text, size_t size) {
    if (tn_sarif_on()) {
        tn_sarif_say(what, text, size);
        return;
    }
    tn_progress_hide();
    (void)fwrite(text, 1, size, stderr);
    tn_progress_show();
}

void tn_cli_report(tenure_buffer *text) {
    if (text != NULL) {
        tn_cli_say("report", tenure_buffer_data(text), tenure_buffer_size(text));
    }
    tenure_buffer_free(text);
}

bool tn_cli_flag(const tn_cli *c, const char *name) {
    const char *value = tenure_options_value(c->options, name);
    return value != NULL && strcmp(value, "true") == 0;
}

static void put_examples(const char *command) {
    const char *line, *what;
    for (int i = 0; tn_cli_example(command, i, &line, &what); i++) {
        int width = (int)(strlen(command) + strlen(line) + strlen("  tenure  "));
        printf("%s  tenure %s %s%*s  # %s\n", i == 0 ? "\nexamples:\n" : "", command, line,
               width < 62 ? 62 - width : 0, "", what);
    }
}

static tenure_status help(tn_cli *c) {
    const tn_command *command = c->command;
    tenure_buffer *text = NULL;
    const char *options = tenure_options_count(c->options) > 0 ? "[OPTIONS] " : "";
    tenure_status status = tenure_options_help(c->options, &text);
    if (status == TENURE_OK) {
        printf("usage: tenure %s %s%s\n%s\n", command->name, options, command->args,
               command->summary);
        printf("%s%s%s", command->about[0] != '\0' ? "\n" : "", command->about,
               command->about[0] != '\0' ? "\n" : "");
        put_examples(command->name);
        status = tn_out_flush();
    }
    return tn_cli_put(status, text);
}

bool tn_cli_list(tn_cli *c, const char *arg, tenure_status *status) {
    static const char prefix[] = "--list-";
    char what[32];
    size_t n = sizeof prefix - 1;
    if (strncmp(arg, prefix, n) != 0) {
        return false;
    }
    const char *equal = strchr(arg, '=');
    tenure_buffer *text = NULL;
    (void)snprintf(what, sizeof what, "%.*s", (int)strcspn(arg + n, "="), arg + n);
    *status = tenure_list_print(c->ctx, what, equal != NULL ? equal + 1 : NULL, &text);
    *status = tn_cli_put(*status, text);
    return true;
}

static tenure_status wrong_count(const tn_cli *c) {
    const tn_command *command = c->command;
    if (c->n_args < command->least) {
        return tn_cli_error(TENURE_USAGE, NULL, "too few arguments; usage: tenure %s %s",
                            command->name, command->args);
    }
    return tn_cli_error(TENURE_USAGE, NULL, "unexpected argument '%s'; usage: tenure %s %s",
                        c->args[c->n_args - 1], command->name, command->args);
}

/* Options are taken, arguments kept. False when the command is over. */
static bool parse_line(tn_cli *c, tenure_status *status) {
    int at = 0;
    bool literal = false;
    while (at < c->argc && *status == TENURE_OK) {
        const char *arg = c->argv[at];
        if (literal || arg[0] != '-' || arg[1] == '\0') {
            c->args[c->n_args++] = arg;
            at++;
        } else if (strcmp(arg, "--") == 0) {
            literal = true;
            at++;
        } else if (strcmp(arg, "--help") == 0 || strcmp(arg, "-h") == 0) {
            *status = help(c);
            return false;
        } else if (tn_cli_list(c, arg, status)) {
            return false;
        } else {
            *status = tenure_options_arg(c->options, c->argc, c->argv, &at);
        }
    }
    return *status == TENURE_OK;
}

static bool takes_several(const tn_command *command) {
    return strncmp(command->args, "MODEL...", strlen("MODEL...")) == 0;
}

/* Models of a project file are the first arguments where these are missing. */
static tenure_status read_projects(tn_cli *c) {
    tenure_status status = tenure_options_read_files(c->options);
    size_t n = 0, n_given = (size_t)c->n_args;
    const char *const *models = tenure_options_models(c->options, &n);
    if (status != TENURE_OK || n == 0 || c->n_args >= c->command->full) {
        return status;
    }
    if (tenure_options_model(c->options) == NULL && !takes_several(c->command)) {
        return tn_cli_error(TENURE_USAGE, NULL,
                            "the project file names several `programs`, and `tenure %s` takes one "
                            "model: give it the model's file and options without the project",
                            c->command->name);
    }
    const char **args = realloc(c->args, (n_given + n + 1) * sizeof *args);
    if (args == NULL) {
        return tn_cli_error(TENURE_NOMEM, NULL, "%s", "out of memory");
    }
    memmove(args + n, args, n_given * sizeof *args);
    memcpy(args, models, n * sizeof *args);
    c->args = args;
    c->n_args += (int)n;
    return TENURE_OK;
}

/* How many of the arguments are models, where these may be several. */
static size_t count_models(const tn_cli *c) {
    int behind = c->command->full - 1;
    return c->n_args > behind ? (size_t)(c->n_args - behind) : 1;
}

bool tn_cli_parse(tn_cli *c, tenure_status *status) {
    *status = TENURE_OK;
    c->args = realloc(NULL, ((size_t)c->argc + 1) * sizeof *c->args);
    if (c->args == NULL) {
        *status = tn_cli_error(TENURE_NOMEM, NULL, "%s", "out of memory");
        return false;
    }
    if (!parse_line(c, status)) {
        return false;
    }
    *status = read_projects(c);
    if (*status == TENURE_OK && (c->n_args < c->command->least || c->n_args > c->command->most)) {
        *status = wrong_count(c);
    }
    if (*status == TENURE_OK && tn_cli_flag(c, "print-project")) {
        tenure_buffer *text = NULL;
        *status = takes_several(c->command)
                      ? tenure_options_print_models(c->options, c->args, count_models(c), &text)
                      : tenure_options_print(c->options, c->args[0], &text);
        *status = tn_cli_put(*status, text);
        return false;
    }
    return *status == TENURE_OK;
}
