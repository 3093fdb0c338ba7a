/* Text to pipeline. */
#include <string.h>

#include "ir/base/limits.h"
#include "ir/base/option_read.h"
#include "passes/core/pipeline.h"
#include "passes/core/registry.h"

typedef struct scanner {
    tn_opt_scan text;
    tn_ctx *ctx;
    tn_pipeline *out;
    uint32_t depth; /* of named pipelines inside named pipelines */
} scanner;

enum { MAX_DEPTH = 8 };

static tn_status parse_options(tn_opt_scan *text, const tn_pass_info *pass, const char **values) {
    const char *owner = tn_arena_printf(text->arena, "pass '%s'", pass->name);
    bool *given = TN_ARRAY(text->arena, bool, tn_opt_count(pass->options));
    if (tn_opt_accept(text, '}')) {
        return TN_OK;
    }
    tn_status status = tn_opt_read(text, owner, pass->options, values, given);
    if (status == TN_OK && !tn_opt_accept(text, '}')) {
        status = tn_opt_unexpected(text, "',' or '}'");
    }
    return status;
}

static tn_status parse_list(scanner *s);

static tn_status expand_named(scanner *s, const tn_named_pipeline *named) {
    if (s->depth == MAX_DEPTH) {
        tn_bug(s->ctx, "named pipeline '%s' contains itself", named->name);
    }
    tn_opt_skip_blanks(&s->text);
    if (*s->text.at == '{') {
        return tn_usage(s->ctx, &s->text.loc, "the named pipeline '%s' takes no options",
                        named->name);
    }
    scanner inner = *s;
    inner.text = tn_opt_scan_make(s->text.arena, "pipeline", named->name, named->text);
    inner.depth++;
    return parse_list(&inner);
}

static tn_status parse_item(scanner *s) {
    tn_opt_skip_blanks(&s->text);
    tn_loc loc = s->text.loc;
    const char *name = tn_opt_word(&s->text);
    if (name == NULL) {
        return tn_opt_unexpected(&s->text, "a pass");
    }
    const tn_pass_info *pass = tn_pass_find(s->ctx, name);
    if (pass == NULL) {
        const tn_named_pipeline *named = tn_named_pipeline_find(name);
        if (named != NULL) {
            return expand_named(s, named);
        }
        const char *near = tn_pass_suggest(s->text.arena, name);
        return near != NULL
                   ? tn_usage(s->ctx, &loc, "unknown pass '%s'; did you mean '%s'?", name, near)
                   : tn_usage(s->ctx, &loc, "unknown pass '%s'", name);
    }
    tn_pipeline_item item = tn_pipeline_default(s->text.arena, pass);
    if (tn_opt_accept(&s->text, '{')) {
        tn_status status = parse_options(&s->text, pass, item.values);
        if (status != TN_OK) {
            return status;
        }
    }
    tn_pipeline_add(s->text.arena, s->out, item);
    return TN_OK;
}

static tn_status parse_list(scanner *s) {
    tn_opt_skip_blanks(&s->text);
    if (*s->text.at == '\0') {
        return TN_OK;
    }
    do {
        tn_status status = parse_item(s);
        if (status != TN_OK) {
            return status;
        }
    } while (tn_opt_accept(&s->text, ','));
    tn_opt_skip_blanks(&s->text);
    return *s->text.at == '\0' ? TN_OK : tn_opt_unexpected(&s->text, "','");
}

tn_status tn_pipeline_parse(tn_arena *arena, const char *origin, const char *text,
                            tn_pipeline *out) {
    tn_loc loc = tn_loc_file(origin);
    loc.line = loc.col = 1;
    *out = (tn_pipeline){0};
    scanner s = {.text = tn_opt_scan_make(arena, "pipeline", origin, text),
                 .ctx = tn_arena_ctx(arena),
                 .out = out};
    size_t len = strlen(text);
    if (len > TN_MAX_PIPELINE) {
        return tn_usage(s.ctx, &loc, "pipeline of %zu bytes exceeds the limit of %u bytes", len,
                        TN_MAX_PIPELINE);
    }
    tn_status status = parse_list(&s);
    return status == TN_OK ? tn_pipeline_demand_short(&loc, out, arena) : status;
}
