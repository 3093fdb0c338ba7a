/* What stands in front of kernels. */
#include <string.h>

#include "backends/kernels/kernels_c.h"

static const char always[] =
    "\n/* ---- kernels, each for the extents of the steps that call it ---- */\n\n"
    "/* @M_LANES: floats of a vector. Without vectors of the compiler, or with -D@M_LANES=1, there "
    "are none. */\n"
    "#ifdef __GNUC__\n"
    "#define @M_ALIAS __attribute__((may_alias))\n"
    "#define @M_MAYBE __attribute__((unused))\n"
    "#else\n"
    "#define @M_ALIAS\n"
    "#define @M_MAYBE\n"
    "#endif\n"
    "#if defined(__clang__)\n"
    "#pragma clang diagnostic ignored \"-Wpass-failed\" /* of loops that stay loops */\n"
    "#define @M_IVDEP _Pragma(\"clang loop vectorize(assume_safety)\")\n"
    "#elif defined(__GNUC__)\n"
    "#define @M_IVDEP _Pragma(\"GCC ivdep\")\n"
    "#else\n"
    "#define @M_IVDEP\n"
    "#endif\n"
    "#ifndef @M_LANES\n"
    "#if defined(__GNUC__) && defined(__AVX512F__)\n"
    "#define @M_LANES 16\n"
    "#elif defined(__GNUC__) && defined(__AVX__)\n"
    "#define @M_LANES 8\n"
    "#elif defined(__GNUC__) && (defined(__SSE2__) || defined(__ARM_NEON) || defined(__VSX__))\n"
    "#define @M_LANES 4\n"
    "#else\n"
    "#define @M_LANES 1\n"
    "#endif\n"
    "#endif\n"
    "typedef float @M_ALIAS @m_f32; /* pools hold all types in turn */\n"
    "typedef double @M_ALIAS @m_f64;\n"
    "typedef int8_t @m_i8;\n"
    "typedef int16_t @M_ALIAS @m_i16;\n"
    "typedef int32_t @M_ALIAS @m_i32;\n"
    "typedef int64_t @M_ALIAS @m_i64;\n"
    "typedef uint8_t @m_u8;\n"
    "typedef uint16_t @M_ALIAS @m_u16;\n"
    "typedef uint32_t @M_ALIAS @m_u32;\n"
    "typedef uint64_t @M_ALIAS @m_u64;\n"
    "#if @M_LANES >= 16\n"
    "typedef float @m_v16 __attribute__((vector_size(64), aligned(4), may_alias));\n"
    "#define @M_L16 16\n"
    "#endif\n"
    "#if @M_LANES >= 8\n"
    "typedef float @m_v8 __attribute__((vector_size(32), aligned(4), may_alias));\n"
    "#define @M_L8 8\n"
    "#endif\n"
    "#if @M_LANES >= 4\n"
    "typedef float @m_v4 __attribute__((vector_size(16), aligned(4), may_alias));\n"
    "#define @M_L4 4\n"
    "#else\n"
    "typedef float @M_ALIAS @m_v4;\n"
    "#define @M_L4 1\n"
    "#endif\n"
    "#if @M_LANES < 8\n"
    "typedef @m_v4 @m_v8;\n"
    "#define @M_L8 @M_L4\n"
    "#endif\n"
    "#if @M_LANES < 16\n"
    "typedef @m_v8 @m_v16;\n"
    "#define @M_L16 @M_L8\n"
    "#endif\n\n";

enum { MARKERS = 4 };

/* A text that stands where kernels have one of the marks. */
static const struct {
    const char *mark[MARKERS], *text;
} parts[] = {
    {{"_clampf("},
     "@M_MAYBE static inline float @m_clampf(float x, float least, float most) {\n"
     "    const float low = x > least ? x : least;\n"
     "    return low < most ? low : most;\n"
     "}\n"},
    {{"_maxf(", "_minf("},
     "@M_MAYBE static inline float @m_maxf(float a, float b) {\n"
     "    return ((a > b) | (a != a)) ? a : b;\n"
     "}\n"
     "@M_MAYBE static inline float @m_minf(float a, float b) {\n"
     "    return ((a < b) | (a != a)) ? a : b;\n"
     "}\n"},
    {{"_clamp("},
     "@M_MAYBE static inline double @m_clamp(double x, double least, double most) {\n"
     "    const double low = x > least ? x : least;\n"
     "    return low < most ? low : most;\n"
     "}\n"},
    {{"_max(", "_min("},
     "@M_MAYBE static inline double @m_max(double a, double b) {\n"
     "    return ((a > b) | (a != a)) ? a : b;\n"
     "}\n"
     "@M_MAYBE static inline double @m_min(double a, double b) {\n"
     "    return ((a < b) | (a != a)) ? a : b;\n"
     "}\n"},
    {{"_i32(", "_u32(", "_i64(", "_u64("},
     "/* Whole numbers wrap; what is divided by 0 gives 0. */\n"
     "#define @M_WHOLE(s, T, U, with_sign) \\\n"
     "    @M_MAYBE static inline T @m_add_##s(T a, T b) { return (T)((U)a + (U)b); } \\\n"
     "    @M_MAYBE static inline T @m_sub_##s(T a, T b) { return (T)((U)a - (U)b); } \\\n"
     "    @M_MAYBE static inline T @m_mul_##s(T a, T b) { return (T)((U)a * (U)b); } \\\n"
     "    @M_MAYBE static inline int32_t @m_less_##s(T a, T b) { return a < b; } \\\n"
     "    @M_MAYBE static inline T @m_max_##s(T a, T b) { return a > b ? a : b; } \\\n"
     "    @M_MAYBE static inline T @m_min_##s(T a, T b) { return a < b ? a : b; } \\\n"
     "    @M_MAYBE static inline T @m_clamp_##s(T x, T least, T most) { \\\n"
     "        return x < least ? least : x > most ? most : x; \\\n"
     "    } \\\n"
     "    @M_MAYBE static inline T @m_abs_##s(T a) { return @m_less_##s(a, 0) ? (T)(0 - (U)a) : a; "
     "} \\\n"
     "    @M_MAYBE static inline T @m_div_##s(T a, T b) { \\\n"
     "        return b == 0 ? 0 : with_sign && b == (T)-1 ? (T)(0 - (U)a) : (T)(a / b); \\\n"
     "    } \\\n"
     "    @M_MAYBE static inline T @m_rem_##s(T a, T b) { \\\n"
     "        return b == 0 || (with_sign && b == (T)-1) ? 0 : (T)(a % b); \\\n"
     "    } \\\n"
     "    @M_MAYBE static inline T @m_mod_##s(T a, T b) { \\\n"
     "        const T r = @m_rem_##s(a, b); \\\n"
     "        return r != 0 && @m_less_##s(r, 0) != @m_less_##s(b, 0) ? (T)(r + b) : r; \\\n"
     "    } \\\n"
     "    @M_MAYBE static inline T @m_shift_left_##s(T a, T b) { \\\n"
     "        return (U)b >= 8 * sizeof(T) ? 0 : (T)((U)a << (U)b); \\\n"
     "    } \\\n"
     "    @M_MAYBE static inline T @m_shift_right_##s(T a, T b) { \\\n"
     "        const U flip = @m_less_##s(a, 0) ? (U)-1 : 0; \\\n"
     "        return (T)((U)b >= 8 * sizeof(T) ? flip : ((U)a ^ flip) >> (U)b ^ flip); \\\n"
     "    }\n"},
    {{"_i32("}, "@M_WHOLE(i32, int32_t, uint32_t, 1)\n"},
    {{"_u32("}, "@M_WHOLE(u32, uint32_t, uint32_t, 0)\n"},
    {{"_i64("}, "@M_WHOLE(i64, int64_t, uint64_t, 1)\n"},
    {{"_u64("}, "@M_WHOLE(u64, uint64_t, uint64_t, 0)\n"},
    {{"_index("},
     "/* Any element but that one would do where there is none: the kernel fails. */\n"
     "@M_MAYBE static inline int64_t @m_index(int64_t i, int64_t n, int32_t *bad) {\n"
     "    const int64_t at = i < 0 ? i + n : i;\n"
     "    const int32_t none = at < 0 || at >= n;\n"
     "    *bad |= none;\n"
     "    return none ? 0 : at;\n"
     "}\n"},
    {{"_to_i64(", "_to_u64("},
     "@M_MAYBE static inline int64_t @m_to_i64(double x) {\n"
     "    return x != x                        ? 0\n"
     "           : x >= 9223372036854775808.0  ? INT64_MAX\n"
     "           : x <= -9223372036854775808.0 ? INT64_MIN\n"
     "                                         : (int64_t)x;\n"
     "}\n"},
    {{"_to_u64("},
     "@M_MAYBE static inline uint64_t @m_to_u64(double x) {\n"
     "    return x >= 18446744073709551616.0  ? UINT64_MAX\n"
     "           : x >= 9223372036854775808.0 ? (uint64_t)x\n"
     "                                        : (uint64_t)@m_to_i64(x);\n"
     "}\n"},
    {{"_from_f16("},
     "@M_MAYBE static inline float @m_from_f16(uint16_t h) {\n"
     "    const uint32_t e = h >> 10 & 31u, m = h & 1023u, sign = (h & 0x8000u) << 16;\n"
     "    uint32_t bits = e == 31 ? 0x7f800000u | m << 13 : (e + 112) << 23 | m << 13;\n"
     "    const float least = (float)m * 5.9604644775390625e-8f; /* 2^-24 */\n"
     "    float x;\n"
     "    if (e == 0) {\n"
     "        memcpy(&bits, &least, sizeof bits);\n"
     "    }\n"
     "    bits |= sign;\n"
     "    memcpy(&x, &bits, sizeof x);\n"
     "    return x;\n"
     "}\n"},
    {{"_to_f16("},
     "/* To the nearest, halves to even. */\n"
     "@M_MAYBE static inline uint16_t @m_to_f16(float x) {\n"
     "    uint32_t bits;\n"
     "    memcpy(&bits, &x, sizeof bits);\n"
     "    const uint32_t sign = bits >> 16 & 0x8000u, a = bits & 0x7fffffffu;\n"
     "    if (a > 0x7f800000u) {\n"
     "        return (uint16_t)(sign | 0x7e00u);\n"
     "    }\n"
     "    if (a >= 0x47800000u) {\n"
     "        return (uint16_t)(sign | 0x7c00u);\n"
     "    }\n"
     "    if (a < 0x38800000u) {\n"
     "        return (uint16_t)(sign | (uint32_t)rintf(fabsf(x) * 16777216.0f));\n"
     "    }\n"
     "    return (uint16_t)(sign | (a + 0xfffu + (a >> 13 & 1u) - 0x38000000u) >> 13);\n"
     "}\n"},
    {{"_from_bf16("},
     "@M_MAYBE static inline float @m_from_bf16(uint16_t h) {\n"
     "    const uint32_t bits = (uint32_t)h << 16;\n"
     "    float x;\n"
     "    memcpy(&x, &bits, sizeof x);\n"
     "    return x;\n"
     "}\n"},
    {{"_to_bf16("},
     "/* To the nearest, halves to even. */\n"
     "@M_MAYBE static inline uint16_t @m_to_bf16(float x) {\n"
     "    uint32_t bits;\n"
     "    memcpy(&bits, &x, sizeof bits);\n"
     "    return (uint16_t)(x != x ? bits >> 16 | 0x40u : (bits + 0x7fffu + (bits >> 16 & 1u)) >> "
     "16);\n"
     "}\n"},
    {{"_from_f8e4m3fn(", "_from_f8e4m3fnuz(", "_from_f8e5m2(", "_from_f8e5m2fnuz("},
     "/* 8 bits: `m` of them are the mantissa. */\n"
     "@M_MAYBE static inline float @m_from_f8(uint32_t b, uint32_t m, int bias) {\n"
     "    const uint32_t e = (b & 127u) >> m, part = b & ((1u << m) - 1);\n"
     "    const float x = ldexpf((float)(e > 0 ? part + (1u << m) : part),\n"
     "                           (e > 0 ? (int)e : 1) - bias - (int)m);\n"
     "    return (b & 128u) != 0 ? -x : x;\n"
     "}\n"},
    {{"_from_f8e4m3fn("},
     "@M_MAYBE static inline float @m_from_f8e4m3fn(uint8_t b) {\n"
     "    return (b & 127u) == 127u ? NAN : @m_from_f8(b, 3, 7);\n"
     "}\n"},
    {{"_from_f8e4m3fnuz("},
     "@M_MAYBE static inline float @m_from_f8e4m3fnuz(uint8_t b) {\n"
     "    return b == 128u ? NAN : @m_from_f8(b, 3, 8);\n"
     "}\n"},
    {{"_from_f8e5m2("},
     "@M_MAYBE static inline float @m_from_f8e5m2(uint8_t b) {\n"
     "    const float inf = (b & 128u) != 0 ? -INFINITY : INFINITY;\n"
     "    return (b & 127u) > 124u ? NAN : (b & 127u) == 124u ? inf : @m_from_f8(b, 2, 15);\n"
     "}\n"},
    {{"_from_f8e5m2fnuz("},
     "@M_MAYBE static inline float @m_from_f8e5m2fnuz(uint8_t b) {\n"
     "    return b == 128u ? NAN : @m_from_f8(b, 2, 16);\n"
     "}\n"},
    {{"_from_u4(", "_from_i4("},
     "@M_MAYBE static inline int32_t @m_from_u4(const uint8_t *x, int32_t i) {\n"
     "    return x[i / 2] >> i % 2 * 4 & 15;\n"
     "}\n"},
    {{"_from_i4("},
     "@M_MAYBE static inline int32_t @m_from_i4(const uint8_t *x, int32_t i) {\n"
     "    return (@m_from_u4(x, i) ^ 8) - 8;\n"
     "}\n"},
    {{"_put_u4("},
     "@M_MAYBE static inline void @m_put_u4(uint8_t *y, int32_t i, int32_t x) {\n"
     "    const int32_t at = i % 2 * 4;\n"
     "    y[i / 2] = (uint8_t)((y[i / 2] & ~(15 << at)) | (x & 15) << at);\n"
     "}\n"},
    {{"_from_u2(", "_from_i2("},
     "@M_MAYBE static inline int32_t @m_from_u2(const uint8_t *x, int32_t i) {\n"
     "    return x[i / 4] >> i % 4 * 2 & 3;\n"
     "}\n"},
    {{"_from_i2("},
     "@M_MAYBE static inline int32_t @m_from_i2(const uint8_t *x, int32_t i) {\n"
     "    return (@m_from_u2(x, i) ^ 2) - 2;\n"
     "}\n"},
    {{"_put_u2("},
     "@M_MAYBE static inline void @m_put_u2(uint8_t *y, int32_t i, int32_t x) {\n"
     "    const int32_t at = i % 4 * 2;\n"
     "    y[i / 4] = (uint8_t)((y[i / 4] & ~(3 << at)) | (x & 3) << at);\n"
     "}\n"},
};

const char *tn_kernels_prelude(tn_arena *arena, const char *kernels) {
    tn_sink out = tn_sink_make(arena);
    tn_put(&out, always);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        bool has = false;
        for (size_t k = 0; k < MARKERS && parts[i].mark[k] != NULL; k++) {
            has = has || strstr(kernels, parts[i].mark[k]) != NULL;
        }
        tn_put(&out, has ? parts[i].text : "");
    }
    return out.data;
}
