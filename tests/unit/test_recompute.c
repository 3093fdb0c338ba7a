/* Values computed once more: what is found, against all that can be found in small graphs, and
 * plans with clones that do harm, which the checker has to refuse. */
#include "ir/mutate.h"
#include "ir/ops/claims.h"
#include "ir/ops/flops.h"
#include "ir/plan/plan_clones.h"
#include "passes/recompute/clonable.h"

#include "tests/unit/plan_case.h"

#define RECOMPUTE "infer-shapes,schedule,recompute{flops=1000%},pin,reuse{level=1},insert-frees"
#define FEW "infer-shapes,schedule,recompute{flops=33%},pin,reuse{level=1},insert-frees"
#define PLAIN "infer-shapes,schedule,pin,reuse{level=1},insert-frees"

/* x10, a100(x), b200(a), c200(b), d100(c), e100(d, a), with Pad and Slice between the sizes; units
 * of 64 bytes, of f32[16]. The input is in the arena. */
static const char *chain(tn_arena *a, int x) {
    return tn_arena_printf(a,
                           "input %%x: f32[%d] const %%s: i64[1] = tensor(8 bytes, ints [0]) "
                           "const %%p: i64[2] = tensor(16 bytes, ints [0, %d]) "
                           "const %%q: i64[2] = tensor(16 bytes, ints [0, 1600]) const %%t: i64[1] "
                           "= tensor(8 bytes, ints [1600]) "
                           "%%a: f32[1600] = Pad(%%x, %%p) %%b: f32[3200] = Pad(%%a, %%q) "
                           "%%c: f32[3200] = Softmax(%%b) %%d: f32[1600] = Slice(%%c, %%s, %%t) "
                           "%%e: f32[1600] = Add(%%d, %%a) return %%e",
                           x, 1600 - x);
}

static plan_case plan_chain(tn_ctx *ctx, int x, const char *passes) {
    tn_arena *a = tn_arena_new(ctx);
    tn_controls want = tn_controls_default();
    want.io_in_arena = true;
    want.reuse_inputs = true;
    plan_case c = case_run(case_parse(ctx, "", chain(a, x)), passes, &want);
    assert_int_equal(c.status, TN_OK);
    return c;
}

/* The peak of 500 units at c falls to 410: a is made again of x, which is small. */
static tn_status test_small_operand(tn_ctx *ctx, void *arg) {
    (void)arg;
    plan_case without = plan_chain(ctx, 160, PLAIN), with = plan_chain(ctx, 160, RECOMPUTE);
    assert_int_equal(without.p->pools[0].size, 500 * 64);
    assert_int_equal(with.p->pools[0].size, 410 * 64);
    assert_int_equal(with.p->report.recompute.n_clones, 1);
    assert_int_equal(with.p->report.recompute.without, 500 * 64);
    assert_true(with.p->reordered);
    assert_int_equal(with.p->n_steps, without.p->n_steps + 1);
    return TN_OK;
}

/* To keep an x of 300 for that would cost more than it saves. */
static tn_status test_large_operand(tn_ctx *ctx, void *arg) {
    (void)arg;
    plan_case c = plan_chain(ctx, 4800, PLAIN);
    uint64_t without = c.p->pools[0].size;
    c = plan_chain(ctx, 4800, RECOMPUTE);
    assert_int_equal(c.p->pools[0].size, without);
    assert_int_equal(c.p->report.recompute.n_clones, 0);
    assert_false(tn_plan_has_clones(c.p));
    return TN_OK;
}

/* The product has 40 % of the operations: it is run twice only where so many more are allowed. */
static tn_status test_many_operations(tn_ctx *ctx, void *arg) {
    (void)arg;
    static const char *const body =
        "input %x: f32[16,4] const %w: f32[4,100] = tensor(1600 bytes) "
        "const %p: i64[4] = tensor(32 bytes, ints [0, 0, 0, 100]) "
        "const %s: i64[1] = tensor(8 bytes, ints [0]) "
        "const %t: i64[1] = tensor(8 bytes, ints [100]) "
        "const %k: i64[1] = tensor(8 bytes, ints [1]) "
        "%a: f32[16,100] = MatMul(%x, %w) %b: f32[16,200] = Pad(%a, %p) "
        "%c: f32[16,200] = Softmax(%b) %d: f32[16,100] = Slice(%c, %s, %t, %k) "
        "%e: f32[16,100] = Add(%d, %a) return %e";
    static const struct {
        const char *passes;
        uint32_t clones;
        uint64_t units;
    } want[] = {{FEW, 0, 500}, {RECOMPUTE, 1, 404}};
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        tn_controls controls = tn_controls_default();
        controls.io_in_arena = true;
        controls.reuse_inputs = true;
        plan_case c = case_run(case_parse(ctx, "", body), want[i].passes, &controls);
        assert_int_equal(c.p->report.recompute.n_clones, want[i].clones);
        assert_int_equal(c.p->pools[0].size, want[i].units * 64);
    }
    return TN_OK;
}

/* Operations are those of the model: two an element, and for products what meets. */
static tn_status test_flops(tn_ctx *ctx, void *arg) {
    (void)arg;
    plan_case c = case_plan(ctx,
                            "input %a: f32[4,8] input %b: f32[8,16] input %x: f32[1,3,8,8] "
                            "input %w: f32[5,3,3,3] %m: f32[4,16] = MatMul(%a, %b) "
                            "%r: f32[4,16] = Relu(%m) %y: f32[1,5,6,6] = Conv(%x, %w) "
                            "return %r, %y",
                            PLAIN);
    const tn_op *op = c.m->main->first;
    assert_true(tn_op_flops(op) == 2.0 * 4 * 16 * 8);
    assert_true(tn_op_flops(op->next) == 2.0 * 4 * 16);
    assert_true(tn_op_flops(op->next->next) == 2.0 * 5 * 6 * 6 * 27);
    return TN_OK;
}

static tn_status test_clonable(tn_ctx *ctx, void *arg) {
    (void)arg;
    plan_case c = case_plan(ctx,
                            "input %x: f32[2,3,4] input %s: f32[3] %r: f32[2,3,4] = Relu(%x) "
                            "%d: f32[2,3,4] = Dropout(%r) %n: f32[2,3,4] = RandomNormalLike(%d) "
                            "%y: f32[2,3,4], %m: f32[3], %v: f32[3] = "
                            "BatchNormalization(%n, %s, %s, %s, %s) {training_mode = 1} "
                            "%u: f32[2,3,4] = Unknown(%y) return %u, %m, %v",
                            PLAIN);
    static const bool want[] = {true, false, false, true, false};
    const bool *may = tn_clonable_ops(c.m, c.m->arena);
    uint32_t i = 0;
    TN_FOR_OPS(op, c.m->main) {
        assert_int_equal(may[op->id], want[i++]);
    }
    assert_int_equal(i, 5);
    return TN_OK;
}

/* Running statistics are carried on once: a clone leaves them out, and reads no old ones. Without
 * the attribute, results are what asks for statistics of the batch, and the op without them is
 * another. */
static tn_status test_running(tn_ctx *ctx, void *arg) {
    (void)arg;
    static const char *const modes[] = {"", " {training_mode = 1}"};
    for (uint32_t apart = 0; apart < 2; apart++) {
        const char *text = tn_internf(ctx,
                                      "input %%x: f32[2,3,4] input %%s: f32[3] input %%p: f32[3] "
                                      "input %%q: f32[3] %%y: f32[2,3,4], %%m: f32[3], %%v: f32[3] "
                                      "= BatchNormalization(%%x, %%s, %%s, %%p, %%q)%s "
                                      "return %%y, %%m, %%v",
                                      modes[apart]);
        plan_case c = case_plan(ctx, text, PLAIN);
        tn_op *op = c.m->main->first;
        assert_int_equal(tn_op_carried(op), 6);
        assert_int_equal(tn_clonable_ops(c.m, c.m->arena)[op->id], apart);
        assert_true(tn_reads_data(op, 3) && tn_reads_data(op, 4));
        if (apart) {
            const tn_op *clone = tn_op_repeat(op, NULL);
            assert_non_null(tn_result(clone, 0));
            assert_int_equal(tn_op_carried(clone), 0);
            assert_true(tn_reads_data(clone, 0) && tn_reads_data(clone, 2));
            assert_false(tn_reads_data(clone, 3) || tn_reads_data(clone, 4));
        }
    }
    return TN_OK;
}

/* Relu makes what the accumulator adds to: made again behind that, it would be without the sum. */
static tn_status test_accumulated(tn_ctx *ctx, void *arg) {
    (void)arg;
    plan_case c = case_plan(ctx,
                            "input %x: f32[4096] input %g: f32[4096] %a: f32[4096] = Relu(%x) "
                            "%f: bool[1] = com.microsoft::InPlaceAccumulatorV2(%a, %g) "
                            "%p: f32[4096] = Exp(%x) %q: f32[4096] = Softmax(%p) "
                            "%s: f32[4096] = Add(%p, %q) %t: f32[1] = ReduceSum(%s) "
                            "%y: f32[4096] = Add(%a, %t) return %y, %f",
                            RECOMPUTE);
    assert_int_equal(c.p->report.recompute.n_clones, 0);
    assert_false(tn_clonable_ops(c.m, c.m->arena)[c.m->main->first->id]);
    return TN_OK;
}

/* ---- all that can be found in small graphs ---- */

enum { MAX_CHOICES = 12 };

/* A clone of the n-th op of the model before the at-th. */
typedef struct choice {
    uint32_t n, at;
} choice;

static tn_op *nth(const tn_module *m, uint32_t n) {
    tn_op *op = m->main->first;
    for (uint32_t i = 0; i < n; i++) {
        op = op->next;
    }
    return op;
}

/* Clones stand before those that were put before `at` already, which read it as all behind do. */
static void put_choice(tn_op *op, tn_op *at) {
    while (at->prev != NULL && at->prev->clone_of != NULL) {
        at = at->prev;
    }
    tn_op *clone = tn_op_repeat(op, at);
    for (tn_op *u = at; u != NULL; u = u->next) {
        for (uint32_t k = 0; k < u->n_operands; k++) {
            if (u->operands[k].value == op->results[0]) {
                tn_op_set_operand(u, k, clone->results[0]);
            }
        }
    }
}

/* The least arena of all sets of clones of single results, each before an op that reads the value
 * or, for the sake of another clone, before any op behind it. */
static uint64_t least_of_all(tn_ctx *ctx, int x) {
    tn_controls want = tn_controls_default();
    choice all[MAX_CHOICES];
    uint32_t n = 0;
    want.io_in_arena = want.reuse_inputs = true;
    for (uint32_t op = 0; op < 5; op++) {
        for (uint32_t at = op + 2; at < 5; at++) {
            assert_true(n < MAX_CHOICES);
            all[n++] = (choice){op, at};
        }
    }
    uint64_t least = UINT64_MAX;
    for (uint32_t set = 0; set < 1u << n; set++) {
        tn_arena *a = tn_arena_new(ctx);
        tn_module *m = case_run(case_parse(ctx, "", chain(a, x)), PLAIN, &want).m;
        tn_op *ops[5];
        for (uint32_t i = 0; i < 5; i++) {
            ops[i] = nth(m, i);
        }
        for (uint32_t i = n; i-- > 0;) { /* who reads comes before what is read */
            if (set >> i & 1u) {
                put_choice(ops[all[i].n], ops[all[i].at]);
            }
        }
        case_counts_bad = true;
        plan_case c = case_run(m, "pin,reuse{level=1},insert-frees", &want);
        case_counts_bad = false;
        uint64_t size = c.status == TN_OK ? c.p->pools[0].size : UINT64_MAX;
        least = size < least ? size : least;
        tn_arena_drop(a);
    }
    return least;
}

/* Inputs from small to large: as good as the best of all sets of clones. */
static tn_status test_exact(tn_ctx *ctx, void *arg) {
    (void)arg;
    static const int sizes[] = {160, 480, 800, 1120, 1440};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        plan_case c = plan_chain(ctx, sizes[i], RECOMPUTE);
        assert_int_equal(c.p->pools[0].size, least_of_all(ctx, sizes[i]));
    }
    return TN_OK;
}

/* ---- plans that do harm ---- */

/* A module in which somebody put a clone of the n-th op before the last, read by the last. */
static tn_op *put_clone(tn_module *m, uint32_t n) {
    tn_op *op = m->main->first, *last = m->main->last;
    while (n-- > 0) {
        op = op->next;
    }
    m->plain_digest = tn_plan_digest_plain(m, m->arena);
    tn_op *clone = tn_op_repeat(op, last);
    for (uint32_t k = 0; k < last->n_operands; k++) {
        if (last->operands[k].value == op->results[0]) {
            tn_op_set_operand(last, k, clone->results[0]);
        }
    }
    return clone;
}

static void refused(plan_case *c, const char *why) {
    case_log.text[0] = '\0';
    case_log.len = 0;
    c->p->digest = tn_plan_digest(c->m, c->p->arena);
    assert_int_not_equal(tn_plan_check(c->p, c->m), TN_OK);
    if (strstr(case_log.text, why) == NULL) {
        fail_msg("wanted '%s', got:\n%s", why, case_log.text);
    }
}

/* Plans the module as it stands, whatever is in it. */
static plan_case plan_as_is(tn_module *m) {
    case_counts_bad = true;
    plan_case c = case_run(m, "pin,reuse{level=1},insert-frees", NULL);
    case_counts_bad = false;
    assert_int_equal(c.status, TN_OK);
    return c;
}

static tn_module *typed(tn_ctx *ctx, const char *head, const char *body) {
    return case_run(case_parse(ctx, head, body), PLAIN, NULL).m;
}

static tn_status test_random(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_module *m = typed(ctx, "",
                         "input %x: f32[8] %r: f32[8] = RandomNormalLike(%x) "
                         "%y: f32[8] = Relu(%r) %z: f32[8] = Add(%y, %r) return %z");
    (void)put_clone(m, 0);
    plan_case c = plan_as_is(m);
    refused(&c, "may not be run once more: it draws random numbers");
    return TN_OK;
}

/* State that a node moves on would be moved on twice. */
static tn_status test_state(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_module *m = typed(ctx, "",
                         "input %s: f32[8] input %x: f32[8] %n: f32[8] = Add(%s, %x) "
                         "%y: f32[8] = Relu(%n) %z: f32[8] = Mul(%y, %n) return %z, %n");
    tn_module_add_binding(m, m->main->inputs[0], m->main->first->results[0]);
    (void)put_clone(m, 0);
    plan_case c = plan_as_is(m);
    refused(&c, "may not be run once more: it moves state on, which two runs would do twice");
    return TN_OK;
}

static const char two_products[] =
    "input %x: f32[8] %a: f32[8] = Exp(%x) %b: f32[8] = Relu(%a) %c: f32[8] = Exp(%b) "
    "%d: f32[8] = Exp(%c) %z: f32[8] = Add(%d, %b) return %z";

/* The clone reads a, whose bytes are another value's by then. */
static tn_status test_overwritten(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_module *m = typed(ctx, "", two_products);
    (void)put_clone(m, 1);
    plan_case c = plan_as_is(m);
    tn_plan_value *a = (tn_plan_value *)case_value(&c, "a"),
                  *d = (tn_plan_value *)case_value(&c, "d");
    assert_int_equal(tn_plan_check(c.p, c.m), TN_OK);
    c.p->storages[d->storage].offset = c.p->storages[a->storage].offset;
    refused(&c, "'a'");
    return TN_OK;
}

/* The clone reads s behind the op that adds to it in place, whatever the plan does. */
static tn_status test_updated(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_module *m = typed(ctx, "",
                         "input %s: f32[8] input %g: f32[8] %y: f32[8] = Relu(%s) "
                         "%n: f32[8] = com.microsoft::InPlaceAccumulator(%s, %g) "
                         "%z: f32[8] = Mul(%y, %n) return %z, %n");
    tn_module_add_binding(m, m->main->inputs[0], tn_graph_find_value(m->main, "n"));
    (void)put_clone(m, 0);
    plan_case c = plan_as_is(m);
    refused(&c, "may not be run once more: it reads what an op overwrites by definition");
    return TN_OK;
}

/* A clone of one node that reads what another reads. */
static tn_status test_other_operand(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_module *m = typed(ctx, "", two_products);
    tn_op *clone = put_clone(m, 1);
    tn_op_set_operand(clone, 0, m->main->inputs[0]);
    plan_case c = plan_as_is(m);
    refused(&c, "operand 0 is 'x', which is not what 'a' of the node holds");
    return TN_OK;
}

/* A reader that gets a clone of something else than it reads. */
static tn_status test_other_reader(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_module *m = typed(ctx, "", two_products);
    tn_op *clone = put_clone(m, 1);
    tn_op_set_operand(m->main->last, 0, clone->results[0]);
    plan_case c = plan_as_is(m);
    refused(&c, "a step reads a value that is not a clone of what its node reads");
    return TN_OK;
}

/* What the plan says of clones is true of its steps. */
static tn_status test_stated(tn_ctx *ctx, void *arg) {
    (void)arg;
    plan_case c = plan_chain(ctx, 160, RECOMPUTE);
    uint32_t clone = 0;
    while (c.p->steps[clone].clone_of == TN_NO_ID) {
        clone++;
    }
    uint32_t of = c.p->steps[clone].clone_of;
    c.p->steps[clone].clone_of = of + 1;
    refused(&c, "is not a clone of the step that runs its node");
    c.p->steps[clone].clone_of = of;
    c.p->steps[of].clone_of = clone;
    refused(&c, "is not a clone");
    c.p->steps[of].clone_of = TN_NO_ID;
    c.p->reordered = false;
    refused(&c, "does not say that it was reordered");
    c.p->reordered = true;
    c.p->report.recompute.operations++;
    refused(&c, "the report says 1 clones");
    return TN_OK;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(test_small_operand), CASE(test_large_operand), CASE(test_many_operations),
        CASE(test_flops),         CASE(test_clonable),      CASE(test_accumulated),
        CASE(test_running),       CASE(test_exact),         CASE(test_random),
        CASE(test_state),         CASE(test_overwritten),   CASE(test_updated),
        CASE(test_other_operand), CASE(test_other_reader),  CASE(test_stated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
