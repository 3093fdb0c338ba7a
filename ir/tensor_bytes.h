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
/* Gives `t`, measured, the bytes at `data`, which must stay: numbers that are few enough become
 * known. */
void tn_tensor_set_bytes(tn_arena *arena, tn_tensor *t, const void *data);
/* Little-endian bytes as a pattern, and a pattern (its low bits) as a number of that type. False
 * for what cannot be kept: unsigned numbers above INT64_MAX, floats of 8 bits or less. */
uint64_t tn_pattern_load(const uint8_t *bytes, unsigned n);
bool tn_pattern_int(tn_dtype dtype, uint64_t pattern, int64_t *out);
bool tn_pattern_float(tn_dtype dtype, uint64_t pattern, double *out);
/* Writes the low `bits` / 8 bytes of a pattern, the lowest first. */
void tn_put_pattern(tn_sink *out, uint64_t pattern, unsigned bits);

#endif
