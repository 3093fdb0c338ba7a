/* Plans of several programs and variants through tenure.h: made of files, read back, checked, one
 * of them picked; with every n-th allocation failing. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/unit/model_text.h"
#include "tests/unit/unit.h"

#include "tenure/tenure.h"

typedef struct scene {
    tenure_context *ctx;
    char said[4096];
    char model[64], plan[64];
} scene;

static void on_diagnostic(void *user, const tenure_diagnostic *d) {
    scene *s = user;
    size_t len = strlen(s->said);
    (void)snprintf(s->said + len, sizeof s->said - len, "%s\n", d->rendered);
}

static void put_file(char *path, size_t size, const char *text, size_t n) {
    (void)snprintf(path, size, "/tmp/tenure-sets-XXXXXX");
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, n), n);
    close(fd);
}

static void start(scene *s, const tenure_allocator *allocator) {
    memset(s, 0, sizeof *s);
    put_file(s->model, sizeof s->model, model_text, sizeof model_text - 1);
    s->ctx = tenure_context_new(allocator);
    if (s->ctx != NULL) {
        tenure_on_diagnostic(s->ctx, on_diagnostic, s);
    }
}

static void stop(scene *s) {
    tenure_context_free(s->ctx);
    unlink(s->model);
    if (s->plan[0] != '\0') {
        unlink(s->plan);
    }
}

static tenure_options *options_of(scene *s, const char *dim) {
    tenure_options *o = tenure_options_new(s->ctx);
    if (o != NULL && (tenure_options_set(o, "dim", dim) != TENURE_OK ||
                      tenure_options_set(o, "shared-arena", NULL) != TENURE_OK)) {
        tenure_options_free(o);
        return NULL;
    }
    return o;
}

static tenure_status plan(scene *s, const char *dim, tenure_model **model, tenure_plan **plan) {
    const char *models[] = {s->model};
    tenure_options *o = options_of(s, dim);
    *model = NULL;
    *plan = NULL;
    tenure_status status = o != NULL ? tenure_plan_files(s->ctx, models, 1, o, model, plan)
                                     : tenure_last_status(s->ctx);
    tenure_options_free(o);
    return status;
}

static void test_variants(void **state) {
    (void)state;
    scene s;
    tenure_model *model;
    tenure_plan *p;
    start(&s, NULL);
    assert_int_equal(plan(&s, "batch=1,16,4", &model, &p), TENURE_OK);
    tenure_program program = {.struct_size = sizeof program};
    assert_true(tenure_plan_program(p, 0, &program));
    assert_int_equal(program.n_variants, 3);
    assert_false(tenure_plan_program(p, 1, &program));
    assert_null(tenure_plan_variant(p, 0, 3));
    assert_null(tenure_plan_variant(p, 1, 0));
    uint64_t most = 0;
    for (size_t i = 0; i < 3; i++) {
        tenure_pool pool = {.struct_size = sizeof pool};
        const tenure_plan *v = tenure_plan_variant(p, 0, i);
        assert_true(tenure_plan_pool(v, 0, &pool));
        most = pool.size > most ? pool.size : most;
    }
    assert_int_equal(tenure_plan_arena_size(p), most);
    assert_int_equal(tenure_plan_check(p, model, NULL), TENURE_OK);
    tenure_plan_free(p);
    tenure_model_free(model);
    stop(&s);
}

static void test_pick(void **state) {
    (void)state;
    scene s;
    tenure_model *model;
    tenure_plan *p;
    const char *batch[] = {"batch"}, *wrong[] = {"bath"};
    static const struct {
        int64_t extent;
        size_t variant;
    } cases[] = {{0, 0}, {1, 0}, {2, 2}, {4, 2}, {5, 1}, {16, 1}};
    start(&s, NULL);
    assert_int_equal(plan(&s, "batch=1,16,4", &model, &p), TENURE_OK);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t variant = 9;
        assert_int_equal(tenure_plan_pick(p, 0, batch, &cases[i].extent, 1, &variant), TENURE_OK);
        assert_int_equal(variant, cases[i].variant);
    }
    size_t variant;
    int64_t extent = 17;
    assert_int_equal(tenure_plan_pick(p, 0, batch, &extent, 1, &variant), TENURE_ERROR);
    assert_non_null(strstr(s.said, "has no variant that is large enough for batch=17; there is "
                                   "batch=1; batch=16; batch=4"));
    assert_int_equal(tenure_plan_pick(p, 0, wrong, &extent, 1, &variant), TENURE_USAGE);
    assert_non_null(strstr(s.said, "has no dimension 'bath'; did you mean 'batch'?"));
    assert_int_equal(tenure_plan_pick(p, 1, batch, &extent, 1, &variant), TENURE_USAGE);
    assert_int_equal(tenure_plan_pick(NULL, 0, batch, &extent, 1, &variant), TENURE_USAGE);
    tenure_plan_free(p);
    tenure_model_free(model);
    stop(&s);
}

/* As JSON and back: the same bytes; and right for the file. */
static tenure_status there_and_back(scene *s) {
    tenure_model *model;
    tenure_plan *p, *again = NULL;
    tenure_buffer *text = NULL, *second = NULL, *report = NULL;
    const char *models[] = {s->model};
    tenure_status status = plan(s, "batch=2,3", &model, &p);
    if (status == TENURE_OK) {
        status = tenure_plan_emit(p, "json", NULL, &text);
    }
    if (status == TENURE_OK) {
        status = tenure_plan_read(s->ctx, "plan", tenure_buffer_data(text),
                                  tenure_buffer_size(text), &again);
    }
    if (status == TENURE_OK) {
        status = tenure_plan_emit(again, "json", NULL, &second);
    }
    if (status == TENURE_OK) {
        assert_string_equal(tenure_buffer_data(text), tenure_buffer_data(second));
        if (s->plan[0] == '\0') {
            put_file(s->plan, sizeof s->plan, tenure_buffer_data(text), tenure_buffer_size(text));
        }
        status = tenure_check_models(s->ctx, models, 1, s->plan, NULL, &report);
    }
    tenure_buffer_free(report);
    tenure_buffer_free(second);
    tenure_buffer_free(text);
    tenure_plan_free(again);
    tenure_plan_free(p);
    tenure_model_free(model);
    return status;
}

static void test_there_and_back(void **state) {
    (void)state;
    scene s;
    start(&s, NULL);
    assert_int_equal(there_and_back(&s), TENURE_OK);
    stop(&s);
}

/* ---- allocations that fail ---- */

typedef struct failing {
    long left;
    long n_live;
} failing;

static void *count_down(void *user, void *data, size_t old_size, size_t size) {
    failing *f = user;
    (void)old_size;
    if (size == 0) {
        f->n_live -= data != NULL;
        free(data);
        return NULL;
    }
    if (f->left-- <= 0) {
        return NULL;
    }
    f->n_live += data == NULL;
    return realloc(data, size);
}

static void test_no_memory(void **state) {
    (void)state;
    tenure_status status = TENURE_NOMEM;
    for (long n = 0; n < 4000 && status != TENURE_OK; n += n < 60 ? 1 : 7) {
        failing f = {.left = n};
        tenure_allocator allocator = {count_down, &f};
        scene s;
        start(&s, &allocator);
        status = s.ctx != NULL ? there_and_back(&s) : TENURE_NOMEM;
        assert_true(status == TENURE_OK || status == TENURE_NOMEM);
        stop(&s);
        assert_int_equal(f.n_live, 0);
    }
    assert_int_equal(status, TENURE_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_variants), cmocka_unit_test(test_pick),
                                       cmocka_unit_test(test_there_and_back),
                                       cmocka_unit_test(test_no_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
