#include "backends/kernels/library_text.h"

#include <string.h>

#include "backends/kernels/library_t.h"

/* The files, headers first: each begins with a form feed and a line with its name. */
extern const char tn_kernel_library[];

/* ---- reading ---- */

static bool is_end(char c) {
    return c == '\f' || c == '\0';
}

static const char *read_file(tn_library *l, const char *at) {
    const char *line = strchr(at, '\n'), *dot = memchr(at, '.', (size_t)(line - at)), *end = line;
    while (!is_end(*end)) {
        end++;
    }
    tn_vec_push(l->arena, &l->files, tn_arena_strndup(l->arena, at, (size_t)(dot - at)));
    tn_library_read(l, l->files.len - 1, tn_arena_strndup(l->arena, line, (size_t)(end - line)),
                    dot[1] == 'h');
    return end;
}

tn_library *tn_library_make(tn_arena *arena, const char *macro, const char *symbol) {
    tn_library *l = TN_NEW(arena, tn_library);
    *l = (tn_library){.arena = arena,
                      .ctx = tn_arena_ctx(arena),
                      .macro = macro,
                      .symbol = symbol,
                      .names = tn_map_make(arena),
                      .out = tn_sink_make(arena)};
    for (const char *at = tn_kernel_library; *at == '\f';) {
        at = read_file(l, at + 1);
    }
    return l;
}

/* ---- names in the program ---- */

static bool is_upper(const char *name, size_t len) {
    bool upper = true;
    for (size_t i = 0; i < len; i++) {
        upper = upper && (name[i] < 'a' || name[i] > 'z');
    }
    return upper;
}

static void put_upper(tn_sink *out, const char *text) {
    for (; *text != '\0'; text++) {
        tn_put_c(out, *text >= 'a' && *text <= 'z' ? (char)(*text - 'a' + 'A') : *text);
    }
}

/* net_Conv_11, net_lib_walk, net_softmax_row, NET_LIB_MAX_RANK. */
static void put_name(tn_library *l, const tn_c_reader *r, const tn_library_item *item,
                     uint32_t scope) {
    const char *word = scope == TN_LIBRARY_ALL ? "lib" : l->files.data[scope];
    if (item->kernel) {
        tn_put(&l->out, l->symbol);
        tn_put_n(&l->out, r->at + strlen("tenure"), r->len - strlen("tenure"));
        return;
    }
    if (is_upper(r->at, r->len)) {
        tn_putf(&l->out, "%s_", l->macro);
        put_upper(&l->out, word);
    } else {
        tn_putf(&l->out, "%s_%s", l->symbol, word);
    }
    tn_put(&l->out, "_");
    tn_put_n(&l->out, r->at, r->len);
}

/* ---- writing ---- */

static void put_comment(tn_library *l, const tn_library_item *item, const char *said) {
    const char *comment = item->comment != NULL ? item->comment : said;
    tn_put(&l->out, "\n");
    if (comment != NULL) {
        tn_putf(&l->out, "%s\n", comment);
    }
}

/* What the header says of the function. */
static const char *said_of(const tn_library *l, const tn_c_reader *name) {
    uint32_t number, scope;
    bool any = tn_library_find(l, name, TN_LIBRARY_ALL, TN_LIBRARY_COMMENT, &number, &scope);
    return any ? l->comments.data[number] : NULL;
}

static const char *comment_of(const tn_library *l, const tn_library_item *item) {
    tn_c_reader r = tn_c_read(item->text), name = r;
    while (item->function && tn_c_next_word(&r) && !tn_c_is(&r, "(")) {
        name = r;
    }
    return item->function ? said_of(l, &name) : NULL;
}

static const char *without(const char *text, const char *word) {
    return strncmp(text, word, strlen(word)) == 0 ? text + strlen(word) : text;
}

static void put_item(tn_library *l, const tn_library_item *item) {
    const char *text = item->text;
    bool fence = item->kernel;
    put_comment(l, item, comment_of(l, item));
    if (item->function) {
        tn_putf(&l->out, "%s_MAYBE static ", l->macro);
        text = without(text, "static ");
    }
    tn_c_reader before = {0};
    for (tn_c_reader r = tn_c_read(text); tn_c_next(&r);) {
        uint32_t number, scope;
        if (r.kind == TN_C_NAME && !tn_c_is_member(&before) &&
            tn_library_find(l, &r, item->file, TN_LIBRARY_ITEM, &number, &scope)) {
            put_name(l, &r, &l->items.data[number], scope);
        } else {
            tn_put_n(&l->out, r.at, r.len);
        }
        if (fence && tn_c_is(&r, "{")) {
            tn_putf(&l->out, "\n    %s_FENCE", l->macro);
            fence = false;
        }
        before = r;
    }
    tn_put(&l->out, "\n");
}

/* ---- what is needed ---- */

static void add(tn_library *l, uint32_t number) {
    tn_library_item *item = &l->items.data[number];
    if (item->added) {
        return;
    }
    item->added = true;
    tn_c_reader before = {0};
    for (tn_c_reader r = tn_c_read(item->text); tn_c_next_word(&r); before = r) {
        uint32_t other, scope;
        if (r.kind == TN_C_NAME && !tn_c_is_member(&before) &&
            tn_library_find(l, &r, item->file, TN_LIBRARY_ITEM, &other, &scope)) {
            add(l, other);
        }
    }
    put_item(l, item);
}

static bool find(const tn_library *l, const char *name, uint32_t *number) {
    tn_c_reader r = tn_c_read(name);
    uint32_t scope;
    tn_c_next(&r);
    return tn_library_find(l, &r, TN_LIBRARY_ALL, TN_LIBRARY_ITEM, number, &scope);
}

bool tn_library_has(const tn_library *l, const char *kernel) {
    uint32_t number;
    return find(l, tn_arena_printf(l->arena, "tenure_%s", kernel), &number);
}

void tn_library_add_function(tn_library *l, const char *name) {
    uint32_t number;
    if (find(l, name, &number)) {
        add(l, number);
    }
}

void tn_library_add(tn_library *l, const char *kernel) {
    tn_library_add_function(l, tn_arena_printf(l->arena, "tenure_%s", kernel));
}

const char *tn_library_text(const tn_library *l) {
    return l->out.data != NULL ? l->out.data : "";
}
