
#include "ir/base/sort.h"
#include "ir/base/xmath.h"
#include "ir/walk.h"
#include "passes/plan/plan_build.h"

typedef struct alive {
    uint32_t storage;
    uint64_t size;
} alive;

static int largest_first(const void *a, const void *b) {
    const alive *x = a, *y = b;
    return TN_FIRST_OF(TN_COMPARE(y->size, x->size), TN_COMPARE(x->storage, y->storage));
}

/* The step with the most bytes alive, alignment counted. The moment of the bound is one, unless the
 * bound is reached only before the first step or behind the last, where inputs and outputs lie. */
static int32_t fullest_step(const tn_build *b) {
    const tn_plan *p = b->p;
    uint64_t *starts = TN_ARRAY(b->scratch, uint64_t, p->n_steps + 1u);
    uint64_t *ends = TN_ARRAY(b->scratch, uint64_t, p->n_steps + 1u);
    uint64_t *saved = TN_ARRAY(b->scratch, uint64_t, p->n_steps + 1u);
    uint64_t now = 0, most = 0;
    int32_t last_step = (int32_t)p->n_steps - 1, fullest = last_step < 0 ? -1 : 0;
    for (uint32_t i = 0; i < p->n_storages; i++) {
        const tn_storage *s = &p->storages[i];
        int32_t first = s->first < 0 ? 0 : s->first,
                last = s->last > last_step ? last_step : s->last;
        uint64_t size = 0;
        if (p->pools[s->pool].kind == TN_POOL_ARENA && first <= last &&
            tn_align_u64(s->size, p->pools[s->pool].align, &size)) {
            starts[first] += size;
            ends[last] += size;
        }
    }
    for (uint32_t i = 0; i < p->n_values; i++) {
        const tn_plan_value *v = &p->values[i];
        if (v->n_overlaps > 0) {
            saved[v->overlaps[0].step] += tn_plan_overlap_saves(p, v);
        }
    }
    for (int32_t i = 0; i <= last_step; i++) {
        now += starts[i];
        uint64_t needed = now - saved[i];
        if (needed > most || (needed == most && i == b->layout->peak_step)) {
            most = needed;
            fullest = i;
        }
        now -= ends[i];
    }
    return fullest;
}

static void find_peak(tn_build *b) {
    tn_plan *p = b->p;
    tn_plan_report *r = &p->report;
    r->peak_step = fullest_step(b);
    alive *list = TN_ARRAY(b->scratch, alive, p->n_storages);
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n_storages; i++) {
        const tn_storage *s = &p->storages[i];
        if (p->pools[s->pool].kind == TN_POOL_ARENA && s->size > 0 && s->first <= r->peak_step &&
            s->last >= r->peak_step && r->peak_step >= 0) {
            list[n++] = (alive){i, s->size};
        }
    }
    if (n == 0) {
        r->peak_step = -1;
        return;
    }
    TN_SORT(list, n, largest_first);
    uint32_t *ids = TN_ARRAY(p->arena, uint32_t, n);
    for (uint32_t i = 0; i < n; i++) {
        ids[i] = list[i].storage;
    }
    r->peak = (tn_ids){ids, n};
}

static void count_values(tn_build *b) {
    tn_plan_report *r = &b->p->report;
    for (uint32_t i = 0; i < b->p->n_values; i++) {
        const tn_plan_value *v = &b->p->values[i];
        bool placed = v->storage != TN_NO_ID;
        r->n_planned += placed;
        r->n_unplanned += !placed;
        r->n_open += v->left_out == TN_LEFT_OPEN;
        r->n_data += v->left_out == TN_LEFT_DATA;
        if (v->alias_of == TN_NO_ID) {
            continue;
        }
        r->n_views += v->alias == TN_ALIAS_VIEW;
        r->n_inplace += v->alias == TN_ALIAS_INPLACE;
        r->n_updates += v->alias == TN_ALIAS_UPDATE;
        r->n_shared += v->alias == TN_ALIAS_SHARE;
    }
}

static bool makes_gradient(const tn_op *op) {
    for (uint32_t i = 0; i < op->n_results; i++) {
        if (op->results[i] != NULL && (op->results[i]->flags & TN_VF_BACKWARD)) {
            return true;
        }
    }
    return false;
}

static void count_training(tn_build *b) {
    tn_plan_report *r = &b->p->report;
    for (uint32_t i = 0; i < b->m->n_values; i++) {
        if (b->live->of[i].scheduled) {
            r->n_backward_values += (b->m->values[i]->flags & TN_VF_BACKWARD) != 0;
            r->n_param_grads += (b->m->values[i]->flags & TN_VF_PARAM_GRAD) != 0;
        }
    }
    TN_FOR_ALL_OPS(op, b->m->main) {
        r->n_backward_ops += makes_gradient(op);
    }
}

void tn_build_report(tn_build *b) {
    tn_plan *p = b->p;
    tn_plan_report *r = &p->report;
    r->naive = b->layout->naive + b->grown;
    r->level1 = b->layout->level1;
    r->bound = b->layout->bound;
    r->algorithm = b->layout->algorithm;
    for (uint32_t i = 0; i < p->n_pools; i++) {
        const tn_pool *pool = &p->pools[i];
        r->const_bytes += pool->kind == TN_POOL_CONST ? pool->size : 0;
        r->io_bytes += tn_pool_is_callers(pool) ? pool->size : 0;
        r->ram += tn_pool_is_ram(pool) ? pool->size : 0;
    }
    r->flash = r->const_bytes;
    if (r->ram > INT64_MAX) {
        tn_loc loc = tn_loc_file(b->m->file);
        tn_fail(b->ctx, &loc, "arena, inputs and outputs need more than 2^63 bytes");
    }
    find_peak(b);
    count_values(b);
    r->optimal = tn_plan_arena_bytes(p) == b->layout->bound && tn_plan_is_whole(p);
    count_training(b);
}
