/* The op table, compiled: the rows of ir/ops/ops.def with the names they use, checks on each row,
 * and lookup by name. */
#include "ir/ops/ops.h"

#include <string.h>

#include "ir/module.h"
#include "ir/ops/rules.h"
#include "ir/views.h"

/* Names the rows use. */
#define T_(x) TN_T_##x
#define T1(a) T_(a)
#define T2(a, b) T_(a) | T_(b)
#define T3(a, b, c) T2(a, b) | T_(c)
#define T4(a, b, c, d) T2(a, b) | T2(c, d)
#define T5(a, b, c, d, e) T4(a, b, c, d) | T_(e)
#define TPICK(a, b, c, d, e, NAME, ...) NAME
#define T(...) (TPICK(__VA_ARGS__, T5, T4, T3, T2, T1, )(__VA_ARGS__))
#define INPLACE(...) .inplace = {__VA_ARGS__}
#define SHAPE(rule) .shape = tn_shape_##rule
#define VIEW(kind, operand) .view = TN_VIEW_##kind, .view_of = (operand)
#define VIEW_IF(test) .view_if = tn_view_##test
#define SHAPE_ONLY(mask) .shape_only = (mask)
#define GRAD(in, out) .has_grad = true, .grad_in = (in), .grad_out = (out)
#define ALL UINT32_MAX

static const tn_op_info table[TN_OP_COUNT] = {
    [TN_OP_EXTERN] = {.domain = "",
                      .name = "",
                      .versions = "",
                      .max_in = -1,
                      .max_out = -1,
                      .traits = TN_T_SIDE_EFFECT,
                      .doc = "an op the table does not know"},
#define OP(id, domain_, name_, versions_, min_in_, max_in_, min_out_, max_out_, ...)               \
    [TN_OP_##id] = {.domain = (domain_),                                                           \
                    .name = (name_),                                                               \
                    .versions = (versions_),                                                       \
                    .min_in = (min_in_),                                                           \
                    .max_in = (max_in_),                                                           \
                    .min_out = (min_out_),                                                         \
                    .max_out = (max_out_),                                                         \
                    __VA_ARGS__},
#include "ir/ops/ops.def"
#undef OP
};

/* What a row may not say, checked while compiling. The rest is checked by tests/unit/test_ops.c. */
#define OP(id, domain_, name_, versions_, min_in_, max_in_, min_out_, max_out_, ...)               \
    _Static_assert((max_in_) == -1 || (min_in_) <= (max_in_), "arity of operands: " #id);          \
    _Static_assert((max_out_) == -1 || (min_out_) <= (max_out_), "arity of results: " #id);        \
    _Static_assert(sizeof(versions_) > 1, "no since-version: " #id);
#include "ir/ops/ops.def"
#undef OP

const tn_op_info *tn_op_info_get(tn_opcode code) {
    return (unsigned)code < TN_OP_COUNT ? &table[code] : &table[TN_OP_EXTERN];
}

int64_t tn_op_updated(const tn_op *op, uint32_t r) {
    uint32_t groups = tn_op_info_get(op->code)->update_groups;
    if (groups == 0 || op->n_operands < 2 + groups || (op->n_operands - 2) % groups != 0) {
        return -1;
    }
    uint32_t n = (op->n_operands - 2) / groups, k = r < n ? r : r + n;
    return k < groups * n ? (int64_t)k + 2 : -1;
}

bool tn_op_overwrites(const tn_op *op, uint32_t k, uint32_t *result) {
    const tn_op_info *info = tn_op_info_get(op->code);
    for (size_t i = 0; i < sizeof info->inplace / sizeof info->inplace[0] && k < 32; i++) {
        const tn_inplace *e = &info->inplace[i];
        if (e->cond == TN_IF_MUST && (e->operands >> k & 1u)) {
            if (result != NULL) {
                *result = e->result;
            }
            return true;
        }
    }
    return false;
}

bool tn_op_writes_operand(const tn_op *op, uint32_t k) {
    uint32_t result;
    return tn_op_overwrites(op, k, &result) && tn_result(op, result) == NULL;
}

/* A scan of about 500 short strings: well under a microsecond when the first letters differ, and
 * without the shared state an index built on first use would need. */
tn_opcode tn_op_find(const char *domain, const char *name) {
    if (strcmp(domain, "ai.onnx") == 0) {
        domain = "";
    }
    for (unsigned i = 1; i < TN_OP_COUNT; i++) {
        if (table[i].name[0] == name[0] && strcmp(table[i].name, name) == 0 &&
            strcmp(table[i].domain, domain) == 0) {
            return (tn_opcode)i;
        }
    }
    return TN_OP_EXTERN;
}
