/* Plans with open dimensions: read and resolved through tenure.h, and held against corrupted
 * relations; with every n-th allocation failing. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "frontends/core/relate.h"
#include "ir/build.h"
#include "lib/api/api_t.h"
#include "tests/unit/meter.h"
#include "tests/unit/unit.h"

/* A chain with a tensor of fixed size beside it. */
static const char text[] = "tir 1\n"
                           "module \"net\"\n"
                           "opset \"com.example\" 1\n"
                           "graph @0 \"net\" {\n"
                           "  input %x: f32[n,16]\n"
                           "  input %c: f32[1024]\n"
                           "  %h: f32[n,64] = com.example.Wide(%x) #0\n"
                           "  %t: f32[1024] = com.example.Other(%c) #1\n"
                           "  %y: f32[n,32] = com.example.Mix(%h, %t) #2\n"
                           "  %z: f32[n,16] = com.example.Mix(%y, %t) #3\n"
                           "  return %z\n"
                           "}\n";

typedef struct scene {
    tenure_context *ctx;
    tenure_model *model;
    tenure_plan *plan;
    tenure_status status;
    char said[1024];
} scene;

static void on_diagnostic(void *user, const tenure_diagnostic *d) {
    scene *s = user;
    size_t len = strlen(s->said);
    (void)snprintf(s->said + len, sizeof s->said - len, "%s\n", d->rendered);
}

/* A context with the plan of the model for `dim`. */
static scene start(const tenure_allocator *allocator, const char *dim) {
    scene s = {.ctx = tenure_context_new(allocator), .status = TENURE_NOMEM};
    if (s.ctx == NULL) {
        return s;
    }
    tenure_options *o = tenure_options_new(s.ctx);
    s.status = o != NULL ? tenure_options_set(o, "dim", dim) : tenure_last_status(s.ctx);
    if (s.status == TENURE_OK) {
        s.model = tenure_load_memory(s.ctx, "g.tir", text, sizeof text - 1, o);
        s.status =
            s.model != NULL ? tenure_plan_make(s.model, o, &s.plan) : tenure_last_status(s.ctx);
    }
    tenure_options_free(o);
    return s;
}

/* Of a model in which %m is as long as two dimensions together. */
static scene start_related(const char *total) {
    static const char model[] = "tir 1\n"
                                "module \"cache\"\n"
                                "opset \"\" 17\n"
                                "graph @0 \"cache\" {\n"
                                "  input %x: f32[seq,16]\n"
                                "  input %p: f32[past,16]\n"
                                "  input %m: f32[total,16]\n"
                                "  %k: ? = Concat(%p, %x) {axis = 0} #0\n"
                                "  %y: ? = Add(%k, %m) #1\n"
                                "  return %y\n"
                                "}\n";
    scene s = {.ctx = tenure_context_new(NULL)};
    tenure_options *o = tenure_options_new(s.ctx);
    assert_int_equal(tenure_options_set(o, "open", NULL), TENURE_OK);
    assert_int_equal(tenure_options_set(o, "dim", total), TENURE_OK);
    s.model = tenure_load_memory(s.ctx, "g.tir", model, sizeof model - 1, o);
    s.status = tenure_plan_make(s.model, o, &s.plan);
    tenure_options_free(o);
    return s;
}

static void stop(scene *s) {
    tenure_plan_free(s->plan);
    tenure_model_free(s->model);
    tenure_context_free(s->ctx);
}

static tenure_status resolve(scene *s, const char *name, int64_t n, tenure_plan **out) {
    s->said[0] = '\0';
    tenure_on_diagnostic(s->ctx, on_diagnostic, s);
    return tenure_plan_resolve(s->plan, &name, &n, 1, out);
}

static uint64_t most(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

/* What is alive at the steps of mix and mix2, in the arena; both are rounded to 64 bytes. */
static uint64_t least(uint64_t n) {
    return most((n * 4 * 64 + 63) / 64 * 64, (n * 4 * 32 + 63) / 64 * 64) + 4096 +
           (n * 4 * 32 + 63) / 64 * 64;
}

static void test_related(void **state) {
    static const char *const names[] = {"total", "past", "seq"};
    const char *name, *is;
    tenure_plan *at;
    (void)state;
    scene s = start_related("total=seq+past");
    assert_int_equal(s.status, TENURE_OK);
    assert_true(tenure_plan_related_dim(s.plan, 0, &name, &is));
    assert_string_equal(name, "total");
    assert_string_equal(is, "past + seq");
    assert_false(tenure_plan_related_dim(s.plan, 1, &name, &is));
    assert_false(tenure_plan_related_dim(NULL, 0, &name, &is));
    assert_false(tenure_plan_related_dim(s.plan, 0, NULL, &is));
    assert_false(tenure_plan_related_dim(s.plan, 0, &name, NULL));
    assert_int_equal(tenure_plan_resolve(s.plan, names, (int64_t[]){5, 3, 2}, 3, &at), TENURE_OK);
    tenure_plan_free(at);
    assert_int_equal(tenure_plan_resolve(s.plan, names, (int64_t[]){6, 3, 2}, 3, &at),
                     TENURE_ERROR);
    assert_int_equal(tenure_plan_resolve(s.plan, names, (int64_t[]){5, 3, 2}, 2, &at),
                     TENURE_USAGE);
    stop(&s);
}

static void test_by_data(void **state) {
    static const char net[] = "tir 1\nmodule \"net\"\nopset \"\" 17\ngraph @0 \"net\" {\n"
                              "  input %x: f32[n,8]\n"
                              "  %i: ? = NonZero(%x) #0\n"
                              "  %y: ? = Neg(%i) #1\n"
                              "  return %y\n}\n";
    (void)state;
    for (int open = 0; open < 2; open++) {
        scene s = {.ctx = tenure_context_new(NULL)};
        tenure_options *o = tenure_options_new(s.ctx);
        tenure_data_dim d = {.struct_size = sizeof d};
        assert_int_equal(tenure_options_set(o, "dim", open ? "n=1..9" : "n=4"), TENURE_OK);
        s.model = tenure_load_memory(s.ctx, "net.tir", net, sizeof net - 1, o);
        assert_int_equal(tenure_plan_make(s.model, o, &s.plan), TENURE_OK);
        assert_true(tenure_plan_data_dim(s.plan, 0, &d));
        assert_string_equal(d.name, "i.1");
        assert_int_equal(d.most, open ? -1 : 32);
        assert_true(open ? strcmp(d.most_text, "n*8") == 0 : d.most_text == NULL);
        assert_int_equal(d.value, 1);
        assert_int_equal(d.axis, 1);
        assert_string_equal(tenure_plan_value_dim(s.plan, 1, 1), "i.1");
        assert_false(tenure_plan_data_dim(s.plan, 1, &d));
        assert_false(tenure_plan_data_dim(NULL, 0, &d));
        assert_false(tenure_plan_data_dim(s.plan, 0, NULL));
        tenure_options_free(o);
        stop(&s);
    }
}

static void test_resolves(void **state) {
    static const int64_t extents[] = {1, 2, 3, 7, 15, 64, 1000, 65536};
    (void)state;
    scene s = start(NULL, "n=1..65536");
    assert_int_equal(s.status, TENURE_OK);
    tenure_variant v = {.struct_size = sizeof v};
    tenure_range r = {.struct_size = sizeof r};
    assert_true(tenure_plan_get_variant(s.plan, &v));
    assert_int_equal(v.n_ranges, 1);
    assert_true(tenure_plan_range(s.plan, 0, &r));
    assert_string_equal(r.name, "n");
    assert_int_equal(r.min, 1);
    assert_int_equal(r.max, 65536);
    assert_false(tenure_plan_range(s.plan, 1, &r));
    for (size_t i = 0; i < sizeof extents / sizeof extents[0]; i++) {
        tenure_plan *at;
        assert_int_equal(resolve(&s, "n", extents[i], &at), TENURE_OK);
        assert_int_equal(tenure_plan_arena_size(at), least((uint64_t)extents[i]));
        tenure_placement h = {.struct_size = sizeof h};
        assert_true(tenure_plan_find(at, "h", &h));
        assert_int_equal(h.size, extents[i] * 256);
        assert_string_equal(h.size_text, "n*256");
        tenure_plan_free(at);
    }
    stop(&s);
}

static void test_refuses(void **state) {
    (void)state;
    scene s = start(NULL, "n=2..64");
    tenure_plan *at;
    assert_int_equal(s.status, TENURE_OK);
    assert_int_equal(resolve(&s, "n", 65, &at), TENURE_ERROR);
    assert_non_null(strstr(s.said, "dimension 'n' is 65, and the plan is for 64 at most"));
    assert_int_equal(resolve(&s, "n", INT64_MIN, &at), TENURE_ERROR);
    assert_non_null(strstr(s.said, "and the plan is for 2 and up"));
    assert_int_equal(resolve(&s, "m", 3, &at), TENURE_USAGE);
    assert_non_null(strstr(s.said, "the plan leaves no dimension 'm' open"));
    assert_int_equal(tenure_plan_resolve(s.plan, NULL, NULL, 0, &at), TENURE_USAGE);
    assert_non_null(strstr(s.said, "no extent is given for dimension 'n'"));
    assert_null(at);
    stop(&s);
    scene far = start(NULL, "n=1..");
    assert_int_equal(far.status, TENURE_OK);
    assert_int_equal(resolve(&far, "n", INT64_MAX, &at), TENURE_ERROR);
    stop(&far);
}

static bool has_path(const tn_plan *p, uint32_t low, uint32_t high) {
    tn_ids above = p->storages[high].above;
    for (uint32_t i = 0; i < above.len; i++) {
        if (above.data[i] == low || has_path(p, low, above.data[i])) {
            return true;
        }
    }
    return false;
}

/* The plan without edge k of the storage: refused unless another path joins the two. */
static bool try_without(const scene *s, uint32_t storage, uint32_t k) {
    const tn_plan *p = api_plan(s->plan);
    tn_storage *x = &p->storages[storage];
    tn_module *m = tn_module_clone(api_module(s->model));
    tn_ids whole = x->above;
    uint32_t *rest = TN_ARRAY(p->arena, uint32_t, whole.len);
    uint32_t n = 0;
    for (uint32_t i = 0; i < whole.len; i++) {
        if (i != k) {
            rest[n++] = whole.data[i];
        }
    }
    x->above = (tn_ids){rest, n};
    tn_request *r = tn_request_new(p->arena);
    bool refused = tn_planner_check(r, m, p) != TN_OK;
    assert_int_equal(refused, !has_path(p, whole.data[k], storage));
    x->above = whole;
    tn_module_drop(m);
    return refused;
}

static void test_relation(void **state) {
    (void)state;
    scene s = start(NULL, "n=1..65536");
    assert_int_equal(s.status, TENURE_OK);
    const tn_plan *p = api_plan(s.plan);
    uint32_t n = 0, n_needed = 0;
    assert_int_equal(tenure_plan_check(s.plan, s.model, NULL), TENURE_OK);
    for (uint32_t i = 0; i < p->n_storages; i++) {
        for (uint32_t k = 0; k < p->storages[i].above.len; k++, n++) {
            n_needed += try_without(&s, i, k);
        }
    }
    assert_true(n >= 3 && n_needed >= 3);
    p->storages[0].size_expr = TN_DIM_UNKNOWN; /* 16 n bytes are no number */
    assert_int_not_equal(tenure_plan_check(s.plan, s.model, NULL), TENURE_OK);
    stop(&s);
}

/* A branch that never runs where n is 1, for which there is a variant. */
static const char branched[] = "tir 1\n"
                               "module \"net\"\n"
                               "opset \"\" 17\n"
                               "graph @0 \"net\" {\n"
                               "  input %x: f32[n,n]\n"
                               "  const %first: i64[1] = tensor(8 bytes, ints [0])\n"
                               "  const %one: i64[1] = tensor(8 bytes, ints [1])\n"
                               "  const %two: i64[1] = tensor(8 bytes, ints [2])\n"
                               "  %a: ? = Relu(%x) #0\n"
                               "  %b: ? = Neg(%x) #1\n"
                               "  %whole: ? = Concat(%a, %b) {axis = 1} #2\n"
                               "  %y: ? = Abs(%whole) #3\n"
                               "  %extent: ? = Shape(%x) {end = 1} #4\n"
                               "  %from: ? = Sub(%extent, %two) #5\n"
                               "  %part: ? = Slice(%x, %from, %two, %first) #6\n"
                               "  %more: ? = Less(%one, %extent) #7\n"
                               "  %is: ? = Squeeze(%more) #8\n"
                               "  %z: ? = If(%is) {else_branch = region 0, "
                               "then_branch = region 1} #9\n"
                               "    graph @1 \"else\" {\n"
                               "      %u: ? = Abs(%x) #0\n"
                               "      return %u\n"
                               "    }\n"
                               "    graph @2 \"then\" {\n"
                               "      const %none: f32[0,2] = tensor(0 bytes)\n"
                               "      %odd: ? = MatMul(%part, %none) #0\n"
                               "      %v: ? = Neg(%odd) #1\n"
                               "      return %v\n"
                               "    }\n"
                               "  return %y, %z\n"
                               "}\n";

static tn_storage *storage_of(const tn_plan *p, const char *name) {
    return &p->storages[tn_plan_find(p, "", name)->storage];
}

/* Each variant is right by itself, and constants of equal size have changed places in one: the
 * weights image is that of the other. */
static void test_across(void **state) {
    (void)state;
    scene s = {.ctx = tenure_context_new(NULL)};
    tenure_options *o = tenure_options_new(s.ctx);
    assert_int_equal(tenure_options_set(o, "open", NULL), TENURE_OK);
    s.model = tenure_load_memory(s.ctx, "g.tir", branched, sizeof branched - 1, o);
    assert_int_equal(tenure_plan_make(s.model, o, &s.plan), TENURE_OK);
    assert_int_equal(tenure_plan_check(s.plan, s.model, NULL), TENURE_OK);
    assert_int_equal(tn_plan_count(api_plan(s.plan)), 2);
    const tn_plan *second = tn_plan_at(api_plan(s.plan), 1);
    tn_storage *one = storage_of(second, "one"), *two = storage_of(second, "two");
    uint64_t offset = one->offset;
    one->offset = two->offset;
    two->offset = offset;
    tenure_on_diagnostic(s.ctx, on_diagnostic, &s);
    assert_int_equal(tenure_plan_check(s.plan, s.model, NULL), TENURE_ERROR);
    assert_non_null(strstr(s.said, "'one' of program 'net' has bytes [64,72) of pool 'const', "
                                   "and 'two' of program 'net' [64,72)"));
    tenure_options_free(o);
    stop(&s);
}

enum { LONG_CHAIN = 100000 };

/* d1 = d0 + 1, d2 = d1 + 1 and so on, the last of them given first; `close`: and d0 = the last. */
static tn_status relate_chain(tn_ctx *ctx, void *close) {
    tn_module *m = tn_module_new(ctx, "chain", "chain.tir");
    tn_dim_binding *all = TN_ARRAY(m->arena, tn_dim_binding, LONG_CHAIN + 1);
    tn_load_options o = {.dims = all};
    const char *last = "d0";
    (void)tn_dim_sym(m->dims, last);
    for (uint32_t i = 1; i <= LONG_CHAIN; i++) {
        const char *name = tn_internf(ctx, "d%u", i);
        (void)tn_dim_sym(m->dims, name);
        all[LONG_CHAIN - i] =
            (tn_dim_binding){.name = name, .is = tn_arena_printf(m->arena, "%s + 1", last)};
        last = name;
    }
    all[LONG_CHAIN] = (tn_dim_binding){.name = "d0", .is = last};
    o.n_dims = LONG_CHAIN + (close != NULL);
    tn_relate(m, &o);
    tn_dim start = tn_dim_sym(m->dims, "d0"), length = tn_dim_const(m->dims, LONG_CHAIN);
    tn_dim end = tn_dim_add(m->dims, start, length);
    assert_int_equal(tn_dim_sym(m->dims, last), end);
    tn_module_drop(m);
    return TN_OK;
}

static void test_long_chain(void **state) {
    (void)state;
    unit_log log;
    tn_ctx *ctx = unit_ctx(&log);
    bool close = true;
    assert_int_equal(tn_guard_run(ctx, relate_chain, NULL), TN_OK);
    assert_int_equal(tn_guard_run(ctx, relate_chain, &close), TN_USAGE);
    assert_string_equal(log.text, "chain.tir: error: dimension 'd100000' is d99999 + 1, which "
                                  "follows from 'd100000' itself\n");
    tn_ctx_free(ctx);
}

static void test_memory(void **state) {
    (void)state;
    size_t n = 0;
    for (bool done = false; !done; n += n < 60 ? 1 : 5) {
        meter m = {.fail_at = (long)n};
        tenure_allocator allocator = {metered, &m};
        scene s = start(&allocator, "n=1..");
        tenure_plan *at = NULL;
        int64_t extent = 5;
        const char *name = "n";
        if (s.status == TENURE_OK) {
            s.status = tenure_plan_resolve(s.plan, &name, &extent, 1, &at);
        }
        done = s.status == TENURE_OK;
        assert_true(done || s.status == TENURE_NOMEM);
        tenure_plan_free(at);
        stop(&s);
        assert_int_equal(m.out, 0);
    }
    assert_true(n > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_resolves),   cmocka_unit_test(test_related),
        cmocka_unit_test(test_by_data),    cmocka_unit_test(test_refuses),
        cmocka_unit_test(test_relation),   cmocka_unit_test(test_across),
        cmocka_unit_test(test_long_chain), cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
