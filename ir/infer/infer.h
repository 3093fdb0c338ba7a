/* What a shape rule may ask and answer. One rule serves an op, or a family of ops, in all versions;
 * rules are named in ir/ops/op_rules.def and pointed to by ir/ops/ops.def.
 *
 * A rule reads operand types and contents, and sets result types; what it does not set stays
 * unknown. It must be safe on any input: operands may be missing, of unknown rank, of any type.
 * When the operands contradict the op's definition it says so with tn_infer_conflict and stops. */
#ifndef TENURE_IR_INFER_INFER_H
#define TENURE_IR_INFER_INFER_H

#include "ir/module.h"

typedef struct tn_infer {
    tn_ctx *ctx;
    tn_module *m;
    tn_arena *arena;   /* the module's: for types and contents */
    tn_arena *scratch; /* dropped after the run */
    tn_dims *dims;
    const tn_op *op;
    bool failed;          /* tn_infer_conflict was called */
    const char *conflict; /* what it said first, in scratch; NULL when it was not called */
    /* The first operand whose contents the rule asked for (tn_in_content, tn_in_ints, tn_in_floats)
     * and did not get in full: a cell in scratch, it holds NULL when there was none. A result
     * without a size depends on it when nothing else is to blame. */
    const tn_value **wanted;
    const tn_type **out; /* n_results: what the rule found, NULL where nothing */
    struct tn_content {
        bool known;
        uint32_t n;
        const tn_dim *dims;
        const double *floats;
    } * content;       /* n_results */
    uint32_t promised; /* the first result with an extent that data give which is a number, or has a
                          limit, by the user's word (by_data.h); UINT32_MAX: none */
    const char **why;  /* n_results: reason why a result's size cannot be known, or NULL */
    bool *passed_on;   /* n_results: that reason is of a value inside, which has been told */
    void *user;        /* of whoever runs the inference */

    /* Nested graphs are inferred between two calls of a rule, not inside one, so that depth costs
     * no stack. A rule that wants a region's types binds the region's inputs (tn_infer_bind), sets
     * `region` and returns; it is called again, with `phase` one higher, when the types of all
     * values of the region are set. `memo` is the rule's own between the calls. */
    uint32_t phase;
    tn_graph *region;
    bool idle; /* of `region`: it never runs, so contradictions in it are not reported */
    void *memo;
    /* Much work has been done already: bind what may change between iterations as unknown at once
     * instead of trying the precise types first. Keeps nested loops from costing exponential time.
     */
    bool cautious;
    /* By value id: the types the file states for values. NULL: those the values have. */
    const tn_type *const *stored;
    /* Names (tn_str_id) of the symbols that the sizes of the module's inputs determine. NULL: none.
     */
    const tn_map *given;
    /* Receive what tn_infer_conflict says, and stored types that inference contradicts. NULL: a
     * warning at the op. */
    void (*on_conflict)(struct tn_infer *in, const char *text);
    void (*on_contradiction)(struct tn_infer *in, const tn_value *v, const tn_type *inferred,
                             const tn_type *stored);
    /* Receives every value whose known elements the rule reads; `moves` says that they only become
     * elements of results. A rule that is watched changes nothing: what flows into regions stays
     * bound as it is. NULL: nobody watches. */
    void (*on_read)(const struct tn_infer *in, const tn_value *v, bool moves);
} tn_infer;

/* Operands. Types are never NULL: a missing operand has the unknown type. */
bool tn_in_has(const tn_infer *in, uint32_t k);
const tn_type *tn_in_type(const tn_infer *in, uint32_t k);
tn_dtype tn_in_dtype(const tn_infer *in, uint32_t k);
/* False when the rank is unknown or operand k is not a tensor. */
bool tn_in_rank(const tn_infer *in, uint32_t k, uint32_t *rank);
/* TN_DIM_UNKNOWN when the rank is unknown or `axis` out of range. */
tn_dim tn_in_dim(const tn_infer *in, uint32_t k, uint32_t axis);
/* The tensor behind a value, or NULL. An input with a default counts as its default: exporters list
 * constants as inputs too, and whoever overrides a shape there runs another model. */
const tn_tensor *tn_infer_tensor(const tn_value *v);
/* Known integer elements of operand k as dims (some may be TN_DIM_UNKNOWN), or NULL. Types, or what
 * is alive, may depend on elements read by this and the two below; those that only become elements
 * of results are read by tn_in_elems (ir/infer/content.h). */
const tn_dim *tn_in_content(const tn_infer *in, uint32_t k, uint32_t *n);
/* All elements known and constant: an array in scratch, or NULL. */
const int64_t *tn_in_ints(const tn_infer *in, uint32_t k, uint32_t *n);
const double *tn_in_floats(const tn_infer *in, uint32_t k, uint32_t *n);
/* tn_in_content and tn_in_floats for who tells `on_read` otherwise. */
const tn_dim *tn_in_known(const tn_infer *in, uint32_t k, uint32_t *n);
const double *tn_in_known_floats(const tn_infer *in, uint32_t k, uint32_t *n);
static inline void tn_infer_reads(const tn_infer *in, const tn_value *v, bool moves) {
    if (in->on_read != NULL) {
        in->on_read(in, v, moves);
    }
}
/* axis normalised into [0, rank), or false after a conflict was reported. */
bool tn_in_axis(tn_infer *in, int64_t axis, uint32_t rank, uint32_t *out);

/* Results. Setting a result the op does not have is ignored. */
void tn_out(tn_infer *in, uint32_t r, tn_dtype dtype, uint32_t rank, const tn_dim *dims);
void tn_out_type(tn_infer *in, uint32_t r, const tn_type *type);
void tn_out_unranked(tn_infer *in, uint32_t r, tn_dtype dtype);
/* Known elements of result r (copied into scratch); ignored above TN_MAX_CONTENT. */
void tn_out_content(tn_infer *in, uint32_t r, uint32_t n, const tn_dim *dims);
void tn_out_floats(tn_infer *in, uint32_t r, uint32_t n, const double *floats);
/* The size of result r depends on data: `why` is shown to the user ("depends on the values of X").
 */
void tn_out_dynamic(tn_infer *in, uint32_t r, const char *why);
/* The same, where `why` is the reason of a value that the result is made from. */
void tn_out_as_inside(tn_infer *in, uint32_t r, const char *why);

/* Reports a contradiction as a warning at the op and marks the rule failed. */
void tn_infer_conflict(tn_infer *in, const char *fmt, ...) TN_PRINTF(2, 3);

/* What is known when both `inferred` and `stored` are: unknown parts come from the other; where
 * both know, the inferred wins, except that a stored constant refines an inferred extent that is
 * not determined by the sizes of the module's inputs. *clash is set when two constants, element
 * types, ranks or kinds differ. */
const tn_type *tn_infer_merge(const tn_infer *in, const tn_type *inferred, const tn_type *stored,
                              bool *clash);
/* What holds for both types: unknown where they differ. Equal to `a` when `b` adds nothing. */
const tn_type *tn_infer_join(const tn_infer *in, const tn_type *a, const tn_type *b);
/* Sets the type of argument `arg` of a region from the type that flows in, completed from the
 * declared one. `trust` false: dimensions that are unknown in `type` stay unknown. */
void tn_infer_bind(tn_infer *in, tn_value *arg, const tn_type *type, bool trust);
/* After that, its known elements (in the module's arena). */
void tn_infer_bind_content(tn_infer *in, tn_value *arg, uint32_t n, const tn_dim *dims,
                           const double *floats);

/* Runs the op's rule (or none). When it returns with in->region set, infer that graph, count up
 * in->phase and call again. Otherwise the caller merges in->out with what is stored. Start an op
 * with phase 0. */
void tn_infer_op(tn_infer *in, const tn_op *op);

#endif
