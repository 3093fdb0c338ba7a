/* What generated programs rely on, held against the model: operands and results by position,
 * attributes, nested graphs, steps without anything to run, promises of kernels, what must be done
 * before bytes are freed. */
#include <string.h>

#include "ir/check/check_t.h"
#include "ir/infer/used.h"
#include "ir/left_out.h"
#include "ir/ops/claims.h"
#include "ir/ops/op_attrs.h"
#include "ir/ops/row_expr.h"

static const char *step_name(const tn_checking *c, uint32_t step) {
    return tn_check_step_name(c, (int32_t)step);
}

/* ---- values by position ---- */

static uint32_t value_of(const tn_checking *c, const tn_value *v) {
    return v != NULL ? c->plan_value[v->id] : TN_NO_ID;
}

static const char *name_or_none(const tn_checking *c, uint32_t value) {
    return value != TN_NO_ID ? tn_check_value_name(c, value) : "nothing";
}

/* Whether `stated` lists the n values; reports the first that does not agree, as one of the `what`
 * of a step (TN_NO_ID: `what` says all). Names are made for messages alone: most plans are right.
 */
static bool same_values(tn_checking *c, const char *what, uint32_t step, tn_ids stated,
                        tn_value *const *values, uint32_t n) {
    uint32_t i = 0;
    while (i < n && i < stated.len && stated.data[i] == value_of(c, values[i])) {
        i++;
    }
    if (i == n && stated.len == n) {
        return true;
    }
    const char *where =
        step == TN_NO_ID ? what : tn_arena_printf(c->arena, "%s of %s", what, step_name(c, step));
    if (stated.len != n) {
        tn_check_fail(c, "%s: the plan lists %u, the model has %u", where, stated.len, n);
    } else {
        tn_check_fail(c, "%s: number %u is %s, in the model %s", where, i,
                      name_or_none(c, stated.data[i]), name_or_none(c, value_of(c, values[i])));
    }
    return false;
}

static bool check_operands(tn_checking *c, uint32_t step, const tn_op *op) {
    const tn_plan_step *s = &c->p->steps[step];
    uint32_t n = s->kind == TN_STEP_END ? 0 : op->n_operands, shapes = 0;
    tn_value **values = TN_ARRAY(c->arena, tn_value *, n);
    for (uint32_t k = 0; k < n; k++) {
        tn_value *v = op->operands[k].value;
        values[k] = v != NULL && tn_is_not_given(v) ? NULL : v;
        if (values[k] == NULL || tn_reads_data(op, k)) {
            continue;
        }
        if (shapes >= s->shape_only.len || s->shape_only.data[shapes] != k) {
            tn_check_fail(c, "%s does not say that only the shape of operand %u is read",
                          step_name(c, step), k);
            return false;
        }
        shapes++;
    }
    if (shapes < s->shape_only.len) {
        tn_check_fail(c, "%s says that only the shape of operand %u is read, but its bytes are",
                      step_name(c, step), s->shape_only.data[shapes]);
    }
    return same_values(c, "operands", step, s->operands, values, n);
}

static bool check_results(tn_checking *c, uint32_t step, const tn_op *op) {
    const tn_plan_step *s = &c->p->steps[step];
    return same_values(c, "results", step, s->results, op->results,
                       s->kind == TN_STEP_BEGIN ? 0 : op->n_results);
}

/* ---- workspace, fused nodes ---- */

/* A way that rests on what is not known, and none that does not. */
static bool is_way_open(const struct tn_row_memory *memory, const tn_op *op) {
    bool open = false;
    for (uint32_t i = 0; memory != NULL && i < memory->n; i++) {
        int64_t bytes;
        bool known;
        if (tn_row_way(memory, i, op, &bytes, &known)) {
            return false;
        }
        open = open || !known;
    }
    return open;
}

static bool is_way(const tn_checking *c, const tn_plan_workspace *w, const tn_op *op) {
    const struct tn_row_memory *memory = w->kept ? op->info->kept : op->info->workspace;
    if (c->p->values[w->value].storage == TN_NO_ID && w->way[0] == '\0' &&
        is_way_open(memory, op)) {
        return true;
    }
    return tn_row_has_way(memory, op, w->way, c->facts[w->value].bytes);
}

/* What each workspace is for, and that its bytes are those of the way it states. */
static void check_workspace(tn_checking *c, uint32_t step, const tn_op *op) {
    const tn_plan_step *s = &c->p->steps[step];
    if (s->n_workspace != op->n_workspace) {
        tn_check_fail(c, "%s has %u workspaces, by the kernels' facts %u", step_name(c, step),
                      s->n_workspace, op->n_workspace);
        return;
    }
    for (uint32_t i = 0; i < op->n_workspace; i++) {
        const tn_value *v = tn_workspace(op, i);
        const tn_plan_workspace *w = &s->workspace[i];
        bool kept = (v->flags & TN_VF_STATE) != 0;
        if (w->value != c->plan_value[v->id] || w->kept != kept) {
            tn_check_fail(c, "%s: workspace %u is not '%s'%s", step_name(c, step), i, v->name,
                          kept ? ", which is kept" : "");
        } else if (!is_way(c, w, op)) {
            tn_check_fail(c, "%s: by the kernels' facts no way '%s' needs %llu bytes of workspace",
                          step_name(c, step), w->way, (unsigned long long)c->facts[w->value].bytes);
        }
    }
}

static void check_parts(tn_checking *c, uint32_t step, const tn_op *op) {
    const tn_plan_step *s = &c->p->steps[step];
    bool same = s->n_parts == op->n_parts;
    for (uint32_t i = 0; i < op->n_parts && same; i++) {
        const tn_plan_node *n = &s->parts[i];
        const tn_op *part = op->parts[i];
        same = n->node == part->loc.node && strcmp(n->name, part->name) == 0 &&
               strcmp(n->op, part->type) == 0 && strcmp(n->domain, part->domain) == 0 &&
               n->version == part->version && n->nest == part->was->nest;
    }
    if (!same) {
        tn_check_fail(c, "%s: the nodes it is made of are not those of the kernels' facts",
                      step_name(c, step));
    }
}

/* ---- attributes ---- */

static bool same_bytes(const void *a, const void *b, size_t size) {
    return size == 0 || memcmp(a, b, size) == 0;
}

/* All NaNs are equal here: files and texts do not record which NaN it is. */
static bool same_floats(const double *a, const double *b, uint64_t n) {
    for (uint64_t i = 0; i < n; i++) {
        if (memcmp(&a[i], &b[i], sizeof a[i]) != 0 && (a[i] == a[i] || b[i] == b[i])) {
            return false;
        }
    }
    return true;
}

static bool same_string(tn_string a, tn_string b) {
    return a.len == b.len && same_bytes(a.data, b.data, a.len);
}

/* Numbers of elements are known only where the plan holds the elements. */
static bool same_tensor(const tn_tensor *a, const tn_tensor *b) {
    if (a->dtype != b->dtype || a->rank != b->rank ||
        !same_bytes(a->dims, b->dims, a->rank * sizeof *a->dims) ||
        (a->ints == NULL) != (b->ints == NULL) || (a->floats == NULL) != (b->floats == NULL)) {
        return false;
    }
    size_t n = (size_t)b->n_elements;
    bool counted = a->ints == NULL && a->floats == NULL;
    return (counted || a->n_elements == b->n_elements) &&
           (a->ints == NULL || same_bytes(a->ints, b->ints, n * sizeof *b->ints)) &&
           (a->floats == NULL || same_floats(a->floats, b->floats, n));
}

bool tn_check_same_attribute(const tn_attr *a, const tn_attr *b) {
    if (strcmp(a->name, b->name) != 0 || a->kind != b->kind) {
        return false;
    }
    switch (a->kind) {
    case TN_ATTR_INT:
        return a->u.i == b->u.i;
    case TN_ATTR_FLOAT:
        return same_floats(&a->u.f, &b->u.f, 1);
    case TN_ATTR_STRING:
        return same_string(a->u.s, b->u.s);
    case TN_ATTR_TENSOR:
        return same_tensor(a->u.t, b->u.t);
    case TN_ATTR_INTS:
        return a->n == b->n && same_bytes(a->u.ints, b->u.ints, a->n * sizeof *a->u.ints);
    case TN_ATTR_FLOATS:
        return a->n == b->n && same_floats(a->u.floats, b->u.floats, a->n);
    case TN_ATTR_STRINGS:
        for (uint32_t i = 0; i < a->n && a->n == b->n; i++) {
            if (!same_string(a->u.strings[i], b->u.strings[i])) {
                return false;
            }
        }
        return a->n == b->n;
    case TN_ATTR_GRAPH:
    case TN_ATTR_TYPE:
    case TN_ATTR_TENSORS:
    case TN_ATTR_GRAPHS:
    case TN_ATTR_TYPES:
        return true;
    }
    return false;
}

static bool check_attributes(tn_checking *c, uint32_t step, const tn_op *op) {
    const tn_plan_step *s = &c->p->steps[step];
    uint32_t n = 0;
    const tn_attr *want =
        s->kind != TN_STEP_END ? tn_op_resolve_attrs(c->m, op, c->arena, &n) : NULL;
    for (uint32_t i = 0; i < n || i < s->n_attrs; i++) {
        if (i >= n || i >= s->n_attrs || !tn_check_same_attribute(&s->attrs[i], &want[i])) {
            const char *name = i < n ? want[i].name : s->attrs[i].name;
            tn_check_fail(c, "%s: attribute '%s' is not that of the model, resolved",
                          step_name(c, step), name);
            return false;
        }
    }
    return true;
}

/* ---- nested graphs ---- */

static bool check_bodies(tn_checking *c, uint32_t step, const tn_op *op) {
    const tn_plan_step *s = &c->p->steps[step];
    uint32_t n = s->kind == TN_STEP_BEGIN ? op->n_regions : 0;
    if (s->n_bodies != n) {
        tn_check_fail(c, "%s: the plan lists %u bodies, the model has %u", step_name(c, step),
                      s->n_bodies, n);
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        const tn_graph *g = op->regions[i];
        const tn_plan_body *b = &s->bodies[i];
        const char *where = tn_arena_printf(c->arena, "body %u of %s", i, step_name(c, step));
        if (strcmp(b->attribute, tn_op_body_attr(op, i)) != 0) {
            tn_check_fail(c, "%s belongs to attribute '%s', in the model to '%s'", where,
                          b->attribute, tn_op_body_attr(op, i));
            return false;
        }
        if (strcmp(b->graph, g->path) != 0) {
            tn_check_fail(c, "%s is the graph '%s', in the model '%s'", where, b->graph, g->path);
            return false;
        }
        if (!same_values(c, tn_arena_printf(c->arena, "arguments of %s", where), TN_NO_ID,
                         b->inputs, g->inputs, g->n_inputs) ||
            !same_values(c, tn_arena_printf(c->arena, "outputs of %s", where), TN_NO_ID, b->outputs,
                         g->outputs, g->n_outputs)) {
            return false;
        }
    }
    return true;
}

/* ---- shared bytes of results and operands ---- */

static bool meet(const tn_checking *c, uint32_t a, uint32_t b) {
    const tn_fact *x = &c->facts[a], *y = &c->facts[b];
    if (!x->placed || !y->placed || x->bytes == 0 || y->bytes == 0) {
        return false;
    }
    uint64_t at = tn_check_address(c, a), other = tn_check_address(c, b);
    return at < other + y->bytes && other < at + x->bytes;
}

/* Whether result and operand are the same bytes without anything being moved. */
static bool is_view(const tn_checking *c, uint32_t result, uint32_t operand) {
    int64_t delta = (int64_t)(tn_check_address(c, result) - tn_check_address(c, operand));
    return tn_check_is_view(c, c->facts[result].v, c->facts[operand].v, delta);
}

/* Whether the bytes of `operand` inside `result` are what the result has there: the operand's own
 * place, or that of another operand that holds them (Concat of x and a view or part of x). */
static bool keeps(const tn_checking *c, const tn_op *op, uint32_t result, uint32_t operand) {
    for (uint32_t k = 0; k < op->n_operands; k++) {
        uint32_t o = value_of(c, op->operands[k].value);
        if (o == TN_NO_ID || !c->facts[o].placed || !tn_reads_data(op, k)) {
            continue;
        }
        uint64_t at = tn_check_address(c, o), inner = tn_check_address(c, operand);
        if (at <= inner && inner + c->facts[operand].bytes <= at + c->facts[o].bytes &&
            is_view(c, result, o)) {
            return true;
        }
    }
    return false;
}

/* A result that is a view as well as in place may be claimed as either: both hold. */
static bool is_right(const tn_checking *c, const tn_op *op, tn_plan_promise promise,
                     uint32_t result, uint32_t operand) {
    static const tn_inplace_if asks[] = {
        [TN_PROMISE_KEEP] = TN_IF_NEVER,      [TN_PROMISE_ELEMENTS] = TN_IF_SAME,
        [TN_PROMISE_ROWS] = TN_IF_ROWS,       [TN_PROMISE_UPDATE] = TN_IF_UPDATE,
        [TN_PROMISE_DEFINITION] = TN_IF_MUST, [TN_PROMISE_ASCENDING] = TN_IF_WIDTH,
        [TN_PROMISE_DESCENDING] = TN_IF_WIDTH};
    const tn_value *r = c->facts[result].v, *o = c->facts[operand].v;
    const tn_plan_overlap *inside = tn_check_overlap_of(c, result, operand);
    if (inside != NULL || promise >= TN_PROMISE_OVERLAP_ROWS) {
        return inside != NULL && promise == tn_promise_of_order(inside->order);
    }
    if (promise == TN_PROMISE_KEEP) {
        return keeps(c, op, result, operand);
    }
    bool ordered = asks[promise] == TN_IF_WIDTH;
    return tn_check_inplace(c, r, o) == asks[promise] &&
           !(ordered && tn_check_is_narrower(r, o) != (promise == TN_PROMISE_ASCENDING));
}

static const tn_plan_claim *find_claim(const tn_plan_step *s, uint32_t r, uint32_t k) {
    for (uint32_t i = 0; i < s->n_claims; i++) {
        if (s->claims[i].result == r && s->claims[i].operand == k) {
            return &s->claims[i];
        }
    }
    return NULL;
}

/* What a plan with open dimensions claims holds where a tensor happens to be empty, too. */
static bool is_empty_here(const tn_checking *c, uint32_t result, uint32_t operand) {
    return c->p->n_ranges > 0 && operand != TN_NO_ID &&
           (c->facts[result].bytes == 0 || c->facts[operand].bytes == 0);
}

/* Every result that shares bytes with an operand is claimed, with the promise the op's row asks.
 * Nothing else is claimed: that would restrict kernels without need. */
static void check_claims(tn_checking *c, uint32_t step, const tn_op *op) {
    const tn_plan_step *s = &c->p->steps[step];
    uint32_t n = 0;
    for (uint32_t r = 0; r < s->results.len && s->kind == TN_STEP_OP && !s->idle; r++) {
        for (uint32_t k = 0; k < s->operands.len && s->results.data[r] != TN_NO_ID; k++) {
            uint32_t operand = s->operands.data[k], result = s->results.data[r];
            if (operand == TN_NO_ID || !tn_reads_data(op, k) || !meet(c, result, operand)) {
                n += is_empty_here(c, result, operand) && find_claim(s, r, k) != NULL;
                continue;
            }
            const tn_plan_claim *claim = find_claim(s, r, k);
            if (claim == NULL || !is_right(c, op, claim->promise, result, operand)) {
                tn_check_fail(c,
                              "%s writes %s over bytes of operand %s and does not claim what its "
                              "kernel must keep for that",
                              step_name(c, step), tn_check_value_name(c, result),
                              tn_check_value_name(c, operand));
                return;
            }
            n++;
        }
    }
    for (uint32_t k = 0; k < op->n_operands && s->kind == TN_STEP_OP; k++) {
        if (!tn_op_writes_operand(op, k)) {
            continue;
        }
        const tn_plan_claim *claim = find_claim(s, TN_NO_ID, k);
        if (claim == NULL || claim->promise != TN_PROMISE_DEFINITION) {
            tn_check_fail(c,
                          "%s writes over operand %u, for which it names no result, and does "
                          "not claim it",
                          step_name(c, step), k);
            return;
        }
        n++;
    }
    if (n != s->n_claims) {
        tn_check_fail(c, "%s claims %u shared operands, but has %u", step_name(c, step),
                      s->n_claims, n);
    }
}

/* Whether an operand has no bytes for any extents. */
static bool is_empty(const tn_checking *c, const tn_value *v) {
    int64_t bytes;
    return tn_dim_is_const(c->m->dims, tn_type_room(c->m->dims, v->type), &bytes) && bytes == 0;
}

/* Whether the bytes of `result` are there, without a gap, as those of operands in their places. Of
 * a plan with open dimensions each operand has to be in its place, as one that is empty here may
 * have bytes for other extents. */
static bool is_gathered(const tn_checking *c, const tn_op *op, uint32_t result) {
    tn_check_held *held = TN_ARRAY(c->arena, tn_check_held, op->n_operands + 1u);
    uint32_t n = tn_check_held_bytes(c, result, held), filled = 0;
    uint64_t end = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (held[i].from != end) {
            return false;
        }
        end = held[i].to;
    }
    for (uint32_t k = 0; k < op->n_operands && c->p->n_ranges > 0; k++) {
        const tn_value *v = op->operands[k].value;
        filled += v != NULL && tn_reads_data(op, k) && !is_empty(c, v);
    }
    return end == c->facts[result].bytes && n >= filled;
}

static bool is_there(const tn_checking *c, const tn_op *op, uint32_t result) {
    const tn_fact *f = &c->facts[result];
    if (tn_is_const(f->v)) {
        return true;
    }
    for (uint32_t k = 0; k < op->n_operands && f->placed; k++) {
        uint32_t o = value_of(c, op->operands[k].value);
        if (o != TN_NO_ID && c->facts[o].placed && tn_reads_data(op, k) &&
            c->p->values[o].storage == c->p->values[result].storage &&
            c->facts[o].bytes >= f->bytes && is_view(c, result, o)) {
            return true;
        }
    }
    return f->placed && f->bytes > 0 && is_gathered(c, op, result);
}

/* A step that has nothing to run may be left out: nothing may be missing then. */
static void check_idle(tn_checking *c, uint32_t step, const tn_op *op) {
    const tn_plan_step *s = &c->p->steps[step];
    if (!s->idle) {
        return;
    }
    bool acts = (op->info->traits & TN_T_SIDE_EFFECT) != 0;
    for (uint32_t k = 0; k < op->n_operands && !acts; k++) {
        acts = op->operands[k].value != NULL && tn_op_writes_operand(op, k);
    }
    for (uint32_t r = 0; r < op->n_results && !acts && s->kind == TN_STEP_OP; r++) {
        acts = op->results[r] != NULL && !is_there(c, op, value_of(c, op->results[r]));
    }
    if (acts || s->kind != TN_STEP_OP) {
        tn_check_fail(c, "%s has something to run, but the plan says that it is idle",
                      step_name(c, step));
    }
}

void tn_check_contract(tn_checking *c) {
    for (uint32_t i = 0; i < c->p->n_steps; i++) {
        const tn_op *op = c->step_op[i];
        const tn_plan_step *s = &c->p->steps[i];
        if (s->version != op->version) {
            tn_check_fail(c, "%s is of version %lld, in the model of %lld", step_name(c, i),
                          (long long)s->version, (long long)op->version);
        }
        if (s->kind != TN_STEP_END) {
            check_parts(c, i, op);
            check_workspace(c, i, op);
        }
        if (check_operands(c, i, op) && check_results(c, i, op) && check_attributes(c, i, op) &&
            check_bodies(c, i, op)) {
            check_claims(c, i, op);
            check_idle(c, i, op);
        }
    }
    const tn_graph *main = c->m->main;
    (void)same_values(c, "inputs of the plan", TN_NO_ID, c->p->inputs, main->inputs,
                      main->n_inputs);
    (void)same_values(c, "outputs of the plan", TN_NO_ID, c->p->outputs, main->outputs,
                      main->n_outputs);
    uint32_t n_fixed;
    tn_value *const *fixed = tn_fixed_inputs(c->m, c->arena, &n_fixed);
    (void)same_values(c, "inputs with fixed elements", TN_NO_ID, c->p->fixed, fixed, n_fixed);
}
