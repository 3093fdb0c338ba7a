/* Shared by the parts of the checker, and by nobody else. Each part proves one thing and is called
 * once, in the order of ir/check/check.c; a part may rely on what the parts before it have proved.
 */
#ifndef TENURE_IR_CHECK_CHECK_T_H
#define TENURE_IR_CHECK_CHECK_T_H

#include "ir/base/arena.h"
#include "ir/base/map.h"
#include "ir/check/check.h"
#include "ir/ops/claims.h"

/* What the checker itself derived about a plan value. */
typedef struct tn_fact {
    const tn_value *v;
    int32_t write; /* step that writes it, -1: there before the first */
    int32_t read;  /* last step that reads its bytes; >= write */
    int32_t used;  /* last step in which an op reads them; `read` is later for an argument that the
                      next iteration of a loop reads again */
    int32_t need;  /* read, or n_steps when it has to survive the run */
    bool state;    /* outlives a run: flagged so, or bound by training info */
    bool output;   /* of the main graph; TN_VF_OUTPUT may also be that of a graph inside */
    bool planable; /* its size is a number, `bytes` */
    bool placed;   /* in a storage, in bounds: its address can be trusted */
    uint64_t bytes;
    uint32_t content;        /* parent in the forest of values that have bytes in common by views */
    uint32_t root;           /* the value whose bytes it shows, all of its own, as a view of a view;
                                itself where it is none, or gathers several */
    uint32_t reads, n_reads; /* steps that read its bytes: part of tn_checking.read_steps */
} tn_fact;

typedef struct tn_checking {
    const tn_plan *p;
    const tn_module *m;
    tn_ctx *ctx;
    tn_arena *arena;
    tn_loc loc;
    uint32_t n_reports;
    bool other_model, differs; /* the digest is of another; a difference has been shown */
    tn_sink text;              /* of one type */
    const tn_type *read_type;  /* the last one that was printed, and the text of it in the plan */
    const char *read_text;
    tn_fact *facts;        /* by plan value */
    uint32_t *plan_value;  /* by module value: plan value or TN_NO_ID */
    const tn_op **step_op; /* by step */
    uint32_t *begin, *end; /* by op: its steps (the same one without regions), or TN_NO_ID */
    uint32_t *read_steps;
    uint32_t *position;  /* by module value: of an input, among those of its graph */
    uint32_t *under;     /* by storage: one that dies where this one begins, and in whose bytes a
                            value of this one may begin; or TN_NO_ID */
    uint64_t *pool_base; /* pools laid one behind the other: one address line for all */
} tn_checking;

/* One violation. The first TN_CHECK_MAX_REPORTS are reported, all are counted. */
void tn_check_fail(tn_checking *c, const char *fmt, ...) TN_PRINTF(2, 3);
/* Names for messages, in the checker's arena: "'x'", "'path/x'"; "step 5 (Relu 'r')", "the caller".
 */
const char *tn_check_value_name(const tn_checking *c, uint32_t value);
const char *tn_check_step_name(const tn_checking *c, int32_t step);

/* Indices of the plan are in range. */
void tn_check_indices(tn_checking *c);
/* Plan values are the module's, each once, with its type and size. */
void tn_check_values(tn_checking *c);
/* Steps are the module's ops, each once, properly nested, in the order claimed. */
void tn_check_steps(tn_checking *c);
/* Steps that run a node once more may do so: what they and all readers read are the elements that
 * the model's nodes read. */
void tn_check_clones(tn_checking *c);
/* Ops that stand for several by a kernel made for them may do so. */
void tn_check_groups(tn_checking *c);
/* Of a group whose nests are done by rows, and about which nothing else is wrong: a row needs of
 * what they make for one another the same row alone, and blocks of these lie apart. */
void tn_check_rows(tn_checking *c, const tn_op *op, const char *name);
/* Queues are those there are, and a plan whose steps run side by side needs no further order. */
void tn_check_concurrency(tn_checking *c);
/* The step behind which there is a shape of the run that the op reads of operand k
 * (tn_shape_of_run), or TN_NO_ID. */
uint32_t tn_check_shape_from(const tn_checking *c, const tn_op *op, uint32_t k);
/* Who reads such a shape waits for that step. */
void tn_check_shape_waits(tn_checking *c);
/* The figures of such a plan. */
void tn_check_depth(tn_checking *c);
/* What has no place needs none, or can have none, for the kind of reason the plan states. */
void tn_check_left_out(tn_checking *c);
/* Derives which steps write and read each value; definitions come before reads. */
void tn_check_live_ranges(tn_checking *c);
/* The plan names the extents that data give, each with its limit and the value that has it first.
 */
void tn_check_by_data(tn_checking *c);
/* The live ranges, reads and writes the plan states agree with those. */
void tn_check_stated(tn_checking *c);
/* Bounds, alignment, pools, roles, slots. */
void tn_check_places(tn_checking *c);
/* Alias edges are justified by the op table; fills tn_fact.content and tn_fact.root. */
void tn_check_aliases(tn_checking *c);
/* Results that begin inside an operand do so at a distance at which the kernel, in the order that
 * the plan states, reads each byte before it writes over it; fills tn_checking.under. */
void tn_check_overlaps(tn_checking *c);
/* What the plan says of u and operand x, which tn_check_overlaps has judged; NULL: nothing. */
const tn_plan_overlap *tn_check_overlap_of(const tn_checking *c, uint32_t u, uint32_t x);
/* No byte that is still needed is overwritten, and hazards cover every reuse. */
void tn_check_overwrites(tn_checking *c);
/* Ops that overwrite an operand and have no result for its new content (tn_op_writes_operand) keep
 * the model's order with all other uses of the operand, on a parallel runtime by hazards. */
void tn_check_unnamed(tn_checking *c);
/* Storages whose stated ranges meet share no byte; frees. */
void tn_check_storages(tn_checking *c);
/* The same for other offsets and sizes of all storages. */
void tn_check_apart(tn_checking *c, const uint64_t *offset, const uint64_t *size,
                    const uint64_t *pool_size);
/* Of a plan with open dimensions, that all of this holds for every extent. */
void tn_check_ranges(tn_checking *c);
/* The order in which steps may use bytes for some extents. `number` is by storage, ascending along
 * the relation, and `storage` by number. */
void tn_check_range_waits(tn_checking *c, const uint32_t *number, const uint32_t *storage);
/* check_open_offsets.c; offsets and sizes by value of the plan, as expressions of the module. */
void tn_check_open_offsets(tn_checking *c, const tn_dim *offset, const tn_dim *bytes);
/* Operands, results, attributes, bodies and promises of steps are those of the model and its op
 * table; steps said to be idle have nothing to run. */
void tn_check_contract(tn_checking *c);
/* What ops with nested graphs copy. */
void tn_check_moves(tn_checking *c);
/* Frees wait for all who use the bytes. */
void tn_check_frees(tn_checking *c);
/* What is read and written in pools that have a cost, and the sum of it. */
void tn_check_pools(tn_checking *c);
/* Figures of the report, and provenance. */
void tn_check_report(tn_checking *c);

/* Whether the op makes `result` lie `delta` bytes behind the start of `operand` without moving
 * anything (ir/ops/ops.h, tn_view_kind), worked out from shapes, attributes and constants; or
 * `result` is the argument of a called function that stands for `operand`. */
bool tn_check_is_view(const tn_checking *c, const tn_value *result, const tn_value *operand,
                      int64_t delta);
/* Whether operand k of the op that makes `result` is gathered into it at byte `at`. */
bool tn_check_is_gathered(const tn_value *result, uint32_t k, uint64_t at);
/* Under which condition of the op table the op may write `result` over the bytes of `operand`,
 * which it reads; TN_IF_SAME where tn_check_is_carried; TN_IF_NEVER when it may not. */
tn_inplace_if tn_check_inplace(const tn_checking *c, const tn_value *result,
                               const tn_value *operand);
/* Whether the elements of `result` have fewer bits than those of `operand`: under TN_IF_WIDTH the
 * kernel writes them in ascending order then, otherwise in descending order. */
bool tn_check_is_narrower(const tn_value *result, const tn_value *operand);
/* What the state is after the run, as training info or the caller says (--update); TN_NO_ID where
 * nobody says so, or that has no place. */
uint32_t tn_check_next_state(const tn_checking *c, uint32_t state);
/* Whether both have the same known size. */
bool tn_check_same_bytes(const tn_checking *c, const tn_value *a, const tn_value *b);
/* Whether `u` may lie in the bytes of `x` because an op with nested graphs would only copy one to
 * the other: `u` is the op's result and `x` the output of a branch or a called function that
 * becomes it; or both belong to one state of a loop (operand, argument of the body, output of the
 * body, result, in this order) and `x` is the earlier one. Live ranges are not looked at. */
bool tn_check_is_carried(const tn_checking *c, const tn_value *u, const tn_value *x);
/* Whether u, a result of an op with nested graphs, may be written while x is read for the last
 * time. False where x is an argument of the op's body: the end step may still have to copy it to
 * another result. True again where x itself is the output that becomes u. */
bool tn_check_stays(const tn_value *u, const tn_value *x);
/* Whether the argument x of a loop's body was read for the last time in the iteration when u, its
 * next value, is written. */
bool tn_check_is_next(const tn_checking *c, uint32_t u, uint32_t x);
/* Whether nothing but the loop whose body has the argument u reads the loop's operand x from the
 * loop's begin on. */
bool tn_check_is_first(const tn_checking *c, uint32_t u, uint32_t x);
/* Whether the op runs one of its bodies, once, and gives what that gives back: bodies of ops that
 * nothing is known of may all run. */
bool tn_check_chooses(const tn_op *op);
/* Whether the graphs lie in different bodies of an op of which one runs. */
bool tn_check_exclusive(const tn_graph *x, const tn_graph *y);
/* The op of v's own graph in which `reader` (of this graph or one nested in it) runs. */
const tn_op *tn_check_around(const tn_value *v, const tn_op *reader);
/* Whether both hold the same; NaNs are equal. */
bool tn_check_same_attribute(const tn_attr *a, const tn_attr *b);
/* The steps in which nobody else may use the bytes of a storage, by what the plan states. */
typedef struct tn_check_life {
    int32_t first, last;
} tn_check_life;
tn_check_life tn_check_span(const tn_checking *c, uint32_t storage);
/* Bytes of a value that are there before it is written, since it shows or gathers what lies there:
 * those of `root` (tn_fact). Counted from the start of the value. */
typedef struct tn_check_held {
    uint64_t from, to;
    uint32_t root;
} tn_check_held;
/* Stores the ranges of `value`, ascending and apart, and returns how many they are: at most as many
 * as the op that makes it has operands, and one where no op does. */
uint32_t tn_check_held_bytes(const tn_checking *c, uint32_t value, tn_check_held *out);
/* Representative of the values that have bytes in common with `value` by views, perhaps through
 * others: not all of them the same ones (tn_check_held_bytes). */
uint32_t tn_check_content(const tn_checking *c, uint32_t value);
/* First byte on the one address line. */
uint64_t tn_check_address(const tn_checking *c, uint32_t value);
/* The step behind which nobody writes a value any more, of one that a step writes: loops give their
 * arguments other content, and go on with what they stack up, until they end. */
uint32_t tn_check_written(const tn_checking *c, uint32_t value);
/* Whether the op names the values it derives by, instead of reading operands. */
bool tn_check_derives(const tn_op *op);
/* Calls fn(user, plan value, op) for every value that an op reads without having it as an operand:
 * the op Gradient names values. */
void tn_check_gradient_reads(const tn_checking *c, void (*fn)(void *, uint32_t, const tn_op *),
                             void *user);
/* Which steps a runtime that may run steps side by side has to finish before which. */
typedef struct tn_order tn_order;
tn_order *tn_order_new(const tn_checking *c);
/* The first of the n steps that no chain of data dependences and hazards puts before `at`, or
 * TN_NO_ID. Steps that can never both run (branches of one If) need no order. */
uint32_t tn_order_missing(tn_order *o, uint32_t at, const uint32_t *steps, uint32_t n);
/* Of the steps that run something, how many come one after the other at least. */
uint32_t tn_order_depth(tn_order *o);
/* By step, the set (ir/base/bits.h) of all steps that come before it so: n * n bits for n steps. */
const uint64_t *tn_order_closure(tn_order *o);

#endif
