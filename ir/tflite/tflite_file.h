/* The TFLite file that a module was read from: for writing it again with the places of its tensors
 * (ir/tflite/tflite_write.h). The frontend fills it. */
#ifndef TENURE_IR_TFLITE_TFLITE_FILE_H
#define TENURE_IR_TFLITE_TFLITE_FILE_H

#include "ir/tflite/flatbuffer.h"

/* Numbers of fields, by table. */
enum {
    FB_MODEL_VERSION = 0,
    FB_MODEL_OPERATOR_CODES = 1,
    FB_MODEL_SUBGRAPHS = 2,
    FB_MODEL_DESCRIPTION = 3,
    FB_MODEL_BUFFERS = 4,
    FB_MODEL_METADATA = 6,
    FB_MODEL_END = 10, /* of those that are known; all but the version are offsets */

    FB_SUBGRAPH_TENSORS = 0,
    FB_SUBGRAPH_INPUTS = 1,
    FB_SUBGRAPH_OUTPUTS = 2,
    FB_SUBGRAPH_OPERATORS = 3,
    FB_SUBGRAPH_NAME = 4,

    FB_TENSOR_SHAPE = 0,
    FB_TENSOR_TYPE = 1,
    FB_TENSOR_BUFFER = 2,
    FB_TENSOR_NAME = 3,
    FB_TENSOR_IS_VARIABLE = 5,

    FB_TYPE_RESOURCE = 13, /* a handle, which the interpreter keeps: it has no bytes */

    FB_OPERATOR_CODE = 0,
    FB_OPERATOR_INPUTS = 1,
    FB_OPERATOR_OUTPUTS = 2,
    FB_OPERATOR_OPTIONS_TYPE = 3, /* one byte: which table the options are */
    FB_OPERATOR_OPTIONS = 4,

    FB_VAR_HANDLE_OPTIONS = 111,
    FB_VAR_HANDLE_CONTAINER = 0,
    FB_VAR_HANDLE_NAME = 1,

    FB_CODE_OLD_NUMBER = 0, /* one byte; the larger of both numbers counts */
    FB_CODE_CUSTOM = 1,
    FB_CODE_VERSION = 2,
    FB_CODE_NUMBER = 3,

    FB_BUFFER_DATA = 0,
    FB_BUFFER_OFFSET = 1, /* of data behind the flatbuffer: with FB_BUFFER_SIZE */
    FB_BUFFER_SIZE = 2,

    FB_METADATA_NAME = 0,
    FB_METADATA_BUFFER = 1,
};

typedef struct tn_tflite_file {
    tn_flat_src src;
    uint32_t n_tensors;      /* of all subgraphs; those of the first come first */
    uint32_t n_operators;    /* of the first subgraph, which is the module */
    uint32_t n_values;       /* of the module when it had been read */
    const uint32_t *tensors; /* by value: tensor of the first subgraph */
    const char *shared;      /* a variable tensor that several operators use; NULL: there is none */
} tn_tflite_file;

#endif
