/* tenure.h: lists. */
#include <string.h>

#include "backends/core/backend.h"
#include "frontends/core/frontend.h"
#include "ir/ops/sig.h"
#include "lib/api/api_t.h"
#include "lib/listing/listing.h"
#include "lib/request/preset.h"
#include "passes/core/registry.h"

/* ---- entries ---- */

static uint32_t count_presets(void) {
    uint32_t n = 0;
    while (tn_presets[n].name != NULL) {
        n++;
    }
    return n;
}

static size_t count(tn_ctx *ctx, tenure_list list) {
    uint32_t n = 0;
    switch (list) {
    case TENURE_LIST_PASSES:
        (void)tn_pass_all(ctx, &n);
        break;
    case TENURE_LIST_PIPELINES:
        (void)tn_named_pipeline_all(&n);
        break;
    case TENURE_LIST_BACKENDS:
        (void)tn_backend_all(ctx, &n);
        break;
    case TENURE_LIST_FRONTENDS:
        (void)tn_frontend_all(ctx, &n);
        break;
    case TENURE_LIST_PRESETS:
        n = count_presets();
        break;
    case TENURE_LIST_OPS:
        n = TN_LISTED_OPS;
        break;
    }
    return n;
}

size_t tenure_list_count(const tenure_context *ctx, tenure_list list) {
    return ctx != NULL ? count((tn_ctx *)ctx, list) : 0;
}

typedef struct entry_args {
    tenure_list list;
    uint32_t index, option;
    void *out;
} entry_args;

static const char *preset_text(tn_ctx *ctx, const tn_preset *p) {
    tn_arena *arena = tn_arena_new(ctx);
    tn_sink text = tn_sink_make(arena);
    for (const tn_pair *o = p->options; o->key != NULL; o++) {
        tn_put(&text, o > p->options ? " " : "");
        tn_list_setting(&text, o);
    }
    const char *kept = tn_intern(ctx, text.data);
    tn_arena_drop(arena);
    return kept;
}

static uint32_t frontend_options(const tn_frontend *f) {
    uint32_t n = 0;
    while (f->options != NULL && f->options[n].name != NULL) {
        n++;
    }
    return n;
}

static tenure_entry entry_of(tn_ctx *ctx, tenure_list list, uint32_t i) {
    uint32_t n;
    tenure_entry e = {.name = ""};
    if (list == TENURE_LIST_PASSES) {
        const tn_pass_info *p = tn_pass_all(ctx, &n)[i];
        e = (tenure_entry){.name = p->name, .summary = p->summary};
        e.n_options = tn_opt_count(p->options);
    } else if (list == TENURE_LIST_PIPELINES) {
        const tn_named_pipeline *p = &tn_named_pipeline_all(&n)[i];
        e = (tenure_entry){.name = p->name, .summary = p->summary, .text = p->text};
    } else if (list == TENURE_LIST_BACKENDS) {
        const tn_backend *b = tn_backend_all(ctx, &n)[i];
        e = (tenure_entry){.name = b->name, .summary = b->summary, .text = b->suffix};
        e.n_options = tn_opt_count(b->options);
    } else if (list == TENURE_LIST_FRONTENDS) {
        const tn_frontend *f = tn_frontend_all(ctx, &n)[i];
        e = (tenure_entry){.name = f->name, .summary = f->summary};
        e.n_options = frontend_options(f);
    } else if (list == TENURE_LIST_PRESETS) {
        const tn_preset *p = &tn_presets[i];
        e = (tenure_entry){.name = p->name, .summary = p->summary, .text = preset_text(ctx, p)};
    } else {
        const tn_op_info *rows[TN_LISTED_OPS];
        tn_list_op_rows(rows);
        e = (tenure_entry){.name = rows[i]->name, .summary = rows[i]->doc, .text = rows[i]->domain};
    }
    return e;
}

static tn_status get_entry(tn_ctx *ctx, void *arg) {
    const entry_args *a = arg;
    const tenure_entry e = entry_of(ctx, a->list, a->index);
    return TN_API_FILL(a->out, e) ? TN_OK : TN_USAGE;
}

int tenure_list_get(tenure_context *ctx, tenure_list list, size_t index, tenure_entry *out) {
    entry_args a = {list, (uint32_t)index, 0, out};
    return ctx != NULL && out != NULL && index < count(api_ctx(ctx), list) &&
           tn_guard_run(api_ctx(ctx), get_entry, &a) == TN_OK;
}

/* ---- options of entries ---- */

static tenure_option_kind kind_of_opt(const tn_opt *o) {
    return o->kind == TN_OPT_BOOL   ? TENURE_OPTION_FLAG
           : o->kind == TN_OPT_INT  ? TENURE_OPTION_NUMBER
           : o->kind == TN_OPT_ENUM ? TENURE_OPTION_CHOICE
                                    : TENURE_OPTION_TEXT;
}

static tenure_option of_opt(const tn_opt *o) {
    return (tenure_option){.name = o->name,
                           .kind = kind_of_opt(o),
                           .values = tn_list_values(o),
                           .fallback = o->fallback,
                           .help = o->help};
}

static tenure_option of_frontend(const tn_frontend_opt *o) {
    return (tenure_option){.name = o->name,
                           .kind = o->arg == NULL ? TENURE_OPTION_FLAG : TENURE_OPTION_TEXT,
                           .values = o->arg != NULL ? o->arg : "true|false",
                           .fallback = o->fallback,
                           .help = o->help};
}

static tenure_option option_of(tn_ctx *ctx, tenure_list list, uint32_t i, uint32_t k) {
    uint32_t n;
    return list == TENURE_LIST_PASSES     ? of_opt(&tn_pass_all(ctx, &n)[i]->options[k])
           : list == TENURE_LIST_BACKENDS ? of_opt(&tn_backend_all(ctx, &n)[i]->options[k])
                                          : of_frontend(&tn_frontend_all(ctx, &n)[i]->options[k]);
}

int tenure_list_option(tenure_context *ctx, tenure_list list, size_t index, size_t option,
                       tenure_option *out) {
    tenure_entry e = {.struct_size = sizeof e};
    if (!tenure_list_get(ctx, list, index, &e) || option >= e.n_options) {
        return 0;
    }
    const tenure_option o = option_of(api_ctx(ctx), list, (uint32_t)index, (uint32_t)option);
    return TN_API_FILL(out, o);
}

/* ---- ops ---- */

static const char *fact_of(tn_ctx *ctx, const tn_op_info *o, tn_op_fact fact) {
    tn_arena *arena = tn_arena_new(ctx);
    tn_sink text = tn_sink_make(arena);
    tn_list_op_fact(&text, o, fact);
    const char *kept = tn_intern(ctx, text.data);
    tn_arena_drop(arena);
    return kept;
}

static tn_status get_op(tn_ctx *ctx, void *arg) {
    const entry_args *a = arg;
    const tn_op_info *rows[TN_LISTED_OPS];
    tn_list_op_rows(rows);
    const tn_op_info *o = rows[a->index];
    tn_arity arity = tn_op_arity(o);
    const tenure_op_row row = {.domain = o->domain,
                               .name = o->name,
                               .versions = o->versions,
                               .signature = o->sig != NULL ? o->sig : "",
                               .attributes = o->attrs != NULL ? o->attrs : "",
                               .help = o->doc,
                               .traits = fact_of(ctx, o, TN_LISTED_TRAITS),
                               .inplace = fact_of(ctx, o, TN_LISTED_INPLACE),
                               .view = fact_of(ctx, o, TN_LISTED_VIEW),
                               .shape_only = fact_of(ctx, o, TN_LISTED_SHAPE_ONLY),
                               .gradient = fact_of(ctx, o, TN_LISTED_GRAD),
                               .least_in = arity.least_in,
                               .most_in = arity.most_in,
                               .least_out = arity.least_out,
                               .most_out = arity.most_out,
                               .has_rule = o->shape != NULL};
    return TN_API_FILL(a->out, row) ? TN_OK : TN_USAGE;
}

int tenure_list_op(tenure_context *ctx, size_t index, tenure_op_row *out) {
    entry_args a = {TENURE_LIST_OPS, (uint32_t)index, 0, out};
    return ctx != NULL && out != NULL && index < TN_LISTED_OPS &&
           tn_guard_run(api_ctx(ctx), get_op, &a) == TN_OK;
}

/* ---- pages ---- */

typedef struct page_args {
    const char *what, *format;
    tenure_buffer *made;
} page_args;

static tn_status print(tn_ctx *ctx, void *arg) {
    page_args *a = arg;
    a->made = tn_api_buffer_new(ctx);
    tn_status status = tn_list(a->made->arena, a->what, a->format, &a->made->text);
    if (status != TN_OK) {
        tn_arena_drop(a->made->arena);
    }
    return status;
}

tenure_status tenure_list_print(tenure_context *ctx, const char *what, const char *format,
                                tenure_buffer **out) {
    page_args a = {what, format, NULL};
    if (out != NULL) {
        *out = NULL;
    }
    if (ctx == NULL || what == NULL || out == NULL) {
        return tn_api_null(api_ctx(ctx), "tenure_list_print", what == NULL ? "what" : "out");
    }
    return tn_api_put(api_ctx(ctx), print, &a, &a.made, out);
}

/* ---- options of commands ---- */

/* What a number or a flag is before it is set; texts have none. */
static const char *fallback_of(tn_ctx *ctx, const tn_setting_group *g, const tn_setting *s) {
    const char *at = (const char *)g->target + s->offset;
    if (s->set == tn_set_flag) {
        return *(const bool *)at ? "true" : "false";
    }
    if (s->set == tn_set_int) {
        return tn_internf(ctx, "%lld", (long long)*(const int64_t *)(const void *)at);
    }
    if (s->set == tn_set_bytes) {
        return tn_internf(ctx, "%llu", (unsigned long long)*(const uint64_t *)(const void *)at);
    }
    const tn_frontend_opt *frontend = tn_frontend_option(NULL, s->name);
    return frontend != NULL ? frontend->fallback : NULL;
}

static tenure_option_kind kind_of(const tn_setting *s) {
    switch (tn_setting_type_of(s)) {
    case TN_SETTING_FLAG:
        return TENURE_OPTION_FLAG;
    case TN_SETTING_NUMBER:
        return TENURE_OPTION_NUMBER;
    case TN_SETTING_BYTES:
        return TENURE_OPTION_BYTES;
    case TN_SETTING_CHOICE:
    case TN_SETTING_PRESET:
        return TENURE_OPTION_CHOICE;
    case TN_SETTING_FILE:
    case TN_SETTING_FILES:
        return TENURE_OPTION_FILE;
    case TN_SETTING_NAME:
    case TN_SETTING_NAMES:
        return TENURE_OPTION_NAME;
    case TN_SETTING_NUMBER_OF:
    case TN_SETTING_NUMBERS_OF:
    case TN_SETTING_NAME_OF:
        return TENURE_OPTION_PAIR;
    case TN_SETTING_BYTES_OR_PERCENT:
    case TN_SETTING_BY_SETTER:
    case TN_SETTING_TEXT:
    case TN_SETTING_TEXTS:
    case TN_SETTING_APART:
        break;
    }
    return TENURE_OPTION_TEXT;
}

typedef struct option_args {
    const tenure_options *options;
    uint32_t index;
    tenure_option *out;
} option_args;

static const tn_setting *find_setting(const tn_options *o, uint32_t index,
                                      const tn_setting_group **group) {
    for (uint32_t i = 0; i < o->n_groups; i++) {
        *group = &o->groups[i];
        for (const tn_setting *s = (*group)->table; s->name != NULL; s++) {
            if (index-- == 0) {
                return s;
            }
        }
    }
    return NULL;
}

static tn_status get_option(tn_ctx *ctx, void *arg) {
    const option_args *a = arg;
    tn_options *fresh = tn_options_new(ctx, a->options->command);
    const tn_setting_group *g = NULL;
    const tn_setting *s = find_setting(fresh, a->index, &g);
    tenure_option option = {0};
    if (s != NULL) {
        option = (tenure_option){.name = s->name,
                                 .alias = s->alias,
                                 .letter = s->letter,
                                 .kind = kind_of(s),
                                 .values = s->choices != NULL ? s->choices : s->arg,
                                 .fallback = fallback_of(ctx, g, s),
                                 .help = s->help,
                                 .group = g->title,
                                 .repeats = tn_setting_repeats(s)};
        /* Rows of frontends are made for each request, their texts are not. */
    }
    tn_arena_drop(fresh->arena);
    return TN_API_FILL(a->out, option) ? TN_OK : TN_USAGE;
}

size_t tenure_options_count(const tenure_options *options) {
    const tn_setting_group *g;
    uint32_t n = 0;
    while (options != NULL && find_setting(options, n, &g) != NULL) {
        n++;
    }
    return n;
}

int tenure_options_get(const tenure_options *options, size_t index, tenure_option *out) {
    option_args a = {options, (uint32_t)index, out};
    return options != NULL && out != NULL && index < tenure_options_count(options) &&
           tn_guard_run(tn_arena_ctx(options->arena), get_option, &a) == TN_OK;
}
