/* Private to frontends/onnx: the state of one import, and what its parts offer each other.
 *
 * An import makes three steps. None recurses along what the file nests.
 *
 * Build (read_graph.c, node.c, attr.c, function.c) takes graphs from a stack of those still to be
 * read. Each op is made with its results, attributes and empty regions; the names of its operands
 * are kept aside.
 *
 * Resolve (resolve.c) walks the graphs with one table of visible names and turns names into
 * operands. So a name may be defined after its first reader, and in a graph around it.
 *
 * Sort (sort_nodes.c) puts the nodes of a graph in order where the file has them out of order.
 *
 * Whatever is wrong with the file raises after a located error. */
#ifndef TENURE_FRONTENDS_ONNX_IMPORT_T_H
#define TENURE_FRONTENDS_ONNX_IMPORT_T_H

#include "frontends/core/frontend.h"
#include "frontends/onnx/proto.h"
#include "ir/build.h"
#include "ir/onnx/fields.h"
#include "ir/onnx/onnx_file.h"

/* The value of each name of one graph, by tn_str_id: pointers stored as numbers. */
typedef tn_map tn_onnx_names;

typedef struct tn_onnx_opsets {
    tn_opset *data;
    uint32_t len;
} tn_onnx_opsets;

/* AttributeProtos by name, for attributes that refer to them. */
typedef struct tn_onnx_attrs {
    tn_map by_name; /* index + 1, by id of the name */
    TN_VEC(tn_bytes) list;
} tn_onnx_attrs;

/* A model-local function. Each call gets a body of its own. */
typedef struct tn_onnx_function {
    const char *name, *domain, *overload; /* interned */
    tn_bytes message;
    const char **inputs, **outputs;
    uint32_t n_inputs, n_outputs;
    tn_onnx_attrs defaults;
    tn_onnx_opsets opsets;
} tn_onnx_function;

/* Where the body of a function stands: the call, whose attributes the body refers to, and the
 * environment of that call (NULL outside of functions). */
typedef struct tn_onnx_env {
    const tn_onnx_function *fn;
    tn_onnx_attrs attrs; /* of the call */
    const struct tn_onnx_env *outer;
    uint32_t outer_space;
} tn_onnx_env;

typedef enum tn_onnx_source { TN_ONNX_GRAPH, TN_ONNX_FUNCTION } tn_onnx_source;

/* A graph to be read. It waits on the stack, is started (inputs, constants, stored types), and then
 * gives one node at a time. */
typedef struct tn_onnx_frame {
    tn_onnx_source source;
    tn_bytes message; /* GraphProto or FunctionProto */
    tn_graph *graph;
    const char *where; /* graph path in locations */
    const tn_onnx_env *env;
    uint32_t space; /* name space: a function body sees none of the names around its call */
    bool joins;     /* adds to a graph that another frame has read (training) */
    bool started;
    tn_arena *arena; /* from start to end */
    tn_wire nodes;
    int32_t n_nodes;
    tn_onnx_names *names;
    tn_map types;      /* stored types by name */
    tn_map node_names; /* to notice repeated ones */
} tn_onnx_frame;

/* What is known of a graph besides tn_graph, by graph id. */
typedef struct tn_onnx_graph_info {
    uint32_t space;
    TN_VEC(const char *) outputs;
} tn_onnx_graph_info;

/* Operand names of an op, by op id; "" is an omitted one. */
typedef struct tn_onnx_reads {
    const char **names;
    uint32_t n;
} tn_onnx_reads;

/* A repair that may be needed in many places; one warning counts them. */
typedef struct tn_onnx_repairs {
    uint32_t n;
    const char *first;
} tn_onnx_repairs;

typedef struct tn_onnx {
    tn_ctx *ctx;
    tn_wire_src src;
    bool initialization; /* read the initialization graph of training info `training_info` only */
    uint32_t training_info;
    bool ignore_value_info; /* forget stored types of inner values */
    bool overridable;       /* inputs with an initializer stay inputs, from IR 4 on */
    tn_module *m;
    tn_onnx_file *file;  /* of `m` */
    tn_arena *arena;     /* dropped after the import */
    uint32_t first_name; /* ids of strings that the context had not seen before begin here */
    tn_onnx_opsets opsets;
    tn_map no_import; /* domains whose missing import has been reported */
    tn_map functions; /* by id of the interned "domain\nname\noverload" */
    uint32_t n_instances;
    TN_VEC(tn_onnx_frame) stack;
    TN_VEC(tn_onnx_graph_info) graphs;
    TN_VEC(tn_onnx_reads) reads;
    TN_VEC(const char *) inputs, outputs; /* names of the node being read */
    uint32_t n_spaces;
    tn_onnx_names main_names;
    tn_map weights_files; /* by id of the location text */
    tn_onnx_repairs zero_dims, no_data, node_names, constants, value_infos, dtypes;
} tn_onnx;

/* names.c: text of the file as interned names; NULL is "". Over-long ones are an error. */
const char *tn_onnx_name(tn_onnx *imp, const char *text);
const char *tn_onnx_name_n(tn_onnx *imp, const char *text, size_t len);
/* The same for a domain; "ai.onnx" is "". */
const char *tn_onnx_domain(tn_onnx *imp, const char *text);
/* Field `number` of the message, an overload; "" when it has none. It is read from the wire because
 * the schema may be older. */
const char *tn_onnx_overload(tn_onnx *imp, tn_bytes message, uint32_t number);
const char **tn_onnx_name_list(tn_onnx *imp, char **texts, size_t n);
/* Raises where a list has more than TN_MAX_OPERANDS names. */
void tn_onnx_demand_list(tn_onnx *imp, size_t n);
void tn_onnx_repaired(tn_onnx_repairs *r, const char *name);
/* One warning for each kind of repair that was needed. */
void tn_onnx_report_repairs(tn_onnx *imp);

/* types.c */
typedef enum tn_onnx_role {
    TN_ONNX_INPUT,      /* of the main graph: an extent without a name becomes a symbol */
    TN_ONNX_PARAMETER,  /* input of a nested graph */
    TN_ONNX_INNER,      /* value_info and outputs: an extent of 0 counts as unknown */
    TN_ONNX_IN_FUNCTION /* a symbol of a function means nothing outside: unknown */
} tn_onnx_role;

typedef struct tn_onnx_value_info {
    const char *name;
    const tn_type *type; /* NULL when it has none */
} tn_onnx_value_info;

tn_onnx_value_info tn_onnx_read_value_info(tn_onnx *imp, tn_bytes message, tn_onnx_role role);
const tn_type *tn_onnx_type(tn_onnx *imp, const Onnx__TypeProto *proto, const char *name,
                            tn_onnx_role role);
/* An element type by its ONNX number. Numbers without a meaning are unknown; a warning names the
 * first that has one. */
tn_dtype tn_onnx_dtype(tn_onnx *imp, int32_t number, const char *name);

/* tensor.c, payload.c: messages say "<owner> '<name>'", with the tensor's own name when `name` is
 * NULL. */
typedef struct tn_onnx_tensor {
    const char *name; /* interned */
    const tn_tensor *tensor;
} tn_onnx_tensor;

tn_onnx_tensor tn_onnx_read_tensor(tn_onnx *imp, const tn_loc *loc, tn_bytes message,
                                   const char *owner, const char *name);
/* Name, element type and dims, with the bytes that the tensor would take when dense; no elements.
 */
tn_onnx_tensor tn_onnx_read_sparse(tn_onnx *imp, const tn_loc *loc, tn_bytes message,
                                   const char *owner, const char *name);

/* Where the elements of a tensor lie, as found by a walk over its fields. */
typedef struct tn_onnx_payload {
    uint32_t field; /* PB_TENSOR_..._DATA, 0: none; PB_TENSOR_RAW_DATA for external data too */
    uint64_t bytes; /* of all pieces */
    uint64_t
        items;   /* number of fields when not packed: text, and numbers as old writers put them */
    bool packed; /* pieces hold packed items or raw bytes; else each is one item */
    TN_VEC(tn_wire_field) pieces; /* at most TN_MAX_CONTENT single items are kept */
} tn_onnx_payload;

tn_onnx_payload tn_onnx_find_payload(tn_onnx *imp, tn_arena *arena, tn_bytes message,
                                     const char *name);
/* Sets t->ints or t->floats from a payload of the right size; leaves them NULL when the elements
 * are too many or of a type whose elements are not kept. */
void tn_onnx_decode(tn_onnx *imp, tn_tensor *t, const tn_onnx_payload *p);

/* payload_bytes.c: where the payload of `t` is, for whoever wants it after the import: in the
 * TensorProto `message`, or as raw data of another mapped file. */
void tn_onnx_keep_message(tn_onnx *imp, tn_tensor *t, const char *name, tn_bytes message);
void tn_onnx_keep_external(tn_onnx *imp, tn_tensor *t, const char *name, tn_bytes raw);

/* external.c: the bytes of a tensor stored beside the model, when the file is there. Sets the
 * external fields of `t`. */
bool tn_onnx_external(tn_onnx *imp, const tn_loc *loc, const Onnx__TensorProto *proto,
                      const char *name, tn_tensor *t, tn_bytes *out);

/* read_graph.c */
/* A region of `owner` (NULL: an initialization graph) to be read later. */
tn_graph *tn_onnx_add_graph(tn_onnx *imp, tn_op *owner, tn_bytes message, const tn_onnx_env *env,
                            uint32_t space);
/* Nodes, inputs and initializers that join the main graph. */
void tn_onnx_add_main(tn_onnx *imp, tn_bytes message, const char *where);
void tn_onnx_push(tn_onnx *imp, tn_onnx_frame frame);
tn_onnx_graph_info *tn_onnx_graph_info_of(tn_onnx *imp, const tn_graph *g);
/* Reads all graphs on the stack, and those found in them. */
void tn_onnx_build(tn_onnx *imp);
/* From now on the name of `v` means `v` in the graph of the frame; a second definition is an error.
 */
void tn_onnx_define(tn_onnx *imp, tn_onnx_frame *frame, tn_value *v);
/* The stored type of a value, or NULL. */
const tn_type *tn_onnx_stored_type(const tn_onnx_frame *frame, const char *name);

/* node.c */
void tn_onnx_read_node(tn_onnx *imp, tn_onnx_frame *frame, tn_bytes message);

/* attr.c */
/* One attribute of `op`; references to attributes of a function are looked up in `env`. */
void tn_onnx_read_attr(tn_onnx *imp, tn_op *op, tn_bytes message, const tn_onnx_env *env,
                       uint32_t space);
/* The attributes in fields `number` of a message. */
tn_onnx_attrs tn_onnx_collect_attrs(tn_onnx *imp, tn_bytes message, uint32_t number);
bool tn_onnx_attr_is_graph(tn_onnx *imp, tn_bytes message);

/* function.c */
void tn_onnx_read_function(tn_onnx *imp, tn_bytes message);
/* NULL when there is none of that name. */
const tn_onnx_function *tn_onnx_find_function(tn_onnx *imp, const char *domain, const char *name,
                                              const char *overload);
/* Adds the body of `fn` as region 0 of `op`, whose NodeProto is `call`; it is read later. */
void tn_onnx_instantiate(tn_onnx *imp, const tn_onnx_frame *frame, tn_op *op,
                         const tn_onnx_function *fn, tn_bytes call, uint32_t n_operands);

/* opset.c */
tn_onnx_opsets tn_onnx_read_opsets(tn_onnx *imp, Onnx__OperatorSetIdProto **protos, size_t n,
                                   const char *of);
/* The version of an interned domain that the function of `env` imports, else the model; 0 when
 * neither does, with one warning a domain when `needed`. */
int64_t tn_onnx_version(tn_onnx *imp, const tn_onnx_env *env, const char *domain, bool needed);

/* resolve.c, sort_nodes.c */
void tn_onnx_resolve(tn_onnx *imp);
/* `def` must come before `reader`, both ops of the graph. */
typedef struct tn_onnx_edge {
    tn_op *def, *reader;
} tn_onnx_edge;
void tn_onnx_sort(tn_onnx *imp, tn_graph *g, const tn_onnx_edge *edges, uint32_t n_edges);

/* training_info.c */
/* Reads TrainingInfoProto number `index`: before the build, and its bindings after resolving. */
void tn_onnx_read_training(tn_onnx *imp, tn_bytes message, uint32_t index);
void tn_onnx_bind_training(tn_onnx *imp, tn_bytes message, uint32_t index);
/* For a module of an initialization graph alone: the graph of TrainingInfoProto number `index` of
 * the file; and after reading, which tensors of `main` and of the algorithm start with its
 * outputs. */
tn_bytes tn_onnx_initialization(tn_onnx *imp, uint32_t index);
void tn_onnx_assign_initial(tn_onnx *imp, uint32_t index, tn_bytes main);

#endif
