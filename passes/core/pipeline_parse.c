/* Text to pipeline. A plain scanner: one character of look-ahead, positions for messages. */
#include <string.h>

#include "ir/base/limits.h"
#include "passes/core/pipeline.h"
#include "passes/core/registry.h"

typedef struct scanner {
    tn_arena *arena;
    tn_ctx *ctx;
    const char *at;
    tn_loc loc; /* of `at` */
    tn_pipeline *out;
    uint32_t depth; /* of named pipelines inside named pipelines */
} scanner;

enum { MAX_DEPTH = 8 };

static void step(scanner *s) {
    if (*s->at == '\n') {
        s->loc.line++;
        s->loc.col = 1;
    } else {
        s->loc.col++;
    }
    s->at++;
}

static void skip_blanks(scanner *s) {
    while (*s->at != '\0' && strchr(" \t\r\n", *s->at) != NULL) {
        step(s);
    }
}

/* Steps over `c` when it stands here. */
static bool accept(scanner *s, char c) {
    skip_blanks(s);
    if (*s->at != c) {
        return false;
    }
    step(s);
    return true;
}

static tn_status unexpected(scanner *s, const char *wanted) {
    if (*s->at == '\0') {
        tn_error(s->ctx, &s->loc, "expected %s at the end of the pipeline", wanted);
    } else {
        tn_error(s->ctx, &s->loc, "expected %s instead of '%c'", wanted, *s->at);
    }
    return TN_USAGE;
}

/* A bare word: up to a blank or a character that means something. Empty gives NULL. */
static const char *word(scanner *s) {
    const char *start = s->at;
    while (*s->at != '\0' && strchr(" \t\r\n,{}=\"", *s->at) == NULL) {
        step(s);
    }
    return s->at == start ? NULL : tn_arena_strndup(s->arena, start, (size_t)(s->at - start));
}

/* The text between quotes; `at` stands on the opening one. NULL after a diagnostic. */
static const char *quoted(scanner *s) {
    tn_loc open = s->loc;
    tn_sink text = tn_sink_make(s->arena);
    step(s);
    while (*s->at != '"') {
        if (*s->at == '\\' && (s->at[1] == '"' || s->at[1] == '\\')) {
            step(s);
        }
        if (*s->at == '\0') {
            tn_error(s->ctx, &open, "this quotation mark is never closed");
            return NULL;
        }
        tn_put_c(&text, *s->at);
        step(s);
    }
    step(s);
    return text.data;
}

static tn_status unknown_option(scanner *s, const tn_loc *loc, const tn_pass_info *pass,
                                const char *name) {
    uint32_t n = tn_pass_n_options(pass);
    if (n == 0) {
        tn_error(s->ctx, loc, "pass '%s' has no options, '%s' is given", pass->name, name);
        return TN_USAGE;
    }
    const char **names = TN_ARRAY(s->arena, const char *, n);
    for (uint32_t i = 0; i < n; i++) {
        names[i] = pass->options[i].name;
    }
    const char *near = tn_nearest(name, names, n);
    if (near != NULL) {
        tn_error(s->ctx, loc, "pass '%s' has no option '%s'; did you mean '%s'?", pass->name, name,
                 near);
    } else {
        tn_error(s->ctx, loc, "pass '%s' has no option '%s'", pass->name, name);
    }
    return TN_USAGE;
}

static tn_status bad_value(scanner *s, const tn_loc *loc, const tn_pass_info *pass,
                           const tn_opt *opt, const char *value) {
    const char *wants = NULL;
    switch (opt->kind) {
    case TN_OPT_BOOL:
        wants = "true or false";
        break;
    case TN_OPT_INT:
        wants = "a number";
        break;
    case TN_OPT_ENUM:
        wants = opt->choices;
        break;
    case TN_OPT_TEXT:
        wants = "text";
        break;
    }
    tn_error(s->ctx, loc, "option '%s' of pass '%s' must be %s, not '%s'", opt->name, pass->name,
             wants, value);
    return TN_USAGE;
}

static tn_status parse_option(scanner *s, const tn_pass_info *pass, const char **values,
                              bool *given) {
    skip_blanks(s);
    tn_loc name_loc = s->loc;
    const char *name = word(s);
    if (name == NULL) {
        return unexpected(s, "an option");
    }
    uint32_t n = tn_pass_n_options(pass), i = 0;
    while (i < n && strcmp(pass->options[i].name, name) != 0) {
        i++;
    }
    if (i == n) {
        return unknown_option(s, &name_loc, pass, name);
    }
    if (given[i]) {
        tn_error(s->ctx, &name_loc, "option '%s' of pass '%s' is given twice", name, pass->name);
        return TN_USAGE;
    }
    given[i] = true;
    const tn_opt *opt = &pass->options[i];
    const char *value = opt->kind == TN_OPT_BOOL ? "true" : NULL;
    tn_loc value_loc = name_loc;
    if (accept(s, '=')) {
        skip_blanks(s);
        value_loc = s->loc;
        bool in_quotes = *s->at == '"';
        value = in_quotes ? quoted(s) : word(s);
        if (value == NULL) {
            return in_quotes ? TN_USAGE : unexpected(s, "a value");
        }
    } else if (value == NULL) {
        tn_error(s->ctx, &name_loc, "option '%s' of pass '%s' needs a value", name, pass->name);
        return TN_USAGE;
    }
    values[i] = tn_opt_canonical(s->arena, opt, value);
    return values[i] != NULL ? TN_OK : bad_value(s, &value_loc, pass, opt, value);
}

static tn_status parse_options(scanner *s, const tn_pass_info *pass, const char **values) {
    bool *given = TN_ARRAY(s->arena, bool, tn_pass_n_options(pass));
    if (accept(s, '}')) {
        return TN_OK;
    }
    do {
        tn_status status = parse_option(s, pass, values, given);
        if (status != TN_OK) {
            return status;
        }
    } while (accept(s, ','));
    return accept(s, '}') ? TN_OK : unexpected(s, "',' or '}'");
}

static tn_status parse_list(scanner *s);

static tn_status expand_named(scanner *s, const tn_named_pipeline *named) {
    if (s->depth == MAX_DEPTH) {
        tn_bug(s->ctx, "named pipeline '%s' contains itself", named->name);
    }
    skip_blanks(s);
    if (*s->at == '{') {
        tn_error(s->ctx, &s->loc, "the named pipeline '%s' takes no options", named->name);
        return TN_USAGE;
    }
    scanner inner = *s;
    inner.at = named->text;
    inner.loc = tn_loc_file(named->name);
    inner.loc.line = inner.loc.col = 1;
    inner.depth++;
    return parse_list(&inner);
}

static tn_status parse_item(scanner *s) {
    skip_blanks(s);
    tn_loc loc = s->loc;
    const char *name = word(s);
    if (name == NULL) {
        return unexpected(s, "a pass");
    }
    const tn_pass_info *pass = tn_pass_find(name);
    if (pass == NULL) {
        const tn_named_pipeline *named = tn_named_pipeline_find(name);
        if (named != NULL) {
            return expand_named(s, named);
        }
        const char *near = tn_pass_suggest(s->arena, name);
        if (near != NULL) {
            tn_error(s->ctx, &loc, "unknown pass '%s'; did you mean '%s'?", name, near);
        } else {
            tn_error(s->ctx, &loc, "unknown pass '%s'", name);
        }
        return TN_USAGE;
    }
    tn_pipeline_item item = tn_pipeline_default(s->arena, pass);
    if (accept(s, '{')) {
        tn_status status = parse_options(s, pass, item.values);
        if (status != TN_OK) {
            return status;
        }
    }
    tn_pipeline_add(s->arena, s->out, item);
    return TN_OK;
}

static tn_status parse_list(scanner *s) {
    skip_blanks(s);
    if (*s->at == '\0') {
        return TN_OK;
    }
    do {
        tn_status status = parse_item(s);
        if (status != TN_OK) {
            return status;
        }
    } while (accept(s, ','));
    skip_blanks(s);
    return *s->at == '\0' ? TN_OK : unexpected(s, "','");
}

tn_status tn_pipeline_parse(tn_arena *arena, const char *origin, const char *text,
                            tn_pipeline *out) {
    tn_loc loc = tn_loc_file(origin);
    loc.line = loc.col = 1;
    *out = (tn_pipeline){0};
    scanner s = {.arena = arena, .ctx = tn_arena_ctx(arena), .at = text, .loc = loc, .out = out};
    size_t len = strlen(text);
    if (len > TN_MAX_PIPELINE) {
        tn_error(s.ctx, &loc, "pipeline of %zu bytes exceeds the limit of %u bytes", len,
                 TN_MAX_PIPELINE);
        return TN_USAGE;
    }
    tn_status status = parse_list(&s);
    return status == TN_OK ? tn_pipeline_demand_short(&loc, out, arena) : status;
}
