/* Functions of one element, and of two that are broadcast against each other. */
#include "launch.h"

static int unary(const char *kernel, const tenure_tensor *x, const tenure_tensor *y,
                 const tenure_context *c) {
    launch l = launch_begin(c, kernel);
    launch_tensor(&l, x);
    launch_tensor(&l, y);
    return launch_end(&l, y->elements);
}

static int floats(const char *kernel, const tenure_tensor *x, const tenure_tensor *y,
                  const tenure_context *c) {
    return x->dtype == TENURE_DTYPE_F32 ? unary(kernel, x, y, c) : BAD_TYPE(KNOWS_F32, x);
}

#define FLOATS(op, version, kernel)                                                                \
    int tenure_##op##_##version(const tenure_tensor *x, const tenure_tensor *y,                    \
                                const tenure_context *c) {                                         \
        return floats(kernel, x, y, c);                                                            \
    }
FLOATS(Relu, 6, "relu")
FLOATS(Relu, 13, "relu")
FLOATS(Relu, 14, "relu")
FLOATS(Sigmoid, 6, "sigmoid")
FLOATS(Sigmoid, 13, "sigmoid")
FLOATS(Tanh, 6, "hyperbolic")
FLOATS(Tanh, 13, "hyperbolic")
FLOATS(Erf, 9, "error_function")
FLOATS(Erf, 13, "error_function")
FLOATS(Exp, 6, "exponential")
FLOATS(Exp, 13, "exponential")
FLOATS(Neg, 6, "negative")
FLOATS(Neg, 13, "negative")
FLOATS(Sqrt, 6, "square_root")
FLOATS(Sqrt, 13, "square_root")

/* ---- Cast ---- */

static int cast(const tenure_tensor *x, const tenure_tensor *y, const tenure_context *c) {
    static const struct {
        uint8_t from, to;
        const char *kernel;
    } known[] = {{TENURE_DTYPE_I64, TENURE_DTYPE_F32, "f32_of_i64"},
                 {TENURE_DTYPE_F32, TENURE_DTYPE_I64, "i64_of_f32"},
                 {TENURE_DTYPE_BOOL, TENURE_DTYPE_F32, "f32_of_bool"},
                 {TENURE_DTYPE_F32, TENURE_DTYPE_BOOL, "bool_of_f32"}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (x->dtype == known[i].from && y->dtype == known[i].to) {
            return unary(known[i].kernel, x, y, c);
        }
    }
    return BAD_TYPE2("f32 and i64, f32 and bool, to each other", x, y);
}

int tenure_Cast_9(const tenure_Cast_9_attributes *a, const tenure_tensor *x, const tenure_tensor *y,
                  const tenure_context *c) {
    (void)a; /* the type wanted is that of the result */
    return cast(x, y, c);
}

int tenure_Cast_13(const tenure_Cast_13_attributes *a, const tenure_tensor *x,
                   const tenure_tensor *y, const tenure_context *c) {
    (void)a;
    return cast(x, y, c);
}

/* ---- two operands ---- */

static int binary(const char *name, const tenure_tensor *a, const tenure_tensor *b,
                  const tenure_tensor *y, const tenure_context *c) {
    walk of_a, of_b;
    int error = walk_of(a, y->dims, y->rank, &of_a);
    error = error == 0 ? walk_of(b, y->dims, y->rank, &of_b) : error;
    if (error != 0 || a->dtype != b->dtype) {
        return error != 0 ? error : BAD_TYPE2("operands of one type", a, b);
    }
    launch l = launch_begin(c, name);
    launch_tensor(&l, a);
    launch_tensor(&l, b);
    launch_tensor(&l, y);
    launch_walk(&l, &of_a.dims);
    launch_walk(&l, &of_a.steps);
    launch_walk(&l, &of_b.steps);
    return launch_end(&l, y->elements);
}

#define BY_TYPE(op, version, name)                                                                 \
    int tenure_##op##_##version(const tenure_tensor *a, const tenure_tensor *b,                    \
                                const tenure_tensor *y, const tenure_context *c) {                 \
        return a->dtype == TENURE_DTYPE_F32   ? binary(name "_f32", a, b, y, c)                    \
               : a->dtype == TENURE_DTYPE_I64 ? binary(name "_i64", a, b, y, c)                    \
                                              : BAD_TYPE("f32 and i64", a);                        \
    }
#define ARITHMETIC(op, name)                                                                       \
    BY_TYPE(op, 7, name)                                                                           \
    BY_TYPE(op, 13, name)                                                                          \
    BY_TYPE(op, 14, name)
ARITHMETIC(Add, "add")
ARITHMETIC(Sub, "subtract")
ARITHMETIC(Mul, "multiply")
ARITHMETIC(Div, "divide")
BY_TYPE(Less, 9, "less")
BY_TYPE(Less, 13, "less")
BY_TYPE(Greater, 9, "greater")
BY_TYPE(Greater, 13, "greater")
BY_TYPE(LessOrEqual, 12, "less_or_equal")
BY_TYPE(LessOrEqual, 16, "less_or_equal")
BY_TYPE(GreaterOrEqual, 12, "greater_or_equal")
BY_TYPE(GreaterOrEqual, 16, "greater_or_equal")

static int power(const tenure_tensor *a, const tenure_tensor *b, const tenure_tensor *y,
                 const tenure_context *c) {
    return a->dtype == TENURE_DTYPE_F32 ? binary("power_f32", a, b, y, c) : BAD_TYPE(KNOWS_F32, a);
}

KERNEL_BINARY(Pow, 7, power)
KERNEL_BINARY(Pow, 12, power)
KERNEL_BINARY(Pow, 13, power)
KERNEL_BINARY(Pow, 15, power)
