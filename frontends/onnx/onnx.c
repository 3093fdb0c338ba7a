/* ModelProto to module: the order in which the parts are read. */
#include <string.h>

#include "frontends/onnx/import.h"
#include "ir/base/limits.h"

enum {
    M_IR_VERSION = 1,
    M_PRODUCER,
    M_PRODUCER_VERSION,
    M_GRAPH = 7,
    M_OPSET,
    M_METADATA = 14,
    M_TRAINING = 20,
    M_FUNCTION = 25,
    GRAPH_INPUT = 11
};
enum { LEAST_IR_VERSION = 3 };

typedef struct request {
    const char *path;
    tn_bytes bytes;
    const tn_load_options *options;
    tn_module *result;
} request;

/* What is often found in place of a model. */
static void check_form(const tn_wire_src *src) {
    static const char lfs[] = "version https://git-lfs";
    tn_loc loc = tn_loc_file(src->file);
    if (src->all.size == 0) {
        tn_fail(src->ctx, &loc, "the file is empty");
    }
    if (src->all.size >= sizeof lfs - 1 && memcmp(src->all.data, lfs, sizeof lfs - 1) == 0) {
        tn_fail(src->ctx, &loc,
                "this is a Git LFS pointer, not the model; 'git lfs pull' fetches the model");
    }
}

/* The one graph of the model. */
static tn_bytes find_graph(tn_onnx *in) {
    tn_wire w = tn_wire_open(&in->src, in->src.all);
    tn_wire_field f;
    tn_bytes graph = {0};
    while (tn_wire_next(&w, &f)) {
        if (f.number == M_GRAPH) {
            if (graph.data != NULL) {
                tn_wire_fail(&in->src, f.tag, "a second main graph");
            }
            graph = tn_wire_content(&in->src, &f, "the main graph");
        }
    }
    if (graph.data == NULL) {
        tn_loc loc = tn_loc_file(in->src.file);
        tn_fail(in->ctx, &loc, "the model has no graph");
    }
    return graph;
}

static void read_head(tn_onnx *in) {
    tn_arena *scratch = tn_arena_new(in->ctx);
    const Onnx__ModelProto *proto = tn_proto_unpack(
        &in->src, scratch, &onnx__model_proto__descriptor, in->src.all,
        TN_FIELD(M_IR_VERSION) | TN_FIELD(M_PRODUCER) | TN_FIELD(M_PRODUCER_VERSION) |
            TN_FIELD(M_OPSET) | TN_FIELD(M_METADATA));
    if (proto->ir_version < LEAST_IR_VERSION) {
        tn_loc loc = tn_loc_file(in->src.file);
        tn_fail(in->ctx, &loc, "the model is of IR version %lld; versions from %d on are read",
                (long long)proto->ir_version, LEAST_IR_VERSION);
    }
    tn_module *m = in->m;
    m->ir_version = proto->ir_version;
    m->producer = tn_intern(in->ctx, proto->producer_name);
    m->producer_version = tn_intern(in->ctx, proto->producer_version);
    in->opsets = tn_onnx_read_opsets(in, proto->opset_import, proto->n_opset_import, "the model");
    for (uint32_t i = 0; i < in->opsets.len; i++) {
        tn_module_add_opset(m, in->opsets.data[i].domain, in->opsets.data[i].version);
    }
    for (size_t i = 0; i < proto->n_metadata_props; i++) {
        tn_module_add_metadata(m, tn_proto_text(proto->metadata_props[i]->key),
                               tn_proto_text(proto->metadata_props[i]->value));
    }
    tn_arena_drop(scratch);
}

/* The types of the main inputs are built in a table of their own, to learn which symbols the shapes
 * that the user gave stand for. */
static void bind_dims(tn_onnx *in, tn_bytes graph) {
    tn_arena *scratch = tn_arena_new(in->ctx);
    TN_VEC(tn_bind_input) inputs = {0};
    in->types = scratch;
    in->dims = tn_dims_new(scratch);
    tn_wire w = tn_wire_open(&in->src, graph);
    tn_wire_field f;
    while (tn_wire_next(&w, &f)) {
        if (f.number == GRAPH_INPUT) {
            tn_bytes message = tn_wire_content(&in->src, &f, "a graph input");
            tn_onnx_value_info info = tn_onnx_read_value_info(in, message, TN_ONNX_INPUT);
            tn_bind_input input = {info.name, info.type != NULL ? info.type : tn_type_unknown()};
            tn_vec_push(scratch, &inputs, input);
        }
    }
    tn_bind_apply(in->ctx, in->src.file, in->options, in->dims, inputs.data, inputs.len,
                  in->m->dims);
    in->types = in->m->arena;
    in->dims = in->m->dims;
    in->zero_dims = in->dtypes = (tn_onnx_repairs){0};
    tn_arena_drop(scratch);
}

/* Functions are known before the first call, training comes after the graph it adds to. */
static void read_parts(tn_onnx *in, tn_bytes graph) {
    tn_wire w = tn_wire_open(&in->src, in->src.all);
    tn_wire_field f;
    while (tn_wire_next(&w, &f)) {
        if (f.number == M_FUNCTION) {
            tn_onnx_read_function(in, tn_wire_content(&in->src, &f, "a function"));
        }
    }
    tn_onnx_add_main(in, graph, "");
    tn_onnx_build(in);
    uint32_t n = 0;
    bool whole = !in->options->initialization;
    for (w = tn_wire_open(&in->src, in->src.all); whole && tn_wire_next(&w, &f);) {
        if (f.number == M_TRAINING) {
            tn_onnx_read_training(in, tn_wire_content(&in->src, &f, "training info"), n++);
            tn_onnx_build(in);
        }
    }
    tn_onnx_resolve(in);
    n = 0;
    for (w = tn_wire_open(&in->src, in->src.all); whole && tn_wire_next(&w, &f);) {
        if (f.number == M_TRAINING) {
            tn_onnx_bind_training(in, tn_wire_content(&in->src, &f, "training info"), n++);
        }
    }
}

static const char *graph_name(tn_onnx *in, tn_bytes graph) {
    tn_arena *scratch = tn_arena_new(in->ctx);
    const Onnx__GraphProto *head =
        tn_proto_unpack(&in->src, scratch, &onnx__graph_proto__descriptor, graph, TN_FIELD(2));
    const char *name = tn_onnx_name(in, head->name);
    tn_arena_drop(scratch);
    return name;
}

static tn_status load(tn_ctx *ctx, void *arg) {
    request *r = arg;
    tn_arena *arena = tn_arena_new(ctx);
    tn_onnx in = {.ctx = ctx,
                  .src = {ctx, tn_intern(ctx, r->path), r->bytes},
                  .options = r->options,
                  .arena = arena};
    check_form(&in.src);
    tn_bytes main = find_graph(&in), graph = main;
    if (r->options->initialization) {
        graph = tn_onnx_initialization(&in, r->options->training_info);
    }
    in.m = tn_module_new(ctx, graph_name(&in, graph), r->path);
    in.symbols = tn_bind_names_new(arena);
    in.no_import = tn_map_make(arena);
    in.functions = tn_map_make(arena);
    in.main_names = tn_map_make(arena);
    in.weights_files = tn_map_make(arena);
    read_head(&in);
    bind_dims(&in, graph);
    read_parts(&in, graph);
    if (r->options->initialization) {
        tn_onnx_assign_initial(&in, r->options->training_info, main);
    }
    tn_bind_finish(in.m, in.symbols, r->options);
    tn_onnx_tell_repairs(&in);
    tn_arena_drop(arena);
    r->result = in.m;
    return TN_OK;
}

tn_module *tn_load_onnx(tn_ctx *ctx, const char *path, tn_bytes bytes,
                        const tn_load_options *options) {
    request r = {path, bytes, options, NULL};
    tn_status status = tn_guard_run(ctx, load, &r);
    if (status != TN_OK && status != TN_ERROR) {
        tn_reraise(ctx, status);
    }
    return status == TN_OK ? r.result : NULL;
}
