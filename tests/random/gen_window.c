/* Ops whose elements are made of several elements of the operand, in ways of their own: windows of
 * images, whole images, rows, and images in another size. They come beside the others in some of
 * the modules. */
#include "tests/random/gen_t.h"

enum { IMAGE = 4 }; /* axes: sample, channel, height, width */

/* An image in reach; false when there is none. */
static bool pick_image(gen *g, gen_value *out) {
    uint32_t found = 0;
    for (uint32_t i = g->reach_from; i < g->reach.len; i++) {
        const gen_value *v = &g->reach.data[i];
        bool fits = !v->open && v->rank == IMAGE && gen_is_fixed(v->rank, v->dims);
        for (uint32_t k = 0; fits && k < IMAGE; k++) {
            fits = v->dims[k] > 0;
        }
        /* The newest more often, above all where nobody has read it so far: it dies soon. */
        uint32_t newest = fits && v->v->first_use == NULL ? 80 : 40;
        if (fits && (rng_below(&g->random, ++found) == 0 || rng_chance(&g->random, newest))) {
            *out = *v;
        }
    }
    return found > 0;
}

static tn_op *of(gen *g, const char *type, const gen_value *v) {
    tn_op *op = gen_op(g, "", type);
    tn_op_add_operand(op, v->v);
    return op;
}

typedef struct windows {
    int64_t kernel[2], strides[2], dilations[2], pads[4];
} windows;

/* Windows for an image, whose extents become those of the result. */
static void draw_windows(gen *g, bool dilated, gen_value *v, windows *w) {
    for (uint32_t i = 0; i < 2; i++) {
        int64_t *in = &v->dims[2 + i], reach;
        do {
            w->kernel[i] = 1 + rng_below(&g->random, 3);
            w->strides[i] = rng_chance(&g->random, 60) ? 1 : 1 + rng_below(&g->random, 3);
            w->dilations[i] = dilated ? 1 + rng_below(&g->random, 2) : 1;
            w->pads[i] = rng_below(&g->random, (uint32_t)w->kernel[i]);
            w->pads[2 + i] = rng_below(&g->random, (uint32_t)w->kernel[i]);
            reach = (w->kernel[i] - 1) * w->dilations[i] + 1;
        } while (*in + w->pads[i] + w->pads[2 + i] < reach);
        *in = (*in + w->pads[i] + w->pads[2 + i] - reach) / w->strides[i] + 1;
    }
}

static void put_windows(gen *g, tn_op *op, const windows *w) {
    gen_attr_ints(g, op, "kernel_shape", 2, w->kernel);
    gen_attr_ints(g, op, "strides", 2, w->strides);
    gen_attr_ints(g, op, "pads", 4, w->pads);
}

static bool is_float(const gen_value *v) {
    return v->dtype == TN_DT_FLOAT || v->dtype == TN_DT_FLOAT16 || v->dtype == TN_DT_DOUBLE;
}

static bool is_8_bits(const gen_value *v) {
    return v->dtype == TN_DT_INT8 || v->dtype == TN_DT_UINT8;
}

/* Dense, in groups, or each channel by itself. */
static bool make_conv(gen *g) {
    gen_value v, r;
    windows w;
    if (!pick_image(g, &v) || (!is_float(&v) && !is_8_bits(&v))) {
        return false;
    }
    r = v;
    draw_windows(g, true, &r, &w);
    int64_t groups = rng_chance(&g->random, 40)                         ? v.dims[1]
                     : v.dims[1] % 2 == 0 && rng_chance(&g->random, 40) ? 2
                                                                        : 1;
    r.dims[1] = groups * (1 + rng_below(&g->random, groups > 1 ? 2 : 8));
    r.dtype = is_float(&v) ? v.dtype : TN_DT_INT32;
    int64_t dims[] = {r.dims[1], v.dims[1] / groups, w.kernel[0], w.kernel[1]};
    if (!gen_fits(r.dtype, IMAGE, r.dims) || !gen_fits(v.dtype, IMAGE, dims)) {
        return false;
    }
    gen_value weights = gen_weights(g, gen_name(g), v.dtype, IMAGE, dims);
    tn_op *op = of(g, is_float(&v) ? "Conv" : "ConvInteger", &v);
    tn_op_add_operand(op, weights.v);
    put_windows(g, op, &w);
    gen_attr_ints(g, op, "dilations", 2, w.dilations);
    tn_op_add_int(op, "group", groups);
    gen_result_like(g, op, &r);
    return true;
}

static bool make_pool(gen *g) {
    gen_value v;
    windows w;
    if (!pick_image(g, &v) || (!is_float(&v) && !is_8_bits(&v))) {
        return false;
    }
    gen_value r = v;
    draw_windows(g, false, &r, &w);
    bool largest = is_8_bits(&v) || rng_chance(&g->random, 50);
    tn_op *op = of(g, largest ? "MaxPool" : "AveragePool", &v);
    put_windows(g, op, &w);
    gen_result_like(g, op, &r);
    if (largest && rng_chance(&g->random, 10)) {
        r.dtype = TN_DT_INT64;
        gen_result_like(g, op, &r);
    }
    return true;
}

static bool make_global_pool(gen *g) {
    gen_value v;
    if (!pick_image(g, &v) || !is_float(&v)) {
        return false;
    }
    tn_op *op = of(g, rng_chance(&g->random, 50) ? "GlobalAveragePool" : "GlobalMaxPool", &v);
    v.dims[2] = v.dims[3] = 1;
    gen_result_like(g, op, &v);
    return true;
}

/* Each axis a whole number of times larger or smaller, so that places are exact. */
static bool make_resize(gen *g) {
    gen_value v;
    if (!pick_image(g, &v) || !is_float(&v)) {
        return false;
    }
    gen_value r = v;
    for (uint32_t i = 2; i < IMAGE; i++) {
        int64_t by = 1 + rng_below(&g->random, 3);
        r.dims[i] =
            v.dims[i] % by == 0 && rng_chance(&g->random, 40) ? v.dims[i] / by : v.dims[i] * by;
    }
    if (!gen_fits(r.dtype, IMAGE, r.dims)) {
        return false;
    }
    tn_op *op = of(g, "Resize", &v);
    tn_op_add_operand(op, NULL);
    tn_op_add_operand(op, NULL);
    tn_op_add_operand(op, gen_ints(g, 1, IMAGE, r.dims));
    gen_attr_string(g, op, "mode", "linear");
    gen_result_like(g, op, &r);
    return true;
}

static bool make_norm(gen *g) {
    gen_value v;
    if (!pick_image(g, &v) || !is_float(&v)) {
        return false;
    }
    if (rng_chance(&g->random, 50)) {
        tn_op *op = of(g, "LRN", &v);
        tn_op_add_int(op, "size", 1 + 2 * rng_below(&g->random, 3));
        gen_result_like(g, op, &v);
        return true;
    }
    gen_value scale = gen_weights(g, gen_name(g), v.dtype, 1, &v.dims[1]);
    tn_op *op = of(g, "InstanceNormalization", &v);
    tn_op_add_operand(op, scale.v);
    tn_op_add_operand(op, scale.v);
    gen_result_like(g, op, &v);
    return true;
}

/* The index of the largest element, wider than what it is found in. */
static bool make_argmax(gen *g) {
    gen_value v = gen_pick(g);
    if (v.open || v.rank == 0 || !is_float(&v)) {
        return false;
    }
    uint32_t axis = rng_below(&g->random, v.rank);
    if (v.dims[axis] == 0) {
        return false;
    }
    v.dims[axis] = 1;
    if (!gen_fits(TN_DT_INT64, v.rank, v.dims)) {
        return false;
    }
    tn_op *op = of(g, "ArgMax", &v);
    tn_op_add_int(op, "axis", axis);
    v.dtype = TN_DT_INT64;
    gen_result_like(g, op, &v);
    return true;
}

/* A product of two matrices at hand, both of which may die. */
static bool make_product(gen *g) {
    gen_value a = gen_pick(g), b;
    if (a.open || a.rank != 2 || !is_float(&a)) {
        return false;
    }
    gen_value like = a;
    like.dims[0] = a.dims[1];
    like.dims[1] = a.dims[0];
    bool turned = rng_chance(&g->random, 40);
    gen_value r = a;
    r.dims[1] = a.dims[0];
    if (!gen_fits(r.dtype, 2, r.dims) || !gen_pick_like(g, turned ? &a : &like, &b)) {
        return false;
    }
    tn_op *op = of(g, "Gemm", &a);
    tn_op_add_operand(op, b.v);
    tn_op_add_int(op, "transB", turned);
    gen_result_like(g, op, &r);
    return true;
}

/* Backwards along an axis. */
static bool make_flipped(gen *g) {
    gen_value v = gen_pick(g);
    if (v.open || v.rank == 0) {
        return false;
    }
    uint32_t axis = rng_below(&g->random, v.rank);
    int64_t size = v.dims[axis];
    if (size == 0 || size >= GEN_OPEN) {
        return false;
    }
    int64_t start = rng_below(&g->random, (uint32_t)size);
    int64_t step = 1 + rng_below(&g->random, 2);
    tn_op *op = of(g, "Slice", &v);
    tn_op_add_operand(op, gen_list(g, start));
    tn_op_add_operand(op, gen_list(g, -size - 1));
    tn_op_add_operand(op, gen_list(g, axis));
    tn_op_add_operand(op, gen_list(g, -step));
    v.dims[axis] = start / step + 1;
    gen_result_like(g, op, &v);
    return true;
}

const gen_maker gen_window_makers[] = {{10, make_conv},   {7, make_pool},    {2, make_global_pool},
                                       {4, make_resize},  {4, make_norm},    {2, make_argmax},
                                       {3, make_product}, {3, make_flipped}, {0, NULL}};
