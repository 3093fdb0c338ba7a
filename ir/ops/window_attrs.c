#include "ir/ops/window_attrs.h"

#include <string.h>

#include "ir/ops/sig.h"

/* Where the spatial axes of images and kernels begin. */
enum { FIRST_SPATIAL = 2 };

typedef struct window_op {
    const tn_op *op;
    tn_resolving *r;
    uint32_t n;                                  /* spatial axes */
    const tn_value *image, *weights;             /* weights: NULL for pooling */
    const int64_t *kernel, *strides, *dilations; /* n of each; kernel NULL when not known */
} window_op;

/* Weights are called w or W by all who have them. */
static const tn_value *find_weights(const tn_op *op) {
    const char *sig = op->info->sig;
    tn_word w;
    for (uint32_t k = 0; tn_word_next(&sig, op->version, &w); k++) {
        if (tn_word_is(&w, "W") || tn_word_is(&w, "w")) {
            return tn_operand(op, k);
        }
    }
    return NULL;
}

static bool ranked(const tn_value *v) {
    return v != NULL && v->type->kind == TN_TYPE_TENSOR && v->type->has_rank;
}

/* Extents of a value from its first spatial axis on; NULL unless all are numbers. */
static const int64_t *spatial(const window_op *w, const tn_value *v) {
    if (!ranked(v) || v->type->rank != w->n + FIRST_SPATIAL) {
        return NULL;
    }
    int64_t *out = TN_ARRAY(w->r->arena, int64_t, w->n);
    for (uint32_t i = 0; i < w->n; i++) {
        if (!tn_dim_is_const(w->r->m->dims, v->type->dims[FIRST_SPATIAL + i], &out[i])) {
            return NULL;
        }
    }
    return out;
}

static const int64_t *given(const window_op *w, const char *name, uint32_t n) {
    const tn_attr *a = tn_resolving_find(w->r, name);
    return a != NULL && a->kind == TN_ATTR_INTS && a->n == n ? a->u.ints : NULL;
}

/* The list as given; `n` times `value` where the op leaves it out. */
static const int64_t *stated(const window_op *w, const char *name, uint32_t n, int64_t value) {
    if (tn_resolving_find(w->r, name) == NULL && tn_op_declares(w->op, name)) {
        int64_t *ints = TN_ARRAY(w->r->arena, int64_t, n);
        for (uint32_t i = 0; i < n; i++) {
            ints[i] = value;
        }
        tn_resolving_set_ints(w->r, name, n, ints);
    }
    return given(w, name, n);
}

/* The bytes of padding along axis i so that the result has the extent auto_pad asks for, never
 * below 0. Convolution: ceil(x / stride); its transpose: x * stride, or output_shape. */
static int64_t padding(const window_op *w, uint32_t i, int64_t x, const int64_t *want,
                       const int64_t *extra) {
    int64_t stride = w->strides[i];
    int64_t reach = (w->kernel[i] - 1) * (w->dilations != NULL ? w->dilations[i] : 1) + 1;
    int64_t total;
    if (tn_op_declares(w->op, "output_padding")) {
        int64_t out = want != NULL ? want[i] : x * stride;
        total = (x - 1) * stride + reach + (extra != NULL ? extra[i] : 0) - out;
    } else {
        total = ((x + stride - 1) / stride - 1) * stride + reach - x;
    }
    return total > 0 ? total : 0;
}

/* Numbers of a file are small enough to be added and multiplied here, or nothing is resolved. */
static bool sane(const window_op *w, const int64_t *x) {
    for (uint32_t i = 0; i < w->n; i++) {
        int64_t d = w->dilations != NULL ? w->dilations[i] : 1;
        if (x[i] < 0 || x[i] > INT32_MAX || w->strides[i] < 1 || w->strides[i] > INT32_MAX ||
            w->kernel[i] < 1 || w->kernel[i] > INT32_MAX || d < 1 || d > INT32_MAX) {
            return false;
        }
    }
    return true;
}

/* The last n entries: some exporters list all extents of output_shape, the standard the spatial
 * ones. */
static const int64_t *last_entries(const window_op *w, const char *name) {
    const tn_attr *a = tn_resolving_find(w->r, name);
    return a != NULL && a->kind == TN_ATTR_INTS && a->n >= w->n ? a->u.ints + (a->n - w->n) : NULL;
}

static void set_pads(const window_op *w, bool upper, const int64_t *x) {
    const int64_t *want = last_entries(w, "output_shape"),
                  *extra = given(w, "output_padding", w->n);
    int64_t *pads = TN_ARRAY(w->r->arena, int64_t, 2 * w->n);
    for (uint32_t i = 0; i < w->n; i++) {
        int64_t total = padding(w, i, x[i], want, extra);
        pads[i] = upper ? total / 2 : total - total / 2;
        pads[w->n + i] = total - pads[i];
    }
    tn_resolving_set_ints(w->r, "pads", 2 * w->n, pads);
}

static void resolve_auto_pad(const window_op *w) {
    tn_attr *mode = tn_resolving_find(w->r, "auto_pad");
    bool derived = last_entries(w, "output_shape") != NULL; /* output_shape decides the pads */
    if (mode == NULL || mode->kind != TN_ATTR_STRING) {
        return;
    }
    bool upper = strcmp(mode->u.s.data, "SAME_UPPER") == 0;
    bool lower = strcmp(mode->u.s.data, "SAME_LOWER") == 0;
    if (upper || lower || derived) {
        const int64_t *x = spatial(w, w->image);
        if (x == NULL || w->kernel == NULL || w->strides == NULL || !sane(w, x)) {
            /* The kernel makes the pads from extents, and output_shape means the same by NOTSET. */
            mode->u.s = upper ? mode->u.s : (tn_string){"SAME_LOWER", 10};
            return;
        }
        set_pads(w, upper, x);
    } else if (strcmp(mode->u.s.data, "VALID") == 0) {
        tn_resolving_set_ints(w->r, "pads", 2 * w->n, TN_ARRAY(w->r->arena, int64_t, 2 * w->n));
    }
    mode->u.s = (tn_string){"NOTSET", 6};
}

/* Only ai.onnx promises that the spatial axes come last; elsewhere the lists are stated where they
 * are left out and nothing is derived from extents. */
void tn_resolve_windows(const tn_op *op, tn_resolving *r) {
    const tn_attr *kernel = tn_resolving_find(r, "kernel_shape");
    bool plain = op->domain[0] == '\0';
    if (!tn_op_declares(op, "strides")) {
        return;
    }
    window_op w = {.op = op, .r = r, .image = tn_operand(op, 0), .weights = find_weights(op)};
    if (kernel != NULL && kernel->kind == TN_ATTR_INTS) {
        w.n = kernel->n;
    } else if (plain && ranked(w.weights) && w.weights->type->rank > FIRST_SPATIAL) {
        w.n = w.weights->type->rank - FIRST_SPATIAL;
        const int64_t *extents = spatial(&w, w.weights);
        if (extents != NULL && tn_op_declares(op, "kernel_shape")) {
            tn_resolving_set_ints(r, "kernel_shape", w.n, extents);
        }
    }
    if (w.n == 0) {
        return;
    }
    w.kernel = given(&w, "kernel_shape", w.n);
    w.strides = stated(&w, "strides", w.n, 1);
    w.dilations = stated(&w, "dilations", w.n, 1);
    if (plain) {
        resolve_auto_pad(&w);
    }
    const tn_attr *mode = tn_resolving_find(r, "auto_pad");
    if (mode == NULL || strcmp(mode->u.s.data, "NOTSET") == 0) {
        (void)stated(&w, "pads", 2 * w.n, 0);
    }
}
