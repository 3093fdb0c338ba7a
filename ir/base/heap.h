/* Binary heaps over plain arrays: data[0] is an element that no other comes before. `before(ctx, x,
 * y)` is a function or macro that says whether *x comes before *y; `ctx` is handed on to it.
 *
 *     vec.data[vec.len++] = x;
 *     tn_heap_up(vec.data, vec.len - 1, sooner, keys);            push
 *     top = vec.data[0]; vec.data[0] = vec.data[--vec.len];
 *     tn_heap_down(vec.data, vec.len, 0, sooner, keys);           pop, when any are left */
#ifndef TENURE_IR_BASE_HEAP_H
#define TENURE_IR_BASE_HEAP_H

#include <stddef.h>

/* Restores the heap when data[at] alone may stand too low. */
#define tn_heap_up(data, at, before, ctx)                                                          \
    do {                                                                                           \
        size_t heap_at_ = (at);                                                                    \
        __typeof__(*(data)) heap_one_ = (data)[heap_at_];                                          \
        for (; heap_at_ > 0 && before((ctx), &heap_one_, &(data)[(heap_at_ - 1) / 2]);             \
             heap_at_ = (heap_at_ - 1) / 2) {                                                      \
            (data)[heap_at_] = (data)[(heap_at_ - 1) / 2];                                         \
        }                                                                                          \
        (data)[heap_at_] = heap_one_;                                                              \
    } while (0)

/* Restores the heap of n > at elements when data[at] alone may stand too high. */
#define tn_heap_down(data, n, at, before, ctx)                                                     \
    do {                                                                                           \
        size_t heap_n_ = (n), heap_at_ = (at);                                                     \
        __typeof__(*(data)) heap_one_ = (data)[heap_at_];                                          \
        for (size_t heap_k_; (heap_k_ = 2 * heap_at_ + 1) < heap_n_; heap_at_ = heap_k_) {         \
            if (heap_k_ + 1 < heap_n_ && before((ctx), &(data)[heap_k_ + 1], &(data)[heap_k_])) {  \
                heap_k_++;                                                                         \
            }                                                                                      \
            if (!before((ctx), &(data)[heap_k_], &heap_one_)) {                                    \
                break;                                                                             \
            }                                                                                      \
            (data)[heap_at_] = (data)[heap_k_];                                                    \
        }                                                                                          \
        (data)[heap_at_] = heap_one_;                                                              \
    } while (0)

#endif
