/* Random graphs with views, in-place chances, parts, branches and loops, planned in all ways there
 * are. What a plan must be is the checker's business (tests/unit/plan_case.h); here also: levels
 * ascend, and the same graph gives the same plan. */
#include <stdio.h>
#include <stdlib.h>

#include "ir/plan/forms.h"
#include "tests/unit/drawn.h"
#include "tests/unit/plan_case.h"

typedef struct gen {
    uint64_t state;
    tn_sink out;
    uint32_t n_names;
    struct val {
        uint32_t name, rows; /* f32[rows,16] */
    } vals[256];
    uint32_t n_vals;
} gen;

static uint32_t rnd(gen *g, uint32_t n) {
    g->state = g->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(g->state >> 33) % n;
}

static struct val pick(gen *g) {
    /* Recent values more often: chains make in-place and views meet. */
    uint32_t back = rnd(g, 3) > 0 ? rnd(g, g->n_vals < 4 ? g->n_vals : 4) : rnd(g, g->n_vals);
    return g->vals[g->n_vals - 1 - back];
}

static uint32_t fresh(gen *g) {
    return g->n_names++;
}

static void know(gen *g, uint32_t name, uint32_t rows) {
    if (g->n_vals < 256) {
        g->vals[g->n_vals++] = (struct val){name, rows};
    }
}

static void unary(gen *g, const char *op) {
    struct val v = pick(g);
    uint32_t r = fresh(g);
    tn_putf(&g->out, " %%v%u = %s(%%v%u)", r, op, v.name);
    know(g, r, v.rows);
}

static void binary(gen *g) {
    static const char *const ops[] = {"Add", "Mul", "Sub", "Max"};
    struct val a = pick(g), b = pick(g);
    if (a.rows == b.rows || a.rows == 1 || b.rows == 1) {
        uint32_t r = fresh(g);
        tn_putf(&g->out, " %%v%u = %s(%%v%u, %%v%u)", r, ops[rnd(g, 4)], a.name, b.name);
        know(g, r, a.rows > b.rows ? a.rows : b.rows);
    }
}

static void reshape(gen *g) {
    struct val v = pick(g);
    uint32_t flat = fresh(g), r = fresh(g);
    tn_putf(&g->out, " %%v%u = Reshape(%%v%u, %%flat) %%v%u = Reshape(%%v%u, %%rows)", flat, v.name,
            r, flat);
    know(g, r, v.rows);
}

static void concat(gen *g) {
    struct val a = pick(g), b = pick(g);
    if (a.rows + b.rows <= 8) {
        uint32_t r = fresh(g);
        tn_putf(&g->out, " %%v%u = Concat(%%v%u, %%v%u) {axis = 0}", r, a.name, b.name);
        know(g, r, a.rows + b.rows);
    }
}

static void split(gen *g) {
    struct val v = pick(g);
    if (v.rows % 2 == 0) {
        uint32_t a = fresh(g), b = fresh(g);
        tn_putf(&g->out, " %%v%u, %%v%u = Split(%%v%u)", a, b, v.name);
        know(g, a, v.rows / 2);
        know(g, b, v.rows / 2);
    }
}

static void slice(gen *g) {
    struct val v = pick(g);
    if (v.rows > 1) {
        uint32_t r = fresh(g);
        tn_putf(&g->out, " %%v%u = Slice(%%v%u, %%one, %%many, %%zero)", r, v.name);
        know(g, r, v.rows - 1);
    }
}

static void scatter(gen *g) {
    struct val v = pick(g);
    uint32_t r = fresh(g);
    tn_putf(&g->out, " %%v%u = ScatterND(%%v%u, %%at, %%u)", r, v.name);
    know(g, r, v.rows);
}

static void body(gen *g, uint32_t depth, uint32_t n);

/* A value of the body to give back, defined in it. */
static uint32_t last_made(gen *g, uint32_t rows_from) {
    struct val v = g->vals[rows_from];
    uint32_t r = fresh(g);
    tn_putf(&g->out, " %%v%u = %s(%%v%u)", r, rnd(g, 2) ? "Identity" : "Exp", v.name);
    return r;
}

static void branch(gen *g, uint32_t depth, uint32_t index) {
    uint32_t keep = g->n_vals;
    tn_putf(&g->out, " graph \"b%u_%u\" {", g->n_names, fresh(g));
    body(g, depth + 1, 1 + rnd(g, 4));
    uint32_t r = last_made(g, index);
    tn_putf(&g->out, " return %%v%u }", r);
    g->n_vals = keep;
}

static void branches(gen *g, uint32_t depth) {
    uint32_t index = rnd(g, g->n_vals), r = fresh(g);
    tn_putf(&g->out, " %%v%u = If(%%cond) {then_branch = region 0, else_branch = region 1}", r);
    branch(g, depth, index);
    branch(g, depth, index);
    know(g, r, g->vals[index].rows);
}

static void loop(gen *g, uint32_t depth) {
    uint32_t index = rnd(g, g->n_vals), keep = g->n_vals, rows = g->vals[index].rows;
    uint32_t carried = fresh(g), stacked = fresh(g), i = fresh(g), c = fresh(g), v = fresh(g);
    tn_putf(&g->out, " %%v%u, %%v%u = Loop(%%trip, %%cond, %%v%u) {body = region 0}", carried,
            stacked, g->vals[index].name);
    tn_putf(&g->out,
            " graph \"l%u\" { input %%v%u: i64[] input %%v%u: bool[]"
            " input %%v%u: f32[%u,16]",
            fresh(g), i, c, v, rows);
    know(g, v, rows);
    uint32_t at = g->n_vals - 1;
    body(g, depth + 1, 1 + rnd(g, 5));
    uint32_t out = last_made(g, at), scan = rnd(g, 2) ? last_made(g, at) : out;
    uint32_t go = fresh(g);
    tn_putf(&g->out, " %%v%u = Identity(%%v%u) return %%v%u, %%v%u, %%v%u }", go, c, go, out, scan);
    g->n_vals = keep;
    know(g, carried, rows);
}

static void body(gen *g, uint32_t depth, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        switch (rnd(g, depth < 3 ? 14 : 12)) {
        case 0:
        case 1:
        case 2:
            unary(g, "Exp");
            break;
        case 3:
            unary(g, "Softmax");
            break;
        case 4:
            unary(g, "Identity");
            break;
        case 5:
        case 6:
            binary(g);
            break;
        case 7:
            reshape(g);
            break;
        case 8:
            concat(g);
            break;
        case 9:
            split(g);
            break;
        case 10:
            slice(g);
            break;
        case 11:
            scatter(g);
            break;
        case 12:
            branches(g, depth);
            break;
        default:
            loop(g, depth);
            break;
        }
    }
}

static const char *random_graph(tn_arena *a, uint64_t seed) {
    gen g = {.state = seed * 0x9e3779b97f4a7c15u + 1, .out = tn_sink_make(a)};
    tn_put(&g.out, "input %v0: f32[4,16] input %v1: f32[2,16] input %cond: bool[]"
                   " const %w: f32[3,16] = tensor(192 bytes) input %u: f32[1,16]"
                   " const %flat: i64[1] = tensor(8 bytes, ints [-1])"
                   " const %rows: i64[2] = tensor(16 bytes, ints [-1, 16])"
                   " const %zero: i64[1] = tensor(8 bytes, ints [0])"
                   " const %one: i64[1] = tensor(8 bytes, ints [1])"
                   " const %many: i64[1] = tensor(8 bytes, ints [99])"
                   " const %at: i64[1,1] = tensor(8 bytes, ints [0])"
                   " const %trip: i64[] = tensor(8 bytes, ints [3])");
    g.n_names = 2;
    know(&g, 0, 4);
    know(&g, 1, 2);
    body(&g, 0, 4 + rnd(&g, 24));
    tn_put(&g.out, " return ");
    uint32_t first = 2 + rnd(&g, g.n_vals - 1);
    first = first < g.n_vals ? first : g.n_vals - 1;
    tn_putf(&g.out, "%%v%u", g.vals[g.n_vals - 1].name);
    if (g.vals[first].name != g.vals[g.n_vals - 1].name) {
        tn_putf(&g.out, ", %%v%u", g.vals[first].name);
    }
    return g.out.data;
}

static const char *plan_text(tn_ctx *ctx, const char *text, const char *passes,
                             const tn_controls *controls, uint64_t *size, uint64_t *order_bound) {
    plan_case c = case_run(case_parse(ctx, "", text), passes, controls);
    if (c.status != TN_OK) {
        return NULL;
    }
    assert_true(c.p->report.bound <= c.p->pools[0].size);
    *size = c.p->pools[0].size;
    *order_bound = c.p->report.order_bound;
    tn_sink s = tn_sink_make(c.p->arena);
    tn_plan_print(c.p, &s);
    return s.data;
}

static const char *const pipelines[] = {
    "O0",
    "O1",
    "O2",
    "O3",
    "infer-shapes,schedule{order=longest-path},pin,alias-views{kinds=all},inplace{kinds=all},"
    "reuse{memory=slots},insert-frees",
    "infer-shapes,schedule{order=kahn},pin,inplace{kinds=all},alias-views{kinds=all},"
    "reuse{level=0,memory=slots},insert-frees",
    /* The orders there are with the aliases of O2, and with those of O3. */
    "infer-shapes,schedule{order=min-peak},pin,alias-views,inplace,reuse{level=1}",
    "infer-shapes,schedule{order=file},pin,alias-views,inplace,reuse{level=1}",
    "infer-shapes,schedule{order=kahn},pin,alias-views,inplace,reuse{level=1}",
    "infer-shapes,schedule{order=longest-path},pin,alias-views,inplace,reuse{level=1}",
    "infer-shapes,schedule{order=min-peak},pin,alias-views{kinds=all},inplace{kinds=all},reuse",
    "infer-shapes,schedule{order=file},pin,alias-views{kinds=all},inplace{kinds=all},reuse",
    "infer-shapes,schedule{order=kahn},pin,alias-views{kinds=all},inplace{kinds=all},reuse",
    "infer-shapes,schedule{order=longest-path},pin,alias-views{kinds=all},inplace{kinds=all},reuse",
};
enum { N_PIPELINES = sizeof pipelines / sizeof pipelines[0], FIRST_ORDER = 6, N_ORDERS = 4 };

/* What is claimed of all orders holds for those at hand, and min-peak is no worse than the file's.
 */
static void compare_orders(const uint64_t *size, const uint64_t *bound) {
    assert_true(size[0] <= size[1]);
    for (size_t i = 0; i < N_ORDERS; i++) {
        for (size_t k = 0; k < N_ORDERS; k++) {
            assert_true(bound[i] <= size[k]);
        }
    }
}

static tn_status one_graph(tn_ctx *ctx, void *arg) {
    uint64_t seed = *(uint64_t *)arg, size[N_PIPELINES], bound[N_PIPELINES];
    tn_arena *a = tn_arena_new(ctx);
    const char *text = random_graph(a, seed);
    if (getenv("TENURE_SHOW_PLANS") != NULL) {
        printf("seed %llu:\n%s\n", (unsigned long long)seed, text);
    }
    for (size_t i = 0; i < N_PIPELINES; i++) {
        tn_controls controls = tn_controls_default();
        controls.reuse_inputs = seed % 3 == 1;
        controls.io_in_arena = seed % 5 == 2;
        controls.align = seed % 2 ? 64 : 1;
        const char *plan = plan_text(ctx, text, pipelines[i], &controls, &size[i], &bound[i]);
        if (plan == NULL) {
            print_message("seed %llu, pipeline '%s':\n%s\n%s\n", (unsigned long long)seed,
                          pipelines[i], text, case_log.text);
            fail();
        }
        uint64_t again, same;
        assert_string_equal(plan, plan_text(ctx, text, pipelines[i], &controls, &again, &same));
    }
    assert_true(size[1] <= size[0]);
    assert_true(size[2] <= size[1]);
    compare_orders(size + FIRST_ORDER, bound + FIRST_ORDER);
    compare_orders(size + FIRST_ORDER + N_ORDERS, bound + FIRST_ORDER + N_ORDERS);
    return TN_OK;
}

static void random_graphs(void **state) {
    (void)state;
    const char *more = getenv("TENURE_RANDOM_PLANS");
    const char *from = getenv("TENURE_RANDOM_FROM");
    uint64_t n = more != NULL ? strtoull(more, NULL, 10) : DRAWN(60);
    for (uint64_t seed = from != NULL ? strtoull(from, NULL, 10) : 0; seed < n; seed++) {
        tn_ctx *ctx = unit_ctx(&case_log);
        tn_status status = tn_guard_run(ctx, one_graph, &seed);
        if (status != TN_OK) {
            print_message("seed %llu: status %d\n%s\n", (unsigned long long)seed, (int)status,
                          case_log.text);
            fail();
        }
        tn_ctx_free(ctx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_graphs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
