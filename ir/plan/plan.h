/* The plan: a second small IR. Everything a backend or another tool needs is in it; backends read a
 * plan and nothing else. All strings and arrays are in the plan's own arena, so a plan outlives
 * the module it was made from.
 *
 * Units: sizes, offsets and alignments are bytes; steps are positions in the schedule.
 *
 * Steps. One for each op in execution order. An op with nested graphs (If, Loop, Scan, a call) has
 * two: TN_STEP_BEGIN before the steps of its bodies and TN_STEP_END after them, so that one
 * numbering covers all depths and lifetimes are plain intervals. Operands of such an op are read
 * from begin to end, those of a call of a function when it begins; body arguments are written at
 * begin and needed to the end; results are written at the end. Where such an op would copy a value
 * (operand to argument, output to the next argument or to the result) and both lie in the same
 * bytes, nothing is copied (docs/PLAN.md).
 *
 * Live range. A storage is live at steps first..last, both included: it may be written at `first`
 * and is needed up to the end of step `last`. Two storages of one pool may share bytes only when
 * their ranges do not meet. Inputs are written before step 0 (first = -1); what the caller reads
 * afterwards is live to n_steps (last = n_steps). */
#ifndef TENURE_IR_PLAN_PLAN_H
#define TENURE_IR_PLAN_PLAN_H

#include "ir/concurrency.h"
#include "ir/left_out.h"
#include "ir/ops/work_order.h"

/* Open dimensions. A plan that holds for a range of extents has expressions (`tn_dim` of its own
 * table, tn_plan.exprs) beside numbers: numbers are those of one point of the range, at which the
 * plan was made, and offsets follow from the relation `above` (ir/plan/plan_extents.h).
 *
 * Sets. Plans of several programs, and of several variants of one program, that share pools are one
 * plan for whoever reads it. Each is a tn_plan; the first of them owns the others. */

#define TN_NO_ID UINT32_MAX
#define TN_PLAN_FORMAT 2 /* version of the text and JSON forms */

typedef enum tn_pool_kind {
    TN_POOL_ARENA, /* planned: storages share it over time */
    TN_POOL_IO,    /* inputs, outputs and state, kept by the caller: no two overlap */
    TN_POOL_CONST, /* constants: read-only data, no two overlap */
    TN_POOL_STATE, /* what stays from run to run, where the user keeps it apart; like TN_POOL_IO */
    TN_N_POOL_KINDS
} tn_pool_kind;

typedef struct tn_pool {
    const char *name; /* "arena", "io", "const", or the user's */
    tn_pool_kind kind;
    uint64_t align;      /* of every storage in it, and of its base */
    uint64_t base_align; /* of its base, where values in it ask for more than `align`; else 0 */
    uint64_t capacity;   /* 0: no limit */
    uint64_t size;       /* bytes the pool needs: those of this plan, in a set too */
    uint64_t bound;      /* proven lower bound on size for this order and these alias decisions */
    uint64_t cost;       /* of a byte read or written there; 0: nobody asked, and it counts not */
    uint64_t traffic;    /* bytes that one run reads and writes there; 0 without a cost */
    const char *section; /* of the linker, or a kind of memory; NULL: none */
    bool copied; /* constants: the program copies them there from the weights image; state: it
                    goes to where kernels work on it, and back */
} tn_pool;

typedef enum tn_plan_role {
    TN_ROLE_INTERNAL,
    TN_ROLE_INPUT,
    TN_ROLE_OUTPUT,
    TN_ROLE_CONST,
    TN_ROLE_STATE,
    TN_ROLE_WORKSPACE, /* bytes for the kernel of a step, which no step reads */
} tn_plan_role;

typedef struct tn_ids {
    const uint32_t *data;
    uint32_t len;
} tn_ids;

typedef struct tn_storage {
    uint32_t id;   /* index in tn_plan.storages */
    uint32_t pool; /* index in tn_plan.pools */
    uint32_t slot; /* shared object it lies in, TN_NO_ID in the offsets model */
    uint64_t offset, size, align;
    int32_t first, last;   /* live range in steps */
    bool pinned;           /* nobody else may use its bytes at any step */
    uint32_t root;         /* plan value that owns the bytes */
    tn_dim size_expr;      /* `size` for all dimensions; TN_DIM_UNKNOWN where it is a number */
    const char *size_text; /* the same as text, or NULL */
    tn_ids above;          /* of a plan with open dimensions: storages of its pool that it begins
                              behind, whatever the dimensions; offsets follow from this */
    uint64_t second; /* it is there twice: in every second run all that lies in it lies so many
                        bytes further, and `size` counts both; 0: it has one place */
} tn_storage;

/* The slots model: shared objects, each as large as its largest storage. Offsets are given as well
 * (slots laid out one behind the other), so every backend can use them. */
typedef struct tn_slot {
    uint32_t pool;
    uint64_t offset, size;
} tn_slot;

/* An operand that dies at the step that writes a result, and whose storage, which dies with it, has
 * bytes in common with the result. Of a part of a larger storage these need not be its own. */
typedef struct tn_plan_overlap {
    uint32_t value;      /* the operand */
    uint32_t step;       /* that reads it last and writes the result */
    uint64_t distance;   /* bytes it has to begin behind the result, and does at least */
    tn_work_order order; /* in which the kernel has to work for that to be enough */
} tn_plan_overlap;

/* A value of the graph, placed or not. */
typedef struct tn_plan_value {
    const char *name;
    const char *graph; /* path of its graph, "" for the main one */
    tn_plan_role role;
    tn_dtype dtype;
    const int64_t *dims; /* rank of them; -1 where open */
    const char *const
        *dim_texts;         /* NULL where all are numbers; else an expression or NULL for each */
    const char *type;       /* text of the type, with symbols */
    const char *bytes_text; /* size as an expression when it is not a number, else NULL */
    const char *why;        /* reason when it is not planned, else NULL */
    uint64_t bytes;         /* 0 when not planned */
    uint64_t offset;        /* from the start of the storage */
    uint32_t rank;          /* extents in `dims` and `dim_texts` */
    tn_left_out left_out;   /* what kind of reason `why` is */
    uint32_t storage;       /* TN_NO_ID when not planned */
    tn_dim bytes_expr;      /* `bytes` for all dimensions; TN_DIM_UNKNOWN where it is a number */
    tn_dim offset_expr;     /* `offset` for all dimensions, likewise */
    int32_t first, last;    /* its own live range, inside that of the storage */
    uint32_t step;          /* step that writes it, TN_NO_ID for inputs and constants */
    tn_alias_kind alias;    /* why it shares the storage of alias_of */
    uint32_t alias_of;      /* plan value or TN_NO_ID */
    uint32_t clone_of;      /* plan value with the same elements, made by the step that this one's
                               step repeats; TN_NO_ID for what the model has */
    const tn_plan_overlap *overlaps; /* operands that it begins inside of, n_overlaps of them */
    uint32_t n_overlaps;
    uint32_t module_value; /* id in the module the plan was made from; not part of any text form */
    bool channels_last; /* its elements lie with axis 1 behind all others, not in row-major order */
} tn_plan_value;

/* Training info: what holds the tensor `state` takes the bytes of the value after the run. */
typedef struct tn_plan_binding {
    const char *state; /* of the main graph; of a plan of an initialization graph, of the model */
    uint32_t value;
} tn_plan_binding;

/* A dimension that the model leaves open, and the extent it was bound to. */
typedef struct tn_plan_dim {
    const char *name;
    int64_t value;
} tn_plan_dim;

/* A dimension that the plan leaves open: it holds for every extent from `min` to `max`. */
typedef struct tn_plan_range {
    const char *name;
    int64_t min, max; /* max is INT64_MAX where nothing limits it */
    int64_t point;    /* the extent that the numbers of the plan are for */
} tn_plan_range;

/* A dimension of the model that follows from those that the plan leaves open. */
typedef struct tn_plan_relation {
    const char *name;
    tn_dim is; /* of tn_plan.exprs */
    const char *is_text;
} tn_plan_relation;

/* An extent that is known only while running, for data give it: 0 to `most`. Values with it have
 * places for the most there can be, lie compact at the beginning of them, and lie there in all
 * runs; what of a plan rests on sizes holds for every such extent. */
typedef struct tn_plan_data_dim {
    const char *name;
    int64_t most;          /* -1 where it is an expression */
    const char *most_text; /* over dimensions that are open; NULL where it is a number */
    uint32_t value, axis;  /* whose extent it is: that of the first value with it; TN_NO_ID and 0
                              where values have it in sums alone */
} tn_plan_data_dim;

typedef enum tn_step_kind { TN_STEP_OP, TN_STEP_BEGIN, TN_STEP_END } tn_step_kind;

/* A nested graph of the op that a BEGIN starts. */
typedef struct tn_plan_body {
    const char *attribute;  /* that holds it; "" for the body of a called function */
    const char *graph;      /* path */
    tn_ids inputs, outputs; /* plan values by position */
} tn_plan_body;

/* What an op with nested graphs copies between its values and theirs. Moves of one moment happen at
 * once: all sources are read before any target is written. */
typedef enum tn_move_when {
    TN_MOVE_BEGIN,     /* once, before the body runs for the first time */
    TN_MOVE_ITERATION, /* before each iteration */
    TN_MOVE_NEXT,      /* between an iteration and the one behind it */
    TN_MOVE_AFTER,     /* after each iteration */
    TN_MOVE_END,       /* once, when all has run */
    TN_MOVE_NONE,      /* instead of those at the end, when no iteration has run */
} tn_move_when;

typedef enum tn_move_kind {
    TN_MOVE_COPY,  /* all bytes of `from` to `to` */
    TN_MOVE_SLICE, /* what lies at the iteration's position along `axis` of `from` to `to` */
    TN_MOVE_STACK, /* `from` to the iteration's position along `axis` of `to` */
    TN_MOVE_COUNT, /* the number of the iteration, from 0, to `to`; `from` is TN_NO_ID */
    TN_MOVE_TRUE,  /* true to `to`; `from` is TN_NO_ID */
} tn_move_kind;

typedef struct tn_plan_move {
    tn_move_when when;
    tn_move_kind kind;
    uint32_t body;     /* the moves of which body these are: position in the bodies of the begin */
    uint32_t from, to; /* plan values */
    int64_t axis;      /* of slices and stacks, from the front */
    bool reverse;      /* slices and stacks: the first iteration has the last position */
} tn_plan_move;

/* What the kernel of a step has to keep for a result and an operand that share bytes. */
typedef enum tn_plan_promise {
    TN_PROMISE_KEEP,       /* the bytes hold what the result needs there: the kernel leaves them
                              alone, or writes just that */
    TN_PROMISE_ELEMENTS,   /* element i is read before element i is written, none is read later */
    TN_PROMISE_ROWS,       /* a row or group is read as a whole before it is written */
    TN_PROMISE_UPDATE,     /* the operand is read and written once, in ascending order, and touched
                              nowhere else */
    TN_PROMISE_DEFINITION, /* the op's definition makes both one buffer */
    TN_PROMISE_ASCENDING,  /* elements are read and written one by one, from the first to the last;
                              those of the result are narrower than those of the operand */
    TN_PROMISE_DESCENDING, /* from the last to the first; those of the result are wider */
    /* The result begins inside the operand, at a distance that tn_plan_value.overlaps of the result
     * states: the kernel works in the order (ir/ops/work_order.h). One for each order but none. */
    TN_PROMISE_OVERLAP_ROWS,
    TN_PROMISE_OVERLAP_ROWS_BUFFERED,
    TN_PROMISE_OVERLAP_ELEMENTS,
    TN_PROMISE_OVERLAP_PIXELS,
} tn_plan_promise;

/* The promise of a kernel that works in the order, which is not none. */
static inline tn_plan_promise tn_promise_of_order(tn_work_order order) {
    return (tn_plan_promise)(TN_PROMISE_OVERLAP_ROWS + (order - TN_ORDER_ROWS));
}

typedef struct tn_plan_claim {
    uint32_t result;  /* position in the list of the step; TN_NO_ID: the op writes over the operand
                         and names no result for what it becomes */
    uint32_t operand; /* position in the list of the step */
    tn_plan_promise promise;
} tn_plan_claim;

/* Bytes for the kernel of a step beside operands and results. */
typedef struct tn_plan_workspace {
    uint32_t value;
    bool kept;       /* the bytes stay from run to run; they are 0 before the first */
    const char *way; /* of several that kernels' facts name, "" for none */
} tn_plan_workspace;

/* A node of the model. */
typedef struct tn_plan_node {
    int32_t node; /* index in the file's list of that graph */
    const char *name, *domain, *op;
    int64_t version; /* opset version of the domain; 0 when the file imports none */
    uint32_t nest;   /* of a step done by rows (docs/FUSION.md): nodes of one nest make its rows
                        together, nests follow one another within each block of rows */
} tn_plan_node;

typedef struct tn_plan_step {
    tn_step_kind kind;
    const char *graph; /* path of the op's graph */
    int32_t node;      /* node index in the file's list of that graph */
    const char *name, *domain, *op;
    int64_t version;           /* opset version of the domain; 0 when the file imports none */
    const tn_plan_node *parts; /* the nodes that one kernel does in one go: then name, domain and op
                                  are those of kernels' facts, and `node` is that of the last */
    const tn_plan_workspace *workspace; /* on OP and BEGIN */
    uint32_t n_parts;                   /* 0: the step is one node */
    uint32_t n_workspace;
    uint32_t clone_of;          /* the step whose node this one runs once more, or TN_NO_ID */
    uint32_t partner;           /* the BEGIN of an END and the reverse, else TN_NO_ID */
    tn_ids operands;            /* by position, on OP and BEGIN; TN_NO_ID where one is left out */
    tn_ids results;             /* by position, on OP and END; TN_NO_ID where one is left out */
    tn_ids shape_only;          /* positions of operands of which only type and shape are read */
    const tn_attr *attrs;       /* on OP and BEGIN, resolved (ir/ops/op_attrs.h), sorted by name */
    const tn_plan_body *bodies; /* on BEGIN */
    const tn_plan_move *moves;  /* on BEGIN */
    const tn_plan_claim *claims;
    uint32_t n_attrs, n_bodies, n_moves, n_claims;
    bool idle;            /* nothing to run: all results are bytes that are there already */
    tn_ids reads, writes; /* plan values; reads holds captured ones too, on BEGIN */
    tn_ids frees;         /* storages whose bytes are free after this step */
    const tn_ids *after;  /* one list for each of `frees`: other steps that must be done first; NULL
                             where no free waits */
    tn_ids hazards;     /* earlier steps that must have finished because this step overwrites bytes
                           they read or wrote; true data dependences are not repeated here */
    uint32_t queue;     /* of a plan of TN_QUEUES, else 0 */
    uint32_t module_op; /* id in the module; not part of any text form */
} tn_plan_step;

/* An arena, and the operations that clones take for it. */
typedef struct tn_plan_point {
    uint64_t operations, arena;
} tn_plan_point;

/* What is computed once more, and what that is worth. Operations are those of a model
 * (ir/ops/flops.h). */
typedef struct tn_plan_recompute {
    uint32_t n_clones;
    uint64_t operations;        /* of the clones */
    uint64_t model_operations;  /* of everything else */
    uint64_t without;           /* size of the arena without clones; 0: not known */
    const tn_plan_point *curve; /* plans that were found, from the first without clones on: more
                                   operations, a smaller arena */
    uint32_t n_curve;
} tn_plan_recompute;

/* Why a value lies elsewhere than in the plan that this one is based on. */
typedef enum tn_shift_why {
    TN_SHIFT_POOL,  /* it is in another pool now */
    TN_SHIFT_ALIAS, /* it shares bytes with values that lay elsewhere */
    TN_SHIFT_FIX,   /* the user says where it lies */
    TN_SHIFT_ALIGN, /* the offset breaks its alignment */
    TN_SHIFT_SIZE,  /* it would end behind what the pool may have */
    TN_SHIFT_TAKEN, /* something that is alive at the same time lies there */
} tn_shift_why;

typedef struct tn_plan_shift {
    uint32_t value;
    const char *pool; /* where it lay */
    uint64_t offset;
    tn_shift_why why;
    uint32_t by; /* TAKEN: the value whose storage lies there, else TN_NO_ID */
} tn_plan_shift;

/* The plan whose places are kept (--based-on), and what of it was not. */
typedef struct tn_plan_base {
    const char *digest;          /* of the plan; NULL: there is none */
    uint32_t n_matched;          /* values that have places in both plans */
    uint32_t n_least;            /* proven: so many of them have to lie elsewhere at least */
    const tn_plan_shift *shifts; /* those that do, by ascending value */
    uint32_t n_shifts;
    uint64_t free; /* bytes of all arenas without the plan before */
} tn_plan_base;

typedef struct tn_plan_report {
    uint64_t naive;                 /* every planned arena value its own bytes (aligned) */
    uint64_t level0;                /* level-0 reuse */
    uint64_t level1;                /* level-1 reuse, as planned or as it would be */
    uint64_t bound;                 /* lower bound for the arena */
    uint64_t const_bytes, io_bytes; /* sizes of the pools of these kinds */
    uint64_t ram;                   /* all pools that are written: arena, inputs, outputs, state */
    uint64_t flash;                 /* all pools of constants */
    uint32_t n_inplace, n_views, n_updates, n_shared; /* alias decisions by kind */
    bool optimal;          /* the plan is whole, and the arena as small as the bound */
    const char *algorithm; /* which packer won */
    int32_t peak_step;     /* the step with the most live bytes; -1 when there is none */
    tn_ids peak;           /* storages alive there, largest first */
    uint32_t n_planned, n_unplanned;
    uint32_t n_open, n_data; /* of the unplanned: TN_LEFT_OPEN and TN_LEFT_DATA */
    /* gradient sharing: what was recognised */
    uint32_t n_backward_ops, n_backward_values, n_param_grads;
    /* Of other orders, with the same kinds of aliases: what none of them can go below (0: not
     * known), and what one that was found would need (0: none that needs less was found). */
    uint64_t order_bound, other_order;
    uint64_t saved_by_sharing;   /* by which the arena would be larger if no value shared
                                    (TN_ALIAS_SHARE),   with the aliases chosen then */
    tn_plan_recompute recompute; /* all 0 where nothing was asked to be computed once more */
    tn_plan_base base;           /* all 0 where no plan was to be kept near to */
    bool interrupted;            /* searches were ended early: another run may make another plan */
    uint64_t cost, cost_bound;   /* of all traffic, by the costs of pools, and what none of the ways
                                    to spread these storages over them goes below; 0 without costs */
    /* Of plans whose steps run side by side; else 0. */
    uint32_t depth;      /* steps that run something, one after the other, at least: by data, by the
                            order of queues, and by hazards */
    uint32_t data_depth; /* by data alone */
    uint64_t serial;     /* arena of the plan for one order, 0 where it is not known */
} tn_plan_report;

struct tn_plan;

/* Whether a plan with open dimensions, whose storages have sizes and live ranges, but no places for
 * all extents, can become a better one than the caller has: else it is not made. */
typedef struct tn_plan_worth {
    bool (*is_worth)(void *user, const struct tn_plan *p);
    void *user;
} tn_plan_worth;

/* A graph that can be run. */
typedef struct tn_plan_program {
    const char *name; /* its own, unlike that of the model, which several programs may have */
    struct tn_plan **variants; /* n_variants of them, for different dimensions */
    uint32_t n_variants;
} tn_plan_program;

/* A value of one program that has the bytes of a value of another, in all of their variants: what
 * one program hands to the next, or state that both have. */
typedef struct tn_plan_link {
    uint32_t from, to; /* programs */
    const char *from_value, *to_value;
} tn_plan_link;

/* Programs that never run at the same time. Their plans have pools of the same number, names, kinds
 * and alignments; constants, state and what one program hands to another lie at the same places in
 * all. */
typedef struct tn_plan_set {
    const char *digest, *layout; /* as a file states them; NULL in a set just made */
    tn_plan_program *programs;
    uint32_t n_programs;
    tn_pool *pools; /* as large as the largest of all plans; the bound as well */
    tn_plan_link *links;
    uint32_t n_links;
} tn_plan_set;

typedef struct tn_plan {
    tn_ctx *ctx;
    tn_arena *arena;
    tn_pool *pools;
    uint32_t n_pools;
    tn_slot *slots;
    uint32_t n_slots;
    tn_storage *storages;
    uint32_t n_storages;
    tn_plan_value *values; /* in order of module value id */
    uint32_t n_values;
    tn_plan_step *steps;
    uint32_t n_steps;
    tn_plan_binding *bindings; /* in the order of the module's */
    uint32_t n_bindings;
    tn_plan_report report;
    bool has_orders;            /* the report may say what other orders would need */
    bool reordered;             /* the order is not the file's */
    tn_concurrency concurrency; /* which steps may run side by side without further waits */
    uint32_t n_queues;          /* of TN_QUEUES, else 0 */
    tn_ids inputs, outputs;     /* plan values, in the order of the model */
    tn_ids fixed; /* of the inputs those that must have the elements the plan was made with: sizes
                     or places depend on them */
    tn_plan_dim *dims; /* dimensions that were bound, by name */
    uint32_t n_dims;
    tn_plan_range *ranges; /* dimensions that the plan leaves open, by name. Variants of one program
                              have the same ones; of those whose ranges hold, the one with the
                              smallest arena is to be run */
    uint32_t n_ranges;
    tn_plan_relation *relations; /* by name */
    uint32_t n_relations;
    tn_plan_data_dim *data_dims; /* by name */
    uint32_t n_data_dims;
    tn_dims *exprs;   /* of expressions; NULL without open dimensions */
    tn_plan_set *set; /* NULL where the plan is one program in one variant; owned by the first plan
                          of its first program, the others share it */
    /* Dimensions are open and not planned for: values are left out that could have a place
     * (TN_LEFT_OPEN). No artefact is made of such a plan unless its options have "partial". */
    bool partial;
    const char **open; /* names of these dimensions; inputs without a shape have none */
    uint32_t n_open;
    /* provenance */
    const char *model;        /* name of the model graph */
    const char *digest;       /* of what the plan depends on (ir/plan/plan_digest.h) */
    const char *const *facts; /* SHA-256 of each file of kernels' facts, 64 hex digits, in order */
    uint32_t n_facts;
    const char *layout;     /* as a file states it (tn_plan_layout); NULL in a plan just made */
    const char *version;    /* of tenure */
    const char *pipeline;   /* as text */
    const tn_pair *options; /* bindings and controls: key, value */
    uint32_t n_options;
} tn_plan;

/* An empty plan in an arena of its own. */
tn_plan *tn_plan_new(tn_ctx *ctx);
/* The program of the set that the plan is a variant of; NULL without a set. */
const tn_plan_program *tn_plan_program_of(const tn_plan *p);
/* How many plans the set has, 1 without; and each of them, those of a program in a row. */
uint32_t tn_plan_count(const tn_plan *p);
const tn_plan *tn_plan_at(const tn_plan *p, uint32_t index);
/* Of two variants for whose extents both would do: whether `a` is to run. It has the smaller arena;
 * of equal ones the smaller extents, in order of their names. */
bool tn_plan_is_smaller(const tn_plan *a, const tn_plan *b);
/* Whether the plan is one of several that share pools. Variants of one program with open dimensions
 * are one plan, in pools that are as large as the dimensions at hand need. */
static inline bool tn_shares_pools(const tn_plan *p) {
    return p->set != NULL && (p->set->n_programs > 1 || p->n_ranges == 0);
}
/* With all plans of its set; `p` is the first of it. NULL is none. */
void tn_plan_drop(tn_plan *p);
/* The plan value of that name (graph path "" and name, or "path/name"), or NULL. */
const tn_plan_value *tn_plan_find(const tn_plan *p, const char *graph, const char *name);
/* The attribute of that name of a step, or NULL. */
const tn_attr *tn_plan_attr(const tn_plan_step *s, const char *name);
/* Where the value lay in the plan that this one is based on, if that was elsewhere; or NULL. */
const tn_plan_shift *tn_plan_find_shift(const tn_plan *p, uint32_t value);
/* Whether all that needs a place has one: then the figures are those of the whole program. */
bool tn_plan_is_whole(const tn_plan *p);
/* For each binding the plan value that is its state, TN_NO_ID where no value of this plan is: in
 * plans of initialization graphs the states are tensors of the model's other graphs. */
const uint32_t *tn_plan_states(tn_arena *arena, const tn_plan *p);
#define TN_LAYOUT_HEX 17 /* with the NUL */
/* Says where constants, inputs and state lie: plans with the same text take the same weights
 * images. 16 hex digits of a SHA-256 over names, types and places. */
void tn_plan_layout(const tn_plan *p, char hex[TN_LAYOUT_HEX]);
/* The same of one plan of a set; tn_plan_layout is that of all of them. */
void tn_plan_own_layout(const tn_plan *p, char hex[TN_LAYOUT_HEX]);
/* Bytes of all arenas. */
uint64_t tn_plan_arena_bytes(const tn_plan *p);
/* Whether the plan is for one extent of the dimension. */
bool tn_plan_binds(const tn_plan *p, const char *name);
/* Which of the plan's ranges is that of the dimension; TN_NO_ID when it is not open. */
uint32_t tn_plan_range_named(const tn_plan *p, const char *name);
/* Whether some storage has two places. */
bool tn_plan_has_seconds(const tn_plan *p);
/* Whether the user says what a byte read or written costs: then traffic and cost are known. */
bool tn_plan_has_costs(const tn_plan *p);
/* What the address of a pool has to be a multiple of. */
static inline uint64_t tn_pool_base(const tn_pool *pool) {
    return pool->base_align > pool->align ? pool->base_align : pool->align;
}
/* Linker sections, as attributes and directives take them without quoting. */
bool tn_is_section(const char *text);
/* Whether the caller keeps what lies there: inputs, outputs, state. */
bool tn_pool_is_callers(const tn_pool *pool);
/* Whether programs write the memory of a pool: all but constants that stay in flash. */
bool tn_pool_is_ram(const tn_pool *pool);
/* By storage: whether it dies at a step that writes a result into some of its bytes. Such a storage
 * is not freed: what is the result's is freed with the result. In `arena`. */
const bool *tn_plan_overlapped(tn_arena *arena, const tn_plan *p);
/* Bytes that the storage of a result that begins inside an operand and that of the operand need
 * less at the step than apart, in whole units of the pool's alignment; 0 for all other values. */
uint64_t tn_plan_overlap_saves(const tn_plan *p, const tn_plan_value *result);
/* First byte of a placed value inside its pool. */
static inline uint64_t tn_plan_address(const tn_plan *p, const tn_plan_value *v) {
    return p->storages[v->storage].offset + v->offset;
}

#endif
