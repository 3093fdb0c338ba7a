/* TrainingInfoProto: the algorithm's nodes follow those of the inference graph, the initialization
 * graph becomes a graph of its own kind, and update bindings say which state takes which value
 * after a step. An initialization graph can also be read alone, as the main graph of a module; then
 * its bindings say which tensor of the graphs left out starts with which of its outputs. */
#include "frontends/onnx/import_t.h"
#include "ir/mutate.h"

void tn_onnx_read_training(tn_onnx *imp, tn_bytes message, uint32_t index) {
    tn_wire w = tn_wire_open(&imp->src, message);
    tn_wire_field f;
    while (tn_wire_next(&w, &f)) {
        if (f.number == PB_TRAINING_ALGORITHM) {
            tn_bytes graph = tn_wire_content(&imp->src, &f, "a training algorithm");
            tn_onnx_add_main(imp, graph, tn_internf(imp->ctx, "training_info %u", index));
        } else if (f.number == PB_TRAINING_INITIALIZATION) {
            tn_bytes graph = tn_wire_content(&imp->src, &f, "an initialization graph");
            tn_onnx_add_graph(imp, NULL, graph, NULL, ++imp->n_spaces);
        }
    }
}

static tn_value *named(tn_onnx *imp, const tn_loc *loc, const char *text, const char *role) {
    const char *name = tn_onnx_name(imp, text);
    tn_value *v = (tn_value *)(uintptr_t)tn_map_or(&imp->main_names, tn_str_id(name), 0);
    if (v == NULL) {
        tn_fail(imp->ctx, loc, "%s of an update binding is '%s', which nothing defines", role,
                name);
    }
    return v;
}

void tn_onnx_bind_training(tn_onnx *imp, tn_bytes message, uint32_t index) {
    tn_arena *scratch = tn_arena_new(imp->ctx);
    const Onnx__TrainingInfoProto *proto =
        tn_proto_unpack(&imp->src, scratch, &onnx__training_info_proto__descriptor, message,
                        TN_FIELD(PB_TRAINING_UPDATE_BINDING));
    tn_loc loc = tn_loc_file(imp->src.file);
    loc.graph = tn_internf(imp->ctx, "training_info %u", index);
    for (size_t i = 0; i < proto->n_update_binding; i++) {
        tn_value *state = named(imp, &loc, proto->update_binding[i]->key, "the state");
        tn_value *value = named(imp, &loc, proto->update_binding[i]->value, "the new value");
        if (state->kind == TN_VALUE_RESULT) {
            tn_fail(imp->ctx, &loc, "'%s' cannot be updated: it is neither initializer nor input",
                    state->name);
        }
        tn_value_set_flags(state, TN_VF_STATE, 0);
        tn_module_add_binding(imp->m, state, value);
    }
    tn_arena_drop(scratch);
}

/* ---- an initialization graph alone ---- */

/* The content of the last field of that number; .data is NULL when there is none. */
static tn_bytes part_of(tn_onnx *imp, tn_bytes message, uint32_t number, const char *what) {
    tn_wire w = tn_wire_open(&imp->src, message);
    tn_wire_field f;
    tn_bytes part = {0};
    while (tn_wire_next(&w, &f)) {
        if (f.number == number) {
            part = tn_wire_content(&imp->src, &f, what);
        }
    }
    return part;
}

/* TrainingInfoProto number `index`; *n is how many there are, up to that one. */
static tn_bytes training_info(tn_onnx *imp, uint32_t index, uint32_t *n) {
    tn_wire w = tn_wire_open(&imp->src, imp->src.all);
    tn_wire_field f;
    *n = 0;
    while (tn_wire_next(&w, &f)) {
        if (f.number == PB_MODEL_TRAINING_INFO && (*n)++ == index) {
            return tn_wire_content(&imp->src, &f, "training info");
        }
    }
    return (tn_bytes){0};
}

tn_bytes tn_onnx_initialization(tn_onnx *imp, uint32_t index) {
    tn_loc loc = tn_loc_file(imp->src.file);
    uint32_t n;
    tn_bytes info = training_info(imp, index, &n);
    if (info.data == NULL) {
        tn_fail_usage(imp->ctx, &loc,
                      "there is no training info %u: the model has %u, counted from 0", index, n);
    }
    tn_bytes graph = part_of(imp, info, PB_TRAINING_INITIALIZATION, "an initialization graph");
    if (graph.data == NULL) {
        tn_fail_usage(imp->ctx, &loc, "training info %u has no initialization graph", index);
    }
    return graph;
}

/* Notes the names of the initializers and inputs of a graph. */
static void note_tensors(tn_onnx *imp, tn_arena *scratch, tn_bytes graph, tn_map *names) {
    tn_wire w = tn_wire_open(&imp->src, graph);
    tn_wire_field f;
    while (tn_wire_next(&w, &f)) {
        const char *name = NULL;
        if (f.number == PB_GRAPH_INITIALIZER || f.number == PB_GRAPH_SPARSE_INITIALIZER) {
            tn_bytes tensor = tn_wire_content(&imp->src, &f, "an initializer");
            tensor = f.number == PB_GRAPH_SPARSE_INITIALIZER
                         ? part_of(imp, tensor, PB_SPARSE_VALUES, "its values")
                         : tensor;
            const Onnx__TensorProto *proto =
                tn_proto_unpack(&imp->src, scratch, &onnx__tensor_proto__descriptor, tensor,
                                TN_FIELD(PB_TENSOR_NAME));
            name = proto->name;
        } else if (f.number == PB_GRAPH_INPUT) {
            const Onnx__ValueInfoProto *proto = tn_proto_unpack(
                &imp->src, scratch, &onnx__value_info_proto__descriptor,
                tn_wire_content(&imp->src, &f, "a graph input"), TN_FIELD(PB_VALUE_NAME));
            name = proto->name;
        }
        if (name != NULL) {
            tn_map_put(names, tn_str_id(tn_onnx_name(imp, name)), 1);
        }
    }
}

void tn_onnx_assign_initial(tn_onnx *imp, uint32_t index, tn_bytes main) {
    tn_arena *scratch = tn_arena_new(imp->ctx);
    uint32_t n;
    tn_bytes info = training_info(imp, index, &n);
    tn_bytes algorithm = part_of(imp, info, PB_TRAINING_ALGORITHM, "a training algorithm");
    tn_map names = tn_map_make(scratch);
    note_tensors(imp, scratch, main, &names);
    if (algorithm.data != NULL) {
        note_tensors(imp, scratch, algorithm, &names);
    }
    const Onnx__TrainingInfoProto *proto =
        tn_proto_unpack(&imp->src, scratch, &onnx__training_info_proto__descriptor, info,
                        TN_FIELD(PB_TRAINING_INITIALIZATION_BINDING));
    tn_loc loc = tn_loc_file(imp->src.file);
    loc.graph = tn_internf(imp->ctx, "training_info %u", index);
    for (size_t i = 0; i < proto->n_initialization_binding; i++) {
        const Onnx__StringStringEntryProto *b = proto->initialization_binding[i];
        const char *state = tn_onnx_name(imp, b->key), *name = tn_onnx_name(imp, b->value);
        tn_value *v = (tn_value *)(uintptr_t)tn_map_or(&imp->main_names, tn_str_id(name), 0);
        if (tn_map_or(&names, tn_str_id(state), 0) == 0) {
            tn_fail(imp->ctx, &loc,
                    "an initialization binding is for '%s', which is not an initializer", state);
        }
        if (v == NULL || (v->flags & TN_VF_OUTPUT) == 0) {
            tn_fail(imp->ctx, &loc,
                    "an initialization binding takes '%s', which the initialization graph does not "
                    "return",
                    name);
        }
        tn_module_add_assignment(imp->m, state, v);
    }
    tn_arena_drop(scratch);
}
