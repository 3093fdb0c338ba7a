/* Where the elements of a TensorProto lie, and the values of small tensors. */
#include <math.h>
#include <string.h>

#include "frontends/onnx/import_t.h"
#include "ir/base/limits.h"

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

/* Binary16 (IEEE 754). */
static double half(uint16_t h) {
    int exponent = (h >> 10) & 31, mantissa = h & 1023;
    double v = exponent == 31  ? (mantissa != 0 ? NAN : INFINITY)
               : exponent == 0 ? ldexp(mantissa, -24)
                               : ldexp(mantissa + 1024, exponent - 25);
    return (h & 0x8000) != 0 ? -v : v;
}

static double single(uint32_t bits) {
    float f;
    memcpy(&f, &bits, sizeof f);
    return (double)f;
}

static double wide(uint64_t bits) {
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

static uint64_t load(const uint8_t *p, unsigned n) {
    uint64_t v = 0;
    for (unsigned i = 0; i < n; i++) {
        v |= (uint64_t)p[i] << (8 * i);
    }
    return v;
}

/* The pattern of one element (its low bits) as a number of type `dtype`. False for what cannot be
 * kept: unsigned numbers above INT64_MAX. */
static bool to_int(tn_dtype dtype, uint64_t pattern, int64_t *out) {
    const tn_dtype_info *info = tn_dtype_get(dtype);
    unsigned bits = info->bits;
    if (bits < 64) {
        pattern &= (1ull << bits) - 1;
    }
    if (info->kind == 'I' && bits < 64 && (pattern >> (bits - 1)) != 0) {
        *out = (int64_t)pattern - (int64_t)(1ull << bits);
        return true;
    }
    if (info->kind == 'U' && pattern > INT64_MAX) {
        return false;
    }
    int64_t v;
    memcpy(&v, &pattern, sizeof v);
    *out = info->kind == 'B' ? v != 0 : v;
    return true;
}

static bool to_float(tn_dtype dtype, uint64_t pattern, double *out) {
    switch ((int)dtype) {
    case TN_DT_FLOAT:
        *out = single((uint32_t)pattern);
        return true;
    case TN_DT_DOUBLE:
        *out = wide(pattern);
        return true;
    case TN_DT_FLOAT16:
        *out = half((uint16_t)pattern);
        return true;
    case TN_DT_BFLOAT16:
        *out = single((uint32_t)(pattern & 0xffff) << 16);
        return true;
    default:
        return false;
    }
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
            *pattern = load(r->at.at, width);
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

/* Elements below a byte are packed, several an item; all others are one item each. */
static bool read_ints(tn_onnx *imp, const tn_tensor *t, const tn_onnx_payload *p, int64_t *out) {
    item_reader r = {.imp = imp, .p = p};
    unsigned bits = tn_dtype_get(t->dtype)->bits, width = item_width(p, t->dtype);
    unsigned per_item = bits < 8 ? 8 / bits : 1;
    uint64_t pattern = 0;
    for (uint64_t i = 0; i < t->n_elements; i++) {
        unsigned part = (unsigned)(i % per_item);
        if (part == 0 && !next_item(&r, width, &pattern)) {
            return false;
        }
        if (!to_int(t->dtype, pattern >> (part * (bits < 8 ? bits : 0)), &out[i])) {
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
        if (!next_item(&r, width, &pattern) || !to_float(t->dtype, pattern, &out[i])) {
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
        double *floats = TN_ARRAY(imp->m->arena, double, t->n_elements);
        t->floats = read_floats(imp, t, p, floats) ? floats : NULL;
    } else if (kind == 'I' || kind == 'U' || kind == 'B') {
        int64_t *ints = TN_ARRAY(imp->m->arena, int64_t, t->n_elements);
        t->ints = read_ints(imp, t, p, ints) ? ints : NULL;
    }
}
