/* Bytes that are enough for all dimensions in range: every size as large as it can be. Ends of
 * intervals are not exact where an expression names a dimension twice, but never too small. */
#include "backends/core/open_layout.h"
#include "ir/base/xmath.h"

typedef struct interval {
    int64_t low, high;
} interval;

static bool multiply(interval x, interval y, interval *out) {
    int64_t ends[4];
    if (!tn_mul_i64(x.low, y.low, &ends[0]) || !tn_mul_i64(x.low, y.high, &ends[1]) ||
        !tn_mul_i64(x.high, y.low, &ends[2]) || !tn_mul_i64(x.high, y.high, &ends[3])) {
        return false;
    }
    *out = (interval){ends[0], ends[0]};
    for (int i = 1; i < 4; i++) {
        out->low = ends[i] < out->low ? ends[i] : out->low;
        out->high = ends[i] > out->high ? ends[i] : out->high;
    }
    return true;
}

/* A quotient is largest at one of the ends. */
static bool divide(interval x, interval y, bool up, interval *out) {
    if (y.low <= 0) {
        return false;
    }
    int64_t low = x.low < 0 ? y.low : y.high, high = x.high < 0 ? y.high : y.low;
    *out = up ? (interval){tn_ceildiv_i64(x.low, low), tn_ceildiv_i64(x.high, high)}
              : (interval){tn_floordiv_i64(x.low, low), tn_floordiv_i64(x.high, high)};
    return true;
}

static int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static bool combine(tn_dim_act act, interval x, interval y, interval *out) {
    if (act == TN_DIM_ACT_ADD) {
        return tn_add_i64(x.low, y.low, &out->low) && tn_add_i64(x.high, y.high, &out->high);
    }
    if (act == TN_DIM_ACT_MUL) {
        return multiply(x, y, out);
    }
    if (act == TN_DIM_ACT_FLOOR || act == TN_DIM_ACT_CEIL) {
        return divide(x, y, act == TN_DIM_ACT_CEIL, out);
    }
    *out = act == TN_DIM_ACT_MIN ? (interval){smaller(x.low, y.low), smaller(x.high, y.high)}
                                 : (interval){larger(x.low, y.low), larger(x.high, y.high)};
    return true;
}

/* The open dimensions are the first operations. */
static bool find_intervals(const tn_open *o, interval *all) {
    for (uint32_t i = 0; i < o->code.ops.len; i++) {
        const tn_dim_op *op = &o->code.ops.data[i];
        if (op->act == TN_DIM_ACT_SYMBOL) {
            const tn_plan_range *r = i < o->p->n_ranges ? &o->p->ranges[i] : NULL;
            if (r == NULL || r->max == INT64_MAX) {
                return false;
            }
            all[i] = (interval){r->min, r->max};
        } else if (op->act == TN_DIM_ACT_CONST) {
            all[i] = (interval){op->value, op->value};
        } else if (!combine(op->act, all[op->a], all[op->b], &all[i])) {
            return false;
        }
    }
    return true;
}

/* As tn_plan_resolve places it. */
static bool place(const tn_open *o, const tn_open_storage *r, const interval *all, uint64_t *end) {
    const tn_storage *s = &o->p->storages[r->storage];
    uint32_t row = o->row_of[r->storage];
    uint64_t from = r->from;
    for (uint32_t k = 0; k < r->above.len; k++) {
        uint64_t below = end[r->above.data[k]];
        from = below > from ? below : from;
    }
    return tn_align_u64(from, s->align, &from) &&
           tn_add_u64(from, (uint64_t)larger(all[o->size_of[row]].high, 0), &end[row]) &&
           end[row] <= INT64_MAX;
}

/* What is chosen for its small arena may have another pool larger: each pool is as large as any
 * variant has it. */
static bool find_ends(const tn_open *o, const interval *all, uint64_t *end, uint64_t *max) {
    const tn_plan *p = o->p;
    bool known = true;
    for (uint32_t i = 0; i < o->n_variants * o->n_storages && known; i++) {
        const tn_open_storage *r = &o->order[i];
        uint32_t pool = p->storages[r->storage].pool, row = o->row_of[r->storage];
        known = place(o, r, all, end);
        max[pool] = end[row] > max[pool] ? end[row] : max[pool];
    }
    return known;
}

void tn_open_find_limits(tn_open *o, tn_arena *arena) {
    const tn_plan *p = o->p;
    interval *all = TN_ARRAY(arena, interval, o->code.ops.len);
    uint64_t *end = TN_ARRAY(arena, uint64_t, o->n_storages);
    uint64_t *max = TN_ARRAY(arena, uint64_t, p->n_pools);
    for (uint32_t i = 0; i < p->n_pools; i++) {
        max[i] = o->pool_row[i] != TN_NO_ID ? o->pool_from[i] : p->pools[i].size;
    }
    bool known = find_intervals(o, all) && find_ends(o, all, end, max);
    for (uint32_t i = 0; i < p->n_pools && known; i++) {
        known =
            p->pools[i].kind != TN_POOL_ARENA || tn_align_u64(max[i], p->pools[i].align, &max[i]);
    }
    o->pool_max = known ? max : NULL;
}
