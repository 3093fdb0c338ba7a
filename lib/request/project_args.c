#include "lib/request/project_args.h"

#include <string.h>

#include "lib/request/project.h"

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

tn_setting_group tn_project_args_group(tn_project_args *a) {
    return (tn_setting_group){"project", table, a, NULL};
}

/* The groups of the request first; then those of one that nobody uses, so that what these options
 * leave out is checked all the same. */
static tn_project_scope scope_of(const tn_options *o) {
    tn_arena *arena = o->arena;
    uint32_t n_options = 0, n_switches = 0;
    tn_setting_group *options =
        TN_ARRAY(arena, tn_setting_group, (size_t)o->n_groups + TN_REQUEST_GROUPS);
    tn_setting_group *switches = TN_ARRAY(arena, tn_setting_group, o->n_groups);
    for (uint32_t i = 0; i < o->n_groups; i++) {
        if (o->groups[i].given == &o->switches) {
            switches[n_switches++] = o->groups[i];
        } else {
            options[n_options++] = o->groups[i];
        }
    }
    tn_request_groups(tn_request_new(arena), options + n_options);
    return (tn_project_scope){.options = options,
                              .n_options = n_options + TN_REQUEST_GROUPS,
                              .switches = switches,
                              .n_switches = n_switches,
                              .command = o->command,
                              .commands = tn_options_commands(arena)};
}

/* Whether the options say what artefacts to write. */
static bool writes_artefacts(const tn_options *o) {
    tn_setting_found emit;
    return tn_setting_find(o->groups, o->n_groups, "emit-opt", strlen("emit-opt"), &emit);
}

tn_status tn_options_read(tn_options *o, const char *name, tn_bytes bytes) {
    tn_project p;
    tn_project_scope scope = scope_of(o);
    tn_status status = tn_project_read(o->arena, name, bytes, &scope, &p);
    if (status == TN_OK) {
        status = tn_project_apply(o->arena, &p);
    }
    if (status != TN_OK) {
        return status;
    }
    o->models = o->models.len > 0 ? o->models : p.models;
    for (uint32_t k = 0; k < p.emits.len && writes_artefacts(o); k++) {
        const tn_project_emit *e = &p.emits.data[k];
        tn_artefact artefact = {.backend = e->backend, .args = e->args, .file = e->file};
        tn_vec_push(o->arena, &o->artefacts.list, artefact);
    }
    return TN_OK;
}

/* What has been given before counts more, so the last file is the first to be read. */
tn_status tn_options_read_files(tn_options *o) {
    tn_status status = TN_OK;
    while (o->project.files.len > 0 && status == TN_OK) {
        tn_bytes bytes;
        const char *path = o->project.files.data[--o->project.files.len];
        tn_vec_push(o->arena, &o->read, path);
        status = tn_file_map(o->arena, path, &bytes);
        if (status == TN_OK) {
            status = tn_options_read(o, path, bytes);
        }
    }
    return status;
}

static tn_status add_emits(tn_options *o, const char *model, tn_project_content *content) {
    tn_status status = tn_artefacts_resolve(&o->artefacts, o->arena, model);
    uint32_t n = o->artefacts.list.len;
    tn_project_emit *emits = TN_ARRAY(o->arena, tn_project_emit, n);
    for (uint32_t i = 0; i < n && status == TN_OK; i++) {
        const tn_artefact *at = &o->artefacts.list.data[i];
        emits[i] = (tn_project_emit){.backend = at->backend, .args = at->args, .file = at->file};
    }
    content->emits = emits;
    content->n_emits = n;
    return status;
}

tn_status tn_options_print(tn_options *o, const char *const *models, uint32_t n, tn_sink *out) {
    tn_set_model *read = TN_ARRAY(o->arena, tn_set_model, n);
    tn_project_content content = {.models = read, .n_models = n, .scope = scope_of(o)};
    tn_status status = tn_set_models(o->arena, models, n, read);
    if (status != TN_OK) {
        return status;
    }
    content.programs = n > 1 || (n == 1 && read[0].path != models[0]);
    const tn_project_scope *s = &content.scope;
    content.options = tn_request_settled(s->options[0].target, o->arena);
    content.switches = tn_setting_settle(o->arena, s->switches, s->n_switches, &o->switches, NULL);
    if (writes_artefacts(o)) {
        status = add_emits(o, n > 0 ? read[0].path : NULL, &content);
    }
    if (status == TN_OK) {
        tn_project_print(&content, out);
    }
    return status;
}
