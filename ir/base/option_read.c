#include "ir/base/option_read.h"

#include <string.h>

#include "ir/base/quote.h"

tn_opt_scan tn_opt_scan_make(tn_arena *arena, const char *kind, const char *origin,
                             const char *text) {
    tn_opt_scan s = {arena, kind, text, tn_loc_file(origin)};
    s.loc.line = s.loc.col = 1;
    return s;
}

static void move_to(tn_opt_scan *s, const char *to) {
    for (; s->at != to; s->at++) {
        bool line_end = *s->at == '\n';
        s->loc.line += line_end;
        s->loc.col = line_end ? 1 : s->loc.col + 1;
    }
}

void tn_opt_skip_blanks(tn_opt_scan *s) {
    move_to(s, s->at + strspn(s->at, " \t\r\n"));
}

bool tn_opt_accept(tn_opt_scan *s, char c) {
    tn_opt_skip_blanks(s);
    if (*s->at != c) {
        return false;
    }
    move_to(s, s->at + 1);
    return true;
}

const char *tn_opt_word(tn_opt_scan *s) {
    size_t n = strcspn(s->at, " \t\r\n,{}=\"");
    const char *word = n > 0 ? tn_arena_strndup(s->arena, s->at, n) : NULL;
    move_to(s, s->at + n);
    return word;
}

tn_status tn_opt_unexpected(tn_opt_scan *s, const char *wanted) {
    tn_ctx *ctx = tn_arena_ctx(s->arena);
    if (*s->at == '\0') {
        tn_error(ctx, &s->loc, "expected %s at the end of the %s", wanted, s->kind);
    } else {
        tn_error(ctx, &s->loc, "expected %s instead of '%c'", wanted, *s->at);
    }
    return TN_USAGE;
}

/* A word or a quoted text; NULL after a diagnostic. */
static const char *read_value(tn_opt_scan *s) {
    tn_ctx *ctx = tn_arena_ctx(s->arena);
    if (*s->at != '"') {
        const char *word = tn_opt_word(s);
        if (word == NULL) {
            (void)tn_opt_unexpected(s, "a value");
        }
        return word;
    }
    tn_loc open = s->loc;
    tn_sink text = tn_sink_make(s->arena);
    const char *at = s->at;
    bool good = tn_unquote(&at, &text);
    move_to(s, at);
    if (!good && *at == '\0') {
        tn_error(ctx, &open, "this quotation mark is never closed");
    } else if (!good) {
        tn_error(ctx, &s->loc, "expected \\\", \\\\ or \\ and two lower-case hex digits");
    }
    return good ? text.data : NULL;
}

static tn_status unknown(tn_opt_scan *s, const tn_loc *loc, const char *owner, const tn_opt *table,
                         const char *name) {
    tn_ctx *ctx = tn_arena_ctx(s->arena);
    uint32_t n = tn_opt_count(table);
    if (n == 0) {
        return tn_usage(ctx, loc, "%s has no options, '%s' is given", owner, name);
    }
    const char **names = TN_ARRAY(s->arena, const char *, n);
    for (uint32_t i = 0; i < n; i++) {
        names[i] = table[i].name;
    }
    const char *near = tn_nearest(name, names, n);
    return tn_usage(ctx, loc, "%s has no option '%s'%s%s%s", owner, name,
                    near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                    near != NULL ? "'?" : "");
}

static tn_status read_one(tn_opt_scan *s, const char *owner, const tn_opt *table,
                          const char **values, bool *given) {
    tn_ctx *ctx = tn_arena_ctx(s->arena);
    tn_opt_skip_blanks(s);
    tn_loc name_loc = s->loc, value_loc = s->loc;
    const char *name = tn_opt_word(s);
    if (name == NULL) {
        return tn_opt_unexpected(s, "an option");
    }
    uint32_t n = tn_opt_count(table), i = 0;
    while (i < n && strcmp(table[i].name, name) != 0) {
        i++;
    }
    if (i == n) {
        return unknown(s, &name_loc, owner, table, name);
    }
    if (given[i]) {
        return tn_usage(ctx, &name_loc, "option '%s' of %s is given twice", name, owner);
    }
    given[i] = true;
    const char *value = table[i].kind == TN_OPT_BOOL ? "true" : NULL;
    if (tn_opt_accept(s, '=')) {
        tn_opt_skip_blanks(s);
        value_loc = s->loc;
        value = read_value(s);
        if (value == NULL) {
            return TN_USAGE;
        }
    } else if (value == NULL) {
        return tn_usage(ctx, &name_loc, "option '%s' of %s needs a value", name, owner);
    }
    values[i] = tn_opt_canonical(s->arena, &table[i], value);
    if (values[i] == NULL) {
        return tn_usage(ctx, &value_loc, "option '%s' of %s must be %s, not '%s'", name, owner,
                        tn_opt_wanted(s->arena, &table[i]), value);
    }
    return TN_OK;
}

tn_status tn_opt_read(tn_opt_scan *s, const char *owner, const tn_opt *table, const char **values,
                      bool *given) {
    tn_status status;
    do {
        status = read_one(s, owner, table, values, given);
    } while (status == TN_OK && tn_opt_accept(s, ','));
    return status;
}
