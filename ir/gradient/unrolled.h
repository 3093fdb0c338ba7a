/* A loop whose rounds are written one behind the other: its states so far, and the rows that its
 * rounds add to results. */
#ifndef TENURE_IR_GRADIENT_UNROLLED_H
#define TENURE_IR_GRADIENT_UNROLLED_H

#include "ir/gradient/copy_body.h"
#include "ir/gradient/gradient.h"

typedef TN_VEC(tn_value *) tn_rows;

typedef struct tn_unrolled {
    tn_grad *g;
    const tn_graph *body;
    tn_copying copies; /* for the round at hand: the caller says what arguments of the body are */
    uint32_t n_states;
    tn_value **states; /* before the round at hand: of the body's states */
    tn_rows *rows;     /* by result of the op behind the states */
} tn_unrolled;

/* States are to be set by the caller. */
tn_unrolled tn_unroll_start(tn_grad *g, uint32_t n_states);
/* Begins round i; a located error where there are too many. */
void tn_unroll_round(tn_unrolled *u, int64_t i);
/* Copies the body, whose outputs from `first` on are the states behind the round, and then rows. */
void tn_unroll_body(tn_unrolled *u, uint32_t first);
/* The results of the op. Those behind the states have a row for each round, along an axis, in the
 * order of the rounds or in reverse; NULL: along axis 0, in order. */
void tn_unroll_end(const tn_unrolled *u, const int64_t *axes, const bool *reversed,
                   tn_value **made);

#endif
