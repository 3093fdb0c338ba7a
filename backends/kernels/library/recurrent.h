/* What LSTM, GRU and RNN share. */
#ifndef RECURRENT_H
#define RECURRENT_H

#include "kernels.h"

/* The most units of a layer: kernels keep three times as many floats on the stack,
 * eleven times with weights of 8 bits. */
#ifndef RECURRENT_MOST
#define RECURRENT_MOST 1024
#endif

/* A function named by an attribute, with its parameters. */
typedef struct activation {
    float (*f)(float x, float alpha, float beta);
    float alpha, beta;
} activation;
/* By name, as ONNX and com.microsoft write them, with the parameters of their definitions: how many
 * it has, or -1. */
int activation_named(const char *name, activation *a);
float activate(const activation *a, float x);

enum { RECURRENT_GATES = 4 };

typedef struct recurrent {
    tenure_floats alpha, beta;
    tenure_texts names;
    const char *direction;
    float clip;       /* 0: none */
    int layout, flag; /* input_forget, linear_before_reset */
    const tenure_tensor *x, *w, *r, *b, *lens, *first_h, *first_c, *p, *y, *y_h, *y_c;
    /* Weights of 8 bits, [directions, inputs, gates * units]; NULL: w and r are floats. */
    const tenure_tensor *w_scale, *w_zero, *r_scale, *r_zero;
    float x_scale; /* with these, x as numbers of 8 bits */
    int32_t x_zero;
    size_t gates, functions; /* of a step */
    const char *defaults[3];
    size_t steps, batch, inputs, units, directions;
} recurrent;

/* One direction of one entry of the batch. */
typedef struct cell {
    const recurrent *n;
    size_t direction;
    activation f[3];
    const float *w, *r, *wb, *rb, *p; /* biases and peepholes may be NULL */
    const float *x;                   /* of the step */
    float h[RECURRENT_MOST], c[RECURRENT_MOST], next[RECURRENT_MOST];
} cell;

/* What a gate adds up for a unit from the inputs, and from what `h` was; with biases, not clipped.
 */
float cell_from_x(const cell *c, size_t gate, size_t unit);
float cell_from_h(const cell *c, const float *h, size_t gate, size_t unit);
float cell_clipped(const cell *c, float v);

/* Runs a layer; `step` computes `next` of all units from x, h and c. */
int recurrent_run(recurrent *n, void (*step)(cell *c));

/* The fields that all versions have. */
#define RECURRENT_INIT(n, a)                                                                       \
    memset(&(n), 0, sizeof(n));                                                                    \
    (n).alpha = (a)->activation_alpha, (n).beta = (a)->activation_beta,                            \
    (n).names = (a)->activations;                                                                  \
    (n).direction = (a)->direction, (n).clip = (a)->has_clip ? (a)->clip : 0;                      \
    (n).x = x, (n).w = w, (n).r = r, (n).b = b, (n).lens = lens, (n).first_h = first_h;            \
    (n).y = y, (n).y_h = y_h

#endif
