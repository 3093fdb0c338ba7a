/* Writing small ONNX models by hand, for tests of the reader: protobuf messages that grow in an
 * arena. Every function returns the message so that calls can be chained. Lists of names and
 * dimensions are one text with spaces between; "-" is an empty name. */
#ifndef TENURE_TESTS_UNIT_ONNX_BYTES_H
#define TENURE_TESTS_UNIT_ONNX_BYTES_H

#include <stdlib.h>
#include <string.h>

#include "ir/base/file.h"
#include "ir/base/sink.h"

typedef tn_sink pb;

static inline pb *pb_new(tn_arena *a) {
    pb *m = TN_NEW(a, pb);
    *m = tn_sink_make(a);
    return m;
}

static inline pb *pb_varint(pb *m, uint64_t v) {
    while (v > 127) {
        tn_put_c(m, (char)(unsigned char)((v & 127) | 128));
        v >>= 7;
    }
    tn_put_c(m, (char)(unsigned char)v);
    return m;
}

static inline pb *pb_int(pb *m, unsigned field, int64_t v) {
    return pb_varint(pb_varint(m, (uint64_t)field << 3), (uint64_t)v);
}

static inline pb *pb_data(pb *m, unsigned field, const void *data, size_t n) {
    pb_varint(pb_varint(m, (uint64_t)field << 3 | 2), n);
    tn_put_n(m, data, n);
    return m;
}

static inline pb *pb_text(pb *m, unsigned field, const char *s) {
    return pb_data(m, field, s, strlen(s));
}

static inline pb *pb_msg(pb *m, unsigned field, const pb *sub) {
    return pb_data(m, field, sub->data, sub->len);
}

/* The words of `list` as repeated text. */
static inline pb *pb_words(pb *m, unsigned field, const char *list) {
    while (*list != '\0') {
        size_t n = strcspn(list, " ");
        pb_data(m, field, list, n == 1 && list[0] == '-' ? 0 : n);
        list += n + (list[n] == ' ');
    }
    return m;
}

static inline tn_bytes pb_bytes(const pb *m) {
    tn_bytes b = {(const uint8_t *)m->data, m->len};
    return b;
}

/* NodeProto; attributes are added to it with field 5. */
static inline pb *onnx_node(tn_arena *a, const char *op, const char *in, const char *out) {
    return pb_text(pb_words(pb_words(pb_new(a), 1, in), 2, out), 4, op);
}

/* ValueInfoProto of a tensor; words of `dims` are numbers, names, or "-" for nothing. NULL: no
 * shape. */
static inline pb *onnx_value(tn_arena *a, const char *name, int dtype, const char *dims) {
    pb *tensor = pb_int(pb_new(a), 1, dtype);
    if (dims != NULL) {
        pb *shape = pb_new(a);
        while (*dims != '\0') {
            size_t n = strcspn(dims, " ");
            pb *dim = pb_new(a);
            bool number = (dims[0] >= '0' && dims[0] <= '9') || (n > 1 && dims[0] == '-');
            if (number) {
                pb_int(dim, 1, strtoll(dims, NULL, 10));
            } else if (n != 1 || dims[0] != '-') {
                pb_data(dim, 2, dims, n);
            }
            pb_msg(shape, 1, dim);
            dims += n + (dims[n] == ' ');
        }
        pb_msg(tensor, 2, shape);
    }
    pb *type = pb_msg(pb_new(a), 1, tensor), *value = pb_text(pb_new(a), 1, name);
    return pb_msg(value, 2, type);
}

/* TensorProto without data. */
static inline pb *onnx_tensor(tn_arena *a, const char *name, int dtype, const char *dims) {
    pb *t = pb_text(pb_new(a), 8, name);
    while (*dims != '\0') {
        char *end;
        pb_int(t, 1, strtoll(dims, &end, 10));
        dims = *end == ' ' ? end + 1 : end;
    }
    return pb_int(t, 2, dtype);
}

/* TensorProto of i64 in raw_data, least byte first. */
static inline pb *onnx_i64(tn_arena *a, const char *name, const char *dims, const int64_t *v,
                           size_t n) {
    pb *raw = pb_new(a);
    for (size_t i = 0; i < 8 * n; i++) {
        tn_put_c(raw, (char)(unsigned char)((uint64_t)v[i / 8] >> 8 * (i % 8)));
    }
    return pb_msg(onnx_tensor(a, name, 7, dims), 9, raw);
}

static inline pb *onnx_attr_into(pb *m, const char *name, int type) {
    return pb_int(pb_text(m, 1, name), 20, type);
}

static inline pb *onnx_attr(tn_arena *a, const char *name, int type) {
    return onnx_attr_into(pb_new(a), name, type);
}

static inline pb *onnx_attr_graph(tn_arena *a, const char *name, const pb *graph) {
    return pb_msg(onnx_attr(a, name, 5), 6, graph);
}

/* ModelProto of the given IR version with opset 18. */
static inline pb *onnx_model(tn_arena *a, int ir_version, const pb *graph) {
    pb *opset = pb_int(pb_text(pb_new(a), 1, ""), 2, 18);
    return pb_msg(pb_msg(pb_int(pb_new(a), 1, ir_version), 8, opset), 7, graph);
}

enum { G_NODE = 1, G_INIT = 5, G_INPUT = 11, G_OUTPUT = 12, G_INFO = 13 };

#endif
