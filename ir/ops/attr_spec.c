#include "ir/ops/attr_spec.h"

#include <stdlib.h>
#include <string.h>

#include "ir/base/arena.h"
#include "ir/base/decimal.h"

static bool kind_of(const char *text, size_t len, tn_attr_kind *out) {
    static const struct {
        const char *word;
        tn_attr_kind kind;
    } kinds[] = {{"int", TN_ATTR_INT},         {"float", TN_ATTR_FLOAT},
                 {"string", TN_ATTR_STRING},   {"tensor", TN_ATTR_TENSOR},
                 {"graph", TN_ATTR_GRAPH},     {"type", TN_ATTR_TYPE},
                 {"ints", TN_ATTR_INTS},       {"floats", TN_ATTR_FLOATS},
                 {"strings", TN_ATTR_STRINGS}, {"tensors", TN_ATTR_TENSORS},
                 {"graphs", TN_ATTR_GRAPHS},   {"sparse_tensor", TN_ATTR_TENSOR}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strlen(kinds[i].word) == len && memcmp(kinds[i].word, text, len) == 0) {
            *out = kinds[i].kind;
            return true;
        }
    }
    return false;
}

bool tn_attr_spec_next(const char **at, int64_t version, tn_attr_spec *out) {
    tn_word w;
    if (*at == NULL || !tn_word_next(at, version, &w)) {
        return false;
    }
    const char *end = w.text + w.len, *colon = memchr(w.text, ':', w.len);
    if (colon == NULL) {
        return false;
    }
    size_t len = strcspn(colon + 1, "?=@ ");
    const char *behind = colon + 1 + len < end ? colon + 1 + len : end;
    bool stated = behind < end && *behind == '=';
    *out = (tn_attr_spec){.name = w.text,
                          .len = (size_t)(colon - w.text),
                          .required = behind == end,
                          .text = stated ? behind + 1 : NULL,
                          .text_len = stated ? (size_t)(end - behind - 1) : 0};
    return kind_of(colon + 1, len, &out->kind);
}

/* "[a,b]" has two items. */
static uint32_t count_items(const char *text) {
    uint32_t n = 1;
    for (; *text != ']' && *text != '\0'; text++) {
        n += *text == ',';
    }
    return n;
}

static void read_items(tn_module *m, const char *text, tn_attr *out) {
    out->n = count_items(text);
    int64_t *ints = TN_ARRAY(m->arena, int64_t, out->n);
    tn_string *strings = TN_ARRAY(m->arena, tn_string, out->n);
    for (uint32_t i = 0; i < out->n; i++) {
        size_t len = strcspn(++text, ",]");
        ints[i] = strtoll(text, NULL, 10);
        strings[i] = (tn_string){tn_intern_n(m->ctx, text, len), (uint32_t)len};
        text += len;
    }
    if (out->kind == TN_ATTR_INTS) {
        out->u.ints = ints;
    } else {
        out->u.strings = strings;
    }
}

bool tn_attr_default(tn_module *m, const tn_attr_spec *spec, tn_attr *out) {
    if (spec->text == NULL) {
        return false;
    }
    const char *text = tn_intern_n(m->ctx, spec->text, spec->text_len);
    *out = (tn_attr){.name = tn_intern_n(m->ctx, spec->name, spec->len), .kind = spec->kind};
    switch ((int)spec->kind) {
    case TN_ATTR_INT:
        out->u.i = strtoll(text, NULL, 10);
        return true;
    case TN_ATTR_FLOAT:
        return tn_decimal(text, spec->text_len, &out->u.f);
    case TN_ATTR_STRING:
        out->u.s = (tn_string){text, (uint32_t)spec->text_len};
        return true;
    case TN_ATTR_INTS:
    case TN_ATTR_STRINGS:
        read_items(m, text, out);
        return true;
    default:
        return false;
    }
}

bool tn_op_attr_or_default(const tn_op *op, const tn_attr_spec *spec, tn_attr *out) {
    tn_module *m = op->graph->module;
    const tn_attr *stated = tn_op_attr(op, tn_intern_n(m->ctx, spec->name, spec->len));
    if (stated != NULL) {
        *out = *stated;
        return true;
    }
    return tn_attr_default(m, spec, out);
}
