/* The bytes of constant tensors, in the form in which they lie in memory and in raw data of ONNX:
 * little-endian, elements below a byte packed, the first in the lowest bits. */
#ifndef TENURE_IR_TENSOR_BYTES_H
#define TENURE_IR_TENSOR_BYTES_H

#include "ir/attr.h"

/* Sets n_elements and bytes from type and extents. False for a negative extent, and for more than
 * TN_MAX_TENSOR_BYTES. */
bool tn_tensor_measure(tn_tensor *t);
/* Whether the bytes can be had: from the model's file, or from elements that are known. */
bool tn_tensor_has_bytes(const tn_tensor *t);
/* Writes t->bytes bytes. Only for a tensor that has them; a file that turns out to be broken raises
 * after a located error. */
void tn_tensor_put_bytes(const tn_tensor *t, tn_sink *out);
/* Writes the low `bits` / 8 bytes of a pattern, the lowest first. */
void tn_put_pattern(tn_sink *out, uint64_t pattern, unsigned bits);

#endif
