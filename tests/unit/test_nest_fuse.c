/* Groups of ops with one nest: what they are called, and over which operands their result may lie.
 * Operands are counted from the last op on. */
#include "ir/ops/op_set.h"
#include "tests/unit/plan_case.h"

#define PASSES "infer-shapes,fuse{groups=all},workspace,schedule,pin,reuse"

typedef struct over_case {
    const char *body, *type, *inplace; /* NULL: the last op is no group */
} over_case;

static const over_case cases[] = {
    /* Elements. */
    {"input %x: f32[4,50] %a = Relu(%x) %y = Tanh(%a) return %y", "Relu_Tanh", "Y over X1 (same)"},
    {"input %x: f32[4,50] input %b: f32[4,50] %a = Add(%x, %b) %y = Tanh(%a) return %y", "Add_Tanh",
     "Y over X1 X2 (same)"},
    /* Broadcast, an operand is read again behind what was written over it. */
    {"input %x: f32[4,50] input %b: f32[50] %a = Add(%x, %b) %y = Tanh(%a) return %y", "Add_Tanh",
     "Y over X1 (same)"},
    {"input %x: f32[4,1] input %b: f32[4,50] %a = Add(%x, %b) %y = Tanh(%a) return %y", "Add_Tanh",
     "Y over X2 (same)"},
    /* Other places. */
    {"input %x: f32[50,50] %a = Transpose(%x) {perm = [1, 0]} %b = Neg(%a) %y = Tanh(%b) return %y",
     "Transpose_Neg_Tanh", ""},
    {"input %x: f32[50,50] %a = Transpose(%x) {perm = [1, 0]} %b = Add(%a, %x) %y = Tanh(%b) "
     "return %y",
     "Transpose_Add_Tanh", ""},
    {"input %x: f32[1,50,1,7] %a = Transpose(%x) {perm = [2, 1, 0, 3]} %b = Neg(%a) %y = Tanh(%b) "
     "return %y",
     "Transpose_Neg_Tanh", "Y over X1 (rows)"}, /* no element moves, which no row of an op says */
    /* Rows: read as a whole, then written. */
    {"input %x: f32[4,50] %a = Relu(%x) %y = Softmax(%a) {axis = -1} return %y", "Relu_Softmax",
     "Y over X1 (rows)"},
    {"input %x: f32[4,50] input %b: f32[4,50] %a = Softmax(%x) {axis = -1} %y = Mul(%a, %b) "
     "return %y",
     "Softmax_Mul", "Y over X1 (same), Y over X2 (rows)"},
    /* Sums of columns would be made once for each element. */
    {"input %x: f32[4,50] %m = ReduceMean(%x) {axes = [0]} %y = Sub(%x, %m) return %y", NULL, NULL},
    /* Products read what others were made of. */
    {"input %x: f32[50,50] input %w: f32[50,50] %a = MatMul(%x, %w) %y = Relu(%a) return %y",
     "MatMul_Relu", ""},
    {"input %x: f32[50,50] input %w: f32[50,50] input %r: f32[50,50] %a = MatMul(%x, %w) %y = "
     "Add(%a, %r) return %y",
     "MatMul_Add", "Y over X1 (same)"},
    {"input %x: f32[50,50] input %w: f32[50,50] %a = MatMul(%x, %w) %y = Add(%a, %x) return %y",
     "MatMul_Add", ""},
    /* A few rows at a time. */
    {"input %q: f32[64,8] input %k: f32[8,64] input %v: f32[64,8] %a = MatMul(%q, %k) %b = "
     "Softmax(%a) {axis = -1} %y = MatMul(%b, %v) return %y",
     "MatMul_Softmax_MatMul", "Y over X2 (rows)"},
    {"input %x: f32[64,8] input %w: f32[8,64] input %u: f32[64,8] %a = MatMul(%x, %w) %b = "
     "Relu(%a) %c = MatMul(%b, %u) %y = Add(%c, %x) return %y",
     "MatMul_Relu_MatMul_Add", "Y over X1 (rows)"},
    {"input %x: f32[1,3,8,8] input %w: f32[32,3,3,3] %a = Conv(%x, %w) {pads = [1, 1, 1, 1]} %b = "
     "Relu(%a) %y = MaxPool(%b) {kernel_shape = [3, 3], strides = [2, 2]} return %y",
     "Conv_Relu_MaxPool", ""},
    /* Somebody else reads the scores. */
    {"input %q: f32[64,8] input %k: f32[8,64] input %v: f32[64,8] %a = MatMul(%q, %k) %b = "
     "Softmax(%a) {axis = -1} %y = MatMul(%b, %v) return %a, %y",
     "Softmax_MatMul", ""},
    /* Rows need all others. */
    {"input %q: f32[64,8] input %k: f32[8,64] input %v: f32[64,8] %a = MatMul(%q, %k) %b = "
     "Softmax(%a) {axis = 0} %y = MatMul(%b, %v) return %y",
     NULL, NULL},
    {"input %q: f32[64,8] input %k: f32[8,64] %a = MatMul(%q, %k) %y = MatMul(%a, %a) return %y",
     NULL, NULL},
};

/* By its ops, and behind these what tells rows of the same ops from one another. */
static bool is_called(const char *name, const char *ops) {
    return strncmp(name, ops, strlen(ops)) == 0 && name[strlen(ops)] == '_';
}

static tn_status run_cases(tn_ctx *ctx, void *arg) {
    (void)arg;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const over_case *o = &cases[i];
        plan_case c = case_plan(ctx, o->body, PASSES);
        const tn_op *last = NULL;
        TN_FOR_OPS(op, c.m->main) {
            last = op;
        }
        assert_non_null(last);
        bool group = strcmp(last->domain, TN_FUSED_DOMAIN) == 0;
        if (group != (o->type != NULL) ||
            (group &&
             (!is_called(last->type, o->type) || strcmp(last->info->inplace, o->inplace) != 0))) {
            fail_msg("case %zu: %s::%s, '%s'", i, last->domain, last->type,
                     last->info->inplace != NULL ? last->info->inplace : "");
        }
        tn_plan_drop(c.p);
    }
    return TN_OK;
}
UNIT_TEST(run_cases)

/* Rows of one name that say other things have other names. */
static tn_status two_rows(tn_ctx *ctx, void *arg) {
    (void)arg;
    plan_case c = case_plan(ctx,
                            "input %x: f32[4,50] input %b: f32[50] "
                            "%a = Add(%x, %x) %y = Tanh(%a) %c = Add(%x, %b) %z = Tanh(%c) "
                            "%d = Add(%b, %b) %u = Tanh(%d) return %y, %z, %u",
                            PASSES);
    const char *types[3] = {NULL};
    uint32_t n = 0;
    TN_FOR_OPS(op, c.m->main) {
        assert_true(n < 3);
        types[n++] = op->type;
    }
    assert_int_equal(n, 3);
    assert_string_equal(types[0], "Add_Tanh_1s1");
    assert_string_equal(types[1], "Add_Tanh_2s1");
    assert_string_equal(types[2], "Add_Tanh_1s1");
    tn_plan_drop(c.p);
    return TN_OK;
}
UNIT_TEST(two_rows)

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_run_cases),
                                       cmocka_unit_test(test_two_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
