/* The C header backend on a plan made by hand. That the headers compile and hold at run time is
 * tested by tests/headers/compile.sh. */
#include <stdio.h>

#include "backends/core/backend.h"
#include "tests/unit/odd_plan.h"
#include "tests/unit/unit.h"

static unit_log the_log;

static tn_status try_emit(const tn_plan *p, const tn_pair *options, uint32_t n, tn_sink *out) {
    const tn_backend *b = tn_backend_find(NULL, "c-header");
    assert_non_null(b);
    tn_backend_args args = tn_backend_defaults(out->arena, b);
    tn_status status = TN_OK;
    the_log.len = 0;
    for (uint32_t i = 0; i < n && status == TN_OK; i++) {
        tn_sink text = tn_sink_make(out->arena);
        tn_putf(&text, "%s=", options[i].key);
        tn_opt_put_value(&text, options[i].value);
        status = tn_backend_set(out->arena, b, "test", text.data, &args);
    }
    return status == TN_OK ? tn_backend_print(b, p, NULL, &args, out) : status;
}

static const char *header(tn_ctx *ctx, const tn_plan *p, const char *option, const char *value) {
    tn_sink s = tn_sink_make(tn_arena_new(ctx));
    tn_pair pair = {option, value};
    assert_int_equal(try_emit(p, &pair, option != NULL ? 1 : 0, &s), TN_OK);
    return s.data;
}

static void has(const char *text, const char *part) {
    if (strstr(text, part) == NULL) {
        fail_msg("'%s' is not in:\n%s", part, text);
    }
}

static void has_not(const char *text, const char *part) {
    if (strstr(text, part) != NULL) {
        fail_msg("'%s' is in:\n%s", part, text);
    }
}

static tn_status sections(tn_ctx *ctx, void *arg) {
    (void)arg;
    const char *text = header(ctx, odd_plan(ctx), NULL, NULL);
    has(text, "/* Static memory plan of hand made/2, made by tenure 0.1.0.");
    has(text, "digest           0123\n");
    has(text, "option           dim = batch=1 * /\n");
    has(text, "pool arena: 128 bytes, aligned to 32; lower bound 128 of what is planned\n");
    has(text, "#ifndef HAND_MADE_2_TENURE_PLAN_H\n");
    has(text, "#define HAND_MADE_2_ARENA_SIZE 128ull\n");
    has(text, "#define HAND_MADE_2_IO_SIZE 96ull\n");
    has(text, "#define HAND_MADE_2_CONST_SIZE 32ull\n");
    has(text, "#define HAND_MADE_2_RAM_BYTES 224ull\n#define HAND_MADE_2_FLASH_BYTES 32ull\n");
    has(text, "#define HAND_MADE_2_UNPLANNED 1\n");
    has(text, "HAND_MADE_2_ASSERT(partial, HAND_MADE_2_LEFT_OUT == 0,");
    has(text, "extern unsigned char hand_made_2_arena[HAND_MADE_2_ARENA_SIZE];\n");
    has(text, "extern unsigned char hand_made_2_io[HAND_MADE_2_IO_SIZE];\n");
    has_not(text, "hand_made_2_const[");
    has(text, "#define HAND_MADE_2_LAYOUT 0x");
    has(text, " *   ? ?/ open\\xff: f32[n], bytes n*4; the size depends on 'n' * /\n");
    return TN_OK;
}

/* Hostile names become stable identifiers; the names themselves stand escaped beside them. */
static tn_status names(tn_ctx *ctx, void *arg) {
    (void)arg;
    const char *text = header(ctx, odd_plan(ctx), "prefix", "Net");
    has(text, "/* * / #define x: f32[1,16], input */\n#define NET_T_DEFINE_X_POOL 1\n");
    has(text, "#define NET_INT_OFFSET 0ull\n");
    has(text, "/* 3d/\xcf\x80: f32[1,24], internal */\n#define NET_T3D_POOL 0\n");
    has(text, "#define NET_A_B_OFFSET 96ull\n");
    has(text, "; in place over a.b */\n#define NET_A_B_2_POOL 0\n#define NET_A_B_2_OFFSET 96ull\n");
    has(text, "#define NET_A_B_3_SIZE 64ull\n");
    has(text, "/* a b\\\\\\x0a: f32[1,4], internal; view of a_b */\n");
    has(text, "#define NET_A_B_4_OFFSET 16ull\n#define NET_A_B_4_SIZE 16ull\n"
              "#define NET_A_B_4_ALIGN 16ull\n");
    has(text, "#define NET_ARENA_2_OFFSET 64ull\n"); /* the pool is called arena, too */
    has(text, "#define NET_ARENA_2_DTYPE TENURE_DTYPE_F32\n#define NET_ARENA_2_RANK 2\n"
              "#define NET_ARENA_2_DIMS 1, 8\n#define NET_ARENA_2_ELEMENTS 8ull\n");
    has(text, "/* loop/body/class: ");
    has(text, "#define NET_LOOP_BODY_CLASS_DIMS 1\n#define NET_LOOP_BODY_CLASS_ELEMENTS 1ull\n");
    has_not(text, "\n#define x");
    has_not(text, "OPEN");
    return TN_OK;
}

static tn_status asserts(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_plan *p = odd_plan(ctx);
    const char *text = header(ctx, p, "prefix", "n");
    has(text, "N_T3D_OFFSET + N_T3D_SIZE <= N_ARENA_SIZE, \"T3D is outside of its pool\");");
    has(text, "N_T3D_OFFSET % N_T3D_ALIGN == 0");
    /* 3d with a.b, a.b with a_b, class with these two, and the two in io. */
    has(text, "/* 5 of 5 pairs of storages alive at the same step (option disjoint). */");
    has(text, "N_ASSERT(d0, N_T3D_OFFSET + N_T3D_SIZE <= N_A_B_OFFSET || N_A_B_OFFSET + N_A_B_SIZE "
              "<= N_T3D_OFFSET, \"T3D and A_B overlap\");");
    has(text, "\"A_B and A_B_3 overlap\"");
    has(text, "\"T_DEFINE_X and ARENA_2 overlap\"");
    has_not(text, "\"T3D and A_B_3 overlap\"");
    has(header(ctx, p, "disjoint", "1"), "/* 1 of 5 pairs");
    has_not(header(ctx, p, "disjoint", "0"), " overlap\"");
    return TN_OK;
}

static tn_status tables(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_plan *p = odd_plan(ctx);
    const char *text = header(ctx, p, "prefix", "n");
    has(text, "#ifdef N_TABLES\n");
    has(text,
        "    {\"3d/\\317\\200\", 0u, 96u, 32u, 0u, 2u, 1u, {4u, 2u}, 0, 1, 0u, 0u, N_NONE},\n");
    /* The view and the in-place result name their sources by row: value 7 has none. */
    has(text, "\"a/b\", 96u, 32u, 32u, 0u, 3u, 1u, {8u, 2u}, 2, 3, 2u, 2u, 3u},\n");
    has(text, "{\"arena\", 64u, 32u, 32u, 1u, 5u, 1u, {14u, 2u}, 3, 4, 3u, 0u, N_NONE},\n");
    has(text, "    {\"\\\" */ \\?\\?/\", \"\", \"Op\", 0u, 0, 0u, N_NONE, {0u, 3u}, {3u, 1u}, "
              "{4u, 0u}, {4u, 0u}, {0u, 0u}, 1, {0u, 0u}, {0u, 0u}, {0u, 0u}, {0u, 0u}, {0u, 0u}, "
              "{0u, 0u}, {0u, 0u}, {0u, 0u}, 0u, 0, 0u, N_NONE},\n");
    /* Step 2 writes a/b over a.b, and a_b together with a part of it. */
    has(text,
        ", {0u, 2u}, 0, {0u, 0u}, {0u, 0u}, {0u, 0u}, {0u, 0u}, {0u, 0u}, {0u, 0u}, {0u, 0u}, "
        "{1u, 0u}, 0u, 0, 0u, N_NONE},\n");
    has(text, "n_overlaps[] = {\n    {4u, 3u},\n    {5u, 6u},\n};");
    has_not(header(ctx, p, "tables", "off"), "TABLES");
    return TN_OK;
}

static tn_status target_sizes(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_plan *p = odd_plan(ctx);
    tn_pair bits = {"target-size-bits", "16"};
    tn_sink s = tn_sink_make(tn_arena_new(ctx));
    has(header(ctx, p, bits.key, bits.value), "_ARENA_SIZE 128u\n");
    has(header(ctx, p, bits.key, "32"), "_ARENA_SIZE 128ul\n");
    p->storages[5].offset = 65536 - 32;
    assert_int_equal(try_emit(p, &bits, 1, &s), TN_ERROR);
    has(the_log.text, "tensor 'arena' ends at byte 65536 of pool 'io', beyond a size_t of 16 bits");
    p->storages[5].offset = 64;
    p->pools[0].size = 70000;
    assert_int_equal(try_emit(p, &bits, 1, &s), TN_ERROR);
    has(the_log.text, "pool 'arena' has 70000 bytes, beyond a size_t of 16 bits");
    return TN_OK;
}

/* Below 64 bits tables hold no numbers of 64, but attributes keep their values. */
static tn_status narrow_tables(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_plan *p = odd_plan(ctx);
    tn_attr attrs[] = {{.name = "ends", .kind = TN_ATTR_INT, .u.i = INT32_MAX}};
    tn_pair bits = {"target-size-bits", "32"};
    tn_sink s = tn_sink_make(tn_arena_new(ctx));
    has(header(ctx, p, NULL, NULL), "typedef int64_t hand_made_2_attr_int;\n");
    p->steps[0].attrs = attrs;
    p->steps[0].n_attrs = 1;
    const char *text = header(ctx, p, bits.key, bits.value);
    has(text, "    uint32_t offset, size, align; /* in its pool */\n");
    has(text, "static const int32_t hand_made_2_extents[] = {\n");
    has(text, "typedef int32_t hand_made_2_attr_int;\n");
    has_not(text, "int64_t");
    attrs[0].u.i = INT64_MAX;
    text = header(ctx, p, bits.key, bits.value);
    has(text, "typedef int64_t hand_made_2_attr_int;\n");
    has(text, "    INT64_C(9223372036854775807),\n");
    int64_t dims[] = {0, 2147483648};
    p->values[8].dims = dims;
    assert_int_equal(try_emit(p, &bits, 1, &s), TN_ERROR);
    has(the_log.text, "dimension 1 of tensor 'arena' is 2147483648, beyond a number of 32 bits");
    return TN_OK;
}

/* Names in tables cost flash; what a program needs to run a step stays. */
static tn_status without_names(tn_ctx *ctx, void *arg) {
    (void)arg;
    const char *text = header(ctx, odd_plan(ctx), "names", "off");
    has(text, "#define HAND_MADE_2_NAMES 0 ");
    has_not(text, "\\317");
    has(text, "    {\"\", \"Op\", 0u, 0, 0u, ");
    has(text, "    {0u, 96u, 32u, 0u, 2u, 1u, {4u, 2u}, 0, 1, 0u, 0u, HAND_MADE_2_NONE},\n");
    return TN_OK;
}

/* <prefix>_<id> is never a macro: a tensor called like one of them gets another id. */
static tn_status ids_unlike_macros(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_plan *p = odd_plan(ctx);
    p->values[0].name = "x.size";
    p->values[2].name = "Last";
    p->values[3].name = "plan/id";
    p->values[4].name = "define_arena";
    p->values[5].name = "pool!";
    const char *text = header(ctx, p, "prefix", "n");
    has(text, "#define N_X_SIZE_V_OFFSET ");
    has(text, "#define N_LAST_V_OFFSET ");
    has(text, "#define N_PLAN_ID_2_OFFSET ");
    has(text, "#define N_DEFINE_ARENA_2_OFFSET ");
    has(text, "#define N_POOL_V_OFFSET ");
    return TN_OK;
}

/* No macro is longer than asked, and long names stay apart. */
static tn_status bounded_identifiers(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_plan *p = odd_plan(ctx);
    p->values[2].name = "encoder/layer.11/attention/self/query/MatMul_output_0_quantized";
    p->values[3].name = "encoder/layer.11/attention/self/query/MatMul_output_0_scaled";
    const char *text = header(ctx, p, "prefix", "net");
    for (const char *at = text; (at = strstr(at, "#define ")) != NULL;) {
        at += strlen("#define ");
        assert_true(strcspn(at, " (\n") <= 63);
    }
    has(text, "/* encoder/layer.11/attention/self/query/MatMul_output_0_quantized: f32[1,24]");
    has(text, "#define NET_ENCODER_LAYER_11_ATTENTION_SELF_QUERY_MAT_");
    has_not(text, "MATMUL");
    has(header(ctx, p, "max-identifier", "100"), "_QUERY_MATMUL_OUTPUT_0_QUANTIZED_OFFSET 0ull\n");
    tn_pair prefix = {"prefix", "a123456789b123456789c123456789d123456789e"};
    tn_sink s = tn_sink_make(tn_arena_new(ctx));
    assert_int_equal(try_emit(p, &prefix, 1, &s), TN_USAGE);
    has(the_log.text, "at most 40 in all with max-identifier=63");
    return TN_OK;
}

static tn_status bad_options(tn_ctx *ctx, void *arg) {
    (void)arg;
    static const tn_pair bad[] = {
        {"prefix", "1st"},          {"prefix", "a__b"}, {"prefix", "a_"},
        {"prefix", "a b"},          {"prefix", "_a"},   {"target-size-bits", "8"},
        {"target-size-bits", ""},   {"disjoint", "-1"}, {"disjoint", "many"},
        {"disjoint", "1000001"},    {"disjoint", ""},   {"tables", "maybe"},
        {"disjoint", "99999999999"}};
    tn_plan *p = odd_plan(ctx);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        tn_sink s = tn_sink_make(tn_arena_new(ctx));
        assert_int_equal(try_emit(p, &bad[i], 1, &s), TN_USAGE);
        has(the_log.text, bad[i].key);
        assert_int_equal(s.len, 0);
    }
    return TN_OK;
}

static tn_status empty(tn_ctx *ctx, void *arg) {
    (void)arg;
    const char *text = header(ctx, tn_plan_new(ctx), NULL, NULL);
    has(text, "#ifndef PLAN_TENURE_PLAN_H\n");
    has(text, "#define PLAN_TENSOR_COUNT 0\n");
    has(text, "a model without a name");
    return TN_OK;
}

UNIT_TEST_LOGGED(sections, the_log)
UNIT_TEST_LOGGED(names, the_log)
UNIT_TEST_LOGGED(asserts, the_log)
UNIT_TEST_LOGGED(tables, the_log)
UNIT_TEST_LOGGED(target_sizes, the_log)
UNIT_TEST_LOGGED(narrow_tables, the_log)
UNIT_TEST_LOGGED(without_names, the_log)
UNIT_TEST_LOGGED(ids_unlike_macros, the_log)
UNIT_TEST_LOGGED(bounded_identifiers, the_log)
UNIT_TEST_LOGGED(bad_options, the_log)
UNIT_TEST_LOGGED(empty, the_log)

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sections),
                                       cmocka_unit_test(test_names),
                                       cmocka_unit_test(test_asserts),
                                       cmocka_unit_test(test_tables),
                                       cmocka_unit_test(test_target_sizes),
                                       cmocka_unit_test(test_narrow_tables),
                                       cmocka_unit_test(test_without_names),
                                       cmocka_unit_test(test_ids_unlike_macros),
                                       cmocka_unit_test(test_bounded_identifiers),
                                       cmocka_unit_test(test_bad_options),
                                       cmocka_unit_test(test_empty)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
