#include "ir/substitute.h"

#include "ir/mutate.h"

/* What dimensions and types have become, by id and by address: most stand in many places. */
typedef struct substitution {
    tn_module *m;
    tn_map dims, types;
} substitution;

static tn_dim new_dim(substitution *s, tn_dim d) {
    uint64_t done;
    if (!tn_map_get(&s->dims, d, &done)) {
        done = tn_dim_substitute(s->m->dims, d);
        tn_map_put(&s->dims, d, done);
    }
    return (tn_dim)done;
}

/* The array itself when nothing in it changes. */
static const tn_dim *new_dims(substitution *s, const tn_dim *dims, uint32_t n) {
    tn_dim *copy = NULL;
    for (uint32_t i = 0; i < n; i++) {
        tn_dim d = new_dim(s, dims[i]);
        if (d != dims[i] && copy == NULL) {
            copy = tn_arena_regrow(s->m->arena, dims, n, n, sizeof *copy);
        }
        if (copy != NULL) {
            copy[i] = d;
        }
    }
    return copy != NULL ? copy : dims;
}

/* Recursive as types are: readers bound how deep they nest. */
static const tn_type *new_type(substitution *s, const tn_type *t) {
    uint64_t done;
    if (t == NULL || tn_map_get(&s->types, (uint64_t)(uintptr_t)t, &done)) {
        return t != NULL ? (const tn_type *)(uintptr_t)done : NULL;
    }
    tn_type changed = *t;
    changed.dims = new_dims(s, t->dims, t->has_rank ? t->rank : 0);
    changed.elem = new_type(s, t->elem);
    const tn_type *out = t;
    if (changed.dims != t->dims || changed.elem != t->elem) {
        out = tn_arena_regrow(s->m->arena, &changed, 1, 1, sizeof changed);
    }
    tn_map_put(&s->types, (uint64_t)(uintptr_t)t, (uint64_t)(uintptr_t)out);
    return out;
}

static void change_attr(substitution *s, tn_op *op, tn_attr a) {
    if (a.kind == TN_ATTR_TYPE) {
        a.u.type = new_type(s, a.u.type);
        tn_op_set_attr(op, a);
    } else if (a.kind == TN_ATTR_TYPES) {
        const tn_type **types = TN_ARRAY(s->m->arena, const tn_type *, a.n);
        for (uint32_t i = 0; i < a.n; i++) {
            types[i] = new_type(s, a.u.types[i]);
        }
        a.u.types = types;
        tn_op_set_attr(op, a);
    }
}

/* Inference sets anew only those limits that it meets again. */
static void change_limits(substitution *s) {
    uint32_t n;
    const tn_dim_limit *limits = tn_dims_limits(s->m->dims, &n);
    for (uint32_t i = 0; i < n; i++) {
        tn_dim_limit l = limits[i];
        tn_dims_limit(s->m->dims, l.name, l.of, new_dim(s, l.most));
    }
}

void tn_module_substitute(tn_module *m) {
    tn_arena *scratch = tn_arena_new(m->ctx);
    substitution s = {m, tn_map_make(scratch), tn_map_make(scratch)};
    change_limits(&s);
    for (uint32_t i = 0; i < m->n_values; i++) {
        tn_value *v = m->values[i];
        tn_value_set_type(v, new_type(&s, v->type));
        if (v->content != NULL) {
            tn_value_set_content(v, v->n_content, new_dims(&s, v->content, v->n_content),
                                 v->float_content);
        }
    }
    for (uint32_t i = 0; i < m->n_ops; i++) {
        for (uint32_t k = 0; k < m->ops[i]->n_attrs; k++) {
            change_attr(&s, m->ops[i], m->ops[i]->attrs[k]);
        }
    }
    tn_arena_drop(scratch);
}
