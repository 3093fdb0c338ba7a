#include "ir/compute/compute_ops.h"

#include "ir/compute/by_rows.h"
#include "ir/compute/nest_rules.h"
#include "ir/left_out.h"
#include "ir/ops/group_claims.h"
#include "ir/ops/op_attrs.h"

enum { MOST_VALUES = 64 };

/* ---- one op ---- */

static tn_value *operand_of(const tn_op *op, uint32_t k) {
    tn_value *v = tn_part_operand(op, k);
    return v != NULL && tn_is_not_given(v) ? NULL : v;
}

static bool is_bound(const tn_module *m, const tn_value *v) {
    int64_t extent;
    if (v == NULL) {
        return true;
    }
    bool bound =
        v->type->kind == TN_TYPE_TENSOR && v->type->has_rank && v->type->rank <= TN_NEST_AXES;
    for (uint32_t i = 0; bound && i < v->type->rank; i++) {
        bound = tn_dim_is_const(m->dims, v->type->dims[i], &extent);
    }
    return bound;
}

static tn_compute_value value_from(tn_arena *arena, const tn_module *m, const tn_value *v) {
    tn_compute_value out = {.there = v != NULL};
    if (v == NULL) {
        return out;
    }
    int64_t *dims = TN_ARRAY(arena, int64_t, v->type->rank + 1u);
    int64_t *known = TN_ARRAY(arena, int64_t, v->n_content + 1u);
    bool numbers = v->content != NULL;
    for (uint32_t i = 0; i < v->type->rank; i++) {
        (void)tn_dim_is_const(m->dims, v->type->dims[i], &dims[i]);
    }
    for (uint32_t i = 0; numbers && i < v->n_content; i++) {
        numbers = tn_dim_is_const(m->dims, v->content[i], &known[i]);
    }
    out.dtype = v->type->dtype;
    out.rank = v->type->rank;
    out.dims = dims;
    out.known = numbers ? known : NULL;
    out.floats = v->float_content;
    out.n_known = v->n_content;
    const tn_tensor *t = tn_value_tensor(v);
    if (t != NULL && (t->ints != NULL || t->floats != NULL)) { /* an initializer that is small */
        out.known = t->ints;
        out.floats = t->floats;
        out.n_known = (uint32_t)t->n_elements;
    }
    return out;
}

/* Without nests. */
static bool ask_of(const tn_module *m, const tn_op *op, tn_arena *arena, tn_compute *c) {
    tn_compute_value *operands = TN_ARRAY(arena, tn_compute_value, op->n_operands + 1u);
    tn_compute_value *results = TN_ARRAY(arena, tn_compute_value, op->n_results + 1u);
    bool bound = op->info->compute != NULL;
    for (uint32_t i = 0; bound && i < op->n_operands; i++) {
        bound = is_bound(m, operand_of(op, i));
        operands[i] = bound ? value_from(arena, m, operand_of(op, i)) : (tn_compute_value){0};
    }
    for (uint32_t i = 0; bound && i < op->n_results; i++) {
        bound = is_bound(m, tn_part_result(op, i));
        results[i] = bound ? value_from(arena, m, tn_part_result(op, i)) : (tn_compute_value){0};
    }
    *c = (tn_compute){.arena = arena,
                      .info = op->info,
                      .version = op->version,
                      .operands = operands,
                      .results = results,
                      .n_operands = op->n_operands,
                      .n_results = op->n_results};
    c->nests.data = TN_ARRAY(arena, tn_nest, 1); /* one is what most ops have, and they are large */
    c->nests.cap = 1;
    if (bound && op->was != NULL) {
        c->attrs = op->was->resolved;
        c->n_attrs = op->was->n_resolved;
    } else if (bound) {
        c->attrs = tn_op_resolve_attrs(m, op, arena, &c->n_attrs);
    }
    return bound;
}

bool tn_compute_of_op(const tn_module *m, const tn_op *op, tn_arena *arena, tn_compute *c) {
    return ask_of(m, op, arena, c) && tn_compute_make(c);
}

/* ---- a few ---- */

/* All values that the ops read, each once; nests count them. */
typedef struct group {
    const tn_module *m;
    tn_arena *arena;
    tn_value *values[MOST_VALUES];
    tn_compute_value facts[MOST_VALUES];
    uint32_t n;
} group;

/* Its number; MOST_VALUES: there are too many. */
static uint32_t number_of(group *g, tn_value *v) {
    for (uint32_t i = 0; i < g->n; i++) {
        if (g->values[i] == v) {
            return i;
        }
    }
    if (g->n < MOST_VALUES) {
        g->values[g->n] = v;
        g->facts[g->n++] = value_from(g->arena, g->m, v);
        return g->n - 1;
    }
    return MOST_VALUES;
}

typedef void visit(tn_calc *load, uint32_t *numbers);

static void visit_calc(tn_calc *x, visit *fn, uint32_t *numbers) {
    if (x == NULL) {
        return;
    }
    if (x->kind == TN_CALC_LOAD) {
        fn(x, numbers);
    }
    for (uint32_t i = 0; i < 3; i++) {
        visit_calc(x->arg[i], fn, numbers);
    }
}

static void visit_loads(tn_nest *n, visit *fn, uint32_t *numbers) {
    for (uint32_t i = 0; i < n->n_stages; i++) {
        visit_calc(n->stage[i].start, fn, numbers);
        visit_calc(n->stage[i].body, fn, numbers);
    }
    visit_calc(n->value, fn, numbers);
}

static void renumber(tn_calc *load, uint32_t *numbers) {
    load->which = numbers[load->which];
}

/* The nest that makes result 0, no other result being of use, with all its axes; loads count the
 * values of the group. */
static bool nest_of(group *g, const tn_op *op, tn_compute *c, tn_nest *out) {
    uint32_t found = 0, *numbers = TN_ARRAY(g->arena, uint32_t, op->n_operands + 1u);
    if (!ask_of(g->m, op, g->arena, c)) {
        return false;
    }
    c->keeps_axes = true;
    if (!tn_compute_make(c)) {
        return false;
    }
    for (uint32_t i = 0; i < c->nests.len; i++) {
        if (c->nests.data[i].result == 0) {
            *out = c->nests.data[i];
            found++;
        }
    }
    bool fits = found == 1 && out->value_too == NULL && !out->border && !tn_nest_is_bound(out);
    for (uint32_t k = 0; fits && k < op->n_operands; k++) {
        tn_value *v = operand_of(op, k);
        numbers[k] = v != NULL ? number_of(g, v) : 0;
        fits = numbers[k] < MOST_VALUES;
    }
    if (fits) {
        visit_loads(out, renumber, numbers);
    }
    return fits;
}

/* Elements that are stored and loaded again are what they were, but for the rounding of floats. */
static bool passes_on(const tn_compute *from, const tn_nest *n) {
    tn_dtype dtype = from->results[0].dtype;
    bool moved = n->value->kind == TN_CALC_LOAD && n->moves;
    return moved || tn_calc_type_of(dtype) == dtype || tn_dtype_get(dtype)->kind == 'F';
}

static void count(tn_calc *load, uint32_t *numbers) {
    numbers[load->which]++;
}

/* Whether loads of the nest take some computing: floats below 32 bits become such of 32. */
static bool loads_halves(group *g, tn_nest *n) {
    uint32_t numbers[MOST_VALUES] = {0};
    bool any = false;
    visit_loads(n, count, numbers);
    for (uint32_t i = 0; i < g->n; i++) {
        const tn_dtype_info *info = tn_dtype_get(g->facts[i].dtype);
        any = any || (numbers[i] > 0 && info->kind == 'F' && info->bits < 32);
    }
    return any;
}

static bool is_loaded_again(tn_nest *n, uint32_t value) {
    uint32_t numbers[MOST_VALUES] = {0};
    visit_loads(n, count, numbers);
    return numbers[value] > 1;
}

static bool put_in(group *g, tn_nest *into, const tn_op *op) {
    tn_compute from;
    tn_nest n;
    uint32_t v = number_of(g, tn_part_result(op, 0));
    if (v == MOST_VALUES || !nest_of(g, op, &from, &n) || !passes_on(&from, &n)) {
        return false;
    }
    tn_nest before = *into;
    before.value = tn_calc_copy(g->arena, into->value);
    if (n.n_stages > 0 && tn_nest_put_behind(g->arena, &before, v, &n)) {
        *into = before;
        return true;
    }
    return !(n.n_stages == 0 && is_loaded_again(into, v) && loads_halves(g, &n)) &&
           tn_nest_put_inside(g->arena, into, v, &n);
}

static void mark(tn_calc *load, uint32_t *numbers) {
    numbers[load->which] = 1;
}

/* Operands are those that are loaded. */
static void settle(group *g, tn_nest *n, tn_compute *c, tn_value ***values) {
    uint32_t numbers[MOST_VALUES] = {0}, count = 0;
    tn_compute_value *operands = TN_ARRAY(g->arena, tn_compute_value, g->n + 1u);
    *values = TN_ARRAY(g->arena, tn_value *, g->n + 1u);
    visit_loads(n, mark, numbers);
    for (uint32_t i = 0; i < g->n; i++) {
        if (numbers[i] != 0) {
            operands[count] = g->facts[i];
            (*values)[count] = g->values[i];
            numbers[i] = count++;
        }
    }
    visit_loads(n, renumber, numbers);
    c->operands = operands;
    c->n_operands = count;
    c->n_results = 1;
    c->nests.len = 0;
    tn_vec_push(g->arena, &c->nests, *n);
}

/* The nests of a group while they are put together. */
typedef struct several {
    group *g;
    const tn_op *const *ops;
    const uint32_t *of; /* the nest of each op; NULL: as it is a part (tn_op_was.nest) */
    tn_nest *nests;
    uint32_t made[TN_ROWS_NESTS]; /* value */
    uint32_t n;
} several;

static uint32_t nest_at(const several *s, uint32_t op) {
    return s->of != NULL ? s->of[op] : s->ops[op]->was != NULL ? s->ops[op]->was->nest : 0;
}

/* That of the ops up to number `end`, which is the last one it has; `end` becomes the first. */
static bool put_nest(several *s, uint32_t nest, uint32_t *end, tn_compute *c) {
    uint32_t i = *end;
    bool all = nest_of(s->g, s->ops[i], c, &s->nests[nest]);
    s->made[nest] = all ? number_of(s->g, tn_part_result(s->ops[i], 0)) : MOST_VALUES;
    while (all && i > 0 && nest_at(s, i - 1) == nest) {
        all = put_in(s->g, &s->nests[nest], s->ops[--i]);
    }
    *end = i;
    c->operands = s->g->facts;
    return all && s->made[nest] < MOST_VALUES && tn_nest_sum_whole(c, &s->nests[nest]);
}

/* Cuts the nests; operands are then what their loads count (tn_by_rows.operand), of which `values`
 * are the first. */
static bool put_rows(several *s, tn_compute *c, tn_value ***values) {
    uint32_t numbers[MOST_VALUES];
    tn_by_rows *rows = TN_NEW(s->g->arena, tn_by_rows);
    tn_compute_value *operands = TN_ARRAY(s->g->arena, tn_compute_value, TN_ROWS_OPERANDS);
    tn_compute_value *results = TN_ARRAY(s->g->arena, tn_compute_value, s->n);
    if (!tn_nests_by_rows(s->nests, s->n, s->made, s->g->facts, rows)) {
        return false;
    }
    *values = TN_ARRAY(s->g->arena, tn_value *, s->g->n + 1u);
    for (uint32_t v = 0; v < s->g->n; v++) {
        bool any = false;
        for (uint32_t i = 0; i < rows->n_operands; i++) {
            any = any || (rows->operand[i].value == v && !rows->operand[i].made);
        }
        numbers[v] = rows->n_values;
        (*values)[rows->n_values] = s->g->values[v];
        rows->n_values += any;
    }
    for (uint32_t i = 0; i < rows->n_operands; i++) {
        tn_rows_operand *o = &rows->operand[i];
        operands[i] = s->g->facts[o->value];
        o->value = o->made ? o->value : numbers[o->value];
    }
    c->nests.len = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        results[s->nests[i].result] = s->g->facts[s->made[i]];
        tn_vec_push(s->g->arena, &c->nests, s->nests[i]);
    }
    c->rows = rows;
    c->operands = operands;
    c->results = results;
    c->n_operands = rows->n_operands;
    c->n_results = s->n;
    return true;
}

bool tn_compute_of_ops(const tn_module *m, const tn_op *const *ops, uint32_t n, const uint32_t *of,
                       tn_arena *arena, tn_compute *c, tn_value ***values) {
    several *s = TN_NEW(arena, several);
    s->g = TN_NEW(arena, group);
    *s->g = (group){.m = m, .arena = arena};
    s->ops = ops;
    s->of = of;
    s->n = nest_at(s, n - 1) + 1;
    if (s->n > TN_ROWS_NESTS) {
        return false;
    }
    s->nests = TN_ARRAY(arena, tn_nest, s->n); /* they are large */
    tn_compute part = {0};
    bool all = true;
    uint32_t end = n;
    for (uint32_t nest = s->n; all && nest-- > 0;) {
        all = end-- > 0 && nest_at(s, end) == nest &&
              put_nest(s, nest, &end, nest + 1 == s->n ? c : &part);
    }
    all = all && end == 0;
    if (all && s->n == 1) {
        settle(s->g, &s->nests[0], c, values);
    } else if (all) {
        all = put_rows(s, c, values);
    }
    for (uint32_t i = 0; all && i < c->nests.len; i++) {
        all = tn_nest_find_types(c, &c->nests.data[i]);
    }
    return all;
}
