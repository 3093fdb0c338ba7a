/* Frontends: bytes in, module out. */
#ifndef TENURE_FRONTENDS_CORE_FRONTEND_H
#define TENURE_FRONTENDS_CORE_FRONTEND_H

#include "ir/base/file.h"
#include "ir/module.h"

/* What the file leaves open, as the user binds it. */
typedef struct tn_dim_binding {
    const char *name; /* a symbol (dim_param) */
    int64_t value;
} tn_dim_binding;

typedef struct tn_input_shape {
    const char *name;    /* a graph input */
    const int64_t *dims; /* -1 leaves a dimension as it is */
    uint32_t rank;
} tn_input_shape;

/* The elements of an input, for inference: the plan holds for runs with these alone. */
typedef struct tn_input_value {
    const char *name;
    uint32_t n;
    const double *floats;
    const int64_t *ints; /* NULL when some are no whole numbers */
} tn_input_value;

typedef struct tn_load_options {
    const tn_dim_binding *dims;
    uint32_t n_dims;
    const tn_input_shape *shapes;
    uint32_t n_shapes;
    const tn_input_value *values;
    uint32_t n_values;
    /* Another graph than the main one: the initialization graph of training info number
     * `training_info`, as a module of its own. ONNX files only. */
    bool initialization;
    uint32_t training_info;
    bool ignore_value_info; /* forget stored shapes of inner values (for measuring inference) */
    bool unhashed; /* leave the module's sha256 empty: for one that no plan will be made of */
} tn_load_options;

/* Reads a model; the form is found from the content (.tir text starts with "tir"). Diagnostics name
 * file, node, op and operand. Names that no binding matches are errors with a suggestion. The
 * result has an arena of its own (tn_module_drop); NULL after a diagnostic. */
tn_module *tn_load_file(tn_ctx *ctx, const char *path, const tn_load_options *options);
/* The same from memory, `bytes` must outlive the call only; `path` is used in messages and to find
 * external data. */
tn_module *tn_load_bytes(tn_ctx *ctx, const char *path, tn_bytes bytes,
                         const tn_load_options *options);

/* The two forms. */
tn_module *tn_load_onnx(tn_ctx *ctx, const char *path, tn_bytes bytes,
                        const tn_load_options *options);
tn_module *tn_load_tir(tn_ctx *ctx, const char *path, tn_bytes bytes,
                       const tn_load_options *options);

#endif
