#include "ir/plan/words.h"

#include <string.h>

const char *const tn_pool_kind_words[] = {
    [TN_POOL_ARENA] = "arena", [TN_POOL_IO] = "io", [TN_POOL_CONST] = "const", NULL};
const char *const tn_plan_role_words[] = {
    [TN_ROLE_INTERNAL] = "internal", [TN_ROLE_INPUT] = "input", [TN_ROLE_OUTPUT] = "output",
    [TN_ROLE_CONST] = "const",       [TN_ROLE_STATE] = "state", NULL};
const char *const tn_step_kind_words[] = {
    [TN_STEP_OP] = "op", [TN_STEP_BEGIN] = "begin", [TN_STEP_END] = "end", NULL};
const char *const tn_alias_kind_words[] = {
    [TN_ALIAS_NONE] = "none",     [TN_ALIAS_VIEW] = "view",   [TN_ALIAS_INPLACE] = "inplace",
    [TN_ALIAS_UPDATE] = "update", [TN_ALIAS_SHARE] = "share", NULL};

static bool continues(unsigned char c) {
    return (c & 0xc0) == 0x80;
}

/* Length of the well-formed UTF-8 sequence at `s` (RFC 3629: no overlong forms, no surrogates,
 * nothing above U+10FFFF), 0 when there is none. The final NUL stops every test in time. */
static size_t utf8_length(const unsigned char *s) {
    if (s[0] < 0x80) {
        return 1;
    }
    if (s[0] >= 0xc2 && s[0] <= 0xdf) {
        return continues(s[1]) ? 2 : 0;
    }
    if (s[0] >= 0xe0 && s[0] <= 0xef) {
        bool bad = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f);
        return !bad && continues(s[1]) && continues(s[2]) ? 3 : 0;
    }
    if (s[0] >= 0xf0 && s[0] <= 0xf4) {
        bool bad = (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f);
        return !bad && continues(s[1]) && continues(s[2]) && continues(s[3]) ? 4 : 0;
    }
    return 0;
}

static void put_escape(tn_sink *out, unsigned char c) {
    switch (c) {
    case '"':
        tn_put(out, "\\\"");
        break;
    case '\\':
        tn_put(out, "\\\\");
        break;
    case '\n':
        tn_put(out, "\\n");
        break;
    case '\r':
        tn_put(out, "\\r");
        break;
    case '\t':
        tn_put(out, "\\t");
        break;
    default:
        tn_putf(out, "\\u%04x", c);
    }
}

void tn_put_quoted(tn_sink *out, const char *text) {
    const unsigned char *s = (const unsigned char *)text;
    tn_put_c(out, '"');
    while (*s != '\0') {
        size_t n = utf8_length(s);
        if (n == 0) {
            tn_put(out, "\xef\xbf\xbd");
            s++;
        } else if (n == 1 && (*s < 0x20 || *s == 0x7f || *s == '"' || *s == '\\')) {
            put_escape(out, *s++);
        } else {
            tn_put_n(out, (const char *)s, n);
            s += n;
        }
    }
    tn_put_c(out, '"');
}

void tn_put_bytes(tn_sink *out, uint64_t bytes) {
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    tn_putf(out, "%llu B", (unsigned long long)bytes);
    if (bytes < 1024) {
        return;
    }
    double scaled = (double)bytes / 1024;
    size_t unit = 0;
    while (scaled >= 1024 && unit + 1 < sizeof units / sizeof units[0]) {
        scaled /= 1024;
        unit++;
    }
    tn_putf(out, " (%.2f %s)", scaled, units[unit]);
}

void tn_put_step(tn_sink *out, const tn_plan *p, uint32_t step) {
    if (step >= p->n_steps) {
        tn_putf(out, "step %u", step);
        return;
    }
    const tn_plan_step *s = &p->steps[step];
    static const char *const words[] = {"", "begin of ", "end of "};
    tn_putf(out, "step %u (%s%s", step, words[s->kind], s->op);
    if (s->name[0] != '\0') {
        tn_putf(out, " '%s'", s->name);
    } else if (s->writes.len > 0) {
        tn_putf(out, " making '%s'", p->values[s->writes.data[0]].name);
    }
    tn_put_c(out, ')');
}
