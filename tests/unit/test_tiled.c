/* Ops that run in parts: the ranges of the pass on graphs worked out by hand, modules with parts
 * taken back, and records and ops that are wrong, which the checker has to refuse. */
#include "ir/check/check_tiled.h"
#include "ir/mutate.h"
#include "ir/tiled.h"
#include "passes/fuse/group.h"
#include "passes/tile/rewrite.h"

#include "tests/unit/plan_case.h"

#define REST "schedule,pin,alias-views,reuse{level=1},insert-frees"

/* Conv 3x3 pad 1, and Conv 3x3 stride 2 pad 1. */
static const char windows[] =
    "input %x: f32[1,3,32,32] const %v: f32[4,3,3,3] = tensor(432 bytes) "
    "const %w: f32[4,4,3,3] = tensor(576 bytes) "
    "%a = Conv(%x, %v) {pads = [1, 1, 1, 1]} %b = Relu(%a) "
    "%c = Conv(%b, %w) {pads = [1, 1, 1, 1], strides = [2, 2]} %d = Relu(%c) return %d";

static plan_case plan_tiled(tn_ctx *ctx, const char *body, const char *stretches) {
    tn_arena *a = tn_arena_new(ctx);
    const char *passes = tn_arena_printf(a, "infer-shapes,tile{stretches=%s}," REST, stretches);
    return case_plan(ctx, body, passes);
}

static tn_module *model_of(const plan_case *c) {
    tn_module *m = tn_module_clone(c->m);
    tn_module_untile(m);
    return m;
}

static void forget_log(void) {
    case_log.text[0] = '\0';
    case_log.len = 0;
}

static void expect_said(const char *why) {
    if (strstr(case_log.text, why) == NULL) {
        fail_msg("wanted '%s', got:\n%s", why, case_log.text);
    }
}

static void expect_right(const plan_case *c, const tn_module *model) {
    if (tn_tiled_check(c->m, model) != TN_OK) {
        fail_msg("refused:\n%s", case_log.text);
    }
}

static void expect_rows(const plan_case *c, const char *name, int64_t rows) {
    assert_int_equal(case_value(c, name)->dims[2], rows);
}

/* Stripe 1 of 4 is rows 4 to 7; it needs rows 7 to 15 of the first result, these 6 to 16 of x. */
static tn_status test_stripes(tn_ctx *ctx, void *arg) {
    (void)arg;
    static const int64_t rows[][3] = {{9, 8, 4}, {11, 9, 4}, {11, 9, 4}, {10, 9, 4}};
    plan_case c = plan_tiled(ctx, windows, "0-3:2/4");
    for (uint32_t i = 0; i < 4; i++) {
        tn_arena *a = tn_arena_new(ctx);
        expect_rows(&c, tn_arena_printf(a, "x.part%u", i), rows[i][0]);
        expect_rows(&c, tn_arena_printf(a, "a.part%u", i), rows[i][1]);
        expect_rows(&c, tn_arena_printf(a, "d.part%u", i), rows[i][2]);
    }
    tn_module *model = model_of(&c);
    expect_right(&c, model);
    return TN_OK;
}

/* Windows of 3 in steps of 2: of the rows of `b` that a part has, the next one reads the last. That
 * row is kept, so 8 new ones are made for each part, and joined to it (b.part1_). */
static tn_status test_kept(tn_ctx *ctx, void *arg) {
    (void)arg;
    static const int64_t rows[][4] = {{9, 8, 8, 4}, {10, 8, 9, 4}, {10, 8, 9, 4}, {9, 8, 9, 4}};
    plan_case c = plan_tiled(ctx, windows, "0-3:2/4k");
    for (uint32_t i = 0; i < 4; i++) {
        tn_arena *a = tn_arena_new(ctx);
        expect_rows(&c, tn_arena_printf(a, "x.part%u", i), rows[i][0]);
        expect_rows(&c, tn_arena_printf(a, "b.part%u", i), rows[i][1]);
        if (i > 0) {
            expect_rows(&c, tn_arena_printf(a, "b.part%u_", i), rows[i][2]);
        }
        expect_rows(&c, tn_arena_printf(a, "d.part%u", i), rows[i][3]);
    }
    expect_rows(&c, "b.part0_", 1);
    expect_right(&c, model_of(&c));
    return TN_OK;
}

static tn_status test_taken_back(tn_ctx *ctx, void *arg) {
    (void)arg;
    plan_case c = plan_tiled(ctx, windows, "0-3:2/4+3/2u");
    tn_arena *a = tn_arena_new(ctx);
    const char *before = c.m->source_digest;
    tn_module *model = model_of(&c);
    assert_non_null(before);
    expect_right(&c, model);
    forget_log();
    if (tn_module_verify(model, true) != TN_OK) {
        fail_msg("%s", case_log.text);
    }
    assert_int_equal(model->main->n_ops, 4);
    assert_int_equal(model->main->n_consts, 2);
    assert_string_equal(tn_plan_digest_plain(model, a), before);
    return TN_OK;
}

/* Groups that are taken apart leave the parts what they were. */
static tn_status test_groups_apart(tn_ctx *ctx, void *arg) {
    (void)arg;
    plan_case c =
        case_plan(ctx, windows, "infer-shapes,tile{stretches=0-3:2/4},fuse{groups=all}," REST);
    const char *before = c.m->source_digest;
    assert_non_null(before);
    assert_true(tn_module_has_groups(c.m));
    tn_module_take_groups_apart(c.m);
    assert_false(tn_module_has_groups(c.m));
    assert_ptr_equal(c.m->source_digest, before);
    return TN_OK;
}

static void expect_refused(const plan_case *c, const tn_module *model, const char *what) {
    forget_log();
    if (tn_tiled_check(c->m, model) == TN_OK) {
        fail_msg("%s is taken", what);
    }
    expect_said("which runs for a part of a stretch");
}

/* Every number that says what a value holds. */
static tn_status test_ranges(tn_ctx *ctx, void *arg) {
    static const char *const asked[] = {"0-3:2/3", "0-3:2/2+3/2", "0-3:2/3u", "0-3:2/3uk"};
    (void)arg;
    for (uint32_t n = 0; n < 4; n++) {
        plan_case c = plan_tiled(ctx, windows, asked[n]);
        tn_module *model = model_of(&c);
        tn_tiled_stretch *s = &c.m->tiled->stretches.data[0];
        for (uint32_t i = 0; i < s->made.len; i++) {
            for (uint32_t d = 0; d < s->made.data[i].n; d++) {
                tn_tiled_range *at = &s->made.data[i].at[d], *good = &s->made.data[i].good[d];
                const tn_tiled_range was = *at, right = *good;
                for (int64_t by = -1; by <= 1; by += 2) {
                    *at = *good = (tn_tiled_range){was.from + by, was.to + by};
                    expect_refused(&c, model, c.m->values[s->made.data[i].value]->name);
                    *at = was;
                    *good = (tn_tiled_range){right.from, right.to + by};
                    expect_refused(&c, model, c.m->values[s->made.data[i].value]->name);
                    *good = right;
                }
            }
        }
        expect_right(&c, model);
    }
    return TN_OK;
}

static void change(int64_t *number, const plan_case *c, const tn_module *model, const char *what) {
    *number += 1;
    expect_refused(c, model, what);
    *number -= 1;
}

/* Pads, where parts are cut, where rows are put, and the order of what is joined. */
static tn_status test_ops(tn_ctx *ctx, void *arg) {
    static const char *const asked[] = {"0-3:2/3", "0-3:2/3u", "0-3:2/3k"};
    (void)arg;
    for (uint32_t n = 0; n < 3; n++) {
        plan_case c = plan_tiled(ctx, windows, asked[n]);
        tn_module *model = model_of(&c);
        const tn_tiled_stretch *s = &c.m->tiled->stretches.data[0];
        for (uint32_t i = 0; i < s->ops.len; i++) {
            tn_op *op = c.m->ops[s->ops.data[i].op];
            uint32_t n_pads;
            int64_t *pads = (int64_t *)(uintptr_t)tn_attr_ints(op, "pads", &n_pads);
            for (uint32_t k = 0; pads != NULL && k < n_pads / 2;
                 k++) { /* more at an end does no harm */
                change(&pads[k], &c, model, op->name);
            }
            if (s->ops.data[i].kind == TN_TILED_JOIN) {
                tn_value *first = tn_operand(op, 0), *second = tn_operand(op, 1);
                tn_op_set_operand(op, 0, second);
                tn_op_set_operand(op, 1, first);
                expect_refused(&c, model, op->name);
                tn_op_set_operand(op, 0, first);
                tn_op_set_operand(op, 1, second);
            }
            if (s->ops.data[i].kind == TN_TILED_PUT) {
                change((int64_t *)(uintptr_t)tn_operand(op, 1)->tensor->ints, &c, model, op->name);
            }
            tn_value *x = tn_operand(op, 0);
            if (s->ops.data[i].kind == TN_TILED_RUN && strncmp(x->name, "x.", 2) != 0) {
                tn_op_set_operand(op, 0, c.m->main->inputs[0]);
                expect_refused(&c, model, op->name);
                tn_op_set_operand(op, 0, x);
            }
        }
        expect_right(&c, model);
    }
    return TN_OK;
}

/* What cannot run in parts says why, and nothing is changed. */
static tn_status test_refused(tn_ctx *ctx, void *arg) {
    static const struct {
        const char *stretches, *why;
    } cases[] = {{"0-3:1/2", "less than two of its ops can run in parts together"},
                 {"0-3:2/17", "fewer elements along the axis than parts"},
                 {"0-9:2/2", "the graph has no such ops"},
                 {"3-3:2/2", "stretches must be"},
                 {"0-3:2/2ku", "stretches must be"},
                 {"0-3:2/2+3/2k", "along one axis only"},
                 {"0-3:2/257", "at most 256 parts along an axis"},
                 {"2-3:2/2;0-1:2/2", "stretches must be"}};
    (void)arg;
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tn_arena *a = tn_arena_new(ctx);
        tn_module *m = case_parse(ctx, "", windows);
        forget_log();
        plan_case c = case_run(
            m, tn_arena_printf(a, "infer-shapes,tile{stretches=%s}," REST, cases[i].stretches),
            NULL);
        assert_int_not_equal(c.status, TN_OK);
        expect_said(cases[i].why);
        assert_null(m->tiled);
        assert_int_equal(m->main->n_ops, 4);
    }
    return TN_OK;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(test_stripes), CASE(test_kept), CASE(test_taken_back), CASE(test_groups_apart),
        CASE(test_ranges),  CASE(test_ops),  CASE(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
