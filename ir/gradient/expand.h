/* Ops that are replaced by plain ones before a graph is differentiated: calls of functions, and
 * those whose results do not tell what a gradient needs. Rows name the expansion in column .grad:
 * "=lstm". */
#ifndef TENURE_IR_GRADIENT_EXPAND_H
#define TENURE_IR_GRADIENT_EXPAND_H

#include "ir/gradient/gradient.h"

/* Makes the results of g->op anew, `made` of them, of which those nobody wants may be NULL. */
typedef void (*tn_expansion)(tn_grad *g, tn_value **made);
/* Whether the op has an expansion; an If has one where its condition is known. */
bool tn_expands(tn_emitter *e, const tn_op *op);
/* Replaces the op, which has one; the results keep their names. What cannot be expanded is a
 * located error. Returns the results made, in scratch. */
tn_value *const *tn_expand(tn_emitter *e, tn_op *op);
/* The same by an expansion that the row does not name. */
tn_value *const *tn_expand_by(tn_emitter *e, tn_op *op, tn_expansion expansion);
/* Replaces calls of model-local functions in `g` by the ops of their bodies, and those in what
 * comes out of it, but for functions that have a gradient of their own. Returns how many. */
uint32_t tn_expand_calls(tn_emitter *e, tn_graph *g);

/* Recurrent layers, one step after another (expand_recurrent.c). */
void tn_expand_rnn(tn_grad *g, tn_value **made);
void tn_expand_gru(tn_grad *g, tn_value **made);
void tn_expand_lstm(tn_grad *g, tn_value **made);
/* Bodies (expand_bodies.c): of a call; of the branch that is taken; of each round of a loop. */
void tn_expand_call(tn_grad *g, tn_value **made);
void tn_expand_if(tn_grad *g, tn_value **made);
void tn_expand_loop(tn_grad *g, tn_value **made);
/* expand_scan.c */
void tn_expand_scan(tn_grad *g, tn_value **made);
/* expand_attention.c, expand_rotary.c, expand_fused.c: ops of transformers, and fused ones. */
void tn_expand_attention(tn_grad *g, tn_value **made);
void tn_expand_ms_attention(tn_grad *g, tn_value **made);
void tn_expand_multi_head_attention(tn_grad *g, tn_value **made);
void tn_expand_rotary(tn_grad *g, tn_value **made);
void tn_expand_ms_rotary(tn_grad *g, tn_value **made);
void tn_expand_fused_gemm(tn_grad *g, tn_value **made);
void tn_expand_fused_conv(tn_grad *g, tn_value **made);
void tn_expand_embed_norm(tn_grad *g, tn_value **made);

#endif
