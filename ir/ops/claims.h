/* The op table asked about one op of a module: names of operands become positions and ranges of
 * versions are looked at. A claim that the row limits to other versions does not count. */
#ifndef TENURE_IR_OPS_CLAIMS_H
#define TENURE_IR_OPS_CLAIMS_H

#include "ir/module.h"
#include "ir/ops/ops.h"

/* Result `result` may take the bytes of one of the operands of a bit in `operands` (operands behind
 * the 32nd never) under the condition. */
typedef struct tn_inplace {
    uint32_t result, operands;
    tn_inplace_if cond; /* TN_IF_NEVER: not in this version */
} tn_inplace;
/* Claim i of the row; false behind the last one. */
bool tn_inplace_get(const tn_op_info *info, int64_t version, uint32_t i, tn_inplace *out);
bool tn_op_inplace(const tn_op *op, uint32_t i, tn_inplace *out);
/* Whether the op writes over operand k by definition (TN_IF_MUST); *result (may be NULL) is the
 * position of the result that the operand becomes. */
bool tn_op_overwrites(const tn_op *op, uint32_t k, uint32_t *result);
/* Whether the op writes over operand k by definition and leaves out the result that would stand for
 * the new content (accumulators of gradients): no value of the graph shows that the bytes change.
 */
bool tn_op_writes_operand(const tn_op *op, uint32_t k);

/* Results, by bits, that the op has and that carry an operand on: updates, but for the first result
 * (running statistics, caches of keys and values). */
uint32_t tn_op_carried(const tn_op *op);
bool tn_is_carried(const tn_value *v);
/* Whether these may be left out and the other results stay what they are (.updates_apart). */
bool tn_op_updates_apart(const tn_op *op);

/* What the row says of views, with the position of the operand. */
typedef struct tn_view_claim {
    tn_view_kind kind; /* TN_VIEW_NONE in other versions than the row names */
    bool holds;        /* the row's further condition, .view_if */
    uint32_t operand;
    uint32_t n; /* views there may be: PARTS one a result, GATHERED one for each operand gathered */
} tn_view_claim;
tn_view_claim tn_op_view(const tn_op *op);

/* Whether the table itself has the op: rows of kernels' facts and of plug-ins may leave out that an
 * op is random or does more than make its results. */
bool tn_op_in_table(const tn_op *op);
/* Whether the op reads the data, not only the shape, of operand k. */
bool tn_reads_data(const tn_op *op, uint32_t k);
/* The same of a repetition of the op, which leaves out what carries an operand on (tn_op_repeat).
 */
bool tn_repeat_reads_data(const tn_op *op, uint32_t k);
/* The value of operand k, if the op reads no more of it than a shape that only the run gives, when
 * the op that makes the value is done; NULL where the shape is known before the run, or comes with
 * the begin of an op around. */
const tn_value *tn_shape_of_run(const tn_op *op, uint32_t k);
/* Bit k: only the shape of operand k is read. */
uint32_t tn_shape_only(const tn_op_info *info, int64_t version);

/* The states of a loop, which pass from one iteration to the next: state k is operand `operand` + k
 * of the op, argument `operand` + k and output `output` + k of its body, and result k of the op. */
typedef struct tn_states {
    uint32_t n, operand, output;
} tn_states;
/* n is 0 for an op without states, or whose row names no rule for them. n follows from the operands
 * alone: the body of a malformed model may have fewer arguments or outputs. */
tn_states tn_op_states(const tn_op *op);
/* Whether the bodies of `op` may run more than once: not those of a called function, and not where
 * one of several bodies is chosen (they take no arguments). */
bool tn_is_loop(const tn_op *op);
/* Iterations that are counted of one loop, or of loops in loops: no figure needs more. */
enum { TN_MOST_TRIPS = 1000000 };
/* How often the body of a loop runs, where the model says so: the limit of a Loop that is a known
 * number, the extent that a Scan goes along. False where it does not, or where the op is no loop.
 * The condition of a Loop may end it earlier. */
bool tn_op_trips(const tn_op *op, uint64_t *trips);
/* Whether the value is data of the model: an initializer or the result of a constant op. */
bool tn_is_const(const tn_value *v);

#endif
