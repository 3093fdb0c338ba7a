/* Every claim of every row, planned: an op whose operands fit the claim, between ops that make them
 * and ops that read its results. The checker judges each plan, and each claim has to be used at
 * least once in each version that has it. */
#include "ir/build.h"

#include <stdlib.h>

#include "ir/mutate.h"
#include "ir/ops/claims.h"
#include "ir/ops/sig.h"
#include "tests/unit/plan_case.h"

#define VIEWS "pin,alias-views{kinds=all},reuse,insert-frees"
#define INPLACE "pin,inplace{kinds=all},reuse,insert-frees"

/* Shapes of tensors that are operands and of results, and what operands and attributes that hold
 * numbers are tried with. */
typedef struct attempt {
    int64_t whole[2], part[2];
    int64_t number; /* all of them, */
    uint32_t n;     /* so many; 0: a scalar */
} attempt;

static const attempt attempts[] = {
    {{4, 4}, {4, 4}, 0, 1}, {{4, 4}, {2, 4}, 0, 1}, {{4, 4}, {1, 4}, 1, 1}, {{4, 4}, {16, 4}, 0, 1},
    {{4, 4}, {4, 4}, 0, 4}, {{4, 4}, {1, 4}, 1, 0}, {{1, 4}, {4, 1}, 0, 1},
};

typedef struct claim_case {
    tn_module *m;
    tn_op *op;
    const attempt *try;
} claim_case;

static const tn_type *matrix(tn_module *m, const int64_t *extents) {
    tn_dim dims[] = {tn_dim_const(m->dims, extents[0]), tn_dim_const(m->dims, extents[1])};
    return tn_type_tensor(m->arena, TN_DT_FLOAT, 2, dims);
}

/* Types of operands of which inference makes those of results: matrices of numbers, of truths, and
 * one matrix with vectors of its channels. */
typedef enum typing { NUMBERS, TRUTHS, CHANNELS, TYPINGS } typing;

static const tn_type *typed(const claim_case *c, typing how, uint32_t k) {
    tn_dim dims[] = {tn_dim_const(c->m->dims, 4), tn_dim_const(c->m->dims, 4)};
    return tn_type_tensor(c->m->arena, how == TRUTHS ? TN_DT_BOOL : TN_DT_FLOAT,
                          how == CHANNELS && k > 0 ? 1 : 2, dims);
}

static tn_op *outside(tn_module *m, const char *name) {
    return tn_op_new(m->main, "acme", name, 1, "", tn_loc_file("claims"));
}

/* A tensor that somebody computes, whose bytes may be taken. */
static tn_value *made(claim_case *c, tn_value *input) {
    tn_op *op = outside(c->m, "Make");
    tn_op_add_operand(op, input);
    return tn_op_add_result(op, NULL, matrix(c->m, c->try->whole));
}

static tn_value *numbers(claim_case *c) {
    uint32_t n = c->try->n > 0 ? c->try->n : 1;
    tn_arena *a = c->m->arena;
    tn_tensor *t = TN_NEW(a, tn_tensor);
    int64_t *ints = TN_ARRAY(a, int64_t, n), *dims = TN_ARRAY(a, int64_t, 1);
    for (uint32_t i = 0; i < n; i++) {
        ints[i] = c->try->number;
    }
    dims[0] = n;
    *t = (tn_tensor){.dtype = TN_DT_INT64,
                     .rank = c->try->n > 0,
                     .dims = dims,
                     .n_elements = n,
                     .bytes = 8ull * n,
                     .ints = ints};
    return tn_graph_add_const(c->m->main, NULL, t);
}

/* Integers that the row declares for the version, and no others. */
static void add_attributes(claim_case *c, const tn_op_info *info, int64_t version) {
    const char *at = info->attrs;
    for (tn_word w; tn_word_next(&at, version, &w);) {
        const char *kind = memchr(w.text, ':', w.len);
        const char *name = tn_intern_n(c->m->ctx, w.text, (size_t)(kind - w.text));
        if (strncmp(kind, ":ints", 5) == 0 && strcmp(name, "perm") != 0) {
            uint32_t n = c->try->n;
            int64_t *ints = TN_ARRAY(c->m->arena, int64_t, n + 1);
            for (uint32_t i = 0; i < n; i++) {
                ints[i] = c->try->number;
            }
            tn_op_add_attr(c->op,
                           (tn_attr){.name = name, .kind = TN_ATTR_INTS, .n = n, .u.ints = ints});
        } else if (strncmp(kind, ":int", 4) == 0 && strcmp(name, "axis") == 0) {
            tn_op_add_int(c->op, name, 0);
        }
    }
}

/* Operands of a bit in `tensors` are made, the others numbers, or left out if they may be. */
static claim_case build(tn_ctx *ctx, const tn_op_info *info, int64_t version, uint32_t tensors,
                        const attempt *try) {
    claim_case c = {.m = tn_module_new(ctx, "claims", "claims"), .try = try};
    tn_module_add_opset(c.m, "", 21);
    tn_value *input = tn_graph_add_input(c.m->main, NULL, matrix(c.m, try->whole)), *operands[64];
    const char *at = info->sig;
    uint32_t n = 0;
    for (tn_word w; tn_word_next(&at, version, &w);) {
        bool many = w.mark == '*' || w.mark == '+';
        for (uint32_t k = 0; k < (many ? 4 : 1); k++, n++) {
            bool tensor = n >= 32 || (tensors >> n & 1u);
            operands[n] = tensor ? made(&c, input) : w.mark == '?' ? NULL : numbers(&c);
        }
    }
    c.op = tn_op_new(c.m->main, info->domain, info->name, version, "", tn_loc_file("claims"));
    for (uint32_t k = 0; k < n; k++) {
        tn_op_add_operand(c.op, operands[k]);
    }
    add_attributes(&c, info, version);
    return c;
}

/* Results up to `last` only: who wants no more may leave them out. */
static void finish(claim_case *c, uint32_t n_results) {
    for (uint32_t r = 0; r < n_results; r++) {
        tn_value *v = tn_op_add_result(c->op, NULL, matrix(c->m, c->try->part));
        tn_op *use = outside(c->m, "Use");
        tn_op_add_operand(use, v);
        tn_graph_add_output(c->m->main, tn_op_add_result(use, NULL, matrix(c->m, c->try->whole)));
    }
}

static bool lies_in(const tn_value *a, const tn_value *b, tn_alias_kind kind) {
    return (a->alias_kind == kind && a->alias_of == b) ||
           (b->alias_kind == kind && b->alias_of == a);
}

/* Whether a plan, which the checker accepts, uses the claim on one of the operands. */
static bool is_used(claim_case *c, const tn_value *result, uint32_t operands, bool view) {
    plan_case p = case_run(c->m, view ? VIEWS : INPLACE, NULL);
    assert_int_equal(p.status, TN_OK);
    bool used = false;
    for (uint32_t k = 0; k < c->op->n_operands && k < 32; k++) {
        const tn_value *o = c->op->operands[k].value;
        bool found =
            o == NULL ? false
            : view    ? lies_in(result, o, TN_ALIAS_VIEW)
                      : lies_in(result, o, TN_ALIAS_INPLACE) || lies_in(result, o, TN_ALIAS_UPDATE);
        used = used || (found && (operands >> k & 1u));
    }
    return used;
}

/* Of a claim that holds of no type tried here, inference says what the results are. */
typedef enum finding { USED, UNUSED, OTHER_TYPES } finding;

static finding look_inplace(tn_ctx *ctx, const tn_op_info *info, int64_t version,
                            const tn_inplace *claim) {
    finding found = OTHER_TYPES;
    for (uint32_t how = 0; how < TYPINGS; how++) {
        claim_case c = build(ctx, info, version, UINT32_MAX, &attempts[0]);
        for (uint32_t k = 0; k < c.op->n_operands; k++) {
            tn_value_set_type(c.op->operands[k].value, typed(&c, (typing)how, k));
        }
        finish(&c, claim->result + 1);
        const tn_value *r = c.op->results[claim->result];
        if (is_used(&c, r, claim->operands, false)) {
            return USED;
        }
        for (uint32_t k = 0; k < c.op->n_operands && k < 32; k++) {
            bool claimed = (claim->operands >> k & 1u) != 0;
            bool equal = tn_type_equal(r->type, c.op->operands[k].value->type);
            found = claimed && equal ? UNUSED : found;
        }
    }
    return found;
}

static bool uses_view(tn_ctx *ctx, const tn_op_info *info, int64_t version) {
    bool used = false;
    for (size_t i = 0; i < 2 * sizeof attempts / sizeof attempts[0]; i++) {
        const attempt *try = &attempts[i / 2];
        tn_view_claim view = tn_op_view(build(ctx, info, version, UINT32_MAX, try).op);
        if (view.kind == TN_VIEW_NONE || !view.holds) {
            return true; /* nothing is claimed */
        }
        bool many = view.kind == TN_VIEW_GATHERED && view.n > 1;
        uint32_t mask = many ? UINT32_MAX << view.operand : 1u << view.operand;
        claim_case c = build(ctx, info, version, i % 2 == 0 ? mask : UINT32_MAX, try);
        finish(&c, view.kind == TN_VIEW_PARTS ? 2 : 1);
        used = is_used(&c, c.op->results[0], mask, true) || used;
    }
    return used;
}

static tn_status each_row(tn_ctx *ctx, void *arg) {
    unsigned *n = arg;
    for (unsigned i = 1; i < TN_OP_COUNT; i++) {
        const tn_op_info *info = tn_op_info_get((tn_opcode)i);
        for (const char *v = info->versions; *v != '\0';) {
            char *end;
            int64_t version = strtol(v, &end, 10);
            tn_inplace claim;
            for (uint32_t k = 0; tn_inplace_get(info, version, k, &claim); k++) {
                finding f = claim.cond != TN_IF_NEVER ? look_inplace(ctx, info, version, &claim)
                                                      : OTHER_TYPES;
                if (f == UNUSED) {
                    fail_msg("%s::%s@%lld: claim %u of .inplace is not used", info->domain,
                             info->name, (long long)version, k);
                }
                n[f]++;
            }
            if (info->view != TN_VIEW_NONE && !uses_view(ctx, info, version)) {
                fail_msg("%s::%s@%lld: its view is not used", info->domain, info->name,
                         (long long)version);
            }
            n[UNUSED] += info->view != TN_VIEW_NONE;
            v = end;
        }
    }
    return TN_OK;
}

static void test_claims(void **state) {
    (void)state;
    unsigned n[3] = {0, 0, 0};
    tn_ctx *ctx = unit_ctx(&case_log);
    unit_run(ctx, each_row, n);
    tn_ctx_free(ctx);
    print_message("%u claims in place and %u views used, %u of other types\n", n[USED], n[UNUSED],
                  n[OTHER_TYPES]);
    assert_true(n[USED] > 380 && n[UNUSED] > 100 && n[OTHER_TYPES] < 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_claims)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
