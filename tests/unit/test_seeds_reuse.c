/* Reuse on the vectors of the systems before: Paddle's levels, Caffe's chain, memonger's free
 * points, the liveness example of Paddle's ControlFlowGraph. */
#include "tests/unit/plan_case.h"

#define LEVEL(n) "infer-shapes,schedule,pin,reuse{level=" n "},insert-frees"
#define SLOTS(n) "infer-shapes,schedule,pin,reuse{level=" n ",memory=slots},insert-frees"

/* z = sum(x, y); m = matmul(y, z), all of one shape: m takes x's bytes when x is computed; an input
 * keeps its own. */
static tn_status paddle_sum_and_matmul(tn_ctx *ctx, void *arg) {
    (void)arg;
    plan_case c = case_plan(ctx,
                            "input %i: f32[8,8] %x: f32[8,8] = MatMul(%i, %i)"
                            " %y: f32[8,8] = MatMul(%i, %i) %z: f32[8,8] = Sum(%x, %y)"
                            " %m: f32[8,8] = MatMul(%y, %z) %o: f32[8,8] = MatMul(%m, %m)"
                            " return %o",
                            LEVEL("0"));
    assert_true(case_overlap(&c, "m", "x"));
    c = case_plan(ctx,
                  "input %x: f32[8,8] input %y: f32[8,8] %z: f32[8,8] = Sum(%x, %y)"
                  " %m: f32[8,8] = MatMul(%y, %z) %o: f32[8,8] = MatMul(%m, %m) return %o",
                  LEVEL("0"));
    assert_false(case_overlap(&c, "m", "x"));
    return TN_OK;
}

/* A chain a -> b -> c -> d -> e with b, c (4,8), d (4,4), e (2,8): level 0 finds nothing to reuse,
 * at level 1 d goes over b and e over c. An op's result never takes its own operand's bytes. */
static tn_status paddle_levels(tn_ctx *ctx, void *arg) {
    (void)arg;
    const char *body = "input %a: f32[8,8] const %p: f32[8,4] = tensor(128 bytes)"
                       " const %q: f32[4,8] = tensor(128 bytes)"
                       " %b: f32[4,8] = MatMul(%q, %a) %c: f32[4,8] = MatMul(%b, %a)"
                       " %d: f32[4,4] = MatMul(%c, %p) %e: f32[2,8] = Reshape(%d, %s)"
                       " %f: f32[2,8] = MatMul(%e, %a) return %f";
    tn_arena *arena = tn_arena_new(ctx);
    body = tn_arena_printf(arena, "const %%s: i64[2] = tensor(16 bytes, ints [2, 8]) %s", body);
    plan_case c = case_plan(ctx, body, SLOTS("0"));
    assert_int_equal(c.p->n_slots, 4);
    c = case_plan(ctx, body, SLOTS("1"));
    assert_int_equal(c.p->n_slots, 2);
    assert_true(case_overlap(&c, "d", "b"));
    assert_true(case_overlap(&c, "e", "c"));
    assert_false(case_overlap(&c, "d", "c"));
    c = case_plan(ctx, body, LEVEL("1"));
    assert_int_equal(c.p->report.level1, 256);
    assert_int_equal(c.p->report.level0, 128 + 128 + 64 + 64);
    assert_int_equal(c.p->report.naive, 128 + 128 + 64 + 64);
    return TN_OK;
}

/* Ten layers; with `train` a backward part that reads each inner blob once more. */
static const char *chain(tn_arena *a, bool train) {
    tn_sink s = tn_sink_make(a);
    tn_put(&s, "input %b0: f32[16,16] const %b10_grad: f32[16,16] = tensor(1024 bytes)");
    for (int i = 1; i <= 10; i++) {
        tn_putf(&s, " %%b%d: f32[16,16] = MatMul(%%b%d, %%b%d)", i, i - 1, i - 1);
    }
    for (int i = 9; i >= 0 && train; i--) {
        tn_putf(&s, " %%b%d_grad: f32[16,16] = MatMul(%%b%d_grad, %%b%d)", i, i + 1, i);
    }
    tn_put(&s, train ? " return %b10, %b0_grad" : " return %b10");
    return s.data;
}

/* Ten layers in a row. Without a backward part two slots carry the data. With one, Caffe keeps the
 * nine inner blobs for the whole step and needs two slots more for the diffs: eleven. Here data die
 * at their last backward reader, so a diff may take them. */
static tn_status caffe_chain(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_arena *a = tn_arena_new(ctx);
    plan_case c = case_plan(ctx, chain(a, false), SLOTS("0"));
    assert_int_equal(c.p->n_slots, 2);
    c = case_plan(ctx, chain(a, true), SLOTS("0"));
    assert_int_equal(c.p->n_slots, 10);
    assert_int_equal(c.p->report.n_backward_ops, 10);
    return TN_OK;
}

/* x=fc(data); y=fc(x); z=fc(x); u=fc(y); u_alias=Alias(u); out=sum(z,u): memonger frees x, y and z,
 * once each; the source of an alias it must not free. Here the class is freed after its last
 * member, which is a fourth point. */
static tn_status memonger_frees(tn_ctx *ctx, void *arg) {
    (void)arg;
    plan_case c = case_plan(
        ctx,
        "input %data: f32[8,8] %x: f32[8,8] = MatMul(%data, %data) %y: f32[8,8] = MatMul(%x, %x)"
        " %z: f32[8,8] = MatMul(%x, %data) %u: f32[8,8] = MatMul(%y, %y)"
        " %u_alias: f32[8,8] = Identity(%u) %out: f32[8,8] = Sum(%z, %u) return %out, %u_alias",
        "infer-shapes,schedule,pin,alias-views,reuse,insert-frees");
    static const struct {
        const char *name;
        uint32_t step;
    } want[] = {{"x", 2}, {"y", 3}, {"z", 5}};
    uint32_t n = 0;
    for (uint32_t s = 0; s < c.p->n_steps; s++) {
        n += c.p->steps[s].frees.len;
    }
    assert_int_equal(n, 3);
    for (size_t i = 0; i < 3; i++) {
        const tn_plan_value *v = case_value(&c, want[i].name);
        assert_true(case_has(c.p->steps[want[i].step].frees, v->storage));
    }
    assert_true(case_same_storage(&c, "u", "u_alias"));
    return TN_OK;
}

/* b=a; c=a; d=b+c; e=d. Live after each op: {a,b}, {b,c}, {d}, {}. */
static tn_status paddle_liveness(tn_ctx *ctx, void *arg) {
    (void)arg;
    plan_case c = case_plan(ctx,
                            "input %i: f32[4] %a: f32[4] = Exp(%i) %b: f32[4] = Exp(%a)"
                            " %c: f32[4] = Exp(%a) %d: f32[4] = Add(%b, %c) %e: f32[4] = Exp(%d)"
                            " %o: f32[4] = Exp(%e) return %o",
                            LEVEL("1"));
    static const struct {
        const char *name;
        int32_t first, last;
    } want[] = {{"i", -1, 6}, {"a", 0, 2}, {"b", 1, 3}, {"c", 2, 3},
                {"d", 3, 4},  {"e", 4, 5}, {"o", 5, 6}};
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        assert_int_equal(case_value(&c, want[i].name)->first, want[i].first);
        assert_int_equal(case_value(&c, want[i].name)->last, want[i].last);
    }
    return TN_OK;
}

/* Readers of the shape alone keep nothing alive. */
static tn_status paddle_no_need_buffer(tn_ctx *ctx, void *arg) {
    (void)arg;
    plan_case c = case_plan(ctx,
                            "input %i: f32[8,8] %a: f32[8,8] = MatMul(%i, %i)"
                            " %b: f32[8,8] = MatMul(%a, %i) %c: f32[8,8] = MatMul(%b, %i)"
                            " %s: i64[2] = Shape(%a) %o: f32[8,8] = MatMul(%c, %i) return %o, %s",
                            LEVEL("0"));
    assert_int_equal(case_value(&c, "a")->last, 1);
    assert_true(case_overlap(&c, "a", "c"));
    assert_int_equal(c.p->steps[3].reads.len, 0);
    return TN_OK;
}

/* Only slots are reused that die: Sum(x, x) frees x once. */
static tn_status memonger_unique_inputs(tn_ctx *ctx, void *arg) {
    (void)arg;
    plan_case c = case_plan(ctx,
                            "input %i: f32[8] %x: f32[8] = Exp(%i) %y: f32[8] = Sum(%x, %x)"
                            " %z: f32[8] = Exp(%y) %o: f32[8] = Exp(%z) return %o",
                            LEVEL("1"));
    assert_int_equal(c.p->steps[1].frees.len, 1);
    assert_int_equal(c.p->steps[1].reads.len, 1);
    assert_int_equal(c.p->report.level1, 128);
    return TN_OK;
}

int main(void) {
    const struct CMUnitTest tests[] = {CASE(paddle_sum_and_matmul), CASE(paddle_levels),
                                       CASE(caffe_chain),           CASE(memonger_frees),
                                       CASE(paddle_liveness),       CASE(paddle_no_need_buffer),
                                       CASE(memonger_unique_inputs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
