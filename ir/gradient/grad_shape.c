/* Gradients of ops that move elements to places known beforehand. */
#include "ir/gradient/gradient.h"

#include <string.h>

tn_value *tn_grad_reshape(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    return tn_emit_reshape_like(g->e, args[0], g->x);
}

tn_value *tn_grad_transpose(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)args;
    (void)n;
    uint32_t rank = tn_emit_rank(g->e, g->x), n_perm;
    const int64_t *perm = tn_grad_ints(g, "perm", &n_perm);
    int64_t *back = TN_ARRAY(g->e->scratch, int64_t, rank + 1u);
    for (uint32_t i = 0; i < rank; i++) {
        back[n_perm == rank ? perm[i] : (int64_t)(rank - 1 - i)] = i;
    }
    return tn_emit_transpose(g->e, g->d, back, rank);
}

/* The copies side by side, summed: axis of extent r n as two axes, r and n. */
tn_value *tn_grad_tile(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)args;
    (void)n;
    uint32_t rank = tn_emit_rank(g->e, g->x), n_repeats, n_axes = 0;
    const int64_t *repeats = tn_grad_param(g, 1, "repeats", &n_repeats);
    const int64_t *extents = tn_emit_extents(g->e, g->x);
    int64_t *dims = TN_ARRAY(g->e->scratch, int64_t, 2u * rank + 1u);
    int64_t *axes = TN_ARRAY(g->e->scratch, int64_t, rank + 1u);
    for (uint32_t i = 0; i < rank && n_repeats == rank; i++) {
        dims[2 * i] = repeats[i];
        dims[2 * i + 1] = extents[i];
        axes[n_axes++] = 2 * (int64_t)i;
    }
    tn_value *apart = tn_emit_reshape(g->e, g->d, dims, 2 * rank);
    return tn_emit_reduce(g->e, "ReduceSum", apart, axes, n_axes, false);
}

/* ---- parts ---- */

static int64_t axis_of(const tn_grad *g, const tn_value *v) {
    int64_t axis = tn_grad_int(g, "axis", 0);
    return axis < 0 ? axis + tn_emit_rank(g->e, v) : axis;
}

static int64_t extent_along(const tn_grad *g, const tn_value *v, int64_t axis) {
    int64_t extent;
    if (axis < 0 || axis >= tn_emit_rank(g->e, v) ||
        !tn_dim_is_const(g->e->m->dims, v->type->dims[axis], &extent)) {
        tn_grad_fail(g, "the extent of '%s' along axis %lld is not known before the run (--dim)",
                     v->name, (long long)axis);
    }
    return extent;
}

tn_value *tn_grad_concat(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)args;
    (void)n;
    int64_t axis = axis_of(g, g->x), begin = 0;
    for (uint32_t k = 0; k < g->operand; k++) {
        begin += extent_along(g, g->op->operands[k].value, axis);
    }
    return tn_emit_slice(g->e, g->d, axis, begin, begin + extent_along(g, g->x, axis));
}

/* The parts joined again; zeros for those that nobody reads. */
tn_value *tn_grad_split(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)args;
    (void)n;
    tn_value **parts = TN_ARRAY(g->e->scratch, tn_value *, g->op->n_results + 1u);
    for (uint32_t r = 0; r < g->op->n_results; r++) {
        tn_value *like = g->op->results[r];
        if (g->ds[r] == NULL && like == NULL) {
            tn_grad_fail(g, "result %u is left out, so its extent is not known", r);
        }
        parts[r] =
            g->ds[r] != NULL ? g->ds[r] : tn_emit_full_like(g->e, like, g->x->type->dtype, 0);
    }
    tn_attr axis = tn_attr_of_int("axis", axis_of(g, g->x));
    return tn_emit(g->e, "Concat", parts, g->op->n_results, &axis, 1);
}

/* Adds zeros round d, so that it gets the operand's extents; `begin` of each axis. */
static tn_value *zeros_round(tn_grad *g, const int64_t *begin) {
    uint32_t rank = tn_emit_rank(g->e, g->x);
    const int64_t *to = tn_emit_extents(g->e, g->x), *from = tn_emit_extents(g->e, g->d);
    int64_t *behind = TN_ARRAY(g->e->scratch, int64_t, rank + 1u);
    for (uint32_t i = 0; i < rank; i++) {
        behind[i] = to[i] - from[i] - begin[i];
    }
    return tn_emit_pad(g->e, g->d, begin, behind, rank);
}

static int64_t clamped(int64_t x, int64_t low, int64_t high) {
    return x < low ? low : x > high ? high : x;
}

typedef struct slicing {
    int64_t *begin, *step;
    bool steps; /* some step is not 1 */
} slicing;

/* Where the slice of g->op begins along each axis, from the front. */
static slicing read_slice(const tn_grad *g) {
    uint32_t rank = tn_emit_rank(g->e, g->x), n, n_axes, n_steps;
    const int64_t *starts = tn_grad_param(g, 1, "starts", &n);
    const int64_t *axes = tn_grad_param(g, 3, "axes", &n_axes);
    const int64_t *steps = tn_grad_param(g, 4, "steps", &n_steps);
    slicing s = {TN_ARRAY(g->e->scratch, int64_t, rank + 1u),
                 TN_ARRAY(g->e->scratch, int64_t, rank + 1u), false};
    for (uint32_t i = 0; i < rank; i++) {
        s.step[i] = 1;
    }
    for (uint32_t i = 0; i < n; i++) {
        int64_t axis = n_axes == n ? axes[i] : i, step = n_steps == n ? steps[i] : 1;
        axis += axis < 0 ? rank : 0;
        int64_t extent = extent_along(g, g->x, axis), at = starts[i];
        at += at < 0 ? extent : 0;
        s.begin[axis] = clamped(at, 0, step < 0 ? extent - 1 : extent);
        s.step[axis] = step;
        s.steps |= step != 1;
    }
    return s;
}

tn_value *tn_grad_slice(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)args;
    (void)n;
    slicing s = read_slice(g);
    if (!s.steps) {
        return zeros_round(g, s.begin);
    }
    tn_value *v = g->d;
    uint32_t rank = tn_emit_rank(g->e, g->x);
    const int64_t *from = tn_emit_extents(g->e, g->d), *to = tn_emit_extents(g->e, g->x);
    for (uint32_t axis = 0; axis < rank; axis++) {
        if (s.step[axis] == 1 && s.begin[axis] == 0 && from[axis] == to[axis]) {
            continue;
        }
        int64_t *rows = TN_ARRAY(g->e->scratch, int64_t, from[axis] + 1);
        for (int64_t i = 0; i < from[axis]; i++) {
            rows[i] = s.begin[axis] + i * s.step[axis];
        }
        v = tn_emit_rows_to(g->e, v, axis, rows, from[axis], to[axis]);
    }
    return v;
}

/* ---- borders ---- */

/* Which element of an axis of extent n stands at place i of the padded one (from -before on). */
static int64_t source(const char *mode, int64_t i, int64_t n) {
    if (strcmp(mode, "edge") == 0 || n == 1) {
        return clamped(i, 0, n - 1);
    }
    int64_t period = strcmp(mode, "wrap") == 0 ? n : 2 * (n - 1), at = i % period;
    at += at < 0 ? period : 0;
    return at < n ? at : period - at;
}

tn_value *tn_grad_pad(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)args;
    (void)n;
    uint32_t rank = tn_emit_rank(g->e, g->x), n_pads, n_axes;
    const int64_t *pads = tn_grad_param(g, 1, "pads", &n_pads);
    const int64_t *axes = tn_grad_param(g, 3, "axes", &n_axes);
    const char *mode = tn_grad_text(g, "mode", "constant");
    int64_t *before = TN_ARRAY(g->e->scratch, int64_t, rank + 1u);
    int64_t *behind = TN_ARRAY(g->e->scratch, int64_t, rank + 1u);
    for (uint32_t i = 0; i < n_pads / 2; i++) {
        int64_t axis = i < n_axes ? axes[i] : i;
        axis = clamped(axis < 0 ? axis + rank : axis, 0, rank - 1);
        before[axis] = -pads[i];
        behind[axis] = -pads[n_pads / 2 + i];
    }
    if (strcmp(mode, "constant") == 0) {
        return tn_emit_pad(g->e, g->d, before, behind, rank);
    }
    tn_value *v = g->d;
    for (uint32_t axis = 0; axis < rank; axis++) {
        int64_t to = extent_along(g, g->x, axis), from = to - before[axis] - behind[axis];
        if (before[axis] == 0 && behind[axis] == 0) {
            continue;
        }
        int64_t *rows = TN_ARRAY(g->e->scratch, int64_t, from + 1);
        for (int64_t i = 0; i < from; i++) {
            rows[i] = source(mode, i + before[axis], to);
        }
        v = tn_emit_rows_to(g->e, v, axis, rows, from, to);
    }
    return v;
}

/* Half of what is too much or missing on each side, the rest behind. */
tn_value *tn_grad_crop_pad(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)args;
    (void)n;
    uint32_t rank = tn_emit_rank(g->e, g->x);
    const int64_t *to = tn_emit_extents(g->e, g->x);
    const int64_t *from = tn_emit_extents(g->e, g->op->results[0]);
    int64_t *before = TN_ARRAY(g->e->scratch, int64_t, rank + 1u);
    int64_t *behind = TN_ARRAY(g->e->scratch, int64_t, rank + 1u);
    for (uint32_t i = 0; i < rank; i++) {
        int64_t more = to[i] - from[i]; /* elements cut; negative: added */
        before[i] = more >= 0 ? more / 2 : -(-more / 2);
        behind[i] = more - before[i];
    }
    return tn_emit_pad(g->e, g->d, before, behind, rank);
}

/* DepthToSpace and SpaceToDepth are reshaped to six axes, permuted and reshaped again; so is the
 * way back, with the inverse permutation. Which one it is shows in the channels. */
tn_value *tn_grad_blocks_back(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)args;
    (void)n;
    const int64_t *x = tn_emit_extents(g->e, g->x);
    const int64_t *y = tn_emit_extents(g->e, g->op->results[0]);
    int64_t b = tn_grad_int(g, "blocksize", 1);
    bool rows_first = strcmp(tn_grad_text(g, "mode", "DCR"), "CRD") == 0, deep = x[1] > y[1];
    const int64_t *wide = deep ? y : x; /* the one with few channels and large extents */
    int64_t c = wide[1], h = wide[2] / b, w = wide[3] / b;
    if (b == 1) {
        return g->d;
    }
    if (deep) { /* d is wide: to depth */
        int64_t apart[] = {x[0], c, h, b, w, b};
        int64_t dcr[] = {0, 3, 5, 1, 2, 4}, crd[] = {0, 1, 3, 5, 2, 4};
        tn_value *v = tn_emit_reshape(g->e, g->d, apart, 6);
        v = tn_emit_transpose(g->e, v, rows_first ? crd : dcr, 6);
        return tn_emit_reshape_like(g->e, v, g->x);
    }
    int64_t dcr_apart[] = {x[0], b, b, c, h, w}, crd_apart[] = {x[0], c, b, b, h, w};
    int64_t dcr[] = {0, 3, 4, 1, 5, 2}, crd[] = {0, 1, 4, 2, 5, 3};
    tn_value *v = tn_emit_reshape(g->e, g->d, rows_first ? crd_apart : dcr_apart, 6);
    v = tn_emit_transpose(g->e, v, rows_first ? crd : dcr, 6);
    return tn_emit_reshape_like(g->e, v, g->x);
}

tn_value *tn_grad_given(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)g;
    (void)n;
    return args[0];
}
