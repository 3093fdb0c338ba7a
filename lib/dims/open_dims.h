/* What a model leaves open, where it comes from, and a command line that binds it. */
#ifndef TENURE_LIB_OPEN_DIMS_H
#define TENURE_LIB_OPEN_DIMS_H

#include "ir/base/file.h"
#include "ir/base/sink.h"

/* The model is in `bytes`; `path` is its name in messages and in the command line shown. */
TN_MUST_USE tn_status tn_dims_print(tn_arena *arena, const char *path, tn_bytes bytes,
                                    tn_sink *out);

#endif
