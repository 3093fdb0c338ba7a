/* Expressions of kernels' facts over one op. */
#include "ir/ops/row_expr.h"

#include "ir/base/sink.h"
#include "ir/text/text.h"
#include "tests/unit/unit.h"

/* An expression over the last op of `body`; `want` is its value, as dimensions are printed. */
typedef struct expr_case {
    const char *body, *text, *want;
} expr_case;

#define CONV(x, w, attrs)                                                                          \
    "input %x: " x " const %w: " w " = tensor(4 bytes) %y: f32[1,64,20,20] = Conv(%x, %w) " attrs
#define CONV_3X3 CONV("f32[1,32,20,20]", "f32[64,32,3,3]", "{pads = [1,1,1,1]}")
#define OPEN CONV("f32[1,s,20,20]", "f32[64,32,3,3]", "{pads = [1,1,1,1]}")

static const tn_row_const consts[] = {{"mve", 1}, {"block", 124}};

static tn_status evaluates(tn_ctx *ctx, void *arg) {
    const expr_case *c = arg;
    tn_arena *scratch = tn_arena_new(ctx);
    const char *text = tn_arena_printf(scratch, "tir 1\nopset \"\" 17\ngraph \"g\" {\n%s\n}\n",
                                       c->body),
               *wrong;
    tn_module *m = tn_module_parse(ctx, "case", text, strlen(text));
    assert_non_null(m);
    const tn_op *op = m->main->last;
    tn_row_names names = {op->info, true, consts, 2};
    size_t at;
    const tn_row_expr *e = tn_row_expr_parse(scratch, c->text, &names, &at, &wrong);
    if (e == NULL) {
        fail_msg("%s: byte %zu: %s", c->text, at, wrong);
    }
    tn_sink out = tn_sink_make(scratch);
    tn_dim_print(m->dims, tn_row_expr_eval(e, op), &out);
    if (strcmp(out.data, c->want) != 0) {
        fail_msg("%s is %s, wanted %s", c->text, out.data, c->want);
    }
    return TN_OK;
}

static void run_cases(const expr_case *cases, size_t n) {
    for (size_t i = 0; i < n; i++) {
        unit_log log;
        expr_case c = cases[i];
        tn_ctx *ctx = unit_ctx(&log);
        unit_run(ctx, evaluates, &c);
        tn_ctx_free(ctx);
    }
}

#define EXPR_TEST(name, ...)                                                                       \
    static void test_##name(void **state) {                                                        \
        static const expr_case cases[] = {__VA_ARGS__};                                            \
        (void)state;                                                                               \
        run_cases(cases, sizeof cases / sizeof cases[0]);                                          \
    }

EXPR_TEST(numbers, {CONV_3X3, "2 + 3*4 - 1", "13"}, {CONV_3X3, "-7//2", "-4"},
          {CONV_3X3, "7%4", "3"}, {CONV_3X3, "10-4-3", "3"}, {CONV_3X3, "(1+2)*3", "9"},
          {CONV_3X3, "ceil(7,2) + up(7,4) + min(1,2) + max(1,2)", "15"},
          {CONV_3X3, "conv(20,3,2,1,1)", "10"}, {CONV_3X3, "1 ? 2 : 0 ? 3 : 4", "2"},
          {CONV_3X3, "1 < 2 && 2 <= 2 && 3 > 2 && 3 >= 3 && 1 == 1 && 1 != 2", "1"},
          {CONV_3X3, "0 || !0", "1"}, {CONV_3X3, "2 > 3 || 1 > 1 || !1", "0"})

EXPR_TEST(names, {CONV_3X3, "X.d1 + X.d[-1]", "52"}, {CONV_3X3, "X.rank + X.e", "8"},
          {CONV_3X3, "Y.n + Y.bytes", "128000"}, {CONV_3X3, "B", "0"}, {CONV_3X3, "B.n", "0"},
          {CONV_3X3, "X", "1"}, {CONV_3X3, "W.const*2 + X.const", "2"},
          {CONV_3X3, "attr.group + attr.pads[0] + attr.strides[-1]", "3"},
          {CONV_3X3, "target.mve * target.block", "124"})

/* What is not known is never 0. */
EXPR_TEST(unknown, {CONV_3X3, "X.d4", "?"}, {CONV_3X3, "X.d[-5]", "?"}, {CONV_3X3, "1//0", "?"},
          {CONV_3X3, "1%0", "?"}, {CONV_3X3, "up(1,0)", "?"}, {CONV_3X3, "X[0]", "?"},
          {CONV_3X3, "attr.pads[4]", "?"}, {CONV_3X3, "0 && X.d4", "0"},
          {CONV_3X3, "1 || X.d4", "1"}, {CONV_3X3, "1 && X.d4", "?"}, {CONV_3X3, "X.d4 && 0", "?"},
          {CONV_3X3, "X.rank == 5 ? X.d4 : 7", "7"}, {OPEN, "X.d1 == 3 ? 1 : 2", "?"},
          {CONV_3X3, "999999999999999999*999999999999999999", "?"})

/* Figures of CMSIS-NN, and of convolutions by columns. */
EXPR_TEST(formulas, {CONV_3X3, "4*up(W.n//W.d0, 4)", "1152"},
          {CONV("f32[1,3,20,20]", "f32[64,3,3,3]", ""), "4*up(W.n//W.d0, 4)", "112"},
          {CONV("f32[1,3,20,20]", "f32[64,3,3,3]", ""), "4*up(W.n//W.d0, 16)", "128"},
          {OPEN, "up(X.d1*9,4)*4 - up(X.d1*9,4)*4", "0"}, {OPEN, "X.d1*9", "s*9"})

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers), cmocka_unit_test(test_names),
                                       cmocka_unit_test(test_unknown),
                                       cmocka_unit_test(test_formulas)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
