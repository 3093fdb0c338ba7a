/* LSTM. */
#include "recurrent.h"

static float peephole(const cell *c, size_t which, size_t unit, float state) {
    return c->p == NULL ? 0 : c->p[which * c->n->units + unit] * state;
}

/* Gates stand in the order input, output, forget, cell; peepholes input, output, forget. */
static void lstm_step(cell *c) {
    float sums[RECURRENT_GATES];
    for (size_t u = 0; u < c->n->units; u++) {
        for (size_t g = 0; g < RECURRENT_GATES; g++) {
            sums[g] = cell_from_x(c, g, u) + cell_from_h(c, c->h, g, u);
        }
        float before = c->c[u];
        float in = activate(&c->f[0], cell_clipped(c, sums[0] + peephole(c, 0, u, before)));
        float forget = activate(&c->f[0], cell_clipped(c, sums[2] + peephole(c, 2, u, before)));
        float content = activate(&c->f[1], cell_clipped(c, sums[3]));
        float state = (c->n->flag ? 1 - in : forget) * before + in * content;
        float out = activate(&c->f[0], cell_clipped(c, sums[1] + peephole(c, 1, u, state)));
        c->c[u] = state;
        c->next[u] = out * activate(&c->f[2], state);
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
