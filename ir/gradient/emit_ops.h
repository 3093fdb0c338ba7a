/* Appending ops to a graph of a module whose types are known: each is typed as it is made, has a
 * version that the model imports, and names of its own. What cannot be had ends in a located error
 * (tn_fail), so nothing here returns NULL unless it says so.
 *
 * Values may be NULL where an operand is left out. */
#ifndef TENURE_IR_GRADIENT_EMIT_OPS_H
#define TENURE_IR_GRADIENT_EMIT_OPS_H

#include "ir/base/map.h"
#include "ir/build.h"

/* How to get by without a gradient that cannot be made; ends messages that say so. */
#define TN_GRAD_WAYS_OUT "stop=NAMES ends the way at values, wrt=NAMES asks for other gradients"

typedef struct tn_emitter {
    tn_ctx *ctx;
    tn_module *m;
    tn_graph *graph;     /* ops are put at its end */
    tn_arena *scratch;   /* as long as the emitter */
    tn_map names;        /* of all values of the module, and of what is to come */
    const char *what;    /* for messages: "the gradient", "the optimizer" */
    tn_loc loc;          /* for messages: the op for whose sake ops are made */
    const char *stem;    /* names of ops and values begin so: "conv1_Grad" */
    bool straight;       /* gradients go through rounding as if it were not there */
    uint32_t flags;      /* tn_value_flag that results get */
    uint32_t first_op;   /* ops from this id on may serve again where an equal one is wanted */
    uint32_t first_copy; /* ops from this id on may be copies of bodies, whose number is bounded */
    int64_t largest;     /* tn_emit_largest at the first convolution; 0: not yet */
    TN_VEC(tn_value *) consts;
} tn_emitter;

/* An emitter for the end of `graph`. */
tn_emitter *tn_emitter_new(tn_graph *graph, tn_arena *scratch);
/* From now on for the sake of `op`, under names that begin with `stem`. */
void tn_emit_for(tn_emitter *e, const tn_loc *loc, const char *stem);
/* `base` if nothing has that name yet, else one made from it. It is taken from now on. */
const char *tn_emit_name(tn_emitter *e, const char *base);
/* Whether ops of that type ("Where", "com.microsoft.FastGelu") are in the operator set that the
 * model imports; `attr` (may be NULL): and have that attribute. */
bool tn_emit_can(tn_emitter *e, const char *type, const char *attr);
/* Whether ops of that row have the attribute in that version. */
bool tn_emit_declares(const tn_op_info *info, int64_t version, const char *attr);

/* An op with `n_results` results, none of them typed by the caller. */
tn_op *tn_emit_op(tn_emitter *e, const char *type, tn_value *const *in, uint32_t n,
                  const tn_attr *attrs, uint32_t n_attrs, uint32_t n_results);
/* Result 0 of one with one result; an equal op made for the same sake serves again. */
tn_value *tn_emit(tn_emitter *e, const char *type, tn_value *const *in, uint32_t n,
                  const tn_attr *attrs, uint32_t n_attrs);
tn_value *tn_emit_1(tn_emitter *e, const char *type, tn_value *x);
tn_value *tn_emit_2(tn_emitter *e, const char *type, tn_value *a, tn_value *b);
tn_value *tn_emit_3(tn_emitter *e, const char *type, tn_value *a, tn_value *b, tn_value *c);
/* Finds the types of the results of an op anew, and of what its bodies hold. */
void tn_emit_type(tn_emitter *e, tn_op *op);
/* Whether nobody needs more of the op than result 0. */
bool tn_makes_one(const tn_op *op);
/* Result 0, the only one, of the same op (of ai.onnx) over other operands. */
tn_value *tn_emit_again(tn_emitter *e, const tn_op *op, tn_value *const *in);
/* `by` takes the place and the name of `old`, which nobody reads any more. */
void tn_emit_replace(tn_emitter *e, tn_value *old, tn_value *by);
/* A value of its own, also where an equal one was made for the same sake. */
tn_value *tn_emit_sum(tn_emitter *e, tn_value *a, tn_value *b);
tn_value *tn_emit_copy(tn_emitter *e, tn_value *x);
tn_attr tn_attr_of_int(const char *name, int64_t i);
tn_attr tn_attr_of_float(const char *name, double f);
tn_attr tn_attr_of_text(tn_emitter *e, const char *name, const char *text);
tn_attr tn_attr_of_ints(tn_emitter *e, const char *name, const int64_t *ints, uint32_t n);

/* Constants; equal ones are one initializer. */
tn_value *tn_emit_scalar(tn_emitter *e, tn_dtype dtype, double x);
tn_value *tn_emit_ints(tn_emitter *e, const int64_t *ints, uint32_t n); /* int64[n] */
tn_value *tn_emit_int(tn_emitter *e, int64_t x);                        /* int64[] */
tn_value *tn_emit_truth(tn_emitter *e);                                 /* bool[]: true */
tn_value *tn_emit_floats(tn_emitter *e, const char *base, tn_dtype dtype, uint32_t rank,
                         const int64_t *dims, const double *floats, uint32_t n);
/* One that is shared with nobody: a parameter. */
tn_value *tn_emit_own_floats(tn_emitter *e, const char *base, tn_dtype dtype, uint32_t rank,
                             const int64_t *dims, const double *floats, uint32_t n);
tn_value *tn_emit_tensor(tn_emitter *e, const char *base, tn_dtype dtype, uint32_t rank,
                         const int64_t *dims, const void *bytes);

/* An initializer of that name (or one made from it) with all elements x, which is not shared. */
tn_value *tn_emit_state(tn_emitter *e, const char *name, tn_dtype dtype, uint32_t rank,
                        const int64_t *dims, double x);
/* The same with the elements of `from`, floats of 16 bits, in 32. */
tn_value *tn_emit_widened(tn_emitter *e, const char *name, const tn_tensor *from);
/* Gives a value that was made here a better name, or one made from it. */
void tn_emit_rename(tn_emitter *e, tn_value *v, const char *base);

/* ---- ops whose form depends on the operator set ---- */

/* Along `axes` (counted from the front; n 0: none, gives x). */
tn_value *tn_emit_reduce(tn_emitter *e, const char *type, tn_value *x, const int64_t *axes,
                         uint32_t n, bool keepdims);
tn_value *tn_emit_squeeze(tn_emitter *e, tn_value *x, const int64_t *axes, uint32_t n);
/* Axes of the result. */
tn_value *tn_emit_unsqueeze(tn_emitter *e, tn_value *x, const int64_t *axes, uint32_t n);
tn_value *tn_emit_transpose(tn_emitter *e, tn_value *x, const int64_t *perm, uint32_t n);
/* The two last axes exchanged. */
tn_value *tn_emit_swapped(tn_emitter *e, tn_value *x);
tn_value *tn_emit_cast(tn_emitter *e, tn_value *x, tn_dtype dtype);
/* As int64 extents: a constant where all are numbers, else Shape(x). */
tn_value *tn_emit_shape(tn_emitter *e, tn_value *x);
/* x with the elements of x in the shape of `like`; x itself where it has that shape. */
tn_value *tn_emit_reshape_like(tn_emitter *e, tn_value *x, tn_value *like);
tn_value *tn_emit_reshape(tn_emitter *e, tn_value *x, const int64_t *dims, uint32_t n);
/* x broadcast to the shape of `like`. */
tn_value *tn_emit_expand_like(tn_emitter *e, tn_value *x, tn_value *like);
/* A tensor of the shape of `like`, every element x. */
tn_value *tn_emit_full_like(tn_emitter *e, tn_value *like, tn_dtype dtype, double x);
/* A constant of the type of `like`, which has one element: x. */
tn_value *tn_emit_one(tn_emitter *e, const char *name, const tn_value *like, double x);
/* x summed along the axes that broadcasting `like` to x's shape has stretched or put in front. */
tn_value *tn_emit_sum_to(tn_emitter *e, tn_value *x, tn_value *like);
/* Parts of x along an axis, from begin (counted from the front) up to end. */
tn_value *tn_emit_slice(tn_emitter *e, tn_value *x, int64_t axis, int64_t begin, int64_t end);
/* Extents of `n` parts of an axis, in scratch: they differ by 1 at most, the longer ones first. */
const int64_t *tn_even_parts(tn_emitter *e, int64_t extent, uint32_t n);
/* `n` parts of x of those extents along an axis, in scratch. */
tn_value **tn_emit_split(tn_emitter *e, tn_value *x, int64_t axis, uint32_t n,
                         const int64_t *sizes);
/* The same of one extent each. */
tn_value *const *tn_emit_parts(tn_emitter *e, tn_value *x, int64_t axis, uint32_t n,
                               int64_t extent);
/* The parts of extent 1 along an axis, `n` of them, in scratch; they keep the axis. */
tn_value *const *tn_emit_rows(tn_emitter *e, tn_value *x, int64_t axis, uint32_t n);
/* Values joined along an axis; one alone is itself. */
tn_value *tn_emit_concat(tn_emitter *e, tn_value *const *parts, uint32_t n, int64_t axis);
/* x with zeros added (or, negative, elements cut) before and behind each of its n axes. */
tn_value *tn_emit_pad(tn_emitter *e, tn_value *x, const int64_t *before, const int64_t *behind,
                      uint32_t n);
/* The same with that number in place of zeros. */
tn_value *tn_emit_pad_with(tn_emitter *e, tn_value *x, const int64_t *before, const int64_t *behind,
                           uint32_t n, double fill);

/* Row i of v along an axis, which has `from` of them, is added to row row_of[i] of the result,
 * which has `to`: Gathers, as many as rows meet in one. */
tn_value *tn_emit_rows_to(tn_emitter *e, tn_value *v, int64_t axis, const int64_t *row_of,
                          int64_t from, int64_t to);
/* v multiplied along an axis by a constant matrix, `from` rows of `to` elements: an axis of extent
 * `from` gets extent `to`. For ops that are linear along each axis. */
tn_value *tn_emit_along(tn_emitter *e, tn_value *v, int64_t axis, const double *rows, int64_t from,
                        int64_t to);
/* What an op that the imported operator set does not have yet says in older ops; NULL where it has
 * it, or no older form is known. */
tn_value *tn_emit_older(tn_emitter *e, const char *type, tn_value *const *in);

/* ---- what is known of values ---- */

#define TN_GIVE_DIMENSIONS "give the dimensions values (--dim)"
/* What to do where extents of `v` are not known: what has to be said where they come from an op
 * without a shape rule, which no value of a dimension helps, or `otherwise`. */
const char *tn_emit_way_out(tn_emitter *e, const tn_value *v, const char *otherwise);
/* The rank; an error where it is not known. */
uint32_t tn_emit_rank(tn_emitter *e, const tn_value *v);
/* The extents as numbers in scratch; an error where one is none. */
const int64_t *tn_emit_extents(tn_emitter *e, const tn_value *v);
/* Bytes of the largest result that the module has so far and is no output. Linear. */
int64_t tn_emit_largest(const tn_emitter *e);
/* The known whole elements of `v`, in scratch; NULL where they are not all known. */
const int64_t *tn_known_ints(tn_emitter *e, const tn_value *v, uint32_t *n);
/* The one known element of `v`; false where it is not known, or not one. */
bool tn_known_int(tn_emitter *e, const tn_value *v, int64_t *out);

#endif
