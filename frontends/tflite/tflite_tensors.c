/* Tensors of a TFLite file as values. */
#include "frontends/tflite/tflite_t.h"
#include "ir/base/limits.h"
#include "ir/tensor_bytes.h"

enum { WORD = 4 };

/* Tensors by number; elements of less than a byte lie in one each, but for those of constants. */
static const tn_dtype types[] = {
    TN_DT_FLOAT,  TN_DT_FLOAT16,      TN_DT_INT32,      TN_DT_UINT8,     TN_DT_INT64,
    TN_DT_STRING, TN_DT_BOOL,         TN_DT_INT16,      TN_DT_COMPLEX64, TN_DT_INT8,
    TN_DT_DOUBLE, TN_DT_COMPLEX128,   TN_DT_UINT64,     TN_DT_INT32,     TN_DT_UNKNOWN,
    TN_DT_UINT32, TN_DT_UINT16,       TN_DT_INT4,       TN_DT_BFLOAT16,  TN_DT_INT2,
    TN_DT_UINT4,  TN_DT_FLOAT8E4M3FN, TN_DT_FLOAT8E5M2,
};
enum { N_TYPES = sizeof types / sizeof types[0] };

static tn_bytes data_of(tn_tflite *r, const tn_flat_table *tensor) {
    uint64_t index = tn_flat_number(tensor, FB_TENSOR_BUFFER, WORD, 0);
    if (index >= r->buffers.n) {
        tn_flat_fail(&r->src, tensor->at, "a tensor with buffer %u of %u", (unsigned)index,
                     r->buffers.n);
    }
    tn_flat_table buffer = tn_flat_item(&r->buffers, (uint32_t)index);
    if (tn_flat_number(&buffer, FB_BUFFER_OFFSET, 8, 0) > 1) {
        tn_flat_fail(&r->src, buffer.at,
                     "buffer %u has its data behind the flatbuffer, where TensorFlow Lite Micro "
                     "does not look",
                     (unsigned)index);
    }
    tn_flat_vector data = tn_flat_vector_of(&buffer, FB_BUFFER_DATA, 1);
    return (tn_bytes){data.n > 0 ? r->src.all.data + data.at : NULL, data.n};
}

void tn_tflite_name(tn_tflite *r) {
    tn_map taken = tn_map_make(r->arena);
    r->names = TN_ARRAY(r->arena, const char *, r->tensors.n);
    for (uint32_t i = 0; i < r->tensors.n; i++) {
        tn_flat_table t = tn_flat_item(&r->tensors, i);
        const char *name = tn_flat_text(&t, FB_TENSOR_NAME);
        if (name[0] == '\0') {
            name = tn_internf(r->ctx, "tensor%u", i);
        } else if (tn_map_or(&taken, tn_str_id(name), 0) != 0) {
            name = tn_internf(r->ctx, "%s~%u", name, i);
        }
        while (tn_map_or(&taken, tn_str_id(name), 0) != 0) {
            name = tn_internf(r->ctx, "%s~", name);
        }
        tn_map_put(&taken, tn_str_id(name), 1);
        r->names[i] = name;
    }
}

static tn_dtype type_of(tn_tflite *r, const tn_flat_table *tensor, uint32_t index, bool is_const) {
    uint64_t number = tn_flat_number(tensor, FB_TENSOR_TYPE, 1, 0);
    if (number >= N_TYPES) {
        tn_flat_fail(&r->src, tensor->at, "tensor %u '%s' has type %u, types up to %d are known",
                     index, r->names[index], (unsigned)number, N_TYPES - 1);
    }
    tn_dtype type = types[number];
    unsigned bits = tn_dtype_get(type)->bits;
    return bits > 0 && bits < 8 && !is_const ? TN_DT_INT8 : type;
}

static const int64_t *extents(tn_tflite *r, const tn_flat_table *tensor, uint32_t index,
                              uint32_t *rank) {
    tn_flat_vector shape = tn_flat_vector_of(tensor, FB_TENSOR_SHAPE, WORD);
    if (shape.n > TN_MAX_RANK) {
        tn_flat_fail(&r->src, shape.at, "tensor %u '%s' has %u dimensions, the limit is %u", index,
                     r->names[index], shape.n, TN_MAX_RANK);
    }
    int64_t *dims = TN_ARRAY(r->m->arena, int64_t, shape.n);
    for (uint32_t i = 0; i < shape.n; i++) {
        dims[i] = tn_flat_int(&shape, i);
        if (dims[i] < 0) {
            tn_flat_fail(&r->src, shape.at, "extent %u of tensor %u '%s' is %lld", i, index,
                         r->names[index], (long long)dims[i]);
        }
    }
    *rank = shape.n;
    return dims;
}

/* Data of another length is not dense: only its type counts. */
static tn_value *add_const(tn_tflite *r, const tn_flat_table *tensor, uint32_t index,
                           tn_bytes data) {
    tn_tensor *t = TN_NEW(r->m->arena, tn_tensor);
    t->dtype = type_of(r, tensor, index, true);
    t->dims = extents(r, tensor, index, &t->rank);
    if (!tn_tensor_measure(t)) {
        tn_flat_fail(&r->src, tensor->at, "tensor %u '%s' has more than %llu bytes", index,
                     r->names[index], (unsigned long long)TN_MAX_TENSOR_BYTES);
    }
    if (t->bytes == data.size && t->bytes > 0) {
        tn_tensor_set_bytes(r->m->arena, t, data.data);
    }
    return tn_graph_add_const(r->m->main, r->names[index], t);
}

const tn_type *tn_tflite_type(tn_tflite *r, const tn_flat_table *tensor, uint32_t index) {
    uint32_t rank;
    const int64_t *dims = extents(r, tensor, index, &rank);
    tn_dim *symbolic = TN_ARRAY(r->arena, tn_dim, rank);
    for (uint32_t i = 0; i < rank; i++) {
        symbolic[i] = tn_dim_const(r->m->dims, dims[i]);
    }
    tn_dtype type = type_of(r, tensor, index, false);
    if (tn_flat_number(tensor, FB_TENSOR_TYPE, 1, 0) == FB_TYPE_RESOURCE) {
        tn_dim none = tn_dim_const(r->m->dims, 0);
        return tn_type_tensor(r->m->arena, type, 1, &none);
    }
    return type == TN_DT_UNKNOWN ? tn_type_unknown()
                                 : tn_type_tensor(r->m->arena, type, rank, symbolic);
}

uint32_t tn_tflite_index(tn_tflite *r, const tn_loc *loc, const char *what, int32_t index) {
    if (index < 0 || (uint32_t)index >= r->tensors.n) {
        tn_fail(r->ctx, loc, "%s is tensor %d, and the subgraph has %u tensors", what, (int)index,
                r->tensors.n);
    }
    return (uint32_t)index;
}

tn_value *tn_tflite_find(tn_tflite *r, uint32_t index) {
    if (r->values[index] != NULL) {
        return r->values[index];
    }
    tn_flat_table t = tn_flat_item(&r->tensors, index);
    tn_bytes data = data_of(r, &t);
    uint32_t rank;
    const int64_t *dims = extents(r, &t, index, &rank);
    bool empty = false;
    for (uint32_t i = 0; i < rank; i++) {
        empty = empty || dims[i] == 0;
    }
    if (data.size > 0 || empty) {
        r->values[index] = add_const(r, &t, index, data);
    }
    return r->values[index];
}
