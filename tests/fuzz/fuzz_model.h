/* What must hold for a model once it has been read, from whatever form: it is sound, its text reads
 * back to the same text, and a small one can be planned, or is refused with a message. A plan is
 * written in all forms, and its JSON is the plan of that model when it is read back. */
#ifndef TENURE_TESTS_FUZZ_FUZZ_MODEL_H
#define TENURE_TESTS_FUZZ_FUZZ_MODEL_H

#include <string.h>

#include "frontends/core/frontend.h"
#include "ir/base/map.h"
#include "ir/check/check.h"
#include "ir/onnx/onnx_write.h"
#include "ir/plan/forms.h"
#include "ir/text/text.h"
#include "ir/verify.h"
#include "lib/planner.h"
#include "tests/fuzz/fuzz.h"

enum {
    FUZZ_MAX_PLANNED = 200, /* ops of a model that is planned as well */
    FUZZ_MAX_ORDERED = 24,  /* whose order is searched for */
    FUZZ_SETTINGS = 4
};

/* Ways to plan, drawn by a hash of the input. */
static const char *const fuzz_ways[][FUZZ_SETTINGS][2] = {
    {{"O", "0"}},
    {{"O", "1"}, {"io", "arena"}},
    {{"O", "2"}, {"reuse-inputs", "true"}},
    {{"O", "3"}},
    {{"O", "3"}, {"io", "arena"}, {"reuse-inputs", "true"}, {"align", "1"}},
    {{"O", "3"}, {"memory", "slots"}, {"schedule", "kahn"}},
    {{"O", "3"}, {"schedule", "longest-path"}, {"level", "0"}},
    {{"O", "3"}, {"schedule", "min-peak"}},
    {{"O", "2"}, {"keep-all", "true"}},
};

static inline void fuzz_text(tn_arena *arena, const tn_module *m) {
    tn_sink once = tn_sink_make(arena), twice = tn_sink_make(arena);
    tn_module_print(m, &once);
    tn_module *back = tn_module_parse(m->ctx, "again", once.data, once.len);
    FUZZ_REQUIRE(back != NULL);
    tn_module_print(back, &twice);
    FUZZ_REQUIRE(once.len == twice.len && memcmp(once.data, twice.data, once.len) == 0);
}

/* The file of the model of the seeds (tests/fuzz/seeds.py) whose graph has that name, or NULL. */
static inline const char *fuzz_seed(tn_arena *arena, const char *name) {
    static const char *const names[] = {"branches", "chain", "function", "loop",
                                        "odds",     "scan",  "training", "training_info"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(name, names[i]) == 0) {
            return tn_arena_printf(arena, "%s/tests/fuzz/corpus/onnx/%s.onnx", TENURE_SOURCE, name);
        }
    }
    return NULL;
}

/* By all backends that take it, as they are and as the target's devices differ. */
static inline void fuzz_emit(tn_arena *arena, const tn_plan *plan) {
    static const char *const modes[] = {"mode=offsets", "mode=objects", "mode=subbuffers"};
    uint32_t n;
    const tn_backend *const *backends = tn_backend_all(NULL, &n);
    for (uint32_t i = 0; i < n; i++) {
        tn_sink out = tn_sink_make(arena);
        tn_backend_args none = tn_backend_defaults(arena, backends[i]);
        FUZZ_REQUIRE(tn_backend_print(backends[i], plan, NULL, &none, &out) != TN_INTERNAL);
    }
    const tn_backend *opencl = tn_backend_find(NULL, "opencl");
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        tn_sink out = tn_sink_make(arena);
        tn_backend_args args = tn_backend_defaults(arena, opencl);
        FUZZ_REQUIRE(tn_backend_set(arena, opencl, "test", modes[i], &args) == TN_OK);
        FUZZ_REQUIRE(tn_backend_print(opencl, plan, NULL, &args, &out) != TN_INTERNAL);
    }
}

typedef struct fuzz_written {
    const tn_plan *plan; /* NULL: the model alone */
    const tn_module *m;
    const tn_backend_args *args;
    tn_sink out;
} fuzz_written;

static inline tn_status fuzz_write(tn_ctx *ctx, void *arg) {
    fuzz_written *w = arg;
    tn_arena *arena = tn_arena_new(ctx);
    if (w->plan == NULL) {
        tn_onnx_write(w->m, tn_onnx_order_make(arena, w->m, NULL), NULL, &w->out);
        return TN_OK;
    }
    return tn_backend_print(tn_backend_find(ctx, "onnx"), w->plan, w->m, w->args, &w->out);
}

static inline void fuzz_json(tn_arena *arena, const tn_plan *plan, const tn_module *m) {
    tn_sink json = tn_sink_make(arena), again = tn_sink_make(arena);
    tn_plan_to_json(plan, &json);
    tn_plan *back = tn_plan_from_json(m->ctx, "again", json.data, json.len);
    FUZZ_REQUIRE(back != NULL);
    tn_plan_to_json(back, &again);
    FUZZ_REQUIRE(strcmp(json.data, again.data) == 0);
    FUZZ_REQUIRE(tn_plan_check(back, m) == TN_OK);
}

/* An ONNX model that is read and written is the same from the second time on. */
static inline void fuzz_onnx_again(tn_arena *arena, const tn_module *m) {
    fuzz_written w = {.m = m, .out = tn_sink_make(arena)};
    tn_status status = tn_guard_run(m->ctx, fuzz_write, &w);
    FUZZ_REQUIRE(status == TN_OK || status == TN_ERROR || status == TN_NOMEM);
    if (status == TN_OK && m->onnx != NULL) {
        tn_bytes bytes = {(const uint8_t *)w.out.data, w.out.len};
        fuzz_written back = {.m = tn_load_bytes(m->ctx, "again", bytes, NULL)};
        back.out = tn_sink_make(arena);
        FUZZ_REQUIRE(back.m != NULL && tn_guard_run(m->ctx, fuzz_write, &back) == TN_OK);
        FUZZ_REQUIRE(back.out.len == w.out.len &&
                     memcmp(back.out.data, w.out.data, w.out.len) == 0);
    }
}

/* A model with its plan in it is read as one that the plan is right for. */
static inline void fuzz_annotate(tn_arena *arena, const tn_plan *plan, const tn_module *m) {
    const tn_backend *onnx = tn_backend_find(m->ctx, "onnx");
    tn_backend_args none = tn_backend_defaults(arena, onnx);
    fuzz_written w = {.plan = plan, .m = m, .args = &none, .out = tn_sink_make(arena)};
    tn_status status = tn_guard_run(m->ctx, fuzz_write, &w);
    FUZZ_REQUIRE(status == TN_OK || status == TN_ERROR || status == TN_NOMEM);
    tn_bytes bytes = {(const uint8_t *)w.out.data, w.out.len}, text;
    if (status != TN_OK) {
        return;
    }
    FUZZ_REQUIRE(tn_load_note(m->ctx, "noted", bytes, TN_PLAN_NOTE, &text));
    tn_plan *back = tn_plan_from_json(m->ctx, "noted", text.data, text.size);
    tn_request *r = tn_request_new(arena);
    FUZZ_REQUIRE(back != NULL && tn_planner_adopt(r, back) == TN_OK);
    tn_load_options options = tn_request_load_options(r);
    tn_module *again = tn_load_bytes(m->ctx, "noted", bytes, &options);
    FUZZ_REQUIRE(again != NULL && tn_planner_check(r, again, back) == TN_OK);
}

static inline tn_status fuzz_planned(tn_arena *arena, const tn_request *request, tn_module *m) {
    tn_plan *plan;
    tn_status status = tn_planner_run(request, m, NULL, &plan);
    if (plan != NULL) {
        fuzz_emit(arena, plan);
        fuzz_json(arena, plan, m);
        fuzz_annotate(arena, plan, m);
    }
    return status;
}

static inline tn_status fuzz_plan(tn_arena *arena, tn_module *m, const tn_bytes *bytes) {
    size_t n = sizeof fuzz_ways / sizeof fuzz_ways[0];
    size_t way = tn_hash(bytes->data, bytes->size, 0) % n;
    tn_request *request = tn_request_new(arena);
    for (size_t i = 0; i < FUZZ_SETTINGS && fuzz_ways[way][i][0] != NULL; i++) {
        const char *key = fuzz_ways[way][i][0], *value = fuzz_ways[way][i][1];
        bool slow = strcmp(value, "min-peak") == 0 && m->n_ops > FUZZ_MAX_ORDERED;
        FUZZ_REQUIRE(slow || tn_request_set(request, key, value, NULL) == TN_OK);
    }
    return fuzz_planned(arena, request, m);
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
    fuzz_onnx_again(arena, m);
    return m->n_ops > FUZZ_MAX_PLANNED ? TN_OK : fuzz_plan(arena, m, bytes);
}

#endif
