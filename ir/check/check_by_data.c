/* Extents that data give: the plan names those of the model that its values have, each with its
 * limit, and the value whose extent it is before any other's. That no alias rests on what they are
 * the other parts see to: sizes are equal where their expressions are. */
#include <string.h>

#include "ir/check/check_t.h"

typedef struct listed {
    tn_checking *c;
    tn_map stated; /* ids of names that the plan has */
    tn_map met;    /* the same of the model */
    uint32_t n;
} listed;

static void demand_listed(void *user, const char *name) {
    listed *l = user;
    uint32_t id = tn_str_id(tn_intern(l->c->ctx, name));
    if (tn_dims_limit_named(l->c->m->dims, name) == NULL || tn_map_or(&l->met, id, 0) != 0) {
        return;
    }
    tn_map_put(&l->met, id, 1);
    l->n++;
    if (tn_map_or(&l->stated, id, 0) == 0) {
        tn_check_fail(l->c, "the plan does not say that data give '%s'", name);
    }
}

/* Whoever runs the plan would not know where to read the extent. */
static void demand_no_holder(tn_checking *c, const tn_plan_data_dim *d) {
    tn_dim extent = tn_dim_sym(c->m->dims, d->name);
    for (uint32_t i = 0; i < c->p->n_values; i++) {
        const tn_type *t = c->facts[i].v->type;
        for (uint32_t k = 0; t->has_rank && k < t->rank; k++) {
            if (t->dims[k] == extent) {
                tn_check_fail(
                    c, "the plan names no value to read '%s' from, though it is an extent of %s",
                    d->name, tn_check_value_name(c, i));
                return;
            }
        }
    }
}

static void check_limit(tn_checking *c, const tn_plan_data_dim *d) {
    const tn_dim_limit *limit = tn_dims_limit_named(c->m->dims, d->name);
    int64_t most = -1;
    c->text.len = 0;
    if (limit == NULL) {
        tn_check_fail(c, "data do not give '%s' in the model", d->name);
        return;
    }
    if (!tn_dim_is_const(c->m->dims, limit->most, &most)) {
        tn_dim_print(c->m->dims, limit->most, &c->text);
    }
    bool text = d->most_text != NULL ? c->text.len > 0 && strcmp(d->most_text, c->text.data) == 0
                                     : c->text.len == 0;
    if (d->most != most || !text) {
        tn_check_fail(c, "'%s' has another limit in the plan than in the model", d->name);
    }
    if (d->value == TN_NO_ID) {
        demand_no_holder(c, d);
        return;
    }
    if (d->value >= c->p->n_values) {
        tn_check_fail(c, "'%s' is said to be an extent of a value that the plan does not have",
                      d->name);
        return;
    }
    const tn_type *t = c->facts[d->value].v->type;
    if (!t->has_rank || d->axis >= t->rank || t->dims[d->axis] != tn_dim_sym(c->m->dims, d->name)) {
        tn_check_fail(c, "axis %u of value %s is not '%s'", d->axis,
                      tn_check_value_name(c, d->value), d->name);
    }
}

/* The step behind which a value is there: what a loop stacks up is written before. */
static int32_t made_at(const tn_checking *c, uint32_t value) {
    const tn_value *v = c->facts[value].v;
    return v->kind == TN_VALUE_RESULT ? (int32_t)c->end[v->def->id] : c->facts[value].write;
}

/* By value: the step that makes it, or what runs again for it, first. */
static int32_t *first_made(const tn_checking *c) {
    int32_t *first = TN_ARRAY(c->arena, int32_t, c->p->n_values);
    for (uint32_t i = 0; i < c->p->n_values; i++) {
        first[i] = made_at(c, i);
    }
    for (uint32_t i = 0; i < c->p->n_values; i++) {
        const tn_value *of = c->facts[i].v->clone_of;
        uint32_t k = of != NULL ? c->plan_value[of->id] : TN_NO_ID;
        if (k != TN_NO_ID && first[i] < first[k]) {
            first[k] = first[i];
        }
    }
    return first;
}

/* Whoever runs the plan reads an extent of one value, and needs it for all others: none of them is
 * made before that one. */
static void check_holders(tn_checking *c) {
    const tn_plan *p = c->p;
    const int32_t *first = first_made(c);
    tn_map holder = tn_map_make(c->arena);
    for (uint32_t i = 0; i < p->n_data_dims; i++) {
        if (p->data_dims[i].value != TN_NO_ID) {
            tn_map_put(&holder, tn_dim_sym(c->m->dims, p->data_dims[i].name),
                       p->data_dims[i].value);
        }
    }
    for (uint32_t i = 0; i < p->n_values; i++) {
        const tn_type *t = c->facts[i].v->type;
        for (uint32_t k = 0; t->has_rank && k < t->rank; k++) {
            uint64_t of;
            if (tn_map_get(&holder, t->dims[k], &of) && made_at(c, i) < first[of]) {
                tn_check_fail(c,
                              "dimension %u of value %s is read from value %s, which is made later",
                              k, tn_check_value_name(c, i), tn_check_value_name(c, (uint32_t)of));
                return;
            }
        }
    }
}

void tn_check_by_data(tn_checking *c) {
    const tn_plan *p = c->p;
    listed l = {.c = c, .stated = tn_map_make(c->arena), .met = tn_map_make(c->arena)};
    uint32_t n;
    for (uint32_t i = 0; i < p->n_data_dims; i++) {
        tn_map_put(&l.stated, tn_str_id(tn_intern(c->ctx, p->data_dims[i].name)), 1);
    }
    (void)tn_dims_limits(c->m->dims, &n);
    for (uint32_t i = 0; n > 0 && i < p->n_values; i++) {
        const tn_type *t = c->facts[i].v->type;
        for (uint32_t k = 0; t->has_rank && k < t->rank; k++) {
            if (t->dims[k] != TN_DIM_UNKNOWN && tn_dim_by_data(c->m->dims, t->dims[k])) {
                tn_dim_each_symbol(c->m->dims, t->dims[k], demand_listed, &l);
            }
        }
    }
    for (uint32_t i = 0; i < p->n_data_dims; i++) {
        check_limit(c, &p->data_dims[i]);
    }
    if (c->n_reports == 0 && l.n != p->n_data_dims) {
        tn_check_fail(c, "the plan names %u extents that data give, its values have %u",
                      p->n_data_dims, l.n);
    }
    if (c->n_reports == 0 && p->n_data_dims > 0) {
        check_holders(c);
    }
}
