/* TFLite files. One that is read is read again with its plan in it, and then is the same model, but
 * for the order of its operators. */
#include "tests/fuzz/fuzz_model.h"

unsigned long fuzz_accepted;

typedef struct written {
    const tn_plan *plan;
    const tn_module *m;
    tn_sink out;
} written;

static tn_status write_planned(tn_ctx *ctx, void *arg) {
    written *w = arg;
    const tn_backend *tflm = tn_backend_find(ctx, "tflm");
    tn_backend_args none = tn_backend_defaults(w->out.arena, tflm);
    return tn_backend_print(tflm, w->plan, w->m, &none, &w->out);
}

static void plan_again(tn_ctx *ctx, tn_arena *arena, const tn_bytes *bytes) {
    static const char *const settings[][2] = {{"O", "2"}, {"align", "16"}, {"io", "arena"}};
    tn_module *m = tn_load_bytes(ctx, "input", *bytes, NULL);
    uint32_t n_ops = m->n_ops, n_values = m->n_values;
    tn_request *request = tn_request_new(arena);
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        FUZZ_REQUIRE(tn_request_set(request, settings[i][0], settings[i][1], NULL) == TN_OK);
    }
    written w = {.m = m, .out = tn_sink_make(arena)};
    tn_plan *plan;
    if (tn_planner_run(request, m, NULL, &plan) == TN_OK && plan != NULL) {
        w.plan = plan;
        tn_status status = tn_guard_run(ctx, write_planned, &w);
        FUZZ_REQUIRE(status == TN_OK || status == TN_ERROR || status == TN_NOMEM);
        tn_bytes made = {(const uint8_t *)w.out.data, w.out.len};
        const tn_module *again = status == TN_OK ? tn_load_bytes(ctx, "again", made, NULL) : m;
        FUZZ_REQUIRE(again != NULL && again->n_ops == n_ops && again->n_values == n_values);
    }
}

static tn_status read_tflite(tn_ctx *ctx, void *arg) {
    const tn_bytes *bytes = arg;
    tn_status status = fuzz_model(ctx, arg);
    if (status == TN_OK) {
        plan_again(ctx, tn_arena_new(ctx), bytes);
    }
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    bool is_tflite = size >= 8 && memcmp(data + 4, "TFL3", 4) == 0;
    return is_tflite ? fuzz_run(data, size, read_tflite) : 0;
}
