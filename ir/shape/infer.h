/* What a shape rule may ask and answer. One rule serves an op, or a family of ops, in all versions;
 * rules are named in ir/shape/rules.def and pointed to by ir/ops.def.
 *
 * A rule reads operand types and contents, and sets result types; what it does not set stays
 * unknown. It must be safe on any input: operands may be missing, of unknown rank, of any type.
 * When the operands contradict the op's definition it says so with tn_infer_conflict and stops. */
#ifndef TENURE_IR_SHAPE_INFER_H
#define TENURE_IR_SHAPE_INFER_H

#include "ir/module.h"

typedef struct tn_infer {
    tn_ctx *ctx;
    tn_module *m;
    tn_arena *arena;   /* the module's: for types and contents */
    tn_arena *scratch; /* dropped after the run */
    tn_dims *dims;
    const tn_op *op;
    bool failed;         /* tn_infer_conflict was called */
    const tn_type **out; /* n_results: what the rule found, NULL where nothing */
    struct tn_content {
        bool known;
        uint32_t n;
        const tn_dim *dims;
        const double *floats;
    } * content;      /* n_results */
    const char **why; /* n_results: reason why a result's size cannot be known, or NULL */
    void *user;       /* of whoever runs the inference (recursion into regions) */
    /* Infers the ops of a nested graph; control-flow rules call it after setting the types of the
     * graph's inputs. */
    void (*run_graph)(struct tn_infer *in, tn_graph *g);
} tn_infer;

/* Operands. Types are never NULL: a missing operand has the unknown type. */
bool tn_in_has(const tn_infer *in, uint32_t k);
const tn_type *tn_in_type(const tn_infer *in, uint32_t k);
tn_dtype tn_in_dtype(const tn_infer *in, uint32_t k);
/* False when the rank is unknown or operand k is not a tensor. */
bool tn_in_rank(const tn_infer *in, uint32_t k, uint32_t *rank);
/* TN_DIM_UNKNOWN when the rank is unknown or `axis` out of range. */
tn_dim tn_in_dim(const tn_infer *in, uint32_t k, uint32_t axis);
/* Known integer elements of operand k as dims (some may be TN_DIM_UNKNOWN), or NULL. */
const tn_dim *tn_in_content(const tn_infer *in, uint32_t k, uint32_t *n);
/* All elements known and constant: an array in scratch, or NULL. */
const int64_t *tn_in_ints(const tn_infer *in, uint32_t k, uint32_t *n);
const double *tn_in_floats(const tn_infer *in, uint32_t k, uint32_t *n);
/* axis normalised into [0, rank), or false after a conflict was reported. */
bool tn_in_axis(tn_infer *in, int64_t axis, uint32_t rank, uint32_t *out);

/* Results. Setting a result the op does not have is ignored. */
void tn_out(tn_infer *in, uint32_t r, tn_dtype dtype, uint32_t rank, const tn_dim *dims);
void tn_out_type(tn_infer *in, uint32_t r, const tn_type *type);
void tn_out_unranked(tn_infer *in, uint32_t r, tn_dtype dtype);
/* Known elements of result r (copied); ignored above TN_MAX_CONTENT. */
void tn_out_content(tn_infer *in, uint32_t r, uint32_t n, const tn_dim *dims);
void tn_out_floats(tn_infer *in, uint32_t r, uint32_t n, const double *floats);
/* The size of result r depends on data: `why` is shown to the user ("depends on the values of X").
 */
void tn_out_dynamic(tn_infer *in, uint32_t r, const char *why);

/* Reports a contradiction as a warning at the op and marks the rule failed. */
void tn_infer_conflict(tn_infer *in, const char *fmt, ...) TN_PRINTF(2, 3);

/* Runs the op's rule (or none) and returns; the caller merges in->out with what is stored. */
void tn_infer_op(tn_infer *in, const tn_op *op);

#endif
