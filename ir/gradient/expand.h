/* Ops that are replaced by plain ones before a graph is differentiated, because their results do
 * not tell what a gradient needs. Rows name the expansion in column .grad: "=lstm". */
#ifndef TENURE_IR_GRADIENT_EXPAND_H
#define TENURE_IR_GRADIENT_EXPAND_H

#include "ir/gradient/gradient.h"

/* Makes the results of g->op anew, `made` of them, of which those nobody wants may be NULL. */
typedef void (*tn_expansion)(tn_grad *g, tn_value **made);
/* Expands the ops of the main graph that have an expansion; results keep their names. Returns how
 * many. What cannot be expanded is a located error. */
uint32_t tn_expand_ops(tn_emitter *e);

/* Recurrent layers, one step after another (expand_recurrent.c). */
void tn_expand_rnn(tn_grad *g, tn_value **made);
void tn_expand_gru(tn_grad *g, tn_value **made);
void tn_expand_lstm(tn_grad *g, tn_value **made);

#endif
