/* By order along an axis: ArgMax, ArgMin, TopK, CumSum. */
#include "kernels.h"

/* -1, 0 or 1: how element `a` of x stands to element `b`. */
static int compared(const tenure_tensor *x, size_t a, size_t b) {
    if (x->dtype == TENURE_DTYPE_F32) {
        float u = IN(x, float)[a], v = IN(x, float)[b];
        return (u > v) - (u < v);
    }
    int64_t u = whole_at(x, a), v = whole_at(x, b);
    return (u > v) - (u < v);
}

/* `sign` 1: the greatest, -1: the least. */
static int arg(const tenure_tensor *x, int64_t axis, int sign, int last, const tenure_tensor *y) {
    split s = split_at(x, axis_of(axis, x->rank));
    if (x->dtype != TENURE_DTYPE_F32 && !is_whole(x)) {
        return BAD_TYPE(KNOWS_NUMBERS, x);
    }
    for (size_t i = 0; i < y->elements; i++) {
        size_t first = i / s.behind * s.extent * s.behind + i % s.behind, best = 0;
        for (size_t k = 1; k < s.extent; k++) {
            int order = sign * compared(x, first + k * s.behind, first + best * s.behind);
            best = order > 0 || (order == 0 && last) ? k : best;
        }
        put_whole(y, i, (int64_t)best);
    }
    return 0;
}

#define ARG(op, version, sign, last)                                                               \
    int tenure_##op##_##version(const tenure_##op##_##version##_attributes *attributes,            \
                                const tenure_tensor *x, const tenure_tensor *y,                    \
                                const tenure_context *c) {                                         \
        (void)c;                                                                                   \
        return arg(x, attributes->axis, sign, last, y);                                            \
    }
ARG(ArgMax, 1, 1, 0)
ARG(ArgMax, 11, 1, 0)
ARG(ArgMax, 12, 1, attributes->select_last_index != 0)
ARG(ArgMax, 13, 1, attributes->select_last_index != 0)
ARG(ArgMin, 1, -1, 0)
ARG(ArgMin, 11, -1, 0)
ARG(ArgMin, 12, -1, attributes->select_last_index != 0)
ARG(ArgMin, 13, -1, attributes->select_last_index != 0)

/* ---- TopK: the next one is the best of those behind the last one, equal ones by their index ----
 */

static int is_behind(const tenure_tensor *x, int sign, size_t first, size_t step, size_t k,
                     size_t last) {
    int order = sign * compared(x, first + k * step, first + last * step);
    return order < 0 || (order == 0 && k > last);
}

static size_t next_of(const tenure_tensor *x, int sign, size_t first, const split *s, size_t last) {
    size_t best = s->extent;
    for (size_t k = 0; k < s->extent; k++) {
        if ((last == s->extent || is_behind(x, sign, first, s->behind, k, last)) &&
            (best == s->extent || is_behind(x, sign, first, s->behind, best, k))) {
            best = k;
        }
    }
    return best;
}

/* `k`: how many, where the run alone knows; else the results say it. */
static int top(const tenure_tensor *x, int64_t axis, int sign, const tenure_tensor *k,
               const tenure_tensor *values, const tenure_tensor *indices, const tenure_context *c) {
    size_t k_axis = axis_of(axis, x->rank), width = element_width(x);
    split s = split_at(x, k_axis);
    const tenure_tensor *shaped = values != NULL ? values : indices;
    size_t chosen = split_at(shaped, k_axis).extent;
    if (c->found != NULL && k != NULL) {
        uint32_t said = values != NULL ? 0 : 1;
        int64_t wanted = whole_at(k, 0);
        int bad =
            wanted < 0 ? KERNEL_BAD_VALUE : found_extent(c, said, shaped, k_axis, (size_t)wanted);
        if (bad) {
            return bad;
        }
        chosen = (size_t)wanted;
    }
    if ((x->dtype != TENURE_DTYPE_F32 && !is_whole(x)) || chosen > s.extent) {
        return chosen > s.extent ? KERNEL_BAD_VALUE : BAD_TYPE(KNOWS_NUMBERS, x);
    }
    for (size_t i = 0; i < s.before * s.behind; i++) {
        size_t first = i / s.behind * s.extent * s.behind + i % s.behind, at = s.extent;
        for (size_t n = 0; n < chosen; n++) {
            size_t to = (i / s.behind * chosen + n) * s.behind + i % s.behind;
            at = next_of(x, sign, first, &s, at);
            if (at == s.extent) {
                return KERNEL_BAD_VALUE; /* NaN */
            }
            if (values != NULL) {
                move_bytes(OUT(values, unsigned char) + to * width,
                           IN(x, unsigned char) + (first + at * s.behind) * width, width);
            }
            if (indices != NULL) {
                put_whole(indices, to, (int64_t)at);
            }
        }
    }
    return 0;
}

int tenure_TopK_1(const tenure_TopK_1_attributes *attributes, const tenure_tensor *x,
                  const tenure_tensor *values, const tenure_tensor *indices,
                  const tenure_context *c) {
    return top(x, attributes->axis, 1, NULL, values, indices, c);
}

#define TOP_K(version, sign)                                                                       \
    int tenure_TopK_##version(const tenure_TopK_##version##_attributes *attributes,                \
                              const tenure_tensor *x, const tenure_tensor *k,                      \
                              const tenure_tensor *values, const tenure_tensor *indices,           \
                              const tenure_context *c) {                                           \
        return top(x, attributes->axis, sign, k, values, indices, c);                              \
    }
TOP_K(10, 1)
TOP_K(11, attributes->largest != 0 ? 1 : -1)
TOP_K(24, attributes->largest != 0 ? 1 : -1)

/* ---- CumSum ---- */

static int cumulate(const tenure_tensor *x, const tenure_tensor *axis, int exclusive, int reverse,
                    const tenure_tensor *y) {
    split s = split_at(x, axis_of(whole_at(axis, 0), x->rank));
    int floats = x->dtype == TENURE_DTYPE_F32;
    if (!floats && !is_whole(x)) {
        return BAD_TYPE(KNOWS_NUMBERS, x);
    }
    for (size_t i = 0; i < s.before * s.behind; i++) {
        size_t first = i / s.behind * s.extent * s.behind + i % s.behind;
        float sum = 0;
        uint64_t whole_sum = 0;
        for (size_t k = 0; k < s.extent; k++) {
            size_t at = first + (reverse ? s.extent - 1 - k : k) * s.behind;
            float before = sum;
            uint64_t whole_before = whole_sum;
            sum += floats ? IN(x, float)[at] : 0;
            whole_sum += floats ? 0 : (uint64_t)whole_at(x, at);
            if (floats) {
                OUT(y, float)[at] = exclusive ? before : sum;
            } else {
                put_whole(y, at, (int64_t)(exclusive ? whole_before : whole_sum));
            }
        }
    }
    return 0;
}

#define CUM_SUM(version)                                                                           \
    int tenure_CumSum_##version(const tenure_CumSum_##version##_attributes *attributes,            \
                                const tenure_tensor *x, const tenure_tensor *axis,                 \
                                const tenure_tensor *y, const tenure_context *c) {                 \
        (void)c;                                                                                   \
        return cumulate(x, axis, attributes->exclusive != 0, attributes->reverse != 0, y);         \
    }
CUM_SUM(11)
CUM_SUM(14)
