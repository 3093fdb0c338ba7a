#include "ir/base/quote.h"

#include <string.h>

static int hex_digit(char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The byte that an escape stands for; *at is behind the backslash. 0 when there is no such escape.
 */
static char escaped(const char **at) {
    const char *c = *at;
    if (*c == '"' || *c == '\\') {
        *at += 1;
        return *c;
    }
    int high = hex_digit(c[0]), low = high >= 0 ? hex_digit(c[1]) : -1;
    if (low < 0 || high + low == 0) {
        return '\0';
    }
    *at += 2;
    return (char)(high * 16 + low);
}

bool tn_unquote(const char **at, tn_sink *out) {
    const char *c = *at + 1;
    while (*c != '"' && *c != '\0') {
        char byte = *c++;
        if (byte == '\\' && (byte = escaped(&c)) == '\0') {
            *at = c;
            return false;
        }
        tn_put_c(out, byte);
    }
    *at = *c == '"' ? c + 1 : c;
    return *c == '"';
}

const char *tn_name_unquote(tn_arena *arena, const char *text) {
    if (text[0] != '"') {
        return text;
    }
    tn_sink name = tn_sink_make(arena);
    return tn_unquote(&text, &name) && *text == '\0' ? name.data : NULL;
}

static bool has_control(const char *text) {
    size_t left = strlen(text);
    for (size_t n; left > 0; text += n, left -= n) {
        n = tn_utf8_len(text, left);
        if (n == 0 || tn_utf8_is_control(text, n)) {
            return true;
        }
    }
    return false;
}

void tn_put_name(tn_sink *out, const char *name, const char *stops) {
    if (name[0] == '"' || name[0] == '\0' || strpbrk(name, stops) != NULL || has_control(name)) {
        tn_put_escaped(out, name, strlen(name));
    } else {
        tn_put(out, name);
    }
}

void tn_put_argument(tn_sink *out, const char *text) {
    tn_put_c(out, '\'');
    for (; *text != '\0'; text++) {
        if (*text == '\'') {
            tn_put(out, "'\\''");
        } else {
            tn_put_c(out, *text);
        }
    }
    tn_put_c(out, '\'');
}

/* Where a name without quotes ends. */
static const char *find_cut(const char *text, char sep) {
    const char before_quote[] = {sep, '"', '\0'};
    size_t len = strlen(text);
    const char *cut = len > 0 && text[len - 1] == '"' ? strstr(text, before_quote) : NULL;
    return cut != NULL ? cut : strrchr(text, sep);
}

bool tn_pair_split(tn_arena *arena, const char *text, const char *seps, bool may_be_empty,
                   const char **name, const char **rest) {
    const char *cut = NULL;
    if (text[0] == '"') {
        tn_sink quoted = tn_sink_make(arena);
        cut = text;
        if (!tn_unquote(&cut, &quoted) || *cut == '\0' || strchr(seps, *cut) == NULL) {
            return false;
        }
        *name = quoted.data;
    } else {
        for (const char *sep = seps; *sep != '\0' && cut == NULL; sep++) {
            cut = find_cut(text, *sep);
        }
        if (cut == NULL) {
            return false;
        }
        *name = tn_arena_strndup(arena, text, (size_t)(cut - text));
    }
    *rest = cut + 1;
    return (*name)[0] != '\0' && (may_be_empty || cut[1] != '\0');
}

size_t tn_list_item(const char *text) {
    bool quoted = false;
    size_t i = 0;
    for (; text[i] != '\0' && (quoted || text[i] != ','); i++) {
        if (quoted && text[i] == '\\' && text[i + 1] != '\0') {
            i++;
        } else if (text[i] == '"') {
            quoted = !quoted && (i == 0 || text[i - 1] == '=');
        }
    }
    return i;
}
