/* types.h: what plans and graphs have in common. */
#include <string.h>

#include "lib/api/api_t.h"

#define DTYPE(id, number, name, bits, kind)                                                        \
    _Static_assert((int)TN_DT_##id == (number), "element types are passed through");
#include "ir/dtype.def"
#undef DTYPE

#define SAME(ours, theirs)                                                                         \
    _Static_assert((int)TN_ATTR_##ours == (int)TENURE_ATTR_##theirs, "kinds are passed through")
SAME(INT, INT);
SAME(FLOAT, FLOAT);
SAME(STRING, STRING);
SAME(TENSOR, TENSOR);
SAME(GRAPH, GRAPH);
SAME(TYPE, TYPE);
SAME(INTS, INTS);
SAME(FLOATS, FLOATS);
SAME(STRINGS, STRINGS);
SAME(TENSORS, TENSORS);
SAME(GRAPHS, GRAPHS);
SAME(TYPES, TYPES);

bool tn_api_fill(void *out, const void *full, size_t size) {
    enum { MOST = 4096 };
    size_t asked;
    if (out == NULL) {
        return false;
    }
    memcpy(&asked, out, sizeof asked);
    if (asked < sizeof asked || asked > MOST) {
        return false;
    }
    size_t known = asked < size ? asked : size;
    memcpy((char *)out + sizeof asked, (const char *)full + sizeof asked, known - sizeof asked);
    memset((char *)out + known, 0, asked - known);
    return true;
}

tenure_ids tn_api_ids(tn_ids list) {
    return (tenure_ids){list.len > 0 ? list.data : NULL, list.len};
}

const char *tenure_dtype_name(tenure_dtype dtype) {
    return tn_dtype_get((tn_dtype)dtype)->name;
}

tenure_dtype tenure_dtype_find(const char *name) {
    return name != NULL ? (tenure_dtype)tn_dtype_find(name) : TENURE_UNKNOWN;
}

unsigned tenure_dtype_bits(tenure_dtype dtype) {
    return tn_dtype_get((tn_dtype)dtype)->bits;
}

bool tn_api_tensor(const tn_tensor *t, tenure_tensor *out) {
    tenure_tensor full = {
        .dtype = (tenure_dtype)t->dtype,
        .rank = t->rank,
        .dims = t->dims,
        .n_elements = t->n_elements,
        .size = t->bytes,
        .ints = t->ints,
        .floats = t->floats,
        .external = t->external,
        .external_offset = t->ext_offset,
        .external_size = t->ext_length,
    };
    return TN_API_FILL(out, full);
}

static bool is_list(tn_attr_kind kind) {
    return kind >= TN_ATTR_INTS;
}

bool tn_api_attribute(const tn_attr *a, tenure_attribute *out) {
    bool list = is_list(a->kind);
    tenure_attribute full = {
        .name = a->name, .kind = (tenure_attribute_kind)a->kind, .count = list ? a->n : 1};
    if (a->kind == TN_ATTR_INT || a->kind == TN_ATTR_INTS) {
        full.ints = list ? a->u.ints : &a->u.i;
    } else if (a->kind == TN_ATTR_FLOAT || a->kind == TN_ATTR_FLOATS) {
        full.floats = list ? a->u.floats : &a->u.f;
    } else {
        full.items = a;
    }
    return TN_API_FILL(out, full);
}

/* The attribute behind what a caller gives back; NULL where it holds no item i. */
static const tn_attr *holder(const tenure_attribute *attribute, size_t index) {
    const size_t least = offsetof(tenure_attribute, items) + sizeof attribute->items;
    bool whole = attribute != NULL && attribute->struct_size >= least;
    return whole && index < attribute->count ? attribute->items : NULL;
}

const char *tenure_attribute_text(const tenure_attribute *attribute, size_t index, size_t *size) {
    const tn_attr *a = holder(attribute, index);
    if (a == NULL || (a->kind != TN_ATTR_STRING && a->kind != TN_ATTR_STRINGS)) {
        return NULL;
    }
    const tn_string *s = a->kind == TN_ATTR_STRING ? &a->u.s : &a->u.strings[index];
    if (size != NULL) {
        *size = s->len;
    }
    return s->data;
}

int tenure_attribute_tensor(const tenure_attribute *attribute, size_t index, tenure_tensor *out) {
    const tn_attr *a = holder(attribute, index);
    if (a == NULL || (a->kind != TN_ATTR_TENSOR && a->kind != TN_ATTR_TENSORS)) {
        return 0;
    }
    return tn_api_tensor(a->kind == TN_ATTR_TENSOR ? a->u.t : a->u.tensors[index], out);
}
