/* GraphProto to tn_graph: what a graph declares. Its nodes are read one at a time (node.c). */
#include "frontends/onnx/import_t.h"

#include <string.h>

#include "ir/base/limits.h"
#include "ir/mutate.h"

void tn_onnx_push(tn_onnx *imp, tn_onnx_frame frame) {
    tn_loc loc = tn_loc_file(imp->src.file);
    if (frame.graph->depth > TN_MAX_NESTING) {
        tn_fail(imp->ctx, &loc, "graphs are nested more than %u deep", TN_MAX_NESTING);
    }
    while (imp->graphs.len <= frame.graph->id) {
        tn_vec_push(imp->arena, &imp->graphs, (tn_onnx_graph_info){0});
    }
    imp->graphs.data[frame.graph->id].space = frame.space;
    if (!frame.joins) {
        tn_vec_push(imp->m->arena, &imp->file->graphs, frame.message);
    }
    if (frame.graph->kind == TN_GRAPH_MAIN) {
        tn_vec_push(imp->m->arena, &imp->file->lists, frame.message);
    }
    tn_vec_push(imp->arena, &imp->stack, frame);
}

tn_onnx_graph_info *tn_onnx_graph_info_of(tn_onnx *imp, const tn_graph *g) {
    return &imp->graphs.data[g->id];
}

tn_graph *tn_onnx_add_graph(tn_onnx *imp, tn_op *owner, tn_bytes message, const tn_onnx_env *env,
                            uint32_t space) {
    tn_arena *scratch = tn_arena_new(imp->ctx);
    const Onnx__GraphProto *head = tn_proto_unpack(
        &imp->src, scratch, &onnx__graph_proto__descriptor, message, TN_FIELD(PB_GRAPH_NAME));
    tn_graph *g = tn_graph_new(imp->m, tn_onnx_name(imp, head->name), owner);
    tn_arena_drop(scratch);
    tn_onnx_frame frame = {.source = TN_ONNX_GRAPH,
                           .message = message,
                           .graph = g,
                           .where = g->path,
                           .env = env,
                           .space = space};
    tn_onnx_push(imp, frame);
    return g;
}

void tn_onnx_add_main(tn_onnx *imp, tn_bytes message, const char *where) {
    tn_onnx_frame frame = {.source = TN_ONNX_GRAPH,
                           .message = message,
                           .graph = imp->m->main,
                           .where = where,
                           .names = &imp->main_names,
                           .joins = where[0] != '\0'};
    tn_onnx_push(imp, frame);
}

static tn_loc loc_of(const tn_onnx *imp, const tn_onnx_frame *frame) {
    tn_loc loc = tn_loc_file(imp->src.file);
    loc.graph = frame->where;
    return loc;
}

/* Two Constants of one name: runtimes make initializers of both and take the later one, and so does
 * this. True when the earlier one has been erased. */
static bool replaces_constant(tn_onnx *imp, const tn_value *old, const tn_value *v) {
    if (old->def == NULL || v->def == NULL || old->def == v->def ||
        strcmp(old->def->type, "Constant") != 0 || strcmp(v->def->type, "Constant") != 0) {
        return false;
    }
    tn_onnx_repaired(&imp->constants, v->name);
    tn_op_erase(old->def);
    return true;
}

void tn_onnx_define(tn_onnx *imp, tn_onnx_frame *frame, tn_value *v) {
    uint64_t found;
    if (tn_map_get(frame->names, tn_str_id(v->name), &found)) {
        const tn_value *old = (const tn_value *)(uintptr_t)found;
        if (!replaces_constant(imp, old, v)) {
            tn_loc loc = v->def != NULL ? v->def->loc : loc_of(imp, frame);
            tn_loc first = old->def != NULL ? old->def->loc : loc_of(imp, frame);
            static const char *const kinds[] = {"an input", "an initializer", "a result"};
            tn_error(imp->ctx, &loc, "'%s' is defined a second time, as %s", v->name,
                     kinds[v->kind]);
            tn_note(imp->ctx, &first, "first defined here, as %s", kinds[old->kind]);
            tn_reraise(imp->ctx, TN_ERROR);
        }
    }
    tn_map_put(frame->names, tn_str_id(v->name), (uint64_t)(uintptr_t)v);
}

const tn_type *tn_onnx_stored_type(const tn_onnx_frame *frame, const char *name) {
    return (const tn_type *)(uintptr_t)tn_map_or(&frame->types, tn_str_id(name), 0);
}

/* Initializers, whose names are the keys of `inits`, have the types of their tensors. */
static void store_type(tn_onnx *imp, tn_onnx_frame *frame, const tn_map *inits, tn_bytes message,
                       tn_onnx_role role) {
    tn_onnx_repairs zero_dims = imp->zero_dims;
    tn_onnx_value_info info = tn_onnx_read_value_info(imp, message, role);
    if (inits != NULL && tn_map_or(inits, tn_str_id(info.name), 0) != 0) {
        imp->zero_dims = zero_dims;
        return;
    }
    if (info.type == NULL) {
        return;
    }
    const tn_type *old = tn_onnx_stored_type(frame, info.name);
    if (old != NULL && !tn_type_equal(old, info.type)) {
        tn_onnx_repaired(&imp->value_infos, info.name);
    }
    tn_map_put(&frame->types, tn_str_id(info.name), (uint64_t)(uintptr_t)info.type);
}

/* Initializers in file order, and by name, because inputs may have the same names. */
typedef struct initializer {
    const char *name;
    const tn_tensor *tensor;
    tn_bytes message;
    bool sparse, used;
} initializer;

typedef struct initializers {
    TN_VEC(initializer) list;
    tn_map by_name; /* index + 1 */
} initializers;

static void add_initializer(tn_onnx *imp, tn_onnx_frame *frame, initializers *all,
                            const tn_wire_field *f) {
    tn_loc loc = loc_of(imp, frame);
    bool sparse = f->number == PB_GRAPH_SPARSE_INITIALIZER;
    tn_bytes message = tn_wire_content(&imp->src, f, "an initializer");
    tn_onnx_tensor read = sparse ? tn_onnx_read_sparse(imp, &loc, message, "initializer", NULL)
                                 : tn_onnx_read_tensor(imp, &loc, message, "initializer", NULL);
    if (read.name[0] == '\0') {
        tn_warn(imp->ctx, &loc, "an initializer without a name is left out");
        return;
    }
    initializer item = {read.name, read.tensor, message, sparse, false};
    uint64_t at = tn_map_or(&all->by_name, tn_str_id(read.name), 0);
    if (at != 0) {
        tn_onnx_repaired(&imp->constants, read.name);
        all->list.data[at - 1] = item;
        return;
    }
    tn_vec_push(frame->arena, &all->list, item);
    tn_map_put(&all->by_name, tn_str_id(read.name), all->list.len);
}

/* Where the file has the initializer of `v`. */
static void keep_initializer(tn_onnx *imp, const tn_value *v, tn_bytes message) {
    while (imp->file->tensors.len <= v->id) {
        tn_vec_push(imp->m->arena, &imp->file->tensors, (tn_bytes){0});
    }
    imp->file->tensors.data[v->id] = message;
}

static void add_const(tn_onnx *imp, tn_onnx_frame *frame, initializer *item) {
    tn_value *v = tn_graph_add_const(frame->graph, item->name, item->tensor);
    keep_initializer(imp, v, item->message);
    if (item->sparse) {
        tn_type *t = TN_NEW(imp->m->arena, tn_type);
        *t = *v->type;
        t->kind = TN_TYPE_SPARSE;
        tn_value_set_type(v, t);
        tn_value_set_unplanned(v, tn_intern(imp->ctx, "is a sparse tensor"));
    }
    tn_onnx_define(imp, frame, v);
}

/* Before IR 4 every initializer has to be listed among the inputs and is a constant all the same.
 * From IR 4 on an input with an initializer takes it as its default; of the main graph that is
 * mostly an exporter's habit, so it is a constant unless the user says that callers give it other
 * values. Arguments of bodies are given by their op. */
static bool is_overridable(const tn_onnx *imp, const tn_onnx_frame *frame) {
    bool main = frame->graph->kind == TN_GRAPH_MAIN;
    return imp->m->origin.format_version >= 4 && (imp->overridable || !main);
}

/* Training algorithms list values of the inference graph as inputs. */
static void add_input(tn_onnx *imp, tn_onnx_frame *frame, initializers *inits, tn_bytes message) {
    tn_onnx_role role = frame->graph->kind == TN_GRAPH_MAIN ? TN_ONNX_INPUT : TN_ONNX_PARAMETER;
    tn_onnx_value_info info = tn_onnx_read_value_info(imp, message, role);
    tn_loc loc = loc_of(imp, frame);
    if (info.name[0] == '\0') {
        tn_fail(imp->ctx, &loc, "graph input %u has no name", frame->graph->n_inputs);
    }
    uint64_t at = tn_map_or(&inits->by_name, tn_str_id(info.name), 0);
    if (at != 0 && !is_overridable(imp, frame)) {
        return;
    }
    if (frame->joins && tn_map_or(frame->names, tn_str_id(info.name), 0) != 0) {
        return;
    }
    tn_value *v = tn_graph_add_input(frame->graph, info.name, info.type);
    if (at != 0) {
        v->tensor = inits->list.data[at - 1].tensor;
        inits->list.data[at - 1].used = true;
        keep_initializer(imp, v, inits->list.data[at - 1].message);
        tn_value_set_flags(v, TN_VF_DEFAULT, 0);
    }
    tn_onnx_define(imp, frame, v);
}

static void read_outputs(tn_onnx *imp, tn_onnx_frame *frame) {
    bool forget = imp->ignore_value_info && frame->graph->kind != TN_GRAPH_MAIN;
    tn_onnx_graph_info *info = tn_onnx_graph_info_of(imp, frame->graph);
    tn_wire w = tn_wire_open(&imp->src, frame->message);
    tn_wire_field f;
    while (tn_wire_next(&w, &f)) {
        if (f.number != PB_GRAPH_OUTPUT) {
            continue;
        }
        tn_bytes message = tn_wire_content(&imp->src, &f, "a graph output");
        tn_onnx_value_info out = tn_onnx_read_value_info(imp, message, TN_ONNX_INNER);
        tn_vec_push(imp->arena, &info->outputs, out.name);
        if (out.type != NULL && !forget) {
            tn_map_put(&frame->types, tn_str_id(out.name), (uint64_t)(uintptr_t)out.type);
        }
    }
}

static void start_graph(tn_onnx *imp, tn_onnx_frame *frame) {
    initializers inits = {.by_name = tn_map_make(frame->arena)};
    tn_wire w = tn_wire_open(&imp->src, frame->message);
    tn_wire_field f;
    while (tn_wire_next(&w, &f)) {
        if (f.number == PB_GRAPH_INITIALIZER || f.number == PB_GRAPH_SPARSE_INITIALIZER) {
            add_initializer(imp, frame, &inits, &f);
        } else if (f.number == PB_GRAPH_VALUE_INFO && !imp->ignore_value_info) {
            store_type(imp, frame, &inits.by_name, tn_wire_content(&imp->src, &f, "a value_info"),
                       TN_ONNX_INNER);
        }
    }
    read_outputs(imp, frame);
    w = tn_wire_open(&imp->src, frame->message);
    while (tn_wire_next(&w, &f)) {
        if (f.number == PB_GRAPH_INPUT) {
            add_input(imp, frame, &inits, tn_wire_content(&imp->src, &f, "a graph input"));
        }
    }
    for (uint32_t i = 0; i < inits.list.len; i++) {
        if (!inits.list.data[i].used) {
            add_const(imp, frame, &inits.list.data[i]);
        }
    }
}

/* A body has the function's inputs; the operands of the call match them by position. */
static void start_function(tn_onnx *imp, tn_onnx_frame *frame) {
    const tn_onnx_function *fn = frame->env->fn;
    tn_wire w = tn_wire_open(&imp->src, frame->message);
    tn_wire_field f;
    while (!imp->ignore_value_info && tn_wire_next(&w, &f)) {
        if (f.number == PB_FUNCTION_VALUE_INFO) {
            store_type(imp, frame, NULL, tn_wire_content(&imp->src, &f, "a value_info"),
                       TN_ONNX_IN_FUNCTION);
        }
    }
    for (uint32_t i = 0; i < fn->n_inputs; i++) {
        const tn_type *type = tn_onnx_stored_type(frame, fn->inputs[i]);
        tn_onnx_define(imp, frame, tn_graph_add_input(frame->graph, fn->inputs[i], type));
    }
    tn_onnx_graph_info *info = tn_onnx_graph_info_of(imp, frame->graph);
    for (uint32_t i = 0; i < fn->n_outputs; i++) {
        tn_vec_push(imp->arena, &info->outputs, fn->outputs[i]);
    }
}

static void start(tn_onnx *imp, tn_onnx_frame *frame) {
    frame->started = true;
    frame->arena = tn_arena_new(imp->ctx);
    frame->types = tn_map_make(frame->arena);
    frame->node_names = tn_map_make(frame->arena);
    if (frame->names == NULL) {
        frame->names = TN_NEW(frame->arena, tn_onnx_names);
        *frame->names = tn_map_make(frame->arena);
    }
    if (frame->source == TN_ONNX_GRAPH) {
        start_graph(imp, frame);
    } else {
        start_function(imp, frame);
    }
    frame->nodes = tn_wire_open(&imp->src, frame->message);
}

static bool next_node(tn_onnx *imp, tn_onnx_frame *frame, tn_bytes *node) {
    uint32_t number = frame->source == TN_ONNX_GRAPH ? PB_GRAPH_NODE : PB_FUNCTION_NODE;
    tn_wire_field f;
    while (tn_wire_next(&frame->nodes, &f)) {
        if (f.number == number) {
            *node = tn_wire_content(&imp->src, &f, "a node");
            return true;
        }
    }
    return false;
}

/* Graphs found in a node wait on the stack in reverse, so that the first is read first. */
static void reverse(tn_onnx *imp, uint32_t from) {
    tn_onnx_frame *s = imp->stack.data;
    for (uint32_t i = from, j = imp->stack.len; i + 1 < j; i++, j--) {
        tn_onnx_frame t = s[i];
        s[i] = s[j - 1];
        s[j - 1] = t;
    }
}

void tn_onnx_build(tn_onnx *imp) {
    while (imp->stack.len > 0) {
        uint32_t top = imp->stack.len - 1;
        /* Reading a node may push, which moves the stack: work on a copy and put it back. */
        tn_onnx_frame frame = imp->stack.data[top];
        if (!frame.started) {
            start(imp, &frame);
        }
        tn_bytes node;
        if (next_node(imp, &frame, &node)) {
            tn_onnx_read_node(imp, &frame, node);
            imp->stack.data[top] = frame;
            reverse(imp, top + 1);
        } else {
            tn_arena_drop(frame.arena);
            imp->stack.len--;
        }
    }
}
