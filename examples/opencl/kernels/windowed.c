/* Convolution and pooling over one or two axes. */
#include "launch.h"

/* Of the operand; entries as `window` in windowed.cl has them. */
typedef struct window {
    int64_t numbers[10], out[2];
} window;

/* Entry i of two, of which a list for one axis has the last. */
static int64_t at(tenure_ints list, int i, int64_t otherwise) {
    int shift = 2 - (int)list.count;
    return list.at == NULL || i < shift ? otherwise : list.at[i - shift];
}

static int window_of(const tenure_tensor *x, const tenure_tensor *y, tenure_ints kernel,
                     tenure_ints strides, tenure_ints pads, tenure_ints dilations, window *w) {
    int axes = x->rank - 2;
    if (axes < 1 || axes > 2) {
        return KERNEL_BAD_SHAPE;
    }
    tenure_ints begins = {pads.at, pads.at != NULL ? pads.count / 2 : 0};
    for (int i = 0; i < 2; i++) {
        int axis = x->rank - 2 + i;
        w->numbers[i] = axes == 2 || i == 1 ? x->dims[axis] : 1;
        w->numbers[2 + i] = at(kernel, i, 1);
        w->numbers[4 + i] = at(strides, i, 1);
        w->numbers[6 + i] = at(begins, i, 0);
        w->numbers[8 + i] = at(dilations, i, 1);
        w->out[i] = axes == 2 || i == 1 ? y->dims[axis] : 1;
    }
    return x->dtype == TENURE_DTYPE_F32 ? 0 : BAD_TYPE(KNOWS_F32, x);
}

static void put_window(launch *l, const window *w) {
    launch_ints(l, w->numbers, 10);
    launch_ints(l, w->out, 2);
}

static int convolve(const window *win, int64_t group, const tenure_tensor *x,
                    const tenure_tensor *w, const tenure_tensor *b, const tenure_tensor *y,
                    const tenure_context *c) {
    launch l = launch_begin(c, "convolution");
    launch_tensor(&l, x);
    launch_tensor(&l, w);
    launch_tensor(&l, b);
    launch_tensor(&l, y);
    put_window(&l, win);
    launch_int(&l, x->dims[1]);
    launch_int(&l, y->dims[1]);
    launch_int(&l, group);
    return launch_end(&l, y->elements);
}

#define CONV(version)                                                                              \
    int tenure_Conv_##version(const tenure_Conv_##version##_attributes *a, const tenure_tensor *x, \
                              const tenure_tensor *w, const tenure_tensor *b,                      \
                              const tenure_tensor *y, const tenure_context *c) {                   \
        window win;                                                                                \
        int error = window_of(x, y, a->kernel_shape, a->strides, a->pads, a->dilations, &win);     \
        return error != 0 ? error : convolve(&win, a->group, x, w, b, y, c);                       \
    }
CONV(1)
CONV(11)

/* ---- pooling ---- */

static int pool(const char *kernel, const window *w, const int64_t *more, const tenure_tensor *x,
                const tenure_tensor *y, const tenure_context *c) {
    launch l = launch_begin(c, kernel);
    launch_tensor(&l, x);
    launch_tensor(&l, y);
    put_window(&l, w);
    launch_ints(&l, more, more != NULL ? 1 : 0);
    return launch_end(&l, y->elements);
}

#define MAX_POOL(version)                                                                          \
    int tenure_MaxPool_##version(const tenure_MaxPool_##version##_attributes *a,                   \
                                 const tenure_tensor *x, const tenure_tensor *y,                   \
                                 const tenure_tensor *indices, const tenure_context *c) {          \
        window w;                                                                                  \
        int error = window_of(x, y, a->kernel_shape, a->strides, a->pads, a->dilations, &w);       \
        error = indices != NULL ? KERNEL_BAD_VALUE : error;                                        \
        return error != 0 ? error : pool("largest_in_window", &w, NULL, x, y, c);                  \
    }
MAX_POOL(11)
MAX_POOL(12)

int tenure_AveragePool_11(const tenure_AveragePool_11_attributes *a, const tenure_tensor *x,
                          const tenure_tensor *y, const tenure_context *c) {
    static const tenure_ints ones = {NULL, 0};
    window w;
    int error = window_of(x, y, a->kernel_shape, a->strides, a->pads, ones, &w);
    return error != 0 ? error : pool("mean_in_window", &w, &a->count_include_pad, x, y, c);
}

int tenure_GlobalAveragePool_1(const tenure_tensor *x, const tenure_tensor *y,
                               const tenure_context *c) {
    if (x->dtype != TENURE_DTYPE_F32) {
        return BAD_TYPE(KNOWS_F32, x);
    }
    launch l = launch_begin(c, "mean_of_all");
    launch_tensor(&l, x);
    launch_tensor(&l, y);
    launch_int(&l, y->elements > 0 ? (int64_t)(x->elements / y->elements) : 0);
    return launch_end(&l, y->elements);
}
