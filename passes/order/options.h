/* What finding an order may cost, and which steps it takes. */
#ifndef TENURE_PASSES_ORDER_OPTIONS_H
#define TENURE_PASSES_ORDER_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum tn_order_step {
#define STEP(name) TN_ORDER_##name,
#include "passes/order/order_steps.def"
#undef STEP
    TN_ORDER_STEPS
} tn_order_step;

typedef struct tn_sched_options {
#define BUDGET(name, quick, thorough) uint64_t name;
#include "passes/order/order_budgets.def"
#undef BUDGET
    /* Bits 1 << TN_ORDER_... of steps to leave out. */
    uint32_t without;
    uint64_t bound; /* of all orders, where one is known: a peak as low ends the search */
} tn_sched_options;

/* The two columns of order_budgets.def. */
tn_sched_options tn_sched_thorough(void);
tn_sched_options tn_sched_quick(void);
/* For orders that differ from the one given where its peaks are, and little elsewhere. */
tn_sched_options tn_sched_local(uint64_t bound);

static inline bool tn_order_has_step(uint32_t without, tn_order_step step) {
    return (without >> step & 1u) == 0;
}

#endif
