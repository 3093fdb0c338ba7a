/* What stands in front of kernels. */
#include <string.h>

#include "backends/kernels/prelude.h"

static const char always[] =
    "\n/* ---- kernels, each for the extents of the steps that call it ---- */\n\n"
    "/* @M_LANES: floats of a vector. Without vectors of the compiler, or with -D@M_LANES=1, there "
    "are none. */\n"
    "#ifdef __GNUC__\n"
    "#define @M_ALIAS __attribute__((may_alias))\n"
    "#define @M_MAYBE __attribute__((unused))\n"
    "#define @M_ALIGNED __attribute__((aligned(64))) /* gcc 12 stored whole vectors elsewhere */\n"
    "#else\n"
    "#define @M_ALIAS\n"
    "#define @M_MAYBE\n"
    "#define @M_ALIGNED\n"
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
    "typedef int32_t @m_m16 __attribute__((vector_size(64), aligned(4), may_alias));\n"
    "#define @M_L16 16\n"
    "#endif\n"
    "#if @M_LANES >= 8\n"
    "typedef float @m_v8 __attribute__((vector_size(32), aligned(4), may_alias));\n"
    "typedef int32_t @m_m8 __attribute__((vector_size(32), aligned(4), may_alias));\n"
    "#define @M_L8 8\n"
    "#endif\n"
    "#if @M_LANES >= 4\n"
    "typedef float @m_v4 __attribute__((vector_size(16), aligned(4), may_alias));\n"
    "typedef int32_t @m_m4 __attribute__((vector_size(16), aligned(4), may_alias));\n"
    "#define @M_L4 4\n"
    "#else\n"
    "typedef float @M_ALIAS @m_v4;\n"
    "typedef int32_t @M_ALIAS @m_m4;\n"
    "#define @M_L4 1\n"
    "#endif\n"
    "#if @M_LANES < 8\n"
    "typedef @m_v4 @m_v8;\n"
    "typedef @m_m4 @m_m8;\n"
    "#define @M_L8 @M_L4\n"
    "#endif\n"
    "#if @M_LANES < 16\n"
    "typedef @m_v8 @m_v16;\n"
    "typedef @m_m8 @m_m16;\n"
    "#define @M_L16 @M_L8\n"
    "#endif\n"
    "#if @M_LANES > 1 /* compilers make fewer vectors of kernels within other functions */\n"
    "#define @M_KERNEL __attribute__((unused, noinline))\n"
    "#else\n"
    "#define @M_KERNEL @M_MAYBE\n"
    "#endif\n\n";

static const tn_prelude_part parts[] = {
    {{"_clampf("},
     "@M_MAYBE static inline float @m_clampf(float x, float least, float most) {\n"
     "    const float low = x > least ? x : least;\n"
     "    return low < most ? low : most;\n"
     "}\n"},
    {{"_maxf(", "_minf(", "_MAXV(", "_MINV("},
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
    {{"_powf("},
     "/* Compilers take the test out of loops where the power is the same for all. */\n"
     "@M_MAYBE static inline float @m_powf(float x, float y) {\n"
     "    return y == 2.0f ? x * x : y == 3.0f ? x * x * x : powf(x, y);\n"
     "}\n"},
    {{"_pow("},
     "@M_MAYBE static inline double @m_pow(double x, double y) {\n"
     "    return y == 2.0 ? x * x : y == 3.0 ? x * x * x : pow(x, y);\n"
     "}\n"},
    {{"_PARALLEL"},
     "#ifdef _OPENMP\n"
     "#define @M_PARALLEL _Pragma(\"omp parallel for\")\n"
     "#define @M_PARALLEL_SIMD _Pragma(\"omp parallel for simd\")\n"
     "#else /* not compiled with -fopenmp */\n"
     "#define @M_PARALLEL\n"
     "#define @M_PARALLEL_SIMD @M_IVDEP\n"
     "#endif\n"},
    {{"_expf(", "_tanhf(", "_erff("},
     "/* Functions that loops make vectors of; at most 1.1 units in the last place away, tanh 1.4, "
     "erf 2.5. */\n"
     "@M_MAYBE static inline float @m_expf(float x) {\n"
     "#if defined(__FAST_MATH__) || (defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0)\n"
     "    return expf(x);\n"
     "#else\n"
     "    /* exp(x) is 2^i exp(r); adding 1.5 * 2^23 rounds to whole numbers. */\n"
     "    const float low = x < -104.0f ? -104.0f : x, in = low > 89.0f ? 89.0f : low;\n"
     "    const float turn = in * 1.44269502f + 12582912.0f, n = turn - 12582912.0f;\n"
     "    const float r = in - n * 0.693359375f - n * -2.12194440e-4f;\n"
     "    const float p = (((1.38131448e-3f * r + 8.36941879e-3f) * r + 4.16684560e-2f) * r +\n"
     "                     0.166665152f) * r + 0.5f;\n"
     "    int32_t i;\n"
     "    memcpy(&i, &turn, sizeof i);\n"
     "    i -= 0x4b400000;\n"
     "    const int32_t half = i >> 1;\n"
     "    const uint32_t first = (uint32_t)(half + 127) << 23, second = (uint32_t)(i - half + 127) "
     "<< 23;\n"
     "    float a, b;\n"
     "    memcpy(&a, &first, sizeof a);\n"
     "    memcpy(&b, &second, sizeof b);\n"
     "    return (r * r * p + r + 1.0f) * a * b;\n"
     "#endif\n"
     "}\n"},
    {{"_tanhf("},
     "@M_MAYBE static inline float @m_tanhf(float x) {\n"
     "    const float u = x * x, away = fabsf(x);\n"
     "    const float p = (((-5.52863302e-3f * u + 2.04833150e-2f) * u - 5.36929667e-2f) * u +\n"
     "                     0.133308992f) * u - 0.333332628f;\n"
     "    const float near = x + x * u * p, far = 1.0f - 2.0f / (@m_expf(away + away) + 1.0f);\n"
     "    return away < 0.625f ? near : x < 0.0f ? -far : far;\n"
     "}\n"},
    {{"_erff("},
     "@M_MAYBE static inline float @m_erff(float x) {\n"
     "    const float u = x * x, away = fabsf(x), in = away > 4.0f ? 4.0f : away;\n"
     "    const float q = (((((8.05460804e-5f * u - 8.06509983e-4f) * u + 5.19393617e-3f) * u -\n"
     "                       2.68564411e-2f) * u + 0.112836406f) * u - 0.376126289f) * u + "
     "1.12837923f;\n"
     "    const float p = (((((-1.97181653e-4f * in + 3.05560697e-3f) * in - 2.22770851e-2f) * in "
     "+\n"
     "                       0.104037352f) * in + 0.637059748f) * in + 1.12774956f) * in + "
     "1.77495473e-4f;\n"
     "    const float near = x * q, far = 1.0f - @m_expf(-p);\n"
     "    return away < 0.925f ? near : x < 0.0f ? -far : away == away ? far : x;\n"
     "}\n"},
    {{"_exp("},
     "@M_MAYBE static inline double @m_exp(double x) {\n"
     "    return exp(x);\n"
     "}\n"},
    {{"_tanh("},
     "@M_MAYBE static inline double @m_tanh(double x) {\n"
     "    return tanh(x);\n"
     "}\n"},
    {{"_erf("},
     "@M_MAYBE static inline double @m_erf(double x) {\n"
     "    return erf(x);\n"
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
    {{"_failed("},
     "#ifdef @M_SAY_WHY\n"
     "static int @m_no_index; /* whether one was, since somebody asked */\n"
     "#endif\n"
     "/* Of an element that is no index, or no class: KERNEL_ERROR_VALUE. */\n"
     "@M_MAYBE static inline int @m_failed(int32_t bad) {\n"
     "#ifdef @M_SAY_WHY\n"
     "    @m_no_index |= bad != 0;\n"
     "#endif\n"
     "    return bad != 0 ? 3 : 0;\n"
     "}\n"},
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

static void put_parts(tn_sink *out, const char *kernels, const tn_prelude_part *part, size_t n) {
    for (size_t i = 0; i < n; i++) {
        bool has = false;
        for (size_t k = 0; k < TN_PRELUDE_MARKS && part[i].mark[k] != NULL; k++) {
            has = has || strstr(kernels, part[i].mark[k]) != NULL;
        }
        tn_put(out, has ? part[i].text : "");
    }
}

void tn_prelude_put(tn_sink *out, const char *kernels, const tn_prelude_part *other, size_t n) {
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        tn_prelude_part part = parts[i];
        for (size_t k = 0; k < n; k++) {
            part.text = strcmp(other[k].mark[0], part.mark[0]) == 0 ? other[k].text : part.text;
        }
        put_parts(out, kernels, &part, 1);
    }
}

const char *tn_kernels_prelude(tn_arena *arena, const char *kernels) {
    size_t n_lanes;
    tn_sink out = tn_sink_make(arena);
    tn_put(&out, always);
    tn_prelude_put(&out, kernels, NULL, 0);
    const tn_prelude_part *lanes = tn_prelude_lanes(&n_lanes);
    put_parts(&out, kernels, lanes, n_lanes);
    return out.data;
}
