/* Softmax, LogSoftmax and Hardmax. A row is read as a whole before it is written, and afterwards
 * each element before the one at its place. */
#include "kernels.h"

/* A row: n elements, of which the first is number `first` and the next ones `step` further on. */
typedef struct row {
    const tenure_tensor *x, *y;
    size_t first, n, step;
} row;
typedef void row_function(const row *r);

static float element(const row *r, size_t i) {
    return IN(r->x, float)[lies_at(r->x, r->first + i * r->step)];
}

static void put(const row *r, size_t i, float v) {
    OUT(r->y, float)[lies_at(r->y, r->first + i * r->step)] = v;
}

static float greatest(const row *r) {
    float best = element(r, 0);
    for (size_t i = 1; i < r->n; i++) {
        best = element(r, i) > best ? element(r, i) : best;
    }
    return best;
}

static float sum_of_powers(const row *r, float best) {
    float sum = 0;
    for (size_t i = 0; i < r->n; i++) {
        sum += expf(element(r, i) - best);
    }
    return sum;
}

static void softmax(const row *r) {
    float best = greatest(r), sum = sum_of_powers(r, best);
    for (size_t i = 0; i < r->n; i++) {
        put(r, i, expf(element(r, i) - best) / sum);
    }
}

static void log_softmax(const row *r) {
    float best = greatest(r), logarithm = logf(sum_of_powers(r, best));
    for (size_t i = 0; i < r->n; i++) {
        put(r, i, element(r, i) - best - logarithm);
    }
}

static void hardmax(const row *r) {
    size_t at = 0;
    for (size_t i = 1; i < r->n; i++) {
        at = element(r, i) > element(r, at) ? i : at;
    }
    for (size_t i = 0; i < r->n; i++) {
        put(r, i, i == at ? 1.0f : 0.0f);
    }
}

/* Rows in the order in which their first elements lie. */
static int each_row(row_function *f, const tenure_tensor *x, size_t n, size_t step,
                    const tenure_tensor *y) {
    if (x->dtype != TENURE_DTYPE_F32) {
        return BAD_TYPE(KNOWS_F32, x);
    }
    for (size_t i = 0; i < y->elements; i++) {
        row r = {x, y, element_at(y, i), n, step};
        if (r.first / step % n == 0) {
            f(&r);
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
