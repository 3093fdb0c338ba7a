/* Identifiers and escapes: tensor names are hostile input. */
#include "backends/core/backend.h"
#include "backends/core/emit.h"
#include "tests/unit/unit.h"

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

static void expect(tn_arena *a, bool fold, const char *const *names, const char *const *want,
                   uint32_t n) {
    const char **ids = tn_identifiers(a, "t", names, n, fold);
    for (uint32_t i = 0; i < n; i++) {
        assert_string_equal(ids[i], want[i]);
    }
}

static tn_status identifiers(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_arena *a = tn_arena_new(ctx);
    static const char *const names[] = {
        "conv1/7x7_s2_1", "*/ #define x", "3d/\xcf\x80", "int", "_x",  "a__b",  "a b_", "",
        "\xff",           "a.b",          "a/b",         "a_b", "A_B", "class", "x\n",  "a_b_2"};
    static const char *const plain[] = {
        "conv1_7x7_s2_1", "t_define_x", "t3d",   "t_int", "t_x",     "a_b", "a_b_2",  "t", "t_2",
        "a_b_3",          "a_b_4",      "a_b_5", "A_B",   "t_class", "x",   "a_b_2_2"};
    static const char *const folded[] = {
        "CONV1_7X7_S2_1", "T_DEFINE_X", "T3D",   "INT",   "T_X",   "A_B", "A_B_2",  "T", "T_2",
        "A_B_3",          "A_B_4",      "A_B_5", "A_B_6", "CLASS", "X",   "A_B_2_2"};
    assert_int_equal(COUNT(names), COUNT(plain));
    assert_int_equal(COUNT(names), COUNT(folded));
    expect(a, false, names, plain, COUNT(names));
    expect(a, true, names, folded, COUNT(names));
    return TN_OK;
}

/* The number of a suffix is not searched for from 2 each time. */
static tn_status many_alike(tn_ctx *ctx, void *arg) {
    enum { N = 100000 };
    (void)arg;
    tn_arena *a = tn_arena_new(ctx);
    const char **names = TN_ARRAY(a, const char *, N);
    for (int i = 0; i < N; i++) {
        names[i] = i % 2 ? "\xcf\x80" : "%";
    }
    const char **ids = tn_identifiers(a, "t", names, N, true);
    assert_string_equal(ids[0], "T");
    assert_string_equal(ids[1], "T_2");
    assert_string_equal(ids[N - 1], "T_100000");
    return TN_OK;
}

static tn_status long_names(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_arena *a = tn_arena_new(ctx);
    char text[5001];
    memset(text, 'y', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    const char *const names[] = {text, text};
    const char **ids = tn_identifiers(a, "t", names, 2, false);
    assert_true(strlen(ids[0]) <= 128 && strlen(ids[1]) <= 128);
    assert_string_not_equal(ids[0], ids[1]);
    return TN_OK;
}

/* A name alone decides what it is shortened to; numbers behind it stay within the limit. */
static tn_status limited(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_arena *a = tn_arena_new(ctx);
    const char *const names[] = {"encoder/layer/one", "encoder/layer/two", "encoder/layer/one",
                                 "sixteen/letters/", "sixteen/letters"};
    const char **ids = tn_identifiers_within(a, "t", names, 5, false, 16);
    assert_string_equal(ids[0], *tn_identifiers_within(a, "t", names, 1, false, 16));
    assert_string_equal(ids[1], *tn_identifiers_within(a, "t", names + 1, 1, false, 16));
    assert_memory_equal(ids[0], "encoder_", 8);
    assert_string_equal(ids[3], "sixteen_letters");
    assert_string_equal(ids[4], "sixteen_letter_2");
    for (int i = 0; i < 5; i++) {
        assert_true(strlen(ids[i]) <= 16);
        for (int k = 0; k < i; k++) {
            assert_string_not_equal(ids[i], ids[k]);
        }
    }
    return TN_OK;
}

static tn_status comments(tn_ctx *ctx, void *arg) {
    (void)arg;
    static const char *const cases[][2] = {
        {"plain", "plain"},
        {"*/ #define x", "* / #define x"},
        {"/* // */", "/ * // * /"},
        {"*\\/", "*\\\\/"},
        {"end\\", "end\\\\"},
        {"a\nb\x7f", "a\\x0ab\\x7f"},
        {"3d/\xcf\x80", "3d/\xcf\x80"},
        {"\xff", "\\xff"},
        {"\xe2\x80\xae!", "\\xe2\\x80\\xae!"},
        {"?\?/", "? ?/"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        tn_sink s = tn_sink_make(tn_arena_new(ctx));
        tn_put_comment(&s, cases[i][0]);
        assert_string_equal(s.data, cases[i][1]);
    }
    return TN_OK;
}

static tn_status strings(tn_ctx *ctx, void *arg) {
    (void)arg;
    static const char *const cases[][2] = {
        {"plain", "\"plain\""},         {"a\"b\\", "\"a\\\"b\\\\\""}, {"\n7", "\"\\0127\""},
        {"\xcf\x80", "\"\\317\\200\""}, {"?\?/", "\"\\?\\?/\""},      {"", "\"\""},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        tn_sink s = tn_sink_make(tn_arena_new(ctx));
        tn_put_c_string(&s, cases[i][0]);
        assert_string_equal(s.data, cases[i][1]);
    }
    return TN_OK;
}

static bool is_dashed(const char *name) {
    size_t n = strlen(name);
    return n > 0 && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == n && name[0] >= 'a' &&
           name[n - 1] != '-';
}

/* What the recipe in CONTRIBUTING asks of every backend. */
static tn_status backends(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_arena *a = tn_arena_new(ctx);
    uint32_t n;
    const tn_backend *const *all = tn_backend_all(NULL, &n);
    for (uint32_t i = 0; i < n; i++) {
        const tn_backend *b = all[i];
        assert_true(is_dashed(b->name));
        assert_true(b->summary[0] != '\0' && b->summary[strlen(b->summary) - 1] != '.');
        assert_true(b->suffix[0] == '.' || b->suffix[0] == '_');
        /* They fit their options, or this is an internal error. */
        tn_backend_args args = tn_backend_defaults(a, b);
        uint64_t align = b->align != NULL ? b->align(&args) : 0;
        assert_true((align & (align - 1)) == 0);
        assert_non_null(b->emit);
        for (const tn_opt *o = b->options; o != NULL && o->name != NULL; o++) {
            assert_true(is_dashed(o->name));
        }
        for (uint32_t k = 0; k < i; k++) {
            assert_string_not_equal(b->name, all[k]->name);
            assert_string_not_equal(b->suffix, all[k]->suffix);
        }
    }
    return TN_OK;
}

UNIT_TEST(identifiers)
UNIT_TEST(backends)
UNIT_TEST(many_alike)
UNIT_TEST(long_names)
UNIT_TEST(limited)
UNIT_TEST(comments)
UNIT_TEST(strings)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_identifiers), cmocka_unit_test(test_many_alike),
        cmocka_unit_test(test_long_names),  cmocka_unit_test(test_limited),
        cmocka_unit_test(test_comments),    cmocka_unit_test(test_strings),
        cmocka_unit_test(test_backends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
