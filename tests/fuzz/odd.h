/* Types, tensors and attributes that make no sense, drawn for any op of the table: for the shape
 * rules alone (tests/unit/test_shape_hostile.c) and for whole modules (tests/fuzz/odd_ops.c). */
#ifndef TENURE_TESTS_FUZZ_ODD_H
#define TENURE_TESTS_FUZZ_ODD_H

#include <string.h>

#include "ir/build.h"
#include "tests/random/rng.h"

static inline int64_t odd_number(rng *r) {
    static const int64_t odd[] = {0,         1,         -1,        2,         3,
                                  7,         -2,        64,        -64,       INT32_MAX,
                                  INT32_MIN, INT64_MAX, INT64_MIN, 1LL << 40, 4096};
    return rng_chance(r, 50) ? rng_below(r, 5) : odd[rng_below(r, sizeof odd / sizeof odd[0])];
}

static inline tn_dim odd_dim(rng *r, tn_dims *d) {
    tn_dim s;
    switch (rng_below(r, 5)) {
    case 0:
        return TN_DIM_UNKNOWN;
    case 1:
        return tn_dim_sym(d, rng_chance(r, 50) ? "s" : "t");
    case 2:
        s = tn_dim_sym(d, "s");
        s = tn_dim_mul(d, s, tn_dim_sym(d, "t"));
        return tn_dim_sub(d, s, tn_dim_const(d, odd_number(r) % 100));
    default:
        return tn_dim_const(d, rng_below(r, 8));
    }
}

static inline tn_dtype odd_dtype(rng *r) {
    uint32_t any = rng_below(r, TN_DT_COUNT);
    return rng_chance(r, 25) ? (tn_dtype)any : rng_chance(r, 50) ? TN_DT_FLOAT : TN_DT_INT64;
}

static inline const tn_type *odd_type(rng *r, tn_module *m) {
    tn_dim dims[6];
    uint32_t rank = rng_below(r, 6), kind = rng_below(r, 10);
    tn_dtype dtype = odd_dtype(r);
    for (uint32_t i = 0; i < rank; i++) {
        dims[i] = odd_dim(r, m->dims);
    }
    switch (kind) {
    case 0:
        return tn_type_unknown();
    case 1:
        return tn_type_unranked(m->arena, dtype);
    case 2:
        return tn_type_wrap(m->arena, rng_chance(r, 50) ? TN_TYPE_SEQUENCE : TN_TYPE_OPTIONAL,
                            TN_DT_UNKNOWN, tn_type_tensor(m->arena, dtype, rank, dims));
    default:
        return tn_type_tensor(m->arena, dtype, rank, dims);
    }
}

static inline int64_t *odd_ints(rng *r, tn_module *m, uint32_t n) {
    int64_t *ints = TN_ARRAY(m->arena, int64_t, n + 1u);
    for (uint32_t i = 0; i < n; i++) {
        ints[i] = odd_number(r);
    }
    return ints;
}

static inline double *odd_floats(rng *r, tn_module *m, uint32_t n) {
    double *floats = TN_ARRAY(m->arena, double, n + 1u);
    for (uint32_t i = 0; i < n; i++) {
        floats[i] = rng_chance(r, 20) ? (double)odd_number(r) : 0.5 * rng_below(r, 9);
    }
    return floats;
}

/* A vector or scalar with its elements, as shapes, axes and scales come. */
static inline tn_tensor *odd_tensor(rng *r, tn_module *m) {
    static const tn_dtype dtypes[] = {TN_DT_INT64, TN_DT_INT64, TN_DT_FLOAT, TN_DT_INT32,
                                      TN_DT_BOOL};
    tn_tensor *t = TN_NEW(m->arena, tn_tensor);
    int64_t *dims = TN_ARRAY(m->arena, int64_t, 1);
    t->dtype = dtypes[rng_below(r, sizeof dtypes / sizeof dtypes[0])];
    t->rank = rng_chance(r, 75);
    dims[0] = rng_below(r, 6);
    t->dims = dims;
    t->n_elements = t->rank > 0 ? (uint64_t)dims[0] : 1;
    t->bytes = t->n_elements * tn_dtype_get(t->dtype)->bits / 8;
    if (t->dtype == TN_DT_FLOAT) {
        double *floats = odd_floats(r, m, (uint32_t)t->n_elements);
        for (uint32_t i = 0; i < t->n_elements; i++) {
            floats[i] = (float)floats[i];
        }
        t->floats = floats;
    } else {
        int64_t *ints = odd_ints(r, m, (uint32_t)t->n_elements);
        for (uint32_t i = 0; i < t->n_elements && t->dtype != TN_DT_INT64; i++) {
            ints[i] = t->dtype == TN_DT_BOOL ? ints[i] & 1 : (int32_t)ints[i];
        }
        t->ints = ints;
    }
    return t;
}

static inline tn_string odd_word(rng *r) {
    static const char *const words[] = {
        "",     "NOTSET", "SAME_UPPER", "ij,jk->ik",         "...->", "bidirectional",
        "none", "a.b",    "cubic",      "tf_crop_and_resize"};
    const char *word = words[rng_below(r, sizeof words / sizeof words[0])];
    return (tn_string){word, (uint32_t)strlen(word)};
}

static inline void odd_fill(rng *r, tn_module *m, tn_attr *a) {
    if (a->kind == TN_ATTR_INT) {
        a->u.i = odd_number(r);
    } else if (a->kind == TN_ATTR_FLOAT) {
        a->u.f = (double)rng_below(r, 5) - 1.5;
    } else if (a->kind == TN_ATTR_STRING) {
        a->u.s = odd_word(r);
    } else if (a->kind == TN_ATTR_TENSOR) {
        a->u.t = odd_tensor(r, m);
    } else if (a->kind == TN_ATTR_INTS) {
        a->u.ints = odd_ints(r, m, a->n);
    } else if (a->kind == TN_ATTR_FLOATS) {
        a->u.floats = odd_floats(r, m, a->n);
    } else {
        tn_string *words = TN_ARRAY(m->arena, tn_string, a->n + 1u);
        for (uint32_t i = 0; i < a->n; i++) {
            words[i] = odd_word(r);
        }
        a->u.strings = words;
    }
}

/* One attribute of the kind the table states, or none; never a graph. */
static inline void odd_attribute(rng *r, tn_module *m, tn_op *op, const char *name,
                                 const char *kind) {
    static const struct {
        const char *word; /* the longer of two beginnings comes first */
        tn_attr_kind kind;
    } kinds[] = {{"ints", TN_ATTR_INTS},       {"int", TN_ATTR_INT},
                 {"floats", TN_ATTR_FLOATS},   {"float", TN_ATTR_FLOAT},
                 {"strings", TN_ATTR_STRINGS}, {"string", TN_ATTR_STRING},
                 {"tensor", TN_ATTR_TENSOR}};
    size_t k = 0, n = sizeof kinds / sizeof kinds[0];
    while (k < n && strncmp(kind, kinds[k].word, strlen(kinds[k].word)) != 0) {
        k++;
    }
    if (k < n && rng_chance(r, 50)) {
        tn_attr a = {.name = name, .kind = kinds[k].kind};
        a.n = a.kind >= TN_ATTR_INTS ? rng_below(r, 7) : 0;
        odd_fill(r, m, &a);
        tn_op_add_attr(op, a);
    }
}

/* `list` as in column `.attrs` of the op table. */
static inline void odd_attributes(rng *r, tn_module *m, tn_op *op, const char *list) {
    while (list != NULL && *list != '\0') {
        size_t n = strcspn(list, " "), name = strcspn(list, ":");
        odd_attribute(r, m, op, tn_intern_n(m->ctx, list, name), list + name + 1);
        list += list[n] == ' ' ? n + 1 : n;
    }
}

#endif
