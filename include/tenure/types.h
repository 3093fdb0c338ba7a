/* Types that plans (tenure.h) and graphs (ir.h) have in common: element types, lists, tensors and
 * attributes. tenure.h includes this header.
 *
 * Structs that are filled begin with `struct_size`, which the caller sets:
 *
 *   tenure_pool pool = {.struct_size = sizeof pool};
 *   for (size_t i = 0; tenure_plan_pool(plan, i, &pool); i++) { ... }
 *
 * So a program and a library of different age understand each other: of a struct that is smaller
 * than the library's only the members there are get filled, and what a larger one has beyond is set
 * to 0. A struct_size that cannot be right (below sizeof(size_t), or above 4096) is refused. */
#ifndef TENURE_TYPES_H
#define TENURE_TYPES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32) && defined(TENURE_BUILDING)
#define TENURE_API __declspec(dllexport)
#elif defined(__GNUC__) && !defined(_WIN32)
#define TENURE_API __attribute__((visibility("default")))
#else
#define TENURE_API
#endif

/* Stands for no value, no storage, no step, ... in lists of indices and in members. */
#define TENURE_NONE UINT32_MAX

/* Indices; `data` is NULL for none, and stays valid as long as what it was asked of. */
typedef struct tenure_ids {
    const uint32_t *data;
    size_t count;
} tenure_ids;

/* ---- element types ---- */

/* The numbers are those of TensorProto.DataType in ONNX. */
typedef enum tenure_dtype {
    TENURE_UNKNOWN = 0,
    TENURE_FLOAT = 1,
    TENURE_UINT8 = 2,
    TENURE_INT8 = 3,
    TENURE_UINT16 = 4,
    TENURE_INT16 = 5,
    TENURE_INT32 = 6,
    TENURE_INT64 = 7,
    TENURE_STRING = 8,
    TENURE_BOOL = 9,
    TENURE_FLOAT16 = 10,
    TENURE_DOUBLE = 11,
    TENURE_UINT32 = 12,
    TENURE_UINT64 = 13,
    TENURE_COMPLEX64 = 14,
    TENURE_COMPLEX128 = 15,
    TENURE_BFLOAT16 = 16,
    TENURE_FLOAT8E4M3FN = 17,
    TENURE_FLOAT8E4M3FNUZ = 18,
    TENURE_FLOAT8E5M2 = 19,
    TENURE_FLOAT8E5M2FNUZ = 20,
    TENURE_UINT4 = 21,
    TENURE_INT4 = 22,
    TENURE_FLOAT4E2M1 = 23,
    TENURE_FLOAT8E8M0 = 24,
    TENURE_UINT2 = 25,
    TENURE_INT2 = 26
} tenure_dtype;

/* "f32", "i64", "?" for TENURE_UNKNOWN and for numbers that are none: as types and plans write it
 * (docs/PLAN.md, Values). Never NULL. */
TENURE_API const char *tenure_dtype_name(tenure_dtype dtype);
/* The type of that name; TENURE_UNKNOWN when there is none. */
TENURE_API tenure_dtype tenure_dtype_find(const char *name);
/* Bits of one element; 0 for text and what is unknown. Elements of less than a byte are packed, the
 * first in the lowest bits. */
TENURE_API unsigned tenure_dtype_bits(tenure_dtype dtype);

/* ---- constant tensors ---- */

typedef struct tenure_tensor {
    size_t struct_size;
    tenure_dtype dtype;
    uint32_t rank;
    const int64_t *dims;
    uint64_t n_elements;
    uint64_t size; /* bytes; 0 for text */
    /* The elements as numbers, where the library keeps them for itself (small tensors): integers
     * and booleans in `ints`, floats in `floats`; else NULL. */
    const int64_t *ints;
    const double *floats;
    /* When the elements lie in a file beside the model: its path, and where. Else NULL and 0. */
    const char *external;
    uint64_t external_offset, external_size;
} tenure_tensor;

/* ---- attributes ---- */

typedef enum tenure_attribute_kind {
    TENURE_ATTR_INT,
    TENURE_ATTR_FLOAT,
    TENURE_ATTR_STRING,
    TENURE_ATTR_TENSOR,
    TENURE_ATTR_GRAPH,
    TENURE_ATTR_TYPE,
    TENURE_ATTR_INTS,
    TENURE_ATTR_FLOATS,
    TENURE_ATTR_STRINGS,
    TENURE_ATTR_TENSORS,
    TENURE_ATTR_GRAPHS,
    TENURE_ATTR_TYPES
} tenure_attribute_kind;

/* An attribute of an op. One number is a list of one. */
typedef struct tenure_attribute {
    size_t struct_size;
    const char *name;
    tenure_attribute_kind kind;
    size_t count;         /* of what it holds; 1 for kinds that are no list */
    const int64_t *ints;  /* TENURE_ATTR_INT and _INTS, else NULL */
    const double *floats; /* TENURE_ATTR_FLOAT and _FLOATS, else NULL */
    const void *items;    /* for the two functions below */
} tenure_attribute;

/* Text i of a TENURE_ATTR_STRING or _STRINGS: `*size` (may be NULL) bytes, which may hold NUL, and
 * a NUL behind them. NULL for other kinds and behind the last. */
TENURE_API const char *tenure_attribute_text(const tenure_attribute *attribute, size_t index,
                                             size_t *size);
/* Tensor i of a TENURE_ATTR_TENSOR or _TENSORS. False (0) for other kinds and behind the last. */
TENURE_API int tenure_attribute_tensor(const tenure_attribute *attribute, size_t index,
                                       tenure_tensor *out);

#ifdef __cplusplus
}
#endif

#endif
