/* The files of the library as items: what begins at the left margin and ends with its ; or }. */
#include <string.h>

#include "backends/kernels/library_t.h"

/* Of one file, or of what macros in it stand for. */
typedef struct input {
    tn_library *l;
    uint32_t file;
    bool header;
    const char *at;
    const char *comment; /* that stands in front of the next item; NULL: none does */
} input;

/* ---- names ---- */

static uint64_t key_of(const tn_library *l, const char *name, size_t len, uint32_t file,
                       tn_library_kind kind) {
    uint64_t scope = file == TN_LIBRARY_ALL ? 0 : file + UINT64_C(1);
    return scope << 36 | (uint64_t)tn_str_id(tn_intern_n(l->ctx, name, len)) << 2 | kind;
}

void tn_library_name(tn_library *l, const char *name, size_t len, uint32_t file,
                     tn_library_kind kind, uint32_t number) {
    tn_map_put(&l->names, key_of(l, name, len, file, kind), number + UINT64_C(1));
}

bool tn_library_find(const tn_library *l, const tn_c_reader *name, uint32_t file,
                     tn_library_kind kind, uint32_t *number, uint32_t *scope) {
    const uint32_t scopes[] = {file, TN_LIBRARY_ALL};
    for (unsigned i = 0; i < 2; i++) {
        uint64_t found = tn_map_or(&l->names, key_of(l, name->at, name->len, scopes[i], kind), 0);
        if (found != 0) {
            *number = (uint32_t)(found - 1);
            *scope = scopes[i];
            return true;
        }
    }
    return false;
}

/* ---- what an item is ---- */

typedef struct shape {
    const char *name; /* "enum" of one that has none */
    size_t len;
    bool type, numbers, assigned, parameters, body, is_static;
} shape;

static void see_name(shape *s, const tn_c_reader *r) {
    s->type = s->type || tn_c_is(r, "typedef");
    s->numbers = s->numbers || tn_c_is(r, "enum");
    s->is_static = s->is_static || tn_c_is(r, "static");
    s->name = r->at;
    s->len = r->len;
}

/* One word of an item; `done`: its name is known. Whether it ends there. */
static bool see(shape *s, const tn_c_reader *r, unsigned depth, bool *done) {
    if (depth == 0 && r->kind == TN_C_NAME && !*done) {
        see_name(s, r);
    }
    bool opens = depth == 1 && tn_c_is(r, "(");
    *done = *done || opens || (depth == 1 && tn_c_is(r, "[")) ||
            (depth == 0 && (tn_c_is(r, "=") || tn_c_is(r, ";")));
    s->parameters = s->parameters || opens;
    s->assigned = s->assigned || (depth == 0 && tn_c_is(r, "="));
    s->body = s->parameters && !s->type && !s->assigned && depth == 0 && tn_c_is(r, "}");
    return s->body || (depth == 0 && tn_c_is(r, ";"));
}

/* Reads to the end of an item. */
static shape shape_of(tn_c_reader *r) {
    shape s = {0};
    unsigned depth = 0;
    bool done = false, pointer = false;
    while (tn_c_next_word(r)) {
        tn_c_count(r, &depth);
        if (see(&s, r, depth, &done)) {
            break;
        }
        if (s.type && s.parameters && !pointer && r->at[1] == '*') { /* typedef int (*name)(int) */
            pointer = true;
            tn_c_next_word(r);
            tn_c_next_word(r);
            see_name(&s, r);
        }
        pointer = pointer || s.parameters;
    }
    return s;
}

/* ---- adding ---- */

static uint32_t push_item(input *in, const char *text) {
    tn_library *l = in->l;
    tn_vec_push(l->arena, &l->items,
                (tn_library_item){.text = text, .comment = in->comment, .file = in->file});
    in->comment = NULL;
    return l->items.len - 1;
}

static uint32_t scope_of(const input *in) {
    return in->header ? TN_LIBRARY_ALL : in->file;
}

/* The names of numbers in an enum. */
static void name_numbers(input *in, const char *text, uint32_t item) {
    unsigned depth = 0;
    bool first = false;
    for (tn_c_reader r = tn_c_read(text); tn_c_next_word(&r);) {
        if (first && r.kind == TN_C_NAME) {
            tn_library_name(in->l, r.at, r.len, scope_of(in), TN_LIBRARY_ITEM, item);
        }
        tn_c_count(&r, &depth);
        first = depth == 1 && (tn_c_is(&r, "{") || tn_c_is(&r, ","));
    }
}

/* Programs have functions behind those they call, so that prototypes are of no use; but what is
 * said of them is. */
static void keep_comment(input *in, const shape *s) {
    if (in->comment != NULL) {
        tn_library_name(in->l, s->name, s->len, TN_LIBRARY_ALL, TN_LIBRARY_COMMENT,
                        in->l->comments.len);
        tn_vec_push(in->l->arena, &in->l->comments, in->comment);
    }
    in->comment = NULL;
}

static void add_item(input *in, const char *text) {
    static const char kernel[] = "tenure_";
    tn_c_reader r = tn_c_read(text);
    shape s = shape_of(&r);
    bool generic = strncmp(text, "tenure_generic ", strlen("tenure_generic ")) == 0;
    if (generic || (s.parameters && !s.body && !s.type && !s.assigned)) {
        keep_comment(in, &s);
        return;
    }
    uint32_t number = push_item(in, text);
    tn_library_item *item = &in->l->items.data[number];
    item->function = s.body;
    item->kernel = s.body && s.len > strlen(kernel) && strncmp(s.name, kernel, strlen(kernel)) == 0;
    bool known = s.body && !s.is_static;
    if (!s.numbers || s.type) {
        tn_library_name(in->l, s.name, s.len, known ? TN_LIBRARY_ALL : scope_of(in),
                        TN_LIBRARY_ITEM, number);
    }
    if (s.numbers) {
        name_numbers(in, text, number);
    }
}

/* ---- reading ---- */

static const char *take(input *in, const char *end) {
    const char *text = tn_arena_strndup(in->l->arena, in->at, (size_t)(end - in->at));
    in->at = end;
    return text;
}

static const char *line_end(const char *at) {
    while (*at != '\0' && (*at != '\n' || at[-1] == '\\')) {
        at++;
    }
    return at;
}

static bool begins(const char *at, const char *word) {
    return strncmp(at, word, strlen(word)) == 0;
}

static void name_macro(input *in, const char *at, uint32_t item) {
    tn_c_reader r = tn_c_read(at + strlen("#define"));
    tn_c_next_word(&r);
    tn_library_name(in->l, r.at, r.len, scope_of(in), TN_LIBRARY_ITEM, item);
}

/* Macros that depend on something stay as they are, from #if to #endif. */
static void read_choice(input *in) {
    const char *end = strstr(in->at, "\n#endif");
    const char *text = take(in, end + strlen("\n#endif"));
    uint32_t item = push_item(in, text);
    for (const char *at = text; (at = strstr(at, "\n#define")) != NULL; at++) {
        name_macro(in, at + 1, item);
    }
}

/* "#ifndef X_H" and "#define X_H" of a header. */
static bool is_guard(const char *at) {
    const char *next = line_end(at) + 1, *end = line_end(next);
    return begins(at, "#ifndef") && begins(next, "#define") &&
           memchr(next + 8, ' ', (size_t)(end - next - 8)) == NULL;
}

static void read_directive(input *in) {
    const char *end = line_end(in->at);
    if (begins(in->at, "#define")) {
        const char *text = take(in, end);
        tn_library_define(in->l, scope_of(in), text);
        name_macro(in, text, push_item(in, text));
    } else if (is_guard(in->at)) {
        in->at = line_end(end + 1);
    } else if (begins(in->at, "#if")) {
        read_choice(in);
    } else {
        in->at = end; /* #include, and the #endif of a guard */
    }
    in->comment = NULL;
}

static void read_items(input *in);

/* Whether a macro is called at the begin, and where the call ends. */
static const char *call_end(const input *in) {
    tn_c_reader r = tn_c_read(in->at);
    uint32_t number, scope;
    tn_c_next_word(&r);
    if (r.kind != TN_C_NAME ||
        !tn_library_find(in->l, &r, in->file, TN_LIBRARY_MACRO, &number, &scope) ||
        !in->l->macros.data[number].takes) {
        return NULL;
    }
    unsigned depth = 0;
    do {
        tn_c_next_word(&r);
        tn_c_count(&r, &depth);
    } while (depth > 0);
    const char *end = r.at + r.len;
    tn_c_next_word(&r);
    return tn_c_is(&r, "{") || tn_c_is(&r, ";") ? NULL : end;
}

static void read_item(input *in) {
    const char *end = call_end(in);
    if (end != NULL) {
        input made = *in;
        made.at = tn_library_expand(in->l, in->file, take(in, end));
        read_items(&made);
        in->comment = NULL;
        return;
    }
    tn_c_reader r = tn_c_read(in->at);
    shape_of(&r);
    add_item(in, tn_library_expand(in->l, in->file, take(in, r.at + r.len)));
}

static void read_items(input *in) {
    for (tn_c_reader r = tn_c_read(in->at); tn_c_next(&r); r = tn_c_read(in->at)) {
        if (r.kind == TN_C_SPACE) {
            const char *line = memchr(r.at, '\n', r.len);
            bool apart =
                line != NULL && memchr(line + 1, '\n', (size_t)(r.at + r.len - line - 1)) != NULL;
            in->comment = apart ? NULL : in->comment;
            in->at = r.at + r.len;
        } else if (r.kind == TN_C_COMMENT) {
            in->comment = take(in, r.at + r.len);
        } else if (tn_c_is(&r, "#")) {
            read_directive(in);
        } else {
            read_item(in);
        }
    }
}

void tn_library_read(tn_library *l, uint32_t file, const char *text, bool header) {
    input in = {.l = l, .file = file, .header = header, .at = text};
    read_items(&in);
}
