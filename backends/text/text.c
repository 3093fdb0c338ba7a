/* The plan as text for people and tests: one line an item. */
#include "backends/core/backend.h"
#include "ir/plan/forms.h"

static tn_status emit(const tn_emission *e) {
    tn_plan_print(e->plan, e->out);
    return TN_OK;
}

const tn_backend tn_backend_text = {.name = "text",
                                    .summary = "the whole plan as text, one line an item",
                                    .suffix = ".plan",
                                    .emit = emit};
