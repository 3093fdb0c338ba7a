/* Gradients of reading and writing by index. */
#include "ir/gradient/gradient.h"

#include <string.h>

static int64_t axis_in(const tn_grad *g, const tn_value *v) {
    int64_t axis = tn_grad_int(g, "axis", 0);
    return axis < 0 ? axis + tn_emit_rank(g->e, v) : axis;
}

static tn_value *zeros(tn_grad *g, tn_value *like) {
    return tn_emit_full_like(g->e, like, g->d->type->dtype, 0);
}

/* The operand of OneHot that says what stands where. */
static tn_value *off_on(tn_grad *g) {
    return tn_emit_floats(g->e, "grad_off_on", g->d->type->dtype, 1, (int64_t[]){2},
                          (const double[]){0, 1}, 2);
}

/* Axis `axis` to the front (or, `back`, from there to its place). */
static tn_value *moved(tn_grad *g, tn_value *v, int64_t axis, bool back) {
    uint32_t rank = tn_emit_rank(g->e, v);
    int64_t *perm = TN_ARRAY(g->e->scratch, int64_t, rank + 1u);
    for (int64_t i = 0; i < rank; i++) {
        perm[i] = back ? (i < axis    ? i + 1
                          : i == axis ? 0
                                      : i)
                       : (i == 0      ? axis
                          : i <= axis ? i - 1
                                      : i);
    }
    return tn_emit_transpose(g->e, v, perm, rank);
}

/* d with the axes of the indices, which stand at `axis`, as one axis in front, and all others as
 * one behind it. */
static tn_value *rows_of_d(tn_grad *g, int64_t axis, uint32_t n_indices) {
    uint32_t rank = tn_emit_rank(g->e, g->d);
    int64_t *perm = TN_ARRAY(g->e->scratch, int64_t, rank + 1u);
    uint32_t k = 0;
    for (uint32_t i = 0; i < n_indices; i++) {
        perm[k++] = axis + i;
    }
    for (int64_t i = 0; i < rank; i++) {
        if (i < axis || i >= axis + n_indices) {
            perm[k++] = i;
        }
    }
    return tn_emit_transpose(g->e, g->d, perm, rank);
}

static tn_value *fetched_one(tn_grad *g, int64_t axis, int64_t at, bool scalar) {
    uint32_t rank = tn_emit_rank(g->e, g->x);
    const int64_t *to = tn_emit_extents(g->e, g->x);
    int64_t *before = TN_ARRAY(g->e->scratch, int64_t, rank + 1u);
    int64_t *behind = TN_ARRAY(g->e->scratch, int64_t, rank + 1u);
    before[axis] = at < 0 ? at + to[axis] : at;
    behind[axis] = to[axis] - 1 - before[axis];
    tn_value *d = scalar ? tn_emit_unsqueeze(g->e, g->d, &axis, 1) : g->d;
    return tn_emit_pad(g->e, d, before, behind, rank);
}

/* Rows of zeros with d added where it was read: a scatter, or before there was one that adds, a
 * product with a matrix that has a 1 for each index. */
static tn_value *add_rows(tn_grad *g, tn_value *indices, int64_t axis) {
    uint32_t rank = tn_emit_rank(g->e, g->x), n_indices = tn_emit_rank(g->e, indices);
    tn_value *d = rows_of_d(g, axis, n_indices);
    int64_t *dims = TN_ARRAY(g->e->scratch, int64_t, rank + 1u);
    const int64_t *to = tn_emit_extents(g->e, g->x);
    int64_t others = 1;
    dims[0] = to[axis];
    for (int64_t i = 0, k = 1; i < rank; i++) {
        if (i != axis) {
            dims[k++] = to[i];
            others *= to[i];
        }
    }
    tn_value *sums;
    if (tn_emit_can(g->e, "ScatterND", "reduction")) {
        tn_attr add = tn_attr_of_text(g->e, "reduction", "add");
        tn_value *zero = tn_emit_scalar(g->e, d->type->dtype, 0);
        tn_value *none = tn_emit_2(g->e, "Expand", zero, tn_emit_ints(g->e, dims, rank));
        int64_t last = n_indices;
        tn_value *wide = tn_emit_cast(g->e, indices, TN_DT_INT64); /* Gather takes int32, too */
        tn_value *in[] = {none, tn_emit_unsqueeze(g->e, wide, &last, 1), d};
        sums = tn_emit(g->e, "ScatterND", in, 3, &add, 1);
    } else {
        tn_attr first = tn_attr_of_int("axis", 0);
        tn_value *flat = tn_emit_reshape(g->e, indices, (int64_t[]){-1}, 1);
        tn_value *depth = tn_emit_int(g->e, to[axis]), *values = off_on(g);
        tn_value *in[] = {flat, depth, values};
        tn_value *hot = tn_emit(g->e, "OneHot", in, 3, &first, 1);
        sums = tn_emit_2(g->e, "MatMul", hot, tn_emit_reshape(g->e, d, (int64_t[]){-1, others}, 2));
        sums = tn_emit_reshape(g->e, sums, dims, rank);
    }
    return moved(g, sums, axis, true);
}

tn_value *tn_grad_gather(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    int64_t axis = axis_in(g, g->x);
    uint32_t n_known, rank = tn_emit_rank(g->e, args[0]);
    const int64_t *known = tn_known_ints(g->e, args[0], &n_known);
    if (known != NULL && n_known == 1 && rank <= 1) {
        return fetched_one(g, axis, known[0], rank == 0);
    }
    return add_rows(g, args[0], axis);
}

static tn_value *scatter_add(tn_grad *g, const char *type, tn_value *indices, const tn_attr *axis) {
    tn_attr attrs[] = {tn_attr_of_text(g->e, "reduction", "add"),
                       axis != NULL ? *axis : (tn_attr){0}};
    tn_value *in[] = {zeros(g, g->x), indices, g->d};
    return tn_emit(g->e, type, in, 3, attrs, axis != NULL ? 2 : 1);
}

/* For TopK, too, whose indices are all different. */
tn_value *tn_grad_gather_elements(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    tn_attr axis = tn_attr_of_int("axis", axis_in(g, g->x));
    if (g->op->n_results > 1) {
        tn_value *in[] = {zeros(g, g->x), args[0], g->d};
        bool elements = tn_emit_can(g->e, "ScatterElements", NULL);
        return tn_emit(g->e, elements ? "ScatterElements" : "Scatter", in, 3, &axis, 1);
    }
    return scatter_add(g, "ScatterElements", args[0], &axis);
}

/* Where an index of a batch stands in all of them: [extents of the batch, 1, ..., n_batch], spread
 * over the indices. */
static tn_value *batch_coordinates(tn_grad *g, tn_value *indices, uint32_t n_batch) {
    uint32_t rank = tn_emit_rank(g->e, indices);
    const int64_t *extents = tn_emit_extents(g->e, indices);
    int64_t *dims = TN_ARRAY(g->e->scratch, int64_t, rank + 1u);
    int64_t n = 1;
    bool wide = false;
    for (uint32_t i = 0; i + 1 < rank; i++) {
        dims[i] = i < n_batch ? extents[i] : 1;
        wide = wide || dims[i] != extents[i];
        n *= dims[i];
    }
    dims[rank - 1] = n_batch;
    int64_t *at = TN_ARRAY(g->e->scratch, int64_t, (size_t)(n * n_batch) + 1u);
    for (int64_t i = 0; i < n; i++) {
        for (int64_t k = n_batch - 1, rest = i; k >= 0; rest /= extents[k], k--) {
            at[i * n_batch + k] = rest % extents[k];
        }
    }
    tn_value *flat = tn_emit_ints(g->e, at, (uint32_t)(n * n_batch));
    tn_value *all = tn_emit_reshape(g->e, flat, dims, rank);
    if (!wide) {
        return all;
    }
    int64_t *to = TN_ARRAY(g->e->scratch, int64_t, rank + 1u);
    memcpy(to, extents, (rank - 1) * sizeof *to);
    to[rank - 1] = n_batch;
    return tn_emit_2(g->e, "Expand", all, tn_emit_ints(g->e, to, rank));
}

tn_value *tn_grad_gather_nd(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    int64_t n_batch = tn_grad_int(g, "batch_dims", 0);
    if (n_batch <= 0) {
        return scatter_add(g, "ScatterND", args[0], NULL);
    }
    tn_attr last = tn_attr_of_int("axis", -1);
    tn_value *in[] = {batch_coordinates(g, args[0], (uint32_t)n_batch), args[0]};
    return scatter_add(g, "ScatterND", tn_emit(g->e, "Concat", in, 2, &last, 1), NULL);
}

/* ---- writing ---- */

static void refuse_reductions(const tn_grad *g, const char *reduction) {
    if (strcmp(reduction, "none") != 0 && strcmp(reduction, "add") != 0) {
        tn_grad_fail(g, "reduction is %s, only none and add have a known gradient", reduction);
    }
}

/* What was overwritten gets nothing. */
tn_value *tn_grad_scatter_data(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    const char *reduction = tn_grad_text(g, "reduction", "none");
    refuse_reductions(g, reduction);
    if (strcmp(reduction, "add") == 0) {
        return g->d;
    }
    tn_attr axis = tn_attr_of_int("axis", axis_in(g, g->x));
    bool elements = tn_emit_can(g->e, "ScatterElements", NULL);
    tn_value *in[] = {g->d, args[0], tn_emit_full_like(g->e, args[0], g->d->type->dtype, 0)};
    return tn_emit(g->e, elements ? "ScatterElements" : "Scatter", in, 3, &axis, 1);
}

tn_value *tn_grad_scatter_updates(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    refuse_reductions(g, tn_grad_text(g, "reduction", "none"));
    tn_attr axis = tn_attr_of_int("axis", axis_in(g, g->d));
    return tn_emit(g->e, "GatherElements", (tn_value *[]){g->d, args[0]}, 2, &axis, 1);
}

tn_value *tn_grad_scatter_nd_data(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    const char *reduction = tn_grad_text(g, "reduction", "none");
    refuse_reductions(g, reduction);
    if (strcmp(reduction, "add") == 0) {
        return g->d;
    }
    tn_value *updates = tn_operand(g->op, 2);
    return tn_emit_3(g->e, "ScatterND", g->d, args[0], zeros(g, updates));
}

tn_value *tn_grad_scatter_nd_updates(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    refuse_reductions(g, tn_grad_text(g, "reduction", "none"));
    return tn_emit_2(g->e, "GatherND", g->d, args[0]);
}

/* values are [off, on]: what flows to each place, summed over those that are off and on. */
tn_value *tn_grad_one_hot(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    tn_attr axis = tn_attr_of_int("axis", tn_grad_int(g, "axis", -1));
    tn_value *in[] = {args[0], args[1], off_on(g)};
    tn_value *on = tn_emit(g->e, "OneHot", in, 3, &axis, 1);
    uint32_t rank = tn_emit_rank(g->e, g->d);
    int64_t *axes = TN_ARRAY(g->e->scratch, int64_t, rank + 1u);
    for (uint32_t i = 0; i < rank; i++) {
        axes[i] = i;
    }
    tn_value *sums[2];
    for (int i = 0; i < 2; i++) {
        sums[i] = tn_grad_eval(g, i == 0 ? "d * (1 - $0)" : "d * $0", on);
        sums[i] = tn_emit_reduce(g->e, "ReduceSum", sums[i], axes, rank, false);
        sums[i] = tn_emit_reshape(g->e, sums[i], (int64_t[]){1}, 1);
    }
    tn_attr first = tn_attr_of_int("axis", 0);
    return tn_emit(g->e, "Concat", sums, 2, &first, 1);
}
