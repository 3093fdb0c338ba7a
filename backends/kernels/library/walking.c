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

int walk_append(walk *w, size_t extent, size_t step) {
    if (w->rank >= MAX_RANK) {
        return KERNEL_BAD_SHAPE;
    }
    w->dims[w->rank] = extent;
    w->steps[w->rank] = step;
    w->rank++;
    return 0;
}

void walk_join(walk *w) {
    uint8_t n = 0;
    for (uint8_t i = 0; i < w->rank; i++) {
        if (w->dims[i] == 1) {
            continue;
        }
        if (n > 0 && w->steps[n - 1] == w->dims[i] * w->steps[i]) {
            w->dims[n - 1] *= w->dims[i];
            w->steps[n - 1] = w->steps[i];
        } else {
            w->dims[n] = w->dims[i];
            w->steps[n] = w->steps[i];
            n++;
        }
    }
    w->rank = n;
}

int copy_walk(const tenure_tensor *x, const tenure_tensor *y, walk w, size_t start) {
    size_t width = element_width(y), run = 1;
    if (width == 0 || element_width(x) != width) {
        return y->elements == 0 ? 0 : BAD_TYPE(KNOWS_BYTES, y);
    }
    for (size_t i = 0; i < y->elements && (x->channels_last || y->channels_last); i++) {
        size_t from = lies_at(x, start + walk_index(&w, element_at(y, i)));
        move_bytes(OUT(y, unsigned char) + i * width, IN(x, unsigned char) + from * width, width);
    }
    if (x->channels_last || y->channels_last) {
        return 0;
    }
    walk_join(&w);
    if (w.rank > 0 && w.steps[w.rank - 1] == 1) {
        run = w.dims[w.rank - 1];
    }
    for (size_t i = 0; i < y->elements; i += run) {
        size_t from = start + walk_index(&w, i);
        move_bytes(OUT(y, unsigned char) + i * width, IN(x, unsigned char) + from * width,
                   run * width);
    }
    return 0;
}

size_t broadcast_index(const tenure_tensor *operand, const tenure_tensor *result, size_t i) {
    size_t at = 0, step = 1;
    if (operand->elements == result->elements) {
        return beside(operand, result, i);
    }
    i = element_at(result, i);
    for (size_t k = operand->rank, j = result->rank; k-- > 0;) {
        size_t extent = (size_t)operand->dims[k], all = (size_t)result->dims[--j];
        at += extent == 1 ? 0 : i % all * step;
        step *= extent;
        i /= all;
    }
    return lies_at(operand, at);
}

int check_broadcast(const tenure_tensor *operand, const tenure_tensor *result) {
    if (operand->rank > result->rank) {
        return KERNEL_BAD_SHAPE;
    }
    for (size_t k = operand->rank, j = result->rank; k-- > 0;) {
        j--;
        if (operand->dims[k] != 1 && operand->dims[k] != result->dims[j]) {
            return KERNEL_BAD_SHAPE;
        }
    }
    return 0;
}
