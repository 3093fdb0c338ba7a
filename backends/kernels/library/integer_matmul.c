/* Products of matrices of whole numbers, quantised again or scaled to floats. */
#include "quant.h"

typedef struct int_matrix {
    const tenure_tensor *a, *a_zero, *b, *b_zero;
    product p;
} int_matrix;

/* Zero points and scales are one for all, one for each row of `a`, or for each column of `b`. */
static size_t of_row(const tenure_tensor *t, const product *p, size_t i) {
    return i / p->n % (t == NULL || t->elements == 0 ? 1 : t->elements);
}
static size_t of_column(const tenure_tensor *t, const product *p, size_t i) {
    size_t column = i % p->n, entry = i / p->n / p->m;
    return (entry * p->n + column) % (t == NULL || t->elements == 0 ? 1 : t->elements);
}

static int32_t numbers_sum(const int_matrix *s, size_t i) {
    const product *p = &s->p;
    size_t entry = i / p->n / p->m, a = side_at(&p->a, entry) + i / p->n % p->m * p->a.row;
    size_t b = side_at(&p->b, entry) + i % p->n * p->b.column;
    int32_t za = quant_zero(s->a_zero, of_row(s->a_zero, p, i)),
            zb = quant_zero(s->b_zero, of_column(s->b_zero, p, i));
    int32_t sum = 0;
    for (size_t k = 0; k < p->k; k++) {
        sum += (quant_load(s->a, a) - za) * (quant_load(s->b, b) - zb);
        a += p->a.column;
        b += p->b.row;
    }
    return sum;
}

static int numbers_init(int_matrix *s, const tenure_tensor *y) {
    if (!quant_is(s->a) || !quant_is(s->b)) {
        return BAD_TYPE2(KNOWS_QUANTISED, s->a, s->b);
    }
    return product_init(&s->p, s->a, s->b, y);
}

int tenure_MatMulInteger_10(const tenure_tensor *a, const tenure_tensor *b,
                            const tenure_tensor *a_zero, const tenure_tensor *b_zero,
                            const tenure_tensor *y, const tenure_context *c) {
    (void)c;
    int_matrix s = {a, a_zero, b, b_zero, {0, 0, 0, 0, {0, {0}, {0}, 0, 0}, {0, {0}, {0}, 0, 0}}};
    int bad = numbers_init(&s, y);
    for (size_t i = 0; !bad && i < y->elements; i++) {
        OUT(y, int32_t)[i] = numbers_sum(&s, i);
    }
    return bad;
}

#define QLINEAR_MATMUL(version)                                                                    \
    int tenure_QLinearMatMul_##version(const tenure_tensor *a, const tenure_tensor *a_scale,       \
                                       const tenure_tensor *a_zero, const tenure_tensor *b,        \
                                       const tenure_tensor *b_scale, const tenure_tensor *b_zero,  \
                                       const tenure_tensor *y_scale, const tenure_tensor *y_zero,  \
                                       const tenure_tensor *y, const tenure_context *c) {          \
        (void)c;                                                                                   \
        return qlinear_matmul(a, a_scale, a_zero, b, b_scale, b_zero, y_scale, y_zero, y);         \
    }
static int qlinear_matmul(const tenure_tensor *a, const tenure_tensor *a_scale,
                          const tenure_tensor *a_zero, const tenure_tensor *b,
                          const tenure_tensor *b_scale, const tenure_tensor *b_zero,
                          const tenure_tensor *y_scale, const tenure_tensor *y_zero,
                          const tenure_tensor *y) {
    int_matrix s;
    s.a = a, s.a_zero = a_zero, s.b = b, s.b_zero = b_zero;
    int bad = a_scale->dtype == TENURE_DTYPE_F32 && quant_is(y)
                  ? numbers_init(&s, y)
                  : BAD_TYPE2("f32 for the scale, " KNOWS_QUANTISED, a_scale, y);
    for (size_t i = 0; !bad && i < y->elements; i++) {
        float scale = quant_scale(a_scale, of_row(a_scale, &s.p, i)) *
                      quant_scale(b_scale, of_column(b_scale, &s.p, i));
        size_t row = of_row(y_scale, &s.p, i);
        quant_store(y, i, (float)numbers_sum(&s, i) * (scale / quant_scale(y_scale, row)),
                    quant_zero(y_zero, row));
    }
    return bad;
}
QLINEAR_MATMUL(10)
QLINEAR_MATMUL(21)

int tenure_com_microsoft_MatMulIntegerToFloat_1(
    const tenure_tensor *a, const tenure_tensor *b, const tenure_tensor *a_scale,
    const tenure_tensor *b_scale, const tenure_tensor *a_zero, const tenure_tensor *b_zero,
    const tenure_tensor *bias, const tenure_tensor *y, const tenure_context *c) {
    (void)c;
    int_matrix s;
    s.a = a, s.a_zero = a_zero, s.b = b, s.b_zero = b_zero;
    int bad = y->dtype == TENURE_DTYPE_F32 ? numbers_init(&s, y) : BAD_TYPE(KNOWS_F32, y);
    for (size_t i = 0; !bad && i < y->elements; i++) {
        float scale = quant_scale(a_scale, of_row(a_scale, &s.p, i)) *
                      quant_scale(b_scale, of_column(b_scale, &s.p, i));
        float v = (float)numbers_sum(&s, i) * scale;
        OUT(y, float)[i] = bias == NULL ? v : v + IN(bias, float)[i % bias->elements];
    }
    return bad;
}

/* One element: `a` is quantised on the way. */
static float quantised_sum(const int_matrix *s, size_t i, quantum q, float b_scale) {
    const product *p = &s->p;
    size_t entry = i / p->n / p->m, a = side_at(&p->a, entry) + i / p->n % p->m * p->a.row;
    size_t b = side_at(&p->b, entry) + i % p->n * p->b.column;
    int32_t zero = quant_zero(s->b_zero, of_column(s->b_zero, p, i)), sum = 0;
    for (size_t k = 0; k < p->k; k++) {
        float v = nearbyintf(IN(s->a, float)[a] / q.scale) + (float)q.zero;
        int32_t n = !(v > 0) ? 0 : v < 255 ? (int32_t)v : 255;
        sum += (n - q.zero) * (quant_load(s->b, b) - zero);
        a += p->a.column;
        b += p->b.row;
    }
    return (float)sum * (q.scale * b_scale);
}

int tenure_com_microsoft_DynamicQuantizeMatMul_1(const tenure_tensor *a, const tenure_tensor *b,
                                                 const tenure_tensor *b_scale,
                                                 const tenure_tensor *b_zero,
                                                 const tenure_tensor *bias, const tenure_tensor *y,
                                                 const tenure_context *c) {
    (void)c;
    int_matrix s;
    s.a = a, s.a_zero = NULL, s.b = b, s.b_zero = b_zero;
    if (a->dtype != TENURE_DTYPE_F32 || !quant_is(b)) {
        return BAD_TYPE2("f32 by " KNOWS_QUANTISED, a, b);
    }
    if (product_init(&s.p, a, b, y) != 0) {
        return KERNEL_BAD_SHAPE;
    }
    quantum q = quantum_for(a);
    for (size_t i = 0; i < y->elements; i++) {
        float v = quantised_sum(&s, i, q, quant_scale(b_scale, of_column(b_scale, &s.p, i)));
        OUT(y, float)[i] = bias == NULL ? v : v + IN(bias, float)[i % bias->elements];
    }
    return 0;
}

int tenure_com_microsoft_QGemm_1(const tenure_com_microsoft_QGemm_1_attributes *at,
                                 const tenure_tensor *a, const tenure_tensor *a_scale,
                                 const tenure_tensor *a_zero, const tenure_tensor *b,
                                 const tenure_tensor *b_scale, const tenure_tensor *b_zero,
                                 const tenure_tensor *bias, const tenure_tensor *y_scale,
                                 const tenure_tensor *y_zero, const tenure_tensor *y,
                                 const tenure_context *c) {
    (void)c;
    int_matrix s;
    turned ta = {at->transA != 0, 0}, tb = {at->transB != 0, 0};
    walk w;
    s.a = a, s.a_zero = a_zero, s.b = b, s.b_zero = b_zero;
    if (!quant_is(a) || !quant_is(b) ||
        (y_scale == NULL ? y->dtype != TENURE_DTYPE_F32 : !quant_is(y))) {
        return BAD_TYPE3(KNOWS_QUANTISED ", f32 for a result that is not scaled", a, b, y);
    }
    if (product_turned(&s.p, a, ta, b, tb, y) != 0 ||
        (bias != NULL && walk_broadcast(bias, y, &w) != 0)) {
        return KERNEL_BAD_SHAPE;
    }
    for (size_t i = 0; i < y->elements; i++) {
        int32_t sum =
            numbers_sum(&s, i) + (bias == NULL ? 0 : IN(bias, int32_t)[walk_index(&w, i)]);
        float scale =
            at->alpha * quant_scale(a_scale, 0) * quant_scale(b_scale, of_column(b_scale, &s.p, i));
        if (y_scale == NULL) {
            OUT(y, float)[i] = (float)sum * scale;
        } else {
            quant_store(y, i, (float)sum * (scale / quant_scale(y_scale, 0)),
                        quant_zero(y_zero, 0));
        }
    }
    return 0;
}
