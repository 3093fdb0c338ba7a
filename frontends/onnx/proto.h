/* Unpacking one message with protobuf-c, without the fields that are large or nest without bound.
 * Those are walked (ir/onnx/wire.h) and unpacked one by one, so that neither the stack nor
 * the memory in use grows with the depth or the size of the model. */
#ifndef TENURE_FRONTENDS_ONNX_PROTO_H
#define TENURE_FRONTENDS_ONNX_PROTO_H

#include <onnx.pb-c.h>

#include "ir/onnx/wire.h"

#define TN_FIELD(number) (1ull << (number))

/* Unpacks the fields of `message` whose numbers (below 64) are in `keep` into `arena`; all others
 * are left out without being read. Before protobuf-c sees them, wire types, text (no NUL inside)
 * and nesting (TN_MAX_MESSAGES) of the kept ones are checked, so that errors name the byte.
 */
void *tn_proto_unpack(const tn_wire_src *src, tn_arena *arena,
                      const ProtobufCMessageDescriptor *desc, tn_bytes message, uint64_t keep);

/* The same checks of one field of a message, for who reads it where it lies. */
void tn_proto_check(const tn_wire_src *src, const ProtobufCMessageDescriptor *desc,
                    const tn_wire_field *f);

/* protobuf-c leaves absent text NULL. */
static inline const char *tn_proto_text(const char *s) {
    return s != NULL ? s : "";
}

#endif
