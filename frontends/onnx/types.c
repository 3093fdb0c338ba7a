/* TypeProto to tn_type, and the dimensions in it. */
#include <string.h>

#include "frontends/onnx/import_t.h"
#include "ir/base/limits.h"
#include "ir/onnx/dim_param.h"

tn_dtype tn_onnx_dtype(tn_onnx *imp, int32_t number, const char *name) {
    tn_dtype dtype = tn_dtype_numbered(number);
    if (dtype == TN_DT_UNKNOWN && number != ONNX__TENSOR_PROTO__DATA_TYPE__UNDEFINED) {
        tn_onnx_repaired(&imp->dtypes, name);
    }
    return dtype;
}

/* What exporters write for a dimension without a name. Two of these need not be equal. */
static bool is_nameless(const char *param) {
    return param[0] == '\0' || strcmp(param, "?") == 0 || strcmp(param, "None") == 0 ||
           strcmp(param, "-1") == 0;
}

/* A dimension of the file: a number, a text, or neither. */
typedef struct extent {
    bool has_value;
    int64_t value;
    const char *param; /* NULL: none */
} extent;

static tn_dim dim_of(tn_onnx *imp, extent d, const char *name, uint32_t axis, tn_onnx_role role) {
    if (d.has_value && d.value > 0) {
        return tn_dim_const(imp->m->dims, d.value);
    }
    if (d.has_value && d.value == 0) {
        if (role == TN_ONNX_INPUT || role == TN_ONNX_PARAMETER) {
            return tn_dim_const(imp->m->dims, 0);
        }
        tn_onnx_repaired(&imp->zero_dims, name);
    }
    if (d.param != NULL && !is_nameless(d.param) && role != TN_ONNX_IN_FUNCTION) {
        return tn_onnx_dim_param(imp->ctx, imp->m->dims, tn_onnx_name(imp, d.param));
    }
    if (role == TN_ONNX_INPUT) {
        return tn_dim_sym(imp->m->dims, tn_internf(imp->ctx, "%s.%u", name, axis));
    }
    return TN_DIM_UNKNOWN;
}

static const tn_type *ranked_type(tn_onnx *imp, tn_dtype dtype, uint32_t rank,
                                  const extent *extents, const char *name, tn_onnx_role role) {
    tn_dim dims[TN_MAX_RANK];
    for (uint32_t i = 0; i < rank; i++) {
        dims[i] = dim_of(imp, extents[i], name, i, role);
    }
    return tn_type_tensor(imp->m->arena, dtype, rank, dims);
}

static extent extent_of(const Onnx__TensorShapeProto__Dimension *d) {
    extent e = {0};
    if (d->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE) {
        e = (extent){.has_value = true, .value = d->dim_value};
    } else if (d->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_PARAM) {
        e.param = d->dim_param;
    }
    return e;
}

static const tn_type *tensor_type(tn_onnx *imp, int32_t elem, const Onnx__TensorShapeProto *shape,
                                  const char *name, tn_onnx_role role) {
    tn_dtype dtype = tn_onnx_dtype(imp, elem, name);
    if (shape == NULL) {
        return tn_type_unranked(imp->m->arena, dtype);
    }
    if (shape->n_dim > TN_MAX_RANK) {
        tn_loc loc = tn_loc_file(imp->src.file);
        tn_fail(imp->ctx, &loc, "the type of '%s' has rank %zu, the limit is %u", name,
                shape->n_dim, TN_MAX_RANK);
    }
    extent extents[TN_MAX_RANK];
    for (size_t i = 0; i < shape->n_dim; i++) {
        extents[i] = extent_of(shape->dim[i]);
    }
    return ranked_type(imp, dtype, (uint32_t)shape->n_dim, extents, name, role);
}

static const tn_type *sparse_type(tn_onnx *imp, const Onnx__TypeProto__SparseTensor *proto,
                                  const char *name, tn_onnx_role role) {
    tn_type *t = TN_NEW(imp->m->arena, tn_type);
    *t = *tensor_type(imp, proto->elem_type, proto->shape, name, role);
    t->kind = TN_TYPE_SPARSE;
    return t;
}

/* Recursive, but unpacking has refused types nested deeper than TN_MAX_MESSAGES. */
const tn_type *tn_onnx_type(tn_onnx *imp, const Onnx__TypeProto *proto, const char *name,
                            tn_onnx_role role) {
    if (proto == NULL) {
        return tn_type_unknown();
    }
    /* Dimensions of what a sequence or map holds are not those of the input. */
    tn_onnx_role inner = role == TN_ONNX_INPUT ? TN_ONNX_PARAMETER : role;
    switch ((int)proto->value_case) {
    case ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE:
        return tensor_type(imp, proto->tensor_type->elem_type, proto->tensor_type->shape, name,
                           role);
    case ONNX__TYPE_PROTO__VALUE_SPARSE_TENSOR_TYPE:
        return sparse_type(imp, proto->sparse_tensor_type, name, role);
    case ONNX__TYPE_PROTO__VALUE_SEQUENCE_TYPE:
        return tn_type_wrap(imp->m->arena, TN_TYPE_SEQUENCE, TN_DT_UNKNOWN,
                            tn_onnx_type(imp, proto->sequence_type->elem_type, name, inner));
    case ONNX__TYPE_PROTO__VALUE_OPTIONAL_TYPE:
        return tn_type_wrap(imp->m->arena, TN_TYPE_OPTIONAL, TN_DT_UNKNOWN,
                            tn_onnx_type(imp, proto->optional_type->elem_type, name, inner));
    case ONNX__TYPE_PROTO__VALUE_MAP_TYPE:
        return tn_type_wrap(imp->m->arena, TN_TYPE_MAP,
                            tn_onnx_dtype(imp, proto->map_type->key_type, name),
                            tn_onnx_type(imp, proto->map_type->value_type, name, inner));
    case PB_TYPE_OPAQUE:
        return tn_type_wrap(imp->m->arena, TN_TYPE_OPAQUE, TN_DT_UNKNOWN, NULL);
    default:
        break;
    }
    for (unsigned i = 0; i < proto->base.n_unknown_fields; i++) {
        if (proto->base.unknown_fields[i].tag == PB_TYPE_OPAQUE) {
            return tn_type_wrap(imp->m->arena, TN_TYPE_OPAQUE, TN_DT_UNKNOWN, NULL);
        }
    }
    return tn_type_unknown();
}

/* ---- stored types, read where they lie ---- */

/* A value's name and type. Stored types are most of many files, and nearly all are tensors without
 * anything unusual about them. The functions below return false where there is: then the message is
 * unpacked, which also says what is wrong with it. */
typedef struct plain {
    const char *name;
    int32_t dtype;
    uint32_t rank, n_types, n_shapes;
    extent *extents; /* room for TN_MAX_RANK */
} plain;

static bool plain_dim(tn_onnx *imp, tn_bytes message, plain *p) {
    extent *e = &p->extents[p->rank++];
    *e = (extent){0};
    tn_wire w = tn_wire_open(&imp->src, message);
    tn_wire_field f;
    while (tn_wire_next(&w, &f)) {
        bool is_first = !e->has_value && e->param == NULL;
        if (is_first && f.number == PB_DIM_VALUE && f.type == TN_WIRE_VARINT) {
            e->has_value = true;
            memcpy(&e->value, &f.value, sizeof e->value);
        } else if (is_first && f.number == PB_DIM_PARAM && f.type == TN_WIRE_LEN &&
                   (f.bytes.size == 0 || memchr(f.bytes.data, 0, f.bytes.size) == NULL)) {
            e->param = tn_intern_n(imp->ctx, (const char *)f.bytes.data, f.bytes.size);
        } else {
            return false;
        }
    }
    return true;
}

static bool plain_shape(tn_onnx *imp, tn_bytes message, plain *p) {
    tn_wire w = tn_wire_open(&imp->src, message);
    tn_wire_field f;
    while (tn_wire_next(&w, &f)) {
        if (f.number != PB_SHAPE_DIM || f.type != TN_WIRE_LEN || p->rank == TN_MAX_RANK ||
            !plain_dim(imp, f.bytes, p)) {
            return false;
        }
    }
    return p->n_shapes++ == 0;
}

static bool plain_tensor(tn_onnx *imp, tn_bytes message, plain *p) {
    tn_wire w = tn_wire_open(&imp->src, message);
    tn_wire_field f;
    while (tn_wire_next(&w, &f)) {
        if (f.number == PB_TYPE_OF_ELEM && f.type == TN_WIRE_VARINT) {
            uint32_t low = (uint32_t)f.value;
            memcpy(&p->dtype, &low, sizeof low);
        } else if (f.number != PB_TYPE_OF_SHAPE || f.type != TN_WIRE_LEN ||
                   !plain_shape(imp, f.bytes, p)) {
            return false;
        }
    }
    return p->n_types++ == 0;
}

static bool plain_type(tn_onnx *imp, tn_bytes message, plain *p) {
    tn_wire w = tn_wire_open(&imp->src, message);
    tn_wire_field f;
    while (tn_wire_next(&w, &f)) {
        if (f.number != PB_TYPE_TENSOR || f.type != TN_WIRE_LEN || !plain_tensor(imp, f.bytes, p)) {
            return false;
        }
    }
    return p->n_types == 1;
}

static bool read_plain(tn_onnx *imp, tn_bytes message, plain *p) {
    tn_wire w = tn_wire_open(&imp->src, message);
    tn_wire_field f;
    while (tn_wire_next(&w, &f)) {
        if (f.number == PB_VALUE_NAME) {
            tn_proto_check(&imp->src, &onnx__value_info_proto__descriptor, &f);
            p->name = tn_onnx_name_n(imp, (const char *)f.bytes.data, f.bytes.size);
        } else if (f.number == PB_VALUE_TYPE &&
                   (f.type != TN_WIRE_LEN || !plain_type(imp, f.bytes, p))) {
            return false;
        }
    }
    return p->name != NULL && p->n_types == 1;
}

tn_onnx_value_info tn_onnx_read_value_info(tn_onnx *imp, tn_bytes message, tn_onnx_role role) {
    extent extents[TN_MAX_RANK];
    plain p = {.extents = extents};
    if (read_plain(imp, message, &p)) {
        tn_dtype dtype = tn_onnx_dtype(imp, p.dtype, p.name);
        return (tn_onnx_value_info){
            p.name, p.n_shapes == 0 ? tn_type_unranked(imp->m->arena, dtype)
                                    : ranked_type(imp, dtype, p.rank, p.extents, p.name, role)};
    }
    tn_arena *scratch = tn_arena_new(imp->ctx);
    const Onnx__ValueInfoProto *proto =
        tn_proto_unpack(&imp->src, scratch, &onnx__value_info_proto__descriptor, message,
                        TN_FIELD(PB_VALUE_NAME) | TN_FIELD(PB_VALUE_TYPE));
    tn_onnx_value_info info = {.name = tn_onnx_name(imp, proto->name)};
    if (proto->type != NULL) {
        info.type = tn_onnx_type(imp, proto->type, info.name, role);
    }
    tn_arena_drop(scratch);
    return info;
}
