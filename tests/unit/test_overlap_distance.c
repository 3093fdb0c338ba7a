/* How far an operand has to lie behind the start of the result that begins inside it: known
 * distances of op families in both layouts and all orders of work, and kernels that go by them in
 * memory in which each byte knows its owner. */
#include "passes/plan/overlap_distance.h"
#include "tests/unit/plan_case.h"

#define INTS(name, n, ...) "const %" name ": i64[" #n "] = tensor(8 bytes, ints [" __VA_ARGS__ "]) "
#define ANY (-1) /* a distance that the case says nothing about */
#define MOST (1u << 20)

enum { ELEMENTS, ANY_IN_ROW, ROW_BUFFERED, PIXEL, N_ORDERS };
static const tn_work_order orders[] = {TN_ORDER_ELEMENTS, TN_ORDER_ROWS, TN_ORDER_ROWS_BUFFERED,
                                       TN_ORDER_PIXELS};

typedef struct distance_case {
    const char *body; /* its last op makes %r */
    uint32_t operand;
    int64_t plain[3], last[4]; /* by order; channel-last: with pixels */
} distance_case;

static uint32_t width(const tn_value *v) {
    return tn_dtype_get(v->type->dtype)->bits / 8u;
}

static uint64_t distance_of(tn_module *m, uint32_t operand, tn_work_order order, bool last) {
    const tn_op *op = m->main->last;
    tn_arena *arena = tn_arena_new(m->ctx);
    tn_reach r;
    if (!tn_op_reach(op, 0, operand, arena, &r)) {
        return TN_NO_DISTANCE;
    }
    tn_overlap_form f = {
        order, last, last, width(op->results[0]), width(op->operands[operand].value), MOST};
    return tn_overlap_distance(&r, &f);
}

#define IMAGE "input %x: i8[1,4,8,6] "
#define CONV(w, y, attrs) IMAGE "input %w: i8[" w "] %r: i8[" y "] = Conv(%x, %w) {" attrs "}"
#define P1 "pads = [1,1,1,1]"
#define A4                                                                                         \
    { ANY, ANY, ANY, ANY }
/* What counts one element after another says, whatever the order of images is. */
#define BY_ELEMENT(distance) 0, {distance, ANY, ANY}, A4
static const distance_case cases[] = {
    {CONV("6,4,1,1", "1,6,8,6", ""), 0, {240, 246, 240}, {99, 120, 84, 94}},
    {"input %x: i8[1,6,8,6] input %w: i8[4,6,1,1] %r: i8[1,4,8,6] = Conv(%x, %w)",
     0,
     {144, 150, 144},
     {3, 24, 0, 0}},
    {CONV("4,4,3,3", "1,4,8,6", P1), 0, {151, 156, 150}, {31, 48, 24, 28}},
    {CONV("4,4,3,3", "1,4,6,4", ""), 0, {72, 76, 72}, {3, 16, 0, 0}},
    {CONV("8,4,3,3", "1,8,4,3", P1 ", strides = [2,2]"), 0, {84, 87, 84}, {11, 24, 0, 4}},
    {CONV("4,4,3,3", "1,4,8,6", "pads = [2,2,2,2], dilations = [2,2]"),
     0,
     {158, 162, 156},
     {59, 72, 48, 56}},
    {CONV("4,2,3,3", "1,4,8,6", P1 ", group = 2"), 0, {55, 60, 54}, {29, 48, 24, 28}},
    {CONV("8,2,3,3", "1,8,8,6", P1 ", group = 2"), 0, {247, 252, 246}, {221, 240, 192, 216}},
    {CONV("4,1,3,3", "1,4,8,6", P1 ", group = 4"), 0, {7, 12, 6}, {28, 48, 24, 28}},
    {CONV("8,1,3,3", "1,8,8,6", P1 ", group = 4"), 0, {199, 204, 198}, {220, 240, 192, 216}},
    {CONV("4,1,3,3", "1,4,4,3", P1 ", group = 4, strides = [2,2]"), 0, {0, 3, 0}, {0, 12, 0, 0}},
    {CONV("4,1,3,3", "1,4,8,6", "pads = [2,0,0,2], group = 4"), 0, {12, 18, 12}, {48, 72, 48, 48}},
    {IMAGE "%r: i8[1,4,4,3] = MaxPool(%x) {kernel_shape = [2,2], strides = [2,2]}",
     0,
     {0, 3, 0},
     {0, 12, 0, 0}},
    {"input %x: i8[1,4,7,5] %r: i8[1,4,4,3] = MaxPool(%x) {kernel_shape = [2,2], strides = [2,2], "
     "ceil_mode = 1}",
     0,
     {0, 3, 0},
     {0, 12, 0, 0}},
    {IMAGE "%r: i8[1,4,8,6] = MaxPool(%x) {kernel_shape = [3,3], " P1 "}",
     0,
     {7, 12, 6},
     {28, 48, 24, 28}},
    {IMAGE "%r: i8[1,4,1,1] = GlobalMaxPool(%x)", 0, {0, 1, 0}, {0, 4, 0, 0}},
    {"input %x: i8[3,4,8,6] input %w: i8[4,1,3,3] %r: i8[3,4,8,6] = Conv(%x, %w) {" P1
     ", group = 4}",
     0,
     {7, 12, 6},
     {28, 48, 24, ANY}},
    {"input %x: i8[3,4,4,4] input %w: i8[6,4,1,1] %r: i8[3,6,4,4] = Conv(%x, %w)",
     0,
     {144, ANY, ANY},
     {99, ANY, ANY, ANY}},
    {"input %x: i8[3,6,4,4] input %w: i8[4,6,1,1] %r: i8[3,4,4,4] = Conv(%x, %w)",
     0,
     {48, ANY, ANY},
     {3, ANY, ANY, ANY}},
    {"input %x: f32[5,8] input %w: f32[8,8] %r: f32[5,8] = MatMul(%x, %w)", 0, {28, ANY, 0}, A4},
    {"input %x: f32[5,8] input %w: f32[8,4] %r: f32[5,4] = MatMul(%x, %w)", 0, {12, ANY, 0}, A4},
    {"input %x: f32[5,4] input %w: f32[4,8] %r: f32[5,8] = MatMul(%x, %w)", 0, {92, ANY, 64}, A4},
    {"input %x: f32[5,4] input %w: f32[4,6] %r: f32[5,6] = MatMul(%x, %w)", 1, {96, ANY, ANY}, A4},
    {"input %x: f32[3,5,4] input %w: f32[3,4,6] %r: f32[3,5,6] = MatMul(%x, %w)",
     1,
     {144, ANY, ANY},
     A4},
    {"input %x: f32[4,5] input %w: f32[8,4] %r: f32[5,8] = Gemm(%x, %w) {transA = 1, transB = 1}",
     0,
     {ANY, ANY, 112},
     A4},
    {"input %x: i8[3,4,5] " INTS("p", 6, "0,1,1,0,1,1") "%r: i8[3,6,7] = Pad(%x, %p)",
     BY_ELEMENT(58)},
    {"input %x: i8[3,4,5] " INTS("p", 6,
                                 "0,1,1,0,1,1") "%r: i8[3,6,7] = Pad(%x, %p) {mode = \"edge\"}",
     BY_ELEMENT(66)},
    {"input %x: i8[3,4,5] " INTS("p", 6, "0,1,1,0,1,1") "%r: i8[3,6,7] = Pad(%x, %p) {mode = "
                                                        "\"reflect\"}",
     BY_ELEMENT(72)},
    {"input %x: i8[4,5] " INTS("p", 4, "0,0,2,3") "%r: i8[6,8] = Pad(%x, %p)", BY_ELEMENT(9)},
    {"input %x: i8[4,5] " INTS("p", 4, "2,0,0,0") "%r: i8[6,5] = Pad(%x, %p)", BY_ELEMENT(10)},
    {"input %x: i8[4,6] %r: i8[6,4] = Transpose(%x)", BY_ELEMENT(15)},
    {"input %x: i8[3,3] %r: i8[3,3] = Transpose(%x)", BY_ELEMENT(4)},
    {"input %x: i8[2,3,4] %r: i8[2,4,3] = Transpose(%x) {perm = [0,2,1]}", BY_ELEMENT(6)},
    {"input %x: i8[2,3,4] %r: i8[3,2,4] = Transpose(%x) {perm = [1,0,2]}", BY_ELEMENT(8)},
    {"input %x: i8[2,3,4] %r: i8[4,2,3] = Transpose(%x) {perm = [2,0,1]}", BY_ELEMENT(15)},
    {"input %x: i8[1,8,8,3] %r: i8[1,3,8,8] = Transpose(%x) {perm = [0,3,1,2]}", BY_ELEMENT(126)},
    {"input %x: i8[1,2,4,6] " INTS("s", 4, "1,2,8,12") "%r: i8[1,2,8,12] = Resize(%x, _, _, %s)",
     0,
     {144, 150, 138},
     A4},
    {"input %x: i8[1,2,4,6] " INTS("s", 4,
                                   "1,2,8,12") "%r: i8[1,2,8,12] = Resize(%x, _, _, %s) {mode = "
                                               "\"linear\"}",
     0,
     {144, 150, 138},
     A4},
    {"input %x: i8[1,2,4,6] " INTS("s", 4, "1,2,2,3") "%r: i8[1,2,2,3] = Resize(%x, _, _, %s)",
     BY_ELEMENT(0)},
    {"input %x: i8[1,2,4,6] " INTS("s", 4, "1,2,4,6") "%r: i8[1,2,4,6] = Resize(%x, _, _, %s)",
     BY_ELEMENT(0)},
    {"input %x: f32[3,4,5] " INTS("a", 1, "2") "%r: f32[3,4,1] = ReduceSum(%x, %a)", BY_ELEMENT(0)},
    {"input %x: f32[3,4,5] " INTS("a", 1, "1") "%r: f32[3,5] = ReduceSum(%x, %a) {keepdims = 0}",
     BY_ELEMENT(0)},
    {"input %x: f32[3,4,5] " INTS("a", 2, "0,2") "%r: f32[1,4,1] = ReduceSum(%x, %a)",
     BY_ELEMENT(0)},
    {"input %x: f32[3,4,5] %r: i64[3,4,1] = ArgMax(%x) {axis = 2}", BY_ELEMENT(0)},
    {"input %x: f32[3,1,5] %r: i64[3,1,5] = ArgMax(%x) {axis = 1}", BY_ELEMENT(56)},
    {"input %x: i8[6,8] " INTS("a", 1, "-1") INTS("b", 1, "-9") INTS("c", 1, "0")
         INTS("d", 1, "-1") "%r: i8[6,8] = Slice(%x, %a, %b, %c, %d)",
     BY_ELEMENT(40)},
    {"input %x: i8[6,8] " INTS("a", 1, "0") INTS("b", 1, "8") INTS("c", 1, "1")
         INTS("d", 1, "2") "%r: i8[6,4] = Slice(%x, %a, %b, %c, %d)",
     BY_ELEMENT(0)},
    {"input %x: i8[3,4] input %y: i8[2,4] %r: i8[5,4] = Concat(%x, %y) {axis = 0}", BY_ELEMENT(0)},
    {"input %x: i8[3,4] input %y: i8[2,4] %r: i8[5,4] = Concat(%y, %x) {axis = 0}",
     1,
     {8, ANY, ANY},
     A4},
    {"input %x: i8[3,4] input %y: i8[3,2] %r: i8[3,6] = Concat(%x, %y) {axis = 1}", BY_ELEMENT(4)},
    {"input %x: i8[3,4] input %y: i8[3,2] %r: i8[3,6] = Concat(%y, %x) {axis = 1}",
     1,
     {6, ANY, ANY},
     A4},
    {"input %x: f32[4,10] %r: f32[4,10] = Softmax(%x)", 0, {ANY, 40, 0}, A4},
    {"input %x: i8[10] %r: i32[10] = Cast(%x) {to = 6}", BY_ELEMENT(27)},
    {"input %x: i32[10] %r: i64[10] = Cast(%x) {to = 7}", BY_ELEMENT(36)},
    {"input %x: i64[10] %r: i32[10] = Cast(%x) {to = 6}", BY_ELEMENT(0)},
};

static tn_status known_distances(tn_ctx *ctx, void *arg) {
    (void)arg;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const distance_case *c = &cases[i];
        tn_module *m = case_parse(ctx, "", tn_internf(ctx, "%s return %%r", c->body));
        for (uint32_t k = 0; k < N_ORDERS; k++) {
            int64_t plain = k < 3 ? c->plain[k] : ANY;
            int64_t found = (int64_t)distance_of(m, c->operand, orders[k], false);
            int64_t last = (int64_t)distance_of(m, c->operand, orders[k], true);
            if ((plain != ANY && found != plain) || (c->last[k] != ANY && last != c->last[k])) {
                fail_msg("%s, %s: %lld and channels-last %lld", c->body,
                         tn_work_order_words[orders[k]], (long long)found, (long long)last);
            }
        }
    }
    return TN_OK;
}

/* int8, pixels, as MobileNets have them. */
static tn_status large_images(tn_ctx *ctx, void *arg) {
    (void)arg;
    static const struct {
        const char *body;
        int64_t distance;
    } large[] = {
        {"input %x: i8[1,32,112,112] input %w: i8[64,32,1,1] %r: i8[1,64,112,112] = Conv(%x, %w)",
         401376},
        {"input %x: i8[1,32,112,112] input %w: i8[32,1,3,3] %r: i8[1,32,112,112] = Conv(%x, %w) "
         "{" P1 ", group = 32}",
         3616},
        {"input %x: i8[1,64,112,112] input %w: i8[64,1,3,3] %r: i8[1,64,56,56] = Conv(%x, %w) "
         "{auto_pad = \"SAME_UPPER\", strides = [2,2], group = 64}",
         0},
        {"input %x: i8[1,3,224,224] input %w: i8[32,3,3,3] %r: i8[1,32,112,112] = Conv(%x, %w) "
         "{auto_pad = \"SAME_UPPER\", strides = [2,2]}",
         251526},
        {"input %x: i8[1,144,56,56] input %w: i8[24,144,1,1] %r: i8[1,24,56,56] = Conv(%x, %w)", 0},
    };
    for (size_t i = 0; i < sizeof large / sizeof large[0]; i++) {
        tn_module *m = case_parse(ctx, "", tn_internf(ctx, "%s return %%r", large[i].body));
        assert_int_equal(distance_of(m, 0, TN_ORDER_PIXELS, true), large[i].distance);
    }
    return TN_OK;
}

/* What no distance is known of: kernels without an order, too many units, unknown ops, operands of
 * other extents, statistics of a batch. */
static tn_status unknown(tn_ctx *ctx, void *arg) {
    (void)arg;
    static const char *const bodies[] = {
        "input %x: f32[4] input %y: i64[4] %r: f32[4] = Gather(%x, %y)",
        "input %x: f32[4] input %y: f32[2,4] %r: f32[2,4] = Add(%x, %y)",
        "input %x: f32[2,n] %r: f32[2,n] = Relu(%x)",
        ("input %x: f32[1,2,3] input %s: f32[2] %r: f32[1,2,3], %a: f32[2], %b: f32[2] = "
         "BatchNormalization(%x, %s, %s, %s, %s) {training_mode = 1}"),
        "input %x: f32[1,2,4,4] input %w: f32[2,3,1,1] %r: f32[1,3,4,4] = ConvTranspose(%x, %w)",
    };
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        tn_module *m = case_parse(ctx, "", tn_internf(ctx, "%s return %%r", bodies[i]));
        assert_true(distance_of(m, 0, TN_ORDER_ELEMENTS, false) == TN_NO_DISTANCE);
    }
    tn_module *m =
        case_parse(ctx, "", "input %x: i8[2048,1024] %r: i8[2048,1024] = Relu(%x) return %r");
    assert_true(distance_of(m, 0, TN_ORDER_NONE, false) == TN_NO_DISTANCE);
    assert_true(distance_of(m, 0, TN_ORDER_ELEMENTS, false) == TN_NO_DISTANCE);
    assert_int_equal(distance_of(m, 0, TN_ORDER_ROWS_BUFFERED, false), 0);
    m = case_parse(ctx, "", "input %x: f32[0,4] %r: f32[0,4] = Softmax(%x) return %r");
    assert_int_equal(distance_of(m, 0, TN_ORDER_ELEMENTS, false), 0);
    return TN_OK;
}

#define OVERLAP(order) "infer-shapes,schedule,pin,reuse{overlap=" order "},insert-frees"

/* One value as both operands: of the rows it is read by, and whole. It begins as far behind as the
 * second asks, a row before its end. */
static tn_status operand_twice(tn_ctx *ctx, void *arg) {
    (void)arg;
    plan_case c = case_plan(ctx,
                            "input %i: f32[16,16] %x = Exp(%i) %y: f32[16,16] = MatMul(%x, %x)"
                            " %o = Neg(%y) return %o",
                            OVERLAP("rows-buffered"));
    const tn_plan_value *y = case_value(&c, "y");
    assert_int_equal(y->n_overlaps, 1);
    assert_int_equal(y->overlaps[0].distance, 960);
    assert_int_equal(tn_plan_overlap_saves(c.p, y), 64);
    return TN_OK;
}

/* All of an operand that ends inside the result is saved, and no more. */
static tn_status ends_inside(tn_ctx *ctx, void *arg) {
    (void)arg;
    plan_case c = case_plan(ctx,
                            "const %p: i64[2] = tensor(16 bytes, ints [0, 96]) input %i: f32[32]"
                            " %x = Exp(%i) %y: f32[128] = Pad(%x, %p) %o = Neg(%y) return %o",
                            OVERLAP("elements"));
    const tn_plan_value *y = case_value(&c, "y");
    assert_int_equal(y->n_overlaps, 1);
    assert_true(tn_plan_address(c.p, case_value(&c, "x")) + 128 < tn_plan_address(c.p, y) + 512);
    assert_int_equal(tn_plan_overlap_saves(c.p, y), 128);
    assert_int_equal(c.p->pools[0].size, 512);
    return TN_OK;
}

UNIT_TEST(operand_twice)
UNIT_TEST(ends_inside)
UNIT_TEST(known_distances)
UNIT_TEST(large_images)
UNIT_TEST(unknown)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_distances), cmocka_unit_test(test_large_images),
        cmocka_unit_test(test_unknown), cmocka_unit_test(test_operand_twice),
        cmocka_unit_test(test_ends_inside)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
