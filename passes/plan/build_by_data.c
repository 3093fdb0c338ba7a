/* Extents that data give: which the plan's values have, and where each is to be read. */
#include <string.h>

#include "ir/base/sort.h"
#include "passes/plan/plan_build.h"

typedef struct finding {
    tn_build *b;
    tn_map place; /* id of a name -> its place in the lists */
    TN_VEC(tn_plan_data_dim) found;
    TN_VEC(int32_t) first; /* steps behind which the values found are made */
} finding;

/* The place in the lists; TN_NO_ID for what data do not give. */
static uint32_t note(finding *f, const char *name) {
    const tn_dim_limit *limit = tn_dims_limit_named(f->b->m->dims, name);
    tn_arena *arena = f->b->p->arena;
    if (limit == NULL) {
        return TN_NO_ID;
    }
    uint64_t at = tn_map_or(&f->place, tn_str_id(limit->name), f->found.len);
    if (at == f->found.len) {
        tn_plan_data_dim made = {
            .name = tn_arena_strndup(arena, name, strlen(name)), .most = -1, .value = TN_NO_ID};
        if (!tn_dim_is_const(f->b->m->dims, limit->most, &made.most)) {
            tn_sink text = tn_sink_make(arena);
            tn_dim_print(f->b->m->dims, limit->most, &text);
            made.most_text = text.data;
        }
        tn_map_put(&f->place, tn_str_id(limit->name), at);
        tn_vec_push(arena, &f->found, made);
        tn_vec_push(f->b->scratch, &f->first, INT32_MAX);
    }
    return (uint32_t)at;
}

static void note_symbol(void *user, const char *name) {
    (void)note(user, name);
}

/* A result is made when its op ends: what a loop stacks up is written from its first iteration on,
 * in which its body has found out how much that is. */
static int32_t made_at(const finding *f, const tn_value *v) {
    const tn_liveness *live = f->b->live;
    return v->kind == TN_VALUE_RESULT ? (int32_t)live->steps->end[v->def->id]
                                      : live->of[v->id].first;
}

/* What has the extent is made of what had it first, or by the op that found it out: so that is the
 * value made first, wherever it stands in the file. What runs again counts as the model's. */
static void offer(finding *f, uint32_t at, const tn_value *v, uint32_t axis) {
    const tn_value *own = v->clone_of != NULL ? v->clone_of : v;
    uint32_t value = f->b->plan_value[own->id];
    int32_t first = made_at(f, v);
    if (value != TN_NO_ID && first < f->first.data[at]) {
        f->first.data[at] = first;
        f->found.data[at].value = value;
        f->found.data[at].axis = axis;
    }
}

static void look_at(finding *f, const tn_value *v) {
    tn_dims *d = f->b->m->dims;
    const tn_type *t = v->type;
    for (uint32_t i = 0; t->has_rank && i < t->rank; i++) {
        const char *name = tn_dim_symbol(d, t->dims[i]);
        if (t->dims[i] == TN_DIM_UNKNOWN || !tn_dim_by_data(d, t->dims[i])) {
            continue;
        }
        tn_dim_each_symbol(d, t->dims[i], note_symbol, f);
        uint32_t at = name != NULL ? note(f, name) : TN_NO_ID;
        if (at != TN_NO_ID) {
            offer(f, at, v, i);
        }
    }
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const tn_plan_data_dim *)a)->name, ((const tn_plan_data_dim *)b)->name);
}

void tn_build_by_data(tn_build *b) {
    tn_plan *p = b->p;
    uint32_t n;
    (void)tn_dims_limits(b->m->dims, &n);
    if (n == 0) {
        return;
    }
    finding f = {.b = b, .place = tn_map_make(b->scratch)};
    for (uint32_t i = 0; i < p->n_values; i++) {
        look_at(&f, b->m->values[p->values[i].module_value]);
    }
    p->data_dims = f.found.data;
    p->n_data_dims = f.found.len;
    TN_SORT(p->data_dims, p->n_data_dims, by_name);
}
