/* How operands lie beside results. */
#include "kernels.h"

split split_at(const tenure_tensor *t, size_t axis) {
    split s = {1, 1, 1};
    for (size_t i = 0; i < t->rank; i++) {
        size_t extent = (size_t)t->dims[i];
        if (i < axis) {
            s.before *= extent;
        } else if (i == axis) {
            s.extent = extent;
        } else {
            s.behind *= extent;
        }
    }
    return s;
}

int walk_broadcast(const tenure_tensor *operand, const tenure_tensor *result, walk *w) {
    if (result->rank > MAX_RANK || operand->rank > result->rank) {
        return KERNEL_BAD_SHAPE;
    }
    size_t step = 1, missing = (size_t)(result->rank - operand->rank);
    w->rank = result->rank;
    for (size_t i = result->rank; i-- > 0;) {
        size_t extent = i >= missing ? (size_t)operand->dims[i - missing] : 1;
        w->dims[i] = (size_t)result->dims[i];
        w->steps[i] = extent == 1 ? 0 : step;
        step *= extent;
    }
    return 0;
}

size_t walk_index(const walk *w, size_t i) {
    size_t at = 0;
    for (size_t k = w->rank; k-- > 0;) {
        at += i % w->dims[k] * w->steps[k];
        i /= w->dims[k];
    }
    return at;
}
