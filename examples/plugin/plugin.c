/* A plug-in with one of each: three ops, an analysis, a pass that fuses and one that counts, a
 * backend and a frontend. docs/PLUGINS.md goes through it.
 *
 *   cc -shared -fPIC plugin.c -o example.so $(pkg-config --cflags tenure)
 *   tenure --load-plugin example.so plan net.mlp --passes fuse-dense,O2 --emit=rows */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tenure/plugin.h"

/* ---- ops ---- */

/* The first `rows` of the operand: without a copy where it lies in front. */
static tenure_status infer_head(tenure_inference *inference, const tenure_op *op, void *user) {
    tenure_attribute rows = {.struct_size = sizeof rows};
    const tenure_value *x = tenure_op_operand(op, 0);
    char type[512];
    (void)user;
    if (!tenure_op_find_attribute(op, "rows", &rows) || tenure_value_rank(x) < 1) {
        return TENURE_OK; /* nothing is known, which is no mistake */
    }
    if (tenure_value_extent(x, 0) >= 0 && rows.ints[0] > tenure_value_extent(x, 0)) {
        tenure_infer_conflict(inference, "the operand has fewer rows than are asked for");
        return TENURE_OK;
    }
    size_t n = (size_t)snprintf(type, sizeof type, "%s[%lld",
                                tenure_dtype_name(tenure_value_dtype(x)), (long long)rows.ints[0]);
    for (size_t i = 1; i < (size_t)tenure_value_rank(x) && n < sizeof type; i++) {
        n += (size_t)snprintf(type + n, sizeof type - n, ",%s", tenure_value_dim(x, i));
    }
    if (n + 2 > sizeof type) {
        return TENURE_OK;
    }
    memcpy(type + n, "]", 2);
    return tenure_infer_result(inference, 0, type);
}

static int part_of_head(const tenure_op *op, uint32_t index, tenure_part *part, void *user) {
    const tenure_value *x = tenure_op_operand(op, 0), *y = tenure_op_result(op, 0);
    (void)index, (void)user;
    part->rank = (uint32_t)tenure_value_rank(x);
    if (tenure_value_rank(x) < 1 || tenure_value_rank(y) != tenure_value_rank(x)) {
        return 0;
    }
    for (uint32_t i = 0; i < part->rank; i++) {
        part->whole[i] = tenure_value_extent(x, i);
        part->extent[i] = tenure_value_extent(y, i);
        part->start[i] = 0;
        if (part->whole[i] < 0 || part->extent[i] < 0) {
            return 0;
        }
    }
    return 1;
}

static const tenure_op_def head = {
    .struct_size = sizeof head,
    .domain = "acme",
    .name = "Head",
    .doc = "the first rows",
    .signature = "X -> Y",
    .attributes = "rows:int",
    .view = TENURE_VIEW_PART,
    .view_of = "X",
    .shape = infer_head,
    .part = part_of_head,
};

/* What the pass below makes of Gemm and Relu. Its kernel works with a row of the result at a time.
 */
static tenure_status infer_dense(tenure_inference *inference, const tenure_op *op, void *user) {
    const tenure_value *x = tenure_op_operand(op, 0), *w = tenure_op_operand(op, 1);
    char type[256];
    (void)user;
    if (tenure_value_rank(x) != 2 || tenure_value_rank(w) != 2) {
        return TENURE_OK;
    }
    (void)snprintf(type, sizeof type, "%s[%s,%s]", tenure_dtype_name(tenure_value_dtype(x)),
                   tenure_value_dim(x, 0), tenure_value_dim(w, 1));
    return tenure_infer_result(inference, 0, type);
}

static const tenure_way_def a_row[] = {{"row", "W.d1 * X.e", NULL}, {NULL, NULL, NULL}};

static const tenure_op_def dense = {
    .struct_size = sizeof dense,
    .domain = "acme",
    .name = "Dense",
    .doc = "a product, a bias, and Relu",
    .signature = "X W B -> Y",
    .shape = infer_dense,
    .workspace = a_row,
    .gradient = "X: MatMul(Where(Greater(Y, 0), d, 0), Transpose(W)); "
                "W: MatMul(Transpose(X), Where(Greater(Y, 0), d, 0)); "
                "B: Where(Greater(Y, 0), d, 0)",
};

/* An element-wise op: programs in C hold the kernel that its formula asks for. */
static const tenure_op_def swash = {
    .struct_size = sizeof swash,
    .domain = "acme",
    .name = "Swash",
    .doc = "x times a sigmoid of it",
    .signature = "X -> Y",
    .attributes = "alpha:float=1.0",
    .in_place = "Y over X (same)",
    .compute = "X * Sigmoid(alpha * X)",
};

/* ---- passes ---- */

static int is(const tenure_op *op, const char *type) {
    return op != NULL && strcmp(tenure_op_type(op), type) == 0 && tenure_op_domain(op)[0] == '\0';
}

/* A Gemm that only multiplies and adds, and whose one reader is a Relu beside it. */
static tenure_op *relu_behind(const tenure_op *gemm) {
    tenure_attribute a = {.struct_size = sizeof a};
    tenure_value *y = tenure_op_result(gemm, 0);
    tenure_op *reader = tenure_value_use(y, 0, NULL);
    int plain = tenure_op_operand_count(gemm) == 3 && !tenure_op_attribute(gemm, 0, &a);
    int alone = tenure_value_use_count(y) == 1 && !(tenure_value_flags(y) & TENURE_VALUE_OUTPUT);
    return plain && alone && is(reader, "Relu") && tenure_op_graph(reader) == tenure_op_graph(gemm)
               ? reader
               : NULL;
}

static tenure_status fuse(tenure_op *gemm, tenure_op *relu) {
    tenure_value *operands[] = {tenure_op_operand(gemm, 0), tenure_op_operand(gemm, 1),
                                tenure_op_operand(gemm, 2)};
    tenure_value *old = tenure_op_result(relu, 0);
    char name[256];
    (void)snprintf(name, sizeof name, "%s", tenure_value_name(old));
    tenure_op *op = tenure_graph_add_op(tenure_op_graph(gemm), "acme", "Dense",
                                        tenure_op_name(gemm), operands, 3);
    tenure_value *y = tenure_op_add_result(op, NULL, tenure_value_type(old));
    tenure_status status = tenure_op_move(op, relu);
    status = status == TENURE_OK ? tenure_value_replace(old, y) : status;
    status = status == TENURE_OK ? tenure_op_remove(relu) : status;
    status = status == TENURE_OK ? tenure_op_remove(gemm) : status;
    return status == TENURE_OK ? tenure_value_rename(y, name) : status;
}

static tenure_status fuse_all(tenure_pass_run *run, void *user) {
    long most = strtol(tenure_pass_value(run, "most"), NULL, 10);
    const tenure_graph *g;
    tenure_status status = TENURE_OK;
    (void)user;
    for (size_t i = 0; (g = tenure_model_graph(tenure_pass_model(run), i)) != NULL; i++) {
        tenure_op *next = tenure_graph_first(g);
        for (tenure_op *op = next; op != NULL && status == TENURE_OK && most > 0; op = next) {
            tenure_op *relu = is(op, "Gemm") ? relu_behind(op) : NULL;
            next = tenure_op_next(op);
            next = next == relu && relu != NULL ? tenure_op_next(relu) : next;
            if (relu != NULL) {
                tenure_report(tenure_pass_context(run), TENURE_SEV_REMARK, op,
                              "fused with its Relu");
                status = fuse(op, relu);
                tenure_pass_count(run, "fused", 1);
                most--;
            }
        }
    }
    return status;
}

static const tenure_option_def fuse_options[] = {
    {"most", TENURE_OPTION_NUMBER, "1000000", "0..1000000", "fuse no more pairs than these"},
    {NULL, TENURE_OPTION_TEXT, NULL, NULL, NULL}};
static const tenure_counter_def fuse_counters[] = {{"fused", "pairs that became one op"},
                                                   {NULL, NULL}};
static const tenure_pass_def fuse_pass = {
    .struct_size = sizeof fuse_pass,
    .name = "fuse-dense",
    .summary = "Gemm and Relu become acme::Dense",
    .needs = TENURE_HAS_TYPES,
    .keeps = TENURE_HAS_ORDER,
    .options = fuse_options,
    .counters = fuse_counters,
    .run = fuse_all,
};

/* An analysis is computed once, until the model changes. */
typedef struct widths {
    int64_t widest; /* elements of the largest result, of those that are known */
    const tenure_op *by;
} widths;

static const void *find_widest(tenure_analysis_run *run, void *user) {
    widths *w = tenure_analysis_memory(run, sizeof *w);
    const tenure_graph *g = tenure_model_graph(tenure_analysis_model(run), 0);
    (void)user;
    for (const tenure_op *op = tenure_graph_first(g); w != NULL && op != NULL;
         op = tenure_op_next(op)) {
        const tenure_value *y = tenure_op_result(op, 0);
        int64_t n = 1;
        for (int64_t i = 0; i < tenure_value_rank(y) && n >= 0; i++) {
            int64_t extent = tenure_value_extent(y, (size_t)i);
            n = extent >= 0 ? n * extent : -1;
        }
        if (n > w->widest) {
            *w = (widths){n, op};
        }
    }
    return w;
}

static const tenure_analysis_def widest = {.struct_size = sizeof widest,
                                           .name = "widest",
                                           .summary = "the op with the largest result",
                                           .compute = find_widest};

static tenure_status count(tenure_pass_run *run, void *user) {
    const widths *w = tenure_pass_analysis(run, "widest");
    const tenure_graph *g = tenure_model_graph(tenure_pass_model(run), 0);
    char *text = tenure_pass_memory(run, 128);
    (void)user;
    if (w == NULL || text == NULL) {
        return TENURE_NOMEM;
    }
    tenure_pass_count(run, "ops", tenure_graph_op_count(g));
    (void)snprintf(text, 128, "the largest result has %lld elements", (long long)w->widest);
    tenure_report(tenure_pass_context(run), TENURE_SEV_REMARK, w->by, text);
    return TENURE_OK;
}

static const tenure_counter_def count_counters[] = {{"ops", "of the main graph"}, {NULL, NULL}};
static const tenure_pass_def count_pass = {
    .struct_size = sizeof count_pass,
    .name = "count-ops",
    .summary = "counts, and changes nothing",
    .needs = TENURE_HAS_TYPES,
    .keeps = TENURE_HAS_TYPES | TENURE_HAS_ORDER | TENURE_HAS_PINS,
    .counters = count_counters,
    .run = count,
};

/* ---- a backend ---- */

static tenure_status emit_rows(tenure_emission *emission, const tenure_plan *plan,
                               const tenure_model *model, void *user) {
    tenure_placement v = {.struct_size = sizeof v};
    int names = strcmp(tenure_emission_value(emission, "names"), "true") == 0;
    char line[512];
    (void)model, (void)user;
    for (size_t i = 0; tenure_plan_value(plan, i, &v); i++) {
        int n = v.pool == NULL ? 0
                               : snprintf(line, sizeof line, "%s %llu %llu %s\n", v.pool,
                                          (unsigned long long)v.offset, (unsigned long long)v.size,
                                          names ? v.name : "");
        if (n > 0 && tenure_emission_write(emission, NULL, line,
                                           n < (int)sizeof line ? (size_t)n : sizeof line - 1) !=
                         TENURE_OK) {
            return TENURE_ERROR;
        }
    }
    if (tenure_emission_name(emission)[0] == '\0') {
        return TENURE_OK; /* standard output: no second file */
    }
    (void)snprintf(line, sizeof line, "%llu\n", (unsigned long long)tenure_plan_arena_size(plan));
    return tenure_emission_write(emission, "arena.size", line, strlen(line));
}

static const tenure_option_def rows_options[] = {
    {"names", TENURE_OPTION_FLAG, "true", NULL, "names of values at the end of each line"},
    {NULL, TENURE_OPTION_TEXT, NULL, NULL, NULL}};
static const tenure_backend_def rows = {
    .struct_size = sizeof rows,
    .name = "rows",
    .summary = "a line a value: pool, offset, bytes, name",
    .suffix = ".rows",
    .options = rows_options,
    .emit = emit_rows,
};

/* ---- a frontend ---- */

/* "mlp BATCH IN OUT OUT ...": dense layers with Relu between them. */
static int match_mlp(const void *data, size_t size, void *user) {
    (void)user;
    return size >= 4 && memcmp(data, "mlp ", 4) == 0 ? 2 : 0;
}

static tenure_value *add_layer(tenure_graph *g, tenure_value *x, int64_t in, int64_t out,
                               int last) {
    int64_t dims[] = {in, out};
    tenure_tensor w = {.struct_size = sizeof w, .dtype = TENURE_FLOAT, .rank = 2, .dims = dims};
    tenure_tensor b = {.struct_size = sizeof b, .dtype = TENURE_FLOAT, .rank = 1, .dims = dims + 1};
    tenure_value *operands[] = {x, tenure_graph_add_constant(g, NULL, &w, NULL, TENURE_DATA_COPY),
                                tenure_graph_add_constant(g, NULL, &b, NULL, TENURE_DATA_COPY)};
    tenure_value *y = tenure_op_add_result(tenure_graph_add_op(g, "", "Gemm", NULL, operands, 3),
                                           last ? "y" : NULL, NULL);
    return last ? y
                : tenure_op_add_result(tenure_graph_add_op(g, "", "Relu", NULL, &y, 1), NULL, NULL);
}

static tenure_model *read_mlp(tenure_context *ctx, const char *path, const void *data, size_t size,
                              void *user) {
    char text[1024], type[64];
    int64_t extents[16], n = 0;
    (void)user;
    (void)snprintf(text, sizeof text, "%.*s", (int)(size < sizeof text ? size : sizeof text - 1),
                   (const char *)data);
    for (char *at = text + 3, *end; n < 16; at = end, n++) {
        extents[n] = strtoll(at, &end, 10);
        if (end == at) {
            break;
        }
    }
    if (n < 3 || n == 16) {
        (void)snprintf(text, sizeof text,
                       "%.200s: expected \"mlp BATCH IN OUT ...\", 1 to 13 layers", path);
        tenure_report(ctx, TENURE_SEV_ERROR, NULL, text);
        return NULL;
    }
    tenure_model *model = tenure_model_new(ctx, "mlp", NULL);
    tenure_graph *g = tenure_model_graph(model, 0);
    (void)snprintf(type, sizeof type, "f32[%lld,%lld]", (long long)extents[0],
                   (long long)extents[1]);
    tenure_value *x = tenure_graph_add_input(g, "x", type);
    for (int64_t i = 2; i < n; i++) {
        x = add_layer(g, x, extents[i - 1], extents[i], i + 1 == n);
    }
    if (tenure_model_import(model, "", 17) != TENURE_OK ||
        tenure_graph_add_output(g, x) != TENURE_OK) {
        tenure_model_free(model);
        return NULL;
    }
    return model;
}

static const tenure_frontend_def mlp = {.struct_size = sizeof mlp,
                                        .name = "mlp",
                                        .summary = "dense layers, a line of their widths",
                                        .match = match_mlp,
                                        .read = read_mlp};

/* ---- the plug-in ---- */

static tenure_status start(tenure_context *ctx) {
    tenure_status status = tenure_register_op(ctx, &head);
    status = status == TENURE_OK ? tenure_register_op(ctx, &dense) : status;
    status = status == TENURE_OK ? tenure_register_op(ctx, &swash) : status;
    status = status == TENURE_OK ? tenure_register_analysis(ctx, &widest) : status;
    status = status == TENURE_OK ? tenure_register_pass(ctx, &fuse_pass) : status;
    status = status == TENURE_OK ? tenure_register_pass(ctx, &count_pass) : status;
    status = status == TENURE_OK ? tenure_register_backend(ctx, &rows) : status;
    return status == TENURE_OK ? tenure_register_frontend(ctx, &mlp) : status;
}

static const tenure_plugin plugin = {sizeof plugin, TENURE_PLUGIN_INTERFACE, "example", "1.0",
                                     start};

TENURE_PLUGIN_EXPORT const tenure_plugin *tenure_plugin_info(void) {
    return &plugin;
}
