/* The gradient of Resize and Upsample. Along each axis these are a product with a matrix of
 * weights, row by row of the result, which the extents and attributes say; the gradient is a
 * product with its transpose. Where a row of the operand only becomes a block of equal rows, it is
 * their sum. The definitions are those of the standard (ai.onnx Resize). */
#include <math.h>
#include <string.h>

#include "ir/gradient/gradient.h"
#include "ir/infer/infer.h"
#include "ir/ops/sig.h"

/* One axis that is resized. */
typedef struct resized {
    uint32_t axis;
    int64_t in, out;
    double scale;
    double start, end; /* the region, in parts of the operand */
    double *weights;   /* [out][in] */
    int64_t block;     /* rows that are copies of one row; 0: no such thing */
} resized;

/* What the op says of all axes. */
typedef struct method {
    const char *mode, *transform, *nearest;
    bool exclude;
    double cubic;
} method;

static const tn_value *named(const tn_grad *g, const char *name) {
    tn_word w = {name, strlen(name), '\0'};
    bool many;
    int32_t k = tn_sig_operand(g->op->info, g->op->version, &w, &many);
    return k >= 0 ? tn_operand(g->op, (uint32_t)k) : NULL;
}

/* Known numbers of an operand; NULL where it is left out or empty. */
static const double *numbers(const tn_grad *g, const char *name, uint32_t *n) {
    const tn_value *v = named(g, name);
    const tn_tensor *t = v != NULL ? tn_infer_tensor(v) : NULL;
    const double *known = t != NULL ? t->floats : v != NULL ? v->float_content : NULL;
    *n = t != NULL ? (uint32_t)t->n_elements : v != NULL ? v->n_content : 0;
    if (v != NULL && known == NULL && *n > 0) {
        tn_grad_fail(g, "'%s' (%s) is not known before the run", v->name, name);
    }
    return *n > 0 ? known : NULL;
}

/* ---- where a row comes from ---- */

static double origin(const resized *r, const method *m, double x) {
    double wanted = r->scale * (double)r->in;
    if (strcmp(m->transform, "align_corners") == 0) {
        return r->out > 1 ? x * (double)(r->in - 1) / (wanted - 1) : 0;
    }
    if (strcmp(m->transform, "asymmetric") == 0) {
        return x / r->scale;
    }
    if (strcmp(m->transform, "tf_half_pixel_for_nn") == 0) {
        return (x + 0.5) / r->scale;
    }
    if (strcmp(m->transform, "pytorch_half_pixel") == 0 && r->out <= 1) {
        return 0;
    }
    if (strcmp(m->transform, "tf_crop_and_resize") == 0) {
        double last = (double)(r->in - 1);
        return r->out > 1 ? r->start * last + x * (r->end - r->start) * last / (double)(r->out - 1)
                          : 0.5 * (r->start + r->end) * last;
    }
    double offset = 0;
    if (strcmp(m->transform, "half_pixel_symmetric") == 0) {
        offset = (double)r->in / 2 * (1 - (double)r->out / wanted);
    }
    return offset + (x + 0.5) / r->scale - 0.5;
}

static int64_t clamped(int64_t row, int64_t n) {
    return row < 0 ? 0 : row >= n ? n - 1 : row;
}

static int64_t nearest(const method *m, double x) {
    if (strcmp(m->nearest, "floor") == 0) {
        return (int64_t)floor(x);
    }
    if (strcmp(m->nearest, "ceil") == 0) {
        return (int64_t)ceil(x);
    }
    return strcmp(m->nearest, "round_prefer_ceil") == 0 ? (int64_t)floor(x + 0.5)
                                                        : (int64_t)ceil(x - 0.5);
}

/* ---- weights ---- */

/* Weights of the `n` rows from floor(x) - (n / 2 - 1) on. */
static uint32_t kernel(const method *m, double x, double *w) {
    double part = x - floor(x), a = m->cubic;
    if (strcmp(m->mode, "cubic") != 0) {
        w[0] = 1 - part;
        w[1] = part;
        return 2;
    }
    double t = part + 1, u = 2 - part;
    w[0] = ((a * t - 5 * a) * t + 8 * a) * t - 4 * a;
    w[1] = ((a + 2) * part - (a + 3)) * part * part + 1;
    w[2] = ((a + 2) * (1 - part) - (a + 3)) * (1 - part) * (1 - part) + 1;
    w[3] = ((a * u - 5 * a) * u + 8 * a) * u - 4 * a;
    return 4;
}

static void put_row(const resized *r, const method *m, int64_t row) {
    enum { MOST = 4 };
    double *out = r->weights + row * r->in, x = origin(r, m, (double)row), w[MOST], sum = 0;
    bool crop = strcmp(m->transform, "tf_crop_and_resize") == 0;
    if (crop && (x < 0 || x > (double)(r->in - 1))) {
        return; /* a constant stands there */
    }
    if (strcmp(m->mode, "nearest") == 0) {
        out[clamped(nearest(m, x), r->in)] = 1;
        return;
    }
    uint32_t n = kernel(m, x, w);
    int64_t first = (int64_t)floor(x) - (int64_t)(n / 2 - 1);
    for (uint32_t k = 0; k < n; k++) {
        bool inside = first + k >= 0 && first + k < r->in;
        w[k] = m->exclude && !inside ? 0 : w[k];
        sum += w[k];
    }
    for (uint32_t k = 0; k < n; k++) {
        out[clamped(first + k, r->in)] += m->exclude ? w[k] / sum : w[k];
    }
}

static void fill(tn_grad *g, const method *m, resized *r) {
    r->weights = TN_ARRAY(g->e->scratch, double, (size_t)(r->in * r->out) + 1u);
    r->block = r->in > 0 && r->out % r->in == 0 ? r->out / r->in : 0;
    for (int64_t row = 0; row < r->out; row++) {
        put_row(r, m, row);
        r->block = r->block > 0 && r->weights[row * r->in + row / r->block] == 1 ? r->block : 0;
        for (int64_t k = 0; k < r->in && r->block > 0; k++) {
            r->block = k == row / r->block || r->weights[row * r->in + k] == 0 ? r->block : 0;
        }
    }
}

/* ---- what the op says ---- */

static const double *scales_of(tn_grad *g, uint32_t *n) {
    const tn_attr *a = tn_op_attr(g->op, "scales");
    if (a != NULL && a->kind == TN_ATTR_FLOATS) {
        *n = a->n;
        return a->u.floats;
    }
    return numbers(g, "scales", n);
}

static method method_of(tn_grad *g) {
    enum { WITH_TRANSFORMS = 11 };
    bool old = g->op->version < WITH_TRANSFORMS && g->op->version > 0;
    const char *mode = tn_grad_text(g, "mode", "nearest");
    mode = strcmp(mode, "bilinear") == 0 ? "linear" : mode;
    if (tn_grad_int(g, "antialias", 0) != 0) {
        tn_grad_fail(g, "antialias=1 is not differentiated");
    }
    return (method){
        mode, old ? "asymmetric" : tn_grad_text(g, "coordinate_transformation_mode", "half_pixel"),
        old ? "floor" : tn_grad_text(g, "nearest_mode", "round_prefer_floor"),
        tn_grad_int(g, "exclude_outside", 0) != 0, tn_grad_float(g, "cubic_coeff_a", -0.75)};
}

/* With one scale for all axes: the smallest or largest of those that the sizes ask for. */
static double common_scale(const resized *r, uint32_t n, const double *sizes, bool larger) {
    double scale = 0;
    for (uint32_t i = 0; i < n; i++) {
        double each = sizes[i] / (double)r[i].in;
        scale = i == 0 || (larger ? each > scale : each < scale) ? each : scale;
    }
    return scale;
}

static void set_scales(tn_grad *g, resized *r, uint32_t n) {
    uint32_t n_scales, n_roi;
    const double *scales = scales_of(g, &n_scales), *roi = numbers(g, "roi", &n_roi);
    const char *policy = tn_grad_text(g, "keep_aspect_ratio_policy", "stretch");
    const tn_value *sizes = named(g, "sizes");
    double common = 0;
    if (scales == NULL && sizes != NULL && strcmp(policy, "stretch") != 0) {
        uint32_t n_sizes;
        const int64_t *ints = tn_known_ints(g->e, sizes, &n_sizes);
        double *wanted = TN_ARRAY(g->e->scratch, double, n + 1u);
        for (uint32_t i = 0; i < n && ints != NULL && n_sizes == n; i++) {
            wanted[i] = (double)ints[i];
        }
        common = common_scale(r, n, wanted, strcmp(policy, "not_smaller") == 0);
    }
    for (uint32_t i = 0; i < n; i++) {
        double stretch = (double)r[i].out / (double)r[i].in;
        r[i].scale = scales != NULL && n_scales == n ? scales[i] : common > 0 ? common : stretch;
        r[i].start = roi != NULL && n_roi == 2 * n ? roi[i] : 0;
        r[i].end = roi != NULL && n_roi == 2 * n ? roi[n + i] : 1;
    }
}

static resized *axes_of(tn_grad *g, const method *m, uint32_t *n) {
    uint32_t rank = tn_emit_rank(g->e, g->x);
    const int64_t *axes = tn_grad_ints(g, "axes", n), *in = tn_emit_extents(g->e, g->x),
                  *out = tn_emit_extents(g->e, g->d);
    bool all = axes == NULL;
    *n = all ? rank : *n;
    resized *r = TN_ARRAY(g->e->scratch, resized, *n + 1u);
    for (uint32_t i = 0; i < *n; i++) {
        int64_t axis = all ? (int64_t)i : axes[i] < 0 ? axes[i] + (int64_t)rank : axes[i];
        r[i] = (resized){.axis = (uint32_t)axis, .in = in[axis], .out = out[axis]};
    }
    set_scales(g, r, *n);
    for (uint32_t i = 0; i < *n; i++) {
        fill(g, m, &r[i]);
    }
    return r;
}

/* ---- the gradient ---- */

/* Blocks of all axes at once: each becomes two axes, of which the second is summed. */
static tn_value *summed(tn_grad *g, const resized *r, uint32_t n, tn_value *d) {
    uint32_t rank = tn_emit_rank(g->e, d), to = 0, n_axes = 0;
    int64_t *dims = TN_ARRAY(g->e->scratch, int64_t, 2u * rank);
    int64_t *axes = TN_ARRAY(g->e->scratch, int64_t, rank);
    const int64_t *extents = tn_emit_extents(g->e, d);
    for (uint32_t axis = 0; axis < rank; axis++) {
        int64_t block = 1;
        for (uint32_t i = 0; i < n; i++) {
            block = r[i].axis == axis && r[i].block > 1 ? r[i].block : block;
        }
        dims[to++] = extents[axis] / block;
        if (block > 1) {
            axes[n_axes++] = to;
            dims[to++] = block;
        }
    }
    return n_axes == 0 ? d
                       : tn_emit_reduce(g->e, "ReduceSum", tn_emit_reshape(g->e, d, dims, to), axes,
                                        n_axes, false);
}

tn_value *tn_grad_resize(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    uint32_t n_axes;
    method m = method_of(g);
    resized *r = axes_of(g, &m, &n_axes);
    tn_value *d = summed(g, r, n_axes, args[0]);
    for (uint32_t i = 0; i < n_axes; i++) {
        if (r[i].block == 0) {
            d = tn_emit_along(g->e, d, r[i].axis, r[i].weights, r[i].out, r[i].in);
        }
    }
    return d;
}
