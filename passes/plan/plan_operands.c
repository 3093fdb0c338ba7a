/* Steps as the one who runs them needs them: operands and results by position, attributes resolved,
 * nested graphs, what a kernel has to promise, and whether there is anything to run. */
#include "passes/plan/plan_operands.h"

#include <string.h>

#include "ir/left_out.h"
#include "ir/ops/claims.h"
#include "ir/ops/op_attrs.h"
#include "passes/core/rules.h"
#include "passes/plan/plan_moves.h"
#include "passes/plan/workspace_ways.h"

/* Plan values of `n` values of the module, TN_NO_ID for those left out. */
static tn_ids list_values(const tn_build *b, tn_value *const *values, uint32_t n) {
    uint32_t *ids = TN_ARRAY(b->p->arena, uint32_t, n);
    for (uint32_t i = 0; i < n; i++) {
        ids[i] = values[i] != NULL ? b->plan_value[values[i]->id] : TN_NO_ID;
    }
    return (tn_ids){ids, n};
}

static void list_operands(const tn_build *b, const tn_op *op, tn_plan_step *s) {
    uint32_t *ids = TN_ARRAY(b->p->arena, uint32_t, op->n_operands);
    uint32_t *shapes = TN_ARRAY(b->p->arena, uint32_t, 0), n = 0; /* mostly there are none */
    for (uint32_t k = 0; k < op->n_operands; k++) {
        const tn_value *v = op->operands[k].value;
        v = v != NULL && tn_is_not_given(v) ? NULL : v;
        ids[k] = v != NULL ? b->plan_value[v->id] : TN_NO_ID;
        if (v != NULL && !tn_reads_data(op, k)) {
            shapes = n > 0 ? shapes : TN_ARRAY(b->p->arena, uint32_t, op->n_operands - k);
            shapes[n++] = k;
        }
    }
    s->operands = (tn_ids){ids, op->n_operands};
    s->shape_only = (tn_ids){shapes, n};
}

/* ---- attributes ---- */

static tn_string own_string(const tn_build *b, tn_string s) {
    return (tn_string){tn_arena_strndup(b->p->arena, s.data, s.len), s.len};
}

static const void *own_bytes(const tn_build *b, const void *data, size_t size) {
    void *copy = tn_arena_alloc(b->p->arena, size);
    if (size > 0) {
        memcpy(copy, data, size);
    }
    return copy;
}

static const tn_tensor *own_tensor(const tn_build *b, const tn_tensor *t) {
    tn_tensor *copy = TN_NEW(b->p->arena, tn_tensor);
    *copy = *t;
    copy->dims = own_bytes(b, t->dims, t->rank * sizeof *t->dims);
    copy->external = NULL;
    if (t->ints != NULL) {
        copy->ints = own_bytes(b, t->ints, (size_t)t->n_elements * sizeof *t->ints);
    }
    if (t->floats != NULL) {
        copy->floats = own_bytes(b, t->floats, (size_t)t->n_elements * sizeof *t->floats);
    }
    return copy;
}

static void own_strings(const tn_build *b, tn_attr *a) {
    tn_string *copy = TN_ARRAY(b->p->arena, tn_string, a->n);
    for (uint32_t i = 0; i < a->n; i++) {
        copy[i] = own_string(b, a->u.strings[i]);
    }
    a->u.strings = copy;
}

/* The plan outlives the module, so everything is copied that is not interned. Types and lists of
 * tensors occur in no op that a plan can place the results of; they are named and lie nowhere. */
static tn_attr own_attr(const tn_build *b, const tn_attr *from) {
    tn_attr a = *from;
    switch (from->kind) {
    case TN_ATTR_INTS:
        a.u.ints = own_bytes(b, from->u.ints, from->n * sizeof *from->u.ints);
        break;
    case TN_ATTR_FLOATS:
        a.u.floats = own_bytes(b, from->u.floats, from->n * sizeof *from->u.floats);
        break;
    case TN_ATTR_STRING:
        a.u.s = own_string(b, from->u.s);
        break;
    case TN_ATTR_STRINGS:
        own_strings(b, &a);
        break;
    case TN_ATTR_TENSOR:
        a.u.t = own_tensor(b, from->u.t);
        break;
    case TN_ATTR_INT:
    case TN_ATTR_FLOAT:
        break;
    case TN_ATTR_TYPE:
    case TN_ATTR_GRAPH:
    case TN_ATTR_TENSORS:
    case TN_ATTR_GRAPHS:
    case TN_ATTR_TYPES:
        memset(&a.u, 0, sizeof a.u);
        break;
    }
    return a;
}

static void list_attributes(const tn_build *b, const tn_op *op, tn_plan_step *s) {
    const tn_attr *resolved = tn_op_resolve_attrs(b->m, op, b->scratch, &s->n_attrs);
    tn_attr *out = TN_ARRAY(b->p->arena, tn_attr, s->n_attrs);
    for (uint32_t i = 0; i < s->n_attrs; i++) {
        out[i] = own_attr(b, &resolved[i]);
    }
    s->attrs = out;
}

/* ---- nested graphs ---- */

static void list_bodies(const tn_build *b, const tn_op *op, tn_plan_step *s) {
    tn_plan_body *out = TN_ARRAY(b->p->arena, tn_plan_body, op->n_regions);
    for (uint32_t i = 0; i < op->n_regions; i++) {
        const tn_graph *g = op->regions[i];
        out[i] = (tn_plan_body){.attribute = tn_op_body_attr(op, i),
                                .graph = g->path,
                                .inputs = list_values(b, g->inputs, g->n_inputs),
                                .outputs = list_values(b, g->outputs, g->n_outputs)};
    }
    s->bodies = out;
    s->n_bodies = op->n_regions;
}

/* ---- promises ---- */

static bool may_have_bytes(const tn_plan *p, uint32_t value) {
    const tn_plan_value *v = value != TN_NO_ID ? &p->values[value] : NULL;
    return v != NULL && v->storage != TN_NO_ID && (v->bytes > 0 || v->bytes_expr != TN_DIM_UNKNOWN);
}

/* Whether the two lie in common bytes. What is empty at the extents planned for, and elsewhere
 * perhaps not, does so with what begins where it begins. */
static bool share_bytes(const tn_plan *p, uint32_t a, uint32_t b) {
    if (!may_have_bytes(p, a) || !may_have_bytes(p, b)) {
        return false;
    }
    const tn_plan_value *v = &p->values[a], *w = &p->values[b];
    if (v->bytes == 0 || w->bytes == 0) {
        return v->storage == w->storage && v->offset == w->offset &&
               v->offset_expr == w->offset_expr;
    }
    uint64_t at = tn_plan_address(p, v), other = tn_plan_address(p, w);
    return p->storages[v->storage].pool == p->storages[w->storage].pool && at < other + w->bytes &&
           other < at + v->bytes;
}

/* The edge points either way: from a view to what it is cut from, or from the piece of a Concat to
 * the whole. */
static bool is_view_between(const tn_value *result, const tn_value *operand) {
    return (result->alias_kind == TN_ALIAS_VIEW && result->alias_of == operand) ||
           (operand->alias_kind == TN_ALIAS_VIEW && operand->alias_of == result);
}

static tn_plan_promise order_of(const tn_value *result, const tn_value *operand) {
    uint32_t r = tn_dtype_get(result->type->dtype)->bits;
    uint32_t o = tn_dtype_get(operand->type->dtype)->bits;
    bool ascending = TN_KEEP(DIRECTION, r<o, r> o);
    return r == o ? TN_PROMISE_ELEMENTS : ascending ? TN_PROMISE_ASCENDING : TN_PROMISE_DESCENDING;
}

static tn_plan_promise promise_of(const tn_op *op, uint32_t r, uint32_t k) {
    static const tn_plan_promise of[] = {[TN_IF_NEVER] = TN_PROMISE_KEEP,
                                         [TN_IF_SAME] = TN_PROMISE_ELEMENTS,
                                         [TN_IF_ROWS] = TN_PROMISE_ROWS,
                                         [TN_IF_UPDATE] = TN_PROMISE_UPDATE,
                                         [TN_IF_MUST] = TN_PROMISE_DEFINITION};
    tn_inplace e;
    const tn_value *result = op->results[r], *operand = op->operands[k].value;
    if (is_view_between(result, operand)) {
        return TN_PROMISE_KEEP;
    }
    for (uint32_t i = 0; tn_op_inplace(op, i, &e); i++) {
        if (e.result == r && k < 32 && (e.operands >> k & 1u) && e.cond != TN_IF_NEVER) {
            return e.cond == TN_IF_WIDTH ? order_of(result, operand) : of[e.cond];
        }
    }
    return tn_op_updated(op, r) == (int64_t)k ? TN_PROMISE_UPDATE : TN_PROMISE_KEEP;
}

/* Where the result begins inside the operand, the order that asks for; else `other`. */
static tn_plan_promise promise_between(const tn_plan *p, uint32_t result, uint32_t operand,
                                       tn_plan_promise other) {
    const tn_plan_value *v = &p->values[result];
    for (uint32_t i = 0; i < v->n_overlaps; i++) {
        if (v->overlaps[i].value == operand) {
            return tn_promise_of_order(v->overlaps[i].order);
        }
    }
    return other;
}

void tn_build_claims(tn_build *b, const tn_op *op, tn_plan_step *s) {
    b->claims.len = 0;
    for (uint32_t r = 0; r < s->results.len; r++) {
        for (uint32_t k = 0; k < s->operands.len; k++) {
            if (share_bytes(b->p, s->results.data[r], s->operands.data[k]) &&
                tn_reads_data(op, k)) {
                tn_plan_promise promise = promise_between(
                    b->p, s->results.data[r], s->operands.data[k], promise_of(op, r, k));
                tn_vec_push(b->scratch, &b->claims, (tn_plan_claim){r, k, promise});
            }
        }
    }
    for (uint32_t k = 0; k < s->operands.len; k++) {
        if (tn_op_writes_operand(op, k)) {
            tn_vec_push(b->scratch, &b->claims,
                        (tn_plan_claim){TN_NO_ID, k, TN_PROMISE_DEFINITION});
        }
    }
    s->claims = own_bytes(b, b->claims.data, b->claims.len * sizeof *b->claims.data);
    s->n_claims = b->claims.len;
}

/* Whether an operand before the k-th is the same value: it lies in one place only. */
static bool comes_before(const tn_op *op, uint32_t k) {
    const tn_value *v = op->operands[k].value;
    for (uint32_t i = 0; i < k && v->n_uses > 1; i++) {
        if (op->operands[i].value == v) {
            return true;
        }
    }
    return false;
}

/* Whether the bytes of result r are there before the step runs: data of the model, a view of an
 * operand, or put together by the operands that lie inside it, each in one place only. */
static bool is_there(const tn_build *b, const tn_op *op, const tn_plan_step *s, uint32_t r) {
    const tn_value *result = op->results[r];
    const tn_plan_value *v = result != NULL ? &b->p->values[s->results.data[r]] : NULL;
    uint64_t inside = 0;
    if (v == NULL || v->role == TN_ROLE_CONST) {
        return true;
    }
    if (v->storage == TN_NO_ID) {
        return false;
    }
    for (uint32_t k = 0; k < op->n_operands; k++) {
        const tn_value *o = op->operands[k].value;
        if (o == NULL || !tn_reads_data(op, k)) {
            continue;
        }
        if (!is_view_between(result, o)) {
            continue;
        }
        uint64_t bytes = b->p->values[s->operands.data[k]].bytes;
        if (bytes >= v->bytes) {
            return true;
        }
        inside += comes_before(op, k) ? 0 : bytes;
    }
    return inside == v->bytes && inside > 0;
}

static bool is_idle(const tn_build *b, const tn_op *op, const tn_plan_step *s) {
    bool any = false;
    if (op->info->traits & TN_T_SIDE_EFFECT) {
        return false;
    }
    for (uint32_t r = 0; r < op->n_results; r++) {
        if (!is_there(b, op, s, r)) {
            return false;
        }
        any |= op->results[r] != NULL;
    }
    return any;
}

/* ---- what the kernel needs ---- */

static void list_workspace(const tn_build *b, const tn_op *op, tn_plan_step *s) {
    tn_plan_workspace *out = TN_ARRAY(b->p->arena, tn_plan_workspace, op->n_workspace);
    for (uint32_t i = 0; i < op->n_workspace; i++) {
        const tn_value *v = tn_workspace(op, i);
        uint32_t value = b->plan_value[v->id];
        const char *way =
            tn_workspace_way(op, tn_workspace_column(op, i), b->p->values[value].bytes);
        out[i] = (tn_plan_workspace){value, (v->flags & TN_VF_STATE) != 0, tn_intern(b->ctx, way)};
    }
    s->workspace = out;
    s->n_workspace = op->n_workspace;
}

static void list_parts(const tn_build *b, const tn_op *op, tn_plan_step *s) {
    tn_plan_node *out = TN_ARRAY(b->p->arena, tn_plan_node, op->n_parts);
    for (uint32_t i = 0; i < op->n_parts; i++) {
        const tn_op *part = op->parts[i];
        out[i] = (tn_plan_node){part->loc.node, part->name,    part->domain,
                                part->type,     part->version, part->was->nest};
    }
    s->parts = out;
    s->n_parts = op->n_parts;
}

void tn_build_operands(tn_build *b, const tn_op *op, tn_plan_step *s) {
    s->version = op->version;
    if (s->kind != TN_STEP_END) {
        list_operands(b, op, s);
        list_attributes(b, op, s);
        list_parts(b, op, s);
        list_workspace(b, op, s);
    }
    if (s->kind != TN_STEP_BEGIN) {
        s->results = list_values(b, op->results, op->n_results);
    }
    if (s->kind == TN_STEP_BEGIN) {
        list_bodies(b, op, s);
        tn_build_moves(b, op, s);
    }
    if (s->kind == TN_STEP_OP) {
        s->idle = is_idle(b, op, s);
    }
    if (s->kind == TN_STEP_OP && !s->idle) {
        tn_build_claims(b, op, s);
    }
}
