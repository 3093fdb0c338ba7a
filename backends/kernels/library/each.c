/* Loops over elements. */
#include "each.h"

int each_float(float_function f, const float *p, const tenure_tensor *x, const tenure_tensor *y) {
    return each_number(f, NULL, p, x, y);
}

int each_number(float_function f, whole_function g, const float *p, const tenure_tensor *x,
                const tenure_tensor *y) {
    if (x->dtype == TENURE_DTYPE_F32 && f != NULL) {
        for (size_t i = 0; i < y->elements; i++) {
            OUT(y, float)[i] = f(IN(x, float)[beside(x, y, i)], p);
        }
        return 0;
    }
    if (!is_whole(x) || g == NULL) {
        return BAD_TYPE(g == NULL ? KNOWS_F32 : KNOWS_NUMBERS, x);
    }
    for (size_t i = 0; i < y->elements; i++) {
        put_whole(y, i, g(whole_at(x, beside(x, y, i)), p));
    }
    return 0;
}

static void float_pairs(float_pair f, const tenure_tensor *a, const tenure_tensor *b,
                        const tenure_tensor *y) {
    for (size_t i = 0; i < y->elements; i++) {
        float r = f(IN(a, float)[broadcast_index(a, y, i)], IN(b, float)[broadcast_index(b, y, i)]);
        if (y->dtype == TENURE_DTYPE_F32) {
            OUT(y, float)[i] = r;
        } else {
            OUT(y, uint8_t)[i] = r != 0;
        }
    }
}

int each_pair(float_pair f, whole_pair g, const tenure_tensor *a, const tenure_tensor *b,
              const tenure_tensor *y) {
    int bad = check_broadcast(a, y) != 0 || check_broadcast(b, y) != 0;
    if (bad) {
        return KERNEL_BAD_SHAPE;
    }
    if (a->dtype == TENURE_DTYPE_F32 && b->dtype == TENURE_DTYPE_F32 && f != NULL) {
        float_pairs(f, a, b, y);
        return 0;
    }
    if (!is_whole(a) || !is_whole(b) || g == NULL) {
        return BAD_TYPE2(g == NULL ? KNOWS_F32 : KNOWS_NUMBERS, a, b);
    }
    for (size_t i = 0; i < y->elements; i++) {
        put_whole(y, i,
                  g(whole_at(a, broadcast_index(a, y, i)), whole_at(b, broadcast_index(b, y, i))));
    }
    return 0;
}

static void float_of_many(float_pair f, int mean, const tenure_tensor *const *in, uint32_t n,
                          const tenure_tensor *y) {
    for (size_t i = 0; i < y->elements; i++) {
        float r = IN(in[0], float)[broadcast_index(in[0], y, i)];
        for (uint32_t k = 1; k < n; k++) {
            r = f(r, IN(in[k], float)[broadcast_index(in[k], y, i)]);
        }
        OUT(y, float)[i] = mean ? r / (float)n : r;
    }
}

int each_of_many(float_pair f, whole_pair g, int mean, const tenure_tensor *const *in, uint32_t n,
                 const tenure_tensor *y) {
    for (uint32_t k = 0; k < n; k++) {
        if (check_broadcast(in[k], y) != 0 || in[k]->dtype != y->dtype) {
            return KERNEL_BAD_SHAPE;
        }
    }
    if (y->dtype == TENURE_DTYPE_F32) {
        float_of_many(f, mean, in, n, y);
        return 0;
    }
    if (!is_whole(y) || g == NULL) {
        return BAD_TYPE(g == NULL ? KNOWS_F32 : KNOWS_NUMBERS, y);
    }
    for (size_t i = 0; i < y->elements; i++) {
        int64_t r = whole_at(in[0], broadcast_index(in[0], y, i));
        for (uint32_t k = 1; k < n; k++) {
            r = g(r, whole_at(in[k], broadcast_index(in[k], y, i)));
        }
        put_whole(y, i, r);
    }
    return 0;
}

int old_broadcast(const tenure_tensor *b, const tenure_tensor *y, int64_t axis, int has,
                  tenure_dim *dims, tenure_tensor *out) {
    *out = *b;
    if (!has || b->elements <= 1) {
        return 0;
    }
    size_t first = axis_of(axis, y->rank);
    if (y->rank > MAX_RANK || first + b->rank > y->rank || b->channels_last) {
        return KERNEL_BAD_SHAPE;
    }
    out->rank = (uint8_t)(y->rank - first);
    for (size_t i = 0; i < out->rank; i++) {
        dims[i] = i < b->rank ? b->dims[i] : 1;
    }
    out->dims = dims;
    return 0;
}
