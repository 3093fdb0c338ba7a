/* The n-th allocation fails, for every n, on the whole path from a file to all artefacts: the
 * status says so, nothing is leaked, and the context goes on working. test_api.c has the same for
 * the rest of the interface. */
#include <stdio.h>
#include <stdlib.h>

#include "backends/core/backend.h"
#include "tests/unit/meter_noted.h"
#include "tests/unit/unit.h"

#include "tenure/ir.h"

/* A command: a model, how to plan it. Artefacts are all there are. */
typedef struct command {
    const char *file;
    const char *options[3][2];
} command;

#define CORPUS TENURE_SOURCE "/tests/fuzz/corpus/"
static const command commands[] = {
    {CORPUS "onnx/chain.onnx", {{"O", "2"}, {"dim", "n=4"}}},
    {CORPUS "onnx/chain.onnx", {{"O", "3"}, {"memory", "slots"}, {"dim", "n=4"}}},
    {CORPUS "onnx/branches.onnx", {{"O", "3"}, {"schedule", "kahn"}}},
    {CORPUS "onnx/loop.onnx", {{"O", "1"}, {"io", "arena"}}},
    {CORPUS "onnx/scan.onnx", {{"O", "3"}, {"reuse-inputs", "true"}}},
    {CORPUS "onnx/function.onnx", {{"O", "0"}}},
    {CORPUS "onnx/training.onnx", {{"O", "2"}, {"exclude", "h"}}},
    {CORPUS "onnx/odds.onnx", {{"O", "3"}}},
    {CORPUS "onnx/branches.onnx", {{"O", "2"}, {"concurrency", "dataflow"}}},
    {CORPUS "onnx/loop.onnx", {{"O", "3"}, {"queues", "2"}, {"memory", "slots"}}},
    {CORPUS "tir/training.tir", {{"O", "3"}, {"level", "0"}}},
    {TENURE_SOURCE "/examples/models/ds_cnn.onnx", {{"O", "2"}}},
};

static int take(void *user, const char *file, const void *data, size_t size) {
    (void)user, (void)file, (void)data, (void)size;
    return 0;
}

/* A status other than TENURE_ERROR that ends the run; a backend may well refuse a plan. */
static tenure_status emit_all(const tenure_plan *plan, const tenure_model *model,
                              const command *c) {
    uint32_t n;
    const tn_backend *const *backends = tn_backend_all(NULL, &n);
    for (uint32_t i = 0; i < n; i++) {
        tenure_sink sink = {sizeof sink, "net.c", take, NULL};
        /* The header of all kernels is the same for each: once is enough. */
        bool again = strcmp(backends[i]->name, "opencl-program") == 0 ||
                     (c != commands && strcmp(backends[i]->name, "c-program") == 0);
        const char *options = !again ? NULL
                              : strcmp(backends[i]->name, "c-program") == 0
                                  ? "kernels=none,harness=true"
                                  : "kernels=none";
        tenure_status status = tenure_emit(plan, model, backends[i]->name, options, &sink);
        if (status != TENURE_OK && status != TENURE_ERROR) {
            return status;
        }
    }
    tenure_buffer *report;
    return tenure_plan_report(plan, &report);
}

static tenure_status run_command(tenure_context *ctx, const command *c) {
    tenure_options *options = tenure_options_new(ctx);
    tenure_status status = options != NULL ? TENURE_OK : TENURE_NOMEM;
    for (size_t i = 0; i < 3 && status == TENURE_OK && c->options[i][0] != NULL; i++) {
        status = tenure_options_set(options, c->options[i][0], c->options[i][1]);
    }
    if (status != TENURE_OK) {
        return status;
    }
    tenure_model *model = tenure_load_file(ctx, c->file, options);
    if (model == NULL) {
        return TENURE_NOMEM;
    }
    tenure_plan *plan;
    status = tenure_plan_make(model, options, &plan);
    return status == TENURE_OK ? emit_all(plan, model, c) : status;
}

static void check_command(const command *c) {
    meter all = {.fail_at = -1};
    tenure_allocator allocator = {noted, &all};
    oom_n = 0;
    tenure_context *ctx = tenure_context_new(&allocator);
    assert_int_equal(run_command(ctx, c), TENURE_OK);
    tenure_context_free(ctx);
    assert_int_equal(all.out, 0);
    assert_true(all.n > 20 && all.n == oom_n);
    allocator.fn = metered;
    long runs = 0;
    for (long n = 0; n < all.n; n++) {
        if (!oom_chosen(n)) {
            continue;
        }
        meter m = {.fail_at = n};
        allocator.user = &m;
        ctx = tenure_context_new(&allocator);
        assert_true(m.failed == (ctx == NULL));
        if (ctx != NULL) {
            assert_int_equal(run_command(ctx, c), TENURE_NOMEM);
            assert_true(m.failed);
            assert_int_equal(run_command(ctx, c), TENURE_OK); /* usable afterwards */
            tenure_context_free(ctx);
        }
        assert_int_equal(m.out, 0);
        runs++;
    }
    print_message("%s: %ld of %ld allocations\n", strrchr(c->file, '/') + 1, runs, all.n);
}

static void test_every_allocation(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        check_command(&commands[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_allocation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
