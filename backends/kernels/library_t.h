/* Private to backends/kernels: the items of the library, and the tokens of C. */
#ifndef TENURE_BACKENDS_KERNELS_LIBRARY_T_H
#define TENURE_BACKENDS_KERNELS_LIBRARY_T_H

#include "backends/kernels/library_text.h"
#include "ir/base/ctx.h"
#include "ir/base/map.h"

/* ---- tokens ---- */

typedef enum tn_c_token {
    TN_C_END,
    TN_C_SPACE,
    TN_C_COMMENT,
    TN_C_NAME,
    TN_C_LITERAL, /* a text or a number */
    TN_C_MARK     /* a character of punctuation, or -> or ## */
} tn_c_token;

/* A token of `len` bytes at a place of a text. */
typedef struct tn_c_reader {
    const char *at;
    size_t len;
    tn_c_token kind;
} tn_c_reader;

/* Before the first token. */
tn_c_reader tn_c_read(const char *text);
/* Goes on to the next token; false at the end. */
bool tn_c_next(tn_c_reader *r);
/* The same without spaces and comments. */
bool tn_c_next_word(tn_c_reader *r);
bool tn_c_is(const tn_c_reader *r, const char *token);
/* Counts brackets: +1 for one that opens, -1 for one that closes. */
void tn_c_count(const tn_c_reader *r, unsigned *depth);
/* Whether the name names a member of a struct; `before` is the word in front of it. */
bool tn_c_is_member(const tn_c_reader *before);

/* ---- items ---- */

typedef struct tn_library_item {
    const char *text, *comment; /* the comment may be NULL */
    uint32_t file;
    bool function, kernel, added;
} tn_library_item;

/* Of a macro with a list of parameters, or without. */
typedef struct tn_library_macro {
    TN_VEC(const char *) parameters; /* interned */
    bool takes;
    const char *body;
} tn_library_macro;

/* What a name may stand for: numbers in `items` and `macros`, and the comment of a prototype. */
typedef enum tn_library_kind {
    TN_LIBRARY_ITEM,
    TN_LIBRARY_MACRO,
    TN_LIBRARY_COMMENT
} tn_library_kind;

/* The file whose names all others know: headers. */
#define TN_LIBRARY_ALL UINT32_MAX

struct tn_library {
    tn_arena *arena;
    tn_ctx *ctx;
    const char *macro, *symbol;
    TN_VEC(tn_library_item) items;
    TN_VEC(tn_library_macro) macros;
    TN_VEC(const char *) files; /* names without ending */
    TN_VEC(const char *) comments;
    tn_map names;
    tn_sink out;
};

/* A name as the file sees it. `scope`: the file, or TN_LIBRARY_ALL; false: it stands for no such
 * thing. */
bool tn_library_find(const tn_library *l, const tn_c_reader *name, uint32_t file,
                     tn_library_kind kind, uint32_t *number, uint32_t *scope);
void tn_library_name(tn_library *l, const char *name, size_t len, uint32_t file,
                     tn_library_kind kind, uint32_t number);
/* The text with the macro calls in it replaced that stand outside of braces. */
const char *tn_library_expand(tn_library *l, uint32_t file, const char *text);
/* Reads a #define: its name, and what it stands for. */
void tn_library_define(tn_library *l, uint32_t file, const char *text);
/* Reads one file. */
void tn_library_read(tn_library *l, uint32_t file, const char *text, bool header);

#endif
