/* GRU and RNN. */
#include "recurrent.h"

/* Gates stand in the order update, reset, hidden. */
static float hidden(const cell *c, size_t u) {
    float reset = 0, from_h;
    if (c->n->flag) {
        reset =
            activate(&c->f[0], cell_clipped(c, cell_from_x(c, 1, u) + cell_from_h(c, c->h, 1, u)));
        from_h = reset * cell_from_h(c, c->h, 2, u);
    } else {
        from_h = cell_from_h(c, c->c, 2, u);
    }
    return activate(&c->f[1], cell_clipped(c, cell_from_x(c, 2, u) + from_h));
}

/* `c` holds the states that the reset gates let through. */
static void gru_step(cell *c) {
    for (size_t u = 0; u < c->n->units && !c->n->flag; u++) {
        float sum = cell_from_x(c, 1, u) + cell_from_h(c, c->h, 1, u);
        c->c[u] = activate(&c->f[0], cell_clipped(c, sum)) * c->h[u];
    }
    for (size_t u = 0; u < c->n->units; u++) {
        float sum = cell_from_x(c, 0, u) + cell_from_h(c, c->h, 0, u);
        float update = activate(&c->f[0], cell_clipped(c, sum));
        c->next[u] = (1 - update) * hidden(c, u) + update * c->h[u];
    }
}

static void rnn_step(cell *c) {
    for (size_t u = 0; u < c->n->units; u++) {
        c->next[u] =
            activate(&c->f[0], cell_clipped(c, cell_from_x(c, 0, u) + cell_from_h(c, c->h, 0, u)));
    }
}

#define GRU(version, at_layout, linear)                                                            \
    int tenure_GRU_##version(const tenure_GRU_##version##_attributes *a, const tenure_tensor *x,   \
                             const tenure_tensor *w, const tenure_tensor *r,                       \
                             const tenure_tensor *b, const tenure_tensor *lens,                    \
                             const tenure_tensor *first_h, const tenure_tensor *y,                 \
                             const tenure_tensor *y_h, const tenure_context *c) {                  \
        (void)c;                                                                                   \
        recurrent n;                                                                               \
        RECURRENT_INIT(n, a);                                                                      \
        n.gates = 3, n.functions = 2, n.flag = linear, n.layout = at_layout;                       \
        n.defaults[0] = "sigmoid", n.defaults[1] = "tanh";                                         \
        return recurrent_run(&n, gru_step);                                                        \
    }
GRU(1, 0, 0)
GRU(3, 0, a->linear_before_reset != 0)
GRU(7, 0, a->linear_before_reset != 0)
GRU(14, a->layout != 0, a->linear_before_reset != 0)
GRU(22, a->layout != 0, a->linear_before_reset != 0)

#define RNN(version, at_layout)                                                                    \
    int tenure_RNN_##version(const tenure_RNN_##version##_attributes *a, const tenure_tensor *x,   \
                             const tenure_tensor *w, const tenure_tensor *r,                       \
                             const tenure_tensor *b, const tenure_tensor *lens,                    \
                             const tenure_tensor *first_h, const tenure_tensor *y,                 \
                             const tenure_tensor *y_h, const tenure_context *c) {                  \
        (void)c;                                                                                   \
        recurrent n;                                                                               \
        RECURRENT_INIT(n, a);                                                                      \
        n.gates = 1, n.functions = 1, n.layout = at_layout;                                        \
        n.defaults[0] = "tanh";                                                                    \
        return recurrent_run(&n, rnn_step);                                                        \
    }
RNN(1, 0)
RNN(7, 0)
RNN(14, a->layout != 0)
RNN(22, a->layout != 0)
