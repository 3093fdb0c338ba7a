/* Column .compute of the op table: the nests of one op. `formula` is for element-wise ops:
 *
 *   formula := term { ("+" | "-") term }
 *   term    := factor { ("*" | "/") factor }
 *   factor  := "-" factor | number | name | "(" formula ")" | function "(" formula { "," formula }
 * ")"
 *
 * A name is that of an operand, its element in the place of the result's (after broadcast), or of
 * an attribute that is a number; functions are those of ir/compute/calc_ops.def. Else `rule` makes
 * them. */
#ifndef TENURE_IR_COMPUTE_COMPUTE_H
#define TENURE_IR_COMPUTE_COMPUTE_H

#include "ir/attr.h"
#include "ir/compute/nest.h"
#include "ir/ops/ops.h"

/* An operand or a result. */
typedef struct tn_compute_value {
    bool there; /* not left out */
    tn_dtype dtype;
    uint32_t rank;
    const int64_t *dims;
    const int64_t
        *known; /* elements of a parameter that the plan rests on, n_known; NULL: not known */
    const double *floats; /* the same of one that holds floats */
    uint32_t n_known;
} tn_compute_value;

/* What is asked for. Attributes are resolved (ir/ops/op_attrs.h). */
typedef struct tn_compute {
    tn_arena *arena;
    const tn_op_info *info;
    int64_t version;
    const tn_compute_value *operands, *results;
    uint32_t n_operands, n_results;
    const tn_attr *attrs;
    uint32_t n_attrs;
    bool keeps_axes; /* each result's nest has an axis for each of its own */
    /* what came out */
    TN_VEC(tn_nest) nests;
    const struct tn_by_rows *rows; /* of nests done by rows (ir/compute/by_rows.h); else NULL */
} tn_compute;

/* False where the row does not say what the op computes, or not for these types and extents. */
bool tn_compute_make(tn_compute *c);

/* ---- for rules ---- */

/* An attribute, or NULL. */
const tn_attr *tn_compute_attr(const tn_compute *c, const char *name);
int64_t tn_compute_int(const tn_compute *c, const char *name, int64_t otherwise);
double tn_compute_float(const tn_compute *c, const char *name, double otherwise);
/* Element i of a list; `otherwise` where there is none. */
int64_t tn_compute_ints(const tn_compute *c, const char *name, uint32_t i, int64_t otherwise);
/* The text, or "". */
const char *tn_compute_text(const tn_compute *c, const char *name);
/* The operand, or NULL where it is left out. */
const tn_compute_value *tn_compute_operand(const tn_compute *c, uint32_t i);
/* The axis that an attribute or an operand states, from the end where it is below 0; false where
 * `rank` axes have none such. */
bool tn_compute_axis(int64_t stated, uint32_t rank, uint32_t *axis);
/* Elements between neighbours along each axis, and of all; row-major. */
void tn_compute_steps(const tn_compute_value *v, int64_t *steps);
/* A new nest, without axes. It stays where it is until the next one is made. */
tn_nest *tn_compute_nest(tn_compute *c, uint32_t result);
/* A nest with the axes of a result, stored in row-major order; NULL where these are too many. */
tn_nest *tn_compute_over(tn_compute *c, uint32_t result);
/* The place of an operand that is broadcast to the first `rank` axes of the nest; false where it
 * cannot be. */
bool tn_compute_broadcast(const tn_compute_value *v, const tn_nest *n, uint32_t rank,
                          tn_affine *at);

tn_calc *tn_calc_number(tn_arena *arena, double x);
tn_calc *tn_calc_load(tn_arena *arena, uint32_t operand, const tn_affine *at);
tn_calc *tn_calc_local(tn_arena *arena, uint32_t stage);
/* One of n numbers, by the index of an axis. */
tn_calc *tn_calc_factor(tn_arena *arena, const float *factors, uint32_t n, uint32_t axis);
/* A tree: no part of it stands in two places (the two arguments of a square are made apart). */
tn_calc *tn_calc_make(tn_arena *arena, tn_calc_op op, tn_calc *a, tn_calc *b, tn_calc *c);
tn_calc *tn_calc_copy(tn_arena *arena, const tn_calc *x);
/* An element at `at` + what the whole number `index` says. */
tn_calc *tn_calc_load_by(tn_arena *arena, uint32_t operand, const tn_affine *at, tn_calc *index);
/* A whole number as the index of one of `extent` elements which lie `step` apart: how far that is
 * from the first. What is no index makes the kernel fail. */
tn_calc *tn_calc_index(tn_arena *arena, tn_calc *whole, int64_t extent, int64_t step);
/* The same, but what is below 0 is none either. */
tn_calc *tn_calc_index_up(tn_arena *arena, tn_calc *whole, int64_t extent, int64_t step);
/* The element of the result at `at`, which the nest, or one before it, has stored. */
tn_calc *tn_calc_made(tn_arena *arena, const tn_affine *at);
/* The number `at`. */
tn_calc *tn_calc_place(tn_arena *arena, const tn_affine *at);
/* What is of another type, in that of elements of `to`. */
tn_calc *tn_calc_convert(tn_arena *arena, tn_calc *x, tn_dtype to);
/* NULL where the text is no formula, or names what is not there. `n` has the axes of the result. */
tn_calc *tn_compute_formula(const tn_compute *c, const tn_nest *n, const char *text);

#endif
