/* Graphs for other programs: read one that was loaded, build one from nothing, change either, and
 * plan it as any other (tenure.h). docs/API.md is an introduction, docs/IR.md says what the parts
 * mean.
 *
 *   tenure_model *model = tenure_model_new(ctx, "net", NULL);
 *   tenure_model_import(model, "", 17);
 *   tenure_graph *g = tenure_model_graph(model, 0);
 *   tenure_value *x = tenure_graph_add_input(g, "x", "f32[batch,64]");
 *   tenure_op *relu = tenure_graph_add_op(g, "", "Relu", "act", &x, 1);
 *   tenure_graph_add_output(g, tenure_op_add_result(relu, "y", NULL));
 *
 * - Handles of graphs, ops and values belong to their model and stay until it is freed, those of
 *   ops that have been removed too: they are refused then, as are values that such an op has made,
 *   and handles of another model.
 * - What a graph must be is looked at when the model is planned, checked, run through passes or
 *   verified: each read sees a definition, definitions come before reads, names are unique in a
 *   graph, the number of operands fits the op. Until then it may be otherwise. What passes have
 *   decided before a change (aliases, pins) is forgotten then; types stay.
 * - Getters give NULL, 0 or -1 behind the last and for NULL; texts stay valid as long as the
 *   context.
 * - When memory runs out while a model is being changed, the model can only be freed
 *   (TENURE_ERROR from then on). Any other failure leaves it as it was.
 * - This header may change with any minor version until 1.0. */
#ifndef TENURE_IR_H
#define TENURE_IR_H

#include "tenure/tenure.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tenure_graph tenure_graph;
typedef struct tenure_op tenure_op;
typedef struct tenure_value tenure_value;

/* ---- models ---- */

/* A model with an empty main graph. `name` is that of the graph, and stands for the file in
 * messages. `options` may be NULL; facts of kernels ("op-facts") are taken from it, and hold for
 * the ops that are added. NULL after diagnostics, or when out of memory. tenure_model_free frees
 * it. */
TENURE_API tenure_model *tenure_model_new(tenure_context *ctx, const char *name,
                                          const tenure_options *options);
TENURE_API const char *tenure_model_name(const tenure_model *model);
/* Imports an operator set; "" is ai.onnx. It is what ops of that domain that are added later are
 * of, and those before that had none. Without an import the newest version that the library knows
 * is assumed. */
TENURE_API tenure_status tenure_model_import(tenure_model *model, const char *domain,
                                             int64_t version);
TENURE_API int tenure_model_opset(const tenure_model *model, size_t index, const char **domain,
                                  int64_t *version);
/* Metadata; "tenure.KEY" are wishes for the plan (docs/OPTIONS.md). */
TENURE_API tenure_status tenure_model_set_metadata(tenure_model *model, const char *key,
                                                   const char *value);
TENURE_API int tenure_model_metadata(const tenure_model *model, size_t index, const char **key,
                                     const char **value);
/* After a run `state`, an input or constant of the main graph, takes the bytes of `value`. */
TENURE_API tenure_status tenure_model_bind(tenure_model *model, tenure_value *state,
                                           tenure_value *value);
TENURE_API int tenure_model_binding(const tenure_model *model, size_t index, tenure_value **state,
                                    tenure_value **value);
/* Binds what loading binds: dimensions, shapes and elements of inputs ("dim", "input-shape",
 * "input-value"). Before planning with the same options. When it fails, some may be bound. */
TENURE_API tenure_status tenure_model_bind_dims(tenure_model *model, const tenure_options *options);
/* The main graph is the first, the others are nested in ops, or initialize. Graphs of removed ops
 * are among them, empty. */
TENURE_API tenure_graph *tenure_model_graph(const tenure_model *model, size_t index);

/* Whether the model is well formed; diagnostics say what is not. */
TENURE_API tenure_status tenure_model_verify(tenure_model *model);
/* Runs any pipeline ("infer-shapes,schedule{order=kahn}") over a model; a plan it makes is dropped.
 */
TENURE_API tenure_status tenure_model_run(tenure_model *model, const char *pipeline);
/* The model in text form (docs/IR.md), which tenure_load_memory reads. */
TENURE_API tenure_status tenure_model_print(const tenure_model *model, tenure_buffer **out);
/* The model in ONNX form (docs/ONNX.md): what it was read from, byte for byte where nothing was
 * changed. `sink->name` is the path of the file; where it has a folder other than the model's, the
 * files with weights have to be there too. Nothing is held back: memory does not grow with the
 * weights. */
TENURE_API tenure_status tenure_model_write_onnx(const tenure_model *model,
                                                 const tenure_sink *sink);

/* ---- types ---- */

/* Types are texts as docs/IR.md has them: "f32[2,n]", "f32[]" for a scalar, "f32[*]" of unknown
 * rank, "seq(f32[2])", "?". An extent is a number, an expression over names ("2*n + 1"), or "?".
 * This one makes the text for a tensor with extents that are numbers, -1 for unknown ones; it stays
 * valid as long as the context. */
TENURE_API const char *tenure_type_text(tenure_context *ctx, tenure_dtype dtype, size_t rank,
                                        const int64_t *dims);

/* ---- graphs ---- */

TENURE_API const char *tenure_graph_name(const tenure_graph *graph);
/* "" for the main graph, "op/name" for one nested in an op of it. */
TENURE_API const char *tenure_graph_path(const tenure_graph *graph);
/* The op that it is nested in; NULL for the main graph. */
TENURE_API tenure_op *tenure_graph_owner(const tenure_graph *graph);
TENURE_API tenure_model *tenure_graph_model(const tenure_graph *graph);
TENURE_API tenure_value *tenure_graph_input(const tenure_graph *graph, size_t index);
TENURE_API tenure_value *tenure_graph_constant(const tenure_graph *graph, size_t index);
TENURE_API tenure_value *tenure_graph_output(const tenure_graph *graph, size_t index);
/* Ops in their order, which is an order of execution: tenure_op_next goes on. */
TENURE_API tenure_op *tenure_graph_first(const tenure_graph *graph);
TENURE_API size_t tenure_graph_op_count(const tenure_graph *graph);
/* The value of that name which the graph sees: its own, then one of the graphs around it. It looks
 * at all values of the model one by one. */
TENURE_API tenure_value *tenure_graph_find(const tenure_graph *graph, const char *name);

/* NULL or "" for a name makes one up. NULL after diagnostics, or when out of memory. */
TENURE_API tenure_value *tenure_graph_add_input(tenure_graph *graph, const char *name,
                                                const char *type);

typedef enum tenure_data {
    TENURE_DATA_COPY,  /* the model keeps a copy */
    TENURE_DATA_BORROW /* the bytes stay as they are until the model is freed */
} tenure_data;
/* A constant (initializer). Of `tensor` dtype, rank and dims count, and size, unless it is 0, has
 * to be what they say. `data` are its bytes, little-endian; with NULL only its place is planned,
 * and artefacts with the bytes of constants are refused. */
TENURE_API tenure_value *tenure_graph_add_constant(tenure_graph *graph, const char *name,
                                                   const tenure_tensor *tensor, const void *data,
                                                   tenure_data how);
/* A value of this graph, or one that it sees. */
TENURE_API tenure_status tenure_graph_add_output(tenure_graph *graph, tenure_value *value);
/* Another list of outputs in place of the one there is. */
TENURE_API tenure_status tenure_graph_set_outputs(tenure_graph *graph, tenure_value *const *values,
                                                  size_t count);
/* Adds an op at the end. Operands stand by position, NULL where an optional one is left out; of
 * this model, of this graph or the ones around it. `name` may be "" or NULL. */
TENURE_API tenure_op *tenure_graph_add_op(tenure_graph *graph, const char *domain, const char *type,
                                          const char *name, tenure_value *const *operands,
                                          size_t count);

/* ---- ops ---- */

TENURE_API const char *tenure_op_domain(const tenure_op *op);
TENURE_API const char *tenure_op_type(const tenure_op *op);
TENURE_API const char *tenure_op_name(const tenure_op *op);
TENURE_API int64_t tenure_op_version(const tenure_op *op);
TENURE_API tenure_graph *tenure_op_graph(const tenure_op *op);
TENURE_API tenure_op *tenure_op_next(const tenure_op *op);
/* Nonzero after tenure_op_remove, of the op or of one that it was nested in. */
TENURE_API int tenure_op_is_removed(const tenure_op *op);
TENURE_API size_t tenure_op_operand_count(const tenure_op *op);
/* NULL where it is left out, too. */
TENURE_API tenure_value *tenure_op_operand(const tenure_op *op, size_t index);
TENURE_API size_t tenure_op_result_count(const tenure_op *op);
TENURE_API tenure_value *tenure_op_result(const tenure_op *op, size_t index);
TENURE_API int tenure_op_attribute(const tenure_op *op, size_t index, tenure_attribute *out);
TENURE_API int tenure_op_find_attribute(const tenure_op *op, const char *name,
                                        tenure_attribute *out);
/* The text of type i of an attribute that holds types. */
TENURE_API const char *tenure_op_attribute_type(const tenure_op *op, const char *name,
                                                size_t index);
/* Nested graphs, and the attribute that holds each: "" for the body of a called function. */
TENURE_API tenure_graph *tenure_op_body(const tenure_op *op, size_t index);
TENURE_API const char *tenure_op_body_attribute(const tenure_op *op, size_t index);

/* `type` NULL: to be inferred. For ops that the library does not know nothing is inferred. */
TENURE_API tenure_value *tenure_op_add_result(tenure_op *op, const char *name, const char *type);
/* An optional result that is left out. */
TENURE_API tenure_status tenure_op_skip_result(tenure_op *op);
TENURE_API tenure_status tenure_op_add_operand(tenure_op *op, tenure_value *value);
TENURE_API tenure_status tenure_op_set_operand(tenure_op *op, size_t index, tenure_value *value);
/* Sets an attribute, in place of one of that name. What is given is copied, but for the data of a
 * tensor, if they are borrowed. */
TENURE_API tenure_status tenure_op_set_int(tenure_op *op, const char *name, int64_t value);
TENURE_API tenure_status tenure_op_set_ints(tenure_op *op, const char *name, const int64_t *values,
                                            size_t count);
TENURE_API tenure_status tenure_op_set_float(tenure_op *op, const char *name, double value);
TENURE_API tenure_status tenure_op_set_floats(tenure_op *op, const char *name, const double *values,
                                              size_t count);
/* `size` bytes, which may hold NUL. */
TENURE_API tenure_status tenure_op_set_string(tenure_op *op, const char *name, const char *text,
                                              size_t size);
TENURE_API tenure_status tenure_op_set_strings(tenure_op *op, const char *name,
                                               const char *const *texts, size_t count);
TENURE_API tenure_status tenure_op_set_tensor(tenure_op *op, const char *name,
                                              const tenure_tensor *tensor, const void *data,
                                              tenure_data how);
TENURE_API tenure_status tenure_op_set_type(tenure_op *op, const char *name, const char *type);
TENURE_API tenure_status tenure_op_remove_attribute(tenure_op *op, const char *name);
/* Sets all attributes that `from`, an op of the same model, has, but for those that hold graphs. */
TENURE_API tenure_status tenure_op_copy_attributes(tenure_op *op, const tenure_op *from);
/* A new nested graph, which the attribute holds ("then_branch", "body"); "" for the body of a
 * called function. */
TENURE_API tenure_graph *tenure_op_add_body(tenure_op *op, const char *attribute, const char *name);
/* Puts the op in front of `before`, of the same graph; at the end for NULL. */
TENURE_API tenure_status tenure_op_move(tenure_op *op, tenure_op *before);
/* Takes the op out, with its bodies. Nobody may read its results: tenure_value_replace sees to
 * that. */
TENURE_API tenure_status tenure_op_remove(tenure_op *op);

/* ---- values ---- */

typedef enum tenure_value_kind {
    TENURE_VALUE_INPUT, /* of its graph: of a run, or an argument of a body */
    TENURE_VALUE_CONSTANT,
    TENURE_VALUE_RESULT
} tenure_value_kind;

/* Bits. Passes set more of them. */
enum {
    TENURE_VALUE_OUTPUT = 1,      /* an output of its graph, or of one that captures it */
    TENURE_VALUE_DEFAULT = 2,     /* an input with a constant as its default */
    TENURE_VALUE_PINNED = 4,      /* shares its bytes with nobody */
    TENURE_VALUE_EXCLUDED = 8,    /* pinned because somebody asked for it */
    TENURE_VALUE_LOSS = 16,       /* a training loss */
    TENURE_VALUE_PARAM = 32,      /* a parameter that is trained */
    TENURE_VALUE_STATE = 64,      /* outlives a run */
    TENURE_VALUE_BACKWARD = 128,  /* made by the backward part */
    TENURE_VALUE_PARAM_GRAD = 256 /* gradient of a parameter */
};

TENURE_API const char *tenure_value_name(const tenure_value *value);
TENURE_API tenure_graph *tenure_value_graph(const tenure_value *value);
TENURE_API tenure_value_kind tenure_value_get_kind(const tenure_value *value);
TENURE_API uint32_t tenure_value_flags(const tenure_value *value);
/* As text; NULL when out of memory, too. */
TENURE_API const char *tenure_value_type(const tenure_value *value);
/* Element type; TENURE_UNKNOWN for what is no tensor. */
TENURE_API tenure_dtype tenure_value_dtype(const tenure_value *value);
/* -1 where it is not known, and for what is no tensor. */
TENURE_API int64_t tenure_value_rank(const tenure_value *value);
/* The extent of an axis: -1 where it is no number. */
TENURE_API int64_t tenure_value_extent(const tenure_value *value, size_t axis);
/* The same as an expression: "64", "2*n + 1", "?". */
TENURE_API const char *tenure_value_dim(const tenure_value *value, size_t axis);
/* The op that makes it, and as which of its results (`result` may be NULL); NULL for inputs and
 * constants. */
TENURE_API tenure_op *tenure_value_producer(const tenure_value *value, size_t *result);
TENURE_API size_t tenure_value_use_count(const tenure_value *value);
/* The ops that read it, in order of creation, and as which operand (may be NULL). Takes a time that
 * grows with the index. */
TENURE_API tenure_op *tenure_value_use(const tenure_value *value, size_t index, size_t *operand);
/* The data of a constant, of an input's default, of the result of a Constant op. */
TENURE_API int tenure_value_tensor(const tenure_value *value, tenure_tensor *out);
/* Its bytes, little-endian. TENURE_ERROR where they cannot be had. */
TENURE_API tenure_status tenure_value_bytes(const tenure_value *value, tenure_buffer **out);
/* Why it shares the bytes of another value, which one (`of`, may be NULL), and from which byte on:
 * what passes have decided so far. */
TENURE_API tenure_alias tenure_value_alias(const tenure_value *value, tenure_value **of,
                                           int64_t *offset);

TENURE_API tenure_status tenure_value_rename(tenure_value *value, const char *name);
/* NULL forgets what is known. */
TENURE_API tenure_status tenure_value_set_type(tenure_value *value, const char *type);
/* Sets and clears bits: EXCLUDED, LOSS, PARAM, and STATE of inputs and constants. The others are
 * worked out. */
TENURE_API tenure_status tenure_value_set_flags(tenure_value *value, uint32_t set, uint32_t clear);
/* All who read `value`, outputs too, read `by` from now on. */
TENURE_API tenure_status tenure_value_replace(tenure_value *value, tenure_value *by);

/* ---- facts about ops ---- */

typedef enum tenure_view {
    TENURE_VIEW_NONE,
    TENURE_VIEW_WHOLE,    /* the same bytes under another shape */
    TENURE_VIEW_IF_EQUAL, /* when operand and result have one type */
    TENURE_VIEW_PART,     /* a part of the operand, where it is one run of bytes */
    TENURE_VIEW_PARTS,    /* each result is such a part */
    TENURE_VIEW_GATHERED, /* operands are such parts of the result */
    TENURE_VIEW_PERMUTED  /* when only extents of 1 move */
} tenure_view;

/* A row of the op table, in its words: ir/ops/ops.h explains the columns, docs/generated/OPS.md
 * lists all rows. Texts are NULL where the row says nothing. */
typedef struct tenure_op_facts {
    size_t struct_size;
    const char *domain, *name, *doc;
    const char *versions;   /* "1 6 13" */
    const char *signature;  /* "X W B? -> Y" */
    const char *attributes; /* "axis:int=0 pads:ints?" */
    const char *in_place;   /* "Y over A B (same)" */
    tenure_view view;
    const char *view_of;
    const char *shape_only;                /* operands of which only the shape is read */
    const char *params;                    /* operands that say how the op works */
    int32_t least_operands, most_operands; /* most -1: any number */
    int32_t least_results, most_results;
    int infers_shapes, has_gradient, has_bodies;
} tenure_op_facts;
/* False (0) for an op that the table does not know: nothing is assumed of it, which is safe. */
TENURE_API int tenure_op_find_facts(const char *domain, const char *name, tenure_op_facts *out);
/* The same for an op of a model, with what the facts of kernels say of it. */
TENURE_API int tenure_op_get_facts(const tenure_op *op, tenure_op_facts *out);

#ifdef __cplusplus
}
#endif

#endif
