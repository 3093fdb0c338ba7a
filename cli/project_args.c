#include "cli/project_args.h"

#include <string.h>

#include "cli/artefacts.h"
#include "lib/project.h"

static const tn_setting table[] = {
    {.name = "project",
     .arg = "FILE",
     .set = tn_add_text,
     .offset = offsetof(tn_project_args, files),
     .type = TN_SETTING_APART,
     .help = "read model, options and artefacts from this JSON file (docs/OPTIONS.md); the command "
             "line counts more, and of several files the last (repeatable)"},
    {.name = "print-project",
     .set = tn_set_flag,
     .offset = offsetof(tn_project_args, print),
     .type = TN_SETTING_APART,
     .help = "print the project file that says what this command line says, and do nothing else"},
    {0}};

tn_setting_group *tn_project_args_groups(tn_project_args *a, tn_cli *cli,
                                         const tn_setting_group *groups, uint32_t *n) {
    tn_setting_group *all = TN_ARRAY(cli->arena, tn_setting_group, (size_t)*n + 1);
    for (uint32_t i = 0; i < *n; i++) {
        all[i] = groups[i];
        all[i].given = groups[i].given != NULL ? groups[i].given : &a->switches;
    }
    all[*n] = (tn_setting_group){"project", table, a, &a->switches};
    *n += 1;
    return all;
}

/* The groups of the command's request first; then those of one that nobody uses, so that what this
 * command does not read is checked all the same. */
static tn_project_scope scope_of(const tn_project_args *a, tn_cli *cli,
                                 const tn_setting_group *groups, uint32_t n) {
    tn_arena *arena = cli->arena;
    uint32_t n_options = 0, n_switches = 0, n_commands = 0;
    tn_setting_group *options = TN_ARRAY(arena, tn_setting_group, (size_t)n + TN_REQUEST_GROUPS);
    tn_setting_group *switches = TN_ARRAY(arena, tn_setting_group, n);
    for (uint32_t i = 0; i < n; i++) {
        if (groups[i].given == &a->switches) {
            switches[n_switches++] = groups[i];
        } else {
            options[n_options++] = groups[i];
        }
    }
    tn_request_groups(tn_request_new(arena), options + n_options);
    while (tn_commands[n_commands].name != NULL) {
        n_commands++;
    }
    const char **commands = TN_ARRAY(arena, const char *, (size_t)n_commands + 1);
    for (uint32_t i = 0, k = 0; i < n_commands; i++) {
        if (tn_commands[i].takes_project) {
            commands[k++] = tn_commands[i].name;
        }
    }
    return (tn_project_scope){.options = options,
                              .n_options = n_options + TN_REQUEST_GROUPS,
                              .switches = switches,
                              .n_switches = n_switches,
                              .command = cli->command->name,
                              .commands = commands};
}

/* NULL for commands that write no artefacts. */
static tn_artefacts *artefacts_of(const tn_setting_group *groups, uint32_t n) {
    tn_setting_found emit;
    return tn_setting_find(groups, n, "emit-opt", strlen("emit-opt"), &emit) ? emit.group->target
                                                                             : NULL;
}

static tn_status read_one(tn_cli *cli, const char *path, const tn_project_scope *scope,
                          tn_project *p) {
    tn_bytes bytes;
    tn_status status = tn_file_map(cli->arena, path, &bytes);
    if (status == TN_OK) {
        status = tn_project_read(cli->arena, path, bytes, scope, p);
    }
    return status == TN_OK ? tn_project_apply(cli->arena, p) : status;
}

static void put_model_first(tn_cli *cli, tn_texts *rest, const char *model) {
    tn_vec_push(cli->arena, rest, model);
    memmove(rest->data + 1, rest->data, (rest->len - 1) * sizeof *rest->data);
    rest->data[0] = model;
}

/* What has been given before counts more, so the last file is the first to be read. */
tn_status tn_project_args_read(const tn_project_args *a, tn_cli *cli,
                               const tn_setting_group *groups, uint32_t n, uint32_t max,
                               tn_texts *rest) {
    tn_artefacts *artefacts = artefacts_of(groups, n);
    const char *model = NULL;
    tn_project_scope scope = scope_of(a, cli, groups, n);
    for (uint32_t i = a->files.len; i-- > 0;) {
        tn_project p;
        tn_status status = read_one(cli, a->files.data[i], &scope, &p);
        if (status != TN_OK) {
            return status;
        }
        model = model != NULL ? model : p.model;
        for (uint32_t k = 0; k < p.emits.len && artefacts != NULL; k++) {
            const tn_project_emit *e = &p.emits.data[k];
            tn_artefact artefact = {.backend = e->backend, .args = e->args, .file = e->file};
            tn_vec_push(cli->arena, &artefacts->list, artefact);
        }
    }
    if (model != NULL && rest->len < max) {
        put_model_first(cli, rest, model);
    }
    return TN_OK;
}

static tn_status add_emits(tn_cli *cli, tn_artefacts *artefacts, tn_project_content *content) {
    tn_status status = tn_artefacts_resolve(artefacts, cli, content->model);
    uint32_t n = artefacts->list.len;
    tn_project_emit *emits = TN_ARRAY(cli->arena, tn_project_emit, n);
    for (uint32_t i = 0; i < n && status == TN_OK; i++) {
        const tn_artefact *at = &artefacts->list.data[i];
        emits[i] = (tn_project_emit){.backend = at->backend, .args = at->args, .file = at->file};
    }
    content->emits = emits;
    content->n_emits = n;
    return status;
}

tn_status tn_project_args_print(const tn_project_args *a, tn_cli *cli,
                                const tn_setting_group *groups, uint32_t n, const char *model) {
    tn_status status = TN_OK;
    tn_project_content content = {.model = model, .scope = scope_of(a, cli, groups, n)};
    const tn_project_scope *s = &content.scope;
    tn_artefacts *artefacts = artefacts_of(groups, n);
    content.options = tn_request_settled(s->options[0].target, cli->arena);
    content.switches =
        tn_setting_settle(cli->arena, s->switches, s->n_switches, &a->switches, NULL);
    if (artefacts != NULL) {
        status = add_emits(cli, artefacts, &content);
    }
    if (status == TN_OK) {
        tn_sink out = tn_sink_make(cli->arena);
        tn_project_print(&content, &out);
        status = tn_cli_put(cli, &out);
    }
    return status;
}
