#include "lib/fit/program_size.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "ir/base/ctx.h"
#include "ir/base/map.h"
#include "ir/base/sink.h"

/* Fitted to 60 programs of published models (bench/fit.py): what a loop, an element that is
 * addressed and a tensor of a step come to. Steps hand tensors on in structs on the stack; with the
 * saved registers of the deepest kernel these come to less than FRAMES everywhere. */
enum { LOOP_BYTES = 37, ELEMENT_BYTES = 11, TENSOR_BYTES = 21, FRAMES = 832 };
enum { MOST_NESTED = 32, MOST_LINE = 1024, MOST_DEPTH = 16 };

typedef struct reading {
    tn_arena *arena;
    tn_map numbers; /* by interned name of a macro or a constant: its text, an index of `texts` */
    TN_VEC(const char *) texts;
    bool taken[MOST_NESTED]; /* whether lines count, by depth of #if */
    uint32_t depth;
    bool in_comment, in_steps;
    uint64_t loops, elements, tensors;
    uint64_t arrays, most_arrays; /* of the function at hand, and of the one with most */
} reading;

/* ---- numbers ---- */

static uint64_t number_of(reading *r, const char **at, uint32_t depth);

static uint64_t named(reading *r, const char *name, size_t len, uint32_t depth) {
    uint64_t i;
    const char *word = tn_intern(tn_arena_ctx(r->arena), tn_arena_strndup(r->arena, name, len));
    if (depth > MOST_DEPTH || !tn_map_get(&r->numbers, tn_str_id(word), &i)) {
        return 1;
    }
    const char *text = r->texts.data[i];
    return number_of(r, &text, depth + 1);
}

static uint64_t factor_of(reading *r, const char **at, uint32_t depth) {
    *at += strspn(*at, " ");
    const char *start = *at;
    if (**at == '(') {
        ++*at;
        uint64_t n = depth > MOST_DEPTH ? 1 : number_of(r, at, depth + 1);
        *at += strspn(*at, " ");
        *at += **at == ')';
        return n;
    }
    if (isdigit((unsigned char)**at)) {
        char *end;
        uint64_t n = strtoull(start, &end, 0);
        *at = end + strspn(end, "uUlL");
        return n;
    }
    while (isalnum((unsigned char)**at) || **at == '_') {
        ++*at;
    }
    return *at > start ? named(r, start, (size_t)(*at - start), depth) : 1;
}

static uint64_t product_of(reading *r, const char **at, uint32_t depth) {
    uint64_t n = factor_of(r, at, depth);
    for (*at += strspn(*at, " "); **at == '*' || **at == '/'; *at += strspn(*at, " ")) {
        bool times = *(*at)++ == '*';
        uint64_t other = factor_of(r, at, depth);
        n = times ? n * other : other > 0 ? n / other : n;
    }
    return n;
}

/* Sums and products of numbers and of names; what is none of these is 1. */
static uint64_t number_of(reading *r, const char **at, uint32_t depth) {
    uint64_t n = product_of(r, at, depth);
    for (*at += strspn(*at, " "); **at == '+' || **at == '-'; *at += strspn(*at, " ")) {
        bool more = *(*at)++ == '+';
        uint64_t other = product_of(r, at, depth);
        n = more ? n + other : n > other ? n - other : 0;
    }
    return n;
}

static void keep_number(reading *r, const char *name, size_t len, const char *text) {
    const char *word = tn_intern(tn_arena_ctx(r->arena), tn_arena_strndup(r->arena, name, len));
    tn_map_put(&r->numbers, tn_str_id(word), r->texts.len);
    tn_vec_push(r->arena, &r->texts, tn_arena_strndup(r->arena, text, strlen(text)));
}

static size_t word_length(const char *at) {
    size_t n = 0;
    while (isalnum((unsigned char)at[n]) || at[n] == '_') {
        n++;
    }
    return n;
}

/* ---- lines ---- */

static bool begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

/* Whether what a condition asks for is there on a machine without vectors, with nothing defined. */
static bool holds(const char *line) {
    const char *lanes = strstr(line, "LANES ");
    if (begins(line, "#if ") && lanes != NULL) {
        const char *sign = lanes + strlen("LANES "), *n = sign + strspn(sign, "<>= ");
        long than = strtol(n, NULL, 10);
        return sign[0] == '<' ? 1 < than : sign[1] == '=' ? 1 >= than : 1 > than;
    }
    static const char *const undefined[] = {"_CONFIG", "_TIMED",    "_SAY_WHY",
                                            "TENURE_", "__clang__", "_OPENMP"};
    for (size_t i = 0; begins(line, "#ifdef") && i < sizeof undefined / sizeof undefined[0]; i++) {
        if (strstr(line, undefined[i]) != NULL) {
            return false;
        }
    }
    return true;
}

static bool is_taken(const reading *r) {
    return r->depth == 0 || r->taken[r->depth - 1];
}

static void read_directive(reading *r, const char *line) {
    bool outer = r->depth < 2 || r->taken[r->depth - 2];
    if (begins(line, "#if") && r->depth < MOST_NESTED) {
        bool taken = is_taken(r) && holds(line);
        r->taken[r->depth++] = taken;
    } else if ((begins(line, "#else") || begins(line, "#elif")) && r->depth > 0) {
        r->taken[r->depth - 1] = outer && !r->taken[r->depth - 1];
    } else if (begins(line, "#endif") && r->depth > 0) {
        r->depth--;
    } else if (begins(line, "#define ") && is_taken(r)) {
        const char *name = line + strlen("#define ");
        size_t len = word_length(name);
        if (name[len] == ' ') {
            keep_number(r, name, len, name + len + 1);
        }
    }
}

static uint64_t width_of(const char *type, size_t len) {
    static const struct {
        const char *ends;
        uint64_t bytes;
    } widths[] = {{"64", 8}, {"64_t", 8}, {"double", 8}, {"16", 2},  {"16_t", 2},
                  {"i8", 1}, {"u8", 1},   {"int8_t", 1}, {"char", 1}};
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        size_t n = strlen(widths[i].ends);
        if (len >= n && strncmp(type + len - n, widths[i].ends, n) == 0) {
            return widths[i].bytes;
        }
    }
    return 4;
}

/* "    float a[16][4], b[N];": bytes of arrays that a function keeps on its stack. */
static void read_arrays(reading *r, const char *line) {
    const char *at = line + strspn(line, " ");
    at += begins(at, "const ") ? strlen("const ") : 0;
    const char *type = at;
    size_t len = word_length(type), sign = strcspn(type, "=;");
    at += len;
    if (len == 0 || *at != ' ' || begins(type, "static ") || begins(type, "return ")) {
        return;
    }
    const char *end = type + sign;
    uint64_t width = width_of(type, len);
    for (at += strspn(at, " "); at < end && (*at == '*' || word_length(at) > 0);) {
        bool pointer = *at == '*';
        at += strspn(at, "*");
        at += word_length(at);
        uint64_t bytes = *at == '[' ? (pointer ? 4 : width) : 0;
        while (*at == '[') {
            at++;
            bytes *= number_of(r, &at, 0);
            at += strcspn(at, "]");
            at += *at == ']';
        }
        r->arrays += bytes;
        at += strspn(at, ", ");
    }
    r->most_arrays = r->arrays > r->most_arrays ? r->arrays : r->most_arrays;
}

/* "    enum { A = 3, B = 4 };" */
static void read_constants(reading *r, const char *line) {
    for (const char *at = strstr(line, "enum {"); at != NULL; at = strpbrk(at, ",")) {
        at += begins(at, "enum {") ? strlen("enum {") : 1;
        at += strspn(at, " ");
        size_t len = word_length(at);
        if (len > 0 && begins(at + len, " = ")) {
            keep_number(r, at, len, at + len + strlen(" = "));
        }
    }
}

static uint64_t count(const char *line, const char *what) {
    uint64_t n = 0;
    for (const char *at = line; (at = strstr(at, what)) != NULL; at += strlen(what)) {
        n++;
    }
    return n;
}

static void read_code(reading *r, const char *line) {
    if (line[0] != ' ') { /* another function begins, or this one ends */
        r->arrays = 0;
        r->in_steps = r->in_steps || strstr(line, "_step_0(") != NULL;
        return;
    }
    read_constants(r, line);
    if (r->in_steps) {
        const char *at = line + strspn(line, " ");
        r->tensors += begins(at, "const tenure_tensor in") || begins(at, "const tenure_tensor out");
        return;
    }
    r->loops += count(line, "for (");
    r->elements += count(line, "[");
    read_arrays(r, line);
}

/* Without comments and texts, cut to MOST_LINE. */
static void strip(reading *r, const char *line, size_t len, char out[MOST_LINE]) {
    size_t n = 0;
    bool in_text = false;
    for (size_t i = 0; i < len && n + 1 < MOST_LINE; i++) {
        if (r->in_comment) {
            r->in_comment = i == 0 || line[i] != '/' || line[i - 1] != '*';
        } else if (in_text) {
            i += line[i] == '\\';
            in_text = i < len && line[i] != '"';
        } else if (line[i] == '/' && i + 1 < len && line[i + 1] == '*') {
            r->in_comment = true;
            i++;
        } else {
            in_text = line[i] == '"';
            out[n++] = line[i];
        }
    }
    out[n] = '\0';
}

/* ---- kernels that are not there ---- */

static const char *missing_of(tn_arena *arena, const char *text) {
    static const char *const heads[] = {
        "\n/* Kernels that are not in here:",
        "\n/* Kernels that tenure has, but none that work in the order that steps here ask for:"};
    tn_sink out = tn_sink_make(arena);
    tn_put(&out, "");
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        const char *at = strstr(text, heads[i]);
        const char *end = at != NULL ? strstr(at, " */") : NULL;
        if (end != NULL) {
            at += strlen(heads[i]);
            tn_putf(&out, "%.*s", (int)(end - at), at);
        }
    }
    return out.data;
}

tn_program_size tn_program_size_of(tn_arena *arena, const char *text) {
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(arena));
    reading r = {.arena = scratch, .numbers = tn_map_make(scratch)};
    char line[MOST_LINE];
    for (const char *at = text; *at != '\0';) {
        size_t len = strcspn(at, "\n");
        strip(&r, at, len, line);
        if (line[0] == '#') {
            read_directive(&r, line);
        } else if (is_taken(&r) && !begins(line, "typedef")) {
            read_code(&r, line);
        }
        at += len + (at[len] == '\n');
    }
    tn_program_size size = {.code = r.loops * LOOP_BYTES + r.elements * ELEMENT_BYTES +
                                    r.tensors * TENSOR_BYTES,
                            .stack = FRAMES + r.most_arrays,
                            .missing = missing_of(arena, text)};
    tn_arena_drop(scratch);
    return size;
}
