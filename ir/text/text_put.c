/* Printing the parts of the text form that hold no others: words, constant tensors, attributes. */
#include <inttypes.h>
#include <string.h>

#include "ir/text/text_t.h"

void tn_put_interned(tn_sink *out, const char *s) {
    tn_put_escaped(out, s, tn_str_len(s));
}

void tn_put_word(tn_sink *out, const char *word) {
    static const char *const reserved[] = {"input", "const", "return", "graph"};
    bool bare = tn_word_start(word[0]);
    for (uint32_t i = 1; bare && i < tn_str_len(word); i++) {
        bare = tn_word_char(word[i]);
    }
    for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++) {
        bare = bare && strcmp(word, reserved[i]) != 0;
    }
    if (bare && strcmp(word, "_") != 0) {
        tn_put(out, word);
    } else {
        tn_put_interned(out, word);
    }
}

static void put_ints(tn_sink *out, const int64_t *ints, uint64_t n) {
    tn_put_c(out, '[');
    for (uint64_t i = 0; i < n; i++) {
        tn_putf(out, "%s%" PRId64, i > 0 ? ", " : "", ints[i]);
    }
    tn_put_c(out, ']');
}

void tn_put_floats(tn_sink *out, const double *floats, uint64_t n) {
    tn_put_c(out, '[');
    for (uint64_t i = 0; i < n; i++) {
        tn_put(out, i > 0 ? ", " : "");
        tn_put_double(out, floats[i]);
    }
    tn_put_c(out, ']');
}

static bool is_type_of(const tn_dims *d, const tn_type *type, const tn_tensor *t) {
    if (type == NULL || type->kind != TN_TYPE_TENSOR || type->dtype != t->dtype ||
        !type->has_rank || type->rank != t->rank) {
        return false;
    }
    for (uint32_t i = 0; i < t->rank; i++) {
        int64_t extent;
        if (!tn_dim_is_const(d, type->dims[i], &extent) || extent != t->dims[i]) {
            return false;
        }
    }
    return true;
}

void tn_put_tensor(tn_sink *out, const tn_dims *d, const tn_tensor *t, const tn_type *declared) {
    tn_put(out, "tensor(");
    if (!is_type_of(d, declared, t)) {
        tn_putf(out, "%s[", tn_dtype_get(t->dtype)->name);
        for (uint32_t i = 0; i < t->rank; i++) {
            tn_putf(out, "%s%" PRId64, i > 0 ? "," : "", t->dims[i]);
        }
        tn_put(out, "], ");
    }
    tn_putf(out, "%" PRIu64 " bytes", t->bytes);
    if (t->ints != NULL) {
        tn_put(out, ", ints ");
        put_ints(out, t->ints, t->n_elements);
    }
    if (t->floats != NULL) {
        tn_put(out, ", floats ");
        tn_put_floats(out, t->floats, t->n_elements);
    }
    if (t->external != NULL) {
        tn_put(out, ", external ");
        tn_put_escaped(out, t->external, strlen(t->external));
        tn_putf(out, " %" PRIu64 " %" PRIu64, t->ext_offset, t->ext_length);
    }
    tn_put_c(out, ')');
}

static uint32_t region_index(const tn_op *op, const tn_graph *g) {
    uint32_t i = 0;
    while (i < op->n_regions && op->regions[i] != g) {
        i++;
    }
    return i;
}

static void put_item(tn_sink *out, const tn_dims *d, const tn_op *op, const tn_attr *a,
                     uint32_t i) {
    switch (a->kind) {
    case TN_ATTR_STRINGS:
        tn_put_escaped(out, a->u.strings[i].data, a->u.strings[i].len);
        break;
    case TN_ATTR_TENSORS:
        tn_put_tensor(out, d, a->u.tensors[i], NULL);
        break;
    case TN_ATTR_GRAPHS:
        tn_putf(out, "%" PRIu32, region_index(op, a->u.graphs[i]));
        break;
    case TN_ATTR_TYPES:
        tn_type_print(d, a->u.types[i], out);
        break;
    case TN_ATTR_INT:
    case TN_ATTR_FLOAT:
    case TN_ATTR_STRING:
    case TN_ATTR_TENSOR:
    case TN_ATTR_GRAPH:
    case TN_ATTR_TYPE:
    case TN_ATTR_INTS:
    case TN_ATTR_FLOATS:
        break;
    }
}

static void put_list(tn_sink *out, const tn_dims *d, const tn_op *op, const tn_attr *a,
                     const char *word) {
    tn_putf(out, "%s [", word);
    for (uint32_t i = 0; i < a->n; i++) {
        tn_put(out, i > 0 ? ", " : "");
        put_item(out, d, op, a, i);
    }
    tn_put_c(out, ']');
}

static void put_attr_value(tn_sink *out, const tn_dims *d, const tn_op *op, const tn_attr *a) {
    switch (a->kind) {
    case TN_ATTR_INT:
        tn_putf(out, "%" PRId64, a->u.i);
        break;
    case TN_ATTR_FLOAT:
        tn_put_double(out, a->u.f);
        break;
    case TN_ATTR_STRING:
        tn_put_escaped(out, a->u.s.data, a->u.s.len);
        break;
    case TN_ATTR_TENSOR:
        tn_put_tensor(out, d, a->u.t, NULL);
        break;
    case TN_ATTR_GRAPH:
        tn_putf(out, "region %" PRIu32, region_index(op, a->u.g));
        break;
    case TN_ATTR_TYPE:
        tn_put(out, "type ");
        tn_type_print(d, a->u.type, out);
        break;
    case TN_ATTR_INTS:
        put_ints(out, a->u.ints, a->n);
        break;
    case TN_ATTR_FLOATS:
        tn_put(out, "floats ");
        tn_put_floats(out, a->u.floats, a->n);
        break;
    case TN_ATTR_STRINGS:
        put_list(out, d, op, a, "strings");
        break;
    case TN_ATTR_TENSORS:
        put_list(out, d, op, a, "tensors");
        break;
    case TN_ATTR_GRAPHS:
        put_list(out, d, op, a, "regions");
        break;
    case TN_ATTR_TYPES:
        put_list(out, d, op, a, "types");
        break;
    }
}

void tn_put_attrs(tn_sink *out, const tn_dims *d, const tn_op *op) {
    for (uint32_t i = 0; i < op->n_attrs; i++) {
        tn_put(out, i == 0 ? " {" : ", ");
        tn_put_word(out, op->attrs[i].name);
        tn_put(out, " = ");
        put_attr_value(out, d, op, &op->attrs[i]);
    }
    tn_put(out, op->n_attrs > 0 ? "}" : "");
}
