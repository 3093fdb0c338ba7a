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
} tn_optimizer_kind;

typedef struct tn_optimizer {
    tn_optimizer_kind kind;
    double rate, momentum, beta2, epsilon;
    bool rate_is_input; /* the scalar "learning_rate"; `rate` is not read */
    int64_t accumulate; /* gradients of so many runs are averaged for one update; 1: each run */
    tn_value *rate_value, *full; /* made when first needed */
    tn_value *power1, *power2;   /* beta1^t and beta2^t of this run */
    uint64_t n_states;
} tn_optimizer;

/* Appends the update of `w`, an initializer, by its gradient. Without an optimizer, and with
 * accumulate other than 1, the running sum of the gradient, which is returned; NULL otherwise. */
tn_value *tn_optimizer_update(tn_optimizer *o, tn_emitter *e, tn_value *w, tn_value *grad);

#endif
