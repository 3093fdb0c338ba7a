/* Reading plans whole: everything that the JSON form has (docs/PLAN.md explains it all), member by
 * member. tenure.h includes this header, and types.h says how structs are filled.
 *
 * Functions with an index fill *out and return nonzero; false (0) is behind the last, NULL, or a
 * struct_size that cannot be right. What is filled in stays valid as long as the plan. Values,
 * storages, pools, slots and steps are named by their indices; TENURE_NONE names none. Names are
 * the bytes that the model has. */
#ifndef TENURE_PLAN_READ_H
#define TENURE_PLAN_READ_H

#include "tenure/tenure.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the plan, its programs and variants ---- */

typedef struct tenure_plan_info {
    size_t struct_size;
    int format;           /* version of plans */
    const char *version;  /* of tenure, that made it */
    const char *digest;   /* of what the plan depends on in the model */
    const char *pipeline; /* the passes that made it */
    char layout[24];      /* where constants, inputs and state lie, in hexadecimal */
    uint32_t n_options, n_pools, n_programs;
    uint32_t n_facts; /* files of kernels' facts that the plan rests on */
} tenure_plan_info;
TENURE_API int tenure_plan_get_info(const tenure_plan *plan, tenure_plan_info *out);

/* The SHA-256 of a file of kernels' facts (docs/FACTS.md), 64 hexadecimal digits, in the order in
 * which they were given; NULL behind the last. */
TENURE_API const char *tenure_plan_facts(const tenure_plan *plan, size_t index);

/* The options that the plan was made with, as they count: bindings of dimensions, controls. */
TENURE_API int tenure_plan_option(const tenure_plan *plan, size_t index, const char **name,
                                  const char **value);

/* A graph that can be run. Programs never run at the same time and share the pools. */
typedef struct tenure_program {
    size_t struct_size;
    const char *name;
    uint32_t n_variants;
} tenure_program;
TENURE_API int tenure_plan_program(const tenure_plan *plan, size_t index, tenure_program *out);

/* The plan as a handle on that variant of that program, which is what all functions below read; it
 * belongs to the plan. A plan itself stands for the first variant of its first program. Its pools
 * are what this variant needs; all variants have the same pools, and what one program is to hold
 * is the largest of all (tenure_plan_arena_size). NULL where there is none. */
TENURE_API const tenure_plan *tenure_plan_variant(const tenure_plan *plan, size_t program,
                                                  size_t variant);

/* The variant of a program to run for these extents: the one with the smallest arena among those
 * that are at least as large in each of the n dimensions. TENURE_USAGE for a dimension that the
 * program has not; TENURE_ERROR where no variant is large enough, and a message that lists them. */
TENURE_API tenure_status tenure_plan_pick(const tenure_plan *plan, size_t program,
                                          const char *const *names, const int64_t *extents,
                                          size_t n, size_t *variant);

/* Which steps may run side by side. */
typedef enum tenure_concurrency {
    TENURE_SERIAL,   /* those that have waited for their hazards too */
    TENURE_DATAFLOW, /* all whose operands are written */
    TENURE_QUEUES    /* the same, steps of one queue one after the other */
} tenure_concurrency;

/* A program for one binding of its dimensions. */
typedef struct tenure_variant {
    size_t struct_size;
    const char *guard;          /* when it may run; NULL: always */
    int reordered;              /* the order of the steps is not that of the file */
    int partial;                /* dimensions are open, and values left out for that */
    tenure_ids inputs, outputs; /* values, in the order of the model */
    /* Of the inputs those that must have the elements the plan was made with. */
    tenure_ids fixed;
    uint32_t n_bound, n_open, n_slots, n_storages, n_values, n_steps, n_bindings;
    uint32_t n_ranges; /* dimensions that stay open, which tenure_plan_range has */
    tenure_concurrency concurrency;
    uint32_t n_queues; /* of TENURE_QUEUES, else 0 */
} tenure_variant;
TENURE_API int tenure_plan_get_variant(const tenure_plan *plan, tenure_variant *out);

/* A dimension that the model leaves open, and what it was bound to. */
TENURE_API int tenure_plan_bound_dim(const tenure_plan *plan, size_t index, const char **name,
                                     int64_t *value);
/* The name of a dimension that is open still, of a partial plan; NULL behind the last. */
TENURE_API const char *tenure_plan_open_dim(const tenure_plan *plan, size_t index);

/* A dimension that the plan leaves open. It is for every extent from `min` to `max`. Offsets and
 * sizes of the functions below are those for extents of `point`: tenure_plan_resolve gives those
 * for others. */
typedef struct tenure_range {
    size_t struct_size;
    const char *name;
    int64_t min, max; /* max is INT64_MAX where nothing limits it */
    int64_t point;
} tenure_range;
TENURE_API int tenure_plan_range(const tenure_plan *plan, size_t index, tenure_range *out);
/* A dimension of the model that follows from those, and the expression that it is ("past + seq");
 * 0 behind the last. */
TENURE_API int tenure_plan_related_dim(const tenure_plan *plan, size_t index, const char **name,
                                       const char **is);
/* An extent that is known only while running, for data give it: 0 to `most`. Sizes and offsets are
 * for the most there can be; extents of values (tenure_plan_value_dim) have the name in them. */
typedef struct tenure_data_dim {
    size_t struct_size;
    const char *name;
    int64_t most;          /* -1 where it is an expression */
    const char *most_text; /* over dimensions that are open; NULL where it is a number */
    uint32_t value; /* the first value whose extent it is along `axis`; TENURE_NONE: values have
                       it in sums alone */
    uint32_t axis;
} tenure_data_dim;
TENURE_API int tenure_plan_data_dim(const tenure_plan *plan, size_t index, tenure_data_dim *out);
/* The plan for n extents, one for each dimension that it leaves open, by name in any order: of the
 * variants that are for these extents the one with the smallest arena, with its offsets and sizes.
 * It refers to `plan`, which has to stay, and belongs to the caller (tenure_plan_free).
 * Those of dimensions that follow from others may be given too, and have to be what follows.
 * TENURE_USAGE for other dimensions, TENURE_ERROR for extents out of range and sizes that overflow.
 * Of several programs it is the plan of one: all names begin with that of the program and a slash.
 * Time is linear in storages and values. */
TENURE_API tenure_status tenure_plan_resolve(const tenure_plan *plan, const char *const *names,
                                             const int64_t *extents, size_t n, tenure_plan **out);

/* After the run, the tensor `state` takes the bytes of `value`. */
TENURE_API int tenure_plan_binding(const tenure_plan *plan, size_t index, const char **state,
                                   uint32_t *value);

/* ---- memory ---- */

typedef enum tenure_pool_kind {
    TENURE_POOL_ARENA, /* shared over time */
    TENURE_POOL_IO,    /* inputs, outputs, state: kept by the caller */
    TENURE_POOL_CONST, /* data of the model */
    TENURE_POOL_STATE  /* state, where the user keeps it apart from inputs and outputs */
} tenure_pool_kind;

typedef struct tenure_pool {
    size_t struct_size;
    const char *name;
    tenure_pool_kind kind;
    uint64_t align;    /* of every storage in it, and of its base */
    uint64_t capacity; /* 0: no limit */
    uint64_t size;
    uint64_t bound;      /* proven: no plan of this order and these aliases needs less */
    uint64_t cost;       /* of a byte read or written there ("pool"); 0: nobody said */
    uint64_t traffic;    /* bytes that one run reads and writes there; 0 without a cost */
    const char *section; /* of the linker, or a kind of memory; NULL: none */
    int copied;          /* constants: the program copies them there before the first run */
    uint64_t base_align; /* what its address is a multiple of: `align`, or more where values ask */
} tenure_pool;
TENURE_API int tenure_plan_pool(const tenure_plan *plan, size_t index, tenure_pool *out);

/* A shared object of the slots model, as large as its largest storage. */
typedef struct tenure_slot {
    size_t struct_size;
    uint32_t pool;
    uint64_t offset, size;
} tenure_slot;
TENURE_API int tenure_plan_slot(const tenure_plan *plan, size_t index, tenure_slot *out);

/* What a value and its aliases lie in. */
typedef struct tenure_storage {
    size_t struct_size;
    uint32_t pool;
    uint32_t slot; /* TENURE_NONE in the offsets model */
    uint64_t offset, size, align;
    int32_t first, last; /* live at these steps and between; -1: before the first step */
    int pinned;          /* nobody else may have its bytes, at any step */
    uint32_t root;       /* the value that owns the bytes */
    /* With open dimensions: storages of its pool that it begins behind, whatever the extents (its
     * offset is the smallest multiple of `align` behind all of them, or what it is here where there
     * is none); and its size as an expression, NULL where that is a number. */
    tenure_ids above;
    const char *size_text;
    /* It is there twice ("double-buffer"): in every second run all that lies in it lies so many
     * bytes further; `size` counts both places. 0: it has one. */
    uint64_t second;
} tenure_storage;
TENURE_API int tenure_plan_storage(const tenure_plan *plan, size_t index, tenure_storage *out);

/* ---- values ---- */

typedef enum tenure_role {
    TENURE_ROLE_INTERNAL,
    TENURE_ROLE_INPUT,
    TENURE_ROLE_OUTPUT,
    TENURE_ROLE_CONST,
    TENURE_ROLE_STATE,
    TENURE_ROLE_WORKSPACE /* bytes for the kernel of a step, which no step reads */
} tenure_role;

/* Why a value shares the storage of another one. */
typedef enum tenure_alias {
    TENURE_ALIAS_NONE,
    TENURE_ALIAS_VIEW,    /* the same bytes under another shape, or a part of them */
    TENURE_ALIAS_INPLACE, /* written over an operand that is not needed any more */
    TENURE_ALIAS_UPDATE,  /* the operand, updated */
    TENURE_ALIAS_SHARE    /* a gradient in the bytes of a value that is dead by then */
} tenure_alias;

/* What kind of reason a value has for being without a place. */
typedef enum tenure_left_out {
    TENURE_LEFT_NOT,   /* it has one */
    TENURE_LEFT_OPEN,  /* its size follows from a dimension that is open, or an unknown input */
    TENURE_LEFT_DATA,  /* its size depends on data, or its type has none */
    TENURE_LEFT_UNUSED /* it needs no bytes */
} tenure_left_out;

/* A value of the model, and where it is. Its first byte is base of the pool + `offset`. */
typedef struct tenure_placement {
    size_t struct_size;
    uint32_t index;
    const char *name;
    const char *graph; /* path of its graph, "" for the main one */
    tenure_role role;
    tenure_dtype dtype;
    uint32_t rank;
    const int64_t *dims; /* rank of them; -1 where open */
    const char *type;    /* "f32[2,n]" */
    const char *why;     /* why it is not planned; NULL when it is */
    tenure_left_out left_out;
    const char *pool;        /* name of its pool; NULL when not planned */
    uint32_t storage;        /* TENURE_NONE when not planned */
    uint64_t storage_offset; /* from the start of the storage */
    uint64_t offset;         /* from the start of the pool */
    uint64_t size;           /* bytes; 0 when not planned */
    const char *size_text;   /* the size as an expression, where known and no number; or NULL */
    int32_t first, last;     /* its own live range, in steps */
    uint32_t step;           /* that writes it; TENURE_NONE for inputs and constants */
    tenure_alias alias;
    uint32_t alias_of;   /* value, or TENURE_NONE */
    uint32_t n_overlaps; /* operands that it begins inside of, which tenure_plan_overlap has */
    int channels_last; /* its elements lie with axis 1 behind all others, not in row-major order */
    uint32_t clone_of; /* value whose elements this one holds once more, or TENURE_NONE */
} tenure_placement;

/* The values of all graphs of the model. tenure_plan_find takes a name of the main graph, or
 * "path/name" where it is none of the main graph's. */
TENURE_API size_t tenure_plan_value_count(const tenure_plan *plan);
TENURE_API int tenure_plan_value(const tenure_plan *plan, size_t index, tenure_placement *out);
TENURE_API int tenure_plan_find(const tenure_plan *plan, const char *name, tenure_placement *out);
/* The extent of an axis as an expression over the model's dimensions, for an extent of -1; NULL
 * where nothing is known, and for extents that are numbers. */
TENURE_API const char *tenure_plan_value_dim(const tenure_plan *plan, size_t index, size_t axis);

/* In which order kernels work (docs/OVERLAP.md). */
typedef enum tenure_order {
    TENURE_ORDER_NONE,
    TENURE_ORDER_ROWS,
    TENURE_ORDER_ROWS_BUFFERED,
    TENURE_ORDER_ELEMENTS,
    TENURE_ORDER_PIXELS
} tenure_order;

/* An operand in whose bytes a result begins: it begins at least `distance` bytes behind the result,
 * which is enough for a kernel that works in the order. */
typedef struct tenure_overlap {
    size_t struct_size;
    uint32_t value, step; /* the operand, and the step that reads it last and writes the result */
    uint64_t distance;
    tenure_order order;
} tenure_overlap;
/* Operand `index` that value `value` begins inside of. */
TENURE_API int tenure_plan_overlap(const tenure_plan *plan, size_t value, size_t index,
                                   tenure_overlap *out);

/* ---- steps ---- */

typedef enum tenure_step_kind {
    TENURE_STEP_OP,
    TENURE_STEP_BEGIN,
    TENURE_STEP_END
} tenure_step_kind;

/* Members with `n_` say how many the functions below have. Operands and results stand by position,
 * TENURE_NONE where one is left out: operands on an op and a begin, results on an op and an end. */
typedef struct tenure_step {
    size_t struct_size;
    tenure_step_kind kind;
    const char *graph; /* path */
    uint32_t partner;  /* the begin of an end, and the reverse; TENURE_NONE for an op */
    int idle;          /* nothing to run */
    tenure_ids operands, results;
    tenure_ids shape_only;    /* positions of operands of which only type and shape are read */
    tenure_ids reads, writes; /* values; reads holds those that bodies capture, too */
    tenure_ids hazards;       /* steps that must have finished, beyond what the data say */
    uint32_t n_nodes, n_attributes, n_bodies, n_moves, n_claims, n_frees;
    uint32_t n_workspaces;
    int fused;         /* one kernel does all nodes: tenure_plan_fused says what it is called */
    uint32_t queue;    /* it runs in, 0 but in a plan of TENURE_QUEUES */
    uint32_t clone_of; /* step whose node this one runs once more, or TENURE_NONE */
} tenure_step;
TENURE_API int tenure_plan_step(const tenure_plan *plan, size_t index, tenure_step *out);

/* The nodes of the model that a step runs: one, or those that kernels' facts make one step of. */
typedef struct tenure_node {
    size_t struct_size;
    int32_t index; /* in the file's list of the graph */
    const char *name, *domain, *op;
    int64_t version; /* of the operator set; 0 when the model imports none */
} tenure_node;
TENURE_API int tenure_plan_node(const tenure_plan *plan, size_t step, size_t index,
                                tenure_node *out);

/* The op, domain and name of a step of several nodes; false (0) for other steps. */
TENURE_API int tenure_plan_fused(const tenure_plan *plan, size_t step, tenure_node *out);

/* Bytes for the kernel beside operands and results: at most one for the call, and one that stays.
 */
typedef struct tenure_workspace {
    size_t struct_size;
    uint32_t value;  /* where it is */
    int kept;        /* the bytes stay from run to run; they are 0 before the first */
    const char *way; /* of several ways to do the work, as kernels' facts name it; "" for none */
} tenure_workspace;
TENURE_API int tenure_plan_workspace(const tenure_plan *plan, size_t step, size_t index,
                                     tenure_workspace *out);

/* Attributes as a kernel needs them, sorted by name: defaults are filled in, axes counted from the
 * front (docs/PLAN.md). Kinds TYPE, GRAPH and lists of tensors come without content. */
TENURE_API int tenure_plan_attribute(const tenure_plan *plan, size_t step, size_t index,
                                     tenure_attribute *out);
TENURE_API int tenure_plan_find_attribute(const tenure_plan *plan, size_t step, const char *name,
                                          tenure_attribute *out);

/* A nested graph of the op that a begin starts. */
typedef struct tenure_body {
    size_t struct_size;
    const char *attribute;      /* that holds it; "" for the body of a called function */
    const char *graph;          /* path; its steps have this one */
    tenure_ids inputs, outputs; /* values by position */
} tenure_body;
TENURE_API int tenure_plan_body(const tenure_plan *plan, size_t step, size_t index,
                                tenure_body *out);

typedef enum tenure_move_when {
    TENURE_MOVE_BEGIN,     /* once, before the body runs for the first time */
    TENURE_MOVE_ITERATION, /* before each iteration */
    TENURE_MOVE_NEXT,      /* after an iteration, when another one follows */
    TENURE_MOVE_AFTER,     /* after each iteration */
    TENURE_MOVE_END,       /* once, when all has run; with several bodies, of the one that ran */
    TENURE_MOVE_NONE       /* in place of END, when no iteration has run */
} tenure_move_when;

typedef enum tenure_move_kind {
    TENURE_MOVE_COPY,  /* all bytes of `from` to `to` */
    TENURE_MOVE_SLICE, /* what lies at the iteration's position along `axis` of `from` */
    TENURE_MOVE_STACK, /* `from` to the iteration's position along `axis` of `to` */
    TENURE_MOVE_COUNT, /* the number of the iteration, from 0 */
    TENURE_MOVE_TRUE   /* true */
} tenure_move_kind;

/* Moves of one moment happen at once: all sources are read before any target is written. */
typedef struct tenure_move {
    size_t struct_size;
    tenure_move_when when;
    tenure_move_kind kind;
    uint32_t body;     /* index in the bodies of the begin */
    uint32_t from, to; /* values; `from` is TENURE_NONE for COUNT and TRUE */
    int64_t axis;
    int reverse; /* the first iteration has the last position */
} tenure_move;
TENURE_API int tenure_plan_move(const tenure_plan *plan, size_t step, size_t index,
                                tenure_move *out);

/* What a kernel has to keep for a result and an operand that share bytes (docs/PLAN.md). */
typedef enum tenure_promise {
    TENURE_PROMISE_KEEP,
    TENURE_PROMISE_ELEMENTS,
    TENURE_PROMISE_ROWS,
    TENURE_PROMISE_UPDATE,
    TENURE_PROMISE_DEFINITION,
    TENURE_PROMISE_ASCENDING,
    TENURE_PROMISE_DESCENDING,
    /* The result begins inside the operand, as tenure_plan_overlap of the result says. */
    TENURE_PROMISE_OVERLAP_ROWS,
    TENURE_PROMISE_OVERLAP_ROWS_BUFFERED,
    TENURE_PROMISE_OVERLAP_ELEMENTS,
    TENURE_PROMISE_OVERLAP_PIXELS
} tenure_promise;

typedef struct tenure_claim {
    size_t struct_size;
    uint32_t result; /* position; TENURE_NONE: the op writes over the operand and names no result */
    uint32_t operand; /* position */
    tenure_promise promise;
} tenure_claim;
TENURE_API int tenure_plan_claim(const tenure_plan *plan, size_t step, size_t index,
                                 tenure_claim *out);

/* A storage that nobody needs after the step; whoever runs steps side by side waits for `after`. */
typedef struct tenure_release {
    size_t struct_size;
    uint32_t storage;
    tenure_ids after; /* steps */
} tenure_release;
TENURE_API int tenure_plan_release(const tenure_plan *plan, size_t step, size_t index,
                                   tenure_release *out);

/* ---- figures ---- */

/* Bytes of arenas where nothing else is said. */
typedef struct tenure_figures {
    size_t struct_size;
    uint64_t naive;                 /* each value with bytes of its own */
    uint64_t level0;                /* reuse among equal types and shapes */
    uint64_t level1;                /* reuse among any */
    uint64_t bound;                 /* no layout for this order and these aliases is smaller */
    uint64_t order_bound;           /* no order can do with less; 0: not known */
    uint64_t other_order;           /* what another order would need at most; 0: none found */
    uint64_t saved_by_sharing;      /* more without sharing of gradients */
    uint64_t const_bytes, io_bytes; /* sizes of the other pools */
    uint64_t ram, flash;            /* all pools that are written; all that are only read */
    uint32_t n_inplace, n_views, n_updates, n_shared; /* aliases by kind */
    /* Nothing is left out as open or data, and the arena is as small as `bound`: optimal for this
     * order and these aliases. Where it is as small as order_bound too, for any order. */
    int optimal;
    const char *algorithm; /* the packer that won */
    int32_t peak_step;     /* where the most is alive; -1: nowhere */
    tenure_ids peak;       /* storages alive there, largest first */
    uint32_t n_planned, n_unplanned;
    uint32_t n_open, n_data;                                   /* of the unplanned */
    uint32_t n_backward_ops, n_backward_values, n_param_grads; /* recognised in training graphs */
    /* Made with "keep-best" and ended early: right, but another run may make another plan. */
    int interrupted;
    /* Traffic times cost of all pools, and what no way to spread the same storages goes below; 0
     * without costs. */
    uint64_t cost, cost_bound;
    /* Of plans whose steps run side by side, else 0: how many that run something come one after the
     * other at least, by data alone, and the arena of a plan for one order (0: not known). */
    uint32_t depth, data_depth;
    uint64_t serial;
    /* Of what is computed once more; operations of clones and of all else by a model, the arena
     * without clones (0: not known), and how many points tenure_plan_recompute_point has. All 0
     * where nothing was asked to be computed once more. */
    uint32_t n_clones;
    uint64_t clone_operations, model_operations, arena_without_clones;
    uint32_t n_recompute_points;
} tenure_figures;
TENURE_API int tenure_plan_figures(const tenure_plan *plan, tenure_figures *out);

/* The plan that this one was to stay near to (option "based-on"), and how far that went. */
typedef struct tenure_base {
    size_t struct_size;
    const char *digest; /* of that plan */
    uint32_t n_matched; /* values that have places in both plans */
    uint32_t n_moved;   /* those that lie elsewhere now: tenure_plan_shift has them */
    uint32_t n_least;   /* proven: so many have to, for these aliases and this order */
    uint64_t free;      /* bytes of all arenas without that plan */
} tenure_base;
/* 0 where there is none. */
TENURE_API int tenure_plan_base(const tenure_plan *plan, tenure_base *out);

typedef enum tenure_shift_why {
    TENURE_SHIFT_POOL,  /* it is in another pool now */
    TENURE_SHIFT_ALIAS, /* it shares bytes with values that lay elsewhere */
    TENURE_SHIFT_FIX,   /* the option "fix" says where it lies */
    TENURE_SHIFT_ALIGN, /* the offset breaks its alignment */
    TENURE_SHIFT_SIZE,  /* it would end behind what the pool may have */
    TENURE_SHIFT_TAKEN  /* something that is alive at the same time lies there */
} tenure_shift_why;

/* A value that lies elsewhere than before. */
typedef struct tenure_shift {
    size_t struct_size;
    uint32_t value;
    const char *pool; /* where it lay */
    uint64_t offset;  /* in that pool */
    tenure_shift_why why;
    uint32_t by; /* TAKEN: a value that lies there, or TENURE_NONE */
} tenure_shift;
TENURE_API int tenure_plan_shift(const tenure_plan *plan, size_t index, tenure_shift *out);

/* Plans that were found while clones were looked for: more operations, a smaller arena. */
typedef struct tenure_recompute_point {
    size_t struct_size;
    uint64_t operations; /* of the clones */
    uint64_t arena;      /* bytes */
} tenure_recompute_point;
TENURE_API int tenure_plan_recompute_point(const tenure_plan *plan, size_t index,
                                           tenure_recompute_point *out);

#ifdef __cplusplus
}
#endif

#endif
