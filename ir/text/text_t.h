/* Private to ir/text_*.c: what printing and parsing share. */
#ifndef TENURE_IR_TEXT_TEXT_T_H
#define TENURE_IR_TEXT_TEXT_T_H

#include "ir/base/decimal.h"
#include "ir/module.h"

/* ---- tokens (ir/text/text_words.c) ---- */

typedef struct tn_flag_word {
    uint32_t bit;
    const char *word;
} tn_flag_word;

/* Flags that are written as facts, ends at word NULL. TN_VF_OUTPUT is not: `return` says it. */
extern const tn_flag_word tn_flag_words[];

/* [A-Za-z_][A-Za-z0-9_.]* */
bool tn_word_start(char c);
bool tn_word_char(char c);
/* What a value's name may consist of without quotes. */
bool tn_name_char(char c);

/* ---- leaves (ir/text/text_put.c) ---- */

void tn_put_interned(tn_sink *out, const char *s);
/* A domain, op type or attribute name: bare when it is a word, in quotes otherwise. */
void tn_put_word(tn_sink *out, const char *word);
void tn_put_floats(tn_sink *out, const double *floats, uint64_t n);
/* `declared` (may be NULL) is the type written just before, which is not repeated. */
void tn_put_tensor(tn_sink *out, const tn_dims *d, const tn_tensor *t, const tn_type *declared);
void tn_put_attrs(tn_sink *out, const tn_dims *d, const tn_op *op);

/* ---- scopes (ir/text/text_scope.c) ---- */

/* Which value a bare name means at a point of the text: that of the innermost open graph that has
 * defined the name so far. Printer and parser walk the text in the same order and so agree. */
typedef struct tn_scope {
    tn_arena *arena;
    tn_map top;              /* name id -> value id + 1 */
    TN_VEC(uint32_t) hidden; /* value id -> value id + 1 that it hides, 0: none */
    TN_VEC(const tn_value *) defined;
} tn_scope;

tn_scope tn_scope_make(tn_arena *arena);
void tn_scope_define(tn_scope *s, const tn_value *v);
/* To be handed to tn_scope_close when the graph that is opened now ends. */
uint32_t tn_scope_open(const tn_scope *s);
void tn_scope_close(tn_scope *s, uint32_t mark);
/* Value id + 1, or 0 when the name means nothing here. */
uint32_t tn_scope_find(const tn_scope *s, const char *name);

/* Versions of the imported domains; asked for every op, so not by a scan. */
typedef struct tn_opset_index {
    tn_map versions; /* domain id -> version, the first import wins as in tn_module_opset */
} tn_opset_index;

tn_opset_index tn_opset_index_make(tn_arena *arena, const tn_module *m);
int64_t tn_opset_index_get(const tn_opset_index *x, const char *domain);

#endif
