#include "lib/request/artefacts.h"

#include <string.h>

#include "ir/base/diag.h"
#include "ir/base/file.h"
#include "lib/planner.h"

/* KIND[,OPTION=VALUE]... */
static tn_status add_emit(tn_set_ctx *c, void *target, const tn_setting *s, const char *value) {
    tn_artefacts *a = target;
    (void)s;
    size_t len = strcspn(value, ",");
    const char *kind = tn_arena_strndup(c->arena, value, len);
    tn_artefact artefact = {.backend = tn_planner_backend(c->arena, kind)};
    if (artefact.backend == NULL) {
        return TN_USAGE;
    }
    artefact.args = tn_backend_defaults(c->arena, artefact.backend);
    tn_status status = TN_OK;
    if (value[len] == ',') {
        const char *origin = tn_arena_printf(c->arena, "%s=%s", c->shown, kind);
        status =
            tn_backend_set(c->arena, artefact.backend, origin, value + len + 1, &artefact.args);
    }
    tn_vec_push(c->arena, &a->list, artefact);
    return status;
}

static tn_status add_output(tn_set_ctx *c, void *target, const tn_setting *s, const char *value) {
    tn_artefacts *a = target;
    (void)s;
    if (value[0] == '\0') {
        return tn_set_refuse(c, "a path", value);
    }
    const char *file = tn_arena_strndup(c->arena, value, strlen(value));
    tn_artefact *last = a->list.len > 0 ? &a->list.data[a->list.len - 1] : NULL;
    if (last != NULL && last->file == NULL) {
        last->file = file;
    } else {
        tn_vec_push(c->arena, &a->list, (tn_artefact){.file = file});
    }
    return TN_OK;
}

/* KIND.OPTION=VALUE, for every artefact of that kind asked for before it. */
static tn_status add_emit_opt(tn_set_ctx *c, void *target, const tn_setting *s, const char *value) {
    tn_artefacts *a = target;
    const char *dot = strchr(value, '.');
    bool found = false;
    if (dot == NULL) {
        return tn_set_refuse(c, s->arg, value);
    }
    const char *kind = tn_arena_strndup(c->arena, value, (size_t)(dot - value));
    const tn_backend *backend = tn_planner_backend(c->arena, kind);
    tn_status status = backend != NULL ? TN_OK : TN_USAGE;
    const char *origin = tn_arena_printf(c->arena, "%s=%s", c->shown, kind);
    for (uint32_t i = 0; i < a->list.len && status == TN_OK; i++) {
        if (a->list.data[i].backend == backend) {
            status = tn_backend_set(c->arena, backend, origin, dot + 1, &a->list.data[i].args);
            found = true;
        }
    }
    if (status == TN_OK && !found) {
        status = tn_usage(tn_arena_ctx(c->arena), NULL, "%s: no --emit=%s stands before it",
                          c->shown, kind);
    }
    return status;
}

static const tn_setting table[] = {
    {.name = "emit",
     .arg = "KIND[,OPTION=VALUE]...",
     .set = add_emit,
     .type = TN_SETTING_APART,
     .help = "write the plan in this form (repeatable); `tenure --list-backends` lists them"},
    {.name = "output",
     .letter = 'o',
     .arg = "FILE",
     .set = add_output,
     .type = TN_SETTING_APART,
     .help = "where the --emit before it goes; - is standard output; what a link leads to is "
             "written, and the link stays"},
    {.name = "emit-opt",
     .arg = "KIND.OPTION=VALUE",
     .set = add_emit_opt,
     .type = TN_SETTING_APART,
     .help = "option of a backend whose --emit stands before it"},
    {0}};

tn_setting_group tn_artefacts_group(tn_artefacts *a) {
    return (tn_setting_group){"output", table, a, NULL};
}

const char *tn_artefacts_last(const tn_artefacts *a, const char *name) {
    bool kind = strcmp(name, "emit") == 0, file = strcmp(name, "output") == 0;
    const char *last = NULL;
    for (uint32_t i = 0; i < a->list.len; i++) {
        const tn_artefact *at = &a->list.data[i];
        if (kind && at->backend != NULL) {
            last = at->backend->name;
        } else if (file && at->file != NULL) {
            last = at->file;
        }
    }
    return last;
}

static bool ends_with(const char *text, const char *end) {
    size_t n = strlen(text), k = strlen(end);
    return n >= k && memcmp(text + n - k, end, k) == 0;
}

/* The backend with the longest suffix that ends `file`. */
static const tn_backend *by_suffix(tn_arena *arena, const char *file) {
    uint32_t n;
    const tn_backend *const *all = tn_backend_all(tn_arena_ctx(arena), &n);
    const tn_backend *best = NULL;
    for (uint32_t i = 0; i < n; i++) {
        if (ends_with(file, all[i]->suffix) &&
            (best == NULL || strlen(all[i]->suffix) > strlen(best->suffix))) {
            best = all[i];
        }
    }
    if (best == NULL) {
        tn_usage(tn_arena_ctx(arena), NULL,
                 "-o '%s': no backend writes files that end so; say --emit=KIND", file);
    }
    return best;
}

/* "dir/net.onnx" and ".h" give "net.h" in the current folder. */
static const char *made_name(tn_arena *arena, const char *model, const char *suffix) {
    return tn_arena_printf(arena, "%s%s", tn_file_stem(arena, model), suffix);
}

bool tn_artefact_replaces(const char *file, const char *model) {
    bool special = strcmp(model, "-") == 0 || !tn_file_is_regular(model);
    return !special && (strcmp(file, model) == 0 || tn_file_same(file, model));
}

tn_status tn_artefacts_resolve(tn_artefacts *a, tn_arena *arena, const char *model) {
    for (uint32_t i = 0; i < a->list.len; i++) {
        tn_artefact *at = &a->list.data[i];
        if (at->backend == NULL) {
            at->backend = by_suffix(arena, at->file);
            if (at->backend == NULL) {
                return TN_USAGE;
            }
            at->args = tn_backend_defaults(arena, at->backend);
        }
        if (at->file == NULL) {
            at->file = a->list.len == 1 ? "-" : made_name(arena, model, at->backend->suffix);
        }
        if (tn_artefact_replaces(at->file, model)) {
            return tn_usage(tn_arena_ctx(arena), NULL, "the output '%s' would replace the model",
                            at->file);
        }
        for (uint32_t j = 0; j < i; j++) {
            if (strcmp(a->list.data[j].file, at->file) == 0) {
                return tn_usage(tn_arena_ctx(arena), NULL, "two outputs go to '%s'", at->file);
            }
        }
    }
    return TN_OK;
}

uint64_t tn_artefacts_align(const tn_artefacts *a) {
    uint64_t align = 0;
    for (uint32_t i = 0; i < a->list.len; i++) {
        const tn_artefact *at = &a->list.data[i];
        bool wishes = at->backend != NULL && at->backend->align != NULL;
        uint64_t wish = wishes ? at->backend->align(&at->args) : 0;
        align = wish > align ? wish : align;
    }
    return align;
}

const char *tn_artefacts_groups(const tn_artefacts *a) {
    const char *least = NULL;
    for (uint32_t i = 0; i < a->list.len; i++) {
        const tn_artefact *at = &a->list.data[i];
        const char *groups = at->backend != NULL && at->backend->groups != NULL
                                 ? at->backend->groups(&at->args)
                                 : NULL;
        bool less = groups != NULL && (least == NULL || strcmp(groups, "all") != 0);
        least = less ? groups : least;
    }
    return least;
}
