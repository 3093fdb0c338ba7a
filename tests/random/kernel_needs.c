/* Which elements of an operand an element of the result is made from, said op by op from their
 * definitions. */
#include <string.h>

#include "tests/random/kernel.h"

typedef struct needs {
    const tn_op *op;
    uint32_t k;
    extents out, in;
    bool *sees; /* by element of the result at hand, those of the operand */
} needs;

/* The element of the operand at x, unless that lies outside. */
static void see(const needs *n, const int64_t *x) {
    int64_t element = 0;
    for (uint32_t i = 0; i < n->in.rank; i++) {
        if (x[i] < 0 || x[i] >= n->in.dims[i]) {
            return;
        }
        element = element * n->in.dims[i] + x[i];
    }
    n->sees[element] = true;
}

/* All elements of the operand from x on whose coordinates differ along the axes alone that are in
 * `free`. */
static void see_all(const needs *n, uint32_t axis, const bool *free, int64_t *x) {
    if (axis == n->in.rank) {
        see(n, x);
        return;
    }
    int64_t kept = x[axis];
    for (int64_t c = free[axis] ? 0 : kept; c < (free[axis] ? n->in.dims[axis] : kept + 1); c++) {
        x[axis] = c;
        see_all(n, axis + 1, free, x);
    }
    x[axis] = kept;
}

static bool same_dims(const extents *a, const extents *b) {
    return a->rank == b->rank && memcmp(a->dims, b->dims, a->rank * sizeof *a->dims) == 0;
}

static bool see_same(const needs *n, int64_t *y) {
    see(n, y);
    return same_dims(&n->out, &n->in);
}

/* Along axes that have another extent in the result everything is put together. */
static bool see_reduced(const needs *n, int64_t *y) {
    bool free[8] = {false};
    for (uint32_t i = 0; i < n->in.rank; i++) {
        free[i] = n->in.dims[i] != n->out.dims[i];
    }
    see_all(n, 0, free, y);
    return n->in.rank == n->out.rank;
}

static bool see_row(const needs *n, int64_t *y) {
    bool free[8] = {false};
    int64_t axis = tn_attr_int(n->op, "axis", -1);
    free[axis < 0 ? axis + n->in.rank : axis] = true;
    see_all(n, 0, free, y);
    return same_dims(&n->out, &n->in);
}

static bool see_image(const needs *n, int64_t *y) {
    bool free[8] = {false, false, true, true};
    see_all(n, 0, free, y);
    return n->in.rank == 4;
}

static bool see_channels(const needs *n, int64_t *y) {
    int64_t size = tn_attr_int(n->op, "size", 1), c = y[1];
    for (y[1] = c - (size - 1) / 2; y[1] <= c + size / 2; y[1]++) {
        see(n, y);
    }
    y[1] = c;
    return true;
}

/* Channels [from, to) of the operand, in the window of y. */
static bool see_window(const needs *n, const int64_t *y, int64_t from, int64_t to) {
    uint32_t len;
    const int64_t *kernel = tn_attr_ints(n->op, "kernel_shape", &len);
    const int64_t *strides = tn_attr_ints(n->op, "strides", &len);
    const int64_t *pads = tn_attr_ints(n->op, "pads", &len);
    const int64_t *dilations = tn_attr_ints(n->op, "dilations", &len);
    if (kernel == NULL || strides == NULL || pads == NULL || n->in.rank != 4) {
        return false;
    }
    for (int64_t i = 0; i < (to - from) * kernel[0] * kernel[1]; i++) {
        int64_t row = i / kernel[1] % kernel[0], column = i % kernel[1];
        int64_t x[] = {y[0], from + i / (kernel[0] * kernel[1]),
                       y[2] * strides[0] - pads[0] + row * (dilations != NULL ? dilations[0] : 1),
                       y[3] * strides[1] - pads[1] +
                           column * (dilations != NULL ? dilations[1] : 1)};
        see(n, x);
    }
    return true;
}

static bool see_pool(const needs *n, int64_t *y) {
    return see_window(n, y, y[1], y[1] + 1);
}

static bool see_conv(const needs *n, int64_t *y) {
    int64_t groups = tn_attr_int(n->op, "group", 1), each = n->in.dims[1] / groups;
    int64_t group = y[1] / (n->out.dims[1] / groups);
    return n->k == 0 && see_window(n, y, group * each, (group + 1) * each);
}

/* What lies on both sides of the place of y; extents are multiples of each other. */
static bool see_beside(const needs *n, int64_t *y) {
    for (int corner = 0; corner < 4; corner++) {
        int64_t x[4] = {y[0], y[1], 0, 0};
        for (int i = 2; i < 4; i++) {
            int64_t in = n->in.dims[i], out = n->out.dims[i];
            /* (c + 1/2) * in / out - 1/2, in halves of 1 / out */
            int64_t at = (2 * y[i] + 1) * in - out;
            x[i] = (at < 0 ? -1 : at / (2 * out)) + (corner >> (i - 2) & 1);
            x[i] = x[i] < 0 ? 0 : x[i] >= in ? in - 1 : x[i];
        }
        see(n, x);
    }
    return n->in.rank == 4 && n->out.rank == 4;
}

/* A row of the first factor, a column of the second, which is a matrix. */
static bool see_factor(const needs *n, int64_t *y) {
    bool free[8] = {false};
    bool turned = n->k == 1 && tn_attr_int(n->op, "transB", 0) != 0;
    int64_t x[8] = {0};
    uint32_t last = n->in.rank - 1;
    if (n->k == 0) {
        memcpy(x, y, n->in.rank * sizeof *x);
        free[last] = true;
    } else {
        x[turned ? 0 : 1] = y[n->out.rank - 1];
        free[turned ? 1 : 0] = true;
    }
    see_all(n, 0, free, x);
    return n->k == 0 ? n->in.rank == n->out.rank : n->k == 1 && n->in.rank == 2;
}

static const struct {
    const char *types;
    bool (*see)(const needs *n, int64_t *y);
} rules[] = {
    {" Softmax LogSoftmax Hardmax ", see_row},
    {" ReduceSum ArgMax ", see_reduced},
    {" GlobalAveragePool GlobalMaxPool InstanceNormalization ", see_image},
    {" LRN ", see_channels},
    {" MaxPool AveragePool ", see_pool},
    {" Conv ConvInteger ", see_conv},
    {" Resize ", see_beside},
    {" MatMul Gemm ", see_factor},
};

static bool see_moved(const tn_op *op, uint32_t k, const extents *in, int64_t n, bool *sees,
                      tn_arena *arena) {
    const source *from = kernel_moves(op, 0, arena);
    for (int64_t i = 0; from != NULL && i < n; i++) {
        if (from[i].operand == k) {
            sees[i * in->count + from[i].element] = true;
        }
    }
    return from != NULL;
}

bool *kernel_needs(const tn_op *op, uint32_t k, tn_arena *arena) {
    needs n = {.op = op, .k = k};
    bool (*rule)(const needs *n, int64_t *y) = kernel_is_elementwise(op) ? see_same : NULL;
    const char *word = tn_arena_printf(arena, " %s ", op->type);
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        rule = strstr(rules[i].types, word) != NULL ? rules[i].see : rule;
    }
    if (!kernel_extents(op->results[0], &n.out) || !kernel_extents(op->operands[k].value, &n.in)) {
        return NULL;
    }
    bool *sees = TN_ARRAY(arena, bool, (uint64_t)(n.out.count * n.in.count) + 1);
    if (see_moved(op, k, &n.in, n.out.count, sees, arena)) {
        return sees;
    }
    for (int64_t i = 0; i < n.out.count; i++) {
        int64_t y[8], rest = i;
        for (uint32_t a = n.out.rank; a-- > 0;) {
            y[a] = rest % n.out.dims[a];
            rest /= n.out.dims[a];
        }
        n.sees = sees + i * n.in.count;
        if (rule == NULL || !rule(&n, y)) {
            return NULL;
        }
    }
    return sees;
}

/* ---- how elements lie, and in which order they are made ---- */

/* The axes from the outermost to the innermost. */
static void lay(const tn_value *v, const extents *e, uint32_t *axes) {
    bool last = (v->flags & TN_VF_CHANNELS_LAST) != 0;
    for (uint32_t i = 0; i < e->rank; i++) {
        axes[i] = !last || i == 0 ? i : i + 1 < e->rank ? i + 1 : 1;
    }
}

int64_t kernel_place(const tn_value *v, int64_t element) {
    extents e;
    uint32_t axes[8];
    int64_t c[8], place = 0;
    if ((v->flags & TN_VF_CHANNELS_LAST) == 0 || !kernel_extents(v, &e)) {
        return element;
    }
    for (uint32_t i = e.rank; i-- > 0;) {
        c[i] = element % e.dims[i];
        element /= e.dims[i];
    }
    lay(v, &e, axes);
    for (uint32_t i = 0; i < e.rank; i++) {
        place = place * e.dims[axes[i]] + c[axes[i]];
    }
    return place;
}

int64_t kernel_unit(const tn_value *v, tn_work_order order) {
    bool last = (v->flags & TN_VF_CHANNELS_LAST) != 0;
    bool rows = order == TN_ORDER_ROWS || order == TN_ORDER_ROWS_BUFFERED;
    uint32_t inner = rows ? 1u + last : order == TN_ORDER_PIXELS ? last : 0, axes[8];
    extents e;
    int64_t unit = 1;
    if (!kernel_extents(v, &e)) {
        return 0;
    }
    lay(v, &e, axes);
    for (uint32_t i = 0; i < inner && i < e.rank; i++) {
        unit *= e.dims[axes[e.rank - 1 - i]];
    }
    return unit;
}
