#include "ir/compute/nest.h"

static const struct {
    const char *name;
    uint32_t args;
} ops[] = {
#define CALC(id, name, args, out, floats, whole) {name, args},
#include "ir/compute/calc_ops.def"
#undef CALC
};

const char *tn_calc_name(tn_calc_op op) {
    return ops[op].name;
}

uint32_t tn_calc_args(tn_calc_op op) {
    return ops[op].args;
}

uint32_t tn_nest_axis(tn_nest *n, int64_t extent) {
    n->extent[n->n_axes] = extent;
    return n->n_axes++;
}

void tn_affine_range(const tn_nest *n, const tn_affine *at, uint32_t from, uint32_t to,
                     int64_t *least, int64_t *most) {
    *least = *most = at->base;
    for (uint32_t a = from; a < to; a++) {
        int64_t span = at->by[a] * (n->extent[a] - 1);
        *least += span < 0 ? span : 0;
        *most += span > 0 ? span : 0;
    }
}

/* ---- all places of a nest, one after the other ---- */

typedef bool visit(tn_affine *at, const void *user);

static bool visit_calc(tn_calc *x, visit *fn, const void *user) {
    if (x == NULL || x->kind == TN_CALC_NUMBER || x->kind == TN_CALC_LOCAL) {
        return true;
    }
    bool all = x->kind == TN_CALC_OP || fn(&x->at, user);
    for (uint32_t i = 0; i < 3; i++) {
        all = visit_calc(x->arg[i], fn, user) && all;
    }
    return all;
}

static bool visit_all(tn_nest *n, visit *fn, const void *user) {
    bool all = fn(&n->store, user);
    all = visit_calc(n->value, fn, user) && all;
    all = (n->value_too == NULL || fn(&n->store_too, user)) && all;
    all = visit_calc(n->value_too, fn, user) && all;
    for (uint32_t s = 0; s < n->n_stages; s++) {
        tn_nest_stage *stage = &n->stage[s];
        all = visit_calc(stage->body, fn, user) && all;
        all = visit_calc(stage->start, fn, user) && all;
        for (uint32_t g = 0; g < stage->n_guards; g++) {
            all = fn(&stage->guards[g].at, user) && all;
        }
    }
    return all;
}

/* ---- fewer axes ---- */

typedef struct pair {
    uint32_t axis;
    int64_t inner; /* extent of the axis behind it */
} pair;

static bool goes_through_both(tn_affine *at, const void *user) {
    const pair *p = user;
    return at->by[p->axis] == at->by[p->axis + 1] * p->inner && at->table[p->axis] == NULL &&
           at->table[p->axis + 1] == NULL;
}

/* Axis p->axis goes; what is behind it moves up. Only an axis of one index has a table here. */
static bool drop(tn_affine *at, const void *user) {
    const pair *p = user;
    at->base += at->table[p->axis] != NULL ? at->table[p->axis][0] : 0;
    for (uint32_t a = p->axis; a + 1 < TN_NEST_AXES; a++) {
        at->by[a] = at->by[a + 1];
        at->table[a] = at->table[a + 1];
    }
    at->by[TN_NEST_AXES - 1] = 0;
    at->table[TN_NEST_AXES - 1] = NULL;
    return true;
}

static void drop_axis(tn_nest *n, uint32_t axis) {
    pair p = {axis, 0};
    visit_all(n, drop, &p);
    for (uint32_t a = axis; a + 1 < n->n_axes; a++) {
        n->extent[a] = n->extent[a + 1];
    }
    n->n_axes--;
    n->n_outer -= axis < n->n_outer;
    for (uint32_t s = 0; s < n->n_stages; s++) {
        tn_nest_stage *stage = &n->stage[s];
        stage->depth -= axis < stage->depth;
        stage->n -= axis >= stage->first && axis < stage->first + stage->n;
        stage->first -= axis < stage->first;
    }
}

/* Axis p->axis becomes two, the second of p->inner indices; what is behind it moves down. */
static bool divide(tn_affine *at, const void *user) {
    const pair *p = user;
    bool table = at->table[p->axis] != NULL;
    for (uint32_t a = TN_NEST_AXES - 1; a > p->axis + 1; a--) {
        at->by[a] = at->by[a - 1];
        at->table[a] = at->table[a - 1];
    }
    at->by[p->axis + 1] = at->by[p->axis];
    at->table[p->axis + 1] = NULL;
    at->by[p->axis] *= p->inner;
    return !table;
}

bool tn_nest_divide(tn_nest *n, uint32_t axis, int64_t inner) {
    pair p = {axis, inner};
    if (n->n_axes == TN_NEST_AXES || n->extent[axis] % inner != 0 || !visit_all(n, divide, &p)) {
        return false;
    }
    for (uint32_t a = n->n_axes; a > axis + 1; a--) {
        n->extent[a] = n->extent[a - 1];
    }
    n->extent[axis + 1] = inner;
    n->extent[axis] /= inner;
    n->n_axes++;
    n->n_outer += axis < n->n_outer;
    for (uint32_t s = 0; s < n->n_stages; s++) {
        tn_nest_stage *stage = &n->stage[s];
        stage->depth += axis < stage->depth;
        stage->n += axis >= stage->first && axis < stage->first + stage->n;
        stage->first += axis < stage->first;
    }
    return true;
}

/* Whether no loop ends, and no stage stands, between the axis and the next one. */
static bool belong_together(const tn_nest *n, uint32_t axis) {
    bool together = axis + 1 != n->n_outer;
    for (uint32_t s = 0; s < n->n_stages; s++) {
        const tn_nest_stage *stage = &n->stage[s];
        together = together && axis + 1 != stage->depth && axis + 1 != stage->first &&
                   axis + 1 != stage->first + stage->n;
    }
    return together;
}

void tn_nest_join(tn_nest *n) {
    for (uint32_t a = n->n_axes; a-- > 0;) {
        if (n->extent[a] == 1) {
            drop_axis(n, a);
        }
    }
    for (uint32_t a = 0; a + 1 < n->n_axes;) {
        pair p = {a, n->extent[a + 1]};
        if (belong_together(n, a) && visit_all(n, goes_through_both, &p)) {
            n->extent[a + 1] *= n->extent[a];
            drop_axis(n, a);
        } else {
            a++;
        }
    }
}
