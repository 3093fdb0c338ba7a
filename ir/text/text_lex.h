/* Private to ir/text_*.c: characters to tokens. Every function skips blanks and comments first.
 * What is not there and must be is a located error that ends the parse (tn_fail). */
#ifndef TENURE_IR_TEXT_TEXT_LEX_H
#define TENURE_IR_TEXT_TEXT_LEX_H

#include "ir/attr.h"
#include "ir/base/diag.h"

typedef struct tn_lex {
    tn_ctx *ctx;
    const char *file;
    const char *at, *end; /* *end is NUL */
    const char *line_start;
    uint32_t line;
} tn_lex;

/* `text` must have a NUL behind its last byte. */
tn_lex tn_lex_make(tn_ctx *ctx, const char *file, const char *text, size_t size);
/* Where the next token starts. */
tn_loc tn_lex_loc(tn_lex *l);
/* An error at the next token. */
TN_NORETURN void tn_lex_fail(tn_lex *l, const char *fmt, ...) TN_PRINTF(2, 3);

bool tn_lex_at_end(tn_lex *l);
/* The next character, NUL at the end. */
char tn_lex_peek(tn_lex *l);
/* Punctuation: moves past it when it comes next. */
bool tn_lex_accept(tn_lex *l, const char *punct);
void tn_lex_expect(tn_lex *l, const char *punct);
/* A word that is exactly `word`. */
bool tn_lex_accept_word(tn_lex *l, const char *word);
void tn_lex_expect_word(tn_lex *l, const char *word);
/* The next word without moving past it; *n is 0 when there is none. */
const char *tn_lex_peek_word(tn_lex *l, size_t *n);

/* Text in double quotes, decoded into `arena`; may hold NUL. */
tn_string tn_lex_string(tn_lex *l, tn_arena *arena);
/* Text in double quotes, interned: no NUL, at most TN_MAX_NAME bytes. */
const char *tn_lex_interned(tn_lex *l);
/* A bare word or text in double quotes. */
const char *tn_lex_word(tn_lex *l);
/* The same with the characters of value names. Not empty. No blanks are skipped. */
const char *tn_lex_name(tn_lex *l);

typedef struct tn_lex_number {
    bool is_float;
    int64_t i;
    double f;
} tn_lex_number;

tn_lex_number tn_lex_any_number(tn_lex *l);
int64_t tn_lex_int(tn_lex *l);
uint64_t tn_lex_uint(tn_lex *l);
uint32_t tn_lex_u32(tn_lex *l);
double tn_lex_double(tn_lex *l);

#endif
