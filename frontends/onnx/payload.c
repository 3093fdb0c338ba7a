/* Where the elements of a TensorProto lie, and the values of small tensors. */
#include "frontends/onnx/import_t.h"
#include "ir/base/limits.h"
#include "ir/tensor_bytes.h"

static bool is_payload(uint32_t number) {
    return (number >= PB_TENSOR_FLOAT_DATA && number <= PB_TENSOR_INT64_DATA) ||
           (number >= PB_TENSOR_RAW_DATA && number <= PB_TENSOR_UINT64_DATA);
}

tn_onnx_payload tn_onnx_find_payload(tn_onnx *imp, tn_arena *arena, tn_bytes message,
                                     const char *name) {
    tn_onnx_payload p = {0};
    tn_wire w = tn_wire_open(&imp->src, message);
    tn_wire_field f;
    while (tn_wire_next(&w, &f)) {
        if (!is_payload(f.number) ||
            (f.type == TN_WIRE_LEN && f.bytes.size == 0 && f.number != PB_TENSOR_STRING_DATA)) {
            continue;
        }
        bool packed = f.type == TN_WIRE_LEN && f.number != PB_TENSOR_STRING_DATA;
        if (p.field != 0 && (p.field != f.number || p.packed != packed)) {
            tn_wire_fail(&imp->src, f.tag, "tensor '%s' has data in fields %u and %u", name,
                         (unsigned)p.field, (unsigned)f.number);
        }
        tn_wire_type want = f.number == PB_TENSOR_FLOAT_DATA    ? TN_WIRE_I32
                            : f.number == PB_TENSOR_DOUBLE_DATA ? TN_WIRE_I64
                                                                : TN_WIRE_VARINT;
        if (f.number == PB_TENSOR_STRING_DATA || f.number == PB_TENSOR_RAW_DATA) {
            want = TN_WIRE_LEN;
        }
        if (!packed && f.type != want) {
            tn_wire_fail(&imp->src, f.tag, "data of tensor '%s' (field %u) has wire type %d", name,
                         (unsigned)f.number, (int)f.type);
        }
        p.field = f.number;
        p.packed = packed;
        p.bytes += f.type == TN_WIRE_LEN ? f.bytes.size : 0;
        p.items += !packed;
        if (p.items <= TN_MAX_CONTENT) {
            tn_vec_push(arena, &p.pieces, f);
        }
    }
    return p;
}

/* Patterns of the items of a payload, one after the other; false when it ends early. */
typedef struct item_reader {
    tn_onnx *imp;
    const tn_onnx_payload *p;
    uint32_t piece;
    tn_wire at; /* inside a packed piece */
    bool open;
} item_reader;

static unsigned item_width(const tn_onnx_payload *p, tn_dtype dtype) {
    if (p->field == PB_TENSOR_RAW_DATA) {
        unsigned bits = tn_dtype_get(dtype)->bits;
        return bits < 8 ? 1 : bits / 8;
    }
    return p->field == PB_TENSOR_FLOAT_DATA ? 4 : p->field == PB_TENSOR_DOUBLE_DATA ? 8 : 0;
}

static bool next_packed(item_reader *r, unsigned width, uint64_t *pattern) {
    for (;;) {
        if (r->open && r->at.at != r->at.end) {
            if (width == 0) {
                return tn_wire_next_varint(&r->at, pattern);
            }
            if ((size_t)(r->at.end - r->at.at) < width) {
                return false;
            }
            *pattern = tn_pattern_load(r->at.at, width);
            r->at.at += width;
            return true;
        }
        if (r->piece == r->p->pieces.len) {
            return false;
        }
        r->at = tn_wire_open(&r->imp->src, r->p->pieces.data[r->piece++].bytes);
        r->open = true;
    }
}

static bool next_item(item_reader *r, unsigned width, uint64_t *pattern) {
    if (r->p->packed) {
        return next_packed(r, width, pattern);
    }
    if (r->piece == r->p->pieces.len) {
        return false;
    }
    *pattern = r->p->pieces.data[r->piece++].value;
    return true;
}

/* Elements of a byte each, which weights of small networks are. */
static void read_bytes(tn_dtype dtype, const uint8_t *from, uint64_t n, int64_t *out) {
    char kind = tn_dtype_get(dtype)->kind;
    for (uint64_t i = 0; i < n; i++) {
        out[i] = kind == 'I' ? (int8_t)from[i] : kind == 'B' ? from[i] != 0 : from[i];
    }
}

/* Elements below a byte are packed, several an item; all others are one item each. */
static bool read_ints(tn_onnx *imp, const tn_tensor *t, const tn_onnx_payload *p, int64_t *out) {
    if (p->field == PB_TENSOR_RAW_DATA && tn_dtype_get(t->dtype)->bits == 8 && p->pieces.len == 1) {
        read_bytes(t->dtype, p->pieces.data[0].bytes.data, t->n_elements, out);
        return true;
    }
    item_reader r = {.imp = imp, .p = p};
    unsigned bits = tn_dtype_get(t->dtype)->bits, width = item_width(p, t->dtype);
    unsigned per_item = bits < 8 ? 8 / bits : 1;
    uint64_t pattern = 0;
    for (uint64_t i = 0; i < t->n_elements; i++) {
        unsigned part = (unsigned)(i % per_item);
        if (part == 0 && !next_item(&r, width, &pattern)) {
            return false;
        }
        if (!tn_pattern_int(t->dtype, pattern >> (part * (bits < 8 ? bits : 0)), &out[i])) {
            return false;
        }
    }
    return true;
}

static bool read_floats(tn_onnx *imp, const tn_tensor *t, const tn_onnx_payload *p, double *out) {
    item_reader r = {.imp = imp, .p = p};
    unsigned width = item_width(p, t->dtype);
    uint64_t pattern;
    for (uint64_t i = 0; i < t->n_elements; i++) {
        if (!next_item(&r, width, &pattern) || !tn_pattern_float(t->dtype, pattern, &out[i])) {
            return false;
        }
    }
    return true;
}

void tn_onnx_decode(tn_onnx *imp, tn_tensor *t, const tn_onnx_payload *p) {
    char kind = tn_dtype_get(t->dtype)->kind;
    bool is_float = kind == 'F';
    if (t->n_elements > (is_float ? TN_MAX_FLOATS : TN_MAX_CONTENT)) {
        return;
    }
    if (is_float) {
        double *floats = TN_UNSET_ARRAY(imp->m->arena, double, t->n_elements);
        t->floats = read_floats(imp, t, p, floats) ? floats : NULL;
    } else if (kind == 'I' || kind == 'U' || kind == 'B') {
        int64_t *ints = TN_UNSET_ARRAY(imp->m->arena, int64_t, t->n_elements);
        t->ints = read_ints(imp, t, p, ints) ? ints : NULL;
    }
}
