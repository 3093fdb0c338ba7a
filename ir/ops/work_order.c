#include "ir/ops/work_order.h"

#include <stddef.h>
#include <string.h>

const char *const tn_work_order_words[] = {[TN_ORDER_NONE] = "none",
                                           [TN_ORDER_ROWS] = "rows",
                                           [TN_ORDER_ROWS_BUFFERED] = "rows-buffered",
                                           [TN_ORDER_ELEMENTS] = "elements",
                                           [TN_ORDER_PIXELS] = "pixels",
                                           NULL};

bool tn_work_order_find(const char *word, tn_work_order *out) {
    for (int i = 0; tn_work_order_words[i] != NULL; i++) {
        if (strcmp(word, tn_work_order_words[i]) == 0) {
            *out = (tn_work_order)i;
            return true;
        }
    }
    return false;
}

uint32_t tn_work_axes(tn_work_order order, bool channels_last, uint32_t rank) {
    uint32_t n = 0;
    switch (order) {
    case TN_ORDER_NONE:
        n = rank;
        break;
    case TN_ORDER_ROWS:
    case TN_ORDER_ROWS_BUFFERED:
        n = channels_last ? 2 : 1;
        break;
    case TN_ORDER_PIXELS:
        n = channels_last ? 1 : 0;
        break;
    case TN_ORDER_ELEMENTS:
        break;
    }
    return n < rank ? n : rank;
}

void tn_axes_as_laid(bool channels_last, uint32_t rank, uint32_t *axes) {
    bool moved = channels_last && rank > 2;
    for (uint32_t i = 0; i < rank; i++) {
        axes[i] = !moved || i == 0 ? i : i + 1 < rank ? i + 1 : 1;
    }
}

void tn_strides_as_laid(bool channels_last, uint32_t rank, const int64_t *extents,
                        int64_t *strides) {
    int64_t stride = 1;
    for (uint32_t k = rank; k-- > 0;) {
        bool moved = channels_last && rank > 2;
        uint32_t axis = !moved || k == 0 ? k : k + 1 < rank ? k + 1 : 1;
        strides[axis] = stride;
        stride *= extents[axis];
    }
}
