/* Reduce*: the axes that stay are walked outside, the others inside. */
#include "kernels.h"

/* The elements that make one of the result: n of them, from `first` on along the walk. */
typedef struct reduced {
    const tenure_tensor *x;
    walk inner;
    size_t first, n;
} reduced;

/* Sums and products of floats, in order. */
typedef float float_fold(const reduced *r);
typedef int64_t whole_fold(const reduced *r);

static float at(const reduced *r, size_t i) {
    return IN(r->x, float)[lies_at(r->x, r->first + walk_index(&r->inner, i))];
}
static int64_t whole(const reduced *r, size_t i) {
    return whole_at(r->x, lies_at(r->x, r->first + walk_index(&r->inner, i)));
}

#define FOLD(name, type, begin, element, step, end)                                                \
    static type name(const reduced *r) {                                                           \
        type acc = begin;                                                                          \
        for (size_t i = 0; i < r->n; i++) {                                                        \
            type v = element(r, i);                                                                \
            acc = step;                                                                            \
        }                                                                                          \
        return end;                                                                                \
    }

FOLD(sum, float, 0, at, acc + v, acc)
FOLD(whole_sum, int64_t, 0, whole, (int64_t)((uint64_t)acc + (uint64_t)v), acc)
FOLD(mean, float, 0, at, acc + v, acc / (float)r->n)
FOLD(whole_mean, int64_t, 0, whole, acc + v, acc / (int64_t)r->n)
FOLD(product, float, 1, at, acc *v, acc)
FOLD(whole_product, int64_t, 1, whole, (int64_t)((uint64_t)acc *(uint64_t)v), acc)
FOLD(greatest, float, -INFINITY, at, v > acc ? v : acc, acc)
FOLD(least, float, INFINITY, at, v < acc ? v : acc, acc)
FOLD(magnitudes, float, 0, at, acc + fabsf(v), acc)
FOLD(squares, float, 0, at, acc + v * v, acc)
FOLD(whole_squares, int64_t, 0, whole, acc + v * v, acc)
FOLD(root_of_squares, float, 0, at, acc + v * v, sqrtf(acc))
FOLD(log_of_sum, float, 0, at, acc + v, logf(acc))

/* The least that a type has, when there are no elements. */
static int64_t least_of(const tenure_tensor *t, int greatest_one) {
    unsigned bits = (unsigned)element_width(t) * 8;
    if (t->dtype == TENURE_DTYPE_BOOL) {
        return greatest_one;
    }
    int is_signed = t->dtype == TENURE_DTYPE_I8 || t->dtype == TENURE_DTYPE_I16 ||
                    t->dtype == TENURE_DTYPE_I32 || t->dtype == TENURE_DTYPE_I64;
    int64_t top = (int64_t)(UINT64_MAX >> (64 - bits + (is_signed || bits == 64 ? 1 : 0)));
    return greatest_one ? top : is_signed ? -top - 1 : 0;
}

FOLD(whole_greatest, int64_t, least_of(r->x, 0), whole, v > acc ? v : acc, acc)
FOLD(whole_least, int64_t, least_of(r->x, 1), whole, v < acc ? v : acc, acc)

static float log_of_powers(const reduced *r) {
    float best = greatest(r), acc = 0;
    if (r->n == 0 || isinf(best)) {
        return best;
    }
    for (size_t i = 0; i < r->n; i++) {
        acc += expf(at(r, i) - best);
    }
    return best + logf(acc);
}

static int reduce(const tenure_tensor *x, const numbers *axes, int none, float_fold *f,
                  whole_fold *g, const tenure_tensor *y) {
    walk all, outer;
    reduced r;
    int bad = walk_broadcast(x, x, &all);
    if (bad || (x->dtype == TENURE_DTYPE_F32 ? f == NULL : g == NULL || !is_whole(x))) {
        return bad ? bad
                   : BAD_TYPE(f == NULL   ? KNOWS_WHOLE
                              : g == NULL ? KNOWS_F32
                                          : KNOWS_NUMBERS,
                              x);
    }
    outer.rank = r.inner.rank = 0;
    r.x = x;
    r.n = 1;
    for (size_t k = 0; k < x->rank; k++) {
        int inside = has_axis(axes, k, x->rank, none);
        walk_append(inside ? &r.inner : &outer, all.dims[k], all.steps[k]);
        r.n *= inside ? all.dims[k] : 1;
    }
    for (size_t i = 0; i < y->elements; i++) {
        r.first = walk_index(&outer, element_at(y, i));
        if (x->dtype == TENURE_DTYPE_F32) {
            OUT(y, float)[i] = f(&r);
        } else {
            put_whole(y, i, g(&r));
        }
    }
    return 0;
}

#define REDUCE(op, version, f, g)                                                                  \
    int tenure_Reduce##op##_##version(                                                             \
        const tenure_Reduce##op##_##version##_attributes *attributes, const tenure_tensor *x,      \
        const tenure_tensor *y, const tenure_context *c) {                                         \
        numbers axes = numbers_of(attributes->axes, NULL);                                         \
        (void)c;                                                                                   \
        return reduce(x, &axes, 1, f, g, y);                                                       \
    }
/* Without axes: all of them, or with noop_with_empty_axes each element by itself. */
#define REDUCE_BY(op, version, f, g)                                                               \
    int tenure_Reduce##op##_##version(                                                             \
        const tenure_Reduce##op##_##version##_attributes *attributes, const tenure_tensor *x,      \
        const tenure_tensor *operand, const tenure_tensor *y, const tenure_context *c) {           \
        numbers axes = numbers_of(attributes->axes, operand);                                      \
        (void)c;                                                                                   \
        return reduce(x, &axes, attributes->noop_with_empty_axes == 0, f, g, y);                   \
    }
#define REDUCE_OLD(op, f, g)                                                                       \
    REDUCE(op, 1, f, g)                                                                            \
    REDUCE(op, 11, f, g)                                                                           \
    REDUCE(op, 13, f, g)

REDUCE(Sum, 1, sum, whole_sum)
REDUCE(Sum, 11, sum, whole_sum)
REDUCE_BY(Sum, 13, sum, whole_sum)
REDUCE_OLD(Mean, mean, whole_mean)
REDUCE_BY(Mean, 18, mean, whole_mean)
REDUCE_OLD(Prod, product, whole_product)
REDUCE_BY(Prod, 18, product, whole_product)
REDUCE_OLD(Max, greatest, whole_greatest)
REDUCE(Max, 12, greatest, whole_greatest)
REDUCE_BY(Max, 18, greatest, whole_greatest)
REDUCE_BY(Max, 20, greatest, whole_greatest)
REDUCE_OLD(Min, least, whole_least)
REDUCE(Min, 12, least, whole_least)
REDUCE_BY(Min, 18, least, whole_least)
REDUCE_BY(Min, 20, least, whole_least)
REDUCE_OLD(L1, magnitudes, NULL)
REDUCE_BY(L1, 18, magnitudes, NULL)
REDUCE_OLD(L2, root_of_squares, NULL)
REDUCE_BY(L2, 18, root_of_squares, NULL)
REDUCE_OLD(SumSquare, squares, whole_squares)
REDUCE_BY(SumSquare, 18, squares, whole_squares)
REDUCE_OLD(LogSum, log_of_sum, NULL)
REDUCE_BY(LogSum, 18, log_of_sum, NULL)
REDUCE_BY(LogSum, 28, log_of_sum, NULL)
REDUCE_OLD(LogSumExp, log_of_powers, NULL)
REDUCE_BY(LogSumExp, 18, log_of_powers, NULL)
REDUCE_BY(LogSumExp, 28, log_of_powers, NULL)
