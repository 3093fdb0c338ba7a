/* Softmax, LogSoftmax and Hardmax. A row is read as a whole before it is written, and afterwards
 * each element before the one at its place. */
#include "kernels.h"

/* n elements that stand `step` apart. */
typedef void row_function(const float *x, float *y, size_t n, size_t step);

static float greatest(const float *x, size_t n, size_t step) {
    float best = x[0];
    for (size_t i = 1; i < n; i++) {
        best = x[i * step] > best ? x[i * step] : best;
    }
    return best;
}

static float sum_of_powers(const float *x, size_t n, size_t step, float best) {
    float sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += expf(x[i * step] - best);
    }
    return sum;
}

static void softmax(const float *x, float *y, size_t n, size_t step) {
    float best = greatest(x, n, step), sum = sum_of_powers(x, n, step, best);
    for (size_t i = 0; i < n; i++) {
        y[i * step] = expf(x[i * step] - best) / sum;
    }
}

static void log_softmax(const float *x, float *y, size_t n, size_t step) {
    float best = greatest(x, n, step), logarithm = logf(sum_of_powers(x, n, step, best));
    for (size_t i = 0; i < n; i++) {
        y[i * step] = x[i * step] - best - logarithm;
    }
}

static void hardmax(const float *x, float *y, size_t n, size_t step) {
    size_t at = 0;
    for (size_t i = 1; i < n; i++) {
        at = x[i * step] > x[at * step] ? i : at;
    }
    for (size_t i = 0; i < n; i++) {
        y[i * step] = i == at ? 1.0f : 0.0f;
    }
}

static int each_row(row_function *f, const tenure_tensor *x, size_t n, size_t step,
                    const tenure_tensor *y) {
    if (x->dtype != TENURE_DTYPE_F32) {
        return KERNEL_BAD_TYPE;
    }
    for (size_t i = 0; i < y->elements; i++) {
        if (i / step % n == 0) {
            f(IN(x, float) + i, OUT(y, float) + i, n, step);
        }
    }
    return 0;
}

/* Up to version 11 a row is all that lies behind the axis. */
static int old_rows(row_function *f, const tenure_tensor *x, int64_t axis, const tenure_tensor *y) {
    split s = split_at(x, axis_of(axis, x->rank));
    return each_row(f, x, s.extent * s.behind, 1, y);
}

static int rows(row_function *f, const tenure_tensor *x, int64_t axis, const tenure_tensor *y) {
    split s = split_at(x, axis_of(axis, x->rank));
    return each_row(f, x, s.extent, s.behind, y);
}

#define ROWS(op, version, f, of)                                                                   \
    int tenure_##op##_##version(const tenure_##op##_##version##_attributes *attributes,            \
                                const tenure_tensor *x, const tenure_tensor *y,                    \
                                const tenure_context *c) {                                         \
        (void)c;                                                                                   \
        return of(f, x, attributes->axis, y);                                                      \
    }
ROWS(Softmax, 1, softmax, old_rows)
ROWS(Softmax, 11, softmax, old_rows)
ROWS(Softmax, 13, softmax, rows)
ROWS(LogSoftmax, 1, log_softmax, old_rows)
ROWS(LogSoftmax, 11, log_softmax, old_rows)
ROWS(LogSoftmax, 13, log_softmax, rows)
ROWS(Hardmax, 1, hardmax, old_rows)
ROWS(Hardmax, 11, hardmax, old_rows)
ROWS(Hardmax, 13, hardmax, rows)
