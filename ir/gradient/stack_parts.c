#include "ir/gradient/stack_parts.h"

#include "ir/mutate.h"
#include "ir/ops/claims.h"
#include "ir/ops/op_attrs.h"

enum { MOST_PARTS = 4, MOST_OPS = 64, LAST_AXIS = 13 /* version from which it is the default */ };

/* From the product that makes a stack large to the one that makes it small. */
typedef struct stack {
    tn_op *ops[MOST_OPS]; /* in the order of the graph */
    uint32_t n, axis;
    int64_t extent; /* of that axis */
    uint32_t rank;
} stack;

static bool is_product(const tn_op *op) {
    const tn_value *a = tn_operand(op, 0), *b = tn_operand(op, 1);
    return tn_op_is_standard(op, "MatMul") && a != NULL && b != NULL && a->type->has_rank &&
           b->type->has_rank && a->type->rank > 2 && b->type->rank == a->type->rank;
}

static bool is_inside(const stack *s, const tn_op *op) {
    bool inside = false;
    for (uint32_t i = 0; i < s->n; i++) {
        inside |= s->ops[i] == op;
    }
    return inside;
}

/* Whether the operand is there for each part: as a part of it, or whole (*whole). */
static bool has_parts(const tn_emitter *e, const stack *s, const tn_value *v, bool *whole) {
    int64_t extent;
    *whole = v == NULL || (v->type->has_rank && v->type->rank < s->rank - s->axis);
    if (*whole || !v->type->has_rank || v->type->rank > s->rank) {
        return *whole;
    }
    uint32_t axis = s->axis + v->type->rank - s->rank;
    if (!tn_dim_is_const(e->m->dims, v->type->dims[axis], &extent)) {
        return false;
    }
    *whole = extent == 1;
    return extent == 1 || extent == s->extent;
}

/* Parts of a Dropout draw numbers of their own, but not from one seed. */
static bool draws_apart(const tn_op *op) {
    return (op->info->traits & TN_T_RANDOM) == 0 ||
           (tn_op_is_standard(op, "Dropout") && tn_op_attr(op, "seed") == NULL);
}

static bool is_by_matrix(const tn_op *op) {
    const tn_value *x = tn_operand(op, 0);
    bool rows = tn_op_is_standard(op, "Softmax") && x != NULL;
    int64_t otherwise = op->version > 0 && op->version < LAST_AXIS ? 1 : -1;
    int64_t axis = rows ? tn_attr_int(op, "axis", otherwise) : 0;
    bool last = rows && (axis == -1 || axis == (int64_t)x->type->rank - 1);
    return op->domain[0] == '\0' && op->n_regions == 0 && tn_makes_one(op) && draws_apart(op) &&
           (last || (op->info->traits & TN_T_ELEMENTWISE) != 0 ||
            tn_op_is_standard(op, "Dropout") || is_product(op));
}

static bool takes(const tn_emitter *e, const stack *s, const tn_op *op) {
    const tn_value *r = op->n_results > 0 ? op->results[0] : NULL;
    bool fits = is_by_matrix(op) && op->graph == e->m->main && s->n < MOST_OPS, whole;
    for (uint32_t i = 0; i < op->n_operands && fits; i++) {
        fits = has_parts(e, s, op->operands[i].value, &whole);
    }
    return fits && r->type->has_rank && r->type->rank == s->rank && has_parts(e, s, r, &whole) &&
           !whole;
}

/* Whether all that reads a result of the stack is part of it. */
static bool keeps(const stack *s, const tn_value *v) {
    bool all = v->first_use != NULL && (v->flags & TN_VF_OUTPUT) == 0;
    for (const tn_use *u = v->first_use; u != NULL; u = u->next) {
        all &= is_inside(s, u->op);
    }
    return all;
}

static bool reads_inside(const stack *s, const tn_op *op) {
    bool any = false;
    for (uint32_t i = 0; i < op->n_operands; i++) {
        const tn_value *v = op->operands[i].value;
        any |= v != NULL && v->def != NULL && is_inside(s, v->def);
    }
    return any;
}

static bool begins(const tn_emitter *e, tn_op *op, int64_t largest, stack *s) {
    int64_t bytes, extent;
    if (op->graph != e->m->main || !is_product(op) ||
        !tn_type_fixed_bytes(e->m->dims, op->results[0]->type, &bytes) || bytes < largest / 2) {
        return false;
    }
    const tn_type *type = op->results[0]->type;
    *s = (stack){.rank = type->rank, .extent = 1};
    for (; s->axis + 2 < type->rank && s->extent == 1; s->axis += s->extent == 1) {
        s->extent = tn_dim_is_const(e->m->dims, type->dims[s->axis], &extent) ? extent : 1;
    }
    return s->extent > 1 && takes(e, s, op);
}

/* False where something else than a product that makes it small reads it. */
static bool find(const tn_emitter *e, tn_op *first, int64_t largest, stack *s) {
    int64_t bytes, of_result;
    if (!begins(e, first, largest, s)) {
        return false;
    }
    (void)tn_type_fixed_bytes(e->m->dims, first->results[0]->type, &bytes);
    s->ops[s->n++] = first;
    for (tn_op *op = first->next; op != NULL; op = op->next) {
        if (!reads_inside(s, op)) {
            continue;
        }
        if (!takes(e, s, op)) {
            return false;
        }
        s->ops[s->n++] = op;
        if (is_product(op)) {
            bool small = tn_type_fixed_bytes(e->m->dims, op->results[0]->type, &of_result) &&
                         of_result <= bytes / 2;
            for (uint32_t i = 0; i + 1 < s->n && small; i++) {
                small = keeps(s, s->ops[i]->results[0]);
            }
            return small;
        }
    }
    return false;
}

/* ---- parts ---- */

/* Operands from outside of which there are parts. */
typedef struct parted {
    tn_value *of, **parts;
} parted;

static tn_value *part_of(tn_emitter *e, const stack *s, tn_value *v, uint32_t n,
                         const int64_t *sizes, parted *known, uint32_t *n_known, uint32_t part) {
    bool whole;
    (void)has_parts(e, s, v, &whole);
    if (whole) {
        return v;
    }
    for (uint32_t i = 0; i < *n_known; i++) {
        if (known[i].of == v) {
            return known[i].parts[part];
        }
    }
    known[*n_known] = (parted){v, tn_emit_split(e, v, s->axis + v->type->rank - s->rank, n, sizes)};
    return known[(*n_known)++].parts[part];
}

static tn_value *by_parts(tn_emitter *e, const stack *s, uint32_t n) {
    uint32_t n_known = 0, n_operands = 0;
    const int64_t *sizes = tn_even_parts(e, s->extent, n);
    tn_value **made = TN_ARRAY(e->scratch, tn_value *, s->n),
             **ends = TN_ARRAY(e->scratch, tn_value *, n);
    for (uint32_t i = 0; i < s->n; i++) {
        n_operands += s->ops[i]->n_operands;
    }
    parted *known = TN_ARRAY(e->scratch, parted, n_operands);
    for (uint32_t part = 0; part < n; part++) {
        for (uint32_t i = 0; i < s->n; i++) {
            const tn_op *op = s->ops[i];
            tn_value **in = TN_ARRAY(e->scratch, tn_value *, op->n_operands);
            for (uint32_t k = 0; k < op->n_operands; k++) {
                tn_value *v = op->operands[k].value;
                for (uint32_t j = 0; j < i && v != NULL; j++) {
                    in[k] = s->ops[j]->results[0] == v ? made[j] : in[k];
                }
                in[k] = in[k] == NULL && v != NULL
                            ? part_of(e, s, v, n, sizes, known, &n_known, part)
                            : in[k];
            }
            made[i] = tn_emit_again(e, op, in);
        }
        ends[part] = made[s->n - 1];
    }
    return tn_emit_concat(e, ends, n, s->axis);
}

uint32_t tn_stacks_by_parts(tn_emitter *e) {
    uint32_t n = 0, first = e->m->n_ops;
    int64_t largest = tn_emit_largest(e);
    for (tn_op *op = e->m->main->first, *next; op != NULL; op = next) {
        stack s;
        next = op->next;
        if (op->id >= first || !find(e, op, largest, &s)) {
            continue;
        }
        uint32_t parts = s.extent < MOST_PARTS ? (uint32_t)s.extent : MOST_PARTS;
        uint32_t begin = e->m->n_ops;
        tn_op *last = s.ops[s.n - 1];
        const char *stem = op->name[0] != '\0' ? op->name : op->results[0]->name;
        tn_emit_for(e, &op->loc, tn_internf(e->ctx, "%s_Parts", stem));
        tn_emit_replace(e, last->results[0], by_parts(e, &s, parts));
        for (uint32_t i = begin; i < e->m->n_ops; i++) {
            tn_op_move_before(e->m->ops[i], last);
        }
        while (next != NULL && is_inside(&s, next)) {
            next = next->next;
        }
        for (uint32_t i = s.n; i-- > 0;) {
            tn_op_erase(s.ops[i]);
        }
        n += parts;
    }
    return n;
}
