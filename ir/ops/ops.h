/* The op table: everything passes may know about an op. The rows are in ir/ops/ops.def; this header
 * says what each column means and how to ask. Passes ask; they never switch on the op.
 *
 * A missing fact means the safe answer: owns its buffer, nothing in place, reads everything,
 * type and shape of the results unknown. */
#ifndef TENURE_IR_OPS_OPS_H
#define TENURE_IR_OPS_OPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum tn_opcode {
    TN_OP_EXTERN = 0, /* an op the table does not know */
#define OP(id, ...) TN_OP_##id,
#include "ir/ops/ops.def"
#undef OP
    TN_OP_COUNT
} tn_opcode;

/* Properties of an op, or'ed in column `.traits`. */
typedef enum tn_trait {
    TN_T_ELEMENTWISE =
        1u << 0,              /* result element i depends on operand elements i (after broadcast) */
    TN_T_BROADCAST = 1u << 1, /* operands are broadcast against each other */
    TN_T_RANDOM = 1u << 2,
    TN_T_SIDE_EFFECT = 1u << 3,  /* must run even when nobody reads its results */
    TN_T_CONSTANT = 1u << 4,     /* the result is data of the model: never in the arena */
    TN_T_SHAPE_READER = 1u << 5, /* reads only the shapes of all its operands (Shape, Size) */
    TN_T_BACKWARD = 1u << 6,     /* a gradient op: its results are gradients */
    TN_T_UPDATE = 1u << 7,       /* optimizer or accumulator: ends the backward part */
    TN_T_CONTROL = 1u << 8,      /* runs nested graphs */
    TN_T_DATA_SHAPE = 1u << 9,   /* a result's shape truly depends on run-time data */
    TN_T_SEQUENCE = 1u << 10,    /* makes or reads sequences, optionals or maps */
    TN_T_CALL = 1u << 11,        /* calls a model-local function, its body is region 0 */
    TN_T_LOSS = 1u << 12,        /* result 0 is a training loss */
    TN_T_CARRIES = 1u << 13,     /* a loop: states, which it carries from round to round, come first
                                    among its results; others are filled while it runs */
} tn_trait;

/* When a result may take the bytes of an operand that dies at the op. */
typedef enum tn_inplace_if {
    TN_IF_NEVER = 0,
    TN_IF_SAME, /* element-wise at equal index: equal shape and equal element width */
    TN_IF_ROWS, /* a kernel that finishes reading a row or group before writing it: equal shape and
                   element type; trusted only at --inplace=all */
    TN_IF_UPDATE, /* the kernel reads or writes the operand once, in ascending order, and touches it
                     nowhere else (Scatter's data, optimizer state): equal type; --inplace=all */
    TN_IF_MUST,   /* the op's definition makes result and operand one buffer */
} tn_inplace_if;

typedef struct tn_inplace {
    uint8_t result;
    uint32_t operands; /* bit k: operand k may be taken */
    tn_inplace_if cond;
} tn_inplace;

/* How result 0 (or every result, for PARTS) lies inside operand `view_of`. */
typedef enum tn_view_kind {
    TN_VIEW_NONE = 0,
    TN_VIEW_WHOLE,    /* the same bytes in the same order under another shape */
    TN_VIEW_IF_EQUAL, /* the same bytes when result and operand have the same type (Cast, Expand,
                         Dropout at inference), and when .view_if agrees */
    TN_VIEW_PART,     /* one contiguous part when the slice is outermost (Slice, Gather) */
    TN_VIEW_PARTS,    /* each result one contiguous part (Split) */
    TN_VIEW_GATHERED, /* the operands lie inside the result (Concat, Pad) */
    TN_VIEW_PERMUTED, /* the same bytes when the permutation moves only extents of 1 (Transpose) */
} tn_view_kind;

struct tn_infer;
/* Sets types (and known contents) of the results through ir/infer/infer.h. */
typedef void (*tn_shape_fn)(struct tn_infer *in);

struct tn_op;

typedef struct tn_op_info {
    const char *domain; /* "" is ai.onnx */
    const char *name;
    const char *versions; /* since-versions, ascending: "1 6 13" */
    /* Arity over all versions; max -1 is variadic. */
    int16_t min_in, max_in, min_out, max_out;
    const char *sig;   /* names: "X W B? -> Y"; '?' optional, '*' variadic; "axes?@13" since 13,
                          "scale?@-6" up to 6 */
    const char *attrs; /* "axis:int=0 pads:ints? perm:ints@13": a default, optional without one,
                          required; versions as in sig, "@7-9" for a range */
    uint32_t traits;
    tn_inplace inplace[6]; /* ends at cond TN_IF_NEVER; one entry a result */
    /* Behind the first two operands stand groups of equally many tensors: weights, gradients,
     * moments. The results are the new forms of all but the gradients, each over its old one as by
     * TN_IF_UPDATE. 0: no such op. */
    uint8_t update_groups;
    tn_view_kind view;
    uint8_t view_of;
    bool (*view_if)(const struct tn_op *op); /* extra condition of a view; NULL: none */
    uint32_t shape_only;                     /* bit k: only the shape of operand k is read */
    tn_shape_fn shape;                       /* NULL: not known */
    /* What the gradient of this op needs from the forward pass. */
    bool has_grad;
    uint32_t grad_in, grad_out; /* bits of operands and results */
    const char *doc;            /* one sentence */
} tn_op_info;

/* The operand that result `r` of an op with update_groups is the new form of; -1 for other ops. */
int64_t tn_op_updated(const struct tn_op *op, uint32_t r);
/* Whether the op writes over operand k by definition (TN_IF_MUST); *result (may be NULL) is the
 * position of the result that the operand becomes. */
bool tn_op_overwrites(const struct tn_op *op, uint32_t k, uint32_t *result);
/* The same where that result is left out: nothing but the op itself says that those bytes change.
 */
bool tn_op_writes_operand(const struct tn_op *op, uint32_t k);
/* The row of a code; TN_OP_EXTERN has one too, all safe answers. Never NULL. */
const tn_op_info *tn_op_info_get(tn_opcode code);
/* TN_OP_EXTERN when there is no row. "ai.onnx" is accepted for "". */
tn_opcode tn_op_find(const char *domain, const char *name);

#endif
