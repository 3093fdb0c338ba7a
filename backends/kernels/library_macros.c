/* Macros of the library. Those that make functions are expanded, so that a program holds the
 * functions it needs and no others; those inside of functions stay macros. */
#include <string.h>

#include "backends/kernels/library_t.h"

/* ---- definitions ---- */

/* A body without the backslashes at the ends of its lines; what stands on lines of its own goes to
 * the left margin. */
static const char *body_of(tn_arena *arena, const char *text) {
    tn_sink out = tn_sink_make(arena);
    size_t margin = strlen("    ");
    while (*text == ' ') {
        text++;
    }
    for (const char *end; (end = strstr(text, "\\\n")) != NULL;) {
        const char *next = end + 2;
        while (end > text && end[-1] == ' ') {
            end--;
        }
        tn_put_n(&out, text, (size_t)(end - text));
        tn_put(&out, out.len > 0 ? "\n" : "");
        text = next + (strncmp(next, "    ", margin) == 0 ? margin : 0);
    }
    tn_put(&out, text);
    return out.data;
}

void tn_library_define(tn_library *l, uint32_t file, const char *text) {
    tn_library_macro m = {0};
    tn_c_reader r = tn_c_read(text + strlen("#define"));
    tn_c_next_word(&r);
    const char *name = r.at;
    size_t len = r.len;
    tn_c_next(&r);
    m.takes = tn_c_is(&r, "(");
    while (m.takes && tn_c_next_word(&r) && !tn_c_is(&r, ")")) {
        if (r.kind == TN_C_NAME) {
            tn_vec_push(l->arena, &m.parameters, tn_intern_n(l->ctx, r.at, r.len));
        }
    }
    m.body = body_of(l->arena, r.at + (m.takes ? r.len : 0));
    tn_library_name(l, name, len, file, TN_LIBRARY_MACRO, l->macros.len);
    tn_vec_push(l->arena, &l->macros, m);
}

/* ---- calls ---- */

typedef TN_VEC(const char *) texts;

/* Arguments of the call at whose opening bracket the reader is; it ends at the closing one. */
static texts arguments_of(tn_library *l, tn_c_reader *r) {
    texts list = {0};
    unsigned depth = 1;
    const char *from = r->at + 1;
    while (depth > 0 && tn_c_next(r)) {
        tn_c_count(r, &depth);
        if (depth == 0 || (depth == 1 && tn_c_is(r, ","))) {
            while (*from == ' ' || *from == '\n') {
                from++;
            }
            tn_vec_push(l->arena, &list, tn_arena_strndup(l->arena, from, (size_t)(r->at - from)));
            from = r->at + 1;
        }
    }
    return list;
}

/* The argument that a name of the body stands for, or NULL. */
static const char *argument(tn_library *l, const tn_library_macro *m, const texts *given,
                            const tn_c_reader *r) {
    if (r->kind == TN_C_NAME) {
        const char *name = tn_intern_n(l->ctx, r->at, r->len);
        for (uint32_t i = 0; i < m->parameters.len && i < given->len; i++) {
            if (m->parameters.data[i] == name) {
                return given->data[i];
            }
        }
    }
    return NULL;
}

static void put_body(tn_library *l, tn_sink *out, const tn_library_macro *m, const texts *given) {
    for (tn_c_reader r = tn_c_read(m->body); tn_c_next(&r);) {
        const char *text = argument(l, m, given, &r);
        if (text != NULL) {
            tn_put(out, text);
        } else if (!tn_c_is(&r, "##")) {
            tn_put_n(out, r.at, r.len);
        }
    }
}

/* Puts what stands for the macro at which the reader is; false where it is none, or no call. */
static bool put_call(tn_library *l, tn_sink *out, uint32_t file, tn_c_reader *r) {
    uint32_t number, scope;
    if (r->kind != TN_C_NAME || !tn_library_find(l, r, file, TN_LIBRARY_MACRO, &number, &scope)) {
        return false;
    }
    const tn_library_macro *m = &l->macros.data[number];
    texts given = {0};
    if (m->takes) {
        tn_c_reader behind = *r;
        tn_c_next_word(&behind);
        if (!tn_c_is(&behind, "(")) {
            return false;
        }
        given = arguments_of(l, &behind);
        *r = behind;
    }
    put_body(l, out, m, &given);
    return true;
}

/* Once: what comes out may have calls again. */
static const char *expand_once(tn_library *l, uint32_t file, const char *text, bool *any) {
    tn_sink out = tn_sink_make(l->arena);
    unsigned braces = 0;
    for (tn_c_reader r = tn_c_read(text); tn_c_next(&r);) {
        braces += tn_c_is(&r, "{");
        braces -= tn_c_is(&r, "}");
        if (braces == 0 && put_call(l, &out, file, &r)) {
            *any = true;
        } else {
            tn_put_n(&out, r.at, r.len);
        }
    }
    return out.data != NULL ? out.data : "";
}

const char *tn_library_expand(tn_library *l, uint32_t file, const char *text) {
    for (bool any = true; any;) {
        any = false;
        text = expand_once(l, file, text, &any);
    }
    return text;
}
