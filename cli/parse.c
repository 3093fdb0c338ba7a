/* Command lines: options of the command, arguments, "--", --help and lists; and what is printed. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/out_files.h"
#include "cli/progress.h"

tenure_status tn_cli_error(tenure_status status, const char *file, const char *fmt, ...) {
    va_list args;
    tn_progress_hide();
    if (file != NULL) {
        fprintf(stderr, "%s: ", file);
    }
    fputs("error: ", stderr);
    va_start(args, fmt);
    vfprintf(stderr, fmt, args);
    va_end(args);
    fputc('\n', stderr);
    tn_progress_show();
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

void tn_cli_report(tenure_buffer *text) {
    tn_progress_hide();
    if (text != NULL) {
        (void)fwrite(tenure_buffer_data(text), 1, tenure_buffer_size(text), stderr);
    }
    tenure_buffer_free(text);
    tn_progress_show();
}

bool tn_cli_flag(const tn_cli *c, const char *name) {
    const char *value = tenure_options_value(c->options, name);
    return value != NULL && strcmp(value, "true") == 0;
}

static tenure_status help(tn_cli *c) {
    char head[2048];
    const tn_command *command = c->command;
    tenure_buffer *text = NULL;
    const char *options = tenure_options_count(c->options) > 0 ? "[OPTIONS] " : "";
    (void)snprintf(head, sizeof head, "usage: tenure %s %s%s\n%s\n%s%s%s", command->name, options,
                   command->args, command->summary, command->about[0] != '\0' ? "\n" : "",
                   command->about, command->about[0] != '\0' ? "\n" : "");
    tenure_status status = tenure_options_help(c->options, &text);
    if (status == TENURE_OK) {
        status = tn_out_whole("-", head, strlen(head));
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

/* The model of a project file is the first argument where one is missing. */
static tenure_status read_projects(tn_cli *c) {
    tenure_status status = tenure_options_read_files(c->options);
    const char *model = tenure_options_model(c->options);
    if (status == TENURE_OK && model != NULL && c->n_args < c->command->full) {
        memmove(c->args + 1, c->args, (size_t)c->n_args++ * sizeof *c->args);
        c->args[0] = model;
    }
    return status;
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
        *status = tenure_options_print(c->options, c->args[0], &text);
        *status = tn_cli_put(*status, text);
        return false;
    }
    return *status == TENURE_OK;
}
