/* Plans with open dimensions: what holds at the planning point, which the other parts prove, has to
 * hold for every extent.
 *
 * Live ranges are steps and do not depend on extents, and aliases were judged by types that have
 * expressions for extents. What is left are the places: that sizes are the right expressions, that
 * a storage has room for its values, and that no two storages that are alive together can meet. For
 * the last, storages are numbered so that each comes behind those it lies above; at every step
 * those that are alive must form a chain by numbers, each joined to the next by a path upwards:
 * then all of them are, and a path puts one behind the end of the other whatever the sizes.
 * Besides, the plan is worked out at some extents, the ends of the ranges among them, and looked at
 * as it is. */
#include <stdlib.h>
#include <string.h>

#include "ir/base/bit_tree.h"
#include "ir/base/xmath.h"
#include "ir/check/check_t.h"
#include "ir/plan/plan_extents.h"

/* Extents at which the plan is looked at: both ends of all ranges, and some between. */
enum { N_SAMPLES = 6 };
/* Stands for the end of a range that has none. */
static const int64_t far_away = 4099;

typedef struct ranged {
    tn_checking *c;
    tn_map moved; /* expression of the plan -> of the module, plus 1 */
    tn_sink text;
    tn_dim *offset, *bytes; /* by value, of the module */
    uint32_t *number;       /* by storage */
    uint32_t *storage;      /* by number */
    uint32_t *visited;      /* by storage: the question in which a search came by */
    uint32_t question;
    TN_VEC(uint32_t) stack; /* of that search */
    tn_bit_tree *alive;     /* by pool: numbers of the storages alive at the step at hand */
} ranged;

/* ---- expressions ---- */

/* What a size of the plan means in the module's table; `fixed` where it is a number. */
static tn_dim meaning(ranged *r, tn_dim expr, uint64_t fixed) {
    tn_dims *d = r->c->m->dims;
    uint64_t known;
    if (expr == TN_DIM_UNKNOWN) {
        return tn_dim_const(d, (int64_t)fixed);
    }
    if (tn_map_get(&r->moved, expr, &known)) {
        return (tn_dim)known;
    }
    r->text.len = 0;
    tn_dim_print(r->c->p->exprs, expr, &r->text);
    const char *at = r->text.data;
    tn_dim made = TN_DIM_UNKNOWN;
    (void)tn_dim_parse(d, &at, &made);
    tn_map_put(&r->moved, expr, made);
    return made;
}

/* ---- what is open ---- */

static void check_ranges(tn_checking *c) {
    const tn_plan *p = c->p;
    uint32_t n;
    (void)tn_dims_ranges(c->m->dims, &n);
    if (n != p->n_ranges) {
        tn_check_fail(c, "the plan leaves %u dimensions open, the model %u", p->n_ranges, n);
    }
    for (uint32_t i = 0; i < p->n_ranges; i++) {
        const tn_plan_range *have = &p->ranges[i];
        const tn_dim_range *want = tn_dims_range_of(c->m->dims, have->name);
        if (want == NULL) {
            tn_check_fail(c, "dimension '%s' of the plan is not open in the model", have->name);
        } else if (have->min > want->min || have->max < want->max) {
            tn_check_fail(
                c, "dimension '%s' is open from %lld to %lld, and the plan is for %lld to %lld",
                have->name, (long long)want->min, (long long)want->max, (long long)have->min,
                (long long)have->max);
        } else if (have->point != want->point || have->point < have->min ||
                   have->point > have->max) {
            tn_check_fail(c, "the numbers of the plan are not for '%s' of %lld", have->name,
                          (long long)want->point);
        }
    }
}

/* What follows from open dimensions follows in the model as it does in the plan. */
static void check_relations(ranged *r) {
    tn_checking *c = r->c;
    const tn_plan *p = c->p;
    uint32_t n, n_open = 0;
    const tn_dim_relation *all = tn_dims_relations(c->m->dims, &n);
    for (uint32_t i = 0; i < n; i++) {
        int64_t at_point;
        uint32_t k = 0;
        if (!tn_dim_at_point(c->m->dims, all[i].is, &at_point) ||
            tn_dim_is_const(c->m->dims, all[i].is, &at_point)) {
            continue;
        }
        n_open++;
        while (k < p->n_relations && strcmp(p->relations[k].name, all[i].name) != 0) {
            k++;
        }
        if (k == p->n_relations || meaning(r, p->relations[k].is, 0) != all[i].is) {
            tn_check_fail(c, "dimension '%s' does not follow from others as it does in the model",
                          all[i].name);
        }
    }
    if (n_open != p->n_relations) {
        tn_check_fail(c, "in the plan %u dimensions follow from others, in the model %u",
                      p->n_relations, n_open);
    }
}

/* ---- sizes ---- */

static void check_value(ranged *r, uint32_t i) {
    tn_checking *c = r->c;
    const tn_plan_value *v = &c->p->values[i];
    const tn_storage *s = &c->p->storages[v->storage];
    tn_dims *d = c->m->dims;
    int64_t here;
    tn_dim bytes = meaning(r, v->bytes_expr, v->bytes),
           offset = meaning(r, v->offset_expr, v->offset);
    r->bytes[i] = bytes;
    r->offset[i] = offset;
    if (!tn_dim_at_point(d, offset, &here) || here < 0 || (uint64_t)here != v->offset) {
        tn_check_fail(c,
                      "value %s lies at %llu in the plan, which is not what its expression gives",
                      tn_check_value_name(c, i), (unsigned long long)v->offset);
    }
    if (bytes == TN_DIM_UNKNOWN || bytes != tn_type_room(d, c->facts[i].v->type)) {
        tn_check_fail(c, "the size of value %s is not that of its type for all extents",
                      tn_check_value_name(c, i));
    }
    tn_dim size = meaning(r, s->size_expr, s->size);
    if (!tn_dim_provably_ge(d, size, tn_dim_add(d, offset, bytes)) ||
        !tn_dim_provably_ge(d, offset, tn_dim_const(d, 0))) {
        tn_check_fail(c, "value %s does not lie in its storage for all extents",
                      tn_check_value_name(c, i));
    }
}

static void check_storage_size(ranged *r, uint32_t i) {
    tn_checking *c = r->c;
    const tn_storage *s = &c->p->storages[i];
    int64_t here;
    tn_dim size = meaning(r, s->size_expr, s->size);
    if (c->p->pools[s->pool].kind == TN_POOL_CONST &&
        (s->size_expr != TN_DIM_UNKNOWN || s->above.len > 0)) {
        tn_check_fail(c, "the place of constant %s depends on dimensions",
                      tn_check_value_name(c, s->root));
    }
    if (!tn_dim_at_point(c->m->dims, size, &here) || here < 0 || (uint64_t)here != s->size) {
        tn_check_fail(c,
                      "the storage of %s has %llu bytes in the plan, which is not what its "
                      "expression gives",
                      tn_check_value_name(c, s->root), (unsigned long long)s->size);
    }
}

/* ---- the relation ---- */

/* Storages behind those that they lie above; false after a report where that cannot be. */
static bool number_storages(ranged *r) {
    tn_checking *c = r->c;
    const tn_plan *p = c->p;
    for (uint32_t i = 0; i < p->n_storages; i++) {
        for (uint32_t k = 0; k < p->storages[i].above.len; k++) {
            if (p->storages[p->storages[i].above.data[k]].pool != p->storages[i].pool) {
                tn_check_fail(c, "the storage of %s lies above one of another pool",
                              tn_check_value_name(c, p->storages[i].root));
                return false;
            }
        }
    }
    const uint32_t *order = tn_plan_upwards(p, c->arena);
    if (order == NULL) {
        tn_check_fail(c, "the relation between storages goes in a circle");
        return false;
    }
    for (uint32_t i = 0; i < p->n_storages; i++) {
        r->number[order[i]] = i;
        r->storage[i] = order[i];
    }
    return true;
}

/* Whether a path leads down from `high` to `low`. */
static bool has_path(ranged *r, uint32_t low, uint32_t high) {
    const tn_plan *p = r->c->p;
    r->question++;
    r->stack.len = 0;
    tn_vec_push(r->c->arena, &r->stack, high);
    while (r->stack.len > 0) {
        uint32_t s = r->stack.data[--r->stack.len];
        for (uint32_t k = 0; k < p->storages[s].above.len; k++) {
            uint32_t t = p->storages[s].above.data[k];
            if (t == low) {
                return true;
            }
            if (r->number[t] > r->number[low] && r->visited[t] != r->question) {
                r->visited[t] = r->question;
                tn_vec_push(r->c->arena, &r->stack, t);
            }
        }
    }
    return false;
}

static void demand_path(ranged *r, uint32_t low, uint32_t high) {
    tn_checking *c = r->c;
    if (low == TN_BIT_NONE || high == TN_BIT_NONE) {
        return;
    }
    uint32_t below = r->storage[low], above = r->storage[high];
    if (!has_path(r, below, above)) {
        tn_check_fail(c,
                      "the storages of %s and %s are alive together, and nothing in the relation "
                      "keeps them apart for all extents",
                      tn_check_value_name(c, c->p->storages[below].root),
                      tn_check_value_name(c, c->p->storages[above].root));
    }
}

static int by_end(const void *x, const void *y) {
    const tn_check_life *a = x, *b = y;
    return a->last != b->last ? (a->last < b->last ? -1 : 1)
                              : (a->first > b->first) - (a->first < b->first);
}

/* A storage that leaves a chain leaves its neighbours joined by the path that led through it.
 * `first` of a life is the storage here. */
static void check_chains(ranged *r) {
    tn_checking *c = r->c;
    const tn_plan *p = c->p;
    uint32_t n = p->n_storages;
    tn_check_life *begins = TN_ARRAY(c->arena, tn_check_life, n);
    tn_check_life *ends = TN_ARRAY(c->arena, tn_check_life, n);
    for (uint32_t i = 0; i < n; i++) {
        begins[i] = (tn_check_life){(int32_t)i, tn_check_span(c, i).first};
        ends[i] = (tn_check_life){(int32_t)i, tn_check_span(c, i).last};
    }
    qsort(begins, n, sizeof *begins, by_end);
    qsort(ends, n, sizeof *ends, by_end);
    for (uint32_t i = 0, k = 0; i < n; i++) {
        const tn_storage *s = &p->storages[begins[i].first];
        for (; ends[k].last < begins[i].last; k++) {
            uint32_t gone = (uint32_t)ends[k].first;
            if (p->pools[p->storages[gone].pool].kind == TN_POOL_CONST) {
                continue;
            }
            tn_bit_tree_remove(&r->alive[p->storages[gone].pool], r->number[gone]);
        }
        if (p->pools[s->pool].kind == TN_POOL_CONST) {
            continue; /* none has an offset that is no number */
        }
        tn_bit_tree *alive = &r->alive[s->pool];
        uint32_t at = r->number[s->id];
        demand_path(r, tn_bit_tree_below(alive, at), at);
        demand_path(r, at, tn_bit_tree_above(alive, at));
        tn_bit_tree_add(alive, at);
    }
}

/* ---- at some extents ---- */

static int64_t sample(const tn_plan_range *d, uint32_t which, uint32_t i) {
    int64_t max = d->max - d->min > far_away ? d->min + far_away : d->max;
    uint64_t span = (uint64_t)(max - d->min) + 1;
    switch (which) {
    case 0:
        return d->min;
    case 1:
        return max;
    case 2:
        return d->point;
    default: /* a fixed sequence of numbers without a pattern */
        return d->min +
               (int64_t)((which * UINT64_C(0x9e3779b97f4a7c15) + i * UINT64_C(0xd1342543de82ef95)) %
                         span);
    }
}

typedef struct sampled {
    const tn_plan *p;
    const int64_t *dims;
} sampled;

static bool extent_of(void *user, const char *name, int64_t *value) {
    const sampled *s = user;
    uint32_t i = tn_plan_range_named(s->p, name);
    if (i != TN_NO_ID) {
        *value = s->dims[i];
    }
    return i != TN_NO_ID;
}

/* Extents at which some tensor would have a negative size are none of a run. */
static bool is_sound(tn_checking *c, const int64_t *dims) {
    sampled s = {c->p, dims};
    for (uint32_t i = 0; i < c->p->n_values; i++) {
        int64_t bytes;
        tn_dim size = tn_type_room(c->m->dims, c->facts[i].v->type);
        if (c->p->values[i].storage != TN_NO_ID &&
            (!tn_dim_eval(c->m->dims, size, extent_of, &s, &bytes) || bytes < 0)) {
            return false;
        }
    }
    return true;
}

static void check_samples(tn_checking *c) {
    const tn_plan *p = c->p;
    int64_t *dims = TN_ARRAY(c->arena, int64_t, p->n_ranges);
    for (uint32_t which = 0; which < N_SAMPLES && c->n_reports == 0; which++) {
        tn_resolved at;
        for (uint32_t i = 0; i < p->n_ranges; i++) {
            dims[i] = sample(&p->ranges[i], which, i);
        }
        if (is_sound(c, dims) && tn_plan_resolve(p, dims, c->arena, &at) == TN_OK) {
            tn_check_apart(c, at.storage_offset, at.storage_size, at.pool_size);
        }
    }
}

static void check_point(tn_checking *c) {
    const tn_plan *p = c->p;
    tn_resolved at;
    int64_t *dims = TN_ARRAY(c->arena, int64_t, p->n_ranges);
    for (uint32_t i = 0; i < p->n_ranges; i++) {
        dims[i] = p->ranges[i].point;
    }
    if (tn_plan_resolve(p, dims, c->arena, &at) != TN_OK) {
        c->n_reports++;
        return;
    }
    for (uint32_t i = 0; i < p->n_storages; i++) {
        if (at.storage_offset[i] != p->storages[i].offset) {
            tn_check_fail(c,
                          "the storage of %s lies at %llu in the plan, and at %llu by its relation",
                          tn_check_value_name(c, p->storages[i].root),
                          (unsigned long long)p->storages[i].offset,
                          (unsigned long long)at.storage_offset[i]);
        }
    }
}

void tn_check_ranges(tn_checking *c) {
    const tn_plan *p = c->p;
    uint32_t n = p->n_storages, n_open;
    (void)tn_dims_ranges(c->m->dims, &n_open);
    if (p->n_ranges == 0 && n_open == 0) {
        return;
    }
    check_ranges(c);
    if (c->n_reports > 0 || p->n_ranges == 0) {
        return;
    }
    ranged r = {.c = c,
                .moved = tn_map_make(c->arena),
                .text = tn_sink_make(c->arena),
                .offset = TN_ARRAY(c->arena, tn_dim, p->n_values),
                .bytes = TN_ARRAY(c->arena, tn_dim, p->n_values),
                .number = TN_ARRAY(c->arena, uint32_t, n),
                .storage = TN_ARRAY(c->arena, uint32_t, n),
                .visited = TN_ARRAY(c->arena, uint32_t, n),
                .alive = TN_ARRAY(c->arena, tn_bit_tree, p->n_pools)};
    for (uint32_t i = 0; i < p->n_pools; i++) {
        r.alive[i] = tn_bit_tree_make(c->arena, n + 1);
    }
    check_relations(&r);
    for (uint32_t i = 0; i < n; i++) {
        check_storage_size(&r, i);
    }
    for (uint32_t i = 0; i < p->n_values; i++) {
        if (p->values[i].storage != TN_NO_ID) {
            check_value(&r, i);
        }
    }
    if (c->n_reports == 0) {
        tn_check_open_offsets(c, r.offset, r.bytes);
    }
    if (number_storages(&r)) {
        check_chains(&r);
        tn_check_range_waits(c, r.number, r.storage);
    }
    if (c->n_reports == 0) {
        check_point(c);
        check_samples(c);
    }
}
