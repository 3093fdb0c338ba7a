/* The wire format: what is read, and that everything broken is one error with its byte. */
#include "ir/onnx/wire.h"

#include "tests/unit/onnx_bytes.h"
#include "tests/unit/unit.h"

static tn_status reads_all_types(tn_ctx *ctx, void *arg) {
    (void)arg;
    static const uint8_t bytes[] = {0x08, 0x96, 0x01,                          /* 1: 150 */
                                    0x11, 1,    0,    0,   0,   0, 0, 0, 0x80, /* 2: 8 bytes */
                                    0x1d, 2,    0,    0,   1,                  /* 3: 4 bytes */
                                    0xa2, 0x06, 2,    'h', 'i',                /* 100: "hi" */
                                    0x22, 0};                                  /* 4: empty */
    tn_wire_src src = {ctx, "m.onnx", {bytes, sizeof bytes}, false};
    tn_wire w = tn_wire_open(&src, src.all);
    tn_wire_field f;
    assert_true(tn_wire_next(&w, &f));
    assert_true(f.number == 1 && f.type == TN_WIRE_VARINT && f.value == 150);
    assert_true(tn_wire_next(&w, &f));
    assert_true(f.number == 2 && f.type == TN_WIRE_I64 && f.value == 0x8000000000000001u);
    assert_true(tn_wire_next(&w, &f));
    assert_true(f.number == 3 && f.type == TN_WIRE_I32 && f.value == 0x01000002u);
    assert_true(tn_wire_next(&w, &f));
    assert_true(f.number == 100 && f.bytes.size == 2 && memcmp(f.bytes.data, "hi", 2) == 0);
    assert_true(f.tag == bytes + 17 && f.end == bytes + 22);
    assert_true(tn_wire_next(&w, &f));
    assert_true(f.number == 4 && f.type == TN_WIRE_LEN && f.bytes.size == 0);
    assert_false(tn_wire_next(&w, &f));
    return TN_OK;
}

static tn_status read_to_end(tn_ctx *ctx, void *arg) {
    tn_wire_src src = {ctx, "m.onnx", *(const tn_bytes *)arg, false};
    tn_wire w = tn_wire_open(&src, src.all);
    tn_wire_field f;
    while (tn_wire_next(&w, &f)) {
        tn_wire_content(&src, &f, "this");
    }
    return TN_OK;
}

static void test_broken(void **state) {
    (void)state;
    static const struct {
        uint8_t bytes[16];
        size_t n;
        const char *message;
    } cases[] = {
        {{0x0a, 0, 0x80}, 3, "byte 2: the message ends inside a number"},
        {{0x0a, 0x80, 0x80}, 3, "byte 1: the message ends inside a number"},
        {{0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02},
         11,
         "byte 1: a number exceeds 64 bits"},
        {{0x08, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00},
         12,
         "byte 1: a number exceeds 64 bits"},
        {{0x0a, 0, 0x0a, 5, 1, 2}, 6, "byte 2: field 1 claims 5 bytes, but 2 are left"},
        {{0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01},
         11,
         "byte 0: field 1 claims 18446744073709551615 bytes, but 0 are left"},
        {{0x0d, 1, 2, 3}, 4, "byte 0: field 1 claims 4 bytes, but 3 are left"},
        {{0x09, 1, 2, 3}, 4, "byte 0: field 1 claims 8 bytes, but 3 are left"},
        {{0x0a, 1, 0, 0x0b}, 4, "byte 3: field 1 has wire type 3"},
        {{0x0f}, 1, "byte 0: field 1 has wire type 7"},
        {{0x02, 0}, 2, "byte 0: 0 is not a field number"},
        {{0x80, 0x80, 0x80, 0x80, 0x20, 0}, 6, "byte 0: 1073741824 is not a field number"},
        {{0x0a, 0, 0x08, 1}, 4, "byte 2: this (field 1) has wire type 0 instead of 2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        unit_log log;
        tn_ctx *ctx = unit_ctx(&log);
        tn_bytes b = {cases[i].bytes, cases[i].n};
        assert_int_equal(tn_guard_run(ctx, read_to_end, &b), TN_ERROR);
        assert_int_equal(ctx->n_errors, 1);
        assert_non_null(strstr(log.text, cases[i].message));
        assert_non_null(strstr(log.text, "m.onnx: error: "));
        tn_ctx_free(ctx);
    }
}

static void test_all_types(void **state) {
    (void)state;
    unit_log log;
    tn_ctx *ctx = unit_ctx(&log);
    unit_run(ctx, reads_all_types, NULL);
    tn_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_types),
                                       cmocka_unit_test(test_broken)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
