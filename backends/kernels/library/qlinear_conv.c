/* QLinearConv and ConvInteger. */
#include "quant.h"

typedef struct conv {
    const tenure_tensor *x, *w, *bias, *w_zero;
    window at;
    size_t channels, filters, shared; /* of x, of y, channels of x that a filter reads */
    int32_t x_zero;
    int last;           /* channels behind the axes in space */
    int x_last, y_last; /* the same as elements lie */
} conv;

static int conv_init(conv *c, const tenure_tensor *y, int64_t group, tenure_ints kernel,
                     tenure_ints strides, tenure_ints dilations, tenure_ints pads,
                     const char *auto_pad) {
    int64_t dims[SPATIAL];
    if (!quant_is(c->x) || !quant_is(c->w)) {
        return BAD_TYPE2(KNOWS_QUANTISED, c->x, c->w);
    }
    if (c->x->rank < 3 || c->x->rank > 5 || c->w->rank != c->x->rank || group < 1) {
        return KERNEL_BAD_SHAPE;
    }
    c->channels = (size_t)c->x->dims[c->last ? c->x->rank - 1 : 1];
    c->filters = (size_t)c->w->dims[0];
    c->x_last = c->last || c->x->channels_last;
    c->y_last = c->last || y->channels_last;
    c->shared = (size_t)c->w->dims[1];
    if (c->shared * (size_t)group != c->channels) {
        return KERNEL_BAD_SHAPE;
    }
    return window_by_layout(c->x, y, c->last, window_kernel(kernel, c->w, dims), strides, dilations,
                            pads, auto_pad, &c->at);
}

/* Products of the filter `m` at the place `o` of the entry `n`. */
static int32_t conv_sum(const conv *c, size_t n, size_t m, size_t o) {
    int32_t sum = c->bias == NULL ? 0 : IN(c->bias, int32_t)[m], zero = quant_zero(c->w_zero, m);
    size_t group = m / (c->filters / (c->channels / c->shared)), from = group * c->shared;
    size_t next = c->x_last ? 1 : c->at.image_size, at = 0;
    window_part p = window_at(&c->at, o);
    for (size_t k = 0; k < c->at.kernel_size; k++) {
        if (!window_tap(&c->at, &p, k, &at)) {
            continue;
        }
        size_t x = c->x_last ? (n * c->at.image_size + at) * c->channels + from
                             : (n * c->channels + from) * next + at;
        size_t w = m * c->shared * c->at.kernel_size + k;
        for (size_t i = 0; i < c->shared; i++) {
            sum += (quant_load(c->x, x) - c->x_zero) * (quant_load(c->w, w) - zero);
            x += next;
            w += c->at.kernel_size;
        }
    }
    return sum;
}

/* The number of the result's element `i`, and whose it is. */
static int32_t conv_element(const conv *c, size_t i, size_t *m) {
    size_t o = c->y_last ? i / c->filters % c->at.result_size : i % c->at.result_size;
    *m = c->y_last ? i % c->filters : i / c->at.result_size % c->filters;
    return conv_sum(c, i / c->filters / c->at.result_size, *m, o);
}

static int qlinear_conv(const conv *c, const tenure_tensor *x_scale, const tenure_tensor *w_scale,
                        const tenure_tensor *y_scale, const tenure_tensor *y_zero,
                        const tenure_tensor *y) {
    if (!quant_is(y) || (c->bias != NULL && c->bias->dtype != TENURE_DTYPE_I32)) {
        return BAD_TYPE2(KNOWS_QUANTISED ", i32 for the bias", y, c->bias);
    }
    quantum q = quantum_of(y_scale, y_zero);
    for (size_t i = 0, m = 0; i < y->elements; i++) {
        int32_t sum = conv_element(c, i, &m);
        float scale = quant_scale(x_scale, 0) * quant_scale(w_scale, m) / q.scale;
        quant_store(y, i, (float)sum * scale, q.zero);
    }
    return 0;
}

#define QLINEAR_CONV(op, behind)                                                                   \
    int tenure_##op(                                                                               \
        const tenure_##op##_attributes *a, const tenure_tensor *x, const tenure_tensor *x_scale,   \
        const tenure_tensor *x_zero, const tenure_tensor *w, const tenure_tensor *w_scale,         \
        const tenure_tensor *w_zero, const tenure_tensor *y_scale, const tenure_tensor *y_zero,    \
        const tenure_tensor *bias, const tenure_tensor *y, const tenure_context *context) {        \
        (void)context;                                                                             \
        conv c;                                                                                    \
        memset(&c, 0, sizeof(c));                                                                  \
        c.x = x, c.w = w, c.bias = bias, c.w_zero = w_zero;                                        \
        c.x_zero = quant_zero(x_zero, 0), c.last = behind;                                         \
        int bad = conv_init(&c, y, a->group, a->kernel_shape, a->strides, a->dilations, a->pads,   \
                            a->auto_pad);                                                          \
        return bad ? bad : qlinear_conv(&c, x_scale, w_scale, y_scale, y_zero, y);                 \
    }
QLINEAR_CONV(QLinearConv_10, 0)
QLINEAR_CONV(com_microsoft_QLinearConv_1, a->channels_last != 0)

int tenure_ConvInteger_10(const tenure_ConvInteger_10_attributes *a, const tenure_tensor *x,
                          const tenure_tensor *w, const tenure_tensor *x_zero,
                          const tenure_tensor *w_zero, const tenure_tensor *y,
                          const tenure_context *context) {
    (void)context;
    conv c;
    memset(&c, 0, sizeof(c));
    c.x = x, c.w = w, c.w_zero = w_zero;
    c.x_zero = quant_zero(x_zero, 0);
    int bad =
        conv_init(&c, y, a->group, a->kernel_shape, a->strides, a->dilations, a->pads, a->auto_pad);
    for (size_t i = 0, m = 0; !bad && i < y->elements; i++) {
        OUT(y, int32_t)[i] = conv_element(&c, i, &m);
    }
    return bad;
}
