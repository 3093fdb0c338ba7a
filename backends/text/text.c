/* The plan as text for people and tests: one line an item. */
#include "backends/core/backend.h"
#include "ir/plan/forms.h"

static tn_status emit(const tn_emission *e) {
    tn_plan_print(e->plan, e->out);
    return TN_OK;
}

const tn_backend tn_backend_text = {
    .name = "text",
    .summary = "the whole plan as text, one line an item",
    .suffix = ".plan",
    .emit = emit,
    .takes_sets = true,
    .takes_open = true,
    .carries = TN_CARRIES(ADDRESSES) | TN_CARRIES(SECONDS) | TN_CARRIES(NAMES) | TN_CARRIES(FIXED) |
               TN_CARRIES(UNPLANNED) | TN_CARRIES(RANGES) | TN_CARRIES(ALIASES) |
               TN_CARRIES(SLOTS) | TN_CARRIES(OPS) | TN_CARRIES(HAZARDS) | TN_CARRIES(QUEUES) |
               TN_CARRIES(CLONES) | TN_CARRIES(REORDERED) | TN_CARRIES(BINDINGS) |
               TN_CARRIES(FIGURES)};
