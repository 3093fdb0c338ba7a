/* Relations, truths, bits, and the choice by a truth. */
#include "each.h"

#define RELATION(name, sign)                                                                       \
    static float name(float a, float b) {                                                          \
        return a sign b ? 1.0f : 0.0f;                                                             \
    }                                                                                              \
    static int64_t whole_##name(int64_t a, int64_t b) {                                            \
        return a sign b;                                                                           \
    }                                                                                              \
    static int any_##name(const tenure_tensor *a, const tenure_tensor *b,                          \
                          const tenure_tensor *y) {                                                \
        return each_pair(name, whole_##name, a, b, y);                                             \
    }
#define WHOLES(name, expression)                                                                   \
    static int64_t whole_##name(int64_t a, int64_t b) {                                            \
        return expression;                                                                         \
    }                                                                                              \
    static int any_##name(const tenure_tensor *a, const tenure_tensor *b,                          \
                          const tenure_tensor *y) {                                                \
        return each_pair(NULL, whole_##name, a, b, y);                                             \
    }

RELATION(equal, ==)
OLD_PAIR(Equal, 1, any_equal)
KERNEL_BINARY(Equal, 7, any_equal)
KERNEL_BINARY(Equal, 11, any_equal)
KERNEL_BINARY(Equal, 13, any_equal)
KERNEL_BINARY(Equal, 19, any_equal)

RELATION(greater, >)
OLD_PAIR(Greater, 1, any_greater)
KERNEL_BINARY(Greater, 7, any_greater)
KERNEL_BINARY(Greater, 9, any_greater)
KERNEL_BINARY(Greater, 13, any_greater)

RELATION(less, <)
OLD_PAIR(Less, 1, any_less)
KERNEL_BINARY(Less, 7, any_less)
KERNEL_BINARY(Less, 9, any_less)
KERNEL_BINARY(Less, 13, any_less)

RELATION(not_less, >=)
KERNEL_BINARY(GreaterOrEqual, 12, any_not_less)
KERNEL_BINARY(GreaterOrEqual, 16, any_not_less)

RELATION(not_greater, <=)
KERNEL_BINARY(LessOrEqual, 12, any_not_greater)
KERNEL_BINARY(LessOrEqual, 16, any_not_greater)

WHOLES(both, a != 0 && b != 0)
OLD_PAIR(And, 1, any_both)
KERNEL_BINARY(And, 7, any_both)
WHOLES(either, a != 0 || b != 0)
OLD_PAIR(Or, 1, any_either)
KERNEL_BINARY(Or, 7, any_either)
WHOLES(one_of, (a != 0) != (b != 0))
OLD_PAIR(Xor, 1, any_one_of)
KERNEL_BINARY(Xor, 7, any_one_of)

WHOLES(bits_and, a &b)
KERNEL_BINARY(BitwiseAnd, 18, any_bits_and)
WHOLES(bits_or, a | b)
KERNEL_BINARY(BitwiseOr, 18, any_bits_or)
WHOLES(bits_xor, a ^ b)
KERNEL_BINARY(BitwiseXor, 18, any_bits_xor)

/* By as many bits as there are, or by less than none, nothing is left but the sign. */
WHOLES(shift_left, b<0 || b> 63 ? 0 : (int64_t)((uint64_t)a << b))
WHOLES(shift_unsigned, b<0 || b> 63 ? 0 : (int64_t)((uint64_t)a >> b))
WHOLES(shift_right, b<0 || b> 63 ? (a < 0 ? -1 : 0) : a < 0 ? ~(~a >> b) : a >> b)

static int bit_shift(const char *direction, const tenure_tensor *a, const tenure_tensor *b,
                     const tenure_tensor *y) {
    if (strcmp(direction, "LEFT") == 0) {
        return any_shift_left(a, b, y);
    }
    return a->dtype == TENURE_DTYPE_U64 ? any_shift_unsigned(a, b, y) : any_shift_right(a, b, y);
}

#define BIT_SHIFT(version)                                                                         \
    int tenure_BitShift_##version(const tenure_BitShift_##version##_attributes *attributes,        \
                                  const tenure_tensor *a, const tenure_tensor *b,                  \
                                  const tenure_tensor *y, const tenure_context *c) {               \
        (void)c;                                                                                   \
        return bit_shift(attributes->direction, a, b, y);                                          \
    }
BIT_SHIFT(11)
BIT_SHIFT(28)

static int where(const tenure_tensor *condition, const tenure_tensor *x, const tenure_tensor *z,
                 const tenure_tensor *y) {
    size_t width = element_width(y);
    if (check_broadcast(condition, y) != 0 || check_broadcast(x, y) != 0 ||
        check_broadcast(z, y) != 0) {
        return KERNEL_BAD_SHAPE;
    }
    if (width == 0) {
        return BAD_TYPE(KNOWS_BYTES, y);
    }
    for (size_t i = 0; i < y->elements; i++) {
        const tenure_tensor *chosen =
            IN(condition, uint8_t)[broadcast_index(condition, y, i)] ? x : z;
        size_t at = broadcast_index(chosen, y, i);
        move_bytes(OUT(y, unsigned char) + i * width, IN(chosen, unsigned char) + at * width,
                   width);
    }
    return 0;
}

#define WHERE(version)                                                                             \
    int tenure_Where_##version(const tenure_tensor *condition, const tenure_tensor *x,             \
                               const tenure_tensor *z, const tenure_tensor *y,                     \
                               const tenure_context *c) {                                          \
        (void)c;                                                                                   \
        return where(condition, x, z, y);                                                          \
    }
WHERE(9)
WHERE(16)
