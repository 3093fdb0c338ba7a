#include "ir/compute/compute.h"

#include <string.h>

#include "ir/compute/nest_rules.h"

const tn_attr *tn_compute_attr(const tn_compute *c, const char *name) {
    for (uint32_t i = 0; i < c->n_attrs; i++) {
        if (strcmp(c->attrs[i].name, name) == 0) {
            return &c->attrs[i];
        }
    }
    return NULL;
}

int64_t tn_compute_int(const tn_compute *c, const char *name, int64_t otherwise) {
    const tn_attr *a = tn_compute_attr(c, name);
    return a != NULL && a->kind == TN_ATTR_INT ? a->u.i : otherwise;
}

double tn_compute_float(const tn_compute *c, const char *name, double otherwise) {
    const tn_attr *a = tn_compute_attr(c, name);
    return a != NULL && a->kind == TN_ATTR_FLOAT ? a->u.f : otherwise;
}

int64_t tn_compute_ints(const tn_compute *c, const char *name, uint32_t i, int64_t otherwise) {
    const tn_attr *a = tn_compute_attr(c, name);
    return a != NULL && a->kind == TN_ATTR_INTS && i < a->n ? a->u.ints[i] : otherwise;
}

const char *tn_compute_text(const tn_compute *c, const char *name) {
    const tn_attr *a = tn_compute_attr(c, name);
    return a != NULL && a->kind == TN_ATTR_STRING ? a->u.s.data : "";
}

const tn_compute_value *tn_compute_operand(const tn_compute *c, uint32_t i) {
    return i < c->n_operands && c->operands[i].there ? &c->operands[i] : NULL;
}

bool tn_compute_axis(int64_t stated, uint32_t rank, uint32_t *axis) {
    *axis = (uint32_t)(stated < 0 ? stated + rank : stated);
    return stated >= -(int64_t)rank && stated < rank;
}

void tn_compute_steps(const tn_compute_value *v, int64_t *steps) {
    int64_t step = 1;
    for (uint32_t i = v->rank; i-- > 0;) {
        steps[i] = step;
        step *= v->dims[i];
    }
}

tn_nest *tn_compute_nest(tn_compute *c, uint32_t result) {
    tn_vec_push(c->arena, &c->nests, (tn_nest){.result = result});
    return &c->nests.data[c->nests.len - 1];
}

tn_nest *tn_compute_over(tn_compute *c, uint32_t result) {
    const tn_compute_value *v = &c->results[result];
    int64_t steps[TN_NEST_AXES];
    if (v->rank > TN_NEST_AXES / 2) {
        return NULL;
    }
    tn_compute_steps(v, steps);
    tn_nest *n = tn_compute_nest(c, result);
    for (uint32_t i = 0; i < v->rank; i++) {
        n->store.by[tn_nest_axis(n, v->dims[i])] = steps[i];
    }
    n->n_outer = v->rank;
    return n;
}

bool tn_compute_broadcast(const tn_compute_value *v, const tn_nest *n, uint32_t rank,
                          tn_affine *at) {
    int64_t steps[TN_NEST_AXES];
    *at = (tn_affine){0};
    if (v->rank > rank) {
        return false;
    }
    tn_compute_steps(v, steps);
    for (uint32_t i = 0; i < v->rank; i++) {
        uint32_t axis = rank - v->rank + i;
        if (v->dims[i] != 1 && v->dims[i] != n->extent[axis]) {
            return false;
        }
        at->by[axis] = v->dims[i] == 1 ? 0 : steps[i];
    }
    return true;
}

tn_calc *tn_calc_number(tn_arena *arena, double x) {
    tn_calc *calc = TN_NEW(arena, tn_calc);
    *calc = (tn_calc){.kind = TN_CALC_NUMBER, .number = x};
    return calc;
}

tn_calc *tn_calc_load(tn_arena *arena, uint32_t operand, const tn_affine *at) {
    tn_calc *calc = TN_NEW(arena, tn_calc);
    *calc = (tn_calc){.kind = TN_CALC_LOAD, .which = operand, .at = *at};
    return calc;
}

tn_calc *tn_calc_load_by(tn_arena *arena, uint32_t operand, const tn_affine *at, tn_calc *index) {
    tn_calc *calc = tn_calc_load(arena, operand, at);
    calc->arg[0] = index;
    return calc;
}

tn_calc *tn_calc_index(tn_arena *arena, tn_calc *whole, int64_t extent, int64_t step) {
    tn_calc *index = tn_calc_make(arena, TN_CALC_INDEX, tn_calc_convert(arena, whole, TN_DT_INT64),
                                  tn_calc_number(arena, (double)extent), NULL);
    return step == 1
               ? index
               : tn_calc_make(arena, TN_CALC_MUL, index, tn_calc_number(arena, (double)step), NULL);
}

tn_calc *tn_calc_index_up(tn_arena *arena, tn_calc *whole, int64_t extent, int64_t step) {
    tn_calc *below = tn_calc_make(arena, TN_CALC_LESS, whole, tn_calc_number(arena, 0), NULL);
    tn_calc *none = tn_calc_number(arena, (double)extent);
    return tn_calc_index(
        arena, tn_calc_make(arena, TN_CALC_SELECT, below, none, tn_calc_copy(arena, whole)), extent,
        step);
}

tn_calc *tn_calc_place(tn_arena *arena, const tn_affine *at) {
    tn_calc *calc = TN_NEW(arena, tn_calc);
    *calc = (tn_calc){.kind = TN_CALC_PLACE, .at = *at};
    return calc;
}

tn_calc *tn_calc_made(tn_arena *arena, const tn_affine *at) {
    tn_calc *calc = TN_NEW(arena, tn_calc);
    *calc = (tn_calc){.kind = TN_CALC_MADE, .at = *at};
    return calc;
}

tn_calc *tn_calc_convert(tn_arena *arena, tn_calc *x, tn_dtype to) {
    tn_calc *calc = tn_calc_make(arena, TN_CALC_CONVERT, x, NULL, NULL);
    calc->type = tn_calc_type_of(to);
    return calc;
}

tn_calc *tn_calc_local(tn_arena *arena, uint32_t stage) {
    tn_calc *calc = TN_NEW(arena, tn_calc);
    *calc = (tn_calc){.kind = TN_CALC_LOCAL, .which = stage};
    return calc;
}

tn_calc *tn_calc_factor(tn_arena *arena, const float *factors, uint32_t n, uint32_t axis) {
    tn_calc *calc = TN_NEW(arena, tn_calc);
    *calc = (tn_calc){.kind = TN_CALC_FACTOR, .which = n, .factors = factors};
    calc->at.by[axis] = 1;
    return calc;
}

tn_calc *tn_calc_copy(tn_arena *arena, const tn_calc *x) {
    tn_calc *copy = TN_NEW(arena, tn_calc);
    *copy = *x;
    for (uint32_t i = 0; i < 3; i++) {
        copy->arg[i] = x->arg[i] != NULL ? tn_calc_copy(arena, x->arg[i]) : NULL;
    }
    return copy;
}

tn_calc *tn_calc_make(tn_arena *arena, tn_calc_op op, tn_calc *a, tn_calc *b, tn_calc *c) {
    b = a == b ? tn_calc_copy(arena, a) : b;
    tn_calc *calc = TN_NEW(arena, tn_calc);
    *calc = (tn_calc){.kind = TN_CALC_OP, .op = op, .arg = {a, b, c}};
    return calc;
}

/* ---- what any rule may rest on ---- */

/* Elements that some number of C holds. */
static bool is_element(tn_dtype dtype) {
    uint32_t bits = tn_dtype_get(dtype)->bits;
    return bits > 0 && bits <= 64;
}

static bool is_plain(const tn_compute_value *v) {
    int64_t elements = 1;
    if (v->rank > TN_NEST_AXES || !is_element(v->dtype)) {
        return false;
    }
    for (uint32_t i = 0; i < v->rank; i++) {
        if (v->dims[i] <= 0 || v->dims[i] > INT32_MAX / elements) {
            return false; /* open, none at all, or more than 32 bits count */
        }
        elements *= v->dims[i];
    }
    return true;
}

/* An operand behind the first of no elements at all says nothing. */
static bool is_empty(const tn_compute_value *v) {
    for (uint32_t i = 0; i < v->rank; i++) {
        if (v->dims[i] == 0) {
            return true;
        }
    }
    return false;
}

static bool all_plain(const tn_compute_value *values, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        if (values[i].there && !is_plain(&values[i]) && (i == 0 || !is_empty(&values[i]))) {
            return false;
        }
    }
    return true;
}

bool tn_compute_make(tn_compute *c) {
    if (c->info->compute == NULL || c->n_results == 0 || !all_plain(c->operands, c->n_operands) ||
        !all_plain(c->results, c->n_results) || !c->info->compute(c)) {
        return false;
    }
    bool typed = c->nests.len > 0;
    for (uint32_t i = 0; typed && i < c->nests.len; i++) {
        typed = tn_nest_find_types(c, &c->nests.data[i]);
        if (!c->keeps_axes) {
            tn_nest_join(&c->nests.data[i]);
        }
    }
    return typed;
}
