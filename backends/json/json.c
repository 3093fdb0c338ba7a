/* The plan as JSON, for other tools: everything it holds, by the schema docs/plan.schema.json. */
#include "backends/core/backend.h"
#include "ir/plan/forms.h"

static tn_status emit(const tn_emission *e) {
    tn_plan_to_json(e->plan, e->out);
    return TN_OK;
}

const tn_backend tn_backend_json = {.name = "json",
                                    .summary = "the whole plan as JSON (docs/plan.schema.json)",
                                    .suffix = ".json",
                                    .emit = emit,
                                    .takes_sets = true,
                                    .takes_open = true,
                                    .carries = TN_CARRIES_ALL};
