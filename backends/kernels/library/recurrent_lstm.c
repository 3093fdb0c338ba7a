/* LSTM, also with weights of 8 bits. */
#include "quant.h"
#include "recurrent.h"

static float peephole(const cell *c, size_t which, size_t unit, float state) {
    return c->p == NULL ? 0 : c->p[which * c->n->units + unit] * state;
}

/* Gates stand in the order input, output, forget, cell; peepholes input, output, forget. */
static void lstm_unit(cell *c, size_t u, const float sums[RECURRENT_GATES]) {
    float before = c->c[u];
    float in = activate(&c->f[0], cell_clipped(c, sums[0] + peephole(c, 0, u, before)));
    float forget = activate(&c->f[0], cell_clipped(c, sums[2] + peephole(c, 2, u, before)));
    float content = activate(&c->f[1], cell_clipped(c, sums[3]));
    float state = (c->n->flag ? 1 - in : forget) * before + in * content;
    float out = activate(&c->f[0], cell_clipped(c, sums[1] + peephole(c, 1, u, state)));
    c->c[u] = state;
    c->next[u] = out * activate(&c->f[2], state);
}

static void lstm_step(cell *c) {
    float sums[RECURRENT_GATES];
    for (size_t u = 0; u < c->n->units; u++) {
        for (size_t g = 0; g < RECURRENT_GATES; g++) {
            sums[g] = cell_from_x(c, g, u) + cell_from_h(c, c->h, g, u);
        }
        lstm_unit(c, u, sums);
    }
}

#define LSTM(version, at_layout)                                                                   \
    int tenure_LSTM_##version(                                                                     \
        const tenure_LSTM_##version##_attributes *a, const tenure_tensor *x,                       \
        const tenure_tensor *w, const tenure_tensor *r, const tenure_tensor *b,                    \
        const tenure_tensor *lens, const tenure_tensor *first_h, const tenure_tensor *first_c,     \
        const tenure_tensor *p, const tenure_tensor *y, const tenure_tensor *y_h,                  \
        const tenure_tensor *y_c, const tenure_context *c) {                                       \
        (void)c;                                                                                   \
        recurrent n;                                                                               \
        RECURRENT_INIT(n, a);                                                                      \
        n.first_c = first_c, n.p = p, n.y_c = y_c;                                                 \
        n.gates = 4, n.functions = 3, n.flag = a->input_forget != 0, n.layout = at_layout;         \
        n.defaults[0] = "sigmoid", n.defaults[1] = n.defaults[2] = "tanh";                         \
        return recurrent_run(&n, lstm_step);                                                       \
    }
LSTM(1, 0)
LSTM(7, 0)
LSTM(14, a->layout != 0)
LSTM(22, a->layout != 0)

/* ---- weights of 8 bits ---- */

/* sums += x * w, of whole numbers: elements of x rounded as those of u8 by `q`, weights of the
 * direction without their zero points. */
static void quantised_sums(const cell *c, const float *x, size_t n, quantum q,
                           const tenure_tensor *w, const tenure_tensor *scale,
                           const tenure_tensor *zero, float *sums) {
    size_t columns = RECURRENT_GATES * c->n->units, first = c->direction * n * columns,
           each = scale->elements / c->n->directions, all = 0;
    int32_t whole[RECURRENT_GATES * RECURRENT_MOST] = {0}, of_x = 0;
    for (size_t i = 0; i < n; i++) {
        float v = nearbyintf(x[i] / q.scale) + (float)q.zero;
        int32_t number = (!(v > 0) ? 0 : v < 255 ? (int32_t)v : 255) - q.zero;
        const unsigned char *row = IN(w, unsigned char) + first + i * columns;
        of_x += number;
        for (size_t k = 0; k < columns && w->dtype == TENURE_DTYPE_I8; k++) {
            whole[k] += number * (int8_t)row[k];
        }
        for (size_t k = 0; k < columns && w->dtype != TENURE_DTYPE_I8; k++) {
            whole[k] += number * row[k];
        }
    }
    for (size_t k = 0; k < columns; k++) {
        all = c->direction * each + (each > 1 ? k : 0);
        sums[k] +=
            (float)(whole[k] - quant_zero(zero, all) * of_x) * (q.scale * quant_scale(scale, all));
    }
}

static void quantised_lstm_step(cell *c) {
    const recurrent *n = c->n;
    float all[RECURRENT_GATES * RECURRENT_MOST], sums[RECURRENT_GATES];
    for (size_t k = 0; k < RECURRENT_GATES * n->units; k++) {
        all[k] = c->wb == NULL ? 0 : c->wb[k] + c->rb[k];
    }
    quantum x = {n->x_scale, n->x_zero};
    tenure_tensor h = *n->x;
    h.data = (void *)c->h, h.elements = n->units;
    quantised_sums(c, c->x, n->inputs, x, n->w, n->w_scale, n->w_zero, all);
    quantised_sums(c, c->h, n->units, quantum_for(&h), n->r, n->r_scale, n->r_zero, all);
    for (size_t u = 0; u < n->units; u++) {
        for (size_t g = 0; g < RECURRENT_GATES; g++) {
            sums[g] = all[g * n->units + u];
        }
        lstm_unit(c, u, sums);
    }
}

int tenure_com_microsoft_DynamicQuantizeLSTM_1(
    const tenure_com_microsoft_DynamicQuantizeLSTM_1_attributes *a, const tenure_tensor *x,
    const tenure_tensor *w, const tenure_tensor *r, const tenure_tensor *b,
    const tenure_tensor *lens, const tenure_tensor *first_h, const tenure_tensor *first_c,
    const tenure_tensor *p, const tenure_tensor *w_scale, const tenure_tensor *w_zero,
    const tenure_tensor *r_scale, const tenure_tensor *r_zero, const tenure_tensor *y,
    const tenure_tensor *y_h, const tenure_tensor *y_c, const tenure_context *c) {
    (void)c;
    recurrent n;
    RECURRENT_INIT(n, a);
    n.first_c = first_c, n.p = p, n.y_c = y_c;
    n.gates = 4, n.functions = 3, n.flag = a->input_forget != 0;
    n.defaults[0] = "sigmoid", n.defaults[1] = n.defaults[2] = "tanh";
    n.w_scale = w_scale, n.w_zero = w_zero, n.r_scale = r_scale, n.r_zero = r_zero;
    if (x->dtype == TENURE_DTYPE_F32) {
        quantum q = quantum_for(x);
        n.x_scale = q.scale, n.x_zero = q.zero;
    }
    return recurrent_run(&n, quantised_lstm_step);
}
