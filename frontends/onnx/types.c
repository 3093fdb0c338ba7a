/* TypeProto to tn_type, and the dimensions in it. */
#include <string.h>

#include "frontends/onnx/import_t.h"
#include "ir/base/limits.h"

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

static tn_dim dim_of(tn_onnx *imp, const Onnx__TensorShapeProto__Dimension *d, const char *name,
                     uint32_t axis, tn_onnx_role role) {
    bool has_value = d->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE;
    if (has_value && d->dim_value > 0) {
        return tn_dim_const(imp->m->dims, d->dim_value);
    }
    if (has_value && d->dim_value == 0) {
        if (role == TN_ONNX_INPUT || role == TN_ONNX_PARAMETER) {
            return tn_dim_const(imp->m->dims, 0);
        }
        tn_onnx_repaired(&imp->zero_dims, name);
    }
    if (d->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_PARAM &&
        !is_nameless(d->dim_param) && role != TN_ONNX_IN_FUNCTION) {
        return tn_onnx_dim_param(imp, tn_onnx_name(imp, d->dim_param));
    }
    if (role == TN_ONNX_INPUT) {
        return tn_dim_sym(imp->m->dims, tn_internf(imp->ctx, "%s.%u", name, axis));
    }
    return TN_DIM_UNKNOWN;
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
    tn_dim dims[TN_MAX_RANK];
    uint32_t rank = (uint32_t)shape->n_dim;
    for (uint32_t i = 0; i < rank; i++) {
        dims[i] = dim_of(imp, shape->dim[i], name, i, role);
    }
    return tn_type_tensor(imp->m->arena, dtype, rank, dims);
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

tn_onnx_value_info tn_onnx_read_value_info(tn_onnx *imp, tn_bytes message, tn_onnx_role role) {
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
