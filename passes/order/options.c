#include "passes/order/options.h"

#include <stdlib.h>

/* The command that bench/without.py runs is built with TN_ORDER_WITHOUT: a variable of this
 * name says which steps to leave out, as a number. */
static uint32_t left_out(void) {
#ifdef TN_ORDER_WITHOUT
    const char *text = getenv(TN_ORDER_WITHOUT);
    return text != NULL ? (uint32_t)strtoul(text, NULL, 10) : 0;
#else
    return 0;
#endif
}

tn_sched_options tn_sched_thorough(void) {
    return (tn_sched_options){
#define BUDGET(name, quick, thorough) .name = (thorough),
#include "passes/order/order_budgets.def"
#undef BUDGET
        .without = left_out()};
}

tn_sched_options tn_sched_local(uint64_t bound) {
    tn_sched_options o = tn_sched_thorough();
    o.search = tn_sched_quick().search;
    o.flow /= 2;
    o.without |= 1u << TN_ORDER_lists | 1u << TN_ORDER_cut | 1u << TN_ORDER_exact;
    o.bound = bound;
    return o;
}

tn_sched_options tn_sched_quick(void) {
    return (tn_sched_options){
#define BUDGET(name, quick, thorough) .name = (quick),
#include "passes/order/order_budgets.def"
#undef BUDGET
        .without = left_out()};
}
