/* Groups of ops that are none, made behind the planner's back: the checker says of each what is
 * wrong with it. A reader of plans forms groups again, and lets none of these in. */
#include "ir/mutate.h"
#include "ir/ops/group_claims.h"
#include "ir/ops/op_set.h"
#include "tests/unit/plan_case.h"

#define PASSES "infer-shapes,fuse{groups=all},workspace,schedule,pin,reuse"

/* What the checker says of the plan of a group, once `alter` was at work. */
static void refused(tn_ctx *ctx, void (*alter)(tn_op *group), const char *why) {
    plan_case c = case_plan(ctx,
                            "input %x: f32[4,50] input %b: f32[4,50] %a = Add(%x, %b) "
                            "%y = Tanh(%a) return %y",
                            PASSES);
    tn_op *group = c.m->main->last;
    assert_int_equal(group->n_parts, 2);
    case_log.len = 0;
    case_log.text[0] = 0;
    assert_int_equal(tn_plan_check(c.p, c.m), TN_OK);
    alter(group);
    assert_int_equal(tn_plan_check(c.p, c.m), TN_ERROR);
    if (strstr(case_log.text, why) == NULL) {
        fail_msg("'%s' is not said, but %s", why, case_log.text);
    }
    tn_plan_drop(c.p);
}

static void in_another_order(tn_op *group) {
    static const tn_op *parts[2];
    parts[0] = group->parts[1];
    parts[1] = group->parts[0];
    group->parts = parts;
}

static void read_by_others(tn_op *group) {
    tn_value *inside = tn_part_result(group->parts[0], 0);
    inside->n_uses = 1;
}

static void without_an_operand(tn_op *group) {
    tn_op_set_operand(group, 0, group->operands[1].value);
}

static tn_status groups_that_are_none(tn_ctx *ctx, void *arg) {
    (void)arg;
    refused(ctx, in_another_order, "does Tanh '' before what that reads is made");
    refused(ctx, read_by_others, "keeps 'a' among its nodes, which others read");
    refused(ctx, without_an_operand, "does not read 'x', which its Add '' reads");
    return TN_OK;
}

int main(void) {
    const struct CMUnitTest tests[] = {CASE(groups_that_are_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
