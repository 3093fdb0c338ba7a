/* Command lines from tables of settings: --name=value, --name value, -xvalue, -x value, "--". */
#include <stdio.h>
#include <string.h>

#include "cli/progress.h"
#include "cli/project_args.h"
#include "ir/base/file.h"

typedef struct parser {
    tn_cli *cli;
    const tn_setting_group *groups;
    uint32_t n_groups;
    int at; /* next argument */
} parser;

const char *tn_cli_suggestion(tn_arena *arena, const char *near) {
    return near != NULL ? tn_arena_printf(arena, "; did you mean '%s'?", near) : "";
}

tn_status tn_cli_put(tn_cli *cli, const tn_sink *text) {
    tn_progress_hide();
    return tn_file_write(cli->ctx, "-", text->data, text->len);
}

void tn_cli_report(const char *text, size_t len) {
    tn_progress_hide();
    fwrite(text, 1, len, stderr);
    tn_progress_show();
}

tn_status tn_cli_help(tn_cli *cli, const tn_setting_group *groups, uint32_t n_groups) {
    const tn_command *c = cli->command;
    tn_sink out = tn_sink_make(cli->arena);
    tn_putf(&out, "usage: tenure %s %s%s\n%s\n", c->name, n_groups > 0 ? "[OPTIONS] " : "", c->args,
            c->summary);
    if (c->about[0] != '\0') {
        tn_putf(&out, "\n%s\n", c->about);
    }
    tn_setting_help(groups, n_groups, &out);
    return tn_cli_put(cli, &out);
}

static tn_status unknown(parser *p, const char *arg, const char *name) {
    const char *near =
        name == NULL ? NULL : tn_setting_suggest(p->cli->arena, p->groups, p->n_groups, name);
    return tn_usage(p->cli->ctx, NULL, "unknown option '%s'%s%s%s", arg,
                    near != NULL ? "; did you mean '--" : "", near != NULL ? near : "",
                    near != NULL ? "'?" : "");
}

static tn_status apply(parser *p, const tn_setting_found *found, const char *shown,
                       const char *value) {
    tn_set_ctx c = {p->cli->arena, shown, NULL};
    const tn_setting *s = found->setting;
    if (s->arg != NULL && value == NULL && p->at < p->cli->argc) {
        value = p->cli->argv[p->at++];
    }
    if (s->arg == NULL && value != NULL) {
        return tn_usage(p->cli->ctx, NULL, "%s takes no value, '%s' is given", shown, value);
    }
    return tn_setting_apply(&c, found, value);
}

static tn_status parse_long(parser *p, const char *arg) {
    tn_arena *arena = p->cli->arena;
    const char *name = arg + 2;
    size_t len = strcspn(name, "=");
    tn_setting_found found;
    const char *shown = tn_arena_strndup(arena, arg, len + 2);
    if (!tn_setting_find(p->groups, p->n_groups, name, len, &found)) {
        return unknown(p, shown, shown + 2);
    }
    return apply(p, &found, shown, name[len] == '=' ? name + len + 1 : NULL);
}

static tn_status parse_short(parser *p, const char *arg) {
    tn_setting_found found;
    if (!tn_setting_by_letter(p->groups, p->n_groups, arg[1], &found) ||
        (found.setting->arg == NULL && arg[2] != '\0')) {
        return unknown(p, arg, NULL);
    }
    const char *shown = tn_arena_strndup(p->cli->arena, arg, 2);
    return apply(p, &found, shown, arg[2] != '\0' ? arg + 2 : NULL);
}

static tn_status wrong_count(tn_cli *cli, uint32_t n, uint32_t min, const tn_texts *rest) {
    const char *usage =
        tn_arena_printf(cli->arena, "usage: tenure %s %s", cli->command->name, cli->command->args);
    if (n < min) {
        tn_error(cli->ctx, NULL, "too few arguments; %s", usage);
    } else {
        tn_error(cli->ctx, NULL, "unexpected argument '%s'; %s", rest->data[rest->len - 1], usage);
    }
    return TN_USAGE;
}

/* False when the command is over. */
static bool parse_line(parser *p, tn_texts *rest, tn_status *status) {
    tn_cli *cli = p->cli;
    bool literal = false;
    while (p->at < cli->argc && *status == TN_OK) {
        const char *arg = cli->argv[p->at++];
        if (literal || arg[0] != '-' || arg[1] == '\0') {
            tn_vec_push(cli->arena, rest, arg);
        } else if (strcmp(arg, "--") == 0) {
            literal = true;
        } else if (strcmp(arg, "--help") == 0 || strcmp(arg, "-h") == 0) {
            *status = tn_cli_help(cli, p->groups, p->n_groups);
            return false;
        } else if (tn_cli_list(cli, arg, status)) {
            return false;
        } else {
            *status = arg[1] == '-' ? parse_long(p, arg) : parse_short(p, arg);
        }
    }
    return *status == TN_OK;
}

bool tn_cli_parse(tn_cli *cli, const tn_setting_group *groups, uint32_t n_groups, uint32_t min,
                  uint32_t max, tn_texts *rest, tn_status *status) {
    tn_project_args project = {0};
    if (cli->command->takes_project) {
        groups = tn_project_args_groups(&project, cli, groups, &n_groups);
    }
    parser p = {cli, groups, n_groups, 0};
    *status = TN_OK;
    if (!parse_line(&p, rest, status)) {
        return false;
    }
    if (project.files.len > 0) {
        *status = tn_project_args_read(&project, cli, groups, n_groups, max, rest);
    }
    if (*status == TN_OK && (rest->len < min || rest->len > max)) {
        *status = wrong_count(cli, rest->len, min, rest);
    }
    if (*status == TN_OK && project.print) {
        *status = tn_project_args_print(&project, cli, groups, n_groups, rest->data[0]);
        return false;
    }
    return *status == TN_OK;
}
