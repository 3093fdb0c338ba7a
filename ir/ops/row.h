/* What the row of an op says in one version, with its strings read: names are positions, defaults
 * are attributes. Made when a module first asks for it and kept in the module. */
#ifndef TENURE_IR_OPS_ROW_H
#define TENURE_IR_OPS_ROW_H

#include "ir/ops/claims.h"
#include "ir/ops/sig.h"

typedef struct tn_row tn_row;
struct tn_row {
    const tn_row *next; /* the same op in another version */
    int64_t version;
    tn_arity arity; /* of all versions */
    const tn_inplace *inplace;
    uint32_t n_inplace;
    uint32_t overwritten; /* operands that a result has to lie in, as bits */
    bool has_view;
    uint32_t view_operand;
    bool view_many; /* .view_of stands for all operands from view_operand on */
    uint32_t shape_only;
    const tn_attr *attrs; /* that ops of the version have; those without a default are 0 */
    const bool *has_default;
    uint32_t n_attrs;
};

const tn_row *tn_op_row(const tn_op *op);

#endif
