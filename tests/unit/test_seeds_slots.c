/* Shared objects on the vectors of the systems before: Paddle's pool order and level 1 with a
 * batch, memonger's in-place graph, last readers, and random ranges on which memonger's assignments
 * are bad. */
#include "passes/pack/pack.h"
#include "tests/unit/memonger.h"
#include "tests/unit/pack_gen.h"
#include "tests/unit/plan_case.h"

enum { POOL = 8 };

/* OrderedSet.Normal: variables of these element counts are free, those with a batch first and each
 * class by size; a request takes the smallest of its class that is large enough. */
static const struct {
    uint64_t count;
    bool batch;
} pool[POOL] = {{10, true},   {20, true}, {2, false}, {10, false},
                {200, false}, {10, true}, {5, true},  {1, true}};

/* What the request shares its object with, and what all objects cost then. */
static uint64_t request(tn_arena *a, uint64_t count, bool batch, const char *algorithm,
                        uint64_t *partner) {
    tn_pack_buffer b[POOL + 1];
    uint32_t group[POOL + 1];
    tn_slots_result r;
    for (uint32_t i = 0; i <= POOL; i++) {
        b[i] = (tn_pack_buffer){i == POOL, 1 + (i == POOL), i == POOL ? count : pool[i].count,
                                1,         TN_PACK_FREE,    NULL,
                                0};
        group[i] = i == POOL ? batch : pool[i].batch;
    }
    tn_pack_options o = {.effort = 1, .algorithm = algorithm};
    assert_int_equal(tn_pack_slots(a, b, group, POOL + 1, &o, &r), TN_OK);
    *partner = 0;
    for (uint32_t i = 0; i < POOL; i++) {
        *partner = r.object[i] == r.object[POOL] ? pool[i].count : *partner;
    }
    return r.total;
}

static tn_status paddle_pool(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_arena *a = tn_arena_new(ctx);
    uint64_t partner, sum = 10 + 20 + 2 + 10 + 200 + 10 + 5 + 1;
    for (int best = 0; best < 2; best++) {
        const char *algorithm = best ? NULL : "order";
        assert_int_equal(request(a, 10, true, algorithm, &partner), sum); /* (-1,2,5) */
        assert_true(best || partner == 10);
        assert_int_equal(request(a, 10, false, algorithm, &partner), sum); /* (2,5) */
        assert_true(best || partner == 10);
        /* (-1,256,56,56): nothing is large enough, and Paddle makes a new variable; here the
         * largest of the class grows. */
        assert_int_equal(request(a, 802816, true, algorithm, &partner), sum - 20 + 802816);
        assert_int_equal(partner, 20);
    }
    return TN_OK;
}

/* OrderedSet.FindBestFitNode: (128,128), (128,129), (128,128); two requests for (128,128) take the
 * two that fit exactly, a third takes the other one. */
static tn_status paddle_best_fit(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_arena *a = tn_arena_new(ctx);
    tn_pack_buffer b[6];
    tn_slots_result r;
    for (uint32_t i = 0; i < 6; i++) {
        b[i] = (tn_pack_buffer){i / 3, 1 + i / 3, i == 1 ? 128 * 129 : 128 * 128, 1, TN_PACK_FREE,
                                NULL,  0};
    }
    tn_pack_options o = {.effort = 1, .algorithm = "order"};
    assert_int_equal(tn_pack_slots(a, b, NULL, 6, &o, &r), TN_OK);
    assert_int_equal(r.n_objects, 3);
    assert_true(r.object[3] != r.object[1] && r.object[4] != r.object[1]);
    assert_int_equal(r.object[5], r.object[1]);
    return TN_OK;
}

/* The level-1 chain with a leading -1: b, c (-1,8), d (-1,4), e (4). Paddle takes b for d, and
 * nothing for e, because one has a batch and the other has not. With the batch bound, e takes c's
 * bytes. */
static tn_status paddle_batch(tn_ctx *ctx, void *arg) {
    (void)arg;
    plan_case c =
        case_plan(ctx,
                  "input %a: f32[2,8] const %p: f32[8,4] = tensor(128 bytes)"
                  " const %w: f32[8,8] = tensor(256 bytes)"
                  " %b: f32[2,8] = MatMul(%a, %w) %c: f32[2,8] = MatMul(%b, %w)"
                  " %d: f32[2,4] = MatMul(%c, %p) %e: f32[4] = ReduceSum(%d) {keepdims = 0,"
                  " axes = [0]} %f: f32[4] = Exp(%e) %g: f32[4] = Exp(%f) return %g",
                  "infer-shapes,schedule,pin,reuse{level=1,memory=slots},insert-frees");
    assert_true(case_overlap(&c, "d", "b"));
    assert_int_equal(c.p->n_slots, 2);
    assert_int_equal(c.p->pools[0].size, 128); /* two of 64 bytes */
    return TN_OK;
}

/* Whether step j comes after step i by what it reads and by its hazards, directly or through
 * others. */
static bool waits_for(const plan_case *c, uint32_t j, uint32_t i) {
    const tn_plan_step *s = &c->p->steps[j];
    bool found = case_has(s->hazards, i);
    for (uint32_t r = 0; r < s->reads.len && !found; r++) {
        uint32_t by = c->p->values[s->reads.data[r]].step;
        found = by == i || (by != TN_NO_ID && by > i && waits_for(c, by, i));
    }
    for (uint32_t h = 0; h < s->hazards.len && !found; h++) {
        found = s->hazards.data[h] > i && waits_for(c, s->hazards.data[h], i);
    }
    return found;
}

/* test_compute_interference_graph_inplace_ops: three copies of b1 onto itself; the edges are 0-1,
 * 0-2 and 1-2. With a reader beside them, which memonger's graph has no edge for, it must come
 * first. */
static tn_status memonger_inplace_graph(tn_ctx *ctx, void *arg) {
    (void)arg;
    plan_case c = case_plan(ctx,
                            "input %x: f32[8,8] %b1: f32[8,8] = MatMul(%x, %x)"
                            " %s: f32[8,8] = MatMul(%b1, %x) %r: f32[8,8] = Relu(%b1)"
                            " %t: f32[8,8] = Relu(%r) %u: f32[8,8] = Relu(%t)"
                            " %y: f32[8,8] = MatMul(%u, %s) return %y",
                            "infer-shapes,schedule,pin,inplace,reuse,insert-frees");
    assert_true(case_same_storage(&c, "b1", "u"));
    for (uint32_t j = 3; j <= 4; j++) {
        for (uint32_t i = 2; i < j; i++) {
            assert_true(waits_for(&c, j, i));
        }
    }
    assert_true(waits_for(&c, 2, 1)); /* the reader of b1 before the first to write over it */
    assert_false(waits_for(&c, 1, 2));
    return TN_OK;
}

/* test_no_need_buffer_var_shrink, with Shape in place of the gradient's operands of which it needs
 * the shape alone: x1 is read by Mul at last, its second version by nobody, x2 by Mul. */
static tn_status paddle_last_readers(tn_ctx *ctx, void *arg) {
    (void)arg;
    plan_case c =
        case_plan(ctx,
                  "input %i: f32[8] %x0: f32[8] = Exp(%i) %x1: f32[8] = Exp(%x0)"
                  " %x2: f32[8] = Exp(%x1) %x3: f32[8] = Mul(%x1, %x2) %x1b: f32[8] = Exp(%x3)"
                  " %s2: i64[1] = Shape(%x2) %s1: i64[1] = Shape(%x1b) %x4: f32[8] = Exp(%x3)"
                  " %x5: f32[8] = Exp(%x3) %x6: f32[8] = Mul(%x4, %x5) %x7: f32[8] = Add(%x5, %x5)"
                  " return %s1, %s2, %x6, %x7",
                  "infer-shapes,schedule,pin,reuse,insert-frees");
    static const struct {
        const char *name, *last_op;
        uint32_t last;
    } want[] = {{"x0", "Exp", 1}, {"x1", "Mul", 3}, {"x1b", "Exp", 4}, {"x2", "Mul", 3},
                {"x3", "Exp", 8}, {"x4", "Mul", 9}, {"x5", "Add", 10}};
    for (size_t k = 0; k < sizeof want / sizeof want[0]; k++) {
        assert_int_equal(case_value(&c, want[k].name)->last, want[k].last);
        assert_string_equal(c.p->steps[want[k].last].op, want[k].last_op);
    }
    return TN_OK;
}

/* Forty ranges of span 3, in twelve sizes: there memonger's dp can be worse than its greedy.
 * Neither is ever better than what comes of all, and that is proven to be the best there is. */
static tn_status memonger_random(tn_ctx *ctx, void *arg) {
    (void)arg;
    uint64_t seed = 31;
    uint32_t worse[2] = {0}, dp_above_greedy = 0;
    for (uint32_t round = 0; round < 60; round++) {
        tn_arena *a = tn_arena_new(ctx);
        tn_pack_buffer b[40];
        tn_slots_result best;
        uint64_t theirs[2];
        for (uint32_t i = 0; i < 40; i++) {
            b[i] = (tn_pack_buffer){i, i + 4, 1 + gen_below(&seed, 12), 1, TN_PACK_FREE, NULL, 0};
        }
        assert_int_equal(tn_pack_slots(a, b, NULL, 40, &(tn_pack_options){.effort = 2}, &best),
                         TN_OK);
        assert_true(best.optimal);
        for (int k = 0; k < 2; k++) {
            theirs[k] = memonger_total(a, b, 40, k == 1);
            assert_true(theirs[k] < UINT64_MAX && theirs[k] >= best.total);
            worse[k] += theirs[k] > best.total;
        }
        dp_above_greedy += theirs[1] > theirs[0];
        tn_arena_drop(a);
    }
    assert_true(worse[0] > 0 && worse[1] > 0 && dp_above_greedy > 0);
    return TN_OK;
}

int main(void) {
    const struct CMUnitTest tests[] = {CASE(paddle_pool),         CASE(paddle_best_fit),
                                       CASE(paddle_batch),        CASE(memonger_inplace_graph),
                                       CASE(paddle_last_readers), CASE(memonger_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
