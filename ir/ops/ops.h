/* The op table: everything anybody may know about an op. The rows are in ir/ops/ops.def; this
 * header says what each column means. ir/ops/claims.h asks them about an op of a module. Rows have
 * no names in the program: whoever wants to know something asks a column.
 *
 * A missing fact means the safe answer: owns its buffer, nothing in place, reads everything,
 * type and shape of the results unknown. */
#ifndef TENURE_IR_OPS_OPS_H
#define TENURE_IR_OPS_OPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number of a row. */
typedef enum tn_opcode {
    TN_OP_EXTERN = 0, /* an op the table does not know */
    TN_OP_COUNT = 1
#define OP(...) +1
#include "ir/ops/ops.def"
#undef OP
} tn_opcode;

/* Properties of an op, or'ed in column `.traits`. */
typedef enum tn_trait {
    TN_T_ELEMENTWISE =
        1u << 0,              /* result element i depends on operand elements i (after broadcast) */
    TN_T_BROADCAST = 1u << 1, /* operands are broadcast against each other */
    TN_T_RANDOM = 1u << 2,
    TN_T_SIDE_EFFECT = 1u << 3,     /* must run even when nobody reads its results */
    TN_T_CONSTANT = 1u << 4,        /* the result is data of the model: never in the arena */
    TN_T_SHAPE_READER = 1u << 5,    /* reads only the shapes of all its operands (Shape, Size) */
    TN_T_BACKWARD = 1u << 6,        /* a gradient op: its results are gradients */
    TN_T_UPDATE = 1u << 7,          /* optimizer or accumulator: ends the backward part */
    TN_T_CONTROL = 1u << 8,         /* runs nested graphs */
    TN_T_DATA_SHAPE = 1u << 9,      /* a result's shape truly depends on run-time data */
    TN_T_SEQUENCE = 1u << 10,       /* makes or reads sequences, optionals or maps */
    TN_T_CALL = 1u << 11,           /* calls a model-local function, its body is region 0 */
    TN_T_LOSS = 1u << 12,           /* result 0 is a training loss */
    TN_T_AXES_OF_RESULT = 1u << 13, /* attributes axis and axes count the axes of result 0, not of
                                       operand 0 (Unsqueeze, OneHot) */
    TN_T_BARRIER = 1u << 14, /* may touch whatever other ops touch beside their values: those with
                                TN_T_SIDE_EFFECT stay on their side of it */
    TN_T_IMAGES = 1u << 15,  /* operand 0 and result 0 are images with channels on axis 1, which
                                kernels may have with channels last (--layout=nhwc) */
} tn_trait;

/* When a result may take the bytes of an operand that dies at the op; in .inplace by the name in
 * brackets. */
typedef enum tn_inplace_if {
    TN_IF_NEVER = 0,
    TN_IF_SAME,   /* (same): element-wise at equal index: equal shape and equal element width */
    TN_IF_WIDTH,  /* (width): as (same), and the kernel can go through the elements one by one in
                     either direction, so that the widths may differ: it writes a narrower result in
                     ascending order, a wider one in descending order. Whole bytes only. Trusted
                     only at --inplace=ordered; where the widths are equal it is (same) */
    TN_IF_ROWS,   /* (rows): a kernel that finishes reading a row or group before writing it: equal
                     shape and element type; trusted from --inplace=all on */
    TN_IF_UPDATE, /* (update): the kernel reads or writes the operand once, in ascending order, and
                     touches it nowhere else (Scatter's data, optimizer state): equal type;
                     --inplace=all */
    TN_IF_MUST,   /* (must): the op's definition makes result and operand one buffer */
} tn_inplace_if;

/* How result 0 (or every result, for PARTS) lies inside operand .view_of. */
typedef enum tn_view_kind {
    TN_VIEW_NONE = 0,
    TN_VIEW_WHOLE,    /* the same bytes in the same order under another shape */
    TN_VIEW_IF_EQUAL, /* the same bytes when result and operand have the same type (Cast, Expand,
                         Dropout at inference), and when .view_if agrees */
    TN_VIEW_PART,     /* the part that rule .part finds, when it is one run (Slice, Gather) */
    TN_VIEW_PARTS,    /* each result such a part (Split) */
    TN_VIEW_GATHERED, /* the operand (each one, where its name stands for several) is such a part of
                         the result (Pad, Concat) */
    TN_VIEW_PERMUTED, /* the same bytes when rule .part says that no element moves (Transpose) */
} tn_view_kind;

/* How many operations an op needs (ir/ops/flops.h). */
typedef enum tn_flops_rule {
    TN_FLOPS_ELEMENTS = 0,   /* two for each element of its results */
    TN_FLOPS_PRODUCT,        /* a product of matrices, operand 0 from the left */
    TN_FLOPS_CONV,           /* result 0 slides over operand 0 with the weights operand 1 */
    TN_FLOPS_CONV_TRANSPOSE, /* each element of operand 0 meets the weights, operand 1 */
    TN_FLOPS_CONV_GRAD,      /* gradients by X and W, as each is there: dY, X, W */
    TN_FLOPS_CONV_GRAD_X,    /* dY, W */
    TN_FLOPS_CONV_GRAD_W,    /* dY, X; result 0 is as large as W */
    TN_FLOPS_ATTENTION,      /* two products, each a row of the sequence against all others */
    TN_FLOPS_RECURRENT       /* weights operand 1 and 2 for each row of operand 0 */
} tn_flops_rule;

struct tn_infer;
struct tn_op;
struct tn_part;
struct tn_states;
struct tn_members;
struct tn_reach;
struct tn_tiling;
struct tn_row_types;
struct tn_row_memory;
struct tn_compute;
/* Sets types (and known contents) of the results through ir/infer/infer.h. */
typedef void (*tn_shape_fn)(struct tn_infer *in);
/* Where part i lies (ir/ops/part.h). */
typedef bool (*tn_part_fn)(const struct tn_op *op, uint32_t i, struct tn_part *out);
/* What a result needs of an operand (ir/ops/reach.h). */
typedef bool (*tn_reach_fn)(const struct tn_op *op, struct tn_reach *out);
/* The states of a loop (ir/ops/claims.h). */
typedef struct tn_states (*tn_states_fn)(const struct tn_op *op);
/* What the op does to the tensors of a sequence (ir/infer/members.h). */
typedef bool (*tn_members_fn)(struct tn_members *m);

/* Names of operands and results in a row are those of .sig. Any of them may say in which versions
 * the claim holds, as "data@7": ir/ops/sig.h has the rules. */
typedef struct tn_op_info {
    const char *domain; /* "" is ai.onnx */
    const char *name;
    const char *versions; /* since-versions, ascending: "1 6 13" */
    const char *sig;      /* "X W B? -> Y" */
    const char *attrs;    /* "axis:int=0 pads:ints? perm:ints@13" */
    uint32_t traits;
    const char *inplace; /* "Y over A B (same), mean over input_mean (update)" */
    /* The first two operands are followed by so many groups of equally many tensors: weights,
     * gradients, moments. The results are the updated tensors of all groups but the gradients, each
     * of which may take the bytes of the old one under TN_IF_UPDATE. 0: no such op. */
    uint8_t update_groups;
    tn_flops_rule flops;
    tn_view_kind view;
    const char *view_of;
    tn_part_fn part;
    bool pieces; /* the parts follow each other along attribute `axis` and span all other axes, so
                    where they lie is known for extents that are no numbers, too (ir/ops/part.h) */
    bool (*view_if)(const struct tn_op *op); /* extra condition of a view; NULL: none */
    const char *shape_only;                  /* operands of which only the shape is read */
    /* Whether results that carry an operand on (TN_IF_UPDATE, but the first result) may be left out
     * and the others stay what they are. Of the operand of one that is left out only the shape is
     * read then. NULL: they may not. */
    bool (*updates_apart)(const struct tn_op *op);
    /* Operands of which rule .reach knows what each element of a result needs. NULL: of those of an
     * element-wise op the elements in the same place, of others nothing is known. */
    const char *reads;
    tn_reach_fn reach;
    /* How parts of the results are made from parts of operands (ir/ops/tiling.h). NULL: by the
     * formula, or by what .reads says of operands, else not at all. */
    bool (*tile)(struct tn_tiling *t);
    /* Kernels' facts: in which order the kernel works (ir/ops/overlap.h), if not in that of the
     * run; NULL in rows of the table. */
    const char *order;
    /* Operands that say how the op works, not on what: "starts:ints scales:floats". Where a plan
     * rests on their elements, kernels get these as they get attributes. */
    const char *params;
    tn_states_fn states;   /* NULL: no states, or not known */
    tn_shape_fn shape;     /* NULL: not known */
    tn_members_fn members; /* NULL: not known */
    bool begins_sequence;  /* .members makes a sequence out of tensors, not of a sequence */
    /* The gradient by each operand, and with it what it needs of the forward pass: formulas of
     * ir/ops/grad_text.h. NULL: not known. */
    const char *grad;
    /* In place of .grad where rounding is to be taken as if it did not round (option of autodiff):
     * formulas, or "=quant", "=dequantize", "=quantize" (ir/gradient/straight_through.h). NULL:
     * .grad holds there, too. */
    const char *straight;
    /* What the op computes (ir/compute/compute.h): a rule, and the formula that it reads. NULL: not
     * known. */
    bool (*compute)(struct tn_compute *c);
    const char *formula;
    const char *doc; /* one sentence */
    /* Of kernels' facts (ir/ops/row_expr.h); NULL in rows of the table. */
    const struct tn_row_types *types;      /* what .shape = tn_shape_stated reads */
    const struct tn_row_memory *workspace; /* bytes the kernel needs during the call */
    const struct tn_row_memory *kept;      /* bytes it keeps from call to call */
    const void *user; /* of rules that plug-ins have; NULL in rows of the table */
} tn_op_info;

/* The operand that result `r` of an op with update_groups is the updated value of; -1 for other
 * ops. */
int64_t tn_op_updated(const struct tn_op *op, uint32_t r);
/* The row of a code of the table; TN_OP_EXTERN has one too, all safe answers. Never NULL. */
const tn_op_info *tn_op_info_get(tn_opcode code);
/* TN_OP_EXTERN when there is no row. "ai.onnx" is accepted for "". */
tn_opcode tn_op_find(const char *domain, const char *name);

#endif
