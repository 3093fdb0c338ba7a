/* Reading types, constant tensors and attributes. */
#include <string.h>

#include "ir/base/limits.h"
#include "ir/base/xmath.h"
#include "ir/text/text_parse_t.h"

const tn_type *tn_text_read_type(tn_text_parser *p) {
    const tn_type *type;
    tn_lex_peek(&p->lex);
    if (!tn_type_parse(p->m->dims, p->m->arena, &p->lex.at, &type)) {
        tn_lex_fail(&p->lex, "bad type");
    }
    return type;
}

/* "[" was read: true while there is another item. */
static bool next_item(tn_lex *l, uint32_t so_far, const char *close) {
    if (tn_lex_accept(l, close)) {
        return false;
    }
    if (so_far > 0) {
        tn_lex_expect(l, ",");
    }
    return true;
}

static const int64_t *read_ints(tn_text_parser *p, uint32_t *n) {
    p->ints.len = 0;
    tn_lex_expect(&p->lex, "[");
    while (next_item(&p->lex, p->ints.len, "]")) {
        tn_vec_push(p->scratch, &p->ints, tn_lex_int(&p->lex));
    }
    *n = p->ints.len;
    return tn_arena_regrow(p->m->arena, p->ints.data, *n, *n, sizeof(int64_t));
}

const double *tn_text_read_floats(tn_text_parser *p, uint32_t *n) {
    p->floats.len = 0;
    tn_lex_expect(&p->lex, "[");
    while (next_item(&p->lex, p->floats.len, "]")) {
        tn_vec_push(p->scratch, &p->floats, tn_lex_double(&p->lex));
    }
    *n = p->floats.len;
    return tn_arena_regrow(p->m->arena, p->floats.data, *n, *n, sizeof(double));
}

/* ---- tensors ---- */

static void set_shape(tn_text_parser *p, tn_tensor *t, const tn_type *type) {
    if (type == NULL || type->kind != TN_TYPE_TENSOR || !type->has_rank) {
        tn_lex_fail(&p->lex, "a constant tensor needs an element type and a shape");
    }
    int64_t *dims = TN_ARRAY(p->m->arena, int64_t, type->rank);
    uint64_t n = 1;
    for (uint32_t i = 0; i < type->rank; i++) {
        if (!tn_dim_is_const(p->m->dims, type->dims[i], &dims[i]) || dims[i] < 0) {
            tn_lex_fail(&p->lex, "dimension %u of a constant tensor is not a number >= 0", i);
        }
        if (!tn_mul_u64(n, (uint64_t)dims[i], &n)) {
            tn_lex_fail(&p->lex, "the number of elements does not fit 64 bits");
        }
    }
    t->dtype = type->dtype;
    t->rank = type->rank;
    t->dims = dims;
    t->n_elements = n;
}

static void expect_count(tn_text_parser *p, const tn_tensor *t, uint32_t n) {
    if (n != t->n_elements) {
        tn_lex_fail(&p->lex, "%u elements given for a tensor of %llu", n,
                    (unsigned long long)t->n_elements);
    }
}

static void read_tensor_part(tn_text_parser *p, tn_tensor *t) {
    uint32_t n;
    if (tn_lex_accept_word(&p->lex, "ints")) {
        t->ints = read_ints(p, &n);
        expect_count(p, t, n);
    } else if (tn_lex_accept_word(&p->lex, "floats")) {
        t->floats = tn_text_read_floats(p, &n);
        expect_count(p, t, n);
    } else {
        tn_lex_expect_word(&p->lex, "external");
        t->external = tn_lex_interned(&p->lex);
        t->ext_offset = tn_lex_uint(&p->lex);
        t->ext_length = tn_lex_uint(&p->lex);
    }
}

const tn_tensor *tn_text_read_tensor(tn_text_parser *p, const tn_type *declared) {
    tn_tensor *t = TN_NEW(p->m->arena, tn_tensor);
    tn_lex_expect(&p->lex, "(");
    char next = tn_lex_peek(&p->lex);
    if (next < '0' || next > '9') {
        declared = tn_text_read_type(p);
        tn_lex_expect(&p->lex, ",");
    }
    set_shape(p, t, declared);
    t->bytes = tn_lex_uint(&p->lex);
    if (t->bytes > TN_MAX_TENSOR_BYTES) {
        tn_lex_fail(&p->lex, "a tensor of %llu bytes; the limit is %llu",
                    (unsigned long long)t->bytes, TN_MAX_TENSOR_BYTES);
    }
    tn_lex_expect_word(&p->lex, "bytes");
    while (next_item(&p->lex, 1, ")")) {
        read_tensor_part(p, t);
    }
    return t;
}

/* ---- attributes ---- */

static const tn_string *read_strings(tn_text_parser *p, uint32_t *n) {
    TN_VEC(tn_string) all = {0};
    tn_lex_expect(&p->lex, "[");
    while (next_item(&p->lex, all.len, "]")) {
        tn_vec_push(p->m->arena, &all, tn_lex_string(&p->lex, p->m->arena));
    }
    *n = all.len;
    return all.data;
}

static const tn_tensor *const *read_tensors(tn_text_parser *p, uint32_t *n) {
    TN_VEC(const tn_tensor *) all = {0};
    tn_lex_expect(&p->lex, "[");
    while (next_item(&p->lex, all.len, "]")) {
        tn_lex_expect_word(&p->lex, "tensor");
        tn_vec_push(p->m->arena, &all, tn_text_read_tensor(p, NULL));
    }
    *n = all.len;
    return all.data;
}

static const tn_type *const *read_types(tn_text_parser *p, uint32_t *n) {
    TN_VEC(const tn_type *) all = {0};
    tn_lex_expect(&p->lex, "[");
    while (next_item(&p->lex, all.len, "]")) {
        tn_vec_push(p->m->arena, &all, tn_text_read_type(p));
    }
    *n = all.len;
    return all.data;
}

static void read_region_list(tn_text_parser *p, tn_text_region_attr *r) {
    TN_VEC(uint32_t) all = {0};
    tn_lex_expect(&p->lex, "[");
    while (next_item(&p->lex, all.len, "]")) {
        tn_vec_push(p->scratch, &all, tn_lex_u32(&p->lex));
    }
    r->n = all.len;
    r->regions = all.data;
}

static void read_region(tn_text_parser *p, tn_text_region_attr *r) {
    uint32_t *one = TN_NEW(p->scratch, uint32_t);
    *one = tn_lex_u32(&p->lex);
    r->n = 1;
    r->regions = one;
}

/* A value that starts with a word. */
static void read_worded(tn_text_parser *p, tn_attr *a) {
    tn_lex *l = &p->lex;
    tn_text_region_attr r = {.attr = p->attrs.len, .loc = tn_lex_loc(l)};
    if (tn_lex_accept_word(l, "floats")) {
        a->kind = TN_ATTR_FLOATS;
        a->u.floats = tn_text_read_floats(p, &a->n);
    } else if (tn_lex_accept_word(l, "strings")) {
        a->kind = TN_ATTR_STRINGS;
        a->u.strings = read_strings(p, &a->n);
    } else if (tn_lex_accept_word(l, "tensor")) {
        a->kind = TN_ATTR_TENSOR;
        a->u.t = tn_text_read_tensor(p, NULL);
    } else if (tn_lex_accept_word(l, "tensors")) {
        a->kind = TN_ATTR_TENSORS;
        a->u.tensors = read_tensors(p, &a->n);
    } else if (tn_lex_accept_word(l, "type")) {
        a->kind = TN_ATTR_TYPE;
        a->u.type = tn_text_read_type(p);
    } else if (tn_lex_accept_word(l, "types")) {
        a->kind = TN_ATTR_TYPES;
        a->u.types = read_types(p, &a->n);
    } else if (tn_lex_accept_word(l, "region")) {
        a->kind = TN_ATTR_GRAPH;
        read_region(p, &r);
        tn_vec_push(p->scratch, &p->region_attrs, r);
    } else if (tn_lex_accept_word(l, "regions")) {
        a->kind = TN_ATTR_GRAPHS;
        read_region_list(p, &r);
        a->n = r.n;
        tn_vec_push(p->scratch, &p->region_attrs, r);
    } else {
        tn_lex_fail(l, "expected the value of attribute '%s'", a->name);
    }
}

static void read_number(tn_text_parser *p, tn_attr *a) {
    tn_lex_number x = tn_lex_any_number(&p->lex);
    a->kind = x.is_float ? TN_ATTR_FLOAT : TN_ATTR_INT;
    if (x.is_float) {
        a->u.f = x.f;
    } else {
        a->u.i = x.i;
    }
}

static void read_attr(tn_text_parser *p) {
    tn_lex *l = &p->lex;
    tn_attr a = {.name = tn_lex_word(l)};
    tn_lex_expect(l, "=");
    size_t n;
    const char *word = tn_lex_peek_word(l, &n);
    bool number =
        n == 0 || (n == 3 && (strncmp(word, "nan", 3) == 0 || strncmp(word, "inf", 3) == 0));
    if (*word == '"') {
        a.kind = TN_ATTR_STRING;
        a.u.s = tn_lex_string(l, p->m->arena);
    } else if (*word == '[') {
        a.kind = TN_ATTR_INTS;
        a.u.ints = read_ints(p, &a.n);
    } else if (number) {
        read_number(p, &a);
    } else {
        read_worded(p, &a);
    }
    tn_vec_push(p->scratch, &p->attrs, a);
}

void tn_text_read_attrs(tn_text_parser *p) {
    p->attrs.len = 0;
    p->region_attrs.len = 0;
    if (tn_lex_accept(&p->lex, "{")) {
        while (next_item(&p->lex, p->attrs.len, "}")) {
            read_attr(p);
        }
    }
}
