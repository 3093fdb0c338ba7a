/* Invariants of the op table that the compiler does not check. */
#include "ir/build.h"
#include "ir/ops/attr_spec.h"
#include "ir/ops/claims.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "ir/ops/grad_text.h"
#include "ir/ops/op_rules.h"
#include "ir/ops/sig.h"
#include "tests/unit/unit.h"

static const char *where(unsigned i) {
    static char text[200];
    const tn_op_info *o = tn_op_info_get((tn_opcode)i);
    snprintf(text, sizeof text, "row %s::%s", o->domain, o->name);
    return text;
}

#define CHECK(i, condition)                                                                        \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fail_msg("%s: %s", where(i), #condition);                                              \
        }                                                                                          \
    } while (0)

static void test_names(void **state) {
    (void)state;
    for (unsigned i = 1; i < TN_OP_COUNT; i++) {
        const tn_op_info *o = tn_op_info_get((tn_opcode)i);
        CHECK(i, o->name[0] != '\0');
        CHECK(i, strcmp(o->domain, "ai.onnx") != 0);
        /* The first of two rows of one name would hide the other. */
        CHECK(i, tn_op_find(o->domain, o->name) == (tn_opcode)i);
        CHECK(i, o->doc != NULL && strlen(o->doc) > 5 && o->doc[strlen(o->doc) - 1] != '.');
    }
    assert_int_equal(tn_op_find("", "NoSuchOp"), TN_OP_EXTERN);
    assert_int_equal(tn_op_find("ai.onnx", "Relu"), tn_op_find("", "Relu"));
    assert_true(tn_op_find("", "Relu") != TN_OP_EXTERN);
    assert_int_equal(tn_op_find("com.nobody", "Relu"), TN_OP_EXTERN);
}

static void test_versions_ascend(void **state) {
    (void)state;
    for (unsigned i = 1; i < TN_OP_COUNT; i++) {
        const char *text = tn_op_info_get((tn_opcode)i)->versions;
        long last = 0;
        while (*text != '\0') {
            char *end;
            long version = strtol(text, &end, 10);
            CHECK(i, end != text && version > last);
            last = version;
            text = *end == ' ' ? end + 1 : end;
        }
    }
}

/* Calls `check` for each word of the list in each version of the row. */
typedef bool (*word_check)(const tn_op_info *o, int64_t version, const tn_word *w);

static void each_word(unsigned i, const char *list, word_check check, bool in_all) {
    const tn_op_info *o = tn_op_info_get((tn_opcode)i);
    for (const char *v = o->versions; *v != '\0';) {
        char *end;
        int64_t version = strtol(v, &end, 10);
        const char *at = list;
        for (tn_word w; tn_word_next(&at, in_all ? version : 0, &w);) {
            CHECK(i, check(o, version, &w));
        }
        v = end;
    }
}

static bool is_named(const tn_op_info *o, int64_t version, const tn_word *w) {
    (void)o, (void)version;
    bool letters = w->len > 0;
    for (size_t k = 0; k < w->len; k++) {
        letters = letters && (isalnum((unsigned char)w->text[k]) || w->text[k] == '_');
    }
    return letters;
}

/* Names are names, an arrow divides them, and nothing follows one that stands for many. */
static void test_signatures(void **state) {
    (void)state;
    for (unsigned i = 1; i < TN_OP_COUNT; i++) {
        const tn_op_info *o = tn_op_info_get((tn_opcode)i);
        CHECK(i, o->sig != NULL);
        const char *arrow = strstr(o->sig, "->");
        CHECK(i, arrow != NULL);
        each_word(i, o->sig, is_named, true);
        each_word(i, arrow + 2, is_named, true);
        for (const char *many = strpbrk(o->sig, "*+"); many != NULL;) {
            const char *next = many + strcspn(many, " ");
            CHECK(i, *next == '\0' || strncmp(next, " ->", 3) == 0 || strchr(many, '@') < next);
            many = strpbrk(many + 1, "*+");
        }
    }
}

static void test_arity(void **state) {
    (void)state;
    const struct {
        const char *versions, *sig;
        tn_arity want;
    } cases[] = {
        {"1", "X -> Y", {1, 1, 1, 1}},       {"1", "X W B? -> Y Z?", {2, 3, 1, 2}},
        {"1", "A? B -> C? D", {2, 2, 2, 2}}, {"1", "A~ B~ c* -> D+", {2, -1, 1, -1}},
        {"1", "-> D*", {0, 0, 0, -1}},       {"1 5 8", "X a@5 b?@-4 c@8 -> Y z@5-7", {1, 3, 1, 2}},
        {"1", NULL, {0, -1, 0, -1}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tn_arity a = tn_op_arity(&(tn_op_info){.versions = cases[i].versions, .sig = cases[i].sig});
        assert_memory_equal(&a, &cases[i].want, sizeof a);
    }
}

static void test_claims(void **state) {
    (void)state;
    const tn_op_info row = {.versions = "1 5 8",
                            .sig = "old@-4 X A B*@5 -> Y Z@8",
                            .inplace = "Y over X A@5 (same), Z over A (update), Y@-4 over X (rows)",
                            .shape_only = "A B"};
    const struct {
        int64_t version;
        tn_inplace want[3];
        uint32_t shape_only;
    } cases[] = {{1, {{0, 2, TN_IF_SAME}, {0, 0, TN_IF_NEVER}, {0, 2, TN_IF_ROWS}}, 4},
                 {5, {{0, 3, TN_IF_SAME}, {0, 0, TN_IF_NEVER}, {0, 0, TN_IF_NEVER}}, ~1u},
                 {9, {{0, 3, TN_IF_SAME}, {1, 2, TN_IF_UPDATE}, {0, 0, TN_IF_NEVER}}, ~1u},
                 {0, {{0, 3, TN_IF_SAME}, {1, 2, TN_IF_UPDATE}, {0, 0, TN_IF_NEVER}}, ~1u}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tn_inplace got;
        for (uint32_t k = 0; k < 3; k++) {
            assert_true(tn_inplace_get(&row, cases[i].version, k, &got));
            assert_memory_equal(&got, &cases[i].want[k], sizeof got);
        }
        assert_false(tn_inplace_get(&row, cases[i].version, 3, &got));
        assert_int_equal(tn_shape_only(&row, cases[i].version), cases[i].shape_only);
    }
}

/* Attributes of all rows can be read, and so can their defaults. */
static tn_status attributes(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_module *m = tn_module_new(ctx, "attributes", "attributes");
    uint32_t n = 0, n_defaults = 0;
    for (unsigned i = 1; i < TN_OP_COUNT; i++) {
        const tn_op_info *o = tn_op_info_get((tn_opcode)i);
        const char *at = o->attrs;
        tn_attr_spec spec;
        tn_attr attr;
        for (; tn_attr_spec_next(&at, 0, &spec); n++) {
            bool stated = tn_attr_default(m, &spec, &attr);
            n_defaults += stated;
            CHECK(i, stated == (spec.text != NULL) && !(stated && spec.required));
            CHECK(i, spec.len > 0 && memchr(spec.name, '?', spec.len) == NULL);
        }
        CHECK(i, at == NULL || *at == '\0'); /* no word was left that is none */
    }
    assert_true(n > 700 && n_defaults > 300);
    return TN_OK;
}

static tn_status defaults(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_module *m = tn_module_new(ctx, "defaults", "defaults");
    const char *attrs = "a:int=-3@5 a:int=7@-4 b:float=1e-05 c:string= d:strings=[Tanh,Relu] "
                        "e:ints=[0,-2] f:ints? g:graph h:sparse_tensor?@2-3";
    const char *at = attrs, *names = "abcdefg";
    tn_attr_spec spec;
    tn_attr got[7];
    bool has[7];
    for (uint32_t i = 0; i < 7; i++) {
        assert_true(tn_attr_spec_next(&at, 6, &spec));
        assert_true(spec.len == 1 && *spec.name == names[i]);
        assert_int_equal(spec.required, names[i] == 'g');
        has[i] = tn_attr_default(m, &spec, &got[i]);
        assert_int_equal(has[i], i < 5);
    }
    assert_false(tn_attr_spec_next(&at, 6, &spec));
    assert_true(got[0].kind == TN_ATTR_INT && got[0].u.i == -3);
    assert_true(got[1].kind == TN_ATTR_FLOAT && got[1].u.f == (double)1e-05);
    assert_true(got[2].kind == TN_ATTR_STRING && got[2].u.s.len == 0);
    assert_true(got[3].kind == TN_ATTR_STRINGS && got[3].n == 2);
    assert_string_equal(got[3].u.strings[1].data, "Relu");
    assert_true(got[4].kind == TN_ATTR_INTS && got[4].n == 2 && got[4].u.ints[1] == -2);
    at = attrs;
    assert_true(tn_attr_spec_next(&at, 3, &spec) && tn_attr_default(m, &spec, &got[0]));
    assert_int_equal(got[0].u.i, 7);
    /* What an op states comes before the default. */
    tn_op *op = tn_op_new(m->main, "", "Concat", 13, "", tn_loc_file("defaults"));
    tn_op_add_int(op, "a", 4);
    assert_true(tn_op_attr_or_default(op, &spec, &got[0]));
    assert_int_equal(got[0].u.i, 4);
    return TN_OK;
}

UNIT_TEST(attributes)
UNIT_TEST(defaults)

static bool is_operand(const tn_op_info *o, const tn_word *w) {
    bool many, found = false;
    for (int64_t version = 0; version < 64; version++) {
        found = found || tn_sig_operand(o, version, w, &many) >= 0;
    }
    return found;
}

/* Words of claims that no version of the signature has would claim nothing. */
static void check_operands(unsigned i, const char *list) {
    const tn_op_info *o = tn_op_info_get((tn_opcode)i);
    for (tn_word w; tn_word_next(&list, 0, &w) && w.text[0] != '(';) {
        CHECK(i, is_operand(o, &w));
    }
}

static void check_inplace(unsigned i) {
    const tn_op_info *o = tn_op_info_get((tn_opcode)i);
    tn_inplace claim;
    uint32_t n = 0;
    for (const char *at = o->inplace; at != NULL; n++) {
        tn_word result, over;
        CHECK(i, tn_word_next(&at, 0, &result) && tn_word_next(&at, 0, &over));
        CHECK(i, tn_sig_result(o, 0, &result) >= 0);
        CHECK(i, tn_word_is(&over, "over"));
        check_operands(i, at);
        CHECK(i, tn_inplace_get(o, 0, n, &claim) && claim.cond != TN_IF_NEVER);
        at = strchr(at, ',');
        at = at != NULL ? at + 1 : NULL;
    }
    CHECK(i, o->inplace == NULL || !tn_inplace_get(o, 0, n, &claim));
}

static bool follows_operands(const tn_op_info *o) {
    static const tn_shape_fn rules[] = {
        tn_shape_same,        tn_shape_same_bool,     tn_shape_broadcast,  tn_shape_abs,
        tn_shape_neg,         tn_shape_sign,          tn_shape_floor,      tn_shape_ceil,
        tn_shape_round,       tn_shape_sqrt,          tn_shape_reciprocal, tn_shape_relu,
        tn_shape_add,         tn_shape_sub,           tn_shape_mul,        tn_shape_div,
        tn_shape_mod,         tn_shape_min,           tn_shape_max,        tn_shape_pow,
        tn_shape_clip,        tn_shape_equal,         tn_shape_less,       tn_shape_less_equal,
        tn_shape_greater,     tn_shape_greater_equal, tn_shape_and,        tn_shape_or,
        tn_shape_xor,         tn_shape_not,           tn_shape_where,      tn_shape_cast,
        tn_shape_cast_like,   tn_shape_bit_cast,      tn_shape_quantize,   tn_shape_dequantize,
        tn_shape_random_like, tn_shape_like_0_and_1};
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (o->shape == rules[i]) {
            return true;
        }
    }
    return o->domain[0] != '\0';
}

static void test_facts(void **state) {
    (void)state;
    for (unsigned i = 1; i < TN_OP_COUNT; i++) {
        const tn_op_info *o = tn_op_info_get((tn_opcode)i);
        bool same = o->inplace != NULL && strstr(o->inplace, "(same)") != NULL;
        bool by_part = o->view >= TN_VIEW_PART;
        check_inplace(i);
        check_operands(i, o->view_of);
        check_operands(i, o->shape_only);
        CHECK(i, (o->view == TN_VIEW_NONE) == (o->view_of == NULL));
        CHECK(i, by_part == (o->part != NULL));
        CHECK(i, o->view != TN_VIEW_WHOLE || o->inplace == NULL);
        CHECK(i, o->view_if == NULL || o->view != TN_VIEW_NONE);
        CHECK(i, (o->traits & TN_T_ELEMENTWISE) == 0 || follows_operands(o));
        /* Element i of the result is written where element i of the operand was read: only what is
         * element-wise (or dropout, when it is) may claim that. */
        CHECK(i, !same || (o->traits & TN_T_ELEMENTWISE) != 0 || o->view_if != NULL ||
                     o->domain[0] != '\0');
        CHECK(i, (o->traits & TN_T_SHAPE_READER) == 0 || o->shape_only != NULL);
        CHECK(i, o->shape != NULL || o->domain[0] != '\0' || (o->traits & TN_T_CALL) != 0);
    }
}

/* Rules that formulas name, and those there are, are the same; and every formula of the table is
 * one that plug-ins, too, might register. */
static void test_gradients(void **state) {
    static const char *const rules[] = {
#define GRAD_RULE(id) #id,
#include "ir/gradient/grad_rules.def"
#undef GRAD_RULE
    };
    enum { N_RULES = sizeof rules / sizeof rules[0] };
    bool named[N_RULES] = {false};
    (void)state;
    for (unsigned k = 2; k < 2 * TN_OP_COUNT; k++) {
        unsigned i = k / 2;
        const tn_op_info *row = tn_op_info_get((tn_opcode)i);
        const char *at = k % 2 == 0 ? row->grad : row->straight;
        const char *end = at != NULL ? at + strlen(at) : NULL;
        for (tn_grad_token t;
             at != NULL && (t = tn_grad_next_token(&at, end)).kind != TN_GRAD_END;) {
            bool is_rule = t.kind == TN_GRAD_RULE && t.len > 0 && isalpha((unsigned char)*t.text);
            bool found = !is_rule; /* "X@7" and "X@-6" are versions */
            for (size_t n = 0; n < N_RULES && !found; n++) {
                found = strlen(rules[n]) == t.len && memcmp(rules[n], t.text, t.len) == 0;
                named[n] |= found;
            }
            CHECK(i, found);
        }
    }
    for (size_t k = 0; k < N_RULES; k++) {
        if (!named[k]) {
            print_error("no row names rule %s\n", rules[k]);
        }
        assert_true(named[k]);
    }
}

/* What a formula reads is what the gradient needs of the forward part. */
static void test_gradient_needs(void **state) {
    static const struct {
        const char *sig, *grad;
        uint32_t operands, results;
    } cases[] = {{"A B -> C", "A: d * B; B: d * A", 3, 0},
                 {"X -> Y", "X: d * Y * (1 - Y)", 0, 1},
                 {"A B -> C", "A: d / B; B: -(d / B) * C", 2, 1},
                 {"X k? -> Y", "X: Trilu(d, k, upper=X)", 2, 0},
                 {"X -> Y", "X: @rule(d)", 0, 0},
                 {"X Z+ -> Y", "Z: d * self", ~UINT32_C(1), 0},
                 {"X -> Y", "0", 0, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tn_op_info row = {.versions = "1", .sig = cases[i].sig, .grad = cases[i].grad};
        uint32_t operands, results;
        tn_grad_all_needs(&row, &operands, &results);
        assert_int_equal(operands, cases[i].operands);
        assert_int_equal(results, cases[i].results);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gradients),  cmocka_unit_test(test_gradient_needs),
        cmocka_unit_test(test_names),      cmocka_unit_test(test_versions_ascend),
        cmocka_unit_test(test_signatures), cmocka_unit_test(test_attributes),
        cmocka_unit_test(test_defaults),   cmocka_unit_test(test_arity),
        cmocka_unit_test(test_claims),     cmocka_unit_test(test_facts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
