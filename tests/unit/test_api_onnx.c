/* Models as ONNX through the public headers: what has a plan in it is read with that plan, and what
 * is written is what was read. The n-th allocation fails in all of it, for every n. */
#include <stdio.h>
#include <stdlib.h>

#include "tenure/ir.h"
#include "tenure/tenure.h"
#include "tests/unit/unit.h"

#define ANNOTATED TENURE_SOURCE "/tests/fuzz/corpus/annotated/loop.onnx"
#define PLAIN TENURE_SOURCE "/tests/fuzz/corpus/onnx/loop.onnx"

typedef struct meter {
    long fail_at, n;
} meter;

static void *metered(void *user, void *ptr, size_t old_size, size_t new_size) {
    meter *m = user;
    (void)old_size;
    if (new_size == 0) {
        free(ptr);
        return NULL;
    }
    return m->n++ == m->fail_at ? NULL : realloc(ptr, new_size);
}

typedef struct text {
    char data[1 << 14];
    size_t len;
    int refuse;
} text;

static int take(void *user, const char *file, const void *data, size_t size) {
    text *t = user;
    (void)file;
    if (t->refuse || t->len + size > sizeof t->data) {
        return 1;
    }
    memcpy(t->data + t->len, data, size);
    t->len += size;
    return 0;
}

static tenure_sink sink_of(text *t) {
    t->len = 0;
    return (tenure_sink){sizeof(tenure_sink), NULL, take, t};
}

/* The model with its plan, the plan's way back into the file, and the model without it. */
static tenure_status write_back(tenure_context *ctx, text *with, text *without) {
    tenure_plan *plan;
    tenure_model *model = tenure_load_planned(ctx, ANNOTATED, NULL, &plan);
    if (model == NULL) {
        return tenure_last_status(ctx);
    }
    tenure_sink sink = sink_of(with);
    tenure_status status = tenure_emit(plan, model, "onnx", NULL, &sink);
    if (status == TENURE_OK) {
        sink = sink_of(without);
        status = tenure_model_write_onnx(model, &sink);
    }
    tenure_plan_free(plan);
    tenure_model_free(model);
    return status;
}

static void expect_file(const text *t, const char *path) {
    static char bytes[1 << 14];
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    size_t n = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    assert_int_equal(t->len, n);
    assert_memory_equal(t->data, bytes, n);
}

static text with, without;

static void test_round(void **state) {
    (void)state;
    tenure_context *ctx = tenure_context_new(NULL);
    assert_int_equal(write_back(ctx, &with, &without), TENURE_OK);
    expect_file(&with, ANNOTATED);
    expect_file(&without, PLAIN);
    without.refuse = 1;
    assert_int_equal(write_back(ctx, &with, &without), TENURE_ERROR);
    without.refuse = 0;
    tenure_context_free(ctx);
}

static void test_refused(void **state) {
    (void)state;
    tenure_context *ctx = tenure_context_new(NULL);
    tenure_plan *plan;
    assert_null(tenure_load_planned(ctx, PLAIN, NULL, &plan));
    assert_int_equal(tenure_last_status(ctx), TENURE_ERROR);
    tenure_options *options = tenure_options_new(ctx);
    assert_int_equal(tenure_options_set(options, "O", "3"), TENURE_OK);
    assert_null(tenure_load_planned(ctx, ANNOTATED, options, &plan));
    assert_int_equal(tenure_last_status(ctx), TENURE_USAGE);
    assert_null(tenure_load_planned(ctx, NULL, NULL, &plan));
    assert_null(tenure_load_planned(ctx, PLAIN, NULL, NULL));
    tenure_model *model = tenure_load_file(ctx, PLAIN, NULL);
    tenure_sink sink = {.struct_size = 1};
    assert_int_equal(tenure_model_write_onnx(model, NULL), TENURE_USAGE);
    assert_int_equal(tenure_model_write_onnx(NULL, &sink), TENURE_USAGE);
    assert_int_equal(tenure_model_write_onnx(model, &sink), TENURE_USAGE);
    tenure_context_free(ctx);
}

/* A model that was planned on a copy does not know its types: it keeps the order of the file. */
static void test_planned_on_a_copy(void **state) {
    (void)state;
    tenure_context *ctx = tenure_context_new(NULL);
    tenure_model *model = tenure_load_file(ctx, PLAIN, NULL);
    tenure_plan *plan;
    assert_int_equal(tenure_plan_make(model, NULL, &plan), TENURE_OK);
    tenure_sink sink = sink_of(&with);
    assert_int_equal(tenure_emit(plan, model, "onnx", NULL, &sink), TENURE_OK);
    assert_true(with.len > 1000);
    tenure_context_free(ctx);
}

static void test_every_allocation(void **state) {
    (void)state;
    for (long n = 0;; n++) {
        meter m = {.fail_at = n};
        tenure_allocator allocator = {metered, &m};
        tenure_context *ctx = tenure_context_new(&allocator);
        tenure_status status = ctx != NULL ? write_back(ctx, &with, &without) : TENURE_NOMEM;
        tenure_context_free(ctx);
        assert_true(status == TENURE_NOMEM || m.n <= n);
        if (status == TENURE_OK) {
            break;
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_round), cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_planned_on_a_copy),
                                       cmocka_unit_test(test_every_allocation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
