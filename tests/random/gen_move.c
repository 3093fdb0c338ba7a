/* Ops that move or keep what is there: what views are made of. */
#include "tests/random/gen_t.h"

static gen_value finish(gen *g, tn_op *op, const gen_value *like) {
    return gen_result_like(g, op, like);
}

static tn_op *of(gen *g, const char *type, const gen_value *v) {
    tn_op *op = gen_op(g, "", type);
    tn_op_add_operand(op, v->v);
    return op;
}

static bool make_identity(gen *g) {
    gen_value v = gen_pick(g);
    finish(g, of(g, "Identity", &v), &v);
    return true;
}

/* Another shape of as many elements: flat, a factor split off, or two axes joined. */
static bool reshaped(gen *g, const gen_value *v, gen_value *out) {
    int64_t n = gen_elements(g, v);
    *out = *v;
    switch (rng_below(&g->random, 3)) {
    case 0:
        out->rank = 1;
        out->dims[0] = n;
        return true;
    case 1: {
        int64_t factor = 2 + rng_below(&g->random, 3);
        out->rank = 2;
        out->dims[0] = gen_parts(g, n, factor);
        out->dims[1] = factor;
        return out->dims[0] >= 0;
    }
    default:
        if (v->rank < 2) {
            return false;
        }
        out->rank = v->rank - 1;
        out->dims[0] = gen_times(g, v->dims[0], v->dims[1]);
        for (uint32_t i = 1; i < out->rank; i++) {
            out->dims[i] = v->dims[i + 1];
        }
        return true;
    }
}

static bool make_reshape(gen *g) {
    gen_value v = gen_pick(g), r;
    if (v.open || gen_elements(g, &v) == 0 || !reshaped(g, &v, &r)) {
        return false;
    }
    int64_t dims[GEN_MAX_RANK];
    uint32_t n_open = 0;
    for (uint32_t i = 0; i < r.rank; i++) {
        bool open = r.dims[i] >= GEN_OPEN;
        dims[i] = open ? -1 : r.dims[i];
        n_open += open;
    }
    if (n_open > 1) {
        return false;
    }
    if (r.rank > 0 && n_open == 0 && rng_chance(&g->random, 30)) {
        dims[rng_below(&g->random, r.rank)] = -1;
    }
    tn_op *op = of(g, "Reshape", &v);
    tn_op_add_operand(op, gen_ints(g, 1, r.rank, dims));
    finish(g, op, &r);
    return true;
}

static bool make_unsqueeze(gen *g) {
    gen_value v = gen_pick(g);
    if (v.open || v.rank + 1 > GEN_MAX_RANK) {
        return false;
    }
    uint32_t axis = rng_below(&g->random, v.rank + 1);
    tn_op *op = of(g, "Unsqueeze", &v);
    tn_op_add_operand(op, gen_list(g, axis));
    for (uint32_t i = v.rank; i > axis; i--) {
        v.dims[i] = v.dims[i - 1];
    }
    v.dims[axis] = 1;
    v.rank++;
    finish(g, op, &v);
    return true;
}

static bool make_squeeze(gen *g) {
    gen_value v = gen_pick(g);
    uint32_t axis = 0;
    while (axis < v.rank && v.dims[axis] != 1) {
        axis++;
    }
    if (v.open || axis == v.rank) {
        return false;
    }
    tn_op *op = of(g, "Squeeze", &v);
    tn_op_add_operand(op, gen_list(g, axis));
    for (uint32_t i = axis; i + 1 < v.rank; i++) {
        v.dims[i] = v.dims[i + 1];
    }
    v.rank--;
    finish(g, op, &v);
    return true;
}

static bool make_flatten(gen *g) {
    gen_value v = gen_pick(g);
    if (v.open) {
        return false;
    }
    uint32_t axis = rng_below(&g->random, v.rank + 1);
    tn_op *op = of(g, "Flatten", &v);
    tn_op_add_int(op, "axis", axis);
    gen_value r = {.dtype = v.dtype, .rank = 2, .dims = {1, 1}};
    for (uint32_t i = 0; i < v.rank; i++) {
        r.dims[i >= axis] = gen_times(g, r.dims[i >= axis], v.dims[i]);
    }
    finish(g, op, &r);
    return true;
}

static bool make_transpose(gen *g) {
    gen_value v = gen_pick(g), r = v;
    int64_t perm[GEN_MAX_RANK];
    if (v.open || v.rank < 2) {
        return false;
    }
    for (uint32_t i = 0; i < v.rank; i++) {
        perm[i] = i;
    }
    for (uint32_t i = v.rank - 1; i > 0; i--) {
        uint32_t k = rng_below(&g->random, i + 1);
        int64_t at = perm[i];
        perm[i] = perm[k];
        perm[k] = at;
    }
    for (uint32_t i = 0; i < v.rank; i++) {
        r.dims[i] = v.dims[perm[i]];
    }
    tn_op *op = of(g, "Transpose", &v);
    gen_attr_ints(g, op, "perm", v.rank, perm);
    finish(g, op, &r);
    return true;
}

/* Often the first one, which views need. */
static uint32_t any_axis(gen *g, uint32_t rank) {
    bool first = rng_chance(&g->random, 50);
    return first ? 0 : rng_below(&g->random, rank);
}

/* Up to three tensors along an axis, perhaps one of them more than once. */
static bool make_concat(gen *g) {
    gen_value parts[3], r = gen_pick(g);
    if (r.open || r.rank == 0) {
        return false;
    }
    uint32_t axis = any_axis(g, r.rank);
    uint32_t n = 1 + rng_below(&g->random, 3);
    parts[0] = r;
    for (uint32_t i = 1; i < n; i++) {
        gen_value like = parts[0];
        if (!gen_pick_like(g, &like, &parts[i])) {
            parts[i] = parts[0];
        }
        gen_value other = gen_pick(g), aligned = other;
        aligned.dims[axis] = parts[0].dims[axis];
        if (axis < other.rank && gen_same_type(&aligned, &parts[0])) {
            parts[i] = other;
        }
        r.dims[axis] = gen_plus(g, r.dims[axis], parts[i].dims[axis]);
    }
    if (!gen_fits(r.dtype, r.rank, r.dims)) {
        return false;
    }
    tn_op *op = gen_op(g, "", "Concat");
    for (uint32_t i = 0; i < n; i++) {
        tn_op_add_operand(op, parts[i].v);
    }
    tn_op_add_int(op, "axis", rng_chance(&g->random, 20) ? (int64_t)axis - r.rank : axis);
    finish(g, op, &r);
    return true;
}

static bool make_split(gen *g) {
    gen_value v = gen_pick(g);
    if (v.open || v.rank == 0) {
        return false;
    }
    uint32_t axis = any_axis(g, v.rank);
    if (v.dims[axis] < 2 || v.dims[axis] >= GEN_OPEN) {
        return false;
    }
    int64_t first = 1 + rng_below(&g->random, (uint32_t)v.dims[axis] - 1);
    int64_t sizes[] = {first, v.dims[axis] - first};
    tn_op *op = of(g, "Split", &v);
    tn_op_add_operand(op, gen_ints(g, 1, 2, sizes));
    tn_op_add_int(op, "axis", axis);
    for (uint32_t i = 0; i < 2; i++) {
        v.dims[axis] = sizes[i];
        finish(g, op, &v);
    }
    return true;
}

static bool make_slice(gen *g) {
    gen_value v = gen_pick(g);
    if (v.open || v.rank == 0) {
        return false;
    }
    uint32_t axis = any_axis(g, v.rank);
    int64_t size = v.dims[axis];
    if (size == 0 || size >= GEN_OPEN) {
        return false;
    }
    int64_t start = rng_below(&g->random, (uint32_t)size);
    int64_t end = start + 1 + rng_below(&g->random, (uint32_t)(size - start));
    int64_t step = rng_chance(&g->random, 15) ? 2 : 1;
    bool back = rng_chance(&g->random, 20), far = end == size && rng_chance(&g->random, 50);
    tn_op *op = of(g, "Slice", &v);
    tn_op_add_operand(op, gen_list(g, back ? start - size : start));
    tn_op_add_operand(op, gen_list(g, far ? INT64_MAX : end));
    tn_op_add_operand(op, gen_list(g, axis));
    if (step != 1 || rng_chance(&g->random, 30)) {
        tn_op_add_operand(op, gen_list(g, step));
    }
    v.dims[axis] = (end - start + step - 1) / step;
    finish(g, op, &v);
    return true;
}

static bool make_gather(gen *g) {
    gen_value v = gen_pick(g);
    if (v.open || v.rank == 0 || v.dims[0] == 0) {
        return false;
    }
    uint32_t axis = v.dims[v.rank - 1] > 0 && rng_chance(&g->random, 25) ? v.rank - 1 : 0;
    bool scalar = rng_chance(&g->random, 40);
    int64_t index[3], size = v.dims[axis] >= GEN_OPEN ? 1 : v.dims[axis];
    uint32_t n = scalar ? 1 : 1 + rng_below(&g->random, 3);
    index[0] = rng_below(&g->random, (uint32_t)size);
    for (uint32_t i = 1; i < n; i++) {
        bool next = index[i - 1] + 1 < size && rng_chance(&g->random, 80);
        index[i] = next ? index[i - 1] + 1 : rng_below(&g->random, (uint32_t)size);
    }
    tn_op *op = of(g, "Gather", &v);
    tn_op_add_operand(op, gen_ints(g, scalar ? 0 : 1, n, index));
    tn_op_add_int(op, "axis", axis);
    if (scalar) {
        for (uint32_t i = axis; i + 1 < v.rank; i++) {
            v.dims[i] = v.dims[i + 1];
        }
        v.rank--;
    } else {
        v.dims[axis] = n;
    }
    if (!gen_fits(v.dtype, v.rank, v.dims)) {
        gen_result_named(g, op, gen_name(g), &v);
        g->reach.len--;
        return true;
    }
    finish(g, op, &v);
    return true;
}

static bool make_pad(gen *g) {
    gen_value v = gen_pick(g), r = v;
    int64_t pads[2 * GEN_MAX_RANK] = {0};
    if (v.open || v.rank == 0) {
        return false;
    }
    uint32_t axis = any_axis(g, v.rank);
    pads[axis] = rng_below(&g->random, 3);
    pads[v.rank + axis] = rng_below(&g->random, 3);
    r.dims[axis] = gen_plus(g, r.dims[axis], pads[axis] + pads[v.rank + axis]);
    if (!gen_fits(r.dtype, r.rank, r.dims)) {
        return false;
    }
    tn_op *op = of(g, "Pad", &v);
    tn_op_add_operand(op, gen_ints(g, 1, 2 * v.rank, pads));
    finish(g, op, &r);
    return true;
}

static bool make_expand(gen *g) {
    gen_value v = gen_pick(g), r = v;
    if (v.open || v.rank == 0) {
        return false;
    }
    for (uint32_t i = 0; i < v.rank; i++) {
        if (v.dims[i] == 1 && rng_chance(&g->random, 50)) {
            r.dims[i] = 1 + rng_below(&g->random, 4);
        }
    }
    if (!gen_fits(r.dtype, r.rank, r.dims)) {
        return false;
    }
    int64_t target[GEN_MAX_RANK];
    for (uint32_t i = 0; i < r.rank; i++) {
        target[i] = r.dims[i] >= GEN_OPEN ? 1 : r.dims[i];
    }
    tn_op *op = of(g, "Expand", &v);
    tn_op_add_operand(op, gen_ints(g, 1, r.rank, target));
    finish(g, op, &r);
    return true;
}

static bool make_tile(gen *g) {
    gen_value v = gen_pick(g), r = v;
    int64_t repeats[GEN_MAX_RANK];
    if (v.open || v.rank == 0) {
        return false;
    }
    for (uint32_t i = 0; i < v.rank; i++) {
        repeats[i] = rng_chance(&g->random, 25) ? 2 : 1;
        r.dims[i] = gen_times(g, r.dims[i], repeats[i]);
    }
    if (!gen_fits(r.dtype, r.rank, r.dims)) {
        return false;
    }
    tn_op *op = of(g, "Tile", &v);
    tn_op_add_operand(op, gen_ints(g, 1, v.rank, repeats));
    finish(g, op, &r);
    return true;
}

const gen_maker gen_move_makers[] = {{5, make_identity}, {9, make_reshape}, {4, make_unsqueeze},
                                     {3, make_squeeze},  {3, make_flatten}, {6, make_transpose},
                                     {10, make_concat},  {8, make_split},   {8, make_slice},
                                     {6, make_gather},   {5, make_pad},     {3, make_expand},
                                     {2, make_tile},     {0, NULL}};
