/* Attributes of ops, and constant tensors, of which only the facts a planner needs are kept. */
#ifndef TENURE_IR_ATTR_H
#define TENURE_IR_ATTR_H

#include "ir/base/sink.h"
#include "ir/type.h"

typedef struct tn_tensor tn_tensor;

/* Where a frontend has left the payload of a tensor; it lives as long as the module. */
typedef struct tn_payload {
    /* Writes all bytes of `t` as ir/tensor_bytes.h has them. Raises where they cannot be had. */
    void (*put)(const tn_tensor *t, tn_sink *out);
    const void *at; /* known to `put` */
} tn_payload;

/* A constant tensor. Payloads stay in the file; the elements are kept only when there are at most
 * TN_MAX_CONTENT of them and they are integers, booleans (ints) or floats (floats). */
struct tn_tensor {
    tn_dtype dtype;
    uint32_t rank;
    const int64_t *dims;
    uint64_t n_elements;
    uint64_t bytes;      /* packed size of the payload; 0 for strings */
    const int64_t *ints; /* n_elements of them, or NULL; u64 values above INT64_MAX are not kept */
    const double *floats;
    const char *external; /* path beside the model when the payload is external, else NULL */
    uint64_t ext_offset, ext_length;
    const tn_payload *payload; /* NULL: nothing but ints and floats is known */
};

typedef enum tn_attr_kind {
    TN_ATTR_INT,
    TN_ATTR_FLOAT,
    TN_ATTR_STRING,
    TN_ATTR_TENSOR,
    TN_ATTR_GRAPH,
    TN_ATTR_TYPE,
    TN_ATTR_INTS,
    TN_ATTR_FLOATS,
    TN_ATTR_STRINGS,
    TN_ATTR_TENSORS,
    TN_ATTR_GRAPHS,
    TN_ATTR_TYPES
} tn_attr_kind;

typedef struct tn_string {
    const char *data; /* bytes, may hold NUL; a NUL follows data[len] */
    uint32_t len;
} tn_string;

struct tn_graph;

/* One attribute. Plural kinds use `n`. Arrays live in the module's arena. */
typedef struct tn_attr {
    const char *name; /* interned */
    tn_attr_kind kind;
    uint32_t n;
    bool as_read; /* the file that the op was read from has it so */
    union {
        int64_t i;
        double f;
        tn_string s;
        const tn_tensor *t;
        struct tn_graph *g; /* a region of the op that owns the attribute */
        const tn_type *type;
        const int64_t *ints;
        const double *floats;
        const tn_string *strings;
        const tn_tensor *const *tensors;
        struct tn_graph **graphs;
        const tn_type *const *types;
    } u;
} tn_attr;

#endif
