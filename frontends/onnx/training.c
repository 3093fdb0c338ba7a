/* TrainingInfoProto: the algorithm's nodes follow those of the inference graph, the initialization
 * graph stands for itself, and update bindings say which state takes which value after a step. */
#include "frontends/onnx/import.h"
#include "ir/mutate.h"

enum { T_INITIALIZATION = 1, T_ALGORITHM = 2, T_UPDATE = 4 };

void tn_onnx_read_training(tn_onnx *in, tn_bytes message, uint32_t index) {
    tn_wire w = tn_wire_open(&in->src, message);
    tn_wire_field f;
    while (tn_wire_next(&w, &f)) {
        if (f.number == T_ALGORITHM) {
            tn_bytes graph = tn_wire_content(&in->src, &f, "a training algorithm");
            tn_onnx_add_main(in, graph, tn_internf(in->ctx, "training_info %u", index));
        } else if (f.number == T_INITIALIZATION) {
            tn_bytes graph = tn_wire_content(&in->src, &f, "an initialization graph");
            tn_onnx_add_graph(in, NULL, graph, NULL, ++in->n_spaces);
        }
    }
}

static tn_value *named(tn_onnx *in, const tn_loc *loc, const char *text, const char *role) {
    const char *name = tn_onnx_name(in, text);
    tn_value *v = (tn_value *)(uintptr_t)tn_map_or(&in->main_names, tn_str_id(name), 0);
    if (v == NULL) {
        tn_fail(in->ctx, loc, "%s of an update binding is '%s', which nothing defines", role, name);
    }
    return v;
}

void tn_onnx_bind_training(tn_onnx *in, tn_bytes message, uint32_t index) {
    tn_arena *scratch = tn_arena_new(in->ctx);
    const Onnx__TrainingInfoProto *proto = tn_proto_unpack(
        &in->src, scratch, &onnx__training_info_proto__descriptor, message, TN_FIELD(T_UPDATE));
    tn_loc loc = tn_loc_file(in->src.file);
    loc.graph = tn_internf(in->ctx, "training_info %u", index);
    for (size_t i = 0; i < proto->n_update_binding; i++) {
        tn_value *state = named(in, &loc, proto->update_binding[i]->key, "the state");
        tn_value *value = named(in, &loc, proto->update_binding[i]->value, "the new value");
        if (state->kind == TN_VALUE_RESULT) {
            tn_fail(in->ctx, &loc, "'%s' cannot be updated: it is neither initializer nor input",
                    state->name);
        }
        tn_value_set_flags(state, TN_VF_STATE, 0);
        tn_module_add_binding(in->m, state, value);
    }
    tn_arena_drop(scratch);
}
