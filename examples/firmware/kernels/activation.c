/* Functions of one element. */
#include "kernels.h"

static int relu(const tenure_tensor *x, const tenure_tensor *y) {
    if (x->dtype != TENURE_DTYPE_F32) {
        return KERNEL_BAD_TYPE;
    }
    for (size_t i = 0; i < y->elements; i++) {
        float v = IN(x, float)[i];
        OUT(y, float)[i] = v > 0 ? v : 0;
    }
    return 0;
}
KERNEL_UNARY(Relu, 6, relu)
KERNEL_UNARY(Relu, 13, relu)
KERNEL_UNARY(Relu, 14, relu)
