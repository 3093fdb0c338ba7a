/* The algebra of symbolic dimensions and its text form. */
#include "ir/dim/dim_t.h"

#include "tests/unit/unit.h"

static const char *text(const tn_dims *d, tn_arena *a, tn_dim x) {
    tn_sink s = tn_sink_make(a);
    tn_dim_print(d, x, &s);
    return s.data;
}

static tn_dim parse(tn_dims *d, const char *t) {
    tn_dim x = TN_DIM_UNKNOWN;
    assert_true(tn_dim_parse(d, &t, &x));
    assert_int_equal(*t, '\0');
    return x;
}

/* Whether two texts are one expression. */
static bool are_same(tn_dims *d, const char *s, const char *t) {
    tn_dim a = parse(d, s), b = parse(d, t);
    return a == b;
}

static bool is_ge(bool (*ge)(tn_dims *d, tn_dim a, tn_dim b), tn_dims *d, const char *s,
                  const char *t) {
    tn_dim a = parse(d, s), b = parse(d, t);
    return ge(d, a, b);
}

static tn_status normal_form(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_arena *a = tn_arena_new(ctx);
    tn_dims *d = tn_dims_new(a);
    static const char *const same[][2] = {
        {"a + b", "b + a"},
        {"(a + b)*(a - b)", "a*a - b*b"},
        {"a*12 floordiv 4", "a*3"},
        {"(batch*12) floordiv 12", "batch"},
        {"(a*b) floordiv a", "b"},
        {"(s*2 + 6 + 1) floordiv 2", "s + 3"},
        {"(s + 5) floordiv 2", "(s + 1) floordiv 2 + 2"},
        {"s ceildiv 2 + 1", "(s + 2) ceildiv 2"},
        {"min(a, a + 1)", "a"},
        {"max(7, 3)", "7"},
        {"min(b, a)", "min(a, b)"},
        {"((s floordiv 2) floordiv 3)", "s floordiv 6"},
        {"a - a", "0"},
        {"0*?", "0"},
        {"1 + ?", "?"},
        {"(-7) floordiv 2", "-4"},
        {"(s - 9223372036854775808) floordiv 61", "(s + 53) floordiv 61 - 151202820276307801"},
    };
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        tn_dim x = parse(d, same[i][0]), y = parse(d, same[i][1]);
        assert_string_equal(text(d, a, x), text(d, a, y));
        assert_int_equal(x, y);
    }
    assert_false(are_same(d, "a", "b"));
    assert_false(are_same(d, "a floordiv 2", "a ceildiv 2"));
    return TN_OK;
}

/* What is printed parses to the same expression, also in a table where symbols come in another
 * order. */
static tn_status prints_back(tn_ctx *ctx, void *arg) {
    (void)arg;
    static const char *const all[] = {"b*3 + a*2 - 7",
                                      "min(z, a)",
                                      "max(b, (a + 1) floordiv 2)*4",
                                      "\"odd name\"*2",
                                      "\"quote\\\"and\\\\\" + 1",
                                      "((a*b + 1) ceildiv 3)*c",
                                      "-a + 1",
                                      "\"min\" + 2"};
    tn_arena *arena = tn_arena_new(ctx);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        tn_dims *d = tn_dims_new(arena), *e = tn_dims_new(arena);
        tn_dim_sym(e, "z");
        tn_dim_sym(e, "c");
        tn_dim_sym(e, "b");
        const char *once = text(d, arena, parse(d, all[i]));
        assert_string_equal(once, text(e, arena, parse(e, once)));
    }
    return TN_OK;
}

static bool seven(void *user, const char *name, int64_t *value) {
    (void)user;
    *value = 7;
    return strcmp(name, "open") != 0;
}

static tn_status evaluates(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_dims *d = tn_dims_new(tn_arena_new(ctx));
    int64_t v;
    assert_true(tn_dim_eval(d, parse(d, "(s + 2*3 - 3) floordiv 2 + 1"), seven, NULL, &v));
    assert_int_equal(v, 6);
    assert_false(tn_dim_eval(d, parse(d, "s + open"), seven, NULL, &v));
    assert_false(tn_dim_eval(d, TN_DIM_UNKNOWN, seven, NULL, &v));
    /* The one quotient of constants that does not fit, with and without a sum around it. */
    assert_int_equal(parse(d, "(-9223372036854775808) floordiv (-1)"), TN_DIM_UNKNOWN);
    assert_int_equal(parse(d, "(s - 9223372036854775808) floordiv (-1)"), TN_DIM_UNKNOWN);
    assert_int_equal(parse(d, "7 floordiv 0"), TN_DIM_UNKNOWN);
    assert_int_equal(parse(d, "0 floordiv 0"), TN_DIM_UNKNOWN);
    assert_int_equal(parse(d, "0 ceildiv 0"), TN_DIM_UNKNOWN);
    tn_dim big = tn_dim_const(d, INT64_MAX);
    assert_int_equal(tn_dim_add(d, big, tn_dim_const(d, 1)), TN_DIM_UNKNOWN);
    tn_dim grown = parse(d, "s");
    for (int i = 0; i < 64 && grown != TN_DIM_UNKNOWN; i++) {
        tn_dim left = tn_dim_floordiv(d, grown, parse(d, "t"));
        grown = tn_dim_max(d, left, tn_dim_floordiv(d, grown, parse(d, "u")));
    }
    assert_int_equal(grown, TN_DIM_UNKNOWN);
    assert_true(is_ge(tn_dim_filled_ge, d, "s*2", "2"));
    assert_true(is_ge(tn_dim_filled_ge, d, "s + 3", "s ceildiv 1"));
    assert_false(is_ge(tn_dim_filled_ge, d, "s - 1", "1"));
    assert_true(is_ge(tn_dim_filled_ge, d, "max(s, t)", "1"));
    assert_false(is_ge(tn_dim_filled_ge, d, "min(s, t - 1)", "1"));
    tn_dims_bind(d, "batch", 4);
    assert_int_equal(parse(d, "batch*3"), tn_dim_const(d, 12));
    assert_true(is_ge(tn_dim_provably_ge, d, "s*2 + 1", "s"));
    assert_false(is_ge(tn_dim_provably_ge, d, "s", "t"));
    assert_true(is_ge(tn_dim_provably_ge, d, "((-s) floordiv 8)*((-t) floordiv 8)", "0"));
    assert_true(is_ge(tn_dim_provably_ge, d, "0", "u*((-s) ceildiv 8)"));
    assert_true(is_ge(tn_dim_provably_ge, d, "0", "min(-s, t)"));
    assert_true(is_ge(tn_dim_provably_ge, d, "0", "max(-s, -t)"));
    assert_false(is_ge(tn_dim_provably_ge, d, "0", "max(-s, t)"));
    assert_false(is_ge(tn_dim_provably_ge, d, "(-s)*((-t) floordiv 8)*((-u) floordiv 8)", "0"));
    assert_false(is_ge(tn_dim_provably_ge, d, "(s - t)*(-u)", "0"));
    return TN_OK;
}

/* Each round doubles what would have to be written out. */
static tn_status stays_small(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_arena *arena = tn_arena_new(ctx);
    tn_dims *d = tn_dims_new(arena);
    tn_dim x = tn_dim_sym(d, "x"), eight = tn_dim_const(d, 8);
    int rounds = 0;
    for (tn_dim next = x; next != TN_DIM_UNKNOWN; rounds++) {
        assert_true(rounds < 64);
        assert_true(strlen(text(d, arena, next)) < 1u << 16);
        x = next;
        next = tn_dim_max(d, tn_dim_ceildiv(d, x, eight), tn_dim_floordiv(d, eight, x));
    }
    assert_true(rounds > 4);
    return TN_OK;
}

/* A sum has so many terms, and not one more. */
static tn_status most_terms(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_dims *d = tn_dims_new(tn_arena_new(ctx));
    tn_dim sum = tn_dim_const(d, 0);
    for (int i = 0; i < TN_DIM_MAX_TERMS; i++) {
        sum = tn_dim_add(d, sum, tn_dim_sym(d, tn_internf(ctx, "s%d", i)));
    }
    int64_t v;
    assert_true(tn_dim_eval(d, sum, seven, NULL, &v));
    assert_int_equal(v, 7 * TN_DIM_MAX_TERMS);
    assert_int_equal(tn_dim_add(d, sum, tn_dim_sym(d, "more")), TN_DIM_UNKNOWN);
    assert_int_not_equal(tn_dim_add(d, sum, tn_dim_sym(d, "s0")), TN_DIM_UNKNOWN);
    return TN_OK;
}

typedef struct extents {
    int64_t d, e, n;
} extents;

static bool extent(void *user, const char *name, int64_t *value) {
    const extents *x = user;
    *value = name[0] == 'd' ? x->d : name[0] == 'e' ? x->e : x->n;
    return true;
}

/* d is at most 5, e at most 2*n: no extents make an expression larger than its most. */
static tn_status limits(tn_ctx *ctx, void *arg) {
    (void)arg;
    static const char *const exact[][2] = {{"d", "5"},
                                           {"e*4 + 1", "n*8 + 1"},
                                           {"d*e", "n*10"},
                                           {"n - d", "n"},
                                           {"n*d - e", "n*5"},
                                           {"(d + 3) floordiv 2", "4"},
                                           {"10 - (d floordiv 2)", "10"},
                                           {"min(d, e)", "min(5, n*2)"},
                                           {"max(d, 9)", "9"},
                                           {"n", "n"}};
    static const char *const others[] = {"d*d - d*4 + 4",
                                         "(d - 3) floordiv 2",
                                         "((d - 3) floordiv 2)*((e - 4) floordiv 3)",
                                         "e ceildiv d",
                                         "(n - d) floordiv 2 + d*e - e",
                                         "d*(7 - d) + n",
                                         "max(d - e, 2)",
                                         "((n + e) ceildiv 3)*(d ceildiv 2) - n*d"};
    tn_arena *arena = tn_arena_new(ctx);
    tn_dims *d = tn_dims_new(arena);
    tn_dims_limit(d, "d", "x.0", tn_dim_const(d, 5));
    tn_dims_limit(d, "e", "y.0", parse(d, "n*2"));
    for (size_t i = 0; i < sizeof exact / sizeof exact[0]; i++) {
        tn_dim a = parse(d, exact[i][0]);
        assert_string_equal(text(d, arena, tn_dim_most(d, a)), exact[i][1]);
        assert_int_equal(tn_dim_by_data(d, a), strcmp(exact[i][0], "n") != 0);
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        tn_dim a = parse(d, others[i]), most = tn_dim_most(d, a);
        assert_int_not_equal(most, TN_DIM_UNKNOWN);
        for (int64_t k = 0; k < 6 * 9 * 4; k++) {
            extents x = {k % 6, k / 6 % 9, 1 + k / 54};
            int64_t is, limit;
            if (x.e <= 2 * x.n && tn_dim_eval(d, a, extent, &x, &is)) {
                assert_true(tn_dim_eval(d, most, extent, &x, &limit));
                assert_true(is <= limit);
            }
        }
    }
    assert_int_equal(tn_dim_most(d, TN_DIM_UNKNOWN), TN_DIM_UNKNOWN);
    assert_false(is_ge(tn_dim_filled_ge, d, "d", "1")); /* there may be none */
    assert_string_equal(tn_dims_limit_of(d, "y.0")->name, "e");
    assert_null(tn_dims_limit_of(d, "z.0"));
    tn_dims_limit(d, "d", "x.0", tn_dim_const(d, 3));
    assert_string_equal(text(d, arena, tn_dim_most(d, parse(d, "d + 1"))), "4");
    return TN_OK;
}

UNIT_TEST(limits)
UNIT_TEST(normal_form)
UNIT_TEST(prints_back)
UNIT_TEST(evaluates)
UNIT_TEST(stays_small)
UNIT_TEST(most_terms)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_limits),      cmocka_unit_test(test_normal_form),
        cmocka_unit_test(test_prints_back), cmocka_unit_test(test_evaluates),
        cmocka_unit_test(test_stays_small), cmocka_unit_test(test_most_terms)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
