/* Settings as a request takes them: what is accepted, what it means, what is refused. */
#include "tests/unit/unit.h"

#include "ir/base/quote.h"
#include "lib/request/request.h"

static unit_log log_;

static tn_status set(tn_request *r, const char *name, const char *value) {
    log_.len = 0;
    log_.text[0] = '\0';
    return tn_request_set(r, name, value, "--it");
}

static tn_status takes_bytes(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_request *r = tn_request_new(tn_arena_new(ctx));
    static const struct {
        const char *text;
        uint64_t bytes;
    } good[] = {{"0", 0},
                {"4096", 4096},
                {"64K", 64 << 10},
                {"2M", 2 << 20},
                {"3G", (uint64_t)3 << 30},
                {"18446744073709551615", UINT64_MAX},
                {"17179869183G", (uint64_t)17179869183 << 30}};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_int_equal(set(r, "capacity", good[i].text), TN_OK);
        assert_true(tn_request_controls(r).capacity == good[i].bytes);
    }
    static const char *const bad[] = {"",
                                      "K",
                                      "-1",
                                      "+1",
                                      " 1",
                                      "1k",
                                      "1KB",
                                      "1.5M",
                                      "0x10",
                                      "18446744073709551616",
                                      "17179869184G"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(set(r, "capacity", bad[i]), TN_USAGE);
        assert_non_null(strstr(log_.text, "--it must be a number of bytes"));
    }
    assert_int_equal(set(r, "align", "0"), TN_USAGE);
    assert_int_equal(set(r, "align", "2G"), TN_USAGE);
    assert_int_equal(set(r, "align", "1G"), TN_OK);
    return TN_OK;
}

static tn_status takes_shapes(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_request *r = tn_request_new(tn_arena_new(ctx));
    assert_int_equal(set(r, "input-shape", "a=b:0=1,-1,224"), TN_OK);
    assert_int_equal(set(r, "input-shape", "scalar="), TN_OK);
    assert_int_equal(set(r, "input-shape", "colon:7"), TN_OK);
    tn_load_options o = tn_request_load_options(r);
    assert_int_equal(o.n_shapes, 3);
    assert_string_equal(o.shapes[0].name, "a=b:0");
    assert_int_equal(o.shapes[0].rank, 3);
    assert_int_equal(o.shapes[0].dims[1], -1);
    assert_int_equal(o.shapes[0].dims[2], 224);
    assert_int_equal(o.shapes[1].rank, 0);
    assert_string_equal(o.shapes[2].name, "colon");
    static const char *const bad[] = {"x", "=1", "x=1,", "x=,1", "x=1,-2", "x=1,a", "x=1 ,2"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(set(r, "input-shape", bad[i]), TN_USAGE);
    }
    tn_sink many = tn_sink_make(r->arena);
    tn_put(&many, "x=1");
    for (int i = 1; i < 64; i++) {
        tn_put(&many, ",1");
    }
    assert_int_equal(set(r, "input-shape", many.data), TN_OK);
    tn_put(&many, ",1");
    assert_int_equal(set(r, "input-shape", many.data), TN_USAGE);
    return TN_OK;
}

static tn_status takes_dims(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_request *r = tn_request_new(tn_arena_new(ctx));
    assert_int_equal(set(r, "dim", "batch=1"), TN_OK);
    assert_int_equal(set(r, "dim", "seq:0"), TN_OK);
    assert_int_equal(set(r, "dim", "batch=2"), TN_USAGE);
    assert_int_equal(set(r, "dim", "n=-1"), TN_USAGE);
    assert_int_equal(set(r, "dim", "n=99999999999999999999"), TN_USAGE);
    tn_load_options o = tn_request_load_options(r);
    assert_int_equal(o.n_dims, 2);
    assert_string_equal(o.dims[1].name, "seq");
    assert_int_equal(o.dims[1].value, 0);
    return TN_OK;
}

static tn_status takes_flags(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_request *r = tn_request_new(tn_arena_new(ctx));
    assert_true(tn_request_controls(r).optimize_train);
    assert_int_equal(set(r, "no-optimize-train", NULL), TN_OK);
    assert_false(tn_request_controls(r).optimize_train);
    assert_int_equal(set(r, "keep-all", "false"), TN_OK);
    assert_false(tn_request_controls(r).keep_all);
    assert_int_equal(set(r, "keep-all", "true"), TN_OK);
    assert_true(tn_request_controls(r).keep_all);
    assert_int_equal(set(r, "keep-all", "maybe"), TN_USAGE);
    assert_int_equal(set(r, "skip", "conv*"), TN_OK);
    assert_int_equal(set(r, "exclude", "fc"), TN_OK);
    assert_int_equal(tn_request_controls(r).exclude.len, 2);
    assert_int_equal(set(r, "algo", "no such"), TN_USAGE);
    assert_int_equal(set(r, "capacity", NULL), TN_USAGE);
    assert_string_equal(log_.text, "error: --it needs a value (BYTES)\n");
    /* What was applied is on record under its own name, what was refused is not. */
    assert_int_equal(r->given.len, 5);
    assert_string_equal(r->given.data[0].key, "optimize-train");
    assert_string_equal(r->given.data[0].value, "false");
    assert_string_equal(r->given.data[3].key, "exclude");
    assert_string_equal(r->given.data[3].value, "conv*");
    return TN_OK;
}

/* The flag as it was set last. Options of frontends have no field of their own but are listed. */
static bool is_on(const tn_request *r, const tn_setting *s) {
    const tn_pair *last = &r->given.data[r->given.len - 1];
    bool on = strcmp(last->value, "true") == 0;
    assert_string_equal(last->key, s->name);
    if (s->set == tn_set_flag) {
        assert_int_equal(*(const bool *)((const char *)r + s->offset), on);
    } else {
        assert_string_equal(r->frontend.data[r->frontend.len - 1].key, s->name);
    }
    return on;
}

/* Every flag has its negation, and what comes last counts. */
static tn_status negates_flags(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_request *r = tn_request_new(tn_arena_new(ctx));
    tn_setting_group groups[TN_REQUEST_GROUPS];
    tn_request_groups(r, groups);
    uint32_t n = 0;
    for (uint32_t i = 0; i < TN_REQUEST_GROUPS; i++) {
        for (const tn_setting *s = groups[i].table; s->name != NULL; s++) {
            const char *negation = tn_arena_printf(r->arena, "no-%s", s->name);
            if (s->arg != NULL) {
                assert_int_equal(set(r, negation, NULL), TN_USAGE);
                continue;
            }
            assert_int_equal(set(r, s->name, NULL), TN_OK);
            assert_true(is_on(r, s));
            assert_int_equal(set(r, negation, NULL), TN_OK);
            assert_false(is_on(r, s));
            assert_int_equal(set(r, negation, "false"), TN_OK);
            assert_true(is_on(r, s));
            n++;
        }
    }
    assert_int_equal(n, 12);
    assert_int_equal(set(r, "no-reuse-input", NULL), TN_USAGE);
    assert_non_null(strstr(log_.text, "did you mean 'no-reuse-inputs'?"));
    assert_int_equal(set(r, "no-no-strict", NULL), TN_USAGE);
    return TN_OK;
}

/* Names with separators in them, everywhere a name is asked for. */
static tn_status takes_quotes(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_request *r = tn_request_new(tn_arena_new(ctx));
    assert_int_equal(set(r, "dim", "\"a=b\"=3"), TN_OK);
    assert_int_equal(set(r, "dim", "\"c:d\":4"), TN_OK);
    assert_int_equal(set(r, "input-shape", "\"say \\\"x\\\"\"=1,2"), TN_OK);
    assert_int_equal(set(r, "input-value", "\"\\e2\\9c\\93\"=1"), TN_OK);
    assert_int_equal(set(r, "exclude", "\"a,b\""), TN_OK);
    assert_int_equal(set(r, "exclude", "a,b"), TN_OK);
    assert_int_equal(set(r, "update", "a=\"b=c\""), TN_OK);
    tn_load_options o = tn_request_load_options(r);
    assert_string_equal(o.dims[0].name, "a=b");
    assert_int_equal(o.dims[0].value, 3);
    assert_string_equal(o.dims[1].name, "c:d");
    assert_string_equal(o.shapes[0].name, "say \"x\"");
    assert_int_equal(o.shapes[0].rank, 2);
    assert_string_equal(o.values[0].name, "\xe2\x9c\x93");
    assert_string_equal(tn_request_controls(r).exclude.data[0], "a,b");
    assert_string_equal(tn_request_controls(r).exclude.data[1], "a,b");
    const char *state, *value;
    assert_true(tn_pair_split(r->arena, "a=\"b=c\"", "=", false, &state, &value));
    assert_string_equal(state, "a");
    assert_string_equal(tn_name_unquote(r->arena, value), "b=c");
    assert_true(tn_pair_split(r->arena, "a=b=c", "=", false, &state, &value));
    assert_string_equal(state, "a=b");
    static const char *const bad[][2] = {
        {"dim", "\"a=3"},      {"dim", "\"a\"3"},  {"dim", "\"a\"x=3"},    {"dim", "\"\"=3"},
        {"exclude", "\"a\"b"}, {"exclude", "\"a"}, {"exclude", "\"\\q\""}, {"exclude", "\"\\00\""},
        {"update", "a=\"b"},   {"update", "a"},    {"update", "\"a=b\""},  {"grad-of", "=b"},
        {"grad-of", "a="}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(set(r, bad[i][0], bad[i][1]), TN_USAGE);
    }
    static const struct {
        const char *text;
        size_t len;
    } items[] = {{"a,b", 1},         {"\"a,b\",c", 5},  {"x=\"a,b\",c", 7}, {"", 0},
                 {"\"a\\\",b\"", 7}, {"5\" pipe,b", 7}, {"\"open,", 6}};
    for (size_t i = 0; i < sizeof items / sizeof items[0]; i++) {
        assert_int_equal(tn_list_item(items[i].text), items[i].len);
    }
    return TN_OK;
}

static void in_ctx(tn_status (*body)(tn_ctx *ctx, void *arg)) {
    tn_ctx *ctx = unit_ctx(&log_);
    unit_run(ctx, body, NULL);
    tn_ctx_free(ctx);
}

static void test_bytes(void **state) {
    (void)state;
    in_ctx(takes_bytes);
}

static void test_shapes(void **state) {
    (void)state;
    in_ctx(takes_shapes);
}

static void test_dims(void **state) {
    (void)state;
    in_ctx(takes_dims);
}

static void test_flags(void **state) {
    (void)state;
    in_ctx(takes_flags);
}

static void test_negations(void **state) {
    (void)state;
    in_ctx(negates_flags);
}

static void test_quotes(void **state) {
    (void)state;
    in_ctx(takes_quotes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes),     cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_dims),      cmocka_unit_test(test_flags),
        cmocka_unit_test(test_negations), cmocka_unit_test(test_quotes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
