/* What must hold for a model once it has been read, from whatever form: it is sound, its text reads
 * back to the same text, and a small one can be planned, or is refused with a message. */
#ifndef TENURE_TESTS_FUZZ_FUZZ_MODEL_H
#define TENURE_TESTS_FUZZ_FUZZ_MODEL_H

#include <string.h>

#include "frontends/frontend.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "tests/fuzz/fuzz.h"
#include "tools/lib/planner.h"

enum { FUZZ_MAX_PLANNED = 200 /* ops of a model that is planned as well */ };

static inline void fuzz_text(tn_arena *arena, const tn_module *m) {
    tn_sink once = tn_sink_make(arena), twice = tn_sink_make(arena);
    tn_module_print(m, &once);
    tn_module *back = tn_module_parse(m->ctx, "again", once.data, once.len, NULL, NULL);
    FUZZ_REQUIRE(back != NULL);
    tn_module_print(back, &twice);
    FUZZ_REQUIRE(once.len == twice.len && memcmp(once.data, twice.data, once.len) == 0);
}

static inline tn_status fuzz_model(tn_ctx *ctx, void *arg) {
    const tn_bytes *bytes = arg;
    tn_arena *arena = tn_arena_new(ctx);
    tn_module *m = tn_load_bytes(ctx, "input", *bytes, NULL);
    if (m == NULL) {
        return TN_ERROR;
    }
    FUZZ_REQUIRE(tn_module_verify(m, false) == TN_OK);
    fuzz_text(arena, m);
    if (m->n_ops > FUZZ_MAX_PLANNED) {
        return TN_OK;
    }
    static const char *const levels[] = {"0", "1", "2", "3"};
    tn_request *request = tn_request_new(arena);
    tn_plan *plan;
    request->optimize = levels[bytes->size % 4];
    return tn_planner_run(request, m, NULL, &plan);
}

#endif
