/* Cast: between f32, f64, f16, bf16, integers and truths. */
#include "kernels.h"

/* Towards 0; what no int64_t holds becomes the nearest one, and what is no number 0. */
static int64_t whole_of(double v, const tenure_tensor *t) {
    if (t->dtype == TENURE_DTYPE_BOOL) {
        return v != 0 || v != v;
    }
    if (t->dtype == TENURE_DTYPE_U64 && v >= 9223372036854775808.0) {
        return v >= 18446744073709551616.0 ? -1 : (int64_t)(uint64_t)v;
    }
    return v != v                        ? 0
           : v >= 9223372036854775808.0  ? INT64_MAX
           : v <= -9223372036854775808.0 ? INT64_MIN
                                         : (int64_t)v;
}

static int cast(const tenure_tensor *x, const tenure_tensor *y) {
    int from = is_float(x), to = is_float(y);
    if (x->dtype == y->dtype) {
        return copy_all(x, y);
    }
    if ((!from && !is_whole(x)) || (!to && !is_whole(y))) {
        return BAD_TYPE2("f32, f64, f16, bf16, integers and bool", x, y);
    }
    for (size_t i = 0; i < y->elements; i++) {
        size_t at = beside(x, y, i);
        if (from && to) {
            put_double(y, i, double_at(x, at));
        } else if (from) {
            put_whole(y, i, whole_of(double_at(x, at), y));
        } else if (to) {
            int64_t v = whole_at(x, at);
            put_double(y, i, x->dtype == TENURE_DTYPE_U64 ? (double)(uint64_t)v : (double)v);
        } else {
            put_whole(y, i, whole_at(x, at));
        }
    }
    return 0;
}

#define CAST(version)                                                                              \
    int tenure_Cast_##version(const tenure_Cast_##version##_attributes *attributes,                \
                              const tenure_tensor *x, const tenure_tensor *y,                      \
                              const tenure_context *c) {                                           \
        (void)attributes;                                                                          \
        (void)c;                                                                                   \
        return cast(x, y);                                                                         \
    }
CAST(1)
CAST(6)
CAST(9)
CAST(13)
CAST(19)
CAST(21)
CAST(23)
CAST(24)
CAST(25)
CAST(28)

/* The type of the second operand is that of the result. */
#define CAST_LIKE(version)                                                                         \
    int tenure_CastLike_##version(const tenure_CastLike_##version##_attributes *attributes,        \
                                  const tenure_tensor *x, const tenure_tensor *like,               \
                                  const tenure_tensor *y, const tenure_context *c) {               \
        (void)attributes;                                                                          \
        (void)like;                                                                                \
        (void)c;                                                                                   \
        return cast(x, y);                                                                         \
    }
CAST_LIKE(19)
CAST_LIKE(21)
CAST_LIKE(23)
CAST_LIKE(24)
CAST_LIKE(25)

int tenure_CastLike_15(const tenure_tensor *x, const tenure_tensor *like, const tenure_tensor *y,
                       const tenure_context *c) {
    (void)like;
    (void)c;
    return cast(x, y);
}
