/* Private to ir/onnx: the state of one model being written. Messages that nest without bound
 * (graphs, nodes and attributes that hold graphs) are levels of a stack; nothing recurses. */
#ifndef TENURE_IR_ONNX_WRITE_T_H
#define TENURE_IR_ONNX_WRITE_T_H

#include <string.h>

#include "ir/onnx/fields.h"
#include "ir/onnx/onnx_write.h"
#include "ir/onnx/wire_out.h"

typedef struct tn_onnx_writer tn_onnx_writer;
typedef struct tn_onnx_level tn_onnx_level;

struct tn_onnx_level {
    /* Writes the next piece; false when the message is complete. It may put a level on top, after
     * which its own has moved. */
    bool (*step)(tn_onnx_writer *w, tn_onnx_level *l);
    tn_wire_mark mark;
    tn_wire_field from; /* tag NULL: not a field of the file at this place */
    tn_wire fields;     /* of the file that are still to be looked at */
    bool reading;       /* there may be such */
    const tn_graph *graph;
    const tn_op *op;
    const tn_attr *attr;
    uint32_t list;      /* of the main graph */
    bool whole;         /* the file does not have it */
    uint32_t at, end;   /* the next op, attribute or graph, and behind the last */
    uint32_t n_outputs; /* of the graph that have been met */
    bool same_inputs, same_outputs;
    bool *seen; /* attributes that the file has */
};

/* A call whose body is not as the file has it: the function is written under a name of its own. */
typedef struct tn_onnx_call {
    const tn_graph *body;
    const char *name;
} tn_onnx_call;

struct tn_onnx_writer {
    tn_ctx *ctx;
    tn_arena *arena;
    const tn_module *m;
    const tn_onnx_file *file; /* may be NULL */
    const tn_onnx_order *order;
    const tn_onnx_noting *noting;
    tn_wire_out out;
    tn_map values;  /* id + 1 by graph and name in the file */
    tn_map nodes;   /* id + 1 of the op by address of its message */
    tn_map tensors; /* id + 1 of the value by address of its initializer */
    tn_map graphs;  /* id + 1 of initialization graphs by address */
    bool *met;      /* by value id: its metadata has been written */
    TN_VEC(tn_onnx_level) levels;
    TN_VEC(tn_onnx_call) calls;
    uint32_t n_called; /* of these have been written */
    uint32_t n_lists;  /* of the main graph that have been written */
};

struct tn_onnx_notes {
    tn_onnx_writer *w;
    uint32_t number; /* field of metadata */
};

/* onnx_write.c */
void tn_onnx_push_level(tn_onnx_writer *w, tn_onnx_level l);
/* The next field of the level; false when there is none left. */
bool tn_onnx_next_field(tn_onnx_level *l, tn_wire_field *f);
void tn_onnx_put_notes(tn_onnx_writer *w, uint32_t number, const tn_onnx_part *part);
/* Whether field `f` is an entry of metadata that belongs to a plan. */
bool tn_onnx_is_old_note(const tn_onnx_writer *w, const tn_wire_field *f);

/* write_graph.c: a graph as field `number`; `from` NULL: not at its place in the file. */
void tn_onnx_push_graph(tn_onnx_writer *w, const tn_graph *g, uint32_t number,
                        const tn_wire_field *from, uint32_t list);
/* write_function.c: the function of a body that is written in full. */
void tn_onnx_push_function(tn_onnx_writer *w, const tn_onnx_call *call);
/* The name under which the function of such a call is written. */
const char *tn_onnx_name_call(tn_onnx_writer *w, const tn_op *op);
/* The operator sets of the module and of all its ops (graph NULL), or of the ops in `graph`. */
void tn_onnx_put_opsets(tn_onnx_writer *w, uint32_t number, const tn_graph *graph);

/* write_node.c */
void tn_onnx_push_node(tn_onnx_writer *w, const tn_op *op, uint32_t number,
                       const tn_wire_field *from);

/* write_value.c */
void tn_onnx_index_values(tn_onnx_writer *w);
/* The value that the file calls so in `g`, or NULL. */
const tn_value *tn_onnx_value_named(const tn_onnx_writer *w, const tn_graph *g, tn_bytes name);
/* The text of field `number` of a message; data NULL when it has none. */
tn_bytes tn_onnx_text_of(const tn_onnx_writer *w, tn_bytes message, uint32_t number);
/* A ValueInfoProto of the file, for what is `v` now; with its metadata when `noted`. One that holds
 * nothing but a name, because its metadata was a plan's, is left out. */
void tn_onnx_copy_value(tn_onnx_writer *w, const tn_wire_field *f, const tn_value *v, bool noted);
/* One in full; without a type for typed false. Nothing is written of a value without type and
 * metadata. */
void tn_onnx_put_value(tn_onnx_writer *w, uint32_t number, const tn_value *v, bool typed,
                       bool noted);
void tn_onnx_copy_tensor(tn_onnx_writer *w, const tn_wire_field *f, const tn_value *v);
/* A TensorProto in full; `name` NULL: none. `loc` is for what cannot be written. */
void tn_onnx_put_tensor(tn_onnx_writer *w, uint32_t number, const tn_tensor *t, const char *name,
                        const tn_loc *loc);
void tn_onnx_put_type(tn_onnx_writer *w, uint32_t number, const tn_type *t);

static inline void tn_onnx_put_name(tn_onnx_writer *w, uint32_t number, const char *name) {
    tn_wire_put_text(&w->out, number, name, strlen(name));
}

#endif
