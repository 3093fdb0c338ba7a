/* What reaches the ONNX reader from outside the model: bound dimensions, files beside it, memory
 * that runs out, bytes cut short. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "frontends/core/frontend.h"
#include "ir/base/limits.h"
#include "ir/text/text.h"
#include "tests/unit/onnx_bytes.h"
#include "tests/unit/unit.h"
#include "tests/unit/unit_load.h"

enum { FLOAT = 1, INT64 = 7 };

/* x: f32[N,4], u: f32[N + 1,?] without a name for axis 1, v without a shape, an initializer w. */
static pb *open_model(tn_arena *a) {
    pb *g = pb_msg(pb_text(pb_new(a), 2, "g"), G_INPUT, onnx_value(a, "x", FLOAT, "N 4"));
    pb_msg(g, G_INPUT, onnx_value(a, "u", FLOAT, "N+1 -"));
    pb_msg(g, G_INPUT, onnx_value(a, "v", FLOAT, NULL));
    pb_msg(g, G_INPUT, onnx_value(a, "w", INT64, "1"));
    pb_msg(g, G_INIT, onnx_i64(a, "w", "1", (const int64_t[]){7}, 1));
    pb_msg(g, G_NODE, onnx_node(a, "Custom", "x u v", "y"));
    pb_msg(g, G_OUTPUT, onnx_value(a, "y", FLOAT, "N batch"));
    return onnx_model(a, 8, g);
}

static const char *text_of(tn_arena *a, const tn_module *m) {
    tn_sink s = tn_sink_make(a);
    tn_module_print(m, &s);
    return s.data;
}

/* One case: up to two bound symbols and two shapes (-2 ends one); the text wanted, or the error. */
typedef struct bind_case {
    tn_dim_binding dims[2];
    struct {
        const char *name;
        int64_t dims[4];
    } shapes[2];
    const char *want, *error;
} bind_case;

#define BIND(dim, extent)                                                                          \
    { .name = (dim), .value = (extent) }

static const bind_case cases[] = {
    {{BIND("N", 3)}, {{0}}, "%x: f32[3,4]\n  input %u: f32[4,u.1]", NULL},
    {{{0}}, {{"x", {5, -1, -2}}}, "%x: f32[5,4]\n  input %u: f32[6,u.1]", NULL},
    {{{0}}, {{"u", {6, 7, -2}}, {"x", {5, 4, -2}}}, "%u: f32[6,7]", NULL},
    {{{0}}, {{"v", {2, -1, -2}}}, "%v: f32[2,v.1]", NULL},
    {{BIND("u.1", 9), BIND("batch", 2)}, {{0}}, "%u: f32[N + 1,9]", NULL},
    {{BIND("M", 3)}, {{0}}, NULL, "the model has no dimension 'M'"},
    {{BIND("bacth", 3)}, {{0}}, NULL, "no dimension 'bacth'; did you mean 'batch'?"},
    {{BIND("N", -1)}, {{0}}, NULL, "dimension 'N' cannot be -1"},
    {{BIND("N", 1), BIND("N", 2)},
     {{0}},
     NULL,
     "'N' is bound to 1 by its name and to 2 by its name"},
    {{BIND("N", 2), BIND("N", 1)},
     {{0}},
     NULL,
     "'N' is bound to 2 by its name and to 1 by its name"},
    {{BIND("N", 1)},
     {{"x", {2, 4, -2}}},
     NULL,
     "to 1 by its name and to 2 by the shape of input x"},
    {{{0}}, {{"xx", {1, -2}}}, NULL, "the model has no input 'xx'; did you mean 'x'?"},
    {{{0}}, {{"w", {1, -2}}}, NULL, "'w' is an initializer, not an input"},
    {{{0}}, {{"x", {1, -2}}}, NULL, "input 'x' has 2 dimensions, the shape given has 1"},
    {{{0}}, {{"x", {1, 5, -2}}}, NULL, "input 'x' has 4 at axis 1, the shape given has 5"},
    {{{0}}, {{"x", {1, 4, -2}}, {"u", {3, 1, -2}}}, NULL, "input 'u' has 2 at axis 0"},
    {{{0}}, {{"u", {3, 1, -2}}}, NULL, "input 'u' has dimension N + 1 at axis 0: bind its symbols"},
    {{{0}}, {{"x", {-7, 4, -2}}}, NULL, "the shape given for input 'x' has -7 at axis 0"},
};

static void check_case(tn_ctx *ctx, tn_arena *a, const unit_log *log, const bind_case *c,
                       tn_bytes bytes) {
    tn_input_shape shapes[2];
    tn_load_options o = {.dims = c->dims, .shapes = shapes};
    while (o.n_dims < 2 && c->dims[o.n_dims].name != NULL) {
        o.n_dims++;
    }
    while (o.n_shapes < 2 && c->shapes[o.n_shapes].name != NULL) {
        const int64_t *dims = c->shapes[o.n_shapes].dims;
        uint32_t rank = 0;
        while (dims[rank] != -2) {
            rank++;
        }
        shapes[o.n_shapes] = (tn_input_shape){c->shapes[o.n_shapes].name, dims, rank};
        o.n_shapes++;
    }
    tn_module *m = unit_load(ctx, "m", bytes, &o);
    const char *got = m != NULL ? text_of(a, m) : log->text;
    const char *want = c->want != NULL ? c->want : c->error;
    if ((m != NULL) != (c->want != NULL) || strstr(got, want) == NULL) {
        print_error("wanted: %s\ngot: %s\n", want, got);
        fail();
    }
}

/* The same answers from the binary form and from the text form of the same module. */
static tn_status binds(tn_ctx *ctx, void *arg) {
    unit_log *log = arg;
    tn_arena *a = tn_arena_new(ctx);
    tn_bytes onnx = pb_bytes(open_model(a));
    const char *text = text_of(a, tn_load_bytes(ctx, "m", onnx, NULL));
    tn_bytes tir = {(const uint8_t *)text, strlen(text)};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        log->len = 0;
        check_case(ctx, a, log, &cases[i], onnx);
        log->len = 0;
        check_case(ctx, a, log, &cases[i], tir);
    }
    return TN_OK;
}

static const char *const links[][2] = {{"../outside.bin", "link"},
                                       {"..", "up"},
                                       {"self", "self"},
                                       {"/dev/zero", "zero"},
                                       {"w.bin", "w2"}};
enum { N_LINKS = sizeof links / sizeof links[0] };

/* A folder of its own with: m.onnx to come, w.bin of 24 bytes, links, a FIFO. Beside it
 * outside.bin, and a folder of links to the model and its weights. */
static const char *make_folder(tn_arena *a) {
    char *top = tn_arena_printf(a, "/tmp/tenure-unit-XXXXXX");
    assert_non_null(mkdtemp(top));
    const char *folder = tn_arena_printf(a, "%s/model", top);
    assert_int_equal(mkdir(folder, 0700), 0);
    static const int64_t values[3] = {11, 22, 33};
    static const char *const names[] = {"outside.bin", "model/w.bin"};
    for (int i = 0; i < 2; i++) {
        FILE *f = fopen(tn_arena_printf(a, "%s/%s", top, names[i]), "wb");
        assert_non_null(f);
        assert_int_equal(fwrite(values, 1, sizeof values, f), sizeof values);
        assert_int_equal(fclose(f), 0);
    }
    for (size_t i = 0; i < N_LINKS; i++) {
        assert_int_equal(symlink(links[i][0], tn_arena_printf(a, "%s/%s", folder, links[i][1])), 0);
    }
    assert_int_equal(mkfifo(tn_arena_printf(a, "%s/fifo", folder), 0600), 0);
    assert_int_equal(mkdir(tn_arena_printf(a, "%s/links", top), 0700), 0);
    assert_int_equal(symlink("../model/m.onnx", tn_arena_printf(a, "%s/links/m.onnx", top)), 0);
    assert_int_equal(symlink("../model/w.bin", tn_arena_printf(a, "%s/links/w.bin", top)), 0);
    return folder;
}

static void remove_folder(tn_arena *a, const char *folder) {
    static const char *const files[] = {"m.onnx",         "w.bin",           "fifo",
                                        "../outside.bin", "../links/m.onnx", "../links/w.bin"};
    for (size_t i = 0; i < N_LINKS; i++) {
        unlink(tn_arena_printf(a, "%s/%s", folder, links[i][1]));
    }
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        unlink(tn_arena_printf(a, "%s/%s", folder, files[i]));
    }
    assert_int_equal(rmdir(tn_arena_printf(a, "%s/../links", folder)), 0);
    assert_int_equal(rmdir(folder), 0);
    char *top = tn_arena_strndup(a, folder, strlen(folder) - strlen("/model"));
    assert_int_equal(rmdir(top), 0);
}

static pb *entry(tn_arena *a, const char *key, const char *value) {
    return pb_text(pb_text(pb_new(a), 1, key), 2, value);
}

static pb *external_model(tn_arena *a, const char *location, const char *offset,
                          const char *length) {
    pb *t = pb_int(onnx_tensor(a, "w", INT64, "2"), 14, 1);
    pb_msg(t, 13, entry(a, "location", location));
    if (offset != NULL) {
        pb_msg(t, 13, entry(a, "offset", offset));
    }
    if (length != NULL) {
        pb_msg(t, 13, entry(a, "length", length));
    }
    pb *g = pb_msg(pb_text(pb_new(a), 2, "g"), G_INIT, t);
    return onnx_model(a, 8, pb_msg(g, G_OUTPUT, onnx_value(a, "w", INT64, "2")));
}

/* At `path` as it is: a file that links lead to is written through them. */
static void write_file(const char *path, const void *data, size_t size) {
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

/* Longer than a path may be: no such file. Longer than a name may be: refused. */
static bool long_locations(tn_ctx *ctx, tn_arena *a, const char *path, unit_log *log) {
    bool good = true;
    for (size_t n = 5000; n <= 70000; n += 65000) {
        char *location = TN_ARRAY(a, char, n + 1);
        memset(location, 'w', n);
        pb *model = external_model(a, location, NULL, NULL);
        write_file(path, model->data, model->len);
        tn_module *m = tn_load_file(ctx, path, NULL);
        good = good && (m != NULL) == (n <= TN_MAX_NAME);
    }
    return good && strstr(log->text, "has 70000 bytes, the limit is 65536") != NULL;
}

static tn_status external(tn_ctx *ctx, void *arg) {
    static const struct {
        const char *location, *offset, *length, *want, *error;
    } files[] = {
        {"w.bin", "8", "16", "tensor(16 bytes, ints [22, 33]", NULL},
        {"./w.bin", NULL, NULL, "tensor(16 bytes, ints [11, 22]", NULL},
        {"missing.bin", "0", "16", "tensor(16 bytes, external", NULL},
        {"w.bin", "16", "16", NULL, "tensor 'w' lies at bytes 16 to 32 of 'w.bin', which has 24"},
        {"w.bin", "9", "16", NULL, "tensor 'w' lies at bytes 9 to 25 of 'w.bin', which has 24"},
        {"w.bin", "8", "8", NULL,
         "initializer 'w' needs 16 bytes (2 elements of i64), its data has 8"},
        {"missing.bin", "0", "8", NULL, "its data has 8"},
        {"w.bin", "18446744073709551615", "16", NULL, "tensor 'w' lies at bytes"},
        {"w.bin", "-8", "16", NULL, "external offset '-8', which is not a number of bytes"},
        {"w.bin", "8", "1e1", NULL, "external length '1e1', which is not a number of bytes"},
        {"/etc/passwd", NULL, NULL, NULL, "lies in '/etc/passwd', outside the folder"},
        {"../outside.bin", NULL, NULL, NULL, "lies in '../outside.bin', outside the folder"},
        {"a/../../outside.bin", NULL, NULL, NULL, "outside the folder"},
        {"link", NULL, NULL, NULL, "lies in 'link', a link to '"},
        {"up/outside.bin", NULL, NULL, NULL, "lies in 'up/outside.bin', a link to '"},
        {"up/model/up/outside.bin", NULL, NULL, NULL, "a link to '"},
        {"up/model/w.bin", NULL, NULL, "tensor(16 bytes, ints [11, 22]", NULL},
        {"w2", NULL, NULL, "tensor(16 bytes, ints [11, 22]", NULL},
        {"zero", NULL, NULL, NULL, "lies in 'zero', a link to '/dev/zero' outside the folder"},
        {"self", NULL, NULL, "tensor(16 bytes, external", NULL},
        {"fifo", NULL, NULL, "tensor(16 bytes, external", NULL},
        {".", NULL, NULL, NULL, "outside the folder"},
        {"..", NULL, NULL, NULL, "lies in '..', outside the folder"},
        {"a/..", NULL, NULL, NULL, "outside the folder"},
        {"..\\outside.bin", NULL, NULL, NULL, "outside the folder"},
        {"a\\..\\..\\outside.bin", NULL, NULL, NULL, "outside the folder"},
        {"\\outside.bin", NULL, NULL, NULL, "outside the folder"},
        {"/dev/stdin", NULL, NULL, NULL, "lies in '/dev/stdin', outside the folder"},
        {"...", NULL, NULL, "tensor(16 bytes, external", NULL},
        {"w.bin/../w.bin", NULL, NULL, NULL, "outside the folder"},
        {"", NULL, NULL, NULL, "no file is named"},
    };
    unit_log *log = arg;
    tn_arena *a = tn_arena_new(ctx);
    const char *folder = make_folder(a);
    const char *path = tn_arena_printf(a, "%s/m.onnx", folder);
    size_t bad = 0;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        log->len = 0;
        log->text[0] = '\0';
        pb *model = external_model(a, files[i].location, files[i].offset, files[i].length);
        write_file(path, model->data, model->len);
        tn_module *m = tn_load_file(ctx, path, NULL);
        const char *got = m != NULL ? text_of(a, m) : log->text;
        const char *want = files[i].want != NULL ? files[i].want : files[i].error;
        if ((m != NULL) != (files[i].want != NULL) || strstr(got, want) == NULL) {
            print_error("%s: wanted: %s\ngot: %s\n", files[i].location, want, got);
            bad++;
        }
    }
    bad += !long_locations(ctx, a, path, log);
    /* A model that is a link, with its weights linked beside the link: both really lie in one
     * folder. */
    pb *model = external_model(a, "w.bin", "8", NULL);
    write_file(path, model->data, model->len);
    tn_module *linked = tn_load_file(ctx, tn_arena_printf(a, "%s/../links/m.onnx", folder), NULL);
    remove_folder(a, folder);
    assert_non_null(linked);
    assert_int_equal(linked->main->outputs[0]->tensor->ints[0], 22);
    assert_int_equal(bad, 0);
    return TN_OK;
}

static tn_status load_silently(tn_ctx *ctx, void *arg) {
    return tn_load_bytes(ctx, "m", *(tn_bytes *)arg, NULL) != NULL ? TN_OK : TN_ERROR;
}

/* Every prefix of a model either loads or is one error; none is an internal one. */
static tn_status prefixes(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_bytes whole = pb_bytes(open_model(tn_arena_new(ctx)));
    for (size_t n = 0; n < whole.size; n++) {
        uint8_t *exact = malloc(n + 1); /* of its own, so that a sanitizer sees reads beyond it */
        assert_non_null(exact);
        memcpy(exact, whole.data, n);
        tn_bytes cut = {exact, n};
        uint32_t before = ctx->n_errors;
        tn_status status = tn_guard_run(ctx, load_silently, &cut);
        assert_true(status == TN_OK || (status == TN_ERROR && ctx->n_errors == before + 1));
        free(exact);
    }
    return TN_OK;
}

/* Fails the allocation number `left` and all after it. */
typedef struct meter {
    int64_t left, live;
} meter;

static void *metered(void *user, void *ptr, size_t old_size, size_t new_size) {
    meter *m = user;
    (void)old_size;
    if (new_size == 0) {
        m->live -= ptr != NULL;
        free(ptr);
        return NULL;
    }
    if (m->left-- <= 0) {
        return NULL;
    }
    m->live += ptr == NULL;
    return realloc(ptr, new_size);
}

static void test_out_of_memory(void **state) {
    (void)state;
    tn_ctx *plain = tn_ctx_new(NULL);
    assert_non_null(plain);
    tn_bytes model = pb_bytes(open_model(tn_arena_new(plain)));
    int64_t n = 0;
    for (tn_status status = TN_NOMEM; status != TN_OK; n++) {
        meter m = {n, 0};
        tn_allocator alloc = {metered, &m};
        tn_ctx *ctx = tn_ctx_new(&alloc);
        status = ctx != NULL ? tn_guard_run(ctx, load_silently, &model) : TN_NOMEM;
        assert_true(status == TN_OK || status == TN_NOMEM);
        tn_ctx_free(ctx);
        assert_int_equal(m.live, 0);
    }
    assert_true(n > 20);
    tn_ctx_free(plain);
}

#define BODY(name)                                                                                 \
    static void test_##name(void **state) {                                                        \
        (void)state;                                                                               \
        unit_log log;                                                                              \
        tn_ctx *ctx = unit_ctx(&log);                                                              \
        unit_run(ctx, name, &log);                                                                 \
        tn_ctx_free(ctx);                                                                          \
    }
BODY(binds)
BODY(external)
BODY(prefixes)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_binds), cmocka_unit_test(test_external),
        cmocka_unit_test(test_prefixes), cmocka_unit_test(test_out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
