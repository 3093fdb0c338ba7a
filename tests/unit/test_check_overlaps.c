/* Plans whose results begin inside operands, made wrong on purpose: the checker refuses each. */
#include "ir/check/check.h"
#include "tests/unit/plan_case.h"

/* One image, kernels as they come: e begins inside d, which begins inside c, which begins inside b.
 */
#define PASSES "infer-shapes,schedule,pin,reuse{overlap=rows-buffered},insert-frees"
static const char net[] =
    "input %x: f32[1,1,16,16] const %v: f32[8,1,3,3] = tensor(288 bytes) "
    "const %w: f32[1,8,3,3] = tensor(288 bytes) const %s: f32[8,1,3,3] = tensor(288 bytes) "
    "%a = Neg(%x) %b: f32[1,8,16,16] = Conv(%a, %v) {pads = [1,1,1,1]} "
    "%c: f32[1,8,14,14] = Conv(%b, %s) {group = 8} "
    "%d: f32[1,8,7,7] = MaxPool(%c) {kernel_shape = [2,2], strides = [2,2]} "
    "%e = Exp(%d) return %e";

static tn_plan_value *value(tn_plan *p, const char *name) {
    return (tn_plan_value *)(uintptr_t)tn_plan_find(p, "", name);
}

static tn_plan_overlap *inside(tn_plan *p, const char *name) {
    tn_plan_value *v = value(p, name);
    assert_int_equal(v->n_overlaps, 1);
    return (tn_plan_overlap *)(uintptr_t)v->overlaps;
}

static void none(tn_plan *p) {
    (void)p;
}
/* The storage of c, which begins with it, a unit of the alignment up. */
static void nearer(tn_plan *p) {
    p->storages[value(p, "c")->storage].offset +=
        tn_plan_address(p, value(p, "b")) - tn_plan_address(p, value(p, "c")) + 64;
}
static void smaller_distance(tn_plan *p) {
    inside(p, "c")->order = TN_ORDER_ROWS;
    inside(p, "c")->distance = 0;
}
static void larger_distance(tn_plan *p) {
    inside(p, "c")->distance += 4096;
}
/* As far as the two lie apart, and a byte more than that. */
static void distance_as_laid(tn_plan *p) {
    inside(p, "c")->distance =
        tn_plan_address(p, value(p, "b")) - tn_plan_address(p, value(p, "c"));
}
static void a_byte_more(tn_plan *p) {
    distance_as_laid(p);
    inside(p, "c")->distance++;
}
static void other_order(tn_plan *p) {
    inside(p, "c")->order = TN_ORDER_PIXELS;
}
static void no_order(tn_plan *p) {
    inside(p, "c")->order = TN_ORDER_NONE;
}
static void not_stated(tn_plan *p) {
    value(p, "c")->n_overlaps = 0;
}
static void other_operand(tn_plan *p) {
    inside(p, "c")->value = (uint32_t)(value(p, "a") - p->values);
}
static void other_step(tn_plan *p) {
    inside(p, "c")->step++;
}
static void no_such_value(tn_plan *p) {
    inside(p, "c")->value = 99;
}
static void freed(tn_plan *p) {
    uint32_t *id = TN_NEW(p->arena, uint32_t);
    *id = value(p, "b")->storage;
    p->steps[value(p, "c")->step].frees = (tn_ids){id, 1};
    p->steps[value(p, "c")->step].after = TN_NEW(p->arena, tn_ids);
}
static void not_claimed(tn_plan *p) {
    p->steps[value(p, "c")->step].n_claims = 0;
}
static void claimed_as_rows(tn_plan *p) {
    ((tn_plan_claim *)(uintptr_t)p->steps[value(p, "c")->step].claims)->promise =
        TN_PROMISE_OVERLAP_ROWS;
}
static void channels_last(tn_plan *p) {
    value(p, "c")->channels_last = true;
}
static void pinned(tn_plan *p) {
    p->storages[value(p, "b")->storage].pinned = true;
}

static const struct mutation {
    void (*apply)(tn_plan *p);
    const char *message; /* a part of it; NULL: the plan stays right */
} mutations[] = {
    {none, NULL},
    {nearer, "does not begin at the distance behind the result"},
    {smaller_distance, "the distance is too small"},
    {larger_distance, "does not begin at the distance behind the result"},
    {distance_as_laid, NULL},
    {a_byte_more, "does not begin at the distance behind the result"},
    {other_order, "does not claim what its kernel must keep"},
    {no_order, "no order is stated"},
    {not_stated, "overwrites bytes"},
    {other_operand, "is not read for the last time"},
    {other_step, "is not read for the last time"},
    {no_such_value, "an overlap is 99"},
    {freed, "frees the storage of 'b', in which 'c' begins"},
    {not_claimed, "does not claim what its kernel must keep"},
    {claimed_as_rows, "does not claim what its kernel must keep"},
    {channels_last, "has its channels last in the plan"},
    {pinned, "free to share bytes"},
};

static tn_status refused(tn_ctx *ctx, void *arg) {
    (void)arg;
    for (size_t i = 0; i < sizeof mutations / sizeof mutations[0]; i++) {
        plan_case c = case_plan(ctx, net, PASSES);
        mutations[i].apply(c.p);
        case_log.len = 0;
        case_log.text[0] = 0;
        tn_status status = tn_plan_check(c.p, c.m);
        const char *want = mutations[i].message;
        if ((status == TN_OK) != (want == NULL) ||
            (want != NULL && strstr(case_log.text, want) == NULL)) {
            fail_msg("mutation %zu: status %d, %s", i, (int)status, case_log.text);
        }
    }
    return TN_OK;
}

/* A third value in the bytes of the operand that the result leaves alone is written over nobody. */
static tn_status in_use(tn_ctx *ctx, void *arg) {
    (void)arg;
    plan_case c = case_plan(ctx, net, PASSES);
    assert_int_equal(value(c.p, "b")->n_overlaps, 1);
    assert_int_equal(inside(c.p, "c")->value, value(c.p, "b") - c.p->values);
    assert_int_equal(inside(c.p, "c")->order, TN_ORDER_ROWS_BUFFERED);
    assert_true(inside(c.p, "c")->distance == 0);
    plan_case apart = case_plan(ctx, net, "infer-shapes,schedule,pin,reuse,insert-frees");
    assert_true(c.p->pools[0].size < apart.p->pools[0].size);
    assert_true(c.p->report.bound < apart.p->report.bound);
    assert_int_equal(c.p->report.order_bound, 0);
    return TN_OK;
}

int main(void) {
    const struct CMUnitTest tests[] = {CASE(refused), CASE(in_use)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
