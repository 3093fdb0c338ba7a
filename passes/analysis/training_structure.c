#include "passes/analysis/training_structure.h"

#include "ir/ops/claims.h"
#include "ir/ops/grad_text.h"
#include "ir/walk.h"

enum {
    MOST_MOVES = 32,  /* ops between a value and the product that reads it */
    MOST_TERMS = 512, /* values that a gradient is a sum of, with all between */
    MASKED = 32       /* operands that a gradient can name */
};

/* A product of the forward part and the one that mirrors it. */
typedef struct mirror {
    const tn_op *forward, *product;
    const tn_value *param, *d, *gradient;
} mirror;

/* What the gradient by an operand names, as bits. */
typedef struct names {
    bool given; /* false: the row gives no gradient */
    uint32_t operands, results;
} names;

typedef struct finder {
    const tn_module *m;
    const bool *bound;
    tn_arena *arena;
    names **names; /* by op id: of its operands; NULL until asked for */
    TN_VEC(mirror) mirrors;
    uint32_t *seen; /* by value id: the last walk that saw it */
    uint32_t walk;
} finder;

typedef TN_VEC(const tn_value *) values;

/* ---- facts of the table ---- */

static bool is_float(const tn_value *v) {
    return v != NULL && v->type->kind == TN_TYPE_TENSOR &&
           tn_dtype_get(v->type->dtype)->kind == 'F';
}

static bool is_single(const tn_module *m, const tn_value *v) {
    int64_t n;
    return tn_type_fixed_elements(m->dims, v->type, &n) && n == 1;
}

static bool is_tensor(const finder *f, const tn_value *v) {
    return is_float(v) && !is_single(f->m, v);
}

/* How many operands gradients may name: an op that joins thousands is no product. */
static uint32_t n_named(const tn_op *op) {
    return op->n_operands < MASKED ? op->n_operands : MASKED;
}

/* Those of all operands that gradients may name: reading formulas costs more than all else here. */
static const names *names_of(finder *f, const tn_op *op) {
    names **of = &f->names[op->id];
    if (*of == NULL) {
        *of = TN_ARRAY(f->arena, names, n_named(op));
        for (uint32_t k = 0; k < n_named(op); k++) {
            names *n = &(*of)[k];
            tn_grad_case c;
            n->given = tn_op_grad(op, k, false, &c) == TN_GRAD_GIVEN;
            if (n->given) {
                tn_grad_needs(op->info, op->version, &c, &n->operands, &n->results);
            }
        }
    }
    return *of;
}

/* The gradient by each names the other one. */
static bool is_product_of(finder *f, const tn_op *op, uint32_t i, uint32_t k) {
    const names *n = names_of(f, op);
    return i != k && i < n_named(op) && k < n_named(op) && (n[i].operands >> k & 1u) != 0 &&
           (n[k].operands >> i & 1u) != 0;
}

/* The gradient by operand k names no results and no tensors: the op moves, sums or scales it. */
static bool is_linear_in(finder *f, const tn_op *op, uint32_t k) {
    const names *n = &names_of(f, op)[k];
    if (!n->given || n->results != 0) {
        return false;
    }
    for (uint32_t i = 0; i < n_named(op); i++) {
        const tn_value *v = tn_operand(op, i);
        if ((n->operands >> i & 1u) != 0 && v != NULL && !is_single(f->m, v)) {
            return false;
        }
    }
    return true;
}

static uint32_t count_tensors(const finder *f, const tn_op *op) {
    uint32_t n = 0;
    for (uint32_t k = 0; k < op->n_operands; k++) {
        n += is_tensor(f, tn_operand(op, k));
    }
    return n;
}

/* `v` and what it is made of by linear ops, at most `most` values; `sums`: also by those that read
 * several tensors. */
static values made_of(finder *f, const tn_value *v, uint32_t most, bool sums) {
    values out = {0};
    f->walk++;
    f->seen[v->id] = f->walk;
    tn_vec_push(f->arena, &out, v);
    for (uint32_t i = 0; i < out.len && out.len < most; i++) {
        const tn_op *op = out.data[i]->kind == TN_VALUE_RESULT ? out.data[i]->def : NULL;
        if (op == NULL || op->n_regions > 0 || (!sums && count_tensors(f, op) != 1)) {
            continue;
        }
        for (uint32_t k = 0; k < n_named(op); k++) {
            const tn_value *x = tn_operand(op, k);
            if (is_tensor(f, x) && f->seen[x->id] != f->walk && is_linear_in(f, op, k)) {
                f->seen[x->id] = f->walk;
                tn_vec_push(f->arena, &out, x);
            }
        }
    }
    return out;
}

/* ---- reach ---- */

static const tn_op *in_main(const finder *f, const tn_op *op) {
    while (op->graph != f->m->main && op->graph->owner != NULL) {
        op = op->graph->owner;
    }
    return op;
}

/* Values of the main graph that depend on `v`, with it: flags by value id, added to `reached`. */
static void reach_from(const finder *f, const tn_value *v, bool *reached) {
    values work = {0};
    tn_vec_push(f->arena, &work, v);
    reached[v->id] = true;
    while (work.len > 0) {
        for (const tn_use *u = work.data[--work.len]->first_use; u != NULL; u = u->next) {
            const tn_op *op = in_main(f, u->op);
            for (uint32_t r = 0; r < op->n_results; r++) {
                const tn_value *y = op->results[r];
                if (y != NULL && !reached[y->id]) {
                    reached[y->id] = true;
                    tn_vec_push(f->arena, &work, y);
                }
            }
        }
    }
}

/* Ops of the main graph that one of `ops` needs, with it: flags by op id. `ops` is used up. */
typedef TN_VEC(const tn_op *) op_list;
static bool *needed_by(const finder *f, op_list ops) {
    bool *needed = TN_ARRAY(f->arena, bool, f->m->n_ops);
    while (ops.len > 0) {
        const tn_op *op = ops.data[--ops.len], *inner = op;
        if (needed[op->id]) {
            continue;
        }
        needed[op->id] = true;
        do { /* bodies read what is outside, too */
            for (uint32_t k = 0; k < inner->n_operands; k++) {
                const tn_value *v = tn_operand(inner, k);
                if (v != NULL && v->kind == TN_VALUE_RESULT && v->graph == f->m->main) {
                    tn_vec_push(f->arena, &ops, v->def);
                }
            }
            inner = tn_op_after(f->m->main, (tn_op *)inner);
        } while (inner != NULL && inner->graph != f->m->main);
    }
    return needed;
}

/* ---- mirrors ---- */

/* Data of the model or state, or made of such data alone (weights that a file leaves out). */
static bool is_param(const tn_value *v) {
    if (tn_is_const(v)) {
        return true;
    }
    if (v->kind != TN_VALUE_RESULT) {
        return v->tensor != NULL || (v->flags & (TN_VF_STATE | TN_VF_PARAM)) != 0;
    }
    for (uint32_t k = 0; k < v->def->n_operands; k++) {
        const tn_value *x = tn_operand(v->def, k);
        if (x != NULL && !tn_is_const(x)) {
            return false;
        }
    }
    return v->def->n_operands > 0 && v->def->n_regions == 0;
}

static const tn_value *param_of(finder *f, const tn_value *v, const tn_type *type) {
    values all = made_of(f, v, MOST_MOVES, false);
    for (uint32_t i = 0; i < all.len; i++) {
        if (is_param(all.data[i]) && tn_type_equal(all.data[i]->type, type)) {
            return all.data[i];
        }
    }
    return NULL;
}

/* The value among `ds` that the gradient of `y` may be: of its type, dependent on it, and more than
 * its elements moved. */
static const tn_value *gradient_of(finder *f, const tn_value *y, const values *ds) {
    const tn_value *found = NULL;
    for (uint32_t i = 0; i < ds->len; i++) {
        if (ds->data[i] == y) {
            return NULL;
        }
        if (found == NULL && tn_type_equal(ds->data[i]->type, y->type)) {
            found = ds->data[i];
        }
    }
    if (found == NULL || found->kind != TN_VALUE_RESULT) {
        return NULL;
    }
    bool *reached = TN_ARRAY(f->arena, bool, f->m->n_values);
    reach_from(f, y, reached);
    return reached[found->id] ? found : NULL;
}

/* A reader of `x` that makes a product with a parameter of the gradient's type, whose own gradient
 * is among `ds`. */
static bool mirrors_reader(finder *f, const tn_value *x, const values *ds, mirror *out) {
    for (const tn_use *u = x->first_use; u != NULL; u = u->next) {
        const tn_op *op = u->op;
        const tn_value *y = tn_result(op, 0);
        if (op == out->product || op->graph != f->m->main || y == NULL) {
            continue;
        }
        for (uint32_t k = 0; k < n_named(op); k++) {
            const tn_value *p = tn_operand(op, k);
            if (p == x || !is_product_of(f, op, k, u->index) || !is_tensor(f, p) ||
                (out->param = param_of(f, p, out->gradient->type)) == NULL) {
                continue;
            }
            out->d = gradient_of(f, y, ds);
            if (out->d != NULL) {
                out->forward = op;
                return true;
            }
        }
    }
    return false;
}

static bool mirrors(finder *f, mirror *out) {
    const tn_op *op = out->product;
    for (uint32_t i = 0; i < n_named(op); i++) {
        for (uint32_t k = 0; k < n_named(op); k++) {
            const tn_value *a = tn_operand(op, i), *b = tn_operand(op, k);
            if (!is_product_of(f, op, i, k) || !is_tensor(f, a) || !is_tensor(f, b)) {
                continue;
            }
            values xs = made_of(f, a, MOST_MOVES, false), ds = made_of(f, b, MOST_MOVES, false);
            for (uint32_t n = 0; n < xs.len; n++) {
                if (!is_param(xs.data[n]) && mirrors_reader(f, xs.data[n], &ds, out)) {
                    return true;
                }
            }
        }
    }
    return false;
}

static bool is_found(const finder *f, const tn_value *param) {
    for (uint32_t i = 0; i < f->mirrors.len; i++) {
        if (f->mirrors.data[i].param == param) {
            return true;
        }
    }
    return false;
}

static void try_gradient(finder *f, const tn_value *gradient) {
    values terms = made_of(f, gradient, MOST_TERMS, true);
    for (uint32_t i = 0; i < terms.len; i++) {
        const tn_value *v = terms.data[i];
        mirror found = {.product = v->kind == TN_VALUE_RESULT ? v->def : NULL,
                        .gradient = gradient};
        if (found.product != NULL && found.product->graph == f->m->main && mirrors(f, &found) &&
            !is_found(f, found.param)) {
            tn_vec_push(f->arena, &f->mirrors, found);
            return;
        }
    }
}

/* ---- the whole ---- */

static bool makes_bound(const finder *f, const tn_op *op) {
    for (uint32_t r = 0; r < op->n_results; r++) {
        if (op->results[r] != NULL && f->bound[op->results[r]->id]) {
            return true;
        }
    }
    return false;
}

static bool is_handed_out(const finder *f, const tn_value *v) {
    if (v->flags & TN_VF_OUTPUT) {
        return !f->bound[v->id];
    }
    for (const tn_use *u = v->first_use; u != NULL; u = u->next) {
        if (makes_bound(f, u->op) || (u->op->info->traits & TN_T_UPDATE) != 0) {
            return true;
        }
    }
    return false;
}

static void find_mirrors(finder *f) {
    for (uint32_t i = 0; i < f->m->n_values; i++) {
        const tn_value *v = f->m->values[i];
        bool made = v->kind == TN_VALUE_RESULT && !v->def->erased && v->graph == f->m->main;
        if (made && is_tensor(f, v) && is_handed_out(f, v)) {
            try_gradient(f, v);
        }
    }
}

/* What depends on gradients. */
static bool *behind_gradients(const finder *f) {
    bool *behind = TN_ARRAY(f->arena, bool, f->m->n_values);
    for (uint32_t i = 0; i < f->mirrors.len; i++) {
        reach_from(f, f->mirrors.data[i].d, behind);
    }
    return behind;
}

static bool is_state_of(const finder *f, const tn_value *param) {
    for (uint32_t i = 0; i < f->m->n_bindings; i++) {
        if (f->m->bindings[i].state == param) {
            return true;
        }
    }
    return false;
}

static bool is_enough(const finder *f, const bool *behind) {
    bool loss = false;
    for (uint32_t i = 0; i < f->m->main->n_outputs; i++) {
        const tn_value *v = f->m->main->outputs[i];
        loss |= is_float(v) && is_single(f->m, v) && v->kind == TN_VALUE_RESULT && !behind[v->id];
    }
    return f->mirrors.len > 1 ||
           (f->mirrors.len == 1 && (loss || is_state_of(f, f->mirrors.data[0].param)));
}

static bool has_type_of_param(const finder *f, const tn_value *v) {
    for (uint32_t i = 0; i < f->m->n_values; i++) {
        const tn_value *p = f->m->values[i];
        if (p->graph == f->m->main && is_tensor(f, p) && is_param(p) &&
            tn_type_equal(p->type, v->type)) {
            return true;
        }
    }
    return false;
}

/* What outputs and state need that no gradient does: the forward part. An output of a parameter's
 * type is a gradient rather than a prediction. */
static bool *forward_ops(const finder *f, const bool *behind) {
    op_list roots = {0};
    for (uint32_t i = 0; i < f->mirrors.len; i++) {
        tn_vec_push(f->arena, &roots, f->mirrors.data[i].forward);
    }
    for (uint32_t i = 0; i < f->m->n_values; i++) {
        const tn_value *v = f->m->values[i];
        bool kept = f->bound[v->id] || (v->flags & TN_VF_OUTPUT) != 0;
        if (kept && v->kind == TN_VALUE_RESULT && v->graph == f->m->main && !v->def->erased &&
            !behind[v->id] && !has_type_of_param(f, v)) {
            tn_vec_push(f->arena, &roots, v->def);
        }
    }
    return needed_by(f, roots);
}

const bool *tn_backward_by_structure(const tn_module *m, const bool *bound, bool *param,
                                     tn_arena *arena) {
    finder f = {
        .m = m,
        .bound = bound,
        .arena = arena,
        .names = TN_ARRAY(arena, names *, m->n_ops),
        .seen = TN_ARRAY(arena, uint32_t, m->n_values),
    };
    find_mirrors(&f);
    const bool *behind = behind_gradients(&f);
    if (!is_enough(&f, behind)) {
        return NULL;
    }
    const bool *forward = forward_ops(&f, behind);
    op_list products = {0};
    for (uint32_t i = 0; i < f.mirrors.len; i++) {
        param[f.mirrors.data[i].param->id] = true;
        tn_vec_push(arena, &products, f.mirrors.data[i].product);
    }
    bool *backward = needed_by(&f, products);
    for (uint32_t i = 0; i < m->n_ops; i++) {
        backward[i] = backward[i] && !forward[i];
    }
    return backward;
}
