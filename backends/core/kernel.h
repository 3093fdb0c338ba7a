/* The C form of an operator in one version: its symbol, the fields of its attributes, and its
 * operands and results, all from its row in the op table. Prototypes (tenure_kernels.h) and calls
 * are printed from the same description. */
#ifndef TENURE_BACKENDS_CORE_KERNEL_H
#define TENURE_BACKENDS_CORE_KERNEL_H

#include "ir/ops/attr_spec.h"

/* Operands or results in a row. */
typedef struct tn_kernel_port {
    const char *id;
    char mark; /* as in a signature (ir/ops/sig.h) */
    bool many; /* any number from here on: a list and its length */
} tn_kernel_port;

typedef struct tn_kernel_field {
    const char *id, *name; /* in C, and in the model */
    tn_attr_spec spec;
    int32_t operand; /* whose elements these are, where they are known; -1: an attribute */
    bool has_mark;   /* a second field says whether it is given */
} tn_kernel_field;

typedef struct tn_kernel {
    const tn_op_info *info;
    int64_t since;
    const char *symbol; /* "Conv_11", "com_microsoft_Gelu_1" */
    tn_kernel_port *operands, *results;
    uint32_t n_operands, n_results;
    tn_kernel_field *fields;
    uint32_t n_fields;
    bool generic; /* called as a tenure_generic */
} tn_kernel;

/* The version of the row that defines ops of that version of their operator set: the last one that
 * is not newer; of version 0, which is that of a file that imports none, the newest. */
int64_t tn_kernel_since(const tn_op_info *info, int64_t version);
/* Whether programs call a kernel for such ops, and not control flow, data or sequences. */
bool tn_kernel_exists(const tn_op_info *info);
/* In `arena`. */
tn_kernel tn_kernel_make(tn_arena *arena, const tn_op_info *info, int64_t since);
/* Of ops that tenure_kernels.h does not declare, with all operands in one list and all results. */
tn_kernel tn_kernel_make_generic(tn_arena *arena, const tn_op_info *info, int64_t since);
/* Domain and name as a part of a C identifier: "com_microsoft_Gelu". */
const char *tn_kernel_word(tn_arena *arena, const char *domain, const char *name);

/* "int tenure_Conv_11(const ...)", without ';'; `layout` stands behind the name: "" or "_nhwc". */
void tn_kernel_put_prototype(tn_sink *out, const tn_kernel *k, const char *layout);
/* What stands behind the name: "(const ...)". */
void tn_kernel_put_parameters(tn_sink *out, const tn_kernel *k);
/* The struct of the attributes; nothing where there are none. */
void tn_kernel_put_struct(tn_sink *out, const tn_kernel *k);
/* All of tenure_kernels.h: the same text in every program. */
void tn_put_kernels_header(tn_arena *arena, tn_sink *out);

#endif
