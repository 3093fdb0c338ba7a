#include "passes/plan/conflicts.h"

const tn_conflict *tn_conflicts_find(tn_arena *arena, const tn_class_order *order,
                                     const uint32_t *class_of, uint32_t n, size_t *n_conflicts) {
    TN_VEC(tn_conflict) found = {0};
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (!tn_class_precedes(order, class_of[k], class_of[i]) &&
                !tn_class_precedes(order, class_of[i], class_of[k])) {
                tn_vec_push(arena, &found, (tn_conflict){k, i});
            }
        }
    }
    *n_conflicts = found.len;
    return found.data;
}
