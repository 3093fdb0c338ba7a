/* One work-item an element. Operand and result may be one buffer: each element is read before it is
 * written, and by no other work-item. */

/* Where the operand's element for element i of the result is (walk in launch.h). */
int place(size_t i, int8 dims, int8 steps) {
    int d[8], s[8], at = 0;
    vstore8(dims, 0, d);
    vstore8(steps, 0, s);
    for (int k = 7; k >= 0; k--) {
        at += (int)(i % d[k]) * s[k];
        i /= d[k];
    }
    return at;
}

#define UNARY(name, from, to, result)                                                              \
    __kernel void name(__global const from *x, __global to *y) {                                   \
        size_t i = get_global_id(0);                                                               \
        from v = x[i];                                                                             \
        y[i] = result;                                                                             \
    }
UNARY(relu, float, float, fmax(v, 0.0f))
UNARY(sigmoid, float, float, 1.0f / (1.0f + exp(-v)))
UNARY(hyperbolic, float, float, tanh(v))
UNARY(error_function, float, float, erf(v))
UNARY(exponential, float, float, exp(v))
UNARY(negative, float, float, -v)
UNARY(square_root, float, float, sqrt(v))
UNARY(f32_of_i64, long, float, (float)v)
UNARY(i64_of_f32, float, long, (long)v)
UNARY(f32_of_bool, uchar, float, (float)v)
UNARY(bool_of_f32, float, uchar, v != 0.0f)

#define BINARY(name, from, to, result)                                                             \
    __kernel void name(__global const from *a, __global const from *b, __global to *y, int8 dims,  \
                       int8 a_steps, int8 b_steps) {                                               \
        size_t i = get_global_id(0);                                                               \
        from v = a[place(i, dims, a_steps)], w = b[place(i, dims, b_steps)];                       \
        y[i] = result;                                                                             \
    }
#define BOTH(name, result)                                                                         \
    BINARY(name##_f32, float, float, result)                                                       \
    BINARY(name##_i64, long, long, result)
#define COMPARED(name, result)                                                                     \
    BINARY(name##_f32, float, uchar, result)                                                       \
    BINARY(name##_i64, long, uchar, result)
BOTH(add, v + w)
BOTH(subtract, v - w)
BOTH(multiply, v * w)
BOTH(divide, v / w)
BINARY(power_f32, float, float, pow(v, w))
COMPARED(less, v < w)
COMPARED(less_or_equal, v <= w)
COMPARED(greater, v > w)
COMPARED(greater_or_equal, v >= w)
