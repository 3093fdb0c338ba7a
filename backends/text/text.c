/* The plan as text for people and tests: one line an item. */
#include "backends/core/backend.h"
#include "ir/plan/forms.h"

static tn_status emit(const tn_plan *plan, const tn_backend_args *args, tn_sink *out) {
    (void)args;
    tn_plan_print(plan, out);
    return TN_OK;
}

const tn_backend tn_backend_text = {.name = "text",
                                    .summary = "the whole plan as text, one line an item",
                                    .suffix = ".plan",
                                    .emit = emit};
