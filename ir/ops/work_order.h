/* In which order kernels work, where a result may begin inside an operand that dies at the step
 * (overlap), and how the elements of a value lie. A kernel makes its result in units, one after the
 * other in ascending order of their bytes; when a unit is stored, all that it needs has been read,
 * or, in the loosest order, nothing that lies in the bytes of this or an earlier unit is needed any
 * more. Kernels may read earlier and write later than that. */
#ifndef TENURE_IR_OPS_WORK_ORDER_H
#define TENURE_IR_OPS_WORK_ORDER_H

#include <stdbool.h>
#include <stdint.h>

/* Promises of kernels. */
typedef enum tn_work_order {
    TN_ORDER_NONE,          /* any order at all: the result lies apart from its operands */
    TN_ORDER_ROWS,          /* row by row; the elements of one in any order, or several at a time */
    TN_ORDER_ROWS_BUFFERED, /* row by row, each finished elsewhere before it is stored */
    TN_ORDER_ELEMENTS,      /* one element after the other, each finished before it is stored */
    TN_ORDER_PIXELS,        /* channel-last values: all channels of a place at once, finished
                               elsewhere before they are stored; of other values elements */
} tn_work_order;

/* Indexed by tn_work_order, and NULL behind the last: as options, plans and facts write them. */
extern const char *const tn_work_order_words[];
/* False when there is no such word. */
bool tn_work_order_find(const char *word, tn_work_order *out);

/* Whether the elements of a unit may be stored while others of it are still to be made. */
static inline bool tn_work_is_loose(tn_work_order order) {
    return order == TN_ORDER_ROWS;
}
/* How many of the innermost axes of a value, as it lies, make a unit. A row of a channel-last value
 * is a row of places with all their channels. */
uint32_t tn_work_axes(tn_work_order order, bool channels_last, uint32_t rank);

/* The axes of a value from the outermost to the innermost, as its elements lie: channel-last ones
 * have axis 1 behind all others. */
void tn_axes_as_laid(bool channels_last, uint32_t rank, uint32_t *axes);
/* By axis, how many elements lie from one coordinate to the next. */
void tn_strides_as_laid(bool channels_last, uint32_t rank, const int64_t *extents,
                        int64_t *strides);

#endif
