/* The rules of passes/core/rules.def, each by a graph that a planner without the rule gets wrong.
 * All plans also pass the checker (tests/unit/plan_case.h). tests/rules/broken.c runs the same with
 * the rules broken on purpose. */
#include "ir/mutate.h"

#include "lib/planner.h"
#include "tests/unit/plan_case.h"

#define ALL                                                                                        \
    "infer-shapes,schedule,pin,alias-views{kinds=all},inplace{kinds=all},share-gradients,"         \
    "reuse,insert-frees"

#define HEAD                                                                                       \
    "input %x: f32[4,16] const %flat: i64[1] = tensor(8 bytes, ints [64])"                         \
    " const %back: i64[2] = tensor(16 bytes, ints [4, 16])"

/* 1. Aliases are resolved through all hops before readers are counted. */
static tn_status aliases_through_all_hops(tn_ctx *ctx, void *arg) {
    (void)arg;
    plan_case c = case_plan(ctx,
                            HEAD " %t: f32[4,16] = Exp(%x) %a: f32[64] = Reshape(%t, %flat)"
                                 " %b: f32[4,16] = Reshape(%a, %back) %u: f32[4,16] = Neg(%t)"
                                 " %y: f32[4,16] = MatMul(%u, %b) return %y",
                            ALL);
    assert_true(case_same_storage(&c, "t", "b"));
    assert_false(case_overlap(&c, "u", "t"));
    /* With the last reader through the views gone, the same op may take the bytes. */
    c = case_plan(ctx,
                  HEAD " %t: f32[4,16] = Exp(%x) %a: f32[64] = Reshape(%t, %flat)"
                       " %b: f32[4,16] = Reshape(%a, %back) %u: f32[4,16] = Neg(%b)"
                       " %y: f32[4,16] = MatMul(%u, %u) return %y",
                  ALL);
    assert_true(case_same_storage(&c, "t", "u"));
    assert_int_equal(case_alias(&c, "u", "b"), TN_ALIAS_INPLACE);
    return TN_OK;
}

/* 2. Inputs, constants and outputs still to be read are never overwritten. */
static tn_status never_overwrite(tn_ctx *ctx, void *arg) {
    (void)arg;
    const char *body = "input %x: f32[4,16] const %w: f32[4,16] = tensor(256 bytes)"
                       " %a: f32[4,16] = Neg(%x) %b: f32[4,16] = Neg(%w) %c: f32[4,16] = Neg(%a)"
                       " %y: f32[4,16] = MatMul(%b, %c) return %a, %y";
    plan_case c = case_plan(ctx, body, ALL);
    assert_false(case_overlap(&c, "a", "x"));
    assert_false(case_overlap(&c, "b", "w"));
    assert_false(case_overlap(&c, "c", "a"));
    c = case_plan(ctx,
                  "input %x: f32[4,16] %a: f32[4,16] = Neg(%x)"
                  " %y: f32[4,16] = MatMul(%a, %a) return %y",
                  ALL);
    assert_false(case_overlap(&c, "a", "x"));
    /* Asked for, an input may be. */
    tn_controls controls = tn_controls_default();
    controls.reuse_inputs = true;
    c = case_run(case_parse(ctx, "",
                            "input %x: f32[4,16] %a: f32[4,16] = Neg(%x)"
                            " %y: f32[4,16] = MatMul(%a, %a) return %y"),
                 ALL, &controls);
    assert_int_equal(c.status, TN_OK);
    assert_true(case_same_storage(&c, "a", "x"));
    return TN_OK;
}

/* 3. Views extend the root's live range to the last use of any alias. */
static tn_status views_extend_the_root(tn_ctx *ctx, void *arg) {
    (void)arg;
    plan_case c =
        case_plan(ctx,
                  HEAD " %t: f32[4,16] = Exp(%x) %v: f32[64] = Reshape(%t, %flat)"
                       " %p: f32[4,4] = MatMul(%x, %x) %q: f32[4,16] = MatMul(%p, %x)"
                       " %r: f32[64] = Reshape(%q, %flat)"
                       " %s: f32[64] = CumSum(%v, %p) %y: f32[64] = Add(%s, %r) return %y",
                  ALL);
    const tn_plan_value *t = case_value(&c, "t"), *s = case_value(&c, "s");
    assert_true(case_same_storage(&c, "t", "v"));
    assert_true(c.p->storages[t->storage].last >= (int32_t)s->step);
    assert_false(case_overlap(&c, "q", "t"));
    return TN_OK;
}

/* 4. Two buffers of one op touch only as exactly the same slice. */
static tn_status only_the_same_slice(tn_ctx *ctx, void *arg) {
    (void)arg;
    plan_case c =
        case_plan(ctx,
                  "input %x: f32[6,16] const %i0: i64[1] = tensor(8 bytes, ints [0])"
                  " const %i2: i64[1] = tensor(8 bytes, ints [2]) const %i4: i64[1] = tensor(8 "
                  "bytes, ints [4])"
                  " const %i6: i64[1] = tensor(8 bytes, ints [6])"
                  " %t: f32[6,16] = Exp(%x) %lo: f32[4,16] = Slice(%t, %i0, %i4, %i0)"
                  " %hi: f32[4,16] = Slice(%t, %i2, %i6, %i0) %y: f32[4,16] = Sub(%lo, %hi)"
                  " %z: f32[4,4] = Gemm(%y, %y) {transB = 1} return %z",
                  ALL);
    assert_true(case_overlap(&c, "lo", "hi"));
    assert_int_equal(case_value(&c, "hi")->offset - case_value(&c, "lo")->offset, 128);
    assert_false(case_overlap(&c, "y", "lo"));
    return TN_OK;
}

/* 5. The same tensor twice in one op forbids in-place unless the op is element-wise. */
static tn_status same_tensor_twice(tn_ctx *ctx, void *arg) {
    (void)arg;
    plan_case c = case_plan(ctx,
                            "input %x: f32[4,16] %t: f32[4,16] = Exp(%x)"
                            " %u: f32[4,16] = Mul(%t, %t) %y: f32[4,4] = MatMul(%u, %u) return %y",
                            ALL);
    assert_int_equal(case_alias(&c, "t", "u"), TN_ALIAS_INPLACE);
    /* ScatterElements updates its data in place, but not when the data are the updates too. */
    const char *twice = "input %x: f32[4,16] input %i: i64[4,16] %t: f32[4,16] = Exp(%x)"
                        " %u: f32[4,16] = ScatterElements(%t, %i, %t)"
                        " %y: f32[4,4] = MatMul(%u, %u) return %y";
    const char *once = "input %x: f32[4,16] input %i: i64[4,16] %t: f32[4,16] = Exp(%x)"
                       " %u: f32[4,16] = ScatterElements(%t, %i, %x)"
                       " %y: f32[4,4] = MatMul(%u, %u) return %y";
    c = case_plan(ctx, twice, ALL);
    assert_false(case_overlap(&c, "t", "u"));
    c = case_plan(ctx, once, ALL);
    assert_true(case_overlap(&c, "t", "u"));
    return TN_OK;
}

/* 6. A broadcast operand cannot donate; equal bytes are not enough either. */
static tn_status broadcast_cannot_donate(tn_ctx *ctx, void *arg) {
    (void)arg;
    plan_case c = case_plan(ctx,
                            "input %x: f32[1,16] input %z: f32[16,1] %a: f32[1,16] = Exp(%x)"
                            " %b: f32[16,1] = Exp(%z) %s: f32[16,16] = Add(%a, %b)"
                            " %y: f32[16,16] = MatMul(%s, %s) return %y",
                            ALL);
    assert_false(case_overlap(&c, "s", "a"));
    assert_false(case_overlap(&c, "s", "b"));
    /* Same number of bytes, another shape: [1,16] broadcast against [16,1,1] gives [16,1,16]. */
    c = case_plan(ctx,
                  "input %x: f32[16] input %k: i32[1,16] %a: f32[16] = Exp(%x)"
                  " %b: f32[1,16] = Cast(%k) {to = 1} %s: f32[1,16] = Add(%a, %b)"
                  " %y: f32[1,1] = Gemm(%s, %s) {transB = 1} return %y",
                  ALL);
    assert_false(case_overlap(&c, "s", "a"));
    assert_true(case_overlap(&c, "s", "b"));
    /* Equal shape, another element width. */
    c = case_plan(ctx,
                  "input %x: f32[16] %a: f32[16] = Exp(%x) %b: f16[16] = Cast(%a) {to = 10}"
                  " %c: f64[16] = Cast(%a) {to = 11} %y: f64[16] = Cast(%b) {to = 11}"
                  " %z: f64[16] = Sub(%y, %c) %w: f64[16] = CumSum(%z, %x) return %w",
                  ALL);
    assert_false(case_overlap(&c, "a", "c"));
    assert_false(case_same_storage(&c, "y", "b"));
    return TN_OK;
}

/* 7. Sizes are bytes with the element's width, rounded up below a byte. */
static tn_status sizes_are_bytes(tn_ctx *ctx, void *arg) {
    (void)arg;
    plan_case c = case_plan(ctx,
                            "input %x: f32[3] %a: u4[3] = Cast(%x) {to = 21}"
                            " %b: f16[3] = Cast(%a) {to = 10} %d: f64[3] = Cast(%b) {to = 11}"
                            " %y: bool[3] = Cast(%d) {to = 9} return %y",
                            ALL);
    assert_int_equal(case_value(&c, "a")->bytes, 2);
    assert_int_equal(case_value(&c, "b")->bytes, 6);
    assert_int_equal(case_value(&c, "d")->bytes, 24);
    assert_int_equal(case_value(&c, "y")->bytes, 3);
    return TN_OK;
}

/* 8. Values that nothing reads still need bytes at their op. */
static tn_status unread_results_need_room(tn_ctx *ctx, void *arg) {
    (void)arg;
    plan_case c = case_plan(ctx,
                            "input %x: f32[4,16] const %k: i64[1] = tensor(8 bytes, ints [2])"
                            " %t: f32[4,16] = Exp(%x) %v: f32[4,2], %i: i64[4,2] = TopK(%t, %k)"
                            " %y: f32[4,4] = Gemm(%v, %v) {transB = 1} return %y",
                            ALL);
    const tn_plan_value *i = case_value(&c, "i");
    assert_int_equal(i->first, (int32_t)i->step);
    assert_int_equal(i->last, (int32_t)i->step);
    assert_false(case_overlap(&c, "i", "v"));
    assert_false(case_overlap(&c, "i", "t"));
    assert_true(case_has(c.p->steps[i->step].frees, i->storage));
    return TN_OK;
}

/* 9. Running steps side by side is safe only with an edge for every reuse. */
static tn_status reuse_comes_with_hazards(tn_ctx *ctx, void *arg) {
    (void)arg;
    /* c takes a's bytes, and no data leads from the reader of a to the writer of c. */
    plan_case c = case_plan(ctx,
                            "input %x: f32[16,16] %a: f32[16,16] = MatMul(%x, %x)"
                            " %b: f32[16,16] = MatMul(%a, %a) %c: f32[16,16] = MatMul(%x, %x)"
                            " %d: f32[16,16] = MatMul(%c, %x) %y: f32[16,16] = MatMul(%b, %d)"
                            " return %y, %b",
                            ALL);
    const tn_plan_value *b = case_value(&c, "b"), *d = case_value(&c, "c");
    assert_true(case_overlap(&c, "a", "c"));
    assert_true(case_has(c.p->steps[d->step].hazards, b->step));
    /* Without the edge the checker refuses. */
    c.p->steps[d->step].hazards.len = 0;
    assert_int_equal(tn_plan_check(c.p, c.m), TN_ERROR);
    assert_non_null(strstr(case_log.text, "no hazard or data dependence"));
    return TN_OK;
}

/* 10. A plan holds only for the model it was made for. */
static tn_status plan_is_for_one_model(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_module *m = case_parse(ctx, "", "input %x: f32[4] %y: f32[4] = Exp(%x) return %y");
    tn_module *other = case_parse(ctx, "", "input %x: f32[4] %y: f32[4] = Neg(%x) return %y");
    tn_plan *p;
    tn_status status = tn_planner_run(tn_request_new(tn_arena_new(ctx)), m, NULL, &p);
    case_n_bad += status == TN_INTERNAL && strstr(case_log.text, "another model") != NULL;
    assert_int_equal(status, TN_OK);
    assert_int_equal(tn_plan_check(p, other), TN_ERROR);
    assert_non_null(strstr(case_log.text, "another model"));
    return TN_OK;
}

/* 11. The last reader may take the bytes only in the order at hand, which is part of the plan. */
static tn_status last_reader_is_by_order(tn_ctx *ctx, void *arg) {
    (void)arg;
    const char *body = "input %x: f32[16,16] %t: f32[16,16] = MatMul(%x, %x) #0"
                       " %a: f32[16,16] = Neg(%t) #1 %b: f32[16,16] = Exp(%t) #2"
                       " %y: f32[16,16] = MatMul(%a, %b) #3 return %y";
    plan_case c = case_plan(ctx, body, ALL);
    assert_false(c.p->reordered);
    assert_true(case_overlap(&c, "t", "b"));
    assert_false(case_overlap(&c, "t", "a"));
    tn_module *m = case_parse(ctx, "", body);
    tn_op_move_before(m->ops[2], m->ops[1]);
    c = case_run(m, ALL, NULL);
    assert_int_equal(c.status, TN_OK);
    assert_true(c.p->reordered);
    assert_true(case_overlap(&c, "t", "a"));
    assert_false(case_overlap(&c, "t", "b"));
    return TN_OK;
}

#define ORDERED                                                                                    \
    "infer-shapes,schedule,pin,alias-views{kinds=all},inplace{kinds=ordered},reuse,insert-frees"

/* 12. A wider result takes more than the operand's bytes: what lies behind must be dead as well. */
static tn_status all_bytes_of_the_wider(tn_ctx *ctx, void *arg) {
    (void)arg;
    const char *body = "input %x: f32[99,64] const %i: i64[2] = tensor(16 bytes) const %s: i64[2] "
                       "= tensor(16 bytes, ints [1, 1])"
                       " %g: f32[99,64] = Exp(%x) %e: f32[2,64] = Gather(%g, %i) %t: u8[2,64] = "
                       "Cast(%e) {to = 2} %a: u8[1,64], %b: "
                       "u8[1,64] = Split(%t, %s)"
                       " %y: f32[1,64] = Cast(%a) {to = 1} %u: f32[1,64] = CumSum(%y, %x)"
                       " %z: f32[1,64] = Cast(%b) {to = 1} %v: f32[1,64] = CumSum(%z, %u)"
                       " return %v";
    plan_case c = case_plan(ctx, body, ORDERED);
    assert_true(case_same_storage(&c, "t", "b"));
    assert_false(case_overlap(&c, "y", "b"));
    assert_false(case_overlap(&c, "y", "a"));
    return TN_OK;
}

/* 13. Elements of another width are gone through in the direction that reads them in time. */
static tn_status direction_of_widths(tn_ctx *ctx, void *arg) {
    (void)arg;
    plan_case c = case_plan(ctx,
                            "input %x: f32[64] %t: f32[64] = Exp(%x) %a: u8[64] = Cast(%t) {to = 2}"
                            " %b: i32[64] = Cast(%a) {to = 6} %y: i32[64] = CumSum(%b, %x)"
                            " return %y",
                            ORDERED);
    assert_true(case_same_storage(&c, "t", "a"));
    assert_int_equal(c.p->steps[1].claims[0].promise, TN_PROMISE_ASCENDING);
    assert_int_equal(c.p->steps[2].claims[0].promise, TN_PROMISE_DESCENDING);
    return TN_OK;
}

/* 14. Alignment holds for every buffer and for what lies inside it. */
static tn_status alignment_of_every_value(tn_ctx *ctx, void *arg) {
    (void)arg;
    const char *body = "input %x: f32[4,24] const %s: i64[2] = tensor(16 bytes, ints [1, 3])"
                       " %t: f32[4,24] = Exp(%x) %a: f32[1,24], %b: f32[3,24] = Split(%t, %s)"
                       " %c: f32[1,24] = MatMul(%a, %q) %d: f32[3,24] = MatMul(%b, %q)"
                       " %y: f32[4,24] = Concat(%c, %d) {axis = 0}"
                       " %z: f32[4,24] = MatMul(%y, %q) return %z";
    static const uint64_t aligns[] = {1, 32, 64, 4096};
    for (size_t i = 0; i < sizeof aligns / sizeof aligns[0]; i++) {
        tn_controls controls = tn_controls_default();
        controls.align = aligns[i];
        tn_arena *a = tn_arena_new(ctx);
        plan_case c =
            case_run(case_parse(ctx, "", tn_arena_printf(a, "input %%q: f32[24,24] %s", body)), ALL,
                     &controls);
        assert_int_equal(c.status, TN_OK);
        for (uint32_t v = 0; v < c.p->n_values; v++) {
            assert_int_equal(tn_plan_address(c.p, &c.p->values[v]) % aligns[i], 0);
        }
        /* The part at byte 96 is a view where the alignment allows it. */
        assert_int_equal(case_alias(&c, "b", "t"),
                         96 % aligns[i] == 0 ? TN_ALIAS_VIEW : TN_ALIAS_NONE);
        assert_int_equal(case_alias(&c, "d", "y"),
                         96 % aligns[i] == 0 ? TN_ALIAS_VIEW : TN_ALIAS_NONE);
    }
    return TN_OK;
}

static const struct CMUnitTest tests[] = {
    CASE(aliases_through_all_hops), CASE(never_overwrite),          CASE(views_extend_the_root),
    CASE(only_the_same_slice),      CASE(same_tensor_twice),        CASE(broadcast_cannot_donate),
    CASE(sizes_are_bytes),          CASE(unread_results_need_room), CASE(reuse_comes_with_hazards),
    CASE(plan_is_for_one_model),    CASE(last_reader_is_by_order),  CASE(all_bytes_of_the_wider),
    CASE(direction_of_widths),      CASE(alignment_of_every_value)};

#ifndef TENURE_BREAK
int main(void) {
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#endif
