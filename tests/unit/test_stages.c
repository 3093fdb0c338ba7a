/* Sets of clones over plain arrays: what becomes of them, and searches against all sets there are.
 */
#include "ir/base/map.h"
#include "passes/recompute/stage_search.h"

#include "tests/unit/plan_case.h"

enum { MOST_OPS = 6, MOST_PAIRS = 10 };

/* A chain of ops, of which some read an earlier value, too; the last one's value lasts. */
typedef struct problem {
    tn_stage_op op[MOST_OPS + 1];
    tn_stage_value value[MOST_OPS];
    uint32_t reads[MOST_OPS + 1][2], results[MOST_OPS], before[MOST_OPS + 1][2], after[MOST_OPS];
    tn_stages p;
} problem;

static void add_op(problem *x, uint32_t i, uint32_t early, uint64_t size) {
    tn_stage_op *op = &x->op[i];
    op->reads = x->reads[i];
    op->before = x->before[i];
    if (i > 0) {
        x->reads[i][op->n_reads++] = i - 1;
        x->after[i - 1] = i;
        x->op[i - 1].after = &x->after[i - 1];
        x->op[i - 1].n_after = 1;
        x->before[i][op->n_before++] = i - 1;
    }
    if (i > 1 && early < i - 1) {
        x->reads[i][op->n_reads++] = early;
    }
    x->p.n_reads += op->n_reads;
    if (i == x->p.n) {
        return;
    }
    x->results[i] = i;
    op->results = &x->results[i];
    op->n_results = 1;
    op->flops = size;
    op->clonable = true;
    x->value[i] = (tn_stage_value){.def = i,
                                   .view = TN_STAGE_NONE,
                                   .lump = TN_STAGE_NONE,
                                   .size = size,
                                   .again = size,
                                   .free = true};
}

static void make(problem *x, uint32_t n, uint64_t seed) {
    *x =
        (problem){.p = {.n = n, .n_values = n, .n_results = n, .most_reads = 2, .most_results = 1}};
    for (uint32_t i = 0; i <= n; i++) {
        uint64_t draw = tn_mix(seed * 64 + i);
        add_op(x, i, i < n ? (uint32_t)(draw % 8) : TN_STAGE_NONE, 1 + (draw >> 8) % 9);
    }
    x->p.op = x->op;
    x->p.value = x->value;
}

/* x10, a100(x), b200(a), c200(b), d100(c), e100(d, a): 500 at c, and 410 with a again before e. */
static tn_status test_find(tn_ctx *ctx, void *arg) {
    (void)arg;
    static const uint64_t sizes[] = {10, 100, 200, 200, 100, 100};
    problem x = {.p = {.n = 6, .n_values = 6, .n_results = 6, .most_reads = 2, .most_results = 1}};
    for (uint32_t i = 0; i <= 6; i++) {
        add_op(&x, i, i == 5 ? 1 : TN_STAGE_NONE, i < 6 ? sizes[i] : 0);
    }
    x.p.op = x.op;
    x.p.value = x.value;
    tn_arena *a = tn_arena_new(ctx);
    tn_stage_found *f = tn_stage_found_new(a, &x.p, 4);
    tn_stage_set set = tn_stage_set_new(a, &x.p, 4);
    tn_stage_find(f, &set);
    assert_int_equal(f->peak, 500);
    assert_int_equal(f->flops, 0);
    set.clones[set.n++] = (tn_stage_clone){5, 1};
    set.clones[set.n++] = (tn_stage_clone){2, 4}; /* before the op itself: dropped */
    set.clones[set.n++] = (tn_stage_clone){4, 0}; /* read by nobody but the clone behind it */
    tn_stage_set_sort(&set);
    assert_int_equal(set.n, 2);
    tn_stage_find(f, &set);
    assert_int_equal(set.n, 2);
    assert_int_equal(f->flops, 110);
    set.n = 0;
    set.clones[set.n++] = (tn_stage_clone){5, 1};
    tn_stage_find(f, &set);
    assert_int_equal(f->peak, 410);
    set.clones[0] = (tn_stage_clone){5, 2}; /* nobody reads it */
    tn_stage_find(f, &set);
    assert_int_equal(set.n, 0);
    tn_arena_drop(a);
    return TN_OK;
}

/* x100, a100(x) in the bytes of b, b300(a), c10(b): a may go over x, but brings all 300 of b. */
static tn_status test_lump(tn_ctx *ctx, void *arg) {
    (void)arg;
    static const uint64_t sizes[] = {100, 100, 300, 10};
    static const uint32_t over = 0;
    problem x = {.p = {.n = 4, .n_values = 4, .n_results = 4, .most_reads = 2, .most_results = 1}};
    for (uint32_t i = 0; i <= 4; i++) {
        add_op(&x, i, TN_STAGE_NONE, i < 4 ? sizes[i] : 0);
    }
    x.value[1].lump = x.value[2].lump = 2;
    x.value[1].over = &over;
    x.value[1].n_over = 1;
    x.p.op = x.op;
    x.p.value = x.value;
    tn_arena *a = tn_arena_new(ctx);
    tn_stage_found *f = tn_stage_found_new(a, &x.p, 0);
    tn_stage_set set = tn_stage_set_new(a, &x.p, 0);
    tn_stage_find(f, &set);
    assert_int_equal(f->peak, 400);
    assert_int_equal(f->run[3].load, 300);
    assert_int_equal(f->run[4].load, 310);
    tn_arena_drop(a);
    return TN_OK;
}

/* The least peak of all sets that have few enough operations. */
static uint64_t least_of_all(tn_arena *a, const tn_stages *p, uint64_t flops) {
    tn_stage_clone all[MOST_PAIRS];
    uint32_t n = 0;
    for (uint32_t at = 2; at < p->n; at++) {
        for (uint32_t op = 0; op + 1 < at && n < MOST_PAIRS; op++) {
            all[n++] = (tn_stage_clone){at, op};
        }
    }
    tn_stage_found *f = tn_stage_found_new(a, p, MOST_PAIRS);
    tn_stage_set set = tn_stage_set_new(a, p, MOST_PAIRS);
    uint64_t least = UINT64_MAX;
    for (uint32_t bits = 0; bits < 1u << n; bits++) {
        set.n = 0;
        for (uint32_t i = 0; i < n; i++) {
            if (bits >> i & 1u) {
                set.clones[set.n++] = all[i];
            }
        }
        tn_stage_find(f, &set);
        least = f->flops <= flops && f->peak < least ? f->peak : least;
    }
    return least;
}

static tn_status test_exact(tn_ctx *ctx, void *arg) {
    (void)arg;
    uint32_t gained = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        problem x;
        make(&x, MOST_OPS, seed);
        tn_arena *a = tn_arena_new(ctx);
        tn_stage_set none = tn_stage_set_new(a, &x.p, 0);
        tn_stage_found *f = tn_stage_found_new(a, &x.p, 0);
        tn_stage_find(f, &none);
        for (uint64_t flops = 5; flops <= 40; flops += 35) {
            const tn_stage_ask ask = {
                .p = &x.p, .first = none, .flops = flops, .tries = 2000, .slack = 1024};
            tn_stage_answer got = tn_stage_search(a, &ask);
            assert_int_equal(got.peak, least_of_all(a, &x.p, flops));
            assert_true(got.flops <= flops);
            gained += got.peak < f->peak;
        }
        tn_arena_drop(a);
    }
    assert_true(gained > 10);
    return TN_OK;
}

int main(void) {
    const struct CMUnitTest tests[] = {CASE(test_find), CASE(test_lump), CASE(test_exact)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
