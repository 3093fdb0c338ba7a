/* ModelProto to module: the order in which the parts are read. */
#include <string.h>

#include "frontends/onnx/import_t.h"

enum { LEAST_IR_VERSION = 3 };

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
static tn_bytes find_graph(tn_onnx *imp) {
    tn_wire w = tn_wire_open(&imp->src, imp->src.all);
    tn_wire_field f;
    tn_bytes graph = {0};
    while (tn_wire_next(&w, &f)) {
        if (f.number == PB_MODEL_GRAPH) {
            if (graph.data != NULL) {
                tn_wire_fail(&imp->src, f.tag, "a second main graph");
            }
            graph = tn_wire_content(&imp->src, &f, "the main graph");
        }
    }
    if (graph.data == NULL) {
        tn_loc loc = tn_loc_file(imp->src.file);
        tn_fail(imp->ctx, &loc, "the model has no graph");
    }
    return graph;
}

static void read_head(tn_onnx *imp) {
    tn_arena *scratch = tn_arena_new(imp->ctx);
    const Onnx__ModelProto *proto =
        tn_proto_unpack(&imp->src, scratch, &onnx__model_proto__descriptor, imp->src.all,
                        TN_FIELD(PB_MODEL_IR_VERSION) | TN_FIELD(PB_MODEL_PRODUCER_NAME) |
                            TN_FIELD(PB_MODEL_PRODUCER_VERSION) | TN_FIELD(PB_MODEL_OPSET_IMPORT) |
                            TN_FIELD(PB_MODEL_METADATA_PROPS));
    if (proto->ir_version < LEAST_IR_VERSION) {
        tn_loc loc = tn_loc_file(imp->src.file);
        tn_fail(imp->ctx, &loc, "the model is of IR version %lld; versions from %d on are read",
                (long long)proto->ir_version, LEAST_IR_VERSION);
    }
    tn_module *m = imp->m;
    m->origin.format_version = proto->ir_version;
    m->origin.producer = tn_intern(imp->ctx, proto->producer_name);
    m->origin.producer_version = tn_intern(imp->ctx, proto->producer_version);
    imp->opsets = tn_onnx_read_opsets(imp, proto->opset_import, proto->n_opset_import, "the model");
    for (uint32_t i = 0; i < imp->opsets.len; i++) {
        tn_module_add_opset(m, imp->opsets.data[i].domain, imp->opsets.data[i].version);
    }
    for (size_t i = 0; i < proto->n_metadata_props; i++) {
        const char *key = tn_proto_text(proto->metadata_props[i]->key);
        if (!tn_is_plan_note(key)) {
            tn_module_add_metadata(m, key, tn_proto_text(proto->metadata_props[i]->value));
        }
    }
    tn_arena_drop(scratch);
}

/* Functions are read before the graphs that call them, training after the graph it adds to. */
static void read_parts(tn_onnx *imp, tn_bytes graph) {
    tn_wire w = tn_wire_open(&imp->src, imp->src.all);
    tn_wire_field f;
    while (tn_wire_next(&w, &f)) {
        if (f.number == PB_MODEL_FUNCTIONS) {
            tn_onnx_read_function(imp, tn_wire_content(&imp->src, &f, "a function"));
        }
    }
    tn_onnx_add_main(imp, graph, "");
    tn_onnx_build(imp);
    uint32_t n = 0;
    bool whole = !imp->initialization;
    for (w = tn_wire_open(&imp->src, imp->src.all); whole && tn_wire_next(&w, &f);) {
        if (f.number == PB_MODEL_TRAINING_INFO) {
            tn_onnx_read_training(imp, tn_wire_content(&imp->src, &f, "training info"), n++);
            tn_onnx_build(imp);
        }
    }
    tn_onnx_resolve(imp);
    n = 0;
    for (w = tn_wire_open(&imp->src, imp->src.all); whole && tn_wire_next(&w, &f);) {
        if (f.number == PB_MODEL_TRAINING_INFO) {
            tn_onnx_bind_training(imp, tn_wire_content(&imp->src, &f, "training info"), n++);
        }
    }
}

static const char *graph_name(tn_onnx *imp, tn_bytes graph) {
    tn_arena *scratch = tn_arena_new(imp->ctx);
    const Onnx__GraphProto *head = tn_proto_unpack(
        &imp->src, scratch, &onnx__graph_proto__descriptor, graph, TN_FIELD(PB_GRAPH_NAME));
    const char *name = tn_onnx_name(imp, head->name);
    tn_arena_drop(scratch);
    return name;
}

/* "main", "initialization" or "initialization:N", N counted from 0. */
static bool parse_graph_option(const char *text, bool *initialization, uint32_t *index) {
    static const char word[] = "initialization";
    enum { LEN = sizeof word - 1, MAX_DIGITS = 9 };
    *initialization = strncmp(text, word, LEN) == 0;
    *index = 0;
    if (!*initialization || text[LEN] == '\0') {
        return *initialization || strcmp(text, "main") == 0;
    }
    const char *digits = text + LEN + 1;
    size_t n = strspn(digits, "0123456789");
    if (text[LEN] != ':' || n == 0 || n > MAX_DIGITS || digits[n] != '\0') {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        *index = *index * 10 + (uint32_t)(digits[i] - '0');
    }
    return true;
}

static bool is_graph_option(const char *text) {
    bool initialization;
    uint32_t index;
    return parse_graph_option(text, &initialization, &index);
}

static const tn_frontend_opt options[] = {
    {.name = "graph",
     .type = TN_FRONTEND_TEXT,
     .fallback = "main",
     .arg = "WHICH",
     .wanted = "main, initialization or initialization:N",
     .accepts = is_graph_option,
     .help = "main (default): the model's graph, with the algorithm of its training info; "
             "initialization[:N]: the graph that initializes training info N (0), by itself"},
    {.name = "ignore-value-info",
     .type = TN_FRONTEND_FLAG,
     .fallback = "false",
     .help = "forget the shapes the file stores for inner values and rely on inference"},
    {.name = "overridable-initializers",
     .type = TN_FRONTEND_FLAG,
     .fallback = "false",
     .help =
         "initializers that the graph lists as inputs too stay inputs with a default, which the "
         "caller may give another value; without this they are constants"},
    {0}};

static void prepare(tn_onnx *imp, const tn_source *src) {
    imp->ctx = src->ctx;
    imp->src = (tn_wire_src){src->ctx, tn_intern(src->ctx, src->path), src->bytes, src->mapped};
    imp->arena = tn_arena_new(src->ctx);
    imp->first_name = tn_str_count(imp->ctx);
    imp->no_import = tn_map_make(imp->arena);
    imp->functions = tn_map_make(imp->arena);
    imp->main_names = tn_map_make(imp->arena);
    imp->weights_files = tn_map_make(imp->arena);
    imp->ignore_value_info = tn_source_flag(src, "ignore-value-info");
    imp->overridable = tn_source_flag(src, "overridable-initializers");
    parse_graph_option(tn_source_text(src, "graph"), &imp->initialization, &imp->training_info);
}

/* Nothing keeps the place of an initialization graph that is read alone: it is not the graph of the
 * file. */
static void keep_file(tn_onnx *imp) {
    tn_module *m = imp->m;
    tn_onnx_file *f = imp->file;
    f->names = TN_ARRAY(m->arena, const char *, m->n_values);
    for (uint32_t i = 0; i < m->n_values; i++) {
        f->names[i] = m->values[i]->name;
    }
    for (uint32_t i = 0; i < m->n_ops; i++) {
        f->ops.data[i].data = m->ops[i]->erased ? NULL : f->ops.data[i].data;
    }
    f->n_values = m->n_values;
    f->n_outputs = m->main->n_outputs;
    f->n_opsets = m->origin.opsets.len;
    f->src = imp->src;
    memcpy(f->stamps, m->stamps, sizeof f->stamps);
    m->onnx = imp->initialization ? NULL : f;
}

static tn_module *read(const tn_source *src) {
    tn_onnx imp = {0};
    prepare(&imp, src);
    check_form(&imp.src);
    tn_bytes main = find_graph(&imp), graph = main;
    if (imp.initialization) {
        graph = tn_onnx_initialization(&imp, imp.training_info);
    }
    imp.m = tn_module_new(src->ctx, graph_name(&imp, graph), src->path);
    imp.m->op_set = src->op_set;
    imp.file = TN_NEW(imp.m->arena, tn_onnx_file);
    read_head(&imp);
    read_parts(&imp, graph);
    if (imp.initialization) {
        tn_onnx_assign_initial(&imp, imp.training_info, main);
    }
    keep_file(&imp);
    tn_onnx_report_repairs(&imp);
    tn_arena_drop(imp.arena);
    return imp.m;
}

static tn_bytes text_of(const tn_wire_src *src, tn_bytes entry, uint32_t number) {
    tn_wire w = tn_wire_open(src, entry);
    tn_wire_field f;
    tn_bytes text = {(const uint8_t *)"", 0};
    while (tn_wire_next(&w, &f)) {
        if (f.number == number) {
            text = tn_wire_content(src, &f, "an entry of metadata");
        }
    }
    return text;
}

static tn_bytes find_note(const tn_source *from, const char *key) {
    tn_wire_src src = {from->ctx, tn_intern(from->ctx, from->path), from->bytes, from->mapped};
    check_form(&src);
    tn_wire w = tn_wire_open(&src, src.all);
    tn_wire_field f;
    tn_bytes found = {0};
    while (tn_wire_next(&w, &f)) {
        if (f.number != PB_MODEL_METADATA_PROPS) {
            continue;
        }
        tn_bytes entry = tn_wire_content(&src, &f, "an entry of metadata");
        tn_bytes name = text_of(&src, entry, PB_ENTRY_KEY);
        if (name.size != strlen(key) || memcmp(name.data, key, name.size) != 0) {
            continue;
        }
        if (found.data != NULL) {
            tn_wire_fail(&src, f.tag, "a second '%s' in the metadata", key);
        }
        found = text_of(&src, entry, PB_ENTRY_VALUE);
    }
    return found;
}

/* Nothing marks a protobuf message: any bytes may be one. */
static tn_match match(tn_bytes bytes) {
    (void)bytes;
    return TN_MATCH_MAYBE;
}

const tn_frontend tn_frontend_onnx = {
    .name = "onnx",
    .summary = "ONNX models (ModelProto)",
    .match = match,
    .options = options,
    .read = read,
    .find_note = find_note,
};
