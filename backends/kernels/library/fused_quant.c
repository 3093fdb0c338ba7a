/* Conv between DequantizeLinear and QuantizeLinear, summed up in whole numbers. */
#include "fused.h"
#include "quant.h"

typedef struct fused_conv {
    window at;
    const tenure_tensor *x, *w, *w_scale, *w_zero, *y;
    const tenure_tensor *bias, *bias_scale, *bias_zero; /* bias_scale NULL: of floats */
    quantum of_x, of_y;
    size_t channels, filters, groups; /* channels that a filter reads */
    int relu;
} fused_conv;

static float bias_of(const fused_conv *c, size_t m) {
    if (c->bias == NULL) {
        return 0;
    }
    return c->bias_scale == NULL ? IN(c->bias, float)[m]
                                 : (float)(quant_load(c->bias, m) - quant_zero(c->bias_zero, m)) *
                                       quant_scale(c->bias_scale, m);
}

/* Products of filter `m` at place `o` of sample `n`. */
static int32_t products(const fused_conv *c, size_t n, size_t m, size_t o) {
    size_t group = m / (c->filters / c->groups), at = 0;
    size_t images = (n * c->groups + group) * c->channels;
    window_part p = window_at(&c->at, o);
    int32_t sum = 0, zero = quant_zero(c->w_zero, m);
    for (size_t k = 0; k < c->at.kernel_size; k++) {
        for (size_t i = 0; window_tap(&c->at, &p, k, &at) && i < c->channels; i++) {
            sum += (quant_load(c->x, (images + i) * c->at.image_size + at) - c->of_x.zero) *
                   (quant_load(c->w, (m * c->channels + i) * c->at.kernel_size + k) - zero);
        }
    }
    return sum;
}

static void run(const fused_conv *c) {
    for (size_t i = 0; i < c->y->elements; i++) {
        size_t o = i % c->at.result_size, m = i / c->at.result_size % c->filters;
        int32_t sum = products(c, i / c->at.result_size / c->filters, m, o);
        float v = (float)sum * (c->of_x.scale * quant_scale(c->w_scale, m)) + bias_of(c, m);
        v = c->relu && v < 0 ? 0 : v;
        quant_store(c->y, i, v / c->of_y.scale, c->of_y.zero);
    }
}

/* x x_scale x_zero_point w w_scale w_zero_point, then B of floats, or b b_scale b_zero_point, then
 * y_scale y_zero_point -> y */
static int set_up(fused_conv *c, fused_attributes a, const tenure_tensor *const *in, uint32_t n) {
    if (n != 9 && n != 11) {
        return KERNEL_BAD_SHAPE;
    }
    int64_t groups = fused_int(a, "Conv.group", 1);
    c->x = in[0];
    c->w = in[3];
    c->w_scale = in[4];
    c->w_zero = in[5];
    c->bias = in[6];
    c->bias_scale = n == 11 ? in[7] : NULL;
    c->bias_zero = n == 11 ? in[8] : NULL;
    if (!quant_is(c->x) || !quant_is(c->w) || !quant_is(c->y)) {
        return BAD_TYPE3(KNOWS_QUANTISED, c->x, c->w, c->y);
    }
    c->of_x = quantum_of(in[1], in[2]);
    c->of_y = quantum_of(in[n - 2], in[n - 1]);
    c->relu = fused_has(a, "Relu");
    c->filters = (size_t)c->w->dims[0];
    c->channels = (size_t)c->w->dims[1];
    c->groups = (size_t)groups;
    int bad = groups < 1 || c->groups * c->channels != (size_t)c->x->dims[1];
    return bad ? KERNEL_BAD_SHAPE : fused_window(a, c->x, c->y, &c->at);
}

tenure_generic tenure_fused_QdqConv_1;
int tenure_fused_QdqConv_1(const tenure_attribute *attributes, uint32_t n_attributes,
                           const tenure_tensor *const *operands, uint32_t n_operands,
                           const tenure_tensor *const *results, uint32_t n_results,
                           const tenure_context *context) {
    fused_attributes a = {attributes, n_attributes};
    fused_conv c;
    c.y = n_results == 1 ? results[0] : NULL;
    int bad = c.y == NULL ? KERNEL_BAD_SHAPE : set_up(&c, a, operands, n_operands);
    (void)context;
    if (!bad) {
        run(&c);
    }
    return bad;
}
