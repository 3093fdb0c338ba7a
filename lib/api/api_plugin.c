/* plugin.h: loading, and what all registrations share. */
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "ir/base/diag.h"
#include "ir/os/os.h"
#include "lib/api/api_plugin_t.h"
#include "lib/version.h"

typedef struct loaded {
    tenure_plugin plugin;
    const char *path; /* NULL: linked in */
} loaded;

typedef struct load_args {
    const char *path;
    const tenure_plugin *plugin;
} load_args;

static tn_status refuse(tn_ctx *ctx, const char *path, const char *fmt, ...) {
    va_list args;
    tn_arena *arena = tn_arena_new(ctx);
    tn_loc loc = tn_loc_file(path);
    va_start(args, fmt);
    const char *text = tn_arena_vprintf(arena, fmt, args);
    va_end(args);
    tn_status status = tn_usage(ctx, path != NULL ? &loc : NULL, "%s", text);
    tn_arena_drop(arena);
    return status;
}

static bool is_started(const tn_ctx *ctx, const char *name) {
    const loaded *l;
    for (uint32_t i = 0; (l = tn_ctx_extra(ctx, TN_EXTRA_PLUGIN, i)) != NULL; i++) {
        if (strcmp(l->plugin.name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* The members up to `interface` are the same in all versions. */
static tn_status start(tn_ctx *ctx, const load_args *a) {
    const tenure_plugin *given = a->plugin;
    loaded *l = TN_NEW(ctx->arena, loaded);
    if (given == NULL || given->struct_size < offsetof(tenure_plugin, name)) {
        return refuse(ctx, a->path, "tenure_plugin_info gives no plug-in");
    }
    if (given->interface != TENURE_PLUGIN_INTERFACE) {
        return refuse(ctx, a->path,
                      "the plug-in was built for interface %u of plug-ins, tenure %s has interface "
                      "%u: build it with the headers of this tenure",
                      (unsigned)given->interface, tn_version_text(), TENURE_PLUGIN_INTERFACE);
    }
    memcpy(&l->plugin, given,
           given->struct_size < sizeof l->plugin ? given->struct_size : sizeof l->plugin);
    if (l->plugin.name == NULL || l->plugin.name[0] == '\0' || l->plugin.version == NULL ||
        l->plugin.start == NULL) {
        return refuse(ctx, a->path, "the plug-in has no name, no version or nothing to start");
    }
    if (is_started(ctx, l->plugin.name)) {
        return refuse(ctx, a->path, "a plug-in '%s' is loaded already", l->plugin.name);
    }
    l->path = a->path != NULL ? tn_intern(ctx, a->path) : NULL;
    uint32_t before = ctx->n_errors;
    tn_ctx_add(ctx, TN_EXTRA_PLUGIN, l);
    return tn_api_plugin_status(ctx, "plug-in", l->plugin.name,
                                l->plugin.start((tenure_context *)ctx), before);
}

/* The object is never unloaded: what it registers points into it. */
static tn_status load(tn_ctx *ctx, void *arg) {
    load_args *a = arg;
    char why[512] = "";
    void *object = tn_os_load(a->path, why, sizeof why);
    if (object == NULL) {
        return refuse(ctx, a->path, "cannot be loaded: %s", why);
    }
    tn_os_function *info = tn_os_symbol(object, "tenure_plugin_info");
    if (info == NULL) {
        return refuse(ctx, a->path, "is not a plug-in: it does not define tenure_plugin_info");
    }
    a->plugin = ((const tenure_plugin *(*)(void))info)();
    return start(ctx, a);
}

static tn_status add(tn_ctx *ctx, void *arg) {
    return start(ctx, arg);
}

tenure_status tenure_load_plugin(tenure_context *ctx, const char *path) {
    load_args a = {.path = path};
    if (ctx == NULL || path == NULL) {
        return tn_api_null(api_ctx(ctx), "tenure_load_plugin", "path");
    }
    return (tenure_status)tn_guard_run(api_ctx(ctx), load, &a);
}

tenure_status tenure_add_plugin(tenure_context *ctx, const tenure_plugin *plugin) {
    load_args a = {.plugin = plugin};
    if (ctx == NULL || plugin == NULL) {
        return tn_api_null(api_ctx(ctx), "tenure_add_plugin", "plugin");
    }
    return (tenure_status)tn_guard_run(api_ctx(ctx), add, &a);
}

int tenure_get_plugin(const tenure_context *ctx, size_t index, tenure_plugin *out,
                      const char **path) {
    const loaded *l = index < UINT32_MAX
                          ? tn_ctx_extra((const tn_ctx *)ctx, TN_EXTRA_PLUGIN, (uint32_t)index)
                          : NULL;
    if (l == NULL) {
        return 0;
    }
    if (path != NULL) {
        *path = l->path;
    }
    return TN_API_FILL(out, l->plugin);
}

typedef struct report_args {
    tenure_severity severity;
    const tn_op *op;
    const char *text;
} report_args;

static tn_status report(tn_ctx *ctx, void *arg) {
    const report_args *a = arg;
    const tn_loc *loc = a->op != NULL ? &a->op->loc : NULL;
    switch (a->severity) {
    case TENURE_SEV_ERROR:
        tn_error(ctx, loc, "%s", a->text);
        break;
    case TENURE_SEV_WARNING:
        tn_warn(ctx, loc, "%s", a->text);
        break;
    case TENURE_SEV_REMARK:
        tn_remark(ctx, loc, "%s", a->text);
        break;
    case TENURE_SEV_NOTE:
        tn_note(ctx, loc, "%s", a->text);
        break;
    }
    return TN_OK;
}

void tenure_report(tenure_context *ctx, tenure_severity severity, const tenure_op *op,
                   const char *text) {
    report_args a = {severity, api_op(op), text};
    if (ctx != NULL && text != NULL) {
        (void)tn_guard_run(api_ctx(ctx), report, &a);
    }
}

/* ---- registrations ---- */

tn_status tn_api_register_refuse(tn_ctx *ctx, const tn_register_args *args, const char *fmt, ...) {
    va_list list;
    tn_arena *arena = tn_arena_new(ctx);
    va_start(list, fmt);
    tn_status status =
        tn_usage(ctx, NULL, "%s: %s", args->where, tn_arena_vprintf(arena, fmt, list));
    va_end(list);
    tn_arena_drop(arena);
    return status;
}

static tn_status refuse_size(tn_ctx *ctx, void *args) {
    return tn_api_register_refuse(ctx, args, "struct_size cannot be right");
}

tenure_status tn_api_register(tenure_context *ctx, tn_register_args *args,
                              tn_status (*fn)(tn_ctx *ctx, void *args)) {
    size_t size;
    if (ctx == NULL || args->given == NULL) {
        return tn_api_null(api_ctx(ctx), args->where, "the definition");
    }
    memcpy(&size, args->given, sizeof size);
    if (size < sizeof size || size > 4096) {
        fn = refuse_size;
        size = 0;
    }
    memset(args->full, 0, args->size);
    memcpy(args->full, args->given, size < args->size ? size : args->size);
    return (tenure_status)tn_guard_run(api_ctx(ctx), fn, args);
}

static bool is_name(const char *name) {
    bool good = name != NULL && islower((unsigned char)name[0]);
    for (const char *at = name; good && *at != '\0'; at++) {
        good = islower((unsigned char)*at) || isdigit((unsigned char)*at) || *at == '-';
    }
    return good;
}

tn_status tn_api_register_name(tn_ctx *ctx, const tn_register_args *args, const char *name,
                               const char *summary) {
    if (!is_name(name)) {
        return tn_api_register_refuse(
            ctx, args, "a name is of lower-case letters, digits and dashes, not '%s'",
            name != NULL ? name : "");
    }
    return summary != NULL ? TN_OK : tn_api_register_refuse(ctx, args, "'%s' has no summary", name);
}

static bool stands_before(const tenure_option_def *options, const tenure_option_def *o) {
    while (options < o && strcmp(options->name, o->name) != 0) {
        options++;
    }
    return options < o;
}

tn_status tn_api_register_options(tn_ctx *ctx, const tn_register_args *args,
                                  const tenure_option_def *options, const tn_opt **out) {
    static const tn_opt_kind kinds[] = {[TENURE_OPTION_FLAG] = TN_OPT_BOOL,
                                        [TENURE_OPTION_NUMBER] = TN_OPT_INT,
                                        [TENURE_OPTION_CHOICE] = TN_OPT_ENUM,
                                        [TENURE_OPTION_TEXT] = TN_OPT_TEXT};
    TN_VEC(tn_opt) table = {0};
    for (const tenure_option_def *o = options; o != NULL && o->name != NULL; o++) {
        if (!is_name(o->name) || stands_before(options, o)) {
            return tn_api_register_refuse(
                ctx, args, "option '%s' is there twice, or no name of lower-case letters", o->name);
        }
        bool known = o->kind == TENURE_OPTION_FLAG || o->kind == TENURE_OPTION_NUMBER ||
                     o->kind == TENURE_OPTION_CHOICE || o->kind == TENURE_OPTION_TEXT;
        if (!known || o->fallback == NULL || o->help == NULL ||
            (o->kind == TENURE_OPTION_CHOICE && o->values == NULL)) {
            return tn_api_register_refuse(ctx, args, "option '%s' lacks kind, default or help",
                                          o->name);
        }
        tn_opt row = {o->name, kinds[o->kind], o->fallback, o->values, o->help};
        if (tn_opt_canonical(ctx->arena, &row, o->fallback) == NULL) {
            return tn_api_register_refuse(ctx, args, "the default '%s' of option '%s' is not %s",
                                          o->fallback, o->name, tn_opt_wanted(ctx->arena, &row));
        }
        tn_vec_push(ctx->arena, &table, row);
    }
    tn_vec_push(ctx->arena, &table, (tn_opt){0});
    *out = options != NULL ? table.data : NULL;
    return TN_OK;
}

int64_t tn_api_option_at(const tn_opt *options, const char *name) {
    for (int64_t i = 0; options != NULL && options[i].name != NULL && name != NULL; i++) {
        if (strcmp(options[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

tn_status tn_api_plugin_status(tn_ctx *ctx, const char *what, const char *name,
                               tenure_status status, uint32_t errors_before) {
    if (status == TENURE_NOMEM) {
        tn_raise(ctx, TN_NOMEM);
    }
    if (status != TENURE_OK && ctx->n_errors == errors_before) {
        tn_error(ctx, NULL, "%s '%s'%s ended with status %d and no message", what, name,
                 strcmp(what, "plug-in") == 0 ? "" : " of a plug-in", (int)status);
    }
    return status == TENURE_OK || status == TENURE_NOFIT ? (tn_status)status
           : status == TENURE_USAGE                      ? TN_USAGE
                                                         : TN_ERROR;
}
