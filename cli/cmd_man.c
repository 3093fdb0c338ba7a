/* `tenure man`: manual pages, made from the tables that --help is made from. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/out_files.h"

/* What roff reads as its own is written so that it does not. */
static void put_text(const char *text) {
    bool begins = true;
    for (; *text != '\0'; text++) {
        if (begins && (*text == '.' || *text == '\'')) {
            fputs("\\&", stdout);
        }
        if (*text == '-' || *text == '\\') {
            fputs(*text == '-' ? "\\-" : "\\e", stdout);
        } else {
            putchar(*text);
        }
        begins = *text == '\n';
    }
}

/* A line with a macro: .B text */
static void put_macro(const char *macro, const char *text) {
    printf(".%s ", macro);
    put_text(text);
    printf("\n");
}

/* Paragraphs are apart by empty lines. */
static void put_paragraphs(const char *text) {
    const char *gap;
    char part[2048];
    while ((gap = strstr(text, "\n\n")) != NULL) {
        (void)snprintf(part, sizeof part, "%.*s", (int)(gap - text), text);
        put_text(part);
        printf("\n.PP\n");
        text = gap + 2;
    }
    put_text(text);
    printf("\n");
}

static void put_head(const char *command, const char *summary) {
    char name[64];
    (void)snprintf(name, sizeof name, "tenure%s%s", command[0] != '\0' ? "-" : "", command);
    printf(".TH %s 1 \"\" \"tenure %s\"\n.SH NAME\n", name, tenure_version_text());
    put_text(name);
    printf(" \\- %s\n.SH SYNOPSIS\n", summary);
}

static void put_option(const tenure_option *o) {
    const char *argument = o->kind != TENURE_OPTION_FLAG ? o->values : NULL;
    printf(".TP\n");
    if (o->letter != '\0') {
        printf("\\fB\\-%c\\fR", o->letter);
        if (argument != NULL) {
            printf("\\fI%s\\fR", argument);
        }
    }
    if (o->name[1] != '\0') {
        printf("%s\\fB\\-\\-", o->letter != '\0' ? ", " : "");
        put_text(o->name);
        printf("\\fR%s\\fI%s\\fR", argument != NULL ? "=" : "", argument != NULL ? argument : "");
    }
    if (o->alias != NULL) {
        printf(", \\fB\\-\\-");
        put_text(o->alias);
        printf("\\fR");
    }
    printf("\n");
    put_text(o->help);
    printf(".\n");
}

static void put_options(const tenure_options *options) {
    tenure_option o = {.struct_size = sizeof o};
    const char *group = "";
    for (size_t i = 0; tenure_options_get(options, i, &o); i++) {
        if (i == 0) {
            printf(".SH OPTIONS\n");
        }
        if (strcmp(o.group, group) != 0) {
            put_macro("SS", o.group);
            group = o.group;
        }
        put_option(&o);
    }
}

/* The kinds of --emit, which have options of their own. */
static void put_backends(tenure_context *ctx) {
    tenure_entry e = {.struct_size = sizeof e};
    tenure_option o = {.struct_size = sizeof o};
    printf(".SH ARTEFACTS\n");
    for (size_t i = 0; tenure_list_get(ctx, TENURE_LIST_BACKENDS, i, &e); i++) {
        printf(".TP\n.B ");
        put_text(e.name);
        printf("\n");
        put_text(e.summary);
        for (size_t k = 0; tenure_list_option(ctx, TENURE_LIST_BACKENDS, i, k, &o); k++) {
            printf("%s\n\\fI", k == 0 ? ". Options:" : ";");
            put_text(o.name);
            printf("\\fR=");
            put_text(o.values != NULL ? o.values : "TEXT");
        }
        printf(".\n");
    }
}

static void put_examples(const char *command) {
    const char *line, *what;
    for (int i = 0; tn_cli_example(command, i, &line, &what); i++) {
        printf("%s.TP\n\\fBtenure ", i == 0 ? ".SH EXAMPLES\n" : "");
        put_text(command);
        printf(" ");
        put_text(line);
        printf("\\fR\n");
        put_text(what);
        printf("\n");
    }
}

static void put_status(void) {
    static const char *const codes[][2] = {
        {"0", "the command did what was asked for"},
        {"1", "the model, the plan or the request is wrong"},
        {"2", "an option or a value is wrong"},
        {"3", "out of memory"},
        {"4", "the plan does not fit the capacity"},
        {"70", "a mistake of tenure"},
        {"130", "interrupted"},
    };
    printf(".SH EXIT STATUS\n");
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        printf(".TP\n.B %s\n%s\n", codes[i][0], codes[i][1]);
    }
}

static void put_command(tenure_context *ctx, const tn_command *command) {
    tenure_options *options = tenure_options_for(ctx, command->name);
    put_head(command->name, command->summary);
    printf(".B tenure %s\n%s", command->name,
           tenure_options_count(options) > 0 ? "[OPTIONS]\n" : "");
    put_text(command->args);
    printf("%s.SH DESCRIPTION\n", command->args[0] != '\0' ? "\n" : "");
    put_paragraphs(command->about[0] != '\0' ? command->about : command->summary);
    put_options(options);
    if (strcmp(command->name, "plan") == 0) {
        put_backends(ctx);
    }
    put_examples(command->name);
    put_status();
    printf(".SH SEE ALSO\n.BR tenure (1)\n");
    tenure_options_free(options);
}

static void put_overview(void) {
    put_head("", "static memory plans for ONNX graphs");
    printf(".B tenure\nCOMMAND [OPTIONS] ...\n.SH DESCRIPTION\n");
    put_paragraphs(tn_cli_about);
    printf(".SH COMMANDS\n");
    for (const tn_command *k = tn_commands; k->name != NULL; k++) {
        printf(".TP\n.B ");
        put_text(k->name);
        printf("\n");
        put_text(k->summary);
        printf("\n");
    }
    printf(".SH OPTIONS\n");
    const char *name, *what;
    for (size_t i = 0; tn_cli_global(i, &name, &what); i++) {
        printf(".TP\n.B ");
        put_text(name);
        printf("\n");
        put_text(what);
        printf("\n");
    }
    put_status();
    printf(".SH SEE ALSO\n");
    for (const tn_command *k = tn_commands; k->name != NULL; k++) {
        printf(".BR tenure\\-%s (1)%s\n", k->name, k[1].name != NULL ? "," : "");
    }
}

tenure_status tn_cmd_man(tn_cli *c) {
    const tn_command *command = c->n_args > 0 ? tn_cli_find(c->args[0]) : NULL;
    if (c->n_args > 0 && command == NULL) {
        return tn_cli_unknown_command(c->args[0]);
    }
    if (command != NULL) {
        put_command(c->ctx, command);
    } else {
        put_overview();
    }
    return tn_out_flush();
}
