/* tenure_emit: files that go through a function of the caller, and the bytes of constants. */
#include <stdio.h>

#include "tenure/tenure.h"
#include "tests/unit/unit.h"

static const char model_text[] =
    "tir 1\n"
    "module \"net\"\n"
    "opset \"\" 21\n"
    "graph @0 \"net\" {\n"
    "  input %x: f32[3]\n"
    "  const %w: f32[3] = tensor(12 bytes, floats [1, -2, 0.5])\n"
    "  const %h: f16[9] = tensor(18 bytes, floats [1, -0.0, 65504, 65520, inf, 6e-8, 1e-9, "
    "2049, 0.333251953125])\n"
    "  const %b: bf16[3] = tensor(6 bytes, floats [1, -3.140625, 1e39])\n"
    "  const %n: u2[5] = tensor(2 bytes, ints [3, 2, 1, 0, 1])\n"
    "  const %i: i16[2] = tensor(4 bytes, ints [-2, 258])\n"
    "  %y = Mul(%x, %w) #0\n"
    "  %k = Exp(%h) #1\n"
    "  %c = Exp(%b) #2\n"
    "  %m = Cast(%n) {to = 1} #3\n"
    "  %j = Abs(%i) #4\n"
    "  return %y, %k, %c, %m, %j\n"
    "}\n";

static const uint8_t halves[] = {0x00, 0x3c, 0x00, 0x80, 0xff, 0x7b, 0x00, 0x7c, 0x00,
                                 0x7c, 0x01, 0x00, 0x00, 0x00, 0x00, 0x68, 0x55, 0x35};
static const uint8_t bfloats[] = {0x80, 0x3f, 0x49, 0xc0, 0x80, 0x7f};
static const uint8_t pairs[] = {0x1b, 0x01};
static const uint8_t shorts[] = {0xfe, 0xff, 0x02, 0x01};

/* Files as they come, in the order of their first piece. */
typedef struct files {
    char names[4][32];
    uint8_t data[4][1 << 14];
    size_t sizes[4];
    int n;
    int refuse_at; /* the call that is refused; -1: none */
} files;

static int take(void *user, const char *file, const void *data, size_t size) {
    files *f = user;
    int i = 0;
    while (i < f->n && strcmp(f->names[i], file) != 0) {
        i++;
    }
    if (i == f->n) {
        assert_true(f->n < 4);
        snprintf(f->names[f->n++], sizeof f->names[0], "%s", file);
    }
    assert_true(f->sizes[i] + size <= sizeof f->data[i]);
    memcpy(f->data[i] + f->sizes[i], data, size);
    f->sizes[i] += size;
    return f->refuse_at-- == 0;
}

typedef struct fixture {
    tenure_context *ctx;
    tenure_model *model;
    tenure_plan *plan;
    char said[1024];
} fixture;

static void on_diag(void *user, const tenure_diagnostic *d) {
    fixture *f = user;
    snprintf(f->said, sizeof f->said, "%s", d->rendered);
}

static fixture *set_up(void) {
    static fixture f;
    f = (fixture){.ctx = tenure_context_new(NULL)};
    tenure_on_diagnostic(f.ctx, on_diag, &f);
    f.model = tenure_load_memory(f.ctx, "net.tir", model_text, sizeof model_text - 1, NULL);
    assert_non_null(f.model);
    assert_int_equal(tenure_plan_make(f.model, NULL, &f.plan), TENURE_OK);
    return &f;
}

static tenure_status emit(fixture *f, files *out, const char *name, const char *backend,
                          const char *options) {
    tenure_sink sink = {sizeof sink, name, take, out};
    return tenure_emit(f->plan, f->model, backend, options, &sink);
}

static const uint8_t *bytes_of(const fixture *f, const files *out, const char *name) {
    tenure_placement at = {.struct_size = sizeof at};
    assert_true(tenure_plan_find(f->plan, name, &at));
    assert_string_equal(at.pool, "const");
    size_t first = out->data[0][12] | (size_t)out->data[0][13] << 8;
    assert_true(first + at.offset + at.size <= out->sizes[0]);
    return out->data[0] + first + at.offset;
}

static void test_bytes(void **state) {
    (void)state;
    static const float floats[] = {1, -2, 0.5f};
    static files out;
    out = (files){.refuse_at = -1};
    fixture *f = set_up();
    assert_int_equal(emit(f, &out, NULL, "weights", NULL), TENURE_OK);
    assert_int_equal(out.n, 1);
    assert_string_equal(out.names[0], "");
    assert_memory_equal(bytes_of(f, &out, "w"), floats, sizeof floats);
    assert_memory_equal(bytes_of(f, &out, "h"), halves, sizeof halves);
    assert_memory_equal(bytes_of(f, &out, "b"), bfloats, sizeof bfloats);
    assert_memory_equal(bytes_of(f, &out, "n"), pairs, sizeof pairs);
    assert_memory_equal(bytes_of(f, &out, "i"), shorts, sizeof shorts);
    tenure_context_free(f->ctx);
}

static void test_files(void **state) {
    (void)state;
    static files out, json;
    out = json = (files){.refuse_at = -1};
    fixture *f = set_up();
    assert_int_equal(emit(f, &out, "net.S", "weights", NULL), TENURE_OK);
    assert_int_equal(out.n, 3);
    assert_string_equal(out.names[0], "net.S");
    assert_string_equal(out.names[1], "net_weights.h");
    assert_string_equal(out.names[2], "net.bin");
    assert_memory_equal(out.data[2], "TNWEIGHT", 8);
    tenure_buffer *text;
    assert_int_equal(tenure_plan_emit(f->plan, "json", NULL, &text), TENURE_OK);
    assert_int_equal(emit(f, &json, "net.json", "json", NULL), TENURE_OK);
    assert_int_equal(json.sizes[0], tenure_buffer_size(text));
    assert_memory_equal(json.data[0], tenure_buffer_data(text), json.sizes[0]);
    tenure_context_free(f->ctx);
}

static void test_refused(void **state) {
    (void)state;
    static files out;
    fixture *f = set_up();
    for (int at = 0; at < 2; at++) {
        out = (files){.refuse_at = at};
        assert_int_equal(emit(f, &out, "net.json", "json", NULL), TENURE_ERROR);
        assert_string_equal(f->said, "error: 'net.json' is not taken by the caller");
    }
    out = (files){.refuse_at = -1};
    assert_int_equal(emit(f, &out, NULL, "weights", "form=c"), TENURE_USAGE);
    tenure_sink sink = {sizeof sink, NULL, take, &out}, small = {1, NULL, take, &out};
    tenure_sink mute = {sizeof sink, NULL, NULL, NULL};
    assert_int_equal(tenure_emit(f->plan, NULL, "weights", NULL, &sink), TENURE_USAGE);
    assert_string_equal(f->said,
                        "error: weights: the model is needed too, for the bytes of its constants");
    assert_int_equal(tenure_emit(f->plan, f->model, "wights", NULL, &sink), TENURE_USAGE);
    assert_int_equal(tenure_emit(f->plan, f->model, "json", NULL, &small), TENURE_USAGE);
    assert_non_null(strstr(f->said, "sink->struct_size is 1, this library needs "));
    assert_int_equal(tenure_emit(f->plan, f->model, "json", NULL, &mute), TENURE_USAGE);
    assert_int_equal(tenure_emit(f->plan, f->model, "json", NULL, NULL), TENURE_USAGE);
    assert_int_equal(tenure_emit(f->plan, f->model, NULL, NULL, &sink), TENURE_USAGE);
    assert_int_equal(tenure_emit(NULL, f->model, "json", NULL, &sink), TENURE_USAGE);
    tenure_context_free(f->ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bytes), cmocka_unit_test(test_files),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
