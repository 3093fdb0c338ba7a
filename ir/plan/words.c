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
    const char *end = text + strlen(text);
    tn_put_c(out, '"');
    while (text < end) {
        size_t n = tn_utf8_len(text, (size_t)(end - text));
        if (n == 0) {
            tn_put(out, "\xef\xbf\xbd");
            text++;
        } else if (n == 1 && (tn_utf8_is_control(text, 1) || *text == '"' || *text == '\\')) {
            put_escape(out, (unsigned char)*text++);
        } else {
            tn_put_n(out, text, n);
            text += n;
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
    tn_put(out, " (");
    tn_put_decimal(out, scaled);
    tn_putf(out, " %s)", units[unit]);
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
