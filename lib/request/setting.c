#include "lib/request/setting.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ir/base/decimal.h"
#include "ir/base/diag.h"
#include "ir/base/option.h"
#include "ir/base/quote.h"

tn_status tn_set_refuse(tn_set_ctx *c, const char *wanted, const char *value) {
    return tn_usage(tn_arena_ctx(c->arena), c->loc, "%s must be %s, not '%s'", c->shown, wanted,
                    value);
}

bool tn_text_to_int(const char *text, int64_t *out) {
    char *end;
    errno = 0;
    long long n = strtoll(text, &end, 10);
    bool starts = text[0] == '-' || (text[0] >= '0' && text[0] <= '9');
    if (errno != 0 || !starts || end == text || *end != '\0') {
        return false;
    }
    *out = n;
    return true;
}

bool tn_text_to_float(const char *text, double *out) {
    bool starts = text[0] != '\0' && strchr("+-.0123456789", text[0]) != NULL;
    return starts && tn_decimal(text, strlen(text), out) && isfinite(*out);
}

static void *field(void *target, const tn_setting *s) {
    return (char *)target + s->offset;
}

static const char *keep(tn_set_ctx *c, const char *value) {
    return tn_arena_strndup(c->arena, value, strlen(value));
}

tn_status tn_set_flag(tn_set_ctx *c, void *target, const tn_setting *s, const char *value) {
    (void)c;
    *(bool *)field(target, s) = tn_opt_truth(value);
    return TN_OK;
}

tn_status tn_set_text(tn_set_ctx *c, void *target, const tn_setting *s, const char *value) {
    *(const char **)field(target, s) = keep(c, value);
    return TN_OK;
}

tn_status tn_set_file(tn_set_ctx *c, void *target, const tn_setting *s, const char *value) {
    return value[0] == '\0' ? tn_set_refuse(c, "a path", value) : tn_set_text(c, target, s, value);
}

tn_status tn_add_text(tn_set_ctx *c, void *target, const tn_setting *s, const char *value) {
    tn_texts *texts = field(target, s);
    tn_vec_push(c->arena, texts, keep(c, value));
    return TN_OK;
}

static tn_status take_name(tn_set_ctx *c, void *target, const tn_setting *s, const char *value,
                           tn_set_fn take) {
    const char *name = tn_name_unquote(c->arena, value);
    return name != NULL ? take(c, target, s, name)
                        : tn_set_refuse(c, "a name, or one in quotes", value);
}

tn_status tn_set_name(tn_set_ctx *c, void *target, const tn_setting *s, const char *value) {
    return take_name(c, target, s, value, tn_set_text);
}

tn_status tn_add_name(tn_set_ctx *c, void *target, const tn_setting *s, const char *value) {
    return take_name(c, target, s, value, tn_add_text);
}

tn_status tn_set_choice(tn_set_ctx *c, void *target, const tn_setting *s, const char *value) {
    size_t len = strlen(value);
    for (const char *at = s->choices;; at++) {
        size_t n = strcspn(at, "|");
        if (n == len && len > 0 && memcmp(at, value, n) == 0) {
            *(const char **)field(target, s) = keep(c, value);
            return TN_OK;
        }
        at += n;
        if (*at == '\0') {
            return tn_set_refuse(c, s->choices, value);
        }
    }
}

tn_status tn_set_bytes(tn_set_ctx *c, void *target, const tn_setting *s, const char *value) {
    return tn_opt_bytes(value, field(target, s))
               ? TN_OK
               : tn_set_refuse(c, "a number of bytes, such as 4096, 64K or 2M", value);
}

tn_status tn_set_int(tn_set_ctx *c, void *target, const tn_setting *s, const char *value) {
    int64_t n;
    if (!tn_text_to_int(value, &n)) {
        return tn_set_refuse(c, "a number", value);
    }
    *(int64_t *)field(target, s) = n;
    return TN_OK;
}

/* Whether a flag is to be on: `value`, or true for none, the other way round for --no-NAME. NULL
 * after a diagnostic. */
static const char *flag_value(tn_set_ctx *c, const char *value, bool negated) {
    static const tn_opt flag = {.name = "flag", .kind = TN_OPT_BOOL};
    const char *truth = value != NULL ? tn_opt_canonical(c->arena, &flag, value) : "true";
    if (truth == NULL) {
        (void)tn_set_refuse(c, "true or false", value);
        return NULL;
    }
    return tn_opt_truth(truth) != negated ? "true" : "false";
}

tn_status tn_setting_apply(tn_set_ctx *c, const tn_setting_found *found, const char *value) {
    tn_ctx *ctx = tn_arena_ctx(c->arena);
    const tn_setting *s = found->setting;
    const tn_setting_group *group = found->group;
    if (s->arg != NULL && value == NULL) {
        return tn_usage(ctx, c->loc, "%s needs a value (%s)", c->shown, s->arg);
    }
    if (s->arg == NULL && (value = flag_value(c, value, found->negated)) == NULL) {
        return TN_USAGE;
    }
    tn_status status = s->set(c, group->target, s, value);
    if (status == TN_OK && group->given != NULL) {
        const char *text = tn_setting_canonical(c->arena, s, value);
        tn_pair pair = {tn_intern(ctx, s->name), tn_intern(ctx, text)};
        tn_vec_push(c->arena, group->given, pair);
    }
    return status;
}

static bool is_name(const char *name, const char *text, size_t len) {
    return name != NULL && strlen(name) == len && memcmp(name, text, len) == 0;
}

static bool find_name(const tn_setting_group *groups, uint32_t n, const char *name, size_t len,
                      tn_setting_found *found) {
    for (uint32_t i = 0; i < n; i++) {
        for (const tn_setting *s = groups[i].table; s->name != NULL; s++) {
            if (is_name(s->name, name, len) || is_name(s->alias, name, len)) {
                *found = (tn_setting_found){&groups[i], s, false};
                return true;
            }
        }
    }
    return false;
}

bool tn_setting_find(const tn_setting_group *groups, uint32_t n, const char *name, size_t len,
                     tn_setting_found *found) {
    enum { NO = sizeof "no-" - 1 };
    if (find_name(groups, n, name, len, found)) {
        return true;
    }
    if (len <= NO || memcmp(name, "no-", NO) != 0 ||
        !find_name(groups, n, name + NO, len - NO, found)) {
        return false;
    }
    found->negated = true;
    return found->setting->arg == NULL;
}

bool tn_setting_by_letter(const tn_setting_group *groups, uint32_t n, char letter,
                          tn_setting_found *found) {
    for (uint32_t i = 0; i < n; i++) {
        for (const tn_setting *s = groups[i].table; s->name != NULL; s++) {
            if (s->letter == letter && letter != '\0') {
                *found = (tn_setting_found){&groups[i], s, false};
                return true;
            }
        }
    }
    return false;
}

const char *tn_setting_suggest(tn_arena *arena, const tn_setting_group *groups, uint32_t n,
                               const char *name) {
    tn_texts names = {0};
    for (uint32_t i = 0; i < n; i++) {
        for (const tn_setting *s = groups[i].table; s->name != NULL; s++) {
            tn_vec_push(arena, &names, s->name);
            if (s->alias != NULL) {
                tn_vec_push(arena, &names, s->alias);
            }
            if (s->arg == NULL) {
                tn_vec_push(arena, &names, tn_arena_printf(arena, "no-%s", s->name));
            }
        }
    }
    return tn_nearest(name, names.data, names.len);
}

enum { HELP_COLUMN = 30, HELP_WIDTH = 100 };

/* Words of `text` from HELP_COLUMN on, wrapped; `used` is the length of what the line holds. */
static void put_wrapped(tn_sink *out, size_t used, const char *text) {
    size_t at = used;
    if (used + 2 > HELP_COLUMN) {
        tn_put_c(out, '\n');
        at = 0;
    }
    tn_put_indent(out, HELP_COLUMN - at);
    at = HELP_COLUMN;
    while (*text != '\0') {
        size_t word = strcspn(text, " ");
        if (at > HELP_COLUMN && at + 1 + word > HELP_WIDTH) {
            tn_put_c(out, '\n');
            tn_put_indent(out, HELP_COLUMN);
            at = HELP_COLUMN;
        } else if (at > HELP_COLUMN) {
            tn_put_c(out, ' ');
            at++;
        }
        tn_put_n(out, text, word);
        at += word;
        text += word;
        text += strspn(text, " ");
    }
    tn_put_c(out, '\n');
}

static void put_setting(tn_sink *out, const tn_setting *s) {
    size_t start = out->len;
    const char *arg = s->arg;
    tn_put(out, "  ");
    if (s->letter != '\0') {
        tn_putf(out, "-%c%s%s", s->letter, arg != NULL ? arg : "", s->name[1] != '\0' ? ", " : "");
    }
    if (s->name[1] != '\0') {
        tn_putf(out, "--%s%s%s", s->name, arg != NULL ? "=" : "", arg != NULL ? arg : "");
    }
    if (s->alias != NULL) {
        tn_putf(out, ", --%s", s->alias);
    }
    put_wrapped(out, out->len - start, s->help);
}

void tn_setting_help(const tn_setting_group *groups, uint32_t n, tn_sink *out) {
    uint32_t flags = 0;
    for (uint32_t i = 0; i < n; i++) {
        tn_putf(out, "\n%s:\n", groups[i].title);
        for (const tn_setting *s = groups[i].table; s->name != NULL; s++) {
            put_setting(out, s);
            flags += s->arg == NULL;
        }
    }
    if (flags > 0) {
        tn_put(out,
               "\n--no-NAME turns off an option NAME that takes no value; of several, the last "
               "one counts.\n");
    }
}
