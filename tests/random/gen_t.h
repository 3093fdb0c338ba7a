/* Shared by the parts of the generator, and by nobody else. */
#ifndef TENURE_TESTS_RANDOM_GEN_T_H
#define TENURE_TESTS_RANDOM_GEN_T_H

#include "tests/random/gen.h"
#include "tests/random/rng.h"

enum { GEN_MAX_RANK = 5, GEN_MAX_BYTES = 1536, GEN_MAX_DEPTH = 4 };

/* Extents are numbers, or with GEN_OPEN an expression of the module's table over symbols. */
#define GEN_OPEN (INT64_C(1) << 40)

/* A value in reach. `open`: its size is unknown, and only ops that fit anything may read it. */
typedef struct gen_value {
    tn_value *v;
    tn_dtype dtype;
    uint32_t rank;
    int64_t dims[GEN_MAX_RANK];
    bool open;
} gen_value;

typedef struct gen {
    rng random;
    tn_module *m;
    tn_graph *graph; /* being filled */
    int64_t opset;
    uint32_t depth, budget; /* of graphs; ops still to make */
    uint32_t n_names;
    TN_VEC(gen_value) reach; /* what ops may read here, newest last */
    uint32_t reach_from;     /* in the body of a function, where its own begins */
    bool in_function;
    bool symbols;                     /* extents may be expressions */
    bool images;                      /* there are images, and ops on them */
    TN_VEC(const tn_type *) expected; /* by value id */
    TN_VEC(gen_value) constants;      /* of the main graph, for use more than once */
} gen;

/* Something to make, and how often among all. `make` returns false when nothing fitted. */
typedef struct gen_maker {
    uint32_t weight;
    bool (*make)(gen *g);
} gen_maker;

/* Ends at weight 0. */
extern const gen_maker gen_math_makers[], gen_move_makers[], gen_nest_makers[], gen_odd_makers[],
    gen_window_makers[];

/* One op or group of ops, by one of the makers. */
void gen_step(gen *g);
/* Ops until `until` of the budget are left. */
void gen_fill(gen *g, uint32_t until);
/* A training step: forward, loss, backward, update; calls gen_step in between. */
void gen_training(gen *g);

/* A Concat whose parts have room for others before they are written; false when nothing fitted. */
bool gen_rooms(gen *g);

/* A copy of a value in reach, recent ones more often. */
gen_value gen_pick(gen *g);
/* One of that type; false when none was found. */
bool gen_pick_like(gen *g, const gen_value *like, gen_value *out);
int64_t gen_elements(gen *g, const gen_value *v);
/* Whether all extents are numbers. */
bool gen_is_fixed(uint32_t rank, const int64_t *dims);
/* Sums, products and quotients of extents; the last is -1 where something is left. */
int64_t gen_plus(gen *g, int64_t a, int64_t b);
int64_t gen_times(gen *g, int64_t a, int64_t b);
int64_t gen_parts(gen *g, int64_t a, int64_t b);
bool gen_fits(tn_dtype dtype, uint32_t rank, const int64_t *dims);
bool gen_same_type(const gen_value *a, const gen_value *b);

const char *gen_name(gen *g);
/* A fresh op in the graph at hand. */
tn_op *gen_op(gen *g, const char *domain, const char *type);
/* Its next result, put in reach. */
gen_value gen_result(gen *g, tn_op *op, tn_dtype dtype, uint32_t rank, const int64_t *dims);
gen_value gen_result_like(gen *g, tn_op *op, const gen_value *like);
/* A result of unknown size, with the type (or NULL) its op's rule needs from the file. */
gen_value gen_result_open(gen *g, tn_op *op, const tn_type *type);
gen_value gen_result_named(gen *g, tn_op *op, const char *name, const gen_value *like);
/* Inputs of the graph at hand, put in reach. */
gen_value gen_input(gen *g, const char *name, tn_dtype dtype, uint32_t rank, const int64_t *dims);
/* A parameter of the function whose body is at hand, put in reach; its type is not always stated.
 */
gen_value gen_parameter(gen *g, const gen_value *like);
/* Notes what the type of a value has to come out as. */
void gen_expect(gen *g, const tn_value *v, const tn_type *type);
const tn_type *gen_type(gen *g, const gen_value *v);

/* Constants: integers that shapes may depend on, and mere bytes. */
tn_value *gen_ints(gen *g, uint32_t rank, uint32_t n, const int64_t *ints);
tn_value *gen_int(gen *g, int64_t i);  /* i64[] */
tn_value *gen_list(gen *g, int64_t i); /* i64[1] */
gen_value gen_weights(gen *g, const char *name, tn_dtype dtype, uint32_t rank, const int64_t *dims);
void gen_attr_ints(gen *g, tn_op *op, const char *name, uint32_t n, const int64_t *ints);
void gen_attr_string(gen *g, tn_op *op, const char *name, const char *text);

#endif
