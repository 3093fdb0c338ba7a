/* Kernels of ONNX operators, as programs that tenure writes call them (docs/PROGRAM.md).
 * Generated from tenure's table of operators; the same file for every program.
 *
 * A program calls tenure_<Op>_<version>, where <version> is that of the operator set in
 * which the operator got its present definition; operators of other domains have the
 * domain in front of the name. Kernels are written by whoever runs the program: what is
 * missing does not link. A kernel gets
 *
 *   attributes  with all defaults filled in, where the operator has any: axes counted from
 *               the front, windows with kernel_shape, strides, dilations and pads for
 *               every axis and auto_pad NOTSET. Fields with a has_ field are 0 where the
 *               model leaves them out and the operator has no default; lists, texts and
 *               tensors are NULL then. Fields `of the operand` are its elements, where the
 *               plan rests on them; NULL where they are known only to the run
 *   operands    in the order of the operator's definition, NULL where one is left out
 *   results     likewise; the kernel writes all bytes of each
 *   context     what is not the operator's, see below
 *
 * and gives back 0, or another number to end the run. It writes nothing but the results and
 * the workspace. A result may lie where an operand does (the same `data`, or a part of it):
 * the program says at each call which, and in what way the kernel has to work then. */
#ifndef TENURE_KERNELS_H
#define TENURE_KERNELS_H
#define TENURE_KERNELS_VERSION 1

#include <stddef.h>
#include <stdint.h>

/* What extents are counted in. Programs with larger ones need
 * -DTENURE_DIM=int64_t for every file, kernels too. */
#ifndef TENURE_DIM
#define TENURE_DIM int32_t
#endif
typedef TENURE_DIM tenure_dim;

/* A tensor: elements in row-major order, those of less than a byte packed, the first in
 * the lowest bits. With channels_last element (n, c, rest...) lies where row-major order
 * has (n, rest..., c); dims stay (n, c, rest...). Steps with such an operand or result call
 * tenure_<Op>_<version>_nhwc, which the header of the program declares. */
typedef struct tenure_tensor {
    void *data;             /* read-only for operands. NULL for an operand of which only
                               type and extents are read: its bytes may be gone */
    const tenure_dim *dims; /* `rank` extents; never NULL */
    size_t elements, bytes;
    uint8_t rank;           /* 0: a scalar */
    uint8_t dtype;          /* TENURE_DTYPE_F32 and so on */
    uint8_t channels_last;  /* 0 or 1 */
} tenure_tensor;

typedef struct tenure_ints {
    const int64_t *at; /* NULL: left out, or not known */
    uint32_t count;
} tenure_ints;

typedef struct tenure_floats {
    const float *at;
    uint32_t count;
} tenure_floats;

typedef struct tenure_texts {
    const char *const *at;
    uint32_t count;
} tenure_texts;

typedef struct tenure_context {
    void *user;             /* what the caller of the program gave */
    void *workspace;        /* bytes for this call alone, as many as the plan has for the
                               step; NULL when that is none */
    size_t workspace_bytes;
    uint32_t step;          /* of the plan */
    const char *node;       /* its name in the model, maybe empty */
    const char *way;        /* the way to do the work that the plan has chosen, of those that
                               the kernels' facts name; else empty */
    void *kept;             /* bytes of the step that stay from run to run, 0 before the
                               first; NULL when there are none */
    size_t kept_bytes;
    tenure_dim *const *found; /* by result: where the kernel writes the extents that it finds
                               out, by axis, and NULL where it finds none; NULL: it finds
                               none at all. The extents in `dims` are the most there can be,
                               and elements lie compact at the beginning of `data` */
} tenure_context;

/* Attributes of operators that the table does not know, as the model has them. */
typedef enum tenure_attribute_kind {
    TENURE_ATTRIBUTE_INT,
    TENURE_ATTRIBUTE_FLOAT,
    TENURE_ATTRIBUTE_TEXT,
    TENURE_ATTRIBUTE_INTS,
    TENURE_ATTRIBUTE_FLOATS,
    TENURE_ATTRIBUTE_TEXTS,
    TENURE_ATTRIBUTE_TENSOR
} tenure_attribute_kind;

typedef struct tenure_attribute {
    const char *name;
    tenure_attribute_kind kind; /* says which of the fields below counts */
    int64_t i;
    float f;
    const char *text;
    tenure_ints ints;
    tenure_floats floats;
    tenure_texts texts;
    const tenure_tensor *tensor;
} tenure_attribute;

/* Such an operator is called as tenure_<domain>_<Op>_<version of the operator set>; the
 * header of the program declares it. */
typedef int tenure_generic(const tenure_attribute *attributes, uint32_t n_attributes,
                           const tenure_tensor *const *operands, uint32_t n_operands,
                           const tenure_tensor *const *results, uint32_t n_results,
                           const tenure_context *context);

/* Element types by their ONNX numbers. */
#ifndef TENURE_DTYPE_F32
#define TENURE_DTYPE_F32 1
#endif
#ifndef TENURE_DTYPE_U8
#define TENURE_DTYPE_U8 2
#endif
#ifndef TENURE_DTYPE_I8
#define TENURE_DTYPE_I8 3
#endif
#ifndef TENURE_DTYPE_U16
#define TENURE_DTYPE_U16 4
#endif
#ifndef TENURE_DTYPE_I16
#define TENURE_DTYPE_I16 5
#endif
#ifndef TENURE_DTYPE_I32
#define TENURE_DTYPE_I32 6
#endif
#ifndef TENURE_DTYPE_I64
#define TENURE_DTYPE_I64 7
#endif
#ifndef TENURE_DTYPE_STR
#define TENURE_DTYPE_STR 8
#endif
#ifndef TENURE_DTYPE_BOOL
#define TENURE_DTYPE_BOOL 9
#endif
#ifndef TENURE_DTYPE_F16
#define TENURE_DTYPE_F16 10
#endif
#ifndef TENURE_DTYPE_F64
#define TENURE_DTYPE_F64 11
#endif
#ifndef TENURE_DTYPE_U32
#define TENURE_DTYPE_U32 12
#endif
#ifndef TENURE_DTYPE_U64
#define TENURE_DTYPE_U64 13
#endif
#ifndef TENURE_DTYPE_C64
#define TENURE_DTYPE_C64 14
#endif
#ifndef TENURE_DTYPE_C128
#define TENURE_DTYPE_C128 15
#endif
#ifndef TENURE_DTYPE_BF16
#define TENURE_DTYPE_BF16 16
#endif
#ifndef TENURE_DTYPE_F8E4M3FN
#define TENURE_DTYPE_F8E4M3FN 17
#endif
#ifndef TENURE_DTYPE_F8E4M3FNUZ
#define TENURE_DTYPE_F8E4M3FNUZ 18
#endif
#ifndef TENURE_DTYPE_F8E5M2
#define TENURE_DTYPE_F8E5M2 19
#endif
#ifndef TENURE_DTYPE_F8E5M2FNUZ
#define TENURE_DTYPE_F8E5M2FNUZ 20
#endif
#ifndef TENURE_DTYPE_U4
#define TENURE_DTYPE_U4 21
#endif
#ifndef TENURE_DTYPE_I4
#define TENURE_DTYPE_I4 22
#endif
#ifndef TENURE_DTYPE_F4E2M1
#define TENURE_DTYPE_F4E2M1 23
#endif
#ifndef TENURE_DTYPE_F8E8M0
#define TENURE_DTYPE_F8E8M0 24
#endif
#ifndef TENURE_DTYPE_U2
#define TENURE_DTYPE_U2 25
#endif
#ifndef TENURE_DTYPE_I2
#define TENURE_DTYPE_I2 26
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Abs: magnitude of each element. */
typedef struct tenure_Abs_1_attributes {
    tenure_ints consumed_inputs;
} tenure_Abs_1_attributes;
int tenure_Abs_1(const tenure_Abs_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
int tenure_Abs_6(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
int tenure_Abs_13(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* Acos: arc cosine of each element. */
int tenure_Acos_7(const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
int tenure_Acos_22(const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* Acosh: inverse hyperbolic cosine of each element. */
int tenure_Acosh_9(const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
int tenure_Acosh_22(const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* Add: sum of two tensors. */
typedef struct tenure_Add_1_attributes {
    int64_t axis;
    uint8_t has_axis;
    int64_t broadcast;
    tenure_ints consumed_inputs;
} tenure_Add_1_attributes;
int tenure_Add_1(const tenure_Add_1_attributes *attributes, const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);
typedef struct tenure_Add_6_attributes {
    int64_t axis;
    uint8_t has_axis;
    int64_t broadcast;
} tenure_Add_6_attributes;
int tenure_Add_6(const tenure_Add_6_attributes *attributes, const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);
int tenure_Add_7(const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);
int tenure_Add_13(const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);
int tenure_Add_14(const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);

/* Asin: arc sine of each element. */
int tenure_Asin_7(const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
int tenure_Asin_22(const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* Asinh: inverse hyperbolic sine of each element. */
int tenure_Asinh_9(const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
int tenure_Asinh_22(const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* Atan: arc tangent of each element. */
int tenure_Atan_7(const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
int tenure_Atan_22(const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* Atanh: inverse hyperbolic tangent of each element. */
int tenure_Atanh_9(const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
int tenure_Atanh_22(const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* Ceil: each element rounded up. */
typedef struct tenure_Ceil_1_attributes {
    tenure_ints consumed_inputs;
} tenure_Ceil_1_attributes;
int tenure_Ceil_1(const tenure_Ceil_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
int tenure_Ceil_6(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
int tenure_Ceil_13(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* Clip: each element limited to a range. */
typedef struct tenure_Clip_1_attributes {
    tenure_ints consumed_inputs;
    float max;
    uint8_t has_max;
    float min;
    uint8_t has_min;
} tenure_Clip_1_attributes;
int tenure_Clip_1(const tenure_Clip_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_Clip_6_attributes {
    float max;
    float min;
} tenure_Clip_6_attributes;
int tenure_Clip_6(const tenure_Clip_6_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
int tenure_Clip_11(const tenure_tensor *input, const tenure_tensor *min, const tenure_tensor *max, const tenure_tensor *output, const tenure_context *context);
int tenure_Clip_12(const tenure_tensor *input, const tenure_tensor *min, const tenure_tensor *max, const tenure_tensor *output, const tenure_context *context);
int tenure_Clip_13(const tenure_tensor *input, const tenure_tensor *min, const tenure_tensor *max, const tenure_tensor *output, const tenure_context *context);

/* Cos: cosine of each element. */
int tenure_Cos_7(const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
int tenure_Cos_22(const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* Cosh: hyperbolic cosine of each element. */
int tenure_Cosh_9(const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
int tenure_Cosh_22(const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* CumProd: running product along an axis. */
typedef struct tenure_CumProd_26_attributes {
    int64_t exclusive;
    int64_t reverse;
    tenure_ints axis; /* of the operand */
} tenure_CumProd_26_attributes;
int tenure_CumProd_26(const tenure_CumProd_26_attributes *attributes, const tenure_tensor *x, const tenure_tensor *axis, const tenure_tensor *y, const tenure_context *context);

/* Det: determinants of a batch of square matrices. */
int tenure_Det_11(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
int tenure_Det_22(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* Div: quotient of two tensors. */
typedef struct tenure_Div_1_attributes {
    int64_t axis;
    uint8_t has_axis;
    int64_t broadcast;
    tenure_ints consumed_inputs;
} tenure_Div_1_attributes;
int tenure_Div_1(const tenure_Div_1_attributes *attributes, const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);
typedef struct tenure_Div_6_attributes {
    int64_t axis;
    uint8_t has_axis;
    int64_t broadcast;
} tenure_Div_6_attributes;
int tenure_Div_6(const tenure_Div_6_attributes *attributes, const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);
int tenure_Div_7(const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);
int tenure_Div_13(const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);
int tenure_Div_14(const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);

/* Erf: error function of each element. */
int tenure_Erf_9(const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
int tenure_Erf_13(const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* Exp: exponential of each element. */
typedef struct tenure_Exp_1_attributes {
    tenure_ints consumed_inputs;
} tenure_Exp_1_attributes;
int tenure_Exp_1(const tenure_Exp_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
int tenure_Exp_6(const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
int tenure_Exp_13(const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* Floor: each element rounded down. */
typedef struct tenure_Floor_1_attributes {
    tenure_ints consumed_inputs;
} tenure_Floor_1_attributes;
int tenure_Floor_1(const tenure_Floor_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
int tenure_Floor_6(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
int tenure_Floor_13(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* Log: natural logarithm of each element. */
typedef struct tenure_Log_1_attributes {
    tenure_ints consumed_inputs;
} tenure_Log_1_attributes;
int tenure_Log_1(const tenure_Log_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
int tenure_Log_6(const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
int tenure_Log_13(const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* Max: largest of the operands, element by element. */
typedef struct tenure_Max_1_attributes {
    tenure_ints consumed_inputs;
} tenure_Max_1_attributes;
int tenure_Max_1(const tenure_Max_1_attributes *attributes, const tenure_tensor *const *data_0, uint32_t n_data_0, const tenure_tensor *max, const tenure_context *context);
int tenure_Max_6(const tenure_tensor *const *data_0, uint32_t n_data_0, const tenure_tensor *max, const tenure_context *context);
int tenure_Max_8(const tenure_tensor *const *data_0, uint32_t n_data_0, const tenure_tensor *max, const tenure_context *context);
int tenure_Max_12(const tenure_tensor *const *data_0, uint32_t n_data_0, const tenure_tensor *max, const tenure_context *context);
int tenure_Max_13(const tenure_tensor *const *data_0, uint32_t n_data_0, const tenure_tensor *max, const tenure_context *context);

/* Mean: average of the operands, element by element. */
typedef struct tenure_Mean_1_attributes {
    tenure_ints consumed_inputs;
} tenure_Mean_1_attributes;
int tenure_Mean_1(const tenure_Mean_1_attributes *attributes, const tenure_tensor *const *data_0, uint32_t n_data_0, const tenure_tensor *mean, const tenure_context *context);
int tenure_Mean_6(const tenure_tensor *const *data_0, uint32_t n_data_0, const tenure_tensor *mean, const tenure_context *context);
int tenure_Mean_8(const tenure_tensor *const *data_0, uint32_t n_data_0, const tenure_tensor *mean, const tenure_context *context);
int tenure_Mean_13(const tenure_tensor *const *data_0, uint32_t n_data_0, const tenure_tensor *mean, const tenure_context *context);

/* Min: smallest of the operands, element by element. */
typedef struct tenure_Min_1_attributes {
    tenure_ints consumed_inputs;
} tenure_Min_1_attributes;
int tenure_Min_1(const tenure_Min_1_attributes *attributes, const tenure_tensor *const *data_0, uint32_t n_data_0, const tenure_tensor *min, const tenure_context *context);
int tenure_Min_6(const tenure_tensor *const *data_0, uint32_t n_data_0, const tenure_tensor *min, const tenure_context *context);
int tenure_Min_8(const tenure_tensor *const *data_0, uint32_t n_data_0, const tenure_tensor *min, const tenure_context *context);
int tenure_Min_12(const tenure_tensor *const *data_0, uint32_t n_data_0, const tenure_tensor *min, const tenure_context *context);
int tenure_Min_13(const tenure_tensor *const *data_0, uint32_t n_data_0, const tenure_tensor *min, const tenure_context *context);

/* Mod: remainder of a division. */
typedef struct tenure_Mod_10_attributes {
    int64_t fmod;
} tenure_Mod_10_attributes;
int tenure_Mod_10(const tenure_Mod_10_attributes *attributes, const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);
typedef struct tenure_Mod_13_attributes {
    int64_t fmod;
} tenure_Mod_13_attributes;
int tenure_Mod_13(const tenure_Mod_13_attributes *attributes, const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);
typedef struct tenure_Mod_28_attributes {
    int64_t fmod;
} tenure_Mod_28_attributes;
int tenure_Mod_28(const tenure_Mod_28_attributes *attributes, const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);

/* Mul: product of two tensors. */
typedef struct tenure_Mul_1_attributes {
    int64_t axis;
    uint8_t has_axis;
    int64_t broadcast;
    tenure_ints consumed_inputs;
} tenure_Mul_1_attributes;
int tenure_Mul_1(const tenure_Mul_1_attributes *attributes, const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);
typedef struct tenure_Mul_6_attributes {
    int64_t axis;
    uint8_t has_axis;
    int64_t broadcast;
} tenure_Mul_6_attributes;
int tenure_Mul_6(const tenure_Mul_6_attributes *attributes, const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);
int tenure_Mul_7(const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);
int tenure_Mul_13(const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);
int tenure_Mul_14(const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);

/* Neg: each element with the opposite sign. */
typedef struct tenure_Neg_1_attributes {
    tenure_ints consumed_inputs;
} tenure_Neg_1_attributes;
int tenure_Neg_1(const tenure_Neg_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
int tenure_Neg_6(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
int tenure_Neg_13(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* Pow: base raised to an exponent. */
typedef struct tenure_Pow_1_attributes {
    int64_t axis;
    uint8_t has_axis;
    int64_t broadcast;
} tenure_Pow_1_attributes;
int tenure_Pow_1(const tenure_Pow_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_tensor *Z, const tenure_context *context);
int tenure_Pow_7(const tenure_tensor *X, const tenure_tensor *Y, const tenure_tensor *Z, const tenure_context *context);
int tenure_Pow_12(const tenure_tensor *X, const tenure_tensor *Y, const tenure_tensor *Z, const tenure_context *context);
int tenure_Pow_13(const tenure_tensor *X, const tenure_tensor *Y, const tenure_tensor *Z, const tenure_context *context);
int tenure_Pow_15(const tenure_tensor *X, const tenure_tensor *Y, const tenure_tensor *Z, const tenure_context *context);

/* Reciprocal: one divided by each element. */
typedef struct tenure_Reciprocal_1_attributes {
    tenure_ints consumed_inputs;
} tenure_Reciprocal_1_attributes;
int tenure_Reciprocal_1(const tenure_Reciprocal_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
int tenure_Reciprocal_6(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
int tenure_Reciprocal_13(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* Round: each element rounded to the nearest whole number, halves to even. */
int tenure_Round_11(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
int tenure_Round_22(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* Sign: -1, 0 or 1 by the sign of each element. */
int tenure_Sign_9(const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
int tenure_Sign_13(const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* Sin: sine of each element. */
int tenure_Sin_7(const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
int tenure_Sin_22(const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* Sinh: hyperbolic sine of each element. */
int tenure_Sinh_9(const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
int tenure_Sinh_22(const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* Sqrt: square root of each element. */
typedef struct tenure_Sqrt_1_attributes {
    tenure_ints consumed_inputs;
} tenure_Sqrt_1_attributes;
int tenure_Sqrt_1(const tenure_Sqrt_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
int tenure_Sqrt_6(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
int tenure_Sqrt_13(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* Sub: difference of two tensors. */
typedef struct tenure_Sub_1_attributes {
    int64_t axis;
    uint8_t has_axis;
    int64_t broadcast;
    tenure_ints consumed_inputs;
} tenure_Sub_1_attributes;
int tenure_Sub_1(const tenure_Sub_1_attributes *attributes, const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);
typedef struct tenure_Sub_6_attributes {
    int64_t axis;
    uint8_t has_axis;
    int64_t broadcast;
} tenure_Sub_6_attributes;
int tenure_Sub_6(const tenure_Sub_6_attributes *attributes, const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);
int tenure_Sub_7(const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);
int tenure_Sub_13(const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);
int tenure_Sub_14(const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);

/* Sum: sum of all operands. */
typedef struct tenure_Sum_1_attributes {
    tenure_ints consumed_inputs;
} tenure_Sum_1_attributes;
int tenure_Sum_1(const tenure_Sum_1_attributes *attributes, const tenure_tensor *const *data_0, uint32_t n_data_0, const tenure_tensor *sum, const tenure_context *context);
int tenure_Sum_6(const tenure_tensor *const *data_0, uint32_t n_data_0, const tenure_tensor *sum, const tenure_context *context);
int tenure_Sum_8(const tenure_tensor *const *data_0, uint32_t n_data_0, const tenure_tensor *sum, const tenure_context *context);
int tenure_Sum_13(const tenure_tensor *const *data_0, uint32_t n_data_0, const tenure_tensor *sum, const tenure_context *context);

/* Tan: tangent of each element. */
int tenure_Tan_7(const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
int tenure_Tan_22(const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* Cast: each element converted to the type named by `to`. */
typedef struct tenure_Cast_1_attributes {
    const char *to;
} tenure_Cast_1_attributes;
int tenure_Cast_1(const tenure_Cast_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_Cast_6_attributes {
    int64_t to;
} tenure_Cast_6_attributes;
int tenure_Cast_6(const tenure_Cast_6_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_Cast_9_attributes {
    int64_t to;
} tenure_Cast_9_attributes;
int tenure_Cast_9(const tenure_Cast_9_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_Cast_13_attributes {
    int64_t to;
} tenure_Cast_13_attributes;
int tenure_Cast_13(const tenure_Cast_13_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_Cast_19_attributes {
    int64_t saturate;
    int64_t to;
} tenure_Cast_19_attributes;
int tenure_Cast_19(const tenure_Cast_19_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_Cast_21_attributes {
    int64_t saturate;
    int64_t to;
} tenure_Cast_21_attributes;
int tenure_Cast_21(const tenure_Cast_21_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_Cast_23_attributes {
    int64_t saturate;
    int64_t to;
} tenure_Cast_23_attributes;
int tenure_Cast_23(const tenure_Cast_23_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_Cast_24_attributes {
    const char *round_mode;
    int64_t saturate;
    int64_t to;
} tenure_Cast_24_attributes;
int tenure_Cast_24(const tenure_Cast_24_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_Cast_25_attributes {
    const char *round_mode;
    int64_t saturate;
    int64_t to;
} tenure_Cast_25_attributes;
int tenure_Cast_25(const tenure_Cast_25_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_Cast_28_attributes {
    const char *round_mode;
    int64_t saturate;
    int64_t to;
} tenure_Cast_28_attributes;
int tenure_Cast_28(const tenure_Cast_28_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* CastLike: each element converted to the element type of the second operand. */
int tenure_CastLike_15(const tenure_tensor *input, const tenure_tensor *target_type, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_CastLike_19_attributes {
    int64_t saturate;
} tenure_CastLike_19_attributes;
int tenure_CastLike_19(const tenure_CastLike_19_attributes *attributes, const tenure_tensor *input, const tenure_tensor *target_type, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_CastLike_21_attributes {
    int64_t saturate;
} tenure_CastLike_21_attributes;
int tenure_CastLike_21(const tenure_CastLike_21_attributes *attributes, const tenure_tensor *input, const tenure_tensor *target_type, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_CastLike_23_attributes {
    int64_t saturate;
} tenure_CastLike_23_attributes;
int tenure_CastLike_23(const tenure_CastLike_23_attributes *attributes, const tenure_tensor *input, const tenure_tensor *target_type, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_CastLike_24_attributes {
    const char *round_mode;
    int64_t saturate;
} tenure_CastLike_24_attributes;
int tenure_CastLike_24(const tenure_CastLike_24_attributes *attributes, const tenure_tensor *input, const tenure_tensor *target_type, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_CastLike_25_attributes {
    const char *round_mode;
    int64_t saturate;
} tenure_CastLike_25_attributes;
int tenure_CastLike_25(const tenure_CastLike_25_attributes *attributes, const tenure_tensor *input, const tenure_tensor *target_type, const tenure_tensor *output, const tenure_context *context);

/* BitCast: the same bits read as another element type of equal width. */
typedef struct tenure_BitCast_26_attributes {
    int64_t to;
} tenure_BitCast_26_attributes;
int tenure_BitCast_26(const tenure_BitCast_26_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* Celu: linear unit with a smooth exponential negative side. */
typedef struct tenure_Celu_12_attributes {
    float alpha;
} tenure_Celu_12_attributes;
int tenure_Celu_12(const tenure_Celu_12_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_Celu_28_attributes {
    float alpha;
} tenure_Celu_28_attributes;
int tenure_Celu_28(const tenure_Celu_28_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* Elu: linear unit with an exponential negative side. */
typedef struct tenure_Elu_1_attributes {
    float alpha;
    tenure_ints consumed_inputs;
} tenure_Elu_1_attributes;
int tenure_Elu_1(const tenure_Elu_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_Elu_6_attributes {
    float alpha;
} tenure_Elu_6_attributes;
int tenure_Elu_6(const tenure_Elu_6_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_Elu_22_attributes {
    float alpha;
} tenure_Elu_22_attributes;
int tenure_Elu_22(const tenure_Elu_22_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* Gelu: linear unit weighted by the normal distribution. */
typedef struct tenure_Gelu_20_attributes {
    const char *approximate;
} tenure_Gelu_20_attributes;
int tenure_Gelu_20(const tenure_Gelu_20_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* HardSigmoid: sigmoid made of straight lines. */
typedef struct tenure_HardSigmoid_1_attributes {
    float alpha;
    float beta;
    tenure_ints consumed_inputs;
} tenure_HardSigmoid_1_attributes;
int tenure_HardSigmoid_1(const tenure_HardSigmoid_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_HardSigmoid_6_attributes {
    float alpha;
    float beta;
} tenure_HardSigmoid_6_attributes;
int tenure_HardSigmoid_6(const tenure_HardSigmoid_6_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_HardSigmoid_22_attributes {
    float alpha;
    float beta;
} tenure_HardSigmoid_22_attributes;
int tenure_HardSigmoid_22(const tenure_HardSigmoid_22_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* HardSwish: swish with a sigmoid made of straight lines. */
int tenure_HardSwish_14(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
int tenure_HardSwish_22(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* Hardmax: 1 at the first largest element along an axis, 0 elsewhere. */
typedef struct tenure_Hardmax_1_attributes {
    int64_t axis;
} tenure_Hardmax_1_attributes;
int tenure_Hardmax_1(const tenure_Hardmax_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_Hardmax_11_attributes {
    int64_t axis;
} tenure_Hardmax_11_attributes;
int tenure_Hardmax_11(const tenure_Hardmax_11_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_Hardmax_13_attributes {
    int64_t axis;
} tenure_Hardmax_13_attributes;
int tenure_Hardmax_13(const tenure_Hardmax_13_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* LeakyRelu: linear unit with a small negative slope. */
typedef struct tenure_LeakyRelu_1_attributes {
    float alpha;
    tenure_ints consumed_inputs;
} tenure_LeakyRelu_1_attributes;
int tenure_LeakyRelu_1(const tenure_LeakyRelu_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_LeakyRelu_6_attributes {
    float alpha;
} tenure_LeakyRelu_6_attributes;
int tenure_LeakyRelu_6(const tenure_LeakyRelu_6_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_LeakyRelu_16_attributes {
    float alpha;
} tenure_LeakyRelu_16_attributes;
int tenure_LeakyRelu_16(const tenure_LeakyRelu_16_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* LogSoftmax: logarithm of the softmax along an axis. */
typedef struct tenure_LogSoftmax_1_attributes {
    int64_t axis;
} tenure_LogSoftmax_1_attributes;
int tenure_LogSoftmax_1(const tenure_LogSoftmax_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_LogSoftmax_11_attributes {
    int64_t axis;
} tenure_LogSoftmax_11_attributes;
int tenure_LogSoftmax_11(const tenure_LogSoftmax_11_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_LogSoftmax_13_attributes {
    int64_t axis;
} tenure_LogSoftmax_13_attributes;
int tenure_LogSoftmax_13(const tenure_LogSoftmax_13_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* Mish: x times the hyperbolic tangent of its softplus. */
int tenure_Mish_18(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
int tenure_Mish_22(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* PRelu: linear unit with a learned negative slope, broadcast to the operand. */
typedef struct tenure_PRelu_1_attributes {
    tenure_ints consumed_inputs;
} tenure_PRelu_1_attributes;
int tenure_PRelu_1(const tenure_PRelu_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *slope, const tenure_tensor *Y, const tenure_context *context);
int tenure_PRelu_6(const tenure_tensor *X, const tenure_tensor *slope, const tenure_tensor *Y, const tenure_context *context);
int tenure_PRelu_7(const tenure_tensor *X, const tenure_tensor *slope, const tenure_tensor *Y, const tenure_context *context);
int tenure_PRelu_9(const tenure_tensor *X, const tenure_tensor *slope, const tenure_tensor *Y, const tenure_context *context);
int tenure_PRelu_16(const tenure_tensor *X, const tenure_tensor *slope, const tenure_tensor *Y, const tenure_context *context);

/* Relu: the larger of each element and 0. */
typedef struct tenure_Relu_1_attributes {
    tenure_ints consumed_inputs;
} tenure_Relu_1_attributes;
int tenure_Relu_1(const tenure_Relu_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
int tenure_Relu_6(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
int tenure_Relu_13(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
int tenure_Relu_14(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* Selu: scaled exponential linear unit. */
typedef struct tenure_Selu_1_attributes {
    float alpha;
    float gamma;
    tenure_ints consumed_inputs;
} tenure_Selu_1_attributes;
int tenure_Selu_1(const tenure_Selu_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_Selu_6_attributes {
    float alpha;
    float gamma;
} tenure_Selu_6_attributes;
int tenure_Selu_6(const tenure_Selu_6_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_Selu_22_attributes {
    float alpha;
    float gamma;
} tenure_Selu_22_attributes;
int tenure_Selu_22(const tenure_Selu_22_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* Shrink: elements near 0 cut to 0, the others moved towards it. */
typedef struct tenure_Shrink_9_attributes {
    float bias;
    float lambd;
} tenure_Shrink_9_attributes;
int tenure_Shrink_9(const tenure_Shrink_9_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* Sigmoid: logistic function of each element. */
typedef struct tenure_Sigmoid_1_attributes {
    tenure_ints consumed_inputs;
} tenure_Sigmoid_1_attributes;
int tenure_Sigmoid_1(const tenure_Sigmoid_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
int tenure_Sigmoid_6(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
int tenure_Sigmoid_13(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* Softmax: exponentials normalised to a sum of 1 along an axis. */
typedef struct tenure_Softmax_1_attributes {
    int64_t axis;
} tenure_Softmax_1_attributes;
int tenure_Softmax_1(const tenure_Softmax_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_Softmax_11_attributes {
    int64_t axis;
} tenure_Softmax_11_attributes;
int tenure_Softmax_11(const tenure_Softmax_11_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_Softmax_13_attributes {
    int64_t axis;
} tenure_Softmax_13_attributes;
int tenure_Softmax_13(const tenure_Softmax_13_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* Softplus: smooth form of the linear unit. */
int tenure_Softplus_1(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
int tenure_Softplus_22(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* Softsign: x divided by one plus its magnitude. */
int tenure_Softsign_1(const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
int tenure_Softsign_22(const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* SwiGLU: swish of the first operand times the second. */
typedef struct tenure_SwiGLU_28_attributes {
    float alpha;
} tenure_SwiGLU_28_attributes;
int tenure_SwiGLU_28(const tenure_SwiGLU_28_attributes *attributes, const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *Y, const tenure_context *context);

/* Swish: x times its sigmoid. */
typedef struct tenure_Swish_24_attributes {
    float alpha;
} tenure_Swish_24_attributes;
int tenure_Swish_24(const tenure_Swish_24_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* Tanh: hyperbolic tangent of each element. */
typedef struct tenure_Tanh_1_attributes {
    tenure_ints consumed_inputs;
} tenure_Tanh_1_attributes;
int tenure_Tanh_1(const tenure_Tanh_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
int tenure_Tanh_6(const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
int tenure_Tanh_13(const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* ThresholdedRelu: each element above a threshold, 0 for the others. */
typedef struct tenure_ThresholdedRelu_10_attributes {
    float alpha;
} tenure_ThresholdedRelu_10_attributes;
int tenure_ThresholdedRelu_10(const tenure_ThresholdedRelu_10_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_ThresholdedRelu_22_attributes {
    float alpha;
} tenure_ThresholdedRelu_22_attributes;
int tenure_ThresholdedRelu_22(const tenure_ThresholdedRelu_22_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* And: true where both operands are. */
typedef struct tenure_And_1_attributes {
    int64_t axis;
    uint8_t has_axis;
    int64_t broadcast;
} tenure_And_1_attributes;
int tenure_And_1(const tenure_And_1_attributes *attributes, const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);
int tenure_And_7(const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);

/* BitShift: bits moved left or right by the second operand. */
typedef struct tenure_BitShift_11_attributes {
    const char *direction;
} tenure_BitShift_11_attributes;
int tenure_BitShift_11(const tenure_BitShift_11_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_tensor *Z, const tenure_context *context);
typedef struct tenure_BitShift_28_attributes {
    const char *direction;
} tenure_BitShift_28_attributes;
int tenure_BitShift_28(const tenure_BitShift_28_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_tensor *Z, const tenure_context *context);

/* BitwiseAnd: bits set in both operands. */
int tenure_BitwiseAnd_18(const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);

/* BitwiseNot: each bit inverted. */
int tenure_BitwiseNot_18(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* BitwiseOr: bits set in either operand. */
int tenure_BitwiseOr_18(const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);

/* BitwiseXor: bits set in exactly one operand. */
int tenure_BitwiseXor_18(const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);

/* Equal: true where the operands are equal. */
typedef struct tenure_Equal_1_attributes {
    int64_t axis;
    uint8_t has_axis;
    int64_t broadcast;
} tenure_Equal_1_attributes;
int tenure_Equal_1(const tenure_Equal_1_attributes *attributes, const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);
int tenure_Equal_7(const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);
int tenure_Equal_11(const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);
int tenure_Equal_13(const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);
int tenure_Equal_19(const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);

/* Greater: true where the first operand is larger. */
typedef struct tenure_Greater_1_attributes {
    int64_t axis;
    uint8_t has_axis;
    int64_t broadcast;
} tenure_Greater_1_attributes;
int tenure_Greater_1(const tenure_Greater_1_attributes *attributes, const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);
int tenure_Greater_7(const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);
int tenure_Greater_9(const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);
int tenure_Greater_13(const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);

/* GreaterOrEqual: true where the first operand is not smaller. */
int tenure_GreaterOrEqual_12(const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);
int tenure_GreaterOrEqual_16(const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);

/* IsInf: true for infinite elements. */
typedef struct tenure_IsInf_10_attributes {
    int64_t detect_negative;
    int64_t detect_positive;
} tenure_IsInf_10_attributes;
int tenure_IsInf_10(const tenure_IsInf_10_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_IsInf_20_attributes {
    int64_t detect_negative;
    int64_t detect_positive;
} tenure_IsInf_20_attributes;
int tenure_IsInf_20(const tenure_IsInf_20_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* IsNaN: true for elements that are no number. */
int tenure_IsNaN_9(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
int tenure_IsNaN_13(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
int tenure_IsNaN_20(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* Less: true where the first operand is smaller. */
typedef struct tenure_Less_1_attributes {
    int64_t axis;
    uint8_t has_axis;
    int64_t broadcast;
} tenure_Less_1_attributes;
int tenure_Less_1(const tenure_Less_1_attributes *attributes, const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);
int tenure_Less_7(const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);
int tenure_Less_9(const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);
int tenure_Less_13(const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);

/* LessOrEqual: true where the first operand is not larger. */
int tenure_LessOrEqual_12(const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);
int tenure_LessOrEqual_16(const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);

/* Not: truth inverted. */
int tenure_Not_1(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* Or: true where either operand is. */
typedef struct tenure_Or_1_attributes {
    int64_t axis;
    uint8_t has_axis;
    int64_t broadcast;
} tenure_Or_1_attributes;
int tenure_Or_1(const tenure_Or_1_attributes *attributes, const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);
int tenure_Or_7(const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);

/* Where: the second or third operand, chosen by the first. */
int tenure_Where_9(const tenure_tensor *condition, const tenure_tensor *X, const tenure_tensor *Y, const tenure_tensor *output, const tenure_context *context);
int tenure_Where_16(const tenure_tensor *condition, const tenure_tensor *X, const tenure_tensor *Y, const tenure_tensor *output, const tenure_context *context);

/* Xor: true where exactly one operand is. */
typedef struct tenure_Xor_1_attributes {
    int64_t axis;
    uint8_t has_axis;
    int64_t broadcast;
} tenure_Xor_1_attributes;
int tenure_Xor_1(const tenure_Xor_1_attributes *attributes, const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);
int tenure_Xor_7(const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);

/* Gemm: scaled product of two matrices plus a scaled third. */
typedef struct tenure_Gemm_1_attributes {
    float alpha;
    float beta;
    int64_t transA;
    int64_t transB;
    int64_t broadcast;
} tenure_Gemm_1_attributes;
int tenure_Gemm_1(const tenure_Gemm_1_attributes *attributes, const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_Gemm_6_attributes {
    float alpha;
    float beta;
    int64_t transA;
    int64_t transB;
    int64_t broadcast;
} tenure_Gemm_6_attributes;
int tenure_Gemm_6(const tenure_Gemm_6_attributes *attributes, const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_Gemm_7_attributes {
    float alpha;
    float beta;
    int64_t transA;
    int64_t transB;
} tenure_Gemm_7_attributes;
int tenure_Gemm_7(const tenure_Gemm_7_attributes *attributes, const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_Gemm_9_attributes {
    float alpha;
    float beta;
    int64_t transA;
    int64_t transB;
} tenure_Gemm_9_attributes;
int tenure_Gemm_9(const tenure_Gemm_9_attributes *attributes, const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_Gemm_11_attributes {
    float alpha;
    float beta;
    int64_t transA;
    int64_t transB;
} tenure_Gemm_11_attributes;
int tenure_Gemm_11(const tenure_Gemm_11_attributes *attributes, const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_Gemm_13_attributes {
    float alpha;
    float beta;
    int64_t transA;
    int64_t transB;
} tenure_Gemm_13_attributes;
int tenure_Gemm_13(const tenure_Gemm_13_attributes *attributes, const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_tensor *Y, const tenure_context *context);

/* MatMul: product of two stacks of matrices. */
int tenure_MatMul_1(const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *Y, const tenure_context *context);
int tenure_MatMul_9(const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *Y, const tenure_context *context);
int tenure_MatMul_13(const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *Y, const tenure_context *context);

/* MatMulInteger: product of two stacks of 8-bit matrices, summed in 32 bits. */
int tenure_MatMulInteger_10(const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *a_zero_point, const tenure_tensor *b_zero_point, const tenure_tensor *Y, const tenure_context *context);

/* QLinearMatMul: product of two stacks of quantised matrices, quantised again. */
int tenure_QLinearMatMul_10(const tenure_tensor *a, const tenure_tensor *a_scale, const tenure_tensor *a_zero_point, const tenure_tensor *b, const tenure_tensor *b_scale, const tenure_tensor *b_zero_point, const tenure_tensor *y_scale, const tenure_tensor *y_zero_point, const tenure_tensor *y, const tenure_context *context);
int tenure_QLinearMatMul_21(const tenure_tensor *a, const tenure_tensor *a_scale, const tenure_tensor *a_zero_point, const tenure_tensor *b, const tenure_tensor *b_scale, const tenure_tensor *b_zero_point, const tenure_tensor *y_scale, const tenure_tensor *y_zero_point, const tenure_tensor *y, const tenure_context *context);

/* Einsum: sum of products described by index letters. */
typedef struct tenure_Einsum_12_attributes {
    const char *equation;
} tenure_Einsum_12_attributes;
int tenure_Einsum_12(const tenure_Einsum_12_attributes *attributes, const tenure_tensor *const *Inputs, uint32_t n_Inputs, const tenure_tensor *Output, const tenure_context *context);
typedef struct tenure_Einsum_28_attributes {
    const char *equation;
} tenure_Einsum_28_attributes;
int tenure_Einsum_28(const tenure_Einsum_28_attributes *attributes, const tenure_tensor *const *Inputs, uint32_t n_Inputs, const tenure_tensor *Output, const tenure_context *context);

/* CausalConvWithState: convolution that looks back only, with the last inputs carried along. */
typedef struct tenure_CausalConvWithState_27_attributes {
    const char *activation;
} tenure_CausalConvWithState_27_attributes;
int tenure_CausalConvWithState_27(const tenure_CausalConvWithState_27_attributes *attributes, const tenure_tensor *input, const tenure_tensor *weight, const tenure_tensor *bias, const tenure_tensor *past_state, const tenure_tensor *output, const tenure_tensor *present_state, const tenure_context *context);

/* Conv: convolution. */
typedef struct tenure_Conv_1_attributes {
    const char *auto_pad;
    tenure_ints dilations;
    int64_t group;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
} tenure_Conv_1_attributes;
int tenure_Conv_1(const tenure_Conv_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *W, const tenure_tensor *B, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_Conv_11_attributes {
    const char *auto_pad;
    tenure_ints dilations;
    int64_t group;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
} tenure_Conv_11_attributes;
int tenure_Conv_11(const tenure_Conv_11_attributes *attributes, const tenure_tensor *X, const tenure_tensor *W, const tenure_tensor *B, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_Conv_22_attributes {
    const char *auto_pad;
    tenure_ints dilations;
    int64_t group;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
} tenure_Conv_22_attributes;
int tenure_Conv_22(const tenure_Conv_22_attributes *attributes, const tenure_tensor *X, const tenure_tensor *W, const tenure_tensor *B, const tenure_tensor *Y, const tenure_context *context);

/* ConvInteger: convolution of 8-bit numbers, summed in 32 bits. */
typedef struct tenure_ConvInteger_10_attributes {
    const char *auto_pad;
    tenure_ints dilations;
    int64_t group;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
} tenure_ConvInteger_10_attributes;
int tenure_ConvInteger_10(const tenure_ConvInteger_10_attributes *attributes, const tenure_tensor *x, const tenure_tensor *w, const tenure_tensor *x_zero_point, const tenure_tensor *w_zero_point, const tenure_tensor *y, const tenure_context *context);

/* ConvTranspose: transposed convolution, the gradient of a convolution as a forward op. */
typedef struct tenure_ConvTranspose_1_attributes {
    const char *auto_pad;
    tenure_ints dilations;
    int64_t group;
    tenure_ints kernel_shape;
    tenure_ints output_padding;
    tenure_ints output_shape;
    tenure_ints pads;
    tenure_ints strides;
} tenure_ConvTranspose_1_attributes;
int tenure_ConvTranspose_1(const tenure_ConvTranspose_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *W, const tenure_tensor *B, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_ConvTranspose_11_attributes {
    const char *auto_pad;
    tenure_ints dilations;
    int64_t group;
    tenure_ints kernel_shape;
    tenure_ints output_padding;
    tenure_ints output_shape;
    tenure_ints pads;
    tenure_ints strides;
} tenure_ConvTranspose_11_attributes;
int tenure_ConvTranspose_11(const tenure_ConvTranspose_11_attributes *attributes, const tenure_tensor *X, const tenure_tensor *W, const tenure_tensor *B, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_ConvTranspose_22_attributes {
    const char *auto_pad;
    tenure_ints dilations;
    int64_t group;
    tenure_ints kernel_shape;
    tenure_ints output_padding;
    tenure_ints output_shape;
    tenure_ints pads;
    tenure_ints strides;
} tenure_ConvTranspose_22_attributes;
int tenure_ConvTranspose_22(const tenure_ConvTranspose_22_attributes *attributes, const tenure_tensor *X, const tenure_tensor *W, const tenure_tensor *B, const tenure_tensor *Y, const tenure_context *context);

/* DeformConv: convolution that samples at learned offsets. */
typedef struct tenure_DeformConv_19_attributes {
    tenure_ints dilations;
    int64_t group;
    tenure_ints kernel_shape;
    int64_t offset_group;
    tenure_ints pads;
    tenure_ints strides;
} tenure_DeformConv_19_attributes;
int tenure_DeformConv_19(const tenure_DeformConv_19_attributes *attributes, const tenure_tensor *X, const tenure_tensor *W, const tenure_tensor *offset, const tenure_tensor *B, const tenure_tensor *mask, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_DeformConv_22_attributes {
    tenure_ints dilations;
    int64_t group;
    tenure_ints kernel_shape;
    int64_t offset_group;
    tenure_ints pads;
    tenure_ints strides;
} tenure_DeformConv_22_attributes;
int tenure_DeformConv_22(const tenure_DeformConv_22_attributes *attributes, const tenure_tensor *X, const tenure_tensor *W, const tenure_tensor *offset, const tenure_tensor *B, const tenure_tensor *mask, const tenure_tensor *Y, const tenure_context *context);

/* QLinearConv: convolution of quantised tensors. */
typedef struct tenure_QLinearConv_10_attributes {
    const char *auto_pad;
    tenure_ints dilations;
    int64_t group;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
} tenure_QLinearConv_10_attributes;
int tenure_QLinearConv_10(const tenure_QLinearConv_10_attributes *attributes, const tenure_tensor *x, const tenure_tensor *x_scale, const tenure_tensor *x_zero_point, const tenure_tensor *w, const tenure_tensor *w_scale, const tenure_tensor *w_zero_point, const tenure_tensor *y_scale, const tenure_tensor *y_zero_point, const tenure_tensor *B, const tenure_tensor *y, const tenure_context *context);

/* AveragePool: average of each window. */
typedef struct tenure_AveragePool_1_attributes {
    const char *auto_pad;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
} tenure_AveragePool_1_attributes;
int tenure_AveragePool_1(const tenure_AveragePool_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_AveragePool_7_attributes {
    const char *auto_pad;
    int64_t count_include_pad;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
} tenure_AveragePool_7_attributes;
int tenure_AveragePool_7(const tenure_AveragePool_7_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_AveragePool_10_attributes {
    const char *auto_pad;
    int64_t ceil_mode;
    int64_t count_include_pad;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
} tenure_AveragePool_10_attributes;
int tenure_AveragePool_10(const tenure_AveragePool_10_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_AveragePool_11_attributes {
    const char *auto_pad;
    int64_t ceil_mode;
    int64_t count_include_pad;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
} tenure_AveragePool_11_attributes;
int tenure_AveragePool_11(const tenure_AveragePool_11_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_AveragePool_19_attributes {
    const char *auto_pad;
    int64_t ceil_mode;
    int64_t count_include_pad;
    tenure_ints dilations;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
} tenure_AveragePool_19_attributes;
int tenure_AveragePool_19(const tenure_AveragePool_19_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_AveragePool_22_attributes {
    const char *auto_pad;
    int64_t ceil_mode;
    int64_t count_include_pad;
    tenure_ints dilations;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
} tenure_AveragePool_22_attributes;
int tenure_AveragePool_22(const tenure_AveragePool_22_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* GlobalAveragePool: average over all spatial positions. */
int tenure_GlobalAveragePool_1(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
int tenure_GlobalAveragePool_22(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* GlobalLpPool: p-norm over all spatial positions. */
typedef struct tenure_GlobalLpPool_1_attributes {
    float p;
} tenure_GlobalLpPool_1_attributes;
int tenure_GlobalLpPool_1(const tenure_GlobalLpPool_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_GlobalLpPool_2_attributes {
    int64_t p;
} tenure_GlobalLpPool_2_attributes;
int tenure_GlobalLpPool_2(const tenure_GlobalLpPool_2_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_GlobalLpPool_22_attributes {
    int64_t p;
} tenure_GlobalLpPool_22_attributes;
int tenure_GlobalLpPool_22(const tenure_GlobalLpPool_22_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* GlobalMaxPool: largest element over all spatial positions. */
int tenure_GlobalMaxPool_1(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
int tenure_GlobalMaxPool_22(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* LpPool: p-norm of each window. */
typedef struct tenure_LpPool_1_attributes {
    const char *auto_pad;
    tenure_ints kernel_shape;
    float p;
    tenure_ints pads;
    tenure_ints strides;
} tenure_LpPool_1_attributes;
int tenure_LpPool_1(const tenure_LpPool_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_LpPool_2_attributes {
    const char *auto_pad;
    tenure_ints kernel_shape;
    int64_t p;
    tenure_ints pads;
    tenure_ints strides;
} tenure_LpPool_2_attributes;
int tenure_LpPool_2(const tenure_LpPool_2_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_LpPool_11_attributes {
    const char *auto_pad;
    tenure_ints kernel_shape;
    int64_t p;
    tenure_ints pads;
    tenure_ints strides;
} tenure_LpPool_11_attributes;
int tenure_LpPool_11(const tenure_LpPool_11_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_LpPool_18_attributes {
    const char *auto_pad;
    int64_t ceil_mode;
    tenure_ints dilations;
    tenure_ints kernel_shape;
    int64_t p;
    tenure_ints pads;
    tenure_ints strides;
} tenure_LpPool_18_attributes;
int tenure_LpPool_18(const tenure_LpPool_18_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_LpPool_22_attributes {
    const char *auto_pad;
    int64_t ceil_mode;
    tenure_ints dilations;
    tenure_ints kernel_shape;
    int64_t p;
    tenure_ints pads;
    tenure_ints strides;
} tenure_LpPool_22_attributes;
int tenure_LpPool_22(const tenure_LpPool_22_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* MaxPool: largest element of each window. */
typedef struct tenure_MaxPool_1_attributes {
    const char *auto_pad;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
} tenure_MaxPool_1_attributes;
int tenure_MaxPool_1(const tenure_MaxPool_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_MaxPool_8_attributes {
    const char *auto_pad;
    tenure_ints kernel_shape;
    tenure_ints pads;
    int64_t storage_order;
    tenure_ints strides;
} tenure_MaxPool_8_attributes;
int tenure_MaxPool_8(const tenure_MaxPool_8_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_tensor *Indices, const tenure_context *context);
typedef struct tenure_MaxPool_10_attributes {
    const char *auto_pad;
    int64_t ceil_mode;
    tenure_ints dilations;
    tenure_ints kernel_shape;
    tenure_ints pads;
    int64_t storage_order;
    tenure_ints strides;
} tenure_MaxPool_10_attributes;
int tenure_MaxPool_10(const tenure_MaxPool_10_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_tensor *Indices, const tenure_context *context);
typedef struct tenure_MaxPool_11_attributes {
    const char *auto_pad;
    int64_t ceil_mode;
    tenure_ints dilations;
    tenure_ints kernel_shape;
    tenure_ints pads;
    int64_t storage_order;
    tenure_ints strides;
} tenure_MaxPool_11_attributes;
int tenure_MaxPool_11(const tenure_MaxPool_11_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_tensor *Indices, const tenure_context *context);
typedef struct tenure_MaxPool_12_attributes {
    const char *auto_pad;
    int64_t ceil_mode;
    tenure_ints dilations;
    tenure_ints kernel_shape;
    tenure_ints pads;
    int64_t storage_order;
    tenure_ints strides;
} tenure_MaxPool_12_attributes;
int tenure_MaxPool_12(const tenure_MaxPool_12_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_tensor *Indices, const tenure_context *context);
typedef struct tenure_MaxPool_22_attributes {
    const char *auto_pad;
    int64_t ceil_mode;
    tenure_ints dilations;
    tenure_ints kernel_shape;
    tenure_ints pads;
    int64_t storage_order;
    tenure_ints strides;
} tenure_MaxPool_22_attributes;
int tenure_MaxPool_22(const tenure_MaxPool_22_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_tensor *Indices, const tenure_context *context);

/* MaxRoiPool: largest elements of a grid laid over each region. */
typedef struct tenure_MaxRoiPool_1_attributes {
    tenure_ints pooled_shape;
    float spatial_scale;
} tenure_MaxRoiPool_1_attributes;
int tenure_MaxRoiPool_1(const tenure_MaxRoiPool_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *rois, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_MaxRoiPool_22_attributes {
    tenure_ints pooled_shape;
    float spatial_scale;
} tenure_MaxRoiPool_22_attributes;
int tenure_MaxRoiPool_22(const tenure_MaxRoiPool_22_attributes *attributes, const tenure_tensor *X, const tenure_tensor *rois, const tenure_tensor *Y, const tenure_context *context);

/* MaxUnpool: pooled elements put back where they came from. */
typedef struct tenure_MaxUnpool_9_attributes {
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
    tenure_ints output_shape; /* of the operand */
} tenure_MaxUnpool_9_attributes;
int tenure_MaxUnpool_9(const tenure_MaxUnpool_9_attributes *attributes, const tenure_tensor *X, const tenure_tensor *I, const tenure_tensor *output_shape, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_MaxUnpool_11_attributes {
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
    tenure_ints output_shape; /* of the operand */
} tenure_MaxUnpool_11_attributes;
int tenure_MaxUnpool_11(const tenure_MaxUnpool_11_attributes *attributes, const tenure_tensor *X, const tenure_tensor *I, const tenure_tensor *output_shape, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_MaxUnpool_22_attributes {
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
    tenure_ints output_shape; /* of the operand */
} tenure_MaxUnpool_22_attributes;
int tenure_MaxUnpool_22(const tenure_MaxUnpool_22_attributes *attributes, const tenure_tensor *X, const tenure_tensor *I, const tenure_tensor *output_shape, const tenure_tensor *output, const tenure_context *context);

/* RoiAlign: a grid of samples taken from each region. */
typedef struct tenure_RoiAlign_10_attributes {
    const char *mode;
    int64_t output_height;
    int64_t output_width;
    int64_t sampling_ratio;
    float spatial_scale;
} tenure_RoiAlign_10_attributes;
int tenure_RoiAlign_10(const tenure_RoiAlign_10_attributes *attributes, const tenure_tensor *X, const tenure_tensor *rois, const tenure_tensor *batch_indices, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_RoiAlign_16_attributes {
    const char *coordinate_transformation_mode;
    const char *mode;
    int64_t output_height;
    int64_t output_width;
    int64_t sampling_ratio;
    float spatial_scale;
} tenure_RoiAlign_16_attributes;
int tenure_RoiAlign_16(const tenure_RoiAlign_16_attributes *attributes, const tenure_tensor *X, const tenure_tensor *rois, const tenure_tensor *batch_indices, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_RoiAlign_22_attributes {
    const char *coordinate_transformation_mode;
    const char *mode;
    int64_t output_height;
    int64_t output_width;
    int64_t sampling_ratio;
    float spatial_scale;
} tenure_RoiAlign_22_attributes;
int tenure_RoiAlign_22(const tenure_RoiAlign_22_attributes *attributes, const tenure_tensor *X, const tenure_tensor *rois, const tenure_tensor *batch_indices, const tenure_tensor *Y, const tenure_context *context);

/* BatchNormalization: normalisation by channel statistics. */
typedef struct tenure_BatchNormalization_1_attributes {
    float epsilon;
    float momentum;
    tenure_ints consumed_inputs;
    int64_t is_test;
    int64_t spatial;
} tenure_BatchNormalization_1_attributes;
int tenure_BatchNormalization_1(const tenure_BatchNormalization_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *scale, const tenure_tensor *B, const tenure_tensor *input_mean, const tenure_tensor *input_var, const tenure_tensor *Y, const tenure_tensor *running_mean, const tenure_tensor *running_var, const tenure_tensor *saved_mean, const tenure_tensor *saved_var, const tenure_context *context);
typedef struct tenure_BatchNormalization_6_attributes {
    float epsilon;
    float momentum;
    int64_t is_test;
    int64_t spatial;
} tenure_BatchNormalization_6_attributes;
int tenure_BatchNormalization_6(const tenure_BatchNormalization_6_attributes *attributes, const tenure_tensor *X, const tenure_tensor *scale, const tenure_tensor *B, const tenure_tensor *input_mean, const tenure_tensor *input_var, const tenure_tensor *Y, const tenure_tensor *running_mean, const tenure_tensor *running_var, const tenure_tensor *saved_mean, const tenure_tensor *saved_var, const tenure_context *context);
typedef struct tenure_BatchNormalization_7_attributes {
    float epsilon;
    float momentum;
    int64_t spatial;
} tenure_BatchNormalization_7_attributes;
int tenure_BatchNormalization_7(const tenure_BatchNormalization_7_attributes *attributes, const tenure_tensor *X, const tenure_tensor *scale, const tenure_tensor *B, const tenure_tensor *input_mean, const tenure_tensor *input_var, const tenure_tensor *Y, const tenure_tensor *running_mean, const tenure_tensor *running_var, const tenure_tensor *saved_mean, const tenure_tensor *saved_var, const tenure_context *context);
typedef struct tenure_BatchNormalization_9_attributes {
    float epsilon;
    float momentum;
} tenure_BatchNormalization_9_attributes;
int tenure_BatchNormalization_9(const tenure_BatchNormalization_9_attributes *attributes, const tenure_tensor *X, const tenure_tensor *scale, const tenure_tensor *B, const tenure_tensor *input_mean, const tenure_tensor *input_var, const tenure_tensor *Y, const tenure_tensor *running_mean, const tenure_tensor *running_var, const tenure_tensor *saved_mean, const tenure_tensor *saved_var, const tenure_context *context);
typedef struct tenure_BatchNormalization_14_attributes {
    float epsilon;
    float momentum;
    int64_t training_mode;
} tenure_BatchNormalization_14_attributes;
int tenure_BatchNormalization_14(const tenure_BatchNormalization_14_attributes *attributes, const tenure_tensor *X, const tenure_tensor *scale, const tenure_tensor *B, const tenure_tensor *input_mean, const tenure_tensor *input_var, const tenure_tensor *Y, const tenure_tensor *running_mean, const tenure_tensor *running_var, const tenure_context *context);
typedef struct tenure_BatchNormalization_15_attributes {
    float epsilon;
    float momentum;
    int64_t training_mode;
} tenure_BatchNormalization_15_attributes;
int tenure_BatchNormalization_15(const tenure_BatchNormalization_15_attributes *attributes, const tenure_tensor *X, const tenure_tensor *scale, const tenure_tensor *B, const tenure_tensor *input_mean, const tenure_tensor *input_var, const tenure_tensor *Y, const tenure_tensor *running_mean, const tenure_tensor *running_var, const tenure_context *context);

/* Dropout: random elements set to 0 while training. */
typedef struct tenure_Dropout_1_attributes {
    tenure_ints consumed_inputs;
    int64_t is_test;
    float ratio;
} tenure_Dropout_1_attributes;
int tenure_Dropout_1(const tenure_Dropout_1_attributes *attributes, const tenure_tensor *data, const tenure_tensor *output, const tenure_tensor *mask, const tenure_context *context);
typedef struct tenure_Dropout_6_attributes {
    int64_t is_test;
    float ratio;
} tenure_Dropout_6_attributes;
int tenure_Dropout_6(const tenure_Dropout_6_attributes *attributes, const tenure_tensor *data, const tenure_tensor *output, const tenure_tensor *mask, const tenure_context *context);
typedef struct tenure_Dropout_7_attributes {
    float ratio;
} tenure_Dropout_7_attributes;
int tenure_Dropout_7(const tenure_Dropout_7_attributes *attributes, const tenure_tensor *data, const tenure_tensor *output, const tenure_tensor *mask, const tenure_context *context);
typedef struct tenure_Dropout_10_attributes {
    float ratio;
} tenure_Dropout_10_attributes;
int tenure_Dropout_10(const tenure_Dropout_10_attributes *attributes, const tenure_tensor *data, const tenure_tensor *output, const tenure_tensor *mask, const tenure_context *context);
typedef struct tenure_Dropout_12_attributes {
    int64_t seed;
    uint8_t has_seed;
} tenure_Dropout_12_attributes;
int tenure_Dropout_12(const tenure_Dropout_12_attributes *attributes, const tenure_tensor *data, const tenure_tensor *ratio, const tenure_tensor *training_mode, const tenure_tensor *output, const tenure_tensor *mask, const tenure_context *context);
typedef struct tenure_Dropout_13_attributes {
    int64_t seed;
    uint8_t has_seed;
} tenure_Dropout_13_attributes;
int tenure_Dropout_13(const tenure_Dropout_13_attributes *attributes, const tenure_tensor *data, const tenure_tensor *ratio, const tenure_tensor *training_mode, const tenure_tensor *output, const tenure_tensor *mask, const tenure_context *context);
typedef struct tenure_Dropout_22_attributes {
    int64_t seed;
    uint8_t has_seed;
} tenure_Dropout_22_attributes;
int tenure_Dropout_22(const tenure_Dropout_22_attributes *attributes, const tenure_tensor *data, const tenure_tensor *ratio, const tenure_tensor *training_mode, const tenure_tensor *output, const tenure_tensor *mask, const tenure_context *context);

/* GroupNormalization: normalisation over groups of channels. */
typedef struct tenure_GroupNormalization_18_attributes {
    float epsilon;
    int64_t num_groups;
} tenure_GroupNormalization_18_attributes;
int tenure_GroupNormalization_18(const tenure_GroupNormalization_18_attributes *attributes, const tenure_tensor *X, const tenure_tensor *scale, const tenure_tensor *bias, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_GroupNormalization_21_attributes {
    float epsilon;
    int64_t num_groups;
    int64_t stash_type;
} tenure_GroupNormalization_21_attributes;
int tenure_GroupNormalization_21(const tenure_GroupNormalization_21_attributes *attributes, const tenure_tensor *X, const tenure_tensor *scale, const tenure_tensor *bias, const tenure_tensor *Y, const tenure_context *context);

/* InstanceNormalization: normalisation of each channel of each sample. */
typedef struct tenure_InstanceNormalization_1_attributes {
    float epsilon;
    tenure_ints consumed_inputs;
} tenure_InstanceNormalization_1_attributes;
int tenure_InstanceNormalization_1(const tenure_InstanceNormalization_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *scale, const tenure_tensor *B, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_InstanceNormalization_6_attributes {
    float epsilon;
} tenure_InstanceNormalization_6_attributes;
int tenure_InstanceNormalization_6(const tenure_InstanceNormalization_6_attributes *attributes, const tenure_tensor *input, const tenure_tensor *scale, const tenure_tensor *B, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_InstanceNormalization_22_attributes {
    float epsilon;
} tenure_InstanceNormalization_22_attributes;
int tenure_InstanceNormalization_22(const tenure_InstanceNormalization_22_attributes *attributes, const tenure_tensor *input, const tenure_tensor *scale, const tenure_tensor *B, const tenure_tensor *output, const tenure_context *context);

/* LRN: normalisation over neighbouring channels. */
typedef struct tenure_LRN_1_attributes {
    float alpha;
    float beta;
    float bias;
    int64_t size;
} tenure_LRN_1_attributes;
int tenure_LRN_1(const tenure_LRN_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_LRN_13_attributes {
    float alpha;
    float beta;
    float bias;
    int64_t size;
} tenure_LRN_13_attributes;
int tenure_LRN_13(const tenure_LRN_13_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* LayerNormalization: normalisation over the trailing axes. */
typedef struct tenure_LayerNormalization_17_attributes {
    int64_t axis;
    float epsilon;
    int64_t stash_type;
} tenure_LayerNormalization_17_attributes;
int tenure_LayerNormalization_17(const tenure_LayerNormalization_17_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Scale, const tenure_tensor *B, const tenure_tensor *Y, const tenure_tensor *Mean, const tenure_tensor *InvStdDev, const tenure_context *context);

/* LpNormalization: division by the p-norm along an axis. */
typedef struct tenure_LpNormalization_1_attributes {
    int64_t axis;
    int64_t p;
} tenure_LpNormalization_1_attributes;
int tenure_LpNormalization_1(const tenure_LpNormalization_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_LpNormalization_22_attributes {
    int64_t axis;
    int64_t p;
} tenure_LpNormalization_22_attributes;
int tenure_LpNormalization_22(const tenure_LpNormalization_22_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* MeanVarianceNormalization: normalisation to mean 0 and variance 1 over axes. */
typedef struct tenure_MeanVarianceNormalization_9_attributes {
    tenure_ints axes;
} tenure_MeanVarianceNormalization_9_attributes;
int tenure_MeanVarianceNormalization_9(const tenure_MeanVarianceNormalization_9_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_MeanVarianceNormalization_13_attributes {
    tenure_ints axes;
} tenure_MeanVarianceNormalization_13_attributes;
int tenure_MeanVarianceNormalization_13(const tenure_MeanVarianceNormalization_13_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* NegativeLogLikelihoodLoss: loss from log-probabilities and target classes. */
typedef struct tenure_NegativeLogLikelihoodLoss_12_attributes {
    int64_t ignore_index;
    uint8_t has_ignore_index;
    const char *reduction;
} tenure_NegativeLogLikelihoodLoss_12_attributes;
int tenure_NegativeLogLikelihoodLoss_12(const tenure_NegativeLogLikelihoodLoss_12_attributes *attributes, const tenure_tensor *input, const tenure_tensor *target, const tenure_tensor *weight, const tenure_tensor *loss, const tenure_context *context);
typedef struct tenure_NegativeLogLikelihoodLoss_13_attributes {
    int64_t ignore_index;
    uint8_t has_ignore_index;
    const char *reduction;
} tenure_NegativeLogLikelihoodLoss_13_attributes;
int tenure_NegativeLogLikelihoodLoss_13(const tenure_NegativeLogLikelihoodLoss_13_attributes *attributes, const tenure_tensor *input, const tenure_tensor *target, const tenure_tensor *weight, const tenure_tensor *loss, const tenure_context *context);
typedef struct tenure_NegativeLogLikelihoodLoss_22_attributes {
    int64_t ignore_index;
    uint8_t has_ignore_index;
    const char *reduction;
} tenure_NegativeLogLikelihoodLoss_22_attributes;
int tenure_NegativeLogLikelihoodLoss_22(const tenure_NegativeLogLikelihoodLoss_22_attributes *attributes, const tenure_tensor *input, const tenure_tensor *target, const tenure_tensor *weight, const tenure_tensor *loss, const tenure_context *context);

/* RMSNormalization: division by the root mean square of the trailing axes. */
typedef struct tenure_RMSNormalization_23_attributes {
    int64_t axis;
    float epsilon;
    int64_t stash_type;
} tenure_RMSNormalization_23_attributes;
int tenure_RMSNormalization_23(const tenure_RMSNormalization_23_attributes *attributes, const tenure_tensor *X, const tenure_tensor *scale, const tenure_tensor *Y, const tenure_context *context);

/* SoftmaxCrossEntropyLoss: softmax followed by the log-likelihood loss. */
typedef struct tenure_SoftmaxCrossEntropyLoss_12_attributes {
    int64_t ignore_index;
    uint8_t has_ignore_index;
    const char *reduction;
} tenure_SoftmaxCrossEntropyLoss_12_attributes;
int tenure_SoftmaxCrossEntropyLoss_12(const tenure_SoftmaxCrossEntropyLoss_12_attributes *attributes, const tenure_tensor *scores, const tenure_tensor *labels, const tenure_tensor *weights, const tenure_tensor *output, const tenure_tensor *log_prob, const tenure_context *context);
typedef struct tenure_SoftmaxCrossEntropyLoss_13_attributes {
    int64_t ignore_index;
    uint8_t has_ignore_index;
    const char *reduction;
} tenure_SoftmaxCrossEntropyLoss_13_attributes;
int tenure_SoftmaxCrossEntropyLoss_13(const tenure_SoftmaxCrossEntropyLoss_13_attributes *attributes, const tenure_tensor *scores, const tenure_tensor *labels, const tenure_tensor *weights, const tenure_tensor *output, const tenure_tensor *log_prob, const tenure_context *context);

/* ArgMax: index of the largest element along an axis. */
typedef struct tenure_ArgMax_1_attributes {
    int64_t axis;
    int64_t keepdims;
} tenure_ArgMax_1_attributes;
int tenure_ArgMax_1(const tenure_ArgMax_1_attributes *attributes, const tenure_tensor *data, const tenure_tensor *reduced, const tenure_context *context);
typedef struct tenure_ArgMax_11_attributes {
    int64_t axis;
    int64_t keepdims;
} tenure_ArgMax_11_attributes;
int tenure_ArgMax_11(const tenure_ArgMax_11_attributes *attributes, const tenure_tensor *data, const tenure_tensor *reduced, const tenure_context *context);
typedef struct tenure_ArgMax_12_attributes {
    int64_t axis;
    int64_t keepdims;
    int64_t select_last_index;
} tenure_ArgMax_12_attributes;
int tenure_ArgMax_12(const tenure_ArgMax_12_attributes *attributes, const tenure_tensor *data, const tenure_tensor *reduced, const tenure_context *context);
typedef struct tenure_ArgMax_13_attributes {
    int64_t axis;
    int64_t keepdims;
    int64_t select_last_index;
} tenure_ArgMax_13_attributes;
int tenure_ArgMax_13(const tenure_ArgMax_13_attributes *attributes, const tenure_tensor *data, const tenure_tensor *reduced, const tenure_context *context);

/* ArgMin: index of the smallest element along an axis. */
typedef struct tenure_ArgMin_1_attributes {
    int64_t axis;
    int64_t keepdims;
} tenure_ArgMin_1_attributes;
int tenure_ArgMin_1(const tenure_ArgMin_1_attributes *attributes, const tenure_tensor *data, const tenure_tensor *reduced, const tenure_context *context);
typedef struct tenure_ArgMin_11_attributes {
    int64_t axis;
    int64_t keepdims;
} tenure_ArgMin_11_attributes;
int tenure_ArgMin_11(const tenure_ArgMin_11_attributes *attributes, const tenure_tensor *data, const tenure_tensor *reduced, const tenure_context *context);
typedef struct tenure_ArgMin_12_attributes {
    int64_t axis;
    int64_t keepdims;
    int64_t select_last_index;
} tenure_ArgMin_12_attributes;
int tenure_ArgMin_12(const tenure_ArgMin_12_attributes *attributes, const tenure_tensor *data, const tenure_tensor *reduced, const tenure_context *context);
typedef struct tenure_ArgMin_13_attributes {
    int64_t axis;
    int64_t keepdims;
    int64_t select_last_index;
} tenure_ArgMin_13_attributes;
int tenure_ArgMin_13(const tenure_ArgMin_13_attributes *attributes, const tenure_tensor *data, const tenure_tensor *reduced, const tenure_context *context);

/* ReduceL1: sum of the magnitudes along axes. */
typedef struct tenure_ReduceL1_1_attributes {
    int64_t keepdims;
    tenure_ints axes;
} tenure_ReduceL1_1_attributes;
int tenure_ReduceL1_1(const tenure_ReduceL1_1_attributes *attributes, const tenure_tensor *data, const tenure_tensor *reduced, const tenure_context *context);
typedef struct tenure_ReduceL1_11_attributes {
    int64_t keepdims;
    tenure_ints axes;
} tenure_ReduceL1_11_attributes;
int tenure_ReduceL1_11(const tenure_ReduceL1_11_attributes *attributes, const tenure_tensor *data, const tenure_tensor *reduced, const tenure_context *context);
typedef struct tenure_ReduceL1_13_attributes {
    int64_t keepdims;
    tenure_ints axes;
} tenure_ReduceL1_13_attributes;
int tenure_ReduceL1_13(const tenure_ReduceL1_13_attributes *attributes, const tenure_tensor *data, const tenure_tensor *reduced, const tenure_context *context);
typedef struct tenure_ReduceL1_18_attributes {
    int64_t keepdims;
    int64_t noop_with_empty_axes;
    tenure_ints axes; /* of the operand */
} tenure_ReduceL1_18_attributes;
int tenure_ReduceL1_18(const tenure_ReduceL1_18_attributes *attributes, const tenure_tensor *data, const tenure_tensor *axes, const tenure_tensor *reduced, const tenure_context *context);

/* ReduceL2: Euclidean norm along axes. */
typedef struct tenure_ReduceL2_1_attributes {
    int64_t keepdims;
    tenure_ints axes;
} tenure_ReduceL2_1_attributes;
int tenure_ReduceL2_1(const tenure_ReduceL2_1_attributes *attributes, const tenure_tensor *data, const tenure_tensor *reduced, const tenure_context *context);
typedef struct tenure_ReduceL2_11_attributes {
    int64_t keepdims;
    tenure_ints axes;
} tenure_ReduceL2_11_attributes;
int tenure_ReduceL2_11(const tenure_ReduceL2_11_attributes *attributes, const tenure_tensor *data, const tenure_tensor *reduced, const tenure_context *context);
typedef struct tenure_ReduceL2_13_attributes {
    int64_t keepdims;
    tenure_ints axes;
} tenure_ReduceL2_13_attributes;
int tenure_ReduceL2_13(const tenure_ReduceL2_13_attributes *attributes, const tenure_tensor *data, const tenure_tensor *reduced, const tenure_context *context);
typedef struct tenure_ReduceL2_18_attributes {
    int64_t keepdims;
    int64_t noop_with_empty_axes;
    tenure_ints axes; /* of the operand */
} tenure_ReduceL2_18_attributes;
int tenure_ReduceL2_18(const tenure_ReduceL2_18_attributes *attributes, const tenure_tensor *data, const tenure_tensor *axes, const tenure_tensor *reduced, const tenure_context *context);

/* ReduceLogSum: logarithm of the sum along axes. */
typedef struct tenure_ReduceLogSum_1_attributes {
    int64_t keepdims;
    tenure_ints axes;
} tenure_ReduceLogSum_1_attributes;
int tenure_ReduceLogSum_1(const tenure_ReduceLogSum_1_attributes *attributes, const tenure_tensor *data, const tenure_tensor *reduced, const tenure_context *context);
typedef struct tenure_ReduceLogSum_11_attributes {
    int64_t keepdims;
    tenure_ints axes;
} tenure_ReduceLogSum_11_attributes;
int tenure_ReduceLogSum_11(const tenure_ReduceLogSum_11_attributes *attributes, const tenure_tensor *data, const tenure_tensor *reduced, const tenure_context *context);
typedef struct tenure_ReduceLogSum_13_attributes {
    int64_t keepdims;
    tenure_ints axes;
} tenure_ReduceLogSum_13_attributes;
int tenure_ReduceLogSum_13(const tenure_ReduceLogSum_13_attributes *attributes, const tenure_tensor *data, const tenure_tensor *reduced, const tenure_context *context);
typedef struct tenure_ReduceLogSum_18_attributes {
    int64_t keepdims;
    int64_t noop_with_empty_axes;
    tenure_ints axes; /* of the operand */
} tenure_ReduceLogSum_18_attributes;
int tenure_ReduceLogSum_18(const tenure_ReduceLogSum_18_attributes *attributes, const tenure_tensor *data, const tenure_tensor *axes, const tenure_tensor *reduced, const tenure_context *context);
typedef struct tenure_ReduceLogSum_28_attributes {
    int64_t keepdims;
    int64_t noop_with_empty_axes;
    tenure_ints axes; /* of the operand */
} tenure_ReduceLogSum_28_attributes;
int tenure_ReduceLogSum_28(const tenure_ReduceLogSum_28_attributes *attributes, const tenure_tensor *data, const tenure_tensor *axes, const tenure_tensor *reduced, const tenure_context *context);

/* ReduceLogSumExp: logarithm of the sum of exponentials along axes. */
typedef struct tenure_ReduceLogSumExp_1_attributes {
    int64_t keepdims;
    tenure_ints axes;
} tenure_ReduceLogSumExp_1_attributes;
int tenure_ReduceLogSumExp_1(const tenure_ReduceLogSumExp_1_attributes *attributes, const tenure_tensor *data, const tenure_tensor *reduced, const tenure_context *context);
typedef struct tenure_ReduceLogSumExp_11_attributes {
    int64_t keepdims;
    tenure_ints axes;
} tenure_ReduceLogSumExp_11_attributes;
int tenure_ReduceLogSumExp_11(const tenure_ReduceLogSumExp_11_attributes *attributes, const tenure_tensor *data, const tenure_tensor *reduced, const tenure_context *context);
typedef struct tenure_ReduceLogSumExp_13_attributes {
    int64_t keepdims;
    tenure_ints axes;
} tenure_ReduceLogSumExp_13_attributes;
int tenure_ReduceLogSumExp_13(const tenure_ReduceLogSumExp_13_attributes *attributes, const tenure_tensor *data, const tenure_tensor *reduced, const tenure_context *context);
typedef struct tenure_ReduceLogSumExp_18_attributes {
    int64_t keepdims;
    int64_t noop_with_empty_axes;
    tenure_ints axes; /* of the operand */
} tenure_ReduceLogSumExp_18_attributes;
int tenure_ReduceLogSumExp_18(const tenure_ReduceLogSumExp_18_attributes *attributes, const tenure_tensor *data, const tenure_tensor *axes, const tenure_tensor *reduced, const tenure_context *context);
typedef struct tenure_ReduceLogSumExp_28_attributes {
    int64_t keepdims;
    int64_t noop_with_empty_axes;
    tenure_ints axes; /* of the operand */
} tenure_ReduceLogSumExp_28_attributes;
int tenure_ReduceLogSumExp_28(const tenure_ReduceLogSumExp_28_attributes *attributes, const tenure_tensor *data, const tenure_tensor *axes, const tenure_tensor *reduced, const tenure_context *context);

/* ReduceMax: largest element along axes. */
typedef struct tenure_ReduceMax_1_attributes {
    int64_t keepdims;
    tenure_ints axes;
} tenure_ReduceMax_1_attributes;
int tenure_ReduceMax_1(const tenure_ReduceMax_1_attributes *attributes, const tenure_tensor *data, const tenure_tensor *reduced, const tenure_context *context);
typedef struct tenure_ReduceMax_11_attributes {
    int64_t keepdims;
    tenure_ints axes;
} tenure_ReduceMax_11_attributes;
int tenure_ReduceMax_11(const tenure_ReduceMax_11_attributes *attributes, const tenure_tensor *data, const tenure_tensor *reduced, const tenure_context *context);
typedef struct tenure_ReduceMax_12_attributes {
    int64_t keepdims;
    tenure_ints axes;
} tenure_ReduceMax_12_attributes;
int tenure_ReduceMax_12(const tenure_ReduceMax_12_attributes *attributes, const tenure_tensor *data, const tenure_tensor *reduced, const tenure_context *context);
typedef struct tenure_ReduceMax_13_attributes {
    int64_t keepdims;
    tenure_ints axes;
} tenure_ReduceMax_13_attributes;
int tenure_ReduceMax_13(const tenure_ReduceMax_13_attributes *attributes, const tenure_tensor *data, const tenure_tensor *reduced, const tenure_context *context);
typedef struct tenure_ReduceMax_18_attributes {
    int64_t keepdims;
    int64_t noop_with_empty_axes;
    tenure_ints axes; /* of the operand */
} tenure_ReduceMax_18_attributes;
int tenure_ReduceMax_18(const tenure_ReduceMax_18_attributes *attributes, const tenure_tensor *data, const tenure_tensor *axes, const tenure_tensor *reduced, const tenure_context *context);
typedef struct tenure_ReduceMax_20_attributes {
    int64_t keepdims;
    int64_t noop_with_empty_axes;
    tenure_ints axes; /* of the operand */
} tenure_ReduceMax_20_attributes;
int tenure_ReduceMax_20(const tenure_ReduceMax_20_attributes *attributes, const tenure_tensor *data, const tenure_tensor *axes, const tenure_tensor *reduced, const tenure_context *context);

/* ReduceMean: average along axes. */
typedef struct tenure_ReduceMean_1_attributes {
    int64_t keepdims;
    tenure_ints axes;
} tenure_ReduceMean_1_attributes;
int tenure_ReduceMean_1(const tenure_ReduceMean_1_attributes *attributes, const tenure_tensor *data, const tenure_tensor *reduced, const tenure_context *context);
typedef struct tenure_ReduceMean_11_attributes {
    int64_t keepdims;
    tenure_ints axes;
} tenure_ReduceMean_11_attributes;
int tenure_ReduceMean_11(const tenure_ReduceMean_11_attributes *attributes, const tenure_tensor *data, const tenure_tensor *reduced, const tenure_context *context);
typedef struct tenure_ReduceMean_13_attributes {
    int64_t keepdims;
    tenure_ints axes;
} tenure_ReduceMean_13_attributes;
int tenure_ReduceMean_13(const tenure_ReduceMean_13_attributes *attributes, const tenure_tensor *data, const tenure_tensor *reduced, const tenure_context *context);
typedef struct tenure_ReduceMean_18_attributes {
    int64_t keepdims;
    int64_t noop_with_empty_axes;
    tenure_ints axes; /* of the operand */
} tenure_ReduceMean_18_attributes;
int tenure_ReduceMean_18(const tenure_ReduceMean_18_attributes *attributes, const tenure_tensor *data, const tenure_tensor *axes, const tenure_tensor *reduced, const tenure_context *context);

/* ReduceMin: smallest element along axes. */
typedef struct tenure_ReduceMin_1_attributes {
    int64_t keepdims;
    tenure_ints axes;
} tenure_ReduceMin_1_attributes;
int tenure_ReduceMin_1(const tenure_ReduceMin_1_attributes *attributes, const tenure_tensor *data, const tenure_tensor *reduced, const tenure_context *context);
typedef struct tenure_ReduceMin_11_attributes {
    int64_t keepdims;
    tenure_ints axes;
} tenure_ReduceMin_11_attributes;
int tenure_ReduceMin_11(const tenure_ReduceMin_11_attributes *attributes, const tenure_tensor *data, const tenure_tensor *reduced, const tenure_context *context);
typedef struct tenure_ReduceMin_12_attributes {
    int64_t keepdims;
    tenure_ints axes;
} tenure_ReduceMin_12_attributes;
int tenure_ReduceMin_12(const tenure_ReduceMin_12_attributes *attributes, const tenure_tensor *data, const tenure_tensor *reduced, const tenure_context *context);
typedef struct tenure_ReduceMin_13_attributes {
    int64_t keepdims;
    tenure_ints axes;
} tenure_ReduceMin_13_attributes;
int tenure_ReduceMin_13(const tenure_ReduceMin_13_attributes *attributes, const tenure_tensor *data, const tenure_tensor *reduced, const tenure_context *context);
typedef struct tenure_ReduceMin_18_attributes {
    int64_t keepdims;
    int64_t noop_with_empty_axes;
    tenure_ints axes; /* of the operand */
} tenure_ReduceMin_18_attributes;
int tenure_ReduceMin_18(const tenure_ReduceMin_18_attributes *attributes, const tenure_tensor *data, const tenure_tensor *axes, const tenure_tensor *reduced, const tenure_context *context);
typedef struct tenure_ReduceMin_20_attributes {
    int64_t keepdims;
    int64_t noop_with_empty_axes;
    tenure_ints axes; /* of the operand */
} tenure_ReduceMin_20_attributes;
int tenure_ReduceMin_20(const tenure_ReduceMin_20_attributes *attributes, const tenure_tensor *data, const tenure_tensor *axes, const tenure_tensor *reduced, const tenure_context *context);

/* ReduceProd: product along axes. */
typedef struct tenure_ReduceProd_1_attributes {
    int64_t keepdims;
    tenure_ints axes;
} tenure_ReduceProd_1_attributes;
int tenure_ReduceProd_1(const tenure_ReduceProd_1_attributes *attributes, const tenure_tensor *data, const tenure_tensor *reduced, const tenure_context *context);
typedef struct tenure_ReduceProd_11_attributes {
    int64_t keepdims;
    tenure_ints axes;
} tenure_ReduceProd_11_attributes;
int tenure_ReduceProd_11(const tenure_ReduceProd_11_attributes *attributes, const tenure_tensor *data, const tenure_tensor *reduced, const tenure_context *context);
typedef struct tenure_ReduceProd_13_attributes {
    int64_t keepdims;
    tenure_ints axes;
} tenure_ReduceProd_13_attributes;
int tenure_ReduceProd_13(const tenure_ReduceProd_13_attributes *attributes, const tenure_tensor *data, const tenure_tensor *reduced, const tenure_context *context);
typedef struct tenure_ReduceProd_18_attributes {
    int64_t keepdims;
    int64_t noop_with_empty_axes;
    tenure_ints axes; /* of the operand */
} tenure_ReduceProd_18_attributes;
int tenure_ReduceProd_18(const tenure_ReduceProd_18_attributes *attributes, const tenure_tensor *data, const tenure_tensor *axes, const tenure_tensor *reduced, const tenure_context *context);

/* ReduceSum: sum along axes. */
typedef struct tenure_ReduceSum_1_attributes {
    int64_t keepdims;
    tenure_ints axes;
} tenure_ReduceSum_1_attributes;
int tenure_ReduceSum_1(const tenure_ReduceSum_1_attributes *attributes, const tenure_tensor *data, const tenure_tensor *reduced, const tenure_context *context);
typedef struct tenure_ReduceSum_11_attributes {
    int64_t keepdims;
    tenure_ints axes;
} tenure_ReduceSum_11_attributes;
int tenure_ReduceSum_11(const tenure_ReduceSum_11_attributes *attributes, const tenure_tensor *data, const tenure_tensor *reduced, const tenure_context *context);
typedef struct tenure_ReduceSum_13_attributes {
    int64_t keepdims;
    int64_t noop_with_empty_axes;
    tenure_ints axes; /* of the operand */
} tenure_ReduceSum_13_attributes;
int tenure_ReduceSum_13(const tenure_ReduceSum_13_attributes *attributes, const tenure_tensor *data, const tenure_tensor *axes, const tenure_tensor *reduced, const tenure_context *context);

/* ReduceSumSquare: sum of squares along axes. */
typedef struct tenure_ReduceSumSquare_1_attributes {
    int64_t keepdims;
    tenure_ints axes;
} tenure_ReduceSumSquare_1_attributes;
int tenure_ReduceSumSquare_1(const tenure_ReduceSumSquare_1_attributes *attributes, const tenure_tensor *data, const tenure_tensor *reduced, const tenure_context *context);
typedef struct tenure_ReduceSumSquare_11_attributes {
    int64_t keepdims;
    tenure_ints axes;
} tenure_ReduceSumSquare_11_attributes;
int tenure_ReduceSumSquare_11(const tenure_ReduceSumSquare_11_attributes *attributes, const tenure_tensor *data, const tenure_tensor *reduced, const tenure_context *context);
typedef struct tenure_ReduceSumSquare_13_attributes {
    int64_t keepdims;
    tenure_ints axes;
} tenure_ReduceSumSquare_13_attributes;
int tenure_ReduceSumSquare_13(const tenure_ReduceSumSquare_13_attributes *attributes, const tenure_tensor *data, const tenure_tensor *reduced, const tenure_context *context);
typedef struct tenure_ReduceSumSquare_18_attributes {
    int64_t keepdims;
    int64_t noop_with_empty_axes;
    tenure_ints axes; /* of the operand */
} tenure_ReduceSumSquare_18_attributes;
int tenure_ReduceSumSquare_18(const tenure_ReduceSumSquare_18_attributes *attributes, const tenure_tensor *data, const tenure_tensor *axes, const tenure_tensor *reduced, const tenure_context *context);

/* CumSum: running sum along an axis. */
typedef struct tenure_CumSum_11_attributes {
    int64_t exclusive;
    int64_t reverse;
    tenure_ints axis; /* of the operand */
} tenure_CumSum_11_attributes;
int tenure_CumSum_11(const tenure_CumSum_11_attributes *attributes, const tenure_tensor *x, const tenure_tensor *axis, const tenure_tensor *y, const tenure_context *context);
typedef struct tenure_CumSum_14_attributes {
    int64_t exclusive;
    int64_t reverse;
    tenure_ints axis; /* of the operand */
} tenure_CumSum_14_attributes;
int tenure_CumSum_14(const tenure_CumSum_14_attributes *attributes, const tenure_tensor *x, const tenure_tensor *axis, const tenure_tensor *y, const tenure_context *context);

/* Flatten: reshaped to a matrix at an axis. */
typedef struct tenure_Flatten_1_attributes {
    int64_t axis;
} tenure_Flatten_1_attributes;
int tenure_Flatten_1(const tenure_Flatten_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_Flatten_9_attributes {
    int64_t axis;
} tenure_Flatten_9_attributes;
int tenure_Flatten_9(const tenure_Flatten_9_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_Flatten_11_attributes {
    int64_t axis;
} tenure_Flatten_11_attributes;
int tenure_Flatten_11(const tenure_Flatten_11_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_Flatten_13_attributes {
    int64_t axis;
} tenure_Flatten_13_attributes;
int tenure_Flatten_13(const tenure_Flatten_13_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_Flatten_21_attributes {
    int64_t axis;
} tenure_Flatten_21_attributes;
int tenure_Flatten_21(const tenure_Flatten_21_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_Flatten_23_attributes {
    int64_t axis;
} tenure_Flatten_23_attributes;
int tenure_Flatten_23(const tenure_Flatten_23_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_Flatten_24_attributes {
    int64_t axis;
} tenure_Flatten_24_attributes;
int tenure_Flatten_24(const tenure_Flatten_24_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_Flatten_25_attributes {
    int64_t axis;
} tenure_Flatten_25_attributes;
int tenure_Flatten_25(const tenure_Flatten_25_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* Identity: the operand itself. */
int tenure_Identity_1(const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
int tenure_Identity_13(const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
int tenure_Identity_14(const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
int tenure_Identity_16(const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
int tenure_Identity_19(const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
int tenure_Identity_21(const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
int tenure_Identity_23(const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
int tenure_Identity_24(const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
int tenure_Identity_25(const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* Reshape: the same elements under another shape. */
typedef struct tenure_Reshape_1_attributes {
    tenure_ints consumed_inputs;
    tenure_ints shape;
} tenure_Reshape_1_attributes;
int tenure_Reshape_1(const tenure_Reshape_1_attributes *attributes, const tenure_tensor *data, const tenure_tensor *reshaped, const tenure_context *context);
typedef struct tenure_Reshape_5_attributes {
    tenure_ints shape; /* of the operand */
} tenure_Reshape_5_attributes;
int tenure_Reshape_5(const tenure_Reshape_5_attributes *attributes, const tenure_tensor *data, const tenure_tensor *shape, const tenure_tensor *reshaped, const tenure_context *context);
typedef struct tenure_Reshape_13_attributes {
    tenure_ints shape; /* of the operand */
} tenure_Reshape_13_attributes;
int tenure_Reshape_13(const tenure_Reshape_13_attributes *attributes, const tenure_tensor *data, const tenure_tensor *shape, const tenure_tensor *reshaped, const tenure_context *context);
typedef struct tenure_Reshape_14_attributes {
    int64_t allowzero;
    tenure_ints shape; /* of the operand */
} tenure_Reshape_14_attributes;
int tenure_Reshape_14(const tenure_Reshape_14_attributes *attributes, const tenure_tensor *data, const tenure_tensor *shape, const tenure_tensor *reshaped, const tenure_context *context);
typedef struct tenure_Reshape_19_attributes {
    int64_t allowzero;
    tenure_ints shape; /* of the operand */
} tenure_Reshape_19_attributes;
int tenure_Reshape_19(const tenure_Reshape_19_attributes *attributes, const tenure_tensor *data, const tenure_tensor *shape, const tenure_tensor *reshaped, const tenure_context *context);
typedef struct tenure_Reshape_21_attributes {
    int64_t allowzero;
    tenure_ints shape; /* of the operand */
} tenure_Reshape_21_attributes;
int tenure_Reshape_21(const tenure_Reshape_21_attributes *attributes, const tenure_tensor *data, const tenure_tensor *shape, const tenure_tensor *reshaped, const tenure_context *context);
typedef struct tenure_Reshape_23_attributes {
    int64_t allowzero;
    tenure_ints shape; /* of the operand */
} tenure_Reshape_23_attributes;
int tenure_Reshape_23(const tenure_Reshape_23_attributes *attributes, const tenure_tensor *data, const tenure_tensor *shape, const tenure_tensor *reshaped, const tenure_context *context);
typedef struct tenure_Reshape_24_attributes {
    int64_t allowzero;
    tenure_ints shape; /* of the operand */
} tenure_Reshape_24_attributes;
int tenure_Reshape_24(const tenure_Reshape_24_attributes *attributes, const tenure_tensor *data, const tenure_tensor *shape, const tenure_tensor *reshaped, const tenure_context *context);
typedef struct tenure_Reshape_25_attributes {
    int64_t allowzero;
    tenure_ints shape; /* of the operand */
} tenure_Reshape_25_attributes;
int tenure_Reshape_25(const tenure_Reshape_25_attributes *attributes, const tenure_tensor *data, const tenure_tensor *shape, const tenure_tensor *reshaped, const tenure_context *context);

/* Squeeze: axes of extent 1 removed. */
typedef struct tenure_Squeeze_1_attributes {
    tenure_ints axes;
} tenure_Squeeze_1_attributes;
int tenure_Squeeze_1(const tenure_Squeeze_1_attributes *attributes, const tenure_tensor *data, const tenure_tensor *squeezed, const tenure_context *context);
typedef struct tenure_Squeeze_11_attributes {
    tenure_ints axes;
} tenure_Squeeze_11_attributes;
int tenure_Squeeze_11(const tenure_Squeeze_11_attributes *attributes, const tenure_tensor *data, const tenure_tensor *squeezed, const tenure_context *context);
typedef struct tenure_Squeeze_13_attributes {
    tenure_ints axes; /* of the operand */
} tenure_Squeeze_13_attributes;
int tenure_Squeeze_13(const tenure_Squeeze_13_attributes *attributes, const tenure_tensor *data, const tenure_tensor *axes, const tenure_tensor *squeezed, const tenure_context *context);
typedef struct tenure_Squeeze_21_attributes {
    tenure_ints axes; /* of the operand */
} tenure_Squeeze_21_attributes;
int tenure_Squeeze_21(const tenure_Squeeze_21_attributes *attributes, const tenure_tensor *data, const tenure_tensor *axes, const tenure_tensor *squeezed, const tenure_context *context);
typedef struct tenure_Squeeze_23_attributes {
    tenure_ints axes; /* of the operand */
} tenure_Squeeze_23_attributes;
int tenure_Squeeze_23(const tenure_Squeeze_23_attributes *attributes, const tenure_tensor *data, const tenure_tensor *axes, const tenure_tensor *squeezed, const tenure_context *context);
typedef struct tenure_Squeeze_24_attributes {
    tenure_ints axes; /* of the operand */
} tenure_Squeeze_24_attributes;
int tenure_Squeeze_24(const tenure_Squeeze_24_attributes *attributes, const tenure_tensor *data, const tenure_tensor *axes, const tenure_tensor *squeezed, const tenure_context *context);
typedef struct tenure_Squeeze_25_attributes {
    tenure_ints axes; /* of the operand */
} tenure_Squeeze_25_attributes;
int tenure_Squeeze_25(const tenure_Squeeze_25_attributes *attributes, const tenure_tensor *data, const tenure_tensor *axes, const tenure_tensor *squeezed, const tenure_context *context);

/* Unsqueeze: axes of extent 1 inserted. */
typedef struct tenure_Unsqueeze_1_attributes {
    tenure_ints axes;
} tenure_Unsqueeze_1_attributes;
int tenure_Unsqueeze_1(const tenure_Unsqueeze_1_attributes *attributes, const tenure_tensor *data, const tenure_tensor *expanded, const tenure_context *context);
typedef struct tenure_Unsqueeze_11_attributes {
    tenure_ints axes;
} tenure_Unsqueeze_11_attributes;
int tenure_Unsqueeze_11(const tenure_Unsqueeze_11_attributes *attributes, const tenure_tensor *data, const tenure_tensor *expanded, const tenure_context *context);
typedef struct tenure_Unsqueeze_13_attributes {
    tenure_ints axes; /* of the operand */
} tenure_Unsqueeze_13_attributes;
int tenure_Unsqueeze_13(const tenure_Unsqueeze_13_attributes *attributes, const tenure_tensor *data, const tenure_tensor *axes, const tenure_tensor *expanded, const tenure_context *context);
typedef struct tenure_Unsqueeze_21_attributes {
    tenure_ints axes; /* of the operand */
} tenure_Unsqueeze_21_attributes;
int tenure_Unsqueeze_21(const tenure_Unsqueeze_21_attributes *attributes, const tenure_tensor *data, const tenure_tensor *axes, const tenure_tensor *expanded, const tenure_context *context);
typedef struct tenure_Unsqueeze_23_attributes {
    tenure_ints axes; /* of the operand */
} tenure_Unsqueeze_23_attributes;
int tenure_Unsqueeze_23(const tenure_Unsqueeze_23_attributes *attributes, const tenure_tensor *data, const tenure_tensor *axes, const tenure_tensor *expanded, const tenure_context *context);
typedef struct tenure_Unsqueeze_24_attributes {
    tenure_ints axes; /* of the operand */
} tenure_Unsqueeze_24_attributes;
int tenure_Unsqueeze_24(const tenure_Unsqueeze_24_attributes *attributes, const tenure_tensor *data, const tenure_tensor *axes, const tenure_tensor *expanded, const tenure_context *context);
typedef struct tenure_Unsqueeze_25_attributes {
    tenure_ints axes; /* of the operand */
} tenure_Unsqueeze_25_attributes;
int tenure_Unsqueeze_25(const tenure_Unsqueeze_25_attributes *attributes, const tenure_tensor *data, const tenure_tensor *axes, const tenure_tensor *expanded, const tenure_context *context);

/* CenterCropPad: cut or padded about the centre to a given shape. */
typedef struct tenure_CenterCropPad_18_attributes {
    tenure_ints axes;
    tenure_ints shape; /* of the operand */
} tenure_CenterCropPad_18_attributes;
int tenure_CenterCropPad_18(const tenure_CenterCropPad_18_attributes *attributes, const tenure_tensor *input_data, const tenure_tensor *shape, const tenure_tensor *output_data, const tenure_context *context);

/* DepthToSpace: channels moved into blocks of the image. */
typedef struct tenure_DepthToSpace_1_attributes {
    int64_t blocksize;
} tenure_DepthToSpace_1_attributes;
int tenure_DepthToSpace_1(const tenure_DepthToSpace_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_DepthToSpace_11_attributes {
    int64_t blocksize;
    const char *mode;
} tenure_DepthToSpace_11_attributes;
int tenure_DepthToSpace_11(const tenure_DepthToSpace_11_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_DepthToSpace_13_attributes {
    int64_t blocksize;
    const char *mode;
} tenure_DepthToSpace_13_attributes;
int tenure_DepthToSpace_13(const tenure_DepthToSpace_13_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_DepthToSpace_28_attributes {
    int64_t blocksize;
    const char *mode;
} tenure_DepthToSpace_28_attributes;
int tenure_DepthToSpace_28(const tenure_DepthToSpace_28_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* Expand: broadcast to a given shape. */
typedef struct tenure_Expand_8_attributes {
    tenure_ints shape; /* of the operand */
} tenure_Expand_8_attributes;
int tenure_Expand_8(const tenure_Expand_8_attributes *attributes, const tenure_tensor *input, const tenure_tensor *shape, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_Expand_13_attributes {
    tenure_ints shape; /* of the operand */
} tenure_Expand_13_attributes;
int tenure_Expand_13(const tenure_Expand_13_attributes *attributes, const tenure_tensor *input, const tenure_tensor *shape, const tenure_tensor *output, const tenure_context *context);

/* Pad: borders added to (or cut from) each axis. */
typedef struct tenure_Pad_1_attributes {
    const char *mode;
    tenure_ints paddings;
    float value;
} tenure_Pad_1_attributes;
int tenure_Pad_1(const tenure_Pad_1_attributes *attributes, const tenure_tensor *data, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_Pad_2_attributes {
    const char *mode;
    float value;
    tenure_ints pads;
} tenure_Pad_2_attributes;
int tenure_Pad_2(const tenure_Pad_2_attributes *attributes, const tenure_tensor *data, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_Pad_11_attributes {
    const char *mode;
    tenure_ints pads; /* of the operand */
} tenure_Pad_11_attributes;
int tenure_Pad_11(const tenure_Pad_11_attributes *attributes, const tenure_tensor *data, const tenure_tensor *pads, const tenure_tensor *constant_value, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_Pad_13_attributes {
    const char *mode;
    tenure_ints pads; /* of the operand */
} tenure_Pad_13_attributes;
int tenure_Pad_13(const tenure_Pad_13_attributes *attributes, const tenure_tensor *data, const tenure_tensor *pads, const tenure_tensor *constant_value, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_Pad_18_attributes {
    const char *mode;
    tenure_ints pads; /* of the operand */
    tenure_ints axes; /* of the operand */
} tenure_Pad_18_attributes;
int tenure_Pad_18(const tenure_Pad_18_attributes *attributes, const tenure_tensor *data, const tenure_tensor *pads, const tenure_tensor *constant_value, const tenure_tensor *axes, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_Pad_19_attributes {
    const char *mode;
    tenure_ints pads; /* of the operand */
    tenure_ints axes; /* of the operand */
} tenure_Pad_19_attributes;
int tenure_Pad_19(const tenure_Pad_19_attributes *attributes, const tenure_tensor *data, const tenure_tensor *pads, const tenure_tensor *constant_value, const tenure_tensor *axes, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_Pad_21_attributes {
    const char *mode;
    tenure_ints pads; /* of the operand */
    tenure_ints axes; /* of the operand */
} tenure_Pad_21_attributes;
int tenure_Pad_21(const tenure_Pad_21_attributes *attributes, const tenure_tensor *data, const tenure_tensor *pads, const tenure_tensor *constant_value, const tenure_tensor *axes, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_Pad_23_attributes {
    const char *mode;
    tenure_ints pads; /* of the operand */
    tenure_ints axes; /* of the operand */
} tenure_Pad_23_attributes;
int tenure_Pad_23(const tenure_Pad_23_attributes *attributes, const tenure_tensor *data, const tenure_tensor *pads, const tenure_tensor *constant_value, const tenure_tensor *axes, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_Pad_24_attributes {
    const char *mode;
    tenure_ints pads; /* of the operand */
    tenure_ints axes; /* of the operand */
} tenure_Pad_24_attributes;
int tenure_Pad_24(const tenure_Pad_24_attributes *attributes, const tenure_tensor *data, const tenure_tensor *pads, const tenure_tensor *constant_value, const tenure_tensor *axes, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_Pad_25_attributes {
    const char *mode;
    tenure_ints pads; /* of the operand */
    tenure_ints axes; /* of the operand */
} tenure_Pad_25_attributes;
int tenure_Pad_25(const tenure_Pad_25_attributes *attributes, const tenure_tensor *data, const tenure_tensor *pads, const tenure_tensor *constant_value, const tenure_tensor *axes, const tenure_tensor *output, const tenure_context *context);

/* ReverseSequence: the first elements of each sequence in reverse order. */
typedef struct tenure_ReverseSequence_10_attributes {
    int64_t batch_axis;
    int64_t time_axis;
} tenure_ReverseSequence_10_attributes;
int tenure_ReverseSequence_10(const tenure_ReverseSequence_10_attributes *attributes, const tenure_tensor *input, const tenure_tensor *sequence_lens, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_ReverseSequence_28_attributes {
    int64_t batch_axis;
    int64_t time_axis;
} tenure_ReverseSequence_28_attributes;
int tenure_ReverseSequence_28(const tenure_ReverseSequence_28_attributes *attributes, const tenure_tensor *input, const tenure_tensor *sequence_lens, const tenure_tensor *Y, const tenure_context *context);

/* SpaceToDepth: blocks of the image moved into channels. */
typedef struct tenure_SpaceToDepth_1_attributes {
    int64_t blocksize;
} tenure_SpaceToDepth_1_attributes;
int tenure_SpaceToDepth_1(const tenure_SpaceToDepth_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_SpaceToDepth_13_attributes {
    int64_t blocksize;
} tenure_SpaceToDepth_13_attributes;
int tenure_SpaceToDepth_13(const tenure_SpaceToDepth_13_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_SpaceToDepth_28_attributes {
    int64_t blocksize;
    const char *mode;
} tenure_SpaceToDepth_28_attributes;
int tenure_SpaceToDepth_28(const tenure_SpaceToDepth_28_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* Tile: repeated along each axis. */
typedef struct tenure_Tile_1_attributes {
    tenure_ints repeats; /* of the operand */
} tenure_Tile_1_attributes;
int tenure_Tile_1(const tenure_Tile_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *repeats, const tenure_tensor *axis, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_Tile_6_attributes {
    tenure_ints repeats; /* of the operand */
} tenure_Tile_6_attributes;
int tenure_Tile_6(const tenure_Tile_6_attributes *attributes, const tenure_tensor *input, const tenure_tensor *repeats, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_Tile_13_attributes {
    tenure_ints repeats; /* of the operand */
} tenure_Tile_13_attributes;
int tenure_Tile_13(const tenure_Tile_13_attributes *attributes, const tenure_tensor *input, const tenure_tensor *repeats, const tenure_tensor *output, const tenure_context *context);

/* Transpose: axes in another order. */
typedef struct tenure_Transpose_1_attributes {
    tenure_ints perm;
} tenure_Transpose_1_attributes;
int tenure_Transpose_1(const tenure_Transpose_1_attributes *attributes, const tenure_tensor *data, const tenure_tensor *transposed, const tenure_context *context);
typedef struct tenure_Transpose_13_attributes {
    tenure_ints perm;
} tenure_Transpose_13_attributes;
int tenure_Transpose_13(const tenure_Transpose_13_attributes *attributes, const tenure_tensor *data, const tenure_tensor *transposed, const tenure_context *context);
typedef struct tenure_Transpose_21_attributes {
    tenure_ints perm;
} tenure_Transpose_21_attributes;
int tenure_Transpose_21(const tenure_Transpose_21_attributes *attributes, const tenure_tensor *data, const tenure_tensor *transposed, const tenure_context *context);
typedef struct tenure_Transpose_23_attributes {
    tenure_ints perm;
} tenure_Transpose_23_attributes;
int tenure_Transpose_23(const tenure_Transpose_23_attributes *attributes, const tenure_tensor *data, const tenure_tensor *transposed, const tenure_context *context);
typedef struct tenure_Transpose_24_attributes {
    tenure_ints perm;
} tenure_Transpose_24_attributes;
int tenure_Transpose_24(const tenure_Transpose_24_attributes *attributes, const tenure_tensor *data, const tenure_tensor *transposed, const tenure_context *context);
typedef struct tenure_Transpose_25_attributes {
    tenure_ints perm;
} tenure_Transpose_25_attributes;
int tenure_Transpose_25(const tenure_Transpose_25_attributes *attributes, const tenure_tensor *data, const tenure_tensor *transposed, const tenure_context *context);

/* Trilu: the upper or lower triangle, 0 elsewhere. */
typedef struct tenure_Trilu_14_attributes {
    int64_t upper;
} tenure_Trilu_14_attributes;
int tenure_Trilu_14(const tenure_Trilu_14_attributes *attributes, const tenure_tensor *input, const tenure_tensor *k, const tenure_tensor *output, const tenure_context *context);

/* Concat: operands joined along an axis. */
typedef struct tenure_Concat_1_attributes {
    int64_t axis;
    uint8_t has_axis;
} tenure_Concat_1_attributes;
int tenure_Concat_1(const tenure_Concat_1_attributes *attributes, const tenure_tensor *const *inputs, uint32_t n_inputs, const tenure_tensor *concat_result, const tenure_context *context);
typedef struct tenure_Concat_4_attributes {
    int64_t axis;
} tenure_Concat_4_attributes;
int tenure_Concat_4(const tenure_Concat_4_attributes *attributes, const tenure_tensor *const *inputs, uint32_t n_inputs, const tenure_tensor *concat_result, const tenure_context *context);
typedef struct tenure_Concat_11_attributes {
    int64_t axis;
} tenure_Concat_11_attributes;
int tenure_Concat_11(const tenure_Concat_11_attributes *attributes, const tenure_tensor *const *inputs, uint32_t n_inputs, const tenure_tensor *concat_result, const tenure_context *context);
typedef struct tenure_Concat_13_attributes {
    int64_t axis;
} tenure_Concat_13_attributes;
int tenure_Concat_13(const tenure_Concat_13_attributes *attributes, const tenure_tensor *const *inputs, uint32_t n_inputs, const tenure_tensor *concat_result, const tenure_context *context);

/* Split: cut into parts along an axis. */
typedef struct tenure_Split_1_attributes {
    int64_t axis;
    uint8_t has_axis;
    tenure_ints split;
} tenure_Split_1_attributes;
int tenure_Split_1(const tenure_Split_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *split, const tenure_tensor *const *outputs, uint32_t n_outputs, const tenure_context *context);
typedef struct tenure_Split_2_attributes {
    int64_t axis;
    tenure_ints split;
} tenure_Split_2_attributes;
int tenure_Split_2(const tenure_Split_2_attributes *attributes, const tenure_tensor *input, const tenure_tensor *const *outputs, uint32_t n_outputs, const tenure_context *context);
typedef struct tenure_Split_11_attributes {
    int64_t axis;
    tenure_ints split;
} tenure_Split_11_attributes;
int tenure_Split_11(const tenure_Split_11_attributes *attributes, const tenure_tensor *input, const tenure_tensor *const *outputs, uint32_t n_outputs, const tenure_context *context);
typedef struct tenure_Split_13_attributes {
    int64_t axis;
    tenure_ints split; /* of the operand */
} tenure_Split_13_attributes;
int tenure_Split_13(const tenure_Split_13_attributes *attributes, const tenure_tensor *input, const tenure_tensor *split, const tenure_tensor *const *outputs, uint32_t n_outputs, const tenure_context *context);
typedef struct tenure_Split_18_attributes {
    int64_t axis;
    int64_t num_outputs;
    uint8_t has_num_outputs;
    tenure_ints split; /* of the operand */
} tenure_Split_18_attributes;
int tenure_Split_18(const tenure_Split_18_attributes *attributes, const tenure_tensor *input, const tenure_tensor *split, const tenure_tensor *const *outputs, uint32_t n_outputs, const tenure_context *context);

/* Slice: a regular part along some axes. */
typedef struct tenure_Slice_1_attributes {
    tenure_ints axes;
    tenure_ints ends;
    tenure_ints starts;
} tenure_Slice_1_attributes;
int tenure_Slice_1(const tenure_Slice_1_attributes *attributes, const tenure_tensor *data, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_Slice_10_attributes {
    tenure_ints starts; /* of the operand */
    tenure_ints ends; /* of the operand */
    tenure_ints axes; /* of the operand */
    tenure_ints steps; /* of the operand */
} tenure_Slice_10_attributes;
int tenure_Slice_10(const tenure_Slice_10_attributes *attributes, const tenure_tensor *data, const tenure_tensor *starts, const tenure_tensor *ends, const tenure_tensor *axes, const tenure_tensor *steps, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_Slice_11_attributes {
    tenure_ints starts; /* of the operand */
    tenure_ints ends; /* of the operand */
    tenure_ints axes; /* of the operand */
    tenure_ints steps; /* of the operand */
} tenure_Slice_11_attributes;
int tenure_Slice_11(const tenure_Slice_11_attributes *attributes, const tenure_tensor *data, const tenure_tensor *starts, const tenure_tensor *ends, const tenure_tensor *axes, const tenure_tensor *steps, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_Slice_13_attributes {
    tenure_ints starts; /* of the operand */
    tenure_ints ends; /* of the operand */
    tenure_ints axes; /* of the operand */
    tenure_ints steps; /* of the operand */
} tenure_Slice_13_attributes;
int tenure_Slice_13(const tenure_Slice_13_attributes *attributes, const tenure_tensor *data, const tenure_tensor *starts, const tenure_tensor *ends, const tenure_tensor *axes, const tenure_tensor *steps, const tenure_tensor *output, const tenure_context *context);

/* Compress: slices for which a condition holds. */
typedef struct tenure_Compress_9_attributes {
    int64_t axis;
    uint8_t has_axis;
} tenure_Compress_9_attributes;
int tenure_Compress_9(const tenure_Compress_9_attributes *attributes, const tenure_tensor *input, const tenure_tensor *condition, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_Compress_11_attributes {
    int64_t axis;
    uint8_t has_axis;
} tenure_Compress_11_attributes;
int tenure_Compress_11(const tenure_Compress_11_attributes *attributes, const tenure_tensor *input, const tenure_tensor *condition, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_Compress_28_attributes {
    int64_t axis;
    uint8_t has_axis;
} tenure_Compress_28_attributes;
int tenure_Compress_28(const tenure_Compress_28_attributes *attributes, const tenure_tensor *input, const tenure_tensor *condition, const tenure_tensor *output, const tenure_context *context);

/* Gather: slices picked by index along an axis. */
typedef struct tenure_Gather_1_attributes {
    int64_t axis;
} tenure_Gather_1_attributes;
int tenure_Gather_1(const tenure_Gather_1_attributes *attributes, const tenure_tensor *data, const tenure_tensor *indices, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_Gather_11_attributes {
    int64_t axis;
} tenure_Gather_11_attributes;
int tenure_Gather_11(const tenure_Gather_11_attributes *attributes, const tenure_tensor *data, const tenure_tensor *indices, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_Gather_13_attributes {
    int64_t axis;
} tenure_Gather_13_attributes;
int tenure_Gather_13(const tenure_Gather_13_attributes *attributes, const tenure_tensor *data, const tenure_tensor *indices, const tenure_tensor *output, const tenure_context *context);

/* GatherElements: elements picked by index along an axis. */
typedef struct tenure_GatherElements_11_attributes {
    int64_t axis;
} tenure_GatherElements_11_attributes;
int tenure_GatherElements_11(const tenure_GatherElements_11_attributes *attributes, const tenure_tensor *data, const tenure_tensor *indices, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_GatherElements_13_attributes {
    int64_t axis;
} tenure_GatherElements_13_attributes;
int tenure_GatherElements_13(const tenure_GatherElements_13_attributes *attributes, const tenure_tensor *data, const tenure_tensor *indices, const tenure_tensor *output, const tenure_context *context);

/* GatherND: slices picked by index tuples. */
int tenure_GatherND_11(const tenure_tensor *data, const tenure_tensor *indices, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_GatherND_12_attributes {
    int64_t batch_dims;
} tenure_GatherND_12_attributes;
int tenure_GatherND_12(const tenure_GatherND_12_attributes *attributes, const tenure_tensor *data, const tenure_tensor *indices, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_GatherND_13_attributes {
    int64_t batch_dims;
} tenure_GatherND_13_attributes;
int tenure_GatherND_13(const tenure_GatherND_13_attributes *attributes, const tenure_tensor *data, const tenure_tensor *indices, const tenure_tensor *output, const tenure_context *context);

/* NonZero: indices of the elements that are not 0. */
int tenure_NonZero_9(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
int tenure_NonZero_13(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* OneHot: a vector with one set element for each index. */
typedef struct tenure_OneHot_9_attributes {
    int64_t axis;
    tenure_ints depth; /* of the operand */
} tenure_OneHot_9_attributes;
int tenure_OneHot_9(const tenure_OneHot_9_attributes *attributes, const tenure_tensor *indices, const tenure_tensor *depth, const tenure_tensor *values, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_OneHot_11_attributes {
    int64_t axis;
    tenure_ints depth; /* of the operand */
} tenure_OneHot_11_attributes;
int tenure_OneHot_11(const tenure_OneHot_11_attributes *attributes, const tenure_tensor *indices, const tenure_tensor *depth, const tenure_tensor *values, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_OneHot_28_attributes {
    int64_t axis;
    tenure_ints depth; /* of the operand */
} tenure_OneHot_28_attributes;
int tenure_OneHot_28(const tenure_OneHot_28_attributes *attributes, const tenure_tensor *indices, const tenure_tensor *depth, const tenure_tensor *values, const tenure_tensor *output, const tenure_context *context);

/* TopK: the k largest or smallest elements along an axis. */
typedef struct tenure_TopK_1_attributes {
    int64_t axis;
    int64_t k;
} tenure_TopK_1_attributes;
int tenure_TopK_1(const tenure_TopK_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Values, const tenure_tensor *Indices, const tenure_context *context);
typedef struct tenure_TopK_10_attributes {
    int64_t axis;
    tenure_ints K; /* of the operand */
} tenure_TopK_10_attributes;
int tenure_TopK_10(const tenure_TopK_10_attributes *attributes, const tenure_tensor *X, const tenure_tensor *K, const tenure_tensor *Values, const tenure_tensor *Indices, const tenure_context *context);
typedef struct tenure_TopK_11_attributes {
    int64_t axis;
    int64_t largest;
    int64_t sorted;
    tenure_ints K; /* of the operand */
} tenure_TopK_11_attributes;
int tenure_TopK_11(const tenure_TopK_11_attributes *attributes, const tenure_tensor *X, const tenure_tensor *K, const tenure_tensor *Values, const tenure_tensor *Indices, const tenure_context *context);
typedef struct tenure_TopK_24_attributes {
    int64_t axis;
    int64_t largest;
    int64_t sorted;
    tenure_ints K; /* of the operand */
} tenure_TopK_24_attributes;
int tenure_TopK_24(const tenure_TopK_24_attributes *attributes, const tenure_tensor *X, const tenure_tensor *K, const tenure_tensor *Values, const tenure_tensor *Indices, const tenure_context *context);

/* Unique: distinct elements or slices. */
typedef struct tenure_Unique_11_attributes {
    int64_t axis;
    uint8_t has_axis;
    int64_t sorted;
} tenure_Unique_11_attributes;
int tenure_Unique_11(const tenure_Unique_11_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_tensor *indices, const tenure_tensor *inverse_indices, const tenure_tensor *counts, const tenure_context *context);
typedef struct tenure_Unique_28_attributes {
    int64_t axis;
    uint8_t has_axis;
    int64_t sorted;
} tenure_Unique_28_attributes;
int tenure_Unique_28(const tenure_Unique_28_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_tensor *indices, const tenure_tensor *inverse_indices, const tenure_tensor *counts, const tenure_context *context);

/* Scatter: elements written by index along an axis; ScatterElements replaced it. */
typedef struct tenure_Scatter_9_attributes {
    int64_t axis;
} tenure_Scatter_9_attributes;
int tenure_Scatter_9(const tenure_Scatter_9_attributes *attributes, const tenure_tensor *data, const tenure_tensor *indices, const tenure_tensor *updates, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_Scatter_11_attributes {
    int64_t axis;
} tenure_Scatter_11_attributes;
int tenure_Scatter_11(const tenure_Scatter_11_attributes *attributes, const tenure_tensor *data, const tenure_tensor *indices, const tenure_tensor *updates, const tenure_tensor *output, const tenure_context *context);

/* ScatterElements: elements written by index along an axis. */
typedef struct tenure_ScatterElements_11_attributes {
    int64_t axis;
} tenure_ScatterElements_11_attributes;
int tenure_ScatterElements_11(const tenure_ScatterElements_11_attributes *attributes, const tenure_tensor *data, const tenure_tensor *indices, const tenure_tensor *updates, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_ScatterElements_13_attributes {
    int64_t axis;
} tenure_ScatterElements_13_attributes;
int tenure_ScatterElements_13(const tenure_ScatterElements_13_attributes *attributes, const tenure_tensor *data, const tenure_tensor *indices, const tenure_tensor *updates, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_ScatterElements_16_attributes {
    int64_t axis;
    const char *reduction;
} tenure_ScatterElements_16_attributes;
int tenure_ScatterElements_16(const tenure_ScatterElements_16_attributes *attributes, const tenure_tensor *data, const tenure_tensor *indices, const tenure_tensor *updates, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_ScatterElements_18_attributes {
    int64_t axis;
    const char *reduction;
} tenure_ScatterElements_18_attributes;
int tenure_ScatterElements_18(const tenure_ScatterElements_18_attributes *attributes, const tenure_tensor *data, const tenure_tensor *indices, const tenure_tensor *updates, const tenure_tensor *output, const tenure_context *context);

/* ScatterND: slices written by index tuples. */
int tenure_ScatterND_11(const tenure_tensor *data, const tenure_tensor *indices, const tenure_tensor *updates, const tenure_tensor *output, const tenure_context *context);
int tenure_ScatterND_13(const tenure_tensor *data, const tenure_tensor *indices, const tenure_tensor *updates, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_ScatterND_16_attributes {
    const char *reduction;
} tenure_ScatterND_16_attributes;
int tenure_ScatterND_16(const tenure_ScatterND_16_attributes *attributes, const tenure_tensor *data, const tenure_tensor *indices, const tenure_tensor *updates, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_ScatterND_18_attributes {
    const char *reduction;
} tenure_ScatterND_18_attributes;
int tenure_ScatterND_18(const tenure_ScatterND_18_attributes *attributes, const tenure_tensor *data, const tenure_tensor *indices, const tenure_tensor *updates, const tenure_tensor *output, const tenure_context *context);

/* TensorScatter: new entries written into a cache along one axis. */
typedef struct tenure_TensorScatter_24_attributes {
    int64_t axis;
    const char *mode;
} tenure_TensorScatter_24_attributes;
int tenure_TensorScatter_24(const tenure_TensorScatter_24_attributes *attributes, const tenure_tensor *past_cache, const tenure_tensor *update, const tenure_tensor *write_indices, const tenure_tensor *present_cache, const tenure_context *context);

/* ConstantOfShape: one value repeated to a given shape. */
typedef struct tenure_ConstantOfShape_9_attributes {
    const tenure_tensor *value;
    tenure_ints input; /* of the operand */
} tenure_ConstantOfShape_9_attributes;
int tenure_ConstantOfShape_9(const tenure_ConstantOfShape_9_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_ConstantOfShape_20_attributes {
    const tenure_tensor *value;
    tenure_ints input; /* of the operand */
} tenure_ConstantOfShape_20_attributes;
int tenure_ConstantOfShape_20(const tenure_ConstantOfShape_20_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_ConstantOfShape_21_attributes {
    const tenure_tensor *value;
    tenure_ints input; /* of the operand */
} tenure_ConstantOfShape_21_attributes;
int tenure_ConstantOfShape_21(const tenure_ConstantOfShape_21_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_ConstantOfShape_23_attributes {
    const tenure_tensor *value;
    tenure_ints input; /* of the operand */
} tenure_ConstantOfShape_23_attributes;
int tenure_ConstantOfShape_23(const tenure_ConstantOfShape_23_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_ConstantOfShape_24_attributes {
    const tenure_tensor *value;
    tenure_ints input; /* of the operand */
} tenure_ConstantOfShape_24_attributes;
int tenure_ConstantOfShape_24(const tenure_ConstantOfShape_24_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_ConstantOfShape_25_attributes {
    const tenure_tensor *value;
    tenure_ints input; /* of the operand */
} tenure_ConstantOfShape_25_attributes;
int tenure_ConstantOfShape_25(const tenure_ConstantOfShape_25_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* EyeLike: ones on a diagonal, shaped like the operand. */
typedef struct tenure_EyeLike_9_attributes {
    int64_t dtype;
    uint8_t has_dtype;
    int64_t k;
} tenure_EyeLike_9_attributes;
int tenure_EyeLike_9(const tenure_EyeLike_9_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_EyeLike_22_attributes {
    int64_t dtype;
    uint8_t has_dtype;
    int64_t k;
} tenure_EyeLike_22_attributes;
int tenure_EyeLike_22(const tenure_EyeLike_22_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* Range: numbers from a start to a limit by a step. */
int tenure_Range_11(const tenure_tensor *start, const tenure_tensor *limit, const tenure_tensor *delta, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_Range_27_attributes {
    int64_t stash_type;
} tenure_Range_27_attributes;
int tenure_Range_27(const tenure_Range_27_attributes *attributes, const tenure_tensor *start, const tenure_tensor *limit, const tenure_tensor *delta, const tenure_tensor *output, const tenure_context *context);

/* Shape: the extents of the operand. */
int tenure_Shape_1(const tenure_tensor *data, const tenure_tensor *shape, const tenure_context *context);
int tenure_Shape_13(const tenure_tensor *data, const tenure_tensor *shape, const tenure_context *context);
typedef struct tenure_Shape_15_attributes {
    int64_t end;
    uint8_t has_end;
    int64_t start;
} tenure_Shape_15_attributes;
int tenure_Shape_15(const tenure_Shape_15_attributes *attributes, const tenure_tensor *data, const tenure_tensor *shape, const tenure_context *context);
typedef struct tenure_Shape_19_attributes {
    int64_t end;
    uint8_t has_end;
    int64_t start;
} tenure_Shape_19_attributes;
int tenure_Shape_19(const tenure_Shape_19_attributes *attributes, const tenure_tensor *data, const tenure_tensor *shape, const tenure_context *context);
typedef struct tenure_Shape_21_attributes {
    int64_t end;
    uint8_t has_end;
    int64_t start;
} tenure_Shape_21_attributes;
int tenure_Shape_21(const tenure_Shape_21_attributes *attributes, const tenure_tensor *data, const tenure_tensor *shape, const tenure_context *context);
typedef struct tenure_Shape_23_attributes {
    int64_t end;
    uint8_t has_end;
    int64_t start;
} tenure_Shape_23_attributes;
int tenure_Shape_23(const tenure_Shape_23_attributes *attributes, const tenure_tensor *data, const tenure_tensor *shape, const tenure_context *context);
typedef struct tenure_Shape_24_attributes {
    int64_t end;
    uint8_t has_end;
    int64_t start;
} tenure_Shape_24_attributes;
int tenure_Shape_24(const tenure_Shape_24_attributes *attributes, const tenure_tensor *data, const tenure_tensor *shape, const tenure_context *context);
typedef struct tenure_Shape_25_attributes {
    int64_t end;
    uint8_t has_end;
    int64_t start;
} tenure_Shape_25_attributes;
int tenure_Shape_25(const tenure_Shape_25_attributes *attributes, const tenure_tensor *data, const tenure_tensor *shape, const tenure_context *context);

/* Size: the number of elements of the operand. */
int tenure_Size_1(const tenure_tensor *data, const tenure_tensor *size, const tenure_context *context);
int tenure_Size_13(const tenure_tensor *data, const tenure_tensor *size, const tenure_context *context);
int tenure_Size_19(const tenure_tensor *data, const tenure_tensor *size, const tenure_context *context);
int tenure_Size_21(const tenure_tensor *data, const tenure_tensor *size, const tenure_context *context);
int tenure_Size_23(const tenure_tensor *data, const tenure_tensor *size, const tenure_context *context);
int tenure_Size_24(const tenure_tensor *data, const tenure_tensor *size, const tenure_context *context);
int tenure_Size_25(const tenure_tensor *data, const tenure_tensor *size, const tenure_context *context);

/* Bernoulli: 0 or 1, drawn with the operand as probability. */
typedef struct tenure_Bernoulli_15_attributes {
    int64_t dtype;
    uint8_t has_dtype;
    float seed;
    uint8_t has_seed;
} tenure_Bernoulli_15_attributes;
int tenure_Bernoulli_15(const tenure_Bernoulli_15_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_Bernoulli_22_attributes {
    int64_t dtype;
    uint8_t has_dtype;
    float seed;
    uint8_t has_seed;
} tenure_Bernoulli_22_attributes;
int tenure_Bernoulli_22(const tenure_Bernoulli_22_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* Multinomial: classes drawn from unnormalised log-probabilities. */
typedef struct tenure_Multinomial_7_attributes {
    int64_t dtype;
    int64_t sample_size;
    float seed;
    uint8_t has_seed;
} tenure_Multinomial_7_attributes;
int tenure_Multinomial_7(const tenure_Multinomial_7_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_Multinomial_22_attributes {
    int64_t dtype;
    int64_t sample_size;
    float seed;
    uint8_t has_seed;
} tenure_Multinomial_22_attributes;
int tenure_Multinomial_22(const tenure_Multinomial_22_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* RandomNormal: normally distributed numbers of a given shape. */
typedef struct tenure_RandomNormal_1_attributes {
    int64_t dtype;
    float mean;
    float scale;
    float seed;
    uint8_t has_seed;
    tenure_ints shape;
} tenure_RandomNormal_1_attributes;
int tenure_RandomNormal_1(const tenure_RandomNormal_1_attributes *attributes, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_RandomNormal_22_attributes {
    int64_t dtype;
    float mean;
    float scale;
    float seed;
    uint8_t has_seed;
    tenure_ints shape;
} tenure_RandomNormal_22_attributes;
int tenure_RandomNormal_22(const tenure_RandomNormal_22_attributes *attributes, const tenure_tensor *output, const tenure_context *context);

/* RandomNormalLike: normally distributed numbers shaped like the operand. */
typedef struct tenure_RandomNormalLike_1_attributes {
    int64_t dtype;
    uint8_t has_dtype;
    float mean;
    float scale;
    float seed;
    uint8_t has_seed;
} tenure_RandomNormalLike_1_attributes;
int tenure_RandomNormalLike_1(const tenure_RandomNormalLike_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_RandomNormalLike_22_attributes {
    int64_t dtype;
    uint8_t has_dtype;
    float mean;
    float scale;
    float seed;
    uint8_t has_seed;
} tenure_RandomNormalLike_22_attributes;
int tenure_RandomNormalLike_22(const tenure_RandomNormalLike_22_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* RandomUniform: uniformly distributed numbers of a given shape. */
typedef struct tenure_RandomUniform_1_attributes {
    int64_t dtype;
    float high;
    float low;
    float seed;
    uint8_t has_seed;
    tenure_ints shape;
} tenure_RandomUniform_1_attributes;
int tenure_RandomUniform_1(const tenure_RandomUniform_1_attributes *attributes, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_RandomUniform_22_attributes {
    int64_t dtype;
    float high;
    float low;
    float seed;
    uint8_t has_seed;
    tenure_ints shape;
} tenure_RandomUniform_22_attributes;
int tenure_RandomUniform_22(const tenure_RandomUniform_22_attributes *attributes, const tenure_tensor *output, const tenure_context *context);

/* RandomUniformLike: uniformly distributed numbers shaped like the operand. */
typedef struct tenure_RandomUniformLike_1_attributes {
    int64_t dtype;
    uint8_t has_dtype;
    float high;
    float low;
    float seed;
    uint8_t has_seed;
} tenure_RandomUniformLike_1_attributes;
int tenure_RandomUniformLike_1(const tenure_RandomUniformLike_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_RandomUniformLike_22_attributes {
    int64_t dtype;
    uint8_t has_dtype;
    float high;
    float low;
    float seed;
    uint8_t has_seed;
} tenure_RandomUniformLike_22_attributes;
int tenure_RandomUniformLike_22(const tenure_RandomUniformLike_22_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* DequantizeLinear: whole numbers scaled back to floats. */
int tenure_DequantizeLinear_10(const tenure_tensor *x, const tenure_tensor *x_scale, const tenure_tensor *x_zero_point, const tenure_tensor *y, const tenure_context *context);
typedef struct tenure_DequantizeLinear_13_attributes {
    int64_t axis;
} tenure_DequantizeLinear_13_attributes;
int tenure_DequantizeLinear_13(const tenure_DequantizeLinear_13_attributes *attributes, const tenure_tensor *x, const tenure_tensor *x_scale, const tenure_tensor *x_zero_point, const tenure_tensor *y, const tenure_context *context);
typedef struct tenure_DequantizeLinear_19_attributes {
    int64_t axis;
} tenure_DequantizeLinear_19_attributes;
int tenure_DequantizeLinear_19(const tenure_DequantizeLinear_19_attributes *attributes, const tenure_tensor *x, const tenure_tensor *x_scale, const tenure_tensor *x_zero_point, const tenure_tensor *y, const tenure_context *context);
typedef struct tenure_DequantizeLinear_21_attributes {
    int64_t axis;
    int64_t block_size;
} tenure_DequantizeLinear_21_attributes;
int tenure_DequantizeLinear_21(const tenure_DequantizeLinear_21_attributes *attributes, const tenure_tensor *x, const tenure_tensor *x_scale, const tenure_tensor *x_zero_point, const tenure_tensor *y, const tenure_context *context);
typedef struct tenure_DequantizeLinear_23_attributes {
    int64_t axis;
    int64_t block_size;
    int64_t output_dtype;
} tenure_DequantizeLinear_23_attributes;
int tenure_DequantizeLinear_23(const tenure_DequantizeLinear_23_attributes *attributes, const tenure_tensor *x, const tenure_tensor *x_scale, const tenure_tensor *x_zero_point, const tenure_tensor *y, const tenure_context *context);
typedef struct tenure_DequantizeLinear_24_attributes {
    int64_t axis;
    int64_t block_size;
    int64_t output_dtype;
} tenure_DequantizeLinear_24_attributes;
int tenure_DequantizeLinear_24(const tenure_DequantizeLinear_24_attributes *attributes, const tenure_tensor *x, const tenure_tensor *x_scale, const tenure_tensor *x_zero_point, const tenure_tensor *y, const tenure_context *context);
typedef struct tenure_DequantizeLinear_25_attributes {
    int64_t axis;
    int64_t block_size;
    int64_t output_dtype;
} tenure_DequantizeLinear_25_attributes;
int tenure_DequantizeLinear_25(const tenure_DequantizeLinear_25_attributes *attributes, const tenure_tensor *x, const tenure_tensor *x_scale, const tenure_tensor *x_zero_point, const tenure_tensor *y, const tenure_context *context);
typedef struct tenure_DequantizeLinear_28_attributes {
    int64_t axis;
    int64_t block_size;
    int64_t output_dtype;
} tenure_DequantizeLinear_28_attributes;
int tenure_DequantizeLinear_28(const tenure_DequantizeLinear_28_attributes *attributes, const tenure_tensor *x, const tenure_tensor *x_scale, const tenure_tensor *x_zero_point, const tenure_tensor *y, const tenure_context *context);

/* DynamicQuantizeLinear: floats quantised to u8 with a scale found on the way. */
int tenure_DynamicQuantizeLinear_11(const tenure_tensor *x, const tenure_tensor *y, const tenure_tensor *y_scale, const tenure_tensor *y_zero_point, const tenure_context *context);

/* QuantizeLinear: floats scaled and rounded to whole numbers. */
int tenure_QuantizeLinear_10(const tenure_tensor *x, const tenure_tensor *y_scale, const tenure_tensor *y_zero_point, const tenure_tensor *y, const tenure_context *context);
typedef struct tenure_QuantizeLinear_13_attributes {
    int64_t axis;
} tenure_QuantizeLinear_13_attributes;
int tenure_QuantizeLinear_13(const tenure_QuantizeLinear_13_attributes *attributes, const tenure_tensor *x, const tenure_tensor *y_scale, const tenure_tensor *y_zero_point, const tenure_tensor *y, const tenure_context *context);
typedef struct tenure_QuantizeLinear_19_attributes {
    int64_t axis;
    int64_t saturate;
} tenure_QuantizeLinear_19_attributes;
int tenure_QuantizeLinear_19(const tenure_QuantizeLinear_19_attributes *attributes, const tenure_tensor *x, const tenure_tensor *y_scale, const tenure_tensor *y_zero_point, const tenure_tensor *y, const tenure_context *context);
typedef struct tenure_QuantizeLinear_21_attributes {
    int64_t axis;
    int64_t block_size;
    int64_t output_dtype;
    int64_t saturate;
} tenure_QuantizeLinear_21_attributes;
int tenure_QuantizeLinear_21(const tenure_QuantizeLinear_21_attributes *attributes, const tenure_tensor *x, const tenure_tensor *y_scale, const tenure_tensor *y_zero_point, const tenure_tensor *y, const tenure_context *context);
typedef struct tenure_QuantizeLinear_23_attributes {
    int64_t axis;
    int64_t block_size;
    int64_t output_dtype;
    int64_t precision;
    int64_t saturate;
} tenure_QuantizeLinear_23_attributes;
int tenure_QuantizeLinear_23(const tenure_QuantizeLinear_23_attributes *attributes, const tenure_tensor *x, const tenure_tensor *y_scale, const tenure_tensor *y_zero_point, const tenure_tensor *y, const tenure_context *context);
typedef struct tenure_QuantizeLinear_24_attributes {
    int64_t axis;
    int64_t block_size;
    int64_t output_dtype;
    int64_t precision;
    int64_t saturate;
} tenure_QuantizeLinear_24_attributes;
int tenure_QuantizeLinear_24(const tenure_QuantizeLinear_24_attributes *attributes, const tenure_tensor *x, const tenure_tensor *y_scale, const tenure_tensor *y_zero_point, const tenure_tensor *y, const tenure_context *context);
typedef struct tenure_QuantizeLinear_25_attributes {
    int64_t axis;
    int64_t block_size;
    int64_t output_dtype;
    int64_t precision;
    int64_t saturate;
} tenure_QuantizeLinear_25_attributes;
int tenure_QuantizeLinear_25(const tenure_QuantizeLinear_25_attributes *attributes, const tenure_tensor *x, const tenure_tensor *y_scale, const tenure_tensor *y_zero_point, const tenure_tensor *y, const tenure_context *context);
typedef struct tenure_QuantizeLinear_28_attributes {
    int64_t axis;
    int64_t block_size;
    int64_t output_dtype;
    int64_t precision;
    int64_t saturate;
} tenure_QuantizeLinear_28_attributes;
int tenure_QuantizeLinear_28(const tenure_QuantizeLinear_28_attributes *attributes, const tenure_tensor *x, const tenure_tensor *y_scale, const tenure_tensor *y_zero_point, const tenure_tensor *y, const tenure_context *context);

/* GRU: gated recurrent units over a sequence. */
typedef struct tenure_GRU_1_attributes {
    tenure_floats activation_alpha;
    tenure_floats activation_beta;
    tenure_texts activations;
    float clip;
    uint8_t has_clip;
    const char *direction;
    int64_t hidden_size;
    uint8_t has_hidden_size;
    int64_t output_sequence;
} tenure_GRU_1_attributes;
int tenure_GRU_1(const tenure_GRU_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *W, const tenure_tensor *R, const tenure_tensor *B, const tenure_tensor *sequence_lens, const tenure_tensor *initial_h, const tenure_tensor *Y, const tenure_tensor *Y_h, const tenure_context *context);
typedef struct tenure_GRU_3_attributes {
    tenure_floats activation_alpha;
    tenure_floats activation_beta;
    tenure_texts activations;
    float clip;
    uint8_t has_clip;
    const char *direction;
    int64_t hidden_size;
    uint8_t has_hidden_size;
    int64_t linear_before_reset;
    int64_t output_sequence;
} tenure_GRU_3_attributes;
int tenure_GRU_3(const tenure_GRU_3_attributes *attributes, const tenure_tensor *X, const tenure_tensor *W, const tenure_tensor *R, const tenure_tensor *B, const tenure_tensor *sequence_lens, const tenure_tensor *initial_h, const tenure_tensor *Y, const tenure_tensor *Y_h, const tenure_context *context);
typedef struct tenure_GRU_7_attributes {
    tenure_floats activation_alpha;
    tenure_floats activation_beta;
    tenure_texts activations;
    float clip;
    uint8_t has_clip;
    const char *direction;
    int64_t hidden_size;
    uint8_t has_hidden_size;
    int64_t linear_before_reset;
} tenure_GRU_7_attributes;
int tenure_GRU_7(const tenure_GRU_7_attributes *attributes, const tenure_tensor *X, const tenure_tensor *W, const tenure_tensor *R, const tenure_tensor *B, const tenure_tensor *sequence_lens, const tenure_tensor *initial_h, const tenure_tensor *Y, const tenure_tensor *Y_h, const tenure_context *context);
typedef struct tenure_GRU_14_attributes {
    tenure_floats activation_alpha;
    tenure_floats activation_beta;
    tenure_texts activations;
    float clip;
    uint8_t has_clip;
    const char *direction;
    int64_t hidden_size;
    uint8_t has_hidden_size;
    int64_t layout;
    int64_t linear_before_reset;
} tenure_GRU_14_attributes;
int tenure_GRU_14(const tenure_GRU_14_attributes *attributes, const tenure_tensor *X, const tenure_tensor *W, const tenure_tensor *R, const tenure_tensor *B, const tenure_tensor *sequence_lens, const tenure_tensor *initial_h, const tenure_tensor *Y, const tenure_tensor *Y_h, const tenure_context *context);
typedef struct tenure_GRU_22_attributes {
    tenure_floats activation_alpha;
    tenure_floats activation_beta;
    tenure_texts activations;
    float clip;
    uint8_t has_clip;
    const char *direction;
    int64_t hidden_size;
    uint8_t has_hidden_size;
    int64_t layout;
    int64_t linear_before_reset;
} tenure_GRU_22_attributes;
int tenure_GRU_22(const tenure_GRU_22_attributes *attributes, const tenure_tensor *X, const tenure_tensor *W, const tenure_tensor *R, const tenure_tensor *B, const tenure_tensor *sequence_lens, const tenure_tensor *initial_h, const tenure_tensor *Y, const tenure_tensor *Y_h, const tenure_context *context);

/* LSTM: long short-term memory cells over a sequence. */
typedef struct tenure_LSTM_1_attributes {
    tenure_floats activation_alpha;
    tenure_floats activation_beta;
    tenure_texts activations;
    float clip;
    uint8_t has_clip;
    const char *direction;
    int64_t hidden_size;
    uint8_t has_hidden_size;
    int64_t input_forget;
    int64_t output_sequence;
} tenure_LSTM_1_attributes;
int tenure_LSTM_1(const tenure_LSTM_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *W, const tenure_tensor *R, const tenure_tensor *B, const tenure_tensor *sequence_lens, const tenure_tensor *initial_h, const tenure_tensor *initial_c, const tenure_tensor *P, const tenure_tensor *Y, const tenure_tensor *Y_h, const tenure_tensor *Y_c, const tenure_context *context);
typedef struct tenure_LSTM_7_attributes {
    tenure_floats activation_alpha;
    tenure_floats activation_beta;
    tenure_texts activations;
    float clip;
    uint8_t has_clip;
    const char *direction;
    int64_t hidden_size;
    uint8_t has_hidden_size;
    int64_t input_forget;
} tenure_LSTM_7_attributes;
int tenure_LSTM_7(const tenure_LSTM_7_attributes *attributes, const tenure_tensor *X, const tenure_tensor *W, const tenure_tensor *R, const tenure_tensor *B, const tenure_tensor *sequence_lens, const tenure_tensor *initial_h, const tenure_tensor *initial_c, const tenure_tensor *P, const tenure_tensor *Y, const tenure_tensor *Y_h, const tenure_tensor *Y_c, const tenure_context *context);
typedef struct tenure_LSTM_14_attributes {
    tenure_floats activation_alpha;
    tenure_floats activation_beta;
    tenure_texts activations;
    float clip;
    uint8_t has_clip;
    const char *direction;
    int64_t hidden_size;
    uint8_t has_hidden_size;
    int64_t input_forget;
    int64_t layout;
} tenure_LSTM_14_attributes;
int tenure_LSTM_14(const tenure_LSTM_14_attributes *attributes, const tenure_tensor *X, const tenure_tensor *W, const tenure_tensor *R, const tenure_tensor *B, const tenure_tensor *sequence_lens, const tenure_tensor *initial_h, const tenure_tensor *initial_c, const tenure_tensor *P, const tenure_tensor *Y, const tenure_tensor *Y_h, const tenure_tensor *Y_c, const tenure_context *context);
typedef struct tenure_LSTM_22_attributes {
    tenure_floats activation_alpha;
    tenure_floats activation_beta;
    tenure_texts activations;
    float clip;
    uint8_t has_clip;
    const char *direction;
    int64_t hidden_size;
    uint8_t has_hidden_size;
    int64_t input_forget;
    int64_t layout;
} tenure_LSTM_22_attributes;
int tenure_LSTM_22(const tenure_LSTM_22_attributes *attributes, const tenure_tensor *X, const tenure_tensor *W, const tenure_tensor *R, const tenure_tensor *B, const tenure_tensor *sequence_lens, const tenure_tensor *initial_h, const tenure_tensor *initial_c, const tenure_tensor *P, const tenure_tensor *Y, const tenure_tensor *Y_h, const tenure_tensor *Y_c, const tenure_context *context);

/* RNN: simple recurrent cells over a sequence. */
typedef struct tenure_RNN_1_attributes {
    tenure_floats activation_alpha;
    tenure_floats activation_beta;
    tenure_texts activations;
    float clip;
    uint8_t has_clip;
    const char *direction;
    int64_t hidden_size;
    uint8_t has_hidden_size;
    int64_t output_sequence;
} tenure_RNN_1_attributes;
int tenure_RNN_1(const tenure_RNN_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *W, const tenure_tensor *R, const tenure_tensor *B, const tenure_tensor *sequence_lens, const tenure_tensor *initial_h, const tenure_tensor *Y, const tenure_tensor *Y_h, const tenure_context *context);
typedef struct tenure_RNN_7_attributes {
    tenure_floats activation_alpha;
    tenure_floats activation_beta;
    tenure_texts activations;
    float clip;
    uint8_t has_clip;
    const char *direction;
    int64_t hidden_size;
    uint8_t has_hidden_size;
} tenure_RNN_7_attributes;
int tenure_RNN_7(const tenure_RNN_7_attributes *attributes, const tenure_tensor *X, const tenure_tensor *W, const tenure_tensor *R, const tenure_tensor *B, const tenure_tensor *sequence_lens, const tenure_tensor *initial_h, const tenure_tensor *Y, const tenure_tensor *Y_h, const tenure_context *context);
typedef struct tenure_RNN_14_attributes {
    tenure_floats activation_alpha;
    tenure_floats activation_beta;
    tenure_texts activations;
    float clip;
    uint8_t has_clip;
    const char *direction;
    int64_t hidden_size;
    uint8_t has_hidden_size;
    int64_t layout;
} tenure_RNN_14_attributes;
int tenure_RNN_14(const tenure_RNN_14_attributes *attributes, const tenure_tensor *X, const tenure_tensor *W, const tenure_tensor *R, const tenure_tensor *B, const tenure_tensor *sequence_lens, const tenure_tensor *initial_h, const tenure_tensor *Y, const tenure_tensor *Y_h, const tenure_context *context);
typedef struct tenure_RNN_22_attributes {
    tenure_floats activation_alpha;
    tenure_floats activation_beta;
    tenure_texts activations;
    float clip;
    uint8_t has_clip;
    const char *direction;
    int64_t hidden_size;
    uint8_t has_hidden_size;
    int64_t layout;
} tenure_RNN_22_attributes;
int tenure_RNN_22(const tenure_RNN_22_attributes *attributes, const tenure_tensor *X, const tenure_tensor *W, const tenure_tensor *R, const tenure_tensor *B, const tenure_tensor *sequence_lens, const tenure_tensor *initial_h, const tenure_tensor *Y, const tenure_tensor *Y_h, const tenure_context *context);

/* Attention: scaled dot-product attention, with a key and value cache. */
typedef struct tenure_Attention_23_attributes {
    int64_t is_causal;
    int64_t kv_num_heads;
    uint8_t has_kv_num_heads;
    int64_t q_num_heads;
    uint8_t has_q_num_heads;
    int64_t qk_matmul_output_mode;
    float scale;
    uint8_t has_scale;
    float softcap;
    int64_t softmax_precision;
    uint8_t has_softmax_precision;
} tenure_Attention_23_attributes;
int tenure_Attention_23(const tenure_Attention_23_attributes *attributes, const tenure_tensor *Q, const tenure_tensor *K, const tenure_tensor *V, const tenure_tensor *attn_mask, const tenure_tensor *past_key, const tenure_tensor *past_value, const tenure_tensor *Y, const tenure_tensor *present_key, const tenure_tensor *present_value, const tenure_tensor *qk_matmul_output, const tenure_context *context);
typedef struct tenure_Attention_24_attributes {
    int64_t is_causal;
    int64_t kv_num_heads;
    uint8_t has_kv_num_heads;
    int64_t q_num_heads;
    uint8_t has_q_num_heads;
    int64_t qk_matmul_output_mode;
    float scale;
    uint8_t has_scale;
    float softcap;
    int64_t softmax_precision;
    uint8_t has_softmax_precision;
} tenure_Attention_24_attributes;
int tenure_Attention_24(const tenure_Attention_24_attributes *attributes, const tenure_tensor *Q, const tenure_tensor *K, const tenure_tensor *V, const tenure_tensor *attn_mask, const tenure_tensor *past_key, const tenure_tensor *past_value, const tenure_tensor *nonpad_kv_seqlen, const tenure_tensor *Y, const tenure_tensor *present_key, const tenure_tensor *present_value, const tenure_tensor *qk_matmul_output, const tenure_context *context);
typedef struct tenure_Attention_25_attributes {
    int64_t is_causal;
    int64_t kv_num_heads;
    uint8_t has_kv_num_heads;
    int64_t left_window_size;
    int64_t q_num_heads;
    uint8_t has_q_num_heads;
    int64_t qk_matmul_output_mode;
    int64_t right_window_size;
    float scale;
    uint8_t has_scale;
    float softcap;
    int64_t softmax_precision;
    uint8_t has_softmax_precision;
} tenure_Attention_25_attributes;
int tenure_Attention_25(const tenure_Attention_25_attributes *attributes, const tenure_tensor *Q, const tenure_tensor *K, const tenure_tensor *V, const tenure_tensor *attn_mask, const tenure_tensor *past_key, const tenure_tensor *past_value, const tenure_tensor *nonpad_kv_seqlen, const tenure_tensor *Y, const tenure_tensor *present_key, const tenure_tensor *present_value, const tenure_tensor *qk_matmul_output, const tenure_context *context);

/* LinearAttention: attention with a recurrent state in place of a softmax. */
typedef struct tenure_LinearAttention_27_attributes {
    int64_t chunk_size;
    int64_t kv_num_heads;
    int64_t q_num_heads;
    float scale;
    const char *update_rule;
} tenure_LinearAttention_27_attributes;
int tenure_LinearAttention_27(const tenure_LinearAttention_27_attributes *attributes, const tenure_tensor *query, const tenure_tensor *key, const tenure_tensor *value, const tenure_tensor *past_state, const tenure_tensor *decay, const tenure_tensor *beta, const tenure_tensor *output, const tenure_tensor *present_state, const tenure_context *context);

/* RotaryEmbedding: pairs of features rotated by an angle of their position. */
typedef struct tenure_RotaryEmbedding_23_attributes {
    int64_t interleaved;
    int64_t num_heads;
    uint8_t has_num_heads;
    int64_t rotary_embedding_dim;
} tenure_RotaryEmbedding_23_attributes;
int tenure_RotaryEmbedding_23(const tenure_RotaryEmbedding_23_attributes *attributes, const tenure_tensor *X, const tenure_tensor *cos_cache, const tenure_tensor *sin_cache, const tenure_tensor *position_ids, const tenure_tensor *Y, const tenure_context *context);

/* BlackmanWindow: Blackman window of a given length. */
typedef struct tenure_BlackmanWindow_17_attributes {
    int64_t output_datatype;
    int64_t periodic;
} tenure_BlackmanWindow_17_attributes;
int tenure_BlackmanWindow_17(const tenure_BlackmanWindow_17_attributes *attributes, const tenure_tensor *size, const tenure_tensor *output, const tenure_context *context);

/* DFT: discrete Fourier transform along an axis. */
typedef struct tenure_DFT_17_attributes {
    int64_t inverse;
    int64_t onesided;
    int64_t axis;
} tenure_DFT_17_attributes;
int tenure_DFT_17(const tenure_DFT_17_attributes *attributes, const tenure_tensor *input, const tenure_tensor *dft_length, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_DFT_20_attributes {
    int64_t inverse;
    int64_t onesided;
} tenure_DFT_20_attributes;
int tenure_DFT_20(const tenure_DFT_20_attributes *attributes, const tenure_tensor *input, const tenure_tensor *dft_length, const tenure_tensor *axis, const tenure_tensor *output, const tenure_context *context);

/* HammingWindow: Hamming window of a given length. */
typedef struct tenure_HammingWindow_17_attributes {
    int64_t output_datatype;
    int64_t periodic;
} tenure_HammingWindow_17_attributes;
int tenure_HammingWindow_17(const tenure_HammingWindow_17_attributes *attributes, const tenure_tensor *size, const tenure_tensor *output, const tenure_context *context);

/* HannWindow: Hann window of a given length. */
typedef struct tenure_HannWindow_17_attributes {
    int64_t output_datatype;
    int64_t periodic;
} tenure_HannWindow_17_attributes;
int tenure_HannWindow_17(const tenure_HannWindow_17_attributes *attributes, const tenure_tensor *size, const tenure_tensor *output, const tenure_context *context);

/* MelWeightMatrix: weights that turn a spectrum into mel bands. */
typedef struct tenure_MelWeightMatrix_17_attributes {
    int64_t output_datatype;
} tenure_MelWeightMatrix_17_attributes;
int tenure_MelWeightMatrix_17(const tenure_MelWeightMatrix_17_attributes *attributes, const tenure_tensor *num_mel_bins, const tenure_tensor *dft_length, const tenure_tensor *sample_rate, const tenure_tensor *lower_edge_hertz, const tenure_tensor *upper_edge_hertz, const tenure_tensor *output, const tenure_context *context);

/* STFT: Fourier transforms of overlapping frames. */
typedef struct tenure_STFT_17_attributes {
    int64_t onesided;
} tenure_STFT_17_attributes;
int tenure_STFT_17(const tenure_STFT_17_attributes *attributes, const tenure_tensor *signal, const tenure_tensor *frame_step, const tenure_tensor *window, const tenure_tensor *frame_length, const tenure_tensor *output, const tenure_context *context);

/* AffineGrid: sampling positions of an affine map. */
typedef struct tenure_AffineGrid_20_attributes {
    int64_t align_corners;
    tenure_ints size; /* of the operand */
} tenure_AffineGrid_20_attributes;
int tenure_AffineGrid_20(const tenure_AffineGrid_20_attributes *attributes, const tenure_tensor *theta, const tenure_tensor *size, const tenure_tensor *grid, const tenure_context *context);

/* Col2Im: columns of patches added up to images. */
typedef struct tenure_Col2Im_18_attributes {
    tenure_ints dilations;
    tenure_ints pads;
    tenure_ints strides;
    tenure_ints image_shape; /* of the operand */
    tenure_ints block_shape; /* of the operand */
} tenure_Col2Im_18_attributes;
int tenure_Col2Im_18(const tenure_Col2Im_18_attributes *attributes, const tenure_tensor *input, const tenure_tensor *image_shape, const tenure_tensor *block_shape, const tenure_tensor *output, const tenure_context *context);

/* GridSample: the operand sampled at given positions. */
typedef struct tenure_GridSample_16_attributes {
    int64_t align_corners;
    const char *mode;
    const char *padding_mode;
} tenure_GridSample_16_attributes;
int tenure_GridSample_16(const tenure_GridSample_16_attributes *attributes, const tenure_tensor *X, const tenure_tensor *grid, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_GridSample_20_attributes {
    int64_t align_corners;
    const char *mode;
    const char *padding_mode;
} tenure_GridSample_20_attributes;
int tenure_GridSample_20(const tenure_GridSample_20_attributes *attributes, const tenure_tensor *X, const tenure_tensor *grid, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_GridSample_22_attributes {
    int64_t align_corners;
    const char *mode;
    const char *padding_mode;
} tenure_GridSample_22_attributes;
int tenure_GridSample_22(const tenure_GridSample_22_attributes *attributes, const tenure_tensor *X, const tenure_tensor *grid, const tenure_tensor *Y, const tenure_context *context);

/* ImageDecoder: an image decoded from the bytes of a file. */
typedef struct tenure_ImageDecoder_20_attributes {
    const char *pixel_format;
} tenure_ImageDecoder_20_attributes;
int tenure_ImageDecoder_20(const tenure_ImageDecoder_20_attributes *attributes, const tenure_tensor *encoded_stream, const tenure_tensor *image, const tenure_context *context);

/* NonMaxSuppression: boxes left when overlapping weaker ones are dropped. */
typedef struct tenure_NonMaxSuppression_10_attributes {
    int64_t center_point_box;
} tenure_NonMaxSuppression_10_attributes;
int tenure_NonMaxSuppression_10(const tenure_NonMaxSuppression_10_attributes *attributes, const tenure_tensor *boxes, const tenure_tensor *scores, const tenure_tensor *max_output_boxes_per_class, const tenure_tensor *iou_threshold, const tenure_tensor *score_threshold, const tenure_tensor *selected_indices, const tenure_context *context);
typedef struct tenure_NonMaxSuppression_11_attributes {
    int64_t center_point_box;
} tenure_NonMaxSuppression_11_attributes;
int tenure_NonMaxSuppression_11(const tenure_NonMaxSuppression_11_attributes *attributes, const tenure_tensor *boxes, const tenure_tensor *scores, const tenure_tensor *max_output_boxes_per_class, const tenure_tensor *iou_threshold, const tenure_tensor *score_threshold, const tenure_tensor *selected_indices, const tenure_context *context);

/* Resize: the operand resampled to another size. */
typedef struct tenure_Resize_10_attributes {
    const char *mode;
    tenure_floats scales; /* of the operand */
} tenure_Resize_10_attributes;
int tenure_Resize_10(const tenure_Resize_10_attributes *attributes, const tenure_tensor *X, const tenure_tensor *scales, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_Resize_11_attributes {
    const char *coordinate_transformation_mode;
    float cubic_coeff_a;
    int64_t exclude_outside;
    float extrapolation_value;
    const char *mode;
    const char *nearest_mode;
    tenure_floats scales; /* of the operand */
    tenure_ints sizes; /* of the operand */
} tenure_Resize_11_attributes;
int tenure_Resize_11(const tenure_Resize_11_attributes *attributes, const tenure_tensor *X, const tenure_tensor *roi, const tenure_tensor *scales, const tenure_tensor *sizes, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_Resize_13_attributes {
    const char *coordinate_transformation_mode;
    float cubic_coeff_a;
    int64_t exclude_outside;
    float extrapolation_value;
    const char *mode;
    const char *nearest_mode;
    tenure_floats scales; /* of the operand */
    tenure_ints sizes; /* of the operand */
} tenure_Resize_13_attributes;
int tenure_Resize_13(const tenure_Resize_13_attributes *attributes, const tenure_tensor *X, const tenure_tensor *roi, const tenure_tensor *scales, const tenure_tensor *sizes, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_Resize_18_attributes {
    int64_t antialias;
    tenure_ints axes;
    const char *coordinate_transformation_mode;
    float cubic_coeff_a;
    int64_t exclude_outside;
    float extrapolation_value;
    const char *keep_aspect_ratio_policy;
    const char *mode;
    const char *nearest_mode;
    tenure_floats scales; /* of the operand */
    tenure_ints sizes; /* of the operand */
} tenure_Resize_18_attributes;
int tenure_Resize_18(const tenure_Resize_18_attributes *attributes, const tenure_tensor *X, const tenure_tensor *roi, const tenure_tensor *scales, const tenure_tensor *sizes, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_Resize_19_attributes {
    int64_t antialias;
    tenure_ints axes;
    const char *coordinate_transformation_mode;
    float cubic_coeff_a;
    int64_t exclude_outside;
    float extrapolation_value;
    const char *keep_aspect_ratio_policy;
    const char *mode;
    const char *nearest_mode;
    tenure_floats scales; /* of the operand */
    tenure_ints sizes; /* of the operand */
} tenure_Resize_19_attributes;
int tenure_Resize_19(const tenure_Resize_19_attributes *attributes, const tenure_tensor *X, const tenure_tensor *roi, const tenure_tensor *scales, const tenure_tensor *sizes, const tenure_tensor *Y, const tenure_context *context);

/* Upsample: the operand enlarged; Resize replaced it. */
typedef struct tenure_Upsample_1_attributes {
    const char *mode;
    float height_scale;
    float width_scale;
} tenure_Upsample_1_attributes;
int tenure_Upsample_1(const tenure_Upsample_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_Upsample_7_attributes {
    const char *mode;
    tenure_floats scales;
} tenure_Upsample_7_attributes;
int tenure_Upsample_7(const tenure_Upsample_7_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_Upsample_9_attributes {
    const char *mode;
    tenure_floats scales; /* of the operand */
} tenure_Upsample_9_attributes;
int tenure_Upsample_9(const tenure_Upsample_9_attributes *attributes, const tenure_tensor *X, const tenure_tensor *scales, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_Upsample_10_attributes {
    const char *mode;
    tenure_floats scales; /* of the operand */
} tenure_Upsample_10_attributes;
int tenure_Upsample_10(const tenure_Upsample_10_attributes *attributes, const tenure_tensor *X, const tenure_tensor *scales, const tenure_tensor *Y, const tenure_context *context);

/* RegexFullMatch: true for strings that match a pattern as a whole. */
typedef struct tenure_RegexFullMatch_20_attributes {
    const char *pattern;
} tenure_RegexFullMatch_20_attributes;
int tenure_RegexFullMatch_20(const tenure_RegexFullMatch_20_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* StringConcat: pairs of strings joined. */
int tenure_StringConcat_20(const tenure_tensor *X, const tenure_tensor *Y, const tenure_tensor *Z, const tenure_context *context);

/* StringNormalizer: case folded and stop words dropped. */
typedef struct tenure_StringNormalizer_10_attributes {
    const char *case_change_action;
    int64_t is_case_sensitive;
    const char *locale;
    tenure_texts stopwords;
} tenure_StringNormalizer_10_attributes;
int tenure_StringNormalizer_10(const tenure_StringNormalizer_10_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* StringSplit: strings cut at a delimiter, and the number of parts. */
typedef struct tenure_StringSplit_20_attributes {
    const char *delimiter;
    int64_t maxsplit;
    uint8_t has_maxsplit;
} tenure_StringSplit_20_attributes;
int tenure_StringSplit_20(const tenure_StringSplit_20_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_tensor *Z, const tenure_context *context);

/* TfIdfVectorizer: counts or weights of known n-grams. */
typedef struct tenure_TfIdfVectorizer_9_attributes {
    int64_t max_gram_length;
    int64_t max_skip_count;
    int64_t min_gram_length;
    const char *mode;
    tenure_ints ngram_counts;
    tenure_ints ngram_indexes;
    tenure_ints pool_int64s;
    tenure_texts pool_strings;
    tenure_floats weights;
} tenure_TfIdfVectorizer_9_attributes;
int tenure_TfIdfVectorizer_9(const tenure_TfIdfVectorizer_9_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.Attention: self-attention with the projections of Q, K and V merged. */
typedef struct tenure_com_microsoft_Attention_1_attributes {
    int64_t num_heads;
    int64_t do_rotary;
    float mask_filter_value;
    int64_t past_present_share_buffer;
    tenure_ints qkv_hidden_sizes;
    int64_t rotary_embedding_dim;
    float scale;
    uint8_t has_scale;
    int64_t unidirectional;
} tenure_com_microsoft_Attention_1_attributes;
int tenure_com_microsoft_Attention_1(const tenure_com_microsoft_Attention_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *weights, const tenure_tensor *bias, const tenure_tensor *mask_index, const tenure_tensor *past, const tenure_tensor *attention_bias, const tenure_tensor *past_sequence_length, const tenure_tensor *output, const tenure_tensor *present, const tenure_context *context);

/* com.microsoft.DecoderMaskedSelfAttention: self-attention of one new token against a cache. */
typedef struct tenure_com_microsoft_DecoderMaskedSelfAttention_1_attributes {
    int64_t num_heads;
    int64_t do_rotary;
    float mask_filter_value;
    int64_t past_present_share_buffer;
    float scale;
    uint8_t has_scale;
} tenure_com_microsoft_DecoderMaskedSelfAttention_1_attributes;
int tenure_com_microsoft_DecoderMaskedSelfAttention_1(const tenure_com_microsoft_DecoderMaskedSelfAttention_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *weights, const tenure_tensor *bias, const tenure_tensor *mask_index, const tenure_tensor *past, const tenure_tensor *attention_bias, const tenure_tensor *past_sequence_length, const tenure_tensor *beam_width, const tenure_tensor *cache_indirection, const tenure_tensor *output, const tenure_tensor *present, const tenure_context *context);

/* com.microsoft.QAttention: Attention on 8-bit inputs and weights. */
typedef struct tenure_com_microsoft_QAttention_1_attributes {
    int64_t num_heads;
    int64_t do_rotary;
    float mask_filter_value;
    int64_t past_present_share_buffer;
    float scale;
    uint8_t has_scale;
    int64_t unidirectional;
} tenure_com_microsoft_QAttention_1_attributes;
int tenure_com_microsoft_QAttention_1(const tenure_com_microsoft_QAttention_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *weight, const tenure_tensor *bias, const tenure_tensor *input_scale, const tenure_tensor *weight_scale, const tenure_tensor *mask_index, const tenure_tensor *input_zero_point, const tenure_tensor *weight_zero_point, const tenure_tensor *past, const tenure_tensor *output, const tenure_tensor *present, const tenure_context *context);

/* com.microsoft.QOrderedAttention: self-attention on 8-bit tensors in a tiled layout. */
typedef struct tenure_com_microsoft_QOrderedAttention_1_attributes {
    int64_t num_heads;
    int64_t order_input;
    int64_t order_output;
    int64_t order_weight;
    tenure_ints qkv_hidden_sizes;
    int64_t unidirectional;
} tenure_com_microsoft_QOrderedAttention_1_attributes;
int tenure_com_microsoft_QOrderedAttention_1(const tenure_com_microsoft_QOrderedAttention_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *scale_input, const tenure_tensor *scale_Q_gemm, const tenure_tensor *scale_K_gemm, const tenure_tensor *scale_V_gemm, const tenure_tensor *Q_weight, const tenure_tensor *K_weight, const tenure_tensor *V_weight, const tenure_tensor *scale_Q_weight, const tenure_tensor *scale_K_weight, const tenure_tensor *scale_V_weight, const tenure_tensor *Q_bias, const tenure_tensor *K_bias, const tenure_tensor *V_bias, const tenure_tensor *scale_QKT_gemm, const tenure_tensor *scale_QKT_softmax, const tenure_tensor *scale_values_gemm, const tenure_tensor *mask_index, const tenure_tensor *past, const tenure_tensor *attention_bias, const tenure_tensor *output, const tenure_context *context);

/* com.microsoft.MultiHeadAttention: attention of projected queries, keys and values. */
typedef struct tenure_com_microsoft_MultiHeadAttention_1_attributes {
    int64_t num_heads;
    float mask_filter_value;
    float scale;
    uint8_t has_scale;
    int64_t unidirectional;
} tenure_com_microsoft_MultiHeadAttention_1_attributes;
int tenure_com_microsoft_MultiHeadAttention_1(const tenure_com_microsoft_MultiHeadAttention_1_attributes *attributes, const tenure_tensor *query, const tenure_tensor *key, const tenure_tensor *value, const tenure_tensor *bias, const tenure_tensor *key_padding_mask, const tenure_tensor *attention_bias, const tenure_tensor *past_key, const tenure_tensor *past_value, const tenure_tensor *past_sequence_length, const tenure_tensor *cache_indirection, const tenure_tensor *output, const tenure_tensor *present_key, const tenure_tensor *present_value, const tenure_tensor *qk, const tenure_context *context);

/* com.microsoft.DecoderMaskedMultiHeadAttention: multi-head attention of one new token against a cache. */
typedef struct tenure_com_microsoft_DecoderMaskedMultiHeadAttention_1_attributes {
    int64_t num_heads;
    float mask_filter_value;
    int64_t output_qk;
    int64_t past_present_share_buffer;
    float scale;
    uint8_t has_scale;
} tenure_com_microsoft_DecoderMaskedMultiHeadAttention_1_attributes;
int tenure_com_microsoft_DecoderMaskedMultiHeadAttention_1(const tenure_com_microsoft_DecoderMaskedMultiHeadAttention_1_attributes *attributes, const tenure_tensor *query, const tenure_tensor *key, const tenure_tensor *value, const tenure_tensor *mask_index, const tenure_tensor *attention_bias, const tenure_tensor *past_key, const tenure_tensor *past_value, const tenure_tensor *past_sequence_length, const tenure_tensor *beam_width, const tenure_tensor *cache_indirection, const tenure_tensor *bias, const tenure_tensor *output, const tenure_tensor *present_key, const tenure_tensor *present_value, const tenure_tensor *qk, const tenure_context *context);

/* com.microsoft.GroupQueryAttention: attention whose keys and values serve groups of heads. */
typedef struct tenure_com_microsoft_GroupQueryAttention_1_attributes {
    int64_t num_heads;
    int64_t kv_num_heads;
    int64_t causal;
    int64_t do_rotary;
    const char *k_quant_type;
    int64_t kv_cache_bit_width;
    int64_t local_window_size;
    float qk_norm_epsilon;
    int64_t qk_output;
    int64_t rotary_interleaved;
    float scale;
    uint8_t has_scale;
    int64_t sliding_window_cache;
    int64_t smooth_softmax;
    float softcap;
    const char *v_quant_type;
} tenure_com_microsoft_GroupQueryAttention_1_attributes;
int tenure_com_microsoft_GroupQueryAttention_1(const tenure_com_microsoft_GroupQueryAttention_1_attributes *attributes, const tenure_tensor *query, const tenure_tensor *key, const tenure_tensor *value, const tenure_tensor *past_key, const tenure_tensor *past_value, const tenure_tensor *seqlens_k, const tenure_tensor *total_sequence_length, const tenure_tensor *cos_cache, const tenure_tensor *sin_cache, const tenure_tensor *position_ids, const tenure_tensor *attention_bias, const tenure_tensor *head_sink, const tenure_tensor *k_scale, const tenure_tensor *v_scale, const tenure_tensor *q_norm_weight, const tenure_tensor *k_norm_weight, const tenure_tensor *output, const tenure_tensor *present_key, const tenure_tensor *present_value, const tenure_tensor *output_qk, const tenure_context *context);

/* com.microsoft.SparseAttention: block-sparse attention with caches of full length. */
typedef struct tenure_com_microsoft_SparseAttention_1_attributes {
    int64_t num_heads;
    int64_t kv_num_heads;
    int64_t sparse_block_size;
    int64_t do_rotary;
    int64_t rotary_interleaved;
    float scale;
    uint8_t has_scale;
} tenure_com_microsoft_SparseAttention_1_attributes;
int tenure_com_microsoft_SparseAttention_1(const tenure_com_microsoft_SparseAttention_1_attributes *attributes, const tenure_tensor *query, const tenure_tensor *key, const tenure_tensor *value, const tenure_tensor *past_key, const tenure_tensor *past_value, const tenure_tensor *block_row_indices, const tenure_tensor *block_col_indices, const tenure_tensor *total_sequence_length, const tenure_tensor *key_total_sequence_lengths, const tenure_tensor *cos_cache, const tenure_tensor *sin_cache, const tenure_tensor *output, const tenure_tensor *present_key, const tenure_tensor *present_value, const tenure_context *context);

/* com.microsoft.PagedAttention: attention of packed tokens against a cache of blocks. */
typedef struct tenure_com_microsoft_PagedAttention_1_attributes {
    int64_t num_heads;
    int64_t kv_num_heads;
    int64_t do_rotary;
    int64_t is_causal;
    const char *k_cache_dtype;
    const char *k_quant_type;
    const char *kv_cache_layout;
    int64_t local_window_size;
    float qk_norm_epsilon;
    int64_t rotary_interleaved;
    int64_t rotary_offset;
    float scale;
    uint8_t has_scale;
    float softcap;
    const char *v_cache_dtype;
    int64_t v_head_size;
    const char *v_quant_type;
} tenure_com_microsoft_PagedAttention_1_attributes;
int tenure_com_microsoft_PagedAttention_1(const tenure_com_microsoft_PagedAttention_1_attributes *attributes, const tenure_tensor *query, const tenure_tensor *key, const tenure_tensor *value, const tenure_tensor *key_cache, const tenure_tensor *value_cache, const tenure_tensor *cumulative_sequence_length, const tenure_tensor *past_seqlens, const tenure_tensor *block_table, const tenure_tensor *cos_cache, const tenure_tensor *sin_cache, const tenure_tensor *slot_mapping, const tenure_tensor *head_sink, const tenure_tensor *q_norm_weight, const tenure_tensor *k_norm_weight, const tenure_tensor *k_scale, const tenure_tensor *v_scale, const tenure_tensor *attention_metadata, const tenure_tensor *output, const tenure_tensor *key_cache_out, const tenure_tensor *value_cache_out, const tenure_context *context);

/* com.microsoft.DecoderAttention: attention of a decoder that chooses its mode at run time. */
typedef struct tenure_com_microsoft_DecoderAttention_1_attributes {
    int64_t num_heads;
    float mask_filter_value;
} tenure_com_microsoft_DecoderAttention_1_attributes;
int tenure_com_microsoft_DecoderAttention_1(const tenure_com_microsoft_DecoderAttention_1_attributes *attributes, const tenure_tensor *query, const tenure_tensor *key, const tenure_tensor *q_weight, const tenure_tensor *kv_weight, const tenure_tensor *bias, const tenure_tensor *key_padding_mask, const tenure_tensor *key_cache, const tenure_tensor *value_cache, const tenure_tensor *static_kv, const tenure_tensor *use_past, const tenure_tensor *has_layer_state, const tenure_tensor *has_key_padding_mask, const tenure_tensor *output, const tenure_tensor *new_key_cache, const tenure_tensor *new_value_cache, const tenure_context *context);

/* com.microsoft.PackedAttention: Attention on tokens packed without padding. */
typedef struct tenure_com_microsoft_PackedAttention_1_attributes {
    int64_t num_heads;
    tenure_ints qkv_hidden_sizes;
    float scale;
    uint8_t has_scale;
} tenure_com_microsoft_PackedAttention_1_attributes;
int tenure_com_microsoft_PackedAttention_1(const tenure_com_microsoft_PackedAttention_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *weights, const tenure_tensor *bias, const tenure_tensor *token_offset, const tenure_tensor *cumulative_sequence_length, const tenure_tensor *attention_bias, const tenure_tensor *output, const tenure_context *context);

/* com.microsoft.PackedMultiHeadAttention: MultiHeadAttention on tokens packed without padding. */
typedef struct tenure_com_microsoft_PackedMultiHeadAttention_1_attributes {
    int64_t num_heads;
    float mask_filter_value;
    float scale;
    uint8_t has_scale;
} tenure_com_microsoft_PackedMultiHeadAttention_1_attributes;
int tenure_com_microsoft_PackedMultiHeadAttention_1(const tenure_com_microsoft_PackedMultiHeadAttention_1_attributes *attributes, const tenure_tensor *query, const tenure_tensor *key, const tenure_tensor *value, const tenure_tensor *bias, const tenure_tensor *token_offset, const tenure_tensor *cumulative_sequence_length, const tenure_tensor *attention_bias, const tenure_tensor *output, const tenure_context *context);

/* com.microsoft.LongformerAttention: attention to a window of neighbours and to some global tokens. */
typedef struct tenure_com_microsoft_LongformerAttention_1_attributes {
    int64_t num_heads;
    int64_t window;
} tenure_com_microsoft_LongformerAttention_1_attributes;
int tenure_com_microsoft_LongformerAttention_1(const tenure_com_microsoft_LongformerAttention_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *weight, const tenure_tensor *bias, const tenure_tensor *mask, const tenure_tensor *global_weight, const tenure_tensor *global_bias, const tenure_tensor *global, const tenure_tensor *output, const tenure_context *context);

/* com.microsoft.QOrderedLongformerAttention: LongformerAttention on 8-bit tensors in a tiled layout. */
typedef struct tenure_com_microsoft_QOrderedLongformerAttention_1_attributes {
    int64_t num_heads;
    int64_t order_global_weight;
    int64_t order_input;
    int64_t order_output;
    int64_t order_weight;
    int64_t window;
} tenure_com_microsoft_QOrderedLongformerAttention_1_attributes;
int tenure_com_microsoft_QOrderedLongformerAttention_1(const tenure_com_microsoft_QOrderedLongformerAttention_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *scale_input, const tenure_tensor *weight, const tenure_tensor *scale_weight, const tenure_tensor *bias, const tenure_tensor *scale_bias, const tenure_tensor *scale_qkv_gemm, const tenure_tensor *mask, const tenure_tensor *global_weight, const tenure_tensor *scale_global_weight, const tenure_tensor *global_bias, const tenure_tensor *scale_global_gemm, const tenure_tensor *global, const tenure_tensor *scale_output, const tenure_tensor *output, const tenure_context *context);

/* com.microsoft.LinearAttentionGate: the gates of LinearAttention from their projections. */
int tenure_com_microsoft_LinearAttentionGate_1(const tenure_tensor *a, const tenure_tensor *dt_bias, const tenure_tensor *decay_scale, const tenure_tensor *b, const tenure_tensor *decay, const tenure_tensor *beta, const tenure_context *context);

/* com.microsoft.RotaryEmbedding: rotates pairs of elements by an angle that grows with the position. */
typedef struct tenure_com_microsoft_RotaryEmbedding_1_attributes {
    int64_t interleaved;
    int64_t is_packed_batching;
    int64_t num_heads;
    int64_t rotary_embedding_dim;
    float scale;
} tenure_com_microsoft_RotaryEmbedding_1_attributes;
int tenure_com_microsoft_RotaryEmbedding_1(const tenure_com_microsoft_RotaryEmbedding_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *position_ids, const tenure_tensor *cos_cache, const tenure_tensor *sin_cache, const tenure_tensor *output, const tenure_context *context);

/* com.microsoft.MRotaryEmbedding: RotaryEmbedding with positions in time, height and width. */
typedef struct tenure_com_microsoft_MRotaryEmbedding_1_attributes {
    tenure_ints mrope_section;
    int64_t interleaved;
    int64_t is_packed_batching;
    int64_t mrope_layout;
    int64_t num_heads;
    int64_t rotary_embedding_dim;
    float scale;
} tenure_com_microsoft_MRotaryEmbedding_1_attributes;
int tenure_com_microsoft_MRotaryEmbedding_1(const tenure_com_microsoft_MRotaryEmbedding_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *position_ids, const tenure_tensor *cos_cache, const tenure_tensor *sin_cache, const tenure_tensor *output, const tenure_context *context);

/* com.microsoft.NGramRepeatBlock: forbids tokens that would repeat an n-gram. */
typedef struct tenure_com_microsoft_NGramRepeatBlock_1_attributes {
    int64_t ngram_size;
} tenure_com_microsoft_NGramRepeatBlock_1_attributes;
int tenure_com_microsoft_NGramRepeatBlock_1(const tenure_com_microsoft_NGramRepeatBlock_1_attributes *attributes, const tenure_tensor *input_ids, const tenure_tensor *scores, const tenure_tensor *scores_out, const tenure_context *context);

/* com.microsoft.LinearAttention: attention as a recurrence with a matrix as its state. */
typedef struct tenure_com_microsoft_LinearAttention_1_attributes {
    int64_t q_num_heads;
    int64_t kv_num_heads;
    int64_t chunk_size;
    float scale;
    int64_t state_window;
    const char *update_rule;
} tenure_com_microsoft_LinearAttention_1_attributes;
int tenure_com_microsoft_LinearAttention_1(const tenure_com_microsoft_LinearAttention_1_attributes *attributes, const tenure_tensor *query, const tenure_tensor *key, const tenure_tensor *value, const tenure_tensor *past_state, const tenure_tensor *decay, const tenure_tensor *beta, const tenure_tensor *output, const tenure_tensor *present_state, const tenure_context *context);

/* com.microsoft.GatedDeltaNet: linear attention over packed tokens with a gated state. */
typedef struct tenure_com_microsoft_GatedDeltaNet_1_attributes {
    const char *beta_activation;
    int64_t chunk_size;
    const char *gate_activation;
    int64_t qk_l2_norm;
    float scale;
    int64_t state_update_capacity;
    const char *update_rule;
} tenure_com_microsoft_GatedDeltaNet_1_attributes;
int tenure_com_microsoft_GatedDeltaNet_1(const tenure_com_microsoft_GatedDeltaNet_1_attributes *attributes, const tenure_tensor *query, const tenure_tensor *key, const tenure_tensor *value, const tenure_tensor *cu_seqlens, const tenure_tensor *decay, const tenure_tensor *beta, const tenure_tensor *initial_state, const tenure_tensor *a_log, const tenure_tensor *dt_bias, const tenure_tensor *capture_count, const tenure_tensor *state_update_active, const tenure_tensor *output, const tenure_tensor *final_state, const tenure_tensor *state_update, const tenure_context *context);

/* com.microsoft.CausalConvWithState: depthwise convolution that carries the last positions along. */
typedef struct tenure_com_microsoft_CausalConvWithState_1_attributes {
    const char *activation;
    int64_t channels_last;
    int64_t dilation;
    int64_t ndim;
    int64_t state_window;
} tenure_com_microsoft_CausalConvWithState_1_attributes;
int tenure_com_microsoft_CausalConvWithState_1(const tenure_com_microsoft_CausalConvWithState_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *weight, const tenure_tensor *bias, const tenure_tensor *past_state, const tenure_tensor *output, const tenure_tensor *present_state, const tenure_context *context);

/* com.microsoft.DynamicQuantizeLSTM: LSTM with 8-bit weights. */
typedef struct tenure_com_microsoft_DynamicQuantizeLSTM_1_attributes {
    tenure_floats activation_alpha;
    tenure_floats activation_beta;
    tenure_texts activations;
    float clip;
    uint8_t has_clip;
    const char *direction;
    int64_t hidden_size;
    uint8_t has_hidden_size;
    int64_t input_forget;
} tenure_com_microsoft_DynamicQuantizeLSTM_1_attributes;
int tenure_com_microsoft_DynamicQuantizeLSTM_1(const tenure_com_microsoft_DynamicQuantizeLSTM_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *W, const tenure_tensor *R, const tenure_tensor *B, const tenure_tensor *sequence_lens, const tenure_tensor *initial_h, const tenure_tensor *initial_c, const tenure_tensor *P, const tenure_tensor *W_scale, const tenure_tensor *W_zero_point, const tenure_tensor *R_scale, const tenure_tensor *R_zero_point, const tenure_tensor *Y, const tenure_tensor *Y_h, const tenure_tensor *Y_c, const tenure_context *context);

/* com.microsoft.AttnLSTM: LSTM with an attention mechanism round its cell. */
typedef struct tenure_com_microsoft_AttnLSTM_1_attributes {
    tenure_floats activation_alpha;
    tenure_floats activation_beta;
    tenure_texts activations;
    float clip;
    uint8_t has_clip;
    const char *direction;
    int64_t hidden_size;
    uint8_t has_hidden_size;
    int64_t input_forget;
} tenure_com_microsoft_AttnLSTM_1_attributes;
int tenure_com_microsoft_AttnLSTM_1(const tenure_com_microsoft_AttnLSTM_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *W, const tenure_tensor *R, const tenure_tensor *B, const tenure_tensor *sequence_lens, const tenure_tensor *initial_h, const tenure_tensor *initial_c, const tenure_tensor *P, const tenure_tensor *QW, const tenure_tensor *MW, const tenure_tensor *V, const tenure_tensor *M, const tenure_tensor *memory_seq_lens, const tenure_tensor *AW, const tenure_tensor *Y, const tenure_tensor *Y_h, const tenure_tensor *Y_c, const tenure_context *context);

/* com.microsoft.GemmaRotaryEmbedding: rotary embedding of queries and keys from precomputed angles. */
int tenure_com_microsoft_GemmaRotaryEmbedding_1(const tenure_tensor *emb, const tenure_tensor *q, const tenure_tensor *q_rot, const tenure_tensor *k, const tenure_tensor *k_rot, const tenure_tensor *output1, const tenure_tensor *output2, const tenure_context *context);

/* com.microsoft.RelativePositionBias: a bias for each head and pair of positions, by their distance. */
typedef struct tenure_com_microsoft_RelativePositionBias_1_attributes {
    int64_t max_distance;
    int64_t is_bidirectional;
} tenure_com_microsoft_RelativePositionBias_1_attributes;
int tenure_com_microsoft_RelativePositionBias_1(const tenure_com_microsoft_RelativePositionBias_1_attributes *attributes, const tenure_tensor *bias_table, const tenure_tensor *query_length, const tenure_tensor *key_length, const tenure_tensor *output, const tenure_context *context);

/* com.microsoft.GatedRelativePositionBias: a relative position bias scaled by gates computed from the queries. */
typedef struct tenure_com_microsoft_GatedRelativePositionBias_1_attributes {
    int64_t num_heads;
} tenure_com_microsoft_GatedRelativePositionBias_1_attributes;
int tenure_com_microsoft_GatedRelativePositionBias_1(const tenure_com_microsoft_GatedRelativePositionBias_1_attributes *attributes, const tenure_tensor *query_layer, const tenure_tensor *query_bias, const tenure_tensor *rel_pos, const tenure_tensor *weight, const tenure_tensor *bias, const tenure_tensor *eco_a, const tenure_tensor *token_offset, const tenure_tensor *output, const tenure_context *context);

/* com.microsoft.RemovePadding: packs the real tokens of a batch. */
int tenure_com_microsoft_RemovePadding_1(const tenure_tensor *input, const tenure_tensor *sequence_token_count, const tenure_tensor *output, const tenure_tensor *token_offset, const tenure_tensor *cumulated_seq_len, const tenure_tensor *max_seq_len, const tenure_context *context);

/* com.microsoft.RestorePadding: puts packed tokens back into a padded batch. */
int tenure_com_microsoft_RestorePadding_1(const tenure_tensor *input, const tenure_tensor *token_offset, const tenure_tensor *output, const tenure_context *context);

/* com.microsoft.BifurcationDetector: merges predicted tokens from where they leave the source. */
typedef struct tenure_com_microsoft_BifurcationDetector_1_attributes {
    int64_t max_ngram_size;
    int64_t min_ngram_size;
} tenure_com_microsoft_BifurcationDetector_1_attributes;
int tenure_com_microsoft_BifurcationDetector_1(const tenure_com_microsoft_BifurcationDetector_1_attributes *attributes, const tenure_tensor *src_tokens, const tenure_tensor *cur_tokens, const tenure_tensor *prev_suffix_match_idx, const tenure_tensor *pred_tokens, const tenure_tensor *tokens, const tenure_tensor *suffix_match_idx, const tenure_context *context);

/* com.microsoft.DynamicTimeWarping: the cheapest path through a cost matrix. */
int tenure_com_microsoft_DynamicTimeWarping_1(const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* com.microsoft.NGramHashMapping: hashes of the n-grams that end at each token. */
typedef struct tenure_com_microsoft_NGramHashMapping_1_attributes {
    int64_t max_ngram_size;
    int64_t n_head_per_ngram;
    int64_t pad_id;
    int64_t reset_on_eos;
} tenure_com_microsoft_NGramHashMapping_1_attributes;
int tenure_com_microsoft_NGramHashMapping_1(const tenure_com_microsoft_NGramHashMapping_1_attributes *attributes, const tenure_tensor *input_ids, const tenure_tensor *multipliers, const tenure_tensor *vocab_sizes, const tenure_tensor *past_ids, const tenure_tensor *head_offsets, const tenure_tensor *eos_token_id, const tenure_tensor *segment_ids, const tenure_tensor *hash_ids, const tenure_tensor *present_ids, const tenure_context *context);

/* com.microsoft.DynamicSparseAttention: attention to the positions that are selected. */
typedef struct tenure_com_microsoft_DynamicSparseAttention_1_attributes {
    const char *attention_mode;
    int64_t auxiliary_kv_shared;
    int64_t do_rotary;
    int64_t is_causal;
    int64_t kv_num_heads;
    int64_t local_window_size;
    int64_t num_heads;
    float qk_norm_epsilon;
    int64_t rotary_interleaved;
    int64_t rotary_offset;
    float scale;
    uint8_t has_scale;
    const char *selected_kv_source;
    int64_t smooth_softmax;
} tenure_com_microsoft_DynamicSparseAttention_1_attributes;
int tenure_com_microsoft_DynamicSparseAttention_1(const tenure_com_microsoft_DynamicSparseAttention_1_attributes *attributes, const tenure_tensor *query, const tenure_tensor *key, const tenure_tensor *value, const tenure_tensor *past_key, const tenure_tensor *past_value, const tenure_tensor *auxiliary_key, const tenure_tensor *auxiliary_value, const tenure_tensor *selected_indices, const tenure_tensor *selected_counts, const tenure_tensor *seqlens_k, const tenure_tensor *total_sequence_length, const tenure_tensor *cos_cache, const tenure_tensor *sin_cache, const tenure_tensor *position_ids, const tenure_tensor *q_norm_weight, const tenure_tensor *k_norm_weight, const tenure_tensor *head_sink, const tenure_tensor *output, const tenure_tensor *present_key, const tenure_tensor *present_value, const tenure_context *context);

/* com.microsoft.SparsePagedAttention: attention of packed tokens to selected positions of a cache of blocks. */
typedef struct tenure_com_microsoft_SparsePagedAttention_1_attributes {
    const char *attention_mode;
    const char *auxiliary_cache_layout;
    int64_t auxiliary_kv_shared;
    int64_t do_rotary;
    int64_t is_causal;
    const char *k_quant_type;
    int64_t kv_num_heads;
    int64_t local_window_size;
    int64_t num_heads;
    float qk_norm_epsilon;
    int64_t rotary_interleaved;
    int64_t rotary_offset;
    float scale;
    uint8_t has_scale;
    const char *selected_kv_source;
    float softcap;
    uint8_t has_softcap;
    const char *v_quant_type;
} tenure_com_microsoft_SparsePagedAttention_1_attributes;
int tenure_com_microsoft_SparsePagedAttention_1(const tenure_com_microsoft_SparsePagedAttention_1_attributes *attributes, const tenure_tensor *query, const tenure_tensor *key, const tenure_tensor *value, const tenure_tensor *key_cache, const tenure_tensor *value_cache, const tenure_tensor *cumulative_sequence_length, const tenure_tensor *past_seqlens, const tenure_tensor *block_table, const tenure_tensor *slot_mapping, const tenure_tensor *selected_indices, const tenure_tensor *selected_counts, const tenure_tensor *auxiliary_key, const tenure_tensor *auxiliary_value, const tenure_tensor *auxiliary_lengths, const tenure_tensor *cos_cache, const tenure_tensor *sin_cache, const tenure_tensor *head_sink, const tenure_tensor *q_norm_weight, const tenure_tensor *k_norm_weight, const tenure_tensor *k_scale, const tenure_tensor *v_scale, const tenure_tensor *attention_metadata, const tenure_tensor *output, const tenure_tensor *key_cache_out, const tenure_tensor *value_cache_out, const tenure_context *context);

/* com.microsoft.SparseAttentionIndexer: selects the positions that sparse attention may read. */
typedef struct tenure_com_microsoft_SparseAttentionIndexer_1_attributes {
    int64_t compress_ratio;
    float epsilon;
    float head_weight_scale;
    uint8_t has_head_weight_scale;
    int64_t index_topk;
    uint8_t has_index_topk;
    const char *policy_mode;
    float scale;
    uint8_t has_scale;
    int64_t token_budget;
    uint8_t has_token_budget;
} tenure_com_microsoft_SparseAttentionIndexer_1_attributes;
int tenure_com_microsoft_SparseAttentionIndexer_1(const tenure_com_microsoft_SparseAttentionIndexer_1_attributes *attributes, const tenure_tensor *query, const tenure_tensor *key, const tenure_tensor *query_norm_weight, const tenure_tensor *key_norm_weight, const tenure_tensor *cos_cache, const tenure_tensor *sin_cache, const tenure_tensor *mask, const tenure_tensor *past_key, const tenure_tensor *gate, const tenure_tensor *position_bias, const tenure_tensor *head_weights, const tenure_tensor *position_ids, const tenure_tensor *past_sequence_length, const tenure_tensor *past_proj_buffer, const tenure_tensor *selected_indices, const tenure_tensor *present_key, const tenure_tensor *present_proj_buffer, const tenure_context *context);

/* com.microsoft.PackedSparseAttentionIndexer: SparseAttentionIndexer over packed tokens. */
typedef struct tenure_com_microsoft_PackedSparseAttentionIndexer_1_attributes {
    int64_t compress_ratio;
    float epsilon;
    float head_weight_scale;
    uint8_t has_head_weight_scale;
    int64_t index_topk;
    uint8_t has_index_topk;
    const char *policy_mode;
    float scale;
    uint8_t has_scale;
    int64_t state_capacity;
    int64_t state_update_capacity;
    int64_t token_budget;
    uint8_t has_token_budget;
} tenure_com_microsoft_PackedSparseAttentionIndexer_1_attributes;
int tenure_com_microsoft_PackedSparseAttentionIndexer_1(const tenure_com_microsoft_PackedSparseAttentionIndexer_1_attributes *attributes, const tenure_tensor *query, const tenure_tensor *key, const tenure_tensor *query_norm_weight, const tenure_tensor *key_norm_weight, const tenure_tensor *cos_cache, const tenure_tensor *sin_cache, const tenure_tensor *cumulative_sequence_lengths, const tenure_tensor *past_sequence_lengths, const tenure_tensor *gate, const tenure_tensor *position_bias, const tenure_tensor *head_weights, const tenure_tensor *position_ids, const tenure_tensor *past_key_state, const tenure_tensor *past_kv_buffer, const tenure_tensor *past_gate_buffer, const tenure_tensor *past_state_lengths, const tenure_tensor *state_update_capture_count, const tenure_tensor *state_update_active, const tenure_tensor *selected_indices, const tenure_tensor *selected_counts, const tenure_tensor *present_key_state, const tenure_tensor *present_kv_buffer, const tenure_tensor *present_gate_buffer, const tenure_tensor *present_state_lengths, const tenure_tensor *state_update, const tenure_context *context);

/* com.microsoft.VarlenCausalConvWithState: CausalConvWithState over packed tokens. */
typedef struct tenure_com_microsoft_VarlenCausalConvWithState_1_attributes {
    const char *activation;
    int64_t dilation;
    int64_t state_update_capacity;
} tenure_com_microsoft_VarlenCausalConvWithState_1_attributes;
int tenure_com_microsoft_VarlenCausalConvWithState_1(const tenure_com_microsoft_VarlenCausalConvWithState_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *weight, const tenure_tensor *cumulative_sequence_length, const tenure_tensor *bias, const tenure_tensor *initial_state, const tenure_tensor *capture_count, const tenure_tensor *output, const tenure_tensor *final_state, const tenure_tensor *state_update, const tenure_context *context);

/* com.microsoft.VarlenNGramHashMapping: NGramHashMapping over packed tokens. */
typedef struct tenure_com_microsoft_VarlenNGramHashMapping_1_attributes {
    int64_t max_ngram_size;
    int64_t n_head_per_ngram;
    int64_t pad_id;
    int64_t reset_on_eos;
    int64_t state_update_capacity;
} tenure_com_microsoft_VarlenNGramHashMapping_1_attributes;
int tenure_com_microsoft_VarlenNGramHashMapping_1(const tenure_com_microsoft_VarlenNGramHashMapping_1_attributes *attributes, const tenure_tensor *input_ids, const tenure_tensor *multipliers, const tenure_tensor *vocab_sizes, const tenure_tensor *cumulative_sequence_length, const tenure_tensor *past_ids, const tenure_tensor *head_offsets, const tenure_tensor *eos_token_id, const tenure_tensor *segment_ids, const tenure_tensor *past_segment_ids, const tenure_tensor *capture_count, const tenure_tensor *hash_ids, const tenure_tensor *present_ids, const tenure_tensor *present_segment_ids, const tenure_tensor *state_update, const tenure_context *context);

/* com.microsoft.SkipLayerNormalization: layer normalisation of input + skip + bias. */
typedef struct tenure_com_microsoft_SkipLayerNormalization_1_attributes {
    float epsilon;
} tenure_com_microsoft_SkipLayerNormalization_1_attributes;
int tenure_com_microsoft_SkipLayerNormalization_1(const tenure_com_microsoft_SkipLayerNormalization_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *skip, const tenure_tensor *gamma, const tenure_tensor *beta, const tenure_tensor *bias, const tenure_tensor *output, const tenure_tensor *mean, const tenure_tensor *inv_std_var, const tenure_tensor *input_skip_bias_sum, const tenure_context *context);

/* com.microsoft.SkipSimplifiedLayerNormalization: RMS normalisation of input + skip + bias. */
typedef struct tenure_com_microsoft_SkipSimplifiedLayerNormalization_1_attributes {
    float epsilon;
} tenure_com_microsoft_SkipSimplifiedLayerNormalization_1_attributes;
int tenure_com_microsoft_SkipSimplifiedLayerNormalization_1(const tenure_com_microsoft_SkipSimplifiedLayerNormalization_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *skip, const tenure_tensor *gamma, const tenure_tensor *bias, const tenure_tensor *output, const tenure_tensor *mean, const tenure_tensor *inv_std_var, const tenure_tensor *input_skip_bias_sum, const tenure_context *context);

/* SimplifiedLayerNormalization: RMS normalisation. */
typedef struct tenure_SimplifiedLayerNormalization_1_attributes {
    int64_t axis;
    float epsilon;
    int64_t stash_type;
} tenure_SimplifiedLayerNormalization_1_attributes;
int tenure_SimplifiedLayerNormalization_1(const tenure_SimplifiedLayerNormalization_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *scale, const tenure_tensor *Y, const tenure_tensor *inv_std_var, const tenure_context *context);

/* com.microsoft.SimplifiedLayerNormalization: RMS normalisation. */
typedef struct tenure_com_microsoft_SimplifiedLayerNormalization_1_attributes {
    int64_t axis;
    float epsilon;
    int64_t stash_type;
} tenure_com_microsoft_SimplifiedLayerNormalization_1_attributes;
int tenure_com_microsoft_SimplifiedLayerNormalization_1(const tenure_com_microsoft_SimplifiedLayerNormalization_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *scale, const tenure_tensor *Y, const tenure_tensor *inv_std_var, const tenure_context *context);

/* com.microsoft.LayerNormalization: layer normalisation. */
typedef struct tenure_com_microsoft_LayerNormalization_1_attributes {
    int64_t axis;
    float epsilon;
    int64_t stash_type;
} tenure_com_microsoft_LayerNormalization_1_attributes;
int tenure_com_microsoft_LayerNormalization_1(const tenure_com_microsoft_LayerNormalization_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *scale, const tenure_tensor *B, const tenure_tensor *Y, const tenure_tensor *mean, const tenure_tensor *inv_std_var, const tenure_context *context);

/* com.microsoft.EmbedLayerNormalization: sums embeddings of tokens, positions and segments, then layer normalisation. */
typedef struct tenure_com_microsoft_EmbedLayerNormalization_1_attributes {
    float epsilon;
    int64_t mask_index_type;
} tenure_com_microsoft_EmbedLayerNormalization_1_attributes;
int tenure_com_microsoft_EmbedLayerNormalization_1(const tenure_com_microsoft_EmbedLayerNormalization_1_attributes *attributes, const tenure_tensor *input_ids, const tenure_tensor *segment_ids, const tenure_tensor *word_embedding, const tenure_tensor *position_embedding, const tenure_tensor *segment_embedding, const tenure_tensor *gamma, const tenure_tensor *beta, const tenure_tensor *mask, const tenure_tensor *position_ids, const tenure_tensor *output, const tenure_tensor *mask_index, const tenure_tensor *embedding_sum, const tenure_context *context);

/* com.microsoft.QEmbedLayerNormalization: EmbedLayerNormalization on 8-bit embeddings. */
typedef struct tenure_com_microsoft_QEmbedLayerNormalization_1_attributes {
    float epsilon;
} tenure_com_microsoft_QEmbedLayerNormalization_1_attributes;
int tenure_com_microsoft_QEmbedLayerNormalization_1(const tenure_com_microsoft_QEmbedLayerNormalization_1_attributes *attributes, const tenure_tensor *input_ids, const tenure_tensor *segment_ids, const tenure_tensor *word_embedding_quant, const tenure_tensor *position_embedding_quant, const tenure_tensor *segment_embedding, const tenure_tensor *gamma_quant, const tenure_tensor *beta_quant, const tenure_tensor *mask, const tenure_tensor *word_embedding_scale, const tenure_tensor *position_embedding_scale, const tenure_tensor *segment_embedding_scale, const tenure_tensor *gamma_scale, const tenure_tensor *beta_scale, const tenure_tensor *word_embedding_zero_point, const tenure_tensor *position_embedding_zero_point, const tenure_tensor *segment_embedding_zero_point, const tenure_tensor *gamma_zero_point, const tenure_tensor *beta_zero_point, const tenure_tensor *layernorm_out, const tenure_tensor *mask_index_out, const tenure_context *context);

/* com.microsoft.QOrderedLayerNormalization: layer normalisation on 8-bit tensors in a tiled layout. */
typedef struct tenure_com_microsoft_QOrderedLayerNormalization_1_attributes {
    int64_t axis;
    float epsilon;
    int64_t order_X;
    int64_t order_Y;
} tenure_com_microsoft_QOrderedLayerNormalization_1_attributes;
int tenure_com_microsoft_QOrderedLayerNormalization_1(const tenure_com_microsoft_QOrderedLayerNormalization_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *scale_X, const tenure_tensor *scale, const tenure_tensor *B, const tenure_tensor *scale_Y, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.GroupNorm: group normalisation and an activation. */
typedef struct tenure_com_microsoft_GroupNorm_1_attributes {
    int64_t activation;
    int64_t groups;
    int64_t channels_last;
    float epsilon;
} tenure_com_microsoft_GroupNorm_1_attributes;
int tenure_com_microsoft_GroupNorm_1(const tenure_com_microsoft_GroupNorm_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *gamma, const tenure_tensor *beta, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.SkipGroupNorm: group normalisation of X + skip + bias. */
typedef struct tenure_com_microsoft_SkipGroupNorm_1_attributes {
    int64_t activation;
    int64_t groups;
    int64_t channels_last;
    float epsilon;
} tenure_com_microsoft_SkipGroupNorm_1_attributes;
int tenure_com_microsoft_SkipGroupNorm_1(const tenure_com_microsoft_SkipGroupNorm_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *gamma, const tenure_tensor *beta, const tenure_tensor *skip, const tenure_tensor *bias, const tenure_tensor *Y, const tenure_tensor *S, const tenure_context *context);

/* com.microsoft.GatedRMSNorm: RMS normalisation scaled by a gate. */
typedef struct tenure_com_microsoft_GatedRMSNorm_1_attributes {
    const char *activation;
    float epsilon;
} tenure_com_microsoft_GatedRMSNorm_1_attributes;
int tenure_com_microsoft_GatedRMSNorm_1(const tenure_com_microsoft_GatedRMSNorm_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *scale, const tenure_tensor *gate, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.BranchwiseRMSNorm: RMS normalisation of each of several streams. */
typedef struct tenure_com_microsoft_BranchwiseRMSNorm_1_attributes {
    float epsilon;
    int64_t num_branches;
} tenure_com_microsoft_BranchwiseRMSNorm_1_attributes;
int tenure_com_microsoft_BranchwiseRMSNorm_1(const tenure_com_microsoft_BranchwiseRMSNorm_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *scale, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.HyperConnectionPreMix: weighted sum of several streams. */
typedef struct tenure_com_microsoft_HyperConnectionPreMix_1_attributes {
    int64_t num_branches;
    float reduction_scale;
} tenure_com_microsoft_HyperConnectionPreMix_1_attributes;
int tenure_com_microsoft_HyperConnectionPreMix_1(const tenure_com_microsoft_HyperConnectionPreMix_1_attributes *attributes, const tenure_tensor *streams, const tenure_tensor *pre_mix, const tenure_tensor *output, const tenure_context *context);

/* com.microsoft.HyperConnectionPostMix: mixes several streams and adds a branch to each. */
typedef struct tenure_com_microsoft_HyperConnectionPostMix_1_attributes {
    int64_t num_branches;
} tenure_com_microsoft_HyperConnectionPostMix_1_attributes;
int tenure_com_microsoft_HyperConnectionPostMix_1(const tenure_com_microsoft_HyperConnectionPostMix_1_attributes *attributes, const tenure_tensor *streams, const tenure_tensor *block_output, const tenure_tensor *post_mix, const tenure_tensor *stream_mix, const tenure_tensor *output, const tenure_context *context);

/* com.microsoft.ScaledSiLU: x * sigmoid(x), x scaled before. */
typedef struct tenure_com_microsoft_ScaledSiLU_1_attributes {
    float alpha;
} tenure_com_microsoft_ScaledSiLU_1_attributes;
int tenure_com_microsoft_ScaledSiLU_1(const tenure_com_microsoft_ScaledSiLU_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *scale, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.GatedAdd: X + Y * gate. */
int tenure_com_microsoft_GatedAdd_1(const tenure_tensor *X, const tenure_tensor *Y, const tenure_tensor *gate, const tenure_tensor *output, const tenure_context *context);

/* com.microsoft.EngramGate: gates a value by the match of key and query. */
typedef struct tenure_com_microsoft_EngramGate_1_attributes {
    float epsilon;
} tenure_com_microsoft_EngramGate_1_attributes;
int tenure_com_microsoft_EngramGate_1(const tenure_com_microsoft_EngramGate_1_attributes *attributes, const tenure_tensor *key, const tenure_tensor *query, const tenure_tensor *value, const tenure_tensor *key_norm_scale, const tenure_tensor *query_norm_scale, const tenure_tensor *conv_norm_scale, const tenure_tensor *output, const tenure_tensor *gated_value_normed, const tenure_context *context);

/* com.microsoft.Gelu: Gaussian error linear unit. */
int tenure_com_microsoft_Gelu_1(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.QuickGelu: x * sigmoid(alpha * x). */
typedef struct tenure_com_microsoft_QuickGelu_1_attributes {
    float alpha;
} tenure_com_microsoft_QuickGelu_1_attributes;
int tenure_com_microsoft_QuickGelu_1(const tenure_com_microsoft_QuickGelu_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.FastGelu: Gelu by way of tanh. */
int tenure_com_microsoft_FastGelu_1(const tenure_tensor *X, const tenure_tensor *bias, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.BiasGelu: Gelu of A + B, B along the last axis. */
int tenure_com_microsoft_BiasGelu_1(const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);

/* com.microsoft.QOrderedGelu: Gelu on 8-bit tensors. */
typedef struct tenure_com_microsoft_QOrderedGelu_1_attributes {
    int64_t order_X;
    uint8_t has_order_X;
    int64_t order_Y;
    uint8_t has_order_Y;
} tenure_com_microsoft_QOrderedGelu_1_attributes;
int tenure_com_microsoft_QOrderedGelu_1(const tenure_com_microsoft_QOrderedGelu_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *scale_X, const tenure_tensor *scale_Y, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.BiasSplitGelu: left half times Gelu of the right half, after adding a bias. */
int tenure_com_microsoft_BiasSplitGelu_1(const tenure_tensor *X, const tenure_tensor *bias, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.BiasAdd: X + bias + skip. */
int tenure_com_microsoft_BiasAdd_1(const tenure_tensor *X, const tenure_tensor *bias, const tenure_tensor *skip, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.BiasSoftmax: softmax of data + bias. */
typedef struct tenure_com_microsoft_BiasSoftmax_1_attributes {
    int64_t axis;
    int64_t is_inner_broadcast;
} tenure_com_microsoft_BiasSoftmax_1_attributes;
int tenure_com_microsoft_BiasSoftmax_1(const tenure_com_microsoft_BiasSoftmax_1_attributes *attributes, const tenure_tensor *data, const tenure_tensor *bias, const tenure_tensor *output, const tenure_context *context);

/* com.microsoft.BiasDropout: dropout of data + bias, plus a residual. */
typedef struct tenure_com_microsoft_BiasDropout_1_attributes {
    int64_t seed;
    uint8_t has_seed;
} tenure_com_microsoft_BiasDropout_1_attributes;
int tenure_com_microsoft_BiasDropout_1(const tenure_com_microsoft_BiasDropout_1_attributes *attributes, const tenure_tensor *data, const tenure_tensor *bias, const tenure_tensor *residual, const tenure_tensor *ratio, const tenure_tensor *training_mode, const tenure_tensor *output, const tenure_tensor *mask, const tenure_context *context);

/* com.microsoft.BitmaskDropout: dropout with a mask of one bit an element. */
typedef struct tenure_com_microsoft_BitmaskDropout_1_attributes {
    int64_t seed;
    uint8_t has_seed;
} tenure_com_microsoft_BitmaskDropout_1_attributes;
int tenure_com_microsoft_BitmaskDropout_1(const tenure_com_microsoft_BitmaskDropout_1_attributes *attributes, const tenure_tensor *data, const tenure_tensor *ratio, const tenure_tensor *training_mode, const tenure_tensor *output, const tenure_tensor *mask, const tenure_context *context);

/* com.microsoft.BitmaskBiasDropout: BiasDropout with a mask of one bit an element. */
typedef struct tenure_com_microsoft_BitmaskBiasDropout_1_attributes {
    int64_t seed;
    uint8_t has_seed;
} tenure_com_microsoft_BitmaskBiasDropout_1_attributes;
int tenure_com_microsoft_BitmaskBiasDropout_1(const tenure_com_microsoft_BitmaskBiasDropout_1_attributes *attributes, const tenure_tensor *data, const tenure_tensor *bias, const tenure_tensor *residual, const tenure_tensor *ratio, const tenure_tensor *training_mode, const tenure_tensor *output, const tenure_tensor *mask, const tenure_context *context);

/* com.microsoft.FusedMatMul: alpha * A * B with transposes. */
typedef struct tenure_com_microsoft_FusedMatMul_1_attributes {
    float alpha;
    int64_t transA;
    int64_t transB;
    int64_t transBatchA;
    int64_t transBatchB;
} tenure_com_microsoft_FusedMatMul_1_attributes;
int tenure_com_microsoft_FusedMatMul_1(const tenure_com_microsoft_FusedMatMul_1_attributes *attributes, const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.FusedMatMulActivation: FusedMatMul and an activation. */
typedef struct tenure_com_microsoft_FusedMatMulActivation_1_attributes {
    const char *activation;
    float activation_alpha;
    uint8_t has_activation_alpha;
    int64_t activation_axis;
    uint8_t has_activation_axis;
    float activation_beta;
    uint8_t has_activation_beta;
    float activation_gamma;
    uint8_t has_activation_gamma;
    float alpha;
    int64_t transA;
    int64_t transB;
    int64_t transBatchA;
    int64_t transBatchB;
} tenure_com_microsoft_FusedMatMulActivation_1_attributes;
int tenure_com_microsoft_FusedMatMulActivation_1(const tenure_com_microsoft_FusedMatMulActivation_1_attributes *attributes, const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.TransposeMatMul: the older name of FusedMatMul. */
typedef struct tenure_com_microsoft_TransposeMatMul_1_attributes {
    float alpha;
    int64_t transA;
    int64_t transB;
} tenure_com_microsoft_TransposeMatMul_1_attributes;
int tenure_com_microsoft_TransposeMatMul_1(const tenure_com_microsoft_TransposeMatMul_1_attributes *attributes, const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.SparseToDenseMatMul: a sparse matrix times a dense one. */
typedef struct tenure_com_microsoft_SparseToDenseMatMul_1_attributes {
    float alpha;
    int64_t transA;
    int64_t transB;
} tenure_com_microsoft_SparseToDenseMatMul_1_attributes;
int tenure_com_microsoft_SparseToDenseMatMul_1(const tenure_com_microsoft_SparseToDenseMatMul_1_attributes *attributes, const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.FusedGemm: Gemm and an activation. */
typedef struct tenure_com_microsoft_FusedGemm_1_attributes {
    const char *activation;
    float activation_alpha;
    uint8_t has_activation_alpha;
    float activation_beta;
    uint8_t has_activation_beta;
    float activation_gamma;
    uint8_t has_activation_gamma;
    float alpha;
    float beta;
    int64_t transA;
    int64_t transB;
} tenure_com_microsoft_FusedGemm_1_attributes;
int tenure_com_microsoft_FusedGemm_1(const tenure_com_microsoft_FusedGemm_1_attributes *attributes, const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.GemmFloat8: Gemm on 8-bit floats. */
typedef struct tenure_com_microsoft_GemmFloat8_1_attributes {
    const char *activation;
    float alpha;
    float beta;
    int64_t dtype;
    int64_t transA;
    int64_t transB;
} tenure_com_microsoft_GemmFloat8_1_attributes;
int tenure_com_microsoft_GemmFloat8_1(const tenure_com_microsoft_GemmFloat8_1_attributes *attributes, const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_tensor *scaleA, const tenure_tensor *scaleB, const tenure_tensor *scaleY, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.GemmFastGelu: MatMul, a bias and FastGelu. */
int tenure_com_microsoft_GemmFastGelu_1(const tenure_tensor *X, const tenure_tensor *W, const tenure_tensor *bias, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.QGemm: Gemm on 8-bit tensors. */
typedef struct tenure_com_microsoft_QGemm_1_attributes {
    float alpha;
    int64_t transA;
    int64_t transB;
} tenure_com_microsoft_QGemm_1_attributes;
int tenure_com_microsoft_QGemm_1(const tenure_com_microsoft_QGemm_1_attributes *attributes, const tenure_tensor *A, const tenure_tensor *a_scale, const tenure_tensor *a_zero_point, const tenure_tensor *B, const tenure_tensor *b_scale, const tenure_tensor *b_zero_point, const tenure_tensor *C, const tenure_tensor *y_scale, const tenure_tensor *y_zero_point, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.DynamicQuantizeMatMul: MatMul that quantises A on the way. */
int tenure_com_microsoft_DynamicQuantizeMatMul_1(const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *b_scale, const tenure_tensor *b_zero_point, const tenure_tensor *bias, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.MatMulIntegerToFloat: product of 8-bit matrices, scaled to floats. */
int tenure_com_microsoft_MatMulIntegerToFloat_1(const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *a_scale, const tenure_tensor *b_scale, const tenure_tensor *a_zero_point, const tenure_tensor *b_zero_point, const tenure_tensor *bias, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.MatMulInteger16: product of 16-bit matrices in 32 bits. */
int tenure_com_microsoft_MatMulInteger16_1(const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.QOrderedMatMul: product of 8-bit matrices in tiled layouts. */
typedef struct tenure_com_microsoft_QOrderedMatMul_1_attributes {
    int64_t order_A;
    int64_t order_B;
    int64_t order_Y;
} tenure_com_microsoft_QOrderedMatMul_1_attributes;
int tenure_com_microsoft_QOrderedMatMul_1(const tenure_com_microsoft_QOrderedMatMul_1_attributes *attributes, const tenure_tensor *A, const tenure_tensor *scale_A, const tenure_tensor *B, const tenure_tensor *scale_B, const tenure_tensor *scale_Y, const tenure_tensor *bias, const tenure_tensor *C, const tenure_tensor *scale_C, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.MatMulNBits: MatMul with weights of a few bits, scaled by blocks. */
typedef struct tenure_com_microsoft_MatMulNBits_1_attributes {
    int64_t K;
    int64_t N;
    int64_t block_size;
    int64_t accuracy_level;
    int64_t bits;
    int64_t weight_prepacked;
} tenure_com_microsoft_MatMulNBits_1_attributes;
int tenure_com_microsoft_MatMulNBits_1(const tenure_com_microsoft_MatMulNBits_1_attributes *attributes, const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *scales, const tenure_tensor *zero_points, const tenure_tensor *g_idx, const tenure_tensor *bias, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.MatMulNBitsMlp: the gate and up projections of a decoder's MLP in one. */
typedef struct tenure_com_microsoft_MatMulNBitsMlp_1_attributes {
    int64_t K;
    int64_t N;
    int64_t block_size;
    const char *activation;
    int64_t accuracy_level;
    int64_t bits;
    float epsilon;
} tenure_com_microsoft_MatMulNBitsMlp_1_attributes;
int tenure_com_microsoft_MatMulNBitsMlp_1(const tenure_com_microsoft_MatMulNBitsMlp_1_attributes *attributes, const tenure_tensor *A, const tenure_tensor *skip, const tenure_tensor *norm_scale, const tenure_tensor *gate_B, const tenure_tensor *gate_scales, const tenure_tensor *gate_bias, const tenure_tensor *up_B, const tenure_tensor *up_scales, const tenure_tensor *up_bias, const tenure_tensor *Y, const tenure_tensor *input_skip_bias_sum, const tenure_context *context);

/* com.microsoft.MatMulNBitsQkv: normalisation and three projections in one. */
typedef struct tenure_com_microsoft_MatMulNBitsQkv_1_attributes {
    int64_t K;
    int64_t Nq;
    int64_t Nkv;
    int64_t block_size;
    int64_t accuracy_level;
    int64_t bits;
    float epsilon;
} tenure_com_microsoft_MatMulNBitsQkv_1_attributes;
int tenure_com_microsoft_MatMulNBitsQkv_1(const tenure_com_microsoft_MatMulNBitsQkv_1_attributes *attributes, const tenure_tensor *A, const tenure_tensor *skip, const tenure_tensor *norm_scale, const tenure_tensor *q_B, const tenure_tensor *q_scales, const tenure_tensor *q_bias, const tenure_tensor *k_B, const tenure_tensor *k_scales, const tenure_tensor *k_bias, const tenure_tensor *v_B, const tenure_tensor *v_scales, const tenure_tensor *v_bias, const tenure_tensor *Q, const tenure_tensor *K, const tenure_tensor *V, const tenure_tensor *input_skip_bias_sum, const tenure_context *context);

/* com.microsoft.MatMulBnb4: MatMul with weights of 4-bit floats. */
typedef struct tenure_com_microsoft_MatMulBnb4_1_attributes {
    int64_t K;
    int64_t N;
    int64_t block_size;
    int64_t quant_type;
    int64_t training_mode;
    int64_t transB;
} tenure_com_microsoft_MatMulBnb4_1_attributes;
int tenure_com_microsoft_MatMulBnb4_1(const tenure_com_microsoft_MatMulBnb4_1_attributes *attributes, const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *absmax, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.MatMulFpQ4: MatMul with 4-bit weights packed beforehand. */
typedef struct tenure_com_microsoft_MatMulFpQ4_1_attributes {
    int64_t blk_quant_type;
} tenure_com_microsoft_MatMulFpQ4_1_attributes;
int tenure_com_microsoft_MatMulFpQ4_1(const tenure_com_microsoft_MatMulFpQ4_1_attributes *attributes, const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *B_shape, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.MatMulBlockQuantizedFp4Weight: MatMul with 4-bit float weights, transposed. */
typedef struct tenure_com_microsoft_MatMulBlockQuantizedFp4Weight_1_attributes {
    int64_t block_size;
} tenure_com_microsoft_MatMulBlockQuantizedFp4Weight_1_attributes;
int tenure_com_microsoft_MatMulBlockQuantizedFp4Weight_1(const tenure_com_microsoft_MatMulBlockQuantizedFp4Weight_1_attributes *attributes, const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *weight_scale, const tenure_tensor *weight_scale_2, const tenure_tensor *input_scale, const tenure_tensor *bias, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.MatMulBlockQuantizedFp8Weight: MatMul with 8-bit float weights, transposed. */
typedef struct tenure_com_microsoft_MatMulBlockQuantizedFp8Weight_1_attributes {
    int64_t block_size;
} tenure_com_microsoft_MatMulBlockQuantizedFp8Weight_1_attributes;
int tenure_com_microsoft_MatMulBlockQuantizedFp8Weight_1(const tenure_com_microsoft_MatMulBlockQuantizedFp8Weight_1_attributes *attributes, const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *b_scale, const tenure_tensor *a_scale, const tenure_tensor *bias, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.MoE: mixture of experts. */
typedef struct tenure_com_microsoft_MoE_1_attributes {
    float activation_alpha;
    float activation_beta;
    const char *activation_type;
    int64_t k;
    int64_t normalize_routing_weights;
    int64_t swiglu_fusion;
    float swiglu_limit;
    uint8_t has_swiglu_limit;
    int64_t use_sparse_mixer;
} tenure_com_microsoft_MoE_1_attributes;
int tenure_com_microsoft_MoE_1(const tenure_com_microsoft_MoE_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *router_probs, const tenure_tensor *fc1_experts_weights, const tenure_tensor *fc1_experts_bias, const tenure_tensor *fc2_experts_weights, const tenure_tensor *fc2_experts_bias, const tenure_tensor *fc3_experts_weights, const tenure_tensor *fc3_experts_bias, const tenure_tensor *output, const tenure_context *context);

/* com.microsoft.QMoE: mixture of experts with quantised weights. */
typedef struct tenure_com_microsoft_QMoE_1_attributes {
    int64_t accuracy_level;
    float activation_alpha;
    float activation_beta;
    const char *activation_type;
    int64_t block_size;
    uint8_t has_block_size;
    int64_t expert_weight_bits;
    int64_t fc1_expert_weight_bits;
    uint8_t has_fc1_expert_weight_bits;
    int64_t fc2_expert_weight_bits;
    uint8_t has_fc2_expert_weight_bits;
    int64_t fc3_expert_weight_bits;
    uint8_t has_fc3_expert_weight_bits;
    int64_t k;
    int64_t normalize_routing_weights;
    const char *quant_type;
    int64_t swiglu_fusion;
    float swiglu_limit;
    uint8_t has_swiglu_limit;
    int64_t use_sparse_mixer;
    int64_t weights_prepacked;
} tenure_com_microsoft_QMoE_1_attributes;
int tenure_com_microsoft_QMoE_1(const tenure_com_microsoft_QMoE_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *router_probs, const tenure_tensor *fc1_experts_weights, const tenure_tensor *fc1_scales, const tenure_tensor *fc1_experts_bias, const tenure_tensor *fc2_experts_weights, const tenure_tensor *fc2_scales, const tenure_tensor *fc2_experts_bias, const tenure_tensor *fc3_experts_weights, const tenure_tensor *fc3_scales, const tenure_tensor *fc3_experts_bias, const tenure_tensor *fc1_zero_points, const tenure_tensor *fc2_zero_points, const tenure_tensor *fc3_zero_points, const tenure_tensor *router_weights, const tenure_tensor *fc1_global_scale, const tenure_tensor *fc2_global_scale, const tenure_tensor *fc1_act_scale, const tenure_tensor *fc2_act_scale, const tenure_tensor *fc1_act_block_scale, const tenure_tensor *fc2_act_block_scale, const tenure_tensor *output, const tenure_context *context);

/* com.microsoft.QuantizeLinear: x / scale + zero point, rounded and saturated. */
typedef struct tenure_com_microsoft_QuantizeLinear_1_attributes {
    int64_t axis;
    uint8_t has_axis;
} tenure_com_microsoft_QuantizeLinear_1_attributes;
int tenure_com_microsoft_QuantizeLinear_1(const tenure_com_microsoft_QuantizeLinear_1_attributes *attributes, const tenure_tensor *x, const tenure_tensor *y_scale, const tenure_tensor *y_zero_point, const tenure_tensor *y, const tenure_context *context);

/* com.microsoft.DequantizeLinear: (x - zero point) * scale. */
typedef struct tenure_com_microsoft_DequantizeLinear_1_attributes {
    int64_t axis;
    uint8_t has_axis;
} tenure_com_microsoft_DequantizeLinear_1_attributes;
int tenure_com_microsoft_DequantizeLinear_1(const tenure_com_microsoft_DequantizeLinear_1_attributes *attributes, const tenure_tensor *x, const tenure_tensor *x_scale, const tenure_tensor *x_zero_point, const tenure_tensor *y, const tenure_context *context);

/* com.microsoft.QuantizeWithOrder: quantises into a tiled layout. */
typedef struct tenure_com_microsoft_QuantizeWithOrder_1_attributes {
    int64_t order_input;
    int64_t order_output;
} tenure_com_microsoft_QuantizeWithOrder_1_attributes;
int tenure_com_microsoft_QuantizeWithOrder_1(const tenure_com_microsoft_QuantizeWithOrder_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *scale_input, const tenure_tensor *output, const tenure_context *context);

/* com.microsoft.DequantizeWithOrder: dequantises from a tiled layout. */
typedef struct tenure_com_microsoft_DequantizeWithOrder_1_attributes {
    int64_t order_input;
    int64_t order_output;
    int64_t to;
} tenure_com_microsoft_DequantizeWithOrder_1_attributes;
int tenure_com_microsoft_DequantizeWithOrder_1(const tenure_com_microsoft_DequantizeWithOrder_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *scale_input, const tenure_tensor *output, const tenure_context *context);

/* com.microsoft.QuantizeBFP: packs floats into blocks with a shared exponent. */
typedef struct tenure_com_microsoft_QuantizeBFP_1_attributes {
    int64_t bfp_type;
    int64_t block_dim;
} tenure_com_microsoft_QuantizeBFP_1_attributes;
int tenure_com_microsoft_QuantizeBFP_1(const tenure_com_microsoft_QuantizeBFP_1_attributes *attributes, const tenure_tensor *x, const tenure_tensor *y, const tenure_tensor *shape, const tenure_tensor *strides, const tenure_context *context);

/* com.microsoft.DequantizeBFP: unpacks blocks with a shared exponent. */
typedef struct tenure_com_microsoft_DequantizeBFP_1_attributes {
    int64_t bfp_type;
    int64_t block_dim;
    int64_t dtype;
} tenure_com_microsoft_DequantizeBFP_1_attributes;
int tenure_com_microsoft_DequantizeBFP_1(const tenure_com_microsoft_DequantizeBFP_1_attributes *attributes, const tenure_tensor *x, const tenure_tensor *shape, const tenure_tensor *strides, const tenure_tensor *y, const tenure_context *context);

/* com.microsoft.QLinearAdd: A + B on 8-bit tensors. */
int tenure_com_microsoft_QLinearAdd_1(const tenure_tensor *A, const tenure_tensor *A_scale, const tenure_tensor *A_zero_point, const tenure_tensor *B, const tenure_tensor *B_scale, const tenure_tensor *B_zero_point, const tenure_tensor *C_scale, const tenure_tensor *C_zero_point, const tenure_tensor *C, const tenure_context *context);

/* com.microsoft.QLinearMul: A * B on 8-bit tensors. */
int tenure_com_microsoft_QLinearMul_1(const tenure_tensor *A, const tenure_tensor *A_scale, const tenure_tensor *A_zero_point, const tenure_tensor *B, const tenure_tensor *B_scale, const tenure_tensor *B_zero_point, const tenure_tensor *C_scale, const tenure_tensor *C_zero_point, const tenure_tensor *C, const tenure_context *context);

/* com.microsoft.MulInteger: A * B on 8-bit tensors in 32 bits. */
int tenure_com_microsoft_MulInteger_1(const tenure_tensor *A, const tenure_tensor *A_zero_point, const tenure_tensor *B, const tenure_tensor *B_zero_point, const tenure_tensor *C, const tenure_context *context);

/* com.microsoft.QLinearWhere: elements of X or Y by a condition, on 8-bit tensors. */
int tenure_com_microsoft_QLinearWhere_1(const tenure_tensor *condition, const tenure_tensor *X, const tenure_tensor *x_scale, const tenure_tensor *x_zero_point, const tenure_tensor *Y, const tenure_tensor *y_scale, const tenure_tensor *y_zero_point, const tenure_tensor *z_scale, const tenure_tensor *z_zero_point, const tenure_tensor *Z, const tenure_context *context);

/* com.microsoft.QLinearConcat: joins 8-bit tensors given as tensor, scale and zero point. */
typedef struct tenure_com_microsoft_QLinearConcat_1_attributes {
    int64_t axis;
} tenure_com_microsoft_QLinearConcat_1_attributes;
int tenure_com_microsoft_QLinearConcat_1(const tenure_com_microsoft_QLinearConcat_1_attributes *attributes, const tenure_tensor *Y_scale, const tenure_tensor *Y_zero_point, const tenure_tensor *const *inputs, uint32_t n_inputs, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.QLinearSigmoid: sigmoid on 8-bit tensors. */
int tenure_com_microsoft_QLinearSigmoid_1(const tenure_tensor *X, const tenure_tensor *X_scale, const tenure_tensor *X_zero_point, const tenure_tensor *Y_scale, const tenure_tensor *Y_zero_point, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.QLinearLeakyRelu: leaky rectifier on 8-bit tensors. */
typedef struct tenure_com_microsoft_QLinearLeakyRelu_1_attributes {
    float alpha;
} tenure_com_microsoft_QLinearLeakyRelu_1_attributes;
int tenure_com_microsoft_QLinearLeakyRelu_1(const tenure_com_microsoft_QLinearLeakyRelu_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *X_scale, const tenure_tensor *X_zero_point, const tenure_tensor *Y_scale, const tenure_tensor *Y_zero_point, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.QLinearSoftmax: softmax on 8-bit tensors. */
typedef struct tenure_com_microsoft_QLinearSoftmax_1_attributes {
    int64_t axis;
    int64_t opset;
} tenure_com_microsoft_QLinearSoftmax_1_attributes;
int tenure_com_microsoft_QLinearSoftmax_1(const tenure_com_microsoft_QLinearSoftmax_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *X_scale, const tenure_tensor *x_zero_point, const tenure_tensor *y_scale, const tenure_tensor *y_zero_point, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.QLinearReduceMean: means along axes on 8-bit tensors. */
typedef struct tenure_com_microsoft_QLinearReduceMean_1_attributes {
    tenure_ints axes;
    int64_t keepdims;
} tenure_com_microsoft_QLinearReduceMean_1_attributes;
int tenure_com_microsoft_QLinearReduceMean_1(const tenure_com_microsoft_QLinearReduceMean_1_attributes *attributes, const tenure_tensor *data, const tenure_tensor *data_scale, const tenure_tensor *data_zero_point, const tenure_tensor *reduced_scale, const tenure_tensor *reduced_zero_point, const tenure_tensor *reduced, const tenure_context *context);

/* com.microsoft.ReduceSumInteger: sums of 8-bit elements in 32 bits. */
typedef struct tenure_com_microsoft_ReduceSumInteger_1_attributes {
    tenure_ints axes;
    int64_t keepdims;
} tenure_com_microsoft_ReduceSumInteger_1_attributes;
int tenure_com_microsoft_ReduceSumInteger_1(const tenure_com_microsoft_ReduceSumInteger_1_attributes *attributes, const tenure_tensor *data, const tenure_tensor *reduced, const tenure_context *context);

/* com.microsoft.GatherBlockQuantized: Gather from a table quantised by blocks. */
typedef struct tenure_com_microsoft_GatherBlockQuantized_1_attributes {
    int64_t bits;
    int64_t block_size;
    int64_t gather_axis;
    int64_t quantize_axis;
} tenure_com_microsoft_GatherBlockQuantized_1_attributes;
int tenure_com_microsoft_GatherBlockQuantized_1(const tenure_com_microsoft_GatherBlockQuantized_1_attributes *attributes, const tenure_tensor *data, const tenure_tensor *indices, const tenure_tensor *scales, const tenure_tensor *zero_points, const tenure_tensor *output, const tenure_context *context);

/* com.microsoft.FusedConv: Conv, a sum and an activation. */
typedef struct tenure_com_microsoft_FusedConv_1_attributes {
    const char *auto_pad;
    tenure_ints dilations;
    int64_t group;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
    const char *activation;
    tenure_floats activation_params;
} tenure_com_microsoft_FusedConv_1_attributes;
int tenure_com_microsoft_FusedConv_1(const tenure_com_microsoft_FusedConv_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *W, const tenure_tensor *B, const tenure_tensor *Z, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.NhwcConv: Conv with channels last. */
typedef struct tenure_com_microsoft_NhwcConv_1_attributes {
    const char *auto_pad;
    tenure_ints dilations;
    int64_t group;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
} tenure_com_microsoft_NhwcConv_1_attributes;
int tenure_com_microsoft_NhwcConv_1(const tenure_com_microsoft_NhwcConv_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *W, const tenure_tensor *B, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.NhwcFusedConv: FusedConv with channels last. */
typedef struct tenure_com_microsoft_NhwcFusedConv_1_attributes {
    const char *auto_pad;
    tenure_ints dilations;
    int64_t group;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
    const char *activation;
    tenure_floats activation_params;
} tenure_com_microsoft_NhwcFusedConv_1_attributes;
int tenure_com_microsoft_NhwcFusedConv_1(const tenure_com_microsoft_NhwcFusedConv_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *W, const tenure_tensor *B, const tenure_tensor *Z, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.QLinearConv: QLinearConv with a choice of layout. */
typedef struct tenure_com_microsoft_QLinearConv_1_attributes {
    const char *auto_pad;
    tenure_ints dilations;
    int64_t group;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
    int64_t channels_last;
} tenure_com_microsoft_QLinearConv_1_attributes;
int tenure_com_microsoft_QLinearConv_1(const tenure_com_microsoft_QLinearConv_1_attributes *attributes, const tenure_tensor *x, const tenure_tensor *x_scale, const tenure_tensor *x_zero_point, const tenure_tensor *w, const tenure_tensor *w_scale, const tenure_tensor *w_zero_point, const tenure_tensor *y_scale, const tenure_tensor *y_zero_point, const tenure_tensor *B, const tenure_tensor *y, const tenure_context *context);

/* com.microsoft.ConvTransposeWithDynamicPads: ConvTranspose with pads as an operand. */
typedef struct tenure_com_microsoft_ConvTransposeWithDynamicPads_1_attributes {
    const char *auto_pad;
    tenure_ints dilations;
    int64_t group;
    tenure_ints kernel_shape;
    tenure_ints output_padding;
    tenure_ints strides;
} tenure_com_microsoft_ConvTransposeWithDynamicPads_1_attributes;
int tenure_com_microsoft_ConvTransposeWithDynamicPads_1(const tenure_com_microsoft_ConvTransposeWithDynamicPads_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *W, const tenure_tensor *Pads, const tenure_tensor *B, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.NhwcMaxPool: MaxPool with channels last. */
typedef struct tenure_com_microsoft_NhwcMaxPool_1_attributes {
    const char *auto_pad;
    int64_t ceil_mode;
    tenure_ints dilations;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
} tenure_com_microsoft_NhwcMaxPool_1_attributes;
int tenure_com_microsoft_NhwcMaxPool_1(const tenure_com_microsoft_NhwcMaxPool_1_attributes *attributes, const tenure_tensor *x, const tenure_tensor *y, const tenure_context *context);

/* com.microsoft.MaxpoolWithMask: MaxPool over unmasked elements. */
typedef struct tenure_com_microsoft_MaxpoolWithMask_1_attributes {
    const char *auto_pad;
    tenure_ints kernel_shape;
    tenure_ints pads;
    int64_t storage_order;
    tenure_ints strides;
} tenure_com_microsoft_MaxpoolWithMask_1_attributes;
int tenure_com_microsoft_MaxpoolWithMask_1(const tenure_com_microsoft_MaxpoolWithMask_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *M, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.QLinearAveragePool: AveragePool on 8-bit tensors. */
typedef struct tenure_com_microsoft_QLinearAveragePool_1_attributes {
    const char *auto_pad;
    int64_t ceil_mode;
    int64_t channels_last;
    int64_t count_include_pad;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
} tenure_com_microsoft_QLinearAveragePool_1_attributes;
int tenure_com_microsoft_QLinearAveragePool_1(const tenure_com_microsoft_QLinearAveragePool_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *x_scale, const tenure_tensor *x_zero_point, const tenure_tensor *y_scale, const tenure_tensor *y_zero_point, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.QLinearGlobalAveragePool: GlobalAveragePool on 8-bit tensors. */
typedef struct tenure_com_microsoft_QLinearGlobalAveragePool_1_attributes {
    int64_t channels_last;
} tenure_com_microsoft_QLinearGlobalAveragePool_1_attributes;
int tenure_com_microsoft_QLinearGlobalAveragePool_1(const tenure_com_microsoft_QLinearGlobalAveragePool_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *x_scale, const tenure_tensor *x_zero_point, const tenure_tensor *y_scale, const tenure_tensor *y_zero_point, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.nchwc.ReorderInput: puts channels into blocks of the machine's vector width. */
typedef struct tenure_com_microsoft_nchwc_ReorderInput_1_attributes {
    int64_t channels_last;
} tenure_com_microsoft_nchwc_ReorderInput_1_attributes;
int tenure_com_microsoft_nchwc_ReorderInput_1(const tenure_com_microsoft_nchwc_ReorderInput_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.nchwc.ReorderOutput: takes channels out of their blocks. */
typedef struct tenure_com_microsoft_nchwc_ReorderOutput_1_attributes {
    int64_t channels;
    int64_t channels_last;
} tenure_com_microsoft_nchwc_ReorderOutput_1_attributes;
int tenure_com_microsoft_nchwc_ReorderOutput_1(const tenure_com_microsoft_nchwc_ReorderOutput_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.nchwc.Conv: FusedConv with channels in blocks. */
typedef struct tenure_com_microsoft_nchwc_Conv_1_attributes {
    const char *auto_pad;
    tenure_ints dilations;
    int64_t group;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
    const char *activation;
    tenure_floats activation_params;
} tenure_com_microsoft_nchwc_Conv_1_attributes;
int tenure_com_microsoft_nchwc_Conv_1(const tenure_com_microsoft_nchwc_Conv_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *W, const tenure_tensor *B, const tenure_tensor *Sum, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.nchwc.MaxPool: MaxPool with channels in blocks. */
typedef struct tenure_com_microsoft_nchwc_MaxPool_1_attributes {
    const char *auto_pad;
    int64_t ceil_mode;
    tenure_ints dilations;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
    int64_t storage_order;
} tenure_com_microsoft_nchwc_MaxPool_1_attributes;
int tenure_com_microsoft_nchwc_MaxPool_1(const tenure_com_microsoft_nchwc_MaxPool_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.nchwc.AveragePool: AveragePool with channels in blocks. */
typedef struct tenure_com_microsoft_nchwc_AveragePool_1_attributes {
    const char *auto_pad;
    int64_t ceil_mode;
    tenure_ints dilations;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
    int64_t count_include_pad;
} tenure_com_microsoft_nchwc_AveragePool_1_attributes;
int tenure_com_microsoft_nchwc_AveragePool_1(const tenure_com_microsoft_nchwc_AveragePool_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.nchwc.GlobalMaxPool: GlobalMaxPool with channels in blocks. */
int tenure_com_microsoft_nchwc_GlobalMaxPool_1(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.nchwc.GlobalAveragePool: GlobalAveragePool with channels in blocks. */
int tenure_com_microsoft_nchwc_GlobalAveragePool_1(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.nchwc.Upsample: repeats elements, channels in blocks. */
typedef struct tenure_com_microsoft_nchwc_Upsample_1_attributes {
    tenure_ints scales;
    const char *mode;
    const char *coordinate_transformation_mode;
} tenure_com_microsoft_nchwc_Upsample_1_attributes;
int tenure_com_microsoft_nchwc_Upsample_1(const tenure_com_microsoft_nchwc_Upsample_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* com.ms.internal.nhwc.AveragePool: AveragePool with channels last. */
typedef struct tenure_com_ms_internal_nhwc_AveragePool_7_attributes {
    const char *auto_pad;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
    const char *activation;
    tenure_floats activation_params;
    int64_t count_include_pad;
} tenure_com_ms_internal_nhwc_AveragePool_7_attributes;
int tenure_com_ms_internal_nhwc_AveragePool_7(const tenure_com_ms_internal_nhwc_AveragePool_7_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_com_ms_internal_nhwc_AveragePool_10_attributes {
    const char *auto_pad;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
    const char *activation;
    tenure_floats activation_params;
    int64_t ceil_mode;
    int64_t count_include_pad;
} tenure_com_ms_internal_nhwc_AveragePool_10_attributes;
int tenure_com_ms_internal_nhwc_AveragePool_10(const tenure_com_ms_internal_nhwc_AveragePool_10_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_com_ms_internal_nhwc_AveragePool_11_attributes {
    const char *auto_pad;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
    const char *activation;
    tenure_floats activation_params;
    int64_t ceil_mode;
    int64_t count_include_pad;
} tenure_com_ms_internal_nhwc_AveragePool_11_attributes;
int tenure_com_ms_internal_nhwc_AveragePool_11(const tenure_com_ms_internal_nhwc_AveragePool_11_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_com_ms_internal_nhwc_AveragePool_19_attributes {
    const char *auto_pad;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
    const char *activation;
    tenure_floats activation_params;
    int64_t ceil_mode;
    int64_t count_include_pad;
    tenure_ints dilations;
} tenure_com_ms_internal_nhwc_AveragePool_19_attributes;
int tenure_com_ms_internal_nhwc_AveragePool_19(const tenure_com_ms_internal_nhwc_AveragePool_19_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* com.ms.internal.nhwc.BatchNormalization: BatchNormalization with channels last. */
typedef struct tenure_com_ms_internal_nhwc_BatchNormalization_7_attributes {
    float epsilon;
    float momentum;
    int64_t spatial;
    const char *activation;
    tenure_floats activation_params;
} tenure_com_ms_internal_nhwc_BatchNormalization_7_attributes;
int tenure_com_ms_internal_nhwc_BatchNormalization_7(const tenure_com_ms_internal_nhwc_BatchNormalization_7_attributes *attributes, const tenure_tensor *X, const tenure_tensor *scale, const tenure_tensor *B, const tenure_tensor *input_mean, const tenure_tensor *input_var, const tenure_tensor *Y, const tenure_tensor *running_mean, const tenure_tensor *running_var, const tenure_tensor *saved_mean, const tenure_tensor *saved_var, const tenure_context *context);
typedef struct tenure_com_ms_internal_nhwc_BatchNormalization_9_attributes {
    float epsilon;
    float momentum;
    const char *activation;
    tenure_floats activation_params;
} tenure_com_ms_internal_nhwc_BatchNormalization_9_attributes;
int tenure_com_ms_internal_nhwc_BatchNormalization_9(const tenure_com_ms_internal_nhwc_BatchNormalization_9_attributes *attributes, const tenure_tensor *X, const tenure_tensor *scale, const tenure_tensor *B, const tenure_tensor *input_mean, const tenure_tensor *input_var, const tenure_tensor *Y, const tenure_tensor *running_mean, const tenure_tensor *running_var, const tenure_tensor *saved_mean, const tenure_tensor *saved_var, const tenure_context *context);
typedef struct tenure_com_ms_internal_nhwc_BatchNormalization_14_attributes {
    float epsilon;
    float momentum;
    int64_t training_mode;
    const char *activation;
    tenure_floats activation_params;
} tenure_com_ms_internal_nhwc_BatchNormalization_14_attributes;
int tenure_com_ms_internal_nhwc_BatchNormalization_14(const tenure_com_ms_internal_nhwc_BatchNormalization_14_attributes *attributes, const tenure_tensor *X, const tenure_tensor *scale, const tenure_tensor *B, const tenure_tensor *input_mean, const tenure_tensor *input_var, const tenure_tensor *Y, const tenure_tensor *running_mean, const tenure_tensor *running_var, const tenure_context *context);
typedef struct tenure_com_ms_internal_nhwc_BatchNormalization_15_attributes {
    float epsilon;
    float momentum;
    int64_t training_mode;
    const char *activation;
    tenure_floats activation_params;
} tenure_com_ms_internal_nhwc_BatchNormalization_15_attributes;
int tenure_com_ms_internal_nhwc_BatchNormalization_15(const tenure_com_ms_internal_nhwc_BatchNormalization_15_attributes *attributes, const tenure_tensor *X, const tenure_tensor *scale, const tenure_tensor *B, const tenure_tensor *input_mean, const tenure_tensor *input_var, const tenure_tensor *Y, const tenure_tensor *running_mean, const tenure_tensor *running_var, const tenure_context *context);

/* com.ms.internal.nhwc.Conv: Conv with channels last, and those of the weights where they were. */
typedef struct tenure_com_ms_internal_nhwc_Conv_1_attributes {
    const char *auto_pad;
    tenure_ints dilations;
    int64_t group;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
    const char *activation;
    tenure_floats activation_params;
} tenure_com_ms_internal_nhwc_Conv_1_attributes;
int tenure_com_ms_internal_nhwc_Conv_1(const tenure_com_ms_internal_nhwc_Conv_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *W, const tenure_tensor *B, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_com_ms_internal_nhwc_Conv_11_attributes {
    const char *auto_pad;
    tenure_ints dilations;
    int64_t group;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
    const char *activation;
    tenure_floats activation_params;
} tenure_com_ms_internal_nhwc_Conv_11_attributes;
int tenure_com_ms_internal_nhwc_Conv_11(const tenure_com_ms_internal_nhwc_Conv_11_attributes *attributes, const tenure_tensor *X, const tenure_tensor *W, const tenure_tensor *B, const tenure_tensor *Y, const tenure_context *context);

/* com.ms.internal.nhwc.ConvTranspose: ConvTranspose with channels last. */
typedef struct tenure_com_ms_internal_nhwc_ConvTranspose_1_attributes {
    const char *auto_pad;
    tenure_ints dilations;
    int64_t group;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
    tenure_ints output_padding;
    tenure_ints output_shape;
    const char *activation;
    tenure_floats activation_params;
} tenure_com_ms_internal_nhwc_ConvTranspose_1_attributes;
int tenure_com_ms_internal_nhwc_ConvTranspose_1(const tenure_com_ms_internal_nhwc_ConvTranspose_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *W, const tenure_tensor *B, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_com_ms_internal_nhwc_ConvTranspose_11_attributes {
    const char *auto_pad;
    tenure_ints dilations;
    int64_t group;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
    tenure_ints output_padding;
    tenure_ints output_shape;
    const char *activation;
    tenure_floats activation_params;
} tenure_com_ms_internal_nhwc_ConvTranspose_11_attributes;
int tenure_com_ms_internal_nhwc_ConvTranspose_11(const tenure_com_ms_internal_nhwc_ConvTranspose_11_attributes *attributes, const tenure_tensor *X, const tenure_tensor *W, const tenure_tensor *B, const tenure_tensor *Y, const tenure_context *context);

/* com.ms.internal.nhwc.DepthToSpace: DepthToSpace with channels last. */
typedef struct tenure_com_ms_internal_nhwc_DepthToSpace_1_attributes {
    int64_t blocksize;
} tenure_com_ms_internal_nhwc_DepthToSpace_1_attributes;
int tenure_com_ms_internal_nhwc_DepthToSpace_1(const tenure_com_ms_internal_nhwc_DepthToSpace_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_com_ms_internal_nhwc_DepthToSpace_11_attributes {
    int64_t blocksize;
    const char *mode;
} tenure_com_ms_internal_nhwc_DepthToSpace_11_attributes;
int tenure_com_ms_internal_nhwc_DepthToSpace_11(const tenure_com_ms_internal_nhwc_DepthToSpace_11_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_com_ms_internal_nhwc_DepthToSpace_13_attributes {
    int64_t blocksize;
    const char *mode;
} tenure_com_ms_internal_nhwc_DepthToSpace_13_attributes;
int tenure_com_ms_internal_nhwc_DepthToSpace_13(const tenure_com_ms_internal_nhwc_DepthToSpace_13_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* com.ms.internal.nhwc.GlobalAveragePool: GlobalAveragePool with channels last. */
int tenure_com_ms_internal_nhwc_GlobalAveragePool_1(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* com.ms.internal.nhwc.GlobalLpPool: GlobalLpPool with channels last. */
typedef struct tenure_com_ms_internal_nhwc_GlobalLpPool_2_attributes {
    int64_t p;
} tenure_com_ms_internal_nhwc_GlobalLpPool_2_attributes;
int tenure_com_ms_internal_nhwc_GlobalLpPool_2(const tenure_com_ms_internal_nhwc_GlobalLpPool_2_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* com.ms.internal.nhwc.GlobalMaxPool: GlobalMaxPool with channels last. */
int tenure_com_ms_internal_nhwc_GlobalMaxPool_1(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* com.ms.internal.nhwc.GridSample: GridSample with channels last. */
typedef struct tenure_com_ms_internal_nhwc_GridSample_16_attributes {
    int64_t align_corners;
    const char *mode;
    const char *padding_mode;
} tenure_com_ms_internal_nhwc_GridSample_16_attributes;
int tenure_com_ms_internal_nhwc_GridSample_16(const tenure_com_ms_internal_nhwc_GridSample_16_attributes *attributes, const tenure_tensor *X, const tenure_tensor *grid, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_com_ms_internal_nhwc_GridSample_20_attributes {
    int64_t align_corners;
    const char *mode;
    const char *padding_mode;
} tenure_com_ms_internal_nhwc_GridSample_20_attributes;
int tenure_com_ms_internal_nhwc_GridSample_20(const tenure_com_ms_internal_nhwc_GridSample_20_attributes *attributes, const tenure_tensor *X, const tenure_tensor *grid, const tenure_tensor *Y, const tenure_context *context);

/* com.ms.internal.nhwc.InstanceNormalization: InstanceNormalization with channels last. */
typedef struct tenure_com_ms_internal_nhwc_InstanceNormalization_6_attributes {
    float epsilon;
    const char *activation;
    tenure_floats activation_params;
} tenure_com_ms_internal_nhwc_InstanceNormalization_6_attributes;
int tenure_com_ms_internal_nhwc_InstanceNormalization_6(const tenure_com_ms_internal_nhwc_InstanceNormalization_6_attributes *attributes, const tenure_tensor *input, const tenure_tensor *scale, const tenure_tensor *B, const tenure_tensor *output, const tenure_context *context);

/* com.ms.internal.nhwc.LRN: LRN with channels last. */
typedef struct tenure_com_ms_internal_nhwc_LRN_1_attributes {
    float alpha;
    float beta;
    float bias;
    int64_t size;
} tenure_com_ms_internal_nhwc_LRN_1_attributes;
int tenure_com_ms_internal_nhwc_LRN_1(const tenure_com_ms_internal_nhwc_LRN_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_com_ms_internal_nhwc_LRN_13_attributes {
    float alpha;
    float beta;
    float bias;
    int64_t size;
} tenure_com_ms_internal_nhwc_LRN_13_attributes;
int tenure_com_ms_internal_nhwc_LRN_13(const tenure_com_ms_internal_nhwc_LRN_13_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* com.ms.internal.nhwc.LpPool: LpPool with channels last. */
typedef struct tenure_com_ms_internal_nhwc_LpPool_11_attributes {
    const char *auto_pad;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
    int64_t p;
} tenure_com_ms_internal_nhwc_LpPool_11_attributes;
int tenure_com_ms_internal_nhwc_LpPool_11(const tenure_com_ms_internal_nhwc_LpPool_11_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_com_ms_internal_nhwc_LpPool_18_attributes {
    const char *auto_pad;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
    int64_t ceil_mode;
    tenure_ints dilations;
    int64_t p;
} tenure_com_ms_internal_nhwc_LpPool_18_attributes;
int tenure_com_ms_internal_nhwc_LpPool_18(const tenure_com_ms_internal_nhwc_LpPool_18_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* com.ms.internal.nhwc.MaxPool: MaxPool with channels last. */
typedef struct tenure_com_ms_internal_nhwc_MaxPool_1_attributes {
    const char *auto_pad;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
    const char *activation;
    tenure_floats activation_params;
} tenure_com_ms_internal_nhwc_MaxPool_1_attributes;
int tenure_com_ms_internal_nhwc_MaxPool_1(const tenure_com_ms_internal_nhwc_MaxPool_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_com_ms_internal_nhwc_MaxPool_8_attributes {
    const char *auto_pad;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
    const char *activation;
    tenure_floats activation_params;
    int64_t storage_order;
} tenure_com_ms_internal_nhwc_MaxPool_8_attributes;
int tenure_com_ms_internal_nhwc_MaxPool_8(const tenure_com_ms_internal_nhwc_MaxPool_8_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_tensor *Indices, const tenure_context *context);
typedef struct tenure_com_ms_internal_nhwc_MaxPool_10_attributes {
    const char *auto_pad;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
    const char *activation;
    tenure_floats activation_params;
    int64_t ceil_mode;
    tenure_ints dilations;
    int64_t storage_order;
} tenure_com_ms_internal_nhwc_MaxPool_10_attributes;
int tenure_com_ms_internal_nhwc_MaxPool_10(const tenure_com_ms_internal_nhwc_MaxPool_10_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_tensor *Indices, const tenure_context *context);
typedef struct tenure_com_ms_internal_nhwc_MaxPool_11_attributes {
    const char *auto_pad;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
    const char *activation;
    tenure_floats activation_params;
    int64_t ceil_mode;
    tenure_ints dilations;
    int64_t storage_order;
} tenure_com_ms_internal_nhwc_MaxPool_11_attributes;
int tenure_com_ms_internal_nhwc_MaxPool_11(const tenure_com_ms_internal_nhwc_MaxPool_11_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_tensor *Indices, const tenure_context *context);
typedef struct tenure_com_ms_internal_nhwc_MaxPool_12_attributes {
    const char *auto_pad;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
    const char *activation;
    tenure_floats activation_params;
    int64_t ceil_mode;
    tenure_ints dilations;
    int64_t storage_order;
} tenure_com_ms_internal_nhwc_MaxPool_12_attributes;
int tenure_com_ms_internal_nhwc_MaxPool_12(const tenure_com_ms_internal_nhwc_MaxPool_12_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_tensor *Indices, const tenure_context *context);

/* com.ms.internal.nhwc.MaxUnpool: MaxUnpool with channels last. */
typedef struct tenure_com_ms_internal_nhwc_MaxUnpool_9_attributes {
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
    const char *activation;
    tenure_floats activation_params;
    tenure_ints output_shape; /* of the operand */
} tenure_com_ms_internal_nhwc_MaxUnpool_9_attributes;
int tenure_com_ms_internal_nhwc_MaxUnpool_9(const tenure_com_ms_internal_nhwc_MaxUnpool_9_attributes *attributes, const tenure_tensor *X, const tenure_tensor *I, const tenure_tensor *output_shape, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_com_ms_internal_nhwc_MaxUnpool_11_attributes {
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
    const char *activation;
    tenure_floats activation_params;
    tenure_ints output_shape; /* of the operand */
} tenure_com_ms_internal_nhwc_MaxUnpool_11_attributes;
int tenure_com_ms_internal_nhwc_MaxUnpool_11(const tenure_com_ms_internal_nhwc_MaxUnpool_11_attributes *attributes, const tenure_tensor *X, const tenure_tensor *I, const tenure_tensor *output_shape, const tenure_tensor *output, const tenure_context *context);

/* com.ms.internal.nhwc.QLinearAveragePool: QLinearAveragePool with channels last. */
typedef struct tenure_com_ms_internal_nhwc_QLinearAveragePool_1_attributes {
    const char *auto_pad;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
    int64_t ceil_mode;
    int64_t channels_last;
    int64_t count_include_pad;
} tenure_com_ms_internal_nhwc_QLinearAveragePool_1_attributes;
int tenure_com_ms_internal_nhwc_QLinearAveragePool_1(const tenure_com_ms_internal_nhwc_QLinearAveragePool_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *x_scale, const tenure_tensor *x_zero_point, const tenure_tensor *y_scale, const tenure_tensor *y_zero_point, const tenure_tensor *Y, const tenure_context *context);

/* com.ms.internal.nhwc.QLinearConv: QLinearConv with channels last. */
typedef struct tenure_com_ms_internal_nhwc_QLinearConv_10_attributes {
    const char *auto_pad;
    tenure_ints dilations;
    int64_t group;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
} tenure_com_ms_internal_nhwc_QLinearConv_10_attributes;
int tenure_com_ms_internal_nhwc_QLinearConv_10(const tenure_com_ms_internal_nhwc_QLinearConv_10_attributes *attributes, const tenure_tensor *x, const tenure_tensor *x_scale, const tenure_tensor *x_zero_point, const tenure_tensor *w, const tenure_tensor *w_scale, const tenure_tensor *w_zero_point, const tenure_tensor *y_scale, const tenure_tensor *y_zero_point, const tenure_tensor *B, const tenure_tensor *y, const tenure_context *context);

/* com.ms.internal.nhwc.QLinearConvTranspose: ConvTranspose of quantised tensors with channels last. */
typedef struct tenure_com_ms_internal_nhwc_QLinearConvTranspose_1_attributes {
    const char *auto_pad;
    tenure_ints dilations;
    int64_t group;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
    tenure_ints output_padding;
    tenure_ints output_shape;
} tenure_com_ms_internal_nhwc_QLinearConvTranspose_1_attributes;
int tenure_com_ms_internal_nhwc_QLinearConvTranspose_1(const tenure_com_ms_internal_nhwc_QLinearConvTranspose_1_attributes *attributes, const tenure_tensor *x, const tenure_tensor *x_scale, const tenure_tensor *x_zero_point, const tenure_tensor *w, const tenure_tensor *w_scale, const tenure_tensor *w_zero_point, const tenure_tensor *y_scale, const tenure_tensor *y_zero_point, const tenure_tensor *B, const tenure_tensor *y, const tenure_context *context);

/* com.ms.internal.nhwc.Resize: Resize, whose operands name axes by position, with channels last. */
typedef struct tenure_com_ms_internal_nhwc_Resize_11_attributes {
    const char *coordinate_transformation_mode;
    float cubic_coeff_a;
    int64_t exclude_outside;
    float extrapolation_value;
    const char *mode;
    const char *nearest_mode;
    tenure_floats scales; /* of the operand */
    tenure_ints sizes; /* of the operand */
} tenure_com_ms_internal_nhwc_Resize_11_attributes;
int tenure_com_ms_internal_nhwc_Resize_11(const tenure_com_ms_internal_nhwc_Resize_11_attributes *attributes, const tenure_tensor *X, const tenure_tensor *roi, const tenure_tensor *scales, const tenure_tensor *sizes, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_com_ms_internal_nhwc_Resize_13_attributes {
    const char *coordinate_transformation_mode;
    float cubic_coeff_a;
    int64_t exclude_outside;
    float extrapolation_value;
    const char *mode;
    const char *nearest_mode;
    tenure_floats scales; /* of the operand */
    tenure_ints sizes; /* of the operand */
} tenure_com_ms_internal_nhwc_Resize_13_attributes;
int tenure_com_ms_internal_nhwc_Resize_13(const tenure_com_ms_internal_nhwc_Resize_13_attributes *attributes, const tenure_tensor *X, const tenure_tensor *roi, const tenure_tensor *scales, const tenure_tensor *sizes, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_com_ms_internal_nhwc_Resize_18_attributes {
    int64_t antialias;
    tenure_ints axes;
    const char *coordinate_transformation_mode;
    float cubic_coeff_a;
    int64_t exclude_outside;
    float extrapolation_value;
    const char *keep_aspect_ratio_policy;
    const char *mode;
    const char *nearest_mode;
    tenure_floats scales; /* of the operand */
    tenure_ints sizes; /* of the operand */
} tenure_com_ms_internal_nhwc_Resize_18_attributes;
int tenure_com_ms_internal_nhwc_Resize_18(const tenure_com_ms_internal_nhwc_Resize_18_attributes *attributes, const tenure_tensor *X, const tenure_tensor *roi, const tenure_tensor *scales, const tenure_tensor *sizes, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_com_ms_internal_nhwc_Resize_19_attributes {
    int64_t antialias;
    tenure_ints axes;
    const char *coordinate_transformation_mode;
    float cubic_coeff_a;
    int64_t exclude_outside;
    float extrapolation_value;
    const char *keep_aspect_ratio_policy;
    const char *mode;
    const char *nearest_mode;
    tenure_floats scales; /* of the operand */
    tenure_ints sizes; /* of the operand */
} tenure_com_ms_internal_nhwc_Resize_19_attributes;
int tenure_com_ms_internal_nhwc_Resize_19(const tenure_com_ms_internal_nhwc_Resize_19_attributes *attributes, const tenure_tensor *X, const tenure_tensor *roi, const tenure_tensor *scales, const tenure_tensor *sizes, const tenure_tensor *Y, const tenure_context *context);

/* com.ms.internal.nhwc.SpaceToDepth: SpaceToDepth with channels last. */
typedef struct tenure_com_ms_internal_nhwc_SpaceToDepth_1_attributes {
    int64_t blocksize;
} tenure_com_ms_internal_nhwc_SpaceToDepth_1_attributes;
int tenure_com_ms_internal_nhwc_SpaceToDepth_1(const tenure_com_ms_internal_nhwc_SpaceToDepth_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);
typedef struct tenure_com_ms_internal_nhwc_SpaceToDepth_13_attributes {
    int64_t blocksize;
} tenure_com_ms_internal_nhwc_SpaceToDepth_13_attributes;
int tenure_com_ms_internal_nhwc_SpaceToDepth_13(const tenure_com_ms_internal_nhwc_SpaceToDepth_13_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* com.microsoft.Inverse: inverses of matrices. */
int tenure_com_microsoft_Inverse_1(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.Trilu: a triangle of each matrix, zeros elsewhere. */
typedef struct tenure_com_microsoft_Trilu_1_attributes {
    int64_t upper;
} tenure_com_microsoft_Trilu_1_attributes;
int tenure_com_microsoft_Trilu_1(const tenure_com_microsoft_Trilu_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *k, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.Rfft: Fourier transform of a real signal. */
typedef struct tenure_com_microsoft_Rfft_1_attributes {
    int64_t normalized;
    int64_t onesided;
    int64_t signal_ndim;
} tenure_com_microsoft_Rfft_1_attributes;
int tenure_com_microsoft_Rfft_1(const tenure_com_microsoft_Rfft_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.Irfft: a real signal from its Fourier transform. */
typedef struct tenure_com_microsoft_Irfft_1_attributes {
    int64_t normalized;
    int64_t onesided;
    int64_t signal_ndim;
} tenure_com_microsoft_Irfft_1_attributes;
int tenure_com_microsoft_Irfft_1(const tenure_com_microsoft_Irfft_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.ComplexMul: products of complex numbers held as pairs. */
int tenure_com_microsoft_ComplexMul_1(const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);

/* com.microsoft.ComplexMulConj: products with the conjugate, numbers held as pairs. */
int tenure_com_microsoft_ComplexMulConj_1(const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);

/* com.microsoft.Range: numbers from start up to limit. */
int tenure_com_microsoft_Range_1(const tenure_tensor *start, const tenure_tensor *limit, const tenure_tensor *delta, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.Pad: adds elements round a tensor. */
typedef struct tenure_com_microsoft_Pad_1_attributes {
    const char *mode;
    tenure_ints pads; /* of the operand */
} tenure_com_microsoft_Pad_1_attributes;
int tenure_com_microsoft_Pad_1(const tenure_com_microsoft_Pad_1_attributes *attributes, const tenure_tensor *data, const tenure_tensor *pads, const tenure_tensor *value, const tenure_tensor *output, const tenure_context *context);

/* com.microsoft.ExpandDims: inserts a dimension of 1. */
int tenure_com_microsoft_ExpandDims_1(const tenure_tensor *X, const tenure_tensor *axis, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.GatherND: slices picked by index tuples. */
int tenure_com_microsoft_GatherND_1(const tenure_tensor *data, const tenure_tensor *indices, const tenure_tensor *output, const tenure_context *context);

/* com.microsoft.TorchEmbedding: rows of a table. */
int tenure_com_microsoft_TorchEmbedding_1(const tenure_tensor *weight, const tenure_tensor *indices, const tenure_tensor *padding_idx, const tenure_tensor *scale_grad_by_freq, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.WordConvEmbedding: embeds words by a convolution over their characters. */
typedef struct tenure_com_microsoft_WordConvEmbedding_1_attributes {
    int64_t char_embedding_size;
    uint8_t has_char_embedding_size;
    int64_t conv_window_size;
    uint8_t has_conv_window_size;
    int64_t embedding_size;
    uint8_t has_embedding_size;
} tenure_com_microsoft_WordConvEmbedding_1_attributes;
int tenure_com_microsoft_WordConvEmbedding_1(const tenure_com_microsoft_WordConvEmbedding_1_attributes *attributes, const tenure_tensor *Sequence, const tenure_tensor *W, const tenure_tensor *B, const tenure_tensor *C, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.GridSample: samples an image at the points of a grid. */
typedef struct tenure_com_microsoft_GridSample_1_attributes {
    int64_t align_corners;
    const char *mode;
    const char *padding_mode;
} tenure_com_microsoft_GridSample_1_attributes;
int tenure_com_microsoft_GridSample_1(const tenure_com_microsoft_GridSample_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Grid, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.CropAndResize: crops of an image, resized to one size. */
typedef struct tenure_com_microsoft_CropAndResize_1_attributes {
    float extrapolation_value;
    const char *mode;
} tenure_com_microsoft_CropAndResize_1_attributes;
int tenure_com_microsoft_CropAndResize_1(const tenure_com_microsoft_CropAndResize_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *rois, const tenure_tensor *batch_indices, const tenure_tensor *crop_size, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.UnfoldTensor: all slices along an axis. */
typedef struct tenure_com_microsoft_UnfoldTensor_1_attributes {
    int64_t size;
    int64_t dim;
    int64_t step;
} tenure_com_microsoft_UnfoldTensor_1_attributes;
int tenure_com_microsoft_UnfoldTensor_1(const tenure_com_microsoft_UnfoldTensor_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* com.microsoft.CDist: distances of all pairs of rows. */
typedef struct tenure_com_microsoft_CDist_1_attributes {
    const char *metric;
} tenure_com_microsoft_CDist_1_attributes;
int tenure_com_microsoft_CDist_1(const tenure_com_microsoft_CDist_1_attributes *attributes, const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);

/* com.microsoft.Unique: distinct elements in order of appearance. */
int tenure_com_microsoft_Unique_1(const tenure_tensor *x, const tenure_tensor *y, const tenure_tensor *idx, const tenure_tensor *counts, const tenure_context *context);

/* com.microsoft.Tokenizer: splits strings into tokens. */
typedef struct tenure_com_microsoft_Tokenizer_1_attributes {
    int64_t mark;
    int64_t mincharnum;
    const char *pad_value;
    tenure_texts separators;
    const char *tokenexp;
} tenure_com_microsoft_Tokenizer_1_attributes;
int tenure_com_microsoft_Tokenizer_1(const tenure_com_microsoft_Tokenizer_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.MurmurHash3: a 32-bit hash of each element. */
typedef struct tenure_com_microsoft_MurmurHash3_1_attributes {
    int64_t positive;
    int64_t seed;
} tenure_com_microsoft_MurmurHash3_1_attributes;
int tenure_com_microsoft_MurmurHash3_1(const tenure_com_microsoft_MurmurHash3_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.SampleOp: a copy. */
int tenure_com_microsoft_SampleOp_1(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.IsAllFinite: whether no element of any operand is infinite or no number. */
typedef struct tenure_com_microsoft_IsAllFinite_1_attributes {
    int64_t isinf_only;
    int64_t isnan_only;
} tenure_com_microsoft_IsAllFinite_1_attributes;
int tenure_com_microsoft_IsAllFinite_1(const tenure_com_microsoft_IsAllFinite_1_attributes *attributes, const tenure_tensor *const *input, uint32_t n_input, const tenure_tensor *output, const tenure_context *context);

/* com.microsoft.EPContext: a part of the model compiled for one machine. */
typedef struct tenure_com_microsoft_EPContext_1_attributes {
    int64_t embed_mode;
    const char *ep_cache_context;
    const char *ep_sdk_version;
    const char *hardware_architecture;
    int64_t main_context;
    int64_t max_size;
    const char *notes;
    const char *onnx_model_filename;
    const char *partition_name;
    const char *source;
} tenure_com_microsoft_EPContext_1_attributes;
int tenure_com_microsoft_EPContext_1(const tenure_com_microsoft_EPContext_1_attributes *attributes, const tenure_tensor *const *inputs, uint32_t n_inputs, const tenure_tensor *const *outputs, uint32_t n_outputs, const tenure_context *context);

/* com.microsoft.Snpe: a part of the model compiled for one machine. */
typedef struct tenure_com_microsoft_Snpe_1_attributes {
    const char *DLC;
    const char *notes;
    const char *snpe_version;
    const char *target_device;
} tenure_com_microsoft_Snpe_1_attributes;
int tenure_com_microsoft_Snpe_1(const tenure_com_microsoft_Snpe_1_attributes *attributes, const tenure_tensor *const *inputs, uint32_t n_inputs, const tenure_tensor *const *outputs, uint32_t n_outputs, const tenure_context *context);

/* ReluGrad: gradient of Relu from its result or operand. */
int tenure_ReluGrad_1(const tenure_tensor *dY, const tenure_tensor *X, const tenure_tensor *dX, const tenure_context *context);
int tenure_ReluGrad_9(const tenure_tensor *dY, const tenure_tensor *X, const tenure_tensor *dX, const tenure_context *context);

/* com.microsoft.ReluGrad: gradient of Relu from its result or operand. */
int tenure_com_microsoft_ReluGrad_1(const tenure_tensor *dY, const tenure_tensor *X, const tenure_tensor *dX, const tenure_context *context);

/* SigmoidGrad: gradient of Sigmoid from its result. */
int tenure_SigmoidGrad_1(const tenure_tensor *dY, const tenure_tensor *Y, const tenure_tensor *dX, const tenure_context *context);
int tenure_SigmoidGrad_9(const tenure_tensor *dY, const tenure_tensor *Y, const tenure_tensor *dX, const tenure_context *context);

/* com.microsoft.SigmoidGrad: gradient of Sigmoid from its result. */
int tenure_com_microsoft_SigmoidGrad_1(const tenure_tensor *dY, const tenure_tensor *Y, const tenure_tensor *dX, const tenure_context *context);

/* TanhGrad: gradient of Tanh from its result. */
int tenure_TanhGrad_1(const tenure_tensor *dY, const tenure_tensor *Y, const tenure_tensor *dX, const tenure_context *context);
int tenure_TanhGrad_9(const tenure_tensor *dY, const tenure_tensor *Y, const tenure_tensor *dX, const tenure_context *context);

/* com.microsoft.TanhGrad: gradient of Tanh from its result. */
int tenure_com_microsoft_TanhGrad_1(const tenure_tensor *dY, const tenure_tensor *Y, const tenure_tensor *dX, const tenure_context *context);

/* LeakyReluGrad: gradient of LeakyRelu from its result. */
typedef struct tenure_LeakyReluGrad_1_attributes {
    float alpha;
} tenure_LeakyReluGrad_1_attributes;
int tenure_LeakyReluGrad_1(const tenure_LeakyReluGrad_1_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *Y, const tenure_tensor *dX, const tenure_context *context);
typedef struct tenure_LeakyReluGrad_9_attributes {
    float alpha;
} tenure_LeakyReluGrad_9_attributes;
int tenure_LeakyReluGrad_9(const tenure_LeakyReluGrad_9_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *Y, const tenure_tensor *dX, const tenure_context *context);

/* com.microsoft.LeakyReluGrad: gradient of LeakyRelu from its result. */
typedef struct tenure_com_microsoft_LeakyReluGrad_1_attributes {
    float alpha;
} tenure_com_microsoft_LeakyReluGrad_1_attributes;
int tenure_com_microsoft_LeakyReluGrad_1(const tenure_com_microsoft_LeakyReluGrad_1_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *Y, const tenure_tensor *dX, const tenure_context *context);

/* SinGrad: gradient of Sin. */
int tenure_SinGrad_1(const tenure_tensor *dY, const tenure_tensor *X, const tenure_tensor *dX, const tenure_context *context);
int tenure_SinGrad_9(const tenure_tensor *dY, const tenure_tensor *X, const tenure_tensor *dX, const tenure_context *context);

/* com.microsoft.SinGrad: gradient of Sin. */
int tenure_com_microsoft_SinGrad_1(const tenure_tensor *dY, const tenure_tensor *X, const tenure_tensor *dX, const tenure_context *context);

/* GeluGrad: gradient of Gelu. */
typedef struct tenure_GeluGrad_1_attributes {
    const char *approximate;
} tenure_GeluGrad_1_attributes;
int tenure_GeluGrad_1(const tenure_GeluGrad_1_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *X, const tenure_tensor *dX, const tenure_context *context);
typedef struct tenure_GeluGrad_9_attributes {
    const char *approximate;
} tenure_GeluGrad_9_attributes;
int tenure_GeluGrad_9(const tenure_GeluGrad_9_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *X, const tenure_tensor *dX, const tenure_context *context);

/* com.microsoft.GeluGrad: gradient of Gelu. */
typedef struct tenure_com_microsoft_GeluGrad_1_attributes {
    const char *approximate;
} tenure_com_microsoft_GeluGrad_1_attributes;
int tenure_com_microsoft_GeluGrad_1(const tenure_com_microsoft_GeluGrad_1_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *X, const tenure_tensor *dX, const tenure_context *context);

/* FastGeluGrad: gradient of FastGelu. */
int tenure_FastGeluGrad_1(const tenure_tensor *dY, const tenure_tensor *X, const tenure_tensor *dX, const tenure_context *context);
int tenure_FastGeluGrad_9(const tenure_tensor *dY, const tenure_tensor *X, const tenure_tensor *dX, const tenure_context *context);

/* com.microsoft.FastGeluGrad: gradient of FastGelu. */
int tenure_com_microsoft_FastGeluGrad_1(const tenure_tensor *dY, const tenure_tensor *X, const tenure_tensor *dX, const tenure_context *context);

/* QuickGeluGrad: gradient of QuickGelu. */
typedef struct tenure_QuickGeluGrad_1_attributes {
    float alpha;
} tenure_QuickGeluGrad_1_attributes;
int tenure_QuickGeluGrad_1(const tenure_QuickGeluGrad_1_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *X, const tenure_tensor *dX, const tenure_context *context);
typedef struct tenure_QuickGeluGrad_9_attributes {
    float alpha;
} tenure_QuickGeluGrad_9_attributes;
int tenure_QuickGeluGrad_9(const tenure_QuickGeluGrad_9_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *X, const tenure_tensor *dX, const tenure_context *context);

/* com.microsoft.QuickGeluGrad: gradient of QuickGelu. */
typedef struct tenure_com_microsoft_QuickGeluGrad_1_attributes {
    float alpha;
} tenure_com_microsoft_QuickGeluGrad_1_attributes;
int tenure_com_microsoft_QuickGeluGrad_1(const tenure_com_microsoft_QuickGeluGrad_1_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *X, const tenure_tensor *dX, const tenure_context *context);

/* com.microsoft.BiasGeluGrad_dX: gradient of BiasGelu by its operand. */
int tenure_com_microsoft_BiasGeluGrad_dX_1(const tenure_tensor *dY, const tenure_tensor *X, const tenure_tensor *B, const tenure_tensor *dX, const tenure_context *context);

/* com.microsoft.BiasFastGeluGrad_dX: gradient of FastGelu with a bias by its operand. */
int tenure_com_microsoft_BiasFastGeluGrad_dX_1(const tenure_tensor *dY, const tenure_tensor *X, const tenure_tensor *B, const tenure_tensor *dX, const tenure_context *context);

/* SoftmaxGrad: gradient of Softmax from its result. */
typedef struct tenure_SoftmaxGrad_1_attributes {
    int64_t axis;
} tenure_SoftmaxGrad_1_attributes;
int tenure_SoftmaxGrad_1(const tenure_SoftmaxGrad_1_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *Y, const tenure_tensor *dX, const tenure_context *context);
typedef struct tenure_SoftmaxGrad_9_attributes {
    int64_t axis;
} tenure_SoftmaxGrad_9_attributes;
int tenure_SoftmaxGrad_9(const tenure_SoftmaxGrad_9_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *Y, const tenure_tensor *dX, const tenure_context *context);

/* com.microsoft.SoftmaxGrad: gradient of Softmax from its result. */
typedef struct tenure_com_microsoft_SoftmaxGrad_1_attributes {
    int64_t axis;
} tenure_com_microsoft_SoftmaxGrad_1_attributes;
int tenure_com_microsoft_SoftmaxGrad_1(const tenure_com_microsoft_SoftmaxGrad_1_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *Y, const tenure_tensor *dX, const tenure_context *context);

/* com.microsoft.SoftmaxGrad_13: gradient of Softmax since version 13. */
typedef struct tenure_com_microsoft_SoftmaxGrad_13_1_attributes {
    int64_t axis;
} tenure_com_microsoft_SoftmaxGrad_13_1_attributes;
int tenure_com_microsoft_SoftmaxGrad_13_1(const tenure_com_microsoft_SoftmaxGrad_13_1_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *Y, const tenure_tensor *dX, const tenure_context *context);

/* LogSoftmaxGrad: gradient of LogSoftmax from its result. */
typedef struct tenure_LogSoftmaxGrad_1_attributes {
    int64_t axis;
} tenure_LogSoftmaxGrad_1_attributes;
int tenure_LogSoftmaxGrad_1(const tenure_LogSoftmaxGrad_1_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *Y, const tenure_tensor *dX, const tenure_context *context);
typedef struct tenure_LogSoftmaxGrad_9_attributes {
    int64_t axis;
} tenure_LogSoftmaxGrad_9_attributes;
int tenure_LogSoftmaxGrad_9(const tenure_LogSoftmaxGrad_9_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *Y, const tenure_tensor *dX, const tenure_context *context);

/* com.microsoft.LogSoftmaxGrad: gradient of LogSoftmax from its result. */
typedef struct tenure_com_microsoft_LogSoftmaxGrad_1_attributes {
    int64_t axis;
} tenure_com_microsoft_LogSoftmaxGrad_1_attributes;
int tenure_com_microsoft_LogSoftmaxGrad_1(const tenure_com_microsoft_LogSoftmaxGrad_1_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *Y, const tenure_tensor *dX, const tenure_context *context);

/* com.microsoft.LogSoftmaxGrad_13: gradient of LogSoftmax since version 13. */
typedef struct tenure_com_microsoft_LogSoftmaxGrad_13_1_attributes {
    int64_t axis;
} tenure_com_microsoft_LogSoftmaxGrad_13_1_attributes;
int tenure_com_microsoft_LogSoftmaxGrad_13_1(const tenure_com_microsoft_LogSoftmaxGrad_13_1_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *Y, const tenure_tensor *dX, const tenure_context *context);

/* com.microsoft.SoftmaxDropoutGrad: gradient of softmax and dropout together. */
typedef struct tenure_com_microsoft_SoftmaxDropoutGrad_1_attributes {
    int64_t axis;
} tenure_com_microsoft_SoftmaxDropoutGrad_1_attributes;
int tenure_com_microsoft_SoftmaxDropoutGrad_1(const tenure_com_microsoft_SoftmaxDropoutGrad_1_attributes *attributes, const tenure_tensor *dy, const tenure_tensor *softmax_y, const tenure_tensor *mask, const tenure_tensor *ratio, const tenure_tensor *dx, const tenure_context *context);

/* com.microsoft.BiasSoftmaxDropout: softmax of data + bias, then dropout. */
typedef struct tenure_com_microsoft_BiasSoftmaxDropout_1_attributes {
    int64_t axis;
    int64_t is_inner_broadcast;
    int64_t seed;
    uint8_t has_seed;
} tenure_com_microsoft_BiasSoftmaxDropout_1_attributes;
int tenure_com_microsoft_BiasSoftmaxDropout_1(const tenure_com_microsoft_BiasSoftmaxDropout_1_attributes *attributes, const tenure_tensor *data, const tenure_tensor *bias, const tenure_tensor *ratio, const tenure_tensor *y, const tenure_tensor *dropout_mask, const tenure_tensor *softmax_y, const tenure_context *context);

/* com.microsoft.DropoutGrad: gradient of Dropout. */
int tenure_com_microsoft_DropoutGrad_1(const tenure_tensor *dy, const tenure_tensor *mask, const tenure_tensor *ratio, const tenure_tensor *training_mode, const tenure_tensor *dx, const tenure_context *context);

/* com.microsoft.BitmaskDropoutGrad: gradient of BitmaskDropout. */
int tenure_com_microsoft_BitmaskDropoutGrad_1(const tenure_tensor *dy, const tenure_tensor *mask, const tenure_tensor *ratio, const tenure_tensor *training_mode, const tenure_tensor *dx, const tenure_context *context);

/* com.microsoft.DivGrad: gradient of Div. */
int tenure_com_microsoft_DivGrad_1(const tenure_tensor *dY, const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *dA, const tenure_tensor *dB, const tenure_context *context);

/* ConvGrad: gradients of Conv by its operands. */
typedef struct tenure_ConvGrad_1_attributes {
    const char *auto_pad;
    tenure_ints dilations;
    int64_t group;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
} tenure_ConvGrad_1_attributes;
int tenure_ConvGrad_1(const tenure_ConvGrad_1_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *X, const tenure_tensor *W, const tenure_tensor *dX, const tenure_tensor *dW, const tenure_tensor *dB, const tenure_context *context);
typedef struct tenure_ConvGrad_9_attributes {
    const char *auto_pad;
    tenure_ints dilations;
    int64_t group;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
} tenure_ConvGrad_9_attributes;
int tenure_ConvGrad_9(const tenure_ConvGrad_9_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *X, const tenure_tensor *W, const tenure_tensor *dX, const tenure_tensor *dW, const tenure_tensor *dB, const tenure_context *context);

/* com.microsoft.ConvGrad: gradients of Conv by its operands. */
typedef struct tenure_com_microsoft_ConvGrad_1_attributes {
    const char *auto_pad;
    tenure_ints dilations;
    int64_t group;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
} tenure_com_microsoft_ConvGrad_1_attributes;
int tenure_com_microsoft_ConvGrad_1(const tenure_com_microsoft_ConvGrad_1_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *X, const tenure_tensor *W, const tenure_tensor *dX, const tenure_tensor *dW, const tenure_tensor *dB, const tenure_context *context);

/* com.microsoft.ConvTransposeGrad: gradients of ConvTranspose by its operands. */
typedef struct tenure_com_microsoft_ConvTransposeGrad_1_attributes {
    const char *auto_pad;
    tenure_ints dilations;
    int64_t group;
    tenure_ints kernel_shape;
    tenure_ints output_padding;
    tenure_ints output_shape;
    tenure_ints pads;
    tenure_ints strides;
} tenure_com_microsoft_ConvTransposeGrad_1_attributes;
int tenure_com_microsoft_ConvTransposeGrad_1(const tenure_com_microsoft_ConvTransposeGrad_1_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *X, const tenure_tensor *W, const tenure_tensor *dX, const tenure_tensor *dW, const tenure_tensor *dB, const tenure_context *context);

/* ConvGradX: gradient of Conv by X. */
typedef struct tenure_ConvGradX_1_attributes {
    const char *auto_pad;
    tenure_ints dilations;
    int64_t group;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
} tenure_ConvGradX_1_attributes;
int tenure_ConvGradX_1(const tenure_ConvGradX_1_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *W, const tenure_tensor *dX, const tenure_context *context);
typedef struct tenure_ConvGradX_9_attributes {
    const char *auto_pad;
    tenure_ints dilations;
    int64_t group;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
} tenure_ConvGradX_9_attributes;
int tenure_ConvGradX_9(const tenure_ConvGradX_9_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *W, const tenure_tensor *dX, const tenure_context *context);

/* com.microsoft.ConvGradX: gradient of Conv by X. */
typedef struct tenure_com_microsoft_ConvGradX_1_attributes {
    const char *auto_pad;
    tenure_ints dilations;
    int64_t group;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
} tenure_com_microsoft_ConvGradX_1_attributes;
int tenure_com_microsoft_ConvGradX_1(const tenure_com_microsoft_ConvGradX_1_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *W, const tenure_tensor *dX, const tenure_context *context);

/* ConvGradW: gradient of Conv by W. */
typedef struct tenure_ConvGradW_1_attributes {
    const char *auto_pad;
    tenure_ints dilations;
    int64_t group;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
} tenure_ConvGradW_1_attributes;
int tenure_ConvGradW_1(const tenure_ConvGradW_1_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *X, const tenure_tensor *dW, const tenure_context *context);
typedef struct tenure_ConvGradW_9_attributes {
    const char *auto_pad;
    tenure_ints dilations;
    int64_t group;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
} tenure_ConvGradW_9_attributes;
int tenure_ConvGradW_9(const tenure_ConvGradW_9_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *X, const tenure_tensor *dW, const tenure_context *context);

/* com.microsoft.ConvGradW: gradient of Conv by W. */
typedef struct tenure_com_microsoft_ConvGradW_1_attributes {
    const char *auto_pad;
    tenure_ints dilations;
    int64_t group;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
} tenure_com_microsoft_ConvGradW_1_attributes;
int tenure_com_microsoft_ConvGradW_1(const tenure_com_microsoft_ConvGradW_1_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *X, const tenure_tensor *dW, const tenure_context *context);

/* ConvGradB: gradient of Conv by B. */
typedef struct tenure_ConvGradB_1_attributes {
    const char *auto_pad;
    tenure_ints dilations;
    int64_t group;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
} tenure_ConvGradB_1_attributes;
int tenure_ConvGradB_1(const tenure_ConvGradB_1_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *dB, const tenure_context *context);
typedef struct tenure_ConvGradB_9_attributes {
    const char *auto_pad;
    tenure_ints dilations;
    int64_t group;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
} tenure_ConvGradB_9_attributes;
int tenure_ConvGradB_9(const tenure_ConvGradB_9_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *dB, const tenure_context *context);

/* com.microsoft.ConvGradB: gradient of Conv by B. */
typedef struct tenure_com_microsoft_ConvGradB_1_attributes {
    const char *auto_pad;
    tenure_ints dilations;
    int64_t group;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
} tenure_com_microsoft_ConvGradB_1_attributes;
int tenure_com_microsoft_ConvGradB_1(const tenure_com_microsoft_ConvGradB_1_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *dB, const tenure_context *context);

/* AveragePoolGrad: gradient of AveragePool. */
typedef struct tenure_AveragePoolGrad_1_attributes {
    const char *auto_pad;
    int64_t ceil_mode;
    int64_t count_include_pad;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
} tenure_AveragePoolGrad_1_attributes;
int tenure_AveragePoolGrad_1(const tenure_AveragePoolGrad_1_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *dX, const tenure_context *context);
typedef struct tenure_AveragePoolGrad_9_attributes {
    const char *auto_pad;
    int64_t ceil_mode;
    int64_t count_include_pad;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
} tenure_AveragePoolGrad_9_attributes;
int tenure_AveragePoolGrad_9(const tenure_AveragePoolGrad_9_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *dX, const tenure_context *context);

/* com.microsoft.AveragePoolGrad: gradient of AveragePool. */
typedef struct tenure_com_microsoft_AveragePoolGrad_1_attributes {
    const char *auto_pad;
    int64_t ceil_mode;
    int64_t count_include_pad;
    tenure_ints kernel_shape;
    tenure_ints pads;
    tenure_ints strides;
} tenure_com_microsoft_AveragePoolGrad_1_attributes;
int tenure_com_microsoft_AveragePoolGrad_1(const tenure_com_microsoft_AveragePoolGrad_1_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *dX, const tenure_context *context);

/* MaxPoolGrad: gradient of MaxPool from the indices it gave. */
typedef struct tenure_MaxPoolGrad_1_attributes {
    const char *auto_pad;
    int64_t ceil_mode;
    tenure_ints dilations;
    tenure_ints kernel_shape;
    tenure_ints pads;
    int64_t storage_order;
    tenure_ints strides;
} tenure_MaxPoolGrad_1_attributes;
int tenure_MaxPoolGrad_1(const tenure_MaxPoolGrad_1_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *Indices, const tenure_tensor *dX, const tenure_context *context);
typedef struct tenure_MaxPoolGrad_9_attributes {
    const char *auto_pad;
    int64_t ceil_mode;
    tenure_ints dilations;
    tenure_ints kernel_shape;
    tenure_ints pads;
    int64_t storage_order;
    tenure_ints strides;
} tenure_MaxPoolGrad_9_attributes;
int tenure_MaxPoolGrad_9(const tenure_MaxPoolGrad_9_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *Indices, const tenure_tensor *dX, const tenure_context *context);

/* com.microsoft.MaxPoolGrad: gradient of MaxPool from the indices it gave. */
typedef struct tenure_com_microsoft_MaxPoolGrad_1_attributes {
    const char *auto_pad;
    int64_t ceil_mode;
    tenure_ints dilations;
    tenure_ints kernel_shape;
    tenure_ints pads;
    int64_t storage_order;
    tenure_ints strides;
} tenure_com_microsoft_MaxPoolGrad_1_attributes;
int tenure_com_microsoft_MaxPoolGrad_1(const tenure_com_microsoft_MaxPoolGrad_1_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *Indices, const tenure_tensor *dX, const tenure_context *context);

/* GlobalAveragePoolGrad: gradient of GlobalAveragePool. */
typedef struct tenure_GlobalAveragePoolGrad_1_attributes {
    tenure_ints kernel_shape;
} tenure_GlobalAveragePoolGrad_1_attributes;
int tenure_GlobalAveragePoolGrad_1(const tenure_GlobalAveragePoolGrad_1_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *X, const tenure_tensor *dX, const tenure_context *context);
typedef struct tenure_GlobalAveragePoolGrad_9_attributes {
    tenure_ints kernel_shape;
} tenure_GlobalAveragePoolGrad_9_attributes;
int tenure_GlobalAveragePoolGrad_9(const tenure_GlobalAveragePoolGrad_9_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *X, const tenure_tensor *dX, const tenure_context *context);

/* com.microsoft.GlobalAveragePoolGrad: gradient of GlobalAveragePool. */
typedef struct tenure_com_microsoft_GlobalAveragePoolGrad_1_attributes {
    tenure_ints kernel_shape;
} tenure_com_microsoft_GlobalAveragePoolGrad_1_attributes;
int tenure_com_microsoft_GlobalAveragePoolGrad_1(const tenure_com_microsoft_GlobalAveragePoolGrad_1_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *X, const tenure_tensor *dX, const tenure_context *context);

/* com.microsoft.ResizeGrad: gradient of Resize. */
typedef struct tenure_com_microsoft_ResizeGrad_1_attributes {
    const char *coordinate_transformation_mode;
    float cubic_coeff_a;
    int64_t exclude_outside;
    float extrapolation_value;
    const char *mode;
    const char *nearest_mode;
} tenure_com_microsoft_ResizeGrad_1_attributes;
int tenure_com_microsoft_ResizeGrad_1(const tenure_com_microsoft_ResizeGrad_1_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *X, const tenure_tensor *roi, const tenure_tensor *scales, const tenure_tensor *dX, const tenure_context *context);

/* LayerNormalizationGrad: gradients of LayerNormalization. */
typedef struct tenure_LayerNormalizationGrad_1_attributes {
    int64_t axis;
    float epsilon;
    uint8_t has_epsilon;
    int64_t stash_type;
} tenure_LayerNormalizationGrad_1_attributes;
int tenure_LayerNormalizationGrad_1(const tenure_LayerNormalizationGrad_1_attributes *attributes, const tenure_tensor *Y_grad, const tenure_tensor *X, const tenure_tensor *scale, const tenure_tensor *mean, const tenure_tensor *inv_std_var, const tenure_tensor *X_grad, const tenure_tensor *scale_grad, const tenure_tensor *bias_grad, const tenure_context *context);
typedef struct tenure_LayerNormalizationGrad_9_attributes {
    int64_t axis;
    float epsilon;
    uint8_t has_epsilon;
    int64_t stash_type;
} tenure_LayerNormalizationGrad_9_attributes;
int tenure_LayerNormalizationGrad_9(const tenure_LayerNormalizationGrad_9_attributes *attributes, const tenure_tensor *Y_grad, const tenure_tensor *X, const tenure_tensor *scale, const tenure_tensor *mean, const tenure_tensor *inv_std_var, const tenure_tensor *X_grad, const tenure_tensor *scale_grad, const tenure_tensor *bias_grad, const tenure_context *context);

/* com.microsoft.LayerNormalizationGrad: gradients of LayerNormalization. */
typedef struct tenure_com_microsoft_LayerNormalizationGrad_1_attributes {
    int64_t axis;
    float epsilon;
    uint8_t has_epsilon;
    int64_t stash_type;
} tenure_com_microsoft_LayerNormalizationGrad_1_attributes;
int tenure_com_microsoft_LayerNormalizationGrad_1(const tenure_com_microsoft_LayerNormalizationGrad_1_attributes *attributes, const tenure_tensor *Y_grad, const tenure_tensor *X, const tenure_tensor *scale, const tenure_tensor *mean, const tenure_tensor *inv_std_var, const tenure_tensor *X_grad, const tenure_tensor *scale_grad, const tenure_tensor *bias_grad, const tenure_context *context);

/* com.microsoft.SimplifiedLayerNormalizationGrad: gradients of SimplifiedLayerNormalization. */
typedef struct tenure_com_microsoft_SimplifiedLayerNormalizationGrad_1_attributes {
    int64_t axis;
} tenure_com_microsoft_SimplifiedLayerNormalizationGrad_1_attributes;
int tenure_com_microsoft_SimplifiedLayerNormalizationGrad_1(const tenure_com_microsoft_SimplifiedLayerNormalizationGrad_1_attributes *attributes, const tenure_tensor *Y_grad, const tenure_tensor *X, const tenure_tensor *scale, const tenure_tensor *inv_std_var, const tenure_tensor *X_grad, const tenure_tensor *scale_grad, const tenure_context *context);

/* com.microsoft.InvertibleLayerNormalizationGrad: gradients of LayerNormalization from its result. */
typedef struct tenure_com_microsoft_InvertibleLayerNormalizationGrad_1_attributes {
    int64_t axis;
} tenure_com_microsoft_InvertibleLayerNormalizationGrad_1_attributes;
int tenure_com_microsoft_InvertibleLayerNormalizationGrad_1(const tenure_com_microsoft_InvertibleLayerNormalizationGrad_1_attributes *attributes, const tenure_tensor *Y_grad, const tenure_tensor *Y, const tenure_tensor *scale, const tenure_tensor *bias, const tenure_tensor *inv_std_var, const tenure_tensor *X_grad, const tenure_tensor *scale_grad, const tenure_tensor *bias_grad, const tenure_context *context);

/* BatchNormalizationGrad: gradients of BatchNormalization. */
typedef struct tenure_BatchNormalizationGrad_1_attributes {
    float epsilon;
} tenure_BatchNormalizationGrad_1_attributes;
int tenure_BatchNormalizationGrad_1(const tenure_BatchNormalizationGrad_1_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *X, const tenure_tensor *scale, const tenure_tensor *mean, const tenure_tensor *variance, const tenure_tensor *dX, const tenure_tensor *dScale, const tenure_tensor *dBias, const tenure_context *context);
typedef struct tenure_BatchNormalizationGrad_9_attributes {
    float epsilon;
} tenure_BatchNormalizationGrad_9_attributes;
int tenure_BatchNormalizationGrad_9(const tenure_BatchNormalizationGrad_9_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *X, const tenure_tensor *scale, const tenure_tensor *mean, const tenure_tensor *variance, const tenure_tensor *dX, const tenure_tensor *dScale, const tenure_tensor *dBias, const tenure_context *context);

/* com.microsoft.BatchNormalizationGrad: gradients of BatchNormalization. */
typedef struct tenure_com_microsoft_BatchNormalizationGrad_1_attributes {
    float epsilon;
} tenure_com_microsoft_BatchNormalizationGrad_1_attributes;
int tenure_com_microsoft_BatchNormalizationGrad_1(const tenure_com_microsoft_BatchNormalizationGrad_1_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *X, const tenure_tensor *scale, const tenure_tensor *mean, const tenure_tensor *variance, const tenure_tensor *dX, const tenure_tensor *dScale, const tenure_tensor *dBias, const tenure_context *context);

/* BatchNormInternal: BatchNormalization that keeps what its gradient needs. */
typedef struct tenure_BatchNormInternal_1_attributes {
    float epsilon;
    float momentum;
    int64_t training_mode;
} tenure_BatchNormInternal_1_attributes;
int tenure_BatchNormInternal_1(const tenure_BatchNormInternal_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *scale, const tenure_tensor *B, const tenure_tensor *input_mean, const tenure_tensor *input_var, const tenure_tensor *Y, const tenure_tensor *running_mean, const tenure_tensor *running_var, const tenure_tensor *saved_mean, const tenure_tensor *saved_inv_std, const tenure_context *context);
typedef struct tenure_BatchNormInternal_9_attributes {
    float epsilon;
    float momentum;
    int64_t training_mode;
} tenure_BatchNormInternal_9_attributes;
int tenure_BatchNormInternal_9(const tenure_BatchNormInternal_9_attributes *attributes, const tenure_tensor *X, const tenure_tensor *scale, const tenure_tensor *B, const tenure_tensor *input_mean, const tenure_tensor *input_var, const tenure_tensor *Y, const tenure_tensor *running_mean, const tenure_tensor *running_var, const tenure_tensor *saved_mean, const tenure_tensor *saved_inv_std, const tenure_context *context);

/* com.microsoft.BatchNormInternal: BatchNormalization that keeps what its gradient needs. */
typedef struct tenure_com_microsoft_BatchNormInternal_1_attributes {
    float epsilon;
    float momentum;
    int64_t training_mode;
} tenure_com_microsoft_BatchNormInternal_1_attributes;
int tenure_com_microsoft_BatchNormInternal_1(const tenure_com_microsoft_BatchNormInternal_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *scale, const tenure_tensor *B, const tenure_tensor *input_mean, const tenure_tensor *input_var, const tenure_tensor *Y, const tenure_tensor *running_mean, const tenure_tensor *running_var, const tenure_tensor *saved_mean, const tenure_tensor *saved_inv_std, const tenure_context *context);

/* SoftmaxCrossEntropy: cross entropy of softmax against probabilities. */
typedef struct tenure_SoftmaxCrossEntropy_1_attributes {
    const char *reduction;
} tenure_SoftmaxCrossEntropy_1_attributes;
int tenure_SoftmaxCrossEntropy_1(const tenure_SoftmaxCrossEntropy_1_attributes *attributes, const tenure_tensor *logits, const tenure_tensor *label, const tenure_tensor *Y, const tenure_tensor *log_prob, const tenure_context *context);
typedef struct tenure_SoftmaxCrossEntropy_9_attributes {
    const char *reduction;
} tenure_SoftmaxCrossEntropy_9_attributes;
int tenure_SoftmaxCrossEntropy_9(const tenure_SoftmaxCrossEntropy_9_attributes *attributes, const tenure_tensor *logits, const tenure_tensor *label, const tenure_tensor *Y, const tenure_tensor *log_prob, const tenure_context *context);

/* com.microsoft.SoftmaxCrossEntropy: cross entropy of softmax against probabilities. */
typedef struct tenure_com_microsoft_SoftmaxCrossEntropy_1_attributes {
    const char *reduction;
} tenure_com_microsoft_SoftmaxCrossEntropy_1_attributes;
int tenure_com_microsoft_SoftmaxCrossEntropy_1(const tenure_com_microsoft_SoftmaxCrossEntropy_1_attributes *attributes, const tenure_tensor *logits, const tenure_tensor *label, const tenure_tensor *Y, const tenure_tensor *log_prob, const tenure_context *context);

/* SparseSoftmaxCrossEntropy: cross entropy of softmax against labels. */
typedef struct tenure_SparseSoftmaxCrossEntropy_1_attributes {
    const char *reduction;
} tenure_SparseSoftmaxCrossEntropy_1_attributes;
int tenure_SparseSoftmaxCrossEntropy_1(const tenure_SparseSoftmaxCrossEntropy_1_attributes *attributes, const tenure_tensor *logits, const tenure_tensor *label, const tenure_tensor *weight, const tenure_tensor *Y, const tenure_tensor *log_prob, const tenure_context *context);
typedef struct tenure_SparseSoftmaxCrossEntropy_9_attributes {
    const char *reduction;
} tenure_SparseSoftmaxCrossEntropy_9_attributes;
int tenure_SparseSoftmaxCrossEntropy_9(const tenure_SparseSoftmaxCrossEntropy_9_attributes *attributes, const tenure_tensor *logits, const tenure_tensor *label, const tenure_tensor *weight, const tenure_tensor *Y, const tenure_tensor *log_prob, const tenure_context *context);

/* com.microsoft.SparseSoftmaxCrossEntropy: cross entropy of softmax against labels. */
typedef struct tenure_com_microsoft_SparseSoftmaxCrossEntropy_1_attributes {
    const char *reduction;
} tenure_com_microsoft_SparseSoftmaxCrossEntropy_1_attributes;
int tenure_com_microsoft_SparseSoftmaxCrossEntropy_1(const tenure_com_microsoft_SparseSoftmaxCrossEntropy_1_attributes *attributes, const tenure_tensor *logits, const tenure_tensor *label, const tenure_tensor *weight, const tenure_tensor *Y, const tenure_tensor *log_prob, const tenure_context *context);

/* com.microsoft.SoftmaxCrossEntropyLossInternal: SoftmaxCrossEntropyLoss with the ignored label as an operand. */
typedef struct tenure_com_microsoft_SoftmaxCrossEntropyLossInternal_1_attributes {
    int64_t output_type;
    uint8_t has_output_type;
    const char *reduction;
} tenure_com_microsoft_SoftmaxCrossEntropyLossInternal_1_attributes;
int tenure_com_microsoft_SoftmaxCrossEntropyLossInternal_1(const tenure_com_microsoft_SoftmaxCrossEntropyLossInternal_1_attributes *attributes, const tenure_tensor *scores, const tenure_tensor *labels, const tenure_tensor *weights, const tenure_tensor *ignore_index, const tenure_tensor *output, const tenure_tensor *log_prob, const tenure_context *context);

/* SoftmaxCrossEntropyGrad: gradient of SoftmaxCrossEntropy. */
typedef struct tenure_SoftmaxCrossEntropyGrad_1_attributes {
    const char *reduction;
} tenure_SoftmaxCrossEntropyGrad_1_attributes;
int tenure_SoftmaxCrossEntropyGrad_1(const tenure_SoftmaxCrossEntropyGrad_1_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *log_prob, const tenure_tensor *label, const tenure_tensor *d_logits, const tenure_context *context);
typedef struct tenure_SoftmaxCrossEntropyGrad_9_attributes {
    const char *reduction;
} tenure_SoftmaxCrossEntropyGrad_9_attributes;
int tenure_SoftmaxCrossEntropyGrad_9(const tenure_SoftmaxCrossEntropyGrad_9_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *log_prob, const tenure_tensor *label, const tenure_tensor *d_logits, const tenure_context *context);

/* com.microsoft.SoftmaxCrossEntropyGrad: gradient of SoftmaxCrossEntropy. */
typedef struct tenure_com_microsoft_SoftmaxCrossEntropyGrad_1_attributes {
    const char *reduction;
} tenure_com_microsoft_SoftmaxCrossEntropyGrad_1_attributes;
int tenure_com_microsoft_SoftmaxCrossEntropyGrad_1(const tenure_com_microsoft_SoftmaxCrossEntropyGrad_1_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *log_prob, const tenure_tensor *label, const tenure_tensor *d_logits, const tenure_context *context);

/* SparseSoftmaxCrossEntropyGrad: gradient of SparseSoftmaxCrossEntropy. */
typedef struct tenure_SparseSoftmaxCrossEntropyGrad_1_attributes {
    const char *reduction;
} tenure_SparseSoftmaxCrossEntropyGrad_1_attributes;
int tenure_SparseSoftmaxCrossEntropyGrad_1(const tenure_SparseSoftmaxCrossEntropyGrad_1_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *log_prob, const tenure_tensor *label, const tenure_tensor *weight, const tenure_tensor *d_logits, const tenure_context *context);
typedef struct tenure_SparseSoftmaxCrossEntropyGrad_9_attributes {
    const char *reduction;
} tenure_SparseSoftmaxCrossEntropyGrad_9_attributes;
int tenure_SparseSoftmaxCrossEntropyGrad_9(const tenure_SparseSoftmaxCrossEntropyGrad_9_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *log_prob, const tenure_tensor *label, const tenure_tensor *weight, const tenure_tensor *d_logits, const tenure_context *context);

/* com.microsoft.SparseSoftmaxCrossEntropyGrad: gradient of SparseSoftmaxCrossEntropy. */
typedef struct tenure_com_microsoft_SparseSoftmaxCrossEntropyGrad_1_attributes {
    const char *reduction;
} tenure_com_microsoft_SparseSoftmaxCrossEntropyGrad_1_attributes;
int tenure_com_microsoft_SparseSoftmaxCrossEntropyGrad_1(const tenure_com_microsoft_SparseSoftmaxCrossEntropyGrad_1_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *log_prob, const tenure_tensor *label, const tenure_tensor *weight, const tenure_tensor *d_logits, const tenure_context *context);

/* SoftmaxCrossEntropyLossGrad: gradient of SoftmaxCrossEntropyLoss; some exporters leave dY out. */
typedef struct tenure_SoftmaxCrossEntropyLossGrad_1_attributes {
    int64_t ignore_index;
    uint8_t has_ignore_index;
    int64_t output_type;
    uint8_t has_output_type;
    const char *reduction;
} tenure_SoftmaxCrossEntropyLossGrad_1_attributes;
int tenure_SoftmaxCrossEntropyLossGrad_1(const tenure_SoftmaxCrossEntropyLossGrad_1_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *log_prob, const tenure_tensor *label, const tenure_tensor *weight, const tenure_tensor *bias, const tenure_tensor *d_logits, const tenure_context *context);
typedef struct tenure_SoftmaxCrossEntropyLossGrad_9_attributes {
    int64_t ignore_index;
    uint8_t has_ignore_index;
    int64_t output_type;
    uint8_t has_output_type;
    const char *reduction;
} tenure_SoftmaxCrossEntropyLossGrad_9_attributes;
int tenure_SoftmaxCrossEntropyLossGrad_9(const tenure_SoftmaxCrossEntropyLossGrad_9_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *log_prob, const tenure_tensor *label, const tenure_tensor *weight, const tenure_tensor *bias, const tenure_tensor *d_logits, const tenure_context *context);

/* com.microsoft.SoftmaxCrossEntropyLossGrad: gradient of SoftmaxCrossEntropyLoss; some exporters leave dY out. */
typedef struct tenure_com_microsoft_SoftmaxCrossEntropyLossGrad_1_attributes {
    int64_t ignore_index;
    uint8_t has_ignore_index;
    int64_t output_type;
    uint8_t has_output_type;
    const char *reduction;
} tenure_com_microsoft_SoftmaxCrossEntropyLossGrad_1_attributes;
int tenure_com_microsoft_SoftmaxCrossEntropyLossGrad_1(const tenure_com_microsoft_SoftmaxCrossEntropyLossGrad_1_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *log_prob, const tenure_tensor *label, const tenure_tensor *weight, const tenure_tensor *bias, const tenure_tensor *d_logits, const tenure_context *context);

/* com.microsoft.SoftmaxCrossEntropyLossInternalGrad: gradient of SoftmaxCrossEntropyLossInternal. */
typedef struct tenure_com_microsoft_SoftmaxCrossEntropyLossInternalGrad_1_attributes {
    int64_t output_type;
    uint8_t has_output_type;
    const char *reduction;
} tenure_com_microsoft_SoftmaxCrossEntropyLossInternalGrad_1_attributes;
int tenure_com_microsoft_SoftmaxCrossEntropyLossInternalGrad_1(const tenure_com_microsoft_SoftmaxCrossEntropyLossInternalGrad_1_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *log_prob, const tenure_tensor *label, const tenure_tensor *weight, const tenure_tensor *ignore_index, const tenure_tensor *bias, const tenure_tensor *d_logits, const tenure_context *context);

/* com.microsoft.GatherGrad: gradient of Gather. */
typedef struct tenure_com_microsoft_GatherGrad_1_attributes {
    int64_t axis;
} tenure_com_microsoft_GatherGrad_1_attributes;
int tenure_com_microsoft_GatherGrad_1(const tenure_com_microsoft_GatherGrad_1_attributes *attributes, const tenure_tensor *shape, const tenure_tensor *indices, const tenure_tensor *dY, const tenure_tensor *dX, const tenure_context *context);

/* com.microsoft.GatherElementsGrad: gradient of GatherElements. */
typedef struct tenure_com_microsoft_GatherElementsGrad_1_attributes {
    int64_t axis;
} tenure_com_microsoft_GatherElementsGrad_1_attributes;
int tenure_com_microsoft_GatherElementsGrad_1(const tenure_com_microsoft_GatherElementsGrad_1_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *shape, const tenure_tensor *indices, const tenure_tensor *dX, const tenure_context *context);

/* com.microsoft.GatherNDGrad: gradient of GatherND. */
typedef struct tenure_com_microsoft_GatherNDGrad_1_attributes {
    int64_t batch_dims;
} tenure_com_microsoft_GatherNDGrad_1_attributes;
int tenure_com_microsoft_GatherNDGrad_1(const tenure_com_microsoft_GatherNDGrad_1_attributes *attributes, const tenure_tensor *shape, const tenure_tensor *indices, const tenure_tensor *update, const tenure_tensor *output, const tenure_context *context);

/* com.microsoft.SliceGrad: gradient of Slice. */
typedef struct tenure_com_microsoft_SliceGrad_1_attributes {
    tenure_ints shape; /* of the operand */
    tenure_ints starts; /* of the operand */
    tenure_ints ends; /* of the operand */
    tenure_ints axes; /* of the operand */
    tenure_ints steps; /* of the operand */
} tenure_com_microsoft_SliceGrad_1_attributes;
int tenure_com_microsoft_SliceGrad_1(const tenure_com_microsoft_SliceGrad_1_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *shape, const tenure_tensor *starts, const tenure_tensor *ends, const tenure_tensor *axes, const tenure_tensor *steps, const tenure_tensor *dX, const tenure_context *context);

/* com.microsoft.FakeQuant: rounds as quantisation would. */
typedef struct tenure_com_microsoft_FakeQuant_1_attributes {
    int64_t quant_max;
    int64_t quant_min;
} tenure_com_microsoft_FakeQuant_1_attributes;
int tenure_com_microsoft_FakeQuant_1(const tenure_com_microsoft_FakeQuant_1_attributes *attributes, const tenure_tensor *input_tensor, const tenure_tensor *scale, const tenure_tensor *zero_point, const tenure_tensor *fake_quantized_tensor, const tenure_tensor *mask, const tenure_context *context);

/* com.microsoft.FakeQuantGrad: gradient of FakeQuant. */
int tenure_com_microsoft_FakeQuantGrad_1(const tenure_tensor *dY, const tenure_tensor *gradient_mask, const tenure_tensor *dX, const tenure_context *context);

/* com.microsoft.BroadcastGradientArgs: axes along which the gradients of a broadcast must be summed. */
int tenure_com_microsoft_BroadcastGradientArgs_1(const tenure_tensor *a_shape, const tenure_tensor *b_shape, const tenure_tensor *a_axes, const tenure_tensor *b_axes, const tenure_context *context);

/* com.microsoft.PythonOp: a function of the host program. */
typedef struct tenure_com_microsoft_PythonOp_1_attributes {
    const char *func_name;
    const char *input_convention;
    tenure_ints input_requires_grads;
    tenure_ints input_tensor_ranks;
    tenure_ints input_tensor_types;
    tenure_ints output_tensor_ranks;
    tenure_ints output_tensor_types;
    int64_t training_mode;
    int64_t safe_run_mode;
    tenure_ints tensor_reuse_map;
} tenure_com_microsoft_PythonOp_1_attributes;
int tenure_com_microsoft_PythonOp_1(const tenure_com_microsoft_PythonOp_1_attributes *attributes, const tenure_tensor *const *inputs, uint32_t n_inputs, const tenure_tensor *context_, const tenure_tensor *const *outputs, uint32_t n_outputs, const tenure_context *context);

/* com.microsoft.PythonOpGrad: gradient of a function of the host program. */
typedef struct tenure_com_microsoft_PythonOpGrad_1_attributes {
    const char *func_name;
    const char *output_convention;
    tenure_ints output_tensor_ranks;
    tenure_ints output_tensor_types;
    tenure_ints output_tensor_requires_grads;
    int64_t safe_run_mode;
    tenure_ints tensor_reuse_map;
} tenure_com_microsoft_PythonOpGrad_1_attributes;
int tenure_com_microsoft_PythonOpGrad_1(const tenure_com_microsoft_PythonOpGrad_1_attributes *attributes, const tenure_tensor *context_, const tenure_tensor *const *inputs, uint32_t n_inputs, const tenure_tensor *const *outputs, uint32_t n_outputs, const tenure_context *context);

/* com.microsoft.LSTMTraining: LSTM that keeps what its gradient needs. */
typedef struct tenure_com_microsoft_LSTMTraining_1_attributes {
    tenure_floats activation_alpha;
    tenure_floats activation_beta;
    tenure_texts activations;
    float clip;
    uint8_t has_clip;
    const char *direction;
    int64_t hidden_size;
    int64_t input_forget;
} tenure_com_microsoft_LSTMTraining_1_attributes;
int tenure_com_microsoft_LSTMTraining_1(const tenure_com_microsoft_LSTMTraining_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *W, const tenure_tensor *R, const tenure_tensor *B, const tenure_tensor *SL, const tenure_tensor *Ho, const tenure_tensor *Co, const tenure_tensor *P, const tenure_tensor *HAll, const tenure_tensor *HFinal, const tenure_tensor *CFinal, const tenure_tensor *CAll, const tenure_tensor *IOFC, const tenure_context *context);

/* com.microsoft.LSTMGrad: gradients of LSTM. */
typedef struct tenure_com_microsoft_LSTMGrad_1_attributes {
    tenure_floats activation_alpha;
    tenure_floats activation_beta;
    tenure_texts activations;
    float clip;
    uint8_t has_clip;
    const char *direction;
    int64_t hidden_size;
    int64_t input_forget;
} tenure_com_microsoft_LSTMGrad_1_attributes;
int tenure_com_microsoft_LSTMGrad_1(const tenure_com_microsoft_LSTMGrad_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *W, const tenure_tensor *R, const tenure_tensor *SL, const tenure_tensor *Ho, const tenure_tensor *Co, const tenure_tensor *HAll, const tenure_tensor *CAll, const tenure_tensor *IOFC, const tenure_tensor *dHAll, const tenure_tensor *dHFinal, const tenure_tensor *dCFinal, const tenure_tensor *dX, const tenure_tensor *dW, const tenure_tensor *dR, const tenure_tensor *dB, const tenure_tensor *dH0, const tenure_tensor *dC0, const tenure_tensor *dP, const tenure_context *context);

/* com.microsoft.GRUTraining: GRU that keeps what its gradient needs. */
typedef struct tenure_com_microsoft_GRUTraining_1_attributes {
    tenure_floats activation_alpha;
    tenure_floats activation_beta;
    tenure_texts activations;
    float clip;
    uint8_t has_clip;
    const char *direction;
    int64_t hidden_size;
    int64_t linear_before_reset;
} tenure_com_microsoft_GRUTraining_1_attributes;
int tenure_com_microsoft_GRUTraining_1(const tenure_com_microsoft_GRUTraining_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *W, const tenure_tensor *R, const tenure_tensor *B, const tenure_tensor *SL, const tenure_tensor *Ho, const tenure_tensor *HAll, const tenure_tensor *HFinal, const tenure_tensor *ZRH, const tenure_context *context);

/* com.microsoft.GRUGrad: gradients of GRU. */
typedef struct tenure_com_microsoft_GRUGrad_1_attributes {
    tenure_floats activation_alpha;
    tenure_floats activation_beta;
    tenure_texts activations;
    float clip;
    uint8_t has_clip;
    const char *direction;
    int64_t hidden_size;
    int64_t linear_before_reset;
} tenure_com_microsoft_GRUGrad_1_attributes;
int tenure_com_microsoft_GRUGrad_1(const tenure_com_microsoft_GRUGrad_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *W, const tenure_tensor *R, const tenure_tensor *B, const tenure_tensor *SL, const tenure_tensor *Ho, const tenure_tensor *HAll, const tenure_tensor *ZRH, const tenure_tensor *dHAll, const tenure_tensor *dHFinal, const tenure_tensor *dX, const tenure_tensor *dW, const tenure_tensor *dR, const tenure_tensor *dB, const tenure_tensor *dH0, const tenure_context *context);

/* com.microsoft.YieldOp: hands results to the host program and takes their gradients back. */
typedef struct tenure_com_microsoft_YieldOp_1_attributes {
    tenure_ints full_shape_outputs;
    tenure_ints non_differentiable_outputs;
} tenure_com_microsoft_YieldOp_1_attributes;
int tenure_com_microsoft_YieldOp_1(const tenure_com_microsoft_YieldOp_1_attributes *attributes, const tenure_tensor *const *module_outputs, uint32_t n_module_outputs, const tenure_tensor *const *module_outputs_grad, uint32_t n_module_outputs_grad, const tenure_context *context);

/* com.microsoft.InPlaceAccumulator: adds a gradient into a buffer. */
int tenure_com_microsoft_InPlaceAccumulator_1(const tenure_tensor *old_sum, const tenure_tensor *value, const tenure_tensor *update_signal, const tenure_tensor *new_sum, const tenure_context *context);

/* com.microsoft.InPlaceAccumulatorV2: adds a gradient into a buffer, or overwrites it. */
int tenure_com_microsoft_InPlaceAccumulatorV2_1(const tenure_tensor *accumulation_buffer, const tenure_tensor *value, const tenure_tensor *overwrite_flag, const tenure_tensor *updated_flag, const tenure_tensor *accumulation_buffer_out, const tenure_context *context);

/* com.microsoft.ZeroGradient: clears a gradient. */
int tenure_com_microsoft_ZeroGradient_1(const tenure_tensor *old_gradient, const tenure_tensor *reset_signal, const tenure_tensor *zero_gradient, const tenure_context *context);

/* com.microsoft.SGDOptimizer: W - ETA * G. */
int tenure_com_microsoft_SGDOptimizer_1(const tenure_tensor *ETA, const tenure_tensor *W, const tenure_tensor *G, const tenure_tensor *NW, const tenure_tensor *NG, const tenure_context *context);

/* com.microsoft.AdamOptimizer: one step of Adam for one weight. */
typedef struct tenure_com_microsoft_AdamOptimizer_1_attributes {
    float alpha;
    float beta;
    int64_t do_bias_correction;
    float epsilon;
    float lambda;
    float max_norm_clip;
    int64_t weight_decay_mode;
} tenure_com_microsoft_AdamOptimizer_1_attributes;
int tenure_com_microsoft_AdamOptimizer_1(const tenure_com_microsoft_AdamOptimizer_1_attributes *attributes, const tenure_tensor *R, const tenure_tensor *T, const tenure_tensor *weights, const tenure_tensor *gradients, const tenure_tensor *moment_1, const tenure_tensor *moment_2, const tenure_tensor *mixed_precision_weights, const tenure_tensor *loss_scale, const tenure_tensor *global_gradient_norm, const tenure_tensor *update_signal, const tenure_tensor *new_T, const tenure_tensor *new_moment_1, const tenure_tensor *new_moment_2, const tenure_tensor *new_weights, const tenure_tensor *new_gradients, const tenure_tensor *new_mixed_precision_weights, const tenure_context *context);

/* com.microsoft.LambOptimizer: one step of LAMB for groups of five tensors. */
typedef struct tenure_com_microsoft_LambOptimizer_1_attributes {
    tenure_floats alpha;
    tenure_floats beta;
    int64_t do_bias_correction;
    tenure_floats epsilon;
    tenure_floats lambda;
    tenure_floats max_norm_clip;
    float ratio_max;
    uint8_t has_ratio_max;
    float ratio_min;
    uint8_t has_ratio_min;
} tenure_com_microsoft_LambOptimizer_1_attributes;
int tenure_com_microsoft_LambOptimizer_1(const tenure_com_microsoft_LambOptimizer_1_attributes *attributes, const tenure_tensor *update_signal, const tenure_tensor *loss_scale, const tenure_tensor *gradient_norm, const tenure_tensor *R, const tenure_tensor *step, const tenure_tensor *const *groups, uint32_t n_groups, const tenure_tensor *new_step, const tenure_tensor *const *new_groups, uint32_t n_new_groups, const tenure_context *context);

/* com.microsoft.ReduceSumTraining: sums along axes given as an operand. */
typedef struct tenure_com_microsoft_ReduceSumTraining_1_attributes {
    int64_t keepdims;
    int64_t noop_with_empty_axes;
    tenure_ints axes; /* of the operand */
} tenure_com_microsoft_ReduceSumTraining_1_attributes;
int tenure_com_microsoft_ReduceSumTraining_1(const tenure_com_microsoft_ReduceSumTraining_1_attributes *attributes, const tenure_tensor *data, const tenure_tensor *axes, const tenure_tensor *reduced, const tenure_context *context);

/* com.microsoft.Scale: input * scale or input / scale. */
typedef struct tenure_com_microsoft_Scale_1_attributes {
    int64_t scale_down;
} tenure_com_microsoft_Scale_1_attributes;
int tenure_com_microsoft_Scale_1(const tenure_com_microsoft_Scale_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *scale, const tenure_tensor *output, const tenure_context *context);

/* com.microsoft.ScaledSum: a sum of scaled tensors. */
typedef struct tenure_com_microsoft_ScaledSum_1_attributes {
    float scale_0;
    float scale_1;
    float scale_2;
    uint8_t has_scale_2;
} tenure_com_microsoft_ScaledSum_1_attributes;
int tenure_com_microsoft_ScaledSum_1(const tenure_com_microsoft_ScaledSum_1_attributes *attributes, const tenure_tensor *input_0, const tenure_tensor *input_1, const tenure_tensor *input_2, const tenure_tensor *output, const tenure_context *context);

/* com.microsoft.BatchScale: one tensor scaled in several ways. */
typedef struct tenure_com_microsoft_BatchScale_1_attributes {
    float scale_0;
    float scale_1;
    float scale_2;
    uint8_t has_scale_2;
} tenure_com_microsoft_BatchScale_1_attributes;
int tenure_com_microsoft_BatchScale_1(const tenure_com_microsoft_BatchScale_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output_0, const tenure_tensor *output_1, const tenure_tensor *output_2, const tenure_context *context);

/* com.microsoft.MixedPrecisionScale: scales and casts gradients. */
typedef struct tenure_com_microsoft_MixedPrecisionScale_1_attributes {
    int64_t fuse_outputs;
    int64_t to;
} tenure_com_microsoft_MixedPrecisionScale_1_attributes;
int tenure_com_microsoft_MixedPrecisionScale_1(const tenure_com_microsoft_MixedPrecisionScale_1_attributes *attributes, const tenure_tensor *S, const tenure_tensor *const *X, uint32_t n_X, const tenure_tensor *const *Y, uint32_t n_Y, const tenure_context *context);

/* com.microsoft.ReduceAllL2: the norm of all elements of all operands. */
int tenure_com_microsoft_ReduceAllL2_1(const tenure_tensor *const *X, uint32_t n_X, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.IsFinite: which elements are finite. */
int tenure_com_microsoft_IsFinite_1(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.PassThrough: copies that order what reads them. */
int tenure_com_microsoft_PassThrough_1(const tenure_tensor *const *inputs, uint32_t n_inputs, const tenure_tensor *const *outputs, uint32_t n_outputs, const tenure_context *context);

/* com.microsoft.Group: is done when all operands are. */
int tenure_com_microsoft_Group_1(const tenure_tensor *const *input_tensors, uint32_t n_input_tensors, const tenure_tensor *done, const tenure_context *context);

/* com.microsoft.RecordEvent: lets those go on who wait for an event. */
int tenure_com_microsoft_RecordEvent_1(const tenure_tensor *EventIdentifier, const tenure_tensor *const *InputData, uint32_t n_InputData, const tenure_tensor *const *OutputData, uint32_t n_OutputData, const tenure_context *context);

/* com.microsoft.WaitEvent: waits for an event. */
int tenure_com_microsoft_WaitEvent_1(const tenure_tensor *EventIdentifier, const tenure_tensor *const *InputData, uint32_t n_InputData, const tenure_tensor *const *OutputData, uint32_t n_OutputData, const tenure_context *context);

/* com.microsoft.Send: sends tensors to another process. */
typedef struct tenure_com_microsoft_Send_1_attributes {
    tenure_ints element_types;
    int64_t tag;
} tenure_com_microsoft_Send_1_attributes;
int tenure_com_microsoft_Send_1(const tenure_com_microsoft_Send_1_attributes *attributes, const tenure_tensor *InputSignal, const tenure_tensor *Remote, const tenure_tensor *const *Data, uint32_t n_Data, const tenure_tensor *OutputSignal, const tenure_context *context);

/* com.microsoft.Recv: receives tensors from another process. */
typedef struct tenure_com_microsoft_Recv_1_attributes {
    tenure_ints element_types;
    int64_t tag;
} tenure_com_microsoft_Recv_1_attributes;
int tenure_com_microsoft_Recv_1(const tenure_com_microsoft_Recv_1_attributes *attributes, const tenure_tensor *InputSignal, const tenure_tensor *Remote, const tenure_tensor *OutputSignal, const tenure_tensor *const *Data, uint32_t n_Data, const tenure_context *context);

/* com.microsoft.NcclAllReduce: sums over processes. */
typedef struct tenure_com_microsoft_NcclAllReduce_1_attributes {
    int64_t group_type;
} tenure_com_microsoft_NcclAllReduce_1_attributes;
int tenure_com_microsoft_NcclAllReduce_1(const tenure_com_microsoft_NcclAllReduce_1_attributes *attributes, const tenure_tensor *const *input, uint32_t n_input, const tenure_tensor *const *output, uint32_t n_output, const tenure_context *context);

/* com.microsoft.AdasumAllReduce: combines gradients of processes. */
typedef struct tenure_com_microsoft_AdasumAllReduce_1_attributes {
    int64_t reduce_algo;
} tenure_com_microsoft_AdasumAllReduce_1_attributes;
int tenure_com_microsoft_AdasumAllReduce_1(const tenure_com_microsoft_AdasumAllReduce_1_attributes *attributes, const tenure_tensor *const *input, uint32_t n_input, const tenure_tensor *const *output, uint32_t n_output, const tenure_context *context);

/* com.microsoft.NcclAllGather: spreads each process's part of the operands to all. */
typedef struct tenure_com_microsoft_NcclAllGather_1_attributes {
    int64_t group_type;
} tenure_com_microsoft_NcclAllGather_1_attributes;
int tenure_com_microsoft_NcclAllGather_1(const tenure_com_microsoft_NcclAllGather_1_attributes *attributes, const tenure_tensor *const *input, uint32_t n_input, const tenure_tensor *const *output, uint32_t n_output, const tenure_context *context);

/* com.microsoft.NcclReduceScatter: sums over processes, each keeping a part. */
typedef struct tenure_com_microsoft_NcclReduceScatter_1_attributes {
    int64_t group_type;
} tenure_com_microsoft_NcclReduceScatter_1_attributes;
int tenure_com_microsoft_NcclReduceScatter_1(const tenure_com_microsoft_NcclReduceScatter_1_attributes *attributes, const tenure_tensor *const *input, uint32_t n_input, const tenure_tensor *const *output, uint32_t n_output, const tenure_context *context);

/* com.microsoft.AllReduce: sums over processes. */
int tenure_com_microsoft_AllReduce_1(const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* com.microsoft.ShrunkenGather: Gather of at most as many rows as there are. */
typedef struct tenure_com_microsoft_ShrunkenGather_1_attributes {
    int64_t axis;
} tenure_com_microsoft_ShrunkenGather_1_attributes;
int tenure_com_microsoft_ShrunkenGather_1(const tenure_com_microsoft_ShrunkenGather_1_attributes *attributes, const tenure_tensor *data, const tenure_tensor *indices, const tenure_tensor *output, const tenure_context *context);

/* com.microsoft.MegatronF: a copy whose gradient is summed over processes. */
typedef struct tenure_com_microsoft_MegatronF_1_attributes {
    int64_t group_type;
} tenure_com_microsoft_MegatronF_1_attributes;
int tenure_com_microsoft_MegatronF_1(const tenure_com_microsoft_MegatronF_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* com.microsoft.MegatronG: a sum over processes whose gradient is a copy. */
typedef struct tenure_com_microsoft_MegatronG_1_attributes {
    int64_t group_type;
} tenure_com_microsoft_MegatronG_1_attributes;
int tenure_com_microsoft_MegatronG_1(const tenure_com_microsoft_MegatronG_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* com.microsoft.GistBinarizeEncoder: keeps only whether elements are positive. */
int tenure_com_microsoft_GistBinarizeEncoder_1(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.GistBinarizeDecoder: undoes GistBinarizeEncoder. */
typedef struct tenure_com_microsoft_GistBinarizeDecoder_1_attributes {
    int64_t to;
} tenure_com_microsoft_GistBinarizeDecoder_1_attributes;
int tenure_com_microsoft_GistBinarizeDecoder_1(const tenure_com_microsoft_GistBinarizeDecoder_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.GistPack1Encoder: keeps one bit an element. */
int tenure_com_microsoft_GistPack1Encoder_1(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.GistPack8Encoder: keeps eight bits an element. */
int tenure_com_microsoft_GistPack8Encoder_1(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.GistPack8Decoder: undoes GistPack8Encoder. */
typedef struct tenure_com_microsoft_GistPack8Decoder_1_attributes {
    int64_t to;
} tenure_com_microsoft_GistPack8Decoder_1_attributes;
int tenure_com_microsoft_GistPack8Decoder_1(const tenure_com_microsoft_GistPack8Decoder_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.GistPack16Encoder: keeps sixteen bits an element. */
int tenure_com_microsoft_GistPack16Encoder_1(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.GistPack16Decoder: undoes GistPack16Encoder. */
typedef struct tenure_com_microsoft_GistPack16Decoder_1_attributes {
    int64_t to;
} tenure_com_microsoft_GistPack16Decoder_1_attributes;
int tenure_com_microsoft_GistPack16Decoder_1(const tenure_com_microsoft_GistPack16Decoder_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.GistPackMsfp15Encoder: keeps a shared exponent and short mantissas. */
int tenure_com_microsoft_GistPackMsfp15Encoder_1(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* com.microsoft.GistPackMsfp15Decoder: undoes GistPackMsfp15Encoder. */
typedef struct tenure_com_microsoft_GistPackMsfp15Decoder_1_attributes {
    int64_t to;
} tenure_com_microsoft_GistPackMsfp15Decoder_1_attributes;
int tenure_com_microsoft_GistPackMsfp15Decoder_1(const tenure_com_microsoft_GistPackMsfp15Decoder_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* org.pytorch.aten.ATen: an operator of PyTorch, named by an attribute. */
typedef struct tenure_org_pytorch_aten_ATen_1_attributes {
    const char *operator_;
    const char *overload_name;
} tenure_org_pytorch_aten_ATen_1_attributes;
int tenure_org_pytorch_aten_ATen_1(const tenure_org_pytorch_aten_ATen_1_attributes *attributes, const tenure_tensor *const *inputs, uint32_t n_inputs, const tenure_tensor *const *outputs, uint32_t n_outputs, const tenure_context *context);

/* com.microsoft.SplitTraining: parts along an axis. */
typedef struct tenure_com_microsoft_SplitTraining_1_attributes {
    int64_t axis;
} tenure_com_microsoft_SplitTraining_1_attributes;
int tenure_com_microsoft_SplitTraining_1(const tenure_com_microsoft_SplitTraining_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *split, const tenure_tensor *const *outputs, uint32_t n_outputs, const tenure_context *context);

/* com.microsoft.ConcatTraining: joins tensors and gives their lengths. */
typedef struct tenure_com_microsoft_ConcatTraining_1_attributes {
    int64_t axis;
} tenure_com_microsoft_ConcatTraining_1_attributes;
int tenure_com_microsoft_ConcatTraining_1(const tenure_com_microsoft_ConcatTraining_1_attributes *attributes, const tenure_tensor *const *inputs, uint32_t n_inputs, const tenure_tensor *concat_result, const tenure_tensor *per_input_length, const tenure_context *context);

/* com.microsoft.View: parts of a buffer under shapes given as operands. */
int tenure_com_microsoft_View_1(const tenure_tensor *input, const tenure_tensor *const *shapes, uint32_t n_shapes, const tenure_tensor *const *outputs, uint32_t n_outputs, const tenure_context *context);

/* com.microsoft.AllGather: joins the operands of all processes. */
typedef struct tenure_com_microsoft_AllGather_1_attributes {
    int64_t axis;
    int64_t group_size;
} tenure_com_microsoft_AllGather_1_attributes;
int tenure_com_microsoft_AllGather_1(const tenure_com_microsoft_AllGather_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* com.microsoft.PadAndUnflatten: spreads rows over two dimensions, zeros between them. */
int tenure_com_microsoft_PadAndUnflatten_1(const tenure_tensor *input, const tenure_tensor *indices, const tenure_tensor *unflatten_dims, const tenure_tensor *output, const tenure_context *context);

/* com.microsoft.FlattenAndUnpad: picks rows out of two flattened dimensions. */
int tenure_com_microsoft_FlattenAndUnpad_1(const tenure_tensor *input, const tenure_tensor *indices, const tenure_tensor *output, const tenure_tensor *unflatten_dims, const tenure_context *context);

/* ai.onnx.ml.ArrayFeatureExtractor: columns picked by index. */
int tenure_ai_onnx_ml_ArrayFeatureExtractor_1(const tenure_tensor *X, const tenure_tensor *Y, const tenure_tensor *Z, const tenure_context *context);

/* ai.onnx.ml.Binarizer: 1 where an element is above the threshold, else 0. */
typedef struct tenure_ai_onnx_ml_Binarizer_1_attributes {
    float threshold;
} tenure_ai_onnx_ml_Binarizer_1_attributes;
int tenure_ai_onnx_ml_Binarizer_1(const tenure_ai_onnx_ml_Binarizer_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* ai.onnx.ml.CategoryMapper: strings to numbers or back. */
typedef struct tenure_ai_onnx_ml_CategoryMapper_1_attributes {
    tenure_ints cats_int64s;
    tenure_texts cats_strings;
    int64_t default_int64;
    const char *default_string;
} tenure_ai_onnx_ml_CategoryMapper_1_attributes;
int tenure_ai_onnx_ml_CategoryMapper_1(const tenure_ai_onnx_ml_CategoryMapper_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* ai.onnx.ml.FeatureVectorizer: joins features into rows. */
typedef struct tenure_ai_onnx_ml_FeatureVectorizer_1_attributes {
    tenure_ints inputdimensions;
} tenure_ai_onnx_ml_FeatureVectorizer_1_attributes;
int tenure_ai_onnx_ml_FeatureVectorizer_1(const tenure_ai_onnx_ml_FeatureVectorizer_1_attributes *attributes, const tenure_tensor *const *X, uint32_t n_X, const tenure_tensor *Y, const tenure_context *context);

/* ai.onnx.ml.Imputer: puts values where they are missing. */
typedef struct tenure_ai_onnx_ml_Imputer_1_attributes {
    tenure_floats imputed_value_floats;
    tenure_ints imputed_value_int64s;
    float replaced_value_float;
    int64_t replaced_value_int64;
} tenure_ai_onnx_ml_Imputer_1_attributes;
int tenure_ai_onnx_ml_Imputer_1(const tenure_ai_onnx_ml_Imputer_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* ai.onnx.ml.LabelEncoder: maps keys to values. */
typedef struct tenure_ai_onnx_ml_LabelEncoder_1_attributes {
    tenure_texts classes_strings;
    int64_t default_int64;
    const char *default_string;
} tenure_ai_onnx_ml_LabelEncoder_1_attributes;
int tenure_ai_onnx_ml_LabelEncoder_1(const tenure_ai_onnx_ml_LabelEncoder_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_ai_onnx_ml_LabelEncoder_2_attributes {
    float default_float;
    int64_t default_int64;
    const char *default_string;
    tenure_floats keys_floats;
    tenure_ints keys_int64s;
    tenure_texts keys_strings;
    tenure_floats values_floats;
    tenure_ints values_int64s;
    tenure_texts values_strings;
} tenure_ai_onnx_ml_LabelEncoder_2_attributes;
int tenure_ai_onnx_ml_LabelEncoder_2(const tenure_ai_onnx_ml_LabelEncoder_2_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_ai_onnx_ml_LabelEncoder_4_attributes {
    float default_float;
    int64_t default_int64;
    const char *default_string;
    const tenure_tensor *default_tensor;
    tenure_floats keys_floats;
    tenure_ints keys_int64s;
    tenure_texts keys_strings;
    const tenure_tensor *keys_tensor;
    tenure_floats values_floats;
    tenure_ints values_int64s;
    tenure_texts values_strings;
    const tenure_tensor *values_tensor;
} tenure_ai_onnx_ml_LabelEncoder_4_attributes;
int tenure_ai_onnx_ml_LabelEncoder_4(const tenure_ai_onnx_ml_LabelEncoder_4_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* ai.onnx.ml.LinearClassifier: labels and scores by a linear model. */
typedef struct tenure_ai_onnx_ml_LinearClassifier_1_attributes {
    tenure_floats coefficients;
    tenure_ints classlabels_ints;
    tenure_texts classlabels_strings;
    tenure_floats intercepts;
    int64_t multi_class;
    const char *post_transform;
} tenure_ai_onnx_ml_LinearClassifier_1_attributes;
int tenure_ai_onnx_ml_LinearClassifier_1(const tenure_ai_onnx_ml_LinearClassifier_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_tensor *Z, const tenure_context *context);

/* ai.onnx.ml.LinearRegressor: numbers by a linear model. */
typedef struct tenure_ai_onnx_ml_LinearRegressor_1_attributes {
    tenure_floats coefficients;
    tenure_floats intercepts;
    const char *post_transform;
    int64_t targets;
} tenure_ai_onnx_ml_LinearRegressor_1_attributes;
int tenure_ai_onnx_ml_LinearRegressor_1(const tenure_ai_onnx_ml_LinearRegressor_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* ai.onnx.ml.Normalizer: rows scaled to norm 1. */
typedef struct tenure_ai_onnx_ml_Normalizer_1_attributes {
    const char *norm;
} tenure_ai_onnx_ml_Normalizer_1_attributes;
int tenure_ai_onnx_ml_Normalizer_1(const tenure_ai_onnx_ml_Normalizer_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* ai.onnx.ml.OneHotEncoder: a 1 at the place of each category. */
typedef struct tenure_ai_onnx_ml_OneHotEncoder_1_attributes {
    tenure_ints cats_int64s;
    tenure_texts cats_strings;
    int64_t zeros;
} tenure_ai_onnx_ml_OneHotEncoder_1_attributes;
int tenure_ai_onnx_ml_OneHotEncoder_1(const tenure_ai_onnx_ml_OneHotEncoder_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* ai.onnx.ml.Scaler: (x - offset) * scale. */
typedef struct tenure_ai_onnx_ml_Scaler_1_attributes {
    tenure_floats offset;
    tenure_floats scale;
} tenure_ai_onnx_ml_Scaler_1_attributes;
int tenure_ai_onnx_ml_Scaler_1(const tenure_ai_onnx_ml_Scaler_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* ai.onnx.ml.SVMClassifier: labels and scores by support vectors. */
typedef struct tenure_ai_onnx_ml_SVMClassifier_1_attributes {
    tenure_ints classlabels_ints;
    tenure_texts classlabels_strings;
    tenure_floats coefficients;
    tenure_floats kernel_params;
    const char *kernel_type;
    const char *post_transform;
    tenure_floats prob_a;
    tenure_floats prob_b;
    tenure_floats rho;
    tenure_floats support_vectors;
    tenure_ints vectors_per_class;
} tenure_ai_onnx_ml_SVMClassifier_1_attributes;
int tenure_ai_onnx_ml_SVMClassifier_1(const tenure_ai_onnx_ml_SVMClassifier_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_tensor *Z, const tenure_context *context);

/* ai.onnx.ml.SVMRegressor: numbers by support vectors. */
typedef struct tenure_ai_onnx_ml_SVMRegressor_1_attributes {
    tenure_floats coefficients;
    tenure_floats kernel_params;
    const char *kernel_type;
    int64_t n_supports;
    int64_t one_class;
    const char *post_transform;
    tenure_floats rho;
    tenure_floats support_vectors;
} tenure_ai_onnx_ml_SVMRegressor_1_attributes;
int tenure_ai_onnx_ml_SVMRegressor_1(const tenure_ai_onnx_ml_SVMRegressor_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* ai.onnx.ml.TreeEnsemble: sums of leaves of decision trees. */
typedef struct tenure_ai_onnx_ml_TreeEnsemble_5_attributes {
    int64_t aggregate_function;
    tenure_ints leaf_targetids;
    const tenure_tensor *leaf_weights;
    const tenure_tensor *membership_values;
    int64_t n_targets;
    uint8_t has_n_targets;
    tenure_ints nodes_falseleafs;
    tenure_ints nodes_falsenodeids;
    tenure_ints nodes_featureids;
    const tenure_tensor *nodes_hitrates;
    tenure_ints nodes_missing_value_tracks_true;
    const tenure_tensor *nodes_modes;
    const tenure_tensor *nodes_splits;
    tenure_ints nodes_trueleafs;
    tenure_ints nodes_truenodeids;
    int64_t post_transform;
    tenure_ints tree_roots;
} tenure_ai_onnx_ml_TreeEnsemble_5_attributes;
int tenure_ai_onnx_ml_TreeEnsemble_5(const tenure_ai_onnx_ml_TreeEnsemble_5_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* ai.onnx.ml.TreeEnsembleClassifier: labels and scores by decision trees. */
typedef struct tenure_ai_onnx_ml_TreeEnsembleClassifier_1_attributes {
    tenure_floats base_values;
    tenure_ints class_ids;
    tenure_ints class_nodeids;
    tenure_ints class_treeids;
    tenure_floats class_weights;
    tenure_ints classlabels_int64s;
    tenure_texts classlabels_strings;
    tenure_ints nodes_falsenodeids;
    tenure_ints nodes_featureids;
    tenure_floats nodes_hitrates;
    tenure_ints nodes_missing_value_tracks_true;
    tenure_texts nodes_modes;
    tenure_ints nodes_nodeids;
    tenure_ints nodes_treeids;
    tenure_ints nodes_truenodeids;
    tenure_floats nodes_values;
    const char *post_transform;
} tenure_ai_onnx_ml_TreeEnsembleClassifier_1_attributes;
int tenure_ai_onnx_ml_TreeEnsembleClassifier_1(const tenure_ai_onnx_ml_TreeEnsembleClassifier_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_tensor *Z, const tenure_context *context);
typedef struct tenure_ai_onnx_ml_TreeEnsembleClassifier_3_attributes {
    tenure_floats base_values;
    const tenure_tensor *base_values_as_tensor;
    tenure_ints class_ids;
    tenure_ints class_nodeids;
    tenure_ints class_treeids;
    tenure_floats class_weights;
    const tenure_tensor *class_weights_as_tensor;
    tenure_ints classlabels_int64s;
    tenure_texts classlabels_strings;
    tenure_ints nodes_falsenodeids;
    tenure_ints nodes_featureids;
    tenure_floats nodes_hitrates;
    const tenure_tensor *nodes_hitrates_as_tensor;
    tenure_ints nodes_missing_value_tracks_true;
    tenure_texts nodes_modes;
    tenure_ints nodes_nodeids;
    tenure_ints nodes_treeids;
    tenure_ints nodes_truenodeids;
    tenure_floats nodes_values;
    const tenure_tensor *nodes_values_as_tensor;
    const char *post_transform;
} tenure_ai_onnx_ml_TreeEnsembleClassifier_3_attributes;
int tenure_ai_onnx_ml_TreeEnsembleClassifier_3(const tenure_ai_onnx_ml_TreeEnsembleClassifier_3_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_tensor *Z, const tenure_context *context);
typedef struct tenure_ai_onnx_ml_TreeEnsembleClassifier_5_attributes {
    tenure_floats base_values;
    const tenure_tensor *base_values_as_tensor;
    tenure_ints class_ids;
    tenure_ints class_nodeids;
    tenure_ints class_treeids;
    tenure_floats class_weights;
    const tenure_tensor *class_weights_as_tensor;
    tenure_ints classlabels_int64s;
    tenure_texts classlabels_strings;
    tenure_ints nodes_falsenodeids;
    tenure_ints nodes_featureids;
    tenure_floats nodes_hitrates;
    const tenure_tensor *nodes_hitrates_as_tensor;
    tenure_ints nodes_missing_value_tracks_true;
    tenure_texts nodes_modes;
    tenure_ints nodes_nodeids;
    tenure_ints nodes_treeids;
    tenure_ints nodes_truenodeids;
    tenure_floats nodes_values;
    const tenure_tensor *nodes_values_as_tensor;
    const char *post_transform;
} tenure_ai_onnx_ml_TreeEnsembleClassifier_5_attributes;
int tenure_ai_onnx_ml_TreeEnsembleClassifier_5(const tenure_ai_onnx_ml_TreeEnsembleClassifier_5_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_tensor *Z, const tenure_context *context);

/* ai.onnx.ml.TreeEnsembleRegressor: numbers by decision trees. */
typedef struct tenure_ai_onnx_ml_TreeEnsembleRegressor_1_attributes {
    const char *aggregate_function;
    tenure_floats base_values;
    int64_t n_targets;
    uint8_t has_n_targets;
    tenure_ints nodes_falsenodeids;
    tenure_ints nodes_featureids;
    tenure_floats nodes_hitrates;
    tenure_ints nodes_missing_value_tracks_true;
    tenure_texts nodes_modes;
    tenure_ints nodes_nodeids;
    tenure_ints nodes_treeids;
    tenure_ints nodes_truenodeids;
    tenure_floats nodes_values;
    const char *post_transform;
    tenure_ints target_ids;
    tenure_ints target_nodeids;
    tenure_ints target_treeids;
    tenure_floats target_weights;
} tenure_ai_onnx_ml_TreeEnsembleRegressor_1_attributes;
int tenure_ai_onnx_ml_TreeEnsembleRegressor_1(const tenure_ai_onnx_ml_TreeEnsembleRegressor_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_ai_onnx_ml_TreeEnsembleRegressor_3_attributes {
    const char *aggregate_function;
    tenure_floats base_values;
    const tenure_tensor *base_values_as_tensor;
    int64_t n_targets;
    uint8_t has_n_targets;
    tenure_ints nodes_falsenodeids;
    tenure_ints nodes_featureids;
    tenure_floats nodes_hitrates;
    const tenure_tensor *nodes_hitrates_as_tensor;
    tenure_ints nodes_missing_value_tracks_true;
    tenure_texts nodes_modes;
    tenure_ints nodes_nodeids;
    tenure_ints nodes_treeids;
    tenure_ints nodes_truenodeids;
    tenure_floats nodes_values;
    const tenure_tensor *nodes_values_as_tensor;
    const char *post_transform;
    tenure_ints target_ids;
    tenure_ints target_nodeids;
    tenure_ints target_treeids;
    tenure_floats target_weights;
    const tenure_tensor *target_weights_as_tensor;
} tenure_ai_onnx_ml_TreeEnsembleRegressor_3_attributes;
int tenure_ai_onnx_ml_TreeEnsembleRegressor_3(const tenure_ai_onnx_ml_TreeEnsembleRegressor_3_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);
typedef struct tenure_ai_onnx_ml_TreeEnsembleRegressor_5_attributes {
    const char *aggregate_function;
    tenure_floats base_values;
    const tenure_tensor *base_values_as_tensor;
    int64_t n_targets;
    uint8_t has_n_targets;
    tenure_ints nodes_falsenodeids;
    tenure_ints nodes_featureids;
    tenure_floats nodes_hitrates;
    const tenure_tensor *nodes_hitrates_as_tensor;
    tenure_ints nodes_missing_value_tracks_true;
    tenure_texts nodes_modes;
    tenure_ints nodes_nodeids;
    tenure_ints nodes_treeids;
    tenure_ints nodes_truenodeids;
    tenure_floats nodes_values;
    const tenure_tensor *nodes_values_as_tensor;
    const char *post_transform;
    tenure_ints target_ids;
    tenure_ints target_nodeids;
    tenure_ints target_treeids;
    tenure_floats target_weights;
    const tenure_tensor *target_weights_as_tensor;
} tenure_ai_onnx_ml_TreeEnsembleRegressor_5_attributes;
int tenure_ai_onnx_ml_TreeEnsembleRegressor_5(const tenure_ai_onnx_ml_TreeEnsembleRegressor_5_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* ai.onnx.preview.training.Gradient: derivatives of y by each of xs, evaluated at the operands. */
typedef struct tenure_ai_onnx_preview_training_Gradient_1_attributes {
    tenure_texts xs;
    const char *y;
    tenure_texts zs;
} tenure_ai_onnx_preview_training_Gradient_1_attributes;
int tenure_ai_onnx_preview_training_Gradient_1(const tenure_ai_onnx_preview_training_Gradient_1_attributes *attributes, const tenure_tensor *const *Inputs, uint32_t n_Inputs, const tenure_tensor *const *Outputs, uint32_t n_Outputs, const tenure_context *context);

/* ai.onnx.preview.training.Adagrad: step scaled by the sum of squared gradients. */
typedef struct tenure_ai_onnx_preview_training_Adagrad_1_attributes {
    float decay_factor;
    float epsilon;
    float norm_coefficient;
} tenure_ai_onnx_preview_training_Adagrad_1_attributes;
int tenure_ai_onnx_preview_training_Adagrad_1(const tenure_ai_onnx_preview_training_Adagrad_1_attributes *attributes, const tenure_tensor *R, const tenure_tensor *T, const tenure_tensor *const *inputs, uint32_t n_inputs, const tenure_tensor *const *outputs, uint32_t n_outputs, const tenure_context *context);

/* ai.onnx.preview.training.Momentum: step along a decaying mean of gradients. */
typedef struct tenure_ai_onnx_preview_training_Momentum_1_attributes {
    float alpha;
    float beta;
    const char *mode;
    float norm_coefficient;
} tenure_ai_onnx_preview_training_Momentum_1_attributes;
int tenure_ai_onnx_preview_training_Momentum_1(const tenure_ai_onnx_preview_training_Momentum_1_attributes *attributes, const tenure_tensor *R, const tenure_tensor *T, const tenure_tensor *const *inputs, uint32_t n_inputs, const tenure_tensor *const *outputs, uint32_t n_outputs, const tenure_context *context);

/* ai.onnx.preview.training.Adam: step by means of gradients and of their squares. */
typedef struct tenure_ai_onnx_preview_training_Adam_1_attributes {
    float alpha;
    float beta;
    float epsilon;
    float norm_coefficient;
    float norm_coefficient_post;
} tenure_ai_onnx_preview_training_Adam_1_attributes;
int tenure_ai_onnx_preview_training_Adam_1(const tenure_ai_onnx_preview_training_Adam_1_attributes *attributes, const tenure_tensor *R, const tenure_tensor *T, const tenure_tensor *const *inputs, uint32_t n_inputs, const tenure_tensor *const *outputs, uint32_t n_outputs, const tenure_context *context);

/* RequantShift: scales and shifts integers into a narrower range. */
typedef struct tenure_RequantShift_1_attributes {
    const tenure_tensor *div;
    const tenure_tensor *n_levels;
    const tenure_tensor *signed_;
} tenure_RequantShift_1_attributes;
int tenure_RequantShift_1(const tenure_RequantShift_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *mul, const tenure_tensor *add, const tenure_tensor *Y, const tenure_context *context);

/* ai.onnx.contrib.RequantShift: scales and shifts integers into a narrower range. */
typedef struct tenure_ai_onnx_contrib_RequantShift_1_attributes {
    const tenure_tensor *div;
    const tenure_tensor *n_levels;
    const tenure_tensor *signed_;
} tenure_ai_onnx_contrib_RequantShift_1_attributes;
int tenure_ai_onnx_contrib_RequantShift_1(const tenure_ai_onnx_contrib_RequantShift_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *mul, const tenure_tensor *add, const tenure_tensor *Y, const tenure_context *context);

/* PACTOps.RequantShift: scales and shifts integers into a narrower range. */
typedef struct tenure_PACTOps_RequantShift_1_attributes {
    const tenure_tensor *div;
    const tenure_tensor *n_levels;
    const tenure_tensor *signed_;
} tenure_PACTOps_RequantShift_1_attributes;
int tenure_PACTOps_RequantShift_1(const tenure_PACTOps_RequantShift_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *mul, const tenure_tensor *add, const tenure_tensor *Y, const tenure_context *context);

/* mezo.RQSPerturbRademacher: adds random signs to quantised weights. */
typedef struct tenure_mezo_RQSPerturbRademacher_1_attributes {
    int64_t div;
    int64_t idx;
    int64_t n_levels;
    int64_t seed;
    int64_t signed_;
} tenure_mezo_RQSPerturbRademacher_1_attributes;
int tenure_mezo_RQSPerturbRademacher_1(const tenure_mezo_RQSPerturbRademacher_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *mul, const tenure_tensor *Y, const tenure_context *context);

/* onnx.brevitas.Quant: quantises and scales back. */
typedef struct tenure_onnx_brevitas_Quant_1_attributes {
    int64_t narrow;
    const char *rounding_mode;
    int64_t signed_;
} tenure_onnx_brevitas_Quant_1_attributes;
int tenure_onnx_brevitas_Quant_1(const tenure_onnx_brevitas_Quant_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *scale, const tenure_tensor *zeropt, const tenure_tensor *bitwidth, const tenure_tensor *Y, const tenure_context *context);

/* qonnx.custom_op.general.Quant: quantises and scales back. */
typedef struct tenure_qonnx_custom_op_general_Quant_1_attributes {
    int64_t narrow;
    const char *rounding_mode;
    int64_t signed_;
} tenure_qonnx_custom_op_general_Quant_1_attributes;
int tenure_qonnx_custom_op_general_Quant_1(const tenure_qonnx_custom_op_general_Quant_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *scale, const tenure_tensor *zeropt, const tenure_tensor *bitwidth, const tenure_tensor *Y, const tenure_context *context);

/* finn.custom_op.general.Quant: quantises and scales back. */
typedef struct tenure_finn_custom_op_general_Quant_1_attributes {
    int64_t narrow;
    const char *rounding_mode;
    int64_t signed_;
} tenure_finn_custom_op_general_Quant_1_attributes;
int tenure_finn_custom_op_general_Quant_1(const tenure_finn_custom_op_general_Quant_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *scale, const tenure_tensor *zeropt, const tenure_tensor *bitwidth, const tenure_tensor *Y, const tenure_context *context);

/* onnx.brevitas.BipolarQuant: the sign, scaled. */
int tenure_onnx_brevitas_BipolarQuant_1(const tenure_tensor *X, const tenure_tensor *scale, const tenure_tensor *Y, const tenure_context *context);

/* qonnx.custom_op.general.BipolarQuant: the sign, scaled. */
int tenure_qonnx_custom_op_general_BipolarQuant_1(const tenure_tensor *X, const tenure_tensor *scale, const tenure_tensor *Y, const tenure_context *context);

/* finn.custom_op.general.BipolarQuant: the sign, scaled. */
int tenure_finn_custom_op_general_BipolarQuant_1(const tenure_tensor *X, const tenure_tensor *scale, const tenure_tensor *Y, const tenure_context *context);

/* onnx.brevitas.Trunc: drops low bits. */
typedef struct tenure_onnx_brevitas_Trunc_1_attributes {
    const char *rounding_mode;
} tenure_onnx_brevitas_Trunc_1_attributes;
int tenure_onnx_brevitas_Trunc_1(const tenure_onnx_brevitas_Trunc_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *scale, const tenure_tensor *zeropt, const tenure_tensor *in_bitwidth, const tenure_tensor *out_bitwidth, const tenure_tensor *Y, const tenure_context *context);

/* qonnx.custom_op.general.Trunc: drops low bits. */
typedef struct tenure_qonnx_custom_op_general_Trunc_1_attributes {
    const char *rounding_mode;
} tenure_qonnx_custom_op_general_Trunc_1_attributes;
int tenure_qonnx_custom_op_general_Trunc_1(const tenure_qonnx_custom_op_general_Trunc_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *scale, const tenure_tensor *zeropt, const tenure_tensor *in_bitwidth, const tenure_tensor *out_bitwidth, const tenure_tensor *Y, const tenure_context *context);

/* finn.custom_op.general.Trunc: drops low bits. */
typedef struct tenure_finn_custom_op_general_Trunc_1_attributes {
    const char *rounding_mode;
} tenure_finn_custom_op_general_Trunc_1_attributes;
int tenure_finn_custom_op_general_Trunc_1(const tenure_finn_custom_op_general_Trunc_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *scale, const tenure_tensor *zeropt, const tenure_tensor *in_bitwidth, const tenure_tensor *out_bitwidth, const tenure_tensor *Y, const tenure_context *context);

/* finn.custom_op.general.MultiThreshold: how many thresholds of its channel each element reaches, scaled. */
typedef struct tenure_finn_custom_op_general_MultiThreshold_1_attributes {
    const char *data_layout;
    float out_bias;
    const char *out_dtype;
    float out_scale;
} tenure_finn_custom_op_general_MultiThreshold_1_attributes;
int tenure_finn_custom_op_general_MultiThreshold_1(const tenure_finn_custom_op_general_MultiThreshold_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *thresholds, const tenure_tensor *Y, const tenure_context *context);

/* qonnx.custom_op.general.MultiThreshold: how many thresholds of its channel each element reaches, scaled. */
typedef struct tenure_qonnx_custom_op_general_MultiThreshold_1_attributes {
    const char *data_layout;
    float out_bias;
    const char *out_dtype;
    float out_scale;
} tenure_qonnx_custom_op_general_MultiThreshold_1_attributes;
int tenure_qonnx_custom_op_general_MultiThreshold_1(const tenure_qonnx_custom_op_general_MultiThreshold_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *thresholds, const tenure_tensor *Y, const tenure_context *context);

/* RMSNorm: RMS normalisation. */
typedef struct tenure_RMSNorm_1_attributes {
    float eps;
    uint8_t has_eps;
    float epsilon;
    uint8_t has_epsilon;
} tenure_RMSNorm_1_attributes;
int tenure_RMSNorm_1(const tenure_RMSNorm_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *scale, const tenure_tensor *Y, const tenure_context *context);

/* SGD: W - lr * grad. */
typedef struct tenure_SGD_1_attributes {
    float lr;
} tenure_SGD_1_attributes;
int tenure_SGD_1(const tenure_SGD_1_attributes *attributes, const tenure_tensor *W, const tenure_tensor *grad, const tenure_tensor *W_new, const tenure_context *context);

/* MSELoss: mean of squared differences. */
typedef struct tenure_MSELoss_1_attributes {
    const char *reduction;
} tenure_MSELoss_1_attributes;
int tenure_MSELoss_1(const tenure_MSELoss_1_attributes *attributes, const tenure_tensor *prediction, const tenure_tensor *target, const tenure_tensor *loss, const tenure_context *context);

/* MSELossGrad: gradient of MSELoss. */
typedef struct tenure_MSELossGrad_1_attributes {
    const char *reduction;
} tenure_MSELossGrad_1_attributes;
int tenure_MSELossGrad_1(const tenure_MSELossGrad_1_attributes *attributes, const tenure_tensor *prediction, const tenure_tensor *target, const tenure_tensor *dY, const tenure_tensor *d_prediction, const tenure_context *context);

/* GroupNormStats: mean and deviation of each group. */
typedef struct tenure_GroupNormStats_1_attributes {
    float epsilon;
    int64_t num_groups;
} tenure_GroupNormStats_1_attributes;
int tenure_GroupNormStats_1(const tenure_GroupNormStats_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *stats, const tenure_context *context);

/* GroupNormForward: group normalisation with statistics already known. */
typedef struct tenure_GroupNormForward_1_attributes {
    int64_t num_groups;
} tenure_GroupNormForward_1_attributes;
int tenure_GroupNormForward_1(const tenure_GroupNormForward_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *scale, const tenure_tensor *bias, const tenure_tensor *stats, const tenure_tensor *Y, const tenure_context *context);

/* GroupNormGradXStat: sums that the gradient of group normalisation needs. */
typedef struct tenure_GroupNormGradXStat_1_attributes {
    int64_t num_groups;
} tenure_GroupNormGradXStat_1_attributes;
int tenure_GroupNormGradXStat_1(const tenure_GroupNormGradXStat_1_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *X, const tenure_tensor *scale, const tenure_tensor *stats, const tenure_tensor *grad_stats, const tenure_context *context);

/* GroupNormGradX: gradient of group normalisation by X. */
typedef struct tenure_GroupNormGradX_1_attributes {
    int64_t num_groups;
} tenure_GroupNormGradX_1_attributes;
int tenure_GroupNormGradX_1(const tenure_GroupNormGradX_1_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *X, const tenure_tensor *scale, const tenure_tensor *stats, const tenure_tensor *grad_stats, const tenure_tensor *dX, const tenure_context *context);

/* GroupNormGradW: gradient of group normalisation by its scale. */
typedef struct tenure_GroupNormGradW_1_attributes {
    int64_t num_groups;
} tenure_GroupNormGradW_1_attributes;
int tenure_GroupNormGradW_1(const tenure_GroupNormGradW_1_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *X, const tenure_tensor *stats, const tenure_tensor *dW, const tenure_context *context);

/* GroupNormGradB: gradient of group normalisation by its bias. */
typedef struct tenure_GroupNormGradB_1_attributes {
    int64_t num_groups;
} tenure_GroupNormGradB_1_attributes;
int tenure_GroupNormGradB_1(const tenure_GroupNormGradB_1_attributes *attributes, const tenure_tensor *dY, const tenure_tensor *X, const tenure_tensor *stats, const tenure_tensor *dB, const tenure_context *context);

/* MemcpyFromHost: a copy in the device's memory. */
int tenure_MemcpyFromHost_1(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* MemcpyToHost: a copy in the host's memory. */
int tenure_MemcpyToHost_1(const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* iGELU: GELU by a polynomial over integers. */
typedef struct tenure_iGELU_1_attributes {
    int64_t b;
    uint8_t has_b;
    int64_t one;
    uint8_t has_one;
    const tenure_tensor *n_levels;
} tenure_iGELU_1_attributes;
int tenure_iGELU_1(const tenure_iGELU_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* PACTOps.iGELU: GELU by a polynomial over integers. */
typedef struct tenure_PACTOps_iGELU_1_attributes {
    int64_t b;
    uint8_t has_b;
    int64_t one;
    uint8_t has_one;
    const tenure_tensor *n_levels;
} tenure_PACTOps_iGELU_1_attributes;
int tenure_PACTOps_iGELU_1(const tenure_PACTOps_iGELU_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* iHardswish: hard swish over integers. */
typedef struct tenure_iHardswish_1_attributes {
    int64_t one_over_six;
    uint8_t has_one_over_six;
    int64_t six;
    uint8_t has_six;
    int64_t three;
    uint8_t has_three;
    const tenure_tensor *n_levels;
} tenure_iHardswish_1_attributes;
int tenure_iHardswish_1(const tenure_iHardswish_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* PACTOps.iHardswish: hard swish over integers. */
typedef struct tenure_PACTOps_iHardswish_1_attributes {
    int64_t one_over_six;
    uint8_t has_one_over_six;
    int64_t six;
    uint8_t has_six;
    int64_t three;
    uint8_t has_three;
    const tenure_tensor *n_levels;
} tenure_PACTOps_iHardswish_1_attributes;
int tenure_PACTOps_iHardswish_1(const tenure_PACTOps_iHardswish_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* iLeakyReLU: leaky ReLU whose slope is a multiplication and a shift. */
typedef struct tenure_iLeakyReLU_1_attributes {
    int64_t mul;
    uint8_t has_mul;
    int64_t shift;
    uint8_t has_shift;
} tenure_iLeakyReLU_1_attributes;
int tenure_iLeakyReLU_1(const tenure_iLeakyReLU_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* PACTOps.iLeakyReLU: leaky ReLU whose slope is a multiplication and a shift. */
typedef struct tenure_PACTOps_iLeakyReLU_1_attributes {
    int64_t mul;
    uint8_t has_mul;
    int64_t shift;
    uint8_t has_shift;
} tenure_PACTOps_iLeakyReLU_1_attributes;
int tenure_PACTOps_iLeakyReLU_1(const tenure_PACTOps_iLeakyReLU_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* iNoNorm: weights and bias of each element, shifted. */
typedef struct tenure_iNoNorm_1_attributes {
    const tenure_tensor *D;
    const tenure_tensor *mul;
    const tenure_tensor *n_levels;
} tenure_iNoNorm_1_attributes;
int tenure_iNoNorm_1(const tenure_iNoNorm_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *weights, const tenure_tensor *bias, const tenure_tensor *Y, const tenure_context *context);

/* PACTOps.iNoNorm: weights and bias of each element, shifted. */
typedef struct tenure_PACTOps_iNoNorm_1_attributes {
    const tenure_tensor *D;
    const tenure_tensor *mul;
    const tenure_tensor *n_levels;
} tenure_PACTOps_iNoNorm_1_attributes;
int tenure_PACTOps_iNoNorm_1(const tenure_PACTOps_iNoNorm_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *weights, const tenure_tensor *bias, const tenure_tensor *Y, const tenure_context *context);

/* iLayerNorm: layer normalisation over integers. */
typedef struct tenure_iLayerNorm_1_attributes {
    const tenure_tensor *D;
    const tenure_tensor *n_levels;
} tenure_iLayerNorm_1_attributes;
int tenure_iLayerNorm_1(const tenure_iLayerNorm_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *weights, const tenure_tensor *bias, const tenure_tensor *Y, const tenure_context *context);

/* PACTOps.iLayerNorm: layer normalisation over integers. */
typedef struct tenure_PACTOps_iLayerNorm_1_attributes {
    const tenure_tensor *D;
    const tenure_tensor *n_levels;
} tenure_PACTOps_iLayerNorm_1_attributes;
int tenure_PACTOps_iLayerNorm_1(const tenure_PACTOps_iLayerNorm_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *weights, const tenure_tensor *bias, const tenure_tensor *Y, const tenure_context *context);

/* iRMSNorm: RMS normalisation over integers. */
typedef struct tenure_iRMSNorm_1_attributes {
    int64_t D;
    uint8_t has_D;
    int64_t n_levels;
    uint8_t has_n_levels;
} tenure_iRMSNorm_1_attributes;
int tenure_iRMSNorm_1(const tenure_iRMSNorm_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *weights, const tenure_tensor *Y, const tenure_context *context);

/* PACTOps.iRMSNorm: RMS normalisation over integers. */
typedef struct tenure_PACTOps_iRMSNorm_1_attributes {
    int64_t D;
    uint8_t has_D;
    int64_t n_levels;
    uint8_t has_n_levels;
} tenure_PACTOps_iRMSNorm_1_attributes;
int tenure_PACTOps_iRMSNorm_1(const tenure_PACTOps_iRMSNorm_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *weights, const tenure_tensor *Y, const tenure_context *context);

/* iSoftmax: softmax by a polynomial over integers. */
typedef struct tenure_iSoftmax_1_attributes {
    const tenure_tensor *coeffA;
    const tenure_tensor *coeffB;
    const tenure_tensor *coeffC;
    const tenure_tensor *log2;
    const tenure_tensor *n_levels;
} tenure_iSoftmax_1_attributes;
int tenure_iSoftmax_1(const tenure_iSoftmax_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* PACTOps.iSoftmax: softmax by a polynomial over integers. */
typedef struct tenure_PACTOps_iSoftmax_1_attributes {
    const tenure_tensor *coeffA;
    const tenure_tensor *coeffB;
    const tenure_tensor *coeffC;
    const tenure_tensor *log2;
    const tenure_tensor *n_levels;
} tenure_PACTOps_iSoftmax_1_attributes;
int tenure_PACTOps_iSoftmax_1(const tenure_PACTOps_iSoftmax_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* ITAMax: softmax as the ITA accelerator computes it. */
typedef struct tenure_ITAMax_1_attributes {
    const tenure_tensor *n_levels;
} tenure_ITAMax_1_attributes;
int tenure_ITAMax_1(const tenure_ITAMax_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* PACTOps.ITAMax: softmax as the ITA accelerator computes it. */
typedef struct tenure_PACTOps_ITAMax_1_attributes {
    const tenure_tensor *n_levels;
} tenure_PACTOps_ITAMax_1_attributes;
int tenure_PACTOps_ITAMax_1(const tenure_PACTOps_ITAMax_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* ITAPartialMax: softmax of the ITA accelerator, group by group. */
typedef struct tenure_ITAPartialMax_1_attributes {
    int64_t group_width;
    uint8_t has_group_width;
    const tenure_tensor *n_levels;
} tenure_ITAPartialMax_1_attributes;
int tenure_ITAPartialMax_1(const tenure_ITAPartialMax_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* PACTOps.ITAPartialMax: softmax of the ITA accelerator, group by group. */
typedef struct tenure_PACTOps_ITAPartialMax_1_attributes {
    int64_t group_width;
    uint8_t has_group_width;
    const tenure_tensor *n_levels;
} tenure_PACTOps_ITAPartialMax_1_attributes;
int tenure_PACTOps_ITAPartialMax_1(const tenure_PACTOps_ITAPartialMax_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* TrueIntegerDiv: an integer division by a number among the attributes. */
typedef struct tenure_TrueIntegerDiv_1_attributes {
    int64_t Delta;
    uint8_t has_Delta;
    int64_t eps;
    uint8_t has_eps;
    int64_t eta;
    uint8_t has_eta;
    int64_t y;
    uint8_t has_y;
} tenure_TrueIntegerDiv_1_attributes;
int tenure_TrueIntegerDiv_1(const tenure_TrueIntegerDiv_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* PACTOps.TrueIntegerDiv: an integer division by a number among the attributes. */
typedef struct tenure_PACTOps_TrueIntegerDiv_1_attributes {
    int64_t Delta;
    uint8_t has_Delta;
    int64_t eps;
    uint8_t has_eps;
    int64_t eta;
    uint8_t has_eta;
    int64_t y;
    uint8_t has_y;
} tenure_PACTOps_TrueIntegerDiv_1_attributes;
int tenure_PACTOps_TrueIntegerDiv_1(const tenure_PACTOps_TrueIntegerDiv_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* IntegerDiv: quotients of scaled integers. */
typedef struct tenure_IntegerDiv_1_attributes {
    int64_t Delta;
    uint8_t has_Delta;
    int64_t eps;
    uint8_t has_eps;
    int64_t eta;
    uint8_t has_eta;
} tenure_IntegerDiv_1_attributes;
int tenure_IntegerDiv_1(const tenure_IntegerDiv_1_attributes *attributes, const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);

/* PACTOps.IntegerDiv: quotients of scaled integers. */
typedef struct tenure_PACTOps_IntegerDiv_1_attributes {
    int64_t Delta;
    uint8_t has_Delta;
    int64_t eps;
    uint8_t has_eps;
    int64_t eta;
    uint8_t has_eta;
} tenure_PACTOps_IntegerDiv_1_attributes;
int tenure_PACTOps_IntegerDiv_1(const tenure_PACTOps_IntegerDiv_1_attributes *attributes, const tenure_tensor *A, const tenure_tensor *B, const tenure_tensor *C, const tenure_context *context);

/* IntegerMean: means along axes, rounded. */
typedef struct tenure_IntegerMean_1_attributes {
    tenure_ints axes;
    const tenure_tensor *keepdims;
} tenure_IntegerMean_1_attributes;
int tenure_IntegerMean_1(const tenure_IntegerMean_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* PACTOps.IntegerMean: means along axes, rounded. */
typedef struct tenure_PACTOps_IntegerMean_1_attributes {
    int64_t axes;
    uint8_t has_axes;
    const tenure_tensor *keepdims;
} tenure_PACTOps_IntegerMean_1_attributes;
int tenure_PACTOps_IntegerMean_1(const tenure_PACTOps_IntegerMean_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* Affine: alpha * x + beta. */
typedef struct tenure_Affine_1_attributes {
    float alpha;
    float beta;
} tenure_Affine_1_attributes;
int tenure_Affine_1(const tenure_Affine_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* ConstantFill: one value repeated to a shape: an attribute, the operand's, or its elements. */
typedef struct tenure_ConstantFill_1_attributes {
    int64_t dtype;
    tenure_ints extra_shape;
    int64_t input_as_shape;
    tenure_ints shape;
    float value;
} tenure_ConstantFill_1_attributes;
int tenure_ConstantFill_1(const tenure_ConstantFill_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* Crop: images without their borders. */
typedef struct tenure_Crop_1_attributes {
    tenure_ints border;
    tenure_ints scale;
} tenure_Crop_1_attributes;
int tenure_Crop_1(const tenure_Crop_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* DynamicSlice: a regular part along some axes. */
typedef struct tenure_DynamicSlice_1_attributes {
    tenure_ints starts; /* of the operand */
    tenure_ints ends; /* of the operand */
    tenure_ints axes; /* of the operand */
} tenure_DynamicSlice_1_attributes;
int tenure_DynamicSlice_1(const tenure_DynamicSlice_1_attributes *attributes, const tenure_tensor *data, const tenure_tensor *starts, const tenure_tensor *ends, const tenure_tensor *axes, const tenure_tensor *output, const tenure_context *context);

/* GivenTensorFill: listed values in a shape: an attribute, the operand's, or its elements. */
typedef struct tenure_GivenTensorFill_1_attributes {
    tenure_ints extra_shape;
    int64_t input_as_shape;
    tenure_ints shape;
    tenure_floats values;
} tenure_GivenTensorFill_1_attributes;
int tenure_GivenTensorFill_1(const tenure_GivenTensorFill_1_attributes *attributes, const tenure_tensor *shape, const tenure_tensor *X, const tenure_context *context);

/* ImageScaler: scales images and adds a bias a channel. */
typedef struct tenure_ImageScaler_1_attributes {
    tenure_floats bias;
    float scale;
} tenure_ImageScaler_1_attributes;
int tenure_ImageScaler_1(const tenure_ImageScaler_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* ParametricSoftplus: alpha * log(1 + exp(beta * x)). */
typedef struct tenure_ParametricSoftplus_1_attributes {
    float alpha;
    uint8_t has_alpha;
    float beta;
    uint8_t has_beta;
} tenure_ParametricSoftplus_1_attributes;
int tenure_ParametricSoftplus_1(const tenure_ParametricSoftplus_1_attributes *attributes, const tenure_tensor *X, const tenure_tensor *Y, const tenure_context *context);

/* Scale: x times a number. */
typedef struct tenure_Scale_1_attributes {
    float scale;
} tenure_Scale_1_attributes;
int tenure_Scale_1(const tenure_Scale_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* ScaledTanh: alpha * tanh(beta * x). */
typedef struct tenure_ScaledTanh_1_attributes {
    float alpha;
    uint8_t has_alpha;
    float beta;
    uint8_t has_beta;
} tenure_ScaledTanh_1_attributes;
int tenure_ScaledTanh_1(const tenure_ScaledTanh_1_attributes *attributes, const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* ai.onnx.contrib.BertTokenizer: word pieces of strings. */
typedef struct tenure_ai_onnx_contrib_BertTokenizer_1_attributes {
    int64_t do_lower_case;
    int64_t strip_accents;
    uint8_t has_strip_accents;
    const char *vocab_file;
} tenure_ai_onnx_contrib_BertTokenizer_1_attributes;
int tenure_ai_onnx_contrib_BertTokenizer_1(const tenure_ai_onnx_contrib_BertTokenizer_1_attributes *attributes, const tenure_tensor *text, const tenure_tensor *input_ids, const tenure_tensor *token_type_ids, const tenure_tensor *attention_mask, const tenure_tensor *offset_mapping, const tenure_context *context);

/* com.microsoft.extensions.BertTokenizer: word pieces of strings. */
typedef struct tenure_com_microsoft_extensions_BertTokenizer_1_attributes {
    int64_t do_lower_case;
    int64_t strip_accents;
    uint8_t has_strip_accents;
    const char *vocab_file;
} tenure_com_microsoft_extensions_BertTokenizer_1_attributes;
int tenure_com_microsoft_extensions_BertTokenizer_1(const tenure_com_microsoft_extensions_BertTokenizer_1_attributes *attributes, const tenure_tensor *text, const tenure_tensor *input_ids, const tenure_tensor *token_type_ids, const tenure_tensor *attention_mask, const tenure_tensor *offset_mapping, const tenure_context *context);

/* ai.onnx.contrib.HfBertTokenizer: word pieces of one text or a pair of texts. */
typedef struct tenure_ai_onnx_contrib_HfBertTokenizer_1_attributes {
    int64_t do_lower_case;
    int64_t strip_accents;
    uint8_t has_strip_accents;
    const char *vocab_file;
} tenure_ai_onnx_contrib_HfBertTokenizer_1_attributes;
int tenure_ai_onnx_contrib_HfBertTokenizer_1(const tenure_ai_onnx_contrib_HfBertTokenizer_1_attributes *attributes, const tenure_tensor *text, const tenure_tensor *input_ids, const tenure_tensor *attention_mask, const tenure_tensor *token_type_ids, const tenure_tensor *offset_mapping, const tenure_context *context);

/* com.microsoft.extensions.HfBertTokenizer: word pieces of one text or a pair of texts. */
typedef struct tenure_com_microsoft_extensions_HfBertTokenizer_1_attributes {
    int64_t do_lower_case;
    int64_t strip_accents;
    uint8_t has_strip_accents;
    const char *vocab_file;
} tenure_com_microsoft_extensions_HfBertTokenizer_1_attributes;
int tenure_com_microsoft_extensions_HfBertTokenizer_1(const tenure_com_microsoft_extensions_HfBertTokenizer_1_attributes *attributes, const tenure_tensor *text, const tenure_tensor *input_ids, const tenure_tensor *attention_mask, const tenure_tensor *token_type_ids, const tenure_tensor *offset_mapping, const tenure_context *context);

/* ai.onnx.contrib.GPT2Tokenizer: byte pairs of strings. */
typedef struct tenure_ai_onnx_contrib_GPT2Tokenizer_1_attributes {
    const char *merges;
    int64_t padding_length;
    const char *vocab;
} tenure_ai_onnx_contrib_GPT2Tokenizer_1_attributes;
int tenure_ai_onnx_contrib_GPT2Tokenizer_1(const tenure_ai_onnx_contrib_GPT2Tokenizer_1_attributes *attributes, const tenure_tensor *text, const tenure_tensor *input_ids, const tenure_tensor *attention_mask, const tenure_tensor *offset_mapping, const tenure_context *context);

/* com.microsoft.extensions.GPT2Tokenizer: byte pairs of strings. */
typedef struct tenure_com_microsoft_extensions_GPT2Tokenizer_1_attributes {
    const char *merges;
    int64_t padding_length;
    const char *vocab;
} tenure_com_microsoft_extensions_GPT2Tokenizer_1_attributes;
int tenure_com_microsoft_extensions_GPT2Tokenizer_1(const tenure_com_microsoft_extensions_GPT2Tokenizer_1_attributes *attributes, const tenure_tensor *text, const tenure_tensor *input_ids, const tenure_tensor *attention_mask, const tenure_tensor *offset_mapping, const tenure_context *context);

/* ai.onnx.contrib.CLIPTokenizer: byte pairs of strings, in lower case. */
typedef struct tenure_ai_onnx_contrib_CLIPTokenizer_1_attributes {
    const char *merges;
    int64_t padding_length;
    const char *vocab;
} tenure_ai_onnx_contrib_CLIPTokenizer_1_attributes;
int tenure_ai_onnx_contrib_CLIPTokenizer_1(const tenure_ai_onnx_contrib_CLIPTokenizer_1_attributes *attributes, const tenure_tensor *text, const tenure_tensor *input_ids, const tenure_tensor *attention_mask, const tenure_tensor *offset_mapping, const tenure_context *context);

/* com.microsoft.extensions.CLIPTokenizer: byte pairs of strings, in lower case. */
typedef struct tenure_com_microsoft_extensions_CLIPTokenizer_1_attributes {
    const char *merges;
    int64_t padding_length;
    const char *vocab;
} tenure_com_microsoft_extensions_CLIPTokenizer_1_attributes;
int tenure_com_microsoft_extensions_CLIPTokenizer_1(const tenure_com_microsoft_extensions_CLIPTokenizer_1_attributes *attributes, const tenure_tensor *text, const tenure_tensor *input_ids, const tenure_tensor *attention_mask, const tenure_tensor *offset_mapping, const tenure_context *context);

/* ai.onnx.contrib.RobertaTokenizer: byte pairs of strings. */
typedef struct tenure_ai_onnx_contrib_RobertaTokenizer_1_attributes {
    const char *merges;
    int64_t padding_length;
    const char *vocab;
} tenure_ai_onnx_contrib_RobertaTokenizer_1_attributes;
int tenure_ai_onnx_contrib_RobertaTokenizer_1(const tenure_ai_onnx_contrib_RobertaTokenizer_1_attributes *attributes, const tenure_tensor *text, const tenure_tensor *input_ids, const tenure_tensor *attention_mask, const tenure_tensor *offset_mapping, const tenure_context *context);

/* com.microsoft.extensions.RobertaTokenizer: byte pairs of strings. */
typedef struct tenure_com_microsoft_extensions_RobertaTokenizer_1_attributes {
    const char *merges;
    int64_t padding_length;
    const char *vocab;
} tenure_com_microsoft_extensions_RobertaTokenizer_1_attributes;
int tenure_com_microsoft_extensions_RobertaTokenizer_1(const tenure_com_microsoft_extensions_RobertaTokenizer_1_attributes *attributes, const tenure_tensor *text, const tenure_tensor *input_ids, const tenure_tensor *attention_mask, const tenure_tensor *offset_mapping, const tenure_context *context);

/* ai.onnx.contrib.DecodeImage: an image from the bytes of its file. */
typedef struct tenure_ai_onnx_contrib_DecodeImage_1_attributes {
    const char *color_space;
} tenure_ai_onnx_contrib_DecodeImage_1_attributes;
int tenure_ai_onnx_contrib_DecodeImage_1(const tenure_ai_onnx_contrib_DecodeImage_1_attributes *attributes, const tenure_tensor *encoded, const tenure_tensor *image, const tenure_context *context);

/* com.microsoft.extensions.DecodeImage: an image from the bytes of its file. */
typedef struct tenure_com_microsoft_extensions_DecodeImage_1_attributes {
    const char *color_space;
} tenure_com_microsoft_extensions_DecodeImage_1_attributes;
int tenure_com_microsoft_extensions_DecodeImage_1(const tenure_com_microsoft_extensions_DecodeImage_1_attributes *attributes, const tenure_tensor *encoded, const tenure_tensor *image, const tenure_context *context);

/* ai.onnx.contrib.EncodeImage: the bytes of an image's file. */
typedef struct tenure_ai_onnx_contrib_EncodeImage_1_attributes {
    const char *color_space;
    const char *format;
} tenure_ai_onnx_contrib_EncodeImage_1_attributes;
int tenure_ai_onnx_contrib_EncodeImage_1(const tenure_ai_onnx_contrib_EncodeImage_1_attributes *attributes, const tenure_tensor *image, const tenure_tensor *encoded, const tenure_context *context);

/* com.microsoft.extensions.EncodeImage: the bytes of an image's file. */
typedef struct tenure_com_microsoft_extensions_EncodeImage_1_attributes {
    const char *color_space;
    const char *format;
} tenure_com_microsoft_extensions_EncodeImage_1_attributes;
int tenure_com_microsoft_extensions_EncodeImage_1(const tenure_com_microsoft_extensions_EncodeImage_1_attributes *attributes, const tenure_tensor *image, const tenure_tensor *encoded, const tenure_context *context);

/* tflite.RESHAPE: the same elements under another shape. */
int tenure_tflite_RESHAPE_1(const tenure_tensor *input, const tenure_tensor *shape, const tenure_tensor *output, const tenure_context *context);

/* tflite.SQUEEZE: without dimensions of 1. */
int tenure_tflite_SQUEEZE_1(const tenure_tensor *input, const tenure_tensor *output, const tenure_context *context);

/* tflite.EXPAND_DIMS: with a dimension of 1. */
int tenure_tflite_EXPAND_DIMS_1(const tenure_tensor *input, const tenure_tensor *axis, const tenure_tensor *output, const tenure_context *context);

/* tflite.READ_VARIABLE: a copy of what a variable holds. */
int tenure_tflite_READ_VARIABLE_1(const tenure_tensor *resource, const tenure_tensor *same, const tenure_tensor *value, const tenure_context *context);

/* tflite.ASSIGN_VARIABLE: what a variable holds from then on. */
int tenure_tflite_ASSIGN_VARIABLE_1(const tenure_tensor *resource, const tenure_tensor *value, const tenure_tensor *same, const tenure_tensor *held, const tenure_context *context);

/* tflite.CALL_ONCE: a subgraph that sets variables, in the first run. */
int tenure_tflite_CALL_ONCE_1(const tenure_context *context);

/* tflite.CALL: a subgraph. */
int tenure_tflite_CALL_1(const tenure_tensor *const *inputs, uint32_t n_inputs, const tenure_tensor *const *outputs, uint32_t n_outputs, const tenure_context *context);

/* tflite.IF: one of two subgraphs. */
int tenure_tflite_IF_1(const tenure_tensor *cond, const tenure_tensor *const *inputs, uint32_t n_inputs, const tenure_tensor *const *outputs, uint32_t n_outputs, const tenure_context *context);

/* tflite.WHILE: a subgraph as often as another one says. */
int tenure_tflite_WHILE_1(const tenure_tensor *const *inputs, uint32_t n_inputs, const tenure_tensor *const *outputs, uint32_t n_outputs, const tenure_context *context);

#ifdef __cplusplus
}
#endif

#endif
