/* Copies of what the body of an op holds, to stand elsewhere: bodies of functions that are inlined,
 * of loops that are unrolled, branches that run once more. */
#ifndef TENURE_IR_GRADIENT_COPY_BODY_H
#define TENURE_IR_GRADIENT_COPY_BODY_H

#include "ir/gradient/emit_ops.h"

typedef struct tn_copying {
    tn_emitter *e;
    const tn_op *owner; /* whose body it is */
    const char *stem;   /* names of copies begin so */
    tn_map of;          /* id of a value of the body -> id + 1 of what stands for it */
} tn_copying;

tn_copying tn_copying_of(tn_emitter *e, const tn_op *owner, const char *stem);
/* Whoever reads `v` in the body reads `made` in the copies. */
void tn_copy_let(tn_copying *c, const tn_value *v, tn_value *made);
/* What stands for `v`: itself where nothing does. */
tn_value *tn_copy_of(const tn_copying *c, tn_value *v);
/* Copies of the constants of `body`. */
void tn_copy_consts(tn_copying *c, const tn_graph *body);
/* Appends copies of the ops of `body` to the graph of the emitter, each typed by its operands. What
 * has been copied before is copied anew, but for Constant nodes. Errors are located and raised:
 * bodies nested too deeply, too many copies, an op whose function imports another version of it
 * than the model. */
void tn_copy_body(tn_copying *c, const tn_graph *body);
/* Erases the op if nobody reads its results, and it does nothing else. */
void tn_erase_unread(tn_op *op);
/* The same of all ops of `g`, from id `first` on, from the last to the first. */
void tn_sweep_unread(tn_graph *g, uint32_t first);

#endif
