/* Updates of parameters by their gradients, in plain ops, with state that the module binds: after a
 * run the parameter (the moment, the count) is what the result NAME_new was. */
#ifndef TENURE_IR_GRADIENT_OPTIMIZER_H
#define TENURE_IR_GRADIENT_OPTIMIZER_H

#include "ir/gradient/emit_ops.h"

typedef enum tn_optimizer_kind {
    TN_OPTIMIZER_NONE,     /* gradients are outputs */
    TN_OPTIMIZER_SGD,      /* w - rate g */
    TN_OPTIMIZER_MOMENTUM, /* v = momentum v + g; w - rate v */
    TN_OPTIMIZER_ADAM,     /* Kingma and Ba (2015), with both corrections; beta1 is `momentum` */
    TN_OPTIMIZER_ADAMW, /* the same with decay apart from the moments: Loshchilov and Hutter (2019)
                         */
} tn_optimizer_kind;

typedef struct tn_optimizer {
    tn_optimizer_kind kind;
    double rate, momentum, beta2, epsilon;
    bool rate_is_input; /* the scalar "learning_rate"; `rate` is not read */
    int64_t accumulate; /* gradients of so many runs are averaged for one update; 1: each run */
    double decay;       /* of weights: added to gradients, so many times the weight; adamw takes
                           rate * decay of the weight away instead */
    double clip;        /* gradients whose norm over all parameters is larger are scaled down to it;
                           0: none are. Updates wait for all gradients then */
    double scale;       /* of the loss, which gradients are divided by */
    bool masters;       /* parameters of 16 bits are rounded from state NAME_master of 32 */
    tn_value *rate_value, *full; /* made when first needed */
    tn_value *power1, *power2;   /* beta1^t and beta2^t of this run */
    tn_value *squares;           /* of all gradients so far, summed */
    TN_VEC(tn_value *) waiting;  /* for the norm: a parameter, its gradient, ... */
    uint64_t n_states;
    uint64_t sums; /* bytes of gradients summed over runs */
} tn_optimizer;

/* Appends the update of `w`, an initializer, by its gradient, or puts it off where gradients are
 * clipped. Without an optimizer, and with accumulate other than 1, the running sum of the gradient,
 * which is returned; NULL otherwise. */
tn_value *tn_optimizer_update(tn_optimizer *o, tn_emitter *e, tn_value *w, tn_value *grad);
/* Appends what was put off. Behind the last gradient. */
void tn_optimizer_finish(tn_optimizer *o, tn_emitter *e);

#endif
