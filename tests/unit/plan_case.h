/* From the text of a graph's body to a checked plan, in one call, and questions about the plan. */
#ifndef TENURE_TESTS_UNIT_PLAN_CASE_H
#define TENURE_TESTS_UNIT_PLAN_CASE_H

#include "tests/unit/unit.h"

#include "ir/check/check.h"
#include "ir/plan/plan_digest.h"
#include "ir/text/text.h"
#include "ir/verify.h"
#include "passes/core/manager.h"

static unit_log case_log; /* of the context at hand */

/* For tests that plan wrongly on purpose: bad plans are counted, and go on to the test. */
static bool case_counts_bad;
static unsigned case_n_bad;

typedef struct plan_case {
    tn_module *m;
    tn_plan *p;
    tn_status status; /* of the pipeline */
} plan_case;

static inline tn_module *case_parse(tn_ctx *ctx, const char *head, const char *body) {
    tn_arena *a = tn_arena_new(ctx);
    const char *text =
        tn_arena_printf(a, "tir 1 module \"m\" opset \"\" 17 %s graph \"g\" {%s}", head, body);
    tn_module *m = tn_module_parse(ctx, "case.tir", text, strlen(text));
    assert_non_null(m);
    return m;
}

/* Runs `passes` over the module; a plan that comes out must pass the checker. */
static inline plan_case case_run(tn_module *m, const char *passes, const tn_controls *controls) {
    tn_arena *a = tn_arena_new(m->ctx);
    tn_pipeline written, pipeline;
    tn_controls defaults = tn_controls_default();
    plan_case c = {.m = m};
    assert_int_equal(tn_pipeline_parse(a, "test", passes, &written), TN_OK);
    assert_int_equal(tn_pipeline_complete(a, &written, &pipeline), TN_OK);
    c.status =
        tn_run_pipeline(m->ctx, m, &pipeline, controls != NULL ? controls : &defaults, &c.p, NULL);
    if (c.status == TN_OK) {
        assert_non_null(c.p);
        c.p->digest = tn_plan_digest(m, c.p->arena);
        bool bad = tn_plan_check(c.p, m) != TN_OK;
        case_n_bad += bad;
        assert_int_equal(tn_module_verify(m, true), TN_OK);
        if (bad && !case_counts_bad) {
            fail_msg("pipeline '%s': the checker refuses the plan:\n%s", passes, case_log.text);
        }
    }
    return c;
}

static inline plan_case case_plan(tn_ctx *ctx, const char *body, const char *passes) {
    plan_case c = case_run(case_parse(ctx, "", body), passes, NULL);
    assert_int_equal(c.status, TN_OK);
    return c;
}

static inline const tn_plan_value *case_value(const plan_case *c, const char *name) {
    const tn_plan_value *v = tn_plan_find(c->p, "", name);
    assert_non_null(v);
    return v;
}

static inline bool case_same_storage(const plan_case *c, const char *a, const char *b) {
    return case_value(c, a)->storage == case_value(c, b)->storage;
}

/* Whether two placed values have bytes in common, in whatever way. */
static inline bool case_overlap(const plan_case *c, const char *a, const char *b) {
    const tn_plan_value *x = case_value(c, a), *y = case_value(c, b);
    uint64_t p = tn_plan_address(c->p, x), q = tn_plan_address(c->p, y);
    return c->p->storages[x->storage].pool == c->p->storages[y->storage].pool && p < q + y->bytes &&
           q < p + x->bytes;
}

static inline bool case_pinned(const plan_case *c, const char *name) {
    return c->p->storages[case_value(c, name)->storage].pinned;
}

/* The kind of the alias edge between two values, on either of them. */
static inline tn_alias_kind case_alias(const plan_case *c, const char *a, const char *b) {
    const tn_plan_value *x = case_value(c, a), *y = case_value(c, b);
    if (x->alias_of != TN_NO_ID && &c->p->values[x->alias_of] == y) {
        return x->alias;
    }
    return y->alias_of != TN_NO_ID && &c->p->values[y->alias_of] == x ? y->alias : TN_ALIAS_NONE;
}

static inline bool case_has(tn_ids ids, uint32_t id) {
    for (uint32_t i = 0; i < ids.len; i++) {
        if (ids.data[i] == id) {
            return true;
        }
    }
    return false;
}

/* A cmocka test from a body behind a boundary. */
typedef tn_status (*case_body)(tn_ctx *ctx, void *arg);
static inline void case_test(void **state) {
    tn_ctx *ctx = unit_ctx(&case_log);
    unit_run(ctx, *(case_body *)*state, NULL);
    tn_ctx_free(ctx);
}
#define CASE(f)                                                                                    \
    { #f, case_test, NULL, NULL, &(case_body[]){f }[0] }

#endif
