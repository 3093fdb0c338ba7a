/* The IR: a module of graphs in SSA form. This header only reads; ir/build.h creates, ir/mutate.h
 * changes. Ids are dense from 0, so side tables are plain arrays indexed by id. Everything lives in
 * the module's arena and goes at once; erased ops are unlinked, not freed.
 *
 * The order of a graph's op list is its schedule. Nested graphs (If, Loop, Scan, bodies of function
 * calls) hang on the op that runs them and may read values of the graphs around it. */
#ifndef TENURE_IR_MODULE_H
#define TENURE_IR_MODULE_H

#include "ir/attr.h"
#include "ir/base/diag.h"
#include "ir/base/map.h"
#include "ir/concurrency.h"
#include "ir/ops/ops.h"

typedef struct tn_module tn_module;
typedef struct tn_graph tn_graph;
typedef struct tn_op tn_op;
typedef struct tn_value tn_value;
typedef struct tn_use tn_use;

/* One read of a value: operand `index` of `op`. A use with value NULL is an omitted optional. */
struct tn_use {
    tn_value *value;
    tn_op *op;
    uint32_t index;
    tn_use *next, *prev; /* among the uses of `value`, in order of creation */
};

typedef enum tn_value_kind {
    TN_VALUE_INPUT,  /* of its graph: a run-time input, or a body's argument */
    TN_VALUE_CONST,  /* an initializer, which nobody may overwrite */
    TN_VALUE_RESULT, /* of an op */
} tn_value_kind;

/* Facts about a value that passes and frontends set; printed in .tir. */
typedef enum tn_value_flag {
    TN_VF_OUTPUT = 1u << 0,   /* listed in the outputs of its graph, or of one inside that captures
                                 it (kept by ir/build and ir/mutate) */
    TN_VF_DEFAULT = 1u << 1,  /* an input that also has an initializer as its default */
    TN_VF_PINNED = 1u << 2,   /* keeps its own storage for the whole plan */
    TN_VF_EXCLUDED = 1u << 3, /* pinned because the user named it */
    TN_VF_LOSS = 1u << 4,     /* the loss: pinned */
    TN_VF_PARAM = 1u << 5,    /* a trainable parameter */
    TN_VF_STATE = 1u << 6,    /* mutable state that outlives a run (optimizer moments, caches) */
    TN_VF_BACKWARD = 1u << 7, /* made by the backward part */
    TN_VF_PARAM_GRAD = 1u << 8, /* gradient of a parameter */
    TN_VF_DONATED = 1u << 9,    /* an input whose bytes may be reused after its last read */
    TN_VF_ARENA = 1u << 10,     /* an output whose bytes are its own only from its first write on */
    TN_VF_WORKSPACE = 1u << 11, /* bytes the kernel of an op needs; with TN_VF_STATE from run to run
                                   (kept by ir/build) */
    TN_VF_CHANNELS_LAST = 1u << 12, /* its elements lie with axis 1 behind all others */
    TN_VF_APART = 1u << 13,  /* state that is not in the arena, which other programs write over */
    TN_VF_DOUBLE = 1u << 14, /* an input or output with two places, in turn those of the run and the
                                caller's (--double-buffer) */
} tn_value_flag;

/* Why a value shares its storage with another one (tn_value.alias_of). */
typedef enum tn_alias_kind {
    TN_ALIAS_NONE = 0,
    TN_ALIAS_VIEW,    /* the same bytes under another shape, or a part of them */
    TN_ALIAS_INPLACE, /* the producer writes its result over a dying operand */
    TN_ALIAS_UPDATE,  /* the result is the operand, updated (accumulators, state) */
    TN_ALIAS_SHARE,   /* gradient sharing: takes the bytes of a dead value */
} tn_alias_kind;

/* Indexed by tn_alias_kind, "none" first, and NULL behind the last: as .tir, plans and reports
 * write the kind. */
extern const char *const tn_alias_words[];

/* A graph may have a million of these, of ops and of uses: members stand so that they pack. */
struct tn_value {
    uint32_t id;
    tn_value_kind kind;
    const char *name; /* interned; "" never occurs after the builder, which makes one up */
    const tn_type *type;
    tn_op *def; /* TN_VALUE_RESULT */
    uint32_t def_index;
    uint32_t flags; /* tn_value_flag */
    tn_graph *graph;
    tn_use *first_use, *last_use;
    const tn_tensor *tensor; /* TN_VALUE_CONST, and inputs with TN_VF_DEFAULT */
    uint32_t n_uses;

    /* Known elements (shape arithmetic), set by infer-shapes: n of `dims` for integers and
     * booleans, n of `floats` for floats. NULL when not known. */
    uint32_t n_content;
    const tn_dim *content;
    const double *float_content;

    /* The one alias edge a value may have; the edges form a forest whose trees are the storages. */
    tn_value *alias_of;
    int64_t alias_offset; /* bytes from the start of alias_of; negative when alias_of lies inside */
    tn_alias_kind alias_kind;
    uint32_t n_aliases; /* values whose alias_of is this one */

    const char *unplanned; /* why no plan can hold it; NULL when one can, or no pass has looked */
    tn_value *clone_of;    /* of a result of a clone: that of the op the model has, which holds the
                              same elements; else NULL */
};

/* What an op was before it became a part of a fused one. */
typedef struct tn_op_was {
    tn_value **operands, **results; /* n_operands, n_results */
    const tn_attr *resolved;        /* ir/ops/op_attrs.h; n_resolved of them */
    uint32_t n_resolved;
} tn_op_was;

struct tn_op {
    uint32_t id;
    uint32_t code;          /* number of the row; TN_OP_EXTERN when there is none */
    const tn_op_info *info; /* the row, never NULL */
    const char *domain;     /* interned; "" is ai.onnx */
    const char *type;       /* interned; the op type as the file has it */
    int64_t version;        /* opset version of the domain; 0 when the file imports none */
    const char *name;       /* interned, may be "" */
    tn_loc loc;
    tn_graph *graph;
    tn_op *prev, *next; /* schedule */
    tn_use *operands;   /* n_operands of them */
    tn_value **results; /* n_results; entries are NULL for omitted optional results */
    uint32_t n_operands, n_results;
    uint32_t n_workspace; /* values behind the results, which nobody reads: bytes for the kernel */
    uint32_t n_attrs;
    tn_attr *attrs;     /* in the file's order */
    tn_graph **regions; /* nested graphs, n_regions, in order of their attributes */
    uint32_t n_regions, n_parts;
    uint32_t cap_operands;
    uint32_t place; /* 1 + where it stood in its graph before groups were formed; 0: not known */
    bool erased;
    const tn_op *const *parts; /* the ops, erased, that this one stands for: fused ones; or NULL */
    const tn_op_was *was;      /* of such an erased op; else NULL */
    tn_op
        *clone_of; /* the op of the model, no clone itself, that this one runs once more; or NULL */
};

typedef enum tn_graph_kind {
    TN_GRAPH_MAIN,
    TN_GRAPH_BODY, /* nested under `owner` */
    TN_GRAPH_INIT, /* computes what states start with, in a run of its own */
} tn_graph_kind;

struct tn_graph {
    uint32_t id;
    tn_graph_kind kind;
    tn_module *module;
    const char *name; /* interned */
    const char *path; /* interned; "" for the main graph, e.g. "loop1/body" below */
    tn_op *owner;     /* TN_GRAPH_BODY */
    uint32_t region;  /* index among the owner's regions */
    uint32_t depth;   /* 0 for the main graph */
    tn_value **inputs;
    uint32_t n_inputs, cap_inputs;
    tn_value **outputs;
    uint32_t n_outputs, cap_outputs;
    tn_value **consts;
    uint32_t n_consts, cap_consts;
    tn_op *first, *last;
    uint32_t n_ops;
};

/* What an analysis may depend on. ir/build.h and ir/mutate.h count the changes of each kind. */
typedef enum tn_facet {
    TN_FACET_OPS, /* ops, edges, inputs, outputs */
    TN_FACET_ORDER,
    TN_FACET_TYPES, /* types, known contents */
    TN_FACET_ATTRS,
    TN_FACET_NAMES,
    TN_FACET_FLAGS,
    TN_FACET_ALIAS,
    TN_FACET_COUNT
} tn_facet;

typedef struct tn_pair { /* interned strings */
    const char *key, *value;
} tn_pair;

/* Whether metadata of that key is part of a plan that is kept in the file: "tenure.plan.KEY". */
bool tn_is_plan_note(const char *key);
/* Whether an entry of a file's metadata is a wish for its plan: "tenure.KEY", but for those. */
bool tn_is_wish(const tn_pair *metadata);

typedef struct tn_opset {
    const char *domain; /* interned, "" is ai.onnx */
    int64_t version;
} tn_opset;

/* What a file says of itself. Frontends fill it and .tir keeps it; of all this, passes read nothing
 * but the metadata that is meant for them ("tenure.*"). */
typedef struct tn_origin {
    int64_t format_version; /* of the file's form (ONNX: ir_version), 0: none given */
    const char *producer, *producer_version;
    TN_VEC(tn_opset) opsets;  /* version of each operator set imported; ops carry their own */
    TN_VEC(tn_pair) metadata; /* in the file's order */
} tn_origin;

/* State that outlives a run: `state` (an initializer or input) is what `value` was, after the run.
 */
typedef struct tn_binding {
    tn_value *state, *value;
    bool made; /* by a pass: no file says so */
} tn_binding;

/* What a plan's digest was (ir/plan/plan_digest.h) when the changes were so many. */
typedef struct tn_known_digest {
    uint64_t stamps[TN_FACET_COUNT];
    char hex[65]; /* "": not known */
} tn_known_digest;

/* Of a module that computes what another one starts with: the tensor `name` there is `value` at
 * first. */
typedef struct tn_assignment {
    const char *name; /* interned */
    tn_value *value;
} tn_assignment;

struct tn_module {
    tn_ctx *ctx;
    tn_arena *arena;
    tn_dims *dims;
    const char *name;
    const char *file; /* path as given, for messages; never in an artefact */
    tn_origin origin;
    tn_binding *bindings;
    uint32_t n_bindings, cap_bindings;
    tn_assignment *assignments;
    uint32_t n_assignments, cap_assignments;
    tn_graph *main;
    tn_graph **graphs; /* by id; includes the main graph */
    uint32_t n_graphs, cap_graphs;
    tn_map paths; /* interned string's id -> 1 when it is the path of a graph; no two have one */
    tn_op **ops;  /* by id; erased ones stay, marked */
    uint32_t n_ops, cap_ops;
    tn_value **values; /* by id */
    uint32_t n_values, cap_values;
    uint64_t stamps[TN_FACET_COUNT];
    tn_concurrency_ask concurrency; /* TN_SERIAL where nothing was asked for */
    uint64_t double_align;    /* what two places of one value lie apart is a multiple of; 0: as 1 */
    struct tn_op_set *op_set; /* rows that are not the table's; NULL: none */
    const struct tn_row **rows; /* by tn_op.code, as asked for so far (ir/ops/row.h) */
    uint32_t n_rows;
    bool told_by_data; /* infer-shapes has warned of sizes that only the file or the user states */
    /* Of modules that programs build and change (lib/api/api_ir*.c): not verified since, and left
     * half done when memory ran out. */
    bool unverified, broken;
    tn_known_digest *digest;
    const char *source_digest;       /* of the module before ops were fused or tiled; NULL: none was
                                      */
    const struct tn_tiled *tiled;    /* ops that run in parts (ir/tiled.h); NULL: none does */
    const char *plain_digest;        /* of the module before ops were cloned; NULL: none was */
    const struct tn_onnx_file *onnx; /* the file it was read from (ir/onnx/onnx_file.h), or NULL */
    struct tn_module *next; /* that of the next plan of a set, which is dropped with this one */
    const struct tn_tflite_file *tflite; /* the same of a TFLite file (ir/tflite/tflite_file.h) */
};

/* The attribute of that name or NULL. */
const tn_attr *tn_op_attr(const tn_op *op, const char *name);
/* Typed reads; the fallback is returned when the attribute is missing or of another kind. */
int64_t tn_attr_int(const tn_op *op, const char *name, int64_t fallback);
double tn_attr_float(const tn_op *op, const char *name, double fallback);
const char *tn_attr_string(const tn_op *op, const char *name, const char *fallback);
/* The ints and their count, or NULL and 0. */
const int64_t *tn_attr_ints(const tn_op *op, const char *name, uint32_t *n);
/* The constant tensor behind a value: initializers and results of Constant; NULL otherwise. */
const tn_tensor *tn_value_tensor(const tn_value *v);
/* Workspace i of the op; NULL behind the last. */
static inline tn_value *tn_workspace(const tn_op *op, uint32_t i) {
    return i < op->n_workspace ? op->results[op->n_results + i] : NULL;
}
/* Operand or NULL (omitted or beyond the last); result or NULL. */
static inline tn_value *tn_operand(const tn_op *op, uint32_t i) {
    return i < op->n_operands ? op->operands[i].value : NULL;
}
static inline tn_value *tn_result(const tn_op *op, uint32_t i) {
    return i < op->n_results ? op->results[i] : NULL;
}
/* Name of the attribute that holds region i; "" for the body of a called function. */
const char *tn_op_body_attr(const tn_op *op, uint32_t i);
/* Whether the op calls a model-local function: its nested graph is no attribute but the body. */
bool tn_op_is_call(const tn_op *op);
/* Opset version imported for `domain`, 0 when none. */
int64_t tn_module_opset(const tn_module *m, const char *domain);
/* The value of that name visible in `g` (its own, then of the graphs around it), or NULL.
 * Linear in the number of values: for user requests and tests, not for inner loops. */
tn_value *tn_graph_find_value(const tn_graph *g, const char *name);
/* How an extent is called where the file has no name for it: "value.axis", with the path of a
 * nested graph and a slash in front. Interned. */
const char *tn_extent_name(const tn_value *v, uint32_t axis);
/* Whether `inner` is `outer` or nested anywhere inside it. */
bool tn_graph_within(const tn_graph *inner, const tn_graph *outer);

#define TN_FOR_OPS(op, graph) for (tn_op *op = (graph)->first; op != NULL; op = op->next)

#endif
