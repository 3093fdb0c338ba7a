/* Groups of ops that are none, made behind the planner's back: the checker says of each what is
 * wrong with it. A reader of plans forms groups again, and lets none of these in. */
#include "backends/core/backend.h"
#include "ir/mutate.h"
#include "ir/ops/group_claims.h"
#include "ir/ops/op_set.h"
#include "tests/unit/plan_case.h"

#define PASSES "infer-shapes,fuse{groups=all},workspace,schedule,pin,reuse"

#define SUM "input %x: f32[4,50] input %b: f32[4,50] %a = Sub(%x, %b) %y = Tanh(%a) return %y"
#define BROADCAST "input %x: f32[4,50] input %b: f32[50] %a = Add(%x, %b) %y = Tanh(%a) return %y"

static plan_case group_of_two(tn_ctx *ctx, const char *body, tn_op **group) {
    plan_case c = case_plan(ctx, body, PASSES);
    *group = c.m->main->last;
    assert_int_equal((*group)->n_parts, 2);
    case_log.len = 0;
    case_log.text[0] = 0;
    return c;
}

/* What the checker says of the plan of a group, once `alter` was at work. */
static void refused(tn_ctx *ctx, const char *body, void (*alter)(tn_op *group), const char *why) {
    tn_op *group;
    plan_case c = group_of_two(ctx, body, &group);
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

/* The row says that the result may lie over the second operand, which is repeated for each row. */
static void over_what_is_repeated(tn_op *group) {
    static tn_op_info row;
    row = *group->info;
    row.inplace = "Y over X1 X2 (same)";
    group->info = &row;
    group->graph->module->rows[group->code] = NULL; /* is read anew */
}

static tn_status groups_that_are_none(tn_ctx *ctx, void *arg) {
    (void)arg;
    refused(ctx, SUM, in_another_order, "does Tanh '' before what that reads is made");
    refused(ctx, SUM, read_by_others, "keeps 'a' among its nodes, which others read");
    refused(ctx, SUM, without_an_operand, "does not read 'x', which its Sub '' reads");
    refused(ctx, BROADCAST, over_what_is_repeated, "an element of that goes into several");
    return TN_OK;
}

static tn_sink *beside(void *user, const char *name) {
    (void)name;
    tn_sink *s = TN_NEW((tn_arena *)user, tn_sink);
    *s = tn_sink_make(user);
    return s;
}

/* A kernel is made of what the step has, and of no other operands: nobody asked the checker. */
static tn_status kernels_of_other_operands(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_op *group;
    plan_case c = group_of_two(ctx, SUM, &group);
    const tn_backend *b = tn_backend_find(NULL, "c-program");
    assert_non_null(b);
    for (int swapped = 0; swapped < 2; swapped++) {
        tn_arena *a = tn_arena_new(ctx);
        tn_backend_args args = tn_backend_defaults(a, b);
        tn_outlet outlet = {.name = "net.c", .open = beside, .user = a};
        const uint32_t *was = c.p->steps[0].operands.data, other[] = {was[1], was[0]};
        c.p->steps[0].operands.data = swapped ? other : was;
        assert_int_equal(tn_backend_emit(b, c.p, c.m, &args, &outlet), swapped ? TN_ERROR : TN_OK);
    }
    const char *why = "the model is not in the form that the plan was made of";
    assert_non_null(strstr(case_log.text, why));
    tn_plan_drop(c.p);
    return TN_OK;
}

int main(void) {
    const struct CMUnitTest tests[] = {CASE(groups_that_are_none), CASE(kernels_of_other_operands)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
