/* Convolutions that do not keep the order of `elements`. */
#include <string.h>

/* The sum behind element (n, m, oy, ox) of images. */
static float element(const tenure_Conv_11_attributes *a, const tenure_tensor *x,
                     const tenure_tensor *w, const tenure_tensor *b, const tenure_dim *at) {
    const float *in = (const float *)x->data, *weights = (const float *)w->data;
    tenure_dim first = at[1] / (w->dims[0] / (tenure_dim)a->group) * w->dims[1];
    float sum = b != NULL ? ((const float *)b->data)[at[1]] : 0;
    for (tenure_dim c = 0; c < w->dims[1]; c++) {
        for (tenure_dim ky = 0; ky < w->dims[2]; ky++) {
            for (tenure_dim kx = 0; kx < w->dims[3]; kx++) {
                int64_t iy = at[2] * a->strides.at[0] + ky * a->dilations.at[0] - a->pads.at[0];
                int64_t ix = at[3] * a->strides.at[1] + kx * a->dilations.at[1] - a->pads.at[1];
                if (iy >= 0 && iy < x->dims[2] && ix >= 0 && ix < x->dims[3]) {
                    sum +=
                        in[((at[0] * x->dims[1] + first + c) * x->dims[2] + iy) * x->dims[3] + ix] *
                        weights[((at[1] * w->dims[1] + c) * w->dims[2] + ky) * w->dims[3] + kx];
                }
            }
        }
    }
    return sum;
}

static void store(const tenure_Conv_11_attributes *a, const tenure_tensor *x,
                  const tenure_tensor *w, const tenure_tensor *b, const tenure_tensor *y,
                  size_t i) {
    tenure_dim at[4];
    size_t rest = i;
    for (int axis = 3; axis >= 0; axis--) {
        at[axis] = (tenure_dim)(rest % (size_t)y->dims[axis]);
        rest /= (size_t)y->dims[axis];
    }
    ((float *)y->data)[i] = element(a, x, w, b, at);
}

int tardy_filling(const tenure_Conv_11_attributes *a, const tenure_tensor *x,
                  const tenure_tensor *w, const tenure_tensor *b, const tenure_tensor *y,
                  const tenure_context *c) {
    (void)c;
    memset(y->data, 0, y->bytes);
    for (size_t i = 0; i < y->elements; i++) {
        store(a, x, w, b, y, i);
    }
    return 0;
}

int tardy_backwards(const tenure_Conv_11_attributes *a, const tenure_tensor *x,
                    const tenure_tensor *w, const tenure_tensor *b, const tenure_tensor *y,
                    const tenure_context *c) {
    (void)c;
    for (size_t i = y->elements; i-- > 0;) {
        store(a, x, w, b, y, i);
    }
    return 0;
}

int tardy_counting(const tenure_Conv_11_attributes *a, const tenure_tensor *x,
                   const tenure_tensor *w, const tenure_tensor *b, const tenure_tensor *y,
                   const tenure_context *c) {
    static int calls;
    (void)c;
    for (size_t i = 0; i < y->elements; i++) {
        store(a, x, w, b, y, i);
    }
    ((float *)y->data)[0] += (float)++calls;
    return 0;
}
