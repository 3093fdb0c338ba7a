#include "passes/plan/overlap_distance.h"

#include <string.h>

#include "ir/base/xmath.h"

#define NOTHING INT64_MAX

typedef struct scan {
    const tn_reach *r;
    uint32_t axes[TN_MAX_RANK];      /* of the result, the outermost first */
    const int64_t *low[TN_MAX_RANK]; /* by axis of the result and coordinate: first element read,
                                        what the other axes add left out; NOTHING: none is read */
    int64_t inner;                   /* the same of all axes within a unit together */
    uint32_t n_outer;
    uint64_t n_units, unit_bytes;
} scan;

static int64_t plus(int64_t a, int64_t b) {
    return a == NOTHING || b == NOTHING ? NOTHING : a + b;
}

/* What the operand axes that follow result axis `axis` add to the place of the first element. */
static const int64_t *lowest_by(const tn_reach *r, uint32_t axis, const int64_t *strides) {
    int64_t *low = TN_ARRAY(r->arena, int64_t, (size_t)r->extent[axis] + 1);
    for (uint32_t i = 0; i < r->in_rank; i++) {
        for (int64_t c = 0; r->by[i] == axis && c < r->extent[axis]; c++) {
            int64_t at = r->lowest[i] != NULL ? r->lowest[i][c] : c;
            low[c] = plus(low[c], at < 0 ? NOTHING : at * strides[i]);
        }
    }
    return low;
}

static int64_t lowest_of(const int64_t *low, int64_t n) {
    int64_t lowest = NOTHING;
    for (int64_t c = 0; c < n; c++) {
        lowest = low[c] < lowest ? low[c] : lowest;
    }
    return lowest;
}

static bool begin(scan *s, const tn_overlap_form *f) {
    const tn_reach *r = s->r;
    int64_t strides[TN_MAX_RANK];
    if (r->flat && (f->result_last || f->operand_last)) {
        return false;
    }
    tn_strides_as_laid(f->operand_last, r->in_rank, r->in, strides);
    tn_axes_as_laid(f->result_last, r->rank, s->axes);
    s->n_outer = r->rank - tn_work_axes(f->order, f->result_last, r->rank);
    s->n_units = 1;
    s->unit_bytes = f->result_bytes;
    for (uint32_t k = 0; k < r->rank; k++) {
        uint32_t axis = s->axes[k];
        uint64_t *product = k < s->n_outer ? &s->n_units : &s->unit_bytes;
        if (!tn_mul_u64(*product, (uint64_t)r->extent[axis], product)) {
            return false;
        }
    }
    if (s->n_units > f->most) {
        return false;
    }
    for (uint32_t k = 0; k < r->rank; k++) {
        uint32_t axis = s->axes[k];
        s->low[axis] = lowest_by(r, axis, strides);
        if (k >= s->n_outer) {
            s->inner = plus(s->inner, lowest_of(s->low[axis], r->extent[axis]));
        }
    }
    return true;
}

/* What the units along the innermost of the outer axes come to, its last coordinate first: they
 * differ in what this axis adds alone, so that a row of them is looked at once. */
typedef struct row {
    int64_t n, bytes; /* units, and bytes of the result */
    int64_t lowest;   /* first element read by any of them; NOTHING: none is read */
    /* The most by which a unit ends, from the start of the row, behind what later ones of the row
     * (a loose order: or itself) read; INT64_MIN: they read nothing. */
    int64_t within;
} row;

static row row_of(const scan *s, const tn_overlap_form *f) {
    static const int64_t origin[] = {0};
    uint32_t axis = s->n_outer > 0 ? s->axes[s->n_outer - 1] : 0;
    const int64_t *low = s->n_outer > 0 ? s->low[axis] : origin;
    row r = {.n = s->n_outer > 0 ? s->r->extent[axis] : 1, .lowest = NOTHING, .within = INT64_MIN};
    r.bytes = r.n * (int64_t)s->unit_bytes;
    for (int64_t c = r.n; c-- > 0;) {
        int64_t both = low[c] < r.lowest ? low[c] : r.lowest;
        int64_t read = tn_work_is_loose(f->order) ? both : r.lowest;
        int64_t end = (c + 1) * (int64_t)s->unit_bytes;
        if (read != NOTHING && end - read * f->operand_bytes > r.within) {
            r.within = end - read * f->operand_bytes;
        }
        r.lowest = both;
    }
    return r;
}

/* Goes from the row at `at` to the one before it. */
static void step_back(const scan *s, int64_t *at) {
    for (uint32_t k = s->n_outer - 1; k-- > 0;) {
        if (at[k]-- > 0) {
            return;
        }
        at[k] = s->r->extent[s->axes[k]] - 1;
    }
}

/* What all but the units of the row add to the place of the first element. */
static int64_t first_read(const scan *s, const int64_t *at) {
    int64_t low = s->inner;
    for (uint32_t k = 0; k + 1 < s->n_outer; k++) {
        low = plus(low, s->low[s->axes[k]][at[k]]);
    }
    return low;
}

uint64_t tn_overlap_distance(const tn_reach *r, const tn_overlap_form *f) {
    scan s = {.r = r};
    int64_t at[TN_MAX_RANK], later = NOTHING, distance = 0;
    if (f->order == TN_ORDER_NONE || !begin(&s, f)) {
        return TN_NO_DISTANCE;
    }
    for (uint32_t k = 0; k < s.n_outer; k++) {
        at[k] = r->extent[s.axes[k]] - 1;
    }
    const row w = row_of(&s, f);
    for (int64_t i = w.n > 0 ? (int64_t)s.n_units / w.n : 0; i-- > 0;) {
        int64_t start = i * w.bytes, base = first_read(&s, at), own = plus(base, w.lowest);
        if (later != NOTHING && start + w.bytes - later * f->operand_bytes > distance) {
            distance = start + w.bytes - later * f->operand_bytes;
        }
        if (base != NOTHING && w.within != INT64_MIN &&
            start + w.within - base * f->operand_bytes > distance) {
            distance = start + w.within - base * f->operand_bytes;
        }
        later = own < later ? own : later;
        if (s.n_outer > 0) {
            step_back(&s, at);
        }
    }
    return (uint64_t)distance;
}
