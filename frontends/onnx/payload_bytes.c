/* The bytes of tensors for whoever needs them after the import: streamed from where they lie. */
#include "frontends/onnx/import_t.h"
#include "ir/tensor_bytes.h"

/* A TensorProto in the model's file, or raw data in a file beside it. */
typedef struct stored {
    tn_wire_src src;
    const char *name;
    tn_bytes message; /* size 0: the raw data is `raw` */
    tn_bytes raw;
} stored;

enum { PIECE = 1 << 20 };

static void put_raw(tn_bytes raw, bool mapped, tn_sink *out) {
    for (size_t at = 0; at < raw.size; at += PIECE) {
        size_t n = raw.size - at < PIECE ? raw.size - at : PIECE;
        tn_put_n(out, (const char *)raw.data + at, n);
        if (mapped) {
            tn_file_unload(raw.data + at, n);
        }
    }
}

/* Bits that an item of a typed field has in raw data. */
static unsigned item_bits(uint32_t field, const tn_tensor *t) {
    unsigned bits = tn_dtype_get(t->dtype)->bits;
    return field == PB_TENSOR_FLOAT_DATA    ? 32
           : field == PB_TENSOR_DOUBLE_DATA ? 64
           : bits < 8                       ? 8
                                            : bits;
}

static void put_varints(const stored *s, tn_bytes packed, unsigned bits, tn_sink *out) {
    tn_wire w = tn_wire_open(&s->src, packed);
    uint64_t value;
    while (tn_wire_next_varint(&w, &value)) {
        tn_put_pattern(out, value, bits);
    }
}

static bool is_payload_of(const tn_wire_field *f) {
    return f->number == PB_TENSOR_RAW_DATA || f->number == PB_TENSOR_FLOAT_DATA ||
           f->number == PB_TENSOR_DOUBLE_DATA || f->number == PB_TENSOR_INT32_DATA ||
           f->number == PB_TENSOR_INT64_DATA || f->number == PB_TENSOR_UINT64_DATA;
}

/* Packed floats and doubles are raw data already. The import has found that the fields fit the
 * element type. */
static void put_message(const tn_tensor *t, const stored *s, tn_sink *out) {
    tn_wire w = tn_wire_open(&s->src, s->message);
    tn_wire_field f;
    while (tn_wire_next(&w, &f)) {
        unsigned bits = item_bits(f.number, t);
        bool fixed = f.number == PB_TENSOR_RAW_DATA || f.number == PB_TENSOR_FLOAT_DATA ||
                     f.number == PB_TENSOR_DOUBLE_DATA;
        if (!is_payload_of(&f)) {
            continue;
        }
        if (f.type != TN_WIRE_LEN) {
            tn_put_pattern(out, f.value, bits);
        } else if (fixed) {
            put_raw(f.bytes, s->src.mapped, out);
        } else {
            put_varints(s, f.bytes, bits, out);
        }
    }
}

static void put(const tn_tensor *t, tn_sink *out) {
    const stored *s = t->payload->at;
    uint64_t before = tn_sink_total(out);
    if (s->message.size > 0) {
        put_message(t, s, out);
    } else {
        put_raw(s->raw, true, out);
    }
    uint64_t found = tn_sink_total(out) - before;
    if (found != t->bytes) {
        tn_loc loc = tn_loc_file(s->src.file);
        tn_fail(s->src.ctx, &loc, "tensor '%s' needs %llu bytes, its data has %llu", s->name,
                (unsigned long long)t->bytes, (unsigned long long)found);
    }
}

static void attach(tn_onnx *imp, tn_tensor *t, stored s) {
    tn_arena *arena = imp->m->arena;
    stored *at = TN_NEW(arena, stored);
    tn_payload *payload = TN_NEW(arena, tn_payload);
    *at = s;
    *payload = (tn_payload){put, at};
    t->payload = payload;
}

void tn_onnx_keep_message(tn_onnx *imp, tn_tensor *t, const char *name, tn_bytes message) {
    attach(imp, t, (stored){.src = imp->src, .name = name, .message = message});
}

void tn_onnx_keep_external(tn_onnx *imp, tn_tensor *t, const char *name, tn_bytes raw) {
    attach(imp, t, (stored){.src = imp->src, .name = name, .raw = raw});
}
