/* Results of another element width over their operands: which direction is safe, by brute force
 * over bytes; which pairs the planner takes and which it leaves; what the checker says of a wrong
 * order.
 */
#include "tests/unit/plan_case.h"

#define WITH(kinds)                                                                                \
    "infer-shapes,schedule,pin,alias-views{kinds=all},inplace{kinds=" kinds "},reuse,insert-frees"
#define ORDERED WITH("ordered")
#define MADE "input %x: f32[1,64] %t: f32[1,64] = Exp(%x) "

/* ---- which direction is safe ---- */

enum { N = 10, MOST = 200 };

/* Whether a kernel that goes through N elements, `from` bytes wide each, and writes elements of
 * `to` bytes finds them all as they were: the operand starts `apart` bytes behind the result. */
static bool is_safe(int from, int to, int apart, bool ascending) {
    bool written[2 * MOST] = {false};
    for (int n = 0; n < N; n++) {
        int i = ascending ? n : N - 1 - n;
        for (int b = 0; b < from; b++) {
            if (written[MOST + apart + i * from + b]) {
                return false;
            }
        }
        for (int b = 0; b < to; b++) {
            written[MOST + i * to + b] = true;
        }
    }
    return true;
}

/* Where an operand of N elements may start, in bytes behind the result: from `least` on in
 * ascending order, up to `most` in descending order. */
static void either_direction(void **state) {
    (void)state;
    static const struct {
        int from, to, least, most;
    } cases[] = {{1, 4, 27, 3},   {4, 8, 36, 4},   {2, 4, 18, 2}, {4, 1, -3, -27},
                 {8, 4, -4, -36}, {8, 1, -7, -63}, {1, 8, 63, 7}, {4, 4, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int from = cases[i].from, to = cases[i].to;
        for (int apart = 1 - N * from; apart < N * to; apart++) {
            bool up = is_safe(from, to, apart, true), down = is_safe(from, to, apart, false);
            assert_int_equal(up, apart >= cases[i].least);
            assert_int_equal(down, apart <= cases[i].most);
        }
        /* At one start: narrowing in ascending order, widening in descending order, and only so. */
        assert_int_equal(is_safe(from, to, 0, true), to <= from);
        assert_int_equal(is_safe(from, to, 0, false), to >= from);
    }
}

/* ---- what the planner takes ---- */

typedef struct width_case {
    const char *body;       /* whose op "it" makes %y of %t */
    tn_plan_promise wanted; /* KEEP: the two lie apart */
} width_case;

static const width_case taken[] = {
    {MADE
     "%y: u8[1,64] = Cast(%t) @\"it\" {to = 2} %o: u8[64,64] = MatMulInteger(%y, %y) return %o",
     TN_PROMISE_ASCENDING},
    {MADE "%y: f64[1,64] = Cast(%t) @\"it\" {to = 11} %o: f64[1,1] = MatMul(%y, %y) return %o",
     TN_PROMISE_DESCENDING},
    {MADE "%y: i32[1,64] = Cast(%t) @\"it\" {to = 6} %o: i32[1,1] = MatMul(%y, %y) return %o",
     TN_PROMISE_ELEMENTS},
    {MADE "%y: bool[1,64] = Equal(%x, %t) @\"it\" %o: f32[1,64] = Where(%y, %x, %x) return %o",
     TN_PROMISE_ASCENDING},
    {MADE "%y: bool[1,64] = IsNaN(%t) @\"it\" %o: f32[1,64] = Where(%y, %x, %x) return %o",
     TN_PROMISE_ASCENDING},
    /* one tensor in two operands is read at one place */
    {MADE "%y: bool[1,64] = Less(%t, %t) @\"it\" %o: f32[1,64] = Where(%y, %x, %x) return %o",
     TN_PROMISE_ASCENDING},
    {"input %s: f32[] input %z: u8[] " MADE
     "%y: u8[1,64] = QuantizeLinear(%t, %s, %z) @\"it\" %o: i32[1,1] = MatMulInteger(%y, %y) "
     "return %o",
     TN_PROMISE_ASCENDING},
    {"input %s: f32[] input %i: u8[1,64] %t: u8[1,64] = Relu(%i) "
     "%y: f32[1,64] = DequantizeLinear(%t, %s) @\"it\" %o: f32[1,1] = MatMul(%y, %y) return %o",
     TN_PROMISE_DESCENDING},
    /* a mask under the result chosen by it */
    {"input %i: bool[1,64] input %x: f32[1,64] %t: bool[1,64] = Not(%i) "
     "%y: f32[1,64] = Where(%t, %x, %x) @\"it\" %o: f32[1,1] = MatMul(%y, %y) return %o",
     TN_PROMISE_DESCENDING},
    /* broadcast, either way */
    {MADE
     "input %w: f32[4,64] %y: bool[4,64] = Equal(%t, %w) @\"it\" %o: f32[4,64] = Where(%y, %w, "
     "%w) return %o",
     TN_PROMISE_KEEP},
    /* elements below a byte */
    {MADE "%y: u4[1,64] = Cast(%t) @\"it\" {to = 21} %o: u4[1,64] = Transpose(%y) return %o",
     TN_PROMISE_KEEP},
    /* the caller's output is not to grow, but it may hold a narrower operand */
    {MADE "%y: u8[1,64] = Cast(%t) @\"it\" {to = 2} return %y", TN_PROMISE_KEEP},
    {MADE "%y: f64[1,64] = Cast(%t) @\"it\" {to = 11} return %y", TN_PROMISE_DESCENDING},
    /* read again */
    {MADE "%y: u8[1,64] = Cast(%t) @\"it\" {to = 2} %o: f32[1,64] = Add(%t, %x) return %o, %y",
     TN_PROMISE_KEEP},
    /* a kernel that does not go element by element */
    {MADE "%y: i64[1,64] = ArgMax(%t) @\"it\" %o: i64[1,64] = Abs(%y) return %o", TN_PROMISE_KEEP},
};

static const tn_plan_step *step_it(const plan_case *c) {
    for (uint32_t i = 0; i < c->p->n_steps; i++) {
        if (strcmp(c->p->steps[i].name, "it") == 0) {
            return &c->p->steps[i];
        }
    }
    fail_msg("no step 'it'");
    return NULL;
}

static tn_status what_is_taken(tn_ctx *ctx, void *arg) {
    (void)arg;
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) {
        plan_case c = case_plan(ctx, taken[i].body, ORDERED);
        const tn_plan_step *s = step_it(&c);
        bool apart = taken[i].wanted == TN_PROMISE_KEEP;
        if (case_overlap(&c, "t", "y") == apart || (s->n_claims == 0) != apart ||
            (!apart && s->claims[0].promise != taken[i].wanted)) {
            fail_msg("%s: %u claims, the first %d", taken[i].body, s->n_claims,
                     s->n_claims > 0 ? (int)s->claims[0].promise : -1);
        }
        assert_true(apart || case_value(&c, "t")->offset == case_value(&c, "y")->offset);
        c = case_plan(ctx, taken[i].body, WITH("all"));
        assert_int_equal(case_overlap(&c, "t", "y"), taken[i].wanted == TN_PROMISE_ELEMENTS);
    }
    return TN_OK;
}

/* A storage is as large as its largest value: floats, truths and floats again in the same bytes. */
static tn_status chain(tn_ctx *ctx, void *arg) {
    (void)arg;
    plan_case c =
        case_plan(ctx,
                  MADE "%b: u8[1,64] = Cast(%t) {to = 2} %d: f64[1,64] = Cast(%b) {to = 11}"
                       " %o: f64[1,1] = MatMul(%d, %d) return %o",
                  ORDERED);
    assert_true(case_same_storage(&c, "t", "d"));
    assert_true(case_same_storage(&c, "t", "b"));
    assert_int_equal(c.p->storages[case_value(&c, "t")->storage].size, 512);
    assert_int_equal(c.p->pools[0].size, 512);
    return TN_OK;
}

/* Operands of the result's own width are asked first: they need no order. */
static tn_status own_width_first(tn_ctx *ctx, void *arg) {
    (void)arg;
    plan_case c = case_plan(ctx,
                            "input %i: bool[64] input %x: f32[64] %t: bool[64] = Not(%i)"
                            " %a: f32[64] = Exp(%x) %y: f32[64] = Where(%t, %x, %a) @\"it\""
                            " %o: f32[] = MatMul(%y, %y) return %o",
                            ORDERED);
    assert_int_equal(step_it(&c)->claims[0].promise, TN_PROMISE_ELEMENTS);
    assert_int_equal(step_it(&c)->claims[0].operand, 2);
    return TN_OK;
}

/* A wider operand would lie over the neighbour of a piece of a Concat, made before or after it. */
static tn_status neighbours(tn_ctx *ctx, void *arg) {
    (void)arg;
    static const char *const bodies[] = {
        MADE "%n: u8[1,64] = Cast(%x) {to = 2} %y: u8[1,64] = Cast(%t) {to = 2}"
             " %c: u8[2,64] = Concat(%y, %n) {axis = 0} %o: u8[64,2] = Transpose(%c) return %o",
        MADE "%y: u8[1,64] = Cast(%t) {to = 2} %n: u8[1,64] = Cast(%x) {to = 2}"
             " %c: u8[2,64] = Concat(%y, %n) {axis = 0} %o: u8[64,2] = Transpose(%c) return %o"};
    for (size_t i = 0; i < 2; i++) {
        plan_case c = case_plan(ctx, bodies[i], ORDERED);
        assert_true(case_same_storage(&c, "n", "c"));
        assert_false(case_same_storage(&c, "y", "t"));
    }
    /* The last piece has none behind it. */
    plan_case c = case_plan(
        ctx,
        MADE "%n: u8[1,64] = Cast(%x) {to = 2} %y: u8[1,64] = Cast(%t) {to = 2}"
             " %c: u8[2,64] = Concat(%n, %y) {axis = 0} %o: u8[64,2] = Transpose(%c) return %o",
        ORDERED);
    assert_true(case_same_storage(&c, "y", "c"));
    assert_true(case_overlap(&c, "y", "t"));
    return TN_OK;
}

/* ---- what the checker says ---- */

static tn_status wrong_orders(tn_ctx *ctx, void *arg) {
    (void)arg;
    static const tn_plan_promise wrong[] = {TN_PROMISE_DESCENDING, TN_PROMISE_ELEMENTS,
                                            TN_PROMISE_ROWS, TN_PROMISE_UPDATE, TN_PROMISE_KEEP};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        plan_case c = case_plan(ctx, taken[0].body, ORDERED);
        ((tn_plan_claim *)step_it(&c)->claims)[0].promise = wrong[i];
        case_log.len = 0;
        assert_int_not_equal(tn_plan_check(c.p, c.m), TN_OK);
        assert_non_null(strstr(case_log.text, "step 1 (Cast 'it') writes 'y' over bytes of operand "
                                              "'t' and does not claim what its kernel must keep"));
    }
    plan_case c = case_plan(ctx, taken[1].body, ORDERED);
    ((tn_plan_claim *)step_it(&c)->claims)[0].promise = TN_PROMISE_ASCENDING;
    assert_int_not_equal(tn_plan_check(c.p, c.m), TN_OK);
    return TN_OK;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(either_direction),
                                       CASE(what_is_taken),
                                       CASE(chain),
                                       CASE(own_width_first),
                                       CASE(neighbours),
                                       CASE(wrong_orders)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
