#include "ir/ops/group_claims.h"

#include <string.h>

#include "ir/ops/op_set.h"

tn_value *tn_part_operand(const tn_op *part, uint32_t k) {
    return k >= part->n_operands ? NULL
           : part->was != NULL   ? part->was->operands[k]
                                 : part->operands[k].value;
}

tn_value *tn_part_result(const tn_op *part, uint32_t r) {
    return r >= part->n_results ? NULL
           : part->was != NULL  ? part->was->results[r]
                                : part->results[r];
}

bool tn_op_is_group(const tn_op *op) {
    return !op->erased && tn_is_group(op->domain, op->n_parts);
}

static bool same_shape(const tn_value *a, const tn_value *b) {
    const tn_type *x = a->type, *y = b->type;
    return x->has_rank && y->has_rank && x->rank == y->rank &&
           memcmp(x->dims, y->dims, x->rank * sizeof *x->dims) == 0;
}

/* Whether the value is x, or a result of one of the first n parts that follows from it. */
static bool follows(const tn_op *const *parts, const bool *from, uint32_t n, const tn_value *v,
                    const tn_value *x) {
    for (uint32_t i = 0; i < n; i++) {
        if (from[i] && tn_part_result(parts[i], 0) == v) {
            return true;
        }
    }
    return v == x;
}

bool tn_group_is_elementwise(const tn_op *const *parts, uint32_t n, const tn_value *x) {
    enum { MOST = 64 };
    bool from[MOST] = {false};
    for (uint32_t i = 0; i < n && n <= MOST; i++) {
        const tn_op *part = parts[i];
        const tn_value *y = tn_part_result(part, 0);
        for (uint32_t k = 0; k < part->n_operands; k++) {
            const tn_value *v = tn_part_operand(part, k);
            if (v == NULL || !follows(parts, from, i, v, x)) {
                continue;
            }
            bool element = (part->info->traits & TN_T_ELEMENTWISE) != 0 && same_shape(v, y);
            bool view = part->info->view == TN_VIEW_WHOLE && k == 0;
            if (!element && !view) {
                return false;
            }
            from[i] = true;
        }
    }
    return n <= MOST;
}
