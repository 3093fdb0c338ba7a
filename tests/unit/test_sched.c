/* Orders for the least peak against all orders there are, on small random graphs; and against what
 * is known of larger ones. The cost of an order is worked out here once more, from the definition.
 */
#include "tests/unit/drawn.h"
#include "tests/unit/sched_gen.h"
#include "tests/unit/unit.h"

#include "passes/order/cut.h"
#include "passes/order/divide.h"
#include "passes/order/exact.h"
#include "passes/order/order_memory.h"
#include "passes/order/reverse.h"
#include "passes/order/series_parallel.h"
#include "passes/order/solve.h"

static bool in_set(uint32_t set, uint32_t v) {
    return set >> v & 1u;
}

static bool alive(const tn_sched *p, uint32_t t, uint32_t set) {
    bool some = p->tensor[t].at_start, all = !p->tensor[t].to_end;
    for (uint32_t e = p->touching.start[t]; e < p->touching.start[t + 1]; e++) {
        some = some || in_set(set, p->touching.item[e]);
        all = all && in_set(set, p->touching.item[e]);
    }
    return some && !all;
}

static uint64_t live(const tn_sched *p, uint32_t set) {
    uint64_t sum = p->base;
    for (uint32_t t = 0; t < p->m; t++) {
        sum += alive(p, t, set) ? p->tensor[t].size : 0;
    }
    return sum;
}

static bool started(const tn_sched *p, uint32_t t, uint32_t set) {
    bool some = p->tensor[t].at_start;
    for (uint32_t e = p->touching.start[t]; e < p->touching.start[t + 1]; e++) {
        some = some || in_set(set, p->touching.item[e]);
    }
    return some;
}

/* Whether `order` holds every op once, after all it depends on. */
static bool is_order(tn_arena *scratch, const tn_sched *p, const uint32_t *order) {
    uint32_t *at = TN_ARRAY(scratch, uint32_t, p->n);
    for (uint32_t i = 0; i < p->n; i++) {
        if (order[i] >= p->n || at[order[i]] != 0) {
            return false;
        }
        at[order[i]] = i + 1;
        for (uint32_t e = p->pred.start[order[i]]; e < p->pred.start[order[i] + 1]; e++) {
            if (at[p->pred.item[e]] == 0) {
                return false;
            }
        }
    }
    return true;
}

/* Bytes in use while v runs after `set`: results start, and take over what ends, each operand for
 * one result. */
static uint64_t cost(const tn_sched *p, uint32_t set, uint32_t v) {
    uint32_t next = set | 1u << v, done[8], n = 0;
    uint64_t born = 0;
    for (uint32_t e = p->touched.start[v]; e < p->touched.start[v + 1]; e++) {
        uint32_t t = p->touched.item[e];
        born += started(p, t, set) ? 0 : p->tensor[t].size;
    }
    for (uint32_t e = p->inplace_of.start[v]; e < p->inplace_of.start[v + 1]; e++) {
        const tn_sched_inplace *k = &p->inplace[p->inplace_of.item[e]];
        bool taken =
            alive(p, k->operand, set) && !alive(p, k->operand, next) && !started(p, k->result, set);
        for (uint32_t i = 0; i < n; i++) {
            taken = taken && done[i] != k->operand && done[i] != k->result;
        }
        if (taken) {
            uint64_t a = p->tensor[k->operand].size, b = p->tensor[k->result].size;
            born -= a < b ? a : b;
            done[n++] = k->operand;
            done[n++] = k->result;
        }
    }
    return live(p, set) + (born > p->workspace[v] ? born : p->workspace[v]);
}

static bool ready(const tn_sched *p, uint32_t set, uint32_t v) {
    bool ok = !in_set(set, v);
    for (uint32_t e = p->pred.start[v]; e < p->pred.start[v + 1]; e++) {
        ok = ok && in_set(set, p->pred.item[e]);
    }
    return ok;
}

/* least[set]: the least peak of all orders that start with the ops of `set`. */
static uint64_t best_of_all(tn_arena *a, const tn_sched *p, uint64_t *least_at) {
    uint64_t *least = TN_ARRAY(a, uint64_t, (size_t)1 << p->n);
    uint32_t full = (1u << p->n) - 1;
    memset(least, 0xff, ((size_t)1 << p->n) * sizeof *least);
    memset(least_at, 0xff, p->n * sizeof *least_at);
    least[0] = live(p, 0);
    for (uint32_t set = 0; set < full; set++) {
        for (uint32_t v = 0; v < p->n && least[set] != UINT64_MAX; v++) {
            if (ready(p, set, v)) {
                uint64_t c = cost(p, set, v), peak = c > least[set] ? c : least[set];
                uint64_t *next = &least[set | 1u << v];
                *next = peak < *next ? peak : *next;
                least_at[v] = c < least_at[v] ? c : least_at[v];
            }
        }
    }
    return least[full];
}

/* Backwards every order costs the same. */
static void check_reversed(tn_arena *a, const tn_sched *p, const uint32_t *order) {
    tn_sched turned;
    uint32_t *back = sched_identity(a, p->n);
    memcpy(back, order, p->n * sizeof *back);
    tn_order_turn(back, p->n);
    assert_true(tn_order_reverse(a, p, &turned));
    assert_true(is_order(a, &turned, back));
    assert_int_equal(tn_sched_peak(a, &turned, back), tn_sched_peak(a, p, order));
}

static uint64_t peak_of(const tn_sched *p, const uint32_t *order) {
    uint64_t peak = live(p, 0);
    uint32_t set = 0;
    for (uint32_t i = 0; i < p->n; i++) {
        uint64_t c = cost(p, set, order[i]);
        peak = c > peak ? c : peak;
        set |= 1u << order[i];
    }
    return peak;
}

/* A bound by sequences of some ops, and of all of them, which leaves nothing open but which of
 * several operands is written over. */
static void check_sequences(tn_arena *a, const tn_sched *p, const uint32_t *given, uint64_t best) {
    bool simple = true;
    for (uint32_t v = 0; v < p->n; v++) {
        simple = simple && p->inplace_of.start[v + 1] - p->inplace_of.start[v] < 2;
    }
    for (uint32_t n = 1; n <= 8; n++) {
        tn_cutter c = tn_cutter_make(a, p);
        uint64_t bound = tn_cut_sequence_bound(&c, given, n, live(p, 0), UINT64_MAX);
        assert_true(bound <= best);
        if (n >= p->n && simple) {
            assert_int_equal(bound, best);
        }
    }
}

static void compare(tn_arena *a, tn_sched p) {
    uint32_t n = p.n;
    uint32_t *given = sched_identity(a, n);
    tn_sched_options thorough = tn_sched_thorough();
    uint64_t *least_at = TN_ARRAY(a, uint64_t, n), best = best_of_all(a, &p, least_at);
    tn_sched_result r = tn_sched_min_peak(a, &p, given, &thorough);
    assert_true(is_order(a, &p, r.order));
    assert_int_equal(r.given, peak_of(&p, given));
    assert_int_equal(r.peak, peak_of(&p, r.order));
    assert_int_equal(r.peak, best);
    assert_int_equal(r.bound, best); /* and says so */
    check_reversed(a, &p, given);
    check_reversed(a, &p, r.order);
    tn_cutter c = tn_cutter_make(a, &p);
    for (uint32_t v = 0; v < n; v++) {
        uint64_t bound = tn_cut_bound(&c, v, NULL);
        assert_true(bound <= least_at[v]);
        if (p.inplace_of.start[v + 1] - p.inplace_of.start[v] < 2) {
            assert_int_equal(bound, least_at[v]);
        }
    }
    check_sequences(a, &p, given, best);
    /* The search alone, from no bound: all it can lean on is the rule of commits. */
    tn_search_ask ask = {.below = UINT64_MAX, .work = UINT64_MAX};
    uint32_t *order = TN_ARRAY(a, uint32_t, n);
    tn_search_found f = tn_search_exact(a, &p, &ask, order);
    assert_true(f.found);
    assert_int_equal(peak_of(&p, order), best);
    ask.below = best;
    f = tn_search_exact(a, &p, &ask, order);
    assert_false(f.found);
    assert_int_equal(f.bound, best);
    /* Merging chains loses nothing. */
    tn_sched merged = tn_order_merge_chains(a, &p, UINT64_MAX, given, order);
    assert_true(is_order(a, &merged, order));
    assert_int_equal(best_of_all(a, &merged, least_at), best);
}

static tn_status all_orders(tn_ctx *ctx, void *arg) {
    (void)arg;
    for (uint64_t seed = 0; seed < DRAWN(1500); seed++) {
        tn_arena *a = tn_arena_new(ctx);
        compare(a, sched_random(a, seed, 2 + (uint32_t)(seed % 11), seed % 2 != 0));
        tn_arena_drop(a);
    }
    return TN_OK;
}

/* Trees, and parts in series and in parallel. */
static tn_status nested_orders(tn_ctx *ctx, void *arg) {
    (void)arg;
    for (uint64_t seed = 0; seed < DRAWN(600); seed++) {
        tn_arena *a = tn_arena_new(ctx);
        uint32_t n = 3 + (uint32_t)(seed % 9);
        tn_sched p = seed % 4 < 2 ? sched_tree(a, seed, n, seed % 2 != 0)
                                  : sched_series_parallel(a, seed, n - 2, seed % 2 != 0);
        if (p.n <= 13) {
            compare(a, p);
        }
        tn_arena_drop(a);
    }
    return TN_OK;
}

/* With no budget at all the result is still an order no worse than the one given, and the bound no
 * higher than the optimum. */
static tn_status no_budget(tn_ctx *ctx, void *arg) {
    (void)arg;
    for (uint64_t seed = 0; seed < DRAWN(300); seed++) {
        tn_arena *a = tn_arena_new(ctx);
        tn_sched p = sched_random(a, seed, 11, seed % 2 != 0);
        uint32_t *given = sched_identity(a, p.n);
        uint64_t *least_at = TN_ARRAY(a, uint64_t, p.n), best = best_of_all(a, &p, least_at);
        tn_sched_options o = tn_sched_thorough();
        o.search = o.flow = 0;
        tn_sched_result r = tn_sched_min_peak(a, &p, given, &o);
        assert_true(is_order(a, &p, r.order));
        assert_true(r.peak <= r.given && r.peak >= best && r.bound <= best);
        assert_int_equal(r.peak, peak_of(&p, r.order));
        tn_arena_drop(a);
    }
    return TN_OK;
}

/* A division leaves an order no worse, at no cost where it is as low as wanted already; and some
 * are better. */
static tn_status divided(tn_ctx *ctx, void *arg) {
    (void)arg;
    uint32_t n_better = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        tn_arena *a = tn_arena_new(ctx);
        tn_sched p = sched_randwire(a, seed, 40, 4, 75, 2, true);
        uint32_t *order = sched_identity(a, p.n);
        uint64_t before = tn_sched_peak(a, &p, order);
        assert_int_equal(tn_order_divide(a, &p, before, UINT64_MAX, order), 0);
        assert_int_equal(tn_sched_peak(a, &p, order), before);
        for (uint64_t limit = 0; limit <= 100000; limit += 50000) {
            uint64_t peak = tn_sched_peak(a, &p, order);
            (void)tn_order_divide(a, &p, 0, limit, order);
            assert_true(is_order(a, &p, order));
            assert_true(tn_sched_peak(a, &p, order) <= peak);
        }
        n_better += tn_sched_peak(a, &p, order) < before;
        tn_arena_drop(a);
    }
    assert_true(n_better > 10);
    return TN_OK;
}

static void expect_proof(tn_ctx *ctx, const char *what, const tn_sched *p, uint64_t states) {
    tn_arena *a = tn_arena_new(ctx);
    uint32_t *given = sched_identity(a, p->n);
    tn_sched_options thorough = tn_sched_thorough();
    tn_sched_result r = tn_sched_min_peak(a, p, given, &thorough);
    assert_true(is_order(a, p, r.order));
    assert_int_equal(r.peak, tn_sched_peak(a, p, r.order));
    if (r.peak != r.bound || r.expanded > states) {
        fail_msg("%s: peak %llu, bound %llu, %llu states", what, (unsigned long long)r.peak,
                 (unsigned long long)r.bound, (unsigned long long)r.expanded);
    }
    tn_arena_drop(a);
}

static tn_status networks(tn_ctx *ctx, void *arg) {
    (void)arg;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        tn_arena *a = tn_arena_new(ctx);
        tn_sched in = sched_tree(a, seed, 1000, false), out = sched_tree(a, seed, 50, true);
        tn_sched nest = sched_series_parallel(a, seed, 500, true);
        expect_proof(ctx, "in-tree", &in, 100);
        expect_proof(ctx, "out-tree", &out, 2000);
        expect_proof(ctx, "series-parallel", &nest, 10);
        tn_sched one = sched_randwire(a, seed, 32, 4, 75, 1, false);
        tn_sched three = sched_randwire(a, seed, 32, 4, 75, 3, false);
        tn_sched chain = sched_training(a, seed, 100);
        tn_sched varied = sched_randwire(a, seed, 32, 4, 75, 3, true);
        tn_sched more = sched_randwire(a, seed, 64, 4, 75, 1, false);
        expect_proof(ctx, "32 vertices", &one, 300);
        expect_proof(ctx, "32 vertices of three ops", &three, 500);
        expect_proof(ctx, "32 vertices of three ops and many sizes", &varied, 1000);
        expect_proof(ctx, "64 vertices", &more, 10000);
        expect_proof(ctx, "training", &chain, 1000);
        tn_arena_drop(a);
    }
    return TN_OK;
}

/* A million ops in blocks of parallel branches, and a million independent ones. */
static tn_status large(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_arena *a = tn_arena_new(ctx);
    tn_sched_options thorough = tn_sched_thorough();
    sched_gen g = sched_gen_make(a, 7);
    uint32_t x = sched_op(&g, 8);
    while (g.n_ops < DRAWN(1000000)) {
        uint32_t join[4];
        for (uint32_t k = 0; k < 4; k++) {
            uint32_t wide = sched_op(&g, 8 + 8 * k);
            sched_read(&g, wide, x);
            join[k] = sched_op(&g, 4);
            sched_read(&g, join[k], wide);
        }
        x = sched_op(&g, 8);
        for (uint32_t k = 0; k < 4; k++) {
            sched_read(&g, x, join[k]);
        }
    }
    tn_sched p = sched_done(&g);
    tn_sched_result r = tn_sched_min_peak(a, &p, sched_identity(a, p.n), &thorough);
    assert_int_equal(r.bound, r.peak);
    tn_arena_drop(a);
    a = tn_arena_new(ctx);
    g = sched_gen_make(a, 8);
    for (uint32_t i = 0; i < DRAWN(500000); i++) {
        sched_op(&g, 1 + sched_rnd(&g, 100));
    }
    for (uint32_t i = 0; i < DRAWN(500000); i++) {
        sched_read(&g, sched_op(&g, 1), i);
    }
    p = sched_done(&g);
    r = tn_sched_min_peak(a, &p, sched_identity(a, p.n), &thorough);
    assert_true(r.peak <= 101);
    tn_arena_drop(a);
    return TN_OK;
}

static void same_answer(tn_sched_result a, tn_sched_result b, uint32_t n) {
    assert_true(a.given == b.given && a.peak == b.peak && a.bound == b.bound);
    assert_true(a.expanded == b.expanded && a.parts == b.parts);
    assert_memory_equal(a.order, b.order, n * sizeof *a.order);
}

/* What is remembered is what would be found, also of problems that differ in one fact. */
static tn_status remembered(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_arena *a = tn_arena_new(ctx);
    tn_order_memory *memory = tn_order_memory_new(a);
    for (uint64_t i = 0; i < 240; i++) { /* each twice, in another arena */
        uint64_t seed = i % 120 / 3;
        tn_arena *own = tn_arena_new(ctx);
        tn_sched p = sched_random(own, seed, 9, seed % 2 != 0);
        tn_sched_options o = i % 2 != 0 ? tn_sched_thorough() : tn_sched_quick();
        const uint32_t *given = sched_identity(own, p.n);
        tn_sched_tensor *tensor = tn_arena_regrow(own, p.tensor, p.m, p.m, sizeof *tensor);
        tensor[p.m - 1].size += i % 3 == 1;
        p.tensor = tensor;
        p.base += i % 3 == 2;
        same_answer(tn_order_remembered(memory, own, &p, given, &o),
                    tn_sched_min_peak(own, &p, given, &o), p.n);
        tn_arena_drop(own);
    }
    tn_arena_drop(a);
    return TN_OK;
}

static void run(void **state) {
    unit_log log;
    tn_ctx *ctx = unit_ctx(&log);
    unit_run(ctx, *(tn_status(**)(tn_ctx *, void *)) * state, NULL);
    tn_ctx_free(ctx);
}

int main(void) {
    static tn_status (*bodies[])(tn_ctx *, void *) = {
        all_orders, nested_orders, no_budget, networks, large, divided, remembered};
    const struct CMUnitTest tests[] = {
        {"all_orders", run, NULL, NULL, &bodies[0]}, {"nested_orders", run, NULL, NULL, &bodies[1]},
        {"no_budget", run, NULL, NULL, &bodies[2]},  {"networks", run, NULL, NULL, &bodies[3]},
        {"large", run, NULL, NULL, &bodies[4]},      {"divided", run, NULL, NULL, &bodies[5]},
        {"remembered", run, NULL, NULL, &bodies[6]},
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
