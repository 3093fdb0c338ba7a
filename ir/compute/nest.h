/* What an op computes, for one op whose types and extents are known: loops over elements, which
 * know no target and no language.
 *
 * A nest makes all elements of one result, or a part of it: for each index of its first `n_outer`
 * axes it stores one element. A stage, run before that, combines a body over axes of its own (a sum
 * over channels and taps, the largest element of a row), and leaves a local to the stages behind it
 * and to what is stored. It stands within the first `depth` axes, so that rows that share it have
 * it made once. Terms of a stage whose guards do not hold are left out: borders of an image.
 *
 * Where an element lies is affine in the axes. All numbers fit in int64_t; elements are counted,
 * not bytes. Memory is the arena of whoever asks. */
#ifndef TENURE_IR_COMPUTE_NEST_H
#define TENURE_IR_COMPUTE_NEST_H

#include "ir/base/arena.h"
#include "ir/type.h"

enum { TN_NEST_AXES = 16, TN_NEST_STAGES = 8, TN_NEST_GUARDS = 3 };

/* base + the sum of by[a] times axis a, + table[a][axis a] of axes that have a table: where no
 * number per index says it. */
typedef struct tn_affine {
    int64_t base, by[TN_NEST_AXES];
    const int32_t *table[TN_NEST_AXES];
} tn_affine;

/* Holds where 0 <= at < end. */
typedef struct tn_nest_guard {
    tn_affine at;
    int64_t end;
} tn_nest_guard;

typedef enum tn_calc_kind {
    TN_CALC_NUMBER,
    TN_CALC_LOAD,  /* the element of operand `which` that lies at `at`, + arg[0] if that is there */
    TN_CALC_LOCAL, /* what stage `which` has left */
    TN_CALC_FACTOR, /* factors[at], of `which` of them */
    TN_CALC_PLACE,  /* the number `at`: where something stands */
    TN_CALC_OP,     /* of ir/compute/calc_ops.def */
} tn_calc_kind;

typedef enum tn_calc_op {
#define CALC(id, name, args, out, c, whole) TN_CALC_##id,
#include "ir/compute/calc_ops.def"
#undef CALC
    TN_CALC_OPS
} tn_calc_op;

/* An expression, of one of a few types: f32, f64, i32, u32, i64, u64, bool. Elements of other types
 * become f32 or i32 when they are loaded; stored they wrap, or are rounded. */
typedef struct tn_calc tn_calc;
struct tn_calc {
    tn_calc_kind kind;
    tn_dtype type; /* stated of conversions, else found by tn_nest_find_types */
    tn_calc_op op;
    uint32_t which;
    double number;
    tn_affine at;
    const float *factors;
    tn_calc *arg[3];
};

typedef enum tn_combine {
    TN_COMBINE_SUM,
    TN_COMBINE_MAX,
    TN_COMBINE_MIN,
    TN_COMBINE_PRODUCT
} tn_combine;

typedef struct tn_nest_stage {
    uint32_t depth;    /* it stands within axes [0, depth) */
    uint32_t first, n; /* its own axes: [first, first + n) */
    tn_combine combine;
    tn_dtype type;  /* of the local */
    tn_calc *start; /* NULL: what changes nothing, such as 0 of a sum */
    tn_nest_guard guards[TN_NEST_GUARDS];
    uint32_t n_guards;
    tn_calc *body;
} tn_nest_stage;

typedef struct tn_nest {
    uint32_t n_outer, n_axes;
    int64_t extent[TN_NEST_AXES];
    tn_nest_stage stage[TN_NEST_STAGES];
    uint32_t n_stages;
    bool border;     /* made of elements of an operand that has a place of its own in the result */
    uint32_t result; /* position */
    tn_affine store;
    tn_calc *value;
    tn_affine
        store_too; /* a second element, made before either is stored: of a result that lies over */
    tn_calc *value_too; /* what both are made of; NULL: there is none */
    bool moves; /* elements of the result's type, with which nothing is computed; stages find places
                 */
} tn_nest;

/* The name of an op in formulas, how many arguments it takes. */
const char *tn_calc_name(tn_calc_op op);
uint32_t tn_calc_args(tn_calc_op op);

/* The type in which elements are computed with; TN_DT_UNKNOWN of those nobody computes with. */
tn_dtype tn_calc_type_of(tn_dtype dtype);
/* Whether it is f32 or f64. */
bool tn_calc_is_float(tn_dtype type);
/* Adds an axis; its number. */
uint32_t tn_nest_axis(tn_nest *n, int64_t extent);
/* An axis becomes two, the second of `inner` indices, by which its extent can be divided. False,
 * the nest being of no use then, where that cannot be. */
bool tn_nest_divide(tn_nest *n, uint32_t axis, int64_t inner);
/* Neighbouring axes become one where every place goes through both as through one; axes of one
 * index go. */
void tn_nest_join(tn_nest *n);
/* The least and the largest value of `at`, axes [from, to) going through their extents, the others
 * being 0. */
void tn_affine_range(const tn_nest *n, const tn_affine *at, uint32_t from, uint32_t to,
                     int64_t *least, int64_t *most);

#endif
