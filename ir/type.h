/* Types of values: tensors with symbolic shapes, and types that no plan holds (sequences, maps,
 * ...). */
#ifndef TENURE_IR_TYPE_H
#define TENURE_IR_TYPE_H

#include "ir/dim/dim.h"

typedef enum tn_dtype {
    TN_DT_UNKNOWN = 0,
#define DTYPE(id, number, name, bits, kind) TN_DT_##id,
#include "ir/dtype.def"
#undef DTYPE
    TN_DT_COUNT
} tn_dtype;

typedef struct tn_dtype_info {
    const char *name; /* as in .tir: "f32" */
    uint16_t bits;    /* per element, 0 when not fixed (strings, unknown) */
    char kind;        /* 'I' 'U' 'F' 'C' 'B' 'S', 0 unknown */
} tn_dtype_info;

/* Never NULL; unknown numbers give {"?", 0, 0}. */
const tn_dtype_info *tn_dtype_get(tn_dtype dtype);
/* TN_DT_UNKNOWN when there is no such name. */
tn_dtype tn_dtype_find(const char *name);
/* The type with that number in ONNX's files and attributes; TN_DT_UNKNOWN when there is none. */
tn_dtype tn_dtype_numbered(int64_t number);
/* That number; 0 for TN_DT_UNKNOWN. */
int32_t tn_dtype_number(tn_dtype dtype);
static inline bool tn_dtype_is_int(tn_dtype t) {
    char k = tn_dtype_get(t)->kind;
    return k == 'I' || k == 'U';
}

typedef enum tn_type_kind {
    TN_TYPE_UNKNOWN = 0, /* nothing known */
    TN_TYPE_TENSOR,
    TN_TYPE_SPARSE,   /* dtype and shape as a tensor; its size depends on the data */
    TN_TYPE_SEQUENCE, /* elem */
    TN_TYPE_OPTIONAL, /* elem */
    TN_TYPE_MAP,      /* key, elem */
    TN_TYPE_OPAQUE
} tn_type_kind;

/* Immutable once built; shared freely inside a module. */
typedef struct tn_type {
    tn_type_kind kind;
    tn_dtype dtype; /* tensors; key type of maps */
    bool has_rank;  /* false: rank unknown, dims unused */
    uint32_t rank;
    const tn_dim *dims;         /* rank of them; entries may be TN_DIM_UNKNOWN */
    const struct tn_type *elem; /* sequences, optionals, map values */
} tn_type;

/* These copy what they are given into `arena`. */
const tn_type *tn_type_unknown(void);
const tn_type *tn_type_tensor(tn_arena *arena, tn_dtype dtype, uint32_t rank, const tn_dim *dims);
/* Element type known, rank not. */
const tn_type *tn_type_unranked(tn_arena *arena, tn_dtype dtype);
const tn_type *tn_type_wrap(tn_arena *arena, tn_type_kind kind, tn_dtype key, const tn_type *elem);

bool tn_type_equal(const tn_type *a, const tn_type *b);
/* Whether both are known to have the same extents along the same axes. */
bool tn_type_same_extents(const tn_type *a, const tn_type *b);
/* Number of elements as a number; false when the rank is unknown or a dimension is open, negative
 * or too large. */
bool tn_type_fixed_elements(const tn_dims *d, const tn_type *t, int64_t *n);
/* Number of elements; TN_DIM_UNKNOWN when the rank or a dimension is unknown, or a
 * dimension is a negative number. */
tn_dim tn_type_elements(tn_dims *d, const tn_type *t);
/* Size in bytes, sub-byte elements packed and rounded up; TN_DIM_UNKNOWN for everything that has
 * none (no tensor, strings, unknown shape or element type). */
tn_dim tn_type_bytes(tn_dims *d, const tn_type *t);
/* The bytes that any run needs for it: as tn_type_bytes, with the most of extents that data give.
 */
tn_dim tn_type_room(tn_dims *d, const tn_type *t);
/* Whether it has an extent that data give. */
bool tn_type_by_data(tn_dims *d, const tn_type *t);
/* Whether only the step that makes such a value tells its shape: data give an extent, or nobody
 * knows one before. */
bool tn_type_shape_from_run(tn_dims *d, const tn_type *t);
/* tn_type_bytes as a number; false when it is none. */
bool tn_type_fixed_bytes(tn_dims *d, const tn_type *t, int64_t *bytes);
/* tn_type_room at the point of open symbols; false when it has none. */
bool tn_type_point_bytes(tn_dims *d, const tn_type *t, int64_t *bytes);
/* Whether it is a tensor whose extents are all known, and of more bytes than a plan can hold
 * (TN_MAX_TENSOR_BYTES), or than a number can. */
bool tn_type_too_large(tn_dims *d, const tn_type *t);
/* Whether both have the same size, whatever the open symbols are. */
bool tn_type_same_bytes(tn_dims *d, const tn_type *a, const tn_type *b);
/* "f32[1,batch*12,?]", "f32[*]" unranked, "seq(f32[2])", "opt(...)", "map(i64,...)", "?" */
void tn_type_print(const tn_dims *d, const tn_type *t, tn_sink *out);
/* Reads what tn_type_print writes and moves *text past it; false on bad text. */
bool tn_type_parse(tn_dims *d, tn_arena *arena, const char **text, const tn_type **out);

#endif
