#include "ir/onnx/dim_param.h"

#include <ctype.h>
#include <string.h>

/* Only what cannot be meant as a plain name counts as an expression: "batch-size" is a name, and so
 * is a word that the grammar of dimensions reserves. */
static bool is_expression(const char *s) {
    bool op = false;
    for (size_t i = 0; s[i] != '\0'; i++) {
        char c = s[i];
        bool spaced = i > 0 && s[i - 1] == ' ' && s[i + 1] == ' ';
        if (c == '-' && !spaced) {
            return false;
        }
        if (!isalnum((unsigned char)c) && strchr("_+-*/(), ", c) == NULL) {
            return false;
        }
        op |= c == '+' || c == '*' || c == '-' || c == '/' || c == '(';
    }
    return op;
}

/* Python's spelling to that of ir/dim/dim.h. */
static const char *respell(tn_arena *arena, const char *s) {
    static const char *const from[] = {"//", "Max(", "Min("};
    static const char *const to[] = {" floordiv ", "max(", "min("};
    tn_sink out = tn_sink_make(arena);
    while (*s != '\0') {
        size_t i = 0;
        while (i < 3 && strncmp(s, from[i], strlen(from[i])) != 0) {
            i++;
        }
        if (i < 3) {
            tn_put(&out, to[i]);
            s += strlen(from[i]);
        } else {
            tn_put_c(&out, *s++);
        }
    }
    return out.data;
}

/* The trial has a table of its own: the part of a text that could be read must leave no symbols. */
static bool parse(tn_ctx *ctx, tn_dims *d, const char *text, tn_dim *out) {
    tn_arena *scratch = tn_arena_new(ctx);
    const char *respelled = respell(scratch, text), *at = respelled;
    bool ok = tn_dim_parse(tn_dims_new(scratch), &at, out) && *at == '\0' && *out != TN_DIM_UNKNOWN;
    at = respelled;
    ok = ok && tn_dim_parse(d, &at, out);
    tn_arena_drop(scratch);
    return ok;
}

tn_dim tn_onnx_dim_param(tn_ctx *ctx, tn_dims *d, const char *param) {
    tn_dim made;
    return is_expression(param) && parse(ctx, d, param, &made) ? made : tn_dim_sym(d, param);
}
