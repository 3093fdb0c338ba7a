/* TensorProto and SparseTensorProto: the facts, and where the payload lies. */
#include "frontends/onnx/import_t.h"
#include "ir/base/limits.h"
#include "ir/base/xmath.h"

typedef struct reader {
    tn_onnx *imp;
    tn_loc loc;
    const char *owner, *name;
} reader;

#define FAIL(r, ...) tn_fail((r)->imp->ctx, &(r)->loc, __VA_ARGS__)

/* n_elements and bytes from the dims, everything checked. */
static void measure(reader *r, tn_tensor *t) {
    uint64_t n = 1;
    for (uint32_t i = 0; i < t->rank; i++) {
        if (t->dims[i] < 0) {
            FAIL(r, "%s '%s' has dimension %lld at axis %u", r->owner, r->name,
                 (long long)t->dims[i], i);
        }
        /* An extent of 0 makes it empty, but the others still have to be sane. */
        uint64_t extent = t->dims[i] == 0 ? 1 : (uint64_t)t->dims[i];
        if (!tn_mul_u64(n, extent, &n) || n > TN_MAX_TENSOR_BYTES) {
            FAIL(r, "%s '%s' has more elements than the limit of %llu bytes allows", r->owner,
                 r->name, (unsigned long long)TN_MAX_TENSOR_BYTES);
        }
    }
    for (uint32_t i = 0; i < t->rank; i++) {
        n = t->dims[i] == 0 ? 0 : n;
    }
    t->n_elements = n;
    uint64_t bits = tn_dtype_get(t->dtype)->bits, total;
    if (!tn_mul_u64(n, bits, &total) || total / 8 > TN_MAX_TENSOR_BYTES) {
        FAIL(r, "%s '%s' exceeds the limit of %llu bytes", r->owner, r->name,
             (unsigned long long)TN_MAX_TENSOR_BYTES);
    }
    t->bytes = total / 8 + (total % 8 != 0);
}

static void set_dims(reader *r, tn_tensor *t, const int64_t *dims, size_t rank) {
    if (rank > TN_MAX_RANK) {
        FAIL(r, "%s '%s' has rank %zu, the limit is %u", r->owner, r->name, rank, TN_MAX_RANK);
    }
    t->rank = (uint32_t)rank;
    t->dims = tn_arena_regrow(r->imp->m->arena, dims, rank, rank, sizeof *dims);
    measure(r, t);
}

/* The typed field that holds elements of this type, and how many items it has for `n` elements. */
static uint32_t field_for(tn_dtype dtype, uint64_t n, uint64_t *items) {
    *items = n;
    switch ((int)dtype) {
    case TN_DT_COMPLEX64:
        *items = n * 2;
        return PB_TENSOR_FLOAT_DATA;
    case TN_DT_FLOAT:
        return PB_TENSOR_FLOAT_DATA;
    case TN_DT_STRING:
        return PB_TENSOR_STRING_DATA;
    case TN_DT_INT64:
        return PB_TENSOR_INT64_DATA;
    case TN_DT_COMPLEX128:
        *items = n * 2;
        return PB_TENSOR_DOUBLE_DATA;
    case TN_DT_DOUBLE:
        return PB_TENSOR_DOUBLE_DATA;
    case TN_DT_UINT32:
    case TN_DT_UINT64:
        return PB_TENSOR_UINT64_DATA;
    default:
        break;
    }
    /* Elements below a byte are packed into bytes, one byte an item. */
    uint32_t bits = tn_dtype_get(dtype)->bits;
    if (bits < 8 && bits > 0) {
        *items = n / (8 / bits) + (n % (8 / bits) != 0);
    }
    return PB_TENSOR_INT32_DATA;
}

static void check_raw(reader *r, const tn_tensor *t, uint64_t found) {
    if (t->dtype == TN_DT_STRING) {
        FAIL(r, "%s '%s' has text elements in raw_data", r->owner, r->name);
    }
    if (t->dtype != TN_DT_UNKNOWN && found != t->bytes) {
        FAIL(r, "%s '%s' needs %llu bytes (%llu elements of %s), its data has %llu", r->owner,
             r->name, (unsigned long long)t->bytes, (unsigned long long)t->n_elements,
             tn_dtype_get(t->dtype)->name, (unsigned long long)found);
    }
}

static void check_typed(reader *r, const tn_tensor *t, const tn_onnx_payload *p) {
    static const char *const fields[] = {
        [PB_TENSOR_FLOAT_DATA] = "float_data",   [PB_TENSOR_INT32_DATA] = "int32_data",
        [PB_TENSOR_STRING_DATA] = "string_data", [PB_TENSOR_INT64_DATA] = "int64_data",
        [PB_TENSOR_DOUBLE_DATA] = "double_data", [PB_TENSOR_UINT64_DATA] = "uint64_data"};
    uint64_t want;
    if (t->dtype == TN_DT_UNKNOWN) {
        return;
    }
    uint32_t field = field_for(t->dtype, t->n_elements, &want);
    if (field != p->field) {
        FAIL(r, "%s '%s' of %s has its data in %s instead of %s", r->owner, r->name,
             tn_dtype_get(t->dtype)->name, fields[p->field], fields[field]);
    }
    /* Packed numbers of variable length are not counted: their pages are not to be touched. */
    uint64_t least = want, most = want, found = p->items;
    const char *unit = "items";
    if (p->packed) {
        bool is_float = field == PB_TENSOR_FLOAT_DATA, is_double = field == PB_TENSOR_DOUBLE_DATA;
        uint64_t lo = is_float ? 4 : is_double ? 8 : 1, hi = is_float ? 4 : is_double ? 8 : 10;
        least = want * lo;
        most = want > UINT64_MAX / hi ? UINT64_MAX : want * hi;
        found = p->bytes;
        unit = "bytes";
    }
    if (found < least || found > most) {
        FAIL(r, "%s '%s' needs %llu %s in %s (%llu elements of %s), it has %llu", r->owner, r->name,
             (unsigned long long)(found < least ? least : most), unit, fields[field],
             (unsigned long long)t->n_elements, tn_dtype_get(t->dtype)->name,
             (unsigned long long)found);
    }
}

static void attach_payload(reader *r, tn_arena *scratch, tn_bytes message, tn_tensor *t) {
    tn_onnx_payload p = tn_onnx_find_payload(r->imp, scratch, message, r->name);
    if (p.field == 0 || p.bytes + p.items == 0) {
        if (t->n_elements > 0) {
            tn_onnx_repaired(&r->imp->no_data, r->name);
        }
        return;
    }
    if (p.field == PB_TENSOR_RAW_DATA) {
        check_raw(r, t, p.bytes);
    } else {
        check_typed(r, t, &p);
    }
    tn_onnx_decode(r->imp, t, &p);
    if (p.field != PB_TENSOR_STRING_DATA) {
        tn_onnx_keep_message(r->imp, t, r->name, message);
    }
}

/* External data is raw data that lies elsewhere. */
static void attach_external(reader *r, tn_arena *scratch, const Onnx__TensorProto *proto,
                            tn_tensor *t) {
    tn_bytes bytes;
    if (!tn_onnx_external(r->imp, &r->loc, proto, r->name, t, &bytes)) {
        check_raw(r, t, t->ext_length);
        return;
    }
    check_raw(r, t, bytes.size);
    tn_onnx_payload p = {.field = PB_TENSOR_RAW_DATA, .bytes = bytes.size, .packed = true};
    tn_wire_field piece = {.bytes = bytes};
    tn_vec_push(scratch, &p.pieces, piece);
    tn_onnx_decode(r->imp, t, &p);
    tn_onnx_keep_external(r->imp, t, r->name, bytes);
}

tn_onnx_tensor tn_onnx_read_tensor(tn_onnx *imp, const tn_loc *loc, tn_bytes message,
                                   const char *owner, const char *name) {
    tn_arena *scratch = tn_arena_new(imp->ctx);
    const Onnx__TensorProto *proto =
        tn_proto_unpack(&imp->src, scratch, &onnx__tensor_proto__descriptor, message,
                        TN_FIELD(PB_TENSOR_DIMS) | TN_FIELD(PB_TENSOR_DATA_TYPE) |
                            TN_FIELD(PB_TENSOR_SEGMENT) | TN_FIELD(PB_TENSOR_NAME) |
                            TN_FIELD(PB_TENSOR_EXTERNAL_DATA) | TN_FIELD(PB_TENSOR_DATA_LOCATION));
    const char *own = tn_onnx_name(imp, proto->name);
    reader r = {imp, *loc, owner, name != NULL ? name : own};
    tn_tensor *t = TN_NEW(imp->m->arena, tn_tensor);
    t->dtype = tn_onnx_dtype(imp, proto->data_type, r.name);
    if (t->dtype == TN_DT_UNKNOWN && proto->data_type == 0) {
        FAIL(&r, "%s '%s' has no element type", owner, r.name);
    }
    set_dims(&r, t, proto->dims, proto->n_dims);
    if (proto->segment != NULL) {
        FAIL(&r, "%s '%s' is one segment of a tensor; ONNX does not say where the others are",
             owner, r.name);
    }
    if (proto->data_location == ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL) {
        attach_external(&r, scratch, proto, t);
    } else {
        attach_payload(&r, scratch, message, t);
    }
    tn_arena_drop(scratch);
    tn_onnx_tensor out = {own, t};
    return out;
}

tn_onnx_tensor tn_onnx_read_sparse(tn_onnx *imp, const tn_loc *loc, tn_bytes message,
                                   const char *owner, const char *name) {
    tn_arena *scratch = tn_arena_new(imp->ctx);
    const Onnx__SparseTensorProto *proto =
        tn_proto_unpack(&imp->src, scratch, &onnx__sparse_tensor_proto__descriptor, message,
                        TN_FIELD(PB_SPARSE_DIMS));
    tn_onnx_tensor out = {.name = tn_intern(imp->ctx, "")};
    tn_wire w = tn_wire_open(&imp->src, message);
    tn_wire_field f;
    const tn_tensor *values = NULL;
    while (tn_wire_next(&w, &f)) {
        if (f.number != PB_SPARSE_VALUES && f.number != PB_SPARSE_INDICES) {
            continue;
        }
        tn_bytes part = tn_wire_content(&imp->src, &f, "a part of a sparse tensor");
        tn_onnx_tensor read = tn_onnx_read_tensor(imp, loc, part, owner, name);
        if (f.number == PB_SPARSE_VALUES) {
            out.name = read.name;
            values = read.tensor;
        }
    }
    reader r = {imp, *loc, owner, name != NULL ? name : out.name};
    if (values == NULL) {
        FAIL(&r, "%s '%s' is a sparse tensor without values", owner, r.name);
    }
    tn_tensor *t = TN_NEW(imp->m->arena, tn_tensor);
    t->dtype = values->dtype;
    set_dims(&r, t, proto->dims, proto->n_dims);
    tn_arena_drop(scratch);
    out.tensor = t;
    return out;
}
