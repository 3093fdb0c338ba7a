#include "frontends/onnx/proto.h"

#include <string.h>

#include "ir/base/limits.h"

static void *arena_alloc(void *user, size_t size) {
    return tn_arena_alloc(user, size);
}

static void arena_free(void *user, void *p) {
    (void)user;
    (void)p;
}

static tn_wire_type wire_type_of(ProtobufCType type) {
    switch (type) {
    case PROTOBUF_C_TYPE_FIXED32:
    case PROTOBUF_C_TYPE_SFIXED32:
    case PROTOBUF_C_TYPE_FLOAT:
        return TN_WIRE_I32;
    case PROTOBUF_C_TYPE_FIXED64:
    case PROTOBUF_C_TYPE_SFIXED64:
    case PROTOBUF_C_TYPE_DOUBLE:
        return TN_WIRE_I64;
    case PROTOBUF_C_TYPE_STRING:
    case PROTOBUF_C_TYPE_BYTES:
    case PROTOBUF_C_TYPE_MESSAGE:
        return TN_WIRE_LEN;
    case PROTOBUF_C_TYPE_INT32:
    case PROTOBUF_C_TYPE_SINT32:
    case PROTOBUF_C_TYPE_INT64:
    case PROTOBUF_C_TYPE_SINT64:
    case PROTOBUF_C_TYPE_UINT32:
    case PROTOBUF_C_TYPE_UINT64:
    case PROTOBUF_C_TYPE_BOOL:
    case PROTOBUF_C_TYPE_ENUM:
        break;
    }
    return TN_WIRE_VARINT;
}

static void check_packed(const tn_wire_src *src, const tn_wire_field *f, tn_wire_type item) {
    size_t width = item == TN_WIRE_I32 ? 4 : 8;
    if (item != TN_WIRE_VARINT) {
        if (f->bytes.size % width != 0) {
            tn_wire_fail(src, f->tag, "field %u packs items of %zu bytes into %zu bytes",
                         (unsigned)f->number, width, f->bytes.size);
        }
        return;
    }
    tn_wire w = tn_wire_open(src, f->bytes);
    uint64_t value;
    while (tn_wire_next_varint(&w, &value)) {
    }
}

static size_t check_message(const tn_wire_src *src, const ProtobufCMessageDescriptor *desc,
                            tn_bytes message, uint64_t keep, unsigned depth);

static void check_field(const tn_wire_src *src, const ProtobufCFieldDescriptor *fd,
                        const tn_wire_field *f, unsigned depth) {
    tn_wire_type want = wire_type_of(fd->type);
    if (f->type == TN_WIRE_LEN && want != TN_WIRE_LEN && fd->label == PROTOBUF_C_LABEL_REPEATED) {
        check_packed(src, f, want);
        return;
    }
    if (f->type != want) {
        tn_wire_fail(src, f->tag, "'%s' (field %u) has wire type %d instead of %d", fd->name,
                     (unsigned)f->number, (int)f->type, (int)want);
    }
    if (fd->type == PROTOBUF_C_TYPE_STRING && f->bytes.size > 0 &&
        memchr(f->bytes.data, 0, f->bytes.size) != NULL) {
        tn_wire_fail(src, f->tag, "the text of '%s' holds a NUL", fd->name);
    }
    if (fd->type == PROTOBUF_C_TYPE_MESSAGE) {
        (void)check_message(src, fd->descriptor, f->bytes, ~0ull, depth + 1);
    }
}

static void check_known(const tn_wire_src *src, const ProtobufCMessageDescriptor *desc,
                        const tn_wire_field *f, unsigned depth) {
    const ProtobufCFieldDescriptor *fd = protobuf_c_message_descriptor_get_field(desc, f->number);
    if (fd != NULL) {
        check_field(src, fd, f, depth);
    }
}

static bool is_kept(const tn_wire_field *f, uint64_t keep) {
    return keep == ~0ull || (f->number < 64 && (keep & TN_FIELD(f->number)) != 0);
}

/* Recursive, but no deeper than TN_MAX_MESSAGES: what nests deeper is never in `keep`. Returns the
 * bytes of the fields to keep. */
static size_t check_message(const tn_wire_src *src, const ProtobufCMessageDescriptor *desc,
                            tn_bytes message, uint64_t keep, unsigned depth) {
    if (depth > TN_MAX_MESSAGES) {
        tn_wire_fail(src, message.data, "%s nested more than %u deep", desc->short_name,
                     TN_MAX_MESSAGES);
    }
    tn_wire w = tn_wire_open(src, message);
    tn_wire_field f;
    size_t kept = 0;
    while (tn_wire_next(&w, &f)) {
        if (!is_kept(&f, keep)) {
            continue;
        }
        kept += (size_t)(f.end - f.tag);
        check_known(src, desc, &f, depth);
    }
    return kept;
}

void tn_proto_check(const tn_wire_src *src, const ProtobufCMessageDescriptor *desc,
                    const tn_wire_field *f) {
    check_known(src, desc, f, 0);
}

/* The message without the fields not kept, of which `size` bytes are left: itself when that is all.
 */
static tn_bytes slim(const tn_wire_src *src, tn_arena *arena, tn_bytes message, uint64_t keep,
                     size_t size) {
    if (size == message.size) {
        return message;
    }
    uint8_t *copy = tn_arena_unset(arena, size);
    tn_bytes out = {copy, size};
    tn_wire w = tn_wire_open(src, message);
    tn_wire_field f;
    while (tn_wire_next(&w, &f)) {
        if (is_kept(&f, keep)) {
            size_t n = (size_t)(f.end - f.tag);
            memcpy(copy, f.tag, n);
            copy += n;
        }
    }
    return out;
}

void *tn_proto_unpack(const tn_wire_src *src, tn_arena *arena,
                      const ProtobufCMessageDescriptor *desc, tn_bytes message, uint64_t keep) {
    size_t size = check_message(src, desc, message, keep, 0);
    tn_bytes bytes = slim(src, arena, message, keep, size);
    ProtobufCAllocator alloc = {arena_alloc, arena_free, arena};
    void *unpacked = protobuf_c_message_unpack(desc, &alloc, bytes.size, bytes.data);
    if (unpacked == NULL) {
        tn_wire_fail(src, message.data, "%s cannot be unpacked", desc->short_name);
    }
    return unpacked;
}
