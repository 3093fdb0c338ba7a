/* Kernels of tensors with their channels last (docs/PROGRAM.md): those of the other files look at
 * the layout of each tensor by themselves. What stands here keeps the order of elements in which
 * the result lies; a program that needs another kernel does not link. */
#include "kernels.h"

#define NHWC(op, version, parameters, arguments)                                                   \
    int tenure_##op##_##version##_nhwc parameters;                                                 \
    int tenure_##op##_##version##_nhwc parameters {                                                \
        return tenure_##op##_##version arguments;                                                  \
    }
#define T const tenure_tensor *
#define C const tenure_context *c
/* By operands and results; WITH: attributes in front of them. */
#define PLAIN_1(op, version) NHWC(op, version, (T x, T y, C), (x, y, c))
#define PLAIN_2(op, version) NHWC(op, version, (T x, T z, T y, C), (x, z, y, c))
#define PLAIN_3(op, version) NHWC(op, version, (T x, T z, T w, T y, C), (x, z, w, y, c))
#define PLAIN_MANY(op, version)                                                                    \
    NHWC(op, version, (const tenure_tensor *const *x, uint32_t n, T y, C), (x, n, y, c))
#define A(op, version) const tenure_##op##_##version##_attributes *a
#define WITH_1(op, version) NHWC(op, version, (A(op, version), T x, T y, C), (a, x, y, c))
#define WITH_2(op, version) NHWC(op, version, (A(op, version), T x, T z, T y, C), (a, x, z, y, c))
#define WITH_3(op, version)                                                                        \
    NHWC(op, version, (A(op, version), T x, T z, T w, T y, C), (a, x, z, w, y, c))
#define WITH_4(op, version)                                                                        \
    NHWC(op, version, (A(op, version), T x, T z, T w, T v, T y, C), (a, x, z, w, v, y, c))
/* Results besides the first are operands to these. */
#define WITH_7(op, version)                                                                        \
    NHWC(op, version, (A(op, version), T x, T z, T w, T v, T u, T t, T s, T y, C),                 \
         (a, x, z, w, v, u, t, s, y, c))
#define WITH_9(op, version)                                                                        \
    NHWC(op, version, (A(op, version), T x, T z, T w, T v, T u, T t, T s, T r, T q, T y, C),       \
         (a, x, z, w, v, u, t, s, r, q, y, c))
#define WITH_MANY(op, version)                                                                     \
    NHWC(op, version, (A(op, version), const tenure_tensor *const *x, uint32_t n, T y, C),         \
         (a, x, n, y, c))
#define WITH_5(op, version)                                                                        \
    NHWC(op, version, (A(op, version), T x, T z, T w, T v, T u, T y, C), (a, x, z, w, v, u, y, c))

WITH_3(Conv, 1)
WITH_3(Conv, 11)
WITH_3(Conv, 22)

WITH_1(AveragePool, 1)
WITH_1(AveragePool, 7)
WITH_1(AveragePool, 10)
WITH_1(AveragePool, 11)
WITH_1(AveragePool, 19)
WITH_1(AveragePool, 22)

WITH_1(LpPool, 1)
WITH_1(LpPool, 2)
WITH_1(LpPool, 11)
WITH_1(LpPool, 18)
WITH_1(LpPool, 22)

WITH_1(MaxPool, 1)

WITH_2(MaxPool, 8)
WITH_2(MaxPool, 10)
WITH_2(MaxPool, 11)
WITH_2(MaxPool, 12)
WITH_2(MaxPool, 22)

PLAIN_1(GlobalAveragePool, 1)
PLAIN_1(GlobalAveragePool, 22)

PLAIN_1(GlobalMaxPool, 1)
PLAIN_1(GlobalMaxPool, 22)

WITH_9(BatchNormalization, 1)
WITH_9(BatchNormalization, 6)
WITH_9(BatchNormalization, 7)
WITH_9(BatchNormalization, 9)

WITH_7(BatchNormalization, 14)
WITH_7(BatchNormalization, 15)

WITH_1(ReduceMean, 1)
WITH_1(ReduceMean, 11)
WITH_1(ReduceMean, 13)
WITH_2(ReduceMean, 18)
WITH_1(ReduceSum, 1)
WITH_1(ReduceSum, 11)
WITH_2(ReduceSum, 13)
WITH_1(ReduceMax, 11)
WITH_1(ReduceMax, 12)
WITH_1(ReduceMax, 13)
WITH_2(ReduceMax, 18)

WITH_1(Pad, 1)
WITH_1(Pad, 2)

WITH_3(Pad, 11)
WITH_3(Pad, 13)

WITH_4(Pad, 18)
WITH_4(Pad, 19)
WITH_4(Pad, 21)
WITH_4(Pad, 23)
WITH_4(Pad, 24)
WITH_4(Pad, 25)

WITH_2(Resize, 10)

WITH_4(Resize, 11)
WITH_4(Resize, 13)
WITH_4(Resize, 18)
WITH_4(Resize, 19)

WITH_1(Upsample, 1)
WITH_1(Upsample, 7)

WITH_2(Upsample, 9)
WITH_2(Upsample, 10)

WITH_MANY(Concat, 1)
WITH_MANY(Concat, 4)
WITH_MANY(Concat, 11)
WITH_MANY(Concat, 13)

WITH_1(Transpose, 1)
WITH_1(Transpose, 13)
WITH_1(Transpose, 21)
WITH_1(Transpose, 23)
WITH_1(Transpose, 24)
WITH_1(Transpose, 25)

WITH_1(Reshape, 1)

WITH_2(Reshape, 5)
WITH_2(Reshape, 13)
WITH_2(Reshape, 14)
WITH_2(Reshape, 19)
WITH_2(Reshape, 21)
WITH_2(Reshape, 23)
WITH_2(Reshape, 24)
WITH_2(Reshape, 25)

WITH_1(Flatten, 1)
WITH_1(Flatten, 9)
WITH_1(Flatten, 11)
WITH_1(Flatten, 13)
WITH_1(Flatten, 21)
WITH_1(Flatten, 23)
WITH_1(Flatten, 24)
WITH_1(Flatten, 25)

PLAIN_1(Identity, 1)
PLAIN_1(Identity, 13)
PLAIN_1(Identity, 14)
PLAIN_1(Identity, 16)
PLAIN_1(Identity, 19)
PLAIN_1(Identity, 21)
PLAIN_1(Identity, 23)
PLAIN_1(Identity, 24)
PLAIN_1(Identity, 25)

PLAIN_3(QuantizeLinear, 10)

WITH_3(QuantizeLinear, 13)
WITH_3(QuantizeLinear, 19)
WITH_3(QuantizeLinear, 21)
WITH_3(QuantizeLinear, 23)
WITH_3(QuantizeLinear, 24)
WITH_3(QuantizeLinear, 25)

PLAIN_3(DequantizeLinear, 10)

WITH_3(DequantizeLinear, 13)
WITH_3(DequantizeLinear, 19)
WITH_3(DequantizeLinear, 21)
WITH_3(DequantizeLinear, 23)
WITH_3(DequantizeLinear, 24)
WITH_3(DequantizeLinear, 25)

WITH_1(Cast, 1)
WITH_1(Cast, 6)
WITH_1(Cast, 9)
WITH_1(Cast, 13)
WITH_1(Cast, 19)
WITH_1(Cast, 21)
WITH_1(Cast, 23)
WITH_1(Cast, 24)
WITH_1(Cast, 25)

WITH_1(Clip, 1)
WITH_1(Clip, 6)

PLAIN_3(Clip, 11)
PLAIN_3(Clip, 12)
PLAIN_3(Clip, 13)

WITH_2(Add, 1)
WITH_2(Add, 6)

PLAIN_2(Add, 7)
PLAIN_2(Add, 13)
PLAIN_2(Add, 14)

WITH_2(Sub, 1)
WITH_2(Sub, 6)

PLAIN_2(Sub, 7)
PLAIN_2(Sub, 13)
PLAIN_2(Sub, 14)

WITH_2(Mul, 1)
WITH_2(Mul, 6)

PLAIN_2(Mul, 7)
PLAIN_2(Mul, 13)
PLAIN_2(Mul, 14)

WITH_2(Div, 1)
WITH_2(Div, 6)

PLAIN_2(Div, 7)
PLAIN_2(Div, 13)
PLAIN_2(Div, 14)

PLAIN_MANY(Sum, 6)
PLAIN_MANY(Sum, 8)
PLAIN_MANY(Sum, 13)

PLAIN_1(Relu, 6)
PLAIN_1(Relu, 13)
PLAIN_1(Relu, 14)

PLAIN_1(Sigmoid, 6)
PLAIN_1(Sigmoid, 13)

PLAIN_1(Tanh, 6)
PLAIN_1(Tanh, 13)

PLAIN_1(Exp, 6)
PLAIN_1(Exp, 13)

PLAIN_1(Abs, 6)
PLAIN_1(Abs, 13)

PLAIN_1(Neg, 6)
PLAIN_1(Neg, 13)

PLAIN_1(HardSwish, 14)
PLAIN_1(HardSwish, 22)

WITH_1(LeakyRelu, 1)
WITH_1(LeakyRelu, 6)
WITH_1(LeakyRelu, 16)

WITH_1(Elu, 1)
WITH_1(Elu, 6)
WITH_1(Elu, 22)

WITH_1(HardSigmoid, 1)
WITH_1(HardSigmoid, 6)
WITH_1(HardSigmoid, 22)
