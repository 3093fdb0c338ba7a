/* Products of com.microsoft: FusedMatMul, FusedGemm, FusedConv. */
#include "quant.h"
#include "recurrent.h"

static float product_element(const product *p, const tenure_tensor *ta, const tenure_tensor *tb,
                             size_t i) {
    size_t entry = i / p->n / p->m, a = side_at(&p->a, entry) + i / p->n % p->m * p->a.row;
    size_t b = side_at(&p->b, entry) + i % p->n * p->b.column;
    float sum = 0;
    for (size_t k = 0; k < p->k; k++) {
        sum += IN(ta, float)[a] * IN(tb, float)[b];
        a += p->a.column;
        b += p->b.row;
    }
    return sum;
}

int tenure_com_microsoft_FusedMatMul_1(const tenure_com_microsoft_FusedMatMul_1_attributes *at,
                                       const tenure_tensor *a, const tenure_tensor *b,
                                       const tenure_tensor *y, const tenure_context *c) {
    (void)c;
    product p;
    turned ta = {at->transA != 0, at->transBatchA != 0},
           tb = {at->transB != 0, at->transBatchB != 0};
    if (y->dtype != TENURE_DTYPE_F32) {
        return BAD_TYPE(KNOWS_F32, y);
    }
    if (product_turned(&p, a, ta, b, tb, y) != 0) {
        return KERNEL_BAD_SHAPE;
    }
    for (size_t i = 0; i < y->elements; i++) {
        OUT(y, float)[i] = at->alpha * product_element(&p, a, b, i);
    }
    return 0;
}

/* The function behind a product; none leaves numbers as they are. */
static int activation_of(const char *name, activation *f) {
    return activation_named(name == NULL || *name == 0 ? "affine" : name, f) < 0 ? KERNEL_BAD_VALUE
                                                                                 : 0;
}

int tenure_com_microsoft_FusedGemm_1(const tenure_com_microsoft_FusedGemm_1_attributes *at,
                                     const tenure_tensor *a, const tenure_tensor *b,
                                     const tenure_tensor *bias, const tenure_tensor *y,
                                     const tenure_context *c) {
    (void)c;
    product p;
    walk w;
    activation f;
    turned ta = {at->transA != 0, 0}, tb = {at->transB != 0, 0};
    if (y->dtype != TENURE_DTYPE_F32 || activation_of(at->activation, &f) != 0) {
        return y->dtype != TENURE_DTYPE_F32 ? BAD_TYPE(KNOWS_F32, y) : KERNEL_BAD_VALUE;
    }
    if (product_turned(&p, a, ta, b, tb, y) != 0 ||
        (bias != NULL && walk_broadcast(bias, y, &w) != 0)) {
        return KERNEL_BAD_SHAPE;
    }
    f.alpha = at->has_activation_alpha ? at->activation_alpha : f.alpha;
    f.beta = at->has_activation_beta ? at->activation_beta : f.beta;
    for (size_t i = 0; i < y->elements; i++) {
        float v = at->alpha * product_element(&p, a, b, i);
        v += bias == NULL ? 0 : at->beta * IN(bias, float)[walk_index(&w, i)];
        OUT(y, float)[i] = activate(&f, v);
    }
    return 0;
}

/* The filter `m` at the place `o` of the entry `n`. */
static float conv_sum(const tenure_tensor *x, const tenure_tensor *w, const window *at,
                      int64_t group, size_t n, size_t m, size_t o) {
    size_t shared = (size_t)w->dims[1], filters = (size_t)w->dims[0] / (size_t)group, place = 0;
    size_t first = n * (size_t)x->dims[1] + m / filters * shared;
    float sum = 0;
    window_part part = window_at(at, o);
    for (size_t i = 0; i < shared; i++) {
        for (size_t k = 0; k < at->kernel_size; k++) {
            if (window_tap(at, &part, k, &place)) {
                sum += IN(x, float)[(first + i) * at->image_size + place] *
                       IN(w, float)[(m * shared + i) * at->kernel_size + k];
            }
        }
    }
    return sum;
}

int tenure_com_microsoft_FusedConv_1(const tenure_com_microsoft_FusedConv_1_attributes *a,
                                     const tenure_tensor *x, const tenure_tensor *w,
                                     const tenure_tensor *bias, const tenure_tensor *z,
                                     const tenure_tensor *y, const tenure_context *c) {
    (void)c;
    window at;
    activation f;
    int64_t dims[SPATIAL];
    tenure_ints kernel = window_kernel(a->kernel_shape, w, dims);
    if (y->dtype != TENURE_DTYPE_F32 || activation_of(a->activation, &f) != 0) {
        return y->dtype != TENURE_DTYPE_F32 ? BAD_TYPE(KNOWS_F32, y) : KERNEL_BAD_VALUE;
    }
    if (window_of(x, y, kernel, a->strides, a->dilations, a->pads, a->auto_pad, &at) != 0) {
        return KERNEL_BAD_SHAPE;
    }
    f.alpha = a->activation_params.count > 0 ? a->activation_params.at[0] : f.alpha;
    f.beta = a->activation_params.count > 1 ? a->activation_params.at[1] : f.beta;
    size_t filters = (size_t)w->dims[0];
    for (size_t i = 0; i < y->elements; i++) {
        size_t o = i % at.result_size, m = i / at.result_size % filters;
        float v = conv_sum(x, w, &at, a->group, i / at.result_size / filters, m, o);
        v += bias == NULL ? 0 : IN(bias, float)[m];
        OUT(y, float)[i] = activate(&f, z == NULL ? v : v + IN(z, float)[i]);
    }
    return 0;
}
