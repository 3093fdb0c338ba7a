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
/* Results besides the first are operands to these; but Split has a list of them. */
#define WITH_7(op, version)                                                                        \
    NHWC(op, version, (A(op, version), T x, T z, T w, T v, T u, T t, T s, T y, C),                 \
         (a, x, z, w, v, u, t, s, y, c))
#define WITH_9(op, version)                                                                        \
    NHWC(op, version, (A(op, version), T x, T z, T w, T v, T u, T t, T s, T r, T q, T y, C),       \
         (a, x, z, w, v, u, t, s, r, q, y, c))
#define WITH_MANY(op, version)                                                                     \
    NHWC(op, version, (A(op, version), const tenure_tensor *const *x, uint32_t n, T y, C),         \
         (a, x, n, y, c))
#define WITH_RESULTS(op, version)                                                                  \
    NHWC(op, version, (A(op, version), T x, const tenure_tensor *const *y, uint32_t n, C),         \
         (a, x, y, n, c))
#define BY_RESULTS(op, version)                                                                    \
    NHWC(op, version, (A(op, version), T x, T z, const tenure_tensor *const *y, uint32_t n, C),    \
         (a, x, z, y, n, c))
#define WITH_5(op, version)                                                                        \
    NHWC(op, version, (A(op, version), T x, T z, T w, T v, T u, T y, C), (a, x, z, w, v, u, y, c))

WITH_3(Conv, 1)
WITH_3(Conv, 11)
WITH_3(Conv, 22)

WITH_3(ConvTranspose, 1)
WITH_3(ConvTranspose, 11)
WITH_3(ConvTranspose, 22)

WITH_9(QLinearConv, 10)

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
WITH_2(ReduceMax, 20)

WITH_1(ReduceMin, 12)
WITH_1(ReduceMin, 13)
WITH_2(ReduceMin, 18)
WITH_2(ReduceMin, 20)

WITH_1(ReduceProd, 13)
WITH_2(ReduceProd, 18)

WITH_1(ReduceL1, 13)
WITH_2(ReduceL1, 18)

WITH_1(ReduceL2, 13)
WITH_2(ReduceL2, 18)

WITH_1(ReduceSumSquare, 13)
WITH_2(ReduceSumSquare, 18)

WITH_1(ReduceLogSum, 13)
WITH_2(ReduceLogSum, 18)
WITH_2(ReduceLogSum, 28)

WITH_1(ReduceLogSumExp, 13)
WITH_2(ReduceLogSumExp, 18)
WITH_2(ReduceLogSumExp, 28)

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

WITH_1(LRN, 1)
WITH_1(LRN, 13)

WITH_1(Softmax, 1)
WITH_1(Softmax, 11)
WITH_1(Softmax, 13)

WITH_1(LogSoftmax, 1)
WITH_1(LogSoftmax, 11)
WITH_1(LogSoftmax, 13)

WITH_1(Hardmax, 13)

WITH_1(DepthToSpace, 1)
WITH_1(DepthToSpace, 11)
WITH_1(DepthToSpace, 13)
WITH_1(DepthToSpace, 28)

WITH_1(SpaceToDepth, 1)
WITH_1(SpaceToDepth, 13)
WITH_1(SpaceToDepth, 28)

WITH_1(Slice, 1)
WITH_5(Slice, 10)
WITH_5(Slice, 11)
WITH_5(Slice, 13)

BY_RESULTS(Split, 1)
WITH_RESULTS(Split, 2)
WITH_RESULTS(Split, 11)
BY_RESULTS(Split, 13)
BY_RESULTS(Split, 18)

WITH_2(Gather, 1)
WITH_2(Gather, 11)
WITH_2(Gather, 13)

WITH_2(Expand, 8)
WITH_2(Expand, 13)

PLAIN_1(Shape, 1)
PLAIN_1(Shape, 13)
WITH_1(Shape, 15)
WITH_1(Shape, 19)
WITH_1(Shape, 21)
WITH_1(Shape, 23)
WITH_1(Shape, 24)
WITH_1(Shape, 25)

WITH_1(ConstantOfShape, 9)
WITH_1(ConstantOfShape, 20)
WITH_1(ConstantOfShape, 21)
WITH_1(ConstantOfShape, 23)
WITH_1(ConstantOfShape, 24)
WITH_1(ConstantOfShape, 25)

WITH_1(Squeeze, 1)
WITH_1(Squeeze, 11)
WITH_2(Squeeze, 13)
WITH_2(Squeeze, 21)
WITH_2(Squeeze, 23)
WITH_2(Squeeze, 24)
WITH_2(Squeeze, 25)

WITH_1(Unsqueeze, 1)
WITH_1(Unsqueeze, 11)
WITH_2(Unsqueeze, 13)
WITH_2(Unsqueeze, 21)
WITH_2(Unsqueeze, 23)
WITH_2(Unsqueeze, 24)
WITH_2(Unsqueeze, 25)

WITH_2(Dropout, 1)
WITH_2(Dropout, 6)
WITH_2(Dropout, 7)
WITH_2(Dropout, 10)
WITH_4(Dropout, 12)
WITH_4(Dropout, 13)
WITH_4(Dropout, 22)

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

PLAIN_2(Pow, 7)
PLAIN_2(Pow, 12)
PLAIN_2(Pow, 13)
PLAIN_2(Pow, 15)

PLAIN_2(PRelu, 7)
PLAIN_2(PRelu, 9)
PLAIN_2(PRelu, 16)

PLAIN_3(Where, 9)
PLAIN_3(Where, 16)

PLAIN_2(Equal, 7)
PLAIN_2(Equal, 11)
PLAIN_2(Equal, 13)
PLAIN_2(Equal, 19)

PLAIN_2(Greater, 7)
PLAIN_2(Greater, 9)
PLAIN_2(Greater, 13)

PLAIN_2(Less, 7)
PLAIN_2(Less, 9)
PLAIN_2(Less, 13)

PLAIN_2(GreaterOrEqual, 12)
PLAIN_2(GreaterOrEqual, 16)

PLAIN_2(LessOrEqual, 12)
PLAIN_2(LessOrEqual, 16)

PLAIN_2(And, 7)
PLAIN_2(Or, 7)
PLAIN_2(Xor, 7)

PLAIN_MANY(Mean, 6)
PLAIN_MANY(Mean, 8)
PLAIN_MANY(Mean, 13)

PLAIN_MANY(Max, 6)
PLAIN_MANY(Max, 8)
PLAIN_MANY(Max, 12)
PLAIN_MANY(Max, 13)

PLAIN_MANY(Min, 6)
PLAIN_MANY(Min, 8)
PLAIN_MANY(Min, 12)
PLAIN_MANY(Min, 13)

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

PLAIN_1(Floor, 6)
PLAIN_1(Floor, 13)

PLAIN_1(Ceil, 6)
PLAIN_1(Ceil, 13)

PLAIN_1(Round, 11)
PLAIN_1(Round, 22)

PLAIN_1(Sqrt, 6)
PLAIN_1(Sqrt, 13)

PLAIN_1(Log, 6)
PLAIN_1(Log, 13)

PLAIN_1(Reciprocal, 6)
PLAIN_1(Reciprocal, 13)

PLAIN_1(Erf, 9)
PLAIN_1(Erf, 13)

PLAIN_1(Sign, 9)
PLAIN_1(Sign, 13)

PLAIN_1(Softplus, 1)
PLAIN_1(Softplus, 22)

PLAIN_1(Softsign, 1)
PLAIN_1(Softsign, 22)

PLAIN_1(Mish, 18)
PLAIN_1(Mish, 22)

WITH_1(Gelu, 20)

WITH_1(ThresholdedRelu, 10)
WITH_1(ThresholdedRelu, 22)

WITH_1(Selu, 1)
WITH_1(Selu, 6)
WITH_1(Selu, 22)

WITH_1(Celu, 12)
WITH_1(Celu, 28)

WITH_1(Swish, 24)
