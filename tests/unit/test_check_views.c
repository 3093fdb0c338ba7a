/* The checker's own idea of views and in-place writes: offsets worked out from shapes, attributes
 * and constants; no for everything that moves or mixes elements. */
#include "ir/check/check_t.h"

#include "tests/unit/hand_plan.h"

/* An op over float tensors x: [x] (and whole-number constants), with results of given shapes. */
typedef struct bench {
    tn_module *m;
    tn_checking c;
    uint32_t n;
} bench;

static bench bench_new(tn_ctx *ctx) {
    bench b = {.m = tn_module_new(ctx, "views", "views.onnx")};
    b.c.m = b.m;
    b.c.ctx = ctx;
    return b;
}

static tn_value *input(bench *b, uint32_t rank, const int64_t *dims) {
    const char *name = tn_internf(b->m->ctx, "in%u", b->n++);
    return tn_graph_add_input(b->m->main, name, hand_type(b->m, TN_DT_FLOAT, rank, dims));
}
#define INPUT(b, ...)                                                                              \
    input(b, (uint32_t)(sizeof((int64_t[]){__VA_ARGS__}) / 8), (const int64_t[]){__VA_ARGS__})

static tn_value *ints(bench *b, uint32_t n, const int64_t *data) {
    return hand_const(b->m->main, tn_internf(b->m->ctx, "const%u", b->n++), n, data);
}
#define INTS(b, ...)                                                                               \
    ints(b, (uint32_t)(sizeof((int64_t[]){__VA_ARGS__}) / 8), (const int64_t[]){__VA_ARGS__})

static tn_value *result(bench *b, tn_op *op, uint32_t rank, const int64_t *dims) {
    const char *name = tn_internf(b->m->ctx, "out%u", b->n++);
    return tn_op_add_result(op, name, hand_type(b->m, TN_DT_FLOAT, rank, dims));
}
#define RESULT(b, op, ...)                                                                         \
    result(b, op, (uint32_t)(sizeof((int64_t[]){__VA_ARGS__}) / 8), (const int64_t[]){__VA_ARGS__})

static tn_op *op_of(bench *b, const char *type, tn_value *x, tn_value *y, tn_value *z) {
    return hand_op(b->m->main, type, "op", x, y, z);
}

static void add_ints(bench *b, tn_op *op, const char *name, uint32_t n, const int64_t *data) {
    tn_attr a = {.name = name, .kind = TN_ATTR_INTS, .n = n};
    a.u.ints = tn_arena_regrow(b->m->arena, data, n, n, sizeof *data);
    tn_op_add_attr(op, a);
}

static tn_status slices(tn_ctx *ctx, void *arg) {
    (void)arg;
    bench b = bench_new(ctx);
    tn_value *x = INPUT(&b, 4, 8, 16);
    tn_op *outer = op_of(&b, "Slice", x, INTS(&b, -3), INTS(&b, 3));
    tn_value *y = RESULT(&b, outer, 2, 8, 16);
    assert_true(tn_check_is_view(&b.c, y, x, 1 * 8 * 16 * 4));
    assert_false(tn_check_is_view(&b.c, y, x, 0));
    tn_op *inner = op_of(&b, "Slice", x, INTS(&b, 0), INTS(&b, 4));
    tn_op_add_operand(inner, INTS(&b, 1));
    assert_false(tn_check_is_view(&b.c, RESULT(&b, inner, 4, 4, 16), x, 0));
    tn_op *step = op_of(&b, "Slice", x, INTS(&b, 0), INTS(&b, 4));
    tn_op_add_operand(step, INTS(&b, 0));
    tn_op_add_operand(step, INTS(&b, 2));
    assert_false(tn_check_is_view(&b.c, RESULT(&b, step, 2, 8, 16), x, 0));
    /* One element of the outer axis leaves the next one free to be cut. */
    tn_value *one = INPUT(&b, 1, 8, 16);
    tn_op *deep = op_of(&b, "Slice", one, INTS(&b, 2), INTS(&b, 100));
    tn_op_add_operand(deep, INTS(&b, -2));
    tn_value *cut = RESULT(&b, deep, 1, 6, 16);
    assert_true(tn_check_is_view(&b.c, cut, one, 2 * 16 * 4));
    /* A start nobody knows ahead of time. */
    tn_op *open = op_of(&b, "Slice", x, INPUT(&b, 1), INTS(&b, 4));
    assert_false(tn_check_is_view(&b.c, RESULT(&b, open, 4, 8, 16), x, 0));
    return TN_OK;
}

/* Elements smaller than a byte: a part may not share its last byte with what comes behind it, which
 * could be written by another op than the part. */
static tn_status parts_of_bytes(tn_ctx *ctx, void *arg) {
    (void)arg;
    bench b = bench_new(ctx);
    const tn_type *one = hand_type(b.m, TN_DT_UINT2, 1, (int64_t[]){1});
    const tn_type *four = hand_type(b.m, TN_DT_UINT2, 1, (int64_t[]){4});
    const tn_type *five = hand_type(b.m, TN_DT_UINT2, 1, (int64_t[]){5});
    tn_value *x = tn_graph_add_input(b.m->main, "x", one);
    tn_value *y = tn_graph_add_input(b.m->main, "y", four);
    tn_op *bits = op_of(&b, "Concat", x, y, NULL), *whole = op_of(&b, "Concat", y, x, NULL);
    tn_op_add_int(bits, "axis", 0);
    tn_op_add_int(whole, "axis", 0);
    tn_value *r = tn_op_add_result(bits, "r", five), *s = tn_op_add_result(whole, "s", five);
    assert_false(tn_check_is_view(&b.c, r, x, 0));
    assert_true(tn_check_is_view(&b.c, s, y, 0));
    assert_false(tn_check_is_view(&b.c, s, x, -1));
    return TN_OK;
}

static tn_status gathers(tn_ctx *ctx, void *arg) {
    (void)arg;
    bench b = bench_new(ctx);
    tn_value *x = INPUT(&b, 10, 4);
    tn_value *y = RESULT(&b, op_of(&b, "Gather", x, INTS(&b, 3, 4, 5), NULL), 3, 4);
    assert_true(tn_check_is_view(&b.c, y, x, 3 * 4 * 4));
    tn_value *last = RESULT(&b, op_of(&b, "Gather", x, INTS(&b, -1), NULL), 1, 4);
    assert_true(tn_check_is_view(&b.c, last, x, 9 * 4 * 4));
    tn_value *mixed = RESULT(&b, op_of(&b, "Gather", x, INTS(&b, 3, 5), NULL), 2, 4);
    assert_false(tn_check_is_view(&b.c, mixed, x, 3 * 4 * 4));
    tn_op *inner = op_of(&b, "Gather", x, INTS(&b, 1), NULL);
    tn_op_add_int(inner, "axis", 1);
    assert_false(tn_check_is_view(&b.c, RESULT(&b, inner, 10, 1), x, 4));
    return TN_OK;
}

static tn_status pieces(tn_ctx *ctx, void *arg) {
    (void)arg;
    bench b = bench_new(ctx);
    tn_value *x = INPUT(&b, 6, 4);
    tn_op *split = op_of(&b, "Split", x, NULL, NULL);
    tn_value *first = RESULT(&b, split, 2, 4), *second = RESULT(&b, split, 4, 4);
    assert_true(tn_check_is_view(&b.c, first, x, 0));
    assert_true(tn_check_is_view(&b.c, second, x, 2 * 4 * 4));
    assert_false(tn_check_is_view(&b.c, second, x, 0));
    tn_op *columns = op_of(&b, "Split", x, NULL, NULL);
    tn_op_add_int(columns, "axis", -1);
    assert_false(tn_check_is_view(&b.c, RESULT(&b, columns, 6, 2), x, 0));

    tn_value *p = INPUT(&b, 2, 4), *q = INPUT(&b, 3, 4);
    tn_op *concat = op_of(&b, "Concat", p, q, p);
    tn_op_add_int(concat, "axis", 0);
    tn_value *whole = RESULT(&b, concat, 7, 4);
    assert_true(tn_check_is_view(&b.c, whole, p, 0));
    assert_true(tn_check_is_view(&b.c, whole, q, -2 * 4 * 4));
    assert_true(tn_check_is_view(&b.c, whole, p, -5 * 4 * 4));
    assert_false(tn_check_is_view(&b.c, whole, q, 2 * 4 * 4));
    assert_false(tn_check_is_view(&b.c, whole, x, 0));
    return TN_OK;
}

static tn_status pads(tn_ctx *ctx, void *arg) {
    (void)arg;
    bench b = bench_new(ctx);
    tn_value *x = INPUT(&b, 2, 4);
    tn_value *rows = RESULT(&b, op_of(&b, "Pad", x, INTS(&b, 1, 0, 2, 0), NULL), 5, 4);
    assert_true(tn_check_is_view(&b.c, rows, x, -1 * 4 * 4));
    assert_false(tn_check_is_view(&b.c, rows, x, 0));
    tn_value *columns = RESULT(&b, op_of(&b, "Pad", x, INTS(&b, 0, 1, 0, 0), NULL), 2, 5);
    assert_false(tn_check_is_view(&b.c, columns, x, -4));
    tn_value *cropped = RESULT(&b, op_of(&b, "Pad", x, INTS(&b, -1, 0, 2, 0), NULL), 3, 4);
    assert_false(tn_check_is_view(&b.c, cropped, x, 0));
    return TN_OK;
}

static tn_status wholes(tn_ctx *ctx, void *arg) {
    (void)arg;
    bench b = bench_new(ctx);
    tn_value *x = INPUT(&b, 1, 6, 4), *shape = INTS(&b, 24);
    tn_value *flat = RESULT(&b, op_of(&b, "Reshape", x, shape, NULL), 24);
    assert_true(tn_check_is_view(&b.c, flat, x, 0));
    assert_false(tn_check_is_view(&b.c, flat, x, 4));
    assert_false(tn_check_is_view(&b.c, flat, shape, 0));
    static const int64_t ones[] = {1, 0, 2}, moves[] = {0, 2, 1}, bad[] = {0, 1, 7};
    const struct {
        const int64_t *perm;
        bool view;
    } perms[] = {{ones, true}, {moves, false}, {bad, false}};
    for (size_t i = 0; i < 3; i++) {
        tn_op *op = op_of(&b, "Transpose", x, NULL, NULL);
        add_ints(&b, op, "perm", 3, perms[i].perm);
        assert_int_equal(tn_check_is_view(&b.c, RESULT(&b, op, 6, 1, 4), x, 0), perms[i].view);
    }
    tn_value *reversed = RESULT(&b, op_of(&b, "Transpose", x, NULL, NULL), 4, 6, 1);
    assert_false(tn_check_is_view(&b.c, reversed, x, 0));
    tn_value *same = RESULT(&b, op_of(&b, "Expand", x, INTS(&b, 1, 6, 4), NULL), 1, 6, 4);
    assert_true(tn_check_is_view(&b.c, same, x, 0));
    tn_value *wider = RESULT(&b, op_of(&b, "Expand", x, INTS(&b, 2, 6, 4), NULL), 2, 6, 4);
    assert_false(tn_check_is_view(&b.c, wider, x, 0));
    return TN_OK;
}

static tn_status in_place(tn_ctx *ctx, void *arg) {
    (void)arg;
    bench b = bench_new(ctx);
    tn_value *x = INPUT(&b, 4, 4), *row = INPUT(&b, 4), *other = INPUT(&b, 4, 4);
    tn_value *sum = RESULT(&b, op_of(&b, "Add", x, row, NULL), 4, 4);
    assert_int_equal(tn_check_inplace(&b.c, sum, x), TN_IF_SAME);
    assert_int_equal(tn_check_inplace(&b.c, sum, row), TN_IF_NEVER);
    assert_int_equal(tn_check_inplace(&b.c, sum, other), TN_IF_NEVER);
    tn_value *twice = RESULT(&b, op_of(&b, "Add", x, x, NULL), 4, 4);
    assert_int_equal(tn_check_inplace(&b.c, twice, x), TN_IF_SAME);
    tn_value *product = RESULT(&b, op_of(&b, "MatMul", x, other, NULL), 4, 4);
    assert_int_equal(tn_check_inplace(&b.c, product, x), TN_IF_NEVER);
    tn_op *scatter = op_of(&b, "ScatterElements", x, INTS(&b, 0), other);
    assert_int_equal(tn_check_inplace(&b.c, RESULT(&b, scatter, 4, 4), x), TN_IF_UPDATE);
    tn_value *unknown = RESULT(&b, op_of(&b, "NoSuchOp", x, NULL, NULL), 4, 4);
    assert_int_equal(tn_check_inplace(&b.c, unknown, x), TN_IF_NEVER);
    assert_false(tn_check_is_view(&b.c, unknown, x, 0));
    return TN_OK;
}

/* Up to opset 6 it drops unless is_test is set. */
static tn_status dropouts(tn_ctx *ctx, void *arg) {
    (void)arg;
    static const struct {
        int64_t version, is_test; /* -1: not stated */
        bool view;
    } cases[] = {{1, -1, false}, {6, -1, false}, {6, 0, false},  {1, 1, true},  {6, 1, true},
                 {7, -1, true},  {10, -1, true}, {13, -1, true}, {0, -1, false}};
    bench b = bench_new(ctx);
    tn_value *x = INPUT(&b, 4, 4);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tn_op *op = op_of(&b, "Dropout", x, NULL, NULL);
        op->version = cases[i].version;
        if (cases[i].is_test >= 0) {
            tn_op_add_attr(
                op, (tn_attr){.name = "is_test", .kind = TN_ATTR_INT, .u.i = cases[i].is_test});
        }
        assert_int_equal(tn_check_is_view(&b.c, RESULT(&b, op, 4, 4), x, 0), cases[i].view);
    }
    return TN_OK;
}

UNIT_TEST(slices)
UNIT_TEST(gathers)
UNIT_TEST(parts_of_bytes)
UNIT_TEST(pieces)
UNIT_TEST(pads)
UNIT_TEST(wholes)
UNIT_TEST(dropouts)
UNIT_TEST(in_place)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slices),         cmocka_unit_test(test_gathers),
        cmocka_unit_test(test_parts_of_bytes), cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_pads),           cmocka_unit_test(test_wholes),
        cmocka_unit_test(test_dropouts),       cmocka_unit_test(test_in_place)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
