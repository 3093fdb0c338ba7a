/* Project files, read. The file is hostile: every key is looked up, every type is checked, and each
 * value becomes the text that the setting's setter takes, who checks what it says. */
#include "lib/request/project.h"

#include <string.h>

#include "ir/base/file.h"
#include "ir/base/limits.h"
#include "ir/os/os.h"
#include "ir/plan/json_item.h"
#include "lib/request/project_values.h"
#include "lib/sets/sets.h"

typedef struct reading {
    tn_json_reader r;
    const tn_project_scope *scope;
    tn_project *out;
} reading;

/* A path as seen from the current folder. */
static const char *found_path(const tn_json_item *at, const char *name, const char *path) {
    if (path[0] == '\0') {
        tn_json_bad(at, name, "a path");
    }
    return tn_os_is_absolute(path) || strcmp(path, "-") == 0
               ? path
               : tn_file_beside(at->r->arena, at->r->file, path);
}

static const char *read_path(tn_json_item *at, const char *name) {
    return found_path(at, name, tn_json_text(at, name));
}

/* ---- options ---- */

static bool is_known(const tn_setting_group *groups, uint32_t n, const char *key) {
    tn_setting_found found;
    return tn_setting_find(groups, n, key, strlen(key), &found);
}

TN_NORETURN static void refuse(const tn_json_item *at, const char *key, const char *why) {
    tn_loc loc = tn_loc_file(at->r->file);
    tn_fail(at->r->ctx, &loc, "%s: %s", tn_json_place(at, key), why);
}

static void refuse_second(const reading *r, const tn_json_item *at, const char *key,
                          const tn_setting_found *found) {
    for (uint32_t i = 0; i < r->out->options.len; i++) {
        const tn_setting_found *f = &r->out->options.data[i].found;
        if (f->setting == found->setting && f->group == found->group) {
            refuse(at, key, "given twice; the option has two names");
        }
    }
}

static tn_setting_found find(const reading *r, const tn_json_item *at, const char *key,
                             const tn_setting_group *groups, uint32_t n) {
    tn_setting_found found;
    if (!tn_setting_find(groups, n, key, strlen(key), &found)) {
        if (groups == r->scope->options &&
            is_known(r->scope->switches, r->scope->n_switches, key)) {
            refuse(at, key, "no option of plans; it belongs to \"commands\" or \"emit\"");
        }
        tn_json_unknown(at, "option", key, tn_setting_suggest(at->r->arena, groups, n, key));
    }
    if (found.negated) {
        tn_json_bad(at, key, tn_arena_printf(at->r->arena, "\"%s\": false", found.setting->name));
    }
    if (tn_setting_type_of(found.setting) == TN_SETTING_APART) {
        refuse(at, key, "of the command line alone; what is written belongs to \"emit\"");
    }
    refuse_second(r, at, key, &found);
    return found;
}

static void read_options(reading *r, const tn_json_item *at, const tn_setting_group *groups,
                         uint32_t n) {
    const char *key;
    json_t *value;
    tn_arena *arena = at->r->arena;
    json_object_foreach(at->json, key, value) {
        tn_setting_found found = find(r, at, key, groups, n);
        tn_texts texts = {0};
        tn_json_item in = *at;
        if (tn_setting_type_of(found.setting) == TN_SETTING_FILE) {
            tn_vec_push(arena, &texts, read_path(&in, key));
        } else {
            tn_project_value(&in, key, value, found.setting, &texts);
        }
        bool paths = tn_setting_type_of(found.setting) == TN_SETTING_FILES;
        for (uint32_t i = 0; i < texts.len && paths; i++) {
            texts.data[i] = found_path(at, key, texts.data[i]);
        }
        for (uint32_t i = 0; i < texts.len; i++) {
            tn_project_option o = {found, texts.data[i], tn_json_place(at, key)};
            tn_vec_push(arena, &r->out->options, o);
        }
    }
}

static void read_commands(reading *r, tn_json_item *top) {
    tn_json_item at = tn_json_open_object(top, "commands");
    const tn_project_scope *s = r->scope;
    const char *key;
    json_t *value;
    if (s->commands != NULL) {
        tn_json_demand_known(&at, "command", s->commands);
    }
    json_object_foreach(at.json, key, value) {
        tn_json_item in = tn_json_open_object(&at, key);
        if (s->command != NULL && strcmp(key, s->command) == 0) {
            read_options(r, &in, s->switches, s->n_switches);
        }
    }
}

/* ---- artefacts ---- */

static void read_backend_options(tn_json_item *at, tn_project_emit *e) {
    const tn_opt *table = e->backend->options;
    uint32_t n = tn_opt_count(table);
    const char **names = TN_ARRAY(at->r->arena, const char *, (size_t)n + 1);
    for (uint32_t i = 0; i < n; i++) {
        names[i] = table[i].name;
    }
    tn_json_demand_known(
        at, tn_arena_printf(at->r->arena, "option of backend '%s'", e->backend->name), names);
    for (uint32_t i = 0; i < n; i++) {
        json_t *j = json_object_get(at->json, names[i]);
        if (j != NULL) {
            e->args.values[i] = tn_project_backend_value(at, names[i], j, &table[i]);
            e->args.given[i] = true;
        }
    }
}

static const tn_backend *read_backend(tn_json_item *at) {
    uint32_t n;
    const char *kind = tn_json_text(at, "kind");
    const tn_backend *const *all = tn_backend_all(at->r->ctx, &n);
    const tn_backend *found = tn_backend_find(at->r->ctx, kind);
    const char **names = TN_ARRAY(at->r->arena, const char *, n);
    for (uint32_t i = 0; i < n; i++) {
        names[i] = all[i]->name;
    }
    if (found == NULL) {
        const char *near = tn_nearest(kind, names, n);
        tn_json_bad(at, "kind",
                    tn_arena_printf(at->r->arena, "a backend, not '%s'%s%s%s", kind,
                                    near != NULL ? "; did you mean '" : "",
                                    near != NULL ? near : "", near != NULL ? "'?" : ""));
    }
    return found;
}

static void read_emits(reading *r, tn_json_item *top) {
    static const char *const keys[] = {"kind", "file", "options", NULL};
    uint32_t n;
    json_t *list = tn_json_list(top, "emit", &n);
    for (uint32_t i = 0; i < n; i++) {
        tn_json_item at = tn_json_open_item(top, list, "emit", i);
        tn_json_demand_known(&at, "key", keys);
        tn_project_emit e = {.place = tn_arena_printf(r->r.arena, "emit[%u]", i)};
        e.backend = read_backend(&at);
        e.args = tn_backend_defaults(r->r.arena, e.backend);
        if (json_object_get(at.json, "file") != NULL) {
            e.file = read_path(&at, "file");
        }
        if (json_object_get(at.json, "options") != NULL) {
            tn_json_item options = tn_json_open_object(&at, "options");
            read_backend_options(&options, &e);
        }
        tn_vec_push(r->r.arena, &r->out->emits, e);
    }
}

/* ---- the file ---- */

/* As the command line has them: "NAME=PATH". */
static void read_programs(reading *r, tn_json_item *top) {
    tn_json_item at = tn_json_open_object(top, "programs");
    const char *name;
    json_t *value;
    if (r->out->models.len > 0) {
        refuse(top, "programs", "given beside \"model\"; a file has one of them");
    }
    json_object_foreach(at.json, name, value) {
        (void)value;
        if (name[0] == '\0' || strpbrk(name, "=/") != NULL) {
            refuse(&at, name, "no name for a program: it is empty, or has '=' or '/' in it");
        }
        const char *text = tn_arena_printf(r->r.arena, "%s=%s", name, read_path(&at, name));
        tn_vec_push(r->r.arena, &r->out->models, text);
    }
    if (r->out->models.len == 0) {
        tn_json_bad(top, "programs", "a path for each program");
    }
}

static void read_version(tn_json_item *top) {
    int64_t version = tn_json_integer(top, "tenure_project", INT64_MIN, INT64_MAX);
    if (version != TN_PROJECT_FORMAT) {
        tn_json_bad(
            top, "tenure_project",
            tn_arena_printf(top->r->arena, "%d, not %lld", TN_PROJECT_FORMAT, (long long)version));
    }
}

static void read_top(reading *r, tn_json_item *top) {
    static const char *const keys[] = {"tenure_project", "model", "programs", "options",
                                       "commands",       "emit",  NULL};
    tn_json_demand_known(top, "key", keys);
    read_version(top);
    if (json_object_get(top->json, "model") != NULL) {
        tn_vec_push(top->r->arena, &r->out->models,
                    tn_set_path_text(top->r->arena, read_path(top, "model")));
    }
    if (json_object_get(top->json, "programs") != NULL) {
        read_programs(r, top);
    }
    if (json_object_get(top->json, "options") != NULL) {
        tn_json_item at = tn_json_open_object(top, "options");
        read_options(r, &at, r->scope->options, r->scope->n_options);
    }
    if (json_object_get(top->json, "commands") != NULL) {
        read_commands(r, top);
    }
    if (json_object_get(top->json, "emit") != NULL) {
        read_emits(r, top);
    }
}

static tn_status read_all(tn_ctx *ctx, void *arg) {
    reading *r = arg;
    tn_arena *tree = tn_arena_new(ctx);
    if (r->r.size > TN_MAX_PROJECT) {
        return tn_error(ctx, &r->out->loc, "%zu bytes are too many for a project file: at most %u",
                        r->r.size, TN_MAX_PROJECT);
    }
    tn_json_parse(&r->r, tree, "project file");
    tn_json_item top = {.r = &r->r, .json = r->r.root};
    read_top(r, &top);
    tn_arena_drop(tree);
    return TN_OK;
}

tn_status tn_project_read(tn_arena *arena, const char *file, tn_bytes bytes,
                          const tn_project_scope *scope, tn_project *out) {
    tn_ctx *ctx = tn_arena_ctx(arena);
    *out = (tn_project){.loc = tn_loc_file(file)};
    reading r = {
        .r = {.ctx = ctx, .arena = arena, .file = file, .data = bytes.data, .size = bytes.size},
        .scope = scope,
        .out = out};
    tn_status status = tn_guard_run(ctx, read_all, &r);
    if (tn_status_ends_all(status)) {
        tn_reraise(ctx, status);
    }
    return status == TN_ERROR ? TN_USAGE : status;
}

tn_status tn_project_apply(tn_arena *arena, const tn_project *p) {
    tn_status status = TN_OK;
    bool *counts = TN_ARRAY(arena, bool, p->options.len);
    for (uint32_t i = 0; i < p->options.len; i++) {
        const tn_project_option *o = &p->options.data[i];
        const tn_pairs *given = o->found.group->given;
        counts[i] = tn_setting_counts(arena, o->found.setting, o->value, given, given->len);
    }
    for (uint32_t i = 0; i < p->options.len && status == TN_OK; i++) {
        const tn_project_option *o = &p->options.data[i];
        tn_set_ctx c = {arena, o->place, &p->loc};
        if (counts[i]) {
            status = tn_setting_apply(&c, &o->found, o->value);
        }
    }
    return status;
}
