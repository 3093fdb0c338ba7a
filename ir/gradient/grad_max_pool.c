/* The gradient of MaxPool: every element of d goes where the largest element of its window was.
 *
 * Indices count elements of the whole operand, so that this is a scatter along one axis. From
 * version 16 on a scatter adds; before, windows that overlap are taken in turns, of which none
 * overlap. Versions below 9 have no scatter: there each window is laid out and compared with its
 * maximum. */
#include <string.h>

#include "ir/gradient/grad_window.h"

enum { ADDS = 16, ELEMENTS = 11, SLICES_BY_STEPS = 10, TURNS = 64 };

static int64_t opset(const tn_grad *g) {
    int64_t version = tn_module_opset(g->e->m, "");
    return version > 0 ? version : INT64_MAX;
}

static tn_value *flat(tn_grad *g, tn_value *v) {
    return tn_emit_reshape(g->e, v, (int64_t[]){-1}, 1);
}

/* How many turns along axis i keep windows apart. */
static int64_t turns(const tn_grad_windows *w, uint32_t i) {
    int64_t reach = w->dilations[i] * (w->kernel[i] - 1) + 1;
    return (reach + w->strides[i] - 1) / w->strides[i];
}

/* Every `step`-th row of an axis, from `begin` on. */
static tn_value *every(tn_grad *g, tn_value *v, uint32_t axis, int64_t begin, int64_t step) {
    int64_t extent = tn_grad_extent(g, v, axis), n = 0, along = axis;
    if (step == 1) {
        return v;
    }
    if (opset(g) >= SLICES_BY_STEPS) {
        tn_value *from = tn_emit_ints(g->e, &begin, 1), *to = tn_emit_ints(g->e, &extent, 1);
        tn_value *axes = tn_emit_ints(g->e, &along, 1), *steps = tn_emit_ints(g->e, &step, 1);
        return tn_emit(g->e, "Slice", (tn_value *[]){v, from, to, axes, steps}, 5, NULL, 0);
    }
    int64_t *rows = TN_ARRAY(g->e->scratch, int64_t, (size_t)extent + 1u);
    for (int64_t at = begin; at < extent; at += step) {
        rows[n++] = at;
    }
    tn_attr attr = tn_attr_of_int("axis", along);
    return tn_emit(g->e, "Gather", (tn_value *[]){v, tn_emit_ints(g->e, rows, (uint32_t)n)}, 2,
                   &attr, 1);
}

/* Whether turn number `turn` has windows at all; *v becomes its part. */
static bool take_turn(tn_grad *g, const tn_grad_windows *w, int64_t turn, tn_value **v) {
    for (uint32_t i = 0; i < w->n; i++) {
        int64_t n = turns(w, i), at = turn % n;
        turn /= n;
        if (at >= tn_grad_extent(g, *v, TN_FIRST_SPATIAL + i)) {
            return false;
        }
        *v = every(g, *v, TN_FIRST_SPATIAL + i, at, n);
    }
    return true;
}

static tn_value *scatter(tn_grad *g, tn_value *into, tn_value *indices, tn_value *updates,
                         int64_t axis, bool add) {
    tn_attr attrs[] = {tn_attr_of_int("axis", axis), tn_attr_of_text(g->e, "reduction", "add")};
    return tn_emit(g->e, opset(g) >= ELEMENTS ? "ScatterElements" : "Scatter",
                   (tn_value *[]){into, indices, updates}, 3, attrs, add ? 2 : 1);
}

/* How many turns keep all windows apart. */
static int64_t all_turns(const tn_grad_windows *w) {
    int64_t all = 1;
    for (uint32_t i = 0; i < w->n; i++) {
        all *= turns(w, i);
    }
    return all;
}

/* args: Indices, d. */
tn_value *tn_grad_max_pool(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    tn_grad_windows w = tn_grad_windows_of(g);
    tn_value *indices = args[0], *d = args[1];
    int64_t all = all_turns(&w);
    if (tn_grad_int(g, "storage_order", 0) != 0) {
        tn_grad_fail(g, "its indices count columns first (storage_order=1)");
    }
    tn_value *total = flat(g, tn_emit_full_like(g->e, g->x, d->type->dtype, 0));
    if (all == 1 || opset(g) >= ADDS) {
        indices = flat(g, indices);
        total = scatter(g, total, indices, flat(g, d), 0, all > 1);
        return tn_emit_reshape_like(g->e, total, g->x);
    }
    if (all > TURNS) {
        tn_grad_fail(g,
                     "its windows overlap %lld times, which takes a scatter that adds: "
                     "ai.onnx has one from version %d on",
                     (long long)all, ADDS);
    }
    for (int64_t turn = 0; turn < all; turn++) {
        tn_value *part = d, *at = indices;
        if (take_turn(g, &w, turn, &part) && take_turn(g, &w, turn, &at)) {
            part = flat(g, part);
            at = flat(g, at);
            if (turn > 0) {
                part = tn_emit_2(g->e, "Add", tn_emit_2(g->e, "Gather", total, at), part);
            }
            total = scatter(g, total, at, part, 0, false);
        }
    }
    return tn_emit_reshape_like(g->e, total, g->x);
}

/* ---- without indices ---- */

/* Weights of a convolution that lays out windows: channel c * elements + k of the result is element
 * k of the window over channel c. */
static tn_value *layout(tn_grad *g, const tn_grad_windows *w, int64_t channels, int64_t elements) {
    uint32_t rank = w->n + TN_FIRST_SPATIAL;
    int64_t *dims = TN_ARRAY(g->e->scratch, int64_t, rank);
    double *ones = TN_ARRAY(g->e->scratch, double, (size_t)(channels * elements * elements));
    dims[0] = channels * elements;
    dims[1] = 1;
    for (uint32_t i = 0; i < w->n; i++) {
        dims[TN_FIRST_SPATIAL + i] = w->kernel[i];
    }
    for (int64_t row = 0; row < channels * elements; row++) {
        ones[row * elements + row % elements] = 1;
    }
    return tn_emit_floats(g->e, "grad_layout", g->x->type->dtype, rank, dims, ones,
                          (uint32_t)(channels * elements * elements));
}

/* [N,C*elements,...] as [N,C,elements,...] or, with 1 element, [N,C,1,...]. */
static tn_value *apart(tn_grad *g, tn_value *v, int64_t channels, int64_t elements) {
    uint32_t rank = tn_emit_rank(g->e, v);
    int64_t *dims = TN_ARRAY(g->e->scratch, int64_t, rank + 1u);
    dims[0] = 0;
    dims[1] = channels;
    dims[2] = elements;
    for (uint32_t i = TN_FIRST_SPATIAL; i < rank; i++) {
        dims[i + 1] = tn_grad_extent(g, v, i);
    }
    return tn_emit_reshape(g->e, v, dims, rank + 1);
}

/* Rows that are added to x so that all windows lie inside. */
static void surround(tn_grad *g, const tn_grad_windows *w, const tn_value *y, int64_t *before,
                     int64_t *behind) {
    const int64_t *in = tn_grad_spatial(g, g->x), *out = tn_grad_spatial(g, y);
    for (uint32_t i = 0; i < w->n; i++) {
        int64_t reach = (out[i] - 1) * w->strides[i] + w->dilations[i] * (w->kernel[i] - 1) + 1;
        before[TN_FIRST_SPATIAL + i] = w->pads[i];
        behind[TN_FIRST_SPATIAL + i] = reach - in[i] - w->pads[i];
    }
}

/* args: X, Y, d. Elements that share the maximum share what flows back. */
tn_value *tn_grad_max_pool_compared(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    tn_value *x = args[0], *y = args[1], *d = args[2];
    tn_grad_windows w = tn_grad_windows_of(g);
    uint32_t rank = w.n + TN_FIRST_SPATIAL;
    int64_t channels = tn_grad_extent(g, x, 1), elements = 1;
    int64_t *before = TN_ARRAY(g->e->scratch, int64_t, rank);
    int64_t *behind = TN_ARRAY(g->e->scratch, int64_t, rank);
    for (uint32_t i = 0; i < w.n; i++) {
        elements *= w.kernel[i];
    }
    surround(g, &w, y, before, behind);
    tn_value *padded = tn_emit_pad_with(g->e, x, before, behind, rank,
                                        x->type->dtype == TN_DT_FLOAT16 ? -6e4 : -1e30);
    tn_value *weights = layout(g, &w, channels, elements);
    tn_value *seen = tn_grad_conv(g, padded, weights, &w, channels, NULL);
    tn_value *each_seen = apart(g, seen, channels, elements);
    tn_value *less = tn_emit_2(g->e, "Less", each_seen, apart(g, y, channels, 1));
    tn_value *is_max = tn_emit_cast(g->e, tn_emit_1(g->e, "Not", less), x->type->dtype);
    tn_value *number = tn_emit_reduce(g->e, "ReduceSum", is_max, (int64_t[]){2}, 1, true);
    tn_value *share = tn_emit_2(g->e, "Div", apart(g, d, channels, 1), number);
    tn_value *each = tn_emit_2(g->e, "Mul", is_max, share);
    tn_value *full = tn_grad_conv_transpose(g, tn_emit_reshape_like(g->e, each, seen), weights, &w,
                                            channels, NULL, NULL);
    return tn_grad_unpad(g, full, &w, x);
}

/* Whether x is kept in any case: the gradient of the op that makes it reads it. */
static bool is_kept(const tn_value *x) {
    uint32_t operands = 0, results = 0;
    tn_grad_case c;
    for (uint32_t k = 0; x->def != NULL && k < x->def->n_operands; k++) {
        if (tn_op_grad(x->def, k, false, &c) == TN_GRAD_GIVEN) {
            tn_grad_needs(x->def->info, x->def->version, &c, &operands, &results);
        }
    }
    return x->def == NULL || (results >> x->def_index & 1) != 0;
}

/* ---- indices counted from the first element of their window ---- */

/* Elements of a plane of v; 0 where they are not known. */
static int64_t plane_of(const tn_grad *g, const tn_value *v) {
    int64_t plane = 1, extent;
    for (uint32_t i = TN_FIRST_SPATIAL; i < v->type->rank; i++) {
        plane *= tn_dim_is_const(g->e->m->dims, v->type->dims[i], &extent) ? extent : 0;
    }
    return plane;
}

/* How many elements of its plane one step along each spatial axis of x is. */
static const int64_t *plane_steps(tn_grad *g, uint32_t n) {
    const int64_t *in = tn_grad_spatial(g, g->x);
    int64_t step = 1, *steps = TN_ARRAY(g->e->scratch, int64_t, n);
    for (uint32_t i = n; i-- > 0; step *= in[i]) {
        steps[i] = step;
    }
    return steps;
}

/* The smallest type that holds them; that of the indices where none is smaller. */
static tn_dtype relative_dtype(tn_grad *g, const tn_grad_windows *w, const tn_value *y) {
    bool once = all_turns(w) == 1 || opset(g) >= ADDS;
    if (!g->keeps_least || !once || !tn_emit_can(g->e, "Mod", NULL) || plane_of(g, g->x) == 0 ||
        plane_of(g, y) == 0 || tn_grad_int(g, "storage_order", 0) != 0) {
        return TN_DT_INT64;
    }
    const int64_t *steps = plane_steps(g, w->n);
    int64_t most = 0;
    for (uint32_t i = 0; i < w->n; i++) {
        most += w->dilations[i] * (w->kernel[i] - 1) * steps[i];
    }
    return most <= UINT8_MAX ? TN_DT_UINT8 : most <= UINT16_MAX ? TN_DT_UINT16 : TN_DT_INT64;
}

/* Where in the plane of x each window begins, before it where there are pads: int64[1,1,...]. */
static tn_value *window_begins(tn_grad *g, const tn_grad_windows *w, const tn_value *y) {
    const int64_t *out = tn_grad_spatial(g, y);
    const int64_t *steps = plane_steps(g, w->n);
    int64_t n = 1, *dims = TN_ARRAY(g->e->scratch, int64_t, w->n + TN_FIRST_SPATIAL);
    dims[0] = dims[1] = 1;
    for (uint32_t i = 0; i < w->n; i++) {
        n *= dims[TN_FIRST_SPATIAL + i] = out[i];
    }
    int64_t *begins = TN_ARRAY(g->e->scratch, int64_t, (size_t)n);
    for (int64_t at = 0; at < n; at++) {
        int64_t rest = at;
        for (uint32_t i = w->n; i-- > 0; rest /= out[i]) {
            begins[at] += (rest % out[i] * w->strides[i] - w->pads[i]) * steps[i];
        }
    }
    return tn_emit_tensor(g->e, "grad_windows", TN_DT_INT64, w->n + TN_FIRST_SPATIAL, dims, begins);
}

/* The gradient by indices that only these ops read, which the forward part may keep in a byte or
 * two an element: tn_keep_least cuts the chain where it is narrowest. */
static tn_value *by_relative(tn_grad *g, const tn_grad_windows *w, tn_value *indices, tn_value *d,
                             tn_dtype kept) {
    const int64_t rows[] = {0, 0, -1};
    uint32_t rank = TN_FIRST_SPATIAL + 1;
    tn_value *begins = window_begins(g, w, d);
    tn_value *at = tn_emit_2(g->e, "Mod", indices, tn_emit_int(g->e, plane_of(g, g->x)));
    at = tn_emit_cast(g->e, tn_emit_2(g->e, "Sub", at, begins), kept);
    at = tn_emit_2(g->e, "Add", tn_emit_cast(g->e, at, TN_DT_INT64), begins);
    tn_value *zeros = tn_emit_full_like(g->e, g->x, d->type->dtype, 0);
    at = tn_emit_reshape(g->e, at, rows, rank);
    d = tn_emit_reshape(g->e, d, rows, rank);
    zeros = tn_emit_reshape(g->e, zeros, rows, rank);
    tn_value *total = scatter(g, zeros, at, d, TN_FIRST_SPATIAL, all_turns(w) > 1);
    return tn_emit_reshape_like(g->e, total, g->x);
}

/* Whether indices are kept, in elements of that type; finding them again takes x. */
static bool keeps_indices(const tn_grad *g, const tn_value *y, tn_dtype kept) {
    if (strcmp(g->indices, "auto") != 0) {
        return strcmp(g->indices, "keep") == 0;
    }
    int64_t bits = tn_dtype_get(kept)->bits, of_x = tn_dtype_get(g->x->type->dtype)->bits;
    return !is_kept(g->x) && plane_of(g, y) != 0 &&
           plane_of(g, g->x) * of_x > plane_of(g, y) * bits;
}

/* Indices, which the op does not give: it does from now on, or is run again. args: X, Indices, d.
 */
tn_value *tn_grad_max_pool_again(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    tn_grad_windows w = tn_grad_windows_of(g);
    tn_dtype kept = relative_dtype(g, &w, args[2]);
    if (keeps_indices(g, args[2], kept)) {
        tn_value *indices = tn_grad_result(g, 1, TN_DT_INT64, args[2]);
        return kept != TN_DT_INT64 ? by_relative(g, &w, indices, args[2], kept)
                                   : tn_grad_max_pool(g, (tn_value *[]){indices, args[2]}, 2);
    }
    tn_op *again =
        tn_emit_op(g->e, g->op->type, (tn_value *[]){args[0]}, 1, g->op->attrs, g->op->n_attrs, 2);
    return tn_grad_max_pool(g, (tn_value *[]){again->results[1], args[2]}, 2);
}

/* args: X, Y, d. */
tn_value *tn_grad_global_max_pool(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    tn_value *x = args[0], *y = args[1], *d = args[2];
    uint32_t rank = tn_emit_rank(g->e, x);
    int64_t *axes = TN_ARRAY(g->e->scratch, int64_t, rank + 1u);
    for (uint32_t i = TN_FIRST_SPATIAL; i < rank; i++) {
        axes[i - TN_FIRST_SPATIAL] = i;
    }
    tn_value *less = tn_emit_2(g->e, "Less", x, y);
    tn_value *is_max = tn_emit_cast(g->e, tn_emit_1(g->e, "Not", less), x->type->dtype);
    tn_value *number =
        tn_emit_reduce(g->e, "ReduceSum", is_max, axes, rank - TN_FIRST_SPATIAL, true);
    return tn_emit_2(g->e, "Mul", is_max, tn_emit_2(g->e, "Div", d, number));
}
