/* What stands in front of kernels in OpenCL C: the helpers of kernels in C, but where that language
 * has something better. */
#include <string.h>

#include "backends/kernels/prelude.h"
#include "backends/kernels_cl/kernels_cl.h"

static const char always[] = "#define int8_t char\n"
                             "#define uint8_t uchar\n"
                             "#define int16_t short\n"
                             "#define uint16_t ushort\n"
                             "#define int32_t int\n"
                             "#define uint32_t uint\n"
                             "#define int64_t long\n"
                             "#define uint64_t ulong\n"
                             "#define INT32_MIN INT_MIN\n"
                             "#define INT32_MAX INT_MAX\n"
                             "#define UINT32_MAX UINT_MAX\n"
                             "#define INT64_MIN LONG_MIN\n"
                             "#define INT64_MAX LONG_MAX\n"
                             "#define UINT64_MAX ULONG_MAX\n"
                             "#define INT64_C(x) x##L\n"
                             "#define UINT64_C(x) x##UL\n"
                             "#define ldexpf ldexp\n"
                             "#define fabsf fabs\n"
                             "#define @M_MAYBE\n"
                             "typedef float @m_f32;\n"
                             "typedef char @m_i8;\n"
                             "typedef short @m_i16;\n"
                             "typedef int @m_i32;\n"
                             "typedef long @m_i64;\n"
                             "typedef uchar @m_u8;\n"
                             "typedef ushort @m_u16;\n"
                             "typedef uint @m_u32;\n"
                             "typedef ulong @m_u64;\n";

static const char doubles[] = "#ifdef cl_khr_fp64\n"
                              "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
                              "#endif\n"
                              "typedef double @m_f64;\n";

/* Functions of one float (n and v are empty), or of n: as those in C, which compilers make vectors
 * of, and of exp a call for each element. */
#define EXP(n, v)                                                                                  \
    "static inline float" n " @m" v "_expf(float" n " x) {\n"                                      \
    "    const float" n " low = select(x, (float" n ")(-104.0f), x < -104.0f);\n"                  \
    "    const float" n " in = select(low, (float" n ")(89.0f), low > 89.0f);\n"                   \
    "    const float" n " turn = in * 1.44269502f + 12582912.0f, n = turn - 12582912.0f;\n"        \
    "    const float" n " r = in - n * 0.693359375f - n * -2.12194440e-4f;\n"                      \
    "    const float" n " p = (((1.38131448e-3f * r + 8.36941879e-3f) * r + 4.16684560e-2f) *\n"   \
    "                          r + 0.166665152f) * r + 0.5f;\n"                                    \
    "    const int" n " i = as_int" n "(turn) - 0x4b400000, half_of = i >> 1;\n"                   \
    "    return (r * r * p + r + 1.0f) * as_float" n "((half_of + 127) << 23) *\n"                 \
    "           as_float" n "((i - half_of + 127) << 23);\n"                                       \
    "}\n"
#define FUNCTIONS(n, v)                                                                            \
    {{v "_expf(", v "_tanhf(", v "_erff("}, EXP(n, v)},                                            \
        {{v "_tanhf("},                                                                            \
         "static inline float" n " @m" v "_tanhf(float" n " x) {\n"                                \
         "    const float" n " u = x * x, away = fabs(x);\n"                                       \
         "    const float" n " p = (((-5.52863302e-3f * u + 2.04833150e-2f) * u -\n"               \
         "                           5.36929667e-2f) * u + 0.133308992f) * u - 0.333332628f;\n"    \
         "    const float" n " far = 1.0f - 2.0f / (@m" v "_expf(away + away) + 1.0f);\n"          \
         "    return select(select(far, -far, x < 0.0f), x + x * u * p, away < 0.625f);\n"         \
         "}\n"},                                                                                   \
        {{v "_erff("},                                                                             \
         "static inline float" n " @m" v "_erff(float" n " x) {\n"                                 \
         "    const float" n " u = x * x, away = fabs(x);\n"                                       \
         "    const float" n " in = select(away, (float" n ")(4.0f), away > 4.0f);\n"              \
         "    const float" n " q = (((((8.05460804e-5f * u - 8.06509983e-4f) * u +\n"              \
         "        5.19393617e-3f) * u - 2.68564411e-2f) * u + 0.112836406f) * u -\n"               \
         "        0.376126289f) * u + 1.12837923f;\n"                                              \
         "    const float" n " p = (((((-1.97181653e-4f * in + 3.05560697e-3f) * in -\n"           \
         "        2.22770851e-2f) * in + 0.104037352f) * in + 0.637059748f) * in +\n"              \
         "        1.12774956f) * in + 1.77495473e-4f;\n"                                           \
         "    const float" n " far = 1.0f - @m" v "_expf(-p);\n"                                   \
         "    return select(select(far, -far, x < 0.0f), x * q, away < 0.925f);\n"                 \
         "}\n"},                                                                                   \
        {{v "_maxf(", v "_minf("},                                                                 \
         "static inline float" n " @m" v "_maxf(float" n " a, float" n " b) {\n"                   \
         "    return select(b, a, (a > b) | (a != a));\n"                                          \
         "}\n"                                                                                     \
         "static inline float" n " @m" v "_minf(float" n " a, float" n " b) {\n"                   \
         "    return select(b, a, (a < b) | (a != a));\n"                                          \
         "}\n"},                                                                                   \
    {                                                                                              \
        {v "_clampf("}, "static inline float" n " @m" v "_clampf(float" n " x, float" n            \
                        " least, float" n " most) {\n"                                             \
                        "    const float" n " low = select(least, x, x > least);\n"                \
                        "    return select(most, low, low < most);\n"                              \
                        "}\n"                                                                      \
    }

/* Elements `step` apart from element i on; of those with a border the ones that are there, which
 * have 0 <= at + lane * by < end, `none` for the others. */
#define VECTORS(n)                                                                                 \
    {{"_every" #n "(", "_border" #n "("},                                                          \
     "static inline float" #n " @m_every" #n "(const __global float *x, int i, int step) {\n"      \
     "    float v[" #n "];\n"                                                                      \
     "    if (step == 1) {\n"                                                                      \
     "        return vload" #n "(0, x + i);\n"                                                     \
     "    }\n"                                                                                     \
     "    if (step == 2) {\n"                                                                      \
     "        return (float" #n ")(vload" #n "(0, x + i).even, vload" #n "(0, x + i + " #n         \
     " - 1).odd);\n"                                                                               \
     "    }\n"                                                                                     \
     "    for (int k = 0; k < " #n "; k++) {\n"                                                    \
     "        v[k] = x[i + k * step];\n"                                                           \
     "    }\n"                                                                                     \
     "    return vload" #n "(0, v);\n"                                                             \
     "}\n"},                                                                                       \
    {                                                                                              \
        {"_border" #n "("},                                                                        \
            "static inline float" #n " @m_border" #n                                               \
            "(const __global float *x, int i, int step, int at, "                                  \
            "int by, int end, float none) {\n"                                                     \
            "    float v[" #n "];\n"                                                               \
            "    if (at >= 0 && at + (" #n " - 1) * by < end) {\n"                                 \
            "        return @m_every" #n "(x, i, step);\n"                                         \
            "    }\n"                                                                              \
            "    for (int k = 0; k < " #n "; k++) {\n"                                             \
            "        v[k] = (uint)(at + k * by) < (uint)end ? x[i + k * step] : none;\n"           \
            "    }\n"                                                                              \
            "    return vload" #n "(0, v);\n"                                                      \
            "}\n"                                                                                  \
    }
static const tn_prelude_part vectors[] = {VECTORS(4),
                                          VECTORS(8),
                                          VECTORS(16),
                                          FUNCTIONS("4", "_v4"),
                                          FUNCTIONS("8", "_v8"),
                                          FUNCTIONS("16", "_v16")};
#undef VECTORS

/* By the first mark of the part in whose place they stand. */
static const tn_prelude_part others[] = {
    {{"_PARALLEL"}, ""},
    {{"_failed("}, ""},
    {{"_expf("}, EXP("", "")},
    {{"_powf(", "_pow("},
     "#define @m_powf(x, y) pow(x, y)\n"
     "#define @m_pow(x, y) pow(x, y)\n"},
    {{"_to_i64("}, "#define @m_to_i64(x) convert_long_sat(x)\n"},
    {{"_to_u64("}, "#define @m_to_u64(x) convert_ulong_sat(x)\n"},
    {{"_from_f16("},
     "static inline float @m_from_f16(ushort h) {\n"
     "    return vload_half(0, (const half *)&h);\n"
     "}\n"},
    {{"_to_f16("},
     "static inline ushort @m_to_f16(float x) {\n"
     "    ushort h;\n"
     "    vstore_half_rte(x, 0, (half *)&h);\n"
     "    return h;\n"
     "}\n"},
    {{"_from_bf16("},
     "static inline float @m_from_bf16(ushort h) {\n"
     "    return as_float((uint)h << 16);\n"
     "}\n"},
    {{"_to_bf16("},
     "static inline ushort @m_to_bf16(float x) {\n"
     "    const uint bits = as_uint(x);\n"
     "    return x != x ? bits >> 16 | 0x40u : (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;\n"
     "}\n"},
    {{"_from_u4("}, "#define @m_from_u4(x, i) ((x)[(i) / 2] >> (i) % 2 * 4 & 15)\n"},
    {{"_from_i4("}, "#define @m_from_i4(x, i) ((@m_from_u4(x, i) ^ 8) - 8)\n"},
    {{"_put_u4("},
     "static inline void @m_put_u4(__global uchar *y, int i, int x) {\n"
     "    const int at = i % 2 * 4;\n"
     "    y[i / 2] = (uchar)((y[i / 2] & ~(15 << at)) | (x & 15) << at);\n"
     "}\n"},
    {{"_from_u2("}, "#define @m_from_u2(x, i) ((x)[(i) / 4] >> (i) % 4 * 2 & 3)\n"},
    {{"_from_i2("}, "#define @m_from_i2(x, i) ((@m_from_u2(x, i) ^ 2) - 2)\n"},
    {{"_put_u2("},
     "static inline void @m_put_u2(__global uchar *y, int i, int x) {\n"
     "    const int at = i % 4 * 2;\n"
     "    y[i / 4] = (uchar)((y[i / 4] & ~(3 << at)) | (x & 3) << at);\n"
     "}\n"},
};

const char *tn_cl_prelude(tn_arena *arena, const char *kernels) {
    tn_sink out = tn_sink_make(arena);
    tn_put(&out, always);
    tn_put(&out,
           strstr(kernels, "double") != NULL || strstr(kernels, "_f64") != NULL ? doubles : "");
    tn_prelude_put(&out, kernels, others, sizeof others / sizeof others[0]);
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        bool has = false;
        for (size_t k = 0; k < TN_PRELUDE_MARKS && vectors[i].mark[k] != NULL; k++) {
            has = has || strstr(kernels, vectors[i].mark[k]) != NULL;
        }
        tn_put(&out, has ? vectors[i].text : "");
    }
    return out.data;
}
