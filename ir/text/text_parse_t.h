/* Private to ir/text_parse*.c: the reader's state, and what its files offer each other. */
#ifndef TENURE_IR_TEXT_TEXT_PARSE_T_H
#define TENURE_IR_TEXT_TEXT_PARSE_T_H

#include "ir/build.h"
#include "ir/text/text_lex.h"
#include "ir/text/text_t.h"

/* A value as the text names it. */
typedef struct tn_text_ref {
    bool far;        /* %@N"name" */
    uint32_t number; /* N: of the graph */
    const char *name;
    tn_loc loc;
} tn_text_ref;

/* An alias edge. Its target may come later in the text, so edges are drawn at the end. */
typedef struct tn_text_alias {
    tn_value *value;
    tn_alias_kind kind; /* TN_ALIAS_NONE: no edge */
    tn_text_ref target;
    int64_t offset;
} tn_text_alias;

/* A value as the text declares it, before it exists. */
typedef struct tn_text_decl {
    const char *name; /* NULL: an omitted result */
    tn_loc loc;
    const tn_type *type;
    const tn_tensor *tensor;
    uint32_t flags;
    uint32_t n_content;
    const tn_dim *content;
    const double *floats;
    const char *unplanned;
    tn_text_alias alias;
} tn_text_decl;

/* Attribute `attr` of an op names n regions, which are read after it. */
typedef struct tn_text_region_attr {
    uint32_t attr, n;
    const uint32_t *regions;
    tn_loc loc;
} tn_text_region_attr;

/* An open graph. */
typedef struct tn_text_frame {
    tn_graph *graph;
    uint32_t mark; /* tn_scope_open */
    tn_op *op;     /* the op whose regions are being read, or NULL */
    const tn_text_region_attr *region_attrs;
    uint32_t n_region_attrs;
} tn_text_frame;

typedef struct tn_text_parser {
    tn_lex lex;
    tn_module *m;
    tn_arena *scratch;
    tn_opset_index opsets;
    tn_scope scope;
    tn_map by_name; /* graph id << 32 | name id -> value id; graph ids are numbers in the text */
    TN_VEC(tn_text_frame) stack;
    TN_VEC(tn_text_alias) aliases;
    /* Parts of the statement being read; emptied for the next one. */
    TN_VEC(tn_text_decl) results;
    TN_VEC(tn_value *) operands;
    TN_VEC(tn_attr) attrs;
    TN_VEC(tn_text_region_attr) region_attrs;
    TN_VEC(int64_t) ints;
    TN_VEC(double) floats;
    TN_VEC(tn_dim) dims;
} tn_text_parser;

/* ---- ir/text/text_parse_value.c ---- */

tn_text_ref tn_text_read_ref(tn_text_parser *p);
/* The value a reference in an op means at this point; an error when it means none. */
tn_value *tn_text_find_read(tn_text_parser *p, const tn_text_ref *ref);
/* The value of that name in graph `home`, or in the graph a far reference names. */
tn_value *tn_text_find_in(tn_text_parser *p, const tn_text_ref *ref, uint32_t home);
/* `%name: type = tensor(...) facts`, the tensor only when `with_tensor`. */
void tn_text_read_decl(tn_text_parser *p, bool with_tensor, tn_text_decl *out);
/* Gives the new value `v` what the text declared of it. */
void tn_text_apply_decl(tn_text_parser *p, tn_value *v, const tn_text_decl *decl);
/* Draws all alias edges; a cycle is an error. */
void tn_text_draw_aliases(tn_text_parser *p);

/* ---- ir/text/text_parse_attr.c ---- */

const tn_type *tn_text_read_type(tn_text_parser *p);
/* After "tensor". `declared` (may be NULL) gives element type and shape when the text does not. */
const tn_tensor *tn_text_read_tensor(tn_text_parser *p, const tn_type *declared);
/* "[1.0, 2.0]" in the module's arena. */
const double *tn_text_read_floats(tn_text_parser *p, uint32_t *n);
/* "{name = value, ...}", nothing when there is no brace: fills p->attrs and p->region_attrs. */
void tn_text_read_attrs(tn_text_parser *p);

#endif
