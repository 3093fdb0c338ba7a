#include "ir/compute/formula.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ir/base/diag.h"
#include "ir/base/sink.h"
#include "ir/compute/nest_rules.h"
#include "ir/ops/attr_spec.h"
#include "ir/ops/row_expr.h"
#include "ir/ops/sig.h"

enum { MOST_TEXT = 1000 };

/* ---- what names there are ---- */

static void put_item(tn_sink *out, const char *text, size_t len) {
    tn_put(out, out->len > 0 ? ", " : "");
    tn_put_n(out, text, len);
}

bool tn_formula_has(tn_calc_op op) {
    return op != TN_CALC_INDEX && op != TN_CALC_WHOLE;
}

/* Whether an op of the standard is one: of one operand, with a formula. */
static bool is_function(tn_arena *arena, const tn_op_info *info) {
    static const double defaults[TN_COMPUTE_PARAMETERS] = {NAN, NAN};
    tn_compute c = {.arena = arena};
    return info->domain[0] == '\0' && info->formula != NULL &&
           tn_compute_formula_of(&c, info->name, tn_calc_number(arena, 0), defaults) != NULL;
}

const char *tn_formula_no_function(tn_arena *arena, const char *name) {
    const char **names = TN_ARRAY(arena, const char *, (size_t)TN_CALC_OPS + TN_OP_COUNT);
    size_t n = 0;
    tn_sink all = tn_sink_make(arena);
    for (uint32_t op = 0; op < TN_CALC_OPS; op++) {
        names[n] = tn_calc_name((tn_calc_op)op);
        n += tn_formula_has((tn_calc_op)op);
    }
    for (unsigned op = 1; op < TN_OP_COUNT; op++) {
        const tn_op_info *info = tn_op_info_get((tn_opcode)op);
        if (is_function(arena, info)) {
            names[n++] = info->name;
        }
    }
    for (size_t i = 0; i < n; i++) {
        put_item(&all, names[i], strlen(names[i]));
    }
    const char *near = tn_nearest(name, names, n);
    return tn_arena_printf(arena, "there is no function '%s'%s%s%s; functions are %s", name,
                           near != NULL ? ", did you mean '" : "", near != NULL ? near : "",
                           near != NULL ? "'?" : "", all.data);
}

const char *tn_formula_no_name(tn_arena *arena, const tn_op_info *info, const char *name) {
    tn_sink all = tn_sink_make(arena);
    const char *at = info->sig;
    for (tn_word w; tn_word_next(&at, 0, &w);) {
        put_item(&all, w.text, w.len);
    }
    at = info->attrs;
    for (tn_attr_spec s; at != NULL && tn_attr_spec_next(&at, 0, &s);) {
        put_item(&all, s.name, s.len);
    }
    return tn_arena_printf(arena, "the op has no operand or attribute '%s'; it has %s", name,
                           all.len > 0 ? all.data : "none");
}

/* ---- looking at a row ---- */

static bool names(const char *list, int64_t version, const tn_word *name) {
    for (tn_word w; list != NULL && tn_word_next(&list, version, &w);) {
        if (w.len == name->len && memcmp(w.text, name->text, w.len) == 0) {
            return true;
        }
    }
    return false;
}

/* Operands of one element, those that are always there and read. */
static void add_operands(tn_compute *c) {
    TN_VEC(tn_compute_value) all = {0};
    const char *at = c->info->sig;
    for (tn_word w; tn_word_next(&at, c->version, &w);) {
        bool there = w.mark == '\0' && !names(c->info->shape_only, c->version, &w);
        tn_vec_push(c->arena, &all, (tn_compute_value){.there = there, .dtype = TN_DT_FLOAT});
    }
    c->operands = all.data;
    c->n_operands = all.len;
}

/* Those that are numbers in every op have one here, the others a text. */
static void add_attrs(tn_compute *c) {
    TN_VEC(tn_attr) all = {0};
    const char *at = c->info->attrs;
    for (tn_attr_spec s; at != NULL && tn_attr_spec_next(&at, c->version, &s);) {
        bool number =
            (s.kind == TN_ATTR_INT || s.kind == TN_ATTR_FLOAT) && (s.required || s.text != NULL);
        tn_attr a = {.name = tn_arena_strndup(c->arena, s.name, s.len),
                     .kind = number ? TN_ATTR_INT : TN_ATTR_STRING};
        tn_vec_push(c->arena, &all, a);
    }
    c->attrs = all.data;
    c->n_attrs = all.len;
}

/* Who says of what element type x is; NULL: it is of none by itself. */
static const tn_calc *typed_by(const tn_calc *x) {
    if (x->kind != TN_CALC_OP) {
        return x->kind == TN_CALC_LOAD ? x : NULL;
    }
    if (tn_calc_is_truth(x->op) || x->op == TN_CALC_CONVERT || x->op == TN_CALC_WHOLE) {
        return x;
    }
    const tn_calc *by = NULL;
    for (uint32_t i = x->op == TN_CALC_SELECT; by == NULL && i < tn_calc_args(x->op); i++) {
        by = typed_by(x->arg[i]);
    }
    return by;
}

static const char *fault_of_row(const tn_op_info *info, int64_t version) {
    const char *at = tn_sig_results(info);
    tn_word first, other;
    bool one = at != NULL && tn_word_next(&at, version, &first) && first.mark != '*' &&
               first.mark != '+' && !tn_word_next(&at, version, &other);
    return !one                         ? "a formula is for ops of one result"
           : info->view != TN_VIEW_NONE ? "the result is a view: nothing computes it"
           : info->workspace != NULL || info->kept != NULL
               ? "what a formula computes needs no bytes: \"workspace\" and \"kept\" are for "
                 "kernels from outside"
               : NULL;
}

static bool loads(const tn_calc *x, uint32_t operand) {
    bool found = x->kind == TN_CALC_LOAD && x->which == operand;
    for (uint32_t i = 0; !found && i < 3; i++) {
        found = x->arg[i] != NULL && loads(x->arg[i], operand);
    }
    return found;
}

static tn_formula_says look_at(tn_arena *arena, const tn_op_info *info, int64_t version) {
    tn_compute_value result = {.there = true, .dtype = TN_DT_FLOAT};
    tn_compute c = {
        .arena = arena, .info = info, .version = version, .results = &result, .n_results = 1};
    tn_nest none = {0};
    tn_formula_error error;
    tn_formula_says says = {.fault = fault_of_row(info, version), .like = -1};
    if (says.fault != NULL) {
        return says;
    }
    add_operands(&c);
    add_attrs(&c);
    const tn_calc *x = tn_formula_read(&c, &none, info->formula, &error);
    if (x == NULL) {
        says.fault = tn_arena_printf(arena, "'%s', byte %zu: %s", info->formula,
                                     (size_t)(error.at - info->formula), error.what);
        return says;
    }
    says.all = true;
    for (uint32_t i = 0; i < c.n_operands; i++) {
        says.all = says.all && loads(x, i);
    }
    x = typed_by(x);
    says.truth = x != NULL && x->kind == TN_CALC_OP && tn_calc_is_truth(x->op);
    says.like = x != NULL && x->kind == TN_CALC_LOAD ? (int32_t)x->which : -1;
    return says;
}

tn_formula_says tn_formula_look(tn_arena *arena, const tn_op_info *info) {
    tn_formula_says says = {.fault = "a formula of at most 1000 bytes was expected", .like = -1};
    const char *at = info->versions;
    while (*at != '\0' && strlen(info->formula) <= MOST_TEXT) {
        char *end;
        int64_t version = strtoll(at, &end, 10);
        says = end != at ? look_at(arena, info, version) : says;
        at = end != at && says.fault == NULL ? end : "";
    }
    return says;
}

void tn_formula_settle(tn_arena *arena, const tn_formula_says *says, tn_op_info *row) {
    row->compute = tn_compute_by_formula;
    row->traits |= TN_T_ELEMENTWISE;
    const char *results = tn_sig_results(row), *operands = row->sig;
    tn_word result, like = {0};
    if (row->shape != NULL || !says->all || (!says->truth && says->like < 0) ||
        !tn_word_next(&results, 0, &result)) {
        return;
    }
    for (int32_t i = 0; i <= says->like; i++) {
        (void)tn_word_next(&operands, 0, &like);
    }
    struct tn_row_type *type = TN_NEW(arena, struct tn_row_type);
    struct tn_row_types *types = TN_NEW(arena, struct tn_row_types);
    *type = (struct tn_row_type){.result = tn_arena_strndup(arena, result.text, result.len),
                                 .elem = says->truth ? TN_DT_BOOL : TN_DT_UNKNOWN,
                                 .joint = true};
    if (!says->truth) {
        type->like = tn_arena_strndup(arena, like.text, like.len);
    }
    *types = (struct tn_row_types){type, 1};
    row->types = types;
    row->shape = tn_shape_stated;
}
