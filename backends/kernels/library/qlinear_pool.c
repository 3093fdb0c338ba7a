/* Averages of quantised tensors: com.microsoft.QLinearAveragePool and QLinearGlobalAveragePool. */
#include "quant.h"

/* Where the place `at` of the channel `c` of the entry `n` is. */
typedef struct planes {
    size_t channels, places;
    int last;
} planes;

static size_t plane_index(const planes *p, size_t n, size_t c, size_t at) {
    return p->last ? (n * p->places + at) * p->channels + c
                   : (n * p->channels + c) * p->places + at;
}

/* The mean of the window at the place `o`. */
static float average(const tenure_tensor *x, quantum q, const planes *p, const window *w, size_t n,
                     size_t c, size_t o, int padding_counts) {
    float sum = 0;
    size_t count = 0, at = 0;
    window_part part = window_at(w, o);
    for (size_t k = 0; k < w->kernel_size; k++) {
        if (window_tap(w, &part, k, &at)) {
            sum += quant_float(x, plane_index(p, n, c, at), q);
            count++;
        }
    }
    return sum / (float)(padding_counts ? w->kernel_size : count);
}

int tenure_com_microsoft_QLinearAveragePool_1(
    const tenure_com_microsoft_QLinearAveragePool_1_attributes *a, const tenure_tensor *x,
    const tenure_tensor *x_scale, const tenure_tensor *x_zero, const tenure_tensor *y_scale,
    const tenure_tensor *y_zero, const tenure_tensor *y, const tenure_context *context) {
    (void)context;
    int last = a->channels_last != 0;
    window w;
    tenure_ints none = {NULL, 0};
    if (!quant_is(x) || !quant_is(y)) {
        return BAD_TYPE2(KNOWS_QUANTISED, x, y);
    }
    if (window_by_layout(x, y, last, a->kernel_shape, a->strides, none, a->pads, a->auto_pad, &w) !=
        0) {
        return KERNEL_BAD_SHAPE;
    }
    size_t channels = (size_t)x->dims[last ? x->rank - 1 : 1], entries = (size_t)x->dims[0];
    planes from = {channels, w.image_size, last}, to = {channels, w.result_size, last};
    quantum qx = quantum_of(x_scale, x_zero), qy = quantum_of(y_scale, y_zero);
    for (size_t i = 0; i < entries * channels * w.result_size; i++) {
        size_t o = i % w.result_size, c = i / w.result_size % channels,
               n = i / w.result_size / channels;
        float v = average(x, qx, &from, &w, n, c, o, a->count_include_pad != 0);
        quant_store(y, plane_index(&to, n, c, o), v / qy.scale, qy.zero);
    }
    return 0;
}

int tenure_com_microsoft_QLinearGlobalAveragePool_1(
    const tenure_com_microsoft_QLinearGlobalAveragePool_1_attributes *a, const tenure_tensor *x,
    const tenure_tensor *x_scale, const tenure_tensor *x_zero, const tenure_tensor *y_scale,
    const tenure_tensor *y_zero, const tenure_tensor *y, const tenure_context *context) {
    (void)context;
    if (!quant_is(x) || !quant_is(y)) {
        return BAD_TYPE2(KNOWS_QUANTISED, x, y);
    }
    int last = a->channels_last != 0;
    size_t channels = (size_t)x->dims[last ? x->rank - 1 : 1];
    planes p = {channels, x->elements / y->elements, last};
    quantum qx = quantum_of(x_scale, x_zero), qy = quantum_of(y_scale, y_zero);
    for (size_t i = 0; i < y->elements; i++) {
        int32_t sum = 0;
        for (size_t k = 0; k < p.places; k++) {
            sum += quant_load(x, plane_index(&p, i / channels, i % channels, k)) - qx.zero;
        }
        quant_store(y, i, (float)sum * (qx.scale / (qy.scale * (float)p.places)), qy.zero);
    }
    return 0;
}
