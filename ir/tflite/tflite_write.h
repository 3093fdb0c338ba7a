/* TFLite files with the places of their tensors in them. */
#ifndef TENURE_IR_TFLITE_TFLITE_WRITE_H
#define TENURE_IR_TFLITE_TFLITE_WRITE_H

#include "ir/base/sink.h"
#include "ir/tflite/tflite_file.h"

/* The file with the metadata OfflineMemoryAllocation: an offset in the arena for each tensor, in
 * order, -1 where the interpreter is to find a place; and with the operators of the first subgraph
 * in that order, by their places in the file. All else that the file holds stays as it is, but for
 * metadata of that name; raises after a located error when it would get too large. */
void tn_tflite_write(const tn_tflite_file *file, const int32_t *offsets, const uint32_t *order,
                     tn_sink *out);

#endif
