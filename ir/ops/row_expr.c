/* Expressions of rows, worked out for an op, and the columns made of them. */
#include <string.h>

#include "ir/infer/common.h"
#include "ir/ops/claims.h"
#include "ir/ops/op_attrs.h"
#include "ir/ops/row_expr_t.h"

/* ---- evaluating ---- */

static const tn_value *port_of(const tn_row_expr *e, const tn_op *op) {
    bool many;
    int32_t k = e->of_result ? tn_sig_result(op->info, op->version, &e->port)
                             : tn_sig_operand(op->info, op->version, &e->port, &many);
    return k < 0 ? NULL : e->of_result ? tn_result(op, (uint32_t)k) : tn_operand(op, (uint32_t)k);
}

static tn_dim extent_of(const tn_type *t, int64_t axis) {
    if (t->kind != TN_TYPE_TENSOR || !t->has_rank) {
        return TN_DIM_UNKNOWN;
    }
    axis += axis < 0 ? t->rank : 0;
    return axis >= 0 && axis < t->rank ? t->dims[axis] : TN_DIM_UNKNOWN;
}

static tn_dim width_of(tn_dims *d, const tn_type *t) {
    uint32_t bits = tn_dtype_get(t->dtype)->bits;
    return bits > 0 ? tn_dim_const(d, (bits + 7) / 8) : TN_DIM_UNKNOWN;
}

static tn_dim property(const tn_row_expr *e, const tn_op *op) {
    tn_dims *d = op->graph->module->dims;
    const tn_value *v = port_of(e, op);
    if (v == NULL || e->kind == E_HAS) {
        return tn_dim_const(d, v != NULL);
    }
    if (e->kind == E_CONST) {
        return tn_dim_const(d, tn_is_const(v));
    }
    const tn_type *t = v->type;
    if (e->kind == E_EXTENT) {
        return extent_of(t, e->i);
    }
    if (e->kind == E_RANK) {
        return t->has_rank ? tn_dim_const(d, t->rank) : TN_DIM_UNKNOWN;
    }
    if (e->kind == E_ELEMENTS || e->kind == E_BYTES) {
        return e->kind == E_BYTES ? tn_type_bytes(d, t) : tn_type_elements(d, t);
    }
    if (e->kind == E_WIDTH) {
        return width_of(d, t);
    }
    int64_t i = e->i + (e->i < 0 ? (int64_t)v->n_content : 0);
    bool known = v->content != NULL && i >= 0 && i < (int64_t)v->n_content;
    return known ? v->content[i] : TN_DIM_UNKNOWN;
}

/* What ops leave out has the value its row, or its window, makes of it. */
static tn_dim attribute(const tn_row_expr *e, const tn_op *op) {
    const tn_module *m = op->graph->module;
    tn_arena *scratch = tn_arena_new(m->ctx);
    uint32_t n;
    const tn_attr *all = tn_op_resolve_attrs(m, op, scratch, &n);
    tn_dim out = TN_DIM_UNKNOWN;
    for (uint32_t k = 0; k < n; k++) {
        const tn_attr *a = &all[k];
        if (strcmp(a->name, e->attr) != 0) {
            continue;
        }
        int64_t i = e->i + (e->i < 0 ? a->n : 0);
        if (a->kind == TN_ATTR_INT && e->kind == E_ATTR) {
            out = tn_dim_const(m->dims, a->u.i);
        } else if (a->kind == TN_ATTR_INTS && e->kind == E_ATTR_AT && i >= 0 && i < a->n) {
            out = tn_dim_const(m->dims, a->u.ints[i]);
        }
    }
    tn_arena_drop(scratch);
    return out;
}

/* Truths are numbers that are known. */
static tn_dim logic(tn_expr_kind kind, tn_dims *d, tn_dim a, tn_dim b) {
    int64_t x = 0, y = 0;
    if (!tn_dim_is_const(d, a, &x) || (kind != E_NOT && !tn_dim_is_const(d, b, &y))) {
        return TN_DIM_UNKNOWN;
    }
    return tn_dim_const(d, kind == E_LESS    ? x < y
                           : kind == E_EQUAL ? x == y
                           : kind == E_AND   ? x != 0 && y != 0
                           : kind == E_OR    ? x != 0 || y != 0
                                             : x == 0);
}

static tn_dim round_up(tn_dims *d, tn_dim a, tn_dim b) {
    return tn_dim_mul(d, tn_dim_ceildiv(d, a, b), b);
}

static bool divides(tn_expr_kind kind) {
    return kind == E_DIV || kind == E_MOD || kind == E_CEIL || kind == E_UP;
}

static tn_dim combine(tn_expr_kind kind, tn_dims *d, tn_dim a, tn_dim b) {
    static tn_dim (*const of[])(tn_dims *, tn_dim, tn_dim) = {
        [E_ADD] = tn_dim_add,      [E_SUB] = tn_dim_sub, [E_MUL] = tn_dim_mul,
        [E_DIV] = tn_dim_floordiv, [E_MOD] = tn_dim_mod, [E_CEIL] = tn_dim_ceildiv,
        [E_MIN] = tn_dim_min,      [E_MAX] = tn_dim_max, [E_UP] = round_up};
    int64_t by;
    if (divides(kind) && tn_dim_is_const(d, b, &by) && by == 0) {
        return TN_DIM_UNKNOWN;
    }
    return kind <= E_UP ? of[kind](d, a, b) : logic(kind, d, a, b);
}

/* Whether the left side alone says what the whole is. */
static bool left_decides(const tn_row_expr *e, const tn_dims *d, tn_dim a) {
    int64_t truth;
    bool known = (e->kind == E_AND || e->kind == E_OR) && tn_dim_is_const(d, a, &truth);
    return known && (truth != 0) == (e->kind == E_OR);
}

tn_dim tn_row_expr_eval(const tn_row_expr *e, const tn_op *op) {
    tn_dims *d = op->graph->module->dims;
    int64_t truth;
    if (e->kind == E_INT) {
        return tn_dim_const(d, e->i);
    }
    if (e->kind < E_ATTR) {
        return property(e, op);
    }
    if (e->kind < E_ADD) {
        return attribute(e, op);
    }
    tn_dim a = tn_row_expr_eval(e->a, op);
    if (e->kind == E_IF) {
        bool known = tn_dim_is_const(d, a, &truth);
        return known ? tn_row_expr_eval(truth != 0 ? e->b : e->c, op) : TN_DIM_UNKNOWN;
    }
    if (left_decides(e, d, a)) {
        return tn_dim_const(d, e->kind == E_OR);
    }
    return combine(e->kind, d, a, e->b != NULL ? tn_row_expr_eval(e->b, op) : TN_DIM_UNKNOWN);
}

/* ---- what never has a value ---- */

static const char *port_fault(tn_arena *arena, const tn_row_expr *e, const tn_op *op) {
    const tn_value *v = port_of(e, op);
    const tn_type *t = v != NULL ? v->type : NULL;
    bool ranked = t != NULL && t->kind == TN_TYPE_TENSOR && t->has_rank;
    if (ranked && e->kind == E_EXTENT && (e->i >= t->rank || e->i < -(int64_t)t->rank)) {
        return tn_arena_printf(arena, "'%.*s' has %u dimensions, and none at %lld",
                               (int)e->port.len, e->port.text, t->rank, (long long)e->i);
    }
    if (v != NULL && e->kind == E_ELEMENT && v->content != NULL &&
        (e->i >= (int64_t)v->n_content || e->i < -(int64_t)v->n_content)) {
        return tn_arena_printf(arena, "'%.*s' has %u elements, and none at %lld", (int)e->port.len,
                               e->port.text, v->n_content, (long long)e->i);
    }
    return NULL;
}

static const char *attr_fault(tn_arena *arena, const tn_row_expr *e, const tn_op *op) {
    if (attribute(e, op) != TN_DIM_UNKNOWN) {
        return NULL;
    }
    return e->kind == E_ATTR_AT
               ? tn_arena_printf(arena, "the op's attribute '%s' has no element %lld", e->attr,
                                 (long long)e->i)
               : tn_arena_printf(arena, "the op's attribute '%s' has no value", e->attr);
}

const char *tn_row_expr_fault(tn_arena *arena, const tn_row_expr *e, const tn_op *op) {
    tn_dims *d = op->graph->module->dims;
    if (e->kind == E_INT) {
        return NULL;
    }
    if (e->kind < E_ADD) {
        return e->kind < E_ATTR ? port_fault(arena, e, op) : attr_fault(arena, e, op);
    }
    const char *fault = tn_row_expr_fault(arena, e->a, op);
    tn_dim a = tn_row_expr_eval(e->a, op);
    int64_t x = 0, y = 0;
    if (fault != NULL || left_decides(e, d, a) || e->b == NULL) {
        return fault;
    }
    bool a_known = tn_dim_is_const(d, a, &x);
    if (e->kind == E_IF) {
        return a_known ? tn_row_expr_fault(arena, x != 0 ? e->b : e->c, op) : NULL;
    }
    fault = tn_row_expr_fault(arena, e->b, op);
    bool b_known = tn_dim_is_const(d, tn_row_expr_eval(e->b, op), &y);
    if (fault == NULL && b_known && y == 0 && divides(e->kind)) {
        return "it divides by 0";
    }
    bool fits = !a_known || !b_known || tn_row_expr_eval(e, op) != TN_DIM_UNKNOWN;
    return fault != NULL || fits ? fault : "a number in it does not fit into 64 bits";
}

/* ---- columns ---- */

static tn_dtype elem_of(tn_infer *in, const struct tn_row_type *t, const tn_value *like) {
    if (t->elem_attr != NULL) {
        return tn_attr_dtype(in, t->elem_attr, TN_DT_UNKNOWN);
    }
    return t->elem != TN_DT_UNKNOWN ? t->elem : like != NULL ? like->type->dtype : TN_DT_UNKNOWN;
}

static void state_joint(tn_infer *in, uint32_t r, tn_dtype elem) {
    uint32_t rank;
    const tn_value *result = tn_result(in->op, r);
    if (result != NULL && result->type->dtype != TN_DT_UNKNOWN) {
        elem = result->type->dtype;
    }
    tn_dim *dims = tn_broadcast_operands(in, 0, in->op->n_operands, &rank);
    if (dims != NULL) {
        tn_out(in, r, elem, rank, dims);
    } else if (!in->failed) {
        tn_out_unranked(in, r, elem);
    }
}

static void state_type(tn_infer *in, const struct tn_row_type *t) {
    const tn_op *op = in->op;
    tn_word result = {t->result, strlen(t->result), '\0'};
    tn_word word = {t->like, t->like != NULL ? strlen(t->like) : 0, '\0'};
    bool many;
    int32_t r = tn_sig_result(op->info, op->version, &result);
    int32_t k = t->like != NULL ? tn_sig_operand(op->info, op->version, &word, &many) : -1;
    const tn_value *like = k >= 0 ? tn_operand(op, (uint32_t)k) : NULL;
    tn_dtype elem = elem_of(in, t, like);
    if (r >= 0 && t->joint) {
        state_joint(in, (uint32_t)r, elem);
        return;
    }
    if (r < 0 || (t->dims == NULL && like == NULL)) {
        return;
    }
    if (t->dims == NULL) {
        tn_out_like(in, (uint32_t)r, elem, (uint32_t)k);
        return;
    }
    tn_dim *dims = tn_dims_unknown(in, t->rank);
    for (uint32_t i = 0; i < t->rank; i++) {
        int64_t extent;
        const char *fault = tn_row_expr_fault(in->scratch, t->dims[i], op);
        if (fault != NULL) {
            tn_infer_conflict(in, "by the kernels' facts dimension %u of '%s' has no value: %s", i,
                              t->result, fault);
            return;
        }
        dims[i] = tn_row_expr_eval(t->dims[i], op);
        if (tn_dim_is_const(in->dims, dims[i], &extent) && extent < 0) {
            tn_infer_conflict(in, "the kernels' facts make dimension %u of '%s' %lld", i, t->result,
                              (long long)extent);
            return;
        }
    }
    tn_out(in, (uint32_t)r, elem, t->rank, dims);
}

void tn_shape_stated(tn_infer *in) {
    const struct tn_row_types *types = in->op->info->types;
    for (uint32_t i = 0; i < types->n && !in->failed; i++) {
        state_type(in, &types->of[i]);
    }
}

bool tn_row_way(const struct tn_row_memory *memory, uint32_t i, const tn_op *op, int64_t *bytes,
                bool *known) {
    const struct tn_row_bytes *way = &memory->ways[i];
    tn_dims *d = op->graph->module->dims;
    int64_t when = 1;
    *known = way->when == NULL || tn_dim_is_const(d, tn_row_expr_eval(way->when, op), &when);
    if (!*known || when == 0) {
        return false;
    }
    *known = tn_dim_is_const(d, tn_row_expr_eval(way->bytes, op), bytes);
    return *known;
}

bool tn_row_has_way(const struct tn_row_memory *memory, const tn_op *op, const char *name,
                    uint64_t bytes) {
    for (uint32_t i = 0; memory != NULL && i < memory->n; i++) {
        int64_t needed;
        bool known;
        if (tn_row_way(memory, i, op, &needed, &known) && (uint64_t)needed == bytes &&
            strcmp(memory->ways[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}
