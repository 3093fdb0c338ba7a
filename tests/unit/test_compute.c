/* What rows say that their ops compute: each formula is one, in every version of its op, and reads
 * nothing that is not there. */
#include <stdlib.h>
#include <string.h>

#include "ir/compute/nest_rules.h"
#include "ir/ops/attr_spec.h"
#include "ir/ops/sig.h"
#include "tests/unit/unit.h"

enum { MOST = 8 };

typedef struct ask {
    tn_compute c;
    tn_compute_value operands[MOST], result;
    tn_attr attrs[MOST];
} ask;

/* One more attribute, of those that have a number: 0.5, which is no exponent, no 0 and no 1; lists
 * stay away. */
static void add_attr(ask *a, tn_arena *arena, const tn_attr_spec *spec) {
    if (spec->kind != TN_ATTR_FLOAT && spec->kind != TN_ATTR_INT) {
        return;
    }
    tn_attr *attr = &a->attrs[a->c.n_attrs++];
    *attr = (tn_attr){.name = tn_arena_strndup(arena, spec->name, spec->len), .kind = spec->kind};
    if (spec->kind == TN_ATTR_FLOAT) {
        attr->u.f = 0.5;
    }
}

/* All operands of the signature, all of 2 x 3 floats. */
static void prepare(ask *a, tn_arena *arena, const tn_op_info *info, int64_t version) {
    static const int64_t dims[] = {2, 3};
    const tn_compute_value value = {.there = true, .dtype = TN_DT_FLOAT, .rank = 2, .dims = dims};
    memset(a, 0, sizeof *a);
    a->c = (tn_compute){.arena = arena,
                        .info = info,
                        .version = version,
                        .operands = a->operands,
                        .results = &a->result,
                        .n_results = 1,
                        .attrs = a->attrs};
    a->result = value;
    tn_word word;
    for (const char *at = info->sig; tn_word_next(&at, version, &word);) {
        a->operands[a->c.n_operands++] = value;
    }
    tn_attr_spec spec;
    for (const char *at = info->attrs; at != NULL && tn_attr_spec_next(&at, version, &spec);) {
        add_attr(a, arena, &spec);
    }
}

/* Operands of floats, of integers, of truths, or a truth before floats; a result as they are, or of
 * truths: a formula fits some of these. */
static bool fits_some(ask *a, tn_arena *arena, const tn_op_info *info, int64_t version) {
    static const tn_dtype kinds[][3] = {{TN_DT_FLOAT, TN_DT_FLOAT, TN_DT_FLOAT},
                                        {TN_DT_INT32, TN_DT_INT32, TN_DT_INT32},
                                        {TN_DT_BOOL, TN_DT_BOOL, TN_DT_BOOL},
                                        {TN_DT_FLOAT, TN_DT_FLOAT, TN_DT_BOOL},
                                        {TN_DT_BOOL, TN_DT_FLOAT, TN_DT_FLOAT}};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        prepare(a, arena, info, version);
        for (uint32_t i = 0; i < a->c.n_operands; i++) {
            a->operands[i].dtype = kinds[k][i > 0];
        }
        for (uint32_t i = 0; i < a->c.n_attrs; i++) {
            a->attrs[i].u.i = a->attrs[i].kind == TN_ATTR_INT ? 1 : a->attrs[i].u.i;
        }
        a->result.dtype = kinds[k][2];
        if (tn_compute_make(&a->c)) {
            return true;
        }
    }
    return false;
}

static tn_status formulas(tn_ctx *ctx, void *arg) {
    (void)arg;
    uint32_t tried = 0;
    for (uint32_t i = 1; i < TN_OP_COUNT; i++) {
        const tn_op_info *info = tn_op_info_get((tn_opcode)i);
        for (const char *at = info->versions; info->formula != NULL && *at != '\0';) {
            char *end;
            int64_t version = strtoll(at, &end, 10);
            tn_arena *arena = tn_arena_new(ctx);
            ask a;
            if (!fits_some(&a, arena, info, version)) {
                fail_msg("%s, version %lld: '%s' is no formula of it", info->name,
                         (long long)version, info->formula);
            }
            assert_int_equal(a.c.nests.len, 1);
            assert_int_equal(a.c.nests.data[0].n_outer, 1); /* both axes at once */
            assert_int_equal(a.c.nests.data[0].extent[0], 6);
            tn_arena_drop(arena);
            at = end;
            tried++;
        }
    }
    assert_true(tried >= 100);
    return TN_OK;
}

/* The text is refused, not taken in part. */
static tn_status wrong_formulas(tn_ctx *ctx, void *arg) {
    (void)arg;
    static const char *const wrong[] = {"",      "X +", "X X", "nothing", "max(X)", "max(X, X, X)",
                                        "sin X", "(X",  "X)",  "X ** 2",  "foo(X)"};
    tn_arena *arena = tn_arena_new(ctx);
    const tn_op_info *info = tn_op_info_get(tn_op_find("", "Relu"));
    ask a;
    prepare(&a, arena, info, 14);
    tn_nest *n = tn_compute_over(&a.c, 0);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        if (tn_compute_formula(&a.c, n, wrong[i]) != NULL) {
            fail_msg("'%s' is taken for a formula", wrong[i]);
        }
    }
    assert_non_null(tn_compute_formula(&a.c, n, "-(X + 1) * max(X, 2.5) / exp(-X)"));
    tn_arena_drop(arena);
    return TN_OK;
}

/* What no kernel can be made for: other types, open extents, none at all, more than 32 bits count.
 */
static tn_status refused(tn_ctx *ctx, void *arg) {
    (void)arg;
    static const int64_t open[] = {-1, 3}, empty[] = {0, 3}, large[] = {65536, 65536};
    const int64_t *const dims[] = {open, empty, large};
    tn_arena *arena = tn_arena_new(ctx);
    const tn_op_info *info = tn_op_info_get(tn_op_find("", "Relu"));
    ask a;
    for (size_t i = 0; i < 3; i++) {
        prepare(&a, arena, info, 14);
        a.operands[0].dims = a.result.dims = dims[i];
        assert_false(tn_compute_make(&a.c));
    }
    prepare(&a, arena, info, 14);
    a.operands[0].dtype = TN_DT_INT32;
    assert_false(tn_compute_make(&a.c));
    prepare(&a, arena, info, 14);
    assert_true(tn_compute_make(&a.c));
    tn_arena_drop(arena);
    return TN_OK;
}

/* Where the formula loads that operand first. */
static const tn_affine *loaded(const tn_calc *x, uint32_t operand) {
    if (x == NULL || (x->kind == TN_CALC_LOAD && x->which == operand)) {
        return x != NULL ? &x->at : NULL;
    }
    const tn_affine *found = NULL;
    for (uint32_t i = 0; found == NULL && x->kind == TN_CALC_OP && i < tn_calc_args(x->op); i++) {
        found = loaded(x->arg[i], operand);
    }
    return found;
}

/* Elements that nobody computes with, or rounds to, or that are wider than any number: kernels of
 * theirs come from elsewhere. */
static tn_status odd(tn_ctx *ctx, void *arg) {
    (void)arg;
    static const struct {
        const char *op;
        int64_t version;
        tn_dtype dtype;
        bool made;
    } cases[] = {
        {"Transpose", 13, TN_DT_FLOAT, true},
        {"Transpose", 13, TN_DT_INT8, true},
        {"Transpose", 13, TN_DT_FLOAT16, true},
        {"Transpose", 13, TN_DT_DOUBLE, true},
        {"Transpose", 23, TN_DT_INT4, true},
        {"Transpose", 25, TN_DT_UINT2, true},
        {"Add", 14, TN_DT_UINT8, true},
        {"Add", 14, TN_DT_BFLOAT16, true},
        {"Exp", 13, TN_DT_INT32, false},
        {"Add", 14, TN_DT_STRING, false},
        {"Relu", 14, TN_DT_FLOAT8E5M2, false},
        {"Transpose", 13, TN_DT_STRING, false},
        {"Transpose", 13, TN_DT_COMPLEX128, false},
        {"Concat", 13, TN_DT_UINT4, true},
        {"Expand", 13, TN_DT_COMPLEX128, false},
    };
    static const int64_t square[] = {3, 3}, cube[] = {3, 3, 3}, row[] = {3};
    tn_arena *arena = tn_arena_new(ctx);
    ask a;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        prepare(&a, arena, tn_op_info_get(tn_op_find("", cases[i].op)), cases[i].version);
        a.c.n_operands = cases[i].op[0] == 'A' ? 2 : 1; /* Add has two */
        a.operands[0].dims = a.operands[1].dims = a.result.dims = square;
        a.operands[0].dtype = a.operands[1].dtype = a.result.dtype = cases[i].dtype;
        if (tn_compute_make(&a.c) != cases[i].made) {
            fail_msg("%s of %s", cases[i].op, tn_dtype_get(cases[i].dtype)->name);
        }
    }
    /* A slope of one axis is one a channel up to version 6, and broadcast from the last axis on
     * since. */
    for (int64_t version = 6; version <= 7; version++) {
        prepare(&a, arena, tn_op_info_get(tn_op_find("", "PRelu")), version);
        a.operands[0].dims = a.result.dims = cube;
        a.operands[0].rank = a.result.rank = 3;
        a.operands[1].dims = row;
        a.operands[1].rank = 1;
        assert_true(tn_compute_make(&a.c));
        const tn_affine *slope = loaded(a.c.nests.data[0].value, 1);
        assert_non_null(slope);
        /* channels have neighbours on both sides; the last axis has all others before it as one */
        assert_int_equal(a.c.nests.data[0].n_outer, version == 6 ? 3 : 2);
        assert_int_equal(slope->by[1], 1);
    }
    tn_arena_drop(arena);
    return TN_OK;
}

UNIT_TEST(formulas)
UNIT_TEST(odd)
UNIT_TEST(wrong_formulas)
UNIT_TEST(refused)

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_formulas),
                                       cmocka_unit_test(test_wrong_formulas),
                                       cmocka_unit_test(test_refused), cmocka_unit_test(test_odd)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
