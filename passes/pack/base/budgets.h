/* The numbers of passes/pack/budgets.def: TN_LIMIT_NAME, and tn_budget(TN_BUDGET_NAME, effort). */
#ifndef TENURE_PASSES_PACK_BASE_BUDGETS_H
#define TENURE_PASSES_PACK_BASE_BUDGETS_H

#include <stdint.h>

enum {
#define LIMIT(name, value) TN_LIMIT_##name = (value),
#include "passes/pack/budgets.def"
};

typedef enum tn_budget_id {
#define BUDGET(name, e0, e1, e2, e3) TN_BUDGET_##name,
#include "passes/pack/budgets.def"
} tn_budget_id;

/* `effort`: 0 to 3. */
static inline uint64_t tn_budget(tn_budget_id id, uint32_t effort) {
    static const uint64_t budgets[][4] = {
#define BUDGET(name, e0, e1, e2, e3) {e0, e1, e2, e3},
#include "passes/pack/budgets.def"
    };
    return budgets[id][effort];
}

/* What n items may spend of a budget for up to `common` ones: a node costs more the more there are.
 */
static inline uint64_t tn_budget_for(tn_budget_id id, uint32_t effort, uint32_t n,
                                     uint32_t common) {
    return tn_budget(id, effort) / (n > common ? n : common) * common;
}

#endif
