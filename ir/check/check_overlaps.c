/* Results that begin inside an operand of their op. The kernel is run in thought, unit by unit from
 * the first on, in the order that the plan states: what a unit reads must not lie below what has
 * been written by then. Which elements an element needs is a fact of the op table (ir/ops/reach.h);
 * nothing here works out a distance. */
#include <string.h>

#include "ir/base/xmath.h"
#include "ir/check/check_t.h"
#include "ir/ops/reach.h"
#include "ir/ops/work_order.h"

/* Units of one result, at most; and how many axes a walk goes down. */
enum { MOST_UNITS = 1 << 26 };

typedef struct walk {
    const tn_reach *r;
    int64_t strides[TN_MAX_RANK]; /* of the operand, in elements */
    uint32_t axes[TN_MAX_RANK];   /* of the result, as it lies */
    uint32_t n_outer;             /* of them choose a unit, the others lie inside one */
    uint64_t unit_bytes, written; /* written: when the unit at hand begins */
    uint64_t operand_width;
    bool loose;        /* elements of a unit are stored while others of it are made */
    uint64_t distance; /* from the start of the result to that of the operand */
} walk;

/* Lowest element, along the operand axes that result axis `axis` leads, for coordinate c; false
 * where nothing is read. */
static bool follow(const walk *w, uint32_t axis, int64_t c, int64_t *at) {
    for (uint32_t i = 0; i < w->r->in_rank; i++) {
        if (w->r->by[i] == axis) {
            int64_t low = w->r->lowest[i] != NULL ? w->r->lowest[i][c] : c;
            if (low < 0) {
                return false;
            }
            *at += low * w->strides[i];
        }
    }
    return true;
}

/* The lowest element that a unit reads, from `at` on through the axes inside it. */
static bool lowest_inside(const walk *w, uint32_t depth, int64_t *at) {
    for (uint32_t k = depth; k < w->r->rank; k++) {
        int64_t lowest = INT64_MAX;
        for (int64_t c = 0; c < w->r->extent[w->axes[k]]; c++) {
            int64_t here = 0;
            if (follow(w, w->axes[k], c, &here) && here < lowest) {
                lowest = here;
            }
        }
        if (lowest == INT64_MAX) {
            return false;
        }
        *at += lowest;
    }
    return true;
}

/* Runs the units below `depth` in order. False as soon as one reads what has been written over.
 * `inside` is what the axes inside a unit add. */
static bool run_units(walk *w, uint32_t depth, int64_t at, bool reads, int64_t inside) {
    if (depth == w->n_outer) {
        uint64_t first = (uint64_t)(at + inside) * w->operand_width + w->distance;
        uint64_t stored = w->written + (w->loose ? w->unit_bytes : 0);
        w->written += w->unit_bytes;
        return !reads || first >= stored;
    }
    uint32_t axis = w->axes[depth];
    for (int64_t c = 0; c < w->r->extent[axis]; c++) {
        int64_t here = at;
        bool read = reads && follow(w, axis, c, &here);
        if (!run_units(w, depth + 1, read ? here : at, read, inside)) {
            return false;
        }
    }
    return true;
}

static uint32_t width_of(const tn_value *v) {
    return tn_dtype_get(v->type->dtype)->bits / 8u;
}

static bool is_channels_last(const tn_value *v) {
    return (v->flags & TN_VF_CHANNELS_LAST) != 0;
}

/* Whether a kernel that works in the order never reads of operand k what it has written over. */
static bool is_safe(const tn_checking *c, const tn_op *op, uint32_t result, uint32_t k,
                    const tn_plan_overlap *o) {
    const tn_value *y = op->results[result], *x = op->operands[k].value;
    bool last = is_channels_last(y);
    int64_t inside = 0;
    uint64_t units = 1;
    tn_reach r;
    if (!tn_op_reach(op, result, k, c->arena, &r) || (r.flat && (last || is_channels_last(x)))) {
        return false;
    }
    walk w = {.r = &r,
              .n_outer = r.rank - tn_work_axes(o->order, last, r.rank),
              .unit_bytes = width_of(y),
              .operand_width = width_of(x),
              .loose = tn_work_is_loose(o->order),
              .distance = o->distance};
    tn_axes_as_laid(last, r.rank, w.axes);
    tn_strides_as_laid(is_channels_last(x), r.in_rank, r.in, w.strides);
    for (uint32_t i = 0; i < r.rank; i++) {
        uint64_t *product = i < w.n_outer ? &units : &w.unit_bytes;
        if (!tn_mul_u64(*product, (uint64_t)r.extent[w.axes[i]], product)) {
            return false;
        }
    }
    bool reads = lowest_inside(&w, w.n_outer, &inside);
    return units <= MOST_UNITS && w.unit_bytes > 0 && run_units(&w, 0, 0, reads, inside);
}

/* The result of an op that makes this one alone; NULL for other values. */
static const tn_op *sole_maker(const tn_value *v, uint32_t *result) {
    const tn_op *op = v->kind == TN_VALUE_RESULT ? v->def : NULL;
    for (uint32_t i = 0; op != NULL && i < op->n_results; i++) {
        if (op->results[i] != NULL && op->results[i] != v) {
            return NULL;
        }
        *result = op->results[i] == v ? i : *result;
    }
    return op != NULL && op->n_regions == 0 ? op : NULL;
}

/* What is wrong with the overlap of result u; NULL: nothing. */
static const char *fault_of(const tn_checking *c, uint32_t u, const tn_plan_overlap *o) {
    const tn_fact *uf = &c->facts[u], *xf = &c->facts[o->value];
    uint32_t result = 0, n = 0;
    const tn_op *op = sole_maker(uf->v, &result);
    if (!uf->placed || !xf->placed || op == NULL || (int32_t)o->step != uf->write ||
        xf->need != uf->write || xf->used != uf->write || c->p->n_ranges > 0 ||
        c->p->concurrency != TN_SERIAL) {
        return "is not read for the last time by an op that makes this one result, or extents are "
               "open, or steps run side by side";
    }
    const tn_storage *s = &c->p->storages[c->p->values[u].storage],
                     *t = &c->p->storages[c->p->values[o->value].storage];
    if (s == t || s->pool != t->pool || c->p->pools[s->pool].kind != TN_POOL_ARENA || s->pinned ||
        t->pinned || s->slot != TN_NO_ID || t->slot != TN_NO_ID) {
        return "does not lie in another storage of the same arena that is free to share bytes";
    }
    tn_work_order stated = o->order;
    if (op->info->order != NULL && tn_work_order_find(op->info->order, &stated) &&
        stated != o->order) {
        return "needs an order in which the kernel, by its facts, does not work";
    }
    int64_t apart = (int64_t)(tn_check_address(c, o->value) - tn_check_address(c, u));
    if (apart < (int64_t)o->distance) {
        return "does not begin at the distance behind the result, or further";
    }
    if (width_of(uf->v) == 0 || width_of(xf->v) == 0 || o->order == TN_ORDER_NONE) {
        return "or the result has elements of less than a byte, or no order is stated";
    }
    for (uint32_t k = 0; k < op->n_operands; k++) {
        if (op->operands[k].value != xf->v || !tn_reads_data(op, k)) {
            continue;
        }
        n++;
        if (!is_safe(c, op, result, k, o)) {
            return "would be written over before it is read: the distance is too small";
        }
    }
    return n > 0 ? NULL : "is no operand of the op";
}

void tn_check_overlaps(tn_checking *c) {
    c->under = TN_ARRAY(c->arena, uint32_t, c->p->n_storages);
    memset(c->under, 0xff, c->p->n_storages * sizeof *c->under);
    for (uint32_t u = 0; u < c->p->n_values; u++) {
        const tn_plan_value *v = &c->p->values[u];
        for (uint32_t i = 0; i < v->n_overlaps; i++) {
            const tn_plan_overlap *o = &v->overlaps[i];
            const char *fault = fault_of(c, u, o);
            if (fault == NULL && o->order != v->overlaps[0].order) {
                fault = "asks for another order than the operand before";
            }
            if (fault != NULL) {
                tn_check_fail(c, "value %s begins inside %s (order %s, distance %llu), which %s",
                              tn_check_value_name(c, u), tn_check_value_name(c, o->value),
                              tn_work_order_words[o->order], (unsigned long long)o->distance,
                              fault);
            } else {
                c->under[v->storage] = c->p->values[o->value].storage;
            }
        }
    }
}

const tn_plan_overlap *tn_check_overlap_of(const tn_checking *c, uint32_t u, uint32_t x) {
    const tn_plan_value *v = &c->p->values[u];
    for (uint32_t i = 0; i < v->n_overlaps; i++) {
        if (v->overlaps[i].value == x) {
            return &v->overlaps[i];
        }
    }
    return NULL;
}
