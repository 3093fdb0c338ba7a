/* Invariants of the op table that the compiler does not check. */
#include "ir/ops/ops.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "ir/ops/rules.h"
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

/* A word of a signature or attribute list: [from, to] are the versions it holds in. */
typedef struct token {
    char name[80], mark;
    long from, to;
} token;

static const char *next_token(unsigned i, const char *text, token *t) {
    size_t n = strcspn(text, " ");
    const char *at = memchr(text, '@', n);
    size_t len = at != NULL ? (size_t)(at - text) : n;
    CHECK(i, len > 0 && len < sizeof t->name);
    memcpy(t->name, text, len);
    t->name[len] = '\0';
    t->mark = t->name[len - 1];
    t->from = 1;
    t->to = LONG_MAX;
    if (at != NULL) {
        char *end;
        CHECK(i, isdigit((unsigned char)at[1]) || at[1] == '-');
        t->from = at[1] == '-' ? 1 : strtol(at + 1, &end, 10);
        const char *rest = at[1] == '-' ? at + 1 : end;
        t->to = *rest == '-' ? strtol(rest + 1, &end, 10) : LONG_MAX;
        CHECK(i, t->from <= t->to);
    }
    return text[n] == ' ' ? text + n + 1 : text + n;
}

typedef struct arity {
    long min, max; /* max -1: variadic */
} arity;

/* Operands (or results) of `version` as one half of the signature tells. */
static arity arity_of(unsigned i, const char *half, const char *end, long version) {
    arity a = {0, 0};
    while (half < end) {
        token t;
        half = next_token(i, half, &t);
        if (version < t.from || version > t.to) {
            continue;
        }
        CHECK(i, a.max != -1); /* nothing may follow a variadic one */
        a.max = t.mark == '*' ? -1 : a.max + 1;
        /* Optional ones before a required one must be there, if only as an empty name. */
        a.min = t.mark != '?' && t.mark != '*' ? a.max : a.min;
    }
    return a;
}

static void widen(arity *all, arity one) {
    all->min = one.min < all->min ? one.min : all->min;
    all->max = one.max == -1 || all->max == -1 ? -1 : one.max > all->max ? one.max : all->max;
}

/* The signature, read for each version, spans the arity that the row states. Of variadic operands
 * at least one may be required, which the mark does not tell. */
static void test_signatures(void **state) {
    (void)state;
    for (unsigned i = 1; i < TN_OP_COUNT; i++) {
        const tn_op_info *o = tn_op_info_get((tn_opcode)i);
        if (o->sig == NULL) {
            continue;
        }
        const char *arrow = strstr(o->sig, "->"), *end = o->sig + strlen(o->sig), *v = o->versions;
        CHECK(i, arrow != NULL);
        const char *second = arrow[2] == ' ' ? arrow + 3 : arrow + 2;
        arity in = {LONG_MAX, 0}, out = {LONG_MAX, 0};
        while (*v != '\0') {
            char *stop;
            long version = strtol(v, &stop, 10);
            widen(&in, arity_of(i, o->sig, arrow, version));
            widen(&out, arity_of(i, second, end, version));
            v = *stop == ' ' ? stop + 1 : stop;
        }
        CHECK(i, in.max == o->max_in);
        CHECK(i, out.max == o->max_out);
        CHECK(i, in.max == -1 || in.min == o->min_in);
        CHECK(i, out.min == o->min_out || out.max == -1 || o->min_out <= out.min);
    }
}

static void test_attributes(void **state) {
    (void)state;
    static const char *const kinds[] = {"int",           "ints",    "float",  "floats",
                                        "string",        "strings", "tensor", "tensors",
                                        "sparse_tensor", "graph",   "graphs", "type"};
    for (unsigned i = 1; i < TN_OP_COUNT; i++) {
        const char *at = tn_op_info_get((tn_opcode)i)->attrs;
        while (at != NULL && *at != '\0') {
            token t;
            at = next_token(i, at, &t);
            char *kind = strchr(t.name, ':');
            CHECK(i, kind != NULL && kind != t.name);
            kind[1 + strcspn(kind + 1, "?=")] = '\0';
            bool known = false;
            for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
                known = known || strcmp(kind + 1, kinds[k]) == 0;
            }
            CHECK(i, known);
        }
    }
}

static uint32_t allowed(int16_t max) {
    return max < 0 || max >= 32 ? UINT32_MAX : (1u << max) - 1;
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
        bool same = false;
        for (size_t k = 0; k < 6 && o->inplace[k].cond != TN_IF_NEVER; k++) {
            const tn_inplace *p = &o->inplace[k];
            CHECK(i, o->max_out == -1 || p->result < o->max_out);
            CHECK(i, p->operands != 0);
            CHECK(i, p->operands == UINT32_MAX || (p->operands & ~allowed(o->max_in)) == 0);
            same = same || p->cond == TN_IF_SAME;
        }
        CHECK(i, o->view != TN_VIEW_WHOLE || o->inplace[0].cond == TN_IF_NEVER);
        CHECK(i, o->view == TN_VIEW_NONE || o->max_in == -1 || o->view_of < o->max_in);
        CHECK(i, o->view_if == NULL || o->view != TN_VIEW_NONE);
        CHECK(i, o->shape_only == UINT32_MAX || (o->shape_only & ~allowed(o->max_in)) == 0);
        CHECK(i, o->grad_in == UINT32_MAX || (o->grad_in & ~allowed(o->max_in)) == 0);
        CHECK(i, o->grad_out == UINT32_MAX || (o->grad_out & ~allowed(o->max_out)) == 0);
        CHECK(i, (o->traits & TN_T_ELEMENTWISE) == 0 || follows_operands(o));
        /* Element i of the result is written where element i of the operand was read: only what is
         * element-wise (or dropout, when it is) may claim that. */
        CHECK(i, !same || (o->traits & TN_T_ELEMENTWISE) != 0 || o->view_if != NULL ||
                     o->domain[0] != '\0');
        CHECK(i, (o->traits & TN_T_SHAPE_READER) == 0 || o->shape_only != 0);
        CHECK(i, o->shape != NULL || o->domain[0] != '\0' || (o->traits & TN_T_CALL) != 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names), cmocka_unit_test(test_versions_ascend),
        cmocka_unit_test(test_signatures), cmocka_unit_test(test_attributes),
        cmocka_unit_test(test_facts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
